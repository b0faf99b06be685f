//! What was said is read again, by today's learner: what then differs from what is known.
//!
//! Whoever asks lets the stored turns go once more through the write path, in a store of its own that holds what people touched and
//! nothing that a machine made. [`differences`] compares what comes out with what stands: what is learned the same way stays as it is,
//! what is learned otherwise is changed, what is new is added, and what nobody would learn today is archived. So a second
//! reading changes nothing. What a person wrote, changed, pinned or judged stays, what a model made stays, what upkeep put
//! away stays away, and what was forgotten is not learned again; nor is the sentence read anew of which somebody changed, merged or took away what was
//! learned.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use uuid::Uuid;

use crate::ports::Clock;
use crate::text::similarity::word_jaccard;
use crate::text::{Analyser, fold};
use crate::types::{
    Change, Entity, Episode, EpisodeId, Expect, Kind, Memory, MemoryId, Node, Origin, SessionKey, Status,
    Time, TurnId,
};

/// Counts up whenever the learner would understand stored conversations otherwise than before.
pub const LEARNER_VERSION: &str = "9";

/// What the runs of reading again are called.
pub const JOB: &str = "relearn";

/// Under which name it is written down by which learner a tenant's conversations were read.
pub const LEARNER_MARK: &str = "learner";

/// Why something is archived that today's learner would not learn.
const NOT_LEARNED: &str = "read again: it would not be learned today";

/// The share of common words from which what comes from the same turn says what was forgotten.
const FORGOTTEN: f64 = 0.4;

/// What stands of one user.
#[derive(Debug, Default)]
pub struct StandingRecords {
    /// In every status.
    pub memories: Vec<Memory>,
    /// Those that a person made, changed or judged.
    pub of_people: HashSet<String>,
    /// What those said before, folded.
    pub said_before: HashMap<MemoryId, HashSet<String>>,
    /// Those that upkeep changed last.
    pub tended: HashSet<MemoryId>,
    /// Which turns they were learned from.
    pub sources: HashMap<MemoryId, Vec<TurnId>>,
    /// In every status.
    pub episodes: Vec<Episode>,
    pub entities: Vec<Entity>,
}

/// What reading again came to.
#[derive(Debug, Default)]
pub struct RelearnedRecords {
    pub memories: Vec<Memory>,
    pub sources: HashMap<MemoryId, Vec<TurnId>>,
    pub episodes: Vec<Episode>,
    /// Which turns the digests are of.
    pub episode_sources: HashMap<EpisodeId, Vec<TurnId>>,
    pub entities: Vec<Entity>,
    /// The turns that were read.
    pub turns: HashSet<TurnId>,
}

/// What reading again does to one record, for people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RelearnEffect {
    Added,
    Changed,
    Retired,
    Digest,
    Entity,
}

/// What is to be written, and what it comes to.
#[derive(Debug, Default)]
pub struct RelearnPlan {
    pub changes: Vec<Change>,
    /// What happens to what, in words.
    pub effects: Vec<(RelearnEffect, String)>,
    /// Machine-made memories that stay as they are.
    pub unchanged: usize,
}

impl StandingRecords {
    /// Whether a machine made it from turns that were read, and nobody took it in hand.
    fn is_replaceable(&self, memory: &Memory, read: &RelearnedRecords) -> bool {
        let sources = self.sources.get(&memory.id).map(Vec::as_slice).unwrap_or_default();
        is_machine_made(memory)
            && memory.status != Status::Deleted
            && !self.of_people.contains(memory.id.as_str())
            && !sources.is_empty()
            && sources.iter().all(|turn| read.turns.contains(turn))
    }

    /// What the second reading begins with: what it may not replace.
    pub fn kept(&self, turns: &HashSet<TurnId>) -> Vec<&Memory> {
        let read = RelearnedRecords { turns: turns.clone(), ..RelearnedRecords::default() };
        let active = self.memories.iter().filter(|memory| memory.status == Status::Active);
        active.filter(|memory| !self.is_replaceable(memory, &read)).collect()
    }

    /// Whether a memory says what was forgotten.
    fn is_forgotten(&self, memory: &Memory, sources: &[TurnId], analyser: &Analyser) -> bool {
        let deleted = self.memories.iter().filter(|known| known.status == Status::Deleted);
        deleted.into_iter().any(|gone| {
            let theirs = self.sources.get(&gone.id).map(Vec::as_slice).unwrap_or_default();
            let shares = theirs.iter().any(|turn| sources.contains(turn));
            fold(&gone.content) == fold(&memory.content)
                || shares && word_jaccard(&gone.content, &memory.content, analyser) >= FORGOTTEN
        })
    }
}

impl StandingRecords {
    /// Whether somebody took in hand what a memory says: it rests on the sentence of one that they touched, or says what that one said before.
    fn is_settled(&self, memory: &Memory, sources: &[TurnId]) -> bool {
        let touched = self.memories.iter().filter(|known| self.of_people.contains(known.id.as_str()));
        touched.into_iter().any(|known| {
            let theirs = self.sources.get(&known.id).map(Vec::as_slice).unwrap_or_default();
            let apart = !theirs.is_empty() && !theirs.iter().any(|turn| sources.contains(turn));
            let said_before = self.said_before.get(&known.id);
            !apart
                && (rests_on_the_same(known, memory)
                    || said_before.is_some_and(|said| said.contains(&fold(&memory.content))))
        })
    }
}

/// Whether two memories quote the same sentence.
fn rests_on_the_same(one: &Memory, other: &Memory) -> bool {
    let quoted = |memory: &Memory| memory.evidence.as_deref().map(fold).filter(|quote| !quote.is_empty());
    let (Some(one), Some(other)) = (quoted(one), quoted(other)) else { return false };
    one.contains(&other) || other.contains(&one)
}

fn is_machine_made(memory: &Memory) -> bool {
    memory.origin == Origin::Heuristic && !memory.pinned && !memory.tags.iter().any(|tag| tag == "summary")
}

/// What must be written for what stands to be what was learned.
pub fn differences(
    standing: &StandingRecords,
    read: &RelearnedRecords,
    analyser: &Analyser,
    now: Time,
) -> RelearnPlan {
    let mut plan = RelearnPlan::default();
    let kept: HashSet<&MemoryId> = standing.kept(&read.turns).into_iter().map(|memory| &memory.id).collect();
    let learned: Vec<&Memory> = read.memories.iter().filter(|memory| !kept.contains(&memory.id)).collect();
    let pairs = pair(standing, read, &learned);
    let now_called: HashMap<&MemoryId, &MemoryId> =
        pairs.iter().filter_map(|(new, old)| old.map(|old| (&new.id, &old.id))).collect();
    let called = |id: &MemoryId| now_called.get(id).copied().unwrap_or(id).clone();
    let mut matched: HashSet<&MemoryId> = HashSet::new();
    for (new, old) in &pairs {
        match old {
            Some(old) => {
                matched.insert(&old.id);
                plan.update(standing, old, new, called, now);
            }
            None => plan.add(standing, read, new, called, analyser),
        }
    }
    for memory in &standing.memories {
        let gone = memory.status == Status::Active
            && standing.is_replaceable(memory, read)
            && !matched.contains(&memory.id);
        if gone {
            plan.retire(memory, now);
        }
    }
    plan.digests(standing, read, now);
    plan.retype(standing, read, now);
    // What frees a key or a place goes before what takes it.
    plan.changes.sort_by_key(takes_place);
    plan
}

fn takes_place(change: &Change) -> u8 {
    match change {
        Change::Put { record: crate::types::Record::Memory(memory), .. } => {
            u8::from(memory.status == Status::Active)
        }
        Change::Derive { .. } => 2,
        _ => 1,
    }
}

/// Each learned memory with the standing one that says the same.
fn pair<'a>(
    standing: &'a StandingRecords,
    read: &RelearnedRecords,
    learned: &[&'a Memory],
) -> Vec<(&'a Memory, Option<&'a Memory>)> {
    let key = |memory: &Memory| (memory.kind, memory.agent.clone(), fold(&memory.content));
    let mut by_key: HashMap<(Kind, _, String), Vec<&Memory>> = HashMap::new();
    for memory in standing.memories.iter().filter(|memory| standing.is_replaceable(memory, read)) {
        by_key.entry(key(memory)).or_default().push(memory);
    }
    let mut pairs = Vec::new();
    // Of several that say the same, those of the same standing first.
    for same_status in [true, false] {
        for new in learned {
            if pairs.iter().any(|(known, _): &(&Memory, Option<&Memory>)| known.id == new.id) {
                continue;
            }
            let candidates = by_key.entry(key(new)).or_default();
            let fits = |old: &&Memory| !same_status || old.status == new.status;
            let found = candidates.iter().position(fits);
            match found {
                Some(at) => pairs.push((*new, Some(candidates.remove(at)))),
                None if !same_status => pairs.push((*new, None)),
                None => {}
            }
        }
    }
    pairs
}

impl RelearnPlan {
    fn note(&mut self, effect: RelearnEffect, what: &str) {
        self.effects.push((effect, what.to_owned()));
    }

    /// What is learned otherwise than it stands: its validity, its category, or whether it holds.
    fn update(
        &mut self,
        standing: &StandingRecords,
        old: &Memory,
        new: &Memory,
        called: impl Fn(&MemoryId) -> MemoryId,
        now: Time,
    ) {
        let put_away =
            old.status == Status::Archived && !was_retired(old) || standing.tended.contains(&old.id);
        if put_away || new.status == Status::Archived {
            self.unchanged += 1;
            return;
        }
        let mut better = Memory {
            status: new.status,
            superseded_by: new.superseded_by.as_ref().map(&called),
            valid_from: new.valid_from,
            valid_until: new.valid_until,
            category: new.category.clone(),
            key: new.key.clone(),
            subject: new.subject.clone(),
            predicate: new.predicate.clone(),
            object: new.object.clone(),
            // A person may have called it private; no machine takes that back.
            sensitive: old.sensitive || new.sensitive,
            ..old.clone()
        };
        for mark in [Memory::CORE, Memory::OWN_NAME, Memory::PUT_RIGHT] {
            if let Some(heard) = new.metadata.get(mark) {
                better.metadata.insert(mark.into(), heard.clone());
            }
        }
        if was_retired(old) {
            better.metadata.remove("archivedBecause");
        }
        if better == *old {
            self.unchanged += 1;
            return;
        }
        better.updated_at = now;
        let expect = Expect::Version(old.version);
        self.note(RelearnEffect::Changed, &old.content);
        self.changes.push(Change::Put { record: better.into(), expect });
    }

    fn add(
        &mut self,
        standing: &StandingRecords,
        read: &RelearnedRecords,
        new: &Memory,
        called: impl Fn(&MemoryId) -> MemoryId,
        analyser: &Analyser,
    ) {
        let sources = read.sources.get(&new.id).cloned().unwrap_or_default();
        let holds = matches!(new.status, Status::Active | Status::Superseded);
        let settled = standing.is_forgotten(new, &sources, analyser) || standing.is_settled(new, &sources);
        if !holds || sources.is_empty() || settled {
            return;
        }
        let mut memory =
            Memory { version: 1, superseded_by: new.superseded_by.as_ref().map(&called), ..new.clone() };
        let before =
            memory.metadata.get("supersedes").and_then(|id| id.as_str()).and_then(|id| id.parse().ok());
        if let Some(before) = before {
            memory.metadata.insert("supersedes".into(), called(&before).as_str().into());
        }
        if new.status == Status::Active {
            self.note(RelearnEffect::Added, &new.content);
        }
        let child = Node::Memory(new.id.clone());
        let parents = sources.into_iter().map(Node::Turn).collect();
        self.changes.push(Change::Put { record: memory.into(), expect: Expect::Absent });
        self.changes.push(Change::Derive { child, parents });
    }

    fn retire(&mut self, memory: &Memory, now: Time) {
        let mut gone = Memory { status: Status::Archived, updated_at: now, ..memory.clone() };
        gone.metadata.insert("archivedBecause".into(), NOT_LEARNED.into());
        self.note(RelearnEffect::Retired, &memory.content);
        let expect = Expect::Version(memory.version);
        self.changes.push(Change::Put { record: gone.into(), expect });
    }

    /// Digests that no model and no person wrote are those of today; one that somebody took away stays away.
    fn digests(&mut self, standing: &StandingRecords, read: &RelearnedRecords, now: Time) {
        let mut known: HashMap<&SessionKey, Vec<&Episode>> = HashMap::new();
        for episode in &standing.episodes {
            known.entry(&episode.session).or_default().push(episode);
        }
        for new in &read.episodes {
            let of_session = known.get(&new.session).map(Vec::as_slice).unwrap_or_default();
            let active = of_session.iter().find(|episode| episode.status == Status::Active);
            let changes = match active {
                Some(old) => self.digest_in_place(standing, old, new, now),
                None if of_session.is_empty() => {
                    let id: EpisodeId = new.id.clone();
                    let record = Episode { version: 1, ..new.clone() };
                    let turns = read.episode_sources.get(&new.id).cloned().unwrap_or_default();
                    let parents = turns.into_iter().map(Node::Turn).collect();
                    let derive = Change::Derive { child: Node::Episode(id), parents };
                    vec![Change::Put { record: record.into(), expect: Expect::Absent }, derive]
                }
                None => Vec::new(),
            };
            if !changes.is_empty() {
                self.note(RelearnEffect::Digest, &new.summary);
                self.changes.extend(changes);
            }
        }
    }

    fn digest_in_place(
        &self,
        standing: &StandingRecords,
        old: &Episode,
        new: &Episode,
        now: Time,
    ) -> Vec<Change> {
        let mut better = Episode {
            summary: new.summary.clone(),
            topics: new.topics.clone(),
            decisions: new.decisions.clone(),
            key_dates: new.key_dates.clone(),
            action_items: new.action_items.clone(),
            ..old.clone()
        };
        let ours = old.origin == Origin::Heuristic && !standing.of_people.contains(old.id.as_str());
        if !ours || better == *old {
            return Vec::new();
        }
        better.updated_at = now;
        vec![Change::Put { record: better.into(), expect: Expect::Version(old.version) }]
    }

    /// What a name names is what today's reading says.
    fn retype(&mut self, standing: &StandingRecords, read: &RelearnedRecords, now: Time) {
        for entity in standing.entities.iter().filter(|entity| entity.status == Status::Active) {
            let same = |new: &&Entity| new.owner == entity.owner && fold(&new.name) == fold(&entity.name);
            let differs = read.entities.iter().find(same).filter(|new| new.entity_type != entity.entity_type);
            if let Some(new) = differs.filter(|_| !standing.of_people.contains(entity.id.as_str())) {
                let better = Entity { entity_type: new.entity_type, updated_at: now, ..entity.clone() };
                self.note(RelearnEffect::Entity, &entity.name);
                let expect = Expect::Version(entity.version);
                self.changes.push(Change::Put { record: better.into(), expect });
            }
        }
    }
}

fn was_retired(memory: &Memory) -> bool {
    memory.metadata.get("archivedBecause").is_some_and(|why| why == NOT_LEARNED)
}

/// The time at which something was said, while it is read again.
pub struct ReplayClock {
    /// Microseconds, set by the reading and read by whoever learns.
    now: AtomicI64,
    real: Arc<dyn Clock>,
}

impl ReplayClock {
    pub fn new(real: Arc<dyn Clock>) -> Self {
        Self { now: AtomicI64::new(real.now().microseconds()), real }
    }

    pub fn set(&self, now: Time) {
        self.now.store(now.microseconds(), Ordering::Relaxed);
    }
}

impl Clock for ReplayClock {
    fn now(&self) -> Time {
        Time::from_microseconds(self.now.load(Ordering::Relaxed))
    }

    fn uuid(&self) -> Uuid {
        self.real.uuid()
    }
}
