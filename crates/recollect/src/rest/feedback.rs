//! `POST /api/memory/feedback` and `GET /api/memory/{id}/feedback`: what became of memories that were recalled.
//!
//! The words of other systems are taken too: `positive`, `skip` and `negative`, as `judgement`, `feedback` or `label`. Who
//! judges a whole conversation, as they do, names no memory; then those are meant that its replies used, and a `negative`
//! says that they did not help, because nobody said which of them is wrong. A comment is passed over and never stored.

use axum::Json;
use axum::extract::State;
use memory::types::{Counters, FeedbackEntry, JudgedBy, Judgement, Judgements, Status, Time, TurnId};
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::extract::{Body, PathId, QueryParams};
use super::schema::{JudgedByWord, JudgementWord, MomentSchema, SourceWord, StatusWord};
use crate::app::AppState;
use crate::ops::Caller;
use crate::ops::feedback::{Feedback, FeedbackList, JudgedMemory};
use crate::problem::{Problem, ProblemBody};
use crate::request::values::{ListedRows, MemoryName, NamedScope, parsed};

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::default().routes(routes!(judge)).routes(routes!(said))
}

/// What became of which memories.
#[derive(Debug, Deserialize, ToSchema)]
pub struct FeedbackBody {
    memory_id: Option<MemoryName>,
    /// Several at once.
    #[serde(default)]
    #[schema(max_items = 100)]
    memory_ids: Vec<MemoryName>,
    #[schema(value_type = JudgementWord)]
    judgement: GivenJudgement,
    /// Who says so; an agent unless said.
    source: Option<SourceWord>,
    /// The conversation is needed where no memory is named: then those are meant that its replies used.
    #[serde(default)]
    whose: NamedScope,
    /// The reply, `tu_…`. Asked twice about the same one, the last word counts.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    turn_id: Option<TurnName>,
    /// Passed over and never stored.
    #[serde(rename = "comment")]
    #[schema(value_type = Option<String>)]
    _comment: Option<serde::de::IgnoredAny>,
    /// Taken and not needed.
    #[serde(rename = "turn_count")]
    #[schema(value_type = Option<u64>)]
    _turn_count: Option<serde::de::IgnoredAny>,
}

/// A judgement in our words or another system's.
#[derive(Debug, Clone, Copy)]
struct GivenJudgement {
    judgement: Judgement,
    /// It was said as `negative`, which of a whole conversation does not say which memory is wrong.
    negative: bool,
}

impl<'de> Deserialize<'de> for GivenJudgement {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        let word = String::deserialize(reader)?.trim().to_lowercase();
        let judgement = word.parse().map_err(serde::de::Error::custom)?;
        Ok(GivenJudgement { judgement, negative: word == "negative" })
    }
}

#[derive(Debug, Deserialize)]
struct TurnName(#[serde(deserialize_with = "parsed")] TurnId);

/// What was said, and what it came to.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = FeedbackTaken)]
pub struct FeedbackAnswer {
    judged: Vec<JudgedRow>,
    /// What can be undone as a whole, where a memory changed.
    #[schema(required)]
    run_id: Option<String>,
}

/// How often replies used a memory, passed it over, and were misled by it.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[schema(as = Judgements)]
pub struct FeedbackCounts {
    used: u64,
    ignored: u64,
    wrong: u64,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = JudgedMemory)]
pub struct JudgedRow {
    memory_id: String,
    #[schema(value_type = JudgementWord)]
    judgement: Judgement,
    #[schema(value_type = StatusWord)]
    status: Status,
    confidence: f32,
    counts: FeedbackCounts,
    /// Why the memory changed, where it did.
    #[schema(required)]
    changed: Option<String>,
}

/// What was said of a memory.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = FeedbackOfMemory)]
pub struct SaidRows {
    memory_id: String,
    counts: FeedbackCounts,
    /// The latest first. What is older than `logRetentionDays` is counted and no longer listed.
    entries: Vec<SaidRow>,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = FeedbackEntry)]
pub struct SaidRow {
    #[schema(value_type = JudgementWord)]
    judgement: Judgement,
    #[schema(value_type = JudgedByWord)]
    source: JudgedBy,
    #[schema(required)]
    session_id: Option<String>,
    #[schema(required)]
    turn_id: Option<String>,
    #[schema(value_type = MomentSchema)]
    at: Time,
}

/// Say what became of memories that were recalled
///
/// Used, ignored or wrong. It strengthens and weakens them; one that a person calls wrong, or agents twice, is archived
/// under a run that can be undone.
#[utoipa::path(post, path = "/api/memory/feedback", tag = "memories", operation_id = "judgeMemories",
    request_body = FeedbackBody,
    responses((status = 200, description = "How they stand now", body = FeedbackAnswer),
        (status = 404, description = "One of them is not there", body = ProblemBody)))]
async fn judge(
    State(state): State<AppState>,
    caller: Caller,
    Body(body): Body<FeedbackBody>,
) -> Result<Json<FeedbackAnswer>, Problem> {
    let ids: Vec<_> = body.memory_id.into_iter().chain(body.memory_ids).map(|id| id.0).collect();
    let of_session = ids.is_empty() && body.judgement.negative;
    let request = Feedback {
        judgement: if of_session { Judgement::Ignored } else { body.judgement.judgement },
        by: body.source.map_or(JudgedBy::Agent, |word| word.0),
        session: body.whose.session(),
        turn: body.turn_id.map(|turn| turn.0),
        agent: body.whose.agent(),
        user: body.whose.user(),
        ids,
    };
    let taken = state.house.ask(&caller, request).await?;
    let judged = taken.judged.into_iter().map(JudgedRow::of).collect();
    Ok(Json(FeedbackAnswer { judged, run_id: taken.run.map(|run| run.as_str().to_owned()) }))
}

/// How many of what was said.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub struct SaidQuery {
    /// How many; 50 unless said.
    limit: Option<ListedRows>,
}

/// What was said of a memory's use
#[utoipa::path(get, path = "/api/memory/{id}/feedback", tag = "memories", operation_id = "feedbackOfMemory",
    params(("id" = MemoryName, Path, description = "The memory's id."), QueryParams<SaidQuery>),
    responses((status = 200, description = "What was said", body = SaidRows)))]
async fn said(
    State(state): State<AppState>,
    caller: Caller,
    id: PathId,
    QueryParams(asked): QueryParams<SaidQuery>,
) -> Result<Json<SaidRows>, Problem> {
    let request = FeedbackList { id: id.of("memory")?, limit: asked.limit.map(|rows| rows.0) };
    let listed = state.house.ask(&caller, request).await?;
    Ok(Json(SaidRows {
        memory_id: listed.id.as_str().to_owned(),
        counts: FeedbackCounts::of(&listed.counters),
        entries: listed.entries.into_iter().map(SaidRow::of).collect(),
    }))
}

impl FeedbackCounts {
    pub fn of_judgements(said: &Judgements) -> Self {
        Self { used: said.used, ignored: said.ignored, wrong: said.wrong }
    }

    fn of(counters: &Counters) -> Self {
        Self { used: counters.used, ignored: counters.ignored, wrong: counters.wrong }
    }
}

impl JudgedRow {
    fn of(judged: JudgedMemory) -> Self {
        Self {
            memory_id: judged.id.as_str().to_owned(),
            judgement: judged.judgement,
            status: judged.status,
            confidence: judged.confidence,
            counts: FeedbackCounts::of(&judged.counters),
            changed: judged.changed,
        }
    }
}

impl SaidRow {
    fn of(entry: FeedbackEntry) -> Self {
        Self {
            judgement: entry.judgement,
            source: entry.by,
            session_id: entry.session.map(|key| key.session.to_string()),
            turn_id: entry.turn.map(|turn| turn.as_str().to_owned()),
            at: entry.at,
        }
    }
}
