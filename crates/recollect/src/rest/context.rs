//! `POST /api/memory/context`: agent, user and session are the viewer here.

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::extract::Body;
use crate::app::AppState;
use crate::ops::Caller;
use crate::ops::context::{ContextOperation, Contextual};
use crate::ops::zones;
use crate::problem::Problem;
use crate::proxy::identity_headers;
use crate::request::values::{GivenProject, MomentOrDay, NamedScope};

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::default().routes(routes!(context))
}

/// A message, and who says it.
#[derive(Debug, Deserialize, ToSchema)]
pub struct ContextBody {
    #[schema(min_length = 1, pattern = r"\S")]
    message: String,
    #[serde(default)]
    whose: NamedScope,
    /// Where the user is, for "tomorrow" and the like: a name such as `Europe/Lisbon`.
    time_zone: Option<String>,
    /// What the user works on.
    project_id: Option<GivenProject>,
    /// What was true then.
    as_of: Option<MomentOrDay>,
    /// Say why each line is told, and how sure that is.
    #[serde(default)]
    explain: bool,
    /// Whether what is told for the message counts as used, which keeps it from fading: true unless said. Say false where a person only looks.
    counts_use: Option<bool>,
}

/// What a message would get to know
///
/// Memories that help with the message count as used unless `counts_use` is false or the key may only read; who the user is and
/// overrides never do, nor do rules in the default mode. Agent, user and session are who looks, not filters.
#[utoipa::path(post, path = super::CONTEXT, tag = "recall", operation_id = "context",
    request_body(content = ContextBody, example = json!({ "message": "Where do I live?" })),
    responses((status = 200, description = "The gate's word and the block", body = Contextual)))]
async fn context(
    State(state): State<AppState>,
    caller: Caller,
    headers: HeaderMap,
    Body(body): Body<ContextBody>,
) -> Result<Json<Contextual>, Problem> {
    let (agent, user, session) = (body.whose.agent(), body.whose.user(), body.whose.session());
    let zone = match body.time_zone {
        Some(zone) => Some(zones::checked("time_zone", &zone)?.to_owned()),
        None => identity_headers::time_zone(&headers)?,
    };
    if let Some(zone) = zone {
        // Where it cannot be kept, the answer is not worse than without it.
        if let Err(problem) = state.house.told_zone(&caller, user.clone(), zone).await {
            tracing::debug!(%problem, "the time zone that a client told is not kept");
        }
    }
    let project = body.project_id.map(|project| project.0);
    let (as_of, explain) = (body.as_of.map(|moment| moment.0), body.explain);
    let (message, counts_use) = (body.message, body.counts_use.unwrap_or(true));
    let request = ContextOperation { message, agent, user, session, project, as_of, explain, counts_use };
    state.house.ask(&caller, request).await.map(Json)
}
