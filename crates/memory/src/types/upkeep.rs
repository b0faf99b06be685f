//! What happened and by whom: history, runs, the processing log, leases.

use serde::{Deserialize, Serialize};

use super::memory::words;
use super::{Actor, Record, RecordRef, RunId, Time};

/// One change of one record, written by the store with the change itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HistoryEvent {
    /// The change log's number of the commit.
    pub number: u64,
    pub at: Time,
    pub by: Actor,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<RunId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    pub of: RecordRef,
    /// The record before the change; `None` when the change made it. Also `None` once purged, and then `purged` is set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Record>,
    /// The record after the change; `None` when the change removed it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<Record>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub purged: bool,
}

words! {
    RunState, "run state" {
        Running = "running",
        Done = "done",
        Failed = "failed",
        Undone = "undone",
    }
}

/// One pass of upkeep, or one bulk change by a person: what can be undone as a whole.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Run {
    pub id: RunId,
    pub version: u64,
    pub job: String,
    pub state: RunState,
    /// Where a killed run goes on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
    #[serde(default, skip_serializing_if = "serde_json::Map::is_empty")]
    pub counts: serde_json::Map<String, serde_json::Value>,
    pub started_at: Time,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finished_at: Option<Time>,
}

words! {
    ProcessingOutcome, "outcome" {
        Succeeded = "succeeded",
        Skipped = "skipped",
        Failed = "failed",
    }
}

/// One call of a model or one distillation pass: what it took and how it ended. Never what it was about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ProcessingEntry {
    pub at: Time,
    pub task: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    pub input_tokens: u64,
    pub output_tokens: u64,
    /// In the currency of the configured prices.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub cost: f64,
    pub duration_ms: u64,
    pub outcome: ProcessingOutcome,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

fn is_zero(cost: &f64) -> bool {
    *cost == 0.0
}

/// The right to be the only one at something, until it runs out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lease {
    pub name: String,
    pub holder: String,
    pub until: Time,
}
