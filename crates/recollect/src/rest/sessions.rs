//! `/api/memory/sessions`: conversations, each with what it came to.

use axum::Json;
use axum::extract::State;
use memory::types::{HeldCandidate, SessionId, Time};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::episodes::EpisodeRow;
use super::extract::{NoBody, PathId, QueryParams};
use super::page::{PageBody, Removed};
use super::schema::{KindWord, MomentSchema};
use super::transcript::TurnRow;
use crate::app::AppState;
use crate::ops::Caller;
use crate::ops::episodes::SessionRemove;
use crate::ops::sessions::{SessionLine, SessionShow, SessionsList, Which};
use crate::problem::{Code, Problem};
use crate::request::values::{NamedOwner, Pages};

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::default().routes(routes!(list)).routes(routes!(show, delete))
}

/// A conversation with what it came to.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Session)]
pub struct SessionRow {
    /// Its name, as its client calls it.
    id: String,
    agent_id: String,
    user_id: String,
    #[schema(required)]
    title: Option<String>,
    #[schema(value_type = MomentSchema)]
    started_at: Time,
    #[schema(value_type = MomentSchema)]
    last_turn_at: Time,
    #[schema(required, value_type = Option<MomentSchema>)]
    ended_at: Option<Time>,
    /// Turns that wait to be learned from.
    pending: usize,
    #[schema(required)]
    episode: Option<EpisodeRow>,
}

/// A conversation, word for word.
#[derive(Debug, Serialize, ToSchema)]
pub struct SessionWhole {
    #[serde(flatten)]
    session: SessionRow,
    /// In order, as many as one answer takes; `/api/memory/transcript` pages through all.
    turns: Vec<TurnRow>,
    /// What waits for the end of the conversation before it counts.
    held: Vec<HeldRow>,
}

/// Something that may become a memory.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Held)]
pub struct HeldRow {
    id: String,
    content: String,
    #[schema(value_type = KindWord)]
    kind: &'static str,
    /// What it waits for.
    verdict: &'static str,
    /// Why, for people.
    reason: String,
    #[schema(value_type = MomentSchema)]
    created_at: Time,
}

/// Whose conversations.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub struct SessionsQuery {
    #[serde(default)]
    whose: NamedOwner,
    #[serde(default)]
    pages: Pages,
}

/// Whose conversation, where two owners use the name.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub struct OwnerQuery {
    #[serde(default)]
    whose: NamedOwner,
}

/// Page through conversations, the latest first
#[utoipa::path(get, path = "/api/memory/sessions", tag = "conversations", operation_id = "listSessions",
    params(QueryParams<SessionsQuery>), responses((status = 200, description = "A page", body = PageBody<SessionRow>)))]
async fn list(
    State(state): State<AppState>,
    caller: Caller,
    QueryParams(asked): QueryParams<SessionsQuery>,
) -> Result<Json<PageBody<SessionRow>>, Problem> {
    let (pages, agent, user) = (asked.pages, asked.whose.agent(), asked.whose.user());
    let request = SessionsList { agent, user, limit: Some(pages.limit()), offset: pages.offset() };
    let listed = state.house.ask(&caller, request).await?;
    let rows = listed.sessions.into_iter().map(SessionRow::from).collect();
    Ok(Json(PageBody::new(pages, listed.total, rows)))
}

/// One conversation with what was said and what it came to
#[utoipa::path(get, path = "/api/memory/sessions/{id}", tag = "conversations", operation_id = "getSession",
    params(("id" = String, Path, description = "The conversation's name"), QueryParams<OwnerQuery>), responses((status = 200, description = "The conversation", body = SessionWhole)))]
async fn show(
    State(state): State<AppState>,
    caller: Caller,
    name: PathId,
    QueryParams(asked): QueryParams<OwnerQuery>,
) -> Result<Json<SessionWhole>, Problem> {
    let shown = state.house.ask(&caller, SessionShow { which: which(&name, &asked.whose)? }).await?;
    Ok(Json(SessionWhole {
        session: shown.line.into(),
        turns: shown.turns.into_iter().map(TurnRow::from).collect(),
        held: shown.held.into_iter().map(HeldRow::from).collect(),
    }))
}

/// Forget what a conversation came to
///
/// Its digest goes and does not come back by itself; what was said and what was learned stay. `deleted` is false the
/// second time, and for what is no conversation of the caller's.
#[utoipa::path(delete, path = "/api/memory/sessions/{id}", tag = "conversations", operation_id = "deleteSession",
    params(("id" = String, Path, description = "The conversation's name"), QueryParams<OwnerQuery>),
    responses((status = 200, description = "Whether there was a digest", body = Removed)))]
async fn delete(
    State(state): State<AppState>,
    caller: Caller,
    name: PathId,
    QueryParams(asked): QueryParams<OwnerQuery>,
    _: NoBody,
) -> Result<Json<Removed>, Problem> {
    match state.house.ask(&caller, SessionRemove { which: which(&name, &asked.whose)? }).await {
        Ok(removed) => Ok(Json(Removed { deleted: removed.deleted })),
        Err(problem) if problem.code == Code::NotFound => Ok(Json(Removed { deleted: false })),
        Err(problem) => Err(problem),
    }
}

pub(super) fn which(name: &PathId, whose: &NamedOwner) -> Result<Which, Problem> {
    let session: SessionId = name.of("session")?;
    Ok(Which { session, agent: whose.agent(), user: whose.user() })
}

impl From<SessionLine> for SessionRow {
    fn from(line: SessionLine) -> Self {
        let session = line.session;
        Self {
            id: session.key.session.as_str().to_owned(),
            agent_id: session.key.agent.as_str().to_owned(),
            user_id: session.key.user.as_str().to_owned(),
            title: session.title,
            started_at: session.started_at,
            last_turn_at: session.last_turn_at,
            ended_at: session.ended_at,
            pending: line.pending,
            episode: line.episode.map(EpisodeRow::from),
        }
    }
}

impl From<HeldCandidate> for HeldRow {
    fn from(held: HeldCandidate) -> Self {
        Self {
            id: held.id.as_str().to_owned(),
            content: held.memory.content,
            kind: held.memory.kind.as_str(),
            verdict: held.verdict.as_str(),
            reason: held.reason,
            created_at: held.created_at,
        }
    }
}
