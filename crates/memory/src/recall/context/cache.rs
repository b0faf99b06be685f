//! What is kept between requests: contexts for a few seconds, and the names that memory knows.
//!
//! A context is kept under everything that it depends on: who asks what, under which settings, and the number of the
//! change log's last entry. Any write, by any process, raises that number, so nothing forgotten is ever shown from here;
//! counters are not in the log, so using a memory does not make its context old. One cache serves all tenants: the
//! tenant is part of the key. Time comes from the caller.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use lru::LruCache;
use parking_lot::Mutex;

use super::shelf::{KnownShelf, ShelfKey};
use super::{Context, ContextRequest, Disclosure, PromptMemories};
use crate::follower::AsOf;
use crate::limits;
use crate::recall::gate::KnownNames;
use crate::settings::Settings;
use crate::types::{Owner, TenantId, Time, Viewer, content_hash};

#[derive(Debug, Default)]
pub struct ContextCache {
    /// Shared by all requests of the process; held for a look-up, never across a read.
    state: Mutex<CacheState>,
    /// Look-ups that found a context, and all look-ups, for those who watch.
    hits: AtomicU64,
    lookups: AtomicU64,
}

#[derive(Debug)]
struct CacheState {
    contexts: HashMap<ContextKey, Kept>,
    /// Those of the owners who asked last.
    names: LruCache<(TenantId, Owner), AsOf<Arc<KnownNames>>>,
    /// What is known of those who asked last.
    shelves: LruCache<ShelfKey, AsOf<Arc<KnownShelf>>>,
    /// What each tenant's look-ups came to.
    counts: HashMap<TenantId, Counts>,
}

impl Default for CacheState {
    fn default() -> Self {
        let names = LruCache::new(limits::KNOWN_NAMES_OWNERS);
        let shelves = LruCache::new(limits::SHELVES_KEPT);
        Self { contexts: HashMap::new(), names, shelves, counts: HashMap::new() }
    }
}

/// What look-ups came to since the process began.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    pub hits: u64,
    pub misses: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct ContextKey {
    tenant: TenantId,
    viewer: Viewer,
    /// Messages can be long.
    message_hash: String,
    first_turn: bool,
    introduces_anew: bool,
    in_view_from: Option<u64>,
    stands: Arc<PromptMemories>,
    disclosure: Disclosure,
    learned: bool,
}

#[derive(Debug)]
struct Kept {
    settings: Settings,
    at: Time,
    context: AsOf<Arc<Context>>,
}

impl CacheState {
    fn count(&mut self, tenant: &TenantId, hit: bool) {
        if self.counts.len() >= limits::COUNTED_TENANTS && !self.counts.contains_key(tenant) {
            self.counts.clear();
        }
        let counts = self.counts.entry(tenant.clone()).or_default();
        counts.hits += u64::from(hit);
        counts.misses += u64::from(!hit);
    }
}

impl ContextKey {
    fn of(request: &ContextRequest, learned: bool) -> Self {
        Self {
            tenant: request.tenant.clone(),
            viewer: request.viewer.clone(),
            message_hash: content_hash(&request.message),
            first_turn: request.first_turn,
            introduces_anew: request.introduces_anew,
            in_view_from: request.in_view_from,
            stands: Arc::clone(&request.stands),
            disclosure: request.disclosure.clone(),
            learned,
        }
    }
}

impl Kept {
    /// Young enough, and of the same day: a block may say which day it is.
    fn is_fresh(&self, request: &ContextRequest) -> bool {
        self.at <= request.now
            && request.now < self.at.plus_seconds(limits::CONTEXT_CACHE_SECONDS)
            && request.today() == self.at.date_in(&request.zone)
    }
}

impl ContextCache {
    pub(super) fn get(
        &self,
        request: &ContextRequest,
        head: u64,
        settings: &Settings,
        learned: bool,
    ) -> Option<Arc<Context>> {
        let key = ContextKey::of(request, learned);
        self.lookups.fetch_add(1, Ordering::Relaxed);
        let mut state = self.state.lock();
        let kept = state.contexts.get(&key);
        let same = |kept: &&Kept| kept.settings == *settings && kept.is_fresh(request);
        let found = kept.filter(same).and_then(|kept| kept.context.at(head).cloned());
        self.hits.fetch_add(u64::from(found.is_some()), Ordering::Relaxed);
        state.count(&request.tenant, found.is_some());
        found
    }

    pub(super) fn put(
        &self,
        request: &ContextRequest,
        head: u64,
        settings: &Settings,
        learned: bool,
        context: &Arc<Context>,
    ) {
        let context = AsOf { number: head, state: Arc::clone(context) };
        let kept = Kept { settings: settings.clone(), at: request.now, context };
        let mut state = self.state.lock();
        // What was made before the last write is never shown again, and must not be kept: something may have been purged.
        state.contexts.retain(|key, kept| key.tenant != request.tenant || kept.context.number >= head);
        if state.contexts.len() >= limits::CONTEXT_CACHE_ENTRIES {
            state.contexts.retain(|_, kept| kept.is_fresh(request));
        }
        if state.contexts.len() >= limits::CONTEXT_CACHE_ENTRIES {
            let oldest = state.contexts.iter().min_by_key(|(_, kept)| kept.at).map(|(key, _)| key.clone());
            oldest.and_then(|oldest| state.contexts.remove(&oldest));
        }
        state.contexts.insert(ContextKey::of(request, learned), kept);
    }

    /// An owner's names, as they were at a number of the log.
    pub(super) fn names(&self, tenant: &TenantId, owner: &Owner) -> Option<AsOf<Arc<KnownNames>>> {
        let mut state = self.state.lock();
        state.names.get(&(tenant.clone(), owner.clone())).cloned()
    }

    pub(super) fn put_names(&self, tenant: &TenantId, owner: &Owner, head: u64, names: &Arc<KnownNames>) {
        let names = AsOf { number: head, state: Arc::clone(names) };
        self.state.lock().names.put((tenant.clone(), owner.clone()), names);
    }

    /// What is known of somebody, as it was at a number of the log.
    pub(super) fn shelf(&self, key: &ShelfKey) -> Option<AsOf<Arc<KnownShelf>>> {
        self.state.lock().shelves.get(key).cloned()
    }

    pub(super) fn put_shelf(&self, key: ShelfKey, head: u64, shelf: &Arc<KnownShelf>) {
        let shelf = AsOf { number: head, state: Arc::clone(shelf) };
        self.state.lock().shelves.put(key, shelf);
    }

    /// Drops everything that is kept for a tenant.
    pub fn drop_all_of(&self, tenant: &TenantId) {
        let mut state = self.state.lock();
        state.contexts.retain(|key, _| key.tenant != *tenant);
        let owners: Vec<_> = state.names.iter().map(|(key, _)| key.clone()).collect();
        for key in owners.iter().filter(|(of, _)| of == tenant) {
            state.names.pop(key);
        }
        let viewers: Vec<_> = state.shelves.iter().map(|(key, _)| key.clone()).collect();
        for key in viewers.iter().filter(|key| key.tenant == *tenant) {
            state.shelves.pop(key);
        }
    }

    /// How often a context was found ready, and how often one had to be made.
    pub fn hits_and_misses(&self) -> (u64, u64) {
        let hits = self.hits.load(Ordering::Relaxed);
        (hits, self.lookups.load(Ordering::Relaxed).saturating_sub(hits))
    }

    /// The same for one tenant.
    pub fn counts_of(&self, tenant: &TenantId) -> Counts {
        self.state.lock().counts.get(tenant).copied().unwrap_or_default()
    }

    /// How many contexts are kept for one tenant now.
    pub fn len_of(&self, tenant: &TenantId) -> usize {
        self.state.lock().contexts.keys().filter(|key| key.tenant == *tenant).count()
    }

    /// How many contexts are kept now.
    pub fn len(&self) -> usize {
        self.state.lock().contexts.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
