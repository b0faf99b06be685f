//! Learning with a model: a real client over real HTTP to a server that says what a test tells it to.
//!
//! Which promised behaviour is shown where (the numbers are those of the two systems that promise them):
//!
//! | promise | shown by |
//! |---|---|
//! | session memory 7: a turn buffered while its session distils stays pending | [`distilling::what_comes_while_the_model_thinks_stays_pending`] |
//! | 8: failures under the cap stay, at the cap they are dead, listed, retryable | [`failures::a_model_that_never_makes_sense_is_left_to_a_person`] |
//! | 11: a new home replaces the old one, a preference beside a fact stays | [`judging::what_the_model_says_of_known_memories_is_done`] |
//! | 12: fenced JSON and numbers as text are accepted | [`distilling::answers_are_read_tolerantly`] |
//! | 13: no model: a heuristic digest now, a model's later where that is asked for, nothing lost | [`redoing::a_model_that_comes_later_does_it_again`], [`failures::whatever_fails_nothing_is_lost`] |
//! | 14: a single word makes no call; whatever says something does, and nothing is cleared that no model read | [`unread::one_word_makes_no_call_and_stays_to_be_read`] |
//! | 17: a backlog is done one at a time, oldest first | [`redoing::the_backlog_for_a_model_is_done_one_at_a_time_oldest_first`] |
//! | write policy 1, 10: what is asked not to be kept, and orders against safety, are not | [`judging::guards_stand_above_the_model`] |
//! | reconciliation: bump, supersede, coexist; low confidence: the deterministic rule | [`judging::what_the_model_says_of_known_memories_is_done`], [`judging::a_model_that_is_not_sure_decides_nothing`] |
//! | 13 there: held candidates survive, with the model's reason | [`judging::the_models_reason_stays_with_what_is_held`] |

mod distilling;
mod failures;
mod gating;
mod judging;
mod redoing;
mod surfaces;
mod truth;
mod unread;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use memory::learn::capture::{self, IncomingMessage};
use memory::ports::{Embedder, ReadStore};
use memory::text::secrets::Masker;
use memory::types::{
    Episode, Filter, Memory, Order, Owner, PageRequest, RedoEntry, Role, SessionKey, Status,
};
use models::{ChatClients, Timer, Upstream, UpstreamWire, Upstreams};
use recollect::core_model::Models;
use recollect::ops::ingest::{Ingest, IngestMessage, Ingested};
use recollect::ops::pending::{PendingList, PendingListed, Sync, Synced};
use recollect::ops::settings::SettingsSet;
use recollect::ops::{OperationRequest, Services};
use recollect::problem::Problem;
use serde_json::{Value, json};
use store::{Tenant, Tenants, TenantsOptions, WriteDurability};
use tempfile::TempDir;
use testkit::ManualClock;
use testkit::llm::{Llm, RequestMatcher, ScriptedReply, SeenRequest};

use crate::scene;

/// What the distilling instructions begin with, by which its calls are told from others.
const DISTILS: &str = "You keep the long-term memory of one user";

/// Long enough for a digest, with something in it that patterns find.
const SAID: &str = "I have been thinking about the garden for weeks, and I prefer roses to tulips because they come back \
    every year. I live in Lyon.";

/// How long an answer may take in these tests.
const TIMEOUT: Duration = Duration::from_millis(1_500);

/// Time between retries that nobody waits for.
#[derive(Default)]
pub struct ImmediateTimer(Mutex<Duration>);

#[async_trait]
impl Timer for ImmediateTimer {
    fn elapsed(&self) -> Duration {
        *self.0.lock().expect("not poisoned")
    }

    fn unix_seconds(&self) -> i64 {
        0
    }

    async fn sleep(&self, duration: Duration) {
        *self.0.lock().expect("not poisoned") += duration;
    }
}

/// A house with a core model that a test scripts.
struct ModelScene {
    house: Services,
    clock: Arc<ManualClock>,
    timer: Arc<ImmediateTimer>,
    llm: Llm,
    _folder: TempDir,
}

impl ModelScene {
    /// A house in which no model is chosen yet.
    async fn without_model() -> Self {
        let llm = Llm::start().await;
        let (clock, timer) = (Arc::new(ManualClock::default()), Arc::new(ImmediateTimer::default()));
        let upstream =
            Upstream { timeout: TIMEOUT, ..Upstream::new("fake", UpstreamWire::OpenAi, &llm.base_url()) };
        let clients = ChatClients::with_timer(Upstreams::new(vec![upstream], None), timer.clone());
        let folder = testkit::folder::scratch();
        let options = TenantsOptions { durability: WriteDurability::Normal, ..TenantsOptions::default() };
        let tenants = Tenants::open_folder(folder.path(), options).expect("the folder opens");
        let models = Arc::new(Models::with_clients(clients));
        let house = Services { clock: clock.clone(), models, ..Services::new(tenants, None) };
        // Whatever is not scripted, such as a profile, is nothing that could be used.
        llm.fallback(ScriptedReply::prose());
        Self { house, clock, timer, llm, _folder: folder }
    }

    async fn new() -> Self {
        let scene = Self::without_model().await;
        scene.choose_model().await;
        scene
    }

    async fn choose_model(&self) {
        self.set("coreModelName", json!("small")).await;
    }

    fn with_embedder(mut self, embedder: Arc<dyn Embedder>) -> Self {
        self.house.embedder = Some(embedder);
        self
    }

    /// Every distilling call gets this answer.
    fn distils(&self, reply: ScriptedReply) {
        self.llm.clear_script();
        self.llm.fallback(ScriptedReply::prose());
        self.llm.when(RequestMatcher::system_contains(DISTILS), reply);
    }

    /// The distilling calls so far.
    fn calls(&self) -> Vec<Arc<SeenRequest>> {
        let distils = |seen: &Arc<SeenRequest>| seen.system_text().contains(DISTILS);
        self.llm.requests().into_iter().filter(distils).collect()
    }

    async fn try_ask<R: OperationRequest>(&self, request: R) -> Result<R::Answer, Problem> {
        scene::ask(&self.house, request).await
    }

    async fn ask<R: OperationRequest>(&self, request: R) -> R::Answer {
        self.try_ask(request).await.expect("it is done")
    }

    async fn set(&self, name: &str, value: Value) {
        self.ask(SettingsSet { name: name.to_owned(), value, everywhere: false }).await;
    }

    async fn tenant(&self) -> Tenant {
        scene::tenant(&self.house).await
    }

    /// The user says something, and the session ends.
    async fn says(&self, session: &str, text: &str) -> Ingested {
        self.talk(session, &[(Role::User, text)]).await
    }

    async fn talk(&self, session: &str, said: &[(Role, &str)]) -> Ingested {
        self.clock.tick();
        let message = |(role, text): &(Role, &str)| IngestMessage::of(*role, *text);
        let messages = said.iter().map(message).collect();
        let session = session.parse().expect("a session's name");
        self.ask(Ingest {
            agent: None,
            user: None,
            session,
            messages,
            skip_extraction: false,
            time_zone: None,
        })
        .await
    }

    /// Turns as a chat appends them: they wait, and the worker, where there is one, is told.
    async fn append(&self, session: &str, said: &[(Role, &str)]) -> SessionKey {
        let (key, tenant, now) = (key(session), self.tenant().await, self.clock.tick());
        let settings = tenant.settings().await.expect("settings");
        let masker = Masker::new("").expect("no patterns");
        let messages = said.iter().map(|(role, text)| IncomingMessage::new(*role, *text)).collect();
        let captured = capture::prepare(&key, messages, now, &*self.clock, &masker);
        capture::append(&tenant, captured.turns, true, false, now).await.expect("appended");
        recollect::learning::appended(&self.house, tenant.id(), &key, &settings, now);
        key
    }

    async fn sync(&self) -> Synced {
        self.reread(0).await
    }

    /// The same, with as many conversations as that from before the model was chosen.
    async fn reread(&self, most: usize) -> Synced {
        self.clock.tick();
        self.ask(Sync { reread: most }).await
    }

    async fn pending(&self) -> PendingListed {
        self.ask(PendingList::default()).await
    }

    async fn redo(&self) -> Vec<RedoEntry> {
        self.tenant().await.redo(100).await.expect("listed")
    }

    async fn with_status(&self, status: Status) -> Vec<Memory> {
        let filter = Filter { statuses: vec![status], ..Filter::ever() };
        let page = PageRequest { limit: 1_000, offset: 0, order: Order::Oldest, counted: true };
        self.tenant().await.list_memories(&filter, page).await.expect("listed").items
    }

    /// What counts now, in the order in which it was made.
    async fn known(&self) -> Vec<String> {
        self.with_status(Status::Active).await.into_iter().map(|memory| memory.content).collect()
    }

    async fn episode(&self, session: &str) -> Option<Episode> {
        self.tenant().await.episode_of(&key(session)).await.expect("read")
    }

    /// How often a memory was said.
    async fn sources_of(&self, memory: &Memory) -> u64 {
        let counters =
            self.tenant().await.counters(std::slice::from_ref(&memory.id)).await.expect("counters");
        counters.get(&memory.id).map_or(0, |counters| counters.source_count)
    }

    /// The details of the passes in the processing log, the latest first.
    async fn passes(&self) -> Vec<Value> {
        let log = self.tenant().await.processing_log(100).await.expect("readable");
        let passes = log.into_iter().filter(|entry| entry.task == "distil" && entry.model.is_none());
        passes.map(|entry| serde_json::from_str(&entry.detail.expect("a detail")).expect("JSON")).collect()
    }
}

fn key(session: &str) -> SessionKey {
    SessionKey::new(&Owner::unnamed(), session.parse().expect("a session's name"))
}

/// An answer with a summary and these memories, as the instructions ask for it.
fn answer(memories: Value) -> Value {
    json!({"summary": "User spoke of the garden in Lyon.", "topics": ["garden"], "memories": memories})
}

/// What a good model makes of [`SAID`].
fn good() -> Value {
    answer(json!([{
        "content": "User prefers roses to tulips because they come back", "kind": "preference", "subject": "User",
        "predicate": "PREFERS", "object": "roses to tulips", "quote": "I prefer roses to tulips", "turn": "t1",
        "confidence": 0.9, "salience": 0.7, "durability": "lasting", "policy": "commit_now", "policy_confidence": 0.9,
    }]))
}

/// Waits until something holds, and fails where it never does.
async fn until<F: Future<Output = bool>>(what: &str, holds: impl Fn() -> F) {
    let deadline = tokio::time::Instant::now() + super::support::PATIENCE;
    while !holds().await {
        assert!(tokio::time::Instant::now() < deadline, "it never happened: {what}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}
