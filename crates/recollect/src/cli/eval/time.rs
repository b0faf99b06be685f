//! `recollect eval time`.

use std::path::PathBuf;

use clap::Args;

use super::super::CommandEnd;
use super::super::output::{BOLD, CommandFailure, DIM, Output, styled};
use super::unreadable;
use crate::eval::time::{self, DatedPhrases, TimePart, TimeReport, TimeShare};

/// Measure how well dates are read as people write them
///
/// The share of labelled texts whose days are all found, by language and by kind. Days are compared, because memories are
/// dated by days. Texts without a day, without a value, or without the day they were said on are left out and counted. Of
/// several days that a text may mean the coming one counts; where the text tells the past, the past one too.
#[derive(Debug, Args)]
#[command(after_help = "\
A line of a file is a case of Recognizers-Text (JSON: lang, input, ctx, spans, resolution) or of Duckling
(language, phrase and value, separated by tabs). Compressed files are to be unpacked first.

Examples:
  recollect eval time recognizers.jsonl
  recollect eval time recognizers.jsonl --language de --misses 20
  recollect eval time duckling.tsv --held-out --json")]
pub struct TimeCommand {
    /// Files of labelled texts
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Only texts of this language
    #[arg(long, value_name = "CODE")]
    language: Option<String>,
    /// Show so many texts that were not read as they are labelled
    #[arg(long, value_name = "N", default_value_t = 0)]
    misses: usize,
    /// Only every fourth text, by a hash of it
    #[arg(long, conflicts_with = "rest")]
    held_out: bool,
    /// All but every fourth text: what may be looked at while the reader is worked on
    #[arg(long)]
    rest: bool,
}

impl TimeCommand {
    pub fn run(self, out: &mut Output) -> Result<CommandEnd, CommandFailure> {
        let mut texts = DatedPhrases::default();
        for file in &self.files {
            let read = time::read(file).map_err(|error| unreadable(&error))?;
            texts.phrases.extend(read.phrases);
            for (why, count) in read.left_out {
                *texts.left_out.entry(why).or_default() += count;
            }
        }
        let part = match (self.held_out, self.rest) {
            (true, _) => TimePart::HeldOut,
            (_, true) => TimePart::Rest,
            _ => TimePart::All,
        };
        let report = time::measure(&texts, part, self.misses, self.language.as_deref());
        if out.wants_json() {
            out.answer(&report)?;
        } else {
            out.table(&rows(&report))?;
        }
        Ok(CommandEnd::Well)
    }
}

fn rows(report: &TimeReport) -> Vec<Vec<String>> {
    let titles = ["", "texts", "right", "share"];
    let mut rows = vec![titles.map(|title| styled(DIM, title)).to_vec()];
    let row = |name: &str, of: &TimeShare| {
        vec![name.to_owned(), of.phrases.to_string(), of.right.to_string(), format!("{:.1}", of.percent())]
    };
    rows.extend(report.by_language.iter().map(|(language, of)| row(language, of)));
    rows.extend(report.by_kind.iter().map(|(kind, of)| row(kind, of)));
    rows.push(row("all", &report.all).into_iter().map(|cell| styled(BOLD, cell)).collect());
    for (why, count) in &report.left_out {
        rows.push(vec![styled(DIM, format!("left out: {why}")), count.to_string()]);
    }
    for miss in &report.misses {
        let (said, text) = (&miss.said, &miss.text);
        rows.push(vec![
            format!("{} {}", miss.language, miss.kind),
            format!("{said}: {text}"),
            format!("expected {}", miss.expected),
            format!("found {}", if miss.found.is_empty() { "nothing" } else { &miss.found }),
        ]);
    }
    rows
}
