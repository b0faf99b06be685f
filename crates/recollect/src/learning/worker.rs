//! The one loop that learns in the background: a conversation that pauses is distilled, one that stays silent is ended.
//!
//! Whoever appends turns tells the worker, which keeps, for each session, when it is due. A few sessions are distilled at
//! once, so that one that waits for a model holds up nobody. At start-up the worker looks through the tenants for what an
//! earlier process left behind, which is done one session at a time, the oldest first, so that a backlog never loads the
//! machine. When nothing waits, a model gets what was distilled without one. Everything it holds is bounded; what does not
//! fit is found again by the next look.

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use memory::learn::session_pass::PassTrigger;
use memory::ports::ReadStore;
use memory::settings::ExtractionMode;
use memory::types::{Owner, Session, SessionKey, TenantId, TenantSession, Time};
use parking_lot::Mutex;
use store::Tenant;
use tokio::sync::watch;

use super::classifying::Classifying;
use super::redo::Redoing;
use super::task_pool::{Crew, Finished, TaskLane};
use super::{distil, distil_at_once, observer};
use crate::limits;
use crate::ops::{Services, relearn};
use crate::problem::Problem;

/// Where appends are told. Cheap to clone.
#[derive(Clone, Default)]
pub struct Worker {
    /// Shared between those who append and the loop; held only to look something up or write it down.
    due: Arc<Mutex<Due>>,
}

#[derive(Default)]
struct Due {
    /// By the moment it is due.
    order: BTreeSet<(Time, TenantSession)>,
    when: HashMap<TenantSession, Time>,
    /// What somebody is at: taken out of the order, and not put back into it yet.
    under_way: HashSet<TenantSession>,
    /// What an earlier process left, the oldest first.
    backlog: VecDeque<TenantSession>,
    /// Got turns since the loop last looked how much of them waits.
    touched: HashSet<TenantSession>,
    /// Tenants of sessions that got turns since the loop last looked: there may be something for a model to do again.
    tenants: HashSet<TenantId>,
    /// The conversation that somebody was last at.
    latest: HashMap<(TenantId, Owner), SessionKey>,
    /// Which do not wait for a pause: their user went on to another conversation, or how learning goes was changed.
    flushed: HashSet<TenantSession>,
    /// Tenants in which something was written since the loop last looked: there may be memories whose category nobody gave.
    written: HashSet<TenantId>,
    /// Tenants whose settings say otherwise than before whether or when anything is learned.
    switched: HashSet<TenantId>,
}

impl Worker {
    /// A session got turns at `now`: it is due when nothing more was said for `debounce_seconds`.
    pub fn touched(&self, tenant: &TenantId, key: &SessionKey, now: Time, debounce_seconds: i64) {
        self.flush_before(tenant, key, now);
        self.schedule((tenant.clone(), key.clone()), now.plus_seconds(debounce_seconds));
        let mut due = self.due.lock();
        due.tenants.insert(tenant.clone());
        if debounce_seconds > 0 && due.touched.len() < limits::WAITING_SESSIONS {
            due.touched.insert((tenant.clone(), key.clone()));
        }
    }

    /// Somebody who opens a conversation is done with the one before, for now: what waits there is due at once.
    fn flush_before(&self, tenant: &TenantId, key: &SessionKey, now: Time) {
        let mut due = self.due.lock();
        if due.latest.len() >= limits::WAITING_SESSIONS {
            due.latest.clear();
        }
        let name = (tenant.clone(), key.clone());
        let opens = !due.when.contains_key(&name) && !due.under_way.contains(&name);
        let before = due.latest.insert((tenant.clone(), key.owner()), key.clone());
        let before = before.filter(|before| opens && before != key).map(|before| (tenant.clone(), before));
        if let Some(before) = before.filter(|before| due.when.contains_key(before)) {
            due.flush(before, now);
        }
    }

    /// Whether or when anything is learned was changed for these tenants: what waits is looked for again.
    pub fn switched(&self, tenants: impl IntoIterator<Item = TenantId>) {
        self.due.lock().switched.extend(tenants);
    }

    /// Something was written in a tenant, by whatever door.
    pub fn written(&self, tenant: &TenantId) {
        self.due.lock().written.insert(tenant.clone());
    }

    fn take_written(&self) -> HashSet<TenantId> {
        std::mem::take(&mut self.due.lock().written)
    }

    /// Takes up what waits where settings were changed, and does not wait for a pause.
    async fn heed_switches(&self, house: &Services) {
        let switched = std::mem::take(&mut self.due.lock().switched);
        for tenant in switched {
            self.written(&tenant);
            if let Err(problem) = self.look_through(house, &tenant).await {
                tracing::warn!(%problem, %tenant, "a tenant could not be looked through for waiting sessions");
                continue;
            }
            let mut due = self.due.lock();
            let waiting: Vec<TenantSession> =
                due.when.keys().chain(&due.backlog).filter(|(other, _)| *other == tenant).cloned().collect();
            for name in waiting {
                due.flush(name, house.clock.now());
            }
        }
    }

    /// A session has grown long: it is due, however much is being said.
    pub(super) fn touched_for_good(&self, tenant: &TenantId, key: &SessionKey, now: Time) {
        self.schedule((tenant.clone(), key.clone()), now);
    }

    fn take_touched(&self) -> Vec<TenantSession> {
        self.due.lock().touched.drain().collect()
    }

    fn take_tenants(&self) -> HashSet<TenantId> {
        std::mem::take(&mut self.due.lock().tenants)
    }

    fn schedule(&self, name: TenantSession, at: Time) {
        let mut due = self.due.lock();
        if due.when.len() >= limits::WAITING_SESSIONS && !due.when.contains_key(&name) {
            return;
        }
        if let Some(before) = due.when.insert(name.clone(), at) {
            due.order.remove(&(before, name.clone()));
        }
        due.order.insert((at, name));
    }

    /// Turns may have come while the session was being distilled, and then it is due sooner.
    fn schedule_unless_sooner(&self, name: TenantSession, at: Time) {
        let due = self.due.lock();
        if due.when.get(&name).is_some_and(|already| *already <= at) {
            return;
        }
        drop(due);
        self.schedule(name, at);
    }

    /// Takes out the next session that is due and that nobody is at.
    fn next(&self, now: Time, is_taken: impl Fn(&TenantSession) -> bool) -> Option<TenantSession> {
        let mut due = self.due.lock();
        let (at, name) =
            due.order.iter().take_while(|(at, _)| *at <= now).find(|(_, name)| !is_taken(name))?.clone();
        due.order.remove(&(at, name.clone()));
        due.when.remove(&name);
        due.under_way.insert(name.clone());
        Some(name)
    }

    /// Takes out the next of what an earlier process left. One that somebody is at already needs nobody else.
    fn next_left(&self, is_taken: impl Fn(&TenantSession) -> bool) -> Option<TenantSession> {
        let mut due = self.due.lock();
        loop {
            let name = due.backlog.pop_front()?;
            if !is_taken(&name) {
                return Some(name);
            }
        }
    }

    pub fn waiting(&self) -> usize {
        let due = self.due.lock();
        due.when.len() + due.backlog.len()
    }

    /// Works until `stop` says so.
    pub async fn run(self, house: Services, mut stop: watch::Receiver<bool>) {
        self.recover(&house).await;
        let (mut crew, mut redoing, mut classifying) =
            (Crew::default(), Redoing::default(), Classifying::default());
        while !*stop.borrow() {
            self.heed_switches(&house).await;
            observer::look(&self, &house, self.take_touched()).await;
            redoing.note(self.take_tenants());
            classifying.note(self.take_written());
            classifying.turn(&house).await;
            self.hand_out(&house, &mut crew, &mut redoing).await;
            tokio::select! {
                _ = stop.changed() => break,
                finished = crew.finished() => self.put_down(&house, finished, &mut redoing),
                () = tokio::time::sleep(Duration::from_millis(limits::WORKER_TICK_MS)) => {}
            }
        }
        classifying.put_down().await;
        // What was under way is ended without a model, which might think for longer than there is time.
        for (name, lane) in crew.stop().await {
            if lane != TaskLane::Redo {
                self.schedule(name, house.clock.now());
            }
        }
    }

    /// Gives everybody who has time something to do.
    async fn hand_out(&self, house: &Services, crew: &mut Crew, redoing: &mut Redoing) {
        while crew.has_room(TaskLane::Live)
            && let Some(name) = self.next(house.clock.now(), |name| crew.is_at(name))
        {
            crew.attend(self, house, name, TaskLane::Live);
        }
        if crew.has_room(TaskLane::Backlog)
            && let Some(name) = self.next_left(|name| crew.is_at(name))
        {
            crew.attend(self, house, name, TaskLane::Backlog);
        }
        if crew.is_idle()
            && let Some(name) = redoing.next(house).await
        {
            crew.attend(self, house, name, TaskLane::Redo);
        }
    }

    fn put_down(&self, house: &Services, finished: Finished, redoing: &mut Redoing) {
        let Finished { name, lane, is_absent } = finished;
        self.due.lock().under_way.remove(&name);
        match is_absent {
            Ok(true) => redoing.leave(&name.0),
            Ok(false) => {}
            Err(problem) if lane == TaskLane::Redo => {
                tracing::warn!(%problem, "a session could not be done again by a model");
            }
            Err(problem) => {
                tracing::warn!(%problem, "a session will be looked at again later");
                self.schedule(name, house.clock.now().plus_seconds(limits::RETRY_SECONDS));
            }
        }
    }

    /// What an earlier process left: turns that wait, and sessions that were never ended.
    async fn recover(&self, house: &Services) {
        let tenants = house.tenants.list().await.unwrap_or_default();
        for tenant in tenants {
            if let Err(problem) = self.look_through(house, &tenant).await {
                tracing::warn!(%problem, %tenant, "a tenant could not be looked through for waiting sessions");
            }
            self.written(&tenant);
        }
    }

    async fn look_through(&self, house: &Services, tenant: &TenantId) -> Result<(), Problem> {
        let opened = house.attend(tenant).await?;
        if relearn::is_offered(&opened).await? {
            tracing::info!(%tenant, "an older version learned from what is stored here; `recollect relearn --dry-run` shows what today's makes of it");
        }
        let now = house.clock.now();
        let waiting = opened.waiting_sessions(limits::WAITING_SESSIONS).await?;
        let idle = opened.idle_sessions(now, limits::WAITING_SESSIONS).await?;
        let mut known = HashSet::new();
        let all = waiting.into_iter().map(|waiting| waiting.session).chain(idle);
        let left: Vec<SessionKey> = all.filter(|key| known.insert(key.clone())).collect();
        let mut due = self.due.lock();
        let room = limits::WAITING_SESSIONS.saturating_sub(due.backlog.len());
        due.backlog.extend(left.into_iter().take(room).map(|key| (tenant.clone(), key)));
        Ok(())
    }

    /// Distils a session, or ends it if it has been silent long enough, and writes down when to look again.
    pub(super) async fn attend(
        &self,
        house: &Services,
        tenant: &TenantId,
        key: &SessionKey,
    ) -> Result<(), Problem> {
        let flushed = self.due.lock().flushed.remove(&(tenant.clone(), key.clone()));
        let opened = house.attend(tenant).await?;
        let settings = opened.settings().await?;
        // What waits is looked for again when this is switched back.
        if !settings.enabled || settings.extraction_mode == ExtractionMode::Manual {
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
            if distil(house, &opened, key, PassTrigger::End).await?.is_put_off() {
                again();
            }
            return Ok(());
        }
        let pause_seconds = if settings.extraction_mode == ExtractionMode::Turn {
            0
        } else {
            settings.summary_debounce_seconds
        };
        let paused_until = session.last_turn_at.plus_seconds(pause_seconds);
        if now < paused_until && !flushed && !observer::is_long(&opened, key, &settings).await? {
            self.schedule((tenant.clone(), key.clone()), paused_until);
            return Ok(());
        }
        if distil(house, &opened, key, PassTrigger::Debounce).await?.is_put_off() {
            again();
        } else {
            self.schedule_unless_sooner((tenant.clone(), key.clone()), silent_until);
        }
        Ok(())
    }

    /// At shutdown: everything that waits is distilled and its session ended, as far as `seconds` reach. What is left is
    /// recovered at the next start.
    pub async fn drain(&self, house: &Services, seconds: u64) {
        let end_all = async {
            loop {
                let far = Time::from_date(jiff::civil::date(9998, 1, 1));
                let left = self.next(far, |_| false).or_else(|| self.next_left(|_| false));
                let Some((tenant, key)) = left else { return };
                if let Err(problem) = self.end(house, &tenant, &key).await {
                    tracing::warn!(%problem, "a session is left for the next start");
                }
            }
        };
        if tokio::time::timeout(Duration::from_secs(seconds), end_all).await.is_err() {
            tracing::warn!(left = self.waiting(), "sessions are left for the next start");
        }
    }

    async fn end(&self, house: &Services, tenant: &TenantId, key: &SessionKey) -> Result<(), Problem> {
        let opened = house.attend(tenant).await?;
        let settings = opened.settings().await?;
        let Some(session) = opened.session(key).await? else { return Ok(()) };
        if settings.enabled
            && settings.extraction_mode != ExtractionMode::Manual
            && !is_over(&opened, &session).await?
        {
            distil_at_once(house, &opened, key, PassTrigger::End).await?;
        }
        Ok(())
    }
}

impl Due {
    /// A session is due now, however short the pause.
    fn flush(&mut self, name: TenantSession, now: Time) {
        if let Some(before) = self.when.insert(name.clone(), now) {
            self.order.remove(&(before, name.clone()));
        }
        self.order.insert((now, name.clone()));
        self.flushed.insert(name);
    }
}

/// Whether a session has ended and nothing of it waits that may still be tried.
async fn is_over(opened: &Tenant, session: &Session) -> Result<bool, Problem> {
    let ended = session.ended_at.is_some();
    Ok(ended && opened.pending_of(&session.key).await?.iter().all(|turn| turn.dead))
}
