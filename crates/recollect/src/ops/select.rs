//! Which memories an operation is about: the filters that search, list and forget share.

use memory::types::{
    AgentId, Filter, KeyBounds, Kind, Layer, ProjectId, Scope, SessionId, Status, Time, UserId, Validity,
};
use serde::{Deserialize, Serialize};

use crate::problem::Problem;

/// Filters as a caller gives them. Empty means any.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Selection {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<AgentId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<UserId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<SessionId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub project: Option<ProjectId>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub scopes: Vec<Scope>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub layers: Vec<Layer>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub kinds: Vec<Kind>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub categories: Vec<String>,
    /// All of these.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// Created at or after.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<Time>,
    /// Created before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<Time>,
    /// What was true then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub as_of: Option<Time>,
    /// What was known then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub known_at: Option<Time>,
    /// Instead of what counts today: whatever has one of these statuses.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub statuses: Vec<Status>,
    /// How far the caller's key reaches. Never given: set where permission is.
    #[serde(skip)]
    pub bounds: KeyBounds,
}

impl Selection {
    /// Whether the caller names nothing.
    pub fn is_empty(&self) -> bool {
        Selection { bounds: KeyBounds::default(), ..self.clone() } == Selection::default()
    }

    /// The agent that is named, or the only one that the caller may ask about.
    pub fn agent_meant(&self) -> Option<AgentId> {
        let only = match self.bounds.agents.as_slice() {
            [only] => Some(only),
            _ => None,
        };
        self.agent.as_ref().or(only).cloned()
    }

    /// The user who is named, or the only one whom the caller may ask about.
    pub fn user_meant(&self) -> Option<UserId> {
        self.user.as_ref().or(self.bounds.user.as_ref()).cloned()
    }

    /// The store's filter, at this moment unless the selection asks for another.
    pub fn filter(&self, now: Time) -> Result<Filter, Problem> {
        let validity = match (self.as_of, self.known_at) {
            (Some(_), Some(_)) => {
                let message = "both as_of and known_at are given; expected one: what was true then, or what was known then";
                return Err(Problem::invalid(message));
            }
            (Some(then), None) => Validity::AsOf { then },
            (None, Some(then)) => Validity::KnownAt { then },
            (None, None) if !self.statuses.is_empty() => Validity::Ever,
            (None, None) => Validity::Current { now },
        };
        Ok(self.filter_at(validity))
    }

    /// The same selection under another clock. Every field goes over: one that is added does not compile until it does.
    pub fn filter_at(&self, validity: Validity) -> Filter {
        // What the user has with any agent is no agent's.
        let agent = self.agent_meant().filter(|_| self.agent.is_some() || !self.bounds.shares_user);
        let user = self.user_meant();
        let Selection {
            agent: _,
            user: _,
            session,
            project,
            scopes,
            layers,
            kinds,
            categories,
            tags,
            since,
            until,
            as_of: _,
            known_at: _,
            statuses,
            bounds,
        } = self.clone();
        Filter {
            viewer: None,
            in_reach_of: None,
            agent,
            user,
            with_everybodys: false,
            session,
            project,
            bounds,
            scopes,
            layers,
            kinds,
            categories,
            tags,
            statuses,
            since,
            until,
            validity,
        }
    }
}
