//! Learning, as the binary does it: one session at a time, by one process at a time, and nothing lost when a pass fails.
//!
//! [`distil`] takes the session's lease, runs the core's pass, and marks the turns when it fails, so that they are tried
//! again and end as dead letters that a person can see. [`worker`] calls it when a conversation has paused or ended.

pub mod worker;

use std::sync::Arc;

use memory::error::StoreError;
use memory::learn::buffer::{Learner, Occasion, Report};
use memory::ports::{ReadStore, WriteStore};
use memory::settings::Settings;
use memory::types::{Actor, Batch, Change, SessionKey, TenantId, Time, TurnId};
use store::Tenant;

use crate::limits;
use crate::ops::House;
use crate::problem::{Code, Problem};

/// How a pass ended, for whoever asked for it.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// In the words of the ingest reply: `distilled`, `no_signals`, `skipped:…`, `empty:…`, `dead_letter:…`, `error:…`.
    pub distillation: String,
    pub report: Option<Report>,
}

/// Distils what waits in a session. A failure is counted against its turns and told, and never loses them.
pub async fn distil(
    house: &House,
    tenant: &Tenant,
    key: &SessionKey,
    occasion: Occasion,
) -> Result<Outcome, Problem> {
    let lease = format!("distil/{}/{key}", tenant.id());
    let holder = house.holder();
    if !take(house, &lease, &holder).await? {
        return Ok(Outcome { distillation: "skipped:another process is at it".into(), report: None });
    }
    let done = pass(house, tenant, key, occasion).await;
    house.tenants.release_lease(&lease, &holder).await?;
    done
}

/// Takes the lease, waiting a little for whoever has it: a pass takes milliseconds.
async fn take(house: &House, lease: &str, holder: &str) -> Result<bool, Problem> {
    let until = tokio::time::Instant::now() + limits::LEASE_WITHIN;
    loop {
        if house.tenants.lease(lease, holder, limits::DISTIL_LEASE_SECONDS, house.clock.now()).await? {
            return Ok(true);
        }
        if tokio::time::Instant::now() >= until {
            return Ok(false);
        }
        tokio::time::sleep(limits::LEASE_AGAIN_AFTER).await;
    }
}

async fn pass(
    house: &House,
    tenant: &Tenant,
    key: &SessionKey,
    occasion: Occasion,
) -> Result<Outcome, Problem> {
    let settings = tenant.settings().await?;
    let learner = Learner {
        store: Arc::new(tenant.clone()),
        embedder: house.embedder.clone(),
        settings,
        tenant: tenant.id().clone(),
        clock: Arc::clone(&house.clock),
        model: None,
    };
    match learner.pass(key, occasion, tenant.analyser()).await {
        Ok(report) => Ok(Outcome { distillation: report.distillation.to_string(), report: Some(report) }),
        // Somebody else's writes or a full queue: not the turns' fault, so they wait and nothing is counted.
        Err(StoreError::Busy(why)) => Ok(Outcome { distillation: format!("skipped:{why}"), report: None }),
        Err(StoreError::Conflict { .. }) => Ok(Outcome {
            distillation: "skipped:others kept writing; it is tried again".into(),
            report: None,
        }),
        Err(StoreError::NotFound(of)) => Err(Problem::new(Code::NotFound, format!("there is no {of}"))),
        Err(error) => fail(house, tenant, key, &error).await,
    }
}

/// Counts a failed pass against the turns it was about.
async fn fail(
    house: &House,
    tenant: &Tenant,
    key: &SessionKey,
    error: &StoreError,
) -> Result<Outcome, Problem> {
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
    Ok(Outcome { distillation, report: None })
}

/// A session got turns that wait: the worker, where there is one, attends to it when it is due.
pub fn appended(house: &House, tenant: &TenantId, key: &SessionKey, settings: &Settings, now: Time) {
    let Some(worker) = &house.worker else { return };
    match settings.extraction_mode.as_str() {
        "manual" => {}
        "turn" => worker.touched(tenant, key, now, 0),
        _ => worker.touched(tenant, key, now, settings.summary_debounce_seconds),
    }
}

impl Outcome {
    /// Whether the pass did not take place but will be possible later.
    pub fn is_put_off(&self) -> bool {
        self.report.is_none() && !self.distillation.starts_with("dead_letter")
    }
}
