//! The description of the interface: whole, sound in itself, and shown offline.

use axum::body::Body;
use axum::http::Request;
use http_body_util::BodyExt;
use serde_json::Value;
use tower::ServiceExt;

use super::RestScene;

#[tokio::test]
async fn every_operation_says_what_it_is_and_how_it_refuses() {
    let scene = RestScene::with(None);
    let api = scene.get("/openapi.json").await;
    assert_eq!(api["openapi"], "3.1.0");
    let mut ids = Vec::new();
    for (path, item) in api["paths"].as_object().expect("paths") {
        for (method, operation) in item.as_object().expect("operations") {
            let name = format!("{method} {path}");
            assert!(operation["summary"].is_string(), "{name}");
            let tag = operation["tags"][0].as_str().expect("a tag");
            assert!(
                api["tags"].as_array().expect("tags").iter().any(|known| known["name"] == tag),
                "{name}: {tag}"
            );
            let responses = operation["responses"].as_object().expect("responses");
            if !["/healthz", "/readyz"].contains(&path.as_str()) {
                assert!(["401", "403", "429"].iter().all(|status| responses.contains_key(*status)), "{name}");
                assert_eq!(operation["security"].as_array().map(Vec::len), Some(4), "{name}");
            }
            assert_eq!(path.contains('{'), responses.contains_key("404") && path.contains('{'), "{name}");
            ids.push(
                operation["operationId"].as_str().unwrap_or_else(|| panic!("{name} has no id")).to_owned(),
            );
        }
    }
    let count = ids.len();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), count, "ids of operations are unique");
    let schemes = api["components"]["securitySchemes"].as_object().expect("schemes");
    assert_eq!(schemes.len(), 3);
    references_lead_somewhere(&api, &api);
}

fn references_lead_somewhere(api: &Value, node: &Value) {
    match node {
        Value::Object(fields) => {
            if let Some(Value::String(reference)) = fields.get("$ref") {
                let pointer = reference.strip_prefix('#').expect("inside the document");
                assert!(api.pointer(pointer).is_some(), "{reference} leads nowhere");
            }
            fields.values().for_each(|inner| references_lead_somewhere(api, inner));
        }
        Value::Array(items) => items.iter().for_each(|inner| references_lead_somewhere(api, inner)),
        _ => {}
    }
}

#[tokio::test]
async fn the_page_needs_nothing_from_elsewhere() {
    let scene = RestScene::with(None);
    let request = Request::get("/docs").body(Body::empty()).expect("a request");
    let response = scene.router.clone().oneshot(request).await.expect("an answer");
    assert_eq!(response.headers()["content-type"], "text/html; charset=utf-8");
    let page = response.into_body().collect().await.expect("a body").to_bytes();
    let page = String::from_utf8(page.to_vec()).expect("text");
    assert!(page.contains("/openapi.json"));
    for foreign in ["http://", "https://", "src=", "<link", "@import"] {
        assert!(!page.contains(foreign), "{foreign}");
    }
    assert!(page.contains("table-layout: fixed"), "a long word does not burst a card");
    assert!(page.contains("content.example ?? example("), "a body begins with what the description gives");
}

#[tokio::test]
async fn examples_of_bodies_are_taken() {
    let scene = RestScene::new();
    let api = scene.get("/openapi.json").await;
    let mut tried = 0;
    for (path, item) in api["paths"].as_object().expect("paths") {
        let example = &item["post"]["requestBody"]["content"]["application/json"]["example"];
        if example.is_null() {
            continue;
        }
        let reply = scene.ask("POST", path, example.clone()).await;
        assert!(reply.status < 300, "{path}: {}", reply.body);
        tried += 1;
    }
    assert!(tried >= 5, "{tried} routes have an example");
}
