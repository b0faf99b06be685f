//! Make one memory of several: tags united, links re-pointed, the sources superseded by it.
//!
//! All of it is one batch under one run, with the versions that were read: two who merge at once cannot both succeed on
//! the same sources, and the run can be undone as a whole.

use memory::error::StoreError;
use memory::ports::{ReadStore, WriteStore};
use memory::tend::merge::taken_over;
use memory::types::{Actor, Batch, Memory, MemoryId, Origin, Run, RunId, RunState, Status, content_hash};
use serde::{Deserialize, Serialize};

use super::add::distinct;
use super::{OpContext, no_memory};
use crate::limits;
use crate::problem::{Code, Problem};

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Merge {
    /// At least two, of one owner.
    pub ids: Vec<MemoryId>,
    /// What the merged memory says; the sources' sentences one after the other unless said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    /// An assistant does it with a tool, and no person.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub by_tool: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Merged {
    pub id: MemoryId,
    /// How many memories it replaces.
    pub sources: usize,
    /// What can be undone as a whole.
    pub run: RunId,
}

pub(super) async fn merge(visit: &OpContext<'_>, request: Merge) -> Result<Merged, Problem> {
    let mut ids = request.ids;
    ids.sort();
    ids.dedup();
    if ids.len() > limits::MERGED_AT_ONCE {
        let message =
            format!("{} memories are named; expected at most {}", ids.len(), limits::MERGED_AT_ONCE);
        return Err(Problem::field("traceIds", message));
    }
    for _ in 0..limits::FORGET_ATTEMPTS {
        let sources = sources(visit, &ids).await?;
        let merged = united(visit, &sources, request.content.as_deref())?;
        let (run, id, count) = (RunId::from_uuid(visit.house.clock.uuid()), merged.id.clone(), sources.len());
        let mut batch = batch(visit, &run, merged, sources).await?;
        if request.by_tool {
            batch.by = Actor::Tool;
        }
        match visit.tenant.apply(batch).await {
            Err(StoreError::Conflict { .. }) => continue,
            other => other?,
        };
        return Ok(Merged { id, sources: count, run });
    }
    Err(Problem::new(Code::Busy, "others keep changing these memories").hint("try again in a moment"))
}

/// The active ones among those that are named, which must be at least two and of one owner.
async fn sources(visit: &OpContext<'_>, ids: &[MemoryId]) -> Result<Vec<Memory>, Problem> {
    let mut known = visit.tenant.memories(ids).await?;
    if let Some(unknown) = ids.iter().find(|id| known.iter().all(|memory| memory.id != **id)) {
        return Err(no_memory(unknown));
    }
    known.retain(|memory| memory.status == Status::Active);
    let [first, rest @ ..] = known.as_slice() else { return Err(too_few(0)) };
    if rest.is_empty() {
        return Err(too_few(1));
    }
    if rest.iter().any(|other| other.belonging() != first.belonging()) {
        let message =
            "they are not all of one user with one agent, or not seen by the same; expected that they are";
        return Err(Problem::field("traceIds", message));
    }
    Ok(known)
}

fn too_few(active: usize) -> Problem {
    let message = format!("{active} of the memories that are named are active; expected at least two");
    Problem::field("traceIds", message).hint("what is superseded, archived or forgotten cannot be merged")
}

fn united(visit: &OpContext<'_>, sources: &[Memory], content: Option<&str>) -> Result<Memory, Problem> {
    let first = sources.first().expect("at least two were asked for");
    let content = content.map_or_else(|| together(sources), |content| content.trim().to_owned());
    let most = |of: fn(&Memory) -> f32| sources.iter().map(of).fold(0.0, f32::max);
    let by_person = sources.iter().any(|source| source.origin == Origin::Person);
    let mut metadata = serde_json::Map::new();
    for source in sources {
        metadata.extend(source.metadata.clone());
    }
    let same_session = sources.iter().all(|source| source.session == first.session);
    let lasting = sources.iter().any(|source| source.expires_at.is_none());
    let merged = Memory {
        id: visit.memory_id(),
        version: 1,
        key: sources.iter().find_map(|source| source.key.clone()),
        session: first.session.clone().filter(|_| same_session),
        content_hash: content_hash(&content),
        subject: None,
        predicate: None,
        object: None,
        evidence: sources.iter().find_map(|source| source.evidence.clone()),
        confidence: most(|memory| memory.confidence),
        salience: most(|memory| memory.salience),
        strength: most(|memory| memory.strength),
        pinned: sources.iter().any(|source| source.pinned),
        origin: if by_person { Origin::Person } else { first.origin },
        tags: distinct(sources.iter().flat_map(|source| source.tags.clone()).collect()),
        metadata,
        valid_from: sources.iter().filter_map(|source| source.valid_from).min(),
        valid_until: None,
        expires_at: sources.iter().filter_map(|source| source.expires_at).max().filter(|_| !lasting),
        created_at: visit.now,
        updated_at: visit.now,
        content,
        ..first.clone()
    };
    memory::validate::memory(&merged)?;
    Ok(merged)
}

/// The sentences one after the other, each once.
fn together(sources: &[Memory]) -> String {
    let mut said: Vec<&str> = Vec::new();
    for source in sources {
        let sentence = source.content.trim();
        if said.iter().all(|known| !known.eq_ignore_ascii_case(sentence)) {
            said.push(sentence);
        }
    }
    let ended = |sentence: &&str| sentence.ends_with(['.', '!', '?', '。', '…']);
    let sentences = said.iter().map(|sentence| match ended(&sentence.trim()) {
        true => (*sentence).to_owned(),
        false => format!("{sentence}."),
    });
    sentences.collect::<Vec<_>>().join(" ")
}

async fn batch(
    visit: &OpContext<'_>,
    run: &RunId,
    merged: Memory,
    sources: Vec<Memory>,
) -> Result<Batch, Problem> {
    let ids: Vec<MemoryId> = sources.iter().map(|source| source.id.clone()).collect();
    let record = Run {
        id: run.clone(),
        version: 1,
        job: "merge".to_owned(),
        state: RunState::Done,
        cursor: None,
        counts: serde_json::Map::from_iter([("memories".to_owned(), sources.len().into())]),
        started_at: visit.now,
        finished_at: Some(visit.now),
    };
    let reason = format!("merged into {}", merged.id);
    let mut batch = Batch::new(Actor::Person, visit.now).in_run(run.clone()).because(reason).insert(record);
    // The sources go first: the merged memory may take over a key of theirs.
    for source in sources {
        let superseded_by = Some(merged.id.clone());
        let superseded =
            Memory { status: Status::Superseded, superseded_by, updated_at: visit.now, ..source };
        batch = batch.replace(superseded);
    }
    let into = merged.id.clone();
    batch = batch.insert(merged);
    let (now, clock) = (visit.now, &*visit.house.clock);
    batch.changes.extend(taken_over(&visit.tenant, &into, &ids, now, clock).await?);
    Ok(batch)
}
