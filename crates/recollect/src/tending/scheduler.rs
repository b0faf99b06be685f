//! The one loop that keeps tenants up: looks who is due, begins their passes and does them portion by portion, one tenant
//! at a time.
//!
//! When a tenant is due stands in its store, so a restart neither puts a pass off nor repeats one; a pass that an earlier
//! process left unfinished is due at once. The loop only makes [`Scheduler::turn`]s, each of which does one thing and ends
//! with everything written down. Tests make the turns themselves and look at [`Scheduler::render`] in between.

use std::collections::BTreeMap;
use std::fmt::Write;

use memory::error::StoreError;
use memory::ports::{ReadStore, WriteStore};
use memory::tend::JOB;
use memory::types::{Actor, Batch, Change, Job, TenantId, Time};
use store::Tenant;
use tokio::sync::watch;

use super::UpkeepRun;
use crate::limits;
use crate::ops::Services;
use crate::problem::Problem;

/// What a turn did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SchedulerStep {
    /// Looked which tenants there are.
    Listed,
    /// Looked at a tenant, which is not due yet.
    Looked(TenantId),
    /// Began a pass, or went on with one.
    Began(TenantId),
    /// Did a portion.
    Advanced(TenantId),
    /// Did the last one.
    Finished(TenantId),
    /// Somebody else is at it, or it failed; it is looked at again.
    PutOff(TenantId),
    /// Nothing is due.
    Resting,
}

pub struct Scheduler {
    house: Services,
    /// When each tenant is looked at next.
    next: BTreeMap<TenantId, Time>,
    listed_at: Option<Time>,
    pass: Option<(TenantId, UpkeepRun)>,
}

impl Scheduler {
    pub fn new(house: Services) -> Self {
        Self { house, next: BTreeMap::new(), listed_at: None, pass: None }
    }

    /// Works until `stop` says so. What is under way then is taken up by the next start.
    pub async fn run(mut self, mut stop: watch::Receiver<bool>) {
        while !*stop.borrow() {
            let began = std::time::Instant::now();
            let pause = match self.turn().await {
                SchedulerStep::Resting => limits::TEND_LOOK,
                // Others write too, and search.
                SchedulerStep::Advanced(_) => began.elapsed().max(limits::TEND_PAUSE),
                _ => continue,
            };
            tokio::select! {
                _ = stop.changed() => break,
                () = tokio::time::sleep(pause) => {}
            }
        }
        if let Some((_, pass)) = self.pass.take()
            && let Err(problem) = pass.put_down().await
        {
            tracing::debug!(%problem, "a lease is left to run out");
        }
    }

    /// Does the next thing.
    pub async fn turn(&mut self) -> SchedulerStep {
        if let Some((tenant, pass)) = self.pass.take() {
            return self.advance(tenant, pass).await;
        }
        let now = self.house.clock.now();
        let again = limits::TEND_LOOK.as_secs() as i64;
        if self.listed_at.is_none_or(|at| now >= at.plus_seconds(again)) {
            self.list(now).await;
            return SchedulerStep::Listed;
        }
        let due = self.next.iter().filter(|(_, at)| **at <= now).min_by_key(|(_, at)| **at);
        let Some(tenant) = due.map(|(tenant, _)| tenant.clone()) else { return SchedulerStep::Resting };
        match self.attend(&tenant, now).await {
            Ok(turn) => turn,
            Err(problem) => {
                tracing::warn!(%problem, %tenant, "a tenant's upkeep is put off");
                self.put_off(tenant, now)
            }
        }
    }

    async fn list(&mut self, now: Time) {
        self.listed_at = Some(now);
        match self.house.tenants.list().await {
            Ok(tenants) => {
                self.next.retain(|tenant, _| tenants.contains(tenant));
                for tenant in tenants {
                    self.next.entry(tenant).or_insert(now);
                }
            }
            Err(error) => tracing::warn!(%error, "the tenants could not be listed for upkeep"),
        }
    }

    fn put_off(&mut self, tenant: TenantId, now: Time) -> SchedulerStep {
        self.next.insert(tenant.clone(), now.plus_seconds(limits::RETRY_SECONDS));
        SchedulerStep::PutOff(tenant)
    }

    async fn attend(&mut self, name: &TenantId, now: Time) -> Result<SchedulerStep, Problem> {
        let tenant = self.house.attend(name).await?;
        let due = due(&self.house, &tenant, now).await?;
        if due > now {
            // Sooner than due, because a setting may change when that is.
            let again = now.plus_seconds(limits::TEND_LOOK_AGAIN_SECONDS);
            self.next.insert(name.clone(), due.min(again));
            return Ok(SchedulerStep::Looked(name.clone()));
        }
        match UpkeepRun::begin(&self.house, &tenant, None).await? {
            None => Ok(self.put_off(name.clone(), now)),
            Some(pass) => {
                self.pass = Some((name.clone(), pass));
                Ok(SchedulerStep::Began(name.clone()))
            }
        }
    }

    async fn advance(&mut self, tenant: TenantId, mut pass: UpkeepRun) -> SchedulerStep {
        let now = self.house.clock.now();
        if let Err(problem) = pass.advance().await {
            tracing::warn!(%problem, %tenant, "upkeep stops here and is tried again");
            return self.put_off(tenant, now);
        }
        if !pass.is_over() {
            self.pass = Some((tenant.clone(), pass));
            return SchedulerStep::Advanced(tenant);
        }
        match pass.put_down().await {
            Ok(run) => tracing::info!(%tenant, run = %run.id, counts = ?run.counts, "upkeep is done"),
            Err(problem) => tracing::debug!(%problem, "a lease is left to run out"),
        }
        self.next.insert(tenant.clone(), now);
        SchedulerStep::Finished(tenant)
    }

    /// The whole state, for people and tests: what the loop has in mind and what its tenants' stores say.
    pub async fn render(&self) -> Result<String, Problem> {
        let mut text = String::new();
        for (name, next) in &self.next {
            let tenant = self.house.attend(name).await?;
            let _ = writeln!(text, "{name}: looked at again {next}");
            match tenant.job(JOB).await? {
                Some(job) => {
                    let last = job.last_run_at.map_or("never".to_owned(), |at| at.to_string());
                    let _ = writeln!(text, "  due {}, last begun {last}", job.due_at);
                }
                None => text.push_str("  never looked at\n"),
            }
            for run in tenant.runs(limits::RUNS_RENDERED).await? {
                let cursor = run.cursor.map_or(String::new(), |cursor| format!(" at `{}`", cursor.trim()));
                let done: Vec<String> = run
                    .counts
                    .iter()
                    .filter(|(_, count)| count.as_u64().is_some_and(|count| count > 0))
                    .map(|(step, count)| format!("{step} {count}"))
                    .collect();
                let _ = writeln!(text, "  {} {}{cursor}: {}", run.job, run.state, done.join(", "));
            }
        }
        if let Some((tenant, _)) = &self.pass {
            let _ = writeln!(text, "at work on {tenant}");
        }
        Ok(text)
    }
}

/// When a tenant's next pass is due. One that was never looked at is due in one interval; one with an unfinished pass, now.
async fn due(house: &Services, tenant: &Tenant, now: Time) -> Result<Time, Problem> {
    let tender = house.tender(tenant).await?;
    let settings = &tender.tools.settings;
    if !settings.enabled {
        return Ok(now.plus_seconds(limits::TEND_LOOK_AGAIN_SECONDS));
    }
    if tender.unfinished().await?.is_some() {
        return Ok(now);
    }
    let interval = settings.consolidation_interval_hours * 3_600;
    if let Some(job) = tenant.job(JOB).await? {
        let by_setting = job.last_run_at.map(|last| last.plus_seconds(interval));
        return Ok(by_setting.map_or(job.due_at, |due| due.min(job.due_at)));
    }
    let due_at = now.plus_seconds(interval);
    let job = Job { name: JOB.to_owned(), due_at, last_run_at: None, mark: None };
    match tenant.apply(Batch::new(Actor::Tend, now).with(Change::PutJob { job })).await {
        Ok(_) => Ok(due_at),
        Err(StoreError::Busy(_)) => Ok(now.plus_seconds(limits::RETRY_SECONDS)),
        Err(error) => Err(error.into()),
    }
}
