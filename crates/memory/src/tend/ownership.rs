//! Whose a memory is. What a person wrote, pinned or changed is theirs, and no step touches it; the rest is ours to keep up.

use std::collections::{HashMap, HashSet};

use super::Tender;
use crate::error::StoreResult;
use crate::limits;
use crate::types::{Counters, Kind, Memory, MemoryId, Origin, RecordKind};

/// Some rows of a walk.
pub(super) struct MemorySlice {
    /// Those that are ours, in row order.
    pub memories: Vec<(i64, Memory)>,
    /// Where the walk goes on.
    pub next: Option<String>,
}

/// Whether nobody wrote or pinned it. Whether somebody changed it stands in history.
pub fn is_unclaimed(memory: &Memory) -> bool {
    memory.origin != Origin::Person && !memory.pinned
}

/// Whether its record alone lets it stand as a line of a summary: whoever wrote it, its words stay. Standing rules, what is pinned
/// and summaries never do.
pub fn is_summarisable(memory: &Memory) -> bool {
    !memory.pinned && memory.kind != Kind::Rule && !memory.tags.iter().any(|tag| tag == super::summarise::TAG)
}

impl Tender {
    /// The next active memories that are ours.
    pub(super) async fn ours_after(&self, cursor: &str) -> StoreResult<MemorySlice> {
        let after = cursor.parse().unwrap_or(0);
        let rows = self.store().memories_after(after, limits::TEND_ROWS).await?;
        let next = rows.last().filter(|_| rows.len() == limits::TEND_ROWS).map(|(row, _)| row.to_string());
        let mut memories = rows;
        memories.retain(|(_, memory)| is_unclaimed(memory));
        let touched = self.touched(memories.iter().map(|(_, memory)| memory)).await?;
        memories.retain(|(_, memory)| !touched.contains(memory.id.as_str()));
        Ok(MemorySlice { memories, next })
    }

    /// The next active memories that may stand as lines of a summary: applications write by hand what nobody looks at again.
    pub(super) async fn summarisable_after(&self, cursor: &str) -> StoreResult<MemorySlice> {
        let after = cursor.parse().unwrap_or(0);
        let rows = self.store().memories_after(after, limits::TEND_ROWS).await?;
        let next = rows.last().filter(|_| rows.len() == limits::TEND_ROWS).map(|(row, _)| row.to_string());
        let mut memories = rows;
        memories.retain(|(_, memory)| is_summarisable(memory));
        let changed = self.changed(memories.iter().map(|(_, memory)| memory)).await?;
        memories.retain(|(_, memory)| !changed.contains(memory.id.as_str()));
        Ok(MemorySlice { memories, next })
    }

    /// The ids of those that a person changed after they were made.
    pub(super) async fn changed(
        &self,
        memories: impl Iterator<Item = &Memory> + Send,
    ) -> StoreResult<HashSet<String>> {
        match ids_of(memories).as_slice() {
            [] => Ok(HashSet::new()),
            ids => self.store().changed_by_people(RecordKind::Memory, ids).await,
        }
    }

    /// The ids of those that a person made or changed.
    pub(super) async fn touched(
        &self,
        memories: impl Iterator<Item = &Memory> + Send,
    ) -> StoreResult<HashSet<String>> {
        match ids_of(memories).as_slice() {
            [] => Ok(HashSet::new()),
            ids => self.store().touched_by_people(RecordKind::Memory, ids).await,
        }
    }

    pub(super) async fn counters_of(
        &self,
        memories: &[(i64, Memory)],
    ) -> StoreResult<HashMap<MemoryId, Counters>> {
        let ids: Vec<MemoryId> = memories.iter().map(|(_, memory)| memory.id.clone()).collect();
        self.store().counters(&ids).await
    }
}

fn ids_of<'m>(memories: impl Iterator<Item = &'m Memory>) -> Vec<String> {
    memories.map(|memory| memory.id.as_str().to_owned()).collect()
}
