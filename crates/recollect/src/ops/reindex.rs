//! Vectors for what has none yet, or, forced, for everything anew; in the background.
//!
//! The old vectors answer until new ones stand in their place. One process at a time does it for a tenant; who asks
//! meanwhile is told that nothing was started, and how much is left. How far a forced rebuild is stands in its run, for whoever
//! looks at it ([`left`]).

use std::time::Duration;

use memory::error::StoreError;
use memory::ports::WriteStore;
use memory::types::{Actor, Batch, Corpus, Run, RunId, RunState};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use store::Tenant;

use super::{OpContext, Services};
use crate::limits;
use crate::problem::Problem;

/// What the runs of a forced rebuild are called.
pub const JOB: &str = "reindex";

/// What such a run counts: rows that have their new vector, of all.
const DONE: &str = "done";
const TOTAL: &str = "total";

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
    let mut work = ReindexWork {
        house: visit.house.clone(),
        tenant: visit.tenant.clone(),
        lease: lease(&visit.tenant),
        holder: visit.house.holder(),
        run: None,
    };
    let started = work.renew().await?;
    if started {
        if request.force {
            work.run = Some(work.begin(pending).await?);
        }
        tokio::spawn(work.go());
    }
    Ok(Reindexing { started, pending })
}

/// How many vectors are still to be made, while somebody makes them.
pub(super) async fn left(visit: &OpContext<'_>, missing: u64, runs: &[Run]) -> Result<Option<u64>, Problem> {
    if !visit.house.tenants().is_leased(&lease(&visit.tenant), visit.now).await? {
        return Ok(None);
    }
    let forced = runs.iter().find(|run| run.job == JOB && run.state == RunState::Running);
    let count = |run: &Run, name: &str| run.counts.get(name).and_then(Value::as_u64).unwrap_or(0);
    Ok(Some(forced.map_or(missing, |run| count(run, TOTAL).saturating_sub(count(run, DONE)))))
}

/// Who makes a tenant's vectors is alone at it.
fn lease(tenant: &Tenant) -> String {
    format!("{JOB}/{}", tenant.id())
}

struct ReindexWork {
    house: Services,
    tenant: Tenant,
    lease: String,
    holder: String,
    /// The run of a forced rebuild, with how far it is.
    run: Option<Run>,
}

impl ReindexWork {
    async fn renew(&self) -> Result<bool, StoreError> {
        let now = self.house.clock.now();
        self.house.tenants().lease(&self.lease, &self.holder, limits::REINDEX_LEASE_SECONDS, now).await
    }

    async fn go(mut self) {
        let forced = self.run.is_some();
        let done = match self.all().await {
            Ok(rows) => {
                tracing::info!(rows, forced, "vectors are made");
                self.tell(rows, RunState::Done).await
            }
            Err(error) => {
                tracing::warn!(%error, "making vectors stopped; ask again to go on");
                self.tell(0, RunState::Failed).await
            }
        };
        if let Err(error) = done {
            tracing::warn!(%error, "how far the vectors are could not be written down");
        }
        if let Err(error) = self.house.tenants().release_lease(&self.lease, &self.holder).await {
            tracing::debug!(%error, "a lease is left to run out");
        }
    }

    /// How many rows it did.
    async fn all(&mut self) -> Result<u64, StoreError> {
        let (mut batches, mut rows) = (0, 0);
        for corpus in Corpus::ALL {
            let mut after = 0;
            loop {
                let count = match self.run {
                    Some(_) => match self.tenant.embed_again(*corpus, after).await? {
                        None => break,
                        Some((row, count)) => {
                            after = row;
                            count
                        }
                    },
                    None => match self.tenant.fill_vectors(*corpus).await? {
                        0 => break,
                        count => count,
                    },
                };
                batches += 1;
                rows += count as u64;
                if !self.renew().await? {
                    return Err(StoreError::Busy("another process took over".into()));
                }
                if batches % limits::REINDEX_BATCHES_TOLD == 1 {
                    self.tell(rows, RunState::Running).await?;
                }
                // Others write too.
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        }
        Ok(rows)
    }

    /// The run of a forced rebuild: how far it is can be looked at, and when everything was last made anew is asked for later.
    async fn begin(&self, total: u64) -> Result<Run, StoreError> {
        let now = self.house.clock.now();
        let run = Run {
            id: RunId::from_uuid(self.house.clock.uuid()),
            version: 1,
            job: JOB.to_owned(),
            state: RunState::Running,
            cursor: None,
            counts: Map::from_iter([(DONE.to_owned(), 0.into()), (TOTAL.to_owned(), total.into())]),
            started_at: now,
            finished_at: None,
        };
        self.tenant.apply(Batch::new(Actor::Tend, now).insert(run.clone())).await?;
        Ok(run)
    }

    /// Writes down how far a forced rebuild is.
    async fn tell(&mut self, done: u64, state: RunState) -> Result<(), StoreError> {
        let now = self.house.clock.now();
        let Some(run) = &mut self.run else { return Ok(()) };
        if state != RunState::Failed {
            run.counts.insert(DONE.to_owned(), done.into());
        }
        run.state = state;
        run.finished_at = (state != RunState::Running).then_some(now);
        self.tenant.apply(Batch::new(Actor::Tend, now).replace(run.clone())).await?;
        run.version += 1;
        Ok(())
    }
}
