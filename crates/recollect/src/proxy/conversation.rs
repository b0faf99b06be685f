//! Which conversation a chat request belongs to, and what stood in its prompt before.
//!
//! The first half of the read path, and what the write path needs. It runs as a task of its own: where it is late the
//! request goes on without it, and what was said is stored all the same when it is done, however long that takes. A request
//! that answers to a reply whose own conversation is still being recognised waits for that first, because it is by that
//! reply that it is known.

use std::sync::Arc;
use std::time::Instant;

use chat::continuity::{self, ContinuityRequest, by_response_id};
use chat::replay::has_portrait;
use chat::{ChatBody, Recognised, Replayed, side_calls};
use memory::forget::wishes::{self, HeededWish};
use memory::ports::{ChatModel, ReadStore, WriteStore};
use memory::recall::Recaller;
use memory::recall::context::{Aids, Context, ContextRequest, Disclosure, WORK};
use memory::settings::Settings;
use memory::text::marks;
use memory::text::secrets::Masker;
use memory::types::{Actor, Batch, Block, Change, MemoryId, Session, SessionKey, Time, Viewer};
use models::MemoryShare;
use store::Tenant;
use tokio::task::JoinHandle;
use tracing::Instrument;

use super::capture::emptied;
use super::identity_headers::ChatIdentity;
use super::path::{ChatRequest, ProxyState};
use super::upstream_state;
use super::writes::Retry;
use crate::ops::access::settle_user;
use crate::ops::{OpContext, Services};
use crate::problem::{Code, Problem};
use crate::{gate, limits, metrics, telemetry};

/// The conversation, as far as it is known when the request must go on.
pub enum Conversation {
    Known(Arc<KnownChat>),
    /// It is still being recognised; what was said is stored when it is.
    Late(JoinHandle<Option<Arc<KnownChat>>>),
    /// Memory has no part in this request.
    None,
}

/// A request whose conversation is known.
pub struct KnownChat {
    pub request: Arc<ChatRequest>,
    pub tenant: Tenant,
    pub settings: Settings,
    /// As the request says it, but for what settings and the conversation's own name add.
    pub who: ChatIdentity,
    pub masker: Masker,
    pub replayed: Replayed,
    /// What was forgotten because this message asks for it.
    pub forgotten: Option<HeededWish>,
    /// This message asks that nothing of the conversation be kept.
    pub silenced: bool,
}

impl Conversation {
    /// Recognises it in its share of the time, and as a task of its own: where it is late, only this request goes on
    /// without it.
    pub async fn of(request: &Arc<ChatRequest>) -> Conversation {
        if request.who.mode.is_off() {
            return Conversation::None;
        }
        let mut finding = tokio::spawn(found(Arc::clone(request)).instrument(telemetry::recognise()));
        match tokio::time::timeout(request.shared.patience.replay, &mut finding).await {
            Ok(Ok(Some(known))) => Conversation::Known(known),
            Ok(_) => Conversation::None,
            Err(_) => {
                missed("replay", "late");
                metrics::conversation_late();
                Conversation::Late(finding)
            }
        }
    }

    pub fn known(&self) -> Option<&Arc<KnownChat>> {
        match self {
            Conversation::Known(known) => Some(known),
            Conversation::Late(_) | Conversation::None => None,
        }
    }

    /// Gate → retrieve → fuse → assemble, in what is left of the time.
    pub async fn recall(&self, request: &ChatRequest, start: Instant) -> Option<Arc<Context>> {
        let known = Arc::clone(self.known().filter(|_| request.who.mode.reads)?);
        let patience = request.shared.patience.read + gate::deadline(&known.settings);
        let left = patience.saturating_sub(start.elapsed());
        // A task of its own, because a step that does not pause would hold up the deadline too.
        let recalling = store::on_blocking_thread(async move { known.context().await });
        let recalling = tokio::spawn(recalling.instrument(telemetry::recall()));
        let context = match tokio::time::timeout(left, Aborting(recalling)).await {
            Ok(Ok(context)) => context?,
            Ok(Err(problem)) => {
                tracing::warn!(%problem, "what is remembered could not be looked up");
                missed("context", "failed");
                return None;
            }
            Err(_) => {
                missed("context", "late");
                return None;
            }
        };
        metrics::gate(context.gate.section.as_str());
        Some(context)
    }
}

/// A task that ends when nobody waits for it any longer.
struct Aborting<T>(JoinHandle<T>);

impl<T> Future for Aborting<Result<T, Problem>> {
    type Output = Result<T, Problem>;

    fn poll(
        mut self: std::pin::Pin<&mut Self>,
        context: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Self::Output> {
        std::pin::Pin::new(&mut self.0)
            .poll(context)
            .map(|done| done.unwrap_or_else(|gone| Err(Problem::ours(gone))))
    }
}

impl<T> Drop for Aborting<T> {
    fn drop(&mut self) {
        self.0.abort();
    }
}

fn missed(stage: &'static str, reason: &'static str) {
    metrics::read_missed(stage, reason);
    tracing::warn!(stage, reason, "a chat goes on without what memory would have added");
}

/// Recognises the conversation, and tries again where the store is busy: only a store that fails leaves a chat unstored.
async fn found(request: Arc<ChatRequest>) -> Option<Arc<KnownChat>> {
    request.earlier.recognised().await;
    let mut retry = Retry::default();
    loop {
        match store::on_blocking_thread(recognise(Arc::clone(&request))).await {
            Ok(known) => return known,
            Err(problem) if problem.code == Code::Busy => retry.pause().await,
            Err(problem) => {
                tracing::warn!(%problem, "a conversation could not be recognised");
                metrics::read_missed("replay", "failed");
                metrics::capture_lost("failed");
                return None;
            }
        }
    }
}

/// Recognises the conversation; nothing where memory has no part in this request.
pub async fn recognise(request: Arc<ChatRequest>) -> Result<Option<Arc<KnownChat>>, Problem> {
    let (house, shared) = (&request.house, &request.shared);
    let OpContext { tenant, .. } = house.visit(&request.leave).await?;
    let settings = tenant.settings().await?;
    if !settings.enabled {
        return Ok(None);
    }
    let mut who = request.who.clone();
    if settings.require_owner && settle_user(&mut who.user, who.session.as_ref()).is_err() {
        // Elsewhere a mistake; a chat goes on, and remembers nothing of whom nobody knows.
        metrics::read_missed("replay", "no_owner");
        return Ok(None);
    }
    // Switched off by itself, recall leaves learning as it is.
    who.mode.reads &= settings.recall_enabled;
    // What cannot be read is for the upstream to judge.
    let Some(chat) = request.body.chat() else { return Ok(None) };
    if side_calls::recognise(chat).is_some() {
        metrics::side_call();
        return Ok(None);
    }
    if who.session.is_none() {
        // The upstream keeps it under a name of its own, which can be ours too.
        who.session = chat.envelope.conversation.as_ref().and_then(|name| name.parse().ok());
    }
    let masker = Masker::new(&settings.secret_patterns)?;
    let asking = ContinuityRequest {
        tenant: tenant.id(),
        owner: &who.owner(),
        session: who.session.as_ref(),
        messages: &chat.messages,
        masker: &masker,
        recent: &shared.recent,
    };
    let continuation = match upstream_state::place(&tenant, shared, &asking, &chat.envelope).await? {
        Some(place) => by_response_id::find(&tenant, &asking, place).await?,
        None => continuity::find(&tenant, asking, &*house.clock).await?,
    };
    // What was said a moment ago may still be on its way to the store, and its block with it.
    shared.writes.settled(tenant.id(), &continuation.key).await;
    // Before anything is recalled or replayed, which would tell it once more.
    let said = latest_message(chat).filter(|_| who.mode.writes);
    let forgotten = match &said {
        Some(said) => heed_wishes(house, &tenant, &settings, said, &continuation.key).await?,
        None => None,
    };
    let silenced = said.is_some_and(|said| wishes::silences(&*house.judge, &said));
    let recognised = Recognised {
        tenant: tenant.id().clone(),
        chat: Arc::clone(chat),
        continuation,
        work_only: request.share == MemoryShare::Work,
    };
    let replayed = match who.mode.reads {
        true => replayed(&tenant, shared, recognised, house.clock.now()).await?,
        false => recognised.unread(),
    };
    Ok(Some(Arc::new(KnownChat { request, tenant, settings, who, masker, replayed, forgotten, silenced })))
}

/// What the user wrote last, in the user's own words.
fn latest_message(chat: &ChatBody) -> Option<String> {
    chat.last_user().map(|at| marks::strip(&chat.messages[at].own_text()).0)
}

/// Forgets what the latest message asks to be forgotten.
async fn heed_wishes(
    house: &Services,
    tenant: &Tenant,
    settings: &Settings,
    message: &str,
    key: &SessionKey,
) -> Result<Option<HeededWish>, Problem> {
    let asked = wishes::heard(&*house.judge, message);
    if asked.is_empty() {
        return Ok(None);
    }
    let tools = house.tools_under(tenant, settings.clone());
    let before = tenant.session_turns(key, 0, memory::limits::PAGE_ROWS).await?;
    let mut all: Option<HeededWish> = None;
    for said in asked {
        if let Some(heeded) = wishes::heed(&tools, key, &said, &before).await? {
            let before = all.map_or(0, |known| known.count);
            all = Some(HeededWish { count: heeded.count + before, ..heeded });
        }
    }
    if all.is_some() {
        house.contexts.drop_all_of(tenant.id());
    }
    Ok(all)
}

/// With the blocks that stood in the conversation.
async fn replayed(
    tenant: &Tenant,
    shared: &ProxyState,
    recognised: Recognised,
    now: Time,
) -> Result<Replayed, Problem> {
    let keys = recognised.block_keys();
    // Those on their way are looked at first: one that arrives in between is then seen twice and not never.
    let mut blocks = shared.writes.blocks(tenant.id(), &keys);
    blocks.extend(tenant.blocks(&keys).await?);
    if blocks.iter().any(has_portrait) && rested(tenant, &recognised, now).await? {
        drop_portraits(tenant, &mut blocks, now).await?;
    }
    let elsewhere = upstream_state::elsewhere(tenant, &recognised, &keys).await?;
    Ok(recognised.replayed(blocks, elsewhere, &shared.decisions))
}

/// Whether a new message comes after so long a rest that no provider has kept the beginning of the conversation.
async fn rested(tenant: &Tenant, recognised: &Recognised, now: Time) -> Result<bool, Problem> {
    let continuation = &recognised.continuation;
    if continuation.is_new || continuation.user_message_known {
        return Ok(false);
    }
    let session = tenant.session(&continuation.key).await?;
    let until = |session: Session| session.last_turn_at.plus_seconds(limits::PORTRAIT_REST_SECONDS);
    Ok(session.is_some_and(|session| until(session) <= now))
}

/// Takes the blocks that tell who the user is out of the conversation for good: they are told anew.
async fn drop_portraits(tenant: &Tenant, blocks: &mut [Block], now: Time) -> Result<(), Problem> {
    let mut batch = Batch::new(Actor::Tool, now);
    for block in blocks.iter_mut().filter(|block| has_portrait(block)) {
        *block = Block { dropped: true, ..emptied(block) };
        batch = batch.with(Change::PutBlock { block: Box::new(block.clone()) });
    }
    tenant.apply(batch).await?;
    Ok(())
}

impl KnownChat {
    pub fn house(&self) -> &Services {
        &self.request.house
    }

    pub fn chat(&self) -> &ChatBody {
        self.replayed.chat()
    }

    pub fn recaller(&self) -> Recaller {
        Recaller { tools: self.house().tools_under(&self.tenant, self.settings.clone()) }
    }

    /// What the user says now, without what was recalled into it and what a program wrote in the user's name; nothing where
    /// nobody says anything.
    pub fn question_text(&self) -> Option<String> {
        let message = &self.chat().messages[self.chat().last_user()?];
        let (own, _) = marks::strip(&message.own_text());
        let silenced = own.trim().is_empty() && !message.text().trim().is_empty();
        (!silenced).then_some(own)
    }

    pub fn context_request(&self) -> Option<ContextRequest> {
        let (text, continuation) = (self.question_text()?, self.replayed.continuation());
        let session = Some(continuation.key.session.clone());
        let (project, agent_only) = (self.who.project.clone(), self.who.agent_only);
        let viewer = Viewer { owner: self.who.owner(), session, project, agent_only };
        let request = ContextRequest::new(self.tenant.id().clone(), text, viewer, self.house().clock.now());
        Some(ContextRequest {
            first_turn: continuation.is_new,
            introduces_anew: self.replayed.lacks_portrait(),
            in_view_from: continuation.in_view_from,
            stands: Arc::new(self.replayed.stands()),
            disclosure: self.disclosure(),
            ..request
        })
    }

    /// How much of what is known may be told to whoever asks and whoever answers.
    fn disclosure(&self) -> Disclosure {
        let request = &self.request;
        let is_named = self.who.user.is_some() || request.leave.caller().is_one_person();
        let work_only = request.share == MemoryShare::Work;
        let portrait = (work_only || request.program.codes).then(|| WORK.map(str::to_owned).to_vec());
        Disclosure { introduces: is_named || self.settings.shared_memory, portrait, work_only }
    }

    /// Gate, retrieve, fuse and assemble: what the message gets, where it is for this request to decide.
    async fn context(&self) -> Result<Option<Arc<Context>>, Problem> {
        let house = self.house();
        if !self.replayed.decides(&self.request.shared.decisions) {
            return Ok(None);
        }
        let Some(request) = self.context_request() else { return Ok(None) };
        let model = house.gate_model(&self.tenant, &self.settings);
        let model = model.as_ref().map(|model| model as &dyn ChatModel);
        let aids = Aids { learned: house.gate.as_deref(), cache: Some(&house.contexts), model };
        Ok(Some(self.recaller().context(&request, aids).await?))
    }

    pub fn session(&self) -> String {
        self.replayed.continuation().key.session.to_string()
    }

    /// The block before the user's latest message, where it stood there when it was asked before.
    pub fn block_before_latest(&self) -> Option<&Block> {
        let latest = self.chat().last_user();
        let mut blocks = self.replayed.blocks.iter();
        blocks.find(|(message, _)| Some(*message) == latest).map(|(_, block)| block)
    }

    /// The memories before the user's latest message, where they stood there when it was asked before.
    pub fn recalled_before(&self) -> Vec<MemoryId> {
        self.block_before_latest().into_iter().flat_map(|block| block.served().cloned()).collect()
    }

    /// The memories that stand in the prompt from before.
    pub fn replayed_memories(&self) -> impl Iterator<Item = &MemoryId> {
        self.replayed.blocks.iter().flat_map(|(_, block)| &block.memories)
    }
}
