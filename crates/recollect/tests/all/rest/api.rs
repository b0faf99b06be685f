//! Somebody with a key of one tenant, who asks the router of a house in memory, without a socket.

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Method, Request};
use http_body_util::BodyExt;
use recollect::app::{AppState, app};
use recollect::ops::keys::KeyCreate;
use recollect::ops::{self, Operation, Outcome, Services};
use serde_json::{Value, json};
use store::{Credential, Role, Tenants, TenantsOptions};
use tower::ServiceExt;

/// What somebody with a key may ask.
#[derive(Clone)]
pub struct Api {
    pub house: Services,
    pub router: Router,
    pub tenant: String,
    pub key: String,
    pub key_id: String,
}

/// What a request came to.
#[derive(Debug)]
pub struct Reply {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: Value,
    pub text: String,
}

/// A house in memory.
pub fn house() -> Services {
    Services::new(Tenants::in_memory(TenantsOptions::default()).expect("a store in memory"), None)
}

impl Api {
    /// Somebody who administers a tenant of a house of its own.
    pub async fn new() -> Api {
        Api::of(&house(), "acme", Role::Admin, &[]).await
    }

    pub async fn of(house: &Services, tenant: &str, role: Role, agents: &[&str]) -> Api {
        let agents = agents.iter().map(|agent| agent.parse().expect("an agent's name")).collect();
        let request = KeyCreate {
            role,
            name: None,
            agents,
            user: Some(store::KeyUser::Anybody),
            shares_user: false,
            expires_at: None,
        };
        let made = match operate(house, tenant, request.into()).await {
            Outcome::KeyCreate(made) => made,
            other => panic!("{other:?}"),
        };
        Api {
            house: house.clone(),
            router: app(AppState::new(house.clone())),
            tenant: tenant.to_owned(),
            key: made.key.reveal().to_owned(),
            key_id: made.row.key.id.as_str().to_owned(),
        }
    }

    pub fn request(&self, method: Method, path: &str, body: &Value) -> Request<Body> {
        let request = Request::builder().method(method).uri(path).header("host", "localhost");
        let request = request.header("x-recollect-key", &self.key);
        let body = if body.is_null() { Body::empty() } else { Body::from(body.to_string()) };
        request.body(body).expect("a request")
    }

    pub async fn send(&self, request: Request<Body>) -> Reply {
        Reply::to(&self.router, request).await
    }

    pub async fn call(&self, method: Method, path: &str, body: Value) -> Reply {
        self.send(self.request(method, path, &body)).await
    }

    pub async fn get(&self, path: &str) -> Reply {
        self.call(Method::GET, path, Value::Null).await
    }

    pub async fn delete(&self, path: &str) -> Reply {
        self.call(Method::DELETE, path, Value::Null).await
    }

    /// With `If-Match`.
    pub async fn matching(&self, method: Method, path: &str, tag: &str, body: Value) -> Reply {
        let mut request = self.request(method, path, &body);
        request.headers_mut().insert("if-match", tag.parse().expect("a header"));
        self.send(request).await
    }

    /// Remembers something the way the command line does, and gives its id.
    pub async fn add(&self, fields: Value) -> String {
        let mut operation = fields;
        operation["operation"] = json!("add");
        match operate(&self.house, &self.tenant, serde_json::from_value(operation).expect("an operation"))
            .await
        {
            Outcome::Add(added) => added.id.as_str().to_owned(),
            other => panic!("{other:?}"),
        }
    }

    /// A conversation of which each message is the user's; learned from before this is over.
    pub async fn talk(&self, session: &str, said: &[&str]) -> Value {
        let turns: Vec<Value> =
            said.iter().map(|text| json!({ "user": text, "assistant": "I see." })).collect();
        let body = json!({ "conversation_id": session, "turns": turns });
        let reply = self.call(Method::POST, "/memory/ingest", body).await;
        assert_eq!(reply.status, 200, "{}", reply.text);
        reply.body
    }
}

impl Reply {
    /// What a router answers to a request.
    pub async fn to(router: &Router, request: Request<Body>) -> Self {
        let response = router.clone().oneshot(request).await.expect("an answer");
        let (parts, body) = response.into_parts();
        let bytes = body.collect().await.expect("a body").to_bytes();
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let body = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
        Self { status: parts.status.as_u16(), headers: parts.headers, body, text }
    }

    /// The body of a request that was answered.
    pub fn fine(self) -> Value {
        assert!((200..300).contains(&self.status), "{} {}", self.status, self.text);
        self.body
    }

    pub fn code(&self) -> &str {
        self.body["error"]["code"].as_str().unwrap_or("none")
    }

    pub fn tag(&self) -> &str {
        self.headers.get("etag").expect("a tag").to_str().expect("text")
    }

    pub fn rows(&self) -> &[Value] {
        self.body["data"].as_array().unwrap_or_else(|| panic!("no rows in {}", self.text))
    }

    /// One field of every row.
    pub fn column(&self, name: &str) -> Vec<String> {
        self.rows()
            .iter()
            .map(|row| row[name].as_str().unwrap_or_else(|| panic!("{row}")).to_owned())
            .collect()
    }
}

/// As the owner of the house.
pub async fn operate(house: &Services, tenant: &str, operation: Operation) -> Outcome {
    let tenant = tenant.parse().expect("a tenant's name");
    let caller = house.admit(Credential::Operator { tenant }).await.expect("always let in");
    let name = operation.name();
    ops::execute(house, &caller, operation).await.unwrap_or_else(|problem| panic!("{name}: {problem:?}"))
}

/// The names of an object's fields.
pub fn fields(value: &Value) -> Vec<&str> {
    let object = value.as_object().unwrap_or_else(|| panic!("{value} is no object"));
    let mut names: Vec<&str> = object.keys().map(String::as_str).collect();
    names.sort_unstable();
    names
}

/// A page has one shape.
pub fn is_page(reply: &Reply) {
    assert_eq!(reply.status, 200, "{}", reply.text);
    for name in ["data", "total", "limit", "offset", "page", "totalPages"] {
        assert!(!reply.body[name].is_null(), "no {name} in {}", reply.text);
    }
}
