//! `recollect eval gate`.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use memory::ports::Embedder;

use super::super::CommandEnd;
use super::super::output::{BOLD, CommandFailure, DIM, Output, styled};
use super::{TriedSettings, bar, unreadable};
use crate::eval::gate::{self, GateReport, GateShare};
use crate::problem::Problem;

/// Measure how well the gate tells which messages need memory
///
/// Recall is the share of messages that need memory and get it, false fires the share of those that get it and need
/// none. No memory is at hand: what a known name or a strong match would add is not in the figures.
#[derive(Debug, Args)]
#[command(after_help = "\
A line of a file is a message: {text, needs_memory, source?}.

Examples:
  recollect eval gate messages.jsonl
  recollect eval gate messages.jsonl --set relevanceGateMode=heuristic --json")]
pub struct GateCommand {
    /// Files of labelled messages
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    tried: TriedSettings,
}

impl GateCommand {
    pub async fn run(self, out: &mut Output) -> Result<CommandEnd, CommandFailure> {
        let mut messages = Vec::new();
        for file in &self.files {
            messages.extend(gate::read(file).map_err(|error| unreadable(&error))?);
        }
        let embedder: Arc<dyn Embedder> = Arc::new(models::Builtin);
        let learned = crate::gate::builtin();
        let progress = bar(messages.len());
        let settings = self.tried.settings();
        let report = gate::measure(&messages, &settings, &*embedder, learned.as_deref(), || progress.inc(1));
        let report = report.await.map_err(|error| Problem::ours(format!("{error:#}")))?;
        progress.finish_and_clear();
        if out.wants_json() {
            out.answer(&report)?;
        } else {
            out.table(&rows(&report))?;
        }
        Ok(CommandEnd::Well)
    }
}

fn rows(report: &GateReport) -> Vec<Vec<String>> {
    let titles = ["source", "messages", "recall", "false fires"];
    let mut rows = vec![titles.map(|title| styled(DIM, title)).to_vec()];
    let share = |share: Option<f64>| share.map_or_else(|| "-".to_owned(), |share| format!("{share:.3}"));
    let row = |name: &str, of: &GateShare| {
        vec![name.to_owned(), of.messages.to_string(), share(of.recall), share(of.false_fire)]
    };
    rows.extend(report.by_source.iter().map(|(source, of)| row(source, of)));
    let all = GateShare { messages: report.messages, recall: report.recall, false_fire: report.false_fire };
    rows.push(row("all", &all).into_iter().map(|cell| styled(BOLD, cell)).collect());
    rows
}
