//! `POST /api/memory/forget` and `GET /api/memory/receipts`: everything of somebody, or everything that says something, so that
//! it can be undone or for good; and what was done for good.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::extract::{Body, QueryParams};
use crate::app::AppState;
use crate::ops::Caller;
use crate::ops::forget::{Forget, Forgotten};
use crate::ops::receipts::{ReceiptRow, Receipts, ReceiptsListed};
use crate::problem::{Problem, ProblemBody};
use crate::request::values::{ListedRows, MemoryName, NamedScope};

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::default().routes(routes!(forget)).routes(routes!(receipts))
}

/// What to forget: `ids`, or what says `match`, or everything of an agent, a user and a session, or `all`.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub struct ForgetBody {
    #[schema(max_items = 10000)]
    #[serde(default)]
    ids: Vec<MemoryName>,
    /// All of these words, or what the query's operators say.
    #[schema(min_length = 1, max_length = 4096, pattern = r"\S")]
    r#match: Option<String>,
    #[serde(default)]
    whose: NamedScope,
    /// Yes, everything that the others let through.
    #[serde(default)]
    all: bool,
    /// For good, with everything that was made from it.
    #[serde(default)]
    purge: bool,
    /// Only count.
    #[serde(default)]
    dry_run: bool,
    /// Why, for the history of what is not purged.
    #[schema(max_length = 1024)]
    reason: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ForgottenRows {
    success: bool,
    dry_run: bool,
    purged: bool,
    /// How many memories.
    count: usize,
    /// How many of everything, by kind.
    kinds: BTreeMap<String, u64>,
    /// What stays and is written without it, by kind.
    rewritten: BTreeMap<String, u64>,
    /// What it did not reach.
    beyond: Vec<String>,
    /// More match than one call takes; repeat it.
    more: bool,
    /// What can be undone as a whole, unless it was a purge.
    #[schema(required)]
    run_id: Option<String>,
    #[schema(required, value_type = Option<ReceiptRow>)]
    receipt: Option<memory::types::Receipt>,
}

/// Forget everything of somebody, or everything that says something
///
/// Without `purge` memories and digests are marked deleted and what was said of it is hidden, in one run that can be undone until
/// upkeep prunes it. With `purge` it is gone for good, with everything that was made from it, and the answer has a receipt.
#[utoipa::path(post, path = "/api/memory/forget", tag = "memories", operation_id = "forget", request_body = ForgetBody,
    responses((status = 200, description = "What it came to", body = ForgottenRows),
        (status = 404, description = "One of the ids is not there", body = ProblemBody)))]
async fn forget(
    State(state): State<AppState>,
    caller: Caller,
    Body(body): Body<ForgetBody>,
) -> Result<Json<ForgottenRows>, Problem> {
    let dry_run = body.dry_run;
    let request = Forget {
        ids: body.ids.into_iter().map(|id| id.0).collect(),
        matching: body.r#match,
        filter: body.whose.selection(),
        all: body.all,
        purge: body.purge,
        confirmed: !dry_run,
        reason: body.reason,
        ..Forget::default()
    };
    let forgotten: Forgotten = state.house.ask(&caller, request).await?;
    Ok(Json(ForgottenRows {
        success: true,
        dry_run,
        purged: forgotten.purged,
        count: forgotten.count,
        kinds: forgotten.kinds,
        rewritten: forgotten.rewritten,
        beyond: forgotten.beyond,
        more: forgotten.more,
        run_id: forgotten.run.map(|run| run.as_str().to_owned()),
        receipt: forgotten.receipt,
    }))
}

/// How many of a short list.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub struct LatestQuery {
    /// How many; 20 unless said.
    pub limit: Option<ListedRows>,
}

/// What purges said of themselves
///
/// Kinds and numbers, and a keyed hash of the ids, never what was there. The latest first.
#[utoipa::path(get, path = "/api/memory/receipts", tag = "memories", operation_id = "listReceipts",
    params(QueryParams<LatestQuery>),
    responses((status = 200, description = "The receipts", body = ReceiptsListed)))]
async fn receipts(
    State(state): State<AppState>,
    caller: Caller,
    QueryParams(asked): QueryParams<LatestQuery>,
) -> Result<Json<ReceiptsListed>, Problem> {
    let request = Receipts { limit: asked.limit.map(|rows| rows.0) };
    state.house.ask(&caller, request).await.map(Json)
}
