//! `POST /v1/feedback/`: mem0's thumbs on a memory.
//!
//! `POSITIVE` says that it was used. `NEGATIVE` says that it is wrong, as an agent would, whose word alone only casts a doubt;
//! `VERY_NEGATIVE` says so for the person, and takes it out of recall. The reason is given back and not kept: what is said of
//! a memory never comes to hold what the memory is about.

use std::str::FromStr;

use axum::Json;
use axum::extract::State;
use memory::types::{JudgedBy, Judgement};
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;

use super::super::extract::Body;
use super::memory::{id, live};
use crate::app::AppState;
use crate::ops::Caller;
use crate::ops::feedback::Feedback;
use crate::problem::{Problem, ProblemBody};
use crate::request::values::parsed;

/// What is said of a memory.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(as = Mem0Feedback)]
pub struct Mem0FeedbackBody {
    memory_id: String,
    feedback: Thumb,
    /// Given back, and not kept.
    feedback_reason: Option<String>,
}

/// mem0's words for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Mem0Thumb)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[schema(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Thumb {
    Positive,
    Negative,
    VeryNegative,
}

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Mem0FeedbackTaken)]
pub struct Mem0FeedbackAnswer {
    /// The memory's.
    id: String,
    feedback: Thumb,
    #[schema(required)]
    feedback_reason: Option<String>,
}

/// Judge a memory as mem0 does
///
/// Also at `/v1/feedback`.
#[utoipa::path(post, path = "/v1/feedback/", tag = "mem0", operation_id = "mem0Feedback", request_body = Mem0FeedbackBody,
    responses((status = 200, description = "It is taken", body = Mem0FeedbackAnswer),
        (status = 404, description = "There is no such memory", body = ProblemBody)))]
pub async fn feedback(
    State(state): State<AppState>,
    caller: Caller,
    Body(body): Body<Mem0FeedbackBody>,
) -> Result<Json<Mem0FeedbackAnswer>, Problem> {
    let Mem0FeedbackBody { memory_id, feedback, feedback_reason } = body;
    let memory = live(&state, &caller, id(&memory_id)?).await?;
    let (judgement, by) = match feedback {
        Thumb::Positive => (Judgement::Used, JudgedBy::Agent),
        Thumb::Negative => (Judgement::Wrong, JudgedBy::Agent),
        Thumb::VeryNegative => (Judgement::Wrong, JudgedBy::Person),
    };
    state.house.ask(&caller, Feedback::of(vec![memory.id.clone()], judgement, by)).await?;
    Ok(Json(Mem0FeedbackAnswer { id: memory.id.as_str().to_owned(), feedback, feedback_reason }))
}

impl FromStr for Thumb {
    type Err = &'static str;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        match word.trim().to_ascii_uppercase().as_str() {
            "POSITIVE" => Ok(Thumb::Positive),
            "NEGATIVE" => Ok(Thumb::Negative),
            "VERY_NEGATIVE" => Ok(Thumb::VeryNegative),
            _ => Err("it is unknown; expected POSITIVE, NEGATIVE or VERY_NEGATIVE"),
        }
    }
}

impl<'de> Deserialize<'de> for Thumb {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        parsed(reader)
    }
}
