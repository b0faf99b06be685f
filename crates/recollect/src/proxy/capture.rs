//! Storing what was said: the user's message while the upstream is asked, the reply when it is complete.
//!
//! Nothing here lets a chat fail, and no time limit drops what was said: a conversation that is recognised late, or a store
//! that is busy, is waited for behind the answer, within the bounds of [`crate::backlog`]. What is stored of one session is stored
//! in the order in which it was said ([`super::writes`]), whoever is faster. What a store refuses is counted and logged,
//! without what it was about.

use std::collections::HashMap;
use std::sync::Arc;

use chat::collect::CollectedReply;
use chat::continuity::by_response_id::ReplyPlace;
use chat::continuity::incoming;
use memory::error::StoreError;
use memory::learn::capture::{self, IncomingMessage};
use memory::ports::WriteStore;
use memory::types::{Actor, Batch, Block, Change, MemoryId, Role, Turn, TurnId};
use tokio::task::JoinHandle;
use tracing::Instrument;

use super::conversation::{Conversation, KnownChat};
use super::feedback;
use super::path::ChatRequest;
use super::tee::{Keeping, ReplySink};
use super::writes::{Retry, Ticket};
use crate::{learning, metrics, telemetry};

/// One request's writes, from the user's message to the reply.
pub struct Capture {
    request: Arc<ChatRequest>,
    /// Over when the user's message is stored. Gone once the reply waits for it.
    said: Option<JoinHandle<Option<Arc<KnownChat>>>>,
    /// The step of the request in whose trace the reply is stored.
    trace: telemetry::TracePlace,
    /// The conversation, where it was recognised when the request went on.
    known: Option<Arc<KnownChat>>,
    /// Memories that the answer may rest on.
    pub used: Vec<MemoryId>,
    /// The place of the block before the user's latest message, with nothing in it.
    emptied: Option<Block>,
    /// Whether the answer is to a prompt with what memory had added.
    informed: bool,
    /// What is written into the transcript instead of the reply's text.
    pub stored_as: Option<&'static str>,
}

impl Capture {
    /// Begins to store the request's new messages, and the block that was put before the last of them. Nothing where memory
    /// has no part in the request.
    pub fn begin(
        request: &Arc<ChatRequest>,
        conversation: Conversation,
        block: Option<Block>,
    ) -> Option<Capture> {
        if matches!(conversation, Conversation::None) {
            return None;
        }
        let used = block.as_ref().map(|block| block.served().cloned().collect()).unwrap_or_default();
        let standing = conversation.known().and_then(|known| known.block_before_latest());
        let emptied = block.as_ref().or(standing).map(emptied);
        let unstored = request.house.backlog.begin();
        let (known, trace) = (conversation.known().cloned(), telemetry::TracePlace::here());
        // Its place is taken now where that can be, so that whoever asks next in this session finds it on its way.
        let write = known.as_ref().map(|known| known.question(block));
        let saying = async move {
            let _until_stored = unstored;
            let known = match conversation {
                Conversation::Known(known) => known,
                Conversation::Late(finding) => finding.await.ok().flatten()?,
                Conversation::None => return None,
            };
            let write = write.unwrap_or_else(|| known.question(None));
            write.store(&known).await;
            Some(known)
        };
        let said = Some(tokio::spawn(saying.instrument(telemetry::capture("question", &trace))));
        let request = Arc::clone(request);
        Some(Capture { request, said, trace, known, used, emptied, informed: true, stored_as: None })
    }

    /// The same where the answer is to a prompt without memory: no block stands before the message, and none is judged. The
    /// message itself was on its way to the store with its block while the upstream was asked, so the block is emptied behind it.
    pub fn without_memory(mut self) -> Capture {
        self.used.clear();
        self.informed = false;
        if let (Some(known), Some(block)) = (&self.known, self.emptied.take()) {
            let write = known.block(block);
            let (said, unstored) = (self.said.take(), self.request.house.backlog.begin());
            let emptying = async move {
                let _until_stored = unstored;
                let known = said?.await.ok().flatten()?;
                write.store(&known).await;
                Some(known)
            };
            let span = telemetry::capture("question", &self.trace);
            self.said = Some(tokio::spawn(emptying.instrument(span)));
        }
        self
    }
}

/// A block's place with nothing in it.
pub fn emptied(block: &Block) -> Block {
    Block {
        hash: block.hash.clone(),
        session: block.session.clone(),
        text: String::new(),
        tokens: 0,
        memories: Vec::new(),
        standing: Vec::new(),
        standing_tokens: 0,
        turns: Vec::new(),
        episodes: Vec::new(),
        at: block.at,
        dropped: false,
    }
}

impl ReplySink for Capture {
    fn keep(mut self, reply: Option<CollectedReply>, whole: bool) -> Keeping {
        if reply.is_none() && whole {
            metrics::capture_lost("unreadable");
        }
        let request = Arc::clone(&self.request);
        let (writes, backlog) = (&request.shared.writes, request.house.backlog.clone());
        let bytes = request.bytes.len() + reply.as_ref().map_or(0, CollectedReply::bytes);
        // Said at once: the client's next request may be faster than the store.
        let (write, unplaced) = match (&self.known, &reply) {
            (Some(known), Some(reply)) => (Some(known.reply(reply, self.stored_as)), None),
            (None, Some(reply)) => (None, Some(writes.unplaced(request.leave.caller().tenant(), reply))),
            (_, None) => (None, None),
        };
        let (span, unstored) = (telemetry::capture("reply", &self.trace), backlog.begin());
        let (said, trace) = (self.said.take(), self.trace.clone());
        let (used, stored_as) = (std::mem::take(&mut self.used), self.stored_as);
        let judges = self.informed && stored_as.is_none();
        let storing = async move {
            let _until_stored = unstored;
            let Some(said) = said else { return };
            let Ok(Some(known)) = said.await else { return };
            let mut kept = None;
            if let Some(reply) = reply.filter(|_| known.who.mode.writes) {
                let write = write.unwrap_or_else(|| known.reply(&reply, stored_as));
                drop(unplaced);
                if reply.partial {
                    metrics::partial();
                }
                let turns = write.store(&known).await;
                // What we answer ourselves is made of memories, and says nothing of their use.
                let turn = turns.into_iter().next().filter(|_| judges);
                kept = turn.map(|turn| (turn, reply));
            }
            feedback::note(&known, used, kept, &trace);
        };
        Keeping::new(tokio::spawn(storing.instrument(span)), bytes, backlog)
    }
}

/// There is no reply: the upstream refused, or its answer cannot be read. The user's message is stored all the same.
impl Drop for Capture {
    fn drop(&mut self) {
        if let Some(said) = self.said.take() {
            super::tee::left_behind(said, self.request.bytes.len(), &self.request.house.backlog);
        }
    }
}

/// One durable step: messages as turns, and a block, at their place in the session.
struct CaptureWrite {
    messages: Vec<IncomingMessage>,
    block: Option<Block>,
    ticket: Ticket,
}

impl KnownChat {
    fn ticket(&self) -> Ticket {
        self.request.shared.writes.begin(self.tenant.id(), &self.replayed.continuation().key)
    }

    /// The request's new messages.
    fn question(&self, block: Option<Block>) -> CaptureWrite {
        let messages = match self.who.mode.writes {
            true => incoming::incoming(&self.chat().messages, self.replayed.continuation()),
            false => Vec::new(),
        };
        let mut ticket = self.ticket();
        if let Some(block) = &block {
            ticket.carries(block);
        }
        CaptureWrite { messages, block, ticket }
    }

    /// A block alone.
    fn block(&self, block: Block) -> CaptureWrite {
        let mut ticket = self.ticket();
        ticket.carries(&block);
        CaptureWrite { messages: Vec::new(), block: Some(block), ticket }
    }

    /// The reply, which is on its way to the client: under the name by which it will be known again.
    fn reply(&self, reply: &CollectedReply, stored_as: Option<&'static str>) -> CaptureWrite {
        let (request, continuation) = (&self.request, self.replayed.continuation());
        let (content, calls) = reply.said_parts();
        let identity = incoming::reply_identity(continuation.end, content, calls, &self.masker);
        let place = ReplyPlace { key: continuation.key.clone(), reply: identity };
        // Where nothing is stored the conversation is known by this alone, and what stood in it stands there again.
        if !self.who.mode.is_off() {
            request.shared.recent.forwarded(self.tenant.id(), &continuation.key, identity);
            for name in reply.id.iter().chain(&self.chat().envelope.conversation) {
                request.shared.answered.note(self.tenant.id(), name, place.clone());
            }
        }
        let mut incoming = incoming::reply(identity, content, calls, reply.partial);
        if let Some(text) = stored_as {
            incoming.text = text.to_owned();
        }
        // What the upstream calls it is all that the next request may bring, also after a restart.
        let block = reply.id.as_ref().map(|name| place.as_block(name, self.house().clock.now()));
        CaptureWrite { messages: vec![incoming], block, ticket: self.ticket() }
    }
}

impl CaptureWrite {
    /// Waits for what was said before in the same session, and as long as the store is busy. Gives the turns that are new.
    async fn store(self, known: &KnownChat) -> Vec<TurnId> {
        let CaptureWrite { messages, block, ticket } = self;
        if messages.is_empty() && block.is_none() {
            return Vec::new();
        }
        ticket.turn().await;
        let (house, now) = (known.house(), known.house().clock.now());
        let key = &known.replayed.continuation().key;
        let captured = capture::prepare(key, messages, now, &*house.clock, &known.masker);
        let mut retry = Retry::default();
        loop {
            match write(known, &captured.turns, block.as_ref()).await {
                Ok(turns) => return turns,
                Err(StoreError::Busy(_)) => retry.pause().await,
                Err(error) => {
                    metrics::capture_lost("failed");
                    tracing::warn!(%error, "what was said could not be stored");
                    return Vec::new();
                }
            }
        }
    }
}

async fn write(known: &KnownChat, turns: &[Turn], block: Option<&Block>) -> Result<Vec<TurnId>, StoreError> {
    let (house, tenant) = (known.house(), &known.tenant);
    let now = house.clock.now();
    let roles: HashMap<_, _> = turns.iter().map(|turn: &Turn| (turn.id.clone(), turn.role)).collect();
    let put_block = async {
        let Some(block) = block else { return Ok(()) };
        // Where something that it says was forgotten meanwhile, the store keeps none of its text.
        let change = Change::PutBlock { block: Box::new(block.clone()) };
        tenant.apply(Batch::new(Actor::Tool, now).with(change)).await.map(drop)
    };
    let append = async {
        if turns.is_empty() {
            return Ok(None);
        }
        capture::append(tenant, turns.to_vec(), true, known.who.agent_only, now).await.map(Some)
    };
    // Both at once, so that they share a commit.
    let (stored, appended) = tokio::join!(put_block, append);
    stored?;
    let Some(written) = appended? else { return Ok(Vec::new()) };
    for turn in &written.turns {
        metrics::captured(roles.get(turn).map_or("other", |role: &Role| role.as_str()), 1);
    }
    if !written.turns.is_empty() {
        learning::appended(house, tenant.id(), &known.replayed.continuation().key, &known.settings, now);
    }
    Ok(written.turns)
}
