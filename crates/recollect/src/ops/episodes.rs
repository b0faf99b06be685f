//! Digests of conversations: page through them, and take one away.
//!
//! Taking one away leaves the conversation itself, and what was learned from it, where they are. It stays away: what
//! waited to be distilled of that conversation no longer waits, or the next pass would bring it back.

use memory::limits::PAGE_ROWS;
use memory::ports::{ReadStore, WriteStore};
use memory::types::{
    Actor, AgentId, Batch, Change, Episode, Expect, Filter, Order, PageRequest, RecordKind, RecordRef,
    SessionId, SessionKey, Status, Time, TurnId, UserId,
};
use serde::{Deserialize, Serialize};

use super::OpContext;
use super::sessions::{self, Which};
use crate::limits;
use crate::problem::Problem;

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EpisodesList {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<AgentId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<UserId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<SessionId>,
    /// Of conversations that ended at or after this moment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<Time>,
    /// Of conversations that ended before this moment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<Time>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
    pub offset: usize,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EpisodesListed {
    /// The latest conversation first.
    pub episodes: Vec<Episode>,
    pub total: u64,
    pub offset: usize,
}

pub(super) async fn list(visit: &OpContext<'_>, request: EpisodesList) -> Result<EpisodesListed, Problem> {
    let limit = rows(request.limit)?;
    let filter = Filter {
        agent: request.agent,
        user: request.user,
        session: request.session,
        since: request.since,
        until: request.until,
        ..Filter::current(visit.now)
    };
    let page = PageRequest { limit, offset: request.offset, order: Order::Newest, counted: true };
    let page = visit.tenant.list_episodes(&filter, page).await?;
    Ok(EpisodesListed { episodes: page.items, total: page.total, offset: request.offset })
}

/// How many rows a page has.
pub(super) fn rows(asked: Option<usize>) -> Result<usize, Problem> {
    let limit = asked.unwrap_or(limits::USUAL_ROWS);
    if !(1..=PAGE_ROWS).contains(&limit) {
        let message = format!("a page of {limit} rows is asked for; expected from 1 to {PAGE_ROWS}");
        return Err(Problem::field("limit", message));
    }
    Ok(limit)
}

/// One digest, by its id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EpisodeRemove {
    pub id: String,
    /// Only if it is this agent's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<AgentId>,
    /// Only if it is this user's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<UserId>,
}

/// A conversation's digest, by the conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SessionRemove {
    #[serde(flatten)]
    pub which: Which,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct EpisodeRemoved {
    /// False when there was none.
    pub deleted: bool,
}

pub(super) async fn remove(visit: &OpContext<'_>, request: EpisodeRemove) -> Result<EpisodeRemoved, Problem> {
    let found = visit.tenant.episodes(std::slice::from_ref(&request.id)).await?.pop();
    let theirs = |episode: &Episode| {
        request.agent.as_ref().is_none_or(|agent| *agent == episode.session.agent)
            && request.user.as_ref().is_none_or(|user| *user == episode.session.user)
    };
    match found.filter(|episode| theirs(episode) && episode.status == Status::Active) {
        Some(episode) => take_away(visit, &episode).await,
        None => Ok(EpisodeRemoved { deleted: false }),
    }
}

pub(super) async fn remove_of(
    visit: &OpContext<'_>,
    request: SessionRemove,
) -> Result<EpisodeRemoved, Problem> {
    let session = sessions::find(visit, &request.which).await?;
    match visit.tenant.episode_of(&session.key).await? {
        Some(episode) => take_away(visit, &episode).await,
        None => Ok(EpisodeRemoved { deleted: false }),
    }
}

async fn take_away(visit: &OpContext<'_>, episode: &Episode) -> Result<EpisodeRemoved, Problem> {
    let of = RecordRef { kind: RecordKind::Episode, id: episode.id.as_str().to_owned() };
    let batch = Batch::new(Actor::Person, visit.now)
        .with(Change::Remove { of, expect: Expect::Version(episode.version) })
        .with(Change::ClearPending { turns: waiting(visit, &episode.session).await? })
        .with(Change::ClearRedo { session: episode.session.clone() });
    visit.tenant.apply(batch).await?;
    Ok(EpisodeRemoved { deleted: true })
}

async fn waiting(visit: &OpContext<'_>, session: &SessionKey) -> Result<Vec<TurnId>, Problem> {
    let pending = visit.tenant.pending_of(session).await?;
    Ok(pending.into_iter().map(|pending| pending.turn).collect())
}
