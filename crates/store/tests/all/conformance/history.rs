//! What happened, by whom, in which order; and what is no event at all.

use std::collections::BTreeSet;

use memory::ports::Clock;
use memory::types::{
    Actor, Batch, Change, Counters, Expect, Filter, HybridTime, Record, RecordRef, Run, RunId, RunState, Time,
};
use testkit::build;

use testkit::integrity;
use testkit::subject::Subject;

pub async fn each_change_leaves_an_event(subject: Subject) {
    let first = subject.add("lives in Rome").await;
    let edited = subject.edit(&first, |memory| memory.content = "lives in Oslo".into()).await;
    let of = RecordRef::memory(&first.id);
    let at = subject.clock.tick();
    let remove = Change::Remove { of: of.clone(), expect: Expect::Version(2) };
    let removal = Batch::new(Actor::Tend, at).because("merged into another").with(remove);
    let number = subject.apply(removal).await.number;

    let events = subject.store.history(&of).await.expect("history can be read");
    let states: Vec<_> = events.iter().map(|event| (&event.before, &event.after)).collect();
    let (first, edited) = (Some(Record::from(first)), Some(Record::from(edited)));
    assert_eq!(states, [(&None, &first), (&first, &edited), (&edited, &None)]);
    assert!(events.is_sorted_by(|left, right| left.number < right.number), "{events:#?}");
    assert!(events.iter().all(|event| event.of == of && !event.purged));
    let last = events.last().expect("there are three");
    assert_eq!((last.number, last.by, last.at), (number, Actor::Tend, at));
    assert_eq!(last.reason.as_deref(), Some("merged into another"));
    assert_eq!((events[0].by, &events[0].run, &events[0].reason), (Actor::Person, &None, &None));
}

pub async fn a_run_is_found_by_its_id(subject: Subject) {
    let run = RunId::from_uuid(subject.clock.uuid());
    let started_at = subject.clock.now();
    let record = Run {
        id: run.clone(),
        version: 1,
        job: "merge".into(),
        state: RunState::Running,
        cursor: None,
        counts: serde_json::Map::new(),
        started_at,
        finished_at: None,
    };
    subject.apply(subject.batch().insert(record.clone())).await;
    subject.add("not of the run").await;
    let (one, two) =
        (build::memory(&subject.clock, "one of the run"), build::memory(&subject.clock, "two of the run"));
    subject.apply(subject.batch().in_run(run.clone()).insert(one.clone()).insert(two.clone())).await;
    let of = subject.store.records_of_run(&run, None, 10).await.expect("history can be read");
    assert_eq!(of, [RecordRef::memory(&one.id), RecordRef::memory(&two.id)]);
    assert_eq!(subject.store.runs(10).await.expect("runs can be read"), [record]);
}

pub async fn the_change_log_counts_changing_batches(subject: Subject) {
    let start = subject.store.head().await.expect("a head");
    let memory = build::memory(&subject.clock, "first");
    let turns = vec![build::turn(&subject.clock, "s1", "hello")];
    let append = Change::AppendTurns { turns: turns.clone(), pending: false };
    assert_eq!(subject.apply(subject.batch().insert(memory.clone()).with(append)).await.number, start + 1);
    assert_eq!(subject.apply(subject.batch()).await.number, start + 1, "an empty batch changes nothing");
    let setting = Change::SetSetting { name: "recallTopK".into(), value: Some(7.into()) };
    assert_eq!(subject.write(setting).await.number, start + 2);
    subject.refuse(subject.batch().insert(memory.clone())).await;
    assert_eq!(subject.purge(&memory).await.number, start + 3, "a refused batch takes no number");
    assert_eq!(subject.store.head().await.expect("a head"), start + 3);

    let log = subject.store.changes_since(start, 100).await.expect("a log").expect("it reaches back");
    let named: BTreeSet<_> =
        log.iter().map(|entry| (entry.number - start, entry.kind.as_str(), entry.id.as_str())).collect();
    for expected in [
        (1, "memory", memory.id.as_str()),
        (1, "turn", turns[0].id.as_str()),
        (2, "setting", "recallTopK"),
        (3, "memory", memory.id.as_str()),
    ] {
        assert!(named.contains(&expected), "{expected:?} is missing in {named:?}");
    }
}

/// Every commit says where it was made and when, later than the one before, although the wall clock goes back, and over a restart.
pub async fn the_hybrid_clock_never_goes_back(mut subject: Subject) {
    let start = subject.store.head().await.expect("a head");
    let times =
        ["2026-03-01T12:00:00Z", "2026-03-01T12:00:00Z", "1999-01-01T00:00:00Z", "2026-03-01T11:59:59Z"];
    for (place, at) in times.into_iter().enumerate() {
        let at: Time = at.parse().expect("a time");
        let memory = build::memory(&subject.clock, &format!("number {place}"));
        subject.store.apply(Batch::new(Actor::Person, at).insert(memory)).await.expect("written");
        if place == 2 {
            subject.restart().await;
        }
    }
    let later: Time = "2026-03-01T12:00:05Z".parse().expect("a time");
    let memory = build::memory(&subject.clock, "later");
    subject.store.apply(Batch::new(Actor::Person, later).insert(memory)).await.expect("written");
    let log = subject.store.changes_since(start, 100).await.expect("a log").expect("it reaches back");
    let clocks: Vec<HybridTime> =
        log.iter().map(|entry| entry.clock.expect("every commit has one")).collect();
    assert_eq!(clocks.len(), 5);
    assert!(clocks.is_sorted_by(|left, right| left < right), "{clocks:?}");
    let physical: Vec<u64> = clocks.iter().map(|clock| clock.physical_ms()).collect();
    assert_eq!(physical[..4], [physical[0]; 4], "the wall clock's past is not believed");
    assert_eq!((physical[4] - physical[0], clocks[4].counter()), (5_000, 0), "and its future is");
    let instances: BTreeSet<_> = log.iter().map(|entry| entry.instance.clone()).collect();
    assert_eq!(instances.len(), 1, "one installation, restarted: {instances:?}");
    assert!(instances.iter().all(|name| name.as_ref().is_some_and(|name| name.starts_with("in_"))));
}

/// A follower asks for what came after the last number it knows. It must not miss the rest of a commit that did not
/// fit into its page.
pub async fn the_change_log_can_be_paged_without_a_gap(subject: Subject) {
    let start = subject.store.head().await.expect("a head");
    let mut written = BTreeSet::new();
    for commit in 0..5 {
        let mut batch = subject.batch();
        for number in 0..4 {
            let memory = build::memory(&subject.clock, &format!("memory {number} of commit {commit}"));
            written.insert(memory.id.to_string());
            batch = batch.insert(memory);
        }
        subject.apply(batch).await;
    }
    for limit in [1, 3, 4, 7, 100] {
        let (mut known, mut seen) = (start, BTreeSet::new());
        while known < start + 5 {
            let page =
                subject.store.changes_since(known, limit).await.expect("a log").expect("it reaches back");
            assert!(page.is_sorted_by_key(|entry| entry.number) && page[0].number > known, "{page:?}");
            known = page.last().expect("there is more").number;
            seen.extend(page.into_iter().filter(|entry| entry.kind == "memory").map(|entry| entry.id));
        }
        assert_eq!(seen, written, "with pages of {limit}");
    }
    let nothing = subject.store.changes_since(start + 5, 10).await.expect("a log");
    assert_eq!(nothing, Some(Vec::new()));
}

pub async fn counting_uses_changes_nothing_else(subject: Subject) {
    let (used, unused) = (subject.add("used often").await, subject.add("never used").await);
    let head = subject.store.head().await.expect("a head");
    let index = subject.database().map(|database| index_state(&database));
    for _ in 0..3 {
        let at = subject.clock.tick();
        let written = subject.write(Change::Touch { memories: vec![used.id.clone()], at }).await;
        assert_eq!(written.number, head, "counting is not a change");
    }
    subject.write(Change::CountSource { memory: used.id.clone() }).await;
    let last_used_at = Some(subject.clock.now().plus_seconds(-2));

    let counters = subject.store.counters(&[used.id.clone(), unused.id.clone()]).await.expect("readable");
    assert_eq!(
        counters[&used.id],
        Counters { use_count: 3, source_count: 1, last_used_at, ..Counters::default() }
    );
    let never = counters.get(&unused.id).cloned().unwrap_or_default();
    assert_eq!(never, Counters::default());
    assert_eq!(subject.memory(&used.id).await, Some(used.clone()), "neither version nor times moved");
    assert_eq!(subject.store.head().await.expect("a head"), head);
    let events = subject.store.history(&RecordRef::memory(&used.id)).await.expect("history can be read");
    assert_eq!(events.len(), 1);
    assert_eq!(
        subject.database().map(|database| index_state(&database)),
        index,
        "the search index was touched"
    );
    assert_eq!(subject.listed(&Filter::ever()).await.len(), 2);
}

/// The raw pages of the full-text index, which any write to it changes.
fn index_state(database: &std::path::Path) -> Vec<(i64, Vec<u8>)> {
    integrity::check(database);
    let connection = rusqlite::Connection::open(database).expect("the file can be opened");
    let mut statement =
        connection.prepare("SELECT id, block FROM memory_fts_data ORDER BY id").expect("the index");
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).expect("the index can be read");
    rows.collect::<Result<_, _>>().expect("the index can be read")
}
