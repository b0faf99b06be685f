//! Sessions that were distilled without a model, done again when one is there: one at a time, the oldest first, a bounded
//! number a minute, and only while nothing live waits.
//!
//! By itself that happens to those that a model failed on. What was learned before a model was chosen is read again when somebody
//! asks for it, and as much of it as they say: choosing a model must not send a year of conversations to it.
//! A model that is away costs nothing and is asked again later. One that answers with nothing usable is counted against
//! the session, which in the end waits for a person, like a dead letter.

use std::collections::{BTreeSet, HashSet, VecDeque};

use memory::error::StoreError;
use memory::learn::redo::Redone;
use memory::limits::READ_IDS;
use memory::ports::ReadStore;
use memory::settings::ExtractionMode;
use memory::types::{SessionKey, TenantId, TenantSession, Time};
use store::Tenant;

use super::PassOutcome;
use super::lease::HeldLease;
use crate::limits;
use crate::ops::{Services, identity};
use crate::problem::{Code, Problem};

/// How doing a session again came out.
pub struct RedoOutcome {
    pub outcome: PassOutcome,
    /// The model is away: others need not be tried now.
    pub is_absent: bool,
}

impl RedoOutcome {
    fn put_off(why: &str, is_absent: bool) -> Self {
        Self { outcome: PassOutcome::put_off(why), is_absent }
    }
}

/// Lets the tenant's model distil a session that was distilled without one.
pub async fn redo(house: &Services, tenant: &Tenant, key: &SessionKey) -> Result<RedoOutcome, Problem> {
    let Some(lease) = HeldLease::take(house, tenant.id(), key).await? else {
        return Ok(RedoOutcome::put_off("another process is at it", false));
    };
    let done = lease.during(try_redo(house, tenant, key)).await?;
    lease.give_back().await?;
    done.unwrap_or_else(|| Ok(RedoOutcome::put_off("another process took it over", false)))
}

async fn try_redo(house: &Services, tenant: &Tenant, key: &SessionKey) -> Result<RedoOutcome, Problem> {
    let learner = house.learner(tenant).await?;
    let error = match learner.redo(key, limits::DISTIL_FAILURES).await {
        Ok(Redone::Done(report)) => {
            identity::after_pass(&learner, &key.user, &report).await;
            let outcome = PassOutcome { distillation: report.distillation.to_string(), report: Some(report) };
            return Ok(RedoOutcome { outcome, is_absent: false });
        }
        Ok(Redone::NotWorthIt) => return Ok(RedoOutcome::put_off("too short", false)),
        Ok(Redone::Failed(error)) => error,
        Err(StoreError::Busy(why)) => return Ok(RedoOutcome::put_off(&why, false)),
        Err(StoreError::Conflict { .. }) => {
            return Ok(RedoOutcome::put_off("others kept writing; it is tried again", false));
        }
        Err(StoreError::NotFound(of)) => {
            return Err(Problem::new(Code::NotFound, format!("there is no {of}")));
        }
        Err(other) => return Err(other.into()),
    };
    tracing::info!(%error, session = %key.session, "a session stays on the list for a model");
    if error.is_absence() {
        return Ok(RedoOutcome::put_off(&error.to_string(), true));
    }
    let entries = tenant.redo(READ_IDS).await?;
    let dead = entries.iter().any(|entry| entry.session == *key && entry.dead);
    let distillation = if dead { "dead_letter:1".to_owned() } else { format!("error:{error}") };
    Ok(RedoOutcome { outcome: PassOutcome { distillation, report: None }, is_absent: false })
}

/// The sessions of a tenant that wait for a model, the oldest first; none where it has no model. Those from before there was
/// one are the latest `reread` of them.
pub async fn waiting(
    house: &Services,
    tenant: &Tenant,
    most: usize,
    reread: usize,
) -> Result<Vec<SessionKey>, Problem> {
    let settings = tenant.settings().await?;
    if !settings.enabled || house.core_model(tenant, &settings).is_none() {
        return Ok(Vec::new());
    }
    let entries = tenant.redo(READ_IDS).await?.into_iter().filter(|entry| !entry.dead);
    let (failed, mut before): (Vec<_>, Vec<_>) = entries.partition(|entry| entry.last_error.is_some());
    before.drain(..before.len().saturating_sub(reread));
    let mut entries: Vec<_> = failed.into_iter().take(most).chain(before).collect();
    entries.sort_by(|a, b| (a.since, &a.session).cmp(&(b.since, &b.session)));
    Ok(entries.into_iter().map(|entry| entry.session).collect())
}

/// What the worker keeps in mind about sessions to do again.
#[derive(Default)]
pub(super) struct Redoing {
    queue: VecDeque<TenantSession>,
    next_look: Option<Time>,
    /// Tenants that have such sessions, as far as is known; all of them at first.
    tenants: Option<BTreeSet<TenantId>>,
    /// Where the next look begins, so that many tenants come round in turn.
    after: Option<TenantId>,
}

impl Redoing {
    /// Something was said in these tenants.
    pub fn note(&mut self, tenants: HashSet<TenantId>) {
        if let Some(known) = &mut self.tenants {
            known.extend(tenants);
        }
    }

    /// The next session to do again. Looks through some tenants now and then, where any model is configured at all.
    pub async fn next(&mut self, house: &Services) -> Option<TenantSession> {
        if self.queue.is_empty() && !house.models.upstreams().is_empty() {
            let now = house.clock.now();
            if self.next_look.is_none_or(|look| now >= look) {
                self.next_look = Some(now.plus_seconds(limits::REDO_LOOK_SECONDS));
                self.look(house).await;
            }
        }
        self.queue.pop_front()
    }

    /// The model of this tenant is away; the next look comes back to it.
    pub fn leave(&mut self, tenant: &TenantId) {
        self.queue.retain(|(other, _)| other != tenant);
    }

    async fn look(&mut self, house: &Services) {
        if self.tenants.is_none() {
            self.tenants = Some(house.tenants.list().await.unwrap_or_default().into_iter().collect());
        }
        let known = self.tenants.get_or_insert_default();
        let behind = known.iter().filter(|tenant| self.after.as_ref().is_none_or(|after| *tenant > after));
        let before = known.iter().filter(|tenant| self.after.as_ref().is_some_and(|after| *tenant <= after));
        let turn: Vec<TenantId> = behind.chain(before).take(limits::REDO_TENANTS).cloned().collect();
        for tenant in turn {
            match look_through(house, &tenant).await {
                Ok(Some(sessions)) => {
                    self.queue.extend(sessions.into_iter().map(|key| (tenant.clone(), key)))
                }
                Ok(None) => {
                    self.tenants.get_or_insert_default().remove(&tenant);
                }
                Err(problem) => tracing::warn!(%problem, %tenant, "a tenant could not be looked through"),
            }
            self.after = Some(tenant);
        }
    }
}

/// Some sessions of a tenant for its model; nothing where none are on the list.
async fn look_through(house: &Services, tenant: &TenantId) -> Result<Option<Vec<SessionKey>>, Problem> {
    let opened = house.attend(tenant).await?;
    if opened.redo(READ_IDS).await?.iter().all(|entry| entry.dead || entry.last_error.is_none()) {
        return Ok(None);
    }
    if opened.settings().await?.extraction_mode == ExtractionMode::Manual {
        return Ok(Some(Vec::new()));
    }
    waiting(house, &opened, limits::REDO_AT_ONCE, 0).await.map(Some)
}
