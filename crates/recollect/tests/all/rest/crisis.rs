//! `/api/audit/crisis`: written by who may write, read by who administers, gone in time, and never part of memory.

use axum::body::Body;
use axum::http::Method;
use memory::ports::ReadStore;
use serde_json::{Value, json};
use store::Role;

use super::api::{Api, fields};
use super::{RestScene, text};

const CRISES: &str = "/api/audit/crisis";
const REASON: &str = "the classifier of our voice line was sure, zanzibar";

fn record(session: &str) -> Value {
    json!({ "session_id": session, "user_id": "mara", "level": 2, "reason": REASON, "classifier_path": "llm_primary" })
}

#[tokio::test]
async fn who_may_write_records_and_who_administers_reads_and_removes() {
    let api = Api::new().await;
    let writer = Api::of(&api.house, "acme", Role::Memory, &[]).await;
    let reader = Api::of(&api.house, "acme", Role::Read, &[]).await;
    let stranger = Api::of(&api.house, "other", Role::Admin, &[]).await;
    let made = writer.call(Method::POST, CRISES, record("night-talk")).await;
    assert_eq!(made.status, 201, "{}", made.text);
    writer.call(Method::POST, CRISES, record("night-talk")).await;
    writer.call(Method::POST, CRISES, record("another")).await;
    assert_eq!(reader.call(Method::POST, CRISES, record("x")).await.status, 403);
    assert_eq!(writer.get(CRISES).await.status, 403);
    assert!(stranger.get(CRISES).await.body["records"].as_array().expect("a list").is_empty());

    let listed = api.get(CRISES).await;
    let records = listed.body["records"].as_array().expect("a list").clone();
    assert_eq!(records.len(), 3, "{}", listed.text);
    assert_eq!(
        fields(&records[0]),
        ["classifierPath", "detectedAt", "id", "level", "reason", "retainedUntil", "sessionHash"]
    );
    assert!(!listed.text.contains("night-talk") && !listed.text.contains("mara"), "{}", listed.text);
    assert_eq!((&records[2]["level"], &records[2]["classifierPath"]), (&json!(2), &json!("llm_primary")));
    assert_eq!(records[1]["sessionHash"], records[2]["sessionHash"], "one conversation, one hash");
    assert_ne!(records[0]["sessionHash"], records[2]["sessionHash"]);
    let of_one = api.get(&format!("{CRISES}?session_id=night-talk&user_id=mara")).await;
    assert_eq!(of_one.body["records"].as_array().expect("a list").len(), 2, "{}", of_one.text);

    let path = format!("{CRISES}/{}", text(&made.body["id"]));
    assert_eq!(writer.delete(&path).await.status, 403);
    assert_eq!(stranger.delete(&path).await.body, json!({ "deleted": false }));
    assert_eq!(api.delete(&path).await.body, json!({ "deleted": true }));
    assert_eq!(api.delete(&path).await.body, json!({ "deleted": false }));
    assert_eq!(api.get(CRISES).await.body["records"].as_array().expect("a list").len(), 2);
}

#[tokio::test]
async fn what_is_wrong_with_a_record_is_said() {
    let scene = RestScene::new();
    for (field, wrong) in [
        ("level", json!(4)),
        ("reason", json!("  ")),
        ("reason", json!("x".repeat(501))),
        ("classifier_path", json!("a feeling")),
        ("session_id", Value::Null),
        ("retention_days", json!(4_000)),
        ("mood", json!("low")),
    ] {
        let mut body = record("one");
        body[field] = wrong;
        let named = scene.ask("POST", CRISES, body).await.refused(400, "invalid_input");
        assert_eq!(named, [field], "{field}");
    }
    assert_eq!(scene.ask("DELETE", &format!("{CRISES}/nothing"), Value::Null).await.status, 404);
}

#[tokio::test]
async fn no_surface_of_memory_tells_it() {
    let scene = RestScene::new();
    scene.remember("Mara keeps bees in Leeds").await;
    let before = scene.tenant().await.head().await.expect("a head");
    scene.ask("POST", CRISES, record("one")).await.fine();
    assert!(scene.dump().iter().any(|row| row.contains("zanzibar")), "it is stored");
    assert!(!scene.dump().iter().any(|row| row.contains("one") && row.starts_with("crisis ")), "by a hash");
    let asked = json!({ "query": "zanzibar classifier voice line", "user_id": "mara" });
    for (method, path, body) in [
        ("POST", "/api/memory/search", asked.clone()),
        ("POST", "/api/memory/context", json!({ "message": "zanzibar voice line?", "user_id": "mara" })),
        ("GET", "/api/memory/export?format=json", Value::Null),
        ("GET", "/api/memory", Value::Null),
        ("GET", "/api/memory/episodes", Value::Null),
        ("GET", "/api/memory/sessions", Value::Null),
    ] {
        let reply = scene.ask(method, path, body).await;
        assert!(reply.status < 300, "{path}: {}", reply.text);
        assert!(
            !reply.text.contains("zanzibar") && !reply.text.contains("llm_primary"),
            "{path}: {}",
            reply.text
        );
    }
    assert_eq!(
        scene.tenant().await.head().await.expect("a head"),
        before,
        "the change log knows nothing of it"
    );
}

#[tokio::test]
async fn a_record_goes_when_its_time_is_over() {
    let scene = RestScene::new();
    let days = async |days: Value| {
        let mut body = record("one");
        body["retention_days"] = days;
        scene.ask("POST", CRISES, body).await.fine()["retainedUntil"].clone()
    };
    assert_eq!(days(json!(0)).await, Value::Null, "until somebody removes it");
    days(json!(7)).await;
    days(Value::Null).await;
    let listed = async || scene.get(CRISES).await["records"].as_array().expect("a list").len();
    let stored = || scene.dump().iter().filter(|row| row.starts_with("crisis ")).count();
    assert_eq!((listed().await, stored()), (3, 3));
    scene.clock.advance_seconds(8 * 86_400);
    assert_eq!((listed().await, stored()), (2, 3), "over is over, before upkeep comes by");
    scene
        .send("POST", "/api/memory/tend", &[], Body::from(json!({ "step": "prune" }).to_string()))
        .await
        .fine();
    assert_eq!((listed().await, stored()), (2, 2));
    scene.clock.advance_seconds(83 * 86_400);
    scene
        .send("POST", "/api/memory/tend", &[], Body::from(json!({ "step": "prune" }).to_string()))
        .await
        .fine();
    assert_eq!((listed().await, stored()), (1, 1), "the usual ninety days");
}
