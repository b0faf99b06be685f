//! What an agent's character does, over the real store and by the real way in: the same conversation, a trait at .9 and at .1.
//!
//! [`traits`] has one test for each documented effect of a trait, [`turns`] what turn mode does for everybody, [`agents`] the
//! commands, [`observing`] what becomes of a conversation that never pauses.

mod agents;
mod observing;
mod traits;
mod turns;

use std::ops::Deref;

use memory::learn::capture::{self, IncomingMessage};
use memory::ports::{Clock, ReadStore};
use memory::text::secrets::Masker;
use memory::types::{Filter, Memory, Order, Owner, PageRequest, Role, SessionKey, Status};
use recollect::learning;
use recollect::ops::agents::{About, AgentCreate};
use recollect::ops::ingest::{Ingest, IngestMessage, Ingested};
use serde_json::{Value, json};

use crate::scene::Scene;

const AGENT: &str = "aide";

/// A house with meanings, in which one agent listens.
struct AgentScene(Scene);

impl Deref for AgentScene {
    type Target = Scene;

    fn deref(&self) -> &Scene {
        &self.0
    }
}

impl AgentScene {
    /// The agent has this personality; every turn is learned from by itself.
    async fn new(personality: Value) -> Self {
        let scene = Self::in_session_mode(personality).await;
        scene.set("extractionMode", json!("turn")).await;
        scene
    }

    async fn in_session_mode(personality: Value) -> Self {
        let scene = Self(Scene::with_meaning());
        let personality = personality.as_object().expect("an object").clone();
        let about = About { personality, ..About::default() };
        let id = AGENT.parse().expect("an id");
        scene.ask(AgentCreate { id, about }).await.expect("the agent is new");
        scene
    }

    /// The user says these, one turn each.
    async fn says(&self, session: &str, said: &[&str]) -> Ingested {
        let message = |text: &&str| IngestMessage::of(Role::User, *text);
        let request = Ingest {
            agent: Some(AGENT.parse().expect("an id")),
            user: None,
            session: session.parse().expect("a name"),
            messages: said.iter().map(message).collect(),
            skip_extraction: false,
            time_zone: None,
        };
        self.ask(request).await.expect("the conversation is taken")
    }

    /// Turns as a chat appends them: they wait, and the worker is told.
    async fn append(&self, key: &SessionKey, said: &[String]) {
        let tenant = self.tenant().await;
        let settings = tenant.settings().await.expect("settings");
        let masker = Masker::new("").expect("no patterns");
        let now = self.clock.now();
        let messages = said.iter().map(|text| IncomingMessage::new(Role::User, text.as_str())).collect();
        let captured = capture::prepare(key, messages, now, &*self.clock, &masker);
        capture::append(&tenant, captured.turns, true, false, now).await.expect("appended");
        learning::appended(&self.house, tenant.id(), key, &settings, now);
    }

    async fn with_status(&self, status: Status) -> Vec<Memory> {
        let filter = Filter { statuses: vec![status], ..Filter::ever() };
        let page = PageRequest { limit: 1_000, offset: 0, order: Order::Oldest, counted: true };
        self.tenant().await.list_memories(&filter, page).await.expect("memories can be listed").items
    }

    async fn memories(&self) -> Vec<Memory> {
        self.with_status(Status::Active).await
    }

    async fn known(&self) -> Vec<String> {
        self.memories().await.into_iter().map(|memory| memory.content).collect()
    }
}

fn key(session: &str) -> SessionKey {
    let owner = Owner { agent: AGENT.parse().expect("an id"), ..Owner::unnamed() };
    SessionKey::new(&owner, session.parse().expect("a name"))
}

/// Waits until something holds, and fails where it never does.
async fn until<F: Future<Output = bool>>(what: &str, holds: impl Fn() -> F) {
    let deadline = tokio::time::Instant::now() + super::support::PATIENCE;
    while !holds().await {
        assert!(tokio::time::Instant::now() < deadline, "it never happened: {what}");
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
}
