//! The one loop that learns in the background: a conversation that pauses is distilled, one that stays silent is ended.
//!
//! Whoever appends turns tells the worker, which keeps, for each session, when it is due. At start-up it looks through the
//! tenants for what an earlier process left behind, one tenant at a time and oldest session first, so that a backlog never
//! loads the machine. Everything it holds is bounded; what does not fit is found again by the next look.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use memory::learn::buffer::Occasion;
use memory::ports::ReadStore;
use memory::types::{Session, SessionKey, TenantId, Time};
use store::{Credential, Tenant};
use tokio::sync::watch;

use super::distil;
use crate::limits;
use crate::ops::House;
use crate::problem::Problem;

/// A session and what it waits for.
type Name = (TenantId, SessionKey);

/// Where appends are told. Cheap to clone.
#[derive(Clone, Default)]
pub struct Worker {
    /// Shared between those who append and the loop; held only to look something up or write it down.
    due: Arc<Mutex<Due>>,
}

#[derive(Default)]
struct Due {
    /// By the moment it is due.
    order: BTreeSet<(Time, Name)>,
    when: HashMap<Name, Time>,
}

impl Worker {
    /// A session got turns at `now`: it is due when nothing more was said for `debounce_seconds`.
    pub fn touched(&self, tenant: &TenantId, key: &SessionKey, now: Time, debounce_seconds: i64) {
        self.schedule((tenant.clone(), key.clone()), now.plus_seconds(debounce_seconds));
    }

    fn schedule(&self, name: Name, at: Time) {
        let mut due = self.due.lock().unwrap_or_else(PoisonError::into_inner);
        if due.when.len() >= limits::WAITING_SESSIONS && !due.when.contains_key(&name) {
            return;
        }
        if let Some(before) = due.when.insert(name.clone(), at) {
            due.order.remove(&(before, name.clone()));
        }
        due.order.insert((at, name));
    }

    /// Turns may have come while the session was being distilled, and then it is due sooner.
    fn schedule_unless_sooner(&self, name: Name, at: Time) {
        let due = self.due.lock().unwrap_or_else(PoisonError::into_inner);
        if due.when.get(&name).is_some_and(|already| *already <= at) {
            return;
        }
        drop(due);
        self.schedule(name, at);
    }

    /// Takes out the next session that is due.
    fn next(&self, now: Time) -> Option<Name> {
        let mut due = self.due.lock().unwrap_or_else(PoisonError::into_inner);
        let (at, name) = due.order.first()?.clone();
        if at > now {
            return None;
        }
        due.order.remove(&(at, name.clone()));
        due.when.remove(&name);
        Some(name)
    }

    pub fn waiting(&self) -> usize {
        self.due.lock().unwrap_or_else(PoisonError::into_inner).when.len()
    }

    /// Works until `stop` says so.
    pub async fn run(self, house: House, mut stop: watch::Receiver<bool>) {
        self.recover(&house).await;
        loop {
            while let Some((tenant, key)) = self.next(house.clock.now()) {
                if let Err(problem) = self.attend(&house, &tenant, &key).await {
                    tracing::warn!(%problem, "a session will be looked at again later");
                    self.schedule((tenant, key), house.clock.now().plus_seconds(limits::RETRY_SECONDS));
                }
                if *stop.borrow() {
                    return;
                }
            }
            tokio::select! {
                _ = stop.changed() => return,
                () = tokio::time::sleep(Duration::from_millis(limits::WORKER_TICK_MS)) => {}
            }
        }
    }

    /// What an earlier process left: turns that wait, and sessions that were never ended.
    async fn recover(&self, house: &House) {
        let tenants = house.tenants.list().await.unwrap_or_default();
        for tenant in tenants {
            if let Err(problem) = self.look_through(house, &tenant).await {
                tracing::warn!(%problem, %tenant, "a tenant could not be looked through for waiting sessions");
            }
        }
    }

    async fn look_through(&self, house: &House, tenant: &TenantId) -> Result<(), Problem> {
        let caller = house.admit(Credential::Operator { tenant: tenant.clone() }).await?;
        let opened = house.open(&caller).await?;
        let now = house.clock.now();
        let waiting = opened.waiting_sessions(limits::WAITING_SESSIONS).await?;
        let idle = opened.idle_sessions(now, limits::WAITING_SESSIONS).await?;
        let mut known = HashSet::new();
        let all = waiting.into_iter().map(|waiting| waiting.session).chain(idle);
        let left: Vec<SessionKey> = all.filter(|key| known.insert(key.clone())).collect();
        // All are due, each a microsecond after the one that has waited longer.
        let first = now.microseconds() - left.len() as i64;
        for (at, key) in (first..).zip(left) {
            self.schedule((tenant.clone(), key), Time::from_microseconds(at));
        }
        Ok(())
    }

    /// Distils a session, or ends it if it has been silent long enough, and writes down when to look again.
    async fn attend(&self, house: &House, tenant: &TenantId, key: &SessionKey) -> Result<(), Problem> {
        let caller = house.admit(Credential::Operator { tenant: tenant.clone() }).await?;
        let opened = house.open(&caller).await?;
        let settings = opened.settings().await?;
        if !settings.enabled || settings.extraction_mode == "manual" {
            return Ok(());
        }
        let Some(session) = opened.session(key).await? else { return Ok(()) };
        if is_over(&opened, &session).await? {
            return Ok(());
        }
        let now = house.clock.now();
        let silent_until = session.last_turn_at.plus_seconds(settings.session_idle_minutes * 60);
        let again = || {
            self.schedule((tenant.clone(), key.clone()), now.plus_seconds(limits::RETRY_SECONDS));
        };
        if now >= silent_until {
            if distil(house, &opened, key, Occasion::End).await?.is_put_off() {
                again();
            }
            return Ok(());
        }
        let pause_seconds =
            if settings.extraction_mode == "turn" { 0 } else { settings.summary_debounce_seconds };
        let paused_until = session.last_turn_at.plus_seconds(pause_seconds);
        if now < paused_until {
            self.schedule((tenant.clone(), key.clone()), paused_until);
            return Ok(());
        }
        if distil(house, &opened, key, Occasion::Debounce).await?.is_put_off() {
            again();
        } else {
            self.schedule_unless_sooner((tenant.clone(), key.clone()), silent_until);
        }
        Ok(())
    }

    /// At shutdown: everything that waits is distilled and its session ended, as far as `seconds` reach. What is left is
    /// recovered at the next start.
    pub async fn drain(&self, house: &House, seconds: u64) {
        let end_all = async {
            loop {
                let far = Time::from_date(jiff::civil::date(9998, 1, 1));
                let Some((tenant, key)) = self.next(far) else { return };
                if let Err(problem) = self.end(house, &tenant, &key).await {
                    tracing::warn!(%problem, "a session is left for the next start");
                }
            }
        };
        if tokio::time::timeout(Duration::from_secs(seconds), end_all).await.is_err() {
            tracing::warn!(left = self.waiting(), "sessions are left for the next start");
        }
    }

    async fn end(&self, house: &House, tenant: &TenantId, key: &SessionKey) -> Result<(), Problem> {
        let caller = house.admit(Credential::Operator { tenant: tenant.clone() }).await?;
        let opened = house.open(&caller).await?;
        let settings = opened.settings().await?;
        let Some(session) = opened.session(key).await? else { return Ok(()) };
        if settings.enabled && settings.extraction_mode != "manual" && !is_over(&opened, &session).await? {
            distil(house, &opened, key, Occasion::End).await?;
        }
        Ok(())
    }
}

/// Whether a session has ended and nothing of it waits that may still be tried.
async fn is_over(opened: &Tenant, session: &Session) -> Result<bool, Problem> {
    let ended = session.ended_at.is_some();
    Ok(ended && opened.pending_of(&session.key).await?.iter().all(|turn| turn.dead))
}
