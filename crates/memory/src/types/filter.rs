//! Which memories a read may see. Everything here is decided inside the store's query, never after taking the best k.

use serde::{Deserialize, Serialize};

use super::{
    AgentId, Belonging, Kind, Layer, Memory, Owner, ProjectId, Scope, SessionId, Status, Time, UserId,
};

/// Who is looking. Decides by scope: `thread` needs the same user, agent and session, `project` the same user and project,
/// `agent` the same user and agent, `user` the same user, `persona` the same agent, `organization` nothing.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Viewer {
    pub owner: Owner,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<SessionId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<ProjectId>,
    /// Sees nothing that the user has with any agent: who looks is bound to an agent and was not told to share the user.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub agent_only: bool,
}

impl Viewer {
    pub fn new(owner: Owner, session: Option<SessionId>) -> Self {
        Self { owner, session, project: None, agent_only: false }
    }

    /// Whether the memory's scope lets this viewer see it.
    pub fn sees(&self, memory: &Memory) -> bool {
        let same_agent = memory.agent == self.owner.agent;
        let same_user = memory.user == self.owner.user;
        self.may_know(memory)
            && match memory.scope {
                Scope::Organization => true,
                Scope::Persona => same_agent,
                Scope::User => same_user,
                Scope::Agent => same_user && same_agent,
                Scope::Project => same_user && memory.project.is_some() && memory.project == self.project,
                Scope::Thread => {
                    same_user && same_agent && memory.session.is_some() && memory.session == self.session
                }
            }
    }

    /// Whether the memory may tell this viewer something about the user at all, by whichever way: a profile's line too.
    pub fn may_know(&self, memory: &Memory) -> bool {
        !(self.agent_only && memory.scope.is_shared_by_agents())
    }
}

/// How far a caller's key reaches, whatever is asked. Not a filter that anybody named: a removal that names nothing is
/// refused although its caller is bound.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyBounds {
    /// The only agents; none means all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub agents: Vec<AgentId>,
    /// The only user; none means all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<UserId>,
    /// Where agents are named: whether what the user has with any agent is in reach too.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub shares_user: bool,
}

impl KeyBounds {
    pub fn is_none(&self) -> bool {
        self.agents.is_empty() && self.user.is_none()
    }

    /// Nothing that the user has with any agent is in reach.
    pub fn is_agent_only(&self) -> bool {
        !self.agents.is_empty() && !self.shares_user
    }

    /// Whether what belongs to this user with this agent is in reach: conversations, digests, the graph.
    pub fn admits_owner(&self, agent: &AgentId, user: &UserId) -> bool {
        (self.agents.is_empty() || self.agents.contains(agent))
            && self.user.as_ref().is_none_or(|only| only == user)
    }

    pub fn admits(&self, memory: &Memory) -> bool {
        let by_agent = match (self.agents.is_empty(), memory.scope.is_shared_by_agents()) {
            (true, _) => true,
            (false, true) => self.shares_user,
            (false, false) => self.agents.contains(&memory.agent),
        };
        by_agent && self.user.as_ref().is_none_or(|only| *only == memory.user)
    }
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
    /// Beside the memories of that user those that are everybody's.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub with_everybodys: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<SessionId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<ProjectId>,
    /// What a statement of this user to this agent restates or replaces ([`Memory::is_within_reach_of`]).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub in_reach_of: Option<Owner>,
    #[serde(default, skip_serializing_if = "KeyBounds::is_none")]
    pub bounds: KeyBounds,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scopes: Vec<Scope>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub layers: Vec<Layer>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kinds: Vec<Kind>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub categories: Vec<String>,
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

    /// What stands now beside a memory and could stand for it: what belongs to the same.
    pub fn beside(memory: &Memory, now: Time) -> Self {
        let Belonging { agent, user, scope, session, project } = memory.belonging();
        Self { agent, user: Some(user), scopes: vec![scope], session, project, ..Self::current(now) }
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
            with_everybodys: false,
            session: None,
            project: None,
            in_reach_of: None,
            bounds: KeyBounds::default(),
            scopes: Vec::new(),
            layers: Vec::new(),
            kinds: Vec::new(),
            categories: Vec::new(),
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
    /// Whether the length of the whole is wanted, for which all of it is looked through.
    pub counted: bool,
}

impl PageRequest {
    pub fn first(limit: usize) -> Self {
        Self { limit, offset: 0, order: Order::Newest, counted: true }
    }

    /// The newest ones, whatever there is beside them: the length is that of what is read.
    pub fn newest(limit: usize) -> Self {
        Self { counted: false, ..Self::first(limit) }
    }
}

/// A part of a list, with the length of the whole where it was asked for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Page<T> {
    pub items: Vec<T>,
    pub total: u64,
}
