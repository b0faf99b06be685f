//! The chat proxy over real HTTP, between a real client and a scripted model.
//!
//! [`story`] is what it is for; [`faithful`] and [`prefix`] what it must not change; [`sessions`] whose words are whose;
//! [`audience`] who is told what; [`harness`] what programs say in their user's name; [`programs`] how they
//! name users and conversations; [`placement`] strict templates; [`portrait`] who the user is; [`life`] weeks of it; [`forgotten`] what no prompt tells any more; [`trouble`] memory, upstream or client failing; [`late`] memory far too slow; [`streams`] a thousand at once; [`routes`] everything beside chats;
//! [`counted`] the numbers. Servers run in this process, but for those whose memory or numbers are measured.

mod audience;
pub(super) mod counted;
mod doors;
mod faithful;
mod forgotten;
mod harness;
mod late;
mod life;
mod placement;
mod portrait;
mod prefix;
mod programs;
mod routes;
mod sessions;
mod story;
mod streams;
mod trouble;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use axum::http::HeaderMap;
use memory::ports::{KnownText, ReadStore};
use memory::types::{Filter, Order, PageRequest, Role, SessionKey, Turn};
use models::{Upstream, UpstreamWire, Upstreams};
use recollect::app::{AppState, app_with};
use recollect::core_model::Models;
use recollect::ops::settings::SettingsSet;
use recollect::ops::{OperationRequest, Services};
use recollect::proxy::Patience;
use serde_json::{Value, json};
use store::{Tenant, Tenants, TenantsOptions, WriteDurability};
use tempfile::TempDir;
use testkit::llm::Llm;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

/// A scripted model, a server in front of it, and a client.
pub(super) struct Rig {
    pub(super) llm: Llm,
    pub(super) house: Services,
    pub(super) url: String,
    pub(super) client: reqwest::Client,
    serving: JoinHandle<()>,
    _folder: TempDir,
}

/// What came back.
pub(super) struct ProxyAnswer {
    pub(super) status: u16,
    pub(super) headers: HeaderMap,
    pub(super) bytes: Vec<u8>,
}

impl Rig {
    pub(super) async fn new() -> Rig {
        Self::with(|_| {}).await
    }

    /// With the house as a test wants it.
    pub(super) async fn with(change: impl FnOnce(&mut Services)) -> Rig {
        Self::patient(PATIENT, change).await
    }

    async fn patient(patience: Patience, change: impl FnOnce(&mut Services)) -> Rig {
        let folder = testkit::folder::scratch();
        let options = TenantsOptions { durability: WriteDurability::Normal, ..TenantsOptions::default() };
        let tenants = Tenants::open_folder(folder.path(), options).expect("the folder opens");
        let llm = Llm::start().await;
        let upstream = Upstream::new("scripted", UpstreamWire::OpenAi, &llm.base_url());
        let mut house = Services::new(tenants, Some(Arc::new(models::Builtin)));
        house.models = Arc::new(Models::new(Upstreams::new(vec![upstream], None)));
        change(&mut house);
        // The judge's weights are unpacked before the first message waits for them, as `serve` does it.
        house.judge.weigh("Good morning", &[KnownText::of("Good morning")]);
        let (url, serving) = serve(&house, patience).await;
        // Makes TLS possible, which every client of the library asks for.
        drop(models::http::client());
        let client = reqwest::Client::builder().build().expect("a client");
        Rig { llm, house, url, client, serving, _folder: folder }
    }

    pub(super) fn post(&self, path: &str) -> reqwest::RequestBuilder {
        self.client.post(format!("{}{path}", self.url)).header("content-type", "application/json")
    }

    /// A chat with these headers.
    async fn chat_with(&self, headers: &[(&str, &str)], body: &Value) -> ProxyAnswer {
        let request = self.post("/v1/chat/completions").body(body.to_string());
        let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
        answer(request).await
    }

    pub(super) async fn chat(&self, body: &Value) -> ProxyAnswer {
        self.chat_with(&[], body).await
    }

    /// Says something as the next message of a conversation, and takes the reply into it.
    async fn says(&self, headers: &[(&str, &str)], messages: &mut Vec<Value>, text: &str) -> ProxyAnswer {
        messages.push(json!({ "role": "user", "content": text }));
        let answer = self.chat_with(headers, &json!({ "model": "m", "messages": messages })).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        messages.push(answer.json()["choices"][0]["message"].clone());
        answer
    }

    async fn tenant(&self) -> Tenant {
        crate::scene::tenant(&self.house).await
    }

    pub(super) async fn ask<R: OperationRequest>(&self, request: R) -> R::Answer {
        crate::scene::ask(&self.house, request).await.expect("done")
    }

    pub(super) async fn set(&self, name: &str, value: Value) {
        self.ask(SettingsSet { name: name.to_owned(), value, everywhere: false }).await;
    }

    /// Every session with its turns, in order, once everything that is on its way is stored.
    pub(super) async fn sessions(&self) -> BTreeMap<String, Vec<Turn>> {
        self.house.backlog.settled(super::support::PATIENCE).await;
        self.sessions_now().await
    }

    async fn sessions_now(&self) -> BTreeMap<String, Vec<Turn>> {
        let tenant = self.tenant().await;
        let page = PageRequest { limit: 1_000, offset: 0, order: Order::Oldest, counted: true };
        let sessions = tenant.list_sessions(&Filter::ever(), page).await.expect("listed").items;
        let mut all = BTreeMap::new();
        for session in sessions {
            all.insert(session.key.session.to_string(), turns(&tenant, &session.key).await);
        }
        all
    }

    /// The texts of the only session.
    pub(super) async fn only_session(&self) -> Vec<(Role, String)> {
        let sessions = self.sessions().await;
        assert_eq!(sessions.len(), 1, "{:?}", sessions.keys());
        let turns = sessions.into_values().next().expect("one");
        turns.into_iter().map(|turn| (turn.role, turn.text)).collect()
    }

    /// What the model saw last.
    pub(super) fn seen(&self) -> Arc<testkit::llm::SeenRequest> {
        self.llm.requests().last().expect("something arrived").clone()
    }
}

impl Drop for Rig {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

/// Enough that a test of something else does not depend on how fast the machine is just now.
pub(super) const PATIENT: Patience =
    Patience { read: Duration::from_secs(20), replay: Duration::from_secs(10) };

pub(super) async fn serve(house: &Services, patience: Patience) -> (String, JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("bound"));
    let router = app_with(AppState::new(house.clone()), patience);
    let serving = tokio::spawn(async move { axum::serve(listener, router).await.expect("serves") });
    (url, serving)
}

async fn turns(tenant: &Tenant, key: &SessionKey) -> Vec<Turn> {
    tenant.session_turns(key, 0, 10_000).await.expect("turns")
}

pub(super) async fn answer(request: reqwest::RequestBuilder) -> ProxyAnswer {
    let response = request.send().await.expect("an answer");
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    ProxyAnswer { status, headers, bytes: response.bytes().await.expect("a body").to_vec() }
}

impl ProxyAnswer {
    pub(super) fn text(&self) -> String {
        String::from_utf8(self.bytes.clone()).expect("text")
    }

    pub(super) fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    pub(super) fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }
}

pub(super) fn user(text: &str) -> Value {
    json!({ "model": "m", "messages": [{ "role": "user", "content": text }] })
}

/// Waits until something holds, and fails where it never does.
pub(super) async fn until<F: Future<Output = bool>>(what: &str, holds: impl Fn() -> F) {
    let deadline = tokio::time::Instant::now() + super::support::PATIENCE;
    while !holds().await {
        assert!(tokio::time::Instant::now() < deadline, "it never happened: {what}");
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
}
