//! `POST /api/memory/forget` and `GET /api/memory/receipts`: everything of somebody, or everything that says something, so that
//! it can be undone or for good; and what was done for good.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use memory::types::MemoryId;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::asked::Asked;
use super::body::{Body, Fields};
use super::schema::{GivenId, MemoryName};
use crate::app::AppState;
use crate::ops::Caller;
use crate::ops::forget::{Forget, Forgotten};
use crate::ops::receipts::{ReceiptRow, Receipts, ReceiptsListed};
use crate::ops::select::Selection;
use crate::problem::{Problem, ProblemBody};

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::default().routes(routes!(forget)).routes(routes!(receipts))
}

/// What to forget: `ids`, or what says `match`, or everything of `agent`, `user` and `session`, or `all`.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct ForgetBody {
    #[schema(max_items = 10000, value_type = Option<Vec<MemoryName>>)]
    pub ids: Option<Vec<String>>,
    /// All of these words, or what the query's operators say.
    #[schema(min_length = 1, max_length = 4096, pattern = r"\S")]
    pub r#match: Option<String>,
    #[schema(value_type = Option<GivenId>)]
    pub agent: Option<String>,
    #[schema(value_type = Option<GivenId>)]
    pub user: Option<String>,
    #[schema(value_type = Option<GivenId>)]
    pub session: Option<String>,
    /// Yes, everything that the others let through.
    pub all: Option<bool>,
    /// For good, with everything that was made from it.
    pub purge: Option<bool>,
    /// Only count.
    pub dry_run: Option<bool>,
    /// Why, for the history of what is not purged.
    #[schema(max_length = 1024)]
    pub reason: Option<String>,
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
    /// Turns that were said and stay, because only a purge takes them away.
    turns_kept: u64,
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
/// Without `purge` memories and digests are marked deleted in one run that can be undone; what was said stays in the
/// conversations. With `purge` it is gone for good, with everything that was made from it, and the answer has a receipt.
#[utoipa::path(post, path = "/api/memory/forget", tag = "memories", operation_id = "forget", request_body = ForgetBody,
    responses((status = 200, description = "What it came to", body = ForgottenRows),
        (status = 404, description = "One of the ids is not there", body = ProblemBody)))]
async fn forget(
    State(state): State<AppState>,
    caller: Caller,
    body: Body,
) -> Result<Json<ForgottenRows>, Problem> {
    let request = request(&body.fields())?;
    let dry_run = !request.confirmed;
    let forgotten: Forgotten = super::ask(&state, &caller, request).await?;
    Ok(Json(ForgottenRows {
        success: true,
        dry_run,
        purged: forgotten.purged,
        count: forgotten.count,
        kinds: forgotten.kinds,
        rewritten: forgotten.rewritten,
        turns_kept: forgotten.turns_kept,
        more: forgotten.more,
        run_id: forgotten.run.map(|run| run.as_str().to_owned()),
        receipt: forgotten.receipt,
    }))
}

fn request(body: &Fields<'_>) -> Result<Forget, Problem> {
    let ids: Vec<MemoryId> = body.words("ids")?;
    let filter = Selection {
        agent: body.id("agent")?,
        user: body.id("user")?,
        session: body.id("session")?,
        ..Selection::default()
    };
    Ok(Forget {
        ids,
        matching: body.text("match")?.map(str::to_owned),
        filter,
        all: body.switch("all")?.unwrap_or(false),
        purge: body.switch("purge")?.unwrap_or(false),
        confirmed: !body.switch("dryRun")?.unwrap_or(false),
        reason: body.text("reason")?.map(str::to_owned),
        ..Forget::default()
    })
}

/// What purges said of themselves
///
/// Kinds and numbers, and a keyed hash of the ids, never what was there. The latest first.
#[utoipa::path(get, path = "/api/memory/receipts", tag = "memories", operation_id = "listReceipts",
    params(("limit" = Option<u32>, Query, minimum = 1, maximum = 1000, description = "How many; 20 unless said.")),
    responses((status = 200, description = "The receipts", body = ReceiptsListed)))]
async fn receipts(
    State(state): State<AppState>,
    caller: Caller,
    asked: Asked,
) -> Result<Json<ReceiptsListed>, Problem> {
    let request = Receipts { limit: asked.whole("limit")? };
    super::ask(&state, &caller, request).await.map(Json)
}
