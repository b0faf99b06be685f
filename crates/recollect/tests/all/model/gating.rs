//! The gate with a model: asked where its word counts, and never waited for beyond the deadline.

use std::time::Duration;

use memory::recall::gate::{GateDecision, Section};
use recollect::ops::context::ContextOperation;
use serde_json::json;
use testkit::llm::{RequestMatcher, ScriptedReply};

use super::ModelScene;

const GATES: &str = "You decide whether an assistant needs what it remembers";

/// No phrase in it, and nothing that the trained model would fire on.
const MESSAGE: &str = "Write a haiku about the sea.";

async fn scene(reply: ScriptedReply) -> ModelScene {
    let scene = ModelScene::new().await;
    scene.set("relevanceGateMode", json!("llm")).await;
    scene.llm.when(RequestMatcher::system_contains(GATES), reply);
    scene
}

async fn decided(scene: &ModelScene, message: &str) -> GateDecision {
    scene.ask(ContextOperation { message: message.to_owned(), ..ContextOperation::default() }).await.gate
}

fn says(section: &str, confidence: f64) -> ScriptedReply {
    ScriptedReply::distilled(json!({"section": section, "confidence": confidence}))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_models_word_decides() {
    let asked = scene(says("episode", 0.9)).await;
    let decision = decided(&asked, MESSAGE).await;
    assert_eq!((decision.fire, decision.section), (true, Section::Episode), "{decision:?}");
    assert!(decision.reason.contains("core model says episode"), "{decision:?}");
    assert!(asked.llm.requests()[0].last_user_text().contains("| Write a haiku"));
    let nothing = scene(says("none", 0.9)).await;
    let decision = decided(&nothing, "which restaurant would suit my sister Ana tonight?").await;
    assert!(!decision.fire, "{decision:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn certain_phrases_and_short_messages_make_no_call() {
    let scene = scene(says("none", 1.0)).await;
    assert_eq!(decided(&scene, "what's my name?").await.section, Section::Identity);
    assert!(!decided(&scene, "ok").await.fire);
    assert_eq!(scene.llm.requests().len(), 0);
    decided(&scene, MESSAGE).await;
    decided(&scene, MESSAGE).await;
    assert_eq!(scene.llm.requests().len(), 1, "the same question is not asked twice within seconds");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn late_or_failing_the_gate_decides_alone_and_says_so() {
    for (reply, why) in [
        (says("pinned", 1.0).with_delay(Duration::from_millis(300)), "late"),
        (ScriptedReply::hang(), "late"),
        (ScriptedReply::unauthorized(), "did not answer"),
        (ScriptedReply::prose(), "unclear"),
        (says("pinned", 0.2), "not sure"),
    ] {
        let scene = scene(reply).await;
        scene.set("gateDeadlineMs", json!(100)).await;
        // Whatever is opened for the first time is not the gate's time.
        decided(&scene, "ok").await;
        let started = tokio::time::Instant::now();
        let decision = decided(&scene, MESSAGE).await;
        let took = started.elapsed();
        assert!(!decision.fire && decision.reason.contains(why), "{why}: {decision:?}");
        assert!(took < Duration::from_secs(2), "{why}: {took:?}");
    }
}

/// A remote model takes a while, and by default it is waited for.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_model_that_takes_its_time_is_heard() {
    let scene = scene(says("pinned", 1.0).with_delay(Duration::from_millis(300))).await;
    assert!(decided(&scene, MESSAGE).await.fire);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_a_model_it_is_as_learned() {
    let scene = ModelScene::without_model().await;
    scene.set("relevanceGateMode", json!("llm")).await;
    assert!(!decided(&scene, MESSAGE).await.fire);
    assert!(decided(&scene, "What did I tell you about my sister?").await.fire);
    assert_eq!(scene.llm.requests().len(), 0);
}
