//! `/api/memory/identity`, its versions and its overrides.

use axum::http::Method;
use serde_json::{Value, json};

use super::api::{Api, fields, is_page};

const IDENTITY: &str = "/api/memory/identity";
const OVERRIDES: &str = "/api/memory/identity/overrides";

#[tokio::test]
async fn a_profile_is_read_written_and_handed_back() {
    let api = Api::new().await;
    let empty = api.get(IDENTITY).await;
    assert_eq!(empty.tag(), "\"0\"");
    assert_eq!(empty.body, json!({ "userId": "default", "version": 0, "profile": null, "overrides": [] }));
    let written = api.call(Method::PUT, IDENTITY, json!({ "text": "Call me Countess." })).await;
    assert_eq!((written.status, written.tag()), (200, "\"1\""), "{}", written.text);
    assert_eq!((&written.body["success"], &written.body["changed"]), (&json!(true), &json!(true)));
    assert_eq!(
        fields(&written.body["profile"]),
        ["checkedAt", "createdAt", "difference", "edited", "number", "origin", "sources", "text"]
    );
    let again = api.call(Method::PUT, IDENTITY, json!({ "text": "Call me Countess." })).await;
    assert_eq!((&again.body["changed"], again.tag()), (&json!(false), "\"1\""));
    let shown = api.get(IDENTITY).await;
    assert_eq!(
        (&shown.body["profile"]["text"], &shown.body["version"]),
        (&json!("Call me Countess."), &json!(1))
    );
    assert_eq!(
        api.get("/api/memory/identity?userId=bob").await.body["profile"],
        Value::Null,
        "each their own"
    );
    let versions = api.get("/api/memory/identity/versions").await;
    is_page(&versions);
    assert_eq!(versions.column("text"), ["Call me Countess."]);
    for wrong in
        [json!({}), json!({ "text": " " }), json!({ "text": 7 }), json!({ "text": "x", "generated": true })]
    {
        assert_eq!(api.call(Method::PUT, IDENTITY, wrong.clone()).await.status, 400, "{wrong}");
    }
    let back = api.call(Method::PUT, IDENTITY, json!({ "generated": true })).await;
    assert_eq!(back.status, 200, "{}", back.text);
}

#[tokio::test]
async fn the_second_of_two_editors_is_told() {
    let api = Api::new().await;
    let read = api.get(IDENTITY).await.tag().to_owned();
    let first = api.matching(Method::PUT, IDENTITY, &read, json!({ "text": "first" })).await;
    assert_eq!(first.status, 200, "{}", first.text);
    let second = api.matching(Method::PUT, IDENTITY, &read, json!({ "text": "second" })).await;
    assert_eq!((second.status, second.code()), (412, "precondition_failed"));
    let by_body = api.call(Method::PUT, IDENTITY, json!({ "text": "third", "version": 0 })).await;
    assert_eq!(by_body.status, 412);
    assert_eq!(api.get(IDENTITY).await.body["profile"]["text"], "first", "nothing is lost");
}

#[tokio::test]
async fn overrides_are_said_once_and_taken_away() {
    let api = Api::new().await;
    let made = api.call(Method::POST, OVERRIDES, json!({ "text": "Ada is allergic to nuts" })).await;
    assert_eq!((made.status, &made.body["added"]), (201, &json!(true)), "{}", made.text);
    let line = &made.body["override"];
    assert_eq!(fields(line), ["createdAt", "id", "memoryId", "origin", "text", "userId"]);
    let again = api.call(Method::POST, OVERRIDES, json!({ "text": "Ada is allergic to nuts" })).await;
    assert_eq!((again.status, &again.body["added"]), (200, &json!(false)));
    let listed = api.get(OVERRIDES).await;
    is_page(&listed);
    assert_eq!(listed.column("text"), ["Ada is allergic to nuts"]);
    assert_eq!(api.get(IDENTITY).await.body["overrides"], listed.body["data"]);
    let path = format!("{OVERRIDES}/{}", line["id"].as_str().expect("an id"));
    assert_eq!(
        api.delete(&format!("{path}?userId=bob")).await.body,
        json!({ "deleted": false }),
        "not bob's"
    );
    for expected in [true, false] {
        assert_eq!(api.delete(&path).await.body, json!({ "deleted": expected }));
    }
    assert_eq!(api.delete(&format!("{OVERRIDES}/nonsense")).await.body, json!({ "deleted": false }));
    for wrong in [json!({}), json!({ "text": " " }), json!({ "text": "x".repeat(2000) })] {
        assert_eq!(api.call(Method::POST, OVERRIDES, wrong.clone()).await.status, 400, "{wrong}");
    }
}
