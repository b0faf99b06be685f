//! Forgetting that can be undone: what goes besides the memories that are chosen, as changes of one run.
//!
//! What was said is never changed: what tells it again lies under veils ([`super::copies`]), and comes back with the undo. Digests,
//! titles and profiles are written without it; candidates, overrides, relations and, by their words, entities go. Other memories keep
//! what they say and lose the quotation that tells it. Blocks that were put into prompts lose their text, which no undo needs. A
//! forgotten conversation must not be learned from again, so the marks that say "these turns wait to be distilled" are taken off.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::Range;

use serde_json::{Map, Value};

use super::PurgeTarget;
use super::copies::{self, Copies, TellingTurn};
use super::decision::{self, Fate};
use super::neighbours::{EntityLeft, Neighbours};
use super::progress::name;
use super::redact::ForgetWords;
use super::statements::ForgottenStatements;
use crate::error::{StoreError, StoreResult};
use crate::learn::identity::forget::{self as identity, IdentityLeaving};
use crate::limits;
use crate::ports::{Clock, ReadStore, Store};
use crate::text::Analyser;
use crate::text::similarity::word_set;
use crate::types::{
    Actor, Batch, Change, Entity, Erasure, Expect, Filter, Memory, MemoryId, Node, PageRequest, Record,
    RecordKind, RecordRef, Relation, Run, RunId, RunState, SessionKey, Status, Time, TurnId, UserId, VeilId,
};

/// The job's name in the list of runs.
pub const JOB: &str = "forget";

/// Changes that go into the same run as the memories', at most `room`, and what they are, by kind.
#[derive(Debug, Default)]
pub struct Besides {
    pub changes: Vec<Change>,
    /// What goes.
    pub kinds: BTreeMap<String, u64>,
    /// What stays without it.
    pub rewritten: BTreeMap<String, u64>,
    /// There was no room for all.
    pub more: bool,
    /// Sessions that wait for a model to do them again.
    redo: HashSet<SessionKey>,
    /// What is left of the turns of which something is hidden.
    left: HashMap<TurnId, String>,
    /// What is hidden of them.
    hidden: Vec<String>,
}

impl Besides {
    fn count(&mut self, kind: &str, many: usize) {
        if many > 0 {
            *self.kinds.entry(kind.to_owned()).or_default() += many as u64;
        }
    }

    fn rewrite(&mut self, record: Record) {
        *self.rewritten.entry(name(record.kind()).to_owned()).or_default() += 1;
        self.changes.push(put(record));
    }

    fn is_full(&self, room: usize) -> bool {
        // One record takes two changes at most.
        self.changes.len() + 2 > room
    }
}

/// A forgetting that is about to be.
pub struct Reversible<'a, S: ReadStore + ?Sized> {
    pub store: &'a S,
    pub analyser: &'a Analyser,
    pub target: &'a PurgeTarget,
    /// The memories that are chosen.
    pub memories: &'a [Memory],
    /// What was said and is no memory, as far as it may be told again.
    pub asides: &'a [Memory],
    /// What was said beside it, in the same sentence, and stays.
    pub spared: &'a [String],
    pub clock: &'a dyn Clock,
    pub now: Time,
}

/// Who forgets, and what the run says of it.
pub struct ForgetRun {
    pub by: Actor,
    pub reason: Option<String>,
    /// What the run counts besides what goes.
    pub notes: Map<String, Value>,
    /// Changes besides those that follow from the memories.
    pub also: Vec<Change>,
}

/// Forgets the memories of a plan and what goes besides, in one run; nothing where there is nothing. The identity goes before and
/// is looked at once more behind, because a profile may have been made meanwhile. Somebody who was faster makes it a conflict.
pub async fn carry_out(
    plan: &Reversible<'_, dyn Store>,
    room: usize,
    run: ForgetRun,
) -> StoreResult<(Option<RunId>, Besides)> {
    let id = RunId::from_uuid(plan.clock.uuid());
    let leaving = IdentityLeaving::InRun(&id);
    forget_identity(plan, leaving).await?;
    let besides = plan.besides(room.saturating_sub(plan.memories.len() + run.also.len())).await?;
    if plan.memories.is_empty() && besides.changes.is_empty() && run.also.is_empty() {
        return Ok((None, besides));
    }
    let mut counts: Map<String, Value> =
        besides.kinds.iter().map(|(kind, count)| (kind.clone(), (*count).into())).collect();
    if !plan.memories.is_empty() {
        counts.insert("memories".to_owned(), plan.memories.len().into());
    }
    counts.extend(run.notes);
    let record = Run {
        id: id.clone(),
        version: 1,
        job: JOB.to_owned(),
        state: RunState::Done,
        cursor: None,
        counts,
        started_at: plan.now,
        finished_at: Some(plan.now),
    };
    let mut batch = Batch::new(run.by, plan.now).in_run(id.clone()).insert(record);
    batch.reason = run.reason;
    for memory in plan.memories {
        batch = batch.replace(Memory { status: Status::Deleted, updated_at: plan.now, ..memory.clone() });
    }
    let planned: HashSet<RecordRef> = besides.changes.iter().filter_map(removed).cloned().collect();
    batch.changes.extend(besides.changes.iter().cloned());
    batch
        .changes
        .extend(run.also.into_iter().filter(|change| removed(change).is_none_or(|of| !planned.contains(of))));
    plan.store.apply(batch).await?;
    forget_identity(plan, leaving).await?;
    Ok((Some(id), besides))
}

fn removed(change: &Change) -> Option<&RecordRef> {
    match change {
        Change::Remove { of, .. } => Some(of),
        _ => None,
    }
}

async fn forget_identity(plan: &Reversible<'_, dyn Store>, leaving: IdentityLeaving<'_>) -> StoreResult<()> {
    for _ in 0..limits::TEND_RACES {
        match identity::forget(plan.store, plan.memories, leaving, plan.now).await {
            Err(StoreError::Conflict { .. }) => {}
            other => return other,
        }
    }
    identity::forget(plan.store, plan.memories, leaving, plan.now).await
}

/// Whether one of two memories is what goes on of the other: what it says, the other says too.
fn share_words(one: &Memory, other: &Memory) -> bool {
    let rest_of = |rest: &Memory, whole: &Memory| {
        rest.metadata.get(Memory::REST_OF).is_some_and(|id| id == whole.id.as_str())
    };
    rest_of(one, other) || rest_of(other, one)
}

/// Memories beside the chosen ones that rest on the same sentence and say the same, or say it in the same words.
pub async fn twins(
    store: &(impl ReadStore + ?Sized),
    analyser: &Analyser,
    target: &PurgeTarget,
    memories: &[Memory],
) -> StoreResult<Vec<Memory>> {
    let gone: BTreeSet<&MemoryId> = memories.iter().map(|memory| &memory.id).collect();
    let mut twins: Vec<Memory> = Vec::new();
    for user in copies::users(memories) {
        let of_user: Vec<&Memory> = memories.iter().filter(|memory| memory.user == *user).collect();
        let statements = ForgottenStatements::of_memories(of_user, [], analyser);
        let filter = Filter {
            user: Some(user.clone()),
            bounds: target.filter.bounds.clone(),
            statuses: vec![Status::Active, Status::Superseded, Status::Archived],
            ..Filter::ever()
        };
        let mut offset = 0;
        loop {
            let page = PageRequest { offset, ..PageRequest::newest(limits::PAGE_ROWS) };
            let items = store.list_memories(&filter, page).await?.items;
            offset += items.len();
            let last = items.len() < limits::PAGE_ROWS;
            let others = items.into_iter().filter(|memory| !gone.contains(&memory.id) && !memory.pinned);
            let said_again = |memory: &Memory| {
                statements.are_said_again_by(memory, analyser)
                    || memories.iter().any(|one| share_words(one, memory))
            };
            twins.extend(others.filter(said_again));
            if last || offset >= limits::READ_IDS {
                break;
            }
        }
    }
    Ok(twins)
}

impl<S: ReadStore + ?Sized> Reversible<'_, S> {
    /// What is forgotten besides the memories that are chosen.
    pub async fn besides(&self, room: usize) -> StoreResult<Besides> {
        let mut besides = Besides::default();
        let forgotten: Vec<Memory> =
            self.memories.iter().chain(self.asides).map(|memory| self.without_the_spared(memory)).collect();
        let statements = copies::statements_of(self.store, self.analyser, self.target, &forgotten).await?;
        let copies = Copies {
            store: self.store,
            analyser: self.analyser,
            target: self.target,
            memories: &forgotten,
            statements: &statements,
        };
        self.hide_turns(&copies, room, &mut besides).await?;
        let words = copies.words();
        if !self.target.is_whole() {
            self.drop_quotes(&words, room, &mut besides).await?;
            self.drop_blocks(&words, &mut besides).await?;
        }
        let told = forgotten.iter().flat_map(|memory| memory.evidence.iter().chain([&memory.content]));
        let told = told.chain(&besides.hidden).flat_map(|text| word_set(text, self.analyser)).collect();
        let mut neighbours = Neighbours {
            store: self.store,
            analyser: self.analyser,
            words: told,
            left: std::mem::take(&mut besides.left),
            gone: self.memories.iter().map(|memory| memory.id.clone()).collect(),
            relations: BTreeSet::new(),
        };
        self.records(&words, room, &mut besides, &mut neighbours).await?;
        Ok(besides)
    }

    fn users(&self) -> BTreeSet<&UserId> {
        self.memories.iter().chain(self.asides).map(|memory| &memory.user).collect()
    }

    /// Whether a record may tell it: it lies within what is named, and belongs to somebody whose memories are meant.
    fn reaches(&self, record: &Record) -> bool {
        let target = self.target;
        let theirs = user_of(record).is_some_and(|user| self.users().contains(user));
        let everybodys = target.is_whole() || target.query.is_some() && target.is_about_more_than_memories();
        match record {
            // A kind or a tag says which memories go, not which of the others may go on telling it.
            Record::Memory(memory) if theirs => target.filter.bounds.admits(memory),
            _ => target.reaches(record) && (everybodys || theirs),
        }
    }

    async fn hide_turns(
        &self,
        copies: &Copies<'_, S>,
        room: usize,
        besides: &mut Besides,
    ) -> StoreResult<()> {
        let most = room.min(limits::READ_IDS);
        let mut telling = copies.telling_turns(most, false).await?;
        for told in &mut telling {
            told.parts = self.but_for_the_spared(&told.turn.text, &told.parts);
        }
        telling.retain(|told| !told.parts.is_empty());
        besides.more |= telling.len() >= most;
        besides.count("turns", telling.len());
        for told in &telling {
            besides.hidden.extend(told.parts.iter().map(|part| told.turn.text[part.clone()].to_owned()));
            besides.left.insert(told.turn.id.clone(), left_of(told));
        }
        let veils = copies::veils(&telling, self.now, || VeilId::from_uuid(self.clock.uuid()));
        let insert = |veil| Change::Put { record: Record::from(veil), expect: Expect::Absent };
        besides.changes.extend(veils.into_iter().map(insert));
        Ok(())
    }

    /// A memory as far as it is forgotten.
    fn without_the_spared(&self, memory: &Memory) -> Memory {
        let mut gone = memory.clone();
        for spared in self.spared {
            gone.content = gone.content.replace(spared.as_str(), "");
            gone.evidence = gone.evidence.map(|quote| quote.replace(spared.as_str(), ""));
        }
        gone
    }

    /// Parts of a text, less what of them is spared.
    fn but_for_the_spared(&self, text: &str, parts: &[Range<usize>]) -> Vec<Range<usize>> {
        let spared = self.spared.iter().flat_map(|spared| text.match_indices(spared.as_str()));
        let mut spared: Vec<Range<usize>> = spared.map(|(at, found)| at..at + found.len()).collect();
        spared.sort_by_key(|range| range.start);
        let mut left = Vec::new();
        for part in parts {
            let mut from = part.start;
            for range in spared.iter().filter(|range| range.start >= part.start && range.end <= part.end) {
                left.push(from..range.start.max(from));
                from = range.end.max(from);
            }
            left.push(from..part.end.max(from));
        }
        left.retain(|part| text[part.clone()].contains(char::is_alphanumeric));
        left
    }

    /// Quotations behind memories that stay.
    async fn drop_quotes(
        &self,
        words: &ForgetWords<'_>,
        room: usize,
        besides: &mut Besides,
    ) -> StoreResult<()> {
        let gone: BTreeSet<&MemoryId> = self.memories.iter().map(|memory| &memory.id).collect();
        let mut after = 0;
        loop {
            let rows = self.store.memories_after(after, limits::PURGE_ROWS).await?;
            let Some((last, _)) = rows.last() else { return Ok(()) };
            after = *last;
            for (_, memory) in rows.into_iter().filter(|(_, memory)| !gone.contains(&memory.id)) {
                let record = Record::from(memory.clone());
                if !self.reaches(&record) {
                    continue;
                }
                let bare = decision::bare(&memory, words);
                if bare != memory {
                    besides.rewrite(Memory { updated_at: self.now, ..bare }.into());
                }
                if besides.is_full(room) {
                    besides.more = true;
                    return Ok(());
                }
            }
        }
    }

    async fn drop_blocks(&self, words: &ForgetWords<'_>, besides: &mut Besides) -> StoreResult<()> {
        let (mut at, mut hash) = (Time::MIN, String::new());
        let users = self.users();
        loop {
            let blocks = self.store.blocks_after(at, &hash, limits::PURGE_ROWS).await?;
            let Some(last) = blocks.last() else { return Ok(()) };
            (at, hash) = (last.at, last.hash.clone());
            let theirs = |key: &SessionKey| {
                self.target.admits_key(key) && (self.target.ids.is_empty() || users.contains(&key.user))
            };
            let telling = blocks.into_iter().filter(|block| {
                theirs(&block.session) && block.text.lines().any(|line| words.match_text(line))
            });
            let hashes: Vec<String> = telling.map(|block| block.hash).collect();
            if !hashes.is_empty() {
                besides.changes.push(Change::Erase { what: Erasure::Blocks { hashes } });
            }
        }
    }

    async fn records(
        &self,
        words: &ForgetWords<'_>,
        room: usize,
        besides: &mut Besides,
        neighbours: &mut Neighbours<'_, S>,
    ) -> StoreResult<()> {
        besides.redo =
            self.store.redo(limits::READ_IDS).await?.into_iter().map(|entry| entry.session).collect();
        for kind in [
            RecordKind::Episode,
            RecordKind::Held,
            RecordKind::Override,
            RecordKind::Profile,
            RecordKind::Relation,
            RecordKind::Entity,
            RecordKind::Session,
        ] {
            let mut after = 0;
            loop {
                let rows = self.store.records_after(kind, after, limits::PURGE_ROWS).await?;
                let Some((last, _)) = rows.last() else { break };
                after = *last;
                for (_, record) in rows.into_iter().filter(|(_, record)| self.reaches(record)) {
                    if besides.is_full(room) {
                        besides.more = true;
                        return Ok(());
                    }
                    match self.target.is_whole() {
                        true => self.whole(besides, record, neighbours).await?,
                        false => self.in_part(besides, record, words, neighbours).await?,
                    }
                }
            }
        }
        Ok(())
    }

    /// Everything of somebody goes.
    async fn whole(
        &self,
        besides: &mut Besides,
        record: Record,
        neighbours: &mut Neighbours<'_, S>,
    ) -> StoreResult<()> {
        let of_one_session = self.target.filter.session.is_some();
        match record {
            Record::Session(session) => self.unread(besides, &session.key).await?,
            Record::Episode(_) => self.delete(besides, record),
            Record::Entity(_) | Record::Relation(_) if !of_one_session => self.delete(besides, record),
            Record::Relation(ref relation) if self.is_said_there_alone(relation).await? => {
                neighbours.relations.insert(relation.id.clone());
                self.delete(besides, record);
            }
            Record::Entity(entity) => self.neighbour(besides, *entity, neighbours).await?,
            Record::Override(_) if !self.target.is_whole_identity() => {}
            Record::Held(_) | Record::Override(_) => remove(besides, &record),
            _ => {}
        }
        Ok(())
    }

    /// Whether a relation was said in the conversations that go and nowhere else.
    async fn is_said_there_alone(&self, relation: &Relation) -> StoreResult<bool> {
        let parents = self.store.parents(&Node::Relation(relation.id.clone())).await?;
        let said = parents.iter().filter_map(|parent| match parent {
            Node::Turn(id) => Some(id.clone()),
            _ => None,
        });
        let turns = self.store.turns(&said.collect::<Vec<_>>()).await?;
        Ok(!turns.is_empty()
            && turns.len() == parents.len()
            && turns.iter().all(|turn| self.target.admits_key(&turn.session)))
    }

    /// What tells it goes, or is written without it.
    async fn in_part(
        &self,
        besides: &mut Besides,
        record: Record,
        words: &ForgetWords<'_>,
        neighbours: &mut Neighbours<'_, S>,
    ) -> StoreResult<()> {
        if let Record::Relation(relation) = &record {
            let tells = words.match_text(&sentence(self.store, relation).await?);
            if tells || neighbours.takes_relation(relation).await? {
                neighbours.relations.insert(relation.id.clone());
                self.delete(besides, record);
            }
            return Ok(());
        }
        // A name alone tells nothing, unless it was asked for.
        let named = ForgetWords { said: None, ..*words };
        let words = if record.kind() == RecordKind::Entity { &named } else { words };
        match decision::of(&record, words, self.now) {
            Fate::Stays => match record {
                Record::Entity(entity) => self.neighbour(besides, *entity, neighbours).await?,
                Record::Episode(episode) => {
                    let mut clean = *episode;
                    if clean.status != Status::Deleted && neighbours.thin_topics(&mut clean).await? {
                        clean.updated_at = self.now;
                        besides.rewrite(clean.into());
                    }
                }
                _ => {}
            },
            Fate::Rewritten(Record::Episode(mut clean)) => {
                neighbours.thin_topics(&mut clean).await?;
                besides.rewrite(Record::Episode(clean));
            }
            Fate::Goes => match record.kind() {
                RecordKind::Episode | RecordKind::Entity => self.delete(besides, record),
                _ => remove(besides, &record),
            },
            Fate::Rewritten(clean) => besides.rewrite(clean),
        }
        Ok(())
    }

    /// An entity that only what is forgotten named goes; one that it gave a name loses the name.
    async fn neighbour(
        &self,
        besides: &mut Besides,
        entity: Entity,
        neighbours: &Neighbours<'_, S>,
    ) -> StoreResult<()> {
        if entity.status != Status::Active {
            return Ok(());
        }
        match neighbours.entity(&entity).await? {
            EntityLeft::All => {}
            EntityLeft::Part(clean) => besides.rewrite(Entity { updated_at: self.now, ..clean }.into()),
            EntityLeft::Nothing => self.delete(besides, entity.into()),
        }
        Ok(())
    }

    fn delete(&self, besides: &mut Besides, record: Record) {
        let (status, updated_at) = (Status::Deleted, self.now);
        let deleted = match record {
            Record::Episode(episode) if episode.status != status => {
                crate::types::Episode { status, updated_at, ..*episode }.into()
            }
            Record::Entity(entity) if entity.status == Status::Active => {
                crate::types::Entity { status, updated_at, ..*entity }.into()
            }
            Record::Relation(relation) if relation.status == Status::Active => {
                Relation { status, updated_at, ..*relation }.into()
            }
            _ => return,
        };
        besides.count(name(Record::kind(&deleted)), 1);
        besides.changes.push(put(deleted));
    }

    /// What waits to be learned from is not, and what was learned without a model is not learned again.
    async fn unread(&self, besides: &mut Besides, key: &SessionKey) -> StoreResult<()> {
        let waiting = self.store.pending_of(key).await?;
        if besides.redo.contains(key) {
            besides.changes.push(Change::ClearRedo { session: key.clone() });
        }
        if !waiting.is_empty() {
            besides.count("pending", waiting.len());
            let turns = waiting.into_iter().map(|waiting| waiting.turn).collect();
            besides.changes.push(Change::ClearPending { turns });
        }
        Ok(())
    }
}

/// A turn without what of it is hidden.
fn left_of(told: &TellingTurn) -> String {
    let (mut left, mut at) = (String::new(), 0);
    for part in &told.parts {
        left.push_str(told.turn.text.get(at..part.start).unwrap_or_default());
        left.push('\n');
        at = part.end.max(at);
    }
    left.push_str(told.turn.text.get(at..).unwrap_or_default());
    left
}

fn remove(besides: &mut Besides, record: &Record) {
    besides.count(name(record.kind()), 1);
    besides
        .changes
        .push(Change::Remove { of: record.reference(), expect: Expect::Version(record.version()) });
}

fn put(record: Record) -> Change {
    let expect = Expect::Version(record.version());
    Change::Put { record, expect }
}

/// A relation as somebody would say it.
pub(super) async fn sentence(store: &(impl ReadStore + ?Sized), relation: &Relation) -> StoreResult<String> {
    let ends = [relation.subject.as_str().to_owned(), relation.object.as_str().to_owned()];
    let names: Vec<String> = store.entities(&ends).await?.into_iter().map(|entity| entity.name).collect();
    Ok(format!("{} {}", names.join(" "), relation.predicate.replace('_', " ").to_lowercase()))
}

pub(super) fn user_of(record: &Record) -> Option<&UserId> {
    Some(match record {
        Record::Memory(memory) => &memory.user,
        Record::Episode(episode) => &episode.session.user,
        Record::Session(session) => &session.key.user,
        Record::Held(held) => &held.session.user,
        Record::Veil(veil) => &veil.session.user,
        Record::Entity(entity) => &entity.owner.user,
        Record::Relation(relation) => &relation.owner.user,
        Record::Profile(profile) => &profile.user,
        Record::Override(line) => &line.user,
        Record::Link(_) | Record::Agent(_) | Record::Run(_) => return None,
    })
}
