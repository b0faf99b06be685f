//! Which memories an operation is about: the filters that search, list and forget share.

use memory::types::{AgentId, Filter, Kind, Layer, Scope, SessionId, Status, Time, UserId, Validity};
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
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub scopes: Vec<Scope>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub layers: Vec<Layer>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub kinds: Vec<Kind>,
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
}

impl Selection {
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

    /// The same selection under another clock.
    pub fn filter_at(&self, validity: Validity) -> Filter {
        Filter {
            agent: self.agent.clone(),
            user: self.user.clone(),
            session: self.session.clone(),
            scopes: self.scopes.clone(),
            layers: self.layers.clone(),
            kinds: self.kinds.clone(),
            tags: self.tags.clone(),
            statuses: self.statuses.clone(),
            since: self.since,
            until: self.until,
            ..Filter::at(validity)
        }
    }
}
