//! Storing what was said: the user's message while the upstream is asked, the reply when it is complete.
//!
//! Nothing here holds up a chat or lets it fail. What is stored of one session is stored in the order in which it was said
//! ([`super::writes`]), whoever is faster. What fails, is late or finds no room is counted and logged, without what it was
//! about.

use std::collections::HashMap;
use std::sync::Arc;

use chat::continuity::behind::Place;
use chat::continuity::incoming;
use memory::error::StoreError;
use memory::learn::capture::{self, Incoming};
use memory::ports::WriteStore;
use memory::types::{Actor, Batch, Block, Change, MemoryId, Role, Turn, TurnId};
use tokio::task::JoinHandle;
use tracing::Instrument;

use super::feedback::{self, Told};
use super::known::Known;
use super::path::Shared;
use super::tee::Keeper;
use super::writes::{Ticket, Unstored};
use crate::ops::House;
use crate::{learning, limits, metrics, telemetry};
use chat::collect::Reply;

/// One request's writes, from the user's message to the reply.
pub struct Capture {
    house: House,
    shared: Arc<Shared>,
    said: JoinHandle<Option<Arc<Known>>>,
    /// The request in whose trace the reply is stored.
    request: telemetry::Place,
    known: Option<Arc<Known>>,
    /// Memories that the answer may rest on.
    pub used: Vec<MemoryId>,
    /// What is written into the transcript instead of the reply's text.
    pub stored_as: Option<&'static str>,
}

/// Where the conversation comes from: it is known, or will be.
pub enum Source {
    Ready(Arc<Known>),
    Late(JoinHandle<Option<Arc<Known>>>),
}

impl Capture {
    /// Begins to store the request's new messages, and the block that was put before the last of them.
    pub fn begin(house: &House, shared: &Arc<Shared>, source: Source, block: Option<Block>) -> Capture {
        let used = block.as_ref().map(|block| block.memories.clone()).unwrap_or_default();
        let known = match &source {
            Source::Ready(known) => Some(Arc::clone(known)),
            Source::Late(_) => None,
        };
        // Taken now, so that whoever asks next in this session finds it on its way.
        let mut ticket = known.as_ref().map(|known| ticket_for(shared, known));
        if let (Some(Some(ticket)), Some(block)) = (&mut ticket, &block) {
            ticket.carries(block);
        }
        let (house, shared, request) = (house.clone(), Arc::clone(shared), telemetry::Place::here());
        let unstored = Unstored::begin();
        let storing = say(house.clone(), Arc::clone(&shared), source, block, ticket);
        let saying = async move {
            let said = storing.await;
            drop(unstored);
            said
        };
        let said = tokio::spawn(saying.instrument(telemetry::capture("question", &request)));
        Capture { house, shared, said, request, known, used, stored_as: None }
    }
}

async fn say(
    house: House,
    shared: Arc<Shared>,
    source: Source,
    block: Option<Block>,
    ticket: Option<Option<Ticket>>,
) -> Option<Arc<Known>> {
    let known = match source {
        Source::Ready(known) => known,
        Source::Late(finding) => match tokio::time::timeout(limits::CAPTURE_WITHIN, finding).await {
            Ok(Ok(known)) => known?,
            _ => {
                metrics::capture_lost("unknown");
                return None;
            }
        },
    };
    let ticket = ticket.unwrap_or_else(|| ticket_for(&shared, &known));
    let new = match known.who.mode.writes {
        true => incoming::incoming(&known.chat.messages, &known.continuation),
        false => Vec::new(),
    };
    store(&house, &known, new, block.filter(|_| known.keeps_block()), ticket).await;
    Some(known)
}

impl Keeper for Capture {
    fn keep(self, reply: Option<Reply>, whole: bool) -> JoinHandle<()> {
        if reply.is_none() && whole {
            metrics::capture_lost("unreadable");
        }
        // Said at once where the conversation is known: the client's next request may be faster than the store.
        let ready = self.known.as_ref().zip(reply.as_ref()).map(|(known, reply)| self.note(known, reply));
        let span = telemetry::capture("reply", &self.request);
        let unstored = Unstored::begin();
        let storing = async move {
            let _until_stored = unstored;
            let Capture { house, shared, said, used, stored_as, request, .. } = self;
            let Ok(Some(known)) = said.await else { return };
            let mut told = None;
            if let Some(reply) = reply.filter(|_| known.who.mode.writes) {
                let noted = ready.unwrap_or_else(|| note(&shared, &known, &reply, stored_as));
                if reply.partial {
                    metrics::partial();
                }
                // What the upstream calls it is all that the next request may bring, also after a restart.
                let named = reply.id.as_ref().map(|name| noted.place.as_block(name, house.clock.now()));
                let (text, unfinished) = (noted.incoming.text.clone(), reply.is_unfinished());
                let turns = store(&house, &known, vec![noted.incoming], named, noted.ticket).await;
                // What we answer ourselves is made of memories, and says nothing of their use.
                let turn = turns.into_iter().next().filter(|_| stored_as.is_none());
                told = turn.map(|turn| Told { turn, text, unfinished });
            }
            feedback::note(&house, &known, used, told, &request);
        };
        tokio::spawn(storing.instrument(span))
    }
}

/// A reply that is on its way to the client, under the name by which it will be known again.
struct Noted {
    incoming: Incoming,
    place: Place,
    ticket: Option<Ticket>,
}

fn ticket_for(shared: &Shared, known: &Known) -> Option<Ticket> {
    shared.writes.begin(known.tenant.id(), &known.continuation.key)
}

impl Capture {
    fn note(&self, known: &Arc<Known>, reply: &Reply) -> Noted {
        note(&self.shared, known, reply, self.stored_as)
    }
}

fn note(shared: &Arc<Shared>, known: &Known, reply: &Reply, stored_as: Option<&'static str>) -> Noted {
    let (content, calls) = (&reply.message["content"], reply.message.get("tool_calls"));
    let identity = incoming::reply_identity(known.continuation.end, content, calls, &known.masker);
    let place = Place { key: known.continuation.key.clone(), reply: identity };
    if known.who.mode.writes {
        shared.recent.forwarded(known.tenant.id(), &known.continuation.key, identity);
        for name in reply.id.iter().chain(&known.chat.envelope.conversation) {
            shared.answered.note(known.tenant.id(), name, place.clone());
        }
    }
    let mut incoming = incoming::reply(identity, content, calls, reply.partial);
    if let Some(text) = stored_as {
        incoming.text = text.to_owned();
    }
    Noted { incoming, place, ticket: ticket_for(shared, known) }
}

/// One durable step: messages as turns, and a block. Waits for what was said before in the same session. Gives the turns that
/// are new.
async fn store(
    house: &House,
    known: &Known,
    new: Vec<Incoming>,
    block: Option<Block>,
    ticket: Option<Ticket>,
) -> Vec<TurnId> {
    if new.is_empty() && block.is_none() {
        return Vec::new();
    }
    let Some(ticket) = ticket else {
        metrics::capture_lost("busy");
        return Vec::new();
    };
    let storing = async {
        ticket.turn().await;
        write(house, known, new, block).await
    };
    match tokio::time::timeout(limits::CAPTURE_WITHIN, storing).await {
        Ok(Ok(turns)) => return turns,
        Ok(Err(error)) => {
            metrics::capture_lost("failed");
            tracing::warn!(%error, "what was said could not be stored");
        }
        Err(_) => {
            metrics::capture_lost("late");
            tracing::warn!("what was said could not be stored in time");
        }
    }
    Vec::new()
}

async fn write(
    house: &House,
    known: &Known,
    new: Vec<Incoming>,
    block: Option<Block>,
) -> Result<Vec<TurnId>, StoreError> {
    let (now, key, tenant) = (house.clock.now(), &known.continuation.key, &known.tenant);
    let captured = capture::prepare(key, new, now, &*house.clock, &known.masker);
    let roles: HashMap<_, _> =
        captured.turns.iter().map(|turn: &Turn| (turn.id.clone(), turn.role)).collect();
    let put_block = async {
        let Some(block) = block else { return Ok(()) };
        // Where something that it says was forgotten meanwhile, the store keeps none of its text.
        let batch = Batch::new(Actor::Tool, now).with(Change::PutBlock { block: Box::new(block) });
        tenant.apply(batch).await.map(drop)
    };
    let append = async {
        if captured.turns.is_empty() {
            return Ok(None);
        }
        capture::append(tenant, captured.turns, true, now).await.map(Some)
    };
    // Both at once, so that they share a commit.
    let (stored, appended) = tokio::join!(put_block, append);
    stored?;
    let Some(written) = appended? else { return Ok(Vec::new()) };
    for turn in &written.turns {
        metrics::captured(roles.get(turn).map_or("other", |role: &Role| role.as_str()), 1);
    }
    if !written.turns.is_empty() {
        learning::appended(house, tenant.id(), key, &known.settings, now);
    }
    Ok(written.turns)
}
