//! Which memories a forget that can be undone is about, as many as one batch takes.

use memory::limits::PAGE_ROWS;
use memory::ports::ReadStore;
use memory::text::query::{self, Expression, Query};
use memory::types::{Corpus, Filter, Memory, MemoryId, Order, PageRequest, Status, Validity};

use super::{Forget, ForgetFailure};
use crate::limits;
use crate::ops::{OpContext, no_memory, search, update};
use crate::problem::Problem;

pub struct ChosenMemories {
    pub memories: Vec<Memory>,
    pub more: bool,
}

pub async fn choose(visit: &OpContext<'_>, request: &Forget) -> Result<ChosenMemories, ForgetFailure> {
    let mut chosen = if !request.ids.is_empty() {
        ChosenMemories { memories: by_id(visit, request).await?, more: false }
    } else if let Some(query) = &request.matching {
        by_query(visit, query, &filter(request)).await?
    } else {
        walk(visit, &filter(request)).await?
    };
    chosen.memories.retain(|memory| memory.status != Status::Deleted);
    Ok(chosen)
}

/// Whatever was ever written and is not gone yet: what is superseded or archived can still be found by its time.
pub fn filter(request: &Forget) -> Filter {
    let mut filter = request.filter.filter_at(Validity::Ever);
    // Conversations go too, and those are an agent's whatever is shared.
    filter.agent = request.filter.agent_meant();
    if filter.statuses.is_empty() {
        let all = Status::ALL.iter().copied();
        filter.statuses = all.filter(|status| request.purge || *status != Status::Deleted).collect();
    }
    filter
}

/// The memories that are named, all of which must be there.
pub async fn by_id(visit: &OpContext<'_>, request: &Forget) -> Result<Vec<Memory>, ForgetFailure> {
    let ids = &request.ids;
    let memories = visit.tenant.memories(ids).await?;
    if let Some(unknown) = ids.iter().find(|id| memories.iter().all(|memory| memory.id != **id)) {
        return Err(ForgetFailure::Problem(no_memory(unknown)));
    }
    let live = memories.iter().find(|memory| memory.status != Status::Deleted);
    live.map_or(Ok(()), |memory| update::check_version(memory, request.expect_version))?;
    Ok(memories)
}

/// Plain words are alternatives to a search, which ranks them. Here nothing ranks, so all of them must be there.
async fn by_query(
    visit: &OpContext<'_>,
    text: &str,
    filter: &Filter,
) -> Result<ChosenMemories, ForgetFailure> {
    let query = all_words(visit, text)?;
    let nominees = visit.tenant.nominate(Corpus::Memories, &query, filter, limits::FORGOTTEN_AT_ONCE).await?;
    let ids: Vec<MemoryId> = nominees.iter().filter_map(|nominee| nominee.id.parse().ok()).collect();
    let mut memories = visit.tenant.memories(&ids).await?;
    let more = memories.len() >= limits::FORGOTTEN_AT_ONCE;
    memories.truncate(limits::FORGOTTEN_AT_ONCE);
    memories.sort_by(|left, right| right.id.cmp(&left.id));
    Ok(ChosenMemories { memories, more })
}

/// How many by_query would choose if a batch had no bound.
pub async fn count_matching(visit: &OpContext<'_>, text: &str, filter: &Filter) -> Result<u64, Problem> {
    let query = all_words(visit, text)?;
    let nominees = visit.tenant.nominate(Corpus::Memories, &query, filter, limits::COUNTED_MATCHES).await?;
    Ok(nominees.len() as u64)
}

pub fn all_words(visit: &OpContext<'_>, text: &str) -> Result<Query, Problem> {
    let mut query = query::parse(search::checked_query(text)?, visit.tenant.analyser());
    if let Expression::Any(words) = query.expression {
        query.expression = match words.len() {
            0 => Expression::Any(words),
            _ => Expression::And(words.into_iter().map(Expression::Word).collect()),
        };
    }
    Ok(query)
}

/// What the filter lets through, newest first, as many as one batch takes.
async fn walk(visit: &OpContext<'_>, filter: &Filter) -> Result<ChosenMemories, ForgetFailure> {
    let mut memories = Vec::new();
    loop {
        let page =
            PageRequest { limit: PAGE_ROWS, offset: memories.len(), order: Order::Newest, counted: false };
        let items = visit.tenant.list_memories(filter, page).await?.items;
        let last = items.len() < PAGE_ROWS;
        memories.extend(items);
        if last || memories.len() > limits::FORGOTTEN_AT_ONCE {
            break;
        }
    }
    let more = memories.len() > limits::FORGOTTEN_AT_ONCE;
    memories.truncate(limits::FORGOTTEN_AT_ONCE);
    Ok(ChosenMemories { memories, more })
}
