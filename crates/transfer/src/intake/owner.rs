//! Whose what comes in becomes: who the caller names, else what the file says, else the unnamed.

use memory::types::{AgentId, Item, Owner, Record, RecordKind, RecordRef, Scope, SessionKey, UserId};

/// What the caller says of it, and what they may.
#[derive(Debug, Clone, Default)]
pub struct ImportOwner {
    pub agent: Option<AgentId>,
    pub user: Option<UserId>,
    /// The only agents whose memory may be written.
    pub allowed: Option<Vec<AgentId>>,
    /// What comes in for a user with any agent becomes the agent's alone.
    pub agent_only: bool,
    /// A setting asks for a user.
    pub requires_user: bool,
}

impl ImportOwner {
    /// The owner of something that the file says is so-and-so's.
    pub fn owner(&self, agent: Option<&AgentId>, user: Option<&UserId>) -> Result<Owner, String> {
        let user = self.user.as_ref().or(user).cloned();
        if self.requires_user && user.is_none() {
            return Err(
                "no user is named, and the setting requireOwner asks for one; hint: --user".to_owned()
            );
        }
        let only = self.allowed.as_deref().and_then(|allowed| match allowed {
            [only] => Some(only.clone()),
            _ => None,
        });
        let agent = self.agent.as_ref().or(agent).cloned().or(only).unwrap_or_else(AgentId::unnamed);
        self.may(&agent)?;
        Ok(Owner { agent, user: user.unwrap_or_else(UserId::unnamed) })
    }

    /// The scope that something gets, where the file says this one or none.
    pub fn scope(&self, said: Option<Scope>) -> Scope {
        let said = said.unwrap_or(Scope::User);
        if self.agent_only && said.is_shared_by_agents() { Scope::Agent } else { said }
    }

    fn may(&self, agent: &AgentId) -> Result<(), String> {
        match &self.allowed {
            Some(allowed) if !allowed.contains(agent) => {
                Err(format!("this key may not speak for agent {agent}"))
            }
            _ => Ok(()),
        }
    }

    /// Makes the item theirs; an error where the caller may not write it.
    pub fn take(&self, item: &mut Item) -> Result<(), String> {
        match item {
            Item::Record { value, .. } => self.take_record(value)?,
            Item::Turn { value } => self.take_session(&mut value.session)?,
            Item::Pending { value } => self.take_session(&mut value.session)?,
            Item::Redo { value } => self.take_session(&mut value.session)?,
            Item::Block { value } => self.take_session(&mut value.session)?,
            Item::Feedback { value } => {
                if let Some(session) = &mut value.session {
                    self.take_session(session)?;
                }
            }
            Item::History { of, before, .. } => {
                if let Some(before) = before {
                    self.take_record(before)?;
                    *of = before.reference();
                } else if of.kind == RecordKind::Session
                    && let Ok(mut key) = of.id.parse::<SessionKey>()
                {
                    self.take_session(&mut key)?;
                    *of = RecordRef::session(&key);
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn take_record(&self, record: &mut Record) -> Result<(), String> {
        match record {
            Record::Memory(memory) => {
                memory.scope = self.scope(Some(memory.scope));
                self.take_both(&mut memory.agent, &mut memory.user)
            }
            Record::Held(held) => {
                held.memory.scope = self.scope(Some(held.memory.scope));
                self.take_both(&mut held.memory.agent, &mut held.memory.user)?;
                self.take_session(&mut held.session)
            }
            Record::Session(session) => {
                session.agent_only |= self.agent_only;
                self.take_session(&mut session.key)
            }
            Record::Episode(episode) => self.take_session(&mut episode.session),
            Record::Veil(veil) => self.take_session(&mut veil.session),
            Record::Entity(entity) => self.take_both(&mut entity.owner.agent, &mut entity.owner.user),
            Record::Relation(relation) => self.take_both(&mut relation.owner.agent, &mut relation.owner.user),
            Record::Profile(profile) => self.take_user(&mut profile.user),
            Record::Override(said) => self.take_user(&mut said.user),
            Record::Link(_) | Record::Agent(_) | Record::Run(_) => Ok(()),
        }
    }

    fn take_session(&self, key: &mut SessionKey) -> Result<(), String> {
        self.take_both(&mut key.agent, &mut key.user)
    }

    fn take_user(&self, user: &mut UserId) -> Result<(), String> {
        if let Some(named) = &self.user {
            user.clone_from(named);
        }
        match self.allowed {
            Some(_) => Err("who a user is, is known to all agents, and this key is bound to some".to_owned()),
            None => Ok(()),
        }
    }

    fn take_both(&self, agent: &mut AgentId, user: &mut UserId) -> Result<(), String> {
        if let Some(named) = &self.agent {
            agent.clone_from(named);
        }
        if let Some(named) = &self.user {
            user.clone_from(named);
        }
        self.may(agent)
    }
}
