//! How the engines behind search are: words, meaning, and what is not configured; and whether the whole works.
//!
//! The health check goes the way of a real write and a real search, in a transaction that is taken back.

use std::time::Instant;

use memory::ports::ReadStore;
use memory::text::query;
use memory::types::{
    AgentId, Filter, Kind, Memory, Origin, Owner, RunState, Scope, SessionId, Time, UserId, Viewer,
};
use serde::{Deserialize, Serialize};

use super::{OpContext, Services, reindex};
use crate::limits;
use crate::problem::Problem;
use crate::schema::MomentSchema;

/// How the engines are.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Engine {}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EngineStatus {
    pub keyword: KeywordStatus,
    pub embedding: EmbeddingStatus,
    pub vector_store: VectorStatus,
    pub qdrant: Configured,
    pub rerank: Configured,
    /// Something has no vector of the current model yet.
    pub needs_reindex: bool,
    /// Numbers of a vector, where there is an embedding model.
    #[schema(required)]
    pub active_dim: Option<usize>,
    /// Which space the vectors live in: `source:model:dimensions`.
    #[schema(required)]
    pub signature: Option<String>,
    /// How many vectors are still to be made, while they are being made.
    #[schema(required)]
    pub reindex_left: Option<u64>,
    /// When all vectors were last made anew.
    #[schema(required, value_type = Option<MomentSchema>)]
    pub last_reset_at: Option<Time>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct KeywordStatus {
    pub available: bool,
    /// `fts5`.
    pub engine: String,
    /// Languages whose word forms are known.
    pub languages: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EmbeddingStatus {
    pub available: bool,
    #[schema(required)]
    pub source: Option<String>,
    #[schema(required)]
    pub model: Option<String>,
    #[schema(required)]
    pub dimensions: Option<usize>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct VectorStatus {
    pub available: bool,
    /// `embedded`: in the database and in memory.
    pub backend: String,
    pub vectors: u64,
    /// Rows that wait for one.
    pub pending: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct Configured {
    pub configured: bool,
    pub available: bool,
}

/// The model that embeds, by the parts of its signature.
pub struct EmbeddingModel {
    pub signature: String,
    pub source: String,
    pub model: String,
    pub dimensions: usize,
}

pub fn embedding_model(house: &Services) -> Option<EmbeddingModel> {
    let embedder = house.embedder.as_ref()?;
    let signature = embedder.signature().to_owned();
    let mut parts = signature.split(':');
    let mut part = || parts.next().unwrap_or_default().to_owned();
    let (source, model) = (part(), part());
    Some(EmbeddingModel { source, model, dimensions: embedder.dimensions(), signature })
}

pub(super) async fn status(visit: &OpContext<'_>, _: Engine) -> Result<EngineStatus, Problem> {
    let model = embedding_model(visit.house);
    let pending = visit.tenant.missing_vectors().await?.unwrap_or(0);
    let runs = visit.tenant.runs(limits::RUNS_SEARCHED).await?;
    let reset = runs.iter().find(|run| run.job == reindex::JOB && run.state == RunState::Done);
    let unconfigured = Configured { configured: false, available: false };
    let languages = visit.tenant.analyser().languages().iter().map(ToString::to_string).collect();
    Ok(EngineStatus {
        keyword: KeywordStatus { available: true, engine: "fts5".to_owned(), languages },
        vector_store: VectorStatus {
            available: model.is_some(),
            backend: "embedded".to_owned(),
            vectors: visit.tenant.census().await?.vectors,
            pending,
        },
        qdrant: unconfigured.clone(),
        rerank: unconfigured,
        needs_reindex: pending > 0,
        active_dim: model.as_ref().map(|model| model.dimensions),
        signature: model.as_ref().map(|model| model.signature.clone()),
        reindex_left: reindex::left(visit, pending, &runs).await?,
        last_reset_at: reset.and_then(|run| run.finished_at),
        embedding: EmbeddingStatus {
            available: model.is_some(),
            dimensions: model.as_ref().map(|model| model.dimensions),
            source: model.as_ref().map(|model| model.source.clone()),
            model: model.map(|model| model.model),
        },
    })
}

/// Whether a write can be found.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Health {}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Healthy {
    pub working: bool,
    pub latency_ms: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

pub(super) async fn health(visit: &OpContext<'_>, _: Health) -> Result<Healthy, Problem> {
    let start = Instant::now();
    let tried = tokio::time::timeout(limits::HEALTH_WITHIN, round_trip(visit)).await;
    let latency_ms = start.elapsed().as_secs_f64() * 1000.0;
    let error = match tried {
        Ok(Ok(true)) => None,
        Ok(Ok(false)) => Some("what was written was not found".to_owned()),
        Ok(Err(problem)) => Some(problem.message),
        Err(_) => Some(format!("no answer within {} s", limits::HEALTH_WITHIN.as_secs())),
    };
    Ok(Healthy { working: error.is_none(), latency_ms, error })
}

/// A word that stands nowhere else, written and looked for as the one who wrote it.
async fn round_trip(visit: &OpContext<'_>) -> Result<bool, Problem> {
    let word = format!("probe{}", visit.house.clock.uuid().simple());
    let session: SessionId = word.parse().map_err(Problem::ours)?;
    let owner = Owner { agent: AgentId::unnamed(), user: UserId::unnamed() };
    let (id, tenant) = (visit.memory_id(), visit.tenant.id().clone());
    let memory = Memory {
        scope: Scope::Thread,
        session: Some(session.clone()),
        origin: Origin::Tool,
        ..Memory::new(id, tenant, &owner, Kind::Fact, format!("the health check wrote {word}"), visit.now)
    };
    let filter = Filter { viewer: Some(Viewer::new(owner, Some(session))), ..Filter::current(visit.now) };
    let query = query::parse(&word, visit.tenant.analyser());
    Ok(visit.tenant.rehearse(memory, query, filter).await?)
}
