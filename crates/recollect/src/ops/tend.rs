//! Keep memory up now, or say what that would do.
//!
//! A pass of upkeep does not need its caller: a request waits a while for the pass and is then told how far the pass is,
//! which goes on. Where a pass is under way already, none is begun, and the answer says so. A rehearsal changes nothing and asks no model.

use std::collections::BTreeMap;

use memory::tend::DryRun;
use memory::tend::state::StepTally;
use memory::types::{Run, RunState, Step};
use serde::{Deserialize, Serialize};

use super::OpContext;
use crate::limits;
use crate::problem::Problem;
use crate::tending::UpkeepRun;

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Tend {
    /// Only say what would be done.
    pub dry_run: bool,
    /// This step alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<Step>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TendState {
    /// The pass is over.
    Done,
    /// It goes on; this is how far it has come.
    Running,
    /// Somebody else is at it, and nothing was begun.
    Busy,
    /// Nothing was changed.
    Rehearsed,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Tended {
    pub state: TendState,
    /// What can be undone as a whole.
    #[schema(required)]
    pub run_id: Option<String>,
    /// Memories put into the archive because they faded or expired, and what was deleted for its age.
    pub pruned: u64,
    /// Memories and digests that went because another says the same.
    pub merged: u64,
    /// Insights made.
    pub derived: u64,
    /// Events that became facts.
    pub compacted: u64,
    pub duration_ms: u64,
    /// How much each step did.
    pub steps: BTreeMap<String, u64>,
    /// Steps that were left out, and why.
    pub skipped: BTreeMap<String, String>,
    /// In a rehearsal: what each step would do, the first of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub would_do: Vec<Intention>,
}

/// One thing that a step would do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct Intention {
    pub step: String,
    pub reason: String,
    /// To which memories, digests or links.
    pub ids: Vec<String>,
}

pub(super) async fn tend(visit: &OpContext<'_>, request: Tend) -> Result<Box<Tended>, Problem> {
    let started = std::time::Instant::now();
    let mut tended = if request.dry_run {
        let tender = visit.house.tender(&visit.tenant).await?;
        Tended::rehearsed(tender.rehearse(request.step).await?)
    } else {
        match UpkeepRun::begin(visit.house, &visit.tenant, request.step).await? {
            None => Tended::nothing(TendState::Busy),
            Some(pass) => Tended::of(&wait(visit, pass).await?),
        }
    };
    tended.duration_ms = started.elapsed().as_millis() as u64;
    Ok(Box::new(tended))
}

/// The run when it is over, or as far as it is when the time to wait is.
async fn wait(visit: &OpContext<'_>, pass: UpkeepRun) -> Result<Run, Problem> {
    if visit.house.worker.is_none() {
        // A command ends with its answer, so it stays until the pass is over.
        return pass.complete().await;
    }
    let begun = pass.run().clone();
    let working = tokio::spawn(pass.complete());
    match tokio::time::timeout(limits::TEND_ANSWER_WITHIN, working).await {
        Ok(done) => done.map_err(Problem::ours)?,
        Err(_) => {
            use memory::ports::ReadStore;
            Ok(visit.tenant.run(&begun.id).await?.unwrap_or(begun))
        }
    }
}

impl Tended {
    fn nothing(state: TendState) -> Self {
        Self {
            state,
            run_id: None,
            pruned: 0,
            merged: 0,
            derived: 0,
            compacted: 0,
            duration_ms: 0,
            steps: BTreeMap::new(),
            skipped: BTreeMap::new(),
            would_do: Vec::new(),
        }
    }

    fn of(run: &Run) -> Self {
        let state = if run.state == RunState::Running { TendState::Running } else { TendState::Done };
        let mut tended = Self { run_id: Some(run.id.as_str().to_owned()), ..Self::nothing(state) };
        let tally = StepTally::of(run);
        tended.steps.extend(tally.done.into_iter().map(|(step, count)| (step.to_string(), count)));
        tended.skipped.extend(tally.skipped.into_iter().map(|(step, why)| (step.to_string(), why)));
        tended.sum_up()
    }

    fn rehearsed(rehearsals: Vec<DryRun>) -> Self {
        let mut tended = Self::nothing(TendState::Rehearsed);
        for rehearsal in rehearsals {
            let step = rehearsal.step.to_string();
            tended.steps.insert(step.clone(), rehearsal.weight);
            if let Some(why) = rehearsal.skipped {
                tended.skipped.insert(step.clone(), why.to_owned());
            }
            for proposed in rehearsal.proposed.into_iter().filter(|proposed| proposed.weight > 0) {
                let ids = proposed.of.into_iter().map(|of| of.id).collect();
                tended.would_do.push(Intention { step: step.clone(), reason: proposed.reason, ids });
            }
        }
        tended.sum_up()
    }

    fn sum_up(mut self) -> Self {
        let count = |steps: &[Step]| {
            steps.iter().map(|step| self.steps.get(step.as_str()).copied().unwrap_or(0)).sum::<u64>()
        };
        let sums = [
            count(&[Step::Evict, Step::Expire, Step::Prune]),
            count(&[Step::Merge, Step::Episodes]),
            count(&[Step::Derive]),
            count(&[Step::Compact]),
        ];
        [self.pruned, self.merged, self.derived, self.compacted] = sums;
        self
    }
}
