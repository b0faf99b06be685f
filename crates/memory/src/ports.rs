//! The four doors of the core: storage, embedding, chat, and time.
//!
//! They are object-safe, decided once: which store and which model serves a tenant is chosen at run time, so the core
//! holds `Arc<dyn Store>`. The price is one small allocation per call, which is nothing beside a read of a disk.
//! Reading is apart from writing, because most of the house may only read.
//!
//! Contract of every store, which the conformance suite holds it to:
//! - a read sees every batch that any process was told is committed before the read began;
//! - filters are inside the query: asking for five gives five if five exist;
//! - `apply` is all or nothing, and durable when it returns;
//! - ties come back in the order of insertion.

use std::collections::{BTreeMap, HashMap, HashSet};

use async_trait::async_trait;
use uuid::Uuid;

use crate::error::{ModelError, StoreResult};
use crate::text::query::Query;
use crate::types::{
    Agent, AgentId, ArchiveAccess, ArchivedText, Batch, Block, Corpus, Counters, Entity, Episode, Erased,
    Extent, FeedbackEntry, Filter, HeldCandidate, HistoryEvent, Item, Job, Judgements, Kept, Link, Memory,
    MemoryId, Node, Override, Owner, Page, PageRequest, Part, Past, PendingTurn, ProcessingEntry,
    ProfileVersion, Receipt, Record, RecordKind, RecordRef, RedoEntry, Relation, Role, Run, RunId, Session,
    SessionKey, Time, Traces, Turn, TurnId, UserId, Written,
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
pub struct Document {
    pub id: String,
    pub row: i64,
    /// Space-separated ranking terms.
    pub terms: String,
    /// How many they are.
    pub length: u32,
    /// Space-separated words as they stand in the text, stop words among them.
    pub surface: String,
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
pub struct Material {
    pub statistics: Statistics,
    pub documents: Vec<Document>,
    pub vectors: Vec<StoredVector>,
}

/// A vector as it is stored.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredVector {
    pub row: i64,
    pub id: String,
    pub vector: Vec<f32>,
}

/// One entry of the tenant's change log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogEntry {
    pub number: u64,
    /// The kind of record, `turn`, `setting` or `pending`.
    pub kind: String,
    pub id: String,
}

/// A place in the transcript: how far from its session's beginning.
#[derive(Debug, Clone, PartialEq)]
pub struct TurnPlace {
    pub id: TurnId,
    pub row: i64,
    pub session: SessionKey,
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

#[async_trait]
pub trait ReadStore: Send + Sync {
    /// The last number of the change log.
    async fn head(&self) -> StoreResult<u64>;

    /// Log entries after `number`, oldest first, at most `limit`. `None` when the log no longer reaches back that
    /// far, and the follower must build itself anew.
    async fn changes_since(&self, number: u64, limit: usize) -> StoreResult<Option<Vec<LogEntry>>>;

    /// The memories with these ids, in this order; unknown ids are left out.
    async fn memories(&self, ids: &[MemoryId]) -> StoreResult<Vec<Memory>>;

    async fn list_memories(&self, filter: &Filter, page: PageRequest) -> StoreResult<Page<Memory>>;

    async fn counters(&self, ids: &[MemoryId]) -> StoreResult<HashMap<MemoryId, Counters>>;

    /// Documents of the corpus that match the query's words, best first by the engine's own ranking.
    async fn nominate(
        &self,
        corpus: Corpus,
        query: &Query,
        filter: &Filter,
        limit: usize,
    ) -> StoreResult<Vec<Nominee>>;

    /// The last tier: documents whose text contains the given words as they are, newest first.
    async fn nominate_like(
        &self,
        corpus: Corpus,
        words: &[String],
        filter: &Filter,
        limit: usize,
    ) -> StoreResult<Vec<Nominee>>;

    /// The newest documents that the filter lets through.
    async fn nominate_recent(
        &self,
        corpus: Corpus,
        filter: &Filter,
        limit: usize,
    ) -> StoreResult<Vec<Nominee>>;

    /// Documents whose vectors of this signature lie nearest to the question, with their exact cosine, best first. `None`
    /// while the vectors are still being loaded, or where there are too many for the engine: keywords answer alone.
    async fn nominate_near(
        &self,
        corpus: Corpus,
        signature: &str,
        question: &[f32],
        filter: &Filter,
        limit: usize,
    ) -> StoreResult<Option<Vec<(Nominee, f32)>>>;

    /// Which of these rows the filter lets through, for candidates that come from outside the store.
    async fn admit(&self, corpus: Corpus, rows: &[i64], filter: &Filter) -> StoreResult<Vec<Nominee>>;

    async fn statistics(&self, corpus: Corpus, terms: &[String]) -> StoreResult<Statistics>;

    /// The analysed words of these rows; rows that are gone are left out.
    async fn documents(&self, corpus: Corpus, rows: &[i64]) -> StoreResult<Vec<Document>>;

    /// Statistics, documents and, where a signature is given, vectors, in one read.
    async fn material(
        &self,
        corpus: Corpus,
        rows: &[i64],
        terms: &[String],
        signature: Option<&str>,
    ) -> StoreResult<Material>;

    async fn turns(&self, ids: &[TurnId]) -> StoreResult<Vec<Turn>>;

    /// The turns at these rows.
    async fn turns_at(&self, rows: &[i64]) -> StoreResult<Vec<(i64, Turn)>>;

    /// The places of the turns at most `radius` before and after each of these rows in their sessions, themselves included.
    async fn neighbours(&self, rows: &[i64], radius: u64) -> StoreResult<Vec<TurnPlace>>;

    async fn session(&self, key: &SessionKey) -> StoreResult<Option<Session>>;

    async fn list_sessions(&self, filter: &Filter, page: PageRequest) -> StoreResult<Page<Session>>;

    /// What was said in the sessions that the filter lets through, by anybody or by one role.
    async fn list_turns(
        &self,
        filter: &Filter,
        role: Option<Role>,
        page: PageRequest,
    ) -> StoreResult<Page<Turn>>;

    /// The turns of a session, in order, from `from_index` on.
    async fn session_turns(&self, key: &SessionKey, from_index: u64, limit: usize) -> StoreResult<Vec<Turn>>;

    async fn episodes(&self, ids: &[String]) -> StoreResult<Vec<Episode>>;

    /// The session's active episode.
    async fn episode_of(&self, key: &SessionKey) -> StoreResult<Option<Episode>>;

    async fn list_episodes(&self, filter: &Filter, page: PageRequest) -> StoreResult<Page<Episode>>;

    /// Active entities of the owners the filter names.
    async fn list_entities(&self, filter: &Filter, page: PageRequest) -> StoreResult<Page<Entity>>;

    /// Active entities with this name or alias, whatever its case.
    async fn entities_named(&self, name: &str) -> StoreResult<Vec<Entity>>;

    async fn entities(&self, ids: &[String]) -> StoreResult<Vec<Entity>>;

    /// Active relations that touch any of these entities.
    async fn relations_of(&self, entities: &[String]) -> StoreResult<Vec<Relation>>;

    /// Links that touch any of these memories.
    async fn links_of(&self, memories: &[MemoryId]) -> StoreResult<Vec<Link>>;

    async fn held(&self, key: &SessionKey) -> StoreResult<Vec<HeldCandidate>>;

    /// Turns that wait, oldest first.
    async fn pending(&self, limit: usize) -> StoreResult<Vec<PendingTurn>>;

    /// The turns of one session that wait, dead letters among them.
    async fn pending_of(&self, key: &SessionKey) -> StoreResult<Vec<PendingTurn>>;

    /// Sessions with turns that wait and are not dead, the longest waiting first.
    async fn waiting_sessions(&self, limit: usize) -> StoreResult<Vec<WaitingSession>>;

    /// Sessions that have not ended and whose last turn is older than this, oldest first.
    async fn idle_sessions(&self, before: Time, limit: usize) -> StoreResult<Vec<SessionKey>>;

    /// What is held of an owner, over all sessions, newest first.
    async fn held_of(&self, owner: &Owner, limit: usize) -> StoreResult<Vec<HeldCandidate>>;

    /// The owner's active memories under any of these keys.
    async fn memories_by_key(&self, owner: &Owner, keys: &[String]) -> StoreResult<Vec<Memory>>;

    async fn redo(&self, limit: usize) -> StoreResult<Vec<RedoEntry>>;

    async fn profile(&self, user: &UserId) -> StoreResult<Option<ProfileVersion>>;

    async fn profile_versions(&self, user: &UserId) -> StoreResult<Vec<ProfileVersion>>;

    async fn overrides(&self, user: &UserId) -> StoreResult<Vec<Override>>;

    async fn agents(&self) -> StoreResult<Vec<Agent>>;

    async fn agent(&self, id: &AgentId) -> StoreResult<Option<Agent>>;

    /// What every agent that appears anywhere, with a record or without, has: ordered by its id.
    async fn agent_counts(&self) -> StoreResult<Vec<AgentCount>>;

    /// Tokens of a session's turns that wait and are not dead.
    async fn pending_tokens(&self, key: &SessionKey) -> StoreResult<u64>;

    async fn runs(&self, limit: usize) -> StoreResult<Vec<Run>>;

    /// What happened to a record, oldest first.
    async fn history(&self, of: &RecordRef) -> StoreResult<Vec<HistoryEvent>>;

    /// What a run did, oldest first.
    async fn history_of_run(&self, run: &RunId) -> StoreResult<Vec<HistoryEvent>>;

    /// What this was made from.
    async fn parents(&self, child: &Node) -> StoreResult<Vec<Node>>;

    /// What was made from this.
    async fn children(&self, parent: &Node) -> StoreResult<Vec<Node>>;

    /// Vectors of one signature with a row above `after`, in row order.
    async fn vectors(
        &self,
        corpus: Corpus,
        signature: &str,
        after: i64,
        limit: usize,
    ) -> StoreResult<Vec<StoredVector>>;

    /// The vectors of one signature at these rows.
    async fn vectors_at(
        &self,
        corpus: Corpus,
        signature: &str,
        rows: &[i64],
    ) -> StoreResult<Vec<StoredVector>>;

    /// Rows that have no vector of this signature yet, with their texts.
    async fn without_vector(
        &self,
        corpus: Corpus,
        signature: &str,
        limit: usize,
    ) -> StoreResult<Vec<(String, String)>>;

    /// Settings that this tenant has set.
    async fn settings(&self) -> StoreResult<BTreeMap<String, serde_json::Value>>;

    async fn processing_log(&self, limit: usize) -> StoreResult<Vec<ProcessingEntry>>;

    /// What models took since then.
    async fn usage_since(&self, since: Time) -> StoreResult<Usage>;

    /// The blocks that stand before the messages of these hashes, dropped ones among them; unknown hashes are left out.
    async fn blocks(&self, hashes: &[String]) -> StoreResult<Vec<Block>>;

    /// Where turns with these external ids stand, in whichever session, the latest turn first.
    async fn places_of(&self, external_ids: &[String]) -> StoreResult<Vec<KnownTurn>>;

    /// The latest turns of the assistant whose whole text has this hash ([`crate::types::content_hash`]), the latest first.
    async fn replies_like(&self, text_hashes: &[String], limit: usize) -> StoreResult<Vec<KnownTurn>>;

    /// Memories of the user, over all agents, that were made or changed since then, at most `limit`, the newest first.
    async fn learned_of(&self, user: &UserId, since: Time, limit: usize) -> StoreResult<Vec<Memory>>;

    async fn census(&self) -> StoreResult<Census>;

    /// Active memories with a row above `after`, in row order: a walk that nothing shifts under the feet of.
    async fn memories_after(&self, after: i64, limit: usize) -> StoreResult<Vec<(i64, Memory)>>;

    /// Active episodes with a row above `after`, in row order.
    async fn episodes_after(&self, after: i64, limit: usize) -> StoreResult<Vec<(i64, Episode)>>;

    /// Active memories whose content has one of these hashes, in row order.
    async fn memories_by_hash(&self, hashes: &[String]) -> StoreResult<Vec<(i64, Memory)>>;

    /// Users who have memories, after this one, in order.
    async fn users_after(&self, after: Option<&UserId>, limit: usize) -> StoreResult<Vec<UserId>>;

    /// Of these records, those that a person made or changed.
    async fn touched_by_people(&self, kind: RecordKind, ids: &[String]) -> StoreResult<HashSet<String>>;

    async fn run(&self, id: &RunId) -> StoreResult<Option<Run>>;

    /// The records that a run changed, after this one, in order of kind and id.
    async fn records_of_run(
        &self,
        run: &RunId,
        after: Option<&RecordRef>,
        limit: usize,
    ) -> StoreResult<Vec<RecordRef>>;

    /// Blocks that were put into prompts after this moment and hash, in that order; dropped ones are left out.
    async fn blocks_after(&self, at: Time, hash: &str, limit: usize) -> StoreResult<Vec<Block>>;

    /// Episodes that ended before this, whatever their status, oldest first.
    async fn episodes_before(&self, before: Time, limit: usize) -> StoreResult<Vec<String>>;

    /// Turns that were said before this, oldest first.
    async fn turns_before(&self, before: Time, limit: usize) -> StoreResult<Vec<TurnId>>;

    /// Sessions without turns whose last one was said before this.
    async fn empty_sessions(&self, before: Time, limit: usize) -> StoreResult<Vec<SessionKey>>;

    /// How much of this there is from before that moment.
    async fn older_than(&self, what: Kept, before: Time) -> StoreResult<u64>;

    async fn job(&self, name: &str) -> StoreResult<Option<Job>>;

    async fn archived_text(&self, memory: &MemoryId) -> StoreResult<Option<ArchivedText>>;

    /// Who asked for archived texts of this memory, oldest first.
    async fn archive_accesses(&self, memory: &MemoryId) -> StoreResult<Vec<ArchiveAccess>>;

    /// Rows whose words are not in the index though they should be, and words of rows that are gone, above `after`.
    async fn out_of_step(&self, corpus: Corpus, after: i64, limit: usize) -> StoreResult<Vec<i64>>;

    /// What was said of these memories' use, the latest first, at most `limit`.
    async fn feedback_of(&self, memories: &[MemoryId], limit: usize) -> StoreResult<Vec<FeedbackEntry>>;

    /// What was said of these memories' use since a moment, the oldest first, at most `limit`.
    async fn feedback_since(
        &self,
        memories: &[MemoryId],
        since: Time,
        limit: usize,
    ) -> StoreResult<Vec<FeedbackEntry>>;

    /// What was said of memories' use in a session, of one of its replies or of all, the latest first, at most `limit`.
    async fn feedback_in(
        &self,
        session: &SessionKey,
        turn: Option<&TurnId>,
        limit: usize,
    ) -> StoreResult<Vec<FeedbackEntry>>;

    /// How much was said of the memories of this agent and this user; of all where none is named.
    async fn feedback_tally(&self, agent: Option<&AgentId>, user: Option<&UserId>)
    -> StoreResult<Judgements>;

    /// What purges said of themselves, the latest first.
    async fn receipts(&self, limit: usize) -> StoreResult<Vec<Receipt>>;

    /// Records of a kind with a row above `after`, whatever their status, in row order.
    async fn records_after(
        &self,
        kind: RecordKind,
        after: i64,
        limit: usize,
    ) -> StoreResult<Vec<(i64, Record)>>;

    /// What history keeps after this change, in order; what was purged of it is left out.
    async fn past_after(&self, after: (u64, u32), limit: usize) -> StoreResult<Vec<Past>>;

    /// Archived texts of the memories after this one, in order of their ids.
    async fn archives_after(&self, after: &str, limit: usize) -> StoreResult<Vec<ArchivedText>>;

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
pub trait Store: ReadStore + WriteStore {}

impl<T: ReadStore + WriteStore> Store for T {}

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
