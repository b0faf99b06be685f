//! The model: what a store is, without disk, index, transactions or sharing. Each operation is done in the store and
//! here, and both must come to the same.

use std::collections::{BTreeMap, BTreeSet};

use memory::ports::{Clock, Store};
use memory::text::Analyser;
use memory::types::{
    Actor, Batch, Change, Expect, Memory, Owner, RecordRef, SessionKey, Status, Turn, content_hash,
};
use testkit::{ManualClock, build};

use super::RandomOperation;

#[derive(Default)]
pub struct Model {
    /// In the order of insertion.
    pub memories: Vec<Memory>,
    pub purged: BTreeSet<RecordRef>,
    pub removed: BTreeSet<RecordRef>,
    pub sessions: BTreeMap<SessionKey, Vec<Turn>>,
    next_index: BTreeMap<SessionKey, u64>,
    pub head: u64,
    pub clock: ManualClock,
    pub analyser: Analyser,
}

impl Model {
    /// Does the operation in the store and in the model.
    pub async fn perform(&mut self, operation: &RandomOperation, store: &dyn Store) {
        self.clock.tick();
        match operation {
            RandomOperation::Add { owner: number, text } => self.put_new(store, *number, None, text).await,
            RandomOperation::Upsert { owner: number, key, text } => {
                self.upsert(store, *number, *key, text).await
            }
            RandomOperation::Edit { which, text } => {
                self.replace(store, *which, |memory| memory.content.clone_from(text)).await;
            }
            RandomOperation::Delete { which } => {
                self.replace(store, *which, |memory| memory.status = Status::Deleted).await;
            }
            RandomOperation::Revive { which } => self.revive(store, *which).await,
            RandomOperation::Remove { which } => self.take_away(store, *which, false).await,
            RandomOperation::Purge { which } => self.take_away(store, *which, true).await,
            RandomOperation::Append { session, turns } => self.append(store, *session, turns).await,
            RandomOperation::PurgeTurn { which } => self.purge_turn(store, *which).await,
            RandomOperation::Touch { which } => {
                if let Some(memory) = self.pick(*which).map(|place| &self.memories[place]) {
                    let touch = Change::Touch { memories: vec![memory.id.clone()], at: self.clock.now() };
                    store.apply(self.batch().with(touch)).await.expect("in order");
                }
            }
            RandomOperation::Refused { which, text } => self.refused(store, *which, text).await,
            RandomOperation::Restart => {}
        }
    }

    fn batch(&self) -> Batch {
        Batch::new(Actor::Person, self.clock.now())
    }

    fn pick(&self, which: usize) -> Option<usize> {
        (!self.memories.is_empty()).then(|| which % self.memories.len())
    }

    /// Applies a batch that changes something, and so takes the next number.
    async fn apply(&mut self, store: &dyn Store, batch: Batch) {
        let written = store.apply(batch).await.expect("the batch is in order");
        self.head += 1;
        assert_eq!(written.number, self.head);
    }

    async fn put_new(&mut self, store: &dyn Store, number: usize, key: Option<String>, text: &str) {
        let mut memory = build::memory_of(&self.clock, &owner(number), text);
        memory.key = key;
        self.apply(store, self.batch().insert(memory.clone())).await;
        self.memories.push(memory);
    }

    async fn upsert(&mut self, store: &dyn Store, number: usize, key: usize, text: &str) {
        let mut memory = build::memory_of(&self.clock, &owner(number), text);
        memory.key = Some(format!("key {key}"));
        memory.metadata.insert(format!("upsert {}", self.head), true.into());
        self.apply(store, self.batch().with(Change::Upsert { memory: Box::new(memory.clone()) })).await;
        match self.memories.iter_mut().find(|known| live_under(known, &memory)) {
            Some(known) => {
                known.metadata.extend(memory.metadata);
                let (id, version, created_at) = (known.id.clone(), known.version + 1, known.created_at);
                let metadata = known.metadata.clone();
                *known = Memory { id, version, created_at, metadata, ..memory };
            }
            None => self.memories.push(memory),
        }
    }

    async fn replace(&mut self, store: &dyn Store, which: usize, edit: impl FnOnce(&mut Memory)) {
        let Some(place) = self.pick(which) else { return };
        let mut edited = self.memories[place].clone();
        edit(&mut edited);
        edited.content_hash = content_hash(&edited.content);
        edited.updated_at = self.clock.now();
        self.apply(store, self.batch().replace(edited.clone())).await;
        edited.version += 1;
        self.memories[place] = edited;
    }

    /// Makes a deleted memory active again, unless another has taken its key.
    async fn revive(&mut self, store: &dyn Store, which: usize) {
        let Some(place) = self.pick(which) else { return };
        let memory = self.memories[place].clone();
        if memory.status == Status::Deleted && !self.memories.iter().any(|other| live_under(other, &memory)) {
            self.replace(store, which, |memory| memory.status = Status::Active).await;
        }
    }

    async fn take_away(&mut self, store: &dyn Store, which: usize, for_good: bool) {
        let Some(place) = self.pick(which) else { return };
        let of = RecordRef::memory(&self.memories[place].id);
        let remove = Change::Remove { of: of.clone(), expect: Expect::Version(self.memories[place].version) };
        let change = if for_good { Change::Purge { of: of.clone() } } else { remove };
        self.apply(store, self.batch().with(change)).await;
        self.memories.remove(place);
        if for_good {
            self.purged.insert(of)
        } else {
            self.removed.insert(of)
        };
    }

    async fn append(&mut self, store: &dyn Store, session: usize, given: &[(Option<u8>, String)]) {
        let key = build::session_key(&format!("session {session}"));
        let mut turns = Vec::new();
        for (external_id, text) in given {
            let mut turn = build::turn_in(&self.clock, &key, text);
            turn.external_id = external_id.map(|number| format!("message {number}"));
            turns.push(turn);
        }
        let append = Change::AppendTurns { turns: turns.clone(), pending: false };
        let written = store.apply(self.batch().with(append)).await.expect("in order");
        let known = self.sessions.entry(key.clone()).or_default();
        let next_index = self.next_index.entry(key).or_default();
        let mut appended = Vec::new();
        for mut turn in turns {
            let resent =
                turn.external_id.is_some() && known.iter().any(|other| other.external_id == turn.external_id);
            if !resent {
                turn.index = *next_index;
                *next_index += 1;
                appended.push(turn.id.clone());
                known.push(turn);
            }
        }
        self.head += u64::from(!appended.is_empty());
        assert_eq!((written.turns, written.number), (appended, self.head));
    }

    async fn purge_turn(&mut self, store: &dyn Store, which: usize) {
        let all: Vec<(SessionKey, usize)> = (self.sessions.iter())
            .flat_map(|(key, turns)| (0..turns.len()).map(|place| (key.clone(), place)))
            .collect();
        let Some((key, place)) = (!all.is_empty()).then(|| all[which % all.len()].clone()) else { return };
        let turns = self.sessions.get_mut(&key).expect("listed just above");
        let turn = turns.remove(place);
        self.apply(store, self.batch().with(Change::PurgeTurns { turns: vec![turn.id] })).await;
    }

    /// A batch that must leave nothing behind.
    async fn refused(&mut self, store: &dyn Store, which: usize, text: &str) {
        let Some(place) = self.pick(which) else { return };
        let mut outdated = self.memories[place].clone();
        outdated.version += 7;
        let turns = vec![build::turn(&self.clock, "session 0", text)];
        let batch = self
            .batch()
            .insert(build::memory(&self.clock, text))
            .with(Change::AppendTurns { turns, pending: false })
            .replace(outdated);
        store.apply(batch).await.expect_err("the version is wrong");
    }
}

pub fn owner(number: usize) -> Owner {
    build::owner("agent", ["ada", "ben", "cleo"][number % 3])
}

/// Whether `known` is the live memory under the key of `memory`.
fn live_under(known: &Memory, memory: &Memory) -> bool {
    known.status == Status::Active
        && known.key.is_some()
        && known.key == memory.key
        && known.owner() == memory.owner()
}
