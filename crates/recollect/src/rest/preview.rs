//! `POST /api/memory/retrieve-preview`: what a question would retrieve, under a budget, and which way.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::extract::Body;
use super::schema::StrategyWord;
use crate::app::AppState;
use crate::compat::api_key_id;
use crate::ops::Caller;
use crate::ops::preview::{Preview, Previewed};
use crate::problem::Problem;
use crate::request::values::{NamedScope, PreviewRows, PreviewTokens};

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::default().routes(routes!(preview))
}

/// A question to try.
#[derive(Debug, Deserialize, ToSchema)]
pub struct PreviewBody {
    #[schema(min_length = 1, pattern = r"\S")]
    query: String,
    strategy: Option<StrategyWord>,
    /// The setting `memoryBudgetTokens` unless said.
    max_tokens: Option<PreviewTokens>,
    /// The setting `recallTopK` unless said.
    limit: Option<PreviewRows>,
    #[serde(default)]
    whose: NamedScope,
    /// Only of the user for whom this key speaks: one of the caller's own keys.
    api_key_id: Option<String>,
}

/// What a question would retrieve
///
/// Nothing counts as used.
#[utoipa::path(post, path = "/api/memory/retrieve-preview", tag = "recall", operation_id = "retrievePreview",
    request_body = PreviewBody, responses((status = 200, description = "Best first", body = Previewed)))]
async fn preview(
    State(state): State<AppState>,
    caller: Caller,
    Body(body): Body<PreviewBody>,
) -> Result<Json<Previewed>, Problem> {
    let mut user = body.whose.user();
    api_key_id::narrow(&state.house, &caller, body.api_key_id.as_deref(), &mut user).await?;
    let request = Preview {
        strategy: body.strategy.map(|word| word.0),
        max_tokens: body.max_tokens.map(|tokens| tokens.0),
        limit: body.limit.map(|rows| rows.0),
        agent: body.whose.agent(),
        user,
        session: body.whose.session(),
        query: body.query,
    };
    state.house.ask(&caller, request).await.map(Json)
}
