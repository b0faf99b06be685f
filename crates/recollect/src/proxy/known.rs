//! Which conversation a chat request belongs to, and what stood in its prompt before.
//!
//! The first half of the read path, and what the write path needs. It runs as a task of its own: where it is late the
//! request goes on without it, and what was said is stored all the same when it is done.

use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use chat::continuity::{self, Asking, Continuation, behind};
use chat::{Asked, ChatBody, Dialect, Replay, side_calls};
use memory::error::ModelError;
use memory::ports::{ChatModel, Completion, Prompt, ReadStore};
use memory::recall::Recaller;
use memory::recall::context::{Aids, Context, ContextRequest};
use memory::settings::{GateMode, Settings};
use memory::text::marks;
use memory::text::secrets::Masker;
use memory::types::{MemoryId, Viewer};
use store::Tenant;

use super::kept;
use super::path::Shared;
use super::who::Who;
use crate::ops::{Caller, House};
use crate::problem::Problem;
use crate::{limits, metrics};

/// What is asked, as far as memory is concerned. Owned, because who remembers may outlive the request.
pub struct Question {
    pub house: House,
    pub shared: Arc<Shared>,
    pub caller: Caller,
    pub dialect: Dialect,
    pub who: Who,
    /// The upstream's name, where one is asked.
    pub provider: Option<String>,
    /// As it goes upstream, but for what memory adds.
    pub body: Bytes,
}

/// A request whose conversation is known.
pub struct Known {
    pub tenant: Tenant,
    pub settings: Settings,
    pub who: Who,
    pub masker: Masker,
    pub chat: ChatBody,
    pub continuation: Continuation,
    pub replay: Replay,
    provider: Option<String>,
    body: Bytes,
}

/// Recognises the conversation; nothing where memory has no part in this request.
pub async fn recognise(question: Question) -> Result<Option<Arc<Known>>, Problem> {
    let Question { house, shared, caller, dialect, mut who, provider, body } = question;
    let tenant = house.open(&caller).await?;
    let settings = tenant.settings().await?;
    if !settings.enabled {
        return Ok(None);
    }
    if settings.require_owner && who.is_nobody() {
        // Elsewhere a mistake; a chat goes on, and remembers nothing of whom nobody knows.
        metrics::read_missed("replay", "no_owner");
        return Ok(None);
    }
    // Switched off by itself, recall leaves learning as it is.
    who.mode.reads &= settings.recall_enabled;
    // What cannot be read is for the upstream to judge.
    let Ok(chat) = ChatBody::read_as(dialect, &body) else { return Ok(None) };
    if side_calls::recognise(&chat).is_some() {
        metrics::side_call();
        return Ok(None);
    }
    if who.session.is_none() {
        // The upstream keeps it under a name of its own, which can be ours too.
        who.session = chat.envelope.conversation.as_ref().and_then(|name| name.parse().ok());
    }
    let masker = Masker::new(&settings.secret_patterns)?;
    let asking = Asking {
        tenant: tenant.id(),
        owner: &who.owner(),
        session: who.session.as_ref(),
        messages: &chat.messages,
        masker: &masker,
        recent: &shared.recent,
    };
    let continuation = match kept::place(&tenant, &shared, &asking, &chat.envelope).await? {
        Some(place) => behind::find(&tenant, &asking, place).await?,
        None => continuity::find(&tenant, asking, &*house.clock).await?,
    };
    // What was said a moment ago may still be on its way to the store, and its block with it.
    shared.writes.settled(tenant.id(), &continuation.key).await;
    let mut known = Known {
        tenant,
        settings,
        who,
        masker,
        chat,
        continuation,
        replay: Replay::default(),
        provider,
        body,
    };
    if known.who.mode.reads {
        let keys = known.asked().block_keys();
        // Those on their way are looked at first: one that arrives in between is then seen twice and not never.
        let mut blocks = shared.writes.blocks(known.tenant.id(), &keys);
        blocks.extend(known.tenant.blocks(&keys).await?);
        known.replay = Replay::of(&known.asked(), blocks, &shared.decisions);
        known.replay.elsewhere = kept::elsewhere(&known).await?;
    }
    Ok(Some(Arc::new(known)))
}

impl Known {
    pub fn asked(&self) -> Asked<'_> {
        Asked {
            tenant: self.tenant.id(),
            body: &self.body,
            chat: &self.chat,
            continuation: &self.continuation,
            provider: self.provider.as_deref(),
            settings: &self.settings,
        }
    }

    pub fn recaller(&self, house: &House) -> Recaller {
        Recaller { tools: house.tools_under(&self.tenant, self.settings.clone()) }
    }

    /// What the user says now, without what was recalled into it; nothing where nobody says anything.
    pub fn question_text(&self) -> Option<String> {
        let message = &self.chat.messages[self.chat.last_user()?];
        Some(marks::strip(&message.text()).0)
    }

    pub fn context_request(&self, house: &House) -> Option<ContextRequest> {
        let text = self.question_text()?;
        let viewer = Viewer { owner: self.who.owner(), session: Some(self.continuation.key.session.clone()) };
        let request = ContextRequest::new(self.tenant.id().clone(), text, viewer, house.clock.now());
        Some(ContextRequest {
            first_turn: self.continuation.is_new,
            in_view_from: self.continuation.in_view_from,
            ..request
        })
    }

    /// Gate, retrieve, fuse and assemble: what the message gets, where it is for this request to decide.
    pub async fn context(&self, house: &House, shared: &Shared) -> Result<Option<Arc<Context>>, Problem> {
        let Some(key) = self.asked().undecided() else { return Ok(None) };
        // A block that will not be found again decides nothing about the next request.
        if self.keeps_block() && !shared.decisions.begin(self.tenant.id(), &key) {
            return Ok(None);
        }
        let Some(request) = self.context_request(house) else { return Ok(None) };
        let model = self.gate_model(house);
        let model = model.as_ref().map(|model| model as &dyn ChatModel);
        let aids = Aids { learned: house.gate.as_deref(), cache: Some(&house.contexts), model };
        let recaller = self.recaller(house);
        Ok(Some(recaller.context(&request, aids).await?))
    }

    /// The core model, where the gate is told to ask it.
    fn gate_model(&self, house: &House) -> Option<Hurried> {
        let asks = self.settings.relevance_gate_mode == GateMode::Llm;
        house.core_model(&self.tenant, &self.settings).filter(|_| asks).map(Hurried)
    }

    pub fn session(&self) -> String {
        self.continuation.key.session.to_string()
    }

    /// Whether the conversation can be recognised next time: it is stored, or its client names it.
    pub fn keeps_block(&self) -> bool {
        self.who.mode.writes || self.who.session.is_some()
    }

    /// The memories before the user's latest message, where they stood there when it was asked before.
    pub fn recalled_before(&self) -> Vec<MemoryId> {
        let latest = self.chat.last_user();
        let blocks = self.replay.blocks.iter().filter(|(message, _)| Some(*message) == latest);
        blocks.flat_map(|(_, block)| block.memories.clone()).collect()
    }

    /// The memories that stand in the prompt from before.
    pub fn replayed_memories(&self) -> impl Iterator<Item = &MemoryId> {
        self.replay.blocks.iter().flat_map(|(_, block)| &block.memories)
    }
}

/// A model that is given up on while there is still time to go on without it.
struct Hurried(Arc<dyn ChatModel>);

#[async_trait]
impl ChatModel for Hurried {
    fn name(&self) -> &str {
        self.0.name()
    }

    async fn complete(&self, prompt: Prompt<'_>) -> Result<Completion, ModelError> {
        let answer = tokio::time::timeout(limits::GATE_MODEL_WITHIN, self.0.complete(prompt)).await;
        answer.unwrap_or(Err(ModelError::TimedOut))
    }
}
