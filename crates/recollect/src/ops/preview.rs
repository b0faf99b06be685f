//! What would be retrieved for a question under a budget of tokens, and which way it would be found.

use memory::recall::{Path, Strategy};
use memory::text::tokens;
use memory::types::{AgentId, Memory, SessionId, UserId};
use serde::{Deserialize, Serialize};

use super::explain::Scores;
use super::search::{self, Search, SearchHit, SearchPlace};
use super::select::Selection;
use super::{OpContext, engine};
use crate::problem::Problem;
use crate::schema::{LayerWord, StrategyWord};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Preview {
    pub query: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strategy: Option<Strategy>,
    /// The setting `memoryBudgetTokens` unless said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<AgentId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<UserId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<SessionId>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Previewed {
    pub memories: Vec<PreviewedMemory>,
    pub resolution: Resolution,
    pub total_tokens_used: usize,
    pub budget_max_tokens: usize,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PreviewedMemory {
    pub id: String,
    /// The layer.
    #[schema(value_type = LayerWord)]
    pub r#type: String,
    #[schema(required)]
    pub key: Option<String>,
    pub content: String,
    /// Comparable from question to question; more is better.
    pub score: f64,
    pub tokens: usize,
    /// Which engines speak for it.
    pub tier: Tier,
    /// How near it is in meaning; nothing where words alone found it.
    #[schema(required)]
    pub vec_score: Option<f64>,
    /// How well its words match; nothing where meaning alone found it.
    #[schema(required)]
    pub fts_score: Option<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    Hybrid,
    Vector,
    Fts,
    Recent,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Resolution {
    #[schema(required)]
    pub embedding_source: Option<String>,
    #[schema(required)]
    pub embedding_model: Option<String>,
    /// `embedded`, or `none` where there is no embedding model.
    pub vector_store: String,
    #[schema(value_type = StrategyWord)]
    pub strategy_used: String,
    pub rerank_applied: bool,
    /// Why less was done than asked for: `no_vectors`, `embedding_failed`, `no_indexed_word`, `nothing_stored`.
    #[schema(required)]
    pub fallback_reason: Option<String>,
}

pub(super) async fn preview(visit: &OpContext<'_>, request: Preview) -> Result<Previewed, Problem> {
    let settings = visit.tenant.settings().await?;
    let budget = request.max_tokens.unwrap_or(settings.memory_budget_tokens.max(0) as usize);
    let strategy = request.strategy.unwrap_or(settings.search_strategy);
    let filter = Selection {
        agent: request.agent,
        user: request.user,
        session: request.session,
        bounds: visit.caller.bounds(),
        ..Selection::default()
    };
    let asked = Search {
        query: request.query,
        place: SearchPlace::Pinned,
        top_k: request.limit,
        strategy: Some(strategy),
        filter,
        explain: true,
        with_records: true,
        ..Search::default()
    };
    let found = search::search(visit, asked).await?;
    let (mut shown, mut used) = (Vec::new(), 0);
    for hit in found.results {
        let weight = tokens::estimate(&hit.content);
        // Whole memories: one that does not fit leaves room for a shorter one.
        if let Some(memory) = hit.memory.clone().filter(|_| used + weight <= budget) {
            used += weight;
            shown.push(previewed(hit, &memory, weight, found.path));
        }
    }
    let resolution = resolution(visit, strategy, found.path);
    Ok(Previewed { memories: shown, resolution, total_tokens_used: used, budget_max_tokens: budget })
}

fn previewed(hit: SearchHit, memory: &Memory, tokens: usize, path: Path) -> PreviewedMemory {
    let scores = hit.scores.unwrap_or_default();
    let part =
        |scores: &Scores, name: &str| scores.get(name).map(|part| part.value).filter(|value| *value != 0.0);
    let (vec_score, fts_score) = (part(&scores, "dense"), part(&scores, "text"));
    let tier = match (path, vec_score, fts_score) {
        (Path::Recent, _, _) => Tier::Recent,
        (_, Some(_), Some(_)) => Tier::Hybrid,
        (_, Some(_), None) => Tier::Vector,
        (_, None, _) => Tier::Fts,
    };
    PreviewedMemory {
        id: hit.id,
        r#type: memory.layer.as_str().to_owned(),
        key: memory.key.clone(),
        content: hit.content,
        score: hit.score,
        tokens,
        tier,
        vec_score,
        fts_score,
    }
}

fn resolution(visit: &OpContext<'_>, strategy: Strategy, path: Path) -> Resolution {
    let embedding = engine::embedding_model(visit.house);
    let wants_meaning = matches!(strategy, Strategy::Hybrid | Strategy::Semantic);
    let fallback = match path {
        Path::Keyword if wants_meaning => Some("no_vectors"),
        Path::KeywordAfterEmbedError => Some("embedding_failed"),
        Path::Like => Some("no_indexed_word"),
        Path::SkippedEmptyStore => Some("nothing_stored"),
        _ => None,
    };
    let used = strategy.as_str();
    Resolution {
        vector_store: if embedding.is_some() { "embedded" } else { "none" }.to_owned(),
        embedding_source: embedding.as_ref().map(|model| model.source.clone()),
        embedding_model: embedding.map(|model| model.model),
        strategy_used: used.to_owned(),
        rerank_applied: false,
        fallback_reason: fallback.map(str::to_owned),
    }
}
