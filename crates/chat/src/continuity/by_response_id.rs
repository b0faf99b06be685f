//! Behind a reply that the server itself keeps: the request names it and brings only what is new.
//!
//! Nothing has to be guessed there. Which reply had which name is remembered, so that the chain goes on where it was and
//! the same words said twice are two messages: for a while in [`Answered`], which the next request may need before anything
//! is stored, and for good in the store, among the blocks of the session, as one that says nothing to anybody
//! ([`ReplyPlace::as_block`]). A name that nobody knows leaves the request to what it brings by itself.

use super::{ChainWalk, Continuation, ContinuityRequest, TurnLookup};
use crate::chain::{Chain, ChainHash};
use crate::limits;
use lru::LruCache;
use memory::error::StoreResult;
use memory::types::{Block, Role, SessionKey, TenantId, Time, content_hash};
use parking_lot::Mutex;

/// A place in a session: behind this reply.
#[derive(Debug, Clone, PartialEq)]
pub struct ReplyPlace {
    pub key: SessionKey,
    pub reply: ChainHash,
}

impl ReplyPlace {
    /// What the place of that name is stored under. No message's block can have the same key.
    pub fn stored_under(name: &str) -> String {
        content_hash(&format!("recollect answered 1\u{1f}{name}"))
    }

    /// The place under its name, for the store.
    pub fn as_block(&self, name: &str, at: Time) -> Block {
        Block {
            hash: Self::stored_under(name),
            session: self.key.clone(),
            text: self.reply.to_string(),
            tokens: 0,
            memories: Vec::new(),
            turns: Vec::new(),
            episodes: Vec::new(),
            at,
            standing: Vec::new(),
            standing_tokens: 0,
            dropped: false,
        }
    }

    pub fn of_block(block: Block) -> Option<ReplyPlace> {
        let reply = block.text.parse().ok()?;
        Some(ReplyPlace { key: block.session, reply })
    }

    /// Whether it is theirs who ask: in a session of their own, and in the one they name where they name one.
    pub fn is_for(&self, asking: &ContinuityRequest<'_>) -> bool {
        let is_named = asking.session.is_none_or(|session| *session == self.key.session);
        is_named && self.key.owner() == *asking.owner
    }
}

/// The names that servers gave to replies and conversations of late, for all tenants. Nothing that was said is kept here.
#[derive(Debug)]
pub struct Answered {
    /// Shared by all requests of the process; held for a look, never across a read.
    places: Mutex<LruCache<(TenantId, String), ReplyPlace>>,
}

impl Default for Answered {
    fn default() -> Self {
        Self { places: Mutex::new(LruCache::new(limits::RECENT_REPLIES)) }
    }
}

impl Answered {
    /// From here on the name means this place. To be said before the client has the whole reply.
    pub fn note(&self, tenant: &TenantId, name: &str, place: ReplyPlace) {
        if name.len() <= memory::limits::GIVEN_ID_BYTES {
            let mut places = self.places.lock();
            places.put((tenant.clone(), name.to_owned()), place);
        }
    }

    /// What the name means for whoever asks.
    pub fn find(&self, asking: &ContinuityRequest<'_>, name: &str) -> Option<ReplyPlace> {
        let mut places = self.places.lock();
        let place = places.get(&(asking.tenant.clone(), name.to_owned()))?;
        place.is_for(asking).then(|| place.clone())
    }
}

/// The request as what comes behind that place.
pub async fn find<S: TurnLookup + ?Sized>(
    store: &S,
    asking: &ContinuityRequest<'_>,
    place: ReplyPlace,
) -> StoreResult<Continuation> {
    let walk = ChainWalk::of(asking);
    let (hashes, end) = walk.anchored(Chain::after(place.reply), |_| None);
    let counts = |at: &usize| walk.roles[*at] != Role::System && !walk.said[*at].only_recalled;
    let ids: Vec<String> = (0..hashes.len()).filter(counts).map(|at| hashes[at].to_string()).collect();
    let known = store.places_of(&ids).await?;
    let stored = known.iter().filter(|turn| turn.session == place.key);
    let last =
        stored.filter_map(|turn| hashes.iter().position(|hash| hash.to_string() == turn.external_id)).max();
    Ok(Continuation {
        key: place.key,
        hashes,
        end,
        known_before: last.map_or(0, |last| last + 1),
        is_new: false,
        user_message_known: walk.last_user().is_some_and(|user| last.is_some_and(|last| user <= last)),
        // The server puts all of it before what the request brings.
        in_view_from: Some(0),
    })
}
