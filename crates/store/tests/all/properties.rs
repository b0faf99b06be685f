//! Random operations on a real store, compared after each with a model in memory that is too simple to be wrong.
//!
//! Two openers of the same folder stand for two processes: each operation goes through one of them and is checked
//! through the other, so nothing may be stale; now and then everything is closed and opened again. When a case fails,
//! it is cut down to the few operations that matter, which are printed with the seed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use memory::ports::{Clock, Store};
use memory::text::{Analyser, Query, query};
use memory::types::{
    Actor, Batch, Change, Corpus, Expect, Filter, Memory, Order, Owner, PageRequest, RecordRef, SessionKey,
    Status, Turn, Viewer, content_hash,
};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use testkit::{ManualClock, build, folder};

use crate::{integrity, subject};

/// How many sequences of operations are tried; more by hand.
const CASES_VARIABLE: &str = "RECOLLECT_PROPERTY_CASES";
/// Repeats an earlier run.
const SEED_VARIABLE: &str = "RECOLLECT_PROPERTY_SEED";
const CASES: u32 = 6;
const OPERATIONS: std::ops::Range<usize> = 150..250;

/// Few words, so that they meet again: stems that fall together, stop words, scripts with and without spaces.
const WORDS: [&str; 16] = [
    "cat",
    "cats",
    "dog",
    "running",
    "runs",
    "the",
    "is",
    "tea",
    "green",
    "Ärger",
    "кофе",
    "咖啡",
    "喜欢咖啡",
    "🎉",
    "7th",
    "foo-bar",
];
const QUERIES: [&str; 12] = [
    "cat",
    "dog tea",
    "run",
    "the",
    "\"green tea\"",
    "cat AND dog",
    "cat NOT dog",
    "gre*",
    "кофе OR 咖啡",
    "🎉 7",
    "arger",
    "foo bar",
];

#[derive(Debug, Clone)]
enum Operation {
    Add {
        owner: usize,
        text: String,
    },
    Edit {
        which: usize,
        text: String,
    },
    Upsert {
        owner: usize,
        key: usize,
        text: String,
    },
    Delete {
        which: usize,
    },
    Revive {
        which: usize,
    },
    Remove {
        which: usize,
    },
    Purge {
        which: usize,
    },
    /// Turns by the number that their client gave them, if it gave one.
    Append {
        session: usize,
        turns: Vec<(Option<u8>, String)>,
    },
    PurgeTurn {
        which: usize,
    },
    Touch {
        which: usize,
    },
    /// Two good changes and one on an outdated version.
    Refused {
        which: usize,
        text: String,
    },
    Restart,
}

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(&WORDS[..]), 1..7).prop_map(|words| words.join(" "))
}

fn operation() -> impl Strategy<Value = Operation> {
    let which = 0..1_000_usize;
    let turn = (prop::option::of(0..20_u8), text());
    prop_oneof![
        6 => (0..3_usize, text()).prop_map(|(owner, text)| Operation::Add { owner, text }),
        4 => (which.clone(), text()).prop_map(|(which, text)| Operation::Edit { which, text }),
        4 => (0..3_usize, 0..4_usize, text()).prop_map(|(owner, key, text)| Operation::Upsert { owner, key, text }),
        2 => which.clone().prop_map(|which| Operation::Delete { which }),
        1 => which.clone().prop_map(|which| Operation::Revive { which }),
        2 => which.clone().prop_map(|which| Operation::Remove { which }),
        2 => which.clone().prop_map(|which| Operation::Purge { which }),
        4 => (0..3_usize, prop::collection::vec(turn, 1..4)).prop_map(|(session, turns)| Operation::Append { session, turns }),
        1 => which.clone().prop_map(|which| Operation::PurgeTurn { which }),
        1 => which.clone().prop_map(|which| Operation::Touch { which }),
        1 => (which, text()).prop_map(|(which, text)| Operation::Refused { which, text }),
        1 => Just(Operation::Restart),
    ]
}

#[test]
fn a_store_does_what_a_simple_model_does() {
    let number =
        |variable| std::env::var(variable).ok().map(|text| text.parse::<u64>().expect("a whole number"));
    let cases = number(CASES_VARIABLE).map_or(CASES, |cases| cases as u32);
    let seed = number(SEED_VARIABLE).unwrap_or_else(|| u64::from(std::process::id()));
    println!("properties: {cases} cases with {SEED_VARIABLE}={seed}");
    let config = Config { cases, failure_persistence: None, max_shrink_iters: 2_000, ..Config::default() };
    let seed_bytes = std::array::from_fn::<u8, 32, _>(|place| seed.to_le_bytes()[place % 8]);
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &seed_bytes));
    let operations = prop::collection::vec((operation(), any::<bool>()), OPERATIONS);
    let outcome = runner.run(&operations, |operations| {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
        runtime.expect("a runtime").block_on(run(operations));
        Ok(())
    });
    if let Err(error) = outcome {
        panic!("with {SEED_VARIABLE}={seed}: {error}");
    }
}

async fn run(operations: Vec<(Operation, bool)>) {
    let folder = folder::scratch();
    let mut model = Model::default();
    let mut openers = open(folder.path()).await;
    for (step, (operation, through_second)) in operations.iter().enumerate() {
        if matches!(operation, Operation::Restart) {
            drop(openers);
            openers = open(folder.path()).await;
        }
        let (writer, reader) =
            if *through_second { (&openers[1], &openers[0]) } else { (&openers[0], &openers[1]) };
        model.perform(operation, writer.as_ref()).await;
        model.check(reader.as_ref(), step).await;
    }
    model.check_history(openers[0].as_ref()).await;
    drop(openers);
    integrity::check(&folder.path().join("tenants/local.sqlite3"));
}

async fn open(folder: &Path) -> [Arc<dyn Store>; 2] {
    [subject::local(&subject::open_folder(folder)).await, subject::local(&subject::open_folder(folder)).await]
}

/// What a store is, without disk, index, transactions or sharing.
#[derive(Default)]
struct Model {
    /// In the order of insertion.
    memories: Vec<Memory>,
    purged: BTreeSet<RecordRef>,
    removed: BTreeSet<RecordRef>,
    sessions: BTreeMap<SessionKey, Vec<Turn>>,
    next_index: BTreeMap<SessionKey, u64>,
    head: u64,
    clock: ManualClock,
    analyser: Analyser,
}

impl Model {
    /// Does the operation in the store and in the model.
    async fn perform(&mut self, operation: &Operation, store: &dyn Store) {
        self.clock.tick();
        match operation {
            Operation::Add { owner: number, text } => self.put_new(store, *number, None, text).await,
            Operation::Upsert { owner: number, key, text } => self.upsert(store, *number, *key, text).await,
            Operation::Edit { which, text } => {
                self.replace(store, *which, |memory| memory.content.clone_from(text)).await;
            }
            Operation::Delete { which } => {
                self.replace(store, *which, |memory| memory.status = Status::Deleted).await;
            }
            Operation::Revive { which } => self.revive(store, *which).await,
            Operation::Remove { which } => self.take_away(store, *which, false).await,
            Operation::Purge { which } => self.take_away(store, *which, true).await,
            Operation::Append { session, turns } => self.append(store, *session, turns).await,
            Operation::PurgeTurn { which } => self.purge_turn(store, *which).await,
            Operation::Touch { which } => {
                if let Some(memory) = self.pick(*which).map(|place| &self.memories[place]) {
                    let touch = Change::Touch { memories: vec![memory.id.clone()], at: self.clock.now() };
                    store.apply(self.batch().with(touch)).await.expect("in order");
                }
            }
            Operation::Refused { which, text } => self.refused(store, *which, text).await,
            Operation::Restart => {}
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

    // ---- comparing

    async fn check(&self, store: &dyn Store, step: usize) {
        assert_eq!(store.head().await.expect("a head"), self.head, "head at step {step}");
        let page = PageRequest { limit: 1_000, offset: 0, order: Order::Oldest };
        let all = store.list_memories(&Filter::ever(), page).await.expect("readable");
        assert_eq!(all.items, self.memories, "memories at step {step}");
        let text = QUERIES[step % QUERIES.len()];
        let query = query::parse(text, &self.analyser);
        self.check_memories_found(store, &query, step).await;
        self.check_turns(store, &query, step).await;
        let live: Vec<&str> = self.searchable().map(|memory| memory.content.as_str()).collect();
        self.check_statistics(store, Corpus::Memories, &live, step).await;
        let said: Vec<&str> = self.sessions.values().flatten().map(|turn| turn.text.as_str()).collect();
        self.check_statistics(store, Corpus::Turns, &said, step).await;
    }

    fn searchable(&self) -> impl Iterator<Item = &Memory> {
        self.memories.iter().filter(|memory| memory.status == Status::Active)
    }

    async fn check_memories_found(&self, store: &dyn Store, query: &Query, step: usize) {
        let viewer = owner(step % 3);
        let mut filter = Filter::current(self.clock.now());
        filter.viewer = Some(Viewer { owner: viewer.clone(), session: None });
        let nominees = store.nominate(Corpus::Memories, query, &filter, 1_000).await.expect("searchable");
        let found: BTreeSet<&str> = nominees.iter().map(|nominee| nominee.id.as_str()).collect();
        let expected: BTreeSet<&str> = self
            .searchable()
            .filter(|memory| {
                memory.owner() == viewer && query.matches(&self.analyser.analyse(&memory.content))
            })
            .map(|memory| memory.id.as_str())
            .collect();
        assert_eq!(found, expected, "found for {query:?} at step {step}");
        assert_eq!(nominees.len(), found.len(), "each once");
        let few = store.nominate(Corpus::Memories, query, &filter, 3).await.expect("searchable");
        assert_eq!(few, nominees[..nominees.len().min(3)], "fewer are the first of more");
    }

    async fn check_turns(&self, store: &dyn Store, query: &Query, step: usize) {
        for (key, turns) in &self.sessions {
            let stored = store.session_turns(key, 0, 10_000).await.expect("readable");
            assert_eq!(stored, *turns, "turns at step {step}");
        }
        let nominees =
            store.nominate(Corpus::Turns, query, &Filter::ever(), 10_000).await.expect("searchable");
        let found: BTreeSet<String> = nominees.into_iter().map(|nominee| nominee.id).collect();
        let turns = self.sessions.values().flatten();
        let expected: BTreeSet<String> = turns
            .filter(|turn| query.matches(&self.analyser.analyse(&turn.text)))
            .map(|turn| turn.id.to_string())
            .collect();
        assert_eq!(found, expected, "turns found for {query:?} at step {step}");
    }

    async fn check_statistics(&self, store: &dyn Store, corpus: Corpus, texts: &[&str], step: usize) {
        let documents: Vec<Vec<String>> = texts.iter().map(|text| self.analyser.ranked_terms(text)).collect();
        let terms: Vec<String> = WORDS.iter().flat_map(|word| self.analyser.ranked_terms(word)).collect();
        let statistics = store.statistics(corpus, &terms).await.expect("readable");
        assert_eq!(statistics.documents, documents.len() as u64, "{corpus} at step {step}");
        let total: usize = documents.iter().map(Vec::len).sum();
        assert!(
            (statistics.mean_length * documents.len() as f64 - total as f64).abs() < 1e-6,
            "{corpus} at step {step}"
        );
        for term in &terms {
            let having = documents.iter().filter(|document| document.contains(term)).count() as u64;
            let counted = statistics.frequencies.get(term).copied().unwrap_or(0);
            assert_eq!(counted, having, "{corpus} with `{term}` at step {step}");
        }
    }

    /// Each event begins where the one before ended, and the last one ends where the record stands.
    async fn check_history(&self, store: &dyn Store) {
        let standing =
            self.memories.iter().map(|memory| (RecordRef::memory(&memory.id), Some(memory.clone().into())));
        let removed = self.removed.iter().map(|of| (of.clone(), None));
        for (of, now) in standing.chain(removed) {
            let events = store.history(&of).await.expect("readable");
            assert_eq!(events.first().and_then(|event| event.before.clone()), None, "{of}");
            for pair in events.windows(2) {
                assert_eq!(pair[0].after, pair[1].before, "{of}");
                assert!(pair[0].number < pair[1].number && pair[0].at <= pair[1].at, "{of}");
            }
            assert_eq!(events.last().expect("it was made").after, now, "{of}");
        }
        for of in &self.purged {
            let events = store.history(of).await.expect("readable");
            assert!(events.iter().all(|event| event.before.is_none() && event.after.is_none()), "{of}");
        }
    }
}

fn owner(number: usize) -> Owner {
    build::owner("agent", ["ada", "ben", "cleo"][number % 3])
}

/// Whether `known` is the live memory under the key of `memory`.
fn live_under(known: &Memory, memory: &Memory) -> bool {
    known.status == Status::Active
        && known.key.is_some()
        && known.key == memory.key
        && known.owner() == memory.owner()
}
