//! `/api/memory/sessions`, `/episodes`, `/transcript` and `/pending`.

use axum::http::Method;
use recollect::ops::Outcome;
use serde_json::{Value, json};
use store::Role;

use super::api::{Api, fields, is_page, operate};

const MOVED: &str =
    "I moved to Irvine last week, and I work at Acme Corp as a carpenter since then, which I like a lot.";
const TRIP: &str =
    "I will take the ferry from Mallaig in May. I prefer the window seat over the aisle, I really do.";

async fn told() -> Api {
    let api = Api::new().await;
    api.talk("march", &[MOVED]).await;
    api.talk("may", &[TRIP]).await;
    api
}

#[tokio::test]
async fn conversations_come_with_what_they_came_to() {
    let api = told().await;
    let listed = api.get("/api/memory/sessions").await;
    is_page(&listed);
    assert_eq!(listed.body["total"], 2);
    let row = listed.rows().iter().find(|row| row["id"] == "march").expect("listed");
    assert_eq!(
        fields(row),
        ["agentId", "endedAt", "episode", "id", "lastTurnAt", "pending", "startedAt", "title", "userId"]
    );
    assert_eq!(
        fields(&row["episode"]),
        [
            "actionItems",
            "agentId",
            "createdAt",
            "decisions",
            "endedAt",
            "id",
            "keyDates",
            "origin",
            "salience",
            "sessionId",
            "startedAt",
            "status",
            "summary",
            "topics",
            "updatedAt",
            "userId",
            "version"
        ]
    );
    let shown = api.get("/api/memory/sessions/march").await;
    assert_eq!(shown.status, 200, "{}", shown.text);
    assert_eq!(shown.body["turns"].as_array().map(Vec::len), Some(2));
    assert_eq!(
        (&shown.body["turns"][0]["text"], &shown.body["turns"][0]["role"]),
        (&json!(MOVED), &json!("user"))
    );
    assert!(shown.body["held"].is_array());
    assert_eq!(api.get("/api/memory/sessions/never").await.status, 404);
    assert_eq!(api.get("/api/memory/sessions?userId=nobody").await.body["total"], 0);
}

#[tokio::test]
async fn a_digest_goes_and_stays_away() {
    let api = told().await;
    let before = api.get("/api/memory/facts").await.body["total"].clone();
    for expected in [true, false] {
        let reply = api.delete("/api/memory/sessions/march").await;
        assert_eq!((reply.status, reply.body), (200, json!({ "deleted": expected })));
    }
    assert_eq!(api.delete("/api/memory/sessions/never").await.body, json!({ "deleted": false }));
    api.call(Method::POST, "/api/memory/sync", Value::Null).await;
    api.call(Method::POST, "/api/memory/sessions/march/end", Value::Null).await;
    let shown = api.get("/api/memory/sessions/march").await;
    assert_eq!(shown.body["episode"], Value::Null, "it does not come back: {}", shown.text);
    assert_eq!(shown.body["turns"].as_array().map(Vec::len), Some(2), "what was said stays");
    assert_eq!(api.get("/api/memory/facts").await.body["total"], before, "what was learned stays");
    let found =
        api.call(Method::POST, "/api/memory/search", json!({ "query": "Irvine", "scope": "episodes" })).await;
    assert_eq!(found.body["results"], json!([]), "{}", found.text);
}

#[tokio::test]
async fn digests_are_listed_and_taken_away() {
    let api = told().await;
    let listed = api.get("/api/memory/episodes").await;
    is_page(&listed);
    assert_eq!(listed.body["total"], 2);
    let one = api.get("/api/memory/episodes?sessionId=may").await;
    assert_eq!(one.column("sessionId"), ["may"]);
    assert_eq!(api.get("/api/memory/episodes?until=2001-01-01").await.body["total"], 0);
    let id = one.column("id").remove(0);
    let bound = Api::of(&api.house, "acme", Role::Memory, &["tutor"]).await;
    assert_eq!(bound.delete(&format!("/api/memory/episodes/{id}")).await.body, json!({ "deleted": false }));
    for expected in [true, false] {
        let reply = api.delete(&format!("/api/memory/episodes/{id}")).await;
        assert_eq!((reply.status, reply.body), (200, json!({ "deleted": expected })));
    }
    assert_eq!(api.get("/api/memory/episodes").await.column("sessionId"), ["march"]);
}

#[tokio::test]
async fn the_transcript_is_filtered_and_paged() {
    let api = told().await;
    let all = api.get("/api/memory/transcript").await;
    is_page(&all);
    assert_eq!(all.body["total"], 4);
    assert_eq!(
        fields(&all.rows()[0]),
        [
            "agentId",
            "at",
            "id",
            "index",
            "partial",
            "role",
            "sessionId",
            "speaker",
            "text",
            "tokens",
            "userId"
        ]
    );
    let texts = async |query: &str| api.get(&format!("/api/memory/transcript?{query}")).await.column("text");
    assert_eq!(texts("sessionId=may&order=oldest").await, [TRIP, "I see."]);
    assert_eq!(texts("sessionId=may").await, ["I see.", TRIP]);
    assert_eq!(texts("role=user&order=oldest").await, [MOVED, TRIP]);
    assert_eq!(texts("q=ferry").await, [TRIP]);
    assert_eq!(texts("q=ferry&role=assistant").await, Vec::<String>::new());
    assert_eq!(texts("until=2001-01-01").await, Vec::<String>::new());
    assert_eq!(texts("since=2001-01-01&role=user&order=oldest&limit=1&offset=1").await, [TRIP]);
    assert_eq!(texts("userId=nobody").await, Vec::<String>::new());
    for wrong in ["role=robot", "order=best", "since=soon", "limit=0"] {
        assert_eq!(api.get(&format!("/api/memory/transcript?{wrong}")).await.status, 400, "{wrong}");
    }
}

#[tokio::test]
async fn what_waits_is_shown_and_tried_again() {
    let api = Api::new().await;
    let body = json!({ "conversation_id": "c", "turns": [{ "user": MOVED }], "skip_extraction": true });
    api.call(Method::POST, "/memory/ingest", body).await;
    let waiting = api.get("/api/memory/pending").await;
    is_page(&waiting);
    assert!(waiting.body["redo"].is_array(), "{}", waiting.text);
    for row in waiting.rows() {
        assert_eq!(
            fields(row),
            ["agentId", "dead", "failures", "lastError", "sessionId", "since", "turnId", "userId"]
        );
    }
    assert_eq!(api.get("/api/memory/pending?dead=true").await.rows().len(), 0);
    assert_eq!(api.get("/api/memory/pending?dead=perhaps").await.status, 400);
    let retried = api.call(Method::POST, "/api/memory/pending/retry", Value::Null).await;
    assert_eq!((retried.status, retried.body), (200, json!({ "sessions": [] })));
}

/// Turns that wait are marked in the store, as a chat's are.
#[tokio::test]
async fn a_turn_that_waits_is_a_row() {
    let api = told().await;
    let set = json!({ "operation": "settings_set", "name": "extractionMode", "value": "manual" });
    operate(&api.house, "acme", serde_json::from_value(set).expect("an operation")).await;
    api.talk("june", &[MOVED]).await;
    let waiting = api.get("/api/memory/pending").await;
    let rows = waiting.rows().iter().filter(|row| row["sessionId"] == "june").count();
    let list = serde_json::from_value(json!({ "operation": "pending_list" })).expect("an operation");
    let Outcome::PendingList(listed) = operate(&api.house, "acme", list).await else { panic!("a list") };
    assert_eq!(rows, listed.pending.len(), "{}", waiting.text);
    assert!(rows > 0, "{}", waiting.text);
}
