//! `recollect eval everyday`.

use std::path::PathBuf;

use clap::Args;

use super::super::CommandEnd;
use super::super::output::{BOLD, CommandFailure, DIM, Output, styled};
use super::{TriedSettings, bar, unreadable};
use crate::eval::everyday::{self, EverydayFigures, EverydayReport};
use crate::problem::Problem;

/// Measure whether what stands in prompts is what a person would want there
///
/// Each file is a life: conversations over some weeks, what a good assistant would know after them, and messages in new conversations. right is the share
/// of questions whose block has everything that is needed and nothing that is over or forgotten, in at most 450 tokens; risk the share without what must not be told,
/// where there is something; known what of who the user is stands before a message that needs nothing; quiet such messages that get no more than that.
#[derive(Debug, Args)]
#[command(after_help = "\
A file is JSON: {id, language, conversations: [{id, date, turns: [{user, assistant}]} or {forget: {match}}],
facts: [{id, match: [[words]], status?, unless?, core?}], questions: [{ask, needs, also?, never?}], small: [messages]}.

Examples:
  recollect eval everyday lives/*.json
  recollect eval everyday lives/*.json --set portraitTokens=120 --json")]
pub struct EverydayCommand {
    /// Files of lives
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    tried: TriedSettings,
}

impl EverydayCommand {
    pub async fn run(self, out: &mut Output) -> Result<CommandEnd, CommandFailure> {
        let mut lives = Vec::with_capacity(self.files.len());
        for file in &self.files {
            lives.push(everyday::read(file).map_err(|error| unreadable(&error))?);
        }
        let progress = bar(lives.len());
        let report = everyday::measure(&lives, &self.tried.set, || progress.inc(1)).await;
        let report = report.map_err(|error| Problem::ours(format!("{error:#}")))?;
        progress.finish_and_clear();
        if out.wants_json() {
            out.answer(&report)?;
        } else {
            out.table(&rows(&report))?;
        }
        Ok(CommandEnd::Well)
    }
}

fn rows(report: &EverydayReport) -> Vec<Vec<String>> {
    let titles = [
        "",
        "right",
        "answered",
        "clean",
        "risk",
        "apt",
        "noise",
        "known",
        "quiet",
        "tokens",
        "learned",
        "about",
        "stale",
        "memories",
        "questions",
    ];
    let mut rows = vec![titles.map(|title| styled(DIM, title)).to_vec()];
    rows.extend(report.by_language.iter().map(|(language, figures)| row(language, figures)));
    rows.push(row("all", &report.all).into_iter().map(|cell| styled(BOLD, cell)).collect());
    rows
}

fn row(name: &str, of: &EverydayFigures) -> Vec<String> {
    let shares = [
        of.right,
        of.answered,
        of.clean,
        of.risk,
        of.apt,
        of.noise,
        of.known,
        of.quiet,
        of.tokens,
        of.learned,
        of.about,
        of.stale,
    ];
    let share = |share: Option<f64>| share.map_or_else(|| "-".to_owned(), |share| format!("{share:.1}"));
    let counts = [of.memories.to_string(), of.questions.to_string()];
    std::iter::once(name.to_owned()).chain(shares.map(share)).chain(counts).collect()
}
