//! Which memories a read may see. Everything here is decided inside the store's query, never after taking the best k.

use serde::{Deserialize, Serialize};

use super::{AgentId, Kind, Layer, Owner, Scope, SessionId, Status, Time, UserId};

/// Who is looking. Decides by scope: `thread` needs the same session, `user` the same user and agent, `persona` the
/// same agent, `organization` nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Viewer {
    pub owner: Owner,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<SessionId>,
}

/// Which of the two clocks is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Validity {
    /// What holds at this moment: active, in its validity interval, not expired.
    Current { now: Time },
    /// What was true then, as far as we know today: superseded memories count inside their interval.
    AsOf { then: Time },
    /// What was known then: every memory as it stood in the books at that moment.
    KnownAt { then: Time },
    /// Everything, whatever its interval.
    Ever,
}

/// What to look for. Empty lists mean "any".
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Filter {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub viewer: Option<Viewer>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<AgentId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<UserId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<SessionId>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scopes: Vec<Scope>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub layers: Vec<Layer>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kinds: Vec<Kind>,
    /// All of these must be on the memory.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// Empty means the statuses that the validity implies.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub statuses: Vec<Status>,
    /// Created (turns: said; episodes: ended) at or after.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<Time>,
    /// Created (turns: said; episodes: ended) before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Time>,
    pub validity: Validity,
}

impl Filter {
    pub fn current(now: Time) -> Self {
        Self::at(Validity::Current { now })
    }

    /// Everything that was ever written and not purged.
    pub fn ever() -> Self {
        Self::at(Validity::Ever)
    }

    pub fn at(validity: Validity) -> Self {
        Self {
            viewer: None,
            agent: None,
            user: None,
            session: None,
            scopes: Vec::new(),
            layers: Vec::new(),
            kinds: Vec::new(),
            tags: Vec::new(),
            statuses: Vec::new(),
            since: None,
            until: None,
            validity,
        }
    }
}

/// In which order a list comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    Newest,
    Oldest,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageRequest {
    pub limit: usize,
    pub offset: usize,
    pub order: Order,
}

impl PageRequest {
    pub fn first(limit: usize) -> Self {
        Self { limit, offset: 0, order: Order::Newest }
    }
}

/// A part of a list, with the length of the whole.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Page<T> {
    pub items: Vec<T>,
    pub total: u64,
}
