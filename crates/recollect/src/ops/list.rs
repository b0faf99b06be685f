//! Page through what is remembered: newest first, or best first where words are given.

use memory::limits::PAGE_ROWS;
use memory::ports::ReadStore;
use memory::text::query;
use memory::types::{Corpus, Filter, Memory, MemoryId, Order, PageRequest};
use serde::{Deserialize, Serialize};

use super::select::Selection;
use super::tally::{self, Tally, TallyReport};
use super::{OpContext, search};
use crate::limits;
use crate::problem::Problem;

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ListMemories {
    pub filter: Selection,
    /// Only what holds one of these words, best first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matching: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
    pub offset: usize,
    pub oldest_first: bool,
    /// Say beside it how much the agent has of everything.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub with_tally: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MemoriesListed {
    pub memories: Vec<Memory>,
    /// How many there are on all pages.
    pub total: u64,
    pub offset: usize,
    /// Where it was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tally: Option<TallyReport>,
}

pub(super) async fn list(visit: &OpContext<'_>, request: ListMemories) -> Result<MemoriesListed, Problem> {
    let tally = match request.with_tally {
        true => Some(tally::tally(visit, Tally { agent: request.filter.agent.clone() }).await?),
        false => None,
    };
    Ok(MemoriesListed { tally, ..listed(visit, request).await? })
}

async fn listed(visit: &OpContext<'_>, request: ListMemories) -> Result<MemoriesListed, Problem> {
    let limit = request.limit.unwrap_or(limits::USUAL_ROWS);
    if !(1..=PAGE_ROWS).contains(&limit) {
        let message = format!("a page of {limit} rows is asked for; expected from 1 to {}", PAGE_ROWS);
        return Err(Problem::field("limit", message));
    }
    let filter = request.filter.filter(visit.now)?;
    if let Some(text) = &request.matching {
        return matching(visit, text, &filter, limit, request.offset).await;
    }
    let order = if request.oldest_first { Order::Oldest } else { Order::Newest };
    let page = PageRequest { limit, offset: request.offset, order, counted: true };
    let page = visit.tenant.list_memories(&filter, page).await?;
    Ok(MemoriesListed { memories: page.items, total: page.total, offset: request.offset, tally: None })
}

/// By keyword. What lies beyond the bound is not counted: nobody pages that far through a ranking.
async fn matching(
    visit: &OpContext<'_>,
    text: &str,
    filter: &Filter,
    limit: usize,
    offset: usize,
) -> Result<MemoriesListed, Problem> {
    let query = query::parse(search::checked_query(text)?, visit.tenant.analyser());
    let found = visit.tenant.nominate(Corpus::Memories, &query, filter, limits::LISTED_MATCHES).await?;
    let wanted: Vec<MemoryId> =
        found.iter().skip(offset).take(limit).filter_map(|nominee| nominee.id.parse().ok()).collect();
    let mut memories = visit.tenant.memories(&wanted).await?;
    let place = |memory: &Memory| wanted.iter().position(|id| *id == memory.id);
    memories.sort_by_key(place);
    Ok(MemoriesListed { memories, total: found.len() as u64, offset, tally: None })
}
