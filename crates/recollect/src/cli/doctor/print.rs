//! A check-up on a terminal: each area with a tick or a cross, then what was found and what to do about it.

use anstyle::{AnsiColor, Style};

use super::{Diagnosis, DoctorFinding, DoctorReport};
use crate::cli::output::{BOLD, CommandFailure, DIM, Output, one_line, styled};
use crate::limits;

const GREEN: Style = AnsiColor::Green.on_default().bold();
const YELLOW: Style = AnsiColor::Yellow.on_default().bold();
const RED: Style = AnsiColor::Red.on_default().bold();

pub fn report(report: &DoctorReport, fixed: bool, out: &mut Output) -> Result<(), CommandFailure> {
    out.line(styled(BOLD, "this machine"))?;
    areas(&report.machine, out)?;
    for tenant in &report.tenants {
        out.line("")?;
        out.line(styled(BOLD, format!("tenant {}", tenant.tenant.as_deref().unwrap_or_default())))?;
        areas(tenant, out)?;
    }
    for diagnosis in report.all() {
        for found in &diagnosis.repaired {
            out.line(format!(
                "\n{} {}  {} put right",
                styled(GREEN, "✓"),
                styled(BOLD, &found.code),
                found.count
            ))?;
            out.line(format!("  {}", found.repair))?;
        }
        for found in &diagnosis.findings {
            finding(found, diagnosis, report, out)?;
        }
        if let Some(aside) = &diagnosis.aside {
            out.talk(format!("what could not stay was moved into {aside}"));
        }
    }
    out.line(format!("\nscore {} of 100", styled(BOLD, report.score)))?;
    advice(report, fixed, out);
    Ok(())
}

fn areas(diagnosis: &Diagnosis, out: &mut Output) -> Result<(), CommandFailure> {
    let row = |state: &crate::ops::doctor::AreaState| {
        let worst = diagnosis
            .findings
            .iter()
            .filter(|found| found.area == state.area)
            .map(|found| found.severity.as_str());
        let worst: Vec<&str> = worst.collect();
        let mark = match (worst.is_empty(), worst.contains(&"fault")) {
            (true, _) => styled(GREEN, "✓"),
            (false, true) => styled(RED, "✗"),
            (false, false) => styled(YELLOW, "!"),
        };
        let found = if state.findings == 0 { String::new() } else { format!("{} found", state.findings) };
        vec![format!("  {mark}"), state.area.clone(), format!("{:>3}", state.score), found]
    };
    let rows: Vec<Vec<String>> = diagnosis.areas.iter().map(row).collect();
    out.table(&rows)
}

fn finding(
    found: &DoctorFinding,
    diagnosis: &Diagnosis,
    report: &DoctorReport,
    out: &mut Output,
) -> Result<(), CommandFailure> {
    let mark = match found.severity.as_str() {
        "fault" => styled(RED, "fault"),
        "junk" => styled(YELLOW, "junk"),
        _ => styled(DIM, "notice"),
    };
    out.line(format!(
        "\n{mark} {}  {} of {}",
        styled(BOLD, &found.code),
        found.count,
        found.of.max(found.count)
    ))?;
    out.line(format!("  {}", found.means))?;
    if let Some(detail) = &found.detail {
        out.line(format!("  {}", one_line(detail)))?;
    }
    for example in found.examples.iter().take(limits::EXAMPLES_SHOWN) {
        let lines = example.split(' ').filter_map(|id| {
            report.lines.get(&(diagnosis.tenant.clone().unwrap_or_default(), id.to_owned()))
        });
        let said = lines.map(|line| one_line(line)).collect::<Vec<_>>().join(" / ");
        out.line(format!("    {}  {said}", styled(DIM, one_line(example))).trim_end().to_owned())?;
    }
    if found.left_to_people > 0 {
        out.line(format!("  {} of them are a person's and are left to you", found.left_to_people))?;
    }
    let repair = if found.repairable { "repair (--fix)" } else { "what to do" };
    out.line(format!("  {}: {}", styled(DIM, repair), found.repair))
}

fn advice(report: &DoctorReport, fixed: bool, out: &mut Output) {
    for (tenant, run) in
        report.tenants.iter().filter_map(|one| Some((one.tenant.as_ref()?, one.run_id.as_ref()?)))
    {
        let of = if tenant == "local" { String::new() } else { format!(" --tenant {tenant}") };
        out.talk(format!("`recollect undo {run}{of}` takes back what was done to records"));
    }
    let repairable = report.all().any(|one| one.findings.iter().any(|found| found.repairable));
    if !fixed && repairable {
        out.talk("nothing was changed; `recollect doctor --fix` puts right what can be");
    }
}
