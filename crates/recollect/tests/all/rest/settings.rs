//! What memory does: read, changed in part, refused whole, effective at once.

use serde_json::{Value, json};

use super::RestScene;

#[tokio::test]
async fn changes_are_partial_and_effective_at_once() {
    let scene = RestScene::new();
    for number in 0..4 {
        scene.remember(&format!("tea number {number}")).await;
    }
    let before = scene.get("/api/settings/memory").await;
    assert_eq!((&before["recallTopK"], &before["enabled"]), (&json!(10), &json!(true)));
    assert_eq!(before.as_object().map(serde_json::Map::len), Some(memory::settings::TABLE.len()));
    let after = scene.ask("PUT", "/api/settings/memory", json!({ "topK": 2, "mmrLambda": 0.5 })).await.fine();
    assert_eq!(
        (&after["recallTopK"], &after["mmrLambda"], &after["enabled"]),
        (&json!(2), &json!(0.5), &json!(true))
    );
    let found = scene.post("/api/memory/search", json!({ "query": "tea" })).await;
    assert_eq!(found["results"].as_array().map(Vec::len), Some(2));
    let back = scene
        .ask("PUT", "/api/settings/memory", json!({ "recallTopK": null, "mmrLambda": null }))
        .await
        .fine();
    assert_eq!(back, before);
}

#[tokio::test]
async fn all_or_nothing_and_everything_wrong_is_named() {
    let scene = RestScene::new();
    let before = scene.get("/api/settings/memory").await;
    let wrong = json!({ "recallTopK": 5, "mmrLambda": 3, "recalTopK": 1, "skillsEnabled": true });
    let reply = scene.ask("PUT", "/api/settings/memory", wrong).await;
    assert_eq!(reply.refused(400, "invalid_input"), ["mmrLambda", "recalTopK", "skillsEnabled"]);
    let told = reply.body.to_string();
    assert!(told.contains("a number from 0 to 1"), "the range: {told}");
    let near = scene.ask("PUT", "/api/settings/memory", json!({ "recalTopK": 1 })).await;
    assert!(
        near.body["error"]["hint"].as_str().is_some_and(|hint| hint.contains("`recallTopK`")),
        "{}",
        near.body
    );
    let twice = scene.ask("PUT", "/api/settings/memory", json!({ "recallTopK": 1, "topK": 2 })).await;
    assert_eq!(twice.refused(400, "invalid_input"), ["recallTopK"]);
    assert_eq!(scene.get("/api/settings/memory").await, before, "nothing was changed");
}

#[tokio::test]
async fn recall_is_switched_off_by_itself() {
    let scene = RestScene::new();
    scene.remember("My favourite drink is green tea").await;
    let question = json!({ "message": "What is my favourite drink?" });
    let block = scene.post("/api/memory/context", question.clone()).await;
    assert_ne!(block["block"], "");
    let off = scene.ask("PATCH", "/api/memory/recall", json!({ "enabled": false })).await.fine();
    assert_eq!(off, json!({ "enabled": false }));
    let silent = scene.post("/api/memory/context", question.clone()).await;
    assert_eq!((&silent["block"], &silent["gate"]["reason"]), (&json!(""), &json!("recall is switched off")));
    let said = json!({ "conversation_id": "c1", "turns": [{ "user": "I work as a nurse in Leeds.", "assistant": "Noted." }] });
    let ingested = scene.post("/memory/ingest", said).await;
    assert_eq!(ingested["turns_ingested"], 2, "capture goes on");
    let found = scene.post("/api/memory/search", json!({ "query": "green tea" })).await;
    assert!(!found["results"].as_array().expect("a list").is_empty(), "whoever asks is answered");
    assert_eq!(scene.get("/api/settings/memory").await["recallEnabled"], false);
    scene.ask("PATCH", "/api/memory/recall", json!({ "enabled": true })).await.fine();
    let again = scene.post("/api/memory/context", question).await["block"].to_string();
    assert!(again.contains("green tea"), "{again}");
    let reply = scene.ask("PATCH", "/api/memory/recall", json!({})).await;
    assert_eq!(reply.refused(400, "invalid_input"), ["enabled"]);
    let reply = scene.ask("PATCH", "/api/memory/recall", Value::Null).await;
    reply.refused(400, "invalid_input");
}
