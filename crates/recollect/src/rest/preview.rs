//! `POST /api/memory/retrieve-preview`: what a question would retrieve, under a budget, and which way.

use axum::Json;
use axum::extract::State;
use memory::recall::Strategy;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::body::{Body, Fields};
use super::owner::must_own;
use super::schema::{GivenId, StrategyWord};
use crate::app::AppState;
use crate::limits;
use crate::ops::Caller;
use crate::ops::preview::{Preview, Previewed};
use crate::problem::Problem;

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::default().routes(routes!(preview))
}

/// A question to try.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct PreviewBody {
    #[schema(min_length = 1, pattern = r"\S")]
    pub query: String,
    #[schema(value_type = Option<StrategyWord>)]
    pub strategy: Option<String>,
    /// The setting `memoryBudgetTokens` unless said.
    #[schema(minimum = 1, maximum = 16000)]
    pub max_tokens: Option<usize>,
    /// The setting `recallTopK` unless said.
    #[schema(minimum = 1, maximum = 100)]
    pub limit: Option<usize>,
    #[schema(value_type = Option<GivenId>)]
    pub agent_id: Option<String>,
    #[schema(value_type = Option<GivenId>)]
    pub user_id: Option<String>,
    #[schema(value_type = Option<GivenId>)]
    pub session_id: Option<String>,
    /// One of the caller's own keys, or none.
    pub api_key_id: Option<String>,
}

/// What a question would retrieve
///
/// Nothing counts as used.
#[utoipa::path(post, path = "/api/memory/retrieve-preview", tag = "recall", operation_id = "retrievePreview",
    request_body = PreviewBody, responses((status = 200, description = "Best first", body = Previewed)))]
async fn preview(
    State(state): State<AppState>,
    caller: Caller,
    body: Body,
) -> Result<Json<Previewed>, Problem> {
    let body = body.fields();
    let request = Preview {
        query: body.required("query")?.to_owned(),
        strategy: body.parsed::<Strategy>("strategy")?,
        max_tokens: bounded(&body, "maxTokens", limits::PREVIEW_TOKENS)?,
        limit: bounded(&body, "limit", limits::PREVIEW_ROWS)?,
        agent: body.id("agentId")?,
        user: body.id("userId")?,
        session: body.id("sessionId")?,
    };
    must_own(&state, &caller, body.text("apiKeyId")?).await?;
    super::ask(&state, &caller, request).await.map(Json)
}

fn bounded(body: &Fields<'_>, name: &str, most: usize) -> Result<Option<usize>, Problem> {
    match body.whole(name)? {
        Some(number) if !(1..=most).contains(&number) => {
            Err(body.wrong(name, format!("it is {number}; expected from 1 to {most}")))
        }
        number => Ok(number),
    }
}
