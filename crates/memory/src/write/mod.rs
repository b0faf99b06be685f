//! What a write means: which memory counts as the same, what survives when two statements meet, what a record must have
//! before it is taken in.
//!
//! Every function here is pure. A store reads the record that stands, asks one of these functions, and writes the answer; so
//! a second store cannot decide differently. What a purge takes along is [`crate::forget::cascade`]'s, what search sees of a
//! record is [`searchable`]'s, and what is left of a turn of which something is forgotten [`veiled`]'s.

pub mod searchable;
pub mod veiled;

#[cfg(test)]
mod tests;

use crate::error::{StoreError, StoreResult};
use crate::limits;
use crate::types::{
    Actor, Expect, Memory, Node, Origin, Record, RecordKind, RecordRef, Role, Status, TenantId, Time, Turn,
    content_hash,
};

/// Whether the standing memory already says what the new one says: the same content and layer, belonging to the same, and alive.
pub fn is_same(standing: &Memory, new: &Memory) -> bool {
    standing.status == Status::Active
        && content_hash(&standing.content) == content_hash(&new.content)
        && standing.layer == new.layer
        && standing.belonging() == new.belonging()
}

/// The standing memory with a new statement under its key. What a person wrote stays as they wrote it, unless a person
/// restates it: then only tags, metadata and the time of the change move.
pub fn restate(mut standing: Memory, new: &Memory, by: Actor) -> Memory {
    standing.metadata.extend(new.metadata.clone());
    unite_tags(&mut standing.tags, &new.tags);
    standing.updated_at = new.updated_at;
    let persons = standing.pinned || standing.origin == Origin::Person;
    if persons && by != Actor::Person {
        return standing;
    }
    Memory {
        id: standing.id,
        version: standing.version,
        created_at: standing.created_at,
        metadata: standing.metadata,
        tags: standing.tags,
        pinned: standing.pinned || new.pinned,
        salience: standing.salience.max(new.salience),
        stability_days: standing.stability_days.max(new.stability_days),
        ..new.clone()
    }
}

/// The standing memory with the tags and metadata of the same memory said again; nothing where it has them all. Metadata that
/// would not fit together stays as it stands.
pub fn widen(standing: &Memory, new: &Memory) -> Option<Memory> {
    let mut wider = standing.clone();
    unite_tags(&mut wider.tags, &new.tags);
    for (name, value) in &new.metadata {
        wider.metadata.entry(name.clone()).or_insert_with(|| value.clone());
    }
    if crate::validate::memory(&wider).is_err() {
        wider.metadata.clone_from(&standing.metadata);
    }
    wider.pinned |= new.pinned;
    if wider == *standing {
        return None;
    }
    wider.updated_at = new.updated_at;
    Some(wider)
}

/// The standing memory with what the judge of speech hears it to be about; nothing where somebody said so already, or where it says
/// something else than the judge heard. What a person called private stays so.
pub fn classified(standing: Memory, heard: &str, category: &str, sensitive: bool) -> Option<Memory> {
    let unsaid = standing.category.is_none() && standing.content_hash == heard;
    let sensitive = standing.sensitive || sensitive;
    unsaid.then(|| Memory { category: Some(category.to_owned()), sensitive, ..standing })
}

/// The standing memory with the tags of the same memory from another store; nothing where it has them all.
pub fn unite(standing: &Memory, other: &Memory, at: Time) -> Option<Memory> {
    let mut wider = standing.clone();
    unite_tags(&mut wider.tags, &other.tags);
    if wider.tags == standing.tags {
        return None;
    }
    wider.updated_at = at;
    Some(wider)
}

/// Adds as many of the new tags as one memory may have: what is united must be able to come in again elsewhere.
fn unite_tags(tags: &mut Vec<String>, new: &[String]) {
    for tag in new {
        if tags.len() < limits::TAGS && !tags.contains(tag) {
            tags.push(tag.clone());
        }
    }
}

/// Gives a record what only its store knows: a memory's tenant, the hash of its content, numbers within their ranges.
pub fn settle(record: &mut Record, tenant: &TenantId) {
    if let Record::Memory(memory) = record {
        memory.tenant = tenant.clone();
        memory.content_hash = content_hash(&memory.content);
        memory.clamp();
    }
}

/// Whether a write may go through, and the version that it makes. `standing` is the version that is there.
pub fn next_version(of: &RecordRef, expect: Expect, standing: Option<u64>) -> StoreResult<u64> {
    let conflict = |expected: String, found: u64| {
        Err(StoreError::Conflict { of: of.clone(), expected, found: found.to_string() })
    };
    match (expect, standing) {
        (Expect::Absent, Some(found)) => conflict("nothing".to_owned(), found),
        (Expect::Version(_), None) => Err(StoreError::NotFound(of.clone())),
        (Expect::Version(expected), Some(found)) if expected != found => {
            conflict(expected.to_string(), found)
        }
        (_, standing) => Ok(standing.map_or(1, |version| version + 1)),
    }
}

/// A uniqueness rule would break: two live memories under one key, two active episodes of a session. The caller solves it.
pub fn place_taken(of: &RecordRef) -> StoreError {
    let (expected, found) = match of.kind {
        RecordKind::Memory => ("no other live memory with its key", "one"),
        RecordKind::Episode => ("no other active episode of its session", "one"),
        _ => ("its place to be free", "another record"),
    };
    StoreError::Conflict { of: of.clone(), expected: expected.into(), found: found.into() }
}

/// Why a record from another store has no place here, for a person.
pub fn why_taken(record: &Record) -> String {
    match record {
        Record::Memory(memory) if memory.key.is_some() => {
            let key = memory.key.as_deref().unwrap_or_default();
            format!("another live memory of the same owner has the key `{key}`")
        }
        Record::Episode(_) => "its session has another active digest".to_owned(),
        Record::Profile(profile) => format!("the user has another profile number {}", profile.number),
        _ => "expected its place to be free".to_owned(),
    }
}

/// The records without which this one says nothing: both ends of a link or a relation.
pub fn ends(record: &Record) -> Vec<RecordRef> {
    let of = |kind: RecordKind, ids: [&str; 2]| {
        ids.into_iter().map(|id| RecordRef { kind, id: id.to_owned() }).collect()
    };
    match record {
        Record::Link(link) => of(RecordKind::Memory, [link.from.as_str(), link.to.as_str()]),
        Record::Relation(relation) => {
            of(RecordKind::Entity, [relation.subject.as_str(), relation.object.as_str()])
        }
        _ => Vec::new(),
    }
}

/// The record that a parent must still be for something to be made from it: what was purged meanwhile must not live on in what
/// was made from it. Parents of other kinds may be gone.
pub fn must_stand(parent: &Node) -> Option<RecordRef> {
    let kind = match parent {
        Node::Turn(_) => RecordKind::Session,
        Node::Memory(_) => RecordKind::Memory,
        _ => return None,
    };
    Some(RecordRef { kind, id: parent.id().to_owned() })
}

/// The last thing that history says of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LastEvent {
    pub by_import: bool,
    /// The version before it; nothing where the record was not there.
    pub before: Option<u64>,
    pub purged: bool,
}

/// Whether the last thing that is known to have happened to a record made it this version: then its coming in changes nothing.
pub fn leads_to(last: LastEvent, version: u64) -> bool {
    !last.purged
        && match last.before {
            None => version == 1 || last.by_import,
            // Coming in changes nothing; taking away leaves the same version behind, but is never an import's doing.
            Some(before) => before + 1 == version || (before == version && last.by_import),
        }
}

/// Whether a new turn reopens a session that had ended. What comes from elsewhere was said long ago: a conversation that was
/// over there is over here.
pub fn reopens(by: Actor) -> bool {
    by != Actor::Import
}

/// How many of the turns that a session begins with were brought along: those before the user's latest words, where some of them are
/// replies. A reply that is answered through us comes behind them.
pub fn brought(beginning: &[Turn]) -> u64 {
    let Some(latest) = beginning.iter().rposition(|turn| turn.role == Role::User) else { return 0 };
    let answered = beginning[..latest].iter().any(|turn| turn.role == Role::Assistant);
    if answered { latest as u64 } else { 0 }
}

/// The place of a turn from another store in its session: its own, or the end where the conversation has gone on here.
pub fn turn_place(wanted: u64, is_taken: bool, next: u64) -> u64 {
    if is_taken { next } else { wanted }
}
