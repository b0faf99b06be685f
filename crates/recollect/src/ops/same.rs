//! Whether a memory is already there, under the same words or the same key.

use memory::limits::PAGE_ROWS;
use memory::ports::ReadStore;
use memory::text::query::{Column, Expression, Query};
use memory::types::{Corpus, Filter, Memory, MemoryId, Order, PageRequest};

use super::Visit;
use crate::limits;
use crate::problem::Problem;

/// The active memory of the same owner with the same content, scope and layer.
pub(super) async fn find(visit: &Visit<'_>, memory: &Memory) -> Result<Option<Memory>, Problem> {
    let filter = Filter {
        agent: Some(memory.agent.clone()),
        user: Some(memory.user.clone()),
        session: memory.session.clone(),
        scopes: vec![memory.scope],
        layers: vec![memory.layer],
        ..Filter::current(visit.now)
    };
    let mut tokens = visit.tenant.analyser().surface(&memory.content);
    tokens.truncate(limits::COMPARED_TOKENS);
    let nominees = if tokens.is_empty() {
        let words = [memory.content.clone()];
        visit.tenant.nominate_like(Corpus::Memories, &words, &filter, limits::COMPARED).await?
    } else {
        let query =
            Query { terms: Vec::new(), column: Column::Surface, expression: Expression::Phrase(tokens) };
        visit.tenant.nominate(Corpus::Memories, &query, &filter, limits::COMPARED).await?
    };
    let ids: Vec<MemoryId> = nominees.iter().filter_map(|nominee| nominee.id.parse().ok()).collect();
    let candidates = visit.tenant.memories(&ids).await?;
    Ok(candidates
        .into_iter()
        .find(|known| known.content_hash == memory.content_hash && known.session == memory.session))
}

/// Whether the owner has a live memory under the key. Walks the owner's memories: asked only at the owner's bound.
pub(super) async fn has_key(visit: &Visit<'_>, owned: &Filter, memory: &Memory) -> Result<bool, Problem> {
    let mut offset = 0;
    loop {
        let page = PageRequest { limit: PAGE_ROWS, offset, order: Order::Newest };
        let items = visit.tenant.list_memories(owned, page).await?.items;
        if items.iter().any(|known| known.key == memory.key) {
            return Ok(true);
        }
        if items.len() < PAGE_ROWS {
            return Ok(false);
        }
        offset += items.len();
    }
}
