//! `POST /api/memory/feedback` and `GET /api/memory/{id}/feedback`: what became of memories that were recalled.
//!
//! The words of other systems are taken too: `positive`, `skip` and `negative`, as `judgement`, `feedback` or `label`. Who
//! judges a whole conversation, as they do, names no memory; then those are meant that its replies used, and a `negative`
//! says that they did not help, because nobody said which of them is wrong. A comment is passed over and never stored.

use axum::Json;
use axum::extract::State;
use memory::types::{Counters, FeedbackEntry, JudgedBy, Judgement, Judgements, MemoryId, Status, Time};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::asked::{Asked, Named};
use super::body::Body;
use super::schema::{GivenId, JudgedByWord, JudgementWord, MemoryName, Moment, SourceWord, StatusWord};
use crate::app::AppState;
use crate::fields::Fields;
use crate::ops::Caller;
use crate::ops::feedback::{Feedback, FeedbackList, JudgedMemory};
use crate::problem::{Problem, ProblemBody};

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::default().routes(routes!(judge)).routes(routes!(said))
}

/// What became of which memories.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct FeedbackBody {
    #[schema(value_type = Option<MemoryName>)]
    pub memory_id: Option<String>,
    /// Several at once.
    #[schema(max_items = 100, value_type = Option<Vec<MemoryName>>)]
    pub memory_ids: Option<Vec<String>>,
    #[schema(value_type = JudgementWord)]
    pub judgement: String,
    /// Who says so; an agent unless said.
    #[schema(value_type = Option<SourceWord>)]
    pub source: Option<String>,
    /// The conversation. Needed where no memory is named: then those are meant that its replies used.
    #[schema(value_type = Option<GivenId>)]
    pub session_id: Option<String>,
    /// The reply, `tu_…`. Asked twice about the same one, the last word counts.
    pub turn_id: Option<String>,
    #[schema(value_type = Option<GivenId>)]
    pub agent_id: Option<String>,
    #[schema(value_type = Option<GivenId>)]
    pub user_id: Option<String>,
}

/// What was said, and what it came to.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = FeedbackTaken)]
pub struct Taken {
    judged: Vec<JudgedRow>,
    /// What can be undone as a whole, where a memory changed.
    #[schema(required)]
    run_id: Option<String>,
}

/// How often replies used a memory, passed it over, and were misled by it.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[schema(as = Judgements)]
pub struct Counted {
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
    counts: Counted,
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
    counts: Counted,
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
    #[schema(value_type = Moment)]
    at: Time,
}

/// Say what became of memories that were recalled
///
/// Used, ignored or wrong. It strengthens and weakens them; one that a person calls wrong, or agents twice, is archived
/// under a run that can be undone.
#[utoipa::path(post, path = "/api/memory/feedback", tag = "memories", operation_id = "judgeMemories",
    request_body = FeedbackBody,
    responses((status = 200, description = "How they stand now", body = Taken),
        (status = 404, description = "One of them is not there", body = ProblemBody)))]
async fn judge(State(state): State<AppState>, caller: Caller, body: Body) -> Result<Json<Taken>, Problem> {
    let body = body.fields();
    let mut ids: Vec<MemoryId> = Vec::new();
    for name in ["memoryId", "memoryIds", "ids", "traceId"] {
        ids.extend(body.words::<MemoryId>(name)?);
    }
    let request = Feedback {
        judgement: judgement(&body, ids.is_empty())?,
        by: body.parsed("source")?.unwrap_or(JudgedBy::Agent),
        session: body.id("sessionId")?,
        turn: body.parsed("turnId")?,
        agent: body.id("agentId")?,
        user: body.id("userId")?,
        ids,
    };
    let taken = super::ask(&state, &caller, request).await?;
    let judged = taken.judged.into_iter().map(JudgedRow::of).collect();
    Ok(Json(Taken { judged, run_id: taken.run.map(|run| run.as_str().to_owned()) }))
}

fn judgement(body: &Fields<'_>, of_session: bool) -> Result<Judgement, Problem> {
    let given = ["judgement", "feedback", "label"].into_iter().find(|name| body.get(name).is_some());
    let name = given.unwrap_or("judgement");
    let text = body.required(name)?.trim().to_lowercase();
    if of_session && text == "negative" {
        return Ok(Judgement::Ignored);
    }
    text.parse().map_err(|error| body.wrong(name, error))
}

/// What was said of a memory's use
#[utoipa::path(get, path = "/api/memory/{id}/feedback", tag = "memories", operation_id = "feedbackOfMemory",
    params(("id" = MemoryName, Path, description = "The memory's id."),
        ("limit" = Option<u32>, Query, minimum = 1, maximum = 1000, description = "How many; 50 unless said.")),
    responses((status = 200, description = "What was said", body = SaidRows)))]
async fn said(
    State(state): State<AppState>,
    caller: Caller,
    id: Named,
    asked: Asked,
) -> Result<Json<SaidRows>, Problem> {
    let request = FeedbackList { id: id.of("memory")?, limit: asked.whole("limit")? };
    let listed = super::ask(&state, &caller, request).await?;
    Ok(Json(SaidRows {
        memory_id: listed.id.as_str().to_owned(),
        counts: Counted::of(&listed.counters),
        entries: listed.entries.into_iter().map(SaidRow::of).collect(),
    }))
}

impl Counted {
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
            counts: Counted::of(&judged.counters),
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
