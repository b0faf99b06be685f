//! The one door's vocabulary: what can be written, as a closed list.
//!
//! A caller builds a [`Batch`] and hands it to the store, which does all of it or none of it, writes the history of
//! each change itself, and gives the commit the next number of the tenant's change log. A change that was decided on
//! a read names the version it read ([`Expect::Version`]); if somebody was faster, the whole batch is refused.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::memory::words;
use super::{
    Agent, Block, Counters, CrisisId, CrisisNote, Entity, Episode, Erasure, FeedbackEntry, HeldCandidate,
    Item, Job, Kept, Link, Memory, MemoryId, Mend, Node, Override, ProcessingEntry, ProfileVersion, Receipt,
    Relation, RestoredItem, Run, RunId, Session, SessionKey, Time, Turn, TurnId, Veil,
};

words! {
    /// The kinds of records that have versions and history.
    RecordKind, "record kind" {
        Memory = "memory",
        Episode = "episode",
        Session = "session",
        Entity = "entity",
        Relation = "relation",
        Link = "link",
        Held = "held",
        Profile = "profile",
        Override = "override",
        Agent = "agent",
        Run = "run",
        Veil = "veil",
    }
}

/// Any record, whole.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "record", rename_all = "snake_case")]
pub enum Record {
    Memory(Box<Memory>),
    Episode(Box<Episode>),
    Session(Box<Session>),
    Entity(Box<Entity>),
    Relation(Box<Relation>),
    Link(Box<Link>),
    Held(Box<HeldCandidate>),
    Profile(Box<ProfileVersion>),
    Override(Box<Override>),
    Agent(Box<Agent>),
    Run(Box<Run>),
    Veil(Box<Veil>),
}

/// Gives each record its kind, id, version and JSON body, so that stores handle them all alike.
macro_rules! records {
    ($($variant:ident($type:ty) by $id:expr;)+) => {
        impl Record {
            pub fn kind(&self) -> RecordKind {
                match self { $( Record::$variant(_) => RecordKind::$variant ),+ }
            }

            pub fn id(&self) -> String {
                match self { $( Record::$variant(record) => { let id: fn(&$type) -> String = $id; id(record) } ),+ }
            }

            pub fn version(&self) -> u64 {
                match self { $( Record::$variant(record) => record.version ),+ }
            }

            pub fn set_version(&mut self, version: u64) {
                match self { $( Record::$variant(record) => record.version = version ),+ }
            }

            /// The record as a JSON object, without the tag that names its kind.
            pub fn body(&self) -> String {
                let body = match self { $( Record::$variant(record) => serde_json::to_string(record) ),+ };
                body.expect("records contain nothing that JSON cannot hold")
            }

            /// Reads a body written by [`Record::body`].
            pub fn from_body(kind: RecordKind, body: &str) -> Result<Record, serde_json::Error> {
                Ok(match kind { $( RecordKind::$variant => Record::$variant(serde_json::from_str(body)?) ),+ })
            }
        }

        $(
            impl From<$type> for Record {
                fn from(record: $type) -> Record {
                    Record::$variant(Box::new(record))
                }
            }

            impl TryFrom<Record> for $type {
                type Error = Record;

                fn try_from(record: Record) -> Result<$type, Record> {
                    match record { Record::$variant(record) => Ok(*record), other => Err(other) }
                }
            }
        )+
    };
}

records! {
    Memory(Memory) by |record| record.id.as_str().to_owned();
    Episode(Episode) by |record| record.id.as_str().to_owned();
    Session(Session) by |record| record.key.to_string();
    Entity(Entity) by |record| record.id.as_str().to_owned();
    Relation(Relation) by |record| record.id.as_str().to_owned();
    Link(Link) by |record| record.id.as_str().to_owned();
    Held(HeldCandidate) by |record| record.id.as_str().to_owned();
    Profile(ProfileVersion) by |record| record.id.as_str().to_owned();
    Override(Override) by |record| record.id.as_str().to_owned();
    Agent(Agent) by |record| record.id.as_str().to_owned();
    Run(Run) by |record| record.id.as_str().to_owned();
    Veil(Veil) by |record| record.id.as_str().to_owned();
}

impl Record {
    pub fn reference(&self) -> RecordRef {
        RecordRef { kind: self.kind(), id: self.id() }
    }
}

/// Which record.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub struct RecordRef {
    pub kind: RecordKind,
    pub id: String,
}

impl RecordRef {
    pub fn memory(id: &MemoryId) -> Self {
        Self { kind: RecordKind::Memory, id: id.as_str().to_owned() }
    }

    pub fn session(key: &SessionKey) -> Self {
        Self { kind: RecordKind::Session, id: key.to_string() }
    }
}

impl fmt::Display for RecordRef {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} {}", self.kind, self.id)
    }
}

words! {
    /// The three bodies of text that can be searched.
    Corpus, "corpus" {
        Memories = "memories" | "pinned",
        Episodes = "episodes",
        Turns = "turns" | "transcript",
    }
}

/// Who makes a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Actor {
    Person,
    Model,
    Heuristic,
    Tool,
    Import,
    Tend,
}

impl fmt::Display for Actor {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(match self {
            Actor::Person => "person",
            Actor::Model => "model",
            Actor::Heuristic => "heuristic",
            Actor::Tool => "tool",
            Actor::Import => "import",
            Actor::Tend => "tend",
        })
    }
}

/// What must be there for a write to go through.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Expect {
    /// Nothing with this id.
    Absent,
    /// Exactly this version.
    Version(u64),
    /// Whatever is there.
    Any,
}

/// One change. The list is closed: a store that knows these knows everything.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "change", rename_all = "snake_case")]
pub enum Change {
    /// Write the record whole. The store sets its version: 1, or one more than what it replaces.
    Put {
        record: Record,
        expect: Expect,
    },
    /// Write a memory under its key: where the owner has a live one with that key, its content is replaced, metadata
    /// is merged key by key, tags are united, and id and created_at stay.
    Upsert {
        memory: Box<Memory>,
    },
    /// Write a memory unless its owner has a live one with the same content, layer and scope: then that one gains the tags
    /// and metadata it lacks, and nothing else changes.
    AddNew {
        memory: Box<Memory>,
    },
    /// Take the record away. History keeps what it was, so that it can come back.
    Remove {
        of: RecordRef,
        expect: Expect,
    },
    /// Take the record away for good: row, search terms, vector, counters, derivations, and what history says of it.
    Purge {
        of: RecordRef,
    },
    /// Append turns to their sessions, making the session where it is new and reopening it where it had ended. A turn
    /// whose external id its session already has is left out. `pending` marks them as waiting to be distilled.
    AppendTurns {
        turns: Vec<Turn>,
        pending: bool,
    },
    /// What is said in this session teaches its agent alone, from now on.
    BindSession {
        session: SessionKey,
    },
    /// Take turns away for good, with their search terms, vectors, pending marks and derivations.
    PurgeTurns {
        turns: Vec<TurnId>,
    },
    /// These turns have been distilled.
    ClearPending {
        turns: Vec<TurnId>,
    },
    /// A pass over these turns failed; at `cap` failures they are dead letters.
    FailPending {
        turns: Vec<TurnId>,
        error: String,
        cap: u32,
    },
    /// Dead letters are tried again.
    RevivePending {
        session: SessionKey,
    },
    /// Distilled without a model, either because none was chosen or because it failed, which `error` then says: a model that failed
    /// gets another chance by itself, one that comes later when somebody asks for it.
    PutRedo {
        session: SessionKey,
        since: Time,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        error: Option<String>,
    },
    ClearRedo {
        session: SessionKey,
    },
    /// A model could not do the session either; at `cap` failures it is left to a person to try again.
    FailRedo {
        session: SessionKey,
        error: String,
        cap: u32,
    },
    /// What was put before a message. Also says that the block was made from what it names; a block whose sources are
    /// forgotten loses its text in the same commit.
    PutBlock {
        block: Box<Block>,
    },
    /// `child` was made from `parents`.
    Derive {
        child: Node,
        parents: Vec<Node>,
    },
    /// The vector of a memory, an episode or a turn, under the signature of the model that made it.
    PutVector {
        corpus: Corpus,
        id: String,
        signature: String,
        vector: Vec<f32>,
    },
    /// The same, unless there is one of this signature: whoever fills in what is missing may be late.
    FillVector {
        corpus: Corpus,
        id: String,
        signature: String,
        vector: Vec<f32>,
    },
    /// These memories were shown to somebody. Counts; changes nothing else.
    Touch {
        memories: Vec<MemoryId>,
        at: Time,
    },
    /// One more episode says it.
    CountSource {
        memory: MemoryId,
    },
    /// What a memory that says this is about, as the judge of speech hears it, where nobody said so: no new version and no line of
    /// history, because nothing that anybody wrote changes. A memory that says something else by now, or has a category, stays as it is.
    Classify {
        memory: MemoryId,
        content_hash: String,
        category: String,
        sensitive: bool,
    },
    /// A setting of this tenant; `None` takes it back to its default.
    SetSetting {
        name: String,
        value: Option<serde_json::Value>,
    },
    Log {
        entry: ProcessingEntry,
    },
    /// When a job is due, and how far it has come.
    PutJob {
        job: Job,
    },
    /// Adds another memory's counts, which it takes over. Kept by the batch's run, so that it can be taken back.
    AddCounts {
        memory: MemoryId,
        counts: Counters,
    },
    /// Keeps what a memory says word for word, before it is shortened in the same batch. Where there is an older text of
    /// it, that one stays: it says more.
    Archive {
        memory: MemoryId,
        text: String,
    },
    /// Somebody asked for an archived text, and found it as its hash says or not.
    LogAccess {
        memory: MemoryId,
        intact: bool,
    },
    /// Takes back what a run did outside of records: counts that it added, derivations and archived texts.
    TakeBack {
        run: RunId,
    },
    /// Takes away for good what is older, at most `limit` rows of it.
    Prune {
        what: Kept,
        before: Time,
        limit: u64,
    },
    /// Splits the texts of these rows anew, or takes words away that no row stands behind.
    Reindex {
        corpus: Corpus,
        rows: Vec<i64>,
    },
    /// Takes in something that another store held, as it was there: id, version, times and place are kept. Nothing that is here
    /// is changed by it, except that with `unite` a memory whose like is here gives its tags to that one instead of coming in.
    Restore {
        item: Box<Item>,
        unite: bool,
    },
    /// What became of a memory that was recalled. One reply judges a memory once for each source; the last word counts.
    Judge {
        entry: FeedbackEntry,
    },
    /// What a purge did, without what it was about.
    PutReceipt {
        receipt: Receipt,
    },
    /// That somebody spoke of harm to themselves. Kept apart from memory, and not in the change log.
    NoteCrisis {
        note: Box<CrisisNote>,
    },
    /// Takes records of crises away for good.
    RemoveCrises {
        ids: Vec<CrisisId>,
    },
    /// Takes text for good out of what stays.
    Erase {
        what: Erasure,
    },
    /// Puts something right that is computed from something else.
    Mend {
        what: Mend,
    },
}

/// Changes that belong together: all of them happen or none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Batch {
    pub by: Actor,
    pub at: Time,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<RunId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    pub changes: Vec<Change>,
}

impl Batch {
    pub fn new(by: Actor, at: Time) -> Self {
        Self { by, at, run: None, reason: None, changes: Vec::new() }
    }

    pub fn because(mut self, reason: impl Into<String>) -> Self {
        self.reason = Some(reason.into());
        self
    }

    pub fn in_run(mut self, run: RunId) -> Self {
        self.run = Some(run);
        self
    }

    pub fn with(mut self, change: Change) -> Self {
        self.changes.push(change);
        self
    }

    /// A record that must not be there yet.
    pub fn insert(self, record: impl Into<Record>) -> Self {
        self.with(Change::Put { record: record.into(), expect: Expect::Absent })
    }

    /// A record that replaces the version it carries.
    pub fn replace(self, record: impl Into<Record>) -> Self {
        let record = record.into();
        let expect = Expect::Version(record.version());
        self.with(Change::Put { record, expect })
    }
}

/// What a batch came to.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Written {
    /// The commit's number in the tenant's change log. A batch that changed nothing repeats the last one.
    pub number: u64,
    /// The records written, in the order of their changes, with the id and version they now have.
    pub records: Vec<(RecordRef, u64)>,
    /// The turns appended; those already known are not among them.
    pub turns: Vec<TurnId>,
    /// Turns left out because their session had them.
    pub known_turns: u64,
    /// Rows taken away by removes and purges.
    pub removed: u64,
    /// What became of each item that was to be taken in, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub restored: Vec<RestoredItem>,
}
