//! The REST interface: the shape of each route, stated, and what it promises.
//!
//! [`memories`]: rows, one and many. [`editors`]: two who write at once. [`engine`]: how the memory is. [`upkeep`]: merging and
//! summarising. [`settings`]: what memory does. [`described`]: the description itself. [`agents`],
//! [`conversations`], [`events`], [`facts`], [`graph`], [`identity`], [`keys`] and [`status`]: what their names say, asked by a key of one
//! tenant ([`api`]). The router is asked directly, on a clock that
//! the test moves and a real folder, so that dry runs can be held against the whole database.

mod agents;
pub mod api;
mod conversations;
mod crisis;
mod described;
mod editors;
mod engine;
mod events;
mod facts;
mod graph;
mod identity;
mod keys;
mod memories;
mod misspellings;
mod names;
mod settings;
mod status;
mod upkeep;

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use memory::ports::{Clock, Embedder};
use memory::types::{Kind, Memory, Origin, Owner, TenantId};
use recollect::app::{AppState, app};
use recollect::ops::Services;
use recollect::ops::keys::KeyCreate;
use rusqlite::Connection;
use serde_json::{Value, json};
use store::{Credential, Role, Tenant, Tenants, TenantsOptions, WriteDurability};
use tempfile::TempDir;
use testkit::ManualClock;

use self::api::Reply;

/// A server without a socket.
struct RestScene {
    router: Router,
    house: Services,
    clock: Arc<ManualClock>,
    folder: TempDir,
    /// The key that requests show.
    key: Option<String>,
}

impl RestScene {
    /// Words and meaning.
    fn new() -> Self {
        Self::with(Some(Arc::new(models::Builtin)))
    }

    fn with(embedder: Option<Arc<dyn Embedder>>) -> Self {
        let folder = testkit::folder::scratch();
        let options = TenantsOptions {
            durability: WriteDurability::Normal,
            embedder: embedder.clone(),
            ..TenantsOptions::default()
        };
        let tenants = Tenants::open_folder(folder.path(), options).expect("the folder opens");
        let clock = Arc::new(ManualClock::default());
        let house =
            Services { clock: clock.clone(), waits_for_vectors: true, ..Services::new(tenants, embedder) };
        let router = app(AppState::new(house.clone()));
        Self { router, house, clock, folder, key: None }
    }

    /// The same server, asked with a key of this tenant; and the key's id.
    async fn keyed(&self, tenant: &str) -> (Self, String) {
        let tenant = tenant.parse().expect("a tenant");
        let operator = self.house.admit(Credential::Operator { tenant }).await.expect("the operator may");
        let new = KeyCreate {
            role: Role::Admin,
            name: None,
            agents: Vec::new(),
            user: None,
            shares_user: false,
            expires_at: None,
        };
        let made = self.house.ask(&operator, new).await.expect("a key");
        let (secret, key) = (made.key, made.row.key);
        let scene = Self {
            router: self.router.clone(),
            house: self.house.clone(),
            clock: self.clock.clone(),
            folder: testkit::folder::scratch(),
            key: Some(secret.reveal().to_owned()),
        };
        (scene, key.id.as_str().to_owned())
    }

    async fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: Body) -> Reply {
        self.clock.tick();
        let mut request = Request::builder().method(method).uri(path);
        if let Some(key) = &self.key {
            request = request.header("x-recollect-key", key);
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        Reply::to(&self.router, request.body(body).expect("a request")).await
    }

    async fn ask(&self, method: &str, path: &str, body: Value) -> Reply {
        let body = if body.is_null() { Body::empty() } else { Body::from(body.to_string()) };
        self.send(method, path, &[], body).await
    }

    async fn get(&self, path: &str) -> Value {
        self.ask("GET", path, Value::Null).await.fine()
    }

    async fn post(&self, path: &str, body: Value) -> Value {
        self.ask("POST", path, body).await.fine()
    }

    /// A memory of a person's; its id.
    async fn remember(&self, content: &str) -> String {
        text(&self.post("/api/memory", json!({ "content": content })).await["id"])
    }

    async fn total(&self) -> u64 {
        self.get("/api/memory").await["total"].as_u64().expect("a number")
    }

    async fn tenant(&self) -> Tenant {
        let credential = Credential::Operator { tenant: TenantId::local() };
        let caller = self.house.admit(credential).await.expect("the operator may");
        self.house.attend(caller.tenant()).await.expect("the tenant opens")
    }

    /// A memory as a machine would have learned it, now.
    fn learned(&self, content: &str) -> Memory {
        let id = memory::types::MemoryId::from_uuid(self.clock.uuid());
        let memory = Memory::new(
            id,
            TenantId::local(),
            &Owner::unnamed(),
            Kind::Fact,
            content.into(),
            self.clock.tick(),
        );
        Memory { origin: Origin::Heuristic, ..memory }
    }

    /// Everything in the tenant's database, row by row.
    fn dump(&self) -> Vec<String> {
        let path = self.folder.path().join("tenants/local.sqlite3");
        let database = Connection::open(path).expect("the database opens");
        let texts = |sql: &str| -> Vec<String> {
            let mut statement = database.prepare(sql).expect("sound SQL");
            let rows = statement.query_map([], |row| row.get(0)).expect("rows");
            rows.collect::<Result<_, _>>().expect("texts")
        };
        let tables = texts(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name",
        );
        let mut dump = Vec::new();
        for table in tables {
            let columns =
                texts(&format!("SELECT 'quote(\"' || name || '\")' FROM pragma_table_info('{table}')"));
            let sql = format!("SELECT '{table} ' || {} FROM \"{table}\"", columns.join(" || ',' || "));
            let mut rows = texts(&sql);
            rows.sort();
            dump.extend(rows);
        }
        dump
    }
}

impl Reply {
    /// The one shape of errors; gives the fields that are to blame.
    fn refused(&self, status: u16, code: &str) -> Vec<String> {
        assert_eq!((self.status, &self.body["error"]["code"]), (status, &json!(code)), "{}", self.body);
        let error = self.body["error"].as_object().expect("an object");
        let known = ["code", "message", "hint", "details", "retry_after_seconds"];
        assert!(error.keys().all(|name| known.contains(&name.as_str())), "{}", self.body);
        assert!(error["message"].as_str().is_some_and(|message| !message.is_empty()));
        let details = error.get("details").and_then(Value::as_array).cloned().unwrap_or_default();
        assert!(details.iter().all(|detail| names(detail) == ["field", "message"]), "{}", self.body);
        details.iter().map(|detail| text(&detail["field"])).collect()
    }
}

/// The names of an object's fields, sorted.
fn names(object: &Value) -> Vec<String> {
    let mut names: Vec<String> = object.as_object().expect("an object").keys().cloned().collect();
    names.sort();
    names
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text")).to_owned()
}
