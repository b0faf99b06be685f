//! Vectors for what has none yet, or, forced, for everything anew; in the background.
//!
//! The old vectors answer until new ones stand in their place. One process at a time does it for a tenant; who asks
//! meanwhile is told that nothing was started, and how much is left.

use std::time::Duration;

use memory::error::StoreError;
use memory::ports::WriteStore;
use memory::types::{Actor, Batch, Corpus, Run, RunId, RunState, Time};
use serde::{Deserialize, Serialize};
use store::Tenant;

use super::{OpContext, Services};
use crate::limits;
use crate::problem::Problem;

/// What the runs of a forced rebuild are called.
pub const JOB: &str = "reindex";

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Reindex {
    /// Everything, whether it has a vector or not.
    pub force: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct Reindexing {
    /// False where there is nothing to do, no embedding model, or somebody is at it already.
    pub started: bool,
    /// How much is to be done.
    pub pending: u64,
}

pub(super) async fn reindex(visit: &OpContext<'_>, request: Reindex) -> Result<Reindexing, Problem> {
    let Some(missing) = visit.tenant.missing_vectors().await? else {
        return Ok(Reindexing { started: false, pending: 0 });
    };
    let pending = if request.force { visit.tenant.embeddable().await? } else { missing };
    if pending == 0 {
        return Ok(Reindexing { started: false, pending });
    }
    let work = ReindexWork {
        house: visit.house.clone(),
        tenant: visit.tenant.clone(),
        lease: format!("{JOB}/{}", visit.tenant.id()),
        holder: visit.house.holder(),
        force: request.force,
        started_at: visit.now,
    };
    let started = work.renew().await?;
    if started {
        tokio::spawn(work.run());
    }
    Ok(Reindexing { started, pending })
}

struct ReindexWork {
    house: Services,
    tenant: Tenant,
    lease: String,
    holder: String,
    force: bool,
    started_at: Time,
}

impl ReindexWork {
    async fn renew(&self) -> Result<bool, StoreError> {
        let now = self.house.clock.now();
        self.house.tenants().lease(&self.lease, &self.holder, limits::REINDEX_LEASE_SECONDS, now).await
    }

    async fn run(self) {
        let done = self.all().await;
        match &done {
            Ok(rows) => tracing::info!(rows, force = self.force, "vectors are made"),
            Err(error) => tracing::warn!(%error, "making vectors stopped; ask again to go on"),
        }
        if let Err(error) = self.house.tenants().release_lease(&self.lease, &self.holder).await {
            tracing::debug!(%error, "a lease is left to run out");
        }
    }

    async fn all(&self) -> Result<u64, StoreError> {
        let mut steps = 0;
        for corpus in Corpus::ALL {
            let mut after = 0;
            loop {
                let next = match self.force {
                    true => self.tenant.embed_again(*corpus, after).await?,
                    false => self.tenant.fill_vectors(*corpus).await?.checked_sub(1).map(|_| 0),
                };
                let Some(row) = next else { break };
                after = row;
                steps += 1;
                if !self.renew().await? {
                    return Err(StoreError::Busy("another process took over".into()));
                }
                // Others write too.
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        }
        if self.force {
            self.record(steps).await?;
        }
        Ok(steps)
    }

    /// When everything was last made anew is asked for later.
    async fn record(&self, batches: u64) -> Result<(), StoreError> {
        let now = self.house.clock.now();
        let run = Run {
            id: RunId::from_uuid(self.house.clock.uuid()),
            version: 1,
            job: JOB.to_owned(),
            state: RunState::Done,
            cursor: None,
            counts: serde_json::Map::from_iter([("batches".to_owned(), batches.into())]),
            started_at: self.started_at,
            finished_at: Some(now),
        };
        self.tenant.apply(Batch::new(Actor::Tend, now).insert(run)).await.map(drop)
    }
}
