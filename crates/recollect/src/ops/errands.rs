//! What is done over a while and passes through the caller's own hands: files, streams, chats and backups.
//!
//! They are rows of the table as operations are, with a role, a reach and a line in the record of decisions; only the work
//! is not here, because its request or its answer is no plain data. The gate gives a [`Leave`], which nothing else makes,
//! and for a leave the house opens the tenant: nobody reads or writes one beside the table.

use memory::types::{AgentId, UserId};
use store::Role;

use super::access::{enough, of_agent, of_user};
use super::{Access, Caller, OpContext, Services};
use crate::problem::Problem;

/// Of a key that is bound to several agents and names none: which are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unnamed {
    /// All of its own.
    Every,
    /// None can be guessed.
    Refused,
}

macro_rules! errands {
    ($( $(#[$doc:meta])* $name:ident($word:literal), $access:ident, $role:ident, unnamed $unnamed:ident; )+) => {
        /// Everything that can be gone about.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Errand { $( $(#[$doc])* $name ),+ }

        impl Errand {
            pub const ALL: &'static [Errand] = &[$( Errand::$name ),+];

            /// The errand's name, for the record of decisions.
            pub fn name(self) -> &'static str {
                match self { $( Errand::$name => $word ),+ }
            }

            /// The least role that may.
            pub fn needs(self) -> Role {
                match self { $( Errand::$name => Role::$role ),+ }
            }

            fn access(self) -> Access {
                match self { $( Errand::$name => Access::$access ),+ }
            }

            fn unnamed(self) -> Unnamed {
                match self { $( Errand::$name => Unnamed::$unnamed ),+ }
            }
        }
    };
}

errands! {
    /// Hand out what is remembered, as a file or a stream.
    Export("Export"), Reads, Read, unnamed Every;
    /// Take in a file.
    Import("Import"), Creates, Memory, unnamed Every;
    /// Talk with a model that remembers. Who may only read is not captured.
    Chat("chat"), Creates, Read, unnamed Refused;
    /// Copy everything that all tenants remember, byte by byte.
    Backup("Backup"), Reads, Operator, unnamed Every;
    /// Put what a backup holds in the place of what is there.
    Restore("Restore"), Changes, Operator, unnamed Every;
    /// Look something up at the upstream.
    PassRead("Pass"), Reads, Read, unnamed Refused;
    /// Change something at the upstream.
    PassWrite("Pass"), Changes, Memory, unnamed Refused;
}

/// Leave to go about one errand, given by the gate alone and on record.
#[derive(Debug, Clone)]
pub struct Leave {
    caller: Caller,
    errand: Errand,
    agents: Vec<AgentId>,
    user: Option<UserId>,
}

impl Leave {
    pub fn caller(&self) -> &Caller {
        &self.caller
    }

    /// For which agents; empty means all.
    pub fn agents(&self) -> &[AgentId] {
        &self.agents
    }

    /// For which user; none means whoever is named.
    pub fn user(&self) -> Option<&UserId> {
        self.user.as_ref()
    }

    /// The one agent it is for, where it is for one.
    pub fn only_agent(&self) -> Option<&AgentId> {
        match self.agents() {
            [only] => Some(only),
            _ => None,
        }
    }
}

impl Services {
    /// Whether a caller may go about an errand for the agent and the user that are named, or for those of the caller's key.
    pub fn leave(
        &self,
        caller: &Caller,
        errand: Errand,
        agent: Option<AgentId>,
        user: Option<UserId>,
    ) -> Result<Leave, Problem> {
        let (mut agent, mut user) = (agent, user);
        let own = caller.agents().filter(|own| agent.is_none() && own.len() > 1);
        let decided = enough(caller, errand.name(), errand.needs()).and_then(|()| {
            match own.filter(|_| errand.unnamed() == Unnamed::Every) {
                Some(own) => Ok(own.to_vec()),
                None => of_agent(caller, &mut agent).map(|()| agent.into_iter().collect()),
            }
        });
        let decided = decided.and_then(|agents| of_user(caller, &mut user).map(|()| agents));
        let agents = self.decide(caller, errand.name(), decided)?;
        Ok(Leave { caller: caller.clone(), errand, agents, user })
    }

    /// The caller's tenant, opened for the errand.
    pub(crate) async fn visit<'h>(&'h self, leave: &'h Leave) -> Result<OpContext<'h>, Problem> {
        self.enter(&leave.caller, leave.errand.access()).await
    }
}
