//! Gives memories that came by another door than a conversation their category, behind everybody's back.
//!
//! Whoever writes tells the worker which tenant it was; at start-up all are looked through, for what an earlier version or a command left. The
//! walk goes through a tenant's rows some at a time, and later only through those that came since. How far it is is not written down: a memory that has its category
//! is passed over, so the next process goes through the rows again and does none twice.

use std::collections::{HashMap, VecDeque};

use memory::learn::classify::{self, Classified};
use memory::types::TenantId;
use tokio::task::JoinHandle;

use crate::ops::Services;
use crate::problem::Problem;

/// The walks of all tenants, one of which is under way at a time.
#[derive(Default)]
pub(super) struct Classifying {
    /// The last row that was looked at.
    walked: HashMap<TenantId, i64>,
    /// In turn, so that none that is written to all the time keeps the others waiting.
    waiting: VecDeque<TenantId>,
    under_way: Option<(TenantId, JoinHandle<Result<Classified, Problem>>)>,
}

impl Classifying {
    /// Something was written in these tenants.
    pub fn note(&mut self, tenants: impl IntoIterator<Item = TenantId>) {
        for tenant in tenants {
            self.wait(tenant);
        }
    }

    fn wait(&mut self, tenant: TenantId) {
        if !self.waiting.contains(&tenant) {
            self.waiting.push_back(tenant);
        }
    }

    /// Takes in what is done, and begins the next slice where none is under way.
    pub async fn turn(&mut self, house: &Services) {
        if let Some((_, task)) = &self.under_way {
            if !task.is_finished() {
                return;
            }
            self.put_down().await;
        }
        let Some(tenant) = self.waiting.pop_front() else { return };
        let (house, name) = (house.clone(), tenant.clone());
        let after = self.walked.get(&tenant).copied().unwrap_or(0);
        let task = tokio::spawn(async move { slice(&house, &name, after).await });
        self.under_way = Some((tenant, task));
    }

    /// Waits for what is under way.
    pub async fn put_down(&mut self) {
        let Some((tenant, task)) = self.under_way.take() else { return };
        match task.await {
            Ok(Ok(done)) => {
                self.walked.insert(tenant.clone(), done.last);
                if done.more {
                    self.wait(tenant);
                }
            }
            // Whoever writes next has it tried again, and so has the next start.
            Ok(Err(problem)) => tracing::debug!(%problem, %tenant, "memories are left without a category"),
            Err(error) => tracing::warn!(%error, %tenant, "memories are left without a category"),
        }
    }
}

async fn slice(house: &Services, tenant: &TenantId, after: i64) -> Result<Classified, Problem> {
    let opened = house.attend(tenant).await?;
    let tools = house.tools(&opened).await?;
    if !tools.settings.enabled {
        return Ok(Classified { memories: 0, last: after, more: false });
    }
    let work = store::at_low_priority(async move { classify::slice(&tools, after).await });
    Ok(work.await.and_then(|done| done)?)
}
