//! `recollect eval`: what stands in prompts, how well recall finds, the gate decides and dates are read, on labelled files.
//!
//! Works in scratch stores of its own; what is remembered is neither read nor changed.

mod everyday;
mod gate;
mod retrieval;
mod time;

use std::collections::BTreeMap;

use clap::{Args, Subcommand};
use indicatif::ProgressBar;
use memory::settings::{self, Settings};
use serde_json::Value;

use super::output::{CommandFailure, Output};
use super::{CommandEnd, progress};
use crate::problem::Problem;

/// Measure prompts, retrieval, the gate and the reading of dates on labelled files
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  recollect eval retrieval conversations.jsonl
  recollect eval retrieval --format locomo locomo10.json --json
  recollect eval retrieval conversations.jsonl --set weightSession=0 --set fusion=rrf
  recollect eval gate messages.jsonl
  recollect eval everyday lives/*.json
  recollect eval time recognizers.jsonl")]
pub struct EvalCommand {
    #[command(subcommand)]
    what: EvalKind,
}

#[derive(Debug, Subcommand)]
enum EvalKind {
    Everyday(everyday::EverydayCommand),
    Retrieval(retrieval::RetrievalCommand),
    Gate(gate::GateCommand),
    Time(time::TimeCommand),
}

/// Settings to try instead of the defaults.
#[derive(Debug, Args)]
struct TriedSettings {
    /// Try another value of a setting; repeat it for several
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = assignment)]
    set: Vec<(String, Value)>,
}

impl TriedSettings {
    fn settings(&self) -> Settings {
        let values: BTreeMap<String, Value> = self.set.iter().cloned().collect();
        Settings::from_stored([&values])
    }
}

/// A setting's name and a value that it may have.
fn assignment(text: &str) -> Result<(String, Value), String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE")?;
    let setting = settings::find(name).map_err(|invalid| match invalid.hint {
        Some(hint) => format!("{}; {hint}", invalid.message),
        None => invalid.message,
    })?;
    let value = setting.parse(value).map_err(|invalid| invalid.message)?;
    Ok((setting.name.to_owned(), value))
}

impl EvalCommand {
    pub async fn run(self, out: &mut Output) -> Result<CommandEnd, CommandFailure> {
        match self.what {
            EvalKind::Everyday(command) => command.run(out).await,
            EvalKind::Retrieval(command) => command.run(out).await,
            EvalKind::Gate(command) => command.run(out).await,
            EvalKind::Time(command) => command.run(out),
        }
    }
}

fn bar(length: usize) -> ProgressBar {
    progress::bar(Some(length as u64), "{msg} {wide_bar} {pos}/{len} {eta}")
}

/// A file that cannot be read is the caller's mistake; whatever fails afterwards is ours.
fn unreadable(error: &anyhow::Error) -> Problem {
    let causes: Vec<String> = error.chain().map(ToString::to_string).collect();
    Problem::invalid(causes.join(": "))
}
