//! By the text of replies: a request whose beginning was dropped, or rewritten as a summary.
//!
//! Only replies long enough to be told apart count, and only the owner's own. The first reply of a session alone does not
//! count, where the user's message stands before it: nothing can have been dropped there, so the chain would have been
//! found, and greetings are alike.

use std::collections::HashMap;

use super::{ChainWalk, Continuation, ContinuityRequest, TurnLookup, incoming};
use crate::chain::ChainHash;
use crate::limits;
use memory::error::StoreResult;
use memory::ports::KnownTurn;
use memory::text::marks;
use memory::types::{Role, SessionKey, content_hash};

pub(super) async fn find<S: TurnLookup + ?Sized>(
    store: &S,
    asking: &ContinuityRequest<'_>,
    walk: &ChainWalk,
    named: Option<&SessionKey>,
) -> StoreResult<Option<Continuation>> {
    // Where the session is named, any reply tells where in it the request goes on.
    let characters = if named.is_some() { 1 } else { limits::TELLING_REPLY_CHARACTERS };
    let replies = telling_replies(asking, walk, characters);
    if replies.is_empty() {
        return Ok(None);
    }
    let hashes: Vec<String> = replies.iter().map(|(_, hash)| hash.clone()).collect();
    let wanted = |turn: &KnownTurn| match named {
        Some(key) => turn.session == *key,
        None => turn.session.owner() == *asking.owner && !turn.brought,
    };
    let turns = store.replies_like(&hashes, limits::REPLIES_LIKE).await?;
    let turns: Vec<KnownTurn> = turns.into_iter().filter(wanted).collect();
    let Some(anchors) = best(walk, &replies, &turns) else { return Ok(None) };
    let continuation = anchors.continuation(walk);
    Ok(Some(with_what_follows(store, walk, continuation).await?))
}

/// The latest replies whose text tells which they are, with its hash, in their order.
fn telling_replies(
    asking: &ContinuityRequest<'_>,
    walk: &ChainWalk,
    characters: usize,
) -> Vec<(usize, String)> {
    let telling = |place: &usize| walk.said[*place].text.chars().count() >= characters;
    let mut replies: Vec<(usize, String)> = walk
        .places(Role::Assistant)
        .rev()
        .filter(telling)
        .take(limits::REPLIES_BY_TEXT)
        .map(|place| {
            let (text, _) = marks::strip(&incoming::spoken(&asking.messages[place]));
            (place, content_hash(&asking.masker.mask(&text).text))
        })
        .collect();
    replies.reverse();
    replies
}

/// The replies of the request that one session has.
struct Anchors<'a> {
    session: &'a SessionKey,
    /// Place in the request, and the turn.
    turns: Vec<(usize, &'a KnownTurn)>,
}

/// The session that has the latest reply; of several the one that has most, then one that ends with it, then the latest.
fn best<'a>(walk: &ChainWalk, replies: &[(usize, String)], turns: &'a [KnownTurn]) -> Option<Anchors<'a>> {
    let mut by_session: HashMap<&SessionKey, (usize, Vec<&KnownTurn>)> = HashMap::new();
    for (order, turn) in turns.iter().enumerate() {
        by_session.entry(&turn.session).or_insert((order, Vec::new())).1.push(turn);
    }
    let merit = |(order, anchors): &(usize, Anchors<'_>)| {
        let (place, turn) = *anchors.turns.last().expect("one at least");
        (place, anchors.turns.len(), turn.is_last, std::cmp::Reverse(*order))
    };
    by_session
        .into_iter()
        .map(|(session, (order, turns))| (order, Anchors { session, turns: aligned(replies, &turns) }))
        .filter(|(_, anchors)| anchors.is_convincing(walk))
        .max_by_key(merit)
        .map(|(_, anchors)| anchors)
}

/// Which turn each reply is: from the last one back, each the latest before the one behind it.
fn aligned<'a>(replies: &[(usize, String)], turns: &[&'a KnownTurn]) -> Vec<(usize, &'a KnownTurn)> {
    let mut before = u64::MAX;
    let mut aligned = Vec::new();
    for (place, hash) in replies.iter().rev() {
        let is_it = |turn: &&&KnownTurn| turn.text_hash.as_ref() == Some(hash) && turn.index < before;
        // A turn that a client named itself is in no chain.
        let in_chain = |turn: &&&KnownTurn| turn.external_id.parse::<ChainHash>().is_ok();
        if let Some(turn) = turns.iter().filter(is_it).filter(in_chain).max_by_key(|turn| turn.index) {
            before = turn.index;
            aligned.push((*place, *turn));
        }
    }
    aligned.reverse();
    aligned
}

impl Anchors<'_> {
    fn is_convincing(&self, walk: &ChainWalk) -> bool {
        match self.turns.as_slice() {
            [] => false,
            [(place, turn)] => turn.index > 1 || walk.places(Role::User).all(|user| user > *place),
            _ => true,
        }
    }

    fn continuation(&self, walk: &ChainWalk) -> Continuation {
        let known: HashMap<usize, ChainHash> = self
            .turns
            .iter()
            .filter_map(|(place, turn)| Some((*place, turn.external_id.parse().ok()?)))
            .collect();
        let (hashes, end) = walk.anchored(walk.start, |place| known.get(&place).copied());
        let (last, _) = self.turns.last().expect("a convincing one has one");
        Continuation {
            key: self.session.clone(),
            hashes,
            end,
            known_before: last + 1,
            is_new: false,
            user_message_known: walk.last_user().is_some_and(|user| user <= *last),
            in_view_from: self.turns.first().map(|(_, turn)| turn.index),
        }
    }
}

/// Messages behind the last reply may be stored too: they are asked again.
async fn with_what_follows<S: TurnLookup + ?Sized>(
    store: &S,
    walk: &ChainWalk,
    mut continuation: Continuation,
) -> StoreResult<Continuation> {
    let rest: Vec<String> =
        continuation.hashes[continuation.known_before..].iter().map(ToString::to_string).collect();
    for turn in store.places_of(&rest).await? {
        let place = rest.iter().position(|hash| *hash == turn.external_id);
        if let Some(place) = place.filter(|_| turn.session == continuation.key) {
            let place = place + continuation.hashes.len() - rest.len();
            continuation.known_before = continuation.known_before.max(place + 1);
            continuation.user_message_known |= walk.last_user() == Some(place);
        }
    }
    Ok(continuation)
}
