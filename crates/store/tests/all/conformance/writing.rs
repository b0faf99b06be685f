//! The one door: what is written is there, all of it or nothing, and exactly once.

use memory::error::StoreError;
use memory::limits;
use memory::ports::Clock;
use memory::types::{Change, Expect, MemoryId, PageRequest, RecordRef, Scope, Session, Status};
use serde_json::json;
use testkit::build;

use testkit::subject::Subject;

pub async fn a_write_is_read_back(subject: Subject) {
    let mut memory = build::memory(&subject.clock, "Ada moved to Irvine in May");
    memory.tags = vec!["home".into(), "california".into()];
    memory.key = Some("home".into());
    memory.evidence = Some("I moved to Irvine in May".into());
    memory.metadata.insert("source".into(), json!({"page": 7, "text": "quote \" and \u{0} and ✈"}));
    memory.valid_from = Some(subject.clock.now());
    let written = subject.apply(subject.batch().insert(memory.clone())).await;
    assert_eq!(written.records, [(RecordRef::memory(&memory.id), 1)]);
    assert_eq!(subject.memory(&memory.id).await, Some(memory.clone()), "every field comes back");
    assert_eq!(subject.found("irvine").await, ["Ada moved to Irvine in May"]);
    let edited = subject.edit(&memory, |memory| memory.content = "Ada moved to Tustin".into()).await;
    assert_eq!((edited.version, edited.content.as_str()), (2, "Ada moved to Tustin"));
}

pub async fn a_write_is_seen_by_a_second_opener(subject: Subject) {
    let Some(second) = subject.second().await else { return };
    for round in 0..20 {
        let memory = subject.add(&format!("note number {round}")).await;
        let ids = [memory.id.clone()];
        assert_eq!(
            second.memories(&ids).await.expect("readable"),
            std::slice::from_ref(&memory),
            "round {round}"
        );
        let removal =
            subject.batch().with(Change::Remove { of: RecordRef::memory(&memory.id), expect: Expect::Any });
        second.apply(removal).await.expect("a second opener writes too");
        assert_eq!(subject.memory(&memory.id).await, None, "round {round}");
        assert_eq!(subject.found("note").await, [""; 0], "round {round}");
        assert_eq!(subject.store.head().await.expect("a head"), second.head().await.expect("a head"));
    }
}

pub async fn a_write_survives_a_restart(mut subject: Subject) {
    let memory = subject.add("the spare key is under the pot").await;
    subject.say("s1", "where did I leave it?").await;
    let head = subject.store.head().await.expect("a head");
    if !subject.restart().await {
        return;
    }
    assert_eq!(subject.memory(&memory.id).await, Some(memory));
    assert_eq!(subject.found("spare key").await.len(), 1);
    assert_eq!(subject.turns_found("leave", &subject.current()).await.len(), 1);
    assert_eq!(subject.store.head().await.expect("a head"), head, "opening writes nothing");
}

pub async fn reading_many_keeps_the_order_asked_for(subject: Subject) {
    let (first, second) = (subject.add("first").await, subject.add("second").await);
    let unknown = MemoryId::from_uuid(subject.clock.uuid());
    let ids = [second.id.clone(), unknown, first.id.clone()];
    assert_eq!(subject.store.memories(&ids).await.expect("readable"), [second, first]);
    assert_eq!(subject.store.memories(&[]).await.expect("readable"), []);
}

pub async fn a_version_that_was_overtaken_is_refused(subject: Subject) {
    let read = subject.add("the meeting is on Monday").await;
    subject.edit(&read, |memory| memory.content = "the meeting is on Tuesday".into()).await;
    let error = subject.refuse(subject.batch().replace(read.clone())).await;
    assert!(matches!(error, StoreError::Conflict { .. }), "{error:?}");
    let stale = Change::Remove { of: RecordRef::memory(&read.id), expect: Expect::Version(1) };
    let error = subject.refuse(subject.batch().with(stale)).await;
    assert!(matches!(error, StoreError::Conflict { .. }), "{error:?}");
    let unknown = build::memory(&subject.clock, "was never there");
    let error = subject.refuse(subject.batch().replace(unknown)).await;
    assert!(matches!(error, StoreError::Conflict { .. } | StoreError::NotFound(_)), "{error:?}");
    assert_eq!(subject.found("meeting").await, ["the meeting is on Tuesday"]);
}

pub async fn an_id_that_exists_cannot_be_inserted_again(subject: Subject) {
    let memory = subject.add("once").await;
    let error = subject.refuse(subject.batch().insert(memory.clone())).await;
    assert!(matches!(error, StoreError::Conflict { .. }), "{error:?}");
    let whatever = Change::Put { record: memory.into(), expect: Expect::Any };
    let written = subject.write(whatever).await;
    assert_eq!(written.records[0].1, 2, "whatever is there is replaced, and the version counts on");
}

pub async fn a_batch_with_one_bad_change_writes_nothing(subject: Subject) {
    let stale = subject.add("stands").await;
    subject.edit(&stale, |memory| memory.content = "stands and was edited".into()).await;
    let good = build::memory(&subject.clock, "would be new");
    let turns = vec![build::turn(&subject.clock, "s1", "would be said")];
    let batch = subject
        .batch()
        .insert(good.clone())
        .with(Change::AppendTurns { turns, pending: true })
        .with(Change::SetSetting { name: "recallTopK".into(), value: Some(json!(7)) })
        .with(Change::Upsert { memory: Box::new(keyed(&subject, "k", "would be upserted")) })
        .replace(stale);
    let error = subject.refuse(batch).await;
    assert!(matches!(error, StoreError::Conflict { .. }), "{error:?}");
    assert_eq!(subject.found("would").await, [""; 0], "the search index was rolled back too");
    assert_eq!(subject.turns_found("would", &subject.current()).await, [""; 0]);
    subject.insert(good).await;
}

pub async fn what_is_too_large_is_refused(subject: Subject) {
    let too_large = [
        subject.batch().insert(build::memory(&subject.clock, &"x".repeat(limits::MEMORY_CONTENT_BYTES + 1))),
        subject.batch().insert(build::memory(&subject.clock, " \n ")),
        subject.batch().with(Change::AppendTurns {
            turns: vec![build::turn(&subject.clock, "s", &"x".repeat(limits::TURN_TEXT_BYTES + 1))],
            pending: false,
        }),
        subject
            .batch()
            .with(Change::Upsert { memory: Box::new(build::memory(&subject.clock, "has no key")) }),
    ];
    for batch in too_large {
        let error = subject.refuse(batch).await;
        assert!(matches!(error, StoreError::Invalid(_)), "{error:?}");
    }
    let largest = "word ".repeat(limits::MEMORY_CONTENT_BYTES / 5);
    subject.add(&largest).await;
    let mut batch = subject.batch();
    batch.changes =
        vec![Change::Touch { memories: Vec::new(), at: subject.clock.now() }; limits::BATCH_CHANGES + 1];
    let error = subject.refuse(batch).await;
    assert!(matches!(error, StoreError::Invalid(_)), "{error:?}");
}

pub async fn a_session_and_a_memory_go_in_together(subject: Subject) {
    let key = build::session_key("s1");
    let session = Session::new(&key.owner(), key.session.clone(), subject.clock.now());
    let memory = build::memory(&subject.clock, "said in a session");
    let written = subject.apply(subject.batch().insert(session.clone()).insert(memory.clone())).await;
    let expected = [(RecordRef::session(&key), 1), (RecordRef::memory(&memory.id), 1)];
    assert_eq!(written.records, expected, "in the order of the changes");
    assert_eq!(subject.store.session(&key).await.expect("readable"), Some(session));
}

pub async fn an_upsert_by_key_replaces_and_merges(subject: Subject) {
    let mut first = keyed(&subject, "diet", "eats meat");
    first.tags = vec!["food".into(), "old".into()];
    first.metadata = json!({"page": 1, "kept": true}).as_object().expect("an object").clone();
    subject.write(Change::Upsert { memory: Box::new(first.clone()) }).await;
    subject.clock.tick();
    let mut again = keyed(&subject, "diet", "eats no meat");
    again.tags = vec!["food".into(), "new".into()];
    again.metadata = json!({"page": 2, "added": [1]}).as_object().expect("an object").clone();
    let written = subject.write(Change::Upsert { memory: Box::new(again.clone()) }).await;
    assert_eq!(written.records, [(RecordRef::memory(&first.id), 2)], "the id stays");
    let stored = subject.memory(&first.id).await.expect("it is there");
    assert_eq!(stored.content, "eats no meat");
    assert_eq!(stored.created_at, first.created_at);
    assert_eq!(stored.updated_at, again.updated_at);
    assert_eq!(stored.content_hash, again.content_hash);
    assert_eq!(json!(stored.metadata), json!({"page": 2, "kept": true, "added": [1]}));
    let mut tags = stored.tags.clone();
    tags.sort();
    assert_eq!(tags, ["food", "new", "old"]);
    assert_eq!(subject.memory(&again.id).await, None);
    assert_eq!(subject.found("meat").await, ["eats no meat"]);
}

pub async fn an_upsert_of_the_deleted_makes_a_new_one(subject: Subject) {
    let first = subject.add_with("drinks tea", |memory| memory.key = Some("drink".into())).await;
    subject.edit(&first, |memory| memory.status = Status::Deleted).await;
    let again = keyed(&subject, "drink", "drinks coffee");
    subject.write(Change::Upsert { memory: Box::new(again.clone()) }).await;
    let stored = subject.memory(&again.id).await.expect("a memory of its own");
    assert_eq!((stored.version, stored.content.as_str()), (1, "drinks coffee"));
    assert_eq!(subject.memory(&first.id).await.expect("still there").content, "drinks tea");
}

pub async fn a_key_belongs_to_its_owner(subject: Subject) {
    let owners = [("default", "default"), ("default", "ben"), ("coach", "default")];
    for (agent, user) in owners {
        let content = format!("{user} told {agent}");
        let mut memory = build::memory_of(&subject.clock, &build::owner(agent, user), &content);
        (memory.key, memory.scope) = (Some("shared".into()), Scope::Agent);
        subject.write(Change::Upsert { memory: Box::new(memory) }).await;
    }
    let expected = ["default told default", "ben told default", "default told coach"];
    assert_eq!(subject.listed(&subject.current()).await, expected);
}

/// What the user has with any agent is one memory under its key, whichever agent heard it; an agent's own stands beside it,
/// unless that agent hears it for all.
pub async fn a_key_of_the_user_is_every_agents(subject: Subject) {
    let said = async |agent: &str, content: &str, scope| {
        let mut memory = build::memory_of(&subject.clock, &build::owner(agent, "ada"), content);
        (memory.key, memory.scope) = (Some("home".into()), scope);
        subject.write(Change::Upsert { memory: Box::new(memory) }).await;
    };
    said("coach", "lives in Rome, says coach", Scope::User).await;
    said("clerk", "lives in Oslo, says clerk", Scope::User).await;
    assert_eq!(subject.listed(&subject.current()).await, ["lives in Oslo, says clerk"]);
    said("clerk", "lives at the office", Scope::Agent).await;
    said("coach", "lives in Bonn", Scope::Agent).await;
    let expected = ["lives in Oslo, says clerk", "lives at the office", "lives in Bonn"];
    assert_eq!(subject.listed(&subject.current()).await, expected);
    let ada = build::owner("coach", "ada");
    let known = subject.store.memories_by_key(&ada, &["home".to_owned()]).await.expect("readable");
    let known: Vec<&str> = known.iter().map(|memory| memory.content.as_str()).collect();
    assert_eq!(known, ["lives in Oslo, says clerk", "lives in Bonn"], "not the other agent's own");
    for (agent, content) in [("coach", "the same"), ("clerk", "the same")] {
        let memory = build::memory_of(&subject.clock, &build::owner(agent, "ada"), content);
        subject.write(Change::AddNew { memory: Box::new(memory) }).await;
    }
    assert_eq!(subject.found("same").await, ["the same"], "said to two agents, remembered once");
}

pub async fn what_the_agent_had_becomes_the_users_when_it_is_restated(subject: Subject) {
    let said = async |content: &str, scope| {
        let mut memory = build::memory_of(&subject.clock, &build::owner("coach", "ada"), content);
        (memory.key, memory.scope) = (Some("home".into()), scope);
        subject.write(Change::Upsert { memory: Box::new(memory) }).await;
    };
    said("lives in Rome", Scope::Agent).await;
    said("lives in Oslo", Scope::User).await;
    let all = subject.store.list_memories(&subject.current(), PageRequest::first(9)).await.expect("listed");
    let all: Vec<_> = all.items.iter().map(|memory| (memory.content.as_str(), memory.scope)).collect();
    assert_eq!(all, [("lives in Oslo", Scope::User)]);
}

pub async fn a_live_key_is_not_given_twice(subject: Subject) {
    subject.add_with("the first", |memory| memory.key = Some("k".into())).await;
    let error = subject.refuse(subject.batch().insert(keyed(&subject, "k", "the second"))).await;
    assert!(
        matches!(error, StoreError::Conflict { .. } | StoreError::Invalid(_)),
        "not our failure: {error:?}"
    );
}

pub async fn removing_twice_removes_once(subject: Subject) {
    let memory = subject.add("to be removed").await;
    let remove = Change::Remove { of: RecordRef::memory(&memory.id), expect: Expect::Any };
    assert_eq!(subject.write(remove.clone()).await.removed, 1);
    assert_eq!(subject.memory(&memory.id).await, None);
    assert_eq!(subject.found("removed").await, [""; 0]);
    match subject.store.apply(subject.batch().with(remove)).await {
        Ok(written) => assert_eq!(written.removed, 0),
        Err(error) => assert!(matches!(error, StoreError::NotFound(_)), "{error:?}"),
    }
    let mut back = memory.clone();
    back.content = "came back".into();
    subject.insert(back).await;
    assert_eq!(subject.found("came back").await, ["came back"], "what was removed may come back");
}

fn keyed(subject: &Subject, key: &str, content: &str) -> memory::types::Memory {
    let mut memory = build::memory(&subject.clock, content);
    memory.key = Some(key.into());
    memory
}
