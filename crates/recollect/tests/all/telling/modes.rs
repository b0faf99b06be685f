//! Where phrases or a model choose what is told: at most one section, and nothing where nothing fires.

use serde_json::json;

use super::has;
use crate::scene::Scene;

async fn known() -> Scene {
    let scene = Scene::with_meaning();
    scene.day("2026-11-10", &["My sister Ana lives in Porto", "I bought a stone oven for the bakery"]).await;
    scene.at("2026-11-15T12:00:00Z");
    scene
}

#[tokio::test]
async fn where_nothing_fires_nothing_is_told_and_else_one_section() {
    let scene = known().await;
    for mode in ["heuristic", "llm"] {
        scene.set("relevanceGateMode", json!(mode)).await;
        for message in ["hello", "What's the capital of France?", "Thanks, bye"] {
            assert_eq!(scene.told(message).await.block, "", "{mode}: {message}");
        }
        for message in ["What did we talk about last time?", "Do you remember where my sister lives?"] {
            let block = scene.told(message).await.block;
            assert!(block.matches("## ").count() <= 1, "{mode}: {message}: {block}");
            assert!(!block.contains("Noted!"), "{mode}: {message}: {block}");
        }
    }
}

#[tokio::test]
async fn the_last_digest_is_told_as_the_settings_want_it() {
    let scene = known().await;
    scene.set("portraitTokens", json!(0)).await;
    for (mode, wanted, told) in [
        ("heuristic", "off", false),
        ("heuristic", "continues", false),
        ("off", "off", false),
        ("judged", "off", false),
    ] {
        scene.set("relevanceGateMode", json!(mode)).await;
        scene.set("firstTurnDigest", json!(wanted)).await;
        let block = scene.told("hello").await.block;
        let has_digest = block.lines().any(|line| line.starts_with("- [2026-11-10]"));
        assert_eq!(has_digest, told, "{mode}, {wanted}: {block}");
    }
}

#[tokio::test]
async fn the_digest_repeats_nothing_that_is_told_beside_it() {
    let scene = Scene::with_meaning();
    let said = [
        "My sister Ana lives in Porto.",
        "The oven for the bakery arrives by ship, so we measured the gate twice.",
    ];
    scene.day("2026-11-10", &said).await;
    scene.at("2026-11-15T12:00:00Z");
    scene.set("firstTurnDigest", json!("always")).await;
    for message in ["hello", "Where does my sister live?", "And the oven?"] {
        let block = scene.told(message).await.block;
        for fact in ["Porto", "measured the gate"] {
            assert!(block.matches(fact).count() <= 1, "{message}: {block}");
        }
        assert!(message == "And the oven?" || has(&block, &["porto"]), "{message}: {block}");
    }
}
