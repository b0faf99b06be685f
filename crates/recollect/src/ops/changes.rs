//! What was changed, from the tenant's change log: commit by commit, which records, and never what they say.
//!
//! For followers. Whoever comes back says up to which commit they know, and gets what came after; where the log does not
//! reach back that far they are told to look at everything anew.

use memory::ports::{LogEntry, ReadStore};
use memory::types::HybridTime;
use serde::{Deserialize, Serialize};
use store::Tenant;

use super::{Access, Caller, OpContext, Services};
use crate::limits;
use crate::problem::Problem;

/// What came after a commit.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Changes {
    /// The last commit that is known; without one, only how far the log is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangesListed {
    /// The commit up to which this goes.
    pub head: u64,
    /// The log no longer knows what came after: look at everything anew.
    pub reset: bool,
    /// The oldest first.
    pub commits: Vec<Commit>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct Commit {
    pub number: u64,
    /// Which installation made it, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instance: Option<String>,
    /// When, by the hybrid clock: milliseconds since 1970 times 65536, and a counter. It never goes back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<u64>)]
    pub clock: Option<HybridTime>,
    pub changes: Vec<ChangedRecord>,
    /// There were more than are named.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub more: bool,
}

/// A record that was written or taken away.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChangedRecord {
    /// What sort of record: `memory`, `turn`, `setting` and so on.
    pub kind: String,
    pub id: String,
    /// Whose, for a conversation: its name alone need not be the only one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_id: Option<String>,
}

pub(super) async fn changes(visit: &OpContext<'_>, request: Changes) -> Result<ChangesListed, Problem> {
    match request.after {
        Some(after) => since(&visit.tenant, after).await,
        None => Ok(ChangesListed { head: visit.tenant.head().await?, reset: false, commits: Vec::new() }),
    }
}

/// The same for a caller who was let follow, and is not asked again each time.
pub(crate) async fn again(house: &Services, caller: &Caller, after: u64) -> Result<ChangesListed, Problem> {
    since(&house.enter(caller, Access::Reads).await?.tenant, after).await
}

/// What came after a commit, as much as one answer takes.
async fn since(tenant: &Tenant, after: u64) -> Result<ChangesListed, Problem> {
    let head = tenant.head().await?;
    if after == head {
        return Ok(ChangesListed { head, reset: false, commits: Vec::new() });
    }
    // A number that was never given belongs to another store, or to one that was put back from a copy.
    let entries = match after < head {
        true => tenant.changes_since(after, limits::CHANGES_FOLLOWED).await?,
        false => None,
    };
    let Some(entries) = entries else {
        return Ok(ChangesListed { head, reset: true, commits: Vec::new() });
    };
    let commits = commits(entries);
    let head = commits.last().map_or(head, |commit| commit.number);
    Ok(ChangesListed { head, reset: false, commits })
}

fn commits(entries: Vec<LogEntry>) -> Vec<Commit> {
    let mut commits: Vec<Commit> = Vec::new();
    for entry in entries {
        if commits.last().is_none_or(|commit| commit.number != entry.number) {
            let (instance, clock) = (entry.instance.clone(), entry.clock);
            commits.push(Commit { number: entry.number, instance, clock, changes: Vec::new(), more: false });
        }
        let commit = commits.last_mut().expect("pushed just above where there was none");
        match commit.changes.len() < limits::CHANGES_NAMED {
            true => commit.changes.push(changed(entry)),
            false => commit.more = true,
        }
    }
    commits
}

fn changed(entry: LogEntry) -> ChangedRecord {
    let mut parts = entry.id.split('\u{1f}');
    match (parts.next(), parts.next(), parts.next()) {
        (Some(agent), Some(user), Some(session)) => ChangedRecord {
            kind: entry.kind,
            id: session.to_owned(),
            agent_id: Some(agent.to_owned()),
            user_id: Some(user.to_owned()),
        },
        _ => ChangedRecord { kind: entry.kind, id: entry.id, agent_id: None, user_id: None },
    }
}
