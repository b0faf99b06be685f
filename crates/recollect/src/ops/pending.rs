//! What waits to be distilled, what failed too often, and doing it now.

use memory::learn::buffer::Occasion;
use memory::limits::READ_IDS;
use memory::ports::{ReadStore, WriteStore};
use memory::types::{Actor, Batch, Change, PendingTurn, SessionKey};
use serde::{Deserialize, Serialize};

use super::Visit;
use super::sessions::{Passed, pass};
use crate::problem::Problem;

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PendingList {
    /// Only dead letters.
    pub dead: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PendingListed {
    pub pending: Vec<PendingTurn>,
}

pub(super) async fn list(visit: &Visit<'_>, request: PendingList) -> Result<PendingListed, Problem> {
    let pending = visit.tenant.pending(READ_IDS).await?;
    let pending = pending.into_iter().filter(|turn| turn.dead || !request.dead).collect();
    Ok(PendingListed { pending })
}

/// Try dead letters again.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PendingRetry {}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Synced {
    pub sessions: Vec<Passed>,
}

pub(super) async fn retry(visit: &Visit<'_>, _: PendingRetry) -> Result<Synced, Problem> {
    let dead = visit.tenant.pending(READ_IDS).await?.into_iter().filter(|turn| turn.dead);
    let mut sessions: Vec<SessionKey> = dead.map(|turn| turn.session).collect();
    sessions.sort();
    sessions.dedup();
    let mut batch = Batch::new(Actor::Person, visit.now).because("tried again by hand");
    for session in &sessions {
        batch = batch.with(Change::RevivePending { session: session.clone() });
    }
    visit.tenant.apply(batch).await?;
    pass_all(visit, sessions).await
}

/// Distil everything that waits, now, whatever the extraction mode.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Sync {}

pub(super) async fn sync(visit: &Visit<'_>, _: Sync) -> Result<Synced, Problem> {
    let waiting = visit.tenant.waiting_sessions(READ_IDS).await?;
    pass_all(visit, waiting.into_iter().map(|waiting| waiting.session).collect()).await
}

async fn pass_all(visit: &Visit<'_>, sessions: Vec<SessionKey>) -> Result<Synced, Problem> {
    let mut passed = Vec::with_capacity(sessions.len());
    for key in sessions {
        passed.push(pass(visit, key, Occasion::Debounce).await?);
    }
    Ok(Synced { sessions: passed })
}
