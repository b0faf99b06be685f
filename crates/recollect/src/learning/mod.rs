//! Learning, as the binary does it: one session at a time, by one process at a time, and nothing lost when a pass fails.
//!
//! [`distil`] takes the session's lease, runs the core's pass, and marks the turns when it fails, so that they are tried
//! again and end as dead letters that a person can see. [`worker`] calls it when a conversation has paused or ended. With a
//! core model a pass may take minutes, during which its lease is renewed; [`redo`] lets a model distil again what was
//! distilled without one.

mod classifying;
pub(crate) mod lease;
mod observer;
pub mod redo;
mod task_pool;
pub mod worker;

use memory::error::StoreError;
use memory::forget::wishes;
use memory::learn::session_pass::{Learner, PassReport, PassTrigger};
use memory::ports::{ReadStore, WriteStore};
use memory::settings::{ExtractionMode, Settings};
use memory::types::{Actor, Batch, Change, SessionKey, TenantId, Time, TurnId};
use store::Tenant;
use tracing::Instrument;

use self::lease::HeldLease;
use crate::limits;
use crate::metrics;
use crate::ops::{Services, identity};
use crate::problem::{Code, Problem};

/// How a pass ended, for whoever asked for it.
#[derive(Debug, Clone)]
pub struct PassOutcome {
    /// In the words of the ingest reply: `distilled`, `no_signals`, `skipped:…`, `empty:…`, `dead_letter:…`, `error:…`.
    pub distillation: String,
    pub report: Option<PassReport>,
}

/// Distils what waits in a session. A failure is counted against its turns and told, and never loses them.
pub async fn distil(
    house: &Services,
    tenant: &Tenant,
    key: &SessionKey,
    occasion: PassTrigger,
) -> Result<PassOutcome, Problem> {
    let learner = house.learner(tenant).await?;
    distil_by(house, tenant, learner, key, occasion).await
}

/// The same without a model, for when there is no time to wait for one. A model gets its chance later.
pub async fn distil_at_once(
    house: &Services,
    tenant: &Tenant,
    key: &SessionKey,
    occasion: PassTrigger,
) -> Result<PassOutcome, Problem> {
    let mut learner = house.learner(tenant).await?;
    learner.tools.model = None;
    distil_by(house, tenant, learner, key, occasion).await
}

async fn distil_by(
    house: &Services,
    tenant: &Tenant,
    learner: Learner,
    key: &SessionKey,
    occasion: PassTrigger,
) -> Result<PassOutcome, Problem> {
    let Some(lease) = HeldLease::take(house, tenant.id(), key).await? else {
        return Ok(PassOutcome::put_off("another process is at it"));
    };
    let traced = house.waiting_traces.distil(tenant.id(), key);
    let passing = pass(house, tenant, learner, key, occasion).instrument(traced.span.clone());
    let done = lease.during(passing).await?;
    lease.give_back().await?;
    let done = done.unwrap_or_else(|| Ok(PassOutcome::put_off("another process took it over")))?;
    traced.ended(&done.distillation, done.is_put_off());
    metrics::distilled(&done.distillation);
    Ok(done)
}

async fn pass(
    house: &Services,
    tenant: &Tenant,
    learner: Learner,
    key: &SessionKey,
    occasion: PassTrigger,
) -> Result<PassOutcome, Problem> {
    match passed_aside(house, tenant.id(), &learner, key, occasion).await {
        Ok(report) => {
            if let Some(why) = &report.fell_back {
                tracing::warn!(%why, session = %key.session, "distilled without the model, which did not do it");
            }
            identity::after_pass(&learner, &key.user, &report).await;
            Ok(PassOutcome { distillation: report.distillation.to_string(), report: Some(report) })
        }
        // Somebody else's writes or a full queue: not the turns' fault, so they wait and nothing is counted.
        Err(StoreError::Busy(why)) => Ok(PassOutcome::put_off(&why)),
        Err(StoreError::Conflict { .. }) => {
            Ok(PassOutcome::put_off("others kept writing; it is tried again"))
        }
        Err(StoreError::NotFound(of)) => Err(Problem::new(Code::NotFound, format!("there is no {of}"))),
        Err(error) => fail(house, tenant, key, &error).await,
    }
}

/// A pass on a thread of its own, which steps back for everybody else's: what is heard in a long conversation may take a core for a second, and no
/// request is to wait behind it.
async fn passed_aside(
    house: &Services,
    tenant: &TenantId,
    learner: &Learner,
    key: &SessionKey,
    occasion: PassTrigger,
) -> Result<PassReport, StoreError> {
    let (house, tenant, learner, key) = (house.clone(), tenant.clone(), learner.clone(), key.clone());
    store::at_low_priority(async move { passed(&house, &tenant, &learner, &key, occasion).await }).await?
}

/// A pass, and where the user asked in the conversation for something to be forgotten, that first.
async fn passed(
    house: &Services,
    tenant: &TenantId,
    learner: &Learner,
    key: &SessionKey,
    occasion: PassTrigger,
) -> Result<PassReport, StoreError> {
    // Before the pass: where it fails, the turns still wait, and it is tried again.
    if wishes::silence(&learner.tools, key).await? > 0 {
        house.contexts.drop_all_of(tenant);
    }
    let report = learner.pass(key, occasion).await?;
    if report.wishes.is_empty() {
        return Ok(report);
    }
    let forgotten = wishes::heed_all(&learner.tools, key, &report.wishes).await?;
    tracing::info!(forgotten, session = %key.session, "forgotten as the user asked");
    house.contexts.drop_all_of(tenant);
    match report.model {
        Some(_) => Ok(report),
        None => learner.pass_after_wishes(key, occasion).await,
    }
}

/// Counts a failed pass against the turns it was about.
async fn fail(
    house: &Services,
    tenant: &Tenant,
    key: &SessionKey,
    error: &StoreError,
) -> Result<PassOutcome, Problem> {
    tracing::warn!(%error, session = %key.session, "a session could not be distilled");
    let turns: Vec<TurnId> =
        tenant.pending_of(key).await?.into_iter().filter(|turn| !turn.dead).map(|turn| turn.turn).collect();
    let change =
        Change::FailPending { turns, error: "distillation failed".into(), cap: limits::DISTIL_FAILURES };
    tenant.apply(Batch::new(Actor::Heuristic, house.clock.now()).with(change)).await?;
    let dead = tenant.pending_of(key).await?.iter().filter(|turn| turn.dead).count();
    let distillation = if dead > 0 {
        format!("dead_letter:{dead}")
    } else {
        "error:the session could not be distilled".to_owned()
    };
    Ok(PassOutcome { distillation, report: None })
}

/// A session got turns that wait: the worker, where there is one, attends to it when it is due.
pub fn appended(house: &Services, tenant: &TenantId, key: &SessionKey, settings: &Settings, now: Time) {
    house.waiting_traces.remember(tenant, key);
    let Some(worker) = &house.worker else { return };
    match settings.extraction_mode {
        ExtractionMode::Manual => {}
        ExtractionMode::Turn => worker.touched(tenant, key, now, 0),
        ExtractionMode::SessionEnd => worker.touched(tenant, key, now, settings.summary_debounce_seconds),
    }
}

impl PassOutcome {
    fn put_off(why: &str) -> Self {
        Self { distillation: format!("skipped:{why}"), report: None }
    }

    /// Whether the pass did not take place but will be possible later.
    pub fn is_put_off(&self) -> bool {
        self.report.is_none() && !self.distillation.starts_with("dead_letter")
    }
}
