//! How a tool reaches memory, and for whom it asks.
//!
//! Over HTTP the caller was let in with a key and operations are done in this process. Over stdio whoever starts the
//! program owns the data folder, and operations go through a [`Backend`]: to the running server, or to the store itself.

use memory::ports::Clock;
use memory::types::{AgentId, SessionId, TenantId, Time, UserId};
use store::SystemClock;

use crate::backend::Backend;
use crate::compat::{Asks, api_key_id};
use crate::ops::keys::KeysList;
use crate::ops::select::Selection;
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

    /// Refuses a key that is not one of the tenant's, as the REST interface does.
    pub async fn must_own(&self, key: Option<&str>) -> Result<(), Problem> {
        match (&self.way, key.filter(|key| !key.trim().is_empty())) {
            (_, None) => Ok(()),
            (ToolBackend::House { house, caller }, key) => api_key_id::must_own(house, caller, key).await,
            (ToolBackend::Link { .. }, Some(wanted)) => {
                let listed = self.ask(KeysList { everywhere: false }).await?;
                let known = listed.keys.iter().any(|row| row.key.id.as_str() == wanted);
                if known { Ok(()) } else { Err(api_key_id::not_yours(wanted)) }
            }
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
