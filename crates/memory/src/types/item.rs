//! What moves between stores: everything a tenant holds, one item at a time, in an order in which it can be taken in.
//!
//! An export is a header and items; an import hands the same items to another store ([`super::Change::Restore`]). Items carry what
//! records carry and also what stands beside them: counts, derivations, what waits, history. Keys and secrets are the
//! house's, not the tenant's, and are never among them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::memory::words;
use super::{
    Actor, AgentId, ArchiveAccess, ArchivedText, Block, Corpus, Counters, FeedbackEntry, MemoryId, Node,
    PendingTurn, ProcessingEntry, Receipt, Record, RecordKind, RecordRef, RedoEntry, RunId, SessionId, Time,
    Turn, UserId,
};

words! {
    /// The kinds of items, in the order in which they are written: what others name comes before them. What happened comes
    /// first of all, so that coming in is the last thing that happened to a record.
    Part, "part of an export" {
        History = "history",
        Setting = "setting",
        Agent = "agent",
        Run = "run",
        Session = "session",
        Turn = "turn",
        Veil = "veil",
        Pending = "pending",
        Redo = "redo",
        Held = "held",
        Memory = "memory",
        Counter = "counter",
        Counted = "counted",
        Archive = "archive",
        Access = "access",
        Feedback = "feedback",
        Episode = "episode",
        Entity = "entity",
        Relation = "relation",
        Link = "link",
        Profile = "profile",
        Override = "override",
        Block = "block",
        Derivation = "derivation",
        Vector = "vector",
        Processing = "processing",
        Receipt = "receipt",
    }
}

/// One thing that a tenant holds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "item", rename_all = "snake_case")]
pub enum Item {
    /// A record of any kind that has versions, with its version.
    Record {
        value: Box<Record>,
        /// For a session: the place of the turn that comes next, which the turns that are left do not tell.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        next_index: Option<u64>,
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
        /// How many changes of the same record came before it.
        place: u64,
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
    /// What a run added to a memory's counts, so that it can be taken back.
    Counted {
        run: RunId,
        memory: MemoryId,
        use_count: u64,
        source_count: u64,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        last_used_at: Option<Time>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        last_used_before: Option<Time>,
    },
    Archive {
        value: ArchivedText,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        run: Option<RunId>,
    },
    Access {
        value: ArchiveAccess,
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
    Receipt {
        value: Receipt,
    },
}

impl Item {
    /// Which part of an export it belongs to.
    pub fn part(&self) -> Part {
        match self {
            Item::Record { value, .. } => Part::of(value.kind()),
            Item::Turn { .. } => Part::Turn,
            Item::Setting { .. } => Part::Setting,
            Item::History { .. } => Part::History,
            Item::Counter { .. } => Part::Counter,
            Item::Counted { .. } => Part::Counted,
            Item::Archive { .. } => Part::Archive,
            Item::Access { .. } => Part::Access,
            Item::Feedback { .. } => Part::Feedback,
            Item::Pending { .. } => Part::Pending,
            Item::Redo { .. } => Part::Redo,
            Item::Derivation { .. } => Part::Derivation,
            Item::Block { .. } => Part::Block,
            Item::Vector { .. } => Part::Vector,
            Item::Processing { .. } => Part::Processing,
            Item::Receipt { .. } => Part::Receipt,
        }
    }
}

impl From<Record> for Item {
    fn from(record: Record) -> Self {
        Item::Record { value: Box::new(record), next_index: None }
    }
}

impl Part {
    pub fn of(kind: RecordKind) -> Part {
        match kind {
            RecordKind::Memory => Part::Memory,
            RecordKind::Episode => Part::Episode,
            RecordKind::Session => Part::Session,
            RecordKind::Entity => Part::Entity,
            RecordKind::Relation => Part::Relation,
            RecordKind::Link => Part::Link,
            RecordKind::Held => Part::Held,
            RecordKind::Profile => Part::Profile,
            RecordKind::Override => Part::Override,
            RecordKind::Agent => Part::Agent,
            RecordKind::Run => Part::Run,
            RecordKind::Veil => Part::Veil,
        }
    }

    /// How the house is run rather than what it remembers: only whoever runs it moves these.
    pub fn is_administration(self) -> bool {
        matches!(self, Part::Setting | Part::Agent | Part::Run | Part::Processing | Part::Receipt)
    }
}

/// How much of a tenant is to leave it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Extent {
    /// Only what belongs to one of these agents; empty means all.
    pub agents: Vec<AgentId>,
    /// Nothing of them that the user has with any agent: who asks is bound to the agents and does not share the user.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub agent_only: bool,
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
    /// Settings, agents' records, runs, the processing log and receipts; never of a part of the tenant's memory.
    pub administration: bool,
}

impl Extent {
    /// Everything but what was deleted and what can be computed anew.
    pub fn whole() -> Self {
        Self { conversations: true, administration: true, ..Self::default() }
    }

    /// All there is.
    pub fn everything() -> Self {
        Self { deleted: true, embeddings: true, ..Self::whole() }
    }

    /// Whether nothing at all is left out, apart from what can be computed anew.
    pub fn is_everything(&self) -> bool {
        !self.is_narrowed() && self.deleted && self.conversations && self.administration
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
pub enum RestoredItem {
    /// It was not here and now is.
    New,
    /// It was here already, under its id.
    Known,
    /// A memory with the same content, layer, scope and owner was here under another id, and has its tags too now.
    SameAs { id: MemoryId },
    /// Something it needs is not here: its session, an end of a link.
    Missing { what: String },
    /// Another one stands in its place here, and stays: a live memory with its key, its session's digest.
    Taken { what: String },
}
