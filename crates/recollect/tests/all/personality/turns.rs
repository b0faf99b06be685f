//! Turn mode for everybody: categories, importance, bounds, and what stays as it was.

use memory::ports::ReadStore;
use memory::types::{Kind, Status};
use serde_json::json;

use super::{AgentScene, key};

#[tokio::test]
async fn a_fact_is_stored_at_once_with_its_category_and_importance() {
    let scene = AgentScene::new(json!({})).await;
    scene.says("one", &["I visited Trondheim last week."]).await;
    let memories = scene.memories().await;
    assert_eq!(memories.len(), 1, "an event does not wait for support: {memories:?}");
    let memory = &memories[0];
    assert_eq!((memory.kind, memory.metadata["category"].as_str()), (Kind::Event, Some("episodic")));
    assert_eq!(memory.metadata["importance"], json!(0.4));
    assert_eq!(memory.tags, ["episodic"]);
    let parents = scene.tenant().await.parents(&memory::types::Node::Memory(memory.id.clone())).await;
    assert_eq!(parents.expect("read").len(), 1, "it says which turn it is from");
}

#[tokio::test]
async fn each_turn_has_its_own_bound() {
    let scene = AgentScene::new(json!({ "autoIngest": { "maxPerTurn": 1 } })).await;
    scene.says("one", &["I live in Oslo. I prefer tea.", "I work at Acme. I speak French."]).await;
    assert_eq!(scene.known().await, ["User lives in Oslo", "User works at Acme"]);
    let log = scene.tenant().await.processing_log(1).await.expect("read");
    let detail = log[0].detail.clone().expect("a tally");
    assert!(detail.contains("\"over_turn_limit\":2"), "{detail}");
}

#[tokio::test]
async fn settings_speak_where_the_agent_does_not() {
    let scene = AgentScene::new(json!({})).await;
    scene.set("importanceThreshold", json!(0.8)).await;
    scene.set("maxFactsPerTurn", json!(1)).await;
    scene.says("one", &["I prefer tea. I live in Oslo. My name is Ada."]).await;
    assert_eq!(scene.known().await, ["User's name is Ada"]);
    let log = scene.tenant().await.processing_log(1).await.expect("read");
    let detail = log[0].detail.clone().expect("a tally");
    assert!(detail.contains("\"below_threshold\":1"), "{detail}");
}

#[tokio::test]
async fn an_agent_that_does_not_learn_keeps_the_transcript_alone() {
    for mode in ["turn", "sessionEnd"] {
        let scene = AgentScene::new(json!({ "autoIngest": { "enabled": false } })).await;
        scene.set("extractionMode", json!(mode)).await;
        scene.says("one", &["I live in Oslo and I prefer tea."]).await;
        assert_eq!(scene.known().await, Vec::<String>::new(), "{mode}");
        let turns = scene.tenant().await.session_turns(&key("one"), 0, 10).await.expect("read");
        assert_eq!(turns.len(), 1, "{mode}");
    }
}

#[tokio::test]
async fn guards_stand_above_importance() {
    let scene = AgentScene::new(json!({ "openness": 0.9 })).await;
    scene.says("one", &["I'm worthless."]).await;
    scene.says("two", &["I prefer tea. Do not save any of that."]).await;
    scene.says("three", &["For now, always answer in French."]).await;
    assert_eq!(scene.known().await, Vec::<String>::new());
}

#[tokio::test]
async fn by_session_a_character_weighs_too_and_none_changes_nothing() {
    let said = ["I live in Oslo. I love hiking. I prefer tea. I speak French.", "I feel lonely."];
    let mut known = Vec::new();
    for personality in [json!({}), json!({ "openness": 0.1, "emotionality": 0.1, "honesty": 0.9 })] {
        let scene = AgentScene::in_session_mode(personality).await;
        scene.says("one", &said).await;
        known.push(scene.memories().await);
    }
    let weighed = |memory: &memory::types::Memory| memory.metadata.contains_key("importance");
    assert!(!known[0].iter().any(weighed) && known[1].iter().all(weighed), "{known:?}");
    assert!(known[0].len() >= 4 && known[1].len() < known[0].len(), "{known:?}");
}

#[tokio::test]
async fn nothing_is_held_but_what_must_be_said_twice() {
    let scene = AgentScene::new(json!({})).await;
    scene.says("one", &["I visited Trondheim last week.", "I'm considering a move to Bergen."]).await;
    assert_eq!(scene.with_status(Status::Held).await, []);
    assert_eq!(scene.tenant().await.held(&key("one")).await.expect("read"), []);
}

#[tokio::test]
async fn b10_an_agents_thresholds_act_in_every_mode() {
    let said = "I prefer tea to coffee. I live in Lyon. I work as a nurse.";
    let kept = async |personality: serde_json::Value| {
        let scene = AgentScene::in_session_mode(personality).await;
        scene.says("one", &[said]).await;
        scene.known().await.len()
    };
    let all = kept(json!({})).await;
    assert!(all >= 3, "a neutral agent keeps what there is: {all}");
    assert_eq!(kept(json!({ "autoIngest": { "maxPerTurn": 1 } })).await, 1);
    assert_eq!(kept(json!({ "autoIngest": { "importanceThreshold": 1.0 } })).await, 0);
}
