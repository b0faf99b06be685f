//! `recollect import`: what another system, or another store of ours, knows.
//!
//! Done by this process beside a server that may be running: what it writes, the server sees at its next question.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use store::Credential;
use tempfile::NamedTempFile;

use super::output::{CommandFailure, one_line};
use super::{CommandContext, CommandEnd, progress, words};
use crate::exchange;
use crate::ops::errands::Errand;
use crate::problem::Problem;
use transfer::TransferFormat;
use transfer::intake::{self, ImportOptions, ImportProgress, ImportReport};

/// Take in an export: ours, or another system's
#[derive(Debug, Args)]
#[command(after_help = "\
What the file is, is told by its content: our JSON, JSON lines, SQLite, Markdown and Obsidian; ChatGPT's and Claude's exports (the
archive as downloaded will do); AgentOS brains; mem0's export; CSV; the lines that `recollect ingest` takes.
What is here already is left as it is, so repeating an import finishes one that was cut off. `recollect undo RUN` takes it back.

Examples:
  recollect import memory.json --dry-run
  recollect import chatgpt-export.zip --user ada --distil
  recollect import conversations.json --as memories
  recollect import facts.csv --agent coder")]
pub struct ImportCommand {
    /// A file, a folder of notes, or `-` for stdin
    #[arg(value_name = "PATH")]
    path: PathBuf,
    /// What it is, where its content does not tell
    #[arg(long, value_name = "FORMAT", value_parser = words::formats(), hide_possible_values = true)]
    format: Option<TransferFormat>,
    /// Say what it would come to, and change nothing
    #[arg(long)]
    dry_run: bool,
    /// Take in memories whose like is here too
    #[arg(long)]
    no_dedup: bool,
    /// What conversations become: sessions with turns, or a memory for each question with its answer
    #[arg(long = "as", value_name = "WHAT", default_value = "sessions")]
    as_what: ImportAs,
    /// Learn from conversations, as from those that are held here
    #[arg(long)]
    distil: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ImportAs {
    Sessions,
    Memories,
}

impl ImportCommand {
    pub async fn run(self, desk: &mut CommandContext) -> Result<CommandEnd, CommandFailure> {
        let spooled = if self.path == Path::new("-") { Some(spool()?) } else { None };
        let path = spooled.as_ref().map_or(self.path.as_path(), NamedTempFile::path);
        let options = ImportOptions {
            dry_run: self.dry_run,
            no_dedup: self.no_dedup,
            as_memories: self.as_what == ImportAs::Memories,
            distil: self.distil,
            agent: desk.who.agent.clone(),
            user: desk.who.user.clone(),
        };
        let house = desk.link.own().await?;
        let caller = house.admit(Credential::Operator { tenant: desk.who.tenant.clone() }).await?;
        let leave = house.leave(&caller, Errand::Import, desk.who.agent.clone(), desk.who.user.clone())?;
        let visit = house.visit(&leave).await?;
        let importer = exchange::importer(&visit);
        // While the file is first looked at nobody knows how much is to come.
        let bar = progress::bar(None, "{wide_bar} {human_pos}/{human_len} {elapsed}");
        let mut telling = |progress: ImportProgress| {
            if let Some(total) = progress.total {
                bar.set_length(total);
            }
            bar.set_position(progress.pieces);
        };
        let report = intake::import(importer, path, self.format, options, &mut telling).await;
        bar.finish_and_clear();
        let report = report.map_err(Problem::from)?;
        print(desk, &report)?;
        // Some records that could not be taken are told of; only where none could has the import come to nothing.
        let nothing = report.all_errors() > 0 && report.imported + report.skipped == 0;
        Ok(if nothing { CommandEnd::Nothing } else { CommandEnd::Well })
    }
}

fn print(desk: &mut CommandContext, report: &ImportReport) -> Result<(), CommandFailure> {
    if desk.out.wants_json() {
        return desk.out.answer(report);
    }
    for trouble in &report.errors {
        desk.out.talk(format!("{}: {}", one_line(&trouble.place), one_line(&trouble.message)));
    }
    if report.more_errors > 0 {
        desk.out.talk(format!("… and {} more", report.more_errors));
    }
    let would = if report.dry_run { "would be " } else { "" };
    let kinds: Vec<String> = report
        .kinds
        .iter()
        .filter(|(_, tallied)| tallied.imported > 0)
        .map(|(kind, tallied)| format!("{kind} {}", tallied.imported))
        .collect();
    let kinds = if kinds.is_empty() { String::new() } else { format!(" ({})", kinds.join(", ")) };
    desk.out.line(format!(
        "{would}imported {}{kinds}, skipped {}, errors {} from {}",
        report.imported,
        report.skipped,
        report.all_errors(),
        report.format
    ))?;
    if let Some(run) = &report.run {
        desk.out.talk(format!("`recollect undo {run}` takes it back"));
    }
    Ok(())
}

/// What comes over a pipe is read twice, so it is kept until then.
fn spool() -> Result<NamedTempFile, CommandFailure> {
    let mut file = NamedTempFile::new()?;
    let copied = std::io::copy(&mut std::io::stdin().lock(), file.as_file_mut());
    copied.map_err(|error| Problem::invalid(format!("stdin cannot be read: {error}")))?;
    Ok(file)
}
