//! `/api/keys` and `/api/audit`.

use axum::http::Method;
use serde_json::{Value, json};
use store::Role;

use super::api::{Api, fields, is_page};

const KEYS: &str = "/api/keys";

#[tokio::test]
async fn keys_are_made_shown_once_listed_and_revoked() {
    let api = Api::new().await;
    let body = json!({ "role": "memory", "name": "laptop", "agents": ["tutor"], "expiresAt": "2999-01-01" });
    let made = api.call(Method::POST, KEYS, body).await;
    assert_eq!(made.status, 201, "{}", made.text);
    let (key, id) = (made.body["key"].as_str().expect("a key"), made.body["id"].as_str().expect("an id"));
    assert!(key.starts_with("rk_") && id.starts_with("key_"), "{}", made.text);
    let listed = api.get(KEYS).await;
    is_page(&listed);
    assert!(!listed.text.contains(key), "never again");
    assert_eq!(
        fields(&listed.rows()[0]),
        [
            "agents",
            "createdAt",
            "expiresAt",
            "id",
            "lastUsedAt",
            "name",
            "prefix",
            "revokedAt",
            "role",
            "sharesUser",
            "status",
            "tenant",
            "user"
        ]
    );
    assert_eq!(
        (&listed.rows()[0]["agents"], &listed.rows()[0]["tenant"], &listed.rows()[0]["status"]),
        (&json!(["tutor"]), &json!("acme"), &json!("active"))
    );
    let theirs = Api { key: key.to_owned(), ..api.clone() };
    assert_eq!(theirs.get("/api/memory").await.status, 200, "it opens the tenant of who made it");
    let gone = api.delete(&format!("{KEYS}/{id}")).await;
    assert_eq!(
        (gone.status, &gone.body["status"], &gone.body["last"]),
        (200, &json!("revoked"), &json!(false)),
        "{}",
        gone.text
    );
    assert_eq!(theirs.get("/api/memory").await.status, 401);
    assert_eq!(api.delete("/api/keys/key_01890a5d-ac96-774b-bcce-b302099a8057").await.status, 404);
}

#[tokio::test]
async fn what_is_wrong_is_said_and_a_secret_never_repeated() {
    let api = Api::new().await;
    for wrong in [
        json!({ "role": "king" }),
        json!({ "role": "operator" }),
        json!({ "role": "admin", "agents": ["tutor"] }),
        json!({ "expiresAt": "2001-01-01" }),
        json!({ "agents": [true] }),
    ] {
        assert_eq!(api.call(Method::POST, KEYS, wrong.clone()).await.status, 400, "{wrong}");
    }
    let reply = api.delete(&format!("{KEYS}/{}", api.key)).await;
    assert_eq!(reply.status, 404);
    assert!(!reply.text.contains(&api.key), "{}", reply.text);
}

#[tokio::test]
async fn only_who_administers_the_tenant_may() {
    let api = Api::new().await;
    let writer = Api::of(&api.house, "acme", Role::Memory, &[]).await;
    let stranger = Api::of(&api.house, "other", Role::Admin, &[]).await;
    for (method, path) in [(Method::GET, KEYS), (Method::POST, KEYS), (Method::GET, "/api/audit")] {
        let body = if method == Method::POST { json!({}) } else { Value::Null };
        let reply = writer.call(method.clone(), path, body).await;
        assert_eq!((reply.status, reply.code()), (403, "denied"), "{method} {path}");
    }
    let reply = stranger.delete(&format!("{KEYS}/{}", api.key_id)).await;
    assert_eq!((reply.status, reply.code()), (404, "not_found"), "another tenant's");
    assert_eq!(stranger.get(KEYS).await.column("id"), [stranger.key_id.as_str()]);
}

#[tokio::test]
async fn the_record_shows_who_was_let_in_to_the_tenant() {
    let api = Api::new().await;
    let writer = Api::of(&api.house, "acme", Role::Memory, &[]).await;
    let stranger = Api::of(&api.house, "other", Role::Admin, &[]).await;
    stranger.get("/api/memory").await;
    assert_eq!(writer.get(KEYS).await.status, 403);
    let audit = api.get("/api/audit?limit=50").await;
    assert_eq!((audit.status, fields(&audit.body)), (200, vec!["data", "limit"]));
    let row = &audit.rows()[0];
    assert_eq!(fields(row), ["allowed", "at", "caller", "number", "operation", "reason", "request"]);
    let refused = audit.rows().iter().find(|row| row["allowed"] == false).expect("recorded");
    assert_eq!((&refused["caller"], &refused["operation"]), (&json!(writer.key_id), &json!("KeysList")));
    assert!(!audit.text.contains(&stranger.key_id), "only the own tenant's");
    assert_eq!(api.get("/api/audit?limit=201").await.status, 400);
}
