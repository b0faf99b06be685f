//! What happened and by whom: history, runs, the processing log, leases.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::memory::words;
use super::{Actor, MemoryId, Record, RecordRef, RunId, SessionKey, Time, TurnId};

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
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
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
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
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

/// When something is due, so that a restart neither puts it off nor repeats it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    pub name: String,
    pub due_at: Time,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_run_at: Option<Time>,
    /// How far it has come, for jobs that go through something once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mark: Option<String>,
}

/// What a memory said, word for word, before it was shortened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ArchivedText {
    pub memory: MemoryId,
    pub text: String,
    /// [`super::content_hash`] of the text when it was archived.
    pub hash: String,
    pub archived_at: Time,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_access_at: Option<Time>,
}

/// Somebody asked for an archived text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ArchiveAccess {
    pub memory: MemoryId,
    pub at: Time,
    /// Whether the text was what its hash says.
    pub intact: bool,
}

words! {
    /// What goes when it has been kept long enough, with no way back.
    Kept, "kind of what is kept" {
        /// Archived texts, from when they were last asked for.
        Archives = "archives",
        /// The processing log and the log of accesses to archived texts.
        Logs = "logs",
        /// What was put into prompts.
        Blocks = "blocks",
        /// Records of crises, each from the end of its own time.
        Crises = "crises",
    }
}

words! {
    /// The steps of a pass of upkeep, in the order in which they are taken. The list is closed.
    Step, "step of upkeep" {
        /// What was only to hold for a while is put away.
        Expire = "expire",
        /// Digests that say the same become one.
        Episodes = "episodes",
        /// Memories that say the same become one.
        Merge = "merge",
        /// What keeps coming up gains salience.
        Promote = "promote",
        /// What is recalled together is linked.
        Strengthen = "strengthen",
        /// What many memories say together is said once. Needs a model.
        Derive = "derive",
        /// An event that is asked for again and again becomes a fact.
        Compact = "compact",
        /// Old memories are taken together, where that is switched on.
        Summarise = "summarise" | "summarize",
        /// Long and seldom used texts are shortened; what they said is archived.
        Gist = "gist",
        /// What faded and is not asked for is archived.
        Evict = "evict",
        /// What was kept long enough goes for good.
        Prune = "prune",
        /// Profiles follow what is known.
        Profile = "profile",
        /// Words and vectors are brought in step with the rows.
        Index = "index" | "reindex",
    }
}

words! {
    /// What became of a memory that was recalled.
    Judgement, "judgement" {
        /// The reply made use of it.
        Used = "used" | "positive",
        /// It stood in the prompt and the reply went another way.
        Ignored = "ignored" | "skip",
        /// It is not so, or does not belong there.
        Wrong = "wrong" | "negative",
    }
}

words! {
    /// Who says so.
    JudgedBy, "source of a judgement" {
        /// The words of the reply, compared with those of the memory.
        Overlap = "overlap",
        /// An agent, over the interface.
        Agent = "agent" | "api",
        Person = "person",
    }
}

/// What is said of one memory's use in one reply. Kept apart from memory: it never comes into a prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FeedbackEntry {
    pub memory: MemoryId,
    pub judgement: Judgement,
    pub by: JudgedBy,
    /// The session in which it was recalled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<SessionKey>,
    /// The reply's turn, so that one reply is judged once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<TurnId>,
    pub at: Time,
}

/// How often each was said.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Judgements {
    pub used: u64,
    pub ignored: u64,
    pub wrong: u64,
}

impl Judgements {
    pub fn total(&self) -> u64 {
        self.used + self.ignored + self.wrong
    }
}

/// What a purge says of itself: kinds and numbers, never what was there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Receipt {
    /// The run of the purge.
    pub id: RunId,
    pub at: Time,
    /// What was taken away for good, by kind.
    pub removed: BTreeMap<String, u64>,
    /// What was kept and written anew without it, by kind.
    pub rewritten: BTreeMap<String, u64>,
    /// A keyed hash of the ids that were purged: whoever has the key and the ids can prove that these are they.
    pub hash: String,
    /// What no purge can reach.
    pub beyond: Vec<String>,
}
