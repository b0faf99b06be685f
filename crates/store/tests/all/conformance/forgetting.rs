//! Forgetting for good: after a purge nothing in the store, the indexes or the files says what was there.

use memory::ports::Clock;
use memory::types::{Change, Corpus, Filter, Memory, Node, RecordRef, Status};
use testkit::build;

use testkit::integrity;
use testkit::subject::Subject;

const SIGNATURE: &str = "test:model:2";

/// A memory with everything that can hang on one: history, a vector, counters, derivations, a link.
async fn entangled(subject: &Subject, content: &str) -> (Memory, Memory) {
    let turn = subject.say("s1", "something was said").await;
    let memory = subject.add("first it said something else").await;
    let memory = subject.edit(&memory, |memory| memory.content = content.into()).await;
    let child = subject.add("what was concluded").await;
    let batch = subject
        .batch()
        .with(Change::PutVector {
            corpus: Corpus::Memories,
            id: memory.id.to_string(),
            signature: SIGNATURE.into(),
            vector: vec![0.6, 0.8],
        })
        .with(Change::Touch { memories: vec![memory.id.clone()], at: subject.clock.now() })
        .with(Change::Derive { child: Node::Memory(memory.id.clone()), parents: vec![Node::Turn(turn.id)] })
        .with(Change::Derive {
            child: Node::Memory(child.id.clone()),
            parents: vec![Node::Memory(memory.id.clone())],
        })
        .insert(build::link(&subject.clock, &memory.id, &child.id));
    subject.apply(batch.because("because of the capybara")).await;
    (subject.memory(&memory.id).await.expect("it is there"), child)
}

pub async fn a_purge_leaves_nothing(subject: Subject) {
    let (memory, child) = entangled(&subject, "the capybara is called Zanzibarbara").await;
    subject.edit(&memory, |memory| memory.tags = vec!["zanzibarbara".into()]).await;
    assert!(subject.purge(&memory).await.removed >= 1);

    assert_eq!(subject.memory(&memory.id).await, None);
    assert_eq!(subject.listed(&Filter::ever()).await, ["what was concluded"]);
    assert_eq!(subject.found_by("zanzibarbara", &Filter::ever(), 10).await, [""; 0]);
    let words = ["Zanzibarbara".to_owned()];
    let like =
        subject.store.nominate_like(Corpus::Memories, &words, &Filter::ever(), 10).await.expect("searchable");
    assert_eq!(like, []);
    let events = subject.store.history(&RecordRef::memory(&memory.id)).await.expect("history can be read");
    assert!(!events.is_empty(), "that something happened stays");
    assert!(events.iter().all(|event| event.purged && event.before.is_none() && event.after.is_none()));
    assert!(!format!("{events:?}").to_lowercase().contains("zanzibarbara"));
    let ids = [memory.id.clone()];
    assert!(!subject.store.counters(&ids).await.expect("readable").contains_key(&memory.id));
    assert_eq!(testkit::items::vectors(&*subject.store, Corpus::Memories, SIGNATURE).await, []);
    assert_eq!(subject.store.parents(&Node::Memory(memory.id.clone())).await.expect("readable"), []);
    assert_eq!(subject.store.children(&Node::Memory(memory.id.clone())).await.expect("readable"), []);
    assert_eq!(subject.store.parents(&Node::Memory(child.id.clone())).await.expect("readable"), []);
    assert_eq!(subject.store.links_of(&ids).await.expect("readable"), []);
    if let Some(database) = subject.database() {
        assert!(!integrity::index_holds(&database, "memory_fts", "zanzibarbara"));
        integrity::check(&database);
    }
}

pub async fn a_purge_is_for_good(mut subject: Subject) {
    let memory = subject.add("to be purged").await;
    let then = subject.clock.now();
    subject.edit(&memory, |memory| memory.status = Status::Deleted).await;
    subject.purge(&memory).await;
    subject.restart().await;
    let known_then = Filter::at(memory::types::Validity::KnownAt { then });
    assert_eq!(subject.listed(&known_then).await, [""; 0], "the books do not tell either");
    assert_eq!(subject.listed(&Filter::ever()).await, [""; 0]);
}

pub async fn purging_what_is_not_there(subject: Subject) {
    let never = build::memory(&subject.clock, "was never written");
    assert_eq!(subject.purge(&never).await.removed, 0);
    let removed = subject.add("removed first, quokka").await;
    let of = RecordRef::memory(&removed.id);
    let remove = Change::Remove { of: of.clone(), expect: memory::types::Expect::Any };
    subject.write(remove).await;
    subject.purge(&removed).await;
    let events = subject.store.history(&of).await.expect("history can be read");
    assert!(!format!("{events:?}").contains("quokka"), "a purge reaches what was removed before: {events:?}");
}

pub async fn a_scrub_takes_the_bytes_out_of_the_files(subject: Subject) {
    let (memory, _) = entangled(&subject, "the vault opens with xylofrantic").await;
    // Once more, so that history holds the words as well.
    let memory = subject.edit(&memory, |memory| memory.salience = 0.9).await;
    let turn = subject.say("s1", "I said xylofrantic aloud").await;
    let Some(database) = subject.database() else {
        subject.store.scrub().await.expect("a scrub of nothing");
        return;
    };
    assert!(integrity::files_hold(&database, "xylofrantic"), "the word was in the files before");
    subject.purge(&memory).await;
    subject.write(Change::PurgeTurns { turns: vec![turn.id] }).await;
    // Readers rest between reads, and one that rests on an old end of the log must not keep it.
    subject.found("vault").await;
    subject.store.scrub().await.expect("nobody reads, so the log can be emptied");
    assert!(!integrity::files_hold(&database, "xylofrantic"), "the purged word is still in a file");
    assert!(!integrity::files_hold(&database, "capybara"), "the reason given with it is still in a file");
    integrity::check(&database);
}
