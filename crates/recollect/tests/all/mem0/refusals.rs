//! What is refused: in words that these clients show, and before anything is lost.

use axum::body::Body;
use axum::http::{Method, Request};
use memory::types::TenantId;
use recollect::app::{AppState, app};
use recollect::ops::keys::KeyCreate;
use recollect::ops::{self, Outcome, Services};
use serde_json::{Value, json};
use store::{Credential, Role, Tenants, TenantsOptions};
use tower::ServiceExt;

use super::{ask, get, post, router, store};

async fn refused(router: &axum::Router, method: Method, path: &str, body: Value, status: u16) -> String {
    let (found, answer) = ask(router, method, path, body).await;
    assert_eq!(found, status, "{path}: {answer}");
    assert!(answer["error"]["code"].is_string(), "{answer}");
    answer["detail"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
}

#[tokio::test]
async fn nothing_is_removed_without_a_scope() {
    let router = router();
    store(&router, "stays", json!({ "user_id": "a" })).await;
    for (path, words) in [
        ("/memories", "no scope is named"),
        ("/v1/memories/", "no scope is named"),
        ("/v1/memories/?user_id=", "no scope is named"),
        ("/v1/memories/?user_id=*", "`*` would delete"),
        ("/v1/memories/?user_id=a&start_date=2030-01-01", "nothing else narrows a removal"),
        ("/v1/memories/?filters=%7B%22user_id%22%3A%22a%22%7D", "`filters`: there is no such field"),
    ] {
        let detail = refused(&router, Method::DELETE, path, Value::Null, 400).await;
        assert!(detail.contains(words), "{path}: {detail}");
    }
    let detail = refused(&router, Method::POST, "/reset", Value::Null, 400).await;
    assert!(detail.contains("confirm=all"), "{detail}");
    assert_eq!(get(&router, "/memories").await["count"], 1);
    post(&router, "/reset?confirm=all", Value::Null).await;
    assert_eq!(get(&router, "/memories").await["count"], 0);
}

#[tokio::test]
async fn mistakes_say_what_was_expected() {
    let router = router();
    let said = json!([{ "role": "user", "content": "hello" }]);
    for (path, body, words) in [
        ("/memories", json!({ "messages": said }), "at least one of user_id, agent_id and run_id"),
        ("/memories", json!({ "user_id": "a" }), "`messages`"),
        ("/memories", json!({ "user_id": "a", "messages": [{ "role": "boss", "content": "x" }] }), "role"),
        ("/memories", json!({ "user_id": "a", "messages": said, "metadata": 1 }), "expected an object"),
        ("/search", json!({ "user_id": "a" }), "`query`"),
        ("/search", json!({ "query": "x", "top_k": 0 }), "from 1 to 200"),
        ("/v3/memories/", json!({ "filters": { "user_id": { "like": "a" } } }), "`filters.user_id.like`"),
        ("/v3/memories/?page=0", json!({}), "`page`"),
        ("/v3/memories/", json!({ "page": "first" }), "`page`: it is text; expected a whole number"),
        ("/v3/memories/", json!({ "filters": [] }), "`filters`: it is a list; expected an object"),
        ("/v3/memories/", json!({ "start_date": "soon" }), "`created_at.gte`"),
        ("/v3/memories/?filters=nonsense", json!({}), "`filters`: it is text; expected an object"),
        ("/search", json!({ "query": "x", "fields": 7 }), "`fields`"),
        (
            "/search",
            json!({ "query": "x", "threshold": "high" }),
            "`threshold`: it is text; expected a number",
        ),
        ("/memories", json!({ "user_id": "a", "messages": [] }), "`messages`: it is empty"),
        (
            "/memories",
            json!({ "user_id": "a", "messages": [said[0], { "role": "user", "content": 7 }] }),
            "`messages[1].content`",
        ),
        (
            "/memories",
            json!({ "user_id": "a", "messages": said, "expiration_date": "soon" }),
            "`expiration_date`",
        ),
        ("/memories", json!({ "filters": { "usr_id": "a" }, "messages": said }), "`filters.usr_id`"),
        ("/v1/feedback/", json!({ "memory_id": "mt_x", "feedback": "MEH" }), "`feedback`: it is unknown"),
    ] {
        let detail = refused(&router, Method::POST, path, body, 400).await;
        assert!(detail.contains(words), "{path}: {detail}");
    }
    for (body, words) in [
        (json!({}), "`memories`: it is missing; expected a list of objects"),
        (json!({ "memories": [] }), "`memories`: it is empty"),
        (json!({ "memories": [{ "text": "x" }] }), "`memories[0].memory_id`: it is missing"),
        (json!({ "memories": [{ "memory_id": "mt_x", "metadata": 1 }] }), "`memories[0].metadata`"),
    ] {
        let detail = refused(&router, Method::PUT, "/v1/batch/", body, 400).await;
        assert!(detail.contains(words), "{detail}");
    }
    for path in ["/memories/nonsense", "/v1/memories/mt_01980000-0000-7000-8000-000000000001/"] {
        refused(&router, Method::GET, path, Value::Null, 404).await;
    }
    let detail = refused(&router, Method::DELETE, "/v2/entities/robot/x/", Value::Null, 400).await;
    assert!(detail.contains("user, agent, app or run"), "{detail}");
}

#[tokio::test]
async fn what_is_not_there_is_refused_by_name() {
    let router = router();
    for (method, path, words) in [
        (Method::POST, "/v1/exports/", "no exports"),
        (Method::POST, "/v1/exports/get/", "no exports"),
        (Method::POST, "/v1/summary/", "no summaries"),
        (Method::GET, "/v2/entities/user/a/profile/", "no profiles"),
        (Method::POST, "/v2/profiles/jobs/", "no profiles"),
        (Method::GET, "/api/v1/orgs/organizations/o/projects/p/", "no organizations"),
        (Method::POST, "/api/v1/webhooks/projects/p/", "no webhooks"),
        (Method::POST, "/configure", "no configuration"),
    ] {
        let detail = refused(&router, method, path, Value::Null, 501).await;
        assert!(detail.contains(words), "{path}: {detail}");
    }
}

#[tokio::test]
async fn keys_come_as_tokens() {
    let house =
        Services::new(Tenants::in_memory(TenantsOptions::default()).expect("a store in memory"), None);
    let router = app(AppState::new(house.clone()));
    let pong = get(&router, "/v1/ping/").await;
    assert_eq!((&pong["status"], &pong["org_id"]), (&json!("ok"), &json!("local")), "no key exists yet");
    let operator = house.admit(Credential::Operator { tenant: TenantId::local() }).await.expect("let in");
    let request = KeyCreate {
        role: Role::Memory,
        name: None,
        agents: Vec::new(),
        user: Some(store::KeyUser::Anybody),
        shares_user: false,
        expires_at: None,
    };
    let Ok(Outcome::KeyCreate(made)) = ops::execute(&house, &operator, request.into()).await else {
        panic!("a key can be made")
    };
    let detail = refused(&router, Method::GET, "/v1/ping", Value::Null, 401).await;
    assert!(detail.contains("key"), "{detail}");
    let token = format!("Token {}", made.key.reveal());
    for (authorization, status) in [(token.as_str(), 200), ("Token m0-other", 401), ("Token rk_other", 401)] {
        let request = Request::get("/v1/ping").header("authorization", authorization).body(Body::empty());
        let answer = router.clone().oneshot(request.expect("a request")).await.expect("an answer");
        assert_eq!(answer.status().as_u16(), status, "{authorization}");
    }
}
