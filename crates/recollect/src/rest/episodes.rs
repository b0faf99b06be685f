//! `/api/memory/episodes`: what conversations came to.

use axum::Json;
use axum::extract::State;
use memory::types::{Episode, Time};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::extract::{NoBody, PathId, QueryParams};
use super::page::{PageBody, Removed};
use super::schema::{MomentSchema, OriginWord, StatusWord};
use crate::app::AppState;
use crate::ops::Caller;
use crate::ops::episodes::{EpisodeRemove, EpisodesList};
use crate::problem::Problem;
use crate::request::values::{GivenAgent, GivenUser, MomentOrDay, NamedScope, Pages};

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::default().routes(routes!(list)).routes(routes!(delete))
}

/// The digest of a conversation.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Episode)]
pub struct EpisodeRow {
    id: String,
    session_id: String,
    agent_id: String,
    user_id: String,
    summary: String,
    topics: Vec<String>,
    decisions: Vec<String>,
    key_dates: Vec<String>,
    action_items: Vec<String>,
    #[schema(minimum = 0, maximum = 1)]
    salience: f32,
    #[schema(value_type = OriginWord)]
    origin: &'static str,
    #[schema(value_type = StatusWord)]
    status: &'static str,
    #[schema(minimum = 1)]
    version: u64,
    /// When the conversation took place, from its first to its last turn.
    #[schema(value_type = MomentSchema)]
    started_at: Time,
    #[schema(value_type = MomentSchema)]
    ended_at: Time,
    #[schema(value_type = MomentSchema)]
    created_at: Time,
    #[schema(value_type = MomentSchema)]
    updated_at: Time,
}

/// Which digests.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub struct EpisodesQuery {
    #[serde(default)]
    whose: NamedScope,
    /// Only of conversations that ended then or later.
    since: Option<MomentOrDay>,
    /// Only of conversations that ended earlier.
    until: Option<MomentOrDay>,
    #[serde(default)]
    pages: Pages,
}

/// Whose digest.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub struct EpisodeQuery {
    /// Only if it is this agent's.
    agent_id: Option<GivenAgent>,
    /// Only if it is this user's.
    user_id: Option<GivenUser>,
}

/// Page through digests of conversations, the latest first
#[utoipa::path(get, path = "/api/memory/episodes", tag = "conversations", operation_id = "listEpisodes",
    params(QueryParams<EpisodesQuery>), responses((status = 200, description = "A page", body = PageBody<EpisodeRow>)))]
async fn list(
    State(state): State<AppState>,
    caller: Caller,
    QueryParams(asked): QueryParams<EpisodesQuery>,
) -> Result<Json<PageBody<EpisodeRow>>, Problem> {
    let pages = asked.pages;
    let request = EpisodesList {
        agent: asked.whose.agent(),
        user: asked.whose.user(),
        session: asked.whose.session(),
        since: asked.since.map(Time::from),
        until: asked.until.map(Time::from),
        limit: Some(pages.limit()),
        offset: pages.offset(),
    };
    let listed = state.house.ask(&caller, request).await?;
    let rows = listed.episodes.into_iter().map(EpisodeRow::from).collect();
    Ok(Json(PageBody::new(pages, listed.total, rows)))
}

/// Forget a digest
///
/// The conversation and what was learned from it stay. `deleted` is false the second time, and for what is no digest
/// of the caller's.
#[utoipa::path(delete, path = "/api/memory/episodes/{id}", tag = "conversations", operation_id = "deleteEpisode",
    params(("id" = String, Path, description = "`ep_…`"), QueryParams<EpisodeQuery>),
    responses((status = 200, description = "Whether there was such a digest", body = Removed)))]
async fn delete(
    State(state): State<AppState>,
    caller: Caller,
    name: PathId,
    QueryParams(asked): QueryParams<EpisodeQuery>,
    _: NoBody,
) -> Result<Json<Removed>, Problem> {
    let (agent, user) = (asked.agent_id.map(|agent| agent.0), asked.user_id.map(|user| user.0));
    let request = EpisodeRemove { id: name.0, agent, user };
    let removed = state.house.ask(&caller, request).await?;
    Ok(Json(Removed { deleted: removed.deleted }))
}

impl From<Episode> for EpisodeRow {
    fn from(episode: Episode) -> Self {
        Self {
            id: episode.id.as_str().to_owned(),
            session_id: episode.session.session.as_str().to_owned(),
            agent_id: episode.session.agent.as_str().to_owned(),
            user_id: episode.session.user.as_str().to_owned(),
            summary: episode.summary,
            topics: episode.topics,
            decisions: episode.decisions,
            key_dates: episode.key_dates,
            action_items: episode.action_items,
            salience: episode.salience,
            origin: episode.origin.as_str(),
            status: episode.status.as_str(),
            version: episode.version,
            started_at: episode.started_at,
            ended_at: episode.ended_at,
            created_at: episode.created_at,
            updated_at: episode.updated_at,
        }
    }
}
