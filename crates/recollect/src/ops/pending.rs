//! What waits to be distilled, what failed too often, and doing it now.

use memory::learn::session_pass::PassTrigger;
use memory::limits::READ_IDS;
use memory::ports::{ReadStore, WriteStore};
use memory::types::{Actor, Batch, Change, PendingTurn, RedoEntry, SessionKey};
use serde::{Deserialize, Serialize};

use super::OpContext;
use super::sessions::{Passed, pass};
use crate::learning::redo;
use crate::limits;
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
    /// Sessions that were distilled without a model: those that one failed on, which are tried again by themselves, and those
    /// from before one was chosen, which are read again when somebody asks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub redo: Vec<RedoEntry>,
}

pub(super) async fn list(visit: &OpContext<'_>, request: PendingList) -> Result<PendingListed, Problem> {
    let pending = visit.tenant.pending(READ_IDS).await?;
    let pending = pending.into_iter().filter(|turn| turn.dead || !request.dead).collect();
    let redo = visit.tenant.redo(READ_IDS).await?;
    let redo = redo.into_iter().filter(|entry| entry.dead || !request.dead).collect();
    Ok(PendingListed { pending, redo })
}

/// Try dead letters again.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PendingRetry {}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct Synced {
    pub sessions: Vec<Passed>,
}

pub(super) async fn retry(visit: &OpContext<'_>, _: PendingRetry) -> Result<Synced, Problem> {
    let dead = visit.tenant.pending(READ_IDS).await?.into_iter().filter(|turn| turn.dead);
    let mut sessions: Vec<SessionKey> = dead.map(|turn| turn.session).collect();
    sessions.sort();
    sessions.dedup();
    let left = visit.tenant.redo(READ_IDS).await?.into_iter().filter(|entry| entry.dead);
    let left: Vec<SessionKey> = left.map(|entry| entry.session).collect();
    let mut batch = Batch::new(Actor::Person, visit.now).because("tried again by hand");
    for session in sessions.iter().chain(left.iter().filter(|session| !sessions.contains(session))) {
        batch = batch.with(Change::RevivePending { session: session.clone() });
    }
    visit.tenant.apply(batch).await?;
    let mut synced = pass_all(visit, sessions).await?;
    let revived: Vec<SessionKey> = redo::waiting(visit.house, &visit.tenant, READ_IDS, 0)
        .await?
        .into_iter()
        .filter(|session| left.contains(session))
        .collect();
    synced.sessions.extend(redo_all(visit, revived).await?);
    Ok(synced)
}

/// Distil everything that waits, now, whatever the extraction mode.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Sync {
    /// How many conversations that were learned before a model was chosen it shall read again, the latest of them. None unless
    /// asked for: they cost a call each.
    pub reread: usize,
}

pub(super) async fn sync(visit: &OpContext<'_>, request: Sync) -> Result<Synced, Problem> {
    let waiting = visit.tenant.waiting_sessions(READ_IDS).await?;
    let mut synced = pass_all(visit, waiting.into_iter().map(|waiting| waiting.session).collect()).await?;
    let left = redo::waiting(visit.house, &visit.tenant, READ_IDS, request.reread).await?;
    // A model that just failed on one of these needs not be asked again at once.
    let left = left.into_iter().filter(|key| synced.sessions.iter().all(|passed| passed.session != *key));
    let redone = redo_all(visit, left.collect()).await?;
    synced.sessions.extend(redone);
    Ok(synced)
}

/// Lets the model do these again, as far as the time reaches; whatever is left, the background or the next `sync` does.
async fn redo_all(visit: &OpContext<'_>, sessions: Vec<SessionKey>) -> Result<Vec<Passed>, Problem> {
    let until = tokio::time::Instant::now() + limits::SYNC_REDO_WITHIN;
    let mut redone = Vec::new();
    for key in sessions {
        if tokio::time::Instant::now() >= until {
            break;
        }
        let tried = redo::redo(visit.house, &visit.tenant, &key).await?;
        redone.push(Passed::of(key, tried.outcome));
        if tried.is_absent {
            break;
        }
    }
    Ok(redone)
}

async fn pass_all(visit: &OpContext<'_>, sessions: Vec<SessionKey>) -> Result<Synced, Problem> {
    let mut passed = Vec::with_capacity(sessions.len());
    for key in sessions {
        passed.push(pass(visit, key, PassTrigger::Debounce).await?);
    }
    Ok(Synced { sessions: passed })
}
