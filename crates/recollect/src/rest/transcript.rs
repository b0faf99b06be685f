//! `GET /api/memory/transcript`: what was said, word for word.

use axum::Json;
use axum::extract::State;
use memory::types::{Role, Time, Turn};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::asked::{Asked, wrong};
use super::page::Page;
use super::schema::{Moment, MomentOrDay, RoleWord};
use crate::app::AppState;
use crate::ops::Caller;
use crate::ops::transcript::Transcript;
use crate::problem::Problem;

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
    #[schema(value_type = Moment)]
    at: Time,
    /// Cut off before it was complete.
    partial: bool,
}

/// In which order turns come where no words rank them.
#[derive(ToSchema)]
#[schema(rename_all = "snake_case")]
pub enum TurnOrder {
    Newest,
    Oldest,
}

/// What was said, word for word
///
/// Newest first, or as `order` says; with `q` only what has those words, best first.
#[utoipa::path(get, path = "/api/memory/transcript", tag = "conversations", operation_id = "transcript", params(
    ("q" = Option<String>, Query, description = "Only what has one of these words, best first"),
    ("sessionId" = Option<String>, Query, description = "Only of this conversation"),
    ("agentId" = Option<String>, Query, description = "Only of this agent"),
    ("userId" = Option<String>, Query, description = "Only of this user"),
    ("role" = Option<RoleWord>, Query, description = "Only what this one said"),
    ("since" = Option<MomentOrDay>, Query, description = "Only what was said then or later"),
    ("until" = Option<MomentOrDay>, Query, description = "Only what was said earlier"),
    ("order" = inline(Option<TurnOrder>), Query, description = "`newest` first or `oldest` first"),
    ("limit" = Option<usize>, Query, description = "Rows of a page", minimum = 1, maximum = 200),
    ("page" = Option<usize>, Query, description = "Which page, from 1", minimum = 1, maximum = 1000000000),
    ("offset" = Option<usize>, Query, description = "Rows to pass over, instead of `page`", maximum = 1000000000),
), responses((status = 200, description = "A page", body = Page<TurnRow>)))]
async fn list(
    State(state): State<AppState>,
    caller: Caller,
    asked: Asked,
) -> Result<Json<Page<TurnRow>>, Problem> {
    let pages = asked.pages()?;
    let request = Transcript {
        agent: asked.parsed("agentId")?,
        user: asked.parsed("userId")?,
        session: asked.parsed("sessionId")?,
        role: asked.parsed::<Role>("role")?,
        since: asked.parsed("since")?,
        until: asked.parsed("until")?,
        matching: asked.text("q").map(str::to_owned),
        limit: Some(pages.limit),
        offset: pages.offset,
        oldest_first: oldest_first(&asked)?,
    };
    let listed = super::ask(&state, &caller, request).await?;
    let rows = listed.turns.into_iter().map(TurnRow::from).collect();
    Ok(Json(Page::new(pages, listed.total, rows)))
}

fn oldest_first(asked: &Asked) -> Result<bool, Problem> {
    match asked.text("order") {
        None | Some("newest") => Ok(false),
        Some("oldest") => Ok(true),
        Some(_) => Err(wrong("order", "expected newest or oldest")),
    }
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
