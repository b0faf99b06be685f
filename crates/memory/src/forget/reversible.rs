//! Forgetting that can be undone, besides memories: digests, candidates, overrides, what the graph knows, and what waits.
//!
//! The turns stay: they are never changed, only purged. But a forgotten conversation must not be learned from again, so the
//! marks that say "these turns wait to be distilled" are taken off.

use super::PurgeTarget;
use super::decision::{self, Fate};
use super::progress::name;
use super::redact::ForgetWords;
use crate::error::StoreResult;
use crate::limits;
use crate::ports::ReadStore;
use crate::text::Analyser;
use crate::types::{Change, Expect, Record, RecordKind, SessionKey, Status, Time};
use std::collections::{BTreeMap, HashSet};

/// Changes that go into the same run as the memories', at most `room`, and what they are, by kind.
#[derive(Debug, Default)]
pub struct Besides {
    pub changes: Vec<Change>,
    pub kinds: BTreeMap<String, u64>,
    /// There was no room for all.
    pub more: bool,
    /// Sessions that wait for a model to do them again.
    redo: HashSet<SessionKey>,
}

/// What is forgotten besides the memories that are chosen.
pub async fn besides(
    store: &(impl ReadStore + ?Sized),
    analyser: &Analyser,
    target: &PurgeTarget,
    room: usize,
    now: Time,
) -> StoreResult<Besides> {
    let mut besides = Besides::default();
    if !target.is_about_more_than_memories() {
        return Ok(besides);
    }
    let words = ForgetWords { analyser, query: target.query.as_ref() };
    besides.redo = store.redo(limits::READ_IDS).await?.into_iter().map(|entry| entry.session).collect();
    for kind in [
        RecordKind::Episode,
        RecordKind::Held,
        RecordKind::Override,
        RecordKind::Relation,
        RecordKind::Entity,
        RecordKind::Session,
    ] {
        let mut after = 0;
        loop {
            let rows = store.records_after(kind, after, limits::PURGE_ROWS).await?;
            let Some((last, _)) = rows.last() else { break };
            after = *last;
            for (_, record) in rows.into_iter().filter(|(_, record)| target.reaches(record)) {
                // One record takes two changes at most.
                if besides.changes.len() + 2 > room {
                    besides.more = true;
                    return Ok(besides);
                }
                add(store, &mut besides, target, record, &words, now).await?;
            }
        }
    }
    Ok(besides)
}

async fn add(
    store: &(impl ReadStore + ?Sized),
    besides: &mut Besides,
    target: &PurgeTarget,
    record: Record,
    words: &ForgetWords<'_>,
    now: Time,
) -> StoreResult<()> {
    let whole = target.is_whole();
    let of_one_session = target.filter.session.is_some();
    let kind = record.kind();
    let change = match record {
        Record::Session(session) if whole => return unread(store, besides, &session.key).await,
        Record::Episode(mut episode) if whole && episode.status != Status::Deleted => {
            episode.status = Status::Deleted;
            episode.updated_at = now;
            put(Record::Episode(episode))
        }
        Record::Entity(mut entity) if whole && !of_one_session && entity.status == Status::Active => {
            entity.status = Status::Deleted;
            entity.updated_at = now;
            put(Record::Entity(entity))
        }
        Record::Relation(mut relation) if whole && !of_one_session && relation.status == Status::Active => {
            relation.status = Status::Deleted;
            relation.updated_at = now;
            put(Record::Relation(relation))
        }
        Record::Override(_) if whole && !target.is_whole_identity() => return Ok(()),
        Record::Held(_) | Record::Override(_) if whole || decision::of(&record, words, now) == Fate::Goes => {
            Change::Remove { of: record.reference(), expect: Expect::Version(record.version()) }
        }
        _ => return Ok(()),
    };
    besides.changes.push(change);
    *besides.kinds.entry(name(kind).to_owned()).or_default() += 1;
    Ok(())
}

fn put(record: Record) -> Change {
    let expect = Expect::Version(record.version());
    Change::Put { record, expect }
}

/// What waits to be learned from is not, and what was learned without a model is not learned again.
async fn unread(
    store: &(impl ReadStore + ?Sized),
    besides: &mut Besides,
    key: &SessionKey,
) -> StoreResult<()> {
    let waiting = store.pending_of(key).await?;
    if besides.redo.contains(key) {
        besides.changes.push(Change::ClearRedo { session: key.clone() });
    }
    if !waiting.is_empty() {
        *besides.kinds.entry("pending".to_owned()).or_default() += waiting.len() as u64;
        let turns = waiting.into_iter().map(|waiting| waiting.turn).collect();
        besides.changes.push(Change::ClearPending { turns });
    }
    Ok(())
}

/// How much of what was said stays.
pub async fn conversations(store: &(impl ReadStore + ?Sized), target: &PurgeTarget) -> StoreResult<u64> {
    use crate::types::PageRequest;
    if !target.is_whole() {
        return Ok(0);
    }
    Ok(store.list_turns(&target.conversations(), None, PageRequest::first(1)).await?.total)
}
