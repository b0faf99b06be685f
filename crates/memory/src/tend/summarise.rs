//! Old memories are taken together, where `autoSummarize` says so: one summary for each owner's memories of a portion.
//!
//! In two portions. The first writes the summary and says what it was made from; the second looks for it by its own words, as
//! a search would, and only when it is found archives what it stands for. A pass that is killed in between finds the summary
//! and goes on.
//!
//! No fact is lost. Without a core model a summary has a line for each memory, and what is said twice has one. A model's words are
//! compared with what they would replace, memory by memory; where a name, a number or most of the words of one are missing the
//! answer is refused and the memories stay as they are. What a person wrote is never put in a model's words.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::ownership::is_summarisable;
use super::{Proposal, StepSlice, TendContext, Tender};
use crate::error::StoreResult;
use crate::limits;
use crate::ports::{ChatModel, Prompt};
use crate::text::similarity::word_set;
use crate::text::{Analyser, fold, query, tokens};
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
    let page = tender.summarisable_after(cursor).await?;
    let mut proposed = Vec::new();
    for group in groups(tender, page.memories, look).await? {
        for portion in portions(group).into_iter().filter(|portion| portion.len() >= LEAST) {
            proposed.extend(summarised(tender, &portion, look).await?);
        }
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
        let page = PageRequest { limit: limits::PAGE_ROWS, offset, order: Order::Newest, counted: false };
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
    let Some(words) = words(group, model, look.analyser).await else { return Ok(None) };
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
    let changed = tender.changed(sources.iter()).await?;
    sources.retain(|memory| {
        memory.status == Status::Active && is_summarisable(memory) && !changed.contains(memory.id.as_str())
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

/// A group in parts that are each worth one summary: about the same matter as far as that is known, and not longer than a prompt
/// has room for.
pub fn portions(mut group: Vec<Memory>) -> Vec<Vec<Memory>> {
    group.sort_by(|left, right| {
        let by = |memory: &Memory| (memory.category.clone(), memory.created_at, memory.id.clone());
        by(left).cmp(&by(right))
    });
    let mut parts: Vec<Vec<Memory>> = Vec::new();
    let mut held = 0;
    for memory in group {
        let size = tokens::estimate(&memory.content) + 1;
        match parts.last_mut() {
            Some(part) if held + size <= limits::SUMMARY_MOST_TOKENS => {
                held += size;
                part.push(memory);
            }
            _ => {
                held = size;
                parts.push(vec![memory]);
            }
        }
    }
    parts
}

/// The words of a summary; none where a model's answer does not say what it would replace.
pub async fn words(
    group: &[Memory],
    model: Option<&dyn ChatModel>,
    analyser: &Analyser,
) -> Option<SummaryText> {
    let (theirs, ours): (Vec<&Memory>, Vec<&Memory>) =
        group.iter().partition(|memory| memory.origin == Origin::Person);
    let by_person = |otherwise| if theirs.is_empty() { otherwise } else { Origin::Person };
    let answer = match model.filter(|_| !ours.is_empty()) {
        Some(model) => answered(&ours, model).await,
        None => None,
    };
    let Some(answer) = answer else {
        let text = lines(group.iter());
        return Some(SummaryText { text, origin: by_person(Origin::Heuristic) });
    };
    let missing = ours.iter().find(|memory| !says(&answer, &memory.content, analyser));
    if missing.is_some() {
        return None;
    }
    let kept = lines(theirs.iter().copied());
    let text = if kept.is_empty() { answer } else { format!("{answer}\n{kept}") };
    Some(SummaryText { text, origin: by_person(Origin::Model) })
}

/// A model's answer; none where it has none.
async fn answered(group: &[&Memory], model: &dyn ChatModel) -> Option<String> {
    let said: Vec<String> = group.iter().map(|memory| format!("- {}", memory.content)).collect();
    let said = said.join("\n");
    let prompt = Prompt {
        task: "summarize",
        system: "Sum up these remembered statements in plain sentences. Every statement must still be said, with its names, \
                 numbers, dates and what is denied. Add nothing. Answer with the sentences alone.",
        user: tokens::cut_to_tokens(&said, limits::SUMMARY_READ_TOKENS),
        schema: None,
        max_tokens: limits::SUMMARY_MOST_TOKENS as u32 * 2,
    };
    let answer = model.complete(prompt).await.ok()?;
    let text = answer.text.trim();
    (!text.is_empty()).then(|| tokens::cut_to_tokens(text, limits::SUMMARY_MOST_TOKENS).to_owned())
}

/// How many of a memory's words a text must have to say it, beside all of its names and numbers.
const SAID: f64 = 0.6;

/// Whether a text says what a memory says.
fn says(text: &str, memory: &str, analyser: &Analyser) -> bool {
    let folded = fold(text);
    let has = |word: &str| contains_word(&folded, &fold(word));
    let mut words =
        memory.split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty());
    // The first word is a capital whatever it is.
    let first = words.next().unwrap_or_default();
    let firmly = |word: &&str| word.starts_with(char::is_uppercase) || word.contains(char::is_numeric);
    let numbered = first.contains(char::is_numeric).then_some(first);
    if !numbered.into_iter().chain(words.filter(firmly)).all(has) {
        return false;
    }
    let (said, wanted) = (word_set(text, analyser), word_set(memory, analyser));
    wanted.intersection(&said).count() as f64 >= SAID * wanted.len() as f64
}

/// Whether a word stands in a text, and not only as a part of a longer number or name.
fn contains_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, found)| {
        let before = text[..at].chars().next_back();
        let after = text[at + found.len()..].chars().next();
        let parts = |side: Option<char>| side.is_some_and(|side| side.is_ascii_alphanumeric());
        !parts(before) && !parts(after)
    })
}

/// A line for each memory, in the order in which they were learned; what is said twice in the same words has one.
fn lines<'a>(group: impl Iterator<Item = &'a Memory>) -> String {
    let mut said = HashSet::new();
    let lines = group.map(|memory| memory.content.split_whitespace().collect::<Vec<_>>().join(" "));
    let new = lines.filter(|line| said.insert(fold(line.trim_end_matches('.'))));
    new.collect::<Vec<_>>().join("\n")
}

/// The memory that stands for a group.
pub fn remembered(group: &[Memory], words: SummaryText, blank: Memory) -> Memory {
    let first = &group[0];
    let times = || group.iter().map(|memory| memory.created_at);
    let most = |of: fn(&Memory) -> f32| group.iter().map(of).fold(0.0, f32::max);
    let span = [
        ("summaryOf", group.len().into()),
        ("from", times().min().unwrap_or(first.created_at).to_string().into()),
        ("until", times().max().unwrap_or(first.created_at).to_string().into()),
    ];
    Memory {
        scope: first.scope,
        session: first.belonging().session,
        project: first.project.clone(),
        category: first
            .category
            .clone()
            .filter(|one| group.iter().all(|memory| memory.category.as_ref() == Some(one))),
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
