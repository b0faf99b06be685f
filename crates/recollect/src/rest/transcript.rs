//! `GET /api/memory/transcript`: what was said, word for word.

use axum::Json;
use axum::extract::State;
use memory::types::{Time, Turn};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::extract::QueryParams;
use super::page::PageBody;
use super::schema::{MomentSchema, RoleWord};
use crate::app::AppState;
use crate::ops::Caller;
use crate::ops::transcript::Transcript;
use crate::problem::Problem;
use crate::request::values::{MomentOrDay, NamedScope, Pages};

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::default().routes(routes!(list))
}

/// One message of a conversation.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Turn)]
pub struct TurnRow {
    id: String,
    session_id: String,
    agent_id: String,
    user_id: String,
    /// Its place in the conversation, from 0.
    index: u64,
    #[schema(value_type = RoleWord)]
    role: &'static str,
    #[schema(required)]
    speaker: Option<String>,
    text: String,
    tokens: u32,
    #[schema(value_type = MomentSchema)]
    at: Time,
    /// Cut off before it was complete.
    partial: bool,
}

/// In which order turns come where no words rank them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TurnOrder {
    #[default]
    Newest,
    Oldest,
}

/// Which turns.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub struct TranscriptQuery {
    /// Only what has one of these words, best first.
    q: Option<String>,
    #[serde(default)]
    whose: NamedScope,
    /// Only what this one said.
    role: Option<RoleWord>,
    /// Only what was said then or later.
    since: Option<MomentOrDay>,
    /// Only what was said earlier.
    until: Option<MomentOrDay>,
    /// `newest` first or `oldest` first.
    #[serde(default)]
    order: TurnOrder,
    #[serde(default)]
    pages: Pages,
}

/// What was said, word for word
///
/// Newest first, or as `order` says; with `q` only what has those words, best first.
#[utoipa::path(get, path = "/api/memory/transcript", tag = "conversations", operation_id = "transcript",
    params(QueryParams<TranscriptQuery>), responses((status = 200, description = "A page", body = PageBody<TurnRow>)))]
async fn list(
    State(state): State<AppState>,
    caller: Caller,
    QueryParams(asked): QueryParams<TranscriptQuery>,
) -> Result<Json<PageBody<TurnRow>>, Problem> {
    let pages = asked.pages;
    let request = Transcript {
        agent: asked.whose.agent(),
        user: asked.whose.user(),
        session: asked.whose.session(),
        role: asked.role.map(|word| word.0),
        since: asked.since.map(Time::from),
        until: asked.until.map(Time::from),
        matching: asked.q,
        limit: Some(pages.limit()),
        offset: pages.offset(),
        oldest_first: asked.order == TurnOrder::Oldest,
    };
    let listed = state.house.ask(&caller, request).await?;
    let rows = listed.turns.into_iter().map(TurnRow::from).collect();
    Ok(Json(PageBody::new(pages, listed.total, rows)))
}

impl From<Turn> for TurnRow {
    fn from(turn: Turn) -> Self {
        Self {
            id: turn.id.as_str().to_owned(),
            session_id: turn.session.session.as_str().to_owned(),
            agent_id: turn.session.agent.as_str().to_owned(),
            user_id: turn.session.user.as_str().to_owned(),
            index: turn.index,
            role: turn.role.as_str(),
            speaker: turn.speaker,
            text: turn.text,
            tokens: turn.tokens,
            at: turn.at,
            partial: turn.partial,
        }
    }
}
