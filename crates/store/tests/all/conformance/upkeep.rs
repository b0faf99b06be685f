//! Settings, the processing log, and the count of everything.

use memory::ports::Clock;
use memory::types::{Change, Corpus, ProcessingEntry, ProcessingOutcome, Status};
use serde_json::json;
use testkit::build;

use crate::subject::Subject;

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
