//! What moves between stores: everything a tenant holds, one item at a time, in an order in which it can be taken in.
//!
//! An export is a header and items; an import hands the same items to another store ([`super::Change::Restore`]). Items carry what
//! records carry and also what stands beside them: counts, derivations, what waits, history. Keys and secrets are the
//! house's, not the tenant's, and are never among them.

use serde::{Deserialize, Serialize};

use super::memory::words;
use super::{
    Actor, AgentId, ArchivedText, Block, Corpus, Counters, FeedbackEntry, MemoryId, Node, PendingTurn,
    ProcessingEntry, Record, RecordRef, RedoEntry, RunId, SessionId, Time, Turn, UserId,
};

words! {
    /// The kinds of items, in the order in which they are written: what others name comes before them.
    Part, "part of an export" {
        Setting = "setting",
        Agent = "agent",
        Run = "run",
        History = "history",
        Session = "session",
        Turn = "turn",
        Pending = "pending",
        Redo = "redo",
        Held = "held",
        Memory = "memory",
        Counter = "counter",
        Archive = "archive",
        Feedback = "feedback",
        Episode = "episode",
        Entity = "entity",
        Relation = "relation",
        Link = "link",
        Profile = "profile",
        Override = "override",
        Derivation = "derivation",
        Block = "block",
        Vector = "vector",
        Processing = "processing",
    }
}

/// One thing that a tenant holds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "item", rename_all = "snake_case")]
pub enum Item {
    /// A record of any kind that has versions, with its version.
    Record {
        value: Box<Record>,
    },
    Turn {
        value: Box<Turn>,
    },
    Setting {
        name: String,
        value: serde_json::Value,
    },
    /// One change that happened: what was there before it.
    History {
        at: Time,
        by: Actor,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        run: Option<RunId>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
        of: RecordRef,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        before: Option<Box<Record>>,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        purged: bool,
    },
    Counter {
        memory: MemoryId,
        value: Counters,
    },
    Archive {
        value: ArchivedText,
    },
    Feedback {
        value: FeedbackEntry,
    },
    Pending {
        value: PendingTurn,
    },
    Redo {
        value: RedoEntry,
    },
    Derivation {
        child: Node,
        parent: Node,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        run: Option<RunId>,
    },
    Block {
        value: Box<Block>,
    },
    /// A vector with the signature of the model that made it.
    Vector {
        corpus: Corpus,
        id: String,
        signature: String,
        vector: Vec<f32>,
    },
    Processing {
        value: ProcessingEntry,
    },
}

/// How much of a tenant is to leave it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Extent {
    /// Only what belongs to one of these agents; empty means all.
    pub agents: Vec<AgentId>,
    pub user: Option<UserId>,
    pub session: Option<SessionId>,
    /// Made (turns: said; episodes: ended) at or after.
    pub since: Option<Time>,
    /// Made before.
    pub until: Option<Time>,
    /// What is marked deleted or was removed, with its history.
    pub deleted: bool,
    /// Sessions, turns, episodes, and what waits.
    pub conversations: bool,
    pub embeddings: bool,
}

impl Extent {
    /// Everything but what was deleted and what can be computed anew.
    pub fn whole() -> Self {
        Self { conversations: true, ..Self::default() }
    }

    /// Whether anything narrows it to a part of the tenant's memory.
    pub fn is_narrowed(&self) -> bool {
        !self.agents.is_empty()
            || self.user.is_some()
            || self.session.is_some()
            || self.since.is_some()
            || self.until.is_some()
    }
}

/// What became of an item that was to be taken in.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "restored", rename_all = "snake_case")]
pub enum Restored {
    /// It was not here and now is.
    New,
    /// It was here already, under its id.
    Known,
    /// A memory with the same content, layer, scope and owner was here under another id, and has its tags too now.
    SameAs { id: MemoryId },
    /// Something it needs is not here: its session, an end of a link.
    Missing { what: String },
}
