//! The HTTP surface, without a socket: `app(state)` is asked directly.

use axum::Router;
use axum::body::Body;
use axum::http::{Request, StatusCode};
use http_body_util::BodyExt;
use recollect::app::{AppState, app, operator_app};
use recollect::ops::Services;
use serde_json::{Value, json};
use store::{Tenants, TenantsOptions};
use tower::ServiceExt;

fn state() -> AppState {
    let tenants = Tenants::in_memory(TenantsOptions::default()).expect("a store in memory");
    AppState::new(Services::new(tenants, None))
}

async fn ask(router: &Router, request: Request<Body>) -> (StatusCode, Option<String>, Value) {
    let response = router.clone().oneshot(request).await.expect("an answer");
    let status = response.status();
    let id = response.headers().get("x-request-id").map(|id| id.to_str().expect("text").to_owned());
    let body = response.into_body().collect().await.expect("a body").to_bytes();
    (status, id, serde_json::from_slice(&body).unwrap_or(Value::Null))
}

fn get(path: &str) -> Request<Body> {
    Request::get(path).body(Body::empty()).expect("a request")
}

#[tokio::test]
async fn alive_and_ready() {
    let router = app(state());
    let (status, _, body) = ask(&router, get("/healthz")).await;
    assert_eq!((status, &body["status"]), (StatusCode::OK, &json!("ok")));
    let (status, _, body) = ask(&router, get("/readyz")).await;
    assert_eq!((status, &body["status"]), (StatusCode::OK, &json!("ready")));
}

#[tokio::test]
async fn not_ready_when_the_store_does_not_answer() {
    let folder = testkit::folder::scratch();
    let tenants = Tenants::open_folder(folder.path(), TenantsOptions::default()).expect("opened");
    let router = app(AppState::new(Services::new(tenants, None)));
    assert_eq!(ask(&router, get("/readyz")).await.0, StatusCode::OK);
    // A write by somebody else, so that what was read before counts no longer; then damage.
    let other = Tenants::open_folder(folder.path(), TenantsOptions::default()).expect("opened twice");
    other.set_default_setting("recallTopK", Some(json!(5))).await.expect("written");
    for file in ["control.sqlite3", "control.sqlite3-wal"] {
        std::fs::write(folder.path().join(file), vec![0x5A; 65_536]).expect("overwritten");
    }
    let (status, _, body) = ask(&router, get("/readyz")).await;
    assert_eq!((status, &body["error"]["code"]), (StatusCode::SERVICE_UNAVAILABLE, &json!("unavailable")));
    assert_eq!(ask(&router, get("/healthz")).await.0, StatusCode::OK, "alive nevertheless");
}

#[tokio::test]
async fn request_ids_are_kept_or_made() {
    let router = app(state());
    let with = |id: &str| {
        Request::get("/healthz").header("x-request-id", id).body(Body::empty()).expect("a request")
    };
    assert_eq!(ask(&router, with("trace-42")).await.1.as_deref(), Some("trace-42"));
    let made = ask(&router, get("/healthz")).await.1.expect("made");
    assert_eq!(made.len(), 36);
    for bad in ["", "has blanks", "quote\"", &"x".repeat(129)] {
        let given = ask(&router, with(bad)).await.1.expect("made");
        assert_ne!(given, bad);
        assert_eq!(given.len(), 36, "{bad:?}");
    }
}

#[tokio::test]
async fn errors_have_one_shape() {
    let router = app(state());
    let (status, id, body) = ask(&router, get("/nowhere")).await;
    assert_eq!((status, &body["error"]["code"]), (StatusCode::NOT_FOUND, &json!("not_found")));
    assert!(id.is_some() && body["error"]["message"].is_string());
    let post = Request::post("/healthz").body(Body::empty()).expect("a request");
    let (status, _, body) = ask(&router, post).await;
    assert_eq!(
        (status, &body["error"]["code"]),
        (StatusCode::METHOD_NOT_ALLOWED, &json!("method_not_allowed"))
    );
}

fn call(body: &str) -> Request<Body> {
    Request::post("/rpc").body(Body::from(body.to_owned())).expect("a request")
}

#[tokio::test]
async fn only_the_socket_takes_operations() {
    let version = env!("CARGO_PKG_VERSION");
    let add = json!({ "version": version, "tenant": "local", "operation": { "operation": "add", "content": "hello" } });
    let state = state();
    assert_eq!(ask(&app(state.clone()), call(&add.to_string())).await.0, StatusCode::NOT_FOUND);
    let (status, _, body) = ask(&operator_app(state.clone()), call(&add.to_string())).await;
    assert_eq!((status, &body["created"]), (StatusCode::OK, &json!(true)));
}

#[tokio::test]
async fn calls_that_cannot_be_understood() {
    let router = operator_app(state());
    let check = async |body: &str, status: u16, code: &str, part: &str| {
        let (found, _, answer) = ask(&router, call(body)).await;
        assert_eq!((found.as_u16(), &answer["error"]["code"]), (status, &json!(code)), "{answer}");
        let message = answer["error"]["message"].as_str().expect("a message");
        assert!(message.contains(part), "{message}");
    };
    let version = env!("CARGO_PKG_VERSION");
    check("not json", 400, "invalid_input", "cannot be read").await;
    check(r#"{"version":"9.9.9","tenant":"local","operation":7}"#, 409, "version_mismatch", "version 9.9.9")
        .await;
    let call = |operation: Value| {
        json!({ "version": version, "tenant": "local", "operation": operation }).to_string()
    };
    check(&call(json!({ "operation": "explode" })), 400, "invalid_input", "explode").await;
    let typo = json!({ "operation": "add", "contents": "x" });
    check(&call(typo), 400, "invalid_input", "unknown field `contents`").await;
    let tenant = json!({ "version": version, "tenant": "../x", "operation": {} }).to_string();
    check(&tenant, 400, "invalid_input", "cannot name a tenant").await;
    let large = "x".repeat(recollect::limits::BODY_BYTES + 1);
    check(&large, 413, "too_large", "larger than").await;
}
