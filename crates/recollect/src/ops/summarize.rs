//! Compact what is old: one summary for each owner's memories that are older than so many days.
//!
//! The sources are archived under the run's id, and so can come back. What a person wrote, pinned or edited is never among
//! them, nor are standing rules. With a core model the summary is in its words; without one, or where it fails, it is made of
//! the sentences that weigh most. A dry run asks no model and changes nothing.

use std::collections::BTreeMap;

use memory::limits::PAGE_ROWS;
use memory::ports::{Prompt, ReadStore, WriteStore};
use memory::text::similarity::word_jaccard;
use memory::text::{Analyser, tokens};
use memory::types::{
    Actor, AgentId, Batch, Change, Filter, Kind, Memory, MemoryId, Node, Order, Origin, PageRequest, Run,
    RunId, RunState, Scope, Status, UserId,
};
use serde::{Deserialize, Serialize};

use super::Visit;
use crate::limits;
use crate::problem::Problem;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Summarize {
    pub older_than_days: u32,
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

pub(super) async fn summarize(visit: &Visit<'_>, request: Summarize) -> Result<Summarized, Problem> {
    let dry_run = request.dry_run;
    let run = RunId::from_uuid(visit.house.clock.uuid());
    let mut done = Summarized { dry_run, ..Summarized::default() };
    let mut batch = Batch::new(Actor::Tend, visit.now).in_run(run.clone()).because("summarised what was old");
    for group in groups(visit, &request).await? {
        let words = summary(visit, &group, dry_run).await?;
        let (before, after) = (weight(&group), tokens::estimate(&words.text));
        if after >= before {
            continue;
        }
        done.candidates += group.len();
        done.total_tokens += before;
        done.tokens_saved += before - after;
        if !dry_run {
            let memory = remembered(visit, &group, words);
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

/// What is old and nobody's own work, by owner and by who sees it.
async fn groups(visit: &Visit<'_>, request: &Summarize) -> Result<Vec<Vec<Memory>>, Problem> {
    let before = visit.now.plus_seconds(-86_400 * i64::from(request.older_than_days));
    let filter = Filter {
        agent: request.agent.clone(),
        user: request.user.clone(),
        until: Some(before),
        ..Filter::current(visit.now)
    };
    let mut groups: BTreeMap<_, Vec<Memory>> = BTreeMap::new();
    let (mut offset, mut taken) = (0, 0);
    while taken < limits::SUMMARISED_AT_ONCE {
        let page = PageRequest { limit: PAGE_ROWS, offset, order: Order::Oldest };
        let items = visit.tenant.list_memories(&filter, page).await?.items;
        let last = items.len() < PAGE_ROWS;
        offset += items.len();
        let room = limits::SUMMARISED_AT_ONCE - taken;
        for memory in items.into_iter().filter(is_ours_to_compact).take(room) {
            let session = memory.session.clone().filter(|_| memory.scope == Scope::Thread);
            groups
                .entry((memory.agent.clone(), memory.user.clone(), memory.scope, session))
                .or_default()
                .push(memory);
            taken += 1;
        }
        if last {
            break;
        }
    }
    Ok(groups.into_values().filter(|group| group.len() >= 2).collect())
}

fn is_ours_to_compact(memory: &Memory) -> bool {
    memory.origin != Origin::Person && !memory.pinned && memory.kind != Kind::Rule
}

struct Words {
    text: String,
    origin: Origin,
}

fn weight(group: &[Memory]) -> usize {
    group.iter().map(|memory| tokens::estimate(&memory.content)).sum()
}

/// How long a summary may be: a quarter of what it is of, within bounds.
fn room(group: &[Memory]) -> usize {
    (weight(group) / 4).clamp(limits::SUMMARY_LEAST_TOKENS, limits::SUMMARY_MOST_TOKENS)
}

async fn summary(visit: &Visit<'_>, group: &[Memory], dry_run: bool) -> Result<Words, Problem> {
    let settings = visit.tenant.settings().await?;
    let model = visit.house.core_model(&visit.tenant, &settings).filter(|_| !dry_run);
    if let Some(model) = model {
        let said: Vec<String> = group.iter().map(|memory| format!("- {}", memory.content)).collect();
        let said = said.join("\n");
        let prompt = Prompt {
            task: "summarize",
            system: "Sum up these remembered statements in a few plain sentences. Keep names, numbers, dates and what is \
                     denied. Add nothing. Answer with the sentences alone.",
            user: tokens::cut_to_tokens(&said, limits::SUMMARY_READ_TOKENS),
            schema: None,
            max_tokens: limits::SUMMARY_MOST_TOKENS as u32 * 2,
        };
        match model.complete(prompt).await {
            Ok(answer) if !answer.text.trim().is_empty() => {
                let text = tokens::cut_to_tokens(answer.text.trim(), limits::SUMMARY_MOST_TOKENS).to_owned();
                return Ok(Words { text, origin: Origin::Model });
            }
            Ok(_) => {
                tracing::warn!("the core model summed nothing up; the sentences that weigh most stand in")
            }
            Err(error) => tracing::warn!(%error, "the core model summed nothing up; sentences stand in"),
        }
    }
    Ok(Words { text: extracted(group, visit.tenant.analyser()), origin: Origin::Heuristic })
}

/// The sentences that weigh most, each thing said once, in the order in which they were learned.
fn extracted(group: &[Memory], analyser: &Analyser) -> String {
    let mut order: Vec<usize> = (0..group.len()).collect();
    let worth = |place: &usize| f64::from(group[*place].salience) * f64::from(group[*place].confidence);
    order.sort_by(|left, right| worth(right).total_cmp(&worth(left)).then(left.cmp(right)));
    let (mut chosen, mut left): (Vec<usize>, usize) = (Vec::new(), room(group));
    for place in order {
        let sentence = &group[place].content;
        let size = tokens::estimate(sentence) + 1;
        let repeats = |known: &usize| word_jaccard(&group[*known].content, sentence, analyser) > 0.6;
        if size <= left && !chosen.iter().any(repeats) {
            left -= size;
            chosen.push(place);
        }
    }
    chosen.sort_unstable();
    let sentences = chosen.iter().map(|place| group[*place].content.trim().trim_end_matches('.'));
    let mut text = sentences.collect::<Vec<_>>().join("; ");
    if text.is_empty() {
        text = tokens::cut_to_tokens(&group[0].content, room(group)).to_owned();
    }
    text
}

fn remembered(visit: &Visit<'_>, group: &[Memory], words: Words) -> Memory {
    let (first, last) = (&group[0], &group[group.len() - 1]);
    let (id, tenant) = (visit.memory_id(), visit.tenant.id().clone());
    let most = |of: fn(&Memory) -> f32| group.iter().map(of).fold(0.0, f32::max);
    let span = [
        ("summaryOf", group.len().into()),
        ("from", first.created_at.to_string().into()),
        ("until", last.created_at.to_string().into()),
    ];
    Memory {
        scope: first.scope,
        session: first.session.clone().filter(|_| first.scope == Scope::Thread),
        salience: most(|memory| memory.salience),
        confidence: most(|memory| memory.confidence),
        origin: words.origin,
        tags: vec!["summary".to_owned()],
        metadata: span.into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
        ..Memory::new(id, tenant, &first.owner(), Kind::Fact, words.text, visit.now)
    }
}

fn archived(visit: &Visit<'_>, batch: Batch, summary: Memory, group: Vec<Memory>) -> Batch {
    let into: MemoryId = summary.id.clone();
    let parents = group.iter().map(|memory| Node::Memory(memory.id.clone())).collect();
    let batch = batch.insert(summary).with(Change::Derive { child: Node::Memory(into.clone()), parents });
    group.into_iter().fold(batch, |batch, memory| {
        let superseded_by = Some(into.clone());
        batch.replace(Memory { status: Status::Archived, superseded_by, updated_at: visit.now, ..memory })
    })
}

fn record(visit: &Visit<'_>, id: RunId, done: &Summarized) -> Run {
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
