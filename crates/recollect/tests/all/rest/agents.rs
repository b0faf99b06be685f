//! `/agents`.

use axum::http::Method;
use serde_json::{Value, json};
use store::Role;

use super::api::{Api, fields};

#[tokio::test]
async fn agents_are_listed_in_their_shape() {
    let api = Api::new().await;
    api.add(json!({ "content": "likes tea", "agent": "tutor" })).await;
    let made =
        api.call(Method::POST, "/agents", json!({ "name": "Research Aide", "description": "finds" })).await;
    assert_eq!((made.status, &made.body["id"]), (201, &json!("research-aide")), "{}", made.text);
    let listed = api.get("/agents").await;
    assert_eq!((listed.status, fields(&listed.body)), (200, vec!["agents"]));
    let agents = listed.body["agents"].as_array().expect("a list");
    assert_eq!(
        fields(&agents[0]),
        [
            "created_at",
            "description",
            "id",
            "memory_entry_count",
            "name",
            "recorded",
            "session_count",
            "updated_at",
            "version"
        ]
    );
    let told: Vec<(&Value, &Value, &Value, &Value)> = agents
        .iter()
        .map(|agent| (&agent["id"], &agent["name"], &agent["memory_entry_count"], &agent["version"]))
        .collect();
    assert_eq!(
        told,
        [
            (&json!("research-aide"), &json!("Research Aide"), &json!(0), &json!(1)),
            (&json!("tutor"), &json!("tutor"), &json!(1), &Value::Null),
        ]
    );
}

#[tokio::test]
async fn an_agent_is_made_shown_changed_and_taken_away() {
    let api = Api::new().await;
    let body = json!({ "id": "coach", "name": "Coach", "personality": { "openness": 0.9 },
                       "autoIngest": { "enabled": true, "maxPerTurn": 3 } });
    let made = api.call(Method::POST, "/agents", body.clone()).await;
    assert_eq!((made.status, made.tag()), (201, "\"1\""), "{}", made.text);
    let again = api.call(Method::POST, "/agents", body).await;
    assert_eq!((again.status, again.code()), (409, "conflict"));
    let shown = api.get("/agents/coach").await;
    assert_eq!(
        shown.body["personality"],
        json!({ "openness": 0.9, "autoIngest": { "enabled": true, "maxPerTurn": 3 } })
    );
    assert!(shown.body["tuning"].is_object(), "{}", shown.text);
    let patched = api.call(Method::PATCH, "/agents/coach", json!({ "description": "knows how" })).await;
    assert_eq!(
        (patched.status, &patched.body["name"], &patched.body["description"], &patched.body["version"]),
        (200, &json!("Coach"), &json!("knows how"), &json!(2))
    );
    let ingest = json!({ "autoIngest": { "importanceThreshold": 0.5 } });
    let put = api.call(Method::PUT, "/agents/coach", ingest).await;
    let block = json!({ "enabled": true, "maxPerTurn": 3, "importanceThreshold": 0.5 });
    assert_eq!(put.body["personality"]["autoIngest"], block);
    let gone = api.delete("/agents/coach").await;
    assert_eq!(gone.body, json!({ "deleted": true, "memories_kept": 0, "sessions_kept": 0 }));
    for method in [Method::GET, Method::DELETE] {
        assert_eq!(api.call(method, "/agents/coach", Value::Null).await.status, 404);
    }
    assert_eq!(api.call(Method::PATCH, "/agents/coach", json!({ "name": "x" })).await.status, 404);
}

#[tokio::test]
async fn the_second_of_two_editors_is_told() {
    let api = Api::new().await;
    api.call(Method::POST, "/agents", json!({ "id": "coach", "name": "Coach" })).await;
    let path = "/agents/coach";
    let read = api.get(path).await.tag().to_owned();
    let first = api.matching(Method::PUT, path, &read, json!({ "description": "first" })).await;
    assert_eq!((first.status, first.tag()), (200, "\"2\""));
    let second = api.matching(Method::PATCH, path, &read, json!({ "description": "second" })).await;
    assert_eq!((second.status, second.code()), (412, "precondition_failed"), "{}", second.text);
    let by_body = api.call(Method::PUT, path, json!({ "description": "third", "version": 1 })).await;
    assert_eq!(by_body.status, 412);
    assert_eq!(api.matching(Method::DELETE, path, &read, Value::Null).await.status, 412);
    assert_eq!(api.get(path).await.body["description"], "first", "nothing is lost");
    assert_eq!(api.matching(Method::PUT, path, "x", json!({ "name": "x" })).await.status, 400);
}

#[tokio::test]
async fn what_is_wrong_is_named() {
    let api = Api::new().await;
    let check = async |body: Value, field: &str| {
        let reply = api.call(Method::POST, "/agents", body).await;
        assert_eq!(
            (reply.status, &reply.body["error"]["details"][0]["field"]),
            (400, &json!(field)),
            "{}",
            reply.text
        );
    };
    check(json!({}), "name").await;
    check(json!({ "name": 7 }), "name").await;
    check(json!({ "name": "A", "personality": "kind" }), "personality").await;
    check(json!({ "name": "A", "personality": { "charm": 1 } }), "personality.charm").await;
    check(json!({ "name": "A", "autoIngest": { "enabled": "perhaps" } }), "autoIngest.enabled").await;
}

#[tokio::test]
async fn roles_and_bound_keys_hold() {
    let api = Api::new().await;
    api.add(json!({ "content": "likes tea", "agent": "tutor" })).await;
    api.add(json!({ "content": "likes rye", "agent": "coach" })).await;
    let reader = Api::of(&api.house, "acme", Role::Read, &["tutor"]).await;
    let listed = reader.get("/agents").await;
    assert_eq!(listed.body["agents"].as_array().map(Vec::len), Some(1), "{}", listed.text);
    assert_eq!(reader.get("/agents/coach").await.status, 404);
    let refused = reader.call(Method::POST, "/agents", json!({ "name": "A" })).await;
    assert_eq!((refused.status, refused.code()), (403, "denied"));
}
