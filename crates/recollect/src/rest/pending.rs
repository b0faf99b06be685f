//! `/api/memory/pending`: what waits to be learned from, and what failed too often.

use axum::Json;
use axum::extract::State;
use memory::types::{PendingTurn, RedoEntry, Time};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::extract::{Bare, QueryParams};
use super::page::PageBody;
use super::schema::MomentSchema;
use crate::app::AppState;
use crate::ops::Caller;
use crate::ops::pending::{PendingList, PendingRetry, Synced};
use crate::problem::Problem;
use crate::request::values::Pages;

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::default().routes(routes!(list)).routes(routes!(retry))
}

#[derive(Debug, Serialize, ToSchema)]
pub struct PendingPage {
    #[serde(flatten)]
    page: PageBody<WaitingTurn>,
    /// Conversations that were learned from without a model, and wait for one.
    redo: Vec<WaitingSessionRow>,
}

/// A turn that has not been learned from yet.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WaitingTurn {
    turn_id: String,
    #[serde(flatten)]
    waiting: WaitingSessionRow,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WaitingSessionRow {
    session_id: String,
    agent_id: String,
    user_id: String,
    #[schema(value_type = MomentSchema)]
    since: Time,
    /// Passes that failed so far.
    failures: u32,
    #[schema(required)]
    last_error: Option<String>,
    /// Failed too often: it waits for a person.
    dead: bool,
}

/// What of it.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub struct PendingQuery {
    /// Only what failed too often.
    #[serde(default)]
    dead: bool,
    #[serde(default)]
    pages: Pages,
}

/// What waits to be learned from, the longest waiting first
#[utoipa::path(get, path = "/api/memory/pending", tag = "conversations", operation_id = "listPending",
    params(QueryParams<PendingQuery>), responses((status = 200, description = "A page", body = PendingPage)))]
async fn list(
    State(state): State<AppState>,
    caller: Caller,
    QueryParams(asked): QueryParams<PendingQuery>,
) -> Result<Json<PendingPage>, Problem> {
    let listed = state.house.ask(&caller, PendingList { dead: asked.dead }).await?;
    let page = PageBody::of(asked.pages, listed.pending.into_iter().map(WaitingTurn::from).collect());
    Ok(Json(PendingPage { page, redo: listed.redo.into_iter().map(WaitingSessionRow::from).collect() }))
}

/// Try again what failed too often
#[utoipa::path(post, path = "/api/memory/pending/retry", tag = "conversations", operation_id = "retryPending",
    responses((status = 200, description = "What each conversation came to", body = Synced)))]
async fn retry(State(state): State<AppState>, caller: Caller, _: Bare) -> Result<Json<Synced>, Problem> {
    state.house.ask(&caller, PendingRetry {}).await.map(Json)
}

impl From<PendingTurn> for WaitingTurn {
    fn from(turn: PendingTurn) -> Self {
        let PendingTurn { turn, session, since, failures, last_error, dead } = turn;
        let waiting = RedoEntry { session, since, failures, last_error, dead };
        Self { turn_id: turn.as_str().to_owned(), waiting: waiting.into() }
    }
}

impl From<RedoEntry> for WaitingSessionRow {
    fn from(entry: RedoEntry) -> Self {
        Self {
            session_id: entry.session.session.as_str().to_owned(),
            agent_id: entry.session.agent.as_str().to_owned(),
            user_id: entry.session.user.as_str().to_owned(),
            since: entry.since,
            failures: entry.failures,
            last_error: entry.last_error,
            dead: entry.dead,
        }
    }
}
