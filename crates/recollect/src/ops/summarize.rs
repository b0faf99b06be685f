//! Compact what is old: one summary for each owner's memories that are older than so many days.
//!
//! The sources are archived under the run's id, and so can come back. What a person pinned or edited is never among
//! them, nor are standing rules. No fact is lost: without a core model a summary has a line for each; with one, its answer is compared with what it would
//! replace, and where something is missing the memories stay as they are and are counted as refused. A dry run asks no model and changes nothing.

use std::collections::BTreeMap;

use memory::limits::PAGE_ROWS;
use memory::ports::{ReadStore, WriteStore};
use memory::tend::ownership::is_summarisable;
use memory::tend::summarise::{SummaryText, portions, remembered, weight, words};
use memory::text::tokens;
use memory::types::{
    Actor, AgentId, Batch, Change, Filter, Kind, Memory, MemoryId, Node, Order, PageRequest, RecordKind, Run,
    RunId, RunState, Status, UserId,
};
use serde::{Deserialize, Serialize};

use super::OpContext;
use crate::limits;
use crate::problem::Problem;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Summarize {
    /// The setting `summarizeAfterDays` unless said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub older_than_days: Option<u32>,
    #[serde(default)]
    pub dry_run: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<AgentId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<UserId>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Summarized {
    /// Memories that were, or would be, taken together.
    pub candidates: usize,
    pub total_tokens: usize,
    pub tokens_saved: usize,
    /// Memories that stay because a model's words left something of them out.
    pub refused: usize,
    /// Memories archived; none in a dry run.
    pub deleted_count: usize,
    /// The first summary, where one was made.
    #[schema(required)]
    pub summary_id: Option<String>,
    /// All of them: memories of different owners are not mixed.
    pub summary_ids: Vec<String>,
    pub dry_run: bool,
    /// What can be undone as a whole.
    #[schema(required)]
    pub run_id: Option<String>,
}

pub(super) async fn summarize(visit: &OpContext<'_>, request: Summarize) -> Result<Summarized, Problem> {
    let dry_run = request.dry_run;
    let run = RunId::from_uuid(visit.house.clock.uuid());
    let mut done = Summarized { dry_run, ..Summarized::default() };
    let mut batch = Batch::new(Actor::Tend, visit.now).in_run(run.clone()).because("summarised what was old");
    for group in groups(visit, &request).await? {
        let Some(words) = summary(visit, &group, dry_run).await? else {
            done.refused += group.len();
            continue;
        };
        let (before, after) = (weight(&group), tokens::estimate(&words.text));
        done.candidates += group.len();
        done.total_tokens += before;
        done.tokens_saved += before.saturating_sub(after);
        if !dry_run {
            let memory = made(visit, &group, words);
            done.summary_ids.push(memory.id.as_str().to_owned());
            batch = archived(visit, batch, memory, group);
        }
    }
    if !done.summary_ids.is_empty() {
        done.deleted_count = done.candidates;
        done.run_id = Some(run.as_str().to_owned());
        done.summary_id = done.summary_ids.first().cloned();
        visit.tenant.apply(batch.insert(record(visit, run, &done))).await?;
    }
    Ok(done)
}

/// What is old and nobody took in hand, by owner and by who sees it, in parts that are each worth one summary.
async fn groups(visit: &OpContext<'_>, request: &Summarize) -> Result<Vec<Vec<Memory>>, Problem> {
    let usual = visit.tenant.settings().await?.summarize_after_days;
    let days = request.older_than_days.map_or(usual, i64::from);
    let before = visit.now.plus_seconds(-86_400 * days);
    let filter = Filter {
        agent: request.agent.clone(),
        user: request.user.clone(),
        until: Some(before),
        bounds: visit.caller.bounds(),
        ..Filter::current(visit.now)
    };
    let mut groups: BTreeMap<_, Vec<Memory>> = BTreeMap::new();
    let (mut offset, mut taken) = (0, 0);
    while taken < limits::SUMMARISED_AT_ONCE {
        let page = PageRequest { limit: PAGE_ROWS, offset, order: Order::Oldest, counted: false };
        let items = visit.tenant.list_memories(&filter, page).await?.items;
        let last = items.len() < PAGE_ROWS;
        offset += items.len();
        let room = limits::SUMMARISED_AT_ONCE - taken;
        let ids: Vec<String> = items.iter().map(|memory| memory.id.as_str().to_owned()).collect();
        let changed = visit.tenant.changed_by_people(RecordKind::Memory, &ids).await?;
        for memory in items
            .into_iter()
            .filter(|memory| is_summarisable(memory) && !changed.contains(memory.id.as_str()))
            .take(room)
        {
            groups.entry(memory.belonging()).or_default().push(memory);
            taken += 1;
        }
        if last {
            break;
        }
    }
    Ok(groups.into_values().flat_map(portions).filter(|group| group.len() >= 2).collect())
}

async fn summary(
    visit: &OpContext<'_>,
    group: &[Memory],
    dry_run: bool,
) -> Result<Option<SummaryText>, Problem> {
    let settings = visit.tenant.settings().await?;
    let model = visit.house.core_model(&visit.tenant, &settings).filter(|_| !dry_run);
    Ok(words(group, model.as_deref(), visit.tenant.analyser()).await)
}

fn made(visit: &OpContext<'_>, group: &[Memory], words: SummaryText) -> Memory {
    let (id, tenant) = (visit.memory_id(), visit.tenant.id().clone());
    remembered(group, words, Memory::new(id, tenant, &group[0].owner(), Kind::Fact, String::new(), visit.now))
}

fn archived(visit: &OpContext<'_>, batch: Batch, summary: Memory, group: Vec<Memory>) -> Batch {
    let into: MemoryId = summary.id.clone();
    let parents = group.iter().map(|memory| Node::Memory(memory.id.clone())).collect();
    let batch = batch.insert(summary).with(Change::Derive { child: Node::Memory(into.clone()), parents });
    group.into_iter().fold(batch, |batch, memory| {
        let superseded_by = Some(into.clone());
        batch.replace(Memory { status: Status::Archived, superseded_by, updated_at: visit.now, ..memory })
    })
}

fn record(visit: &OpContext<'_>, id: RunId, done: &Summarized) -> Run {
    let counts = [("memories", done.candidates.into()), ("summaries", done.summary_ids.len().into())];
    Run {
        id,
        version: 1,
        job: "summarize".to_owned(),
        state: RunState::Done,
        cursor: None,
        counts: counts.into_iter().map(|(name, count)| (name.to_owned(), count)).collect(),
        started_at: visit.now,
        finished_at: Some(visit.now),
    }
}
