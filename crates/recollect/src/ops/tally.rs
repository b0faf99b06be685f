//! Numbers that clients show beside a list: how much there is by layer, what it weighs, and how often asking found something.
//!
//! What is stored is counted by the store and kept until something is written. What was asked is counted where it is asked,
//! per tenant and since the process began.

use std::collections::{BTreeMap, HashMap};

use memory::follower::AsOf;
use memory::limits::COUNTED_TENANTS;
use memory::ports::ReadStore;
use memory::recall::context::Counts;
use memory::types::{AgentId, TenantId};
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};

use super::OpContext;
use crate::problem::Problem;

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Tally {
    /// Of this agent alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<AgentId>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TallyReport {
    /// Active memories.
    pub total: u64,
    /// The same by layer.
    pub by_type: BTreeMap<String, u64>,
    /// What they would take in a prompt, all together.
    pub tokens_used: u64,
    /// Which share of the look-ups found their context ready; 0 while there were none.
    #[schema(minimum = 0, maximum = 1)]
    pub hit_rate: f64,
    pub cache_stats: CacheStats,
}

/// Since the process began.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CacheStats {
    /// Contexts that were ready.
    pub hits: u64,
    /// Contexts that had to be made.
    pub misses: u64,
    /// Contexts that are kept now.
    pub size: usize,
    pub searches: u64,
    /// Searches that found something.
    pub searches_found: u64,
}

/// What the process counts and keeps for all tenants.
#[derive(Debug, Default)]
pub struct Tallies {
    /// Shared by all requests; held for a look-up or an increment, never across a read.
    state: Mutex<HashMap<TenantId, Numbers>>,
}

#[derive(Debug, Default)]
struct Numbers {
    searches: u64,
    searches_found: u64,
    /// The store's tally by agent.
    stored: Option<AsOf<HashMap<Option<AgentId>, LayerTallies>>>,
}

type LayerTallies = BTreeMap<String, store::LayerTally>;

impl Tallies {
    pub(super) fn searched(&self, tenant: &TenantId, found: bool) {
        let mut state = self.state.lock();
        let numbers = of(&mut state, tenant);
        numbers.searches += 1;
        numbers.searches_found += u64::from(found);
    }

    fn searches(&self, tenant: &TenantId) -> (u64, u64) {
        let state = self.state.lock();
        state.get(tenant).map_or((0, 0), |numbers| (numbers.searches, numbers.searches_found))
    }

    fn kept(&self, tenant: &TenantId, agent: &Option<AgentId>, head: u64) -> Option<LayerTallies> {
        let state = self.state.lock();
        state.get(tenant)?.stored.as_ref()?.at(head)?.get(agent).cloned()
    }

    fn keep(&self, tenant: &TenantId, agent: Option<AgentId>, head: u64, tally: &LayerTallies) {
        let mut state = self.state.lock();
        let stored = &mut of(&mut state, tenant).stored;
        match stored {
            Some(kept) if kept.number == head && kept.state.len() < COUNTED_TENANTS => {
                kept.state.insert(agent, tally.clone());
            }
            _ => *stored = Some(AsOf { number: head, state: HashMap::from([(agent, tally.clone())]) }),
        }
    }
}

fn of<'s>(state: &'s mut HashMap<TenantId, Numbers>, tenant: &TenantId) -> &'s mut Numbers {
    if state.len() >= COUNTED_TENANTS && !state.contains_key(tenant) {
        state.clear();
    }
    state.entry(tenant.clone()).or_default()
}

pub(super) async fn tally(visit: &OpContext<'_>, request: Tally) -> Result<TallyReport, Problem> {
    let (tenant, tallies) = (visit.tenant.id(), &visit.house.tallies);
    // Read first: what is written meanwhile makes the tally old, never the other way round.
    let head = visit.tenant.head().await?;
    let stored = match tallies.kept(tenant, &request.agent, head) {
        Some(stored) => stored,
        None => {
            let stored = visit.tenant.tally(request.agent.clone()).await?;
            tallies.keep(tenant, request.agent, head, &stored);
            stored
        }
    };
    let Counts { hits, misses } = visit.house.contexts.counts_of(tenant);
    let (searches, searches_found) = tallies.searches(tenant);
    let size = visit.house.contexts.len_of(tenant);
    Ok(TallyReport {
        total: stored.values().map(|tally| tally.memories).sum(),
        tokens_used: stored.values().map(|tally| tally.tokens).sum(),
        by_type: stored.into_iter().map(|(layer, tally)| (layer, tally.memories)).collect(),
        hit_rate: if hits + misses == 0 { 0.0 } else { hits as f64 / (hits + misses) as f64 },
        cache_stats: CacheStats { hits, misses, size, searches, searches_found },
    })
}
