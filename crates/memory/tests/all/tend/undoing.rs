//! Taking a pass back: what is left is what people did, as if the pass had never been.

use memory::ports::{Clock, ReadStore, WriteStore};
use memory::tend::undo::undo;
use memory::types::{
    Actor, Batch, Change, Memory, MemoryId, RecordRef, Run, RunId, RunState, Status, Step, Time, content_hash,
};
use testkit::{ManualClock, Random, build};

use super::{DAY, TendScene, fill};

/// How many random stores; `cargo xtask undo --seeds N` sets it.
const SEEDS_VARIABLE: &str = "RECOLLECT_UNDO_SEEDS";

/// Something that a person does, to a memory by its place in the list.
enum Edit {
    Content(usize, String),
    Tags(usize, Vec<String>),
    Pin(usize),
    Forget(usize),
    Use(usize),
    Add(String),
    /// What nobody does but happens by itself: it gets a category.
    Classify(usize),
}

fn edits(random: &mut Random, memories: usize) -> Vec<Edit> {
    let one = |random: &mut Random| {
        let place = random.below(memories);
        match random.below(7) {
            0 => Edit::Content(place, format!("Ada corrected this to {}", random.below(1_000))),
            1 => Edit::Tags(place, vec![format!("own{}", random.below(9))]),
            2 => Edit::Pin(place),
            3 => Edit::Forget(place),
            4 => Edit::Use(place),
            5 => Edit::Classify(place),
            _ => Edit::Add(format!("Ada added number {}", random.below(1_000))),
        }
    };
    (0..15).map(|_| one(random)).collect()
}

/// Does the edits at moments of their own, so that both stores see the same ones.
async fn apply(scene: &TendScene, all: &[Memory], edits: &[Edit], from: Time) {
    let ids = ManualClock::seeded(99);
    for (number, edit) in edits.iter().enumerate() {
        let at = from.plus_seconds(number as i64);
        let batch = Batch::new(Actor::Person, at);
        let change = async |place: usize, change: &dyn Fn(&mut Memory)| {
            let mut memory = scene.read(&all[place].id).await;
            change(&mut memory);
            memory.content_hash = content_hash(&memory.content);
            memory.updated_at = at;
            memory
        };
        let batch = match edit {
            Edit::Content(place, text) => {
                batch.replace(change(*place, &|memory| memory.content = text.clone()).await)
            }
            Edit::Tags(place, tags) => {
                batch.replace(change(*place, &|memory| memory.tags = tags.clone()).await)
            }
            Edit::Pin(place) => batch.replace(change(*place, &|memory| memory.pinned = true).await),
            Edit::Forget(place) => {
                batch.replace(change(*place, &|memory| memory.status = Status::Deleted).await)
            }
            Edit::Use(place) => batch.with(Change::Touch { memories: vec![all[*place].id.clone()], at }),
            Edit::Classify(place) => {
                let memory = scene.read(&all[*place].id).await;
                batch.with(Change::Classify {
                    memory: memory.id,
                    content_hash: memory.content_hash,
                    category: "work".into(),
                    sensitive: true,
                })
            }
            Edit::Add(text) => {
                let mut memory = build::memory(&ids, text);
                (memory.created_at, memory.updated_at) = (at, at);
                batch.insert(memory)
            }
        };
        scene.tenant.apply(batch).await.expect("in order");
    }
}

async fn tended_and_undone(seed: u64) {
    let (mut tended, plain) = (TendScene::new().await, TendScene::new().await);
    tended.settings.auto_summarize = seed.is_multiple_of(2);
    tended.settings.episode_retention_days = 0;
    tended.settings.log_retention_days = 0;
    let all = fill(&tended, seed).await;
    assert_eq!(all.len(), fill(&plain, seed).await.len());
    assert_eq!(tended.dump().await, plain.dump().await, "seed {seed}: both begin alike");
    let before = tended.dump().await;
    let run = tended.tend(None).await;
    assert_ne!(tended.dump().await, before, "seed {seed}: the pass did something");
    let mut random = Random::seeded(seed.wrapping_add(1_000));
    let edits = edits(&mut random, all.len());
    let from = plain.clock.now().plus_seconds(3_600);
    apply(&tended, &all, &edits, from).await;
    apply(&plain, &all, &edits, from).await;
    let (_, undone) = undo(&tended.tenant, run, &*tended.clock).await.expect("undone");
    let (found, expected) = (tended.dump().await, plain.dump().await);
    for (found, expected) in found.lines().zip(expected.lines()) {
        assert_eq!(found, expected, "seed {seed}: {undone:?}");
    }
    assert_eq!(found.len(), expected.len(), "seed {seed}: {undone:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_left_is_what_people_did() {
    let seeds = std::env::var(SEEDS_VARIABLE).map_or(3, |text| text.parse().expect("a whole number"));
    for seed in 1..=seeds {
        println!("undo: seed {seed} of {seeds}");
        tended_and_undone(seed).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_undone_pass_is_not_done_again() {
    let scene = TendScene::new().await;
    let faded = scene.learned("Ada once had a cold", 600, |_| {}).await;
    let run = scene.tend(None).await;
    assert_eq!(scene.status(&faded).await, Status::Archived);
    let (by, undone) = undo(&scene.tenant, run.clone(), &*scene.clock).await.expect("undone");
    assert_eq!((undone.restored, undone.changed_since, undone.gone), (1, 0, 0));
    assert_eq!(scene.tenant.run(&run.id).await.expect("read").expect("there").state, RunState::Undone);
    assert_eq!(scene.tenant.run(&by).await.expect("read").expect("there").state, RunState::Done);
    scene.clock.advance_seconds(DAY);
    scene.tend(None).await;
    assert_eq!(scene.status(&faded).await, Status::Active, "a person brought it back");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_purged_memory_stays_gone_and_is_told() {
    let scene = TendScene::new().await;
    let faded = scene.learned("Ada once had a cold", 600, |_| {}).await;
    let other = scene.learned("Ada once had a cough", 600, |_| {}).await;
    let run = scene.tend(Some(Step::Evict)).await;
    let purge = Change::Purge { of: RecordRef::memory(&faded.id) };
    scene.write_by(Actor::Person, |batch| batch.with(purge)).await;
    let (_, undone) = undo(&scene.tenant, run, &*scene.clock).await.expect("undone");
    assert_eq!((undone.restored, undone.gone), (1, 1));
    assert_eq!(undone.left[0].0.id, faded.id.to_string());
    assert_eq!(scene.status(&other).await, Status::Active);
    assert_eq!(scene.tenant.memories(&[faded.id]).await.expect("read").len(), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_that_was_taken_since_stays_taken() {
    let scene = TendScene::new().await;
    let faded = scene.learned("Ada lives in Porto", 600, |memory| memory.key = Some("home".into())).await;
    let run = scene.tend(Some(Step::Evict)).await;
    assert_eq!(scene.status(&faded).await, Status::Archived);
    let home = scene.learned("Ada lives in Irvine", 0, |memory| memory.key = Some("home".into())).await;
    let (_, undone) = undo(&scene.tenant, run, &*scene.clock).await.expect("undone");
    assert_eq!((undone.restored, undone.changed_since), (0, 1));
    assert_eq!((scene.status(&faded).await, scene.status(&home).await), (Status::Archived, Status::Active));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_bulk_deletion_is_undone_the_same_way() {
    let scene = TendScene::new().await;
    let mut all = Vec::new();
    for number in 0..450 {
        all.push(scene.learned(&format!("Ada said number {number}"), 1, |_| {}).await);
    }
    let run = Run {
        id: RunId::from_uuid(scene.clock.uuid()),
        version: 1,
        job: "forget".into(),
        state: RunState::Done,
        cursor: None,
        counts: serde_json::Map::new(),
        started_at: scene.clock.now(),
        finished_at: Some(scene.clock.now()),
    };
    let mut batch = Batch::new(Actor::Person, scene.clock.tick()).in_run(run.id.clone()).insert(run.clone());
    for memory in &all {
        batch = batch.replace(Memory { status: Status::Deleted, ..memory.clone() });
    }
    scene.tenant.apply(batch).await.expect("in order");
    scene.edited(&all[7], |memory| memory.tags = vec!["looked at".into()]).await;
    let (_, undone) = undo(&scene.tenant, run, &*scene.clock).await.expect("undone");
    assert_eq!((undone.restored, undone.changed_since), (450, 0));
    let ids: Vec<MemoryId> = all.iter().map(|memory| memory.id.clone()).collect();
    let back = scene.tenant.memories(&ids).await.expect("read");
    assert!(back.iter().all(|memory| memory.status == Status::Active));
    assert_eq!(back[7].tags, ["looked at"]);
}
