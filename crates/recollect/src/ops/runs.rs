//! What was done as a whole, by upkeep or by a person in bulk, and taking it back.

use memory::ports::ReadStore;
use memory::tend::undo;
use memory::types::{Run, RunId, RunState, Time};
use serde::{Deserialize, Serialize};
use serde_json::Map;

use super::OpContext;
use crate::limits;
use crate::problem::{Code, Problem};
use crate::tending;

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RunsList {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct RunsListed {
    /// The latest first.
    pub runs: Vec<RunRow>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Run)]
pub struct RunRow {
    pub id: String,
    /// `tend`, one of its steps, or what was asked for: `forget`, `purge`, `merge`, `summarize`, `relearn`, `undo`.
    pub job: String,
    #[schema(value_type = crate::schema::RunStateWord)]
    pub state: RunState,
    #[schema(value_type = crate::schema::MomentSchema)]
    pub started_at: Time,
    #[schema(required, value_type = Option<crate::schema::MomentSchema>)]
    pub finished_at: Option<Time>,
    #[schema(value_type = crate::schema::AnyObject)]
    pub counts: Map<String, serde_json::Value>,
    /// Why it cannot be undone; nothing where it can.
    #[schema(required)]
    pub not_undoable: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Undo {
    pub run: RunId,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UndoneRun {
    /// The run that was taken back.
    pub undone_run_id: String,
    /// The run that took it back.
    pub run_id: String,
    /// Records that are as they were before it, but for what somebody changed since.
    pub restored: u64,
    /// Records that somebody changed since, and whose change stays.
    pub changed_since: u64,
    /// Records that were purged and cannot come back.
    pub gone: u64,
    /// The first of those that are not as before.
    pub left: Vec<Left>,
}

/// A record that is not as it was before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct Left {
    pub kind: String,
    pub id: String,
    pub why: String,
}

pub(super) async fn list(visit: &OpContext<'_>, request: RunsList) -> Result<RunsListed, Problem> {
    let limit = request.limit.unwrap_or(limits::RUNS_LISTED).clamp(1, memory::limits::PAGE_ROWS);
    let days = visit.tenant.settings().await?.undo_days;
    let row = |run: Run| RunRow {
        not_undoable: refused(&run, days, visit.now),
        id: run.id.as_str().to_owned(),
        job: run.job,
        state: run.state,
        started_at: run.started_at,
        finished_at: run.finished_at,
        counts: run.counts,
    };
    Ok(RunsListed { runs: visit.tenant.runs(limit).await?.into_iter().map(row).collect() })
}

pub(super) async fn undo(visit: &OpContext<'_>, request: Undo) -> Result<UndoneRun, Problem> {
    let Some(run) = visit.tenant.run(&request.run).await? else {
        let message = format!("there is no run {}", request.run);
        return Err(Problem::new(Code::NotFound, message).hint("`recollect runs` shows what there is"));
    };
    let days = visit.tenant.settings().await?.undo_days;
    if let Some(why) = refused(&run, days, visit.now) {
        return Err(Problem::new(Code::Conflict, format!("run {} cannot be undone: {why}", run.id)));
    }
    let Some(lease) = tending::lease(visit.house, &visit.tenant).await? else {
        let message = "upkeep or another undo is at work on this tenant";
        return Err(Problem::new(Code::Busy, message).hint("try again when it is done"));
    };
    let id = run.id.as_str().to_owned();
    let done = lease.during(undo::undo(&visit.tenant, run, &*visit.house.clock)).await?;
    lease.give_back().await?;
    let lost = || Problem::new(Code::Busy, "another process took over").hint("ask again to go on");
    let (by, undone) = done.ok_or_else(lost)??;
    let left = undone.left.into_iter().map(|(of, why)| Left {
        kind: of.kind.to_string(),
        id: of.id,
        why: why.to_owned(),
    });
    Ok(UndoneRun {
        undone_run_id: id,
        run_id: by.as_str().to_owned(),
        restored: undone.restored,
        changed_since: undone.changed_since,
        gone: undone.gone,
        left: left.collect(),
    })
}

/// Why a run cannot be undone.
fn refused(run: &Run, undo_days: i64, now: Time) -> Option<String> {
    let since = run.finished_at.unwrap_or(run.started_at);
    match run.job.as_str() {
        undo::JOB => return Some("it is an undo itself; what it took back can be done again".to_owned()),
        "purge" => return Some("a purge is for good".to_owned()),
        "reindex" => return Some("it changed nothing that is remembered".to_owned()),
        _ => {}
    }
    if run.state == RunState::Undone {
        return Some("it was undone already".to_owned());
    }
    if undo_days > 0 && now.days_since(since) > undo_days as f64 {
        return Some(format!("it is older than {undo_days} days, as the setting undoDays has it"));
    }
    None
}
