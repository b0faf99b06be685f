//! Settings, the processing log, and the count of everything.

use memory::ports::Clock;
use memory::types::{
    Actor, Batch, Change, Corpus, Counters, Job, Kept, Node, ProcessingEntry, ProcessingOutcome, RecordKind,
    RunId, Status,
};
use serde_json::json;
use testkit::build;

use testkit::subject::Subject;

pub async fn settings_are_seen_at_once(subject: Subject) {
    let second = subject.second().await;
    let set = |value| Change::SetSetting { name: "recallTopK".into(), value };
    for value in [Some(json!(7)), Some(json!(9)), None] {
        subject.write(set(value.clone())).await;
        for store in [Some(&subject.store), second.as_ref()].into_iter().flatten() {
            let settings = store.settings().await.expect("readable");
            assert_eq!(settings.get("recallTopK"), value.as_ref());
        }
    }
}

pub async fn the_census_counts(subject: Subject) {
    let memory = subject.add("active").await;
    subject.add_with("archived", |memory| memory.status = Status::Archived).await;
    let turns = vec![build::turn(&subject.clock, "s1", "one"), build::turn(&subject.clock, "s2", "two")];
    let entry = ProcessingEntry {
        at: subject.clock.now(),
        task: "distil".into(),
        model: None,
        input_tokens: 10,
        cost: 0.0,
        output_tokens: 2,
        duration_ms: 5,
        outcome: ProcessingOutcome::Succeeded,
        detail: None,
    };
    let (id, signature) = (memory.id.to_string(), "test:model:2".to_owned());
    let vector = Change::PutVector { corpus: Corpus::Memories, id, signature, vector: vec![1.0, 0.0] };
    let batch = subject
        .batch()
        .with(Change::AppendTurns { turns, pending: true })
        .insert(build::episode(&subject.clock, "s1", "summed up"))
        .insert(build::entity(&subject.clock, "Ada", &[]))
        .insert(build::held(&subject.clock, "s1", "perhaps"))
        .with(vector)
        .with(Change::Log { entry: entry.clone() });
    subject.apply(batch).await;
    let census = subject.store.census().await.expect("a census");
    assert_eq!((census.memories.get("active"), census.memories.get("archived")), (Some(&1), Some(&1)));
    assert_eq!((census.turns, census.sessions, census.episodes), (2, 2, 1));
    assert_eq!((census.entities, census.relations, census.links, census.held), (1, 0, 0, 1));
    assert_eq!((census.pending, census.dead_letters, census.vectors), (2, 0, 1));
    assert_eq!(census.change_number, subject.store.head().await.expect("a head"));
    assert!(census.history_events >= 5, "{census:?}");
    assert!(census.bytes_on_disk > 0 || subject.database().is_none());
    assert_eq!(subject.store.processing_log(10).await.expect("readable"), [entry]);
}

pub async fn a_job_survives_a_restart(mut subject: Subject) {
    assert_eq!(subject.store.job("tend").await.expect("readable"), None);
    let (due_at, last_run_at) = (subject.clock.tick(), Some(subject.clock.tick()));
    let mut job = Job { name: "tend".into(), due_at, last_run_at, mark: None };
    subject.write(Change::PutJob { job: job.clone() }).await;
    job.mark = Some("here".into());
    subject.write(Change::PutJob { job: job.clone() }).await;
    subject.restart().await;
    assert_eq!(subject.store.job("tend").await.expect("readable"), Some(job));
}

pub async fn an_archived_text_is_kept_once_and_goes_with_its_memory(subject: Subject) {
    let memory = subject.add("short").await;
    let archive = |text: &str| Change::Archive { memory: memory.id.clone(), text: text.into() };
    subject.write(archive("the long text")).await;
    subject.write(archive("not so long")).await;
    let kept = subject.store.archived_text(&memory.id).await.expect("readable").expect("kept");
    assert_eq!((kept.text.as_str(), kept.last_access_at), ("the long text", None));
    assert_eq!(kept.hash, memory::types::content_hash("the long text"));
    subject.write(Change::LogAccess { memory: memory.id.clone(), intact: true }).await;
    let accesses = testkit::items::accesses(&*subject.store, &memory.id).await;
    let kept = subject.store.archived_text(&memory.id).await.expect("readable").expect("kept");
    assert_eq!((accesses.len(), kept.last_access_at), (1, Some(accesses[0].at)));
    subject.purge(&memory).await;
    assert_eq!(subject.store.archived_text(&memory.id).await.expect("readable"), None);
    assert_eq!(testkit::items::accesses(&*subject.store, &memory.id).await, []);
}

pub async fn what_a_run_added_is_taken_back(subject: Subject) {
    let (one, other) = (subject.add("one").await, subject.add("other").await);
    let run = RunId::from_uuid(subject.clock.uuid());
    let (child, parent) = (Node::Memory(one.id.clone()), Node::Memory(other.id.clone()));
    let counts = Counters {
        use_count: 3,
        source_count: 1,
        last_used_at: Some(subject.clock.now()),
        ..Counters::default()
    };
    let batch = Batch::new(Actor::Tend, subject.clock.tick())
        .in_run(run.clone())
        .with(Change::AddCounts { memory: one.id.clone(), counts: counts.clone() })
        .with(Change::Derive { child: child.clone(), parents: vec![parent.clone()] })
        .with(Change::Archive { memory: one.id.clone(), text: "one, at length".into() });
    subject.apply(batch).await;
    let ids = [one.id.clone()];
    assert_eq!(subject.store.counters(&ids).await.expect("readable")[&one.id], counts);
    let later = subject.clock.tick();
    subject.write(Change::Touch { memories: vec![one.id.clone()], at: later }).await;
    subject.write(Change::TakeBack { run }).await;
    let left = Counters { use_count: 1, source_count: 0, last_used_at: Some(later), ..Counters::default() };
    assert_eq!(subject.store.counters(&ids).await.expect("readable")[&one.id], left, "the later use stays");
    assert_eq!(subject.store.parents(&child).await.expect("readable"), []);
    assert_eq!(subject.store.archived_text(&one.id).await.expect("readable"), None);
}

pub async fn a_walk_sees_every_active_row_once(subject: Subject) {
    for number in 0..7 {
        subject
            .add_with(&format!("number {number}"), |memory| {
                memory.status = if number == 3 { Status::Archived } else { Status::Active };
            })
            .await;
    }
    let (mut after, mut seen) = (0, Vec::new());
    loop {
        let rows = subject.store.memories_after(after, 2).await.expect("readable");
        let Some((last, _)) = rows.last() else { break };
        after = *last;
        // What is changed on the way shifts nothing.
        subject.edit(&rows[0].1, |memory| memory.status = Status::Archived).await;
        seen.extend(rows.into_iter().map(|(_, memory)| memory.content));
    }
    let expected: Vec<String> =
        (0..7).filter(|number| *number != 3).map(|number| format!("number {number}")).collect();
    assert_eq!(seen, expected);
}

pub async fn people_are_told_from_machines(subject: Subject) {
    let theirs = subject.add("a person wrote this").await;
    let mut machine = build::memory(&subject.clock, "a model learned this");
    machine.origin = memory::types::Origin::Model;
    subject.apply(Batch::new(Actor::Model, subject.clock.tick()).insert(machine.clone())).await;
    let ids = [theirs.id.to_string(), machine.id.to_string()];
    let touched =
        async || subject.store.touched_by_people(RecordKind::Memory, &ids).await.expect("readable").len();
    let changed =
        async || subject.store.changed_by_people(RecordKind::Memory, &ids).await.expect("readable").len();
    assert_eq!((touched().await, changed().await), (1, 0), "to write something is not to change it");
    let known = subject.memory(&machine.id).await.expect("there");
    subject.edit(&known, |memory| memory.tags = vec!["looked at".into()]).await;
    assert_eq!((touched().await, changed().await), (2, 1));
}

pub async fn what_is_old_is_pruned(subject: Subject) {
    let memory = subject.add("shortened").await;
    let text = "what it said".to_owned();
    subject.write(Change::Archive { memory: memory.id.clone(), text }).await;
    let asked_at = subject.clock.tick();
    subject.write(Change::LogAccess { memory: memory.id.clone(), intact: true }).await;
    let older = async |what, before| subject.store.older_than(what, before).await.expect("readable");
    assert_eq!(older(Kept::Archives, asked_at).await, 0, "counted from when it was last asked for");
    let later = subject.clock.tick();
    assert_eq!((older(Kept::Archives, later).await, older(Kept::Logs, later).await), (1, 1));
    for what in [Kept::Archives, Kept::Logs, Kept::Blocks] {
        subject.write(Change::Prune { what, before: later, limit: 10 }).await;
        assert_eq!(older(what, later).await, 0, "{what}");
    }
    assert_eq!(subject.store.archived_text(&memory.id).await.expect("readable"), None);
}
