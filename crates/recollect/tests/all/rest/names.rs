//! Whose memory is meant, however it is spelt: every spelling narrows, and what is no spelling is refused.

use axum::body::Body;
use serde_json::{Value, json};

use super::{Reply, RestScene};

const SECRET: &str = "diagnosed with diabetes";
const SPELLINGS: [&str; 6] = ["user", "userId", "user_id", "userid", "USER_ID", "user-id"];

/// Alice has a secret and Bob a cat.
async fn two() -> RestScene {
    let scene = RestScene::with(None);
    let alice = json!({ "content": format!("Alice was {SECRET}."), "userId": "alice" });
    scene.post("/api/memory", alice).await;
    scene
        .post("/api/memory", json!({ "content": "Bob was diagnosed with cat hair.", "user_id": "bob" }))
        .await;
    scene
}

async fn secrets(scene: &RestScene) -> u64 {
    scene.get("/api/memory?user_id=alice").await["total"].as_u64().expect("a number")
}

/// Bob's is told, and nothing of Alice's.
fn bobs(reply: Reply, how: &str) {
    let text = reply.fine().to_string();
    assert!(text.contains("cat hair") && !text.contains("diabetes"), "{how}: {text}");
}

#[tokio::test]
async fn h3_a_search_finds_what_is_the_named_users_however_the_user_is_named() {
    let scene = two().await;
    for name in SPELLINGS {
        let body = json!({ "query": "diagnosed", name: "bob" });
        bobs(scene.ask("POST", "/api/memory/search", body).await, name);
        let inside = json!({ "query": "diagnosed", "filters": { name: "bob" } });
        bobs(scene.ask("POST", "/api/memory/search", inside).await, name);
        let address = format!("/api/memory/search?{name}=bob");
        bobs(scene.ask("POST", &address, json!({ "query": "diagnosed" })).await, name);
    }
    let body = || Body::from(json!({ "query": "diagnosed" }).to_string());
    let headers = [("x-recollect-user-id", "bob")];
    bobs(scene.send("POST", "/api/memory/search", &headers, body()).await, "the header");
}

#[tokio::test]
async fn h3_lists_and_exports_are_the_named_users() {
    let scene = two().await;
    for name in SPELLINGS {
        for path in ["/api/memory", "/api/memory/export", "/memories"] {
            bobs(scene.ask("GET", &format!("{path}?{name}=bob"), Value::Null).await, path);
        }
        let facts = scene.get(&format!("/api/memory/facts?{name}=nobody")).await;
        assert_eq!(facts["total"], 0, "{name}");
    }
    for path in ["/api/memory", "/api/memory/export", "/memories"] {
        let headers = [("x-recollect-user-id", "bob")];
        bobs(scene.send("GET", path, &headers, Body::empty()).await, path);
    }
}

#[tokio::test]
async fn h3_forgetting_takes_nothing_of_anybody_else() {
    for name in SPELLINGS {
        let scene = two().await;
        let body = json!({ "match": "diabetes", name: "bob" });
        let forgotten = scene.ask("POST", "/api/memory/forget", body).await.fine();
        assert_eq!((&forgotten["count"], secrets(&scene).await), (&json!(0), 1), "{name}");
        let address = format!("/api/memory?q=diabetes&{name}=bob");
        let deleted = scene.ask("DELETE", &address, Value::Null).await.fine();
        assert_eq!((&deleted["deleted"], secrets(&scene).await), (&json!(0), 1), "{name}");
        // What only a body would say of a removal is refused, since nobody reads it.
        let reply = scene.ask("DELETE", "/api/memory?q=diabetes", json!({ name: "bob" })).await;
        reply.refused(400, "invalid_input");
        assert_eq!(secrets(&scene).await, 1, "{name}");
    }
}

#[tokio::test]
async fn h3_what_is_written_is_the_named_users() {
    let scene = two().await;
    for (number, name) in SPELLINGS.into_iter().enumerate() {
        let body = json!({ "text": format!("Address as number {number}."), name: "bob" });
        let kept = scene.ask("POST", "/api/memory/identity/overrides", body).await.fine();
        assert_eq!(kept["override"]["userId"], "bob", "{name}");
        let said = format!("talk-{number}");
        let body = json!({ "conversation_id": said, name: "bob", "skip_extraction": true,
            "messages": [{ "role": "user", "content": "Good morning." }] });
        scene.post("/memory/ingest", body).await;
        let session = scene.get(&format!("/api/memory/sessions/{said}")).await;
        assert_eq!(session["userId"], "bob", "{name}");
    }
}

#[tokio::test]
async fn h3_mem0s_routes_understand_every_spelling() {
    let scene = two().await;
    for name in SPELLINGS {
        bobs(scene.ask("POST", "/search", json!({ "query": "diagnosed", name: "bob" })).await, name);
        bobs(scene.ask("GET", &format!("/memories?{name}=bob"), Value::Null).await, name);
    }
    let headers = [("x-recollect-user-id", "bob")];
    let body = Body::from(json!({ "query": "diagnosed" }).to_string());
    bobs(scene.send("POST", "/search", &headers, body).await, "the header");
    scene.ask("DELETE", "/memories?userId=bob", Value::Null).await.fine();
    assert_eq!((secrets(&scene).await, scene.total().await), (1, 1));
}

#[tokio::test]
async fn two_spellings_of_one_field_must_say_the_same() {
    let scene = two().await;
    let both = json!({ "query": "diagnosed", "userId": "bob", "user_id": "alice" });
    let reply = scene.ask("POST", "/api/memory/search", both).await;
    reply.refused(400, "invalid_input");
    assert!(reply.body.to_string().contains("the same field"), "{}", reply.body);
    let same = json!({ "query": "diagnosed", "userId": "bob", "user_id": "bob" });
    bobs(scene.ask("POST", "/api/memory/search", same).await, "twice the same");
    let address = "/api/memory/search?user_id=alice";
    let reply = scene.ask("POST", address, json!({ "query": "diagnosed", "user_id": "bob" })).await;
    reply.refused(400, "invalid_input");
    let reply = scene.ask("GET", "/api/memory?user_id=bob&user_id=alice", Value::Null).await;
    assert_eq!(reply.refused(400, "invalid_input"), ["user_id"]);
    let inside = json!({ "query": "diagnosed", "user_id": "bob", "filters": { "user_id": "alice" } });
    let reply = scene.ask("POST", "/api/memory/search", inside).await;
    assert_eq!(reply.refused(400, "invalid_input"), ["filters.user_id"]);
}

#[tokio::test]
async fn what_a_route_does_not_know_is_refused_with_the_nearest_name() {
    let scene = two().await;
    let reply = scene.ask("POST", "/api/memory/search", json!({ "query": "x", "usre_id": "bob" })).await;
    assert_eq!(reply.refused(400, "invalid_input"), ["usre_id"]);
    assert_eq!(reply.body["error"]["hint"], "did you mean `user_id`?");
    let reply = scene
        .ask("POST", "/api/memory/search", json!({ "query": "x", "filters": { "kinds": ["fact"] } }))
        .await;
    assert_eq!(reply.refused(400, "invalid_input"), ["filters.kinds"]);
    let reply = scene.ask("GET", "/api/memory/stats?user_id=bob", Value::Null).await;
    assert_eq!(reply.refused(400, "invalid_input"), ["user_id"], "numbers of everybody are not one user's");
    let reply = scene.ask("POST", "/api/memory/sync", json!({ "user_id": "bob" })).await;
    reply.refused(400, "invalid_input");
    // Several mistakes are said at once, each by the name that was sent.
    let body = json!({ "query": 7, "topK": "ten", "colour": "blue" });
    let fields = scene.ask("POST", "/api/memory/search", body).await.refused(400, "invalid_input");
    assert_eq!(fields, ["colour", "query", "topK"]);
}

#[tokio::test]
async fn other_systems_fields_pass_on_their_own_routes() {
    let scene = two().await;
    let body = json!({ "content": "Bob has a boat.", "userId": "bob", "source": "dashboard", "isPinnedByUser": true });
    scene.post("/api/memory", body).await;
    scene.get("/api/memory?t=1700000000&sort=newest").await;
    let body = json!({ "query": "boat", "user_id": "bob", "rerank": true, "org_id": "o", "version": "v2" });
    scene.post("/search", body).await;
    for path in
        ["/api/memory?usr_id=bob", "/api/memory?sesionId=s", "/memories?user_ids=bob", "/memories?owner=bob"]
    {
        scene.ask("GET", path, Value::Null).await.refused(400, "invalid_input");
    }
}

#[tokio::test]
async fn headers_name_who_is_meant_where_the_request_does_not() {
    let scene = two().await;
    let headers = [("x-recollect-user-id", "carol"), ("x-recollect-agent-id", "guide")];
    let body = Body::from(json!({ "content": "Carol sails.", "user_id": null }).to_string());
    let made = scene.send("POST", "/api/memory", &headers, body).await.fine();
    assert_eq!((&made["memory"]["userId"], &made["memory"]["agentId"]), (&json!("carol"), &json!("guide")));
    let body = Body::from(json!({ "content": "Dora sails.", "user": "dora" }).to_string());
    let made = scene.send("POST", "/api/memory", &headers, body).await.fine();
    assert_eq!(made["memory"]["userId"], "dora", "what the request says counts for more");
}
