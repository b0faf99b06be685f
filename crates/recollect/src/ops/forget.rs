//! Remove memories, or say what would be removed.
//!
//! Unless confirmed, nothing is changed and the answer is the count and the first lines. Confirmed, they are marked
//! deleted in one run, which history keeps and which can be undone as a whole. With `purge` they are taken out of the
//! database, its search index and its history for good, and the log is emptied so that no byte of them stays behind.

use std::collections::BTreeSet;

use memory::error::StoreError;
use memory::limits::{PAGE_ROWS, READ_IDS};
use memory::ports::{ReadStore, WriteStore};
use memory::text::query::{self, Expression, Query};
use memory::types::{
    Actor, Batch, Change, Corpus, Filter, Memory, MemoryId, Order, PageRequest, RecordRef, Run, RunId,
    RunState, SessionKey, Status, Validity,
};
use serde::{Deserialize, Serialize};

use super::select::Selection;
use super::{Visit, identity, no_memory, search, update};
use crate::limits;
use crate::problem::{Code, Problem};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Forget {
    /// These, and no others.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ids: Vec<MemoryId>,
    /// Refuse unless the one that is named is at this version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expect_version: Option<u64>,
    /// Those that contain all of these words, or what the query's operators say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matching: Option<String>,
    /// Those that these filters let through.
    pub filter: Selection,
    /// Everything that the filters let through, even if there are none.
    pub all: bool,
    /// Do it, instead of saying what would be done.
    pub confirmed: bool,
    /// For good.
    pub purge: bool,
    /// Why, for the history.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Forgotten {
    /// False when the answer only says what would be done.
    pub done: bool,
    pub purged: bool,
    pub count: usize,
    /// More than one call may take match; repeat it.
    pub more: bool,
    /// The first of them, newest first.
    pub first: Vec<Glimpse>,
    /// What can be undone as a whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<RunId>,
}

/// Enough of a memory to recognise it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Glimpse {
    pub id: MemoryId,
    pub content: String,
}

pub(super) async fn forget(visit: &Visit<'_>, request: Forget) -> Result<Forgotten, Problem> {
    check(&request)?;
    for _ in 1..limits::FORGET_ATTEMPTS {
        match attempt(visit, &request).await {
            Err(Failed::Conflict) => continue,
            other => return other.map_err(Problem::from),
        }
    }
    attempt(visit, &request).await.map_err(Problem::from)
}

pub(super) fn check(request: &Forget) -> Result<(), Problem> {
    let filtered = request.filter != Selection::default();
    if request.ids.is_empty() && request.matching.is_none() && !filtered && !request.all {
        let message = "nothing is named; expected ids, a query, a filter, or everything";
        return Err(Problem::invalid(message).hint("unless confirmed, it only says what would be removed"));
    }
    if !request.ids.is_empty() && (request.matching.is_some() || request.all) {
        return Err(Problem::invalid("ids are named beside a query or everything; expected one of them"));
    }
    if request.ids.len() > READ_IDS {
        let message = format!("{} ids are named; expected at most {}", request.ids.len(), READ_IDS);
        return Err(Problem::invalid(message));
    }
    if request.filter.as_of.is_some() || request.filter.known_at.is_some() {
        return Err(Problem::invalid(
            "forget works on what there is today; as_of and known_at cannot be given",
        ));
    }
    Ok(())
}

/// Why an attempt did not go through.
enum Failed {
    /// Somebody changed one of them in the meantime: choose again.
    Conflict,
    Problem(Problem),
}

impl From<Problem> for Failed {
    fn from(problem: Problem) -> Self {
        Failed::Problem(problem)
    }
}

impl From<StoreError> for Failed {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Conflict { .. } => Failed::Conflict,
            error => Failed::Problem(error.into()),
        }
    }
}

impl From<Failed> for Problem {
    fn from(failed: Failed) -> Self {
        match failed {
            Failed::Problem(problem) => problem,
            Failed::Conflict => {
                Problem::new(Code::Busy, "others keep changing these memories").hint("try again in a moment")
            }
        }
    }
}

async fn attempt(visit: &Visit<'_>, request: &Forget) -> Result<Forgotten, Failed> {
    let Chosen { memories, more } = choose(visit, request).await?;
    let glimpse = |memory: &Memory| Glimpse { id: memory.id.clone(), content: memory.content.clone() };
    let first = memories.iter().take(limits::FORGOTTEN_NAMED).map(glimpse).collect();
    let count = memories.len();
    let run = if request.confirmed && count > 0 {
        identity::forgetting(visit, &memories, request.purge).await?;
        let run = remove(visit, memories.clone(), request).await?;
        identity::forgetting(visit, &memories, request.purge).await?;
        Some(run)
    } else {
        None
    };
    if request.confirmed && request.purge {
        scrub(visit).await?;
    }
    let done = request.confirmed;
    Ok(Forgotten { done, purged: done && request.purge, count, more, first, run })
}

struct Chosen {
    memories: Vec<Memory>,
    more: bool,
}

async fn choose(visit: &Visit<'_>, request: &Forget) -> Result<Chosen, Failed> {
    let mut chosen = if !request.ids.is_empty() {
        let memories = by_id(visit, &request.ids).await?;
        let live = memories.iter().find(|memory| memory.status != Status::Deleted);
        live.map_or(Ok(()), |memory| update::check_version(memory, request.expect_version))?;
        Chosen { memories, more: false }
    } else if let Some(query) = &request.matching {
        by_query(visit, query, &filter(request)).await?
    } else {
        walk(visit, &filter(request), |_| true).await?
    };
    if !request.purge {
        chosen.memories.retain(|memory| memory.status != Status::Deleted);
    }
    Ok(chosen)
}

/// Whatever was ever written and is not gone yet: what is superseded or archived can still be found by its time.
pub(super) fn filter(request: &Forget) -> Filter {
    let mut filter = request.filter.filter_at(Validity::Ever);
    if filter.statuses.is_empty() {
        let all = Status::ALL.iter().copied();
        filter.statuses = all.filter(|status| request.purge || *status != Status::Deleted).collect();
    }
    filter
}

async fn by_id(visit: &Visit<'_>, ids: &[MemoryId]) -> Result<Vec<Memory>, Failed> {
    let memories = visit.tenant.memories(ids).await?;
    match ids.iter().find(|id| memories.iter().all(|memory| memory.id != **id)) {
        Some(unknown) => Err(Failed::Problem(no_memory(unknown))),
        None => Ok(memories),
    }
}

/// Plain words are alternatives to a search, which ranks them. Here nothing ranks, so all of them must be there.
async fn by_query(visit: &Visit<'_>, text: &str, filter: &Filter) -> Result<Chosen, Failed> {
    let query = all_words(visit, text)?;
    let nominees = visit.tenant.nominate(Corpus::Memories, &query, filter, limits::FORGOTTEN_AT_ONCE).await?;
    let ids: Vec<MemoryId> = nominees.iter().filter_map(|nominee| nominee.id.parse().ok()).collect();
    let mut memories = visit.tenant.memories(&ids).await?;
    if filter.statuses.contains(&Status::Deleted) {
        // What is deleted is in no index, and must not outlive a purge for that.
        let deleted = Filter { statuses: vec![Status::Deleted], ..filter.clone() };
        let analyser = visit.tenant.analyser();
        let matches = |memory: &Memory| query.matches(&analyser.analyse(&memory.content));
        memories.extend(walk(visit, &deleted, matches).await?.memories);
    }
    let more = memories.len() >= limits::FORGOTTEN_AT_ONCE;
    memories.truncate(limits::FORGOTTEN_AT_ONCE);
    memories.sort_by(|left, right| right.id.cmp(&left.id));
    Ok(Chosen { memories, more })
}

/// How many by_query would choose if a batch had no bound.
pub(super) async fn count_matching(visit: &Visit<'_>, text: &str, filter: &Filter) -> Result<u64, Problem> {
    let query = all_words(visit, text)?;
    let nominees = visit.tenant.nominate(Corpus::Memories, &query, filter, limits::COUNTED_MATCHES).await?;
    Ok(nominees.len() as u64)
}

fn all_words(visit: &Visit<'_>, text: &str) -> Result<Query, Problem> {
    let mut query = query::parse(search::looked_at(text)?, visit.tenant.analyser());
    if let Expression::Any(words) = query.expression {
        query.expression = match words.len() {
            0 => Expression::Any(words),
            _ => Expression::And(words.into_iter().map(Expression::Word).collect()),
        };
    }
    Ok(query)
}

/// What the filter lets through and `wanted` agrees to, newest first, as many as one batch takes.
async fn walk(
    visit: &Visit<'_>,
    filter: &Filter,
    wanted: impl Fn(&Memory) -> bool,
) -> Result<Chosen, Failed> {
    let mut memories = Vec::new();
    let mut offset = 0;
    loop {
        let page = PageRequest { limit: PAGE_ROWS, offset, order: Order::Newest };
        let items = visit.tenant.list_memories(filter, page).await?.items;
        let last = items.len() < PAGE_ROWS;
        offset += items.len();
        memories.extend(items.into_iter().filter(|memory| wanted(memory)));
        if last || memories.len() > limits::FORGOTTEN_AT_ONCE {
            break;
        }
    }
    let more = memories.len() > limits::FORGOTTEN_AT_ONCE;
    memories.truncate(limits::FORGOTTEN_AT_ONCE);
    Ok(Chosen { memories, more })
}

/// One batch with the run that did it.
async fn remove(visit: &Visit<'_>, memories: Vec<Memory>, request: &Forget) -> Result<RunId, Failed> {
    let purge = request.purge;
    let run = Run {
        id: RunId::from_uuid(visit.house.clock.uuid()),
        version: 1,
        job: if purge { "purge" } else { "forget" }.to_owned(),
        state: RunState::Done,
        cursor: None,
        counts: serde_json::Map::from_iter([("memories".to_owned(), memories.len().into())]),
        started_at: visit.now,
        finished_at: Some(visit.now),
    };
    let id = run.id.clone();
    if purge {
        leave_unread(visit, &memories).await?;
    }
    let mut batch = Batch::new(Actor::Person, visit.now).in_run(id.clone()).insert(run);
    if let Some(reason) = &request.reason {
        batch = batch.because(reason.clone());
    }
    for memory in memories {
        batch = if purge {
            batch.with(Change::Purge { of: RecordRef::memory(&memory.id) })
        } else {
            batch.replace(Memory { status: Status::Deleted, updated_at: visit.now, ..memory })
        };
    }
    visit.tenant.apply(batch).await?;
    Ok(id)
}

/// Of what is purged nothing is left that a model could be held to, so it does not read those conversations again.
async fn leave_unread(visit: &Visit<'_>, memories: &[Memory]) -> Result<(), Failed> {
    let of =
        |memory: &Memory| memory.session.clone().map(|session| SessionKey::new(&memory.owner(), session));
    let sessions: BTreeSet<SessionKey> = memories.iter().filter_map(of).collect();
    let mut batch = Batch::new(Actor::Person, visit.now);
    batch.changes = sessions.into_iter().map(|session| Change::ClearRedo { session }).collect();
    if !batch.changes.is_empty() {
        visit.tenant.apply(batch).await?;
    }
    Ok(())
}

/// Empties the log. A reader or another process may hold it for a moment, so this is tried for a while; a purge that
/// left a trace must not say that it is done.
async fn scrub(visit: &Visit<'_>) -> Result<(), Problem> {
    let deadline = tokio::time::Instant::now() + limits::SCRUB_WITHIN;
    loop {
        match visit.tenant.scrub().await {
            Err(StoreError::Busy(_)) if tokio::time::Instant::now() < deadline => {
                tokio::time::sleep(limits::SCRUB_AGAIN_AFTER).await;
            }
            Err(StoreError::Busy(_)) => {
                let message =
                    "the memories are gone, but traces of them are still in the log, which others keep open";
                return Err(
                    Problem::new(Code::Busy, message).hint("repeat the command when the others are done")
                );
            }
            other => return other.map_err(Problem::from),
        }
    }
}
