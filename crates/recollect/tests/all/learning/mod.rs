//! The write path over the real store, from what is said to what is known.
//!
//! [`statements`] holds the stories that must come out exactly; [`buffering`] and [`judgement`] one test for each promised
//! behaviour, with a list at their heads; [`worker`] what happens by itself in time; [`surfaces`] the commands and routes;
//! [`crash`] kills the server in the middle of everything. Most run in this process on a clock that the test moves.

mod buffering;
mod crash;
mod judgement;
mod statements;
mod surfaces;
mod worker;

use std::sync::Arc;

use memory::learn::capture::{self, Incoming};
use memory::ports::{Clock, ReadStore};
use memory::text::secrets::Masker;
use memory::types::{
    Episode, Filter, Memory, Order, Owner, PageRequest, Role, SessionId, SessionKey, Status, TenantId, Time,
    UserId,
};
use recollect::learning;
use recollect::ops::ingest::{Ingest, Ingested, Message};
use recollect::ops::settings::SettingsSet;
use recollect::ops::{self, House, Request};
use recollect::problem::Problem;
use store::{Credential, Durability, Options, Tenant, Tenants};
use tempfile::TempDir;
use testkit::ManualClock;

/// A data folder with a house on it, and the clock that both of them follow.
struct Scene {
    house: House,
    clock: Arc<ManualClock>,
    folder: TempDir,
}

impl Scene {
    fn new() -> Self {
        Self::on(testkit::folder::scratch(), Arc::new(ManualClock::default()))
    }

    fn on(folder: TempDir, clock: Arc<ManualClock>) -> Self {
        let options = Options { durability: Durability::Normal, ..Options::default() };
        let tenants = Tenants::open_folder(folder.path(), options).expect("the folder opens");
        let house = House { clock: clock.clone(), ..House::new(tenants, None) };
        Self { house, clock, folder }
    }

    /// As the next process finds it.
    async fn restarted(self) -> Self {
        self.house.tenants.close().await;
        let Scene { folder, clock, house } = self;
        drop(house);
        Self::on(folder, clock)
    }

    fn at(&self, time: &str) {
        self.clock.set(time.parse::<Time>().expect("a time"));
    }

    async fn ask<R: Request>(&self, request: R) -> Result<R::Answer, Problem> {
        let caller = self.house.admit(Credential::Operator { tenant: TenantId::local() }).await?;
        let outcome = ops::execute(&self.house, &caller, request.into()).await?;
        Ok(R::answer(outcome).expect("the answer belongs to the question"))
    }

    async fn tenant(&self) -> Tenant {
        let credential = Credential::Operator { tenant: TenantId::local() };
        let caller = self.house.admit(credential).await.expect("the operator may");
        self.house.open(&caller).await.expect("the tenant opens")
    }

    async fn set(&self, name: &str, value: serde_json::Value) {
        let request = SettingsSet { name: name.to_owned(), value, everywhere: false };
        self.ask(request).await.expect("the setting exists");
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
        let messages = said.iter().map(|(role, text)| Incoming::new(*role, *text)).collect();
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
        let page = PageRequest { limit: 1_000, offset: 0, order: Order::Oldest };
        self.tenant().await.list_memories(filter, page).await.expect("memories can be listed").items
    }

    /// What counts now, in the order in which it was made.
    async fn known(&self) -> Vec<String> {
        contents(&self.with_status(Status::Active).await)
    }

    async fn episodes(&self) -> Vec<Episode> {
        let page = PageRequest { limit: 1_000, offset: 0, order: Order::Oldest };
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

fn key(session: &str) -> SessionKey {
    SessionKey::new(&Owner::unnamed(), session_id(session))
}

fn session_id(session: &str) -> SessionId {
    session.parse().expect("a session's name")
}

fn conversation(session: &str, said: &[(Role, &str)]) -> Ingest {
    let message = |(role, text): &(Role, &str)| Message {
        role: *role,
        name: None,
        content: (*text).to_owned(),
        id: None,
        at: None,
    };
    Ingest {
        agent: None,
        user: None,
        session: session_id(session),
        messages: said.iter().map(message).collect(),
        skip_extraction: false,
    }
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
