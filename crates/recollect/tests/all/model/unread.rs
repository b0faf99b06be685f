//! What a model has not read: it stays to be read, however little it was and whatever went wrong, and is learned once.

use memory::types::{Origin, Role, Status};
use serde_json::json;
use testkit::llm::ScriptedReply;

use super::{ModelScene, SAID, answer, good};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_word_makes_no_call_and_stays_to_be_read() {
    let scene = ModelScene::new().await;
    scene.distils(ScriptedReply::distilled(answer(json!([]))));
    for (session, word) in [("one", "Thanks!"), ("two", "ok"), ("three", "谢谢")] {
        scene.append(session, &[(Role::User, word), (Role::Assistant, SAID)]).await;
    }
    scene.sync().await;
    assert_eq!(scene.calls().len(), 0, "nothing to be read in a word");
    scene.append("one", &[(Role::User, "I'm vegan.")]).await;
    scene.sync().await;
    let asked = scene.calls()[0].last_user_text();
    assert!(asked.contains("[t1] user, new") && asked.contains("[t3] user, new"), "{asked}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_few_words_are_read_by_the_model() {
    let scene = ModelScene::new().await;
    for (session, said, content) in [
        ("one", "Ewan plays the fiddle now.", "Ewan plays the fiddle"),
        ("two", "I'm vegan.", "User is vegan"),
        ("three", "我吃素。", "User 吃素"),
    ] {
        let quote = said.trim_end_matches(['.', '。']);
        scene.distils(ScriptedReply::distilled(answer(
            json!([{"text": content, "quote": quote, "turn": "t1"}]),
        )));
        let ingested = scene.says(session, said).await;
        assert_eq!((ingested.distillation.as_str(), ingested.memories), ("distilled", 1), "{said}");
        assert!(scene.known().await.contains(&content.to_owned()), "{said}: {:?}", scene.known().await);
        assert!(scene.episode(session).await.is_some(), "its digest is the model's, however short it is");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_said_while_the_model_was_away_is_new_to_it() {
    let scene = ModelScene::new().await;
    scene.distils(ScriptedReply::server_error());
    scene.append("one", &[(Role::User, SAID)]).await;
    scene.sync().await;
    let made = scene.with_status(Status::Active).await;
    assert!(made.iter().all(|memory| memory.origin == Origin::Heuristic) && !made.is_empty());
    let mut both = good();
    both["memories"].as_array_mut().expect("a list").push(json!(
        {"text": "User will plant an oak", "quote": "I will plant an oak", "turn": "t2"}));
    scene.distils(ScriptedReply::distilled(both));
    scene.append("one", &[(Role::User, "I will plant an oak beside them.")]).await;
    scene.sync().await;
    let asked = scene.calls().last().expect("asked").last_user_text();
    assert!(asked.contains("[t1] user, new") && asked.contains("[t2] user, new"), "{asked}");
    assert_eq!(scene.redo().await, [], "it has read all of it");
    let known = scene.known().await;
    assert_eq!(
        known.iter().filter(|content| *content == "User prefers roses to tulips").count(),
        1,
        "kept once: {known:?}"
    );
    assert!(known.iter().any(|content| content.contains("oak")), "{known:?}");
    assert!(
        known.iter().any(|content| content.contains("Lyon")),
        "what only the built-in judge heard stays: {known:?}"
    );
    scene.append("one", &[(Role::User, "That is all for now.")]).await;
    scene.sync().await;
    let asked = scene.calls().last().expect("asked").last_user_text();
    assert!(asked.contains("[t1] user, earlier") && asked.contains("[t3] user, new"), "{asked}");
}
