//! Keys at the surfaces: who is let in, to what, and how others are turned away.
//!
//! [`roles`] holds every operation against every role, and agents against keys that are bound to them; [`origin_policy`] is HTTP as
//! a browser, a stranger or a busy client sees it; [`commands`] is the command line and the real server;
//! [`users`] are keys that speak for one user, or see one agent's alone, and the attacks on both.

mod commands;
mod door;
mod roles;
mod users;

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::http::{Method, Request};
use memory::types::{AgentId, TenantId};
use recollect::app::{AppState, app};
use recollect::auth::origin_policy::Door;
use recollect::config::{Config, Flags};
use recollect::environment::Environment;
use recollect::ops::audit::AuditList;
use recollect::ops::keys::{KeyCreate, KeyCreated};
use recollect::ops::{self, Caller, Operation, Outcome, Services};
use recollect::problem::Problem;
use serde_json::Value;
use store::{AuditRow, Credential, KeySecret, Role, Tenants, TenantsOptions};

use crate::rest::api::Reply;

/// A house in memory whose tenants nobody else knows.
fn house() -> Services {
    Services::new(Tenants::in_memory(TenantsOptions::default()).expect("a store in memory"), None)
}

fn tenant(name: &str) -> TenantId {
    name.parse().expect("a tenant's name")
}

async fn operator(house: &Services, name: &str) -> Caller {
    house.admit(Credential::Operator { tenant: tenant(name) }).await.expect("always let in")
}

/// Makes a key the way the command line does.
async fn key(house: &Services, name: &str, role: Role, agents: &[&str]) -> KeyCreated {
    let agents: Vec<AgentId> = agents.iter().map(|agent| agent.parse().expect("an agent's name")).collect();
    let request = KeyCreate {
        role,
        name: None,
        agents,
        user: Some(store::KeyUser::Anybody),
        shares_user: false,
        expires_at: None,
    };
    let caller = operator(house, name).await;
    match ops::execute(house, &caller, request.into()).await.expect("a key can be made") {
        Outcome::KeyCreate(created) => *created,
        other => panic!("{other:?}"),
    }
}

async fn let_in(house: &Services, secret: &KeySecret) -> Caller {
    house.admit(Credential::Key(secret.clone())).await.expect("a good key")
}

/// An operation as it comes over the wire.
async fn execute(house: &Services, caller: &Caller, operation: Value) -> Result<Outcome, Problem> {
    let operation: Operation = serde_json::from_value(operation).expect("an operation");
    ops::execute(house, caller, operation).await
}

/// The router as a server with this configuration file and this address has it.
fn router(house: &Services, file: &str, listen: &str) -> Router {
    let folder = testkit::folder::scratch();
    let path = folder.path().join("recollect.toml");
    std::fs::write(&path, file).expect("written");
    let flags = Flags { file: Some(path), ..Flags::default() };
    let config = Config::load(&flags, &Environment::default()).expect("a sound file");
    let address: SocketAddr = listen.parse().expect("an address");
    app(AppState { house: house.clone(), door: Arc::new(Door::new(&config, address)) })
}

impl Reply {
    fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().expect("text"))
    }
}

async fn send(router: &Router, method: Method, path: &str, headers: &[(&str, &str)], body: Value) -> Reply {
    let mut request = Request::builder().method(method).uri(path).header("host", "localhost");
    for (name, value) in headers {
        request = match *name {
            "host" => {
                request.headers_mut().expect("a sound request").remove("host");
                request.header("host", *value)
            }
            name => request.header(name, *value),
        };
    }
    let body = if body.is_null() { Body::empty() } else { Body::from(body.to_string()) };
    Reply::to(router, request.body(body).expect("a request")).await
}

async fn get(router: &Router, path: &str, headers: &[(&str, &str)]) -> Reply {
    send(router, Method::GET, path, headers, Value::Null).await
}

fn bearer(secret: &KeySecret) -> String {
    format!("Bearer {}", secret.reveal())
}

/// What is on record about everybody, the newest first.
async fn decisions(house: &Services) -> Vec<AuditRow> {
    let asked = AuditList { everywhere: true, limit: Some(100) };
    house.ask(&operator(house, "local").await, asked).await.expect("readable").decisions
}
