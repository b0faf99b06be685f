//! A store moved is the same store: what was there is there, what comes again changes nothing, what came in can be taken back.

use memory::ports::Clock;
use memory::tend::undo;
use memory::types::{
    Actor, Batch, Extent, Filter, Item, Order, PageRequest, Part, RestoredItem, Run, RunId, RunState,
    Validity,
};
use testkit::ManualClock;

use super::{TenantContents, assert_same, contents, take_in, world};
use testkit::subject::Subject;
use testkit::{integrity, subject};

const SEEDS: [u64; 3] = [1, 20_261_115, 977];

async fn filled(seed: u64) -> (Subject, TenantContents) {
    let source = subject::sqlite_file().await;
    let world = world::fill(source.store.clone(), seed, 220).await;
    source.clock.set(world.clock.now());
    let before = contents(&*source.store, &Extent::everything(), 50).await;
    let parts: Vec<Part> = before.keys().copied().collect();
    assert_eq!(parts, Part::ALL, "seed {seed}: the world has some of everything");
    (source, before)
}

#[tokio::test]
async fn a_store_moved_whole_is_the_same_store() {
    for seed in SEEDS {
        let (source, before) = filled(seed).await;
        let empty = subject::sqlite_file().await;
        let became = take_in(&*empty.store, &before, empty.clock.now(), None, false).await;
        // What a block was made from, the block itself says.
        let said = |line: &str| line.contains("\"item\":\"derivation\",\"child\":{\"kind\":\"block\"");
        let odd = became.iter().filter(|(line, restored)| *restored != RestoredItem::New && !said(line));
        let odd: Vec<_> = odd.collect();
        assert!(odd.is_empty(), "seed {seed}: everything is new to an empty store, {:?}", odd.first());
        assert_same(&before, &contents(&*empty.store, &Extent::everything(), 7).await, seed);
        integrity::check(&empty.database().expect("a file"));
        let census = |mut census: memory::ports::Census| {
            (census.bytes_on_disk, census.change_number) = (0, 0);
            census
        };
        let (here, there) =
            (source.store.census().await.expect("counted"), empty.store.census().await.expect("counted"));
        assert_eq!(census(here), census(there), "seed {seed}");
        assert_eq!(
            source.turns_found("running", &Filter::ever()).await,
            empty.turns_found("running", &Filter::ever()).await,
            "seed {seed}: search finds the same in the same order"
        );
    }
}

#[tokio::test]
async fn what_comes_again_changes_nothing() {
    let (source, before) = filled(5).await;
    let copy = subject::sqlite_memory().await;
    take_in(&*copy.store, &before, copy.clock.now(), None, false).await;
    for (name, store) in [("its own store", &source.store), ("the copy", &copy.store)] {
        let head = store.head().await.expect("read");
        let became = take_in(&**store, &before, source.clock.now(), None, true).await;
        let odd = became.iter().find(|(_, restored)| *restored != RestoredItem::Known);
        assert!(odd.is_none(), "{name} knows everything: {odd:?}");
        assert_same(&before, &contents(&**store, &Extent::everything(), 100).await, 5);
        assert_eq!(store.head().await.expect("read"), head, "{name}: not even a number was taken");
    }
}

/// Without what the run itself left.
fn apart_from(contents: &TenantContents, run: &RunId) -> TenantContents {
    let ours = |line: &String| match serde_json::from_str(line).expect("an item") {
        Item::History { run: by, of, .. } => by.as_ref() == Some(run) || of.id == run.as_str(),
        Item::Record { value, .. } => value.id() == run.as_str(),
        _ => false,
    };
    let rest = |lines: &Vec<String>| lines.iter().filter(|line| !ours(line)).cloned().collect();
    contents.iter().map(|(part, lines)| (*part, rest(lines))).collect()
}

fn import(clock: &ManualClock) -> Run {
    Run {
        id: RunId::from_uuid(clock.uuid()),
        version: 1,
        job: "import".into(),
        state: RunState::Running,
        cursor: None,
        counts: Default::default(),
        started_at: clock.tick(),
        finished_at: None,
    }
}

#[tokio::test]
async fn a_run_that_brought_a_store_in_can_be_taken_back_and_brought_in_again() {
    let (source, before) = filled(8).await;
    let there = subject::sqlite_file().await;
    there.clock.set(source.clock.now().plus_seconds(100_000_000));
    let run = import(&there.clock);
    there.store.apply(Batch::new(Actor::Import, there.clock.now()).insert(run.clone())).await.expect("begun");
    take_in(&*there.store, &before, there.clock.now(), Some(&run.id), true).await;
    let after = contents(&*there.store, &Extent::everything(), 100).await;
    assert_same(&before, &apart_from(&after, &run.id), 8);

    // What was known at any moment is known there too.
    let then = source.clock.now().plus_seconds(-60);
    let known = Filter::at(Validity::KnownAt { then });
    let page = PageRequest { limit: 1_000, offset: 0, order: Order::Oldest, counted: true };
    let here = source.store.list_memories(&known, page).await.expect("read");
    assert!(here.total > 0, "something was known then");
    assert_eq!(there.store.list_memories(&known, page).await.expect("read").items, here.items);

    let (_, undone) = undo::undo(&*there.store, run, &there.clock).await.expect("undone");
    assert_eq!(undone.left.iter().filter(|(_, why)| !why.contains("purged")).count(), 0, "{:?}", undone.left);
    let census = there.store.census().await.expect("counted");
    assert_eq!(census.memories.values().sum::<u64>(), 0, "{census:?}");
    assert_eq!((census.turns, census.sessions, census.episodes, census.links), (0, 0, 0, 0), "{census:?}");

    let again = import(&there.clock);
    let became = take_in(&*there.store, &before, there.clock.now(), Some(&again.id), false).await;
    let memories = became.iter().filter(|(line, _)| {
        line.contains("\"record\":\"memory\"") && line.starts_with("{\"item\":\"record\"")
    });
    assert!(memories.clone().count() > 5);
    for (line, restored) in memories {
        assert_eq!(*restored, RestoredItem::New, "{line}");
    }
}

#[tokio::test]
async fn a_memory_whose_like_is_here_gives_its_tags() {
    let (here, there) = (subject::sqlite_file().await, subject::sqlite_file().await);
    let standing = here.add_with("Uma drinks green tea", |memory| memory.tags = vec!["tea".into()]).await;
    there.clock.tick();
    let other = there
        .add_with("Uma drinks green tea", |memory| memory.tags = vec!["tea".into(), "green".into()])
        .await;
    assert_ne!(standing.id, other.id);
    let file = contents(&*there.store, &Extent { deleted: true, ..Extent::whole() }, 10).await;
    let only: TenantContents = file.into_iter().filter(|(part, _)| *part == Part::Memory).collect();
    let became = take_in(&*here.store, &only, here.clock.tick(), None, true).await;
    assert_eq!(became[0].1, RestoredItem::SameAs { id: standing.id.clone() });
    let united = here.memory(&standing.id).await.expect("it stays");
    assert_eq!(united.tags, ["tea", "green"]);
    assert_eq!(here.listed(&Filter::ever()).await.len(), 1);
    assert_eq!(here.found("green").await.len(), 1, "its new tag is found");
    let became = take_in(&*here.store, &only, here.clock.tick(), None, false).await;
    assert_eq!(became[0].1, RestoredItem::New, "unless both are wanted");
}

#[tokio::test]
async fn what_has_no_place_is_told_and_nothing_else_is_lost() {
    let there = subject::sqlite_file().await;
    let (one, other) = (there.add("one").await, there.add("other").await);
    there.say("talk", "hello").await;
    there.apply(there.batch().insert(testkit::build::link(&there.clock, &one.id, &other.id))).await;
    let keyed = there.add_with("keyed there", |memory| memory.key = Some("city".into())).await;
    let mut file = contents(&*there.store, &Extent::everything(), 10).await;
    file.retain(|part, _| matches!(part, Part::Turn | Part::Link | Part::Memory));
    file.get_mut(&Part::Memory).expect("memories").retain(|line| !line.contains(other.id.as_str()));

    let here = subject::sqlite_file().await;
    here.clock.advance_seconds(1_000);
    let mine = here.add_with("keyed here", |memory| memory.key = Some("city".into())).await;
    let became = take_in(&*here.store, &file, here.clock.tick(), None, false).await;
    let of = |mark: &str| &became.iter().find(|(line, _)| line.contains(mark)).expect("accounted for").1;
    assert_eq!(*of("\"item\":\"turn\""), RestoredItem::Missing { what: "the session talk".into() });
    assert!(
        matches!(of("\"record\":\"link\""), RestoredItem::Missing { what } if what.contains(other.id.as_str()))
    );
    assert!(matches!(of(keyed.id.as_str()), RestoredItem::Taken { what } if what.contains("`city`")));
    assert_eq!(*of("\"content\":\"one\""), RestoredItem::New);
    assert_eq!(here.memory(&mine.id).await.expect("it stays").content, "keyed here");
}
