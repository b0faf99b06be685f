//! `POST /api/memory/sessions/{id}/end` and `POST /api/memory/sync`: learn now instead of when it is due.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::extract::{AnyBody, PathId};
use super::sessions::which;
use crate::app::AppState;
use crate::ops::Caller;
use crate::ops::pending::{Sync, Synced};
use crate::ops::sessions::{Passed, SessionEnd};
use crate::problem::Problem;
use crate::request::values::NamedOwner;

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::default().routes(routes!(end)).routes(routes!(sync))
}

/// Whose conversation, where two owners use the name.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub struct OwnerBody {
    #[serde(default)]
    whose: NamedOwner,
}

/// A conversation is over: learn from it what there is to learn
#[utoipa::path(post, path = "/api/memory/sessions/{id}/end", tag = "conversations", operation_id = "endSession",
    params(("id" = String, Path, description = "The conversation's name")), request_body = Option<OwnerBody>,
    responses((status = 200, description = "What it came to", body = Passed)))]
async fn end(
    State(state): State<AppState>,
    caller: Caller,
    name: PathId,
    AnyBody(body): AnyBody<OwnerBody>,
) -> Result<Json<Passed>, Problem> {
    let which = which(&name, &body.whose)?;
    state.house.ask(&caller, SessionEnd { which }).await.map(Json)
}

#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct SyncBody {
    /// How many conversations that were learned before a model was chosen it shall read again, the latest of them. None unless
    /// asked for: they cost a call each.
    reread: usize,
}

/// Learn now from everything that waits
#[utoipa::path(post, path = "/api/memory/sync", tag = "conversations", operation_id = "sync",
    request_body = Option<SyncBody>,
    responses((status = 200, description = "What each conversation came to", body = Synced)))]
async fn sync(
    State(state): State<AppState>,
    caller: Caller,
    AnyBody(body): AnyBody<SyncBody>,
) -> Result<Json<Synced>, Problem> {
    state.house.ask(&caller, Sync { reread: body.reread }).await.map(Json)
}
