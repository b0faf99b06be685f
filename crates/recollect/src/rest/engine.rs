//! `GET /api/memory/engine-status`, `/embedding-providers`, `/health`, `/stats` and `POST /api/memory/reindex`: how the
//! memory is.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::extract::{AnyBody, Bare};
use crate::app::AppState;
use crate::ops::Caller;
use crate::ops::engine::{Engine, EngineStatus, Health, Healthy};
use crate::ops::reindex::{Reindex, Reindexing};
use crate::ops::stats::Stats;
use crate::ops::tally::{Tally, TallyReport};
use crate::problem::Problem;

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::default()
        .routes(routes!(status))
        .routes(routes!(providers))
        .routes(routes!(reindex))
        .routes(routes!(health))
        .routes(routes!(stats))
}

/// How the engines behind search are
#[utoipa::path(get, path = "/api/memory/engine-status", tag = "engine", operation_id = "engineStatus",
    responses((status = 200, description = "Each engine", body = EngineStatus)))]
async fn status(
    State(state): State<AppState>,
    caller: Caller,
    _: Bare,
) -> Result<Json<EngineStatus>, Problem> {
    state.house.ask(&caller, Engine {}).await.map(Json)
}

#[derive(Debug, Serialize, ToSchema)]
pub struct Providers {
    providers: Vec<Provider>,
}

/// A source of vectors.
#[derive(Debug, Serialize, ToSchema)]
pub struct Provider {
    id: String,
    name: String,
    /// Whether it is the one in use.
    active: bool,
    models: Vec<ProviderModel>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ProviderModel {
    id: String,
    dimensions: usize,
}

/// Which sources of vectors there are
#[utoipa::path(get, path = "/api/memory/embedding-providers", tag = "engine", operation_id = "embeddingProviders",
    responses((status = 200, description = "Those that are configured", body = Providers)))]
async fn providers(
    State(state): State<AppState>,
    caller: Caller,
    _: Bare,
) -> Result<Json<Providers>, Problem> {
    let status = state.house.ask(&caller, Engine {}).await?.embedding;
    let provider = |(source, (model, dimensions)): (String, (String, usize))| Provider {
        name: if source == "static" { "Built in".to_owned() } else { source.clone() },
        id: source,
        active: true,
        models: vec![ProviderModel { id: model, dimensions }],
    };
    let known = status.source.zip(status.model.zip(status.dimensions));
    Ok(Json(Providers { providers: known.map(provider).into_iter().collect() }))
}

/// Whether to do everything anew.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub struct ReindexBody {
    #[serde(default)]
    force: bool,
}

/// Make the vectors that are missing, or all of them anew
///
/// In the background; search goes on meanwhile with what is there.
#[utoipa::path(post, path = "/api/memory/reindex", tag = "engine", operation_id = "reindex",
    request_body = Option<ReindexBody>,
    responses((status = 200, description = "Whether it began, and how much there is to do", body = Reindexing)))]
async fn reindex(
    State(state): State<AppState>,
    caller: Caller,
    AnyBody(body): AnyBody<ReindexBody>,
) -> Result<Json<Reindexing>, Problem> {
    state.house.ask(&caller, Reindex { force: body.force }).await.map(Json)
}

/// Whether what is written can be found
///
/// A real write and a real search for it, taken back before anybody sees it.
#[utoipa::path(get, path = "/api/memory/health", tag = "engine", operation_id = "memoryHealth",
    responses((status = 200, description = "How it went", body = Healthy)))]
async fn health(State(state): State<AppState>, caller: Caller, _: Bare) -> Result<Json<Healthy>, Problem> {
    state.house.ask(&caller, Health {}).await.map(Json)
}

/// How much there is of everything.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StatsAnswer {
    #[serde(flatten)]
    tallied: TallyReport,
    /// Whether memory works by itself.
    enabled: bool,
    by_status: BTreeMap<String, u64>,
    by_kind: BTreeMap<String, u64>,
    turns: u64,
    sessions: u64,
    episodes: u64,
    entities: u64,
    relations: u64,
    links: u64,
    held: u64,
    pending: u64,
    dead_letters: u64,
    vectors: u64,
    bytes_on_disk: u64,
}

/// How much there is of everything, and how often asking found something
#[utoipa::path(get, path = "/api/memory/stats", tag = "engine", operation_id = "memoryStats",
    responses((status = 200, description = "The numbers", body = StatsAnswer)))]
async fn stats(State(state): State<AppState>, caller: Caller, _: Bare) -> Result<Json<StatsAnswer>, Problem> {
    let counted = state.house.ask(&caller, Stats {}).await?;
    let tallied = state.house.ask(&caller, Tally::default()).await?;
    let census = counted.census;
    Ok(Json(StatsAnswer {
        tallied,
        enabled: counted.enabled,
        by_status: census.memories,
        by_kind: census.memories_by_kind,
        turns: census.turns,
        sessions: census.sessions,
        episodes: census.episodes,
        entities: census.entities,
        relations: census.relations,
        links: census.links,
        held: census.held,
        pending: census.pending,
        dead_letters: census.dead_letters,
        vectors: census.vectors,
        bytes_on_disk: census.bytes_on_disk,
    }))
}
