//! Putting right what was found: one run, under the lease that upkeep and undoing share.
//!
//! First what makes the rest unreadable, then what is computed, then what is remembered, then what waits. Each step is a batch of its
//! own, so that one that cannot be done keeps nobody else from being done; what is left, the check-up afterwards says.

use memory::checkup::{CheckSelection, Finding, Repair};
use memory::error::StoreError;
use memory::limits as core_limits;
use memory::ports::{ReadStore, WriteStore};
use memory::types::{Actor, Aside, Batch, Change, Corpus, Expect, Mend, Run, RunId, RunState};
use serde_json::Map;

use super::{JOB, aside, examine};
use crate::limits;
use crate::ops::{OpContext, pending};
use crate::problem::{Code, Problem};
use crate::tending::{self, UpkeepRun};

/// What a repair leaves behind.
pub struct RepairOutcome {
    pub run: Option<String>,
    pub aside: Option<String>,
}

/// What mends each code that is computed, in the order in which it is done: counts last, when everything counted is right.
const MENDS: &[(&str, Mend)] = &[
    ("schema.objects", Mend::Schema),
    ("db.integrity", Mend::Indexes),
    ("hash.wrong", Mend::Hashes),
    ("archive.damaged", Mend::DamagedArchives),
    ("index.missing-words", Mend::Words),
    ("index.stray-words", Mend::Words),
    ("index.wrong-words", Mend::Words),
    ("index.damaged", Mend::WordIndex),
    ("vectors.stray", Mend::Vectors),
    ("vectors.damaged", Mend::Vectors),
    ("orphans.derived", Mend::Derivations),
    ("orphans.counters", Mend::Counters),
    ("orphans.archive", Mend::Archives),
    ("orphans.waiting", Mend::Waiting),
    ("isolation.blocks", Mend::Blocks),
    ("statistics.sessions", Mend::Sessions),
    ("statistics.names", Mend::EntityNames),
    ("statistics.corpus", Mend::Corpora),
    ("vectors.count", Mend::VectorCounts),
];

pub async fn repair(
    visit: &OpContext<'_>,
    choice: &CheckSelection,
    findings: &[Finding],
) -> Result<RepairOutcome, Problem> {
    let can = |finding: &Finding| !matches!(finding.check().repair, Repair::None(_));
    if !findings.iter().any(can) {
        return Ok(RepairOutcome { run: None, aside: None });
    }
    let Some(lease) = tending::lease(visit.house, &visit.tenant).await? else {
        let message = "upkeep or an undo is at work on this tenant";
        return Err(Problem::new(Code::Busy, message).hint("try again when it is done"));
    };
    let mut repairing = Repairing::begin(visit, choice, findings).await?;
    let Some(done) = lease.during(repairing.all()).await? else {
        return Err(Problem::new(Code::Busy, "another process took over").hint("ask again to go on"));
    };
    let done = done.map(|()| repairing.aside.take());
    repairing.finish(done.is_ok()).await?;
    lease.give_back().await?;
    let aside = done?;
    repairing.upkeep().await?;
    Ok(RepairOutcome { run: Some(repairing.run.id.as_str().to_owned()), aside })
}

struct Repairing<'a> {
    visit: &'a OpContext<'a>,
    choice: &'a CheckSelection,
    findings: &'a [Finding],
    run: Run,
    aside: Option<String>,
}

impl<'a> Repairing<'a> {
    async fn begin(
        visit: &'a OpContext<'a>,
        choice: &'a CheckSelection,
        findings: &'a [Finding],
    ) -> Result<Self, Problem> {
        let now = visit.house.clock.now();
        let counts: Map<String, serde_json::Value> =
            findings.iter().map(|finding| (finding.code.clone(), finding.count.into())).collect();
        let run = Run {
            id: RunId::from_uuid(visit.house.clock.uuid()),
            version: 1,
            job: JOB.to_owned(),
            state: RunState::Running,
            cursor: None,
            counts,
            started_at: now,
            finished_at: None,
        };
        visit.tenant.apply(Batch::new(Actor::Tend, now).insert(run.clone())).await?;
        Ok(Self { visit, choice, findings, run, aside: None })
    }

    async fn finish(&mut self, well: bool) -> Result<(), Problem> {
        let now = self.visit.house.clock.now();
        self.run.state = if well { RunState::Done } else { RunState::Failed };
        self.run.finished_at = Some(now);
        self.visit.tenant.apply(Batch::new(Actor::Tend, now).replace(self.run.clone())).await?;
        Ok(())
    }

    fn has(&self, code: &str) -> bool {
        self.findings.iter().any(|finding| finding.code == code)
    }

    fn batch(&self, why: &str) -> Batch {
        let now = self.visit.house.clock.now();
        Batch::new(Actor::Tend, now).in_run(self.run.id.clone()).because(format!("doctor: {why}"))
    }

    /// Whether it was done. What somebody else changed meanwhile is left to the next check-up.
    async fn try_apply(&self, batch: Batch) -> Result<bool, Problem> {
        match self.visit.tenant.apply(batch).await {
            Ok(_) => Ok(true),
            Err(StoreError::Busy(why)) => Err(StoreError::Busy(why).into()),
            Err(error) => {
                tracing::warn!(%error, run = %self.run.id, "a repair could not be made");
                Ok(false)
            }
        }
    }

    async fn all(&mut self) -> Result<(), Problem> {
        self.strays().await?;
        self.computed().await?;
        self.settings().await?;
        self.loose_records().await?;
        self.junk().await?;
        self.runs().await?;
        self.vectors().await?;
        self.waiting().await
    }

    /// Moves aside what cannot be read or is not this tenant's. Nothing leaves the store before it is in the file.
    async fn strays(&mut self) -> Result<(), Problem> {
        let codes = ["body.unreadable", "orphans.turns", "isolation.rows", "archive.damaged"];
        if !codes.iter().any(|code| self.has(code)) {
            return Ok(());
        }
        let Some(folder) = self.visit.house.tenants().folder() else { return Ok(()) };
        let strays = self.visit.tenant.strays(self.choice).await?;
        if strays.is_empty() {
            return Ok(());
        }
        let now = self.visit.house.clock.now();
        let path = aside::put(folder, self.visit.tenant.id(), &self.run.id, &strays, now)?;
        self.aside = Some(path.display().to_string());
        for stray in strays.into_iter().filter(|stray| stray.kind != Aside::Archive) {
            let what = Mend::Discard { kind: stray.kind, row: stray.row };
            self.try_apply(self.batch(stray.code).with(Change::Mend { what })).await?;
        }
        Ok(())
    }

    async fn computed(&self) -> Result<(), Problem> {
        let mut last: Option<&Mend> = None;
        for (code, what) in MENDS.iter().filter(|(code, _)| self.has(code)) {
            if last != Some(what) {
                self.try_apply(self.batch(code).with(Change::Mend { what: what.clone() })).await?;
            }
            last = Some(what);
        }
        Ok(())
    }

    async fn settings(&self) -> Result<(), Problem> {
        if !self.has("config.settings") {
            return Ok(());
        }
        let mut batch = self.batch("config.settings");
        for name in self.visit.tenant.wrong_settings().await? {
            batch = batch.with(Change::SetSetting { name, value: None });
        }
        self.try_apply(batch).await.map(drop)
    }

    async fn loose_records(&self) -> Result<(), Problem> {
        if !self.has("orphans.links") && !self.has("orphans.relations") {
            return Ok(());
        }
        let loose = self.visit.tenant.loose_records(self.choice).await?;
        for some in loose.chunks(limits::REPAIRED_AT_ONCE) {
            let mut batch = self.batch("orphans");
            batch.changes =
                some.iter().map(|of| Change::Remove { of: of.clone(), expect: Expect::Any }).collect();
            self.try_apply(batch).await?;
        }
        Ok(())
    }

    /// Round by round: what one repair settles may be what another rests on.
    async fn junk(&self) -> Result<(), Problem> {
        for _ in 0..limits::JUNK_ROUNDS {
            let junk = examine::judge(self.visit, self.choice).await?;
            let mut done = false;
            for judged in junk.judged.into_iter().filter(|judged| !judged.changes.is_empty()) {
                let mut batch = self.batch(judged.code);
                batch.changes = judged.changes;
                done |= self.try_apply(batch).await?;
            }
            if !done {
                break;
            }
        }
        Ok(())
    }

    /// Nobody is at them: the lease that they ran under is ours.
    async fn runs(&self) -> Result<(), Problem> {
        if !self.has("runs.unfinished") {
            return Ok(());
        }
        let now = self.visit.house.clock.now();
        for run in self.visit.tenant.runs(core_limits::PAGE_ROWS).await? {
            let stale = run.started_at < now.plus_seconds(-store::limits::RUN_STALE_SECONDS);
            // A purge holds no lease, and is finished by whoever repeats it: it goes by what its run says.
            let is_purge = run.job == memory::forget::JOB;
            if run.state == RunState::Running && run.id != self.run.id && stale && !is_purge {
                let ended = Run { state: RunState::Failed, cursor: None, finished_at: Some(now), ..run };
                self.try_apply(self.batch("runs.unfinished").replace(ended)).await?;
            }
        }
        Ok(())
    }

    /// Those that are not of their texts go; then all that are missing are made.
    async fn vectors(&self) -> Result<(), Problem> {
        let Some(embedder) = &self.visit.house.embedder else { return Ok(()) };
        if self.has("vectors.wrong") {
            for (table, row) in self.visit.tenant.wrong_vectors(embedder).await?.rows {
                let what = Mend::DropVectors { table: table.to_owned(), rows: vec![row] };
                self.try_apply(self.batch("vectors.wrong").with(Change::Mend { what })).await?;
            }
        }
        for corpus in Corpus::ALL {
            loop {
                let missing = self
                    .visit
                    .tenant
                    .without_vector(*corpus, embedder.signature(), core_limits::EMBED_TEXTS)
                    .await?;
                let texts: Vec<String> = missing.iter().map(|(_, text)| text.clone()).collect();
                // A model that is away is told by the check-up afterwards.
                let Ok(vectors) = embedder.embed(&texts).await else { break };
                let mut batch = self.batch("vectors.missing");
                for ((id, _), vector) in missing.into_iter().zip(vectors) {
                    let signature = embedder.signature().to_owned();
                    batch = batch.with(Change::FillVector { corpus: *corpus, id, signature, vector });
                }
                if batch.changes.is_empty() || !self.try_apply(batch).await? {
                    break;
                }
            }
        }
        Ok(())
    }

    async fn waiting(&self) -> Result<(), Problem> {
        if self.has("pending.dead") || self.has("redo.dead") {
            pending::retry(self.visit, pending::PendingRetry {}).await?;
        }
        if self.has("pending.stuck") {
            pending::sync(self.visit, pending::Sync::default()).await?;
        }
        Ok(())
    }

    /// A pass of upkeep is a run of its own, with a lease of its own.
    async fn upkeep(&self) -> Result<(), Problem> {
        if !self.has("jobs.overdue") {
            return Ok(());
        }
        if let Some(pass) = UpkeepRun::begin(self.visit.house, &self.visit.tenant, None).await? {
            pass.complete().await?;
        }
        Ok(())
    }
}
