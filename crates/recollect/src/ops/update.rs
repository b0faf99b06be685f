//! Change a memory. What is not named stays as it is.
//!
//! The write names the version it was decided on, so that two people who edit at once do not silently undo each other:
//! the second is told.

use memory::ports::WriteStore;
use memory::types::{
    Actor, Batch, Kind, Layer, Memory, MemoryId, Origin, ProjectId, Provenance, RecordRef, Scope, Status,
    Time, content_hash,
};
use serde::{Deserialize, Serialize};

use super::add::{distinct, must_be_visible, scope_for};
use super::{OpContext, show};
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
            valid_from: None,
            valid_until: None,
            expires_at: None,
            by_tool: false,
        }
    }
}

pub(super) async fn update(visit: &OpContext<'_>, request: Box<Update>) -> Result<Updated, Problem> {
    let (expect_version, by_tool) = (request.expect_version, request.by_tool);
    if *request == (Update { expect_version, by_tool, ..Update::of(request.id.clone()) }) {
        let message = "nothing to change is named; expected at least one field";
        return Err(Problem::invalid(message));
    }
    let known = show::find(visit, &request.id).await?;
    if known.status == Status::Deleted {
        return Err(Problem::new(Code::NotFound, format!("memory {} was forgotten", known.id)));
    }
    check_version(&known, request.expect_version)?;
    if request.scope.is_some_and(|scope| scope != known.scope) {
        scope_for(visit, request.scope)?;
    }
    let changed = changed(&known, *request, visit.now);
    must_be_visible(&changed)?;
    let (id, version) = (known.id.clone(), known.version);
    if changed == (Memory { updated_at: visit.now, ..known.clone() }) {
        return Ok(Updated { id, version, changed: false, memory: Box::new(known) });
    }
    let actor = if by_tool { Actor::Tool } else { Actor::Person };
    let written = visit.tenant.apply(Batch::new(actor, visit.now).replace(changed)).await?;
    let version = written.records.first().map_or(version, |(_, version)| *version);
    let memory = Box::new(show::find(visit, &id).await?);
    Ok(Updated { id, version, changed: true, memory })
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
