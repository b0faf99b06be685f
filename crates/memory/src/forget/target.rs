//! What is to be forgotten: these memories, what says something, or everything of somebody.

use crate::text::query::Query;
use crate::types::{
    AgentId, Filter, Memory, MemoryId, Owner, Record, SessionId, SessionKey, UserId, Validity,
};

/// Which things a purge is about.
#[derive(Debug, Clone, PartialEq)]
pub struct PurgeTarget {
    /// These memories, and no others.
    pub ids: Vec<MemoryId>,
    /// What says this: memories, and everything else in reach that says it.
    pub query: Option<Query>,
    /// Whose. Kinds, layers, tags and the like name memories, and then nothing but memories is chosen.
    pub filter: Filter,
    /// What is known of users across agents, their profiles and overrides, is in reach too.
    pub identity: bool,
}

impl PurgeTarget {
    /// Everything of somebody: conversations too, and not only the memories that a finer filter names.
    pub fn is_whole(&self) -> bool {
        self.ids.is_empty() && self.query.is_none() && !self.names_memories()
    }

    /// The filter says something that only memories have.
    fn names_memories(&self) -> bool {
        let Filter { scopes, layers, kinds, categories, tags, project, since, until, .. } = &self.filter;
        let lists = scopes.is_empty()
            && layers.is_empty()
            && kinds.is_empty()
            && tags.is_empty()
            && categories.is_empty();
        !lists || project.is_some() || since.is_some() || until.is_some()
    }

    /// Things besides memories are chosen.
    pub fn is_about_more_than_memories(&self) -> bool {
        self.ids.is_empty() && !self.names_memories()
    }

    /// Who a user is goes as a whole: the user is named, or everybody is meant, and no agent or session narrows it.
    pub fn is_whole_identity(&self) -> bool {
        self.is_whole() && self.identity && self.filter.agent.is_none() && self.filter.session.is_none()
    }

    pub fn admits(&self, memory: &Memory) -> bool {
        let filter = &self.filter;
        let session =
            SessionKeyRef { agent: &memory.agent, user: &memory.user, session: memory.session.as_ref() };
        self.admits_session(&session)
            && filter.bounds.admits(memory)
            && filter.project.as_ref().is_none_or(|project| Some(project) == memory.project.as_ref())
            && any_of(&filter.scopes, &memory.scope)
            && any_of(&filter.layers, &memory.layer)
            && any_of(&filter.kinds, &memory.kind)
            && (filter.categories.is_empty()
                || memory.category.as_ref().is_some_and(|word| filter.categories.contains(word)))
            && any_of(&filter.statuses, &memory.status)
            && filter.tags.iter().all(|tag| memory.tags.contains(tag))
            && filter.since.is_none_or(|since| memory.created_at >= since)
            && filter.until.is_none_or(|until| memory.created_at < until)
    }

    fn admits_session(&self, of: &SessionKeyRef<'_>) -> bool {
        let filter = &self.filter;
        filter.agent.as_ref().is_none_or(|agent| agent == of.agent)
            && self.admits_user(of.user)
            && filter.session.as_ref().is_none_or(|session| Some(session) == of.session)
    }

    pub fn admits_key(&self, key: &SessionKey) -> bool {
        self.filter.bounds.admits_owner(&key.agent, &key.user)
            && self.admits_session(&SessionKeyRef {
                agent: &key.agent,
                user: &key.user,
                session: Some(&key.session),
            })
    }

    /// What belongs to a user with an agent, in whichever session it came up.
    pub fn admits_owner(&self, owner: &Owner) -> bool {
        self.filter.agent.as_ref().is_none_or(|agent| *agent == owner.agent)
            && self.filter.bounds.admits_owner(&owner.agent, &owner.user)
            && self.admits_user(&owner.user)
    }

    pub fn admits_user(&self, user: &UserId) -> bool {
        let within = |only: &Option<UserId>| only.as_ref().is_none_or(|only| only == user);
        within(&self.filter.user) && within(&self.filter.bounds.user)
    }

    /// Whether a record, as it is or as it once was, lies within what is named.
    pub fn reaches(&self, record: &Record) -> bool {
        match record {
            Record::Memory(memory) => {
                let filter = Filter { statuses: Vec::new(), ..self.filter.clone() };
                PurgeTarget { filter, ids: Vec::new(), query: None, identity: false }.admits(memory)
            }
            Record::Episode(episode) => self.admits_key(&episode.session),
            Record::Session(session) => self.admits_key(&session.key),
            Record::Held(held) => self.admits_key(&held.session),
            Record::Entity(entity) => self.admits_owner(&entity.owner),
            Record::Relation(relation) => self.admits_owner(&relation.owner),
            Record::Profile(profile) => self.admits_identity(&profile.user),
            Record::Override(line) => self.admits_identity(&line.user),
            Record::Veil(veil) => self.admits_key(&veil.session),
            Record::Link(_) | Record::Agent(_) | Record::Run(_) => false,
        }
    }

    fn admits_identity(&self, user: &UserId) -> bool {
        self.identity && self.filter.session.is_none() && self.admits_user(user)
    }

    /// The same for conversations, where a store is asked.
    pub fn conversations(&self) -> Filter {
        Filter {
            agent: self.filter.agent.clone(),
            user: self.filter.user.clone(),
            session: self.filter.session.clone(),
            bounds: self.filter.bounds.clone(),
            ..Filter::at(Validity::Ever)
        }
    }
}

struct SessionKeyRef<'a> {
    agent: &'a AgentId,
    user: &'a UserId,
    session: Option<&'a SessionId>,
}

fn any_of<T: PartialEq>(wanted: &[T], is: &T) -> bool {
    wanted.is_empty() || wanted.contains(is)
}
