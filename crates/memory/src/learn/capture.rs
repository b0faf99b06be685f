//! The first step of learning: what was said goes into the transcript, durably and without its secrets.
//!
//! ```text
//! message → strip recalled spans → mask secrets → cut to size → identity → turn → one append
//! ```
//!
//! The order matters. Recalled text comes out first, so that it is neither stored nor counted. Secrets are masked before
//! the text is cut, so that no half of one is left. The identity is what makes a resent history cost nothing: the store
//! leaves out turns whose identity it has. Where messages have none of their own, whoever reads the wire gives them one.
//!
//! [`prepare`] is pure; [`append`] is the one write. Whether memory is switched on is the caller's to ask.

use sha2::{Digest, Sha256};

use crate::error::StoreResult;
use crate::limits;
use crate::ports::{Clock, Store};
use crate::text::secrets::{MaskCounts, Masker};
use crate::text::{harness, marks, tokens};
use crate::types::{Actor, Batch, Change, Role, SessionKey, Time, Turn, TurnId, Written, hex};

/// A message as a surface hands it over.
#[derive(Debug, Clone, PartialEq)]
pub struct IncomingMessage {
    pub role: Role,
    /// The speaker's name, where the client gives one.
    pub name: Option<String>,
    pub text: String,
    /// The client's own id of the message; a message with the same one is stored once.
    pub id: Option<String>,
    /// When it was said, if not now.
    pub at: Option<Time>,
    /// Cut off before it was complete.
    pub partial: bool,
}

impl IncomingMessage {
    pub fn new(role: Role, text: impl Into<String>) -> Self {
        Self { role, name: None, text: text.into(), id: None, at: None, partial: false }
    }
}

/// Why a message is not among the turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum LeftOutReason {
    #[error("it is empty")]
    Empty,
    #[error("it holds nothing but what was recalled into it")]
    OnlyRecalled,
    #[error("it is one of more than {} messages", limits::CAPTURE_MESSAGES)]
    TooMany,
}

/// A message that is not among the turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LeftOut {
    /// Its place among the messages, from 0.
    pub message: usize,
    pub reason: LeftOutReason,
}

/// A message of which only the beginning was kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TruncatedMessage {
    /// Its place among the messages, from 0.
    pub message: usize,
    /// How long it was.
    pub bytes: usize,
}

/// What came of the messages: turns that may be stored, and what was done to them.
#[derive(Debug, Clone, PartialEq)]
pub struct Captured {
    pub turns: Vec<Turn>,
    /// How many secrets of which kind were masked.
    pub masked: MaskCounts,
    /// Recalled spans that were taken out.
    pub stripped: usize,
    pub left_out: Vec<LeftOut>,
    pub cut: Vec<TruncatedMessage>,
}

/// Makes turns of messages. Those with an id are known again by it; those without are new each time: two calls that both
/// say "yes" are two turns.
pub fn prepare(
    session: &SessionKey,
    messages: Vec<IncomingMessage>,
    now: Time,
    ids: &dyn Clock,
    masker: &Masker,
) -> Captured {
    let mut captured = Captured {
        turns: Vec::with_capacity(messages.len()),
        masked: MaskCounts::new(),
        stripped: 0,
        left_out: Vec::new(),
        cut: Vec::new(),
    };
    for (place, message) in messages.into_iter().enumerate() {
        if place >= limits::CAPTURE_MESSAGES {
            captured.left_out.push(LeftOut { message: place, reason: LeftOutReason::TooMany });
            continue;
        }
        let clean = captured.clean(&message, masker);
        if let Some(reason) = clean.left_out() {
            captured.left_out.push(LeftOut { message: place, reason });
            continue;
        }
        let text = captured.fitting(place, clean.text);
        captured.turns.push(Turn {
            id: TurnId::from_uuid(ids.uuid()),
            external_id: given_id(&message),
            session: session.clone(),
            index: 0,
            role: message.role,
            speaker: message.name.map(|name| cut_to_bytes(name, limits::GIVEN_ID_BYTES)),
            tokens: u32::try_from(tokens::estimate(&text)).unwrap_or(u32::MAX),
            text,
            at: message.at.unwrap_or(now),
            partial: message.partial,
        });
    }
    captured
}

/// Writes the turns in one durable batch, in their order.
///
/// `pending` marks what waits to be distilled: what the user said and what was answered. System and tool messages are part
/// of the transcript but nothing is ever learned from them, so they do not wait. `agent_only` says that who speaks is bound to
/// the agent and does not share the user.
pub async fn append(
    store: &dyn Store,
    turns: Vec<Turn>,
    pending: bool,
    agent_only: bool,
    now: Time,
) -> StoreResult<Written> {
    let session = turns.first().filter(|_| agent_only).map(|turn| turn.session.clone());
    let mut batch = batch(turns, pending, now);
    batch.changes.extend(session.map(|session| Change::BindSession { session }));
    store.apply(batch).await
}

fn batch(turns: Vec<Turn>, pending: bool, now: Time) -> Batch {
    let mut batch = Batch::new(Actor::Person, now);
    for turn in turns {
        let waits = pending && matches!(turn.role, Role::User | Role::Assistant);
        match batch.changes.last_mut() {
            Some(Change::AppendTurns { turns, pending }) if *pending == waits => turns.push(turn),
            _ => batch.changes.push(Change::AppendTurns { turns: vec![turn], pending: waits }),
        }
    }
    batch
}

/// A message's text without recalled spans, secrets and what a program wrote in the user's name.
struct Clean {
    text: String,
    stripped: usize,
}

impl Clean {
    fn left_out(&self) -> Option<LeftOutReason> {
        match (self.text.trim().is_empty(), self.stripped) {
            (false, _) => None,
            (true, 0) => Some(LeftOutReason::Empty),
            (true, _) => Some(LeftOutReason::OnlyRecalled),
        }
    }
}

impl Captured {
    fn clean(&mut self, message: &IncomingMessage, masker: &Masker) -> Clean {
        let (text, stripped) = match message.role {
            Role::User => marks::strip(&harness::strip(&message.text).0),
            _ => marks::strip(&message.text),
        };
        let masked = masker.mask(&text);
        self.stripped += stripped;
        for (kind, count) in masked.counts {
            *self.masked.entry(kind).or_default() += count;
        }
        Clean { text: masked.text, stripped }
    }

    fn fitting(&mut self, place: usize, text: String) -> String {
        if text.len() > limits::TURN_TEXT_BYTES {
            self.cut.push(TruncatedMessage { message: place, bytes: text.len() });
        }
        cut_to_bytes(text, limits::TURN_TEXT_BYTES)
    }
}

/// The id under which the message is known again, where the client gives one.
fn given_id(message: &IncomingMessage) -> Option<String> {
    message.id.as_deref().map(str::trim).filter(|id| !id.is_empty()).map(bounded_id)
}

/// A client's id as it is, or its hash where it is too long to be kept: equal ids must stay equal.
fn bounded_id(id: &str) -> String {
    if id.len() <= limits::GIVEN_ID_BYTES {
        return id.to_owned();
    }
    hex(&Sha256::digest(id.as_bytes()))
}

/// The longest beginning of the text that fits, cut between characters.
fn cut_to_bytes(mut text: String, bytes: usize) -> String {
    text.truncate(text.floor_char_boundary(bytes));
    text
}

#[cfg(test)]
mod tests;
