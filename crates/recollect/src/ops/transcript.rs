//! What was said, word for word: page through it, or find the turns that have some words.

use std::collections::HashMap;

use memory::ports::ReadStore;
use memory::text::query;
use memory::types::{AgentId, Corpus, Filter, Order, PageRequest, Role, SessionId, Time, Turn, UserId};
use serde::{Deserialize, Serialize};

use super::episodes::rows;
use super::{OpContext, search};
use crate::limits;
use crate::problem::Problem;

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Transcript {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<AgentId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<UserId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<SessionId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<Role>,
    /// Said at or after this moment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<Time>,
    /// Said before this moment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<Time>,
    /// Only turns that hold one of these words, best first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matching: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
    pub offset: usize,
    pub oldest_first: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TurnsListed {
    pub turns: Vec<Turn>,
    /// How many there are on all pages.
    pub total: u64,
    pub offset: usize,
}

pub(super) async fn list(visit: &OpContext<'_>, request: Transcript) -> Result<TurnsListed, Problem> {
    let limit = rows(request.limit)?;
    let filter = Filter {
        agent: request.agent.clone(),
        user: request.user.clone(),
        session: request.session.clone(),
        since: request.since,
        until: request.until,
        ..Filter::current(visit.now)
    };
    if let Some(text) = &request.matching {
        return matching(visit, text, &filter, &request, limit).await;
    }
    let order = if request.oldest_first { Order::Oldest } else { Order::Newest };
    let page = PageRequest { limit, offset: request.offset, order, counted: true };
    let page = visit.tenant.list_turns(&filter, request.role, page).await?;
    Ok(TurnsListed { turns: page.items, total: page.total, offset: request.offset })
}

/// By keyword. What lies beyond the bound is not counted: nobody pages that far through a ranking.
async fn matching(
    visit: &OpContext<'_>,
    text: &str,
    filter: &Filter,
    request: &Transcript,
    limit: usize,
) -> Result<TurnsListed, Problem> {
    let query = query::parse(search::checked_query(text)?, visit.tenant.analyser());
    let found = visit.tenant.nominate(Corpus::Turns, &query, filter, limits::LISTED_MATCHES).await?;
    let numbers: Vec<i64> = found.iter().map(|nominee| nominee.row).collect();
    let mut known: HashMap<i64, Turn> = visit.tenant.turns_at(&numbers).await?.into_iter().collect();
    let ranked = numbers.iter().filter_map(|row| known.remove(row));
    let wanted: Vec<Turn> = ranked.filter(|turn| request.role.is_none_or(|role| role == turn.role)).collect();
    let total = wanted.len() as u64;
    let turns = wanted.into_iter().skip(request.offset).take(limit).collect();
    Ok(TurnsListed { turns, total, offset: request.offset })
}
