//! `POST /api/memory/context`: agent, user and session are the viewer here.

use axum::Json;
use axum::extract::State;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::body::Body;
use super::schema::GivenId;
use crate::app::AppState;
use crate::ops::Caller;
use crate::ops::context::{Context, Contextual};
use crate::problem::Problem;

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::default().routes(routes!(context))
}

/// A message, and who says it.
#[derive(ToSchema)]
pub struct ContextBody {
    #[schema(min_length = 1, pattern = r"\S")]
    pub message: String,
    #[schema(value_type = Option<GivenId>)]
    pub agent_id: Option<String>,
    #[schema(value_type = Option<GivenId>)]
    pub user_id: Option<String>,
    #[schema(value_type = Option<GivenId>)]
    pub session_id: Option<String>,
}

/// What a message would get to know
///
/// A preview: nothing counts as used. Agent, user and session are who looks, not filters.
#[utoipa::path(post, path = super::CONTEXT, tag = "recall", operation_id = "context", request_body = ContextBody,
    responses((status = 200, description = "The gate's word and the block", body = Contextual)))]
async fn context(
    State(state): State<AppState>,
    caller: Caller,
    body: Body,
) -> Result<Json<Contextual>, Problem> {
    let fields = body.fields();
    let request = Context {
        message: fields.required("message")?.to_owned(),
        agent: fields.id("agent_id")?,
        user: fields.id("user_id")?,
        session: fields.id("session_id")?,
    };
    super::ask(&state, &caller, request).await.map(Json)
}
