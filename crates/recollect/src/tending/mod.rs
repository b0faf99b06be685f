//! Upkeep, as the binary does it: one pass over a tenant at a time, by one process at a time.
//!
//! A [`UpkeepRun`] holds the tenant's lease and does the core's portions one after the other; each is a commit of its own, so it
//! can be stopped after any of them, and the next pass goes on where it stopped. [`scheduler`] begins passes when they are
//! due, behind everybody's back; whoever asks for one gets the same pass now.

pub mod scheduler;

use std::sync::Arc;
use std::time::{Duration, Instant};

use memory::error::StoreError;
use memory::tend::Tender;
use memory::tend::state::{StepTally, Waypoint};
use memory::types::{Run, RunState, Step};
use store::Tenant;

use crate::learning::lease::HeldLease;
use crate::metrics;
use crate::ops::Services;
use crate::problem::Problem;

/// The right to change a tenant as a whole, which upkeep and undoing take turns with; nothing where somebody has it.
pub(crate) async fn lease(house: &Services, tenant: &Tenant) -> Result<Option<HeldLease>, Problem> {
    HeldLease::take_now(house, format!("tend/{}", tenant.id())).await
}

/// A pass under way.
pub struct UpkeepRun {
    tender: Arc<Tender>,
    lease: HeldLease,
    run: Run,
}

impl UpkeepRun {
    /// Goes on with the pass that was left unfinished, or begins one; nothing where somebody is at it.
    pub async fn begin(
        house: &Services,
        tenant: &Tenant,
        only: Option<Step>,
    ) -> Result<Option<UpkeepRun>, Problem> {
        let Some(lease) = lease(house, tenant).await? else { return Ok(None) };
        let tender = house.tender(tenant).await?;
        // Vectors that are still being loaded would find nothing alike.
        if house.embedder.is_some() {
            tenant.load_vectors().await?;
        }
        let run = match tender.unfinished().await? {
            Some(run) => run,
            None => tender.begin(only).await?,
        };
        Ok(Some(UpkeepRun { tender: Arc::new(tender), lease, run }))
    }

    pub fn run(&self) -> &Run {
        &self.run
    }

    pub fn is_over(&self) -> bool {
        self.run.state != RunState::Running
    }

    /// Does the next portion.
    pub async fn advance(&mut self) -> Result<(), Problem> {
        let started = Instant::now();
        let (tender, run) = (Arc::clone(&self.tender), self.run.clone());
        let work = store::at_low_priority(async move { tender.advance(run).await });
        let work = async { work.await.and_then(|done| done) };
        let Some(done) = self.lease.during(work).await? else {
            metrics::upkeep_ended("put_off");
            return Err(StoreError::Busy("another process took the upkeep over".into()).into());
        };
        match done {
            Ok(run) => self.advanced(run, started.elapsed()),
            // Not its fault: the next pass goes on from here.
            Err(error @ (StoreError::Busy(_) | StoreError::Conflict { .. })) => {
                metrics::upkeep_ended("put_off");
                return Err(error.into());
            }
            Err(error) => {
                metrics::upkeep_ended("failed");
                tracing::warn!(%error, run = %self.run.id, "a pass of upkeep failed");
                self.run = self.tender.end(self.run.clone(), RunState::Failed).await?;
                return Err(error.into());
            }
        }
        Ok(())
    }

    /// Takes the run as it is after a portion, and counts what that came to.
    fn advanced(&mut self, run: Run, took: Duration) {
        if let Some(Waypoint { step, .. }) = Waypoint::of(&self.run) {
            let count = |run: &Run| StepTally::of(run).done.get(&step).copied().unwrap_or(0);
            metrics::tended(step, count(&run).saturating_sub(count(&self.run)), took);
        }
        self.run = run;
        if self.is_over() {
            metrics::upkeep_ended("done");
        }
    }

    /// Does all that is left.
    pub async fn complete(mut self) -> Result<Run, Problem> {
        while !self.is_over() {
            self.advance().await?;
        }
        self.put_down().await
    }

    /// Gives the lease back.
    pub async fn put_down(self) -> Result<Run, Problem> {
        self.lease.give_back().await?;
        Ok(self.run)
    }
}
