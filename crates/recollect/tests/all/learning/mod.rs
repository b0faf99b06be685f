//! The write path over the real store, from what is said to what is known.
//!
//! [`statements`] holds the stories that must come out exactly; [`buffering`] and [`judgement`] one test for each promised
//! behaviour, with a list at their heads; [`worker`] what happens by itself in time; [`surfaces`] the commands and routes;
//! [`crash`] kills the server in the middle of everything. Most run in this process on a clock that the test moves.

mod buffering;
mod changed;
mod classified;
mod crash;
mod crisis;
mod dated;
mod judgement;
mod named;
mod next_message;
mod relearning;
mod review;
mod statements;
mod surfaces;
mod taken_back;
mod told;
mod whose_words;
mod worker;
mod zones;

use memory::learn::capture::{self, IncomingMessage};
use memory::ports::{Clock, ReadStore};
use memory::text::secrets::Masker;
use memory::types::{Episode, Filter, Memory, Order, Owner, PageRequest, Role, SessionKey, Status, UserId};
use recollect::learning;
use recollect::ops::ingest::Ingested;

use crate::scene::{Scene, conversation, session_id};

const SECONDS_A_DAY: i64 = 86_400;

/// What is said to the house, and what it then knows.
impl Scene {
    /// Where the user said one thing a day, each in a conversation of its own.
    async fn of_days(said: &[&str]) -> Self {
        let scene = Self::new();
        for (day, text) in said.iter().enumerate() {
            scene.clock.advance_seconds(SECONDS_A_DAY);
            scene.says(&format!("day{day}"), text).await;
        }
        scene
    }

    /// A conversation of the unnamed user, taken in and learned from.
    async fn talk(&self, session: &str, said: &[(Role, &str)]) -> Ingested {
        self.ask(conversation(session, said)).await.expect("the conversation is taken")
    }

    /// The user alone says something.
    async fn says(&self, session: &str, text: &str) -> Ingested {
        self.talk(session, &[(Role::User, text)]).await
    }

    /// Turns as a chat appends them: they wait, and the worker is told.
    async fn append(&self, session: &str, said: &[(Role, &str)]) -> SessionKey {
        let key = key(session);
        let tenant = self.tenant().await;
        let settings = tenant.settings().await.expect("settings");
        let masker = Masker::new("").expect("no patterns");
        let now = self.clock.now();
        let messages = said.iter().map(|(role, text)| IncomingMessage::new(*role, *text)).collect();
        let captured = capture::prepare(&key, messages, now, &*self.clock, &masker);
        capture::append(&tenant, captured.turns, true, false, now).await.expect("appended");
        learning::appended(&self.house, tenant.id(), &key, &settings, now);
        key
    }

    async fn with_status(&self, status: Status) -> Vec<Memory> {
        let filter = Filter { statuses: vec![status], ..Filter::ever() };
        self.matching(&filter).await
    }

    async fn matching(&self, filter: &Filter) -> Vec<Memory> {
        let page = PageRequest { limit: 1_000, offset: 0, order: Order::Oldest, counted: true };
        self.tenant().await.list_memories(filter, page).await.expect("memories can be listed").items
    }

    /// What counts now, in the order in which it was made.
    async fn known(&self) -> Vec<String> {
        contents(&self.with_status(Status::Active).await)
    }

    async fn episodes(&self) -> Vec<Episode> {
        let page = PageRequest { limit: 1_000, offset: 0, order: Order::Oldest, counted: true };
        let filter = Filter { statuses: vec![Status::Active], ..Filter::ever() };
        self.tenant().await.list_episodes(&filter, page).await.expect("episodes can be listed").items
    }

    /// How often all memories were said, together.
    async fn sources(&self) -> u64 {
        let memories = self.matching(&Filter::ever()).await;
        let ids: Vec<_> = memories.into_iter().map(|memory| memory.id).collect();
        let counters = self.tenant().await.counters(&ids).await.expect("counters");
        counters.values().map(|counters| counters.source_count).sum()
    }
}

fn contents(memories: &[Memory]) -> Vec<String> {
    memories.iter().map(|memory| memory.content.clone()).collect()
}

/// Whether a memory has a part, written small, in it.
fn tells(known: &[String], part: &str) -> bool {
    known.iter().any(|content| content.to_lowercase().contains(part))
}

fn key(session: &str) -> SessionKey {
    SessionKey::new(&Owner::unnamed(), session_id(session))
}

fn user(name: &str) -> Option<UserId> {
    Some(name.parse().expect("a user's name"))
}

/// Waits until something holds, and fails where it never does.
async fn until<F: Future<Output = bool>>(what: &str, holds: impl Fn() -> F) {
    let deadline = tokio::time::Instant::now() + super::support::PATIENCE;
    while !holds().await {
        assert!(tokio::time::Instant::now() < deadline, "it never happened: {what}");
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
}
