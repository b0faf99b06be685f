//! How a tool reaches memory, and for whom it asks.
//!
//! Over HTTP the caller was let in with a key and operations are done in this process. Over stdio whoever starts the
//! program owns the data folder, and operations go through a [`Backend`]: to the running server, or to the store itself.

use memory::ports::Clock;
use memory::types::{AgentId, MemoryId, SessionId, TenantId, Time, UserId};
use store::SystemClock;

use crate::backend::Backend;
use crate::compat::{Asks, api_key_id};
use crate::ops::keys::KeysList;
use crate::ops::select::Selection;
use crate::ops::uses::CountUses;
use crate::ops::{Caller, OperationRequest, Services};
use crate::problem::Problem;

pub struct ToolContext {
    way: ToolBackend,
    pub who: ToolOwner,
}

/// Whose memory a client's tools write and look at, where a call says nothing else.
#[derive(Debug, Clone, Default)]
pub struct ToolOwner {
    pub agent: Option<AgentId>,
    pub user: Option<UserId>,
    pub session: Option<SessionId>,
}

enum ToolBackend {
    Link { link: Box<Backend>, tenant: TenantId },
    House { house: Box<Services>, caller: Caller },
}

impl ToolContext {
    pub fn linked(link: Backend, tenant: TenantId, who: ToolOwner) -> Self {
        Self { way: ToolBackend::Link { link: Box::new(link), tenant }, who }
    }

    pub fn within(house: Services, caller: Caller, who: ToolOwner) -> Self {
        Self { way: ToolBackend::House { house: Box::new(house), caller }, who }
    }

    /// Does an operation and gives the answer that belongs to it.
    pub async fn ask<R: OperationRequest>(&self, request: R) -> Result<R::Answer, Problem> {
        match &self.way {
            ToolBackend::Link { link, tenant } => link.ask(tenant, request).await,
            ToolBackend::House { house, caller } => house.ask(caller, request).await,
        }
    }

    /// Narrows a call to the user of the key that it names, as the REST interface does.
    pub async fn narrow_to_key(&self, key: Option<&str>, user: &mut Option<UserId>) -> Result<(), Problem> {
        let Some(wanted) = api_key_id::given(key) else { return Ok(()) };
        match &self.way {
            ToolBackend::House { house, caller } => api_key_id::narrow(house, caller, key, user).await,
            ToolBackend::Link { .. } => {
                let listed = self.ask(KeysList { everywhere: false }).await?;
                let known = listed.keys.into_iter().find(|row| row.key.id.as_str() == wanted);
                api_key_id::settle(wanted, known.map(|row| row.key.user), user)
            }
        }
    }

    /// Counts that these memories were served, for a tool that serves only a part of what it found. A failure costs a count and no answer.
    pub async fn count_uses(&self, memories: Vec<MemoryId>) {
        match &self.way {
            ToolBackend::House { house, caller } => house.count_uses(caller, memories),
            ToolBackend::Link { link, tenant } if !memories.is_empty() => {
                if let Err(problem) = link.ask(tenant, CountUses { ids: memories }).await {
                    tracing::warn!(cause = %problem.message, "the use of memories could not be counted");
                }
            }
            ToolBackend::Link { .. } => {}
        }
    }

    pub fn now(&self) -> Time {
        match &self.way {
            ToolBackend::Link { .. } => SystemClock.now(),
            ToolBackend::House { house, .. } => house.clock.now(),
        }
    }

    /// What this client looks at when a call narrows it no further.
    pub fn selection(&self) -> Selection {
        Selection { agent: self.who.agent.clone(), user: self.who.user.clone(), ..Selection::default() }
    }

    /// Leaves the store in order.
    pub async fn close(&self) {
        if let ToolBackend::Link { link, .. } = &self.way {
            link.close().await;
        }
    }
}

impl Asks for ToolContext {
    async fn ask<R: OperationRequest + Send>(&self, request: R) -> Result<R::Answer, Problem> {
        ToolContext::ask(self, request).await
    }
}
