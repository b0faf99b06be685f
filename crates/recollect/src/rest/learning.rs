//! `POST /api/memory/sessions/{id}/end` and `POST /api/memory/sync`: learn now instead of when it is due.

use axum::Json;
use axum::extract::State;
use memory::types::SessionId;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::asked::Named;
use super::body::AnyBody;
use super::schema::GivenId;
use crate::app::AppState;
use crate::ops::Caller;
use crate::ops::pending::{Sync, Synced};
use crate::ops::sessions::{Passed, SessionEnd, Which};
use crate::problem::Problem;

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::default().routes(routes!(end)).routes(routes!(sync))
}

/// Whose conversation, where two owners use the name.
#[derive(ToSchema)]
pub struct OwnerBody {
    #[schema(value_type = Option<GivenId>)]
    pub agent_id: Option<String>,
    #[schema(value_type = Option<GivenId>)]
    pub user_id: Option<String>,
}

/// A conversation is over: learn from it what there is to learn
#[utoipa::path(post, path = "/api/memory/sessions/{id}/end", tag = "conversations", operation_id = "endSession",
    params(("id" = String, Path, description = "The conversation's name")), request_body = Option<OwnerBody>,
    responses((status = 200, description = "What it came to", body = Passed)))]
async fn end(
    State(state): State<AppState>,
    caller: Caller,
    name: Named,
    body: AnyBody,
) -> Result<Json<Passed>, Problem> {
    let body = body.fields();
    let session: SessionId = name.of("session")?;
    let which = Which { session, agent: body.id("agent_id")?, user: body.id("user_id")? };
    super::ask(&state, &caller, SessionEnd { which }).await.map(Json)
}

/// Learn now from everything that waits
#[utoipa::path(post, path = "/api/memory/sync", tag = "conversations", operation_id = "sync",
    responses((status = 200, description = "What each conversation came to", body = Synced)))]
async fn sync(State(state): State<AppState>, caller: Caller) -> Result<Json<Synced>, Problem> {
    super::ask(&state, &caller, Sync {}).await.map(Json)
}
