//! `POST /api/memory/summarize` and `POST /api/memory/merge`: fewer and better memories.

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::extract::{AnyBody, Body};
use crate::app::AppState;
use crate::compat::api_key_id;
use crate::ops::Caller;
use crate::ops::merge::Merge;
use crate::ops::summarize::{Summarize, Summarized};
use crate::problem::{Problem, ProblemBody};
use crate::request::values::{MemoryName, NamedOwner, OldDays};

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::default().routes(routes!(summarize)).routes(routes!(merge))
}

/// What to take together.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub struct SummarizeBody {
    /// The setting `summarizeAfterDays` unless said.
    older_than_days: Option<OldDays>,
    /// Only say what it would come to.
    #[serde(default)]
    dry_run: bool,
    #[serde(default)]
    whose: NamedOwner,
    /// Only of the user for whom this key speaks: one of the caller's own keys.
    api_key_id: Option<String>,
}

/// Take old memories together
///
/// A line for each memory, in summaries that fit a prompt; the sources are archived under the run's id. With a core model its words are compared with
/// what they would replace, and refused where something is missing. What a person pinned or edited stays, and so do rules.
#[utoipa::path(post, path = "/api/memory/summarize", tag = "engine", operation_id = "summarize",
    request_body = Option<SummarizeBody>,
    responses((status = 200, description = "What it came to", body = Summarized),
        (status = 409, description = "Somebody changed one of them meanwhile", body = ProblemBody)))]
async fn summarize(
    State(state): State<AppState>,
    caller: Caller,
    AnyBody(body): AnyBody<SummarizeBody>,
) -> Result<Json<Summarized>, Problem> {
    let mut user = body.whose.user();
    api_key_id::narrow(&state.house, &caller, body.api_key_id.as_deref(), &mut user).await?;
    let request = Summarize {
        older_than_days: body.older_than_days.map(|days| days.0 as u32),
        dry_run: body.dry_run,
        agent: body.whose.agent(),
        user,
    };
    state.house.ask(&caller, request).await.map(Json)
}

/// Which memories become one.
#[derive(Debug, Deserialize, ToSchema)]
pub struct MergeBody {
    #[schema(min_items = 2, max_items = 100)]
    trace_ids: Vec<MemoryName>,
    /// What the one says; the sentences of the others one after the other unless said.
    #[schema(min_length = 1, max_length = 4096, pattern = r"\S")]
    content: Option<String>,
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
    Body(body): Body<MergeBody>,
) -> Result<Json<MergedRows>, Problem> {
    let ids = body.trace_ids.into_iter().map(|id| id.0).collect();
    let request = Merge { ids, content: body.content, by_tool: false };
    let merged = state.house.ask(&caller, request).await?;
    Ok(Json(MergedRows {
        merged_trace_id: merged.id.as_str().to_owned(),
        sources_deleted: merged.sources,
        run_id: merged.run.as_str().to_owned(),
    }))
}
