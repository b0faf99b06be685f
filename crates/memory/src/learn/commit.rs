//! One transaction for everything a pass came to: memories, what they replace, what is held, the episode, the graph, where
//! each came from, and the marks of the turns that are now distilled.
//!
//! Writes that rest on a read name the version they read. If somebody was faster the whole batch is refused, and the pass
//! is done again on what stands then.

use std::collections::HashMap;

use super::draft::{Candidate, EntityDraft, EpisodeDraft, RelationDraft};
use super::reconcile::Reconciled;
use super::{introduction, rest, told};
use crate::ports::Clock;
use crate::profile::grade::{self, EXPLICIT};
use crate::types::StatementDurability;
use crate::types::{
    Actor, Batch, Change, Entity, EntityId, Episode, EpisodeId, Expect, Kind, Memory, MemoryId, Node, Origin,
    Owner, Record, Relation, RelationId, Scope, SessionKey, Status, TenantId, Time, Turn, TurnId,
};

/// Where a pass writes: whose session, when, by whom, and with which ids.
pub struct BatchBuilder<'a> {
    pub tenant: TenantId,
    pub session: &'a SessionKey,
    /// Who sees what the session teaches.
    pub scope: Scope,
    pub origin: Origin,
    pub now: Time,
    /// When the turns that are read were said. What is learned from an import is as old as its turns.
    pub said: HashMap<TurnId, Time>,
    pub clock: &'a dyn Clock,
    pub batch: Batch,
}

/// What became of the candidates, counted.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct PassTally {
    pub inserted: u64,
    pub bumped: u64,
    pub superseded: u64,
    pub held: u64,
    pub dropped: u64,
    pub archived: u64,
    /// Of the dropped, those that were less important than the agent wants them in turn mode.
    #[serde(default, skip_serializing_if = "is_none")]
    pub below_threshold: u64,
    /// Of the dropped, those beyond as many facts as the agent takes from one turn.
    #[serde(default, skip_serializing_if = "is_none")]
    pub over_turn_limit: u64,
    /// Notes that the observer made.
    #[serde(default, skip_serializing_if = "is_none")]
    pub noted: u64,
}

fn is_none(count: &u64) -> bool {
    *count == 0
}

impl<'a> BatchBuilder<'a> {
    pub fn new(
        tenant: TenantId,
        session: &'a SessionKey,
        scope: Scope,
        origin: Origin,
        now: Time,
        clock: &'a dyn Clock,
    ) -> Self {
        let by = if origin == Origin::Model { Actor::Model } else { Actor::Heuristic };
        let said = HashMap::new();
        Self { tenant, session, scope, origin, now, said, clock, batch: Batch::new(by, now) }
    }

    /// Puts a candidate where its reconciliation says. `standing` are the memories it was compared with. Returns the id
    /// of the memory that now says it.
    pub fn candidate(
        &mut self,
        candidate: &Candidate,
        outcome: &Reconciled,
        standing: &HashMap<MemoryId, Memory>,
        tally: &mut PassTally,
    ) -> MemoryId {
        match outcome {
            Reconciled::Bump { known, .. } => {
                tally.bumped += 1;
                self.change(Change::CountSource { memory: known.clone() });
                standing.get(known).into_iter().for_each(|memory| self.mark_explicit(memory, candidate));
                self.derive(Node::Memory(known.clone()), &candidate.sources);
                known.clone()
            }
            Reconciled::Insert { reason } => {
                tally.inserted += 1;
                self.insert(candidate, reason, None)
            }
            Reconciled::Supersede { replaced, reason, .. } => {
                tally.inserted += 1;
                let mut before: Option<&Memory> = None;
                let new = MemoryId::from_uuid(self.clock.uuid());
                for known in replaced.iter().filter_map(|id| standing.get(id)) {
                    tally.superseded += 1;
                    self.retire(known, candidate, &new);
                    before = Some(known);
                }
                self.insert_as(new, candidate, reason, before)
            }
            Reconciled::Past { by, reason } => {
                tally.inserted += 1;
                let id = MemoryId::from_uuid(self.clock.uuid());
                let mut past = self.memory(id.clone(), candidate);
                past.metadata.insert("why".into(), reason.as_str().into());
                let ends = standing.get(by).map(|known| known.valid_from.unwrap_or(known.created_at));
                let ends = ends.map(|ends| past.valid_from.map_or(ends, |from| from.max(ends)));
                (past.status, past.superseded_by, past.key) = (Status::Superseded, Some(by.clone()), None);
                past.valid_until = past.valid_until.into_iter().chain(ends).min();
                self.change(Change::Put { record: past.into(), expect: Expect::Absent });
                self.derive(Node::Memory(id.clone()), &candidate.sources);
                id
            }
        }
    }

    fn insert(&mut self, candidate: &Candidate, reason: &str, before: Option<&Memory>) -> MemoryId {
        let id = MemoryId::from_uuid(self.clock.uuid());
        self.insert_as(id, candidate, reason, before)
    }

    fn insert_as(
        &mut self,
        id: MemoryId,
        candidate: &Candidate,
        reason: &str,
        before: Option<&Memory>,
    ) -> MemoryId {
        let mut memory = self.memory(id.clone(), candidate);
        memory.metadata.insert("why".into(), reason.into());
        if let Some(before) = before {
            memory.metadata.insert("supersedes".into(), before.id.as_str().into());
        }
        self.change(Change::Put { record: memory.into(), expect: Expect::Absent });
        self.derive(Node::Memory(id.clone()), &candidate.sources);
        id
    }

    /// The replaced memory becomes the past: true until the new one holds.
    pub(super) fn retire(&mut self, known: &Memory, candidate: &Candidate, by: &MemoryId) {
        let mut past = known.clone();
        past.status = Status::Superseded;
        past.superseded_by = Some(by.clone());
        let ends = candidate.valid_from.unwrap_or_else(|| self.said_at(candidate));
        past.valid_until = Some(past.valid_from.map_or(ends, |from| from.max(ends)));
        past.updated_at = self.now;
        let expect = Expect::Version(known.version);
        self.change(Change::Put { record: past.into(), expect });
    }

    /// What goes on of a memory that was retired because a part of it is over: the same memory with fewer words.
    pub(super) fn go_on(&mut self, known: &Memory, content: &str, mut parents: Vec<Node>) {
        let written = self.batch.changes.iter().filter_map(|change| match change {
            Change::Derive { child: Node::Memory(id), parents } if *id == known.id => Some(parents.clone()),
            _ => None,
        });
        parents.extend(written.flatten().collect::<Vec<_>>());
        let id = MemoryId::from_uuid(self.clock.uuid());
        let why = "what goes on of a statement of which a part is over";
        let rest = rest::memory(known, id.clone(), content, why, self.now);
        self.change(Change::Put { record: rest.into(), expect: Expect::Absent });
        let turns = parents.into_iter().filter(|parent| matches!(parent, Node::Turn(_))).collect();
        self.change(Change::Derive { child: Node::Memory(id), parents: turns });
    }

    /// When a candidate was said, the last time, by the clock of whoever stored its turns; now, where nobody knows.
    pub(super) fn last_said(&self, candidate: &Candidate) -> Time {
        let said = candidate.sources.iter().filter_map(|turn| self.said.get(turn)).max();
        said.copied().unwrap_or(self.now)
    }

    /// The same, and never ahead of us.
    fn said_at(&self, candidate: &Candidate) -> Time {
        self.last_said(candidate).min(self.now)
    }

    /// A candidate as a memory, with the metadata that says where it comes from.
    pub fn memory(&self, id: MemoryId, candidate: &Candidate) -> Memory {
        let owner = self.session.owner();
        let said = self.said_at(candidate);
        let mut memory =
            Memory::new(id, self.tenant.clone(), &owner, candidate.kind, candidate.content.clone(), said);
        memory.updated_at = self.now;
        memory.session = Some(self.session.session.clone());
        memory.scope = self.scope;
        memory.layer = candidate.layer;
        memory.key = candidate.key.clone();
        memory.subject = candidate.subject.clone();
        memory.predicate = candidate.predicate.clone();
        memory.object = candidate.object.clone();
        memory.evidence = Some(candidate.evidence.clone());
        memory.confidence = candidate.confidence;
        memory.salience = candidate.salience;
        memory.origin = self.origin;
        memory.tags = candidate.tags.clone();
        memory.emotion = candidate.emotion;
        // What will be is known now: a day ahead must not hide it.
        // What only says until when it was so says nothing of its beginning.
        let held_then = candidate.valid_until.is_none_or(|until| until > said);
        let from = candidate.valid_from.or_else(|| held_then.then_some(said));
        memory.valid_from = from.map(|from| from.min(self.now));
        memory.valid_until = candidate.valid_until;
        memory.category = candidate.matter.clone();
        memory.sensitive = candidate.sensitive;
        let metadata = [
            ("category", candidate.category.clone()),
            ("extractedAt", self.now.to_string()),
            ("source", self.origin.as_str().to_owned()),
            ("rule", candidate.made_by.clone()),
        ];
        memory.metadata = metadata.into_iter().map(|(name, value)| (name.to_owned(), value.into())).collect();
        if let Some(core) = candidate.core {
            memory.metadata.insert(Memory::CORE.into(), f64::from(core * 100.0).round().into());
        }
        if candidate.put_right {
            memory.metadata.insert(Memory::PUT_RIGHT.into(), true.into());
        }
        let heard_as_core = candidate.core.is_some_and(|core| core >= told::CORE_OF_A_NAME);
        let named = told::is_verbatim(candidate) && heard_as_core;
        if let Some(name) = introduction::own_name(&candidate.content).filter(|_| named) {
            memory.metadata.insert(Memory::OWN_NAME.into(), name.into());
        }
        if candidate.durability == StatementDurability::Explicit {
            memory.metadata.insert(EXPLICIT.0.into(), EXPLICIT.1.into());
        }
        memory
    }

    /// What was known and is now said to be kept becomes a thing to be always said, where it says who the user is.
    fn mark_explicit(&mut self, known: &Memory, candidate: &Candidate) {
        let explicit = candidate.durability == StatementDurability::Explicit && !grade::is_explicit(known);
        if explicit && grade::says_who(known) && known.origin != Origin::Person {
            let mut marked = known.clone();
            marked.metadata.insert(EXPLICIT.0.into(), EXPLICIT.1.into());
            marked.updated_at = self.now;
            let expect = Expect::Version(known.version);
            self.change(Change::Put { record: marked.into(), expect });
        }
    }

    /// Archives a memory that had to make room.
    pub fn archive(&mut self, memory: &Memory, reason: &str) {
        let mut archived = memory.clone();
        archived.status = Status::Archived;
        archived.updated_at = self.now;
        archived.metadata.insert("archivedBecause".into(), reason.into());
        self.change(Change::Put { record: archived.into(), expect: Expect::Version(memory.version) });
    }

    /// The session's one episode: new, or in place of the one there is.
    pub fn episode(&mut self, draft: &EpisodeDraft, standing: Option<&Episode>, turns: &[Turn]) -> EpisodeId {
        let id =
            standing.map_or_else(|| EpisodeId::from_uuid(self.clock.uuid()), |episode| episode.id.clone());
        let (started_at, ended_at) = span(turns, self.now);
        let episode = Episode {
            id: id.clone(),
            version: standing.map_or(1, |episode| episode.version),
            session: self.session.clone(),
            summary: draft.summary.clone(),
            topics: draft.topics.clone(),
            decisions: draft.decisions.clone(),
            key_dates: draft.key_dates.clone(),
            action_items: draft.action_items.clone(),
            salience: draft.salience.clamp(0.0, 1.0),
            origin: self.origin,
            status: Status::Active,
            started_at,
            ended_at,
            created_at: standing.map_or(self.now, |episode| episode.created_at),
            updated_at: self.now,
        };
        let expect = standing.map_or(Expect::Absent, |episode| Expect::Version(episode.version));
        self.change(Change::Put { record: episode.into(), expect });
        let sources: Vec<TurnId> = turns.iter().map(|turn| turn.id.clone()).collect();
        self.derive(Node::Episode(id.clone()), &sources);
        id
    }

    /// Entities are one for each name; a name that is known keeps its entity and gains the aliases.
    pub fn entities(
        &mut self,
        drafts: &[EntityDraft],
        known: &HashMap<String, Entity>,
    ) -> HashMap<String, EntityId> {
        let mut ids: HashMap<String, EntityId> = HashMap::new();
        for draft in drafts {
            let folded = draft.name.to_lowercase();
            if ids.contains_key(&folded) {
                continue;
            }
            let id = match known.get(&folded) {
                Some(entity) => self.widen(entity, draft),
                None => self.new_entity(draft),
            };
            for name in draft.aliases.iter().map(|alias| alias.to_lowercase()).chain([folded]) {
                ids.entry(name).or_insert_with(|| id.clone());
            }
        }
        ids
    }

    fn new_entity(&mut self, draft: &EntityDraft) -> EntityId {
        let id = EntityId::from_uuid(self.clock.uuid());
        let entity = Entity {
            id: id.clone(),
            version: 1,
            owner: self.session.owner(),
            name: draft.name.clone(),
            entity_type: draft.entity_type,
            aliases: draft.aliases.clone(),
            status: Status::Active,
            created_at: self.now,
            updated_at: self.now,
        };
        self.change(Change::Put { record: entity.into(), expect: Expect::Absent });
        id
    }

    fn widen(&mut self, entity: &Entity, draft: &EntityDraft) -> EntityId {
        let new: Vec<&String> =
            draft.aliases.iter().filter(|alias| !entity.aliases.contains(alias)).collect();
        if !new.is_empty() {
            let mut wider = entity.clone();
            wider.aliases.extend(new.into_iter().cloned());
            wider.updated_at = self.now;
            let expect = Expect::Version(entity.version);
            self.change(Change::Put { record: wider.into(), expect });
        }
        entity.id.clone()
    }

    /// A relation that is known is not written again.
    pub fn relations(
        &mut self,
        drafts: &[RelationDraft],
        ids: &HashMap<String, EntityId>,
        known: &[Relation],
    ) {
        for draft in drafts {
            let named = |name: &str| ids.get(&name.to_lowercase());
            let (Some(subject), Some(object)) = (named(&draft.subject), named(&draft.object)) else {
                continue;
            };
            let same = |relation: &&Relation| {
                relation.subject == *subject
                    && relation.object == *object
                    && relation.predicate == draft.predicate
            };
            if known.iter().find(same).is_some() || subject == object {
                continue;
            }
            let id = RelationId::from_uuid(self.clock.uuid());
            let relation = Relation {
                id: id.clone(),
                version: 1,
                owner: self.session.owner(),
                subject: subject.clone(),
                predicate: draft.predicate.clone(),
                object: object.clone(),
                confidence: draft.confidence,
                valid_from: draft.valid_from,
                valid_until: draft.valid_until,
                status: Status::Active,
                created_at: self.now,
                updated_at: self.now,
            };
            self.change(Change::Put { record: relation.into(), expect: Expect::Absent });
            self.derive(Node::Relation(id), &draft.sources);
        }
    }

    pub fn derive(&mut self, child: Node, sources: &[TurnId]) {
        if !sources.is_empty() {
            let parents = sources.iter().cloned().map(Node::Turn).collect();
            self.change(Change::Derive { child, parents });
        }
    }

    pub fn change(&mut self, change: Change) {
        self.batch.changes.push(change);
    }
}

/// From the first to the last turn.
fn span(turns: &[Turn], now: Time) -> (Time, Time) {
    let first = turns.iter().map(|turn| turn.at).min().unwrap_or(now);
    let last = turns.iter().map(|turn| turn.at).max().unwrap_or(now);
    (first, last)
}

/// Which memories must make room: the oldest active ones over the cap that no person wrote or pinned.
pub fn over_cap(active: &[Memory], cap: usize, new: usize) -> Vec<&Memory> {
    let over = (active.len() + new).saturating_sub(cap);
    let movable = active.iter().filter(|memory| !memory.pinned && memory.origin != Origin::Person);
    let mut movable: Vec<&Memory> = movable.collect();
    movable.sort_by_key(|memory| (memory.created_at, memory.id.clone()));
    movable.into_iter().take(over).collect()
}

/// Whether a record is a rule that counts against the cap.
pub fn is_rule(memory: &Memory, owner: &Owner) -> bool {
    memory.kind == Kind::Rule && memory.status == Status::Active && memory.owner() == *owner
}

/// The record that a batch already writes for an id, so that later candidates of the same pass see it.
pub fn written_memories(batch: &Batch) -> Vec<Memory> {
    let memories = batch.changes.iter().filter_map(|change| match change {
        Change::Put { record: Record::Memory(memory), .. } => Some((**memory).clone()),
        _ => None,
    });
    memories.collect()
}
