//! `POST /api/memory/summarize` and `POST /api/memory/merge`: fewer and better memories.

use axum::Json;
use axum::extract::State;
use memory::types::MemoryId;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::body::Body;
use super::owner::must_own;
use super::schema::{GivenId, MemoryName};
use crate::app::AppState;
use crate::limits;
use crate::ops::Caller;
use crate::ops::merge::Merge;
use crate::ops::summarize::{Summarize, Summarized};
use crate::problem::{Problem, ProblemBody};

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::default().routes(routes!(summarize)).routes(routes!(merge))
}

/// What to take together.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct SummarizeBody {
    #[schema(minimum = 1, maximum = 36500)]
    pub older_than_days: u32,
    /// Only say what it would come to.
    pub dry_run: Option<bool>,
    #[schema(value_type = Option<GivenId>)]
    pub agent_id: Option<String>,
    #[schema(value_type = Option<GivenId>)]
    pub user_id: Option<String>,
    /// One of the caller's own keys, or none.
    pub api_key_id: Option<String>,
}

/// Take old memories together
///
/// One summary for each owner; the sources are archived under the run's id. What a person wrote, pinned or edited stays.
#[utoipa::path(post, path = "/api/memory/summarize", tag = "engine", operation_id = "summarize",
    request_body = SummarizeBody,
    responses((status = 200, description = "What it came to", body = Summarized),
        (status = 409, description = "Somebody changed one of them meanwhile", body = ProblemBody)))]
async fn summarize(
    State(state): State<AppState>,
    caller: Caller,
    body: Body,
) -> Result<Json<Summarized>, Problem> {
    let body = body.fields();
    let days = body
        .whole("olderThanDays")?
        .ok_or_else(|| body.wrong("olderThanDays", "it is missing; expected days"))?;
    if !(1..=limits::SUMMARISED_DAYS).contains(&days) {
        let message = format!("it is {days}; expected from 1 to {}", limits::SUMMARISED_DAYS);
        return Err(body.wrong("olderThanDays", message));
    }
    let request = Summarize {
        older_than_days: u32::try_from(days).expect("checked to be small"),
        dry_run: body.switch("dryRun")?.unwrap_or(false),
        agent: body.id("agentId")?,
        user: body.id("userId")?,
    };
    must_own(&state, &caller, body.text("apiKeyId")?).await?;
    super::ask(&state, &caller, request).await.map(Json)
}

/// Which memories become one.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct MergeBody {
    #[schema(min_items = 2, max_items = 100, value_type = Vec<MemoryName>)]
    pub trace_ids: Vec<String>,
    /// What the one says; the sentences of the others one after the other unless said.
    #[schema(min_length = 1, max_length = 4096, pattern = r"\S")]
    pub content: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MergedRows {
    merged_trace_id: String,
    sources_deleted: usize,
    /// What can be undone as a whole.
    run_id: String,
}

/// Make one memory of several
///
/// Tags are united, links re-pointed, and the sources superseded by it.
#[utoipa::path(post, path = "/api/memory/merge", tag = "memories", operation_id = "mergeMemories",
    request_body = MergeBody,
    responses((status = 200, description = "The one that they became", body = MergedRows),
        (status = 404, description = "One of them is not there", body = ProblemBody)))]
async fn merge(
    State(state): State<AppState>,
    caller: Caller,
    body: Body,
) -> Result<Json<MergedRows>, Problem> {
    let body = body.fields();
    let ids: Vec<MemoryId> = body.words("traceIds")?;
    let content = body.text("content")?.map(str::to_owned);
    let merged = super::ask(&state, &caller, Merge { ids, content, by_tool: false }).await?;
    Ok(Json(MergedRows {
        merged_trace_id: merged.id.as_str().to_owned(),
        sources_deleted: merged.sources,
        run_id: merged.run.as_str().to_owned(),
    }))
}
