//! How a tool reaches memory, and for whom it asks.
//!
//! Over HTTP the caller was let in with a key and operations are done in this process. Over stdio whoever starts the
//! program owns the data folder, and operations go through a [`Link`]: to the running server, or to the store itself.

use memory::ports::Clock;
use memory::types::{AgentId, SessionId, TenantId, Time, UserId};
use store::SystemClock;

use crate::compat::Asks;
use crate::link::Link;
use crate::ops::keys::KeysList;
use crate::ops::select::Selection;
use crate::ops::{Caller, House, Request};
use crate::problem::Problem;
use crate::rest::owner;

pub struct Desk {
    way: Way,
    pub who: Who,
}

/// Whose memory a client's tools write and look at, where a call says nothing else.
#[derive(Debug, Clone, Default)]
pub struct Who {
    pub agent: Option<AgentId>,
    pub user: Option<UserId>,
    pub session: Option<SessionId>,
}

enum Way {
    Link { link: Box<Link>, tenant: TenantId },
    House { house: Box<House>, caller: Caller },
}

impl Desk {
    pub fn linked(link: Link, tenant: TenantId, who: Who) -> Self {
        Self { way: Way::Link { link: Box::new(link), tenant }, who }
    }

    pub fn within(house: House, caller: Caller, who: Who) -> Self {
        Self { way: Way::House { house: Box::new(house), caller }, who }
    }

    /// Does an operation and gives the answer that belongs to it.
    pub async fn ask<R: Request>(&self, request: R) -> Result<R::Answer, Problem> {
        match &self.way {
            Way::Link { link, tenant } => link.ask(tenant, request).await,
            Way::House { house, caller } => house.ask(caller, request).await,
        }
    }

    /// Refuses a key that is not one of the tenant's, as the REST interface does.
    pub async fn must_own(&self, key: Option<&str>) -> Result<(), Problem> {
        match (&self.way, key.filter(|key| !key.trim().is_empty())) {
            (_, None) => Ok(()),
            (Way::House { house, caller }, key) => owner::own(house, caller, key).await,
            (Way::Link { .. }, Some(wanted)) => {
                let listed = self.ask(KeysList { everywhere: false }).await?;
                let known = listed.keys.iter().any(|row| row.key.id.as_str() == wanted);
                if known { Ok(()) } else { Err(owner::not_yours(wanted)) }
            }
        }
    }

    pub fn now(&self) -> Time {
        match &self.way {
            Way::Link { .. } => SystemClock.now(),
            Way::House { house, .. } => house.clock.now(),
        }
    }

    /// What this client looks at when a call narrows it no further.
    pub fn selection(&self) -> Selection {
        Selection { agent: self.who.agent.clone(), user: self.who.user.clone(), ..Selection::default() }
    }

    /// Leaves the store in order.
    pub async fn close(&self) {
        if let Way::Link { link, .. } = &self.way {
            link.close().await;
        }
    }
}

impl Asks for Desk {
    async fn ask<R: Request + Send>(&self, request: R) -> Result<R::Answer, Problem> {
        Desk::ask(self, request).await
    }
}
