//! The upkeep: a closed list of steps, in bounded portions, under one run that can be undone.
//!
//! A pass goes through [`Step::ALL`] in order. Each step looks at a bounded number of rows and says what it would do
//! ([`Proposal`]); that, the run's counts and how far it has come are one batch. A pass that is killed goes on from there, and
//! one that lost a race plans its portion again. Nothing is rewritten because time passed: [`crate::strength`] is computed when read.
//!
//! What a person wrote, pinned or changed is never merged away, archived or rewritten ([`ownership`]). What replaces something is
//! found by a search before what it replaces goes.

mod compact;
pub(crate) mod derive;
mod episodes;
mod evict;
mod expire;
mod gist;
mod index;
pub mod merge;
pub mod ownership;
mod profile;
mod promote;
mod prune;
pub mod state;
mod strengthen;
pub mod summarise;
pub mod undo;

pub use gist::{Verbatim, rehydrate};

use self::state::{Course, StepTally, Waypoint};
use crate::error::{StoreError, StoreResult};
use crate::limits;
use crate::ports::Store;
use crate::text::Analyser;
use crate::toolkit::Toolkit;
use crate::types::{
    Actor, Batch, Change, Job, MemoryId, Record, RecordKind, RecordRef, Run, RunId, RunState, Step, Time,
};

/// What the runs and the due time of a whole pass are called.
pub const JOB: &str = "tend";

/// The upkeep of one tenant.
#[derive(Clone)]
pub struct Tender {
    pub tools: Toolkit,
}

/// What a step would do, and why.
#[derive(Debug, Clone, PartialEq)]
pub struct Proposal {
    pub reason: String,
    /// What it is about.
    pub of: Vec<RecordRef>,
    pub changes: Vec<Change>,
    /// How much it counts for in the report.
    pub weight: u64,
}

/// What a step came to with a bounded number of rows.
#[derive(Debug, Default)]
pub struct StepSlice {
    pub proposed: Vec<Proposal>,
    /// Where it goes on; nothing when the step is over.
    pub next: Option<String>,
    /// Why a step did nothing at all.
    pub skipped: Option<&'static str>,
}

/// The circumstances of a pass.
pub(crate) struct TendContext<'a> {
    /// When the pass began: the same for all of its portions, also after a restart.
    pub now: Time,
    /// When the last pass that ended well began. What did not change since was looked at then.
    pub since: Option<Time>,
    pub analyser: &'a Analyser,
    /// Only say what would be done: no model is asked.
    pub rehearsing: bool,
}

impl Proposal {
    pub fn about(memories: &[&MemoryId], reason: impl Into<String>) -> Self {
        let of = memories.iter().map(|id| RecordRef::memory(id)).collect();
        Self { reason: reason.into(), of, changes: Vec::new(), weight: 1 }
    }

    pub fn with(mut self, change: Change) -> Self {
        self.changes.push(change);
        self
    }

    /// A record that replaces the version it carries.
    pub fn replace(self, record: impl Into<Record>) -> Self {
        let record = record.into();
        let expect = crate::types::Expect::Version(record.version());
        self.with(Change::Put { record, expect })
    }

    pub fn insert(self, record: impl Into<Record>) -> Self {
        self.with(Change::Put { record: record.into(), expect: crate::types::Expect::Absent })
    }
}

impl StepSlice {
    fn skipped(why: &'static str) -> Self {
        Self { skipped: Some(why), ..Self::default() }
    }
}

impl Tender {
    fn store(&self) -> &dyn Store {
        &*self.tools.store
    }

    /// The run that an earlier process left unfinished.
    pub async fn unfinished(&self) -> StoreResult<Option<Run>> {
        let runs = self.store().runs(limits::RUNS_LOOKED_AT).await?;
        Ok(runs.into_iter().find(|run| run.state == RunState::Running && Course::of(&run.job).is_some()))
    }

    /// Begins a pass, or one step of it alone. When the next whole pass is due is written with it.
    pub async fn begin(&self, only: Option<Step>) -> StoreResult<Run> {
        let now = self.tools.clock.now();
        let course = Course::from(only);
        let run = Run {
            id: RunId::from_uuid(self.tools.clock.uuid()),
            version: 1,
            job: course.to_string(),
            state: RunState::Running,
            cursor: Some(course.first().to_string()),
            counts: serde_json::Map::new(),
            started_at: now,
            finished_at: None,
        };
        let mut batch = Batch::new(Actor::Tend, now).insert(run.clone());
        if only.is_none() {
            let due_at = now.plus_seconds(self.tools.settings.consolidation_interval_hours * 3_600);
            let job = Job { name: JOB.to_owned(), due_at, last_run_at: Some(now), mark: None };
            batch = batch.with(Change::PutJob { job });
        }
        self.store().apply(batch).await?;
        Ok(run)
    }

    /// Does the next portion of a run; the run says whether it is over.
    pub async fn advance(&self, run: Run) -> StoreResult<Run> {
        let Some(Waypoint { step, cursor }) = Waypoint::of(&run) else {
            return self.end(run, RunState::Done).await;
        };
        let cursor = cursor.as_str();
        if step == Step::Profile {
            let next = profile::refresh(self, &run, cursor).await?;
            return self.save(Vec::new(), &run, step, next, 0, None).await;
        }
        for _ in 0..limits::TEND_RACES {
            let portion = self.next_portion(step, cursor, &self.look(&run).await?).await?;
            let weight = portion.proposed.iter().map(|proposed| proposed.weight).sum();
            let changes = portion.proposed.iter().flat_map(|proposed| proposed.changes.clone()).collect();
            match self.save(changes, &run, step, portion.next, weight, portion.skipped).await {
                Err(StoreError::Conflict { .. } | StoreError::NotFound(_)) => {}
                other => return other,
            }
        }
        self.one_by_one(&run, step, cursor).await
    }

    /// The next portion in which there is something to do. A commit for each that has nothing would make every follower of
    /// the log look up for nothing; where it came to is only lost to a kill, and then looked at again.
    async fn next_portion(&self, step: Step, cursor: &str, look: &TendContext<'_>) -> StoreResult<StepSlice> {
        let mut portion = self.plan(step, cursor, look).await?;
        for _ in 1..limits::TEND_PORTIONS {
            match &portion.next {
                Some(next) if portion.proposed.is_empty() => portion = self.plan(step, next, look).await?,
                _ => break,
            }
        }
        Ok(portion)
    }

    /// Others keep writing. How far it came is saved first: what is then lost is done by the next pass, and nothing twice.
    async fn one_by_one(&self, run: &Run, step: Step, cursor: &str) -> StoreResult<Run> {
        let portion = self.plan(step, cursor, &self.look(run).await?).await?;
        let mut run = self.save(Vec::new(), run, step, portion.next, 0, portion.skipped).await?;
        let mut done = 0;
        for proposed in portion.proposed {
            let mut batch = self.batch(&run.id, step);
            batch.changes = proposed.changes;
            match self.store().apply(batch).await {
                Ok(_) => done += proposed.weight,
                Err(StoreError::Conflict { .. } | StoreError::NotFound(_)) => {}
                Err(error) => return Err(error),
            }
        }
        count(&mut run, step, done, None);
        self.write(run, Vec::new(), step).await
    }

    fn batch(&self, run: &RunId, step: Step) -> Batch {
        Batch::new(Actor::Tend, self.tools.clock.now()).in_run(run.clone()).because(about(step))
    }

    async fn save(
        &self,
        changes: Vec<Change>,
        run: &Run,
        step: Step,
        next: Option<String>,
        weight: u64,
        skipped: Option<&'static str>,
    ) -> StoreResult<Run> {
        let mut run = run.clone();
        count(&mut run, step, weight, skipped);
        run.cursor = Waypoint::after(&run, step, next).map(|at| at.to_string());
        self.write(run, changes, step).await
    }

    async fn write(&self, mut run: Run, changes: Vec<Change>, step: Step) -> StoreResult<Run> {
        let mut batch = self.batch(&run.id, step);
        batch.changes = changes;
        let written = self.store().apply(batch.replace(run.clone())).await?;
        let known = |(of, version): &(RecordRef, u64)| (of.kind == RecordKind::Run).then_some(*version);
        run.version = written.records.iter().find_map(known).unwrap_or(run.version + 1);
        Ok(run)
    }

    /// The run is over, one way or the other.
    pub async fn end(&self, run: Run, state: RunState) -> StoreResult<Run> {
        let finished_at = Some(self.tools.clock.now());
        self.write(Run { state, cursor: None, finished_at, ..run }, Vec::new(), Step::Index).await
    }

    async fn look(&self, run: &Run) -> StoreResult<TendContext<'_>> {
        let since = self.last_done(run.started_at).await?;
        Ok(TendContext { now: run.started_at, since, analyser: &self.tools.analyser, rehearsing: false })
    }

    /// When the last whole pass began that ended well.
    async fn last_done(&self, before: Time) -> StoreResult<Option<Time>> {
        let runs = self.store().runs(limits::RUNS_LOOKED_AT).await?;
        let done = |run: &&Run| run.job == JOB && run.state == RunState::Done && run.started_at < before;
        Ok(runs.iter().find(done).map(|run| run.started_at))
    }

    /// What each step would do to what there is now, and to which memories; nothing is changed and no model is asked.
    pub async fn rehearse(&self, only: Option<Step>) -> StoreResult<Vec<DryRun>> {
        let now = self.tools.clock.now();
        let since = self.last_done(now).await?;
        let look = TendContext { now, since, analyser: &self.tools.analyser, rehearsing: true };
        let mut rehearsals = Vec::new();
        for step in only.map_or(Step::ALL.to_vec(), |step| vec![step]) {
            let mut rehearsal = DryRun { step, weight: 0, proposed: Vec::new(), skipped: None };
            let mut cursor = String::new();
            loop {
                let portion = self.plan(step, &cursor, &look).await?;
                rehearsal.weight += portion.proposed.iter().map(|proposed| proposed.weight).sum::<u64>();
                let room = limits::REHEARSED - rehearsal.proposed.len();
                rehearsal.proposed.extend(portion.proposed.into_iter().take(room));
                rehearsal.skipped = portion.skipped;
                match portion.next {
                    // What goes for good is counted whole the first time: nothing has gone, so it would be there again.
                    Some(next) if next != cursor => cursor = next,
                    _ => break,
                }
            }
            rehearsals.push(rehearsal);
        }
        Ok(rehearsals)
    }

    async fn plan(&self, step: Step, cursor: &str, look: &TendContext<'_>) -> StoreResult<StepSlice> {
        match step {
            Step::Expire => expire::plan(self, cursor, look).await,
            Step::Episodes => episodes::plan(self, cursor, look).await,
            Step::Merge => merge::plan(self, cursor, look).await,
            Step::Promote => promote::plan(self, cursor, look).await,
            Step::Strengthen => strengthen::plan(self, cursor, look).await,
            Step::Derive => derive::plan(self, cursor, look).await,
            Step::Compact => compact::plan(self, cursor, look).await,
            Step::Summarise => summarise::plan(self, cursor, look).await,
            Step::Gist => gist::plan(self, cursor, look).await,
            Step::Evict => evict::plan(self, cursor, look).await,
            Step::Prune => prune::plan(self, cursor, look).await,
            Step::Profile => Ok(StepSlice::default()),
            Step::Index => index::plan(self, cursor, look).await,
        }
    }
}

/// What a step would do.
#[derive(Debug)]
pub struct DryRun {
    pub step: Step,
    pub weight: u64,
    /// The first of it.
    pub proposed: Vec<Proposal>,
    pub skipped: Option<&'static str>,
}

/// What stands in history as the reason of everything that a step did.
pub fn about(step: Step) -> &'static str {
    match step {
        Step::Expire => "upkeep: it was only to hold for a while, which is over",
        Step::Episodes => "upkeep: two digests said the same",
        Step::Merge => "upkeep: two memories said the same",
        Step::Promote => "upkeep: it keeps coming up",
        Step::Strengthen => "upkeep: they were used together",
        Step::Derive => "upkeep: many memories say this together",
        Step::Compact => "upkeep: what happened once is asked for again and again",
        Step::Summarise => "upkeep: old memories are taken together",
        Step::Gist => "upkeep: long and seldom used, so it is shortened",
        Step::Evict => "upkeep: it faded and is not asked for",
        Step::Prune => "upkeep: it was kept long enough",
        Step::Profile => "upkeep: the profile follows what is known",
        Step::Index => "upkeep: the index is brought in step",
    }
}

fn count(run: &mut Run, step: Step, weight: u64, skipped: Option<&str>) {
    let mut tally = StepTally::of(run);
    tally.add(step, weight, skipped);
    run.counts = tally.counts();
}
