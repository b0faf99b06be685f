//! What was said in chats and is not stored yet.
//!
//! A chat is stored behind its answer, and where the store is slow, or the conversation is recognised late, it waits here.
//! No time limit drops what waits; what bounds it is room, counted in bytes. A stream whose reply finds no room keeps its
//! end back until there is some: the client waits, and nothing is lost. Only what a client left behind that went away cannot
//! keep anybody waiting; it has a room of its own, as large, and beyond that it is lost and counted. A server that leaves waits
//! for all of it, within its grace, and says how much was left.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

use crate::limits;

/// Bytes of one permit.
const UNIT_BYTES: usize = 1_024;

/// Shared by all requests of a process; cheap to clone.
#[derive(Debug, Clone)]
pub struct Backlog {
    /// What waits behind answers that went out.
    room: Room,
    /// What waits behind clients that went away.
    left_behind: Room,
    /// How many writes are under way or wait.
    unstored: watch::Sender<usize>,
}

#[derive(Debug, Clone)]
struct Room {
    permits: Arc<Semaphore>,
    units: u32,
}

/// Something that was said and is not stored, until this is dropped.
#[derive(Debug)]
pub struct Unstored(watch::Sender<usize>);

impl Default for Backlog {
    fn default() -> Self {
        Self::of_bytes(limits::UNSTORED_BYTES)
    }
}

impl Backlog {
    /// With room for so many bytes.
    pub fn of_bytes(bytes: usize) -> Self {
        Self { room: Room::of(bytes), left_behind: Room::of(bytes), unstored: watch::Sender::new(0) }
    }

    /// Counts something that is to be stored.
    pub fn begin(&self) -> Unstored {
        self.unstored.send_modify(|count| *count += 1);
        Unstored(self.unstored.clone())
    }

    /// How much is counted just now.
    pub fn unstored(&self) -> usize {
        *self.unstored.borrow()
    }

    /// Waits for room for so many bytes, however long that takes.
    pub async fn room(&self, bytes: usize) -> OwnedSemaphorePermit {
        let Room { permits, units } = self.room.clone();
        let wanted = wanted_units(bytes, units);
        permits.acquire_many_owned(wanted).await.expect("the semaphore is never closed")
    }

    /// Room for what a client left behind, where there is any.
    pub fn room_left_behind(&self, bytes: usize) -> Option<OwnedSemaphorePermit> {
        let Room { permits, units } = self.left_behind.clone();
        permits.try_acquire_many_owned(wanted_units(bytes, units)).ok()
    }

    /// Waits until everything is stored, though not longer than this; gives how much is not.
    pub async fn settled(&self, within: Duration) -> usize {
        let mut count = self.unstored.subscribe();
        let none_left = count.wait_for(|count| *count == 0);
        match tokio::time::timeout(within, none_left).await {
            Ok(_) => 0,
            Err(_) => self.unstored(),
        }
    }
}

impl Room {
    fn of(bytes: usize) -> Self {
        let units = u32::try_from(bytes / UNIT_BYTES).unwrap_or(u32::MAX).max(1);
        Self { permits: Arc::new(Semaphore::new(units as usize)), units }
    }
}

/// What a chat costs beside its bytes, and never more than there is: the largest one takes turns with the others.
fn wanted_units(bytes: usize, all: u32) -> u32 {
    let bytes = bytes.max(limits::UNSTORED_LEAST_BYTES);
    u32::try_from(bytes.div_ceil(UNIT_BYTES)).unwrap_or(u32::MAX).min(all)
}

impl Drop for Unstored {
    fn drop(&mut self) {
        self.0.send_modify(|count| *count -= 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOON: Duration = Duration::from_millis(20);

    #[tokio::test]
    async fn beyond_the_bound_who_comes_waits_and_nobody_is_sent_away() {
        let backlog = Backlog::of_bytes(2 * limits::UNSTORED_LEAST_BYTES);
        let (first, _second) = (backlog.room(1).await, backlog.room(1).await);
        let third = backlog.room(1);
        tokio::pin!(third);
        assert!(tokio::time::timeout(SOON, &mut third).await.is_err());
        drop(first);
        drop(third.await);
    }

    #[tokio::test]
    async fn more_than_everything_fits_when_it_is_alone() {
        let backlog = Backlog::of_bytes(limits::UNSTORED_LEAST_BYTES);
        drop(backlog.room(usize::MAX).await);
        let kept = backlog.room_left_behind(usize::MAX);
        assert!(kept.is_some() && backlog.room_left_behind(1).is_none());
    }

    #[tokio::test]
    async fn a_server_that_leaves_is_told_what_is_left() {
        let backlog = Backlog::default();
        assert_eq!(backlog.settled(SOON).await, 0);
        let (first, second) = (backlog.begin(), backlog.begin());
        assert_eq!(backlog.settled(SOON).await, 2);
        drop(first);
        let waiting = tokio::spawn({
            let backlog = backlog.clone();
            async move { backlog.settled(Duration::from_secs(60)).await }
        });
        tokio::task::yield_now().await;
        drop(second);
        assert_eq!(waiting.await.expect("it ends"), 0);
    }
}
