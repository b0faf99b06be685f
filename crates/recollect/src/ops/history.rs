//! What happened to a memory: when, by whom, and what it changed.

use memory::ports::ReadStore;
use memory::types::{Actor, HistoryEvent, MemoryId, Record, RecordRef, RunId, Time};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{OpContext, no_memory};
use crate::problem::Problem;

/// Fields that follow from the others and would only repeat what a difference already says.
const BOOKKEEPING: [&str; 3] = ["version", "updated_at", "content_hash"];

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct History {
    pub id: MemoryId,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct MemoryHistory {
    #[schema(value_type = String)]
    pub id: MemoryId,
    /// Oldest first.
    pub events: Vec<MemoryEvent>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct MemoryEvent {
    /// The commit's number in the tenant's change log.
    pub number: u64,
    #[schema(value_type = crate::schema::MomentSchema)]
    pub at: Time,
    #[schema(value_type = crate::schema::ActorWord)]
    pub by: Actor,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub run: Option<RunId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    pub what: EventKind,
    /// The version that the change made; none when it took the memory away.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
    /// Field by field; empty for what was created.
    pub changes: Vec<FieldChange>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum EventKind {
    Created,
    Changed,
    Removed,
    Purged,
}

/// A field before and after; null where it was not there.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct FieldChange {
    pub field: String,
    pub before: Value,
    pub after: Value,
}

pub(super) async fn history(visit: &OpContext<'_>, request: History) -> Result<MemoryHistory, Problem> {
    let events = visit.tenant.history(&RecordRef::memory(&request.id)).await?;
    if events.is_empty() {
        return Err(no_memory(&request.id));
    }
    Ok(MemoryHistory { id: request.id, events: events.into_iter().map(event).collect() })
}

fn event(event: HistoryEvent) -> MemoryEvent {
    let what = match (&event.before, &event.after) {
        _ if event.purged => EventKind::Purged,
        (None, _) => EventKind::Created,
        (Some(_), Some(_)) => EventKind::Changed,
        (Some(_), None) => EventKind::Removed,
    };
    let changes = match (&event.before, &event.after) {
        (Some(before), Some(after)) => difference(before, after),
        _ => Vec::new(),
    };
    let version = event.after.as_ref().map(Record::version);
    MemoryEvent {
        number: event.number,
        at: event.at,
        by: event.by,
        run: event.run,
        reason: event.reason,
        what,
        version,
        changes,
    }
}

fn difference(before: &Record, after: &Record) -> Vec<FieldChange> {
    let (before, after) = (fields(before), fields(after));
    let mut names: Vec<&String> = before.keys().chain(after.keys()).collect();
    names.sort_unstable();
    names.dedup();
    let value = |fields: &Map<String, Value>, name: &str| fields.get(name).cloned().unwrap_or(Value::Null);
    let changes = names.into_iter().filter(|name| !BOOKKEEPING.contains(&name.as_str())).map(|name| {
        FieldChange { field: name.clone(), before: value(&before, name), after: value(&after, name) }
    });
    changes.filter(|change| change.before != change.after).collect()
}

fn fields(record: &Record) -> Map<String, Value> {
    serde_json::from_str(&record.body()).expect("a record's body is a JSON object")
}
