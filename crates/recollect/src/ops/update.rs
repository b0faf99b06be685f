//! Change a memory, or several as one. What is not named stays as it is.
//!
//! The write names the versions it was decided on, so that two people who edit at once do not silently undo each other:
//! the second is told. Several memories are one batch: all of them are changed, or none is.

use std::collections::BTreeMap;

use memory::learn::classify;
use memory::ports::{ReadStore, WriteStore};
use memory::types::{
    Actor, Batch, Kind, Layer, Memory, MemoryId, Origin, ProjectId, Provenance, RecordRef, Scope, Status,
    Time, content_hash,
};
use serde::{Deserialize, Serialize};

use super::add::{distinct, must_be_visible, scope_for};
use super::{OpContext, no_memory};
use crate::limits;
use crate::problem::{Code, Problem};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Update {
    pub id: MemoryId,
    /// Refuse unless it is at this version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expect_version: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<Kind>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layer: Option<Layer>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<Scope>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<ProjectId>,
    /// Empty takes it away.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provenance: Option<Provenance>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sensitive: Option<bool>,
    /// Its stable name; empty takes it away.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// Instead of the tags it has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tags: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub add_tags: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remove_tags: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pinned: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub predicate: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub object: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<String>,
    /// Merged into what is there; a null takes its key away.
    #[serde(default, skip_serializing_if = "serde_json::Map::is_empty")]
    pub metadata: serde_json::Map<String, serde_json::Value>,
    /// The metadata stands instead of what is there.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub replaces_metadata: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub valid_from: Option<TimeChange>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub valid_until: Option<TimeChange>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<TimeChange>,
    /// An assistant does it with a tool, and no person.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_tool: bool,
}

/// A time to set, or none to take away.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TimeChange {
    At(Time),
    Never,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Updated {
    pub id: MemoryId,
    pub version: u64,
    /// False when it already was what was asked for.
    pub changed: bool,
    /// As it is now.
    pub memory: Box<Memory>,
}

/// Several changes in one transaction.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UpdateMany {
    /// In this order, where one memory is named twice.
    pub updates: Vec<Update>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct UpdatedMany {
    /// One for each change that was asked for, in the same order.
    pub updated: Vec<Updated>,
}

impl Update {
    /// An update that changes nothing yet.
    pub fn of(id: MemoryId) -> Self {
        Self {
            id,
            expect_version: None,
            content: None,
            kind: None,
            layer: None,
            scope: None,
            project: None,
            category: None,
            provenance: None,
            sensitive: None,
            key: None,
            tags: None,
            add_tags: Vec::new(),
            remove_tags: Vec::new(),
            pinned: None,
            subject: None,
            predicate: None,
            object: None,
            evidence: None,
            metadata: serde_json::Map::new(),
            replaces_metadata: false,
            valid_from: None,
            valid_until: None,
            expires_at: None,
            by_tool: false,
        }
    }
}

pub(super) async fn update(visit: &OpContext<'_>, request: Box<Update>) -> Result<Updated, Problem> {
    let updated = in_one_batch(visit, vec![*request]).await?;
    updated.into_iter().next().ok_or_else(|| Problem::ours("an update has no answer"))
}

pub(super) async fn update_many(visit: &OpContext<'_>, request: UpdateMany) -> Result<UpdatedMany, Problem> {
    let count = request.updates.len();
    if !(1..=limits::BATCH_MEMORIES).contains(&count) {
        let message = format!("{count} changes are asked for; expected from 1 to {}", limits::BATCH_MEMORIES);
        return Err(Problem::invalid(message));
    }
    Ok(UpdatedMany { updated: in_one_batch(visit, request.updates).await? })
}

async fn in_one_batch(visit: &OpContext<'_>, requests: Vec<Update>) -> Result<Vec<Updated>, Problem> {
    requests.iter().try_for_each(must_change_something)?;
    let ids: Vec<MemoryId> = requests.iter().map(|request| request.id.clone()).collect();
    let known = by_id(visit, &ids).await?;
    let by_tool = requests.iter().any(|request| request.by_tool);
    let mut drafts = known.clone();
    for request in requests {
        let draft = drafts.get_mut(&request.id).ok_or_else(|| no_memory(&request.id))?;
        *draft = drafted(visit, draft, request)?;
    }
    let differs = |draft: &Memory| {
        let before = known.get(&draft.id).cloned();
        before.is_none_or(|before| *draft != (Memory { updated_at: visit.now, ..before }))
    };
    let changed: BTreeMap<MemoryId, Memory> =
        drafts.into_iter().filter(|(_, draft)| differs(draft)).collect();
    if !changed.is_empty() {
        let actor = if by_tool { Actor::Tool } else { Actor::Person };
        let mut batch = Batch::new(actor, visit.now);
        for draft in changed.values() {
            batch = batch.replace(draft.clone());
        }
        visit.tenant.apply(batch).await?;
    }
    let now = if changed.is_empty() { known } else { by_id(visit, &ids).await? };
    let updated = |id: MemoryId| -> Result<Updated, Problem> {
        let memory = now.get(&id).cloned().ok_or_else(|| no_memory(&id))?;
        let (version, changed) = (memory.version, changed.contains_key(&id));
        Ok(Updated { id, version, changed, memory: Box::new(memory) })
    };
    ids.into_iter().map(updated).collect()
}

fn must_change_something(request: &Update) -> Result<(), Problem> {
    let (expect_version, by_tool) = (request.expect_version, request.by_tool);
    if *request == (Update { expect_version, by_tool, ..Update::of(request.id.clone()) }) {
        let message = "nothing to change is named; expected at least one field";
        return Err(Problem::invalid(message));
    }
    Ok(())
}

/// The memories that are named, whatever their status; those that are not there are left out.
async fn by_id(visit: &OpContext<'_>, ids: &[MemoryId]) -> Result<BTreeMap<MemoryId, Memory>, Problem> {
    let found = visit.tenant.memories(ids).await?;
    Ok(found.into_iter().map(|memory| (memory.id.clone(), memory)).collect())
}

/// A memory as it is to be, where the change may be made at all.
fn drafted(visit: &OpContext<'_>, known: &Memory, request: Update) -> Result<Memory, Problem> {
    if known.status == Status::Deleted {
        return Err(Problem::new(Code::NotFound, format!("memory {} was forgotten", known.id)));
    }
    check_version(known, request.expect_version)?;
    if request.scope.is_some_and(|scope| scope != known.scope) {
        scope_for(visit, request.scope)?;
    }
    let said = Said { category: request.category.is_some(), sensitive: request.sensitive.is_some() };
    let mut draft = changed(known, request, visit.now);
    classify_again(visit, known, &mut draft, said);
    must_be_visible(&draft)?;
    Ok(draft)
}

/// What a request says of a memory's matter itself.
#[derive(Debug, Clone, Copy)]
struct Said {
    category: bool,
    sensitive: bool,
}

/// A category that was heard in the old words follows the new ones; one that somebody gave stays. Who says whether a memory is private has
/// the last word.
fn classify_again(visit: &OpContext<'_>, known: &Memory, draft: &mut Memory, said: Said) {
    let heard = |content: &str| classify::matter_of(&*visit.house.judge, content);
    let says_else = draft.content_hash != known.content_hash;
    // What nobody has heard yet is heard afterwards, and no line of history is made of it.
    let unheard = known.category.is_none() && !said.sensitive;
    if said.category || unheard || !(said.sensitive || says_else) {
        return;
    }
    let by_judge = known.category.as_ref().is_none_or(|category| {
        says_else && heard(&known.content).is_some_and(|matter| matter.category == category)
    });
    let Some(matter) = heard(&draft.content).filter(|_| by_judge) else { return };
    draft.category = Some(matter.category.to_owned());
    draft.sensitive |= matter.sensitive && !said.sensitive;
}

pub(super) fn check_version(known: &Memory, expected: Option<u64>) -> Result<(), Problem> {
    match expected {
        Some(expected) if expected != known.version => {
            let of = RecordRef::memory(&known.id);
            let message = format!("{of} is at version {}, not at {expected}", known.version);
            let hint =
                format!("somebody changed it in the meantime; `recollect show {}` says to what", known.id);
            Err(Problem::new(Code::Conflict, message).hint(hint))
        }
        _ => Ok(()),
    }
}

fn changed(known: &Memory, request: Update, now: Time) -> Memory {
    let mut memory = Memory { updated_at: now, ..known.clone() };
    if let Some(content) = request.content {
        memory.content = content.trim().to_owned();
        memory.content_hash = content_hash(&memory.content);
        // Rewritten by a person, it is theirs, whoever wrote it first; an assistant makes nothing a person's own.
        memory.origin = if request.by_tool { Origin::Tool } else { Origin::Person };
    }
    memory.kind = request.kind.unwrap_or(memory.kind);
    memory.layer = request.layer.unwrap_or(memory.layer);
    memory.scope = request.scope.unwrap_or(memory.scope);
    memory.project = request.project.or(memory.project);
    set_text(&mut memory.category, request.category);
    memory.provenance = request.provenance.or(memory.provenance);
    memory.sensitive = request.sensitive.unwrap_or(memory.sensitive);
    memory.pinned = request.pinned.unwrap_or(memory.pinned);
    set_text(&mut memory.key, request.key);
    let tags = request.tags.unwrap_or(memory.tags);
    memory.tags = distinct(tags.into_iter().chain(request.add_tags).collect());
    memory.tags.retain(|tag| request.remove_tags.iter().all(|removed| removed.trim() != tag));
    set_text(&mut memory.subject, request.subject);
    set_text(&mut memory.predicate, request.predicate);
    set_text(&mut memory.object, request.object);
    set_text(&mut memory.evidence, request.evidence);
    if request.replaces_metadata {
        memory.metadata.clear();
    }
    for (name, value) in request.metadata {
        if value.is_null() {
            memory.metadata.remove(&name);
        } else {
            memory.metadata.insert(name, value);
        }
    }
    set_time(&mut memory.valid_from, request.valid_from);
    set_time(&mut memory.valid_until, request.valid_until);
    set_time(&mut memory.expires_at, request.expires_at);
    memory
}

/// An empty text takes the field away.
fn set_text(field: &mut Option<String>, given: Option<String>) {
    if let Some(text) = given {
        *field = Some(text).filter(|text| !text.trim().is_empty());
    }
}

fn set_time(field: &mut Option<Time>, given: Option<TimeChange>) {
    match given {
        Some(TimeChange::At(time)) => *field = Some(time),
        Some(TimeChange::Never) => *field = None,
        None => {}
    }
}
