//! The five doors of the core: storage, embedding, the judge of speech, chat, and time.
//!
//! They are object-safe, decided once: which store and which model serves a tenant is chosen at run time, so the core
//! holds `Arc<dyn Store>`. The price is one small allocation per call, which is nothing beside a read of a disk.
//! Reading is apart from writing, because most of the house may only read. A store answers a handful of set-based questions
//! ([`View`], [`questions`](Records)); the typed reads over them ([`ReadStore`]) are written once, here.
//!
//! Contract of every store, which the conformance suite holds it to:
//! - a read sees every batch that any process was told is committed before the read began;
//! - filters are inside the query: asking for five gives five if five exist;
//! - `apply` is all or nothing, and durable when it returns;
//! - ties come back in the order of insertion.

mod judge;
mod questions;
mod reads;

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use async_trait::async_trait;
use uuid::Uuid;

pub use judge::{
    KnownText, MemoryWorth, MessageNeeds, NewStatement, PairReading, SUBJECTS, SentenceReading, SpeechJudge,
    SpeechSort, StatedClause,
};
pub use questions::{
    ItemQuestion, KnownBy, Nominated, Nomination, Proposer, Records, References, ScoringNeeds, Tallied,
    Totals, Turns, Unindexed, UnindexedRow,
};
pub use reads::{ReadStore, RequestView};

use crate::error::{ModelError, StoreResult};
use crate::text::term_number;
use crate::types::{
    AgentId, Batch, Erased, Extent, Filter, HistoryEvent, HybridTime, Item, Job, Page, PageRequest, Part,
    PastChange, Record, RecordKind, RecordRef, Role, SessionKey, Time, Traces, Turn, TurnId, UserId, Written,
};

/// A document that an engine proposes; the core scores it.
#[derive(Debug, Clone, PartialEq)]
pub struct Nominee {
    pub id: String,
    /// The row's place in its corpus: ties keep this order.
    pub row: i64,
}

/// The analysed words of a document, as they were indexed.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct IndexedDocument {
    pub id: String,
    pub row: i64,
    /// Space-separated ranking terms.
    pub terms: String,
    /// How many they are.
    pub length: u32,
    /// Space-separated words as they stand in the text, stop words among them.
    pub surface: String,
    /// The ranking terms as [`term_number`]s, the least first.
    pub numbers: Box<[u64]>,
}

impl IndexedDocument {
    pub fn new(id: String, row: i64, terms: String, length: u32, surface: String) -> Self {
        let mut numbers: Box<[u64]> = terms.split_ascii_whitespace().map(term_number).collect();
        numbers.sort_unstable();
        Self { id, row, terms, length, surface, numbers }
    }
}

/// What BM25 needs to know of a corpus.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Statistics {
    pub documents: u64,
    pub mean_length: f64,
    /// For each term asked for, how many documents have it: as a ranking term, or else as a plain word.
    pub frequencies: HashMap<String, u64>,
}

/// What scoring needs of some rows, read at one moment.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ScoringMaterial {
    pub statistics: Statistics,
    /// In the order of their rows, or as they were asked for.
    pub rows: Vec<Arc<RowMaterial>>,
    /// The rows' vectors may be compared with the question's.
    pub by_meaning: bool,
}

/// What scoring needs of one row, shared with whoever keeps it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RowMaterial {
    pub row: i64,
    /// Nothing of a row without words.
    pub document: Option<IndexedDocument>,
    /// Nothing of a row without a vector of the signature.
    pub vector: Option<Arc<[f32]>>,
    /// Of turns alone: where it stands.
    pub place: Option<TurnPlace>,
    /// Of memories and episodes: the record.
    pub record: Option<Record>,
}

/// The vector of a row as it is stored, shared with whoever keeps it.
#[derive(Debug, Clone, PartialEq)]
pub struct RowVector {
    pub row: i64,
    pub vector: Arc<[f32]>,
}

/// One entry of the tenant's change log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogEntry {
    pub number: u64,
    /// The kind of record, `turn`, `setting` or `pending`.
    pub kind: String,
    pub id: String,
    /// Which installation made the commit, and when by the hybrid clock; nothing of commits that are older than both.
    pub instance: Option<String>,
    pub clock: Option<HybridTime>,
}

/// A place in the transcript: how far from its session's beginning.
#[derive(Debug, Clone, PartialEq)]
pub struct TurnPlace {
    pub id: TurnId,
    pub row: i64,
    pub session: SessionKey,
    /// The session's own number: turns with the same one are of one session.
    pub session_row: i64,
    pub index: u64,
    pub role: Role,
    pub speaker: Option<String>,
    pub at: Time,
}

/// A turn that a client sends again: what it is known by and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct KnownTurn {
    pub external_id: String,
    /// The hash of its text, where it was asked for by that.
    pub text_hash: Option<String>,
    pub session: SessionKey,
    pub index: u64,
    pub role: Role,
    pub at: Time,
    /// Nothing in its session comes after it.
    pub is_last: bool,
    /// The session's first request brought it along: we did not see it being said.
    pub brought: bool,
}

/// What models took over some time.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Usage {
    pub calls: u64,
    pub failed_calls: u64,
    pub input_tokens: u64,
    pub output_tokens: u64,
    /// In the currency of the configured prices; 0 where none are.
    pub cost: f64,
}

/// A session that has something to distil.
#[derive(Debug, Clone, PartialEq)]
pub struct WaitingSession {
    pub session: SessionKey,
    /// Since when its oldest turn waits.
    pub since: Time,
    pub last_turn_at: Time,
    pub turns: u64,
}

/// How much an agent has, and from when to when.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentCount {
    pub agent: AgentId,
    /// Active memories, of all users.
    pub memories: u64,
    pub sessions: u64,
    pub first_at: Time,
    pub last_at: Time,
}

/// How much there is of everything.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Census {
    pub memories: BTreeMap<String, u64>,
    pub memories_by_kind: BTreeMap<String, u64>,
    pub memories_by_layer: BTreeMap<String, u64>,
    pub turns: u64,
    pub sessions: u64,
    pub episodes: u64,
    pub entities: u64,
    pub relations: u64,
    pub links: u64,
    pub held: u64,
    /// Texts that memories had before they were shortened.
    #[serde(default)]
    pub archived_texts: u64,
    pub pending: u64,
    pub dead_letters: u64,
    pub vectors: u64,
    pub history_events: u64,
    pub change_number: u64,
    pub bytes_on_disk: u64,
}

/// A tenant as it stands at one moment, for one request: one number of the change log, one snapshot, one permit to read.
///
/// The first read fixes the moment. The reads of a view come one after the other, and whatever is written meanwhile is in none of
/// them; who wrote and wants to see it takes a new view. A view is not to be held while something outside is waited for (a
/// model, an upstream), because it keeps others from reading and the log from being emptied. Upkeep takes a view for each
/// portion. A store in memory has one connection and no log, so there each read sees the newest.
#[async_trait]
pub trait View: Send + Sync {
    /// The last number of the change log.
    async fn number(&self) -> StoreResult<u64>;

    /// Log entries after `number`, oldest first, at most `limit`. `None` when the log no longer reaches back that
    /// far, and the follower must build itself anew.
    async fn log_after(&self, number: u64, limit: usize) -> StoreResult<Option<Vec<LogEntry>>>;

    /// All that search asks of the corpora before it scores, in one read; an answer for each nomination.
    async fn nominations(&self, asked: Vec<Nomination>) -> StoreResult<Vec<Nominated>>;

    /// Records with their rows.
    async fn records(&self, which: Records) -> StoreResult<Vec<(i64, Record)>>;

    /// A page of memories, sessions, episodes or entities.
    async fn record_page(
        &self,
        kind: RecordKind,
        filter: Filter,
        page: PageRequest,
    ) -> StoreResult<Page<Record>>;

    /// Turns with their rows.
    async fn turn_rows(&self, which: Turns) -> StoreResult<Vec<(i64, Turn)>>;

    /// What was said in the sessions that the filter lets through, by anybody or by one role.
    async fn turn_page(
        &self,
        filter: Filter,
        role: Option<Role>,
        page: PageRequest,
    ) -> StoreResult<Page<Turn>>;

    /// The places of the turns at most `radius` before and after each of these rows in their sessions, themselves included.
    async fn turns_around(&self, rows: Vec<i64>, radius: u64) -> StoreResult<Vec<TurnPlace>>;

    /// Where turns stand that a client sends again.
    async fn turns_known(&self, by: KnownBy) -> StoreResult<Vec<KnownTurn>>;

    /// What stands beside records.
    async fn items(&self, which: ItemQuestion) -> StoreResult<Vec<Item>>;

    /// What happened to a record, oldest first.
    async fn history_of(&self, of: RecordRef) -> StoreResult<Vec<HistoryEvent>>;

    /// What history keeps after this change, in order; what was purged of it is left out.
    async fn history_after(&self, after: (u64, u32), limit: usize) -> StoreResult<Vec<PastChange>>;

    async fn references(&self, which: References) -> StoreResult<Vec<RecordRef>>;

    /// Users who have memories, after this one, in order.
    async fn user_ids_after(&self, after: Option<UserId>, limit: usize) -> StoreResult<Vec<UserId>>;

    /// Sessions with turns that wait and are not dead, the longest waiting first.
    async fn sessions_waiting(&self, limit: usize) -> StoreResult<Vec<WaitingSession>>;

    async fn job_named(&self, name: String) -> StoreResult<Option<Job>>;

    async fn totals(&self, of: Tallied) -> StoreResult<Totals>;

    /// Rows whose words or vectors are missing.
    async fn unindexed(&self, what: Unindexed) -> StoreResult<Vec<UnindexedRow>>;
}

/// What a store must offer to be read; the typed reads of [`ReadStore`] come with it.
#[async_trait]
pub trait Views: Send + Sync {
    /// A view of a moment that its first read fixes. Callers take it by [`ReadStore::view`].
    fn open_view(&self) -> Arc<dyn View>;

    /// The tenant as it stands at this moment, for as long as it is held: what is written meanwhile is not in it.
    async fn snapshot(&self, extent: &Extent) -> StoreResult<Box<dyn Snapshot>>;
}

/// Everything that a tenant held at one moment, as far as the extent goes.
#[async_trait]
pub trait Snapshot: Send {
    /// How many items of this part there are.
    async fn count(&mut self, part: Part) -> StoreResult<u64>;

    /// The items of a part after this place, in the order in which they came into the store, with the place of the last
    /// one; nothing at the end. A page holds at most `limit` items and ends early where they are large.
    async fn page(
        &mut self,
        part: Part,
        after: Option<&str>,
        limit: usize,
    ) -> StoreResult<Option<(String, Vec<Item>)>>;
}

#[async_trait]
pub trait WriteStore: Send + Sync {
    /// Does the whole batch or nothing, durably.
    async fn apply(&self, batch: Batch) -> StoreResult<Written>;

    /// Moves what the log still holds into the database and empties the log, so that purged bytes are gone.
    async fn scrub(&self) -> StoreResult<()>;

    /// The same after a purge, and makes sure of it: looks for what was purged in the files themselves, and writes them anew where
    /// an unused place still has it.
    async fn erase(&self, traces: &Traces) -> StoreResult<Erased>;
}

/// A tenant's store.
pub trait Store: Views + ReadStore + WriteStore {}

impl<T: Views + WriteStore> Store for T {}

/// Turns text into a vector of unit length (or of zeros, where it knows no word of the text).
#[async_trait]
pub trait Embedder: Send + Sync {
    /// `source:model:dimensions`, which names the space the vectors live in.
    fn signature(&self) -> &str;

    fn dimensions(&self) -> usize;

    async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, ModelError>;

    /// Which share of a text's words the model knows, from 0 to 1: how far its opinion of the text can be trusted.
    fn coverage(&self, _text: &str) -> f32 {
        1.0
    }
}

/// What a model is asked.
#[derive(Debug, Clone, Copy)]
pub struct Prompt<'a> {
    /// What the answer is for: `distil`, `gate`, `profile`, `observe`, `reflect`. Goes into the processing log.
    pub task: &'static str,
    pub system: &'a str,
    pub user: &'a str,
    /// The JSON schema of the answer, for servers that can be held to one.
    pub schema: Option<&'a serde_json::Value>,
    pub max_tokens: u32,
}

/// What a model answered, and what it took.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Completion {
    pub text: String,
    pub input_tokens: u64,
    pub output_tokens: u64,
}

/// The core model: answers one prompt. Used to distil and, within the deadline, by the gate; a chat never depends on it.
///
/// Whoever implements it retries, gives up, counts and logs; whoever calls it makes do without when it fails.
#[async_trait]
pub trait ChatModel: Send + Sync {
    /// `provider/model`.
    fn name(&self) -> &str;

    async fn complete(&self, prompt: Prompt<'_>) -> Result<Completion, ModelError>;
}

/// Time and ids, so that tests own both.
pub trait Clock: Send + Sync {
    fn now(&self) -> Time;

    /// A fresh UUIDv7.
    fn uuid(&self) -> Uuid;
}
