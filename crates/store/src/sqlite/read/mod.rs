//! The reads of a tenant's store.
//!
//! This file is the list of what the contract asks; each read is a function in the file of its subject, takes a
//! connection and returns the answer. `rows` holds what they share.

mod conversations;
mod counts;
mod graph;
mod log;
mod records;
mod rows;
mod vectors;
mod waiting;

use std::collections::{BTreeMap, HashMap, HashSet};

use async_trait::async_trait;
use memory::error::StoreResult;
use memory::limits;
use memory::ports::{
    AgentCount, Census, Document, KnownTurn, LogEntry, Material, Nominee, ReadStore, Snapshot, Statistics,
    StoredVector, TurnPlace, Usage, WaitingSession,
};
use memory::text::Query;
use memory::types::{
    Agent, AgentId, ArchiveAccess, ArchivedText, Block, Corpus, Counters, Entity, Episode, Extent,
    FeedbackEntry, Filter, HeldCandidate, HistoryEvent, Job, Judgements, Kept, Link, Memory, MemoryId, Node,
    Override, Owner, Page, PageRequest, Past, PendingTurn, ProcessingEntry, ProfileVersion, Receipt, Record,
    RecordKind, RecordRef, RedoEntry, Relation, Role, Run, RunId, Session, SessionKey, Time, Turn, TurnId,
    UserId,
};

pub(super) use conversations::{TURN_COLUMNS, turn};
pub(super) use rows::{all, bodies, given, id_list, session_key};
pub use vectors::embeddable_after;

use super::{
    Tenant, agents, archive, blocks, feedback, history, jobs, known, near, purge, receipts, search, snapshot,
    transcript, walk, words,
};
use rows::{body, by_ids};

#[async_trait]
impl ReadStore for Tenant {
    async fn head(&self) -> StoreResult<u64> {
        self.read(|connection, _| history::head(connection)).await
    }

    async fn changes_since(&self, number: u64, limit: usize) -> StoreResult<Option<Vec<LogEntry>>> {
        self.read(move |connection, _| log::changes_since(connection, number, limit)).await
    }

    async fn memories(&self, ids: &[MemoryId]) -> StoreResult<Vec<Memory>> {
        let ids = id_list(ids.iter().map(MemoryId::as_str));
        self.read(move |connection, _| by_ids(connection, "memory", &ids)).await
    }

    async fn list_memories(&self, filter: &Filter, request: PageRequest) -> StoreResult<Page<Memory>> {
        let filter = filter.clone();
        self.read(move |connection, _| records::list_memories(connection, &filter, request)).await
    }

    async fn counters(&self, ids: &[MemoryId]) -> StoreResult<HashMap<MemoryId, Counters>> {
        let ids = id_list(ids.iter().map(MemoryId::as_str));
        self.read(move |connection, _| records::counters(connection, &ids)).await
    }

    async fn nominate(
        &self,
        corpus: Corpus,
        query: &Query,
        filter: &Filter,
        limit: usize,
    ) -> StoreResult<Vec<Nominee>> {
        let (query, filter) = (query.clone(), filter.clone());
        self.read_shared(move |connection, inner| {
            if let Some(nominees) = words::nominate(connection, inner, corpus, &query, &filter, limit)? {
                return Ok(nominees);
            }
            search::nominate(connection, &inner.analyser, corpus, &query, &filter, limit)
        })
        .await
    }

    async fn nominate_like(
        &self,
        corpus: Corpus,
        words: &[String],
        filter: &Filter,
        limit: usize,
    ) -> StoreResult<Vec<Nominee>> {
        let (words, filter) = (words.to_vec(), filter.clone());
        self.read(move |connection, _| search::nominate_like(connection, corpus, &words, &filter, limit))
            .await
    }

    async fn nominate_recent(
        &self,
        corpus: Corpus,
        filter: &Filter,
        limit: usize,
    ) -> StoreResult<Vec<Nominee>> {
        let filter = filter.clone();
        self.read(move |connection, _| search::nominate_recent(connection, corpus, &filter, limit)).await
    }

    async fn nominate_near(
        &self,
        corpus: Corpus,
        signature: &str,
        question: &[f32],
        filter: &Filter,
        limit: usize,
    ) -> StoreResult<Option<Vec<(Nominee, f32)>>> {
        let (signature, question, filter) = (signature.to_owned(), question.to_vec(), filter.clone());
        self.read_shared(move |connection, inner| {
            near::nominate(connection, inner, corpus, &signature, &question, &filter, limit)
        })
        .await
    }

    async fn admit(&self, corpus: Corpus, rows: &[i64], filter: &Filter) -> StoreResult<Vec<Nominee>> {
        let (rows, filter) = (rows.to_vec(), filter.clone());
        self.read(move |connection, _| search::admit(connection, corpus, &rows, &filter)).await
    }

    async fn statistics(&self, corpus: Corpus, terms: &[String]) -> StoreResult<Statistics> {
        let terms = terms.to_vec();
        self.read(move |connection, inner| search::statistics(connection, inner, corpus, &terms)).await
    }

    async fn documents(&self, corpus: Corpus, rows: &[i64]) -> StoreResult<Vec<Document>> {
        let rows = rows.to_vec();
        self.read(move |connection, _| search::documents(connection, corpus, &rows)).await
    }

    async fn turns(&self, ids: &[TurnId]) -> StoreResult<Vec<Turn>> {
        let ids = id_list(ids.iter().map(TurnId::as_str));
        let found = self.read(move |connection, _| conversations::turns_by(connection, "id", &ids)).await?;
        Ok(found.into_iter().map(|(_, turn)| turn).collect())
    }

    async fn turns_at(&self, rows: &[i64]) -> StoreResult<Vec<(i64, Turn)>> {
        let rows = search::json_list(rows);
        self.read(move |connection, _| conversations::turns_by(connection, "row", &rows)).await
    }

    async fn neighbours(&self, rows: &[i64], radius: u64) -> StoreResult<Vec<TurnPlace>> {
        let rows = search::json_list(rows);
        self.read(move |connection, _| conversations::neighbours(connection, &rows, radius)).await
    }

    async fn session(&self, key: &SessionKey) -> StoreResult<Option<Session>> {
        let key = key.to_string();
        self.read(move |connection, _| conversations::session(connection, &key)).await
    }

    async fn list_sessions(&self, filter: &Filter, request: PageRequest) -> StoreResult<Page<Session>> {
        let filter = filter.clone();
        self.read(move |connection, _| conversations::list_sessions(connection, &filter, request)).await
    }

    async fn list_turns(
        &self,
        filter: &Filter,
        role: Option<Role>,
        request: PageRequest,
    ) -> StoreResult<Page<Turn>> {
        let filter = filter.clone();
        self.read(move |connection, _| transcript::page(connection, &filter, role, request)).await
    }

    async fn session_turns(&self, key: &SessionKey, from_index: u64, limit: usize) -> StoreResult<Vec<Turn>> {
        let key = key.to_string();
        self.read(move |connection, _| conversations::session_turns(connection, &key, from_index, limit))
            .await
    }

    async fn episodes(&self, ids: &[String]) -> StoreResult<Vec<Episode>> {
        let ids = id_list(ids.iter().map(String::as_str));
        self.read(move |connection, _| by_ids(connection, "episode", &ids)).await
    }

    async fn episode_of(&self, key: &SessionKey) -> StoreResult<Option<Episode>> {
        let key = key.clone();
        self.read(move |connection, _| records::episode_of(connection, &key)).await
    }

    async fn list_episodes(&self, filter: &Filter, request: PageRequest) -> StoreResult<Page<Episode>> {
        let filter = filter.clone();
        self.read(move |connection, _| records::list_episodes(connection, &filter, request)).await
    }

    async fn list_entities(&self, filter: &Filter, request: PageRequest) -> StoreResult<Page<Entity>> {
        let filter = filter.clone();
        self.read(move |connection, _| graph::list_entities(connection, &filter, request)).await
    }

    async fn entities_named(&self, name: &str) -> StoreResult<Vec<Entity>> {
        let folded = name.trim().to_lowercase();
        self.read(move |connection, _| graph::entities_named(connection, &folded)).await
    }

    async fn entities(&self, ids: &[String]) -> StoreResult<Vec<Entity>> {
        let ids = id_list(ids.iter().map(String::as_str));
        self.read(move |connection, _| by_ids(connection, "entity", &ids)).await
    }

    async fn relations_of(&self, entities: &[String]) -> StoreResult<Vec<Relation>> {
        let ids = id_list(entities.iter().map(String::as_str));
        self.read(move |connection, _| graph::relations_of(connection, &ids)).await
    }

    async fn links_of(&self, memories: &[MemoryId]) -> StoreResult<Vec<Link>> {
        let ids = id_list(memories.iter().map(MemoryId::as_str));
        self.read(move |connection, _| graph::links_of(connection, &ids)).await
    }

    async fn held(&self, key: &SessionKey) -> StoreResult<Vec<HeldCandidate>> {
        let key = key.clone();
        self.read(move |connection, _| waiting::held(connection, &key)).await
    }

    async fn pending(&self, limit: usize) -> StoreResult<Vec<PendingTurn>> {
        self.read(move |connection, _| waiting::pending(connection, limit)).await
    }

    async fn pending_of(&self, key: &SessionKey) -> StoreResult<Vec<PendingTurn>> {
        let key = key.to_string();
        self.read(move |connection, _| waiting::pending_of(connection, &key)).await
    }

    async fn waiting_sessions(&self, limit: usize) -> StoreResult<Vec<WaitingSession>> {
        self.read(move |connection, _| waiting::waiting_sessions(connection, limit)).await
    }

    async fn idle_sessions(&self, before: Time, limit: usize) -> StoreResult<Vec<SessionKey>> {
        self.read(move |connection, _| waiting::idle_sessions(connection, before, limit)).await
    }

    async fn held_of(&self, owner: &Owner, limit: usize) -> StoreResult<Vec<HeldCandidate>> {
        let owner = owner.clone();
        self.read(move |connection, _| waiting::held_of(connection, &owner, limit)).await
    }

    async fn memories_by_key(&self, owner: &Owner, keys: &[String]) -> StoreResult<Vec<Memory>> {
        let (owner, keys) = (owner.clone(), id_list(keys.iter().map(String::as_str)));
        self.read(move |connection, _| records::memories_by_key(connection, &owner, &keys)).await
    }

    async fn redo(&self, limit: usize) -> StoreResult<Vec<RedoEntry>> {
        self.read(move |connection, _| waiting::redo(connection, limit)).await
    }

    async fn profile(&self, user: &UserId) -> StoreResult<Option<ProfileVersion>> {
        let user = user.to_string();
        let sql = "SELECT body FROM profile WHERE user = ?1 ORDER BY number DESC LIMIT 1";
        self.read(move |connection, _| body(connection, sql, [user])).await
    }

    async fn profile_versions(&self, user: &UserId) -> StoreResult<Vec<ProfileVersion>> {
        let user = user.to_string();
        let sql = "SELECT body FROM profile WHERE user = ?1 ORDER BY number";
        self.read(move |connection, _| bodies(connection, sql, [user])).await
    }

    async fn overrides(&self, user: &UserId) -> StoreResult<Vec<Override>> {
        let user = user.to_string();
        let sql = "SELECT body FROM override WHERE user = ?1 ORDER BY row";
        self.read(move |connection, _| bodies(connection, sql, [user])).await
    }

    async fn agents(&self) -> StoreResult<Vec<Agent>> {
        self.read(|connection, _| bodies(connection, "SELECT body FROM agent ORDER BY row", [])).await
    }

    async fn agent(&self, id: &AgentId) -> StoreResult<Option<Agent>> {
        let id = id.clone();
        self.read(move |connection, _| agents::one(connection, &id)).await
    }

    async fn agent_counts(&self) -> StoreResult<Vec<AgentCount>> {
        self.read(|connection, _| agents::counts(connection)).await
    }

    async fn pending_tokens(&self, key: &SessionKey) -> StoreResult<u64> {
        let key = key.to_string();
        self.read(move |connection, _| agents::pending_tokens(connection, &key)).await
    }

    async fn runs(&self, limit: usize) -> StoreResult<Vec<Run>> {
        let sql = "SELECT body FROM run ORDER BY started_at DESC, row DESC LIMIT ?1";
        self.read(move |connection, _| bodies(connection, sql, [limit.min(limits::PAGE_ROWS) as i64])).await
    }

    async fn history(&self, of: &RecordRef) -> StoreResult<Vec<HistoryEvent>> {
        let of = of.clone();
        self.read(move |connection, _| history::of_record(connection, &of)).await
    }

    async fn history_of_run(&self, run: &RunId) -> StoreResult<Vec<HistoryEvent>> {
        let run = run.clone();
        self.read(move |connection, _| history::of_run(connection, &run)).await
    }

    async fn parents(&self, child: &Node) -> StoreResult<Vec<Node>> {
        let child = child.clone();
        self.read(move |connection, _| graph::parents(connection, &child)).await
    }

    async fn children(&self, parent: &Node) -> StoreResult<Vec<Node>> {
        let parent = parent.clone();
        self.read(move |connection, _| graph::children(connection, &parent)).await
    }

    async fn vectors(
        &self,
        corpus: Corpus,
        signature: &str,
        after: i64,
        limit: usize,
    ) -> StoreResult<Vec<StoredVector>> {
        let signature = signature.to_owned();
        self.read(move |connection, _| vectors::vectors(connection, corpus, &signature, after, limit)).await
    }

    async fn vectors_at(
        &self,
        corpus: Corpus,
        signature: &str,
        rows: &[i64],
    ) -> StoreResult<Vec<StoredVector>> {
        let (signature, rows) = (signature.to_owned(), rows.to_vec());
        self.read(move |connection, _| vectors::vectors_at(connection, corpus, &signature, &rows)).await
    }

    async fn material(
        &self,
        corpus: Corpus,
        rows: &[i64],
        terms: &[String],
        signature: Option<&str>,
    ) -> StoreResult<Material> {
        let (rows, terms, signature) = (rows.to_vec(), terms.to_vec(), signature.map(str::to_owned));
        self.read(move |connection, inner| {
            vectors::material(connection, inner, corpus, &rows, &terms, signature.as_deref())
        })
        .await
    }

    async fn without_vector(
        &self,
        corpus: Corpus,
        signature: &str,
        limit: usize,
    ) -> StoreResult<Vec<(String, String)>> {
        let signature = signature.to_owned();
        self.read(move |connection, _| vectors::without_vector(connection, corpus, &signature, limit)).await
    }

    async fn settings(&self) -> StoreResult<BTreeMap<String, serde_json::Value>> {
        self.read(log::own_settings).await
    }

    async fn processing_log(&self, limit: usize) -> StoreResult<Vec<ProcessingEntry>> {
        let sql = "SELECT body FROM processing ORDER BY row DESC LIMIT ?1";
        self.read(move |connection, _| bodies(connection, sql, [limit.min(limits::PAGE_ROWS) as i64])).await
    }

    async fn usage_since(&self, since: Time) -> StoreResult<Usage> {
        self.read(move |connection, _| known::usage_since(connection, since)).await
    }

    async fn blocks(&self, hashes: &[String]) -> StoreResult<Vec<Block>> {
        let hashes = hashes.to_vec();
        self.read(move |connection, _| blocks::read(connection, &hashes)).await
    }

    async fn places_of(&self, external_ids: &[String]) -> StoreResult<Vec<KnownTurn>> {
        let ids = external_ids.to_vec();
        self.read(move |connection, _| known::places_of(connection, &ids)).await
    }

    async fn replies_like(&self, text_hashes: &[String], limit: usize) -> StoreResult<Vec<KnownTurn>> {
        let hashes = text_hashes.to_vec();
        self.read(move |connection, _| known::replies_like(connection, &hashes, limit)).await
    }

    async fn learned_of(&self, user: &UserId, since: Time, limit: usize) -> StoreResult<Vec<Memory>> {
        let user = user.clone();
        self.read(move |connection, _| known::learned_of(connection, &user, since, limit)).await
    }

    async fn census(&self) -> StoreResult<Census> {
        self.read(|connection, _| counts::census(connection)).await
    }

    async fn memories_after(&self, after: i64, limit: usize) -> StoreResult<Vec<(i64, Memory)>> {
        self.read(move |connection, _| walk::after(connection, "memory", after, limit)).await
    }

    async fn episodes_after(&self, after: i64, limit: usize) -> StoreResult<Vec<(i64, Episode)>> {
        self.read(move |connection, _| walk::after(connection, "episode", after, limit)).await
    }

    async fn memories_by_hash(&self, hashes: &[String]) -> StoreResult<Vec<(i64, Memory)>> {
        let hashes = hashes.to_vec();
        self.read(move |connection, _| walk::by_hash(connection, &hashes)).await
    }

    async fn users_after(&self, after: Option<&UserId>, limit: usize) -> StoreResult<Vec<UserId>> {
        let after = after.cloned();
        self.read(move |connection, _| walk::users_after(connection, after.as_ref(), limit)).await
    }

    async fn touched_by_people(&self, kind: RecordKind, ids: &[String]) -> StoreResult<HashSet<String>> {
        let ids = ids.to_vec();
        self.read(move |connection, _| walk::touched_by_people(connection, kind, &ids)).await
    }

    async fn run(&self, id: &RunId) -> StoreResult<Option<Run>> {
        let id = id.clone();
        let sql = "SELECT body FROM run WHERE id = ?1";
        self.read(move |connection, _| body(connection, sql, [id.as_str()])).await
    }

    async fn records_of_run(
        &self,
        run: &RunId,
        after: Option<&RecordRef>,
        limit: usize,
    ) -> StoreResult<Vec<RecordRef>> {
        let (run, after) = (run.clone(), after.cloned());
        self.read(move |connection, _| walk::records_of_run(connection, &run, after.as_ref(), limit)).await
    }

    async fn blocks_after(&self, at: Time, hash: &str, limit: usize) -> StoreResult<Vec<Block>> {
        let hash = hash.to_owned();
        self.read(move |connection, _| walk::blocks_after(connection, at, &hash, limit)).await
    }

    async fn episodes_before(&self, before: Time, limit: usize) -> StoreResult<Vec<String>> {
        self.read(move |connection, _| walk::episodes_before(connection, before, limit)).await
    }

    async fn turns_before(&self, before: Time, limit: usize) -> StoreResult<Vec<TurnId>> {
        self.read(move |connection, _| walk::turns_before(connection, before, limit)).await
    }

    async fn empty_sessions(&self, before: Time, limit: usize) -> StoreResult<Vec<SessionKey>> {
        self.read(move |connection, _| walk::empty_sessions(connection, before, limit)).await
    }

    async fn older_than(&self, what: Kept, before: Time) -> StoreResult<u64> {
        self.read(move |connection, _| jobs::older_than(connection, what, before)).await
    }

    async fn job(&self, name: &str) -> StoreResult<Option<Job>> {
        let name = name.to_owned();
        self.read(move |connection, _| jobs::read(connection, &name)).await
    }

    async fn archived_text(&self, memory: &MemoryId) -> StoreResult<Option<ArchivedText>> {
        let memory = memory.clone();
        self.read(move |connection, _| archive::read(connection, &memory)).await
    }

    async fn archive_accesses(&self, memory: &MemoryId) -> StoreResult<Vec<ArchiveAccess>> {
        let memory = memory.clone();
        self.read(move |connection, _| archive::accesses(connection, &memory)).await
    }

    async fn out_of_step(&self, corpus: Corpus, after: i64, limit: usize) -> StoreResult<Vec<i64>> {
        self.read(move |connection, _| walk::out_of_step(connection, corpus, after, limit)).await
    }

    async fn feedback_of(&self, memories: &[MemoryId], limit: usize) -> StoreResult<Vec<FeedbackEntry>> {
        let memories = memories.to_vec();
        self.read(move |connection, _| feedback::of(connection, &memories, limit)).await
    }

    async fn feedback_since(
        &self,
        memories: &[MemoryId],
        since: Time,
        limit: usize,
    ) -> StoreResult<Vec<FeedbackEntry>> {
        let memories = memories.to_vec();
        self.read(move |connection, _| feedback::since(connection, &memories, since, limit)).await
    }

    async fn feedback_in(
        &self,
        session: &SessionKey,
        turn: Option<&TurnId>,
        limit: usize,
    ) -> StoreResult<Vec<FeedbackEntry>> {
        let (session, turn) = (session.clone(), turn.cloned());
        self.read(move |connection, _| feedback::within(connection, &session, turn.as_ref(), limit)).await
    }

    async fn feedback_tally(
        &self,
        agent: Option<&AgentId>,
        user: Option<&UserId>,
    ) -> StoreResult<Judgements> {
        let (agent, user) = (agent.cloned(), user.cloned());
        self.read(move |connection, _| feedback::tally(connection, agent.as_ref(), user.as_ref())).await
    }

    async fn receipts(&self, limit: usize) -> StoreResult<Vec<Receipt>> {
        self.read(move |connection, _| receipts::latest(connection, limit)).await
    }

    async fn records_after(
        &self,
        kind: RecordKind,
        after: i64,
        limit: usize,
    ) -> StoreResult<Vec<(i64, Record)>> {
        self.read(move |connection, _| purge::records_after(connection, kind, after, limit)).await
    }

    async fn past_after(&self, after: (u64, u32), limit: usize) -> StoreResult<Vec<Past>> {
        self.read(move |connection, _| purge::past_after(connection, after, limit)).await
    }

    async fn archives_after(&self, after: &str, limit: usize) -> StoreResult<Vec<ArchivedText>> {
        let after = after.to_owned();
        self.read(move |connection, _| purge::archives_after(connection, &after, limit)).await
    }

    async fn snapshot(&self, extent: &Extent) -> StoreResult<Box<dyn Snapshot>> {
        snapshot::take(self, extent).await
    }
}
