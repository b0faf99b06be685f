//! What a view of a store is asked, as closed lists: a store that answers these answers everything.
//!
//! Each list belongs to one read of [`super::View`] and one shape of answer. A question owns what it names, because it travels
//! to the thread or the server that answers it. The typed reads that callers use are [`super::ReadStore`]'s.

use crate::text::Query;
use crate::types::{
    AgentId, Corpus, Filter, Kept, MemoryId, Node, Owner, RecordKind, RecordRef, RunId, SessionKey, Time,
    TurnId, UserId,
};

use super::{AgentCount, Census, Nominee, ScoringMaterial, Usage};

/// Which records. The answer is in the order that each question names.
#[derive(Debug, Clone, PartialEq)]
pub enum Records {
    /// With these ids, in this order; unknown ids are left out.
    ByIds {
        kind: RecordKind,
        ids: Vec<String>,
    },
    /// With a row above `after`, in row order: a walk that nothing shifts under the feet of.
    After {
        kind: RecordKind,
        after: i64,
        limit: usize,
        only_active: bool,
    },
    /// Active memories whose content has one of these hashes, in row order.
    MemoriesByHash {
        hashes: Vec<String>,
    },
    /// The owner's active memories under any of these keys, in row order.
    MemoriesByKey {
        owner: Owner,
        keys: Vec<String>,
    },
    /// Active memories of the user, over all agents, made or changed since then, the newest first.
    LearnedOf {
        user: UserId,
        since: Time,
        limit: usize,
    },
    /// The session's active episode.
    EpisodeOf {
        session: SessionKey,
    },
    /// Active entities with any of these names or aliases, whatever their case.
    EntitiesNamed {
        names: Vec<String>,
    },
    /// Active relations that touch any of these entities.
    RelationsOf {
        entities: Vec<String>,
    },
    /// Links that touch any of these memories.
    LinksOf {
        memories: Vec<MemoryId>,
    },
    HeldIn {
        session: SessionKey,
    },
    /// Of all sessions of the owner, newest first.
    HeldOf {
        owner: Owner,
        limit: usize,
    },
    /// The latest version alone, or all, oldest first.
    ProfilesOf {
        user: UserId,
        only_latest: bool,
    },
    OverridesOf {
        user: UserId,
    },
    Agents,
    /// The latest first.
    Runs {
        limit: usize,
    },
}

/// Which turns.
#[derive(Debug, Clone, PartialEq)]
pub enum Turns {
    /// In this order; unknown ids are left out.
    ByIds {
        ids: Vec<TurnId>,
    },
    /// The same as they were said, with what is forgotten of them: for who forgets, and nobody else.
    AsSaid {
        ids: Vec<TurnId>,
    },
    AtRows {
        rows: Vec<i64>,
    },
    /// In their order, from `from_index` on.
    OfSession {
        session: SessionKey,
        from_index: u64,
        limit: usize,
    },
    /// Said before this, oldest first.
    Before {
        before: Time,
        limit: usize,
    },
}

/// By what a turn that a client sends again is known. The latest turns come first.
#[derive(Debug, Clone, PartialEq)]
pub enum KnownBy {
    ExternalIds(Vec<String>),
    /// Replies of the assistant whose whole text has one of these hashes ([`crate::types::content_hash`]).
    ReplyHashes {
        hashes: Vec<String>,
        limit: usize,
    },
}

/// What stands beside records: which items.
#[derive(Debug, Clone, PartialEq)]
pub enum ItemQuestion {
    Settings,
    /// Turns that wait, oldest first, dead letters last.
    Pending {
        limit: usize,
    },
    PendingOf {
        session: SessionKey,
    },
    /// Sessions to be distilled again, the longest waiting first.
    Redo {
        limit: usize,
    },
    Counters {
        memories: Vec<MemoryId>,
    },
    Archives {
        memories: Vec<MemoryId>,
    },
    /// Of the memories after this one, in order of their ids.
    ArchivesAfter {
        after: String,
        limit: usize,
    },
    /// What was said of these memories' use: the latest first, or, since a moment, the oldest first.
    JudgementsOf {
        memories: Vec<MemoryId>,
        since: Option<Time>,
        limit: usize,
    },
    /// What was said in a session, of one of its replies or of all, the latest first.
    JudgementsIn {
        session: SessionKey,
        turn: Option<TurnId>,
        limit: usize,
    },
    /// Blocks before the messages of these hashes, dropped ones among them.
    Blocks {
        hashes: Vec<String>,
    },
    /// Blocks put into prompts after this moment and hash, in that order; dropped ones are left out.
    BlocksAfter {
        at: Time,
        hash: String,
        limit: usize,
    },
    /// From what these were made.
    ParentsOf {
        children: Vec<Node>,
    },
    /// What was made from these.
    ChildrenOf {
        parents: Vec<Node>,
    },
    /// The latest first.
    Processing {
        limit: usize,
    },
    /// What purges said of themselves, the latest first.
    Receipts {
        limit: usize,
    },
}

/// Which records, where their names are enough.
#[derive(Debug, Clone, PartialEq)]
pub enum References {
    /// Episodes that ended before this, whatever their status, oldest first.
    EpisodesBefore { before: Time, limit: usize },
    /// Veils, and records that are marked deleted, since before this, at most so many.
    ForgottenBefore { before: Time, limit: usize },
    /// Sessions that have not ended and whose last turn is older than this, oldest first.
    IdleSessions { before: Time, limit: usize },
    /// Sessions without turns whose last one was said before this.
    EmptySessions { before: Time, limit: usize },
    /// Records that a run changed, after this one, in order of kind and id.
    OfRun { run: RunId, after: Option<RecordRef>, limit: usize },
    /// Of these records, those that a person made or changed.
    TouchedByPeople { kind: RecordKind, ids: Vec<String> },
    /// Of these records, those that a person changed after they were made.
    ChangedByPeople { kind: RecordKind, ids: Vec<String> },
}

/// What is counted.
#[derive(Debug, Clone, PartialEq)]
pub enum Tallied {
    Everything,
    /// Each agent that appears anywhere, with a record or without, ordered by its id.
    Agents,
    /// What was said of the memories of this agent and this user; of all where none is named.
    Judgements {
        agent: Option<AgentId>,
        user: Option<UserId>,
    },
    /// What models took since then.
    Usage {
        since: Time,
    },
    /// How much of this there is from before that moment.
    OlderThan {
        what: Kept,
        before: Time,
    },
    /// Tokens of a session's turns that wait and are not dead.
    PendingTokens {
        session: SessionKey,
    },
    /// Active memories of an owner, those too that do not hold yet or any more.
    ActiveOf {
        owner: Owner,
    },
}

/// A count, in the shape of its question.
#[derive(Debug, Clone, PartialEq)]
pub enum Totals {
    Everything(Box<Census>),
    Agents(Vec<AgentCount>),
    Judgements(crate::types::Judgements),
    Usage(Usage),
    Number(u64),
}

/// What an index lacks.
#[derive(Debug, Clone, PartialEq)]
pub enum Unindexed {
    /// Rows whose words are not in the index though they should be, and words of rows that are gone, above `after`.
    Words { corpus: Corpus, after: i64, limit: usize },
    /// Rows that have no vector of this signature yet.
    Vectors { corpus: Corpus, signature: String, limit: usize },
}

/// A row that an index lacks. Id and text are empty where only the row is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnindexedRow {
    pub row: i64,
    pub id: String,
    pub text: String,
}

/// Who proposes documents. The filter of the nomination holds for each: asking for five gives five if five exist.
#[derive(Debug, Clone, PartialEq)]
pub enum Proposer {
    /// Documents that match the query's words, best first by the engine's own ranking.
    Words { query: Query, limit: usize },
    /// The same, of these days only.
    WordsWithin { query: Query, since: Time, until: Time, limit: usize },
    /// Documents whose vectors lie nearest to the question, with their exact cosine, best first. Nothing while vectors are
    /// still being loaded, or where there are too many: keywords answer alone.
    Near { signature: String, question: Vec<f32>, limit: usize },
    /// The last tier: documents whose text contains the words as they are, newest first.
    Containing { words: Vec<String>, limit: usize },
    /// The newest documents.
    Newest { limit: usize },
    /// These rows, for candidates that come from outside the store.
    Rows(Vec<i64>),
}

/// What scoring needs of the rows that were proposed.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ScoringNeeds {
    /// Whose frequencies.
    pub terms: Vec<String>,
    /// Whose vectors, where the nearest answered.
    pub signature: Option<String>,
    /// For turns: those around each proposed one, as far as [`crate::limits::SCORED_NEIGHBOURS`], come along.
    pub neighbours: bool,
    /// Rows that are needed though nobody proposed them.
    pub rows: Vec<i64>,
}

/// What is asked of one corpus, in one read.
#[derive(Debug, Clone, PartialEq)]
pub struct Nomination {
    pub corpus: Corpus,
    pub filter: Filter,
    pub proposers: Vec<Proposer>,
    /// Nothing where the rows are enough.
    pub scoring: Option<ScoringNeeds>,
}

/// What was proposed, and what scoring needs of it, all of one moment.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Nominated {
    /// For each proposer its documents, with a cosine where it knows one; `None` where it does not answer.
    pub proposed: Vec<Option<Vec<(Nominee, f32)>>>,
    /// Turns only, where neighbours came along: the rows of the material that the filter lets through, in order.
    pub admitted: Vec<i64>,
    pub material: ScoringMaterial,
}
