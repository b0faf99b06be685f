//! Exports and imports over HTTP: streams, roles, and bounds.

use axum::body::Body;
use axum::http::Method;
use recollect::ops::Services;
use serde_json::{Value, json};
use store::Role;

use super::own;
use crate::rest::api::{Api, Reply, house};
use crate::support::Home;

async fn import(api: &Api, query: &str, body: impl Into<Body>) -> Reply {
    let mut request = api.request(Method::POST, &format!("/api/memory/import{query}"), &Value::Null);
    *request.body_mut() = body.into();
    api.send(request).await
}

async fn filled(house: &Services, tenant: &str) -> Api {
    let api = Api::of(house, tenant, Role::Admin, &[]).await;
    api.add(json!({ "content": "Uma drinks tea", "agent": "aster", "scope": "agent", "tags": ["tea"] }))
        .await;
    api.add(json!({ "content": "Vito drinks coffee", "agent": "birch", "scope": "agent" })).await;
    api.talk("own", &["I work at Acme Corp as a painter, which I like a lot."]).await;
    let reply = api.call(Method::PUT, "/api/settings/memory", json!({ "recallTopK": 7 })).await;
    assert_eq!(reply.status, 200, "{}", reply.text);
    api
}

#[tokio::test]
async fn what_one_tenant_exports_another_imports() {
    let house = house();
    let one = filled(&house, "one").await;
    for (format, kind) in [("json", "application/json"), ("jsonl", "application/x-ndjson")] {
        let there = Api::of(&house, &format!("two-{format}"), Role::Admin, &[]).await;
        let export = one.get(&format!("/api/memory/export?format={format}")).await;
        assert_eq!(export.status, 200, "{}", export.text);
        assert_eq!(export.headers["content-type"], kind);
        let would = import(&there, "?dryRun=true", export.text.clone()).await;
        assert_eq!(there.get("/api/memory").await.body["total"], json!(0), "{}", would.text);
        let report = import(&there, "", export.text.clone()).await;
        assert_eq!((report.status, &report.body["errors"]), (200, &json!([])), "{}", report.text);
        assert_eq!(report.body["imported"], would.body["imported"], "{}", would.text);
        assert_eq!(one.get("/api/memory").await.body["total"], there.get("/api/memory").await.body["total"]);
        let again = import(&there, "", export.text).await;
        assert_eq!(again.body["imported"], json!(0), "{}", again.text);
    }
    let archive = one.get("/api/memory/export?format=obsidian").await;
    assert_eq!((archive.status, archive.headers["content-type"].as_bytes()), (200, &b"application/zip"[..]));
    assert!(archive.text.starts_with("PK"));
    let database = one.get("/api/memory/export?format=sqlite").await;
    assert!(database.text.starts_with("SQLite format 3"), "{}", database.status);
}

#[tokio::test]
async fn keys_export_and_import_what_they_may() {
    let house = house();
    let admin = filled(&house, "one").await;
    let whole = admin.get("/api/memory/export").await.text;
    assert!(whole.contains("recallTopK"));
    let reader = Api::of(&house, "one", Role::Read, &[]).await;
    let read = reader.get("/api/memory/export").await.text;
    assert!(read.contains("Uma drinks tea") && !read.contains("recallTopK"), "settings are the house's");
    let refused = import(&reader, "", whole.clone()).await;
    assert_eq!((refused.status, refused.code()), (403, "denied"), "{}", refused.text);

    let aster = Api::of(&house, "one", Role::Memory, &["aster"]).await;
    let own = aster.get("/api/memory/export").await.text;
    assert!(own.contains("Uma drinks tea") && !own.contains("Vito drinks coffee"), "{own}");
    let other = aster.get("/api/memory/export?agentId=birch").await;
    assert_eq!(other.status, 403, "{}", other.text);

    let writer = Api::of(&house, "two", Role::Memory, &[]).await;
    let report = import(&writer, "", whole.clone()).await;
    assert_eq!(report.status, 200, "{}", report.text);
    assert_eq!(report.body["kinds"]["setting"], json!({"imported": 0, "skipped": 1}), "{}", report.text);
    let bound = Api::of(&house, "three", Role::Memory, &["aster", "cedar"]).await;
    let report = import(&bound, "", whole).await;
    assert_eq!(report.body["kinds"]["memory"]["imported"], json!(1), "{}", report.text);
    let errors = report.body["errors"].to_string();
    assert!(errors.contains("may not speak for agent birch"), "{errors}");
    let three = Api::of(&house, "three", Role::Admin, &[]).await.get("/api/memory/export").await.text;
    assert!(three.contains("Uma drinks tea") && !three.contains("Vito drinks coffee"));
}

#[tokio::test]
async fn what_is_wrong_is_said_and_changes_nothing() {
    let api = Api::new().await;
    let empty = import(&api, "", "").await;
    assert_eq!((empty.status, empty.code()), (400, "invalid_input"), "{}", empty.text);
    let odd = import(&api, "", "neither this nor that").await;
    assert_eq!(odd.status, 400);
    assert!(odd.text.contains("cannot be told") && !odd.text.contains("/tmp"), "{}", odd.text);
    let broken = import(&api, "?format=json", "{\"recollect\":{\"format\":1},\"items\":[{").await;
    assert_eq!(broken.status, 400, "{}", broken.text);
    for query in ["?format=nonsense", "?dryRun=maybe", "?as=nothing"] {
        let refused = import(&api, query, "{}").await;
        assert_eq!(refused.status, 400, "{query}: {}", refused.text);
    }
    let refused = api.get("/api/memory/export?format=chatgpt").await;
    assert_eq!(refused.status, 400, "{}", refused.text);
    assert_eq!(api.get("/api/memory").await.body["total"], json!(0));
}

#[tokio::test]
async fn an_export_is_of_one_moment_while_others_write() {
    let api = Api::new().await;
    for number in 0..300 {
        api.add(json!({ "content": format!("before {number}"), "agent": "aster" })).await;
    }
    let request = api.request(Method::GET, "/api/memory/export?format=jsonl", &Value::Null);
    let response = tower::ServiceExt::oneshot(api.router.clone(), request).await.expect("an answer");
    let mut body = response.into_body();
    let mut text = Vec::new();
    let mut number = 0;
    while let Some(frame) = http_body_util::BodyExt::frame(&mut body).await {
        text.extend_from_slice(&frame.expect("sound").into_data().expect("data"));
        api.add(json!({ "content": format!("meanwhile {number}") })).await;
        number += 1;
    }
    let text = String::from_utf8(text).expect("text");
    assert!(number > 2, "it came in pieces");
    assert_eq!(text.matches("\"content\":\"before ").count(), 300);
    assert!(!text.contains("meanwhile"), "what came later is not in it");
    assert!(text.trim_end().ends_with('}') && text.contains("recollect_end"));
}

/// A command works beside a running server, and the server sees what came in.
#[test]
fn commands_move_memory_beside_a_running_server() {
    let home = own::filled();
    let server = home.serve();
    let path = own::export(&home, "served.json", &[]);
    let there = Home::new();
    let other = there.serve();
    let report = own::import(&there, &path, &[]);
    assert!(report["imported"].as_u64() > Some(3), "{report}");
    let reply = other.http("GET /api/memory?q=Bergen HTTP/1.1");
    assert_eq!(reply.status, 200);
    assert!(reply.body.contains("Bergen"), "{}", reply.body);
    let exported = server.http("GET /api/memory/export?format=jsonl HTTP/1.1");
    assert!(exported.body.contains("recollect_end"), "{}", exported.head);
}
