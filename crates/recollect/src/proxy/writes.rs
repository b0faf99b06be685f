//! The order of what is being stored: of one session one thing at a time, in the order in which it was said.
//!
//! The store would take them in any order, and a client's next message may overtake the reply before it. So a write takes
//! a [`Ticket`] when it begins and waits for the one before it. Whoever reads the session waits a moment for the latest; a
//! block that is still on its way then can be had from here, so that a slow disk changes no prompt.
//!
//! A reply whose conversation is not recognised when it goes out has no session yet. It is known here by what it says, and a
//! request that answers to it waits with its own recognition until it has its place: otherwise a slow store would make two
//! sessions of one conversation.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use chat::chain::{self, ChainHash};
use chat::collect::CollectedReply;
use chat::wire::WireMessage;
use memory::types::{Block, SessionKey, TenantId, TenantSession};
use parking_lot::Mutex;
use tokio::sync::watch;

use crate::limits;

/// Pauses between tries of a store that is busy, each twice as long as the one before.
pub struct Retry {
    pause: Duration,
}

impl Default for Retry {
    fn default() -> Self {
        Self { pause: limits::BUSY_RETRY_FIRST }
    }
}

impl Retry {
    pub async fn pause(&mut self) {
        tokio::time::sleep(self.pause).await;
        self.pause = (self.pause * 2).min(limits::BUSY_RETRY_MOST);
    }
}

/// The writes under way, by session. Cheap to clone.
#[derive(Clone, Default)]
pub struct Writes {
    /// Shared by all requests; held for a look-up, never across a wait.
    state: Arc<Mutex<WritesState>>,
}

#[derive(Default)]
struct WritesState {
    latest: HashMap<TenantSession, Latest>,
    /// Blocks on their way to the store, by what they are stored under.
    blocks: HashMap<(TenantId, String), Block>,
    /// Replies that went out before their conversation was recognised, by what they say.
    unplaced: HashMap<(TenantId, ChainHash), Vec<Latest>>,
    taken: u64,
}

/// A write or a reply that others wait for: the last of its session, or one without a place yet.
struct Latest {
    number: u64,
    done: watch::Receiver<()>,
}

/// A write's place in its session. The write is over when this is dropped.
pub struct Ticket {
    writes: Writes,
    name: TenantSession,
    number: u64,
    before: Option<watch::Receiver<()>>,
    /// The key of the block that is written, where one is.
    block: Option<String>,
    /// Nothing is ever sent: that it is gone is what those behind wait for.
    _done: watch::Sender<()>,
}

/// A reply that went out before its conversation was recognised, until it has its place.
pub struct UnplacedReply {
    writes: Writes,
    name: (TenantId, ChainHash),
    number: u64,
    /// Nothing is ever sent: that it is gone is what later requests wait for.
    _done: watch::Sender<()>,
}

/// The replies that a request answers to and whose conversation was not recognised when it came.
#[derive(Default)]
pub struct EarlierReplies(Vec<watch::Receiver<()>>);

impl EarlierReplies {
    /// Waits until their conversations are recognised.
    pub async fn recognised(&self) {
        for reply in &self.0 {
            over(Some(reply.clone())).await;
        }
    }
}

impl Writes {
    /// The next place in the session.
    pub fn begin(&self, tenant: &TenantId, key: &SessionKey) -> Ticket {
        let name = (tenant.clone(), key.clone());
        let (sender, done) = watch::channel(());
        let mut state = self.state.lock();
        state.taken += 1;
        let number = state.taken;
        let before = state.latest.insert(name.clone(), Latest { number, done }).map(|latest| latest.done);
        Ticket { writes: self.clone(), name, number, before, block: None, _done: sender }
    }

    /// Notes that a reply goes out whose conversation is not recognised yet. To be said before the client has the whole of it.
    pub fn unplaced(&self, tenant: &TenantId, reply: &CollectedReply) -> UnplacedReply {
        let (content, calls) = reply.said_parts();
        let name = (tenant.clone(), chain::fingerprint(content, calls));
        let (sender, done) = watch::channel(());
        let mut state = self.state.lock();
        state.taken += 1;
        let number = state.taken;
        state.unplaced.entry(name.clone()).or_default().push(Latest { number, done });
        UnplacedReply { writes: self.clone(), name, number, _done: sender }
    }

    /// The replies noted until now that say what this message of a client's history says.
    pub fn earlier(&self, tenant: &TenantId, reply: &WireMessage) -> EarlierReplies {
        if self.state.lock().unplaced.is_empty() {
            return EarlierReplies::default();
        }
        let fingerprint = chain::fingerprint(&reply.content, reply.tool_calls.as_ref());
        let state = self.state.lock();
        let same = state.unplaced.get(&(tenant.clone(), fingerprint)).into_iter().flatten();
        EarlierReplies(same.map(|reply| reply.done.clone()).collect())
    }

    /// Waits until everything is stored that was said in the session until now, though not for long.
    pub async fn settled(&self, tenant: &TenantId, key: &SessionKey) {
        let name = (tenant.clone(), key.clone());
        let latest = self.state.lock().latest.get(&name).map(|latest| latest.done.clone());
        // What is late is on its way, and its block is here.
        let _ = tokio::time::timeout(limits::SETTLE_WITHIN, over(latest)).await;
    }

    /// The blocks under these keys that are not stored yet.
    pub fn blocks(&self, tenant: &TenantId, keys: &[String]) -> Vec<Block> {
        let state = self.state.lock();
        if state.blocks.is_empty() {
            return Vec::new();
        }
        keys.iter().filter_map(|key| state.blocks.get(&(tenant.clone(), key.clone())).cloned()).collect()
    }
}

impl Ticket {
    /// Lets the block be found while it is being written.
    pub fn carries(&mut self, block: &Block) {
        self.block = Some(block.hash.clone());
        self.writes.state.lock().blocks.insert((self.name.0.clone(), block.hash.clone()), block.clone());
    }

    /// Waits for the write before this one.
    pub async fn turn(&self) {
        over(self.before.clone()).await;
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        let mut state = self.writes.state.lock();
        if let Some(block) = self.block.take() {
            state.blocks.remove(&(self.name.0.clone(), block));
        }
        if state.latest.get(&self.name).is_some_and(|latest| latest.number == self.number) {
            state.latest.remove(&self.name);
        }
    }
}

impl Drop for UnplacedReply {
    fn drop(&mut self) {
        let mut state = self.writes.state.lock();
        if let Some(replies) = state.unplaced.get_mut(&self.name) {
            replies.retain(|reply| reply.number != self.number);
            if replies.is_empty() {
                state.unplaced.remove(&self.name);
            }
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
    use serde_json::json;

    use super::*;

    #[tokio::test]
    async fn each_waits_for_the_one_before() {
        let writes = Writes::default();
        let key = |name: &str| SessionKey::new(&Owner::unnamed(), name.parse().expect("a session"));
        let begin = |name: &str| writes.begin(&TenantId::local(), &key(name));
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
        assert!(writes.state.lock().latest.is_empty());
    }

    #[tokio::test]
    async fn a_request_waits_for_the_reply_it_answers_to_and_for_no_other() {
        let (writes, tenant) = (Writes::default(), TenantId::local());
        let reply =
            |text: &str| CollectedReply { message: json!({ "content": text }), ..CollectedReply::default() };
        let asked = |text: &str| {
            let body = json!({ "messages": [{ "role": "assistant", "content": text }] }).to_string();
            let chat = chat::ChatBody::read(body.as_bytes()).expect("a request");
            writes.earlier(&tenant, chat.last_reply().expect("one"))
        };
        assert!(asked("Hello.").0.is_empty());
        let (hello, bye) =
            (writes.unplaced(&tenant, &reply("Hello.")), writes.unplaced(&tenant, &reply("Bye.")));
        let (earlier, other) = (asked(" Hello.\n"), asked("Good day."));
        other.recognised().await;
        let waits = tokio::time::timeout(Duration::from_millis(10), earlier.recognised()).await.is_err();
        assert!(waits && earlier.0.len() == 1);
        drop(hello);
        earlier.recognised().await;
        drop(bye);
        assert!(writes.state.lock().unplaced.is_empty());
    }
}
