//! What many memories say together is said once: memories that lie close together in meaning are shown to the core model, and
//! what it sees in them becomes a memory of its own that names what it rests on.
//!
//! An insight is no evidence: it needs three supports, most of its words must be theirs, and it goes when they are forgotten,
//! because it was made from them. Without a model the step is skipped, and says so.

use std::collections::HashSet;

use super::merge::linked;
use super::{Proposal, StepSlice, TendContext, Tender};
use crate::error::StoreResult;
use crate::limits;
use crate::ports::Prompt;
use crate::text::similarity::word_set;
use crate::text::{Analyser, clip, json};
use crate::types::{Change, Corpus, Filter, Job, Kind, LinkKind, Memory, MemoryId, Node, Origin, RecordRef};

/// What an insight is tagged with.
pub const TAG: &str = "insight";

/// The mark of this step in the table of jobs: since when everything was looked at, and where it goes on.
const MARK: &str = "tend derive";

const DERIVE: &str = include_str!("prompts/derive.txt");

/// Memories that must lie together, how close, and how many of them an insight must rest on.
const CLUSTER: usize = 5;
const COSINE: f32 = 0.6;
const SUPPORTS: usize = 3;

/// The share of an insight's words that must be its supports'.
const GROUNDED: f64 = 0.5;

pub(super) async fn plan(tender: &Tender, cursor: &str, look: &TendContext<'_>) -> StoreResult<StepSlice> {
    if tender.tools.model.is_none() {
        return Ok(StepSlice::skipped("there is no core model"));
    }
    if tender.tools.embedder.is_none() {
        return Ok(StepSlice::skipped("there is no embedding model"));
    }
    let known = tender.store().job(MARK).await?;
    let (row, mut asked) = if cursor.is_empty() { begun(known.as_ref()) } else { read(cursor) };
    let since = known.as_ref().and_then(|job| job.last_run_at);
    let page = tender.ours_after(&row).await?;
    let mut used: HashSet<MemoryId> = HashSet::new();
    let mut proposed = Vec::new();
    for (row, memory) in &page.memories {
        let is_old = since.is_some_and(|since| memory.updated_at < since);
        if is_old || used.contains(&memory.id) || asked >= limits::INSIGHTS_ASKED {
            continue;
        }
        let cluster = cluster(tender, *row, memory, &used, look).await?;
        if cluster.len() < CLUSTER {
            continue;
        }
        asked += 1;
        used.extend(cluster.iter().map(|memory| memory.id.clone()));
        proposed.extend(insight(tender, &cluster, look).await);
    }
    let is_enough = asked >= limits::INSIGHTS_ASKED;
    let next = page.next.clone().filter(|_| !is_enough).map(|row| format!("{row} {asked}"));
    if next.is_none() && !look.rehearsing {
        // What was not looked at because enough was asked is where the next pass goes on.
        let (mark, last_run_at) = if is_enough { (Some(row), since) } else { (None, Some(look.now)) };
        let job = Job { name: MARK.to_owned(), due_at: look.now, last_run_at, mark };
        let moved = Proposal { weight: 0, ..Proposal::about(&[], "how far it came") };
        proposed.push(moved.with(Change::PutJob { job }));
    }
    Ok(StepSlice { proposed, next, skipped: None })
}

fn begun(known: Option<&Job>) -> (String, usize) {
    (known.and_then(|job| job.mark.clone()).unwrap_or_default(), 0)
}

fn read(cursor: &str) -> (String, usize) {
    match cursor.split_once(' ') {
        Some((row, asked)) => (row.to_owned(), asked.parse().unwrap_or(0)),
        None => (cursor.to_owned(), 0),
    }
}

/// The memories of the same owner and viewers that lie close to this one and support nothing yet, itself first.
async fn cluster(
    tender: &Tender,
    row: i64,
    memory: &Memory,
    used: &HashSet<MemoryId>,
    look: &TendContext<'_>,
) -> StoreResult<Vec<Memory>> {
    let Some(embedder) = &tender.tools.embedder else { return Ok(Vec::new()) };
    let signature = embedder.signature();
    let own = tender.store().vectors_at(Corpus::Memories, signature, &[row]).await?;
    let Some(own) = own.into_iter().next() else { return Ok(Vec::new()) };
    let filter = Filter::beside(memory, look.now);
    let limit = limits::CLUSTER_MEMORIES;
    let near = tender.store().nominate_near(Corpus::Memories, signature, &own.vector, &filter, limit).await?;
    let close = near.unwrap_or_default().into_iter().filter(|(_, cosine)| *cosine >= COSINE);
    let ids: Vec<MemoryId> = close.filter_map(|(nominee, _)| nominee.id.parse().ok()).collect();
    let links = tender.store().links_of(&ids).await?;
    let supporting: HashSet<&MemoryId> =
        links.iter().filter(|link| link.kind == LinkKind::DerivedFrom).map(|link| &link.to).collect();
    let mut memories = tender.store().memories(&ids).await?;
    memories.retain(|other| {
        !supporting.contains(&other.id)
            && !used.contains(&other.id)
            && !other.tags.iter().any(|tag| tag == TAG)
    });
    Ok(memories)
}

async fn insight(tender: &Tender, cluster: &[Memory], look: &TendContext<'_>) -> Option<Proposal> {
    let ids: Vec<&MemoryId> = cluster.iter().map(|memory| &memory.id).collect();
    if look.rehearsing {
        return Some(Proposal::about(
            &ids,
            format!("{} memories lie together; a model would be asked", ids.len()),
        ));
    }
    let line = |(place, memory): (usize, &Memory)| {
        let content = memory.content.split_whitespace().collect::<Vec<_>>().join(" ");
        format!("{}\n| {}", place + 1, clip(&content, limits::DISTIL_KNOWN_CHARACTERS))
    };
    let lines: Vec<String> = cluster.iter().enumerate().map(line).collect();
    let user = format!("<statements>\n{}\n</statements>\n", lines.join("\n"));
    let max_tokens = limits::INSIGHT_TOKENS;
    let prompt = Prompt { task: "derive", system: DERIVE, user: &user, schema: None, max_tokens };
    let model = tender.tools.model.as_ref()?;
    let answer = model.complete(prompt).await.ok()?;
    let said = judged(&answer.text, cluster, look.analyser)?;
    Some(remembered(tender, said, look))
}

struct DerivedStatement<'a> {
    content: String,
    confidence: f32,
    supports: Vec<&'a Memory>,
}

/// What the model saw, if it rests on enough of what it was shown.
fn judged<'a>(answer: &str, cluster: &'a [Memory], analyser: &Analyser) -> Option<DerivedStatement<'a>> {
    let answer = json::parse(answer).ok()?;
    let content = json::text(answer.get("insight")?)?;
    let content = clip(content.trim(), limits::ANSWER_CONTENT_CHARACTERS);
    let mut places: Vec<usize> = json::list(answer.get("supports")?)
        .into_iter()
        .filter_map(json::number)
        .filter_map(|number| (number as usize).checked_sub(1))
        .collect();
    places.sort_unstable();
    places.dedup();
    let supports: Vec<&Memory> = places.into_iter().filter_map(|place| cluster.get(place)).collect();
    let words = word_set(&content, analyser);
    let told: HashSet<String> =
        supports.iter().flat_map(|memory| word_set(&memory.content, analyser)).collect();
    let grounded = words.iter().filter(|word| told.contains(*word)).count() as f64;
    let holds = !words.is_empty() && grounded / words.len() as f64 >= GROUNDED && supports.len() >= SUPPORTS;
    let confidence = answer.get("confidence").and_then(json::number).unwrap_or(0.6).clamp(0.0, 0.9) as f32;
    holds.then_some(DerivedStatement { content, confidence, supports })
}

fn remembered(tender: &Tender, said: DerivedStatement<'_>, look: &TendContext<'_>) -> Proposal {
    let (clock, first) = (&*tender.tools.clock, said.supports[0]);
    let id = MemoryId::from_uuid(clock.uuid());
    let memory = Memory {
        scope: first.scope,
        session: first.belonging().session,
        project: first.project.clone(),
        confidence: said.confidence,
        salience: said.supports.iter().map(|memory| memory.salience).fold(0.0, f32::max),
        origin: Origin::Model,
        tags: vec![TAG.to_owned()],
        ..Memory::new(id, tender.tools.tenant.clone(), &first.owner(), Kind::Fact, said.content, look.now)
    };
    let supports: Vec<&MemoryId> = said.supports.iter().map(|memory| &memory.id).collect();
    let parents = supports.iter().map(|id| Node::Memory((*id).clone())).collect();
    let child = Node::Memory(memory.id.clone());
    let mut proposed = Proposal::about(&supports, format!("{} memories say it together", supports.len()));
    proposed.of.insert(0, RecordRef::memory(&memory.id));
    let links: Vec<_> = supports
        .iter()
        .map(|id| linked(clock, &memory.id, id, LinkKind::DerivedFrom, 1.0, look.now))
        .collect();
    proposed = proposed.insert(memory).with(Change::Derive { child, parents });
    links.into_iter().fold(proposed, Proposal::insert)
}
