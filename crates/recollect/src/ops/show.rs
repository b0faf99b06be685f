//! One memory with everything known about it: all fields, how often it was used, what it came from.

use memory::ports::ReadStore;
use memory::types::{Counters, Memory, MemoryId, Node};
use serde::{Deserialize, Serialize};

use super::{OpContext, no_memory};
use crate::problem::Problem;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Show {
    pub id: MemoryId,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Shown {
    #[serde(flatten)]
    pub memory: Memory,
    pub counters: Counters,
    /// What it was made from.
    pub sources: Vec<Node>,
    /// What was made from it.
    pub derived: Vec<Node>,
}

pub(super) async fn show(visit: &OpContext<'_>, request: Show) -> Result<Box<Shown>, Problem> {
    let memory = find(visit, &request.id).await?;
    let counters = visit.tenant.counters(std::slice::from_ref(&request.id)).await?.remove(&request.id);
    let node = Node::Memory(request.id);
    let sources = visit.tenant.parents(&node).await?;
    let derived = visit.tenant.children(&node).await?;
    Ok(Box::new(Shown { memory, counters: counters.unwrap_or_default(), sources, derived }))
}

/// The memory with this id, whatever its status.
pub(super) async fn find(visit: &OpContext<'_>, id: &MemoryId) -> Result<Memory, Problem> {
    let found = visit.tenant.memories(std::slice::from_ref(id)).await?;
    found.into_iter().next().ok_or_else(|| no_memory(id))
}
