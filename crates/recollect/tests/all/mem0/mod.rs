//! mem0's interface: the shapes that its clients read, at the addresses that they know.
//!
//! [`story`] is what an application does, [`filters`] what it may ask for, [`refusals`] what it is not given. The real
//! clients are tried in `tests/clients/`.

mod filters;
mod refusals;
mod story;

use axum::Router;
use axum::body::Body;
use axum::http::{Method, Request};
use http_body_util::BodyExt;
use recollect::app::{AppState, app};
use recollect::ops::Services;
use serde_json::{Value, json};
use store::{Tenants, TenantsOptions};
use tower::ServiceExt;

fn router() -> Router {
    let tenants = Tenants::in_memory(TenantsOptions::default()).expect("a store in memory");
    app(AppState::new(Services::new(tenants, None)))
}

async fn ask(router: &Router, method: Method, path: &str, body: Value) -> (u16, Value) {
    let body = if body.is_null() { Body::empty() } else { Body::from(body.to_string()) };
    let request = Request::builder().method(method).uri(path).body(body).expect("a request");
    let response = router.clone().oneshot(request).await.expect("an answer");
    let status = response.status().as_u16();
    let bytes = response.into_body().collect().await.expect("a body").to_bytes();
    (status, serde_json::from_slice(&bytes).unwrap_or(Value::Null))
}

async fn get(router: &Router, path: &str) -> Value {
    well(ask(router, Method::GET, path, Value::Null).await)
}

async fn post(router: &Router, path: &str, body: Value) -> Value {
    well(ask(router, Method::POST, path, body).await)
}

async fn delete(router: &Router, path: &str) -> Value {
    well(ask(router, Method::DELETE, path, Value::Null).await)
}

fn well((status, body): (u16, Value)) -> Value {
    assert_eq!(status, 200, "{body}");
    body
}

/// Stores a text as it is, with more fields beside it, and gives its id.
async fn store(router: &Router, text: &str, more: Value) -> String {
    let mut body = json!({ "messages": [{ "role": "user", "content": text }], "infer": false });
    let fields = more.as_object().expect("fields").clone();
    body.as_object_mut().expect("an object").extend(fields);
    let added = post(router, "/memories", body).await;
    added["results"][0]["id"].as_str().expect("an id").to_owned()
}

/// What the memories of an answer say, in order.
fn texts(answer: &Value) -> Vec<&str> {
    let results = answer["results"].as_array().unwrap_or_else(|| panic!("{answer}"));
    results.iter().map(|memory| memory["memory"].as_str().expect("text")).collect()
}
