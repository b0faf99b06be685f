//! `recollect stats`.

use std::collections::BTreeMap;

use clap::Args;
use memory::ports::Usage;
use memory::types::ProcessingEntry;

use super::output::{CommandFailure, DIM, styled};
use super::receipts::counted;
use super::{CommandContext, CommandEnd};
use crate::ops::stats::{Stats, StatsReport};

/// Show how much there is of everything, and what models took
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  recollect stats
  recollect stats --tenant team-7 --json")]
pub struct StatsCommand {}

impl StatsCommand {
    pub async fn run(self, desk: &mut CommandContext) -> Result<CommandEnd, CommandFailure> {
        let report = desk.link.ask(&desk.who.tenant, Stats {}).await?;
        if desk.out.wants_json() {
            desk.out.answer(&report)?;
            return Ok(CommandEnd::Well);
        }
        let rows: Vec<Vec<String>> =
            fields(&report).into_iter().map(|(name, value)| vec![styled(DIM, name), value]).collect();
        desk.out.table(&rows)?;
        let calls: Vec<Vec<String>> = report.models.calls.iter().map(call).collect();
        if !calls.is_empty() {
            desk.out.line("")?;
            desk.out.line(styled(DIM, "latest calls of models"))?;
            desk.out.table(&calls)?;
        }
        Ok(CommandEnd::Well)
    }
}

fn fields(report: &StatsReport) -> Vec<(&'static str, String)> {
    let census = &report.census;
    let settings: Vec<String> =
        report.settings.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    let counts = [
        ("turns", census.turns),
        ("sessions", census.sessions),
        ("episodes", census.episodes),
        ("entities", census.entities),
        ("relations", census.relations),
        ("links", census.links),
        ("held candidates", census.held),
        ("waiting turns", census.pending),
        ("dead letters", census.dead_letters),
        ("vectors", census.vectors),
        ("history events", census.history_events),
    ];
    let mut rows = vec![
        ("tenant", report.tenant.to_string()),
        ("memory", if report.enabled { "on" } else { "off" }.to_owned()),
        ("memories", each(&census.memories)),
        ("by kind", each(&census.memories_by_kind)),
        ("by layer", each(&census.memories_by_layer)),
    ];
    rows.extend(
        counts.into_iter().filter(|(_, count)| *count > 0).map(|(name, count)| (name, count.to_string())),
    );
    if report.relearn_offered {
        rows.push((
            "learner",
            "older than this version; `recollect relearn --dry-run` shows the difference".to_owned(),
        ));
    }
    rows.push(("changes", census.change_number.to_string()));
    rows.push(("on disk", bytes(census.bytes_on_disk)));
    rows.push(("languages", report.languages.join(", ")));
    rows.push(("settings", settings.join(", ")));
    let models = &report.models;
    let breaker = models.breaker.as_deref().filter(|state| *state != "closed");
    let core = models.core_model.as_deref().unwrap_or_default();
    rows.push(("core model", breaker.map_or(core.to_owned(), |state| format!("{core}, breaker {state}"))));
    rows.push(("models today", usage(&models.today)));
    rows.push(("in 30 days", usage(&models.last_30_days)));
    rows.into_iter().filter(|(_, value)| !value.is_empty()).collect()
}

fn each(counts: &BTreeMap<String, u64>) -> String {
    let parts: Vec<String> = counts
        .iter()
        .filter(|(_, count)| **count > 0)
        .map(|(name, count)| format!("{count} {name}"))
        .collect();
    if parts.is_empty() { "none".to_owned() } else { parts.join(", ") }
}

/// Nothing where nothing was called.
fn usage(usage: &Usage) -> String {
    if usage.calls == 0 {
        return String::new();
    }
    let failed =
        if usage.failed_calls > 0 { format!(" ({} failed)", usage.failed_calls) } else { String::new() };
    let cost = if usage.cost > 0.0 { format!(", cost {:.4}", usage.cost) } else { String::new() };
    let calls = counted("calls", usage.calls);
    format!("{calls}{failed}, {} + {} tokens{cost}", usage.input_tokens, usage.output_tokens)
}

fn call(entry: &ProcessingEntry) -> Vec<String> {
    let outcome = match &entry.detail {
        Some(detail) => format!("{}: {detail}", entry.outcome),
        None => entry.outcome.to_string(),
    };
    vec![
        styled(DIM, format!("{:.0}", entry.at.timestamp())),
        entry.task.clone(),
        entry.model.clone().unwrap_or_default(),
        format!("{} + {} tokens", entry.input_tokens, entry.output_tokens),
        format!("{} ms", entry.duration_ms),
        outcome,
    ]
}

fn bytes(count: u64) -> String {
    match count {
        0..1_024 => format!("{count} bytes"),
        1_024..1_048_576 => format!("{:.1} KiB", count as f64 / 1_024.0),
        _ => format!("{:.1} MiB", count as f64 / 1_048_576.0),
    }
}
