//! A check-up of a tenant: what is wrong with its store and with what it remembers, by stable codes; and putting it right.
//!
//! [`examine`] asks the store, the core and the probes of [`isolation`]; nothing is changed by it. [`repair`] does one run of the job
//! `doctor` under the tenant's lease: what is computed is made anew, what cannot be read is moved [`aside`], and what changes records
//! goes through the one door and can be undone. What a person wrote, pinned or changed is named and left to them.

pub(super) mod aside;
mod examine;
mod isolation;
mod repair;

use memory::checkup::{Area, CHECKS, Check, CheckSelection, Finding, Repair, Severity, score};
use serde::{Deserialize, Serialize};

use super::OpContext;
use crate::problem::Problem;

/// What the runs of repairing are called.
pub const JOB: &str = "doctor";

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Doctor {
    /// Put right what can be.
    pub fix: bool,
    /// Codes, areas, or what codes begin with; all unless said.
    pub checks: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Diagnosis {
    /// Whose store; nothing for the machine around it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tenant: Option<String>,
    /// From 0 to 100; 100 only where nothing is found.
    pub score: u8,
    /// Whether no fault is left.
    pub sound: bool,
    pub areas: Vec<AreaState>,
    /// What is found and left.
    pub findings: Vec<DoctorFinding>,
    /// What was found and is put right.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub repaired: Vec<DoctorFinding>,
    /// The run of the repair; `undo` takes back what it did to records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run_id: Option<String>,
    /// The file that what could not be read was moved into.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub aside: Option<String>,
}

/// How one area is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct AreaState {
    pub area: String,
    pub score: u8,
    /// How many checks of it were made.
    pub checks: usize,
    pub findings: usize,
}

/// One thing that was found. Which, never what they say.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DoctorFinding {
    pub code: String,
    pub area: String,
    /// `fault`, `junk` or `notice`.
    pub severity: String,
    pub count: u64,
    /// How many there are of what it is about.
    pub of: u64,
    /// The first of them, by id or name.
    pub examples: Vec<String>,
    /// Those that a person wrote, pinned or changed, and that are left to them.
    pub left_to_people: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// What it means.
    pub means: String,
    /// What a repair does, or what a person can do.
    pub repair: String,
    /// Whether it can be repaired by itself.
    pub repairable: bool,
}

impl From<Finding> for DoctorFinding {
    fn from(finding: Finding) -> Self {
        let check = finding.check();
        Self {
            area: check.area.as_str().to_owned(),
            severity: check.severity.as_str().to_owned(),
            means: check.means.to_owned(),
            repair: check.repair.about().to_owned(),
            repairable: !matches!(check.repair, Repair::None(_)) && finding.left_to_people < finding.count,
            code: finding.code,
            count: finding.count,
            of: finding.of,
            examples: finding.examples,
            left_to_people: finding.left_to_people,
            detail: finding.detail,
        }
    }
}

impl Diagnosis {
    /// What was found of a tenant's store, or of the machine.
    pub fn of(tenant: Option<&str>, mut findings: Vec<Finding>, choice: &CheckSelection) -> Self {
        let place = |finding: &Finding| CHECKS.iter().position(|check| check.code == finding.code);
        findings.sort_by_key(|finding| (std::cmp::Reverse(finding.check().severity), place(finding)));
        let made = |check: &&Check| is_machines(check) == tenant.is_none() && choice.has(check.code);
        let state = |area: &Area| {
            let made = CHECKS.iter().filter(made).filter(|check| check.area == *area).count();
            let found = findings.iter().filter(|finding| finding.check().area == *area).count();
            (made > 0).then(|| AreaState {
                area: area.as_str().to_owned(),
                score: score::of_area(&findings, *area),
                checks: made,
                findings: found,
            })
        };
        Self {
            tenant: tenant.map(str::to_owned),
            score: score::score(&findings),
            sound: findings.iter().all(|finding| finding.check().severity != Severity::Fault),
            areas: Area::ALL.iter().filter_map(state).collect(),
            findings: findings.into_iter().map(DoctorFinding::from).collect(),
            repaired: Vec::new(),
            run_id: None,
            aside: None,
        }
    }
}

/// Whether a check is of the machine and not of a tenant's store. Settings are the tenant's part of the configuration.
fn is_machines(check: &Check) -> bool {
    let (family, name) = check.code.split_once('.').unwrap_or((check.code, ""));
    matches!(family, "config" | "disk" | "control") && name != "settings"
}

/// The checks that were asked for.
pub fn choice(names: &[String]) -> Result<CheckSelection, Problem> {
    CheckSelection::of(names).map_err(|unknown| {
        let areas: Vec<&str> = Area::ALL.iter().map(|area| area.as_str()).collect();
        let message =
            format!("there is no check `{}`; expected a code such as `index.damaged`", unknown.join("`, `"));
        Problem::field("checks", message).hint(format!("or an area: {}", areas.join(", ")))
    })
}

pub(super) async fn doctor(visit: &OpContext<'_>, request: Doctor) -> Result<Box<Diagnosis>, Problem> {
    let choice = choice(&request.checks)?;
    let before = examine::examine(visit, &choice).await?;
    let tenant = Some(visit.tenant.id().as_str());
    if !request.fix || before.is_empty() {
        return Ok(Box::new(Diagnosis::of(tenant, before, &choice)));
    }
    let done = repair::repair(visit, &choice, &before).await?;
    let after = examine::examine(visit, &choice).await?;
    let repaired = before.into_iter().filter_map(|finding| gone(finding, &after));
    let repaired: Vec<DoctorFinding> = repaired.map(DoctorFinding::from).collect();
    let mut diagnosis = Diagnosis::of(tenant, after, &choice);
    (diagnosis.repaired, diagnosis.run_id, diagnosis.aside) = (repaired, done.run, done.aside);
    Ok(Box::new(diagnosis))
}

/// What of a finding is no longer found.
pub fn gone(mut finding: Finding, after: &[Finding]) -> Option<Finding> {
    let left = after.iter().find(|other| other.code == finding.code).map_or(0, |other| other.count);
    finding.count = finding.count.saturating_sub(left);
    finding.left_to_people = 0;
    finding.found()
}
