//! What is known of a user, kept between messages.
//!
//! Every message is weighed against the newest of what is known, and every line of what was said against the newest of what was ever
//! known. Both lists stay as they are for as long as nothing is learned or forgotten, so they are kept and follow the change log: what
//! changed is read and put into its place, and only where something leaves a list that was cut, or the log does not reach back, it is read anew.
//!
//! What belongs to one conversation alone is read beside them: a list serves all conversations of a user.

use std::collections::BTreeSet;
use std::sync::Arc;

use parking_lot::Mutex;

use super::said::OutdatedPart;
use super::{ContextRequest, viewed};
use crate::error::StoreResult;
use crate::follower::AsOf;
use crate::limits;
use crate::ports::{ReadStore, RequestView};
use crate::recall::search::Glance;
use crate::types::{Filter, Memory, MemoryId, PageRequest, Scope, TenantId, Time, Viewer};

/// Which list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum ShelfSort {
    /// What holds now.
    Holding,
    /// Whatever was known, what is over too.
    Ever,
}

/// Whose list.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct ShelfKey {
    pub tenant: TenantId,
    viewer: Viewer,
    sort: ShelfSort,
}

/// The newest of what is known, the newest first.
#[derive(Debug)]
pub(super) struct KnownShelf {
    memories: Vec<Arc<Memory>>,
    /// There is more than is kept here.
    cut: bool,
    /// When it was read: what begins to hold later is not in it.
    at: Time,
    /// What of it is over and what stays, once somebody asked.
    outdated: Mutex<Option<Arc<OutdatedPart>>>,
}

impl ShelfSort {
    fn most(self) -> usize {
        match self {
            Self::Holding => limits::WEIGHED_MEMORIES,
            Self::Ever => limits::OUTDATED_MEMORIES,
        }
    }

    fn filter(self, request: &ContextRequest, viewer: &Viewer) -> Filter {
        let viewer = Some(viewer.clone());
        match self {
            Self::Holding => Filter { viewer, ..viewed(request) },
            Self::Ever => Filter { viewer, ..Filter::ever() },
        }
    }

    fn admits(self, memory: &Memory, viewer: &Viewer, now: Time) -> bool {
        viewer.sees(memory) && (self == Self::Ever || memory.holds(now))
    }
}

impl KnownShelf {
    fn new(memories: Vec<Arc<Memory>>, cut: bool, at: Time) -> Self {
        Self { memories, cut, at, outdated: Mutex::new(None) }
    }

    pub(super) fn memories(&self) -> &[Arc<Memory>] {
        &self.memories
    }

    /// Whether it can be looked at now: a list of what holds is read anew every now and then, because something may have begun to.
    fn serves(&self, sort: ShelfSort, now: Time) -> bool {
        let fresh = self.at <= now && now < self.at.plus_seconds(limits::SHELF_SECONDS);
        sort == ShelfSort::Ever || fresh && self.memories.iter().all(|memory| memory.holds(now))
    }

    /// The same with what changed; nothing where it must be read anew.
    fn with(
        &self,
        sort: ShelfSort,
        viewer: &Viewer,
        changed: &[MemoryId],
        news: Vec<Memory>,
        now: Time,
    ) -> Option<Self> {
        let mut memories = self.memories.clone();
        let mut cut = self.cut;
        let admitted: Vec<Arc<Memory>> =
            news.into_iter().filter(|memory| sort.admits(memory, viewer, now)).map(Arc::new).collect();
        memories
            .retain(|known| !changed.contains(&known.id) || admitted.iter().any(|new| new.id == known.id));
        // What stood below the cut belongs here now.
        if cut && memories.len() < self.memories.len() {
            return None;
        }
        for new in admitted {
            let place = memories.iter().position(|known| known.id == new.id);
            match place.filter(|place| memories[*place].created_at == new.created_at) {
                Some(place) => memories[place] = new,
                None => {
                    memories.retain(|known| known.id != new.id);
                    let place = memories.partition_point(|known| known.created_at > new.created_at);
                    memories.insert(place, new);
                }
            }
        }
        let most = sort.most();
        if memories.len() > most {
            memories.truncate(most);
            cut = true;
        }
        Some(Self::new(memories, cut, self.at))
    }

    /// What of it is over and what stays at this moment, where that is known.
    pub(super) fn outdated(&self, now: Time) -> Option<Arc<OutdatedPart>> {
        self.outdated.lock().clone().filter(|part| part.is_of(now))
    }

    pub(super) fn keep_outdated(&self, part: &Arc<OutdatedPart>) {
        *self.outdated.lock() = Some(Arc::clone(part));
    }
}

impl Glance<'_> {
    /// The newest of what is known of the viewer's user but for what belongs to one conversation alone.
    pub(super) async fn shelf(
        &self,
        request: &ContextRequest,
        sort: ShelfSort,
    ) -> StoreResult<Arc<KnownShelf>> {
        let viewer = Viewer { session: None, ..request.viewer.clone() };
        let Some(cache) = self.cache.filter(|_| !request.as_of) else {
            return self.read_shelf(request, sort, &viewer).await.map(Arc::new);
        };
        let head = self.view.head().await?;
        let key = ShelfKey { tenant: request.tenant.clone(), viewer, sort };
        let kept = cache.shelf(&key).filter(|kept| kept.state.serves(sort, request.now));
        let shelf = match kept {
            Some(AsOf { number, state }) if number == head => return Ok(state),
            Some(AsOf { number, state }) => follow(&self.view, &key, number, &state, request.now).await?,
            None => None,
        };
        let shelf = match shelf {
            Some(shelf) => shelf,
            None => Arc::new(self.read_shelf(request, sort, &key.viewer).await?),
        };
        cache.put_shelf(key, head, &shelf);
        Ok(shelf)
    }

    async fn read_shelf(
        &self,
        request: &ContextRequest,
        sort: ShelfSort,
        viewer: &Viewer,
    ) -> StoreResult<KnownShelf> {
        let page = PageRequest::newest(sort.most());
        let known = self.view.list_memories(&sort.filter(request, viewer), page).await?.items;
        let cut = known.len() >= sort.most();
        Ok(KnownShelf::new(known.into_iter().map(Arc::new).collect(), cut, request.now))
    }

    /// What belongs to the viewer's conversation alone, the newest first.
    pub(super) async fn of_conversation(
        &self,
        request: &ContextRequest,
        sort: ShelfSort,
    ) -> StoreResult<Vec<Memory>> {
        let Some(session) = request.viewer.session.clone() else { return Ok(Vec::new()) };
        let filter = sort.filter(request, &request.viewer);
        let filter = Filter { session: Some(session), scopes: vec![Scope::Thread], ..filter };
        Ok(self.view.list_memories(&filter, PageRequest::newest(sort.most())).await?.items)
    }
}

/// Brings a list to the log's head; nothing where it must be read anew.
async fn follow(
    view: &RequestView,
    key: &ShelfKey,
    number: u64,
    shelf: &Arc<KnownShelf>,
    now: Time,
) -> StoreResult<Option<Arc<KnownShelf>>> {
    let Some(entries) = view.changes_since(number, limits::CHANGES_AT_ONCE).await? else { return Ok(None) };
    let changed: BTreeSet<&str> =
        entries.iter().filter(|entry| entry.kind == "memory").map(|entry| entry.id.as_str()).collect();
    if changed.is_empty() && entries.len() < limits::CHANGES_AT_ONCE {
        return Ok(Some(Arc::clone(shelf)));
    }
    if entries.len() >= limits::CHANGES_AT_ONCE || changed.len() > limits::SHELF_CHANGES {
        return Ok(None);
    }
    let changed: Vec<MemoryId> = changed.into_iter().filter_map(|id| id.parse().ok()).collect();
    let news = view.memories(&changed).await?;
    // By itself, or as what took the place of something here.
    let is_here = |id: &MemoryId| {
        shelf.memories.iter().any(|known| known.id == *id || known.superseded_by.as_ref() == Some(id))
    };
    // What other users have does not concern it.
    if !changed.iter().any(is_here) && !news.iter().any(|memory| key.viewer.sees(memory)) {
        return Ok(Some(Arc::clone(shelf)));
    }
    Ok(shelf.with(key.sort, &key.viewer, &changed, news, now).map(Arc::new))
}

/// Two lists, the newest first, as one.
pub(super) fn merged(shelf: &KnownShelf, own: Vec<Memory>, most: usize) -> Vec<Arc<Memory>> {
    let mut memories = shelf.memories.clone();
    for memory in own.into_iter().rev() {
        let place = memories.partition_point(|known| known.created_at > memory.created_at);
        memories.insert(place, Arc::new(memory));
    }
    memories.truncate(most);
    memories
}
