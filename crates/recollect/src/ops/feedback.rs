//! Say what became of memories that were recalled: used, ignored or wrong; and what was said of one.
//!
//! What is said is kept apart from memory and never comes into a prompt. It strengthens and weakens; what is called wrong can
//! leave recall altogether ([`doubt`]), and then under a run, so that it can be taken back. Who names no memory means those
//! that the conversation's replies used.

use std::collections::HashSet;

use memory::error::StoreError;
use memory::learn::feedback::doubt::{Doubted, doubt};
use memory::ports::{ReadStore, WriteStore};
use memory::tend::ownership::is_unclaimed;
use memory::types::{
    Actor, AgentId, Batch, Change, Counters, FeedbackEntry, JudgedBy, Judgement, Memory, MemoryId, Owner,
    RecordKind, Run, RunId, RunState, SessionId, SessionKey, Status, TurnId, UserId,
};
use serde::{Deserialize, Serialize};

use super::{OpContext, no_memory, show};
use crate::problem::{Code, Problem};
use crate::{limits, metrics};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Feedback {
    /// Which memories; where none is named, those that the session's replies used.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ids: Vec<MemoryId>,
    pub judgement: Judgement,
    pub by: JudgedBy,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<AgentId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<UserId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<SessionId>,
    /// The reply; asked twice about the same one, the last word counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<TurnId>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FeedbackTaken {
    pub judged: Vec<JudgedMemory>,
    /// What can be undone as a whole, where a memory changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<RunId>,
}

/// A memory as it stands after what was said.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct JudgedMemory {
    pub id: MemoryId,
    pub judgement: Judgement,
    pub status: Status,
    pub confidence: f32,
    pub counters: Counters,
    /// Why it changed, where it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changed: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FeedbackList {
    pub id: MemoryId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FeedbackListed {
    pub id: MemoryId,
    pub counters: Counters,
    /// The latest first.
    pub entries: Vec<FeedbackEntry>,
}

impl Feedback {
    pub fn of(ids: Vec<MemoryId>, judgement: Judgement, by: JudgedBy) -> Self {
        Self { ids, judgement, by, agent: None, user: None, session: None, turn: None }
    }
}

pub(super) async fn feedback(visit: &OpContext<'_>, request: Feedback) -> Result<FeedbackTaken, Problem> {
    check(&request)?;
    for _ in 0..limits::FORGET_ATTEMPTS {
        let entries = match request.ids.is_empty() {
            true => of_session(visit, &request).await?,
            false => of_memories(visit, &request).await?,
        };
        if entries.is_empty() {
            return Ok(FeedbackTaken { judged: Vec::new(), run: None });
        }
        let (batch, run, changed) = batch(visit, &entries).await?;
        match visit.tenant.apply(batch).await {
            Err(StoreError::Conflict { .. }) => continue,
            other => other?,
        };
        for entry in &entries {
            metrics::judged(entry.judgement, entry.by);
        }
        let judged = standing(visit, &entries, &changed).await?;
        return Ok(FeedbackTaken { judged, run });
    }
    Err(Problem::new(Code::Busy, "others keep changing these memories").hint("try again in a moment"))
}

fn check(request: &Feedback) -> Result<(), Problem> {
    if request.by == JudgedBy::Overlap {
        let message =
            "`source`: it is overlap, which the proxy finds out by itself; expected agent or person";
        return Err(Problem::field("source", message));
    }
    if request.ids.len() > limits::JUDGED_AT_ONCE {
        let message =
            format!("{} memories are named; expected at most {}", request.ids.len(), limits::JUDGED_AT_ONCE);
        return Err(Problem::field("memoryIds", message));
    }
    if !request.ids.is_empty() {
        return Ok(());
    }
    if request.session.is_none() {
        let message = "neither a memory nor a session is named; expected `memoryId`, or `sessionId` for what its replies used";
        return Err(Problem::field("memoryId", message));
    }
    if request.judgement == Judgement::Wrong {
        let message = "which memory is wrong is not said; expected `memoryId`";
        return Err(Problem::field("memoryId", message)
            .hint("`GET /api/memory/{id}/feedback` and `recollect show` tell what was recalled"));
    }
    Ok(())
}

async fn of_memories(visit: &OpContext<'_>, request: &Feedback) -> Result<Vec<FeedbackEntry>, Problem> {
    let mut seen = HashSet::new();
    let ids: Vec<MemoryId> = request.ids.iter().filter(|id| seen.insert((*id).clone())).cloned().collect();
    let memories = visit.tenant.memories(&ids).await?;
    let live =
        |id: &MemoryId| memories.iter().find(|memory| memory.id == *id && memory.status != Status::Deleted);
    if let Some(unknown) = ids.iter().find(|id| live(id).is_none()) {
        return Err(no_memory(unknown));
    }
    let entry = |id: &MemoryId| {
        let owner = live(id).map(Memory::owner)?;
        let session = request.session.clone().map(|session| SessionKey::new(&owner, session));
        Some(FeedbackEntry {
            memory: id.clone(),
            judgement: request.judgement,
            by: request.by,
            session,
            turn: request.turn.clone(),
            at: visit.now,
        })
    };
    Ok(ids.iter().filter_map(entry).collect())
}

/// What the replies of a conversation used, as far as their words told: each with its reply.
async fn of_session(visit: &OpContext<'_>, request: &Feedback) -> Result<Vec<FeedbackEntry>, Problem> {
    let Some(session) = request.session.clone() else { return Ok(Vec::new()) };
    let owner = Owner {
        agent: request.agent.clone().unwrap_or_else(AgentId::unnamed),
        user: request.user.clone().unwrap_or_else(UserId::unnamed),
    };
    let key = SessionKey::new(&owner, session);
    let said = visit.tenant.feedback_in(&key, request.turn.as_ref(), memory::limits::JUDGEMENTS_READ).await?;
    let mut known = HashSet::new();
    let used = said.into_iter().filter(|entry| {
        entry.by == JudgedBy::Overlap
            && entry.judgement == Judgement::Used
            && known.insert((entry.memory.clone(), entry.turn.clone()))
    });
    let (judgement, by, at) = (request.judgement, request.by, visit.now);
    Ok(used.take(limits::JUDGED_AT_ONCE).map(|entry| FeedbackEntry { judgement, by, at, ..entry }).collect())
}

/// What is said, what that uses, and what it changes, the last under a run of its own.
async fn batch(
    visit: &OpContext<'_>,
    entries: &[FeedbackEntry],
) -> Result<(Batch, Option<RunId>, Vec<(MemoryId, &'static str)>), Problem> {
    let by_person = entries.first().is_some_and(|entry| entry.by == JudgedBy::Person);
    let mut batch = Batch::new(if by_person { Actor::Person } else { Actor::Tool }, visit.now);
    let mut changed = Vec::new();
    for entry in entries {
        if let Some(Doubted { memory, reason }) = doubted(visit, entry).await? {
            changed.push((memory.id.clone(), reason));
            batch = batch.replace(memory);
        }
        if entry.judgement == Judgement::Used {
            let counts = Counters { last_used_at: Some(visit.now), ..Counters::default() };
            batch = batch.with(Change::AddCounts { memory: entry.memory.clone(), counts });
        }
        batch = batch.with(Change::Judge { entry: entry.clone() });
    }
    let Some((_, reason)) = changed.first() else { return Ok((batch, None, changed)) };
    let run = run(visit, changed.len());
    let id = run.id.clone();
    Ok((batch.because(*reason).in_run(id.clone()).insert(run), Some(id), changed))
}

async fn doubted(visit: &OpContext<'_>, entry: &FeedbackEntry) -> Result<Option<Doubted>, Problem> {
    if entry.judgement != Judgement::Wrong {
        return Ok(None);
    }
    let memory = show::find(visit, &entry.memory).await?;
    let ids = [entry.memory.clone()];
    let said = visit.tenant.feedback_of(&ids, memory::limits::JUDGEMENTS_READ).await?;
    let named = [memory.id.as_str().to_owned()];
    let touched = visit.tenant.touched_by_people(RecordKind::Memory, &named).await?;
    let is_theirs = !is_unclaimed(&memory) || !touched.is_empty();
    Ok(doubt(&memory, &said, entry, is_theirs))
}

fn run(visit: &OpContext<'_>, memories: usize) -> Run {
    Run {
        id: RunId::from_uuid(visit.house.clock.uuid()),
        version: 1,
        job: "feedback".to_owned(),
        state: RunState::Done,
        cursor: None,
        counts: serde_json::Map::from_iter([("memories".to_owned(), memories.into())]),
        started_at: visit.now,
        finished_at: Some(visit.now),
    }
}

async fn standing(
    visit: &OpContext<'_>,
    entries: &[FeedbackEntry],
    changed: &[(MemoryId, &'static str)],
) -> Result<Vec<JudgedMemory>, Problem> {
    let mut seen = HashSet::new();
    let ids: Vec<MemoryId> =
        entries.iter().map(|entry| entry.memory.clone()).filter(|id| seen.insert(id.clone())).collect();
    let mut counters = visit.tenant.counters(&ids).await?;
    let memories = visit.tenant.memories(&ids).await?;
    let judgement = entries.first().map_or(Judgement::Ignored, |entry| entry.judgement);
    let judged = memories.into_iter().map(|memory| JudgedMemory {
        counters: counters.remove(&memory.id).unwrap_or_default(),
        changed: changed.iter().find(|(id, _)| *id == memory.id).map(|(_, reason)| (*reason).to_owned()),
        judgement,
        status: memory.status,
        confidence: memory.confidence,
        id: memory.id,
    });
    Ok(judged.collect())
}

pub(super) async fn list(visit: &OpContext<'_>, request: FeedbackList) -> Result<FeedbackListed, Problem> {
    let memory = show::find(visit, &request.id).await?;
    let ids = [memory.id.clone()];
    let limit = request.limit.unwrap_or(limits::JUDGEMENTS_LISTED).clamp(1, memory::limits::PAGE_ROWS);
    let counters = visit.tenant.counters(&ids).await?.remove(&memory.id).unwrap_or_default();
    Ok(FeedbackListed { entries: visit.tenant.feedback_of(&ids, limit).await?, id: memory.id, counters })
}
