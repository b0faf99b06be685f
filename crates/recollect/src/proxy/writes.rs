//! The order of what is being stored: of one session one thing at a time, in the order in which it was said.
//!
//! The store would take them in any order, and a client's next message may overtake the reply before it. So a write takes
//! a [`Ticket`] when it begins and waits for the one before it. Whoever reads the session waits a moment for the latest; a
//! block that is still on its way then can be had from here, so that a slow disk changes no prompt.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use memory::types::{Block, SessionKey, TenantId};
use tokio::sync::watch;

use crate::limits;

/// What is unstored in the whole process, so that a server that leaves can wait for them.
static UNDER_WAY: AtomicUsize = AtomicUsize::new(0);

/// Between two looks at whether all are done.
const LOOK: Duration = Duration::from_millis(5);

/// Waits until nothing that was said is on its way to the store any longer, or for so long.
pub async fn all_stored(within: Duration) -> bool {
    let done = async {
        while UNDER_WAY.load(Ordering::Acquire) > 0 {
            tokio::time::sleep(LOOK).await;
        }
    };
    tokio::time::timeout(within, done).await.is_ok()
}

/// Something that was said and is not stored yet, from the moment it is known until its write is over. A conversation that is
/// still being recognised has no place in its session yet, but a server that leaves must wait for it all the same.
pub struct Unstored(());

impl Unstored {
    pub fn begin() -> Self {
        UNDER_WAY.fetch_add(1, Ordering::AcqRel);
        Self(())
    }
}

impl Drop for Unstored {
    fn drop(&mut self) {
        UNDER_WAY.fetch_sub(1, Ordering::AcqRel);
    }
}

/// The writes under way, by session. Cheap to clone.
#[derive(Clone, Default)]
pub struct Writes {
    /// Shared by all requests; held for a look-up, never across a wait.
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    latest: HashMap<Name, Latest>,
    /// Blocks on their way to the store, by what they are stored under.
    blocks: HashMap<(TenantId, String), Block>,
    under_way: usize,
    taken: u64,
}

type Name = (TenantId, SessionKey);

/// The write that came last in its session.
struct Latest {
    number: u64,
    done: watch::Receiver<()>,
}

/// A write's place in its session. The write is over when this is dropped.
pub struct Ticket {
    writes: Writes,
    name: Name,
    number: u64,
    before: Option<watch::Receiver<()>>,
    /// The key of the block that is written, where one is.
    block: Option<String>,
    /// Nothing is ever sent: that it is gone is what those behind wait for.
    _done: watch::Sender<()>,
}

impl Writes {
    /// The next place in the session; none where too many writes are under way.
    pub fn begin(&self, tenant: &TenantId, key: &SessionKey) -> Option<Ticket> {
        let name = (tenant.clone(), key.clone());
        let (sender, done) = watch::channel(());
        let mut state = self.lock();
        if state.under_way >= limits::CAPTURES_WAITING {
            return None;
        }
        state.under_way += 1;
        state.taken += 1;
        let number = state.taken;
        let before = state.latest.insert(name.clone(), Latest { number, done }).map(|latest| latest.done);
        Some(Ticket { writes: self.clone(), name, number, before, block: None, _done: sender })
    }

    /// Waits until everything is stored that was said in the session until now, though not for long.
    pub async fn settled(&self, tenant: &TenantId, key: &SessionKey) {
        let name = (tenant.clone(), key.clone());
        let latest = self.lock().latest.get(&name).map(|latest| latest.done.clone());
        // What is late is on its way, and its block is here.
        let _ = tokio::time::timeout(limits::SETTLE_WITHIN, over(latest)).await;
    }

    /// The blocks under these keys that are not stored yet.
    pub fn blocks(&self, tenant: &TenantId, keys: &[String]) -> Vec<Block> {
        let state = self.lock();
        if state.blocks.is_empty() {
            return Vec::new();
        }
        keys.iter().filter_map(|key| state.blocks.get(&(tenant.clone(), key.clone())).cloned()).collect()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Ticket {
    /// Lets the block be found while it is being written.
    pub fn carries(&mut self, block: &Block) {
        self.block = Some(block.hash.clone());
        self.writes.lock().blocks.insert((self.name.0.clone(), block.hash.clone()), block.clone());
    }

    /// Waits for the write before this one.
    pub async fn turn(&self) {
        over(self.before.clone()).await;
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        let mut state = self.writes.lock();
        state.under_way -= 1;
        if let Some(block) = self.block.take() {
            state.blocks.remove(&(self.name.0.clone(), block));
        }
        if state.latest.get(&self.name).is_some_and(|latest| latest.number == self.number) {
            state.latest.remove(&self.name);
        }
    }
}

async fn over(write: Option<watch::Receiver<()>>) {
    if let Some(mut write) = write {
        // The error says that the other end is gone, and that is the end of the write.
        let _ = write.changed().await;
    }
}

#[cfg(test)]
mod tests {
    use memory::types::Owner;

    use super::*;

    #[tokio::test]
    async fn each_waits_for_the_one_before() {
        let writes = Writes::default();
        let key = |name: &str| SessionKey::new(&Owner::unnamed(), name.parse().expect("a session"));
        let begin = |name: &str| writes.begin(&TenantId::local(), &key(name)).expect("there is room");
        let (first, second, other) = (begin("a"), begin("a"), begin("b"));
        let waits = |ticket: &Ticket| {
            let before = ticket.before.clone();
            async move { tokio::time::timeout(Duration::from_millis(10), over(before)).await.is_err() }
        };
        assert!(!waits(&first).await && waits(&second).await && !waits(&other).await);
        drop(first);
        second.turn().await;
        let (tenant, a) = (TenantId::local(), key("a"));
        let settled = writes.settled(&tenant, &a);
        tokio::pin!(settled);
        assert!(tokio::time::timeout(Duration::from_millis(10), &mut settled).await.is_err());
        drop((second, other));
        settled.await;
        assert!(writes.lock().latest.is_empty() && writes.lock().under_way == 0);
    }
}
