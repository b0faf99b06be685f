//! By the chain: the session that has the request's latest reply at the same place.

use std::collections::HashMap;

use super::recent_replies::Locked;
use super::{ChainWalk, Continuation, ContinuityRequest, TurnLookup};
use memory::error::StoreResult;
use memory::ports::KnownTurn;
use memory::types::{Role, SessionKey};

/// Replies that are looked for first. The latest ones are in one session only; the first ones ("Hello!") may be in
/// thousands, and are asked for only where no later one is known.
const LATEST_REPLIES: usize = 4;

pub(super) async fn find<S: TurnLookup + ?Sized>(
    store: &S,
    asking: &ContinuityRequest<'_>,
    walk: &ChainWalk,
    named: Option<&SessionKey>,
) -> StoreResult<Option<Continuation>> {
    let split = walk.places(Role::Assistant).rev().nth(LATEST_REPLIES - 1).unwrap_or(0);
    let mut known = KnownMessages::default();
    known.look(store, asking, walk, named, split..walk.hashes.len()).await?;
    if !known.has_reply(walk) && split > 0 {
        known.look(store, asking, walk, named, 0..split).await?;
    }
    // Everything is read; from here on nobody else chooses.
    let mut recent = asking.recent.lock();
    Ok(known.choose(asking, walk, named, &mut recent).map(|chosen| chosen.continuation(walk)))
}

/// What the store knows of the request's messages, by session.
#[derive(Default)]
struct KnownMessages {
    sessions: HashMap<SessionKey, Vec<At>>,
    /// The sessions in the order in which they were met: the latest first.
    order: Vec<SessionKey>,
}

/// One message of the request that a session has.
#[derive(Debug, Clone, Copy)]
struct At {
    place: usize,
    is_last: bool,
    brought: bool,
}

impl KnownMessages {
    async fn look<S: TurnLookup + ?Sized>(
        &mut self,
        store: &S,
        asking: &ContinuityRequest<'_>,
        walk: &ChainWalk,
        named: Option<&SessionKey>,
        among: std::ops::Range<usize>,
    ) -> StoreResult<()> {
        let counts = |place: &usize| walk.roles[*place] != Role::System && !walk.said[*place].only_recalled;
        let latest = among.filter(counts).rev().take(memory::limits::READ_IDS);
        let places: HashMap<String, usize> =
            latest.map(|place| (walk.hashes[place].to_string(), place)).collect();
        let ids: Vec<String> = places.keys().cloned().collect();
        for turn in store.places_of(&ids).await? {
            let wanted = named.map_or(turn.session.owner() == *asking.owner, |key| turn.session == *key);
            if let Some(place) = places.get(&turn.external_id).filter(|_| wanted) {
                self.add(turn, *place);
            }
        }
        Ok(())
    }

    fn add(&mut self, turn: KnownTurn, place: usize) {
        if !self.sessions.contains_key(&turn.session) {
            self.order.push(turn.session.clone());
        }
        let KnownTurn { is_last, brought, .. } = turn;
        self.sessions.entry(turn.session).or_default().push(At { place, is_last, brought });
    }

    fn has_reply(&self, walk: &ChainWalk) -> bool {
        self.sessions.values().flatten().any(|at| walk.roles[at.place] == Role::Assistant)
    }

    fn at(&self, session: &SessionKey, place: usize) -> Option<At> {
        self.sessions.get(session)?.iter().find(|at| at.place == place).copied()
    }

    /// The last message of the request that the session has.
    fn last_of(&self, session: &SessionKey) -> Option<usize> {
        self.sessions.get(session)?.iter().map(|at| at.place).max()
    }

    /// Chooses a session and claims its end for the message behind the reply.
    fn choose(
        &self,
        asking: &ContinuityRequest<'_>,
        walk: &ChainWalk,
        named: Option<&SessionKey>,
        recent: &mut Locked<'_>,
    ) -> Option<ChosenSession> {
        let mut replies = walk.places(Role::Assistant).rev();
        let found = replies.find_map(|reply| {
            let candidates = self.candidates(asking, walk, named, recent, reply);
            (!candidates.is_empty()).then_some((reply, candidates))
        });
        let Some((reply, candidates)) = found else { return self.asked_again(named, walk) };
        let chosen = candidates.into_iter().max_by_key(SessionCandidate::merit)?;
        if let Some(next) = walk.after(reply) {
            recent.note(asking.tenant, walk.hashes[reply], &chosen.session, Some(walk.hashes[next]));
        }
        Some(ChosenSession {
            user_message_known: walk.last_user().is_some_and(|user| user <= chosen.asked_to),
            known_before: self.last_of(&chosen.session).map_or(0, |last| last + 1),
            session: chosen.session,
        })
    }

    /// Whether the session has the user's latest message too: it is asked again, whoever said what stands before it.
    fn is_asked_again(&self, session: &SessionKey, walk: &ChainWalk) -> bool {
        walk.last_user().is_some_and(|user| self.at(session, user).is_some())
    }

    /// The sessions that have the reply at this place, the latest last.
    fn candidates(
        &self,
        asking: &ContinuityRequest<'_>,
        walk: &ChainWalk,
        named: Option<&SessionKey>,
        recent: &mut Locked<'_>,
        reply: usize,
    ) -> Vec<SessionCandidate> {
        let next = walk.after(reply);
        let forwarded = recent.places(asking.tenant, walk.hashes[reply]);
        let stored = self.order.iter().rev().filter_map(|session| Some((session, self.at(session, reply)?)));
        let mut candidates: Vec<SessionCandidate> = Vec::new();
        for (session, at) in stored {
            if named.is_none() && at.brought && !self.is_asked_again(session, walk) {
                continue;
            }
            let asked_to = self.last_of(session).unwrap_or(reply);
            candidates.push(SessionCandidate { session: session.clone(), asked_to, waits: at.is_last });
        }
        for place in forwarded {
            if named.is_some_and(|key| place.session != *key) || place.session.owner() != *asking.owner {
                continue;
            }
            let follows = next.is_some_and(|next| place.followed_by == Some(walk.hashes[next]));
            if named.is_none() && place.brought && !follows {
                continue;
            }
            let same = candidates.iter().position(|candidate| candidate.session == place.session);
            let candidate = match same {
                Some(same) => &mut candidates[same],
                None => {
                    candidates.push(SessionCandidate {
                        session: place.session,
                        asked_to: reply,
                        waits: true,
                    });
                    candidates.last_mut().expect("pushed just now")
                }
            };
            candidate.waits &= place.followed_by.is_none();
            if let (Some(follower), Some(next)) = (place.followed_by, next)
                && follower == walk.hashes[next]
            {
                candidate.asked_to = candidate.asked_to.max(next);
            }
        }
        candidates
    }

    /// The client names the session, and no reply of it is in the request, but a message that it has.
    fn asked_again(&self, named: Option<&SessionKey>, walk: &ChainWalk) -> Option<ChosenSession> {
        let session = named?.clone();
        let known_before = self.last_of(&session)? + 1;
        let user_message_known = walk.last_user().is_some_and(|user| self.at(&session, user).is_some());
        Some(ChosenSession { session, known_before, user_message_known })
    }
}

/// A session that could be meant.
#[derive(Debug)]
struct SessionCandidate {
    session: SessionKey,
    /// The last message of the request that it has, or that was asked in it a moment ago.
    asked_to: usize,
    /// It ends with the reply.
    waits: bool,
}

impl SessionCandidate {
    fn merit(&self) -> (usize, bool) {
        (self.asked_to, self.waits)
    }
}

struct ChosenSession {
    session: SessionKey,
    /// Of the store alone: what is only on its way there is captured again, and stored once.
    known_before: usize,
    user_message_known: bool,
}

impl ChosenSession {
    fn continuation(self, walk: &ChainWalk) -> Continuation {
        Continuation {
            key: self.session,
            hashes: walk.hashes.clone(),
            end: walk.end,
            known_before: self.known_before,
            is_new: false,
            user_message_known: self.user_message_known,
            // The chain begins with the conversation, so all of it stands in the request.
            in_view_from: Some(0),
        }
    }
}
