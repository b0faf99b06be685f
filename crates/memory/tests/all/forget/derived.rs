//! What was made from what is purged: from it alone it goes, from more it is written without it.

use memory::types::{Change, Memory, Node, Origin};
use testkit::traces;

use super::{everything, purge, saying};
use testkit::subject::{Subject, sqlite_file};

async fn learned(subject: &Subject, content: &str) -> Memory {
    subject.add_with(content, |memory| memory.origin = Origin::Model).await
}

async fn made(subject: &Subject, content: &str, tag: &str, from: &[&Memory]) -> Memory {
    let memory = subject
        .add_with(content, |memory| {
            memory.origin = Origin::Model;
            memory.tags = vec![tag.to_owned()];
        })
        .await;
    let parents = from.iter().map(|memory| Node::Memory(memory.id.clone())).collect();
    subject.write(Change::Derive { child: Node::Memory(memory.id.clone()), parents }).await;
    memory
}

async fn content(subject: &Subject, memory: &Memory) -> Option<String> {
    subject.memory(&memory.id).await.map(|memory| memory.content)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn by_words_summaries_lose_the_sentence_and_insights_are_told_again() {
    let subject = sqlite_file().await;
    let purged = learned(&subject, "User keeps wombats41").await;
    let one = learned(&subject, "User keeps wombats42").await;
    let two = learned(&subject, "User lives in Oslo").await;
    let summary =
        made(&subject, "User keeps wombats41; User keeps wombats42", "summary", &[&purged, &one]).await;
    let insight = made(&subject, "User is fond of marsupials", "insight", &[&purged, &one, &two]).await;
    let alone = made(&subject, "User has an odd pet", "insight", &[&purged]).await;
    let grandchild = made(&subject, "Odd pets are a hobby", "insight", &[&alone]).await;
    let own = subject.add("User likes tea").await;
    let from = Change::Derive {
        child: Node::Memory(own.id.clone()),
        parents: vec![Node::Memory(purged.id.clone())],
    };
    subject.write(from).await;
    purge(&subject, &saying(&subject, "wombats41"), true).await;
    assert_eq!(content(&subject, &purged).await, None);
    assert_eq!(content(&subject, &summary).await.as_deref(), Some("User keeps wombats42"));
    assert_eq!(
        content(&subject, &insight).await.as_deref(),
        Some("User keeps wombats42; User lives in Oslo")
    );
    assert_eq!(content(&subject, &alone).await, None, "made from it alone");
    assert_eq!(content(&subject, &grandchild).await, None, "and so was this, at one remove");
    assert_eq!(content(&subject, &own).await.as_deref(), Some("User likes tea"), "a person's word stays");
    let database = subject.database().expect("a file");
    for gone in ["wombats41", "marsupials", "odd pet", "hobby"] {
        assert_eq!(traces::of(&database, gone), [""; 0], "{gone}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn by_id_the_digest_of_its_conversation_loses_the_sentence() {
    let subject = sqlite_file().await;
    let turn = subject.say("trip", "I keep numbats7 at home").await;
    let memory = subject
        .add_with("User keeps numbats7 at home", |memory| {
            memory.origin = Origin::Model;
            memory.session = Some(testkit::build::session_id("trip"));
        })
        .await;
    let near = learned(&subject, "User keeps numbats8 at home").await;
    let mut episode = testkit::build::episode(
        &subject.clock,
        "trip",
        "User keeps numbats7 at home. User keeps numbats8 at home.",
    );
    episode.topics = vec!["pets".into()];
    let derive =
        Change::Derive { child: Node::Memory(memory.id.clone()), parents: vec![Node::Turn(turn.id.clone())] };
    subject.apply(subject.batch().insert(episode).with(derive)).await;
    let mut target = saying(&subject, "x");
    target.query = None;
    target.ids = vec![memory.id.clone()];
    purge(&subject, &target, true).await;
    assert_eq!(content(&subject, &memory).await, None);
    assert!(content(&subject, &near).await.is_some());
    let key = testkit::build::session_key("trip");
    let digest = subject.store.episode_of(&key).await.expect("readable").expect("it stays");
    assert_eq!(
        (digest.summary.as_str(), digest.topics),
        ("User keeps numbats8 at home.", vec!["pets".to_owned()])
    );
    assert_eq!(
        subject.turns_found("numbats7", &everything()).await.len(),
        0,
        "the sentence that told it goes too"
    );
}

/// Two things are said in one breath; only one of them is to go.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_memory_that_quotes_another_sentence_of_the_turn_stays() {
    let subject = sqlite_file().await;
    let turn = subject.say("s", "I keep bilbies5. I live in Oslo.").await;
    let mut children = Vec::new();
    for (content, quote) in [
        ("User lives in Oslo", Some("I live in Oslo")),
        ("User is a friend of animals", Some("I keep bilbies5")),
        ("User is chatty", None),
    ] {
        let memory = subject
            .add_with(content, |memory| {
                memory.origin = Origin::Model;
                memory.evidence = quote.map(str::to_owned);
            })
            .await;
        let derive = Change::Derive {
            child: Node::Memory(memory.id.clone()),
            parents: vec![Node::Turn(turn.id.clone())],
        };
        subject.write(derive).await;
        children.push(memory);
    }
    purge(&subject, &saying(&subject, "bilbies5"), true).await;
    assert!(content(&subject, &children[0]).await.is_some(), "it rests on what stays unsaid");
    assert_eq!(content(&subject, &children[1]).await, None, "it rests on what went");
    assert_eq!(content(&subject, &children[2]).await, None, "nobody knows what of it this was made from");
}

/// Whoever read a turn before it was purged cannot bring it back.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_made_meanwhile_is_not_taken_in() {
    let subject = sqlite_file().await;
    let turn = subject.say("s", "I keep potoroos3").await;
    let late = testkit::build::memory(&subject.clock, "User keeps potoroos3");
    let derive =
        Change::Derive { child: Node::Memory(late.id.clone()), parents: vec![Node::Turn(turn.id.clone())] };
    purge(&subject, &saying(&subject, "potoroos3"), true).await;
    subject.refuse(subject.batch().insert(late).with(derive)).await;
    assert_eq!(traces::of(&subject.database().expect("a file"), "potoroos3"), [""; 0]);
}
