//! Which conversation a request belongs to, and what of it is already known.
//!
//! A chat client names no conversation; it sends the whole of it with every request. So a request continues the session in
//! which we forwarded a reply that it contains: the latest such reply decides ([`exact_prefix`]). Replies are known by their place
//! in the hash chain, so two conversations that begin alike are told apart as soon as one reply differs. What a session's first
//! request brought along does not count: programs begin all their conversations with the same examples. Where several
//! sessions have the same reply at the same place, the one that also has what follows wins (a message is asked again),
//! then one that ends with the reply (it waits for its next message), then the latest.
//!
//! A client that drops the beginning of a long conversation breaks the chain. Its replies are then known by their text
//! ([`trimmed_prefix`]): the chain is taken up again behind each reply that is found, so that the messages after it have the
//! identities that they had before.
//!
//! Some servers keep conversations themselves, and a request names the reply that it comes after ([`by_response_id`]).
//!
//! A reply is stored moments after the client has it, and its next request may be faster. [`Recent`] bridges that moment.

pub mod by_response_id;
mod exact_prefix;
pub mod incoming;
mod recent_replies;
mod single_message;
mod trimmed_prefix;

use async_trait::async_trait;

use crate::chain::{self, Chain, ChainHash, ChainText};
use crate::wire::WireMessage;
use memory::error::StoreResult;
use memory::ports::{Clock, KnownTurn, ReadStore};
use memory::text::secrets::Masker;
use memory::types::{Owner, Role, SessionId, SessionKey, TenantId, Turn};

pub use by_response_id::Answered;
pub use recent_replies::Recent;

/// A request, as far as it tells which conversation it is part of.
#[derive(Clone, Copy)]
pub struct ContinuityRequest<'a> {
    pub tenant: &'a TenantId,
    pub owner: &'a Owner,
    /// The conversation, where the client names it.
    pub session: Option<&'a SessionId>,
    pub messages: &'a [WireMessage],
    pub masker: &'a Masker,
    pub recent: &'a Recent,
}

/// Where a request stands in which conversation.
#[derive(Debug, Clone, PartialEq)]
pub struct Continuation {
    pub key: SessionKey,
    /// The identity of each message, system messages among them.
    pub hashes: Vec<ChainHash>,
    /// The place behind the last message: where the reply comes.
    pub end: Chain,
    /// Messages from the first on that are stored, or that stood before some that are. The others are captured, also those
    /// that another request is storing just now: a message is stored once, and one that got lost is found again.
    pub known_before: usize,
    /// The session begins with this request.
    pub is_new: bool,
    /// The user's latest message was asked before: it is asked again, or tools are being called for it.
    pub user_message_known: bool,
    /// Turns of the session from this index on stand in the request.
    pub in_view_from: Option<u64>,
}

/// What must be known of the turns that are stored. Every store tells it; a test can with a list.
#[async_trait]
pub trait TurnLookup: Send + Sync {
    /// As `ReadStore::places_of`.
    async fn places_of(&self, external_ids: &[String]) -> StoreResult<Vec<KnownTurn>>;

    /// As `ReadStore::replies_like`.
    async fn replies_like(&self, text_hashes: &[String], limit: usize) -> StoreResult<Vec<KnownTurn>>;

    async fn has_session(&self, key: &SessionKey) -> StoreResult<bool>;

    /// The session's turns behind this index, from there on as many as one read gives.
    async fn turns_after(&self, key: &SessionKey, index: u64) -> StoreResult<Vec<Turn>>;
}

#[async_trait]
impl<S: ReadStore + ?Sized> TurnLookup for S {
    async fn places_of(&self, external_ids: &[String]) -> StoreResult<Vec<KnownTurn>> {
        ReadStore::places_of(self, external_ids).await
    }

    async fn replies_like(&self, text_hashes: &[String], limit: usize) -> StoreResult<Vec<KnownTurn>> {
        ReadStore::replies_like(self, text_hashes, limit).await
    }

    async fn has_session(&self, key: &SessionKey) -> StoreResult<bool> {
        Ok(self.session(key).await?.is_some())
    }

    async fn turns_after(&self, key: &SessionKey, index: u64) -> StoreResult<Vec<Turn>> {
        self.session_turns(key, index + 1, memory::limits::PAGE_ROWS).await
    }
}

/// Finds the request's conversation, or begins one. Reads little: nothing at all for a first message.
pub async fn find<S: TurnLookup + ?Sized>(
    store: &S,
    asking: ContinuityRequest<'_>,
    ids: &dyn Clock,
) -> StoreResult<Continuation> {
    let walk = ChainWalk::of(&asking);
    let named = asking.session.map(|session| SessionKey::new(asking.owner, session.clone()));
    if named.is_none() && walk.is_opening() {
        return Ok(walk.begins(new_key(asking.owner, ids)));
    }
    if let Some(key) = &named
        && let Some(continuation) = single_message::find(store, &walk, key).await?
    {
        return Ok(continuation);
    }
    if let Some(continuation) = exact_prefix::find(store, &asking, &walk, named.as_ref()).await? {
        return Ok(continuation);
    }
    if let Some(continuation) = trimmed_prefix::find(store, &asking, &walk, named.as_ref()).await? {
        return Ok(continuation);
    }
    let Some(key) = named else {
        let key = new_key(asking.owner, ids);
        asking.recent.begun(&asking, &walk, &key);
        return Ok(walk.begins(key));
    };
    let is_new = !store.has_session(&key).await?;
    Ok(Continuation { is_new, in_view_from: is_new.then_some(0), ..walk.begins(key) })
}

fn new_key(owner: &Owner, ids: &dyn Clock) -> SessionKey {
    let session = format!("chat-{}", ids.uuid().hyphenated());
    SessionKey::new(owner, session.parse().expect("letters, digits and dashes name a session"))
}

/// The messages with their identities, as if the request had the whole conversation.
struct ChainWalk {
    start: Chain,
    roles: Vec<Role>,
    said: Vec<ChainText>,
    hashes: Vec<ChainHash>,
    end: Chain,
}

impl ChainWalk {
    fn of(asking: &ContinuityRequest<'_>) -> Self {
        let start = Chain::start(&asking.owner.agent, &asking.owner.user);
        let said = |message: &WireMessage| chain::said(&message.as_message(), asking.masker);
        let mut walk = Self {
            start,
            roles: asking.messages.iter().map(|message| message.role).collect(),
            said: asking.messages.iter().map(said).collect(),
            hashes: Vec::new(),
            end: start,
        };
        (walk.hashes, walk.end) = walk.anchored(start, |_| None);
        walk
    }

    /// The identities, where some are known otherwise: the chain goes on behind those.
    fn anchored(&self, start: Chain, known: impl Fn(usize) -> Option<ChainHash>) -> (Vec<ChainHash>, Chain) {
        let mut chain = start;
        let mut hashes = Vec::with_capacity(self.said.len());
        for (place, (said, role)) in self.said.iter().zip(&self.roles).enumerate() {
            let anchor = known(place);
            hashes.push(anchor.unwrap_or_else(|| chain.hash(*role, &said.text)));
            chain = anchor.map_or_else(|| said.behind(chain, *role), Chain::after);
        }
        (hashes, chain)
    }

    /// One message of a user and no reply.
    fn is_opening(&self) -> bool {
        let count = |role: Role| self.places(role).count();
        count(Role::User) == 1 && count(Role::Assistant) == 0
    }

    fn places(&self, role: Role) -> impl DoubleEndedIterator<Item = usize> {
        self.roles.iter().enumerate().filter(move |(_, other)| **other == role).map(|(place, _)| place)
    }

    fn last_user(&self) -> Option<usize> {
        self.places(Role::User).next_back()
    }

    /// The first message behind this place that is part of the conversation.
    fn after(&self, place: usize) -> Option<usize> {
        let counts = |other: &usize| self.roles[*other] != Role::System && !self.said[*other].only_recalled;
        (place + 1..self.roles.len()).find(counts)
    }

    /// Nothing of it is known.
    fn begins(self, key: SessionKey) -> Continuation {
        Continuation {
            key,
            hashes: self.hashes,
            end: self.end,
            known_before: 0,
            is_new: true,
            user_message_known: false,
            in_view_from: Some(0),
        }
    }
}

#[cfg(test)]
mod tests;
