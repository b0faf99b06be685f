//! What was forwarded a moment ago and may not be stored yet.
//!
//! Two things are decided on it. A reply that the store does not have yet is known here. And a session that ends with a
//! reply is given to one request only: of two conversations with the same beginning, both wait for their next message,
//! and two requests at the same time must not both be taken for the next message of the same one. Choosing and claiming
//! are therefore one step under one lock.
//!
//! Nothing that was said is kept here, only hashes and names, so nothing can outlive a forget.

use super::{ChainWalk, ContinuityRequest};
use crate::chain::ChainHash;
use crate::limits;
use lru::LruCache;
use memory::types::{Role, SessionKey, TenantId};
use parking_lot::{Mutex, MutexGuard};

/// The replies that were forwarded lately, of all tenants.
#[derive(Debug)]
pub struct Recent {
    /// Shared by all requests of the process; held for a look, never across a read.
    replies: Mutex<LruCache<(TenantId, ChainHash), Vec<RecentPlace>>>,
}

/// A session that has the reply.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct RecentPlace {
    pub session: SessionKey,
    /// The message that came behind the reply, once one has.
    pub followed_by: Option<ChainHash>,
    /// The session's first request brought the reply along.
    pub brought: bool,
}

impl Default for Recent {
    fn default() -> Self {
        Self { replies: Mutex::new(LruCache::new(limits::RECENT_REPLIES)) }
    }
}

impl Recent {
    /// A reply goes out to the client in this session. To be said before the client has the whole of it.
    pub fn forwarded(&self, tenant: &TenantId, session: &SessionKey, reply: ChainHash) {
        self.lock().note(tenant, reply, session, None);
    }

    /// A session begins with a history: it is known by its last reply before it is stored.
    pub(super) fn begun(&self, asking: &ContinuityRequest<'_>, walk: &ChainWalk, session: &SessionKey) {
        if let Some(reply) = walk.places(Role::Assistant).next_back() {
            let followed_by = walk.after(reply).map(|place| walk.hashes[place]);
            let place = RecentPlace { session: session.clone(), followed_by, brought: true };
            self.lock().add(asking.tenant, walk.hashes[reply], place);
        }
    }

    pub(super) fn lock(&self) -> Locked<'_> {
        Locked(self.replies.lock())
    }
}

pub(super) struct Locked<'a>(MutexGuard<'a, LruCache<(TenantId, ChainHash), Vec<RecentPlace>>>);

impl Locked<'_> {
    pub fn places(&mut self, tenant: &TenantId, reply: ChainHash) -> Vec<RecentPlace> {
        self.0.get(&(tenant.clone(), reply)).cloned().unwrap_or_default()
    }

    pub fn note(
        &mut self,
        tenant: &TenantId,
        reply: ChainHash,
        session: &SessionKey,
        followed_by: Option<ChainHash>,
    ) {
        let place = RecentPlace { session: session.clone(), followed_by, brought: false };
        self.add(tenant, reply, place);
    }

    /// A place that is known keeps how it came to be.
    fn add(&mut self, tenant: &TenantId, reply: ChainHash, new: RecentPlace) {
        let key = (tenant.clone(), reply);
        let Some(places) = self.0.get_mut(&key) else {
            self.0.put(key, vec![new]);
            return;
        };
        match places.iter_mut().find(|place| place.session == new.session) {
            Some(place) => place.followed_by = new.followed_by.or(place.followed_by),
            None => {
                if places.len() >= limits::RECENT_SESSIONS_OF_REPLY {
                    places.remove(0);
                }
                places.push(new);
            }
        }
    }
}
