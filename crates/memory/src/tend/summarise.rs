//! Old memories are taken together, where `autoSummarize` says so: one summary for each owner's memories of a portion.
//!
//! In two portions. The first writes the summary and says what it was made from; the second looks for it by its own words, as
//! a search would, and only when it is found archives what it stands for. A pass that is killed in between finds the summary
//! and goes on. With a core model the summary is in its words; without one it is made of the sentences that weigh most.

use std::collections::{BTreeMap, HashMap};

use super::ownership::is_compactable;
use super::{Proposal, StepSlice, TendContext, Tender};
use crate::error::StoreResult;
use crate::limits;
use crate::ports::{ChatModel, Prompt};
use crate::text::similarity::word_jaccard;
use crate::text::{Analyser, query, tokens};
use crate::types::{
    Change, Corpus, Expect, Filter, Kind, Memory, MemoryId, Node, Order, Origin, Owner, PageRequest,
    RecordRef, Status, Time,
};

/// What a summary is tagged with.
pub const TAG: &str = "summary";

/// Memories that are worth a summary.
const LEAST: usize = 3;

pub(super) async fn plan(tender: &Tender, cursor: &str, look: &TendContext<'_>) -> StoreResult<StepSlice> {
    if !tender.tools.settings.auto_summarize {
        return Ok(StepSlice::skipped("switched off by autoSummarize"));
    }
    if let Some(waiting) = cursor.strip_prefix('+') {
        return confirm(tender, waiting, look).await;
    }
    let page = tender.ours_after(cursor).await?;
    let mut proposed = Vec::new();
    for group in groups(tender, page.memories, look).await? {
        proposed.extend(summarised(tender, &group, look).await?);
    }
    let made: Vec<&str> = proposed.iter().filter_map(|one| one.of.first()).map(|of| of.id.as_str()).collect();
    let next = match made.is_empty() || look.rehearsing {
        true => page.next,
        false => Some(format!("+{} {}", made.join(","), page.next.unwrap_or_default())),
    };
    Ok(StepSlice { proposed, next, skipped: None })
}

/// What is old, or beyond the budget, by owner and by who sees it.
async fn groups(
    tender: &Tender,
    memories: Vec<(i64, Memory)>,
    look: &TendContext<'_>,
) -> StoreResult<Vec<Vec<Memory>>> {
    let settings = &tender.tools.settings;
    let old = look.now.plus_seconds(-86_400 * settings.summarize_after_days);
    let mut until: HashMap<Owner, Time> = HashMap::new();
    let mut groups: BTreeMap<_, Vec<Memory>> = BTreeMap::new();
    for (_, memory) in memories {
        if !is_compactable(&memory) || memory.tags.iter().any(|tag| tag == TAG) {
            continue;
        }
        let owner = memory.owner();
        let known = until.get(&owner).copied();
        let limit = match known {
            Some(limit) => limit,
            None => {
                let limit = beyond_budget(tender, &owner, look).await?.map_or(old, |time| time.max(old));
                *until.entry(owner).or_insert(limit)
            }
        };
        if memory.created_at <= limit {
            groups.entry(memory.belonging()).or_default().push(memory);
        }
    }
    Ok(groups.into_values().filter(|group| group.len() >= LEAST).collect())
}

/// Up to which moment an owner's memories are more than the budget holds; none where they are not.
async fn beyond_budget(tender: &Tender, owner: &Owner, look: &TendContext<'_>) -> StoreResult<Option<Time>> {
    let budget = tender.tools.settings.summarize_beyond_tokens.max(0) as usize;
    if budget == 0 {
        return Ok(None);
    }
    let filter = Filter {
        agent: Some(owner.agent.clone()),
        user: Some(owner.user.clone()),
        ..Filter::current(look.now)
    };
    let mut held = 0;
    for offset in (0..limits::READ_IDS).step_by(limits::PAGE_ROWS) {
        let page = PageRequest { limit: limits::PAGE_ROWS, offset, order: Order::Newest };
        let items = tender.store().list_memories(&filter, page).await?.items;
        for memory in &items {
            held += tokens::estimate(&memory.content);
            if held > budget {
                return Ok(Some(memory.created_at));
            }
        }
        if items.len() < limits::PAGE_ROWS {
            break;
        }
    }
    Ok(None)
}

async fn summarised(
    tender: &Tender,
    group: &[Memory],
    look: &TendContext<'_>,
) -> StoreResult<Option<Proposal>> {
    let model = tender.tools.model.as_deref().filter(|_| !look.rehearsing);
    let words = words(group, model, look.analyser).await;
    if tokens::estimate(&words.text) >= weight(group) {
        return Ok(None);
    }
    let ids: Vec<&MemoryId> = group.iter().map(|memory| &memory.id).collect();
    let reason = format!("{} memories of {} are taken together", group.len(), group[0].user);
    if look.rehearsing {
        return Ok(Some(Proposal { weight: group.len() as u64, ..Proposal::about(&ids, reason) }));
    }
    let id = MemoryId::from_uuid(tender.tools.clock.uuid());
    let summary = remembered(
        group,
        words,
        Memory::new(
            id.clone(),
            tender.tools.tenant.clone(),
            &group[0].owner(),
            Kind::Fact,
            String::new(),
            look.now,
        ),
    );
    let parents = group.iter().map(|memory| Node::Memory(memory.id.clone())).collect();
    let mut proposed = Proposal { weight: 0, ..Proposal::about(&ids, reason) };
    proposed.of.insert(0, RecordRef::memory(&id));
    Ok(Some(proposed.insert(summary).with(Change::Derive { child: Node::Memory(id), parents })))
}

/// Looks for summaries that were written and archives what those stand for that are found.
async fn confirm(tender: &Tender, waiting: &str, look: &TendContext<'_>) -> StoreResult<StepSlice> {
    let (ids, next) = waiting.split_once(' ').unwrap_or((waiting, ""));
    let ids: Vec<MemoryId> = ids.split(',').filter_map(|id| id.parse().ok()).collect();
    let mut proposed = Vec::new();
    for summary in tender.store().memories(&ids).await? {
        if summary.status != Status::Active {
            continue;
        }
        let sources = sources(tender, &summary).await?;
        if !is_found(tender, &summary, look).await? {
            let of = RecordRef::memory(&summary.id);
            let change = Change::Remove { of, expect: Expect::Version(summary.version) };
            let why = Proposal { weight: 0, ..Proposal::about(&[&summary.id], "a search does not find it") };
            proposed.push(why.with(change));
            continue;
        }
        let ids: Vec<&MemoryId> = sources.iter().map(|memory| &memory.id).collect();
        let mut archived = Proposal::about(&ids, format!("stands in the summary {}", summary.id));
        archived.weight = sources.len() as u64;
        for memory in sources {
            let superseded_by = Some(summary.id.clone());
            let memory = Memory { status: Status::Archived, superseded_by, updated_at: look.now, ..memory };
            archived = archived.replace(memory);
        }
        proposed.push(archived);
    }
    Ok(StepSlice { proposed, next: Some(next.to_owned()).filter(|next| !next.is_empty()), skipped: None })
}

/// What a summary was made from, as far as it still stands and nobody took it in hand since.
async fn sources(tender: &Tender, summary: &Memory) -> StoreResult<Vec<Memory>> {
    let parents = tender.store().parents(&Node::Memory(summary.id.clone())).await?;
    let ids: Vec<MemoryId> = parents
        .into_iter()
        .filter_map(|node| match node {
            Node::Memory(id) => Some(id),
            _ => None,
        })
        .collect();
    let mut sources = tender.store().memories(&ids).await?;
    let touched = tender.touched(sources.iter()).await?;
    sources.retain(|memory| {
        memory.status == Status::Active && is_compactable(memory) && !touched.contains(memory.id.as_str())
    });
    Ok(sources)
}

async fn is_found(tender: &Tender, summary: &Memory, look: &TendContext<'_>) -> StoreResult<bool> {
    let query = query::plain(&summary.content, look.analyser);
    let filter = Filter {
        agent: Some(summary.agent.clone()),
        user: Some(summary.user.clone()),
        ..Filter::current(look.now)
    };
    let found = tender.store().nominate(Corpus::Memories, &query, &filter, limits::SEARCH_RESULTS).await?;
    Ok(found.iter().any(|nominee| nominee.id == summary.id.as_str()))
}

/// A summary's text, and whose words it is in.
pub struct SummaryText {
    pub text: String,
    pub origin: Origin,
}

/// The tokens of what is taken together.
pub fn weight(group: &[Memory]) -> usize {
    group.iter().map(|memory| tokens::estimate(&memory.content)).sum()
}

/// How long a summary may be: a quarter of what it is of, within bounds.
fn room(group: &[Memory]) -> usize {
    (weight(group) / 4).clamp(limits::SUMMARY_LEAST_TOKENS, limits::SUMMARY_MOST_TOKENS)
}

/// The words of a summary: the model's where there is one and it answers.
pub async fn words(group: &[Memory], model: Option<&dyn ChatModel>, analyser: &Analyser) -> SummaryText {
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
        if let Ok(answer) = model.complete(prompt).await
            && !answer.text.trim().is_empty()
        {
            let text = tokens::cut_to_tokens(answer.text.trim(), limits::SUMMARY_MOST_TOKENS).to_owned();
            return SummaryText { text, origin: Origin::Model };
        }
    }
    SummaryText { text: extracted(group, analyser), origin: Origin::Heuristic }
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
    let text = sentences.collect::<Vec<_>>().join("; ");
    if text.is_empty() { tokens::cut_to_tokens(&group[0].content, room(group)).to_owned() } else { text }
}

/// The memory that stands for a group.
pub fn remembered(group: &[Memory], words: SummaryText, blank: Memory) -> Memory {
    let (first, last) = (&group[0], &group[group.len() - 1]);
    let most = |of: fn(&Memory) -> f32| group.iter().map(of).fold(0.0, f32::max);
    let span = [
        ("summaryOf", group.len().into()),
        ("from", first.created_at.to_string().into()),
        ("until", last.created_at.to_string().into()),
    ];
    Memory {
        scope: first.scope,
        session: first.belonging().session,
        project: first.project.clone(),
        salience: most(|memory| memory.salience),
        confidence: most(|memory| memory.confidence),
        origin: words.origin,
        tags: vec![TAG.to_owned()],
        metadata: span.into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
        content_hash: crate::types::content_hash(&words.text),
        content: words.text,
        ..blank
    }
}
