//! What a filter of mem0's lets through: as a list, and ranked by a question.
//!
//! What the store can do of a filter is done there. The rest is looked at here: a list is walked, and a search is repeated
//! over shorter stretches of time until enough of what it finds passes, so that who asks for five gets five if there
//! are five.

use std::collections::HashSet;

use memory::limits::{PAGE_ROWS, SEARCH_RESULTS};
use memory::types::{Memory, MemoryId, Status, Time};

use transfer::compat::mem0::filter::FilterTest;

use super::Asks;
use super::plan::Plan;
use crate::limits;
use crate::ops::list::ListMemories;
use crate::ops::search::{Search, SearchHit, SearchPlace};
use crate::ops::select::Selection;
use crate::problem::{Code, Problem};

/// Whoever asks, and which memories count.
pub struct Finder<'a, A> {
    pub asks: &'a A,
    pub test: &'a FilterTest,
    /// Whatever has one of these statuses, instead of what counts today.
    pub statuses: Vec<Status>,
}

pub struct Mem0Hit {
    pub memory: Memory,
    pub score: f64,
}

impl<A: Asks> Finder<'_, A> {
    /// A page of what passes, the newest first, and how many there are.
    pub async fn page(&self, limit: usize, offset: usize) -> Result<(Vec<Memory>, u64), Problem> {
        let plan = Plan::of(self.test);
        if let (true, [only]) = (plan.exact, plan.alternatives.as_slice()) {
            let request = ListMemories { limit: Some(limit), offset, ..self.list(only) };
            let listed = self.asks.ask(request).await?;
            return Ok((listed.memories, listed.total));
        }
        let all = self.walk(&plan).await?;
        let total = all.len() as u64;
        Ok((all.into_iter().skip(offset).take(limit).collect(), total))
    }

    /// All that passes, the newest first.
    pub async fn all(&self) -> Result<Vec<Memory>, Problem> {
        self.walk(&Plan::of(self.test)).await
    }

    async fn walk(&self, plan: &Plan) -> Result<Vec<Memory>, Problem> {
        let (mut seen, mut passed, mut read) = (HashSet::new(), Vec::new(), 0);
        for selection in &plan.alternatives {
            let mut offset = 0;
            loop {
                let request = ListMemories { limit: Some(PAGE_ROWS), offset, ..self.list(selection) };
                let memories = self.asks.ask(request).await?.memories;
                let last = memories.len() < PAGE_ROWS;
                (offset, read) = (offset + memories.len(), read + memories.len());
                let fresh = memories.into_iter().filter(|memory| seen.insert(memory.id.clone()));
                passed.extend(fresh.filter(|memory| self.test.holds(memory)));
                if last {
                    break;
                }
                if read >= limits::WALKED_ROWS {
                    return Err(too_many());
                }
            }
        }
        passed
            .sort_by(|left: &Memory, right| (right.created_at, &right.id).cmp(&(left.created_at, &left.id)));
        Ok(passed)
    }

    fn list(&self, selection: &Selection) -> ListMemories {
        let filter = Selection { statuses: self.statuses.clone(), ..selection.clone() };
        ListMemories { filter, ..ListMemories::default() }
    }

    /// The best for a question, as many as are wanted.
    pub async fn best(&self, query: &str, wanted: usize) -> Result<Vec<Mem0Hit>, Problem> {
        let plan = Plan::of(self.test);
        let (mut seen, mut found): (HashSet<MemoryId>, Vec<Mem0Hit>) = (HashSet::new(), Vec::new());
        let mut stretches: Vec<Selection> = plan.alternatives.clone();
        let mut searches = limits::NARROWED_SEARCHES.max(stretches.len());
        while let Some(stretch) = stretches.pop() {
            searches = searches.saturating_sub(1);
            let top_k = if plan.exact { wanted } else { SEARCH_RESULTS };
            let near = self.search(query, &stretch, top_k).await?;
            let times: Vec<Time> = near.iter().map(|near| near.memory.created_at).collect();
            let passed = near.into_iter().filter(|near| self.test.holds(&near.memory));
            let fresh: Vec<Mem0Hit> = passed.filter(|near| seen.insert(near.memory.id.clone())).collect();
            let enough = plan.exact || fresh.len() >= wanted || times.len() < SEARCH_RESULTS;
            found.extend(fresh);
            if !enough && searches >= stretches.len() + 2 {
                stretches.extend(halves(&stretch, times));
            }
        }
        found.sort_by(|left, right| right.score.total_cmp(&left.score));
        found.truncate(wanted);
        Ok(found)
    }

    async fn search(
        &self,
        query: &str,
        selection: &Selection,
        top_k: usize,
    ) -> Result<Vec<Mem0Hit>, Problem> {
        let filter = Selection { statuses: self.statuses.clone(), ..selection.clone() };
        let request = Search {
            query: query.to_owned(),
            place: SearchPlace::Pinned,
            top_k: Some(top_k),
            filter,
            with_records: true,
            only_own: true,
            ..Search::default()
        };
        let hits = self.asks.ask(request).await?.results;
        let found = |hit: SearchHit| hit.memory.map(|memory| Mem0Hit { memory: *memory, score: hit.score });
        Ok(hits.into_iter().filter_map(found).collect())
    }
}

/// The same stretch before and from the middle of what was found in it; none where all of it is of one moment.
fn halves(stretch: &Selection, mut times: Vec<Time>) -> Vec<Selection> {
    times.sort_unstable();
    let Some(middle) = times.get(times.len() / 2).copied().filter(|middle| times.first() < Some(middle))
    else {
        return Vec::new();
    };
    let before = Selection { until: Some(middle), ..stretch.clone() };
    let after = Selection { since: Some(middle), ..stretch.clone() };
    vec![before, after]
}

fn too_many() -> Problem {
    let message = format!("the filter is to be held against more than {} memories", limits::WALKED_ROWS);
    Problem::new(Code::LimitReached, message).hint("name a user_id, an agent_id or a run_id beside it")
}
