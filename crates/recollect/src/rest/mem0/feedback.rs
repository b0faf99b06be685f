//! `POST /v1/feedback/`: mem0's thumbs on a memory.
//!
//! `POSITIVE` says that it was used. `NEGATIVE` says that it is wrong, as an agent would, whose word alone only casts a doubt;
//! `VERY_NEGATIVE` says so for the person, and takes it out of recall. The reason is given back and not kept: what is said of
//! a memory never comes to hold what the memory is about.

use axum::Json;
use axum::extract::State;
use memory::types::{JudgedBy, Judgement};
use serde::Serialize;
use utoipa::ToSchema;

use super::asked::Mem0Body;
use super::memory::{id, live};
use crate::app::AppState;
use crate::fields::Fields;
use crate::ops::Caller;
use crate::ops::feedback::Feedback;
use crate::problem::{Problem, ProblemBody};

/// What is said of a memory.
#[derive(ToSchema)]
#[schema(as = Mem0Feedback)]
pub struct Mem0FeedbackBody {
    pub memory_id: String,
    #[schema(value_type = Thumb)]
    pub feedback: String,
    /// Given back, and not kept.
    pub feedback_reason: Option<String>,
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
    #[schema(value_type = Thumb)]
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
    body: Mem0Body,
) -> Result<Json<Mem0FeedbackAnswer>, Problem> {
    let body = body.fields();
    let name = body.required("memory_id")?;
    let feedback = thumb(&body)?;
    let reason = body.text("feedback_reason")?.map(str::to_owned);
    let memory = live(&state, &caller, id(name)?).await?;
    let (judgement, by) = match feedback {
        Thumb::Positive => (Judgement::Used, JudgedBy::Agent),
        Thumb::Negative => (Judgement::Wrong, JudgedBy::Agent),
        Thumb::VeryNegative => (Judgement::Wrong, JudgedBy::Person),
    };
    super::ask(&state, &caller, Feedback::of(vec![memory.id.clone()], judgement, by)).await?;
    Ok(Json(Mem0FeedbackAnswer { id: memory.id.as_str().to_owned(), feedback, feedback_reason: reason }))
}

fn thumb(body: &Fields<'_>) -> Result<Thumb, Problem> {
    let expected = "expected POSITIVE, NEGATIVE or VERY_NEGATIVE";
    match body.text("feedback")?.map(|word| word.trim().to_ascii_uppercase()).as_deref() {
        Some("POSITIVE") => Ok(Thumb::Positive),
        Some("NEGATIVE") => Ok(Thumb::Negative),
        Some("VERY_NEGATIVE") => Ok(Thumb::VeryNegative),
        Some(_) => Err(body.wrong("feedback", format!("it is unknown; {expected}"))),
        None => {
            Err(body.wrong("feedback", format!("it is missing; {expected}")).hint("what was said stays said"))
        }
    }
}
