//! The typed reads of the house, written once over the questions that every store answers.
//!
//! Asked of a view, a read is of the view's moment; asked of a store, it is of a view of its own. Nothing here knows a store:
//! a second one implements [`View`] and [`Views`] and has all of these.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Deref;
use std::sync::Arc;

use async_trait::async_trait;

use super::{
    AgentCount, Census, IndexedDocument, ItemQuestion, KnownBy, KnownTurn, LogEntry, Nominated, Nomination,
    Nominee, Proposer, Records, References, RowMaterial, RowVector, ScoringMaterial, ScoringNeeds,
    Statistics, Tallied, Totals, TurnPlace, Turns, Unindexed, Usage, View, Views, WaitingSession,
};
use crate::error::{StoreError, StoreResult};
use crate::text::Query;
use crate::types::{
    Agent, AgentId, ArchivedText, Block, Corpus, Counters, Entity, Episode, FeedbackEntry, Filter,
    HeldCandidate, HistoryEvent, Item, Job, Judgements, Kept, Link, Memory, MemoryId, Node, Override, Owner,
    Page, PageRequest, PastChange, PendingTurn, ProcessingEntry, ProfileVersion, Receipt, Record, RecordKind,
    RecordRef, RedoEntry, Relation, Role, Run, RunId, Session, SessionKey, Time, Turn, TurnId, UserId,
};

/// A view that somebody holds for one request; clones are the same view.
#[derive(Clone)]
pub struct RequestView(Arc<dyn View>);

impl Deref for RequestView {
    type Target = dyn View;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

impl<S: Views> ReadStore for S {
    fn view(&self) -> RequestView {
        RequestView(self.open_view())
    }
}

impl ReadStore for RequestView {
    fn view(&self) -> RequestView {
        self.clone()
    }
}

/// A store that answers with another thing than it was asked for is broken.
fn astray(asked: &str) -> StoreError {
    StoreError::Failed(format!("the store was asked for {asked} and answered with something else"))
}

/// The records as the type that was asked for.
fn typed<T: TryFrom<Record>>(records: Vec<(i64, Record)>) -> StoreResult<Vec<T>> {
    records.into_iter().map(|(_, record)| T::try_from(record).map_err(|_| astray("records"))).collect()
}

fn numbered<T: TryFrom<Record>>(records: Vec<(i64, Record)>) -> StoreResult<Vec<(i64, T)>> {
    let one = |(row, record)| Ok((row, T::try_from(record).map_err(|_| astray("records"))?));
    records.into_iter().map(one).collect()
}

fn typed_page<T: TryFrom<Record>>(page: Page<Record>) -> StoreResult<Page<T>> {
    let items = page.items.into_iter().map(|record| T::try_from(record).map_err(|_| astray("records")));
    Ok(Page { items: items.collect::<StoreResult<_>>()?, total: page.total })
}

/// What `pick` finds in each item.
fn picked<T>(items: Vec<Item>, pick: impl Fn(Item) -> Option<T>) -> StoreResult<Vec<T>> {
    items.into_iter().map(|item| pick(item).ok_or_else(|| astray("items"))).collect()
}

fn strings<'a>(ids: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    ids.into_iter().map(str::to_owned).collect()
}

fn sessions(references: Vec<RecordRef>) -> StoreResult<Vec<SessionKey>> {
    references.into_iter().map(|of| of.id.parse().map_err(|_| astray("sessions"))).collect()
}

/// The nominees of a proposer that always answers.
fn nominees(proposed: Option<Vec<(Nominee, f32)>>) -> Vec<Nominee> {
    proposed.into_iter().flatten().map(|(nominee, _)| nominee).collect()
}

fn unnumbered(turns: Vec<(i64, Turn)>) -> Vec<Turn> {
    turns.into_iter().map(|(_, turn)| turn).collect()
}

fn archived(items: Vec<Item>) -> StoreResult<Vec<ArchivedText>> {
    picked(items, |item| if let Item::Archive { value, .. } = item { Some(value) } else { None })
}

fn judged(items: Vec<Item>) -> StoreResult<Vec<FeedbackEntry>> {
    picked(items, |item| if let Item::Feedback { value } = item { Some(value) } else { None })
}

fn blocks_in(items: Vec<Item>) -> StoreResult<Vec<Block>> {
    picked(items, |item| if let Item::Block { value } = item { Some(*value) } else { None })
}

/// Each child with its parent.
fn derivations(items: Vec<Item>) -> StoreResult<Vec<(Node, Node)>> {
    picked(items, |item| match item {
        Item::Derivation { child, parent, .. } => Some((child, parent)),
        _ => None,
    })
}

#[async_trait]
pub trait ReadStore: Send + Sync {
    /// The view to ask: a fresh one of a store, the same one of a view. A request takes one and asks it alone.
    fn view(&self) -> RequestView;

    /// The last number of the change log.
    async fn head(&self) -> StoreResult<u64> {
        self.view().number().await
    }

    /// Log entries after `number`, oldest first, at most `limit`. `None` when the log no longer reaches back that
    /// far, and the follower must build itself anew.
    async fn changes_since(&self, number: u64, limit: usize) -> StoreResult<Option<Vec<LogEntry>>> {
        self.view().log_after(number, limit).await
    }

    /// What one nomination brings; several in one read are [`View::nominations`].
    async fn nominated(&self, asked: Nomination) -> StoreResult<Nominated> {
        self.view().nominations(vec![asked]).await?.pop().ok_or_else(|| astray("nominees"))
    }

    /// The nominees of one proposer; `None` where it does not answer.
    async fn proposed(
        &self,
        corpus: Corpus,
        filter: &Filter,
        proposer: Proposer,
    ) -> StoreResult<Option<Vec<(Nominee, f32)>>> {
        let asked = Nomination { corpus, filter: filter.clone(), proposers: vec![proposer], scoring: None };
        self.nominated(asked).await?.proposed.pop().ok_or_else(|| astray("nominees"))
    }

    /// Documents of the corpus that match the query's words, best first by the engine's own ranking.
    async fn nominate(
        &self,
        corpus: Corpus,
        query: &Query,
        filter: &Filter,
        limit: usize,
    ) -> StoreResult<Vec<Nominee>> {
        let words = Proposer::Words { query: query.clone(), limit };
        Ok(nominees(self.proposed(corpus, filter, words).await?))
    }

    /// The last tier: documents whose text contains the given words as they are, newest first.
    async fn nominate_like(
        &self,
        corpus: Corpus,
        words: &[String],
        filter: &Filter,
        limit: usize,
    ) -> StoreResult<Vec<Nominee>> {
        let containing = Proposer::Containing { words: words.to_vec(), limit };
        Ok(nominees(self.proposed(corpus, filter, containing).await?))
    }

    /// The newest documents that the filter lets through.
    async fn nominate_recent(
        &self,
        corpus: Corpus,
        filter: &Filter,
        limit: usize,
    ) -> StoreResult<Vec<Nominee>> {
        Ok(nominees(self.proposed(corpus, filter, Proposer::Newest { limit }).await?))
    }

    /// Documents whose vectors of this signature lie nearest to the question, with their exact cosine, best first. `None`
    /// while the vectors are still being loaded, or where there are too many for the engine: keywords answer alone.
    async fn nominate_near(
        &self,
        corpus: Corpus,
        signature: &str,
        question: &[f32],
        filter: &Filter,
        limit: usize,
    ) -> StoreResult<Option<Vec<(Nominee, f32)>>> {
        let near = Proposer::Near { signature: signature.to_owned(), question: question.to_vec(), limit };
        self.proposed(corpus, filter, near).await
    }

    /// Which of these rows the filter lets through, for candidates that come from outside the store.
    async fn admit(&self, corpus: Corpus, rows: &[i64], filter: &Filter) -> StoreResult<Vec<Nominee>> {
        Ok(nominees(self.proposed(corpus, filter, Proposer::Rows(rows.to_vec())).await?))
    }

    /// Statistics, documents and, where a signature is given, vectors, in one read.
    async fn material(
        &self,
        corpus: Corpus,
        rows: &[i64],
        terms: &[String],
        signature: Option<&str>,
    ) -> StoreResult<ScoringMaterial> {
        let scoring = ScoringNeeds {
            terms: terms.to_vec(),
            signature: signature.map(str::to_owned),
            neighbours: false,
            rows: rows.to_vec(),
        };
        let filter = Filter::ever();
        let asked = Nomination { corpus, filter, proposers: Vec::new(), scoring: Some(scoring) };
        Ok(self.nominated(asked).await?.material)
    }

    async fn statistics(&self, corpus: Corpus, terms: &[String]) -> StoreResult<Statistics> {
        Ok(self.material(corpus, &[], terms, None).await?.statistics)
    }

    /// The analysed words of these rows; rows that are gone are left out.
    async fn documents(&self, corpus: Corpus, rows: &[i64]) -> StoreResult<Vec<IndexedDocument>> {
        let material = self.material(corpus, rows, &[], None).await?;
        Ok(material.rows.iter().filter_map(|row| row.document.clone()).collect())
    }

    /// The vectors of one signature at these rows.
    async fn vectors_at(&self, corpus: Corpus, signature: &str, rows: &[i64]) -> StoreResult<Vec<RowVector>> {
        let material = self.material(corpus, rows, &[], Some(signature)).await?;
        let vector = |found: &Arc<RowMaterial>| {
            let vector = Arc::clone(found.vector.as_ref()?);
            Some(RowVector { row: found.row, vector })
        };
        Ok(material.rows.iter().filter_map(vector).collect())
    }

    /// The memories with these ids, in this order; unknown ids are left out.
    async fn memories(&self, ids: &[MemoryId]) -> StoreResult<Vec<Memory>> {
        let ids = strings(ids.iter().map(MemoryId::as_str));
        typed(self.view().records(Records::ByIds { kind: RecordKind::Memory, ids }).await?)
    }

    async fn episodes(&self, ids: &[String]) -> StoreResult<Vec<Episode>> {
        let ids = strings(ids.iter().map(String::as_str));
        typed(self.view().records(Records::ByIds { kind: RecordKind::Episode, ids }).await?)
    }

    async fn entities(&self, ids: &[String]) -> StoreResult<Vec<Entity>> {
        let ids = strings(ids.iter().map(String::as_str));
        typed(self.view().records(Records::ByIds { kind: RecordKind::Entity, ids }).await?)
    }

    async fn session(&self, key: &SessionKey) -> StoreResult<Option<Session>> {
        let ids = vec![key.to_string()];
        let found: Vec<Session> =
            typed(self.view().records(Records::ByIds { kind: RecordKind::Session, ids }).await?)?;
        Ok(found.into_iter().next())
    }

    async fn agent(&self, id: &AgentId) -> StoreResult<Option<Agent>> {
        let ids = vec![id.as_str().to_owned()];
        let found: Vec<Agent> =
            typed(self.view().records(Records::ByIds { kind: RecordKind::Agent, ids }).await?)?;
        Ok(found.into_iter().next())
    }

    async fn run(&self, id: &RunId) -> StoreResult<Option<Run>> {
        let ids = vec![id.as_str().to_owned()];
        let found: Vec<Run> =
            typed(self.view().records(Records::ByIds { kind: RecordKind::Run, ids }).await?)?;
        Ok(found.into_iter().next())
    }

    async fn list_memories(&self, filter: &Filter, page: PageRequest) -> StoreResult<Page<Memory>> {
        typed_page(self.view().record_page(RecordKind::Memory, filter.clone(), page).await?)
    }

    async fn list_sessions(&self, filter: &Filter, page: PageRequest) -> StoreResult<Page<Session>> {
        typed_page(self.view().record_page(RecordKind::Session, filter.clone(), page).await?)
    }

    async fn list_episodes(&self, filter: &Filter, page: PageRequest) -> StoreResult<Page<Episode>> {
        typed_page(self.view().record_page(RecordKind::Episode, filter.clone(), page).await?)
    }

    /// Active entities of the owners the filter names.
    async fn list_entities(&self, filter: &Filter, page: PageRequest) -> StoreResult<Page<Entity>> {
        typed_page(self.view().record_page(RecordKind::Entity, filter.clone(), page).await?)
    }

    /// The session's active episode.
    async fn episode_of(&self, key: &SessionKey) -> StoreResult<Option<Episode>> {
        let found = self.view().records(Records::EpisodeOf { session: key.clone() }).await?;
        Ok(typed(found)?.into_iter().next())
    }

    /// Active entities with this name or alias, whatever its case.
    async fn entities_named(&self, name: &str) -> StoreResult<Vec<Entity>> {
        self.entities_of_names(vec![name.to_owned()]).await
    }

    /// The same of several names at once, each entity once.
    async fn entities_of_names(&self, names: Vec<String>) -> StoreResult<Vec<Entity>> {
        typed(self.view().records(Records::EntitiesNamed { names }).await?)
    }

    /// Active relations that touch any of these entities.
    async fn relations_of(&self, entities: &[String]) -> StoreResult<Vec<Relation>> {
        typed(self.view().records(Records::RelationsOf { entities: entities.to_vec() }).await?)
    }

    /// Links that touch any of these memories.
    async fn links_of(&self, memories: &[MemoryId]) -> StoreResult<Vec<Link>> {
        typed(self.view().records(Records::LinksOf { memories: memories.to_vec() }).await?)
    }

    async fn held(&self, key: &SessionKey) -> StoreResult<Vec<HeldCandidate>> {
        typed(self.view().records(Records::HeldIn { session: key.clone() }).await?)
    }

    /// What is held of an owner, over all sessions, newest first.
    async fn held_of(&self, owner: &Owner, limit: usize) -> StoreResult<Vec<HeldCandidate>> {
        typed(self.view().records(Records::HeldOf { owner: owner.clone(), limit }).await?)
    }

    /// The owner's active memories under any of these keys.
    async fn memories_by_key(&self, owner: &Owner, keys: &[String]) -> StoreResult<Vec<Memory>> {
        let asked = Records::MemoriesByKey { owner: owner.clone(), keys: keys.to_vec() };
        typed(self.view().records(asked).await?)
    }

    /// Active memories whose content has one of these hashes, in row order.
    async fn memories_by_hash(&self, hashes: &[String]) -> StoreResult<Vec<(i64, Memory)>> {
        numbered(self.view().records(Records::MemoriesByHash { hashes: hashes.to_vec() }).await?)
    }

    /// Memories of the user, over all agents, that were made or changed since then, at most `limit`, the newest first.
    async fn learned_of(&self, user: &UserId, since: Time, limit: usize) -> StoreResult<Vec<Memory>> {
        typed(self.view().records(Records::LearnedOf { user: user.clone(), since, limit }).await?)
    }

    async fn profile(&self, user: &UserId) -> StoreResult<Option<ProfileVersion>> {
        let asked = Records::ProfilesOf { user: user.clone(), only_latest: true };
        Ok(typed(self.view().records(asked).await?)?.into_iter().next())
    }

    async fn profile_versions(&self, user: &UserId) -> StoreResult<Vec<ProfileVersion>> {
        let asked = Records::ProfilesOf { user: user.clone(), only_latest: false };
        typed(self.view().records(asked).await?)
    }

    async fn overrides(&self, user: &UserId) -> StoreResult<Vec<Override>> {
        typed(self.view().records(Records::OverridesOf { user: user.clone() }).await?)
    }

    async fn agents(&self) -> StoreResult<Vec<Agent>> {
        typed(self.view().records(Records::Agents).await?)
    }

    /// The latest first.
    async fn runs(&self, limit: usize) -> StoreResult<Vec<Run>> {
        typed(self.view().records(Records::Runs { limit }).await?)
    }

    /// Active memories with a row above `after`, in row order: a walk that nothing shifts under the feet of.
    async fn memories_after(&self, after: i64, limit: usize) -> StoreResult<Vec<(i64, Memory)>> {
        let asked = Records::After { kind: RecordKind::Memory, after, limit, only_active: true };
        numbered(self.view().records(asked).await?)
    }

    /// Active episodes with a row above `after`, in row order: a walk that nothing shifts under the feet of.
    async fn episodes_after(&self, after: i64, limit: usize) -> StoreResult<Vec<(i64, Episode)>> {
        let asked = Records::After { kind: RecordKind::Episode, after, limit, only_active: true };
        numbered(self.view().records(asked).await?)
    }

    /// Records of a kind with a row above `after`, whatever their status, in row order.
    async fn records_after(
        &self,
        kind: RecordKind,
        after: i64,
        limit: usize,
    ) -> StoreResult<Vec<(i64, Record)>> {
        self.view().records(Records::After { kind, after, limit, only_active: false }).await
    }

    async fn turns(&self, ids: &[TurnId]) -> StoreResult<Vec<Turn>> {
        Ok(unnumbered(self.view().turn_rows(Turns::ByIds { ids: ids.to_vec() }).await?))
    }

    /// Turns as they were said, what is forgotten of them included: for who forgets, and nobody else.
    async fn turns_as_said(&self, ids: &[TurnId]) -> StoreResult<Vec<Turn>> {
        Ok(unnumbered(self.view().turn_rows(Turns::AsSaid { ids: ids.to_vec() }).await?))
    }

    /// The turns at these rows.
    async fn turns_at(&self, rows: &[i64]) -> StoreResult<Vec<(i64, Turn)>> {
        self.view().turn_rows(Turns::AtRows { rows: rows.to_vec() }).await
    }

    /// The turns of a session, in order, from `from_index` on.
    async fn session_turns(&self, key: &SessionKey, from_index: u64, limit: usize) -> StoreResult<Vec<Turn>> {
        let asked = Turns::OfSession { session: key.clone(), from_index, limit };
        Ok(unnumbered(self.view().turn_rows(asked).await?))
    }

    /// Turns that were said before this, oldest first.
    async fn turns_before(&self, before: Time, limit: usize) -> StoreResult<Vec<TurnId>> {
        let found = self.view().turn_rows(Turns::Before { before, limit }).await?;
        Ok(found.into_iter().map(|(_, turn)| turn.id).collect())
    }

    /// What was said in the sessions that the filter lets through, by anybody or by one role.
    async fn list_turns(
        &self,
        filter: &Filter,
        role: Option<Role>,
        page: PageRequest,
    ) -> StoreResult<Page<Turn>> {
        self.view().turn_page(filter.clone(), role, page).await
    }

    /// The places of the turns at most `radius` before and after each of these rows in their sessions, themselves included.
    async fn neighbours(&self, rows: &[i64], radius: u64) -> StoreResult<Vec<TurnPlace>> {
        self.view().turns_around(rows.to_vec(), radius).await
    }

    /// Where turns with these external ids stand, in whichever session, the latest turn first.
    async fn places_of(&self, external_ids: &[String]) -> StoreResult<Vec<KnownTurn>> {
        self.view().turns_known(KnownBy::ExternalIds(external_ids.to_vec())).await
    }

    /// The latest turns of the assistant whose whole text has this hash ([`crate::types::content_hash`]), the latest first.
    async fn replies_like(&self, text_hashes: &[String], limit: usize) -> StoreResult<Vec<KnownTurn>> {
        self.view().turns_known(KnownBy::ReplyHashes { hashes: text_hashes.to_vec(), limit }).await
    }

    /// Turns that wait, oldest first.
    async fn pending(&self, limit: usize) -> StoreResult<Vec<PendingTurn>> {
        let found = self.view().items(ItemQuestion::Pending { limit }).await?;
        picked(found, |item| if let Item::Pending { value } = item { Some(value) } else { None })
    }

    /// The turns of one session that wait, dead letters among them.
    async fn pending_of(&self, key: &SessionKey) -> StoreResult<Vec<PendingTurn>> {
        let found = self.view().items(ItemQuestion::PendingOf { session: key.clone() }).await?;
        picked(found, |item| if let Item::Pending { value } = item { Some(value) } else { None })
    }

    async fn redo(&self, limit: usize) -> StoreResult<Vec<RedoEntry>> {
        let found = self.view().items(ItemQuestion::Redo { limit }).await?;
        picked(found, |item| if let Item::Redo { value } = item { Some(value) } else { None })
    }

    async fn counters(&self, ids: &[MemoryId]) -> StoreResult<HashMap<MemoryId, Counters>> {
        let found = self.view().items(ItemQuestion::Counters { memories: ids.to_vec() }).await?;
        let counted = picked(found, |item| match item {
            Item::Counter { memory, value } => Some((memory, value)),
            _ => None,
        })?;
        Ok(counted.into_iter().collect())
    }

    async fn archived_text(&self, memory: &MemoryId) -> StoreResult<Option<ArchivedText>> {
        let found = self.view().items(ItemQuestion::Archives { memories: vec![memory.clone()] }).await?;
        Ok(archived(found)?.into_iter().next())
    }

    /// Archived texts of the memories after this one, in order of their ids.
    async fn archives_after(&self, after: &str, limit: usize) -> StoreResult<Vec<ArchivedText>> {
        archived(self.view().items(ItemQuestion::ArchivesAfter { after: after.to_owned(), limit }).await?)
    }

    /// What was said of these memories' use, the latest first, at most `limit`.
    async fn feedback_of(&self, memories: &[MemoryId], limit: usize) -> StoreResult<Vec<FeedbackEntry>> {
        let asked = ItemQuestion::JudgementsOf { memories: memories.to_vec(), since: None, limit };
        judged(self.view().items(asked).await?)
    }

    /// What was said of these memories' use since a moment, the oldest first, at most `limit`.
    async fn feedback_since(
        &self,
        memories: &[MemoryId],
        since: Time,
        limit: usize,
    ) -> StoreResult<Vec<FeedbackEntry>> {
        let asked = ItemQuestion::JudgementsOf { memories: memories.to_vec(), since: Some(since), limit };
        judged(self.view().items(asked).await?)
    }

    /// What was said of memories' use in a session, of one of its replies or of all, the latest first, at most `limit`.
    async fn feedback_in(
        &self,
        session: &SessionKey,
        turn: Option<&TurnId>,
        limit: usize,
    ) -> StoreResult<Vec<FeedbackEntry>> {
        let asked = ItemQuestion::JudgementsIn { session: session.clone(), turn: turn.cloned(), limit };
        judged(self.view().items(asked).await?)
    }

    /// The blocks that stand before the messages of these hashes, dropped ones among them; unknown hashes are left out.
    async fn blocks(&self, hashes: &[String]) -> StoreResult<Vec<Block>> {
        blocks_in(self.view().items(ItemQuestion::Blocks { hashes: hashes.to_vec() }).await?)
    }

    /// Blocks that were put into prompts after this moment and hash, in that order; dropped ones are left out.
    async fn blocks_after(&self, at: Time, hash: &str, limit: usize) -> StoreResult<Vec<Block>> {
        blocks_in(self.view().items(ItemQuestion::BlocksAfter { at, hash: hash.to_owned(), limit }).await?)
    }

    /// What this was made from.
    async fn parents(&self, child: &Node) -> StoreResult<Vec<Node>> {
        let edges = self.parents_of(std::slice::from_ref(child)).await?;
        Ok(edges.into_iter().map(|(_, parent)| parent).collect())
    }

    /// What these were made from: each child with a parent.
    async fn parents_of(&self, children: &[Node]) -> StoreResult<Vec<(Node, Node)>> {
        derivations(self.view().items(ItemQuestion::ParentsOf { children: children.to_vec() }).await?)
    }

    /// What was made from this.
    async fn children(&self, parent: &Node) -> StoreResult<Vec<Node>> {
        let edges = self.children_of(std::slice::from_ref(parent)).await?;
        Ok(edges.into_iter().map(|(child, _)| child).collect())
    }

    /// What was made from these: each child with a parent.
    async fn children_of(&self, parents: &[Node]) -> StoreResult<Vec<(Node, Node)>> {
        derivations(self.view().items(ItemQuestion::ChildrenOf { parents: parents.to_vec() }).await?)
    }

    async fn processing_log(&self, limit: usize) -> StoreResult<Vec<ProcessingEntry>> {
        let found = self.view().items(ItemQuestion::Processing { limit }).await?;
        picked(found, |item| if let Item::Processing { value } = item { Some(value) } else { None })
    }

    /// What purges said of themselves, the latest first.
    async fn receipts(&self, limit: usize) -> StoreResult<Vec<Receipt>> {
        let found = self.view().items(ItemQuestion::Receipts { limit }).await?;
        picked(found, |item| if let Item::Receipt { value } = item { Some(value) } else { None })
    }

    /// Settings that this tenant has set.
    async fn settings(&self) -> StoreResult<BTreeMap<String, serde_json::Value>> {
        let found = self.view().items(ItemQuestion::Settings).await?;
        let set = picked(found, |item| match item {
            Item::Setting { name, value } => Some((name, value)),
            _ => None,
        })?;
        Ok(set.into_iter().collect())
    }

    /// What happened to a record, oldest first.
    async fn history(&self, of: &RecordRef) -> StoreResult<Vec<HistoryEvent>> {
        self.view().history_of(of.clone()).await
    }

    /// What history keeps after this change, in order; what was purged of it is left out.
    async fn past_after(&self, after: (u64, u32), limit: usize) -> StoreResult<Vec<PastChange>> {
        self.view().history_after(after, limit).await
    }

    /// Episodes that ended before this, whatever their status, oldest first.
    async fn episodes_before(&self, before: Time, limit: usize) -> StoreResult<Vec<String>> {
        let found = self.view().references(References::EpisodesBefore { before, limit }).await?;
        Ok(found.into_iter().map(|of| of.id).collect())
    }

    /// Veils, and records that are marked deleted, since before this.
    async fn forgotten_before(&self, before: Time, limit: usize) -> StoreResult<Vec<RecordRef>> {
        self.view().references(References::ForgottenBefore { before, limit }).await
    }

    /// Sessions that have not ended and whose last turn is older than this, oldest first.
    async fn idle_sessions(&self, before: Time, limit: usize) -> StoreResult<Vec<SessionKey>> {
        sessions(self.view().references(References::IdleSessions { before, limit }).await?)
    }

    /// Sessions without turns whose last one was said before this.
    async fn empty_sessions(&self, before: Time, limit: usize) -> StoreResult<Vec<SessionKey>> {
        sessions(self.view().references(References::EmptySessions { before, limit }).await?)
    }

    /// The records that a run changed, after this one, in order of kind and id.
    async fn records_of_run(
        &self,
        run: &RunId,
        after: Option<&RecordRef>,
        limit: usize,
    ) -> StoreResult<Vec<RecordRef>> {
        let asked = References::OfRun { run: run.clone(), after: after.cloned(), limit };
        self.view().references(asked).await
    }

    /// Of these records, those that a person made or changed.
    async fn touched_by_people(&self, kind: RecordKind, ids: &[String]) -> StoreResult<HashSet<String>> {
        let asked = References::TouchedByPeople { kind, ids: ids.to_vec() };
        Ok(self.view().references(asked).await?.into_iter().map(|of| of.id).collect())
    }

    /// Of these records, those that a person changed after they were made, whoever made them.
    async fn changed_by_people(&self, kind: RecordKind, ids: &[String]) -> StoreResult<HashSet<String>> {
        let asked = References::ChangedByPeople { kind, ids: ids.to_vec() };
        Ok(self.view().references(asked).await?.into_iter().map(|of| of.id).collect())
    }

    /// Users who have memories, after this one, in order.
    async fn users_after(&self, after: Option<&UserId>, limit: usize) -> StoreResult<Vec<UserId>> {
        self.view().user_ids_after(after.cloned(), limit).await
    }

    /// Sessions with turns that wait and are not dead, the longest waiting first.
    async fn waiting_sessions(&self, limit: usize) -> StoreResult<Vec<WaitingSession>> {
        self.view().sessions_waiting(limit).await
    }

    async fn job(&self, name: &str) -> StoreResult<Option<Job>> {
        self.view().job_named(name.to_owned()).await
    }

    async fn census(&self) -> StoreResult<Census> {
        match self.view().totals(Tallied::Everything).await? {
            Totals::Everything(census) => Ok(*census),
            _ => Err(astray("a count")),
        }
    }

    /// What every agent that appears anywhere, with a record or without, has: ordered by its id.
    async fn agent_counts(&self) -> StoreResult<Vec<AgentCount>> {
        match self.view().totals(Tallied::Agents).await? {
            Totals::Agents(counts) => Ok(counts),
            _ => Err(astray("a count")),
        }
    }

    /// How much was said of the memories of this agent and this user; of all where none is named.
    async fn feedback_tally(
        &self,
        agent: Option<&AgentId>,
        user: Option<&UserId>,
    ) -> StoreResult<Judgements> {
        match self.view().totals(Tallied::Judgements { agent: agent.cloned(), user: user.cloned() }).await? {
            Totals::Judgements(tally) => Ok(tally),
            _ => Err(astray("a count")),
        }
    }

    /// What models took since then.
    async fn usage_since(&self, since: Time) -> StoreResult<Usage> {
        match self.view().totals(Tallied::Usage { since }).await? {
            Totals::Usage(usage) => Ok(usage),
            _ => Err(astray("a count")),
        }
    }

    /// How much of this there is from before that moment.
    async fn older_than(&self, what: Kept, before: Time) -> StoreResult<u64> {
        match self.view().totals(Tallied::OlderThan { what, before }).await? {
            Totals::Number(number) => Ok(number),
            _ => Err(astray("a count")),
        }
    }

    /// Active memories of an owner, those too that do not hold yet or any more. It is kept beside them, so that asking costs nothing.
    async fn active_memories(&self, owner: &Owner) -> StoreResult<u64> {
        match self.view().totals(Tallied::ActiveOf { owner: owner.clone() }).await? {
            Totals::Number(number) => Ok(number),
            _ => Err(astray("a count")),
        }
    }

    /// Tokens of a session's turns that wait and are not dead.
    async fn pending_tokens(&self, key: &SessionKey) -> StoreResult<u64> {
        match self.view().totals(Tallied::PendingTokens { session: key.clone() }).await? {
            Totals::Number(number) => Ok(number),
            _ => Err(astray("a count")),
        }
    }

    /// Rows whose words are not in the index though they should be, and words of rows that are gone, above `after`.
    async fn out_of_step(&self, corpus: Corpus, after: i64, limit: usize) -> StoreResult<Vec<i64>> {
        let found = self.view().unindexed(Unindexed::Words { corpus, after, limit }).await?;
        Ok(found.into_iter().map(|missing| missing.row).collect())
    }

    /// Rows that have no vector of this signature yet, with their texts.
    async fn without_vector(
        &self,
        corpus: Corpus,
        signature: &str,
        limit: usize,
    ) -> StoreResult<Vec<(String, String)>> {
        let asked = Unindexed::Vectors { corpus, signature: signature.to_owned(), limit };
        let found = self.view().unindexed(asked).await?;
        Ok(found.into_iter().map(|missing| (missing.id, missing.text)).collect())
    }
}
