//! Bounds on what one owner has: rules in force, and memories in all. Whoever has to make room is archived, never deleted.

use std::collections::HashSet;

use super::commit::{BatchBuilder, PassTally, is_rule, over_cap, written_memories};
use super::session_pass::Learner;
use crate::error::StoreResult;
use crate::limits;
use crate::types::{Filter, Kind, Memory, MemoryId, Order, Origin, PageRequest, Status};

impl Learner {
    /// Caps: rules of an owner, and memories of an owner. What this pass already writes is not moved a second time.
    pub(super) async fn make_room(
        &self,
        writing: &mut BatchBuilder<'_>,
        tally: &mut PassTally,
    ) -> StoreResult<()> {
        let owner = writing.session.owner();
        let written: Vec<Memory> = written_memories(&writing.batch);
        let touched: HashSet<MemoryId> = written.iter().map(|memory| memory.id.clone()).collect();
        let mut filter = Filter::current(writing.now);
        (filter.agent, filter.user) = (Some(owner.agent.clone()), Some(owner.user.clone()));
        let new_rules = written.iter().filter(|memory| is_rule(memory, &owner)).count();
        if new_rules > 0 {
            let rules = Filter { kinds: vec![Kind::Rule], ..filter.clone() };
            let mut active =
                self.tools.store.list_memories(&rules, PageRequest::first(limits::PAGE_ROWS)).await?.items;
            active.retain(|rule| !touched.contains(&rule.id));
            let cap = self.tools.settings.max_active_rules.max(1) as usize;
            for rule in over_cap(&active, cap, new_rules) {
                tally.archived += 1;
                writing.archive(rule, "more rules than may be active; the oldest makes room");
            }
        }
        let new = written.iter().filter(|memory| memory.status == Status::Active).count();
        let cap = self.tools.settings.max_entries_per_agent.max(0) as u64;
        if new == 0 || cap == 0 {
            return Ok(());
        }
        // What is active and does not hold counts for nothing here, so that this many is the most there may be.
        if self.tools.store.active_memories(&owner).await? + new as u64 <= cap {
            return Ok(());
        }
        let total = self.tools.store.list_memories(&filter, PageRequest::first(1)).await?.total;
        let replaced = written.iter().filter(|memory| memory.status != Status::Active).count();
        let archived: HashSet<MemoryId> =
            written_memories(&writing.batch).into_iter().map(|memory| memory.id).collect();
        let moved = archived.len() - touched.len();
        let over = (total + new as u64).saturating_sub(cap + (replaced + moved) as u64) as usize;
        for memory in self.least_used(&filter, over, &archived).await? {
            tally.archived += 1;
            writing.archive(
                &memory,
                "more memories than one owner may have; the least recently used makes room",
            );
        }
        Ok(())
    }

    /// Of the oldest page, those that were used longest ago and that no person wrote or pinned.
    async fn least_used(
        &self,
        filter: &Filter,
        count: usize,
        except: &HashSet<MemoryId>,
    ) -> StoreResult<Vec<Memory>> {
        if count == 0 {
            return Ok(Vec::new());
        }
        let page = PageRequest { limit: limits::PAGE_ROWS, offset: 0, order: Order::Oldest, counted: true };
        let mut memories = self.tools.store.list_memories(filter, page).await?.items;
        memories.retain(|memory| {
            !memory.pinned && memory.origin != Origin::Person && !except.contains(&memory.id)
        });
        let ids: Vec<MemoryId> = memories.iter().map(|memory| memory.id.clone()).collect();
        let used = self.tools.store.counters(&ids).await?;
        memories.sort_by_key(|memory| {
            let last = used.get(&memory.id).and_then(|counters| counters.last_used_at);
            (last.unwrap_or(memory.created_at), memory.id.clone())
        });
        memories.truncate(count);
        Ok(memories)
    }
}
