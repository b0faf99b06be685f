//! `recollect export`: memory, in a file that people and other systems read.
//!
//! Done by this process beside a server that may be running: the store is made for several, and a file of a gigabyte has no business in
//! a socket.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use memory::types::{Extent, Time};
use serde::Serialize;
use store::Credential;

use super::output::CommandFailure;
use super::{CommandContext, CommandEnd, progress, words};
use crate::ops::OpContext;
use crate::ops::errands::Errand;
use crate::problem::Problem;
use transfer::TransferFormat;
use transfer::export::{self, Encoding, ExportReport, ExportTarget, Stopped};

/// Write what is remembered to a file or a folder
#[derive(Debug, Args)]
#[command(after_help = "\
Formats: json (everything; the usual one), jsonl (an item a line, for streams), sqlite (a database), markdown and obsidian
(a folder of notes, or a zip of it). What is marked deleted stays out unless asked for.

Examples:
  recollect export memory.json
  recollect export - --format jsonl | gzip > memory.jsonl.gz
  recollect export vault --format obsidian --user ada
  recollect export everything.json --include-deleted --embeddings")]
pub struct ExportCommand {
    /// Where to: a file, a folder for notes, or `-` for stdout
    #[arg(value_name = "PATH")]
    path: PathBuf,
    /// json, jsonl, sqlite, markdown or obsidian; by the path's ending unless said
    #[arg(long, value_name = "FORMAT", value_parser = words::written_formats(), hide_possible_values = true)]
    format: Option<TransferFormat>,
    /// Only what was made at or after this time
    #[arg(long, value_name = "TIME")]
    since: Option<Time>,
    /// Only what was made before this time
    #[arg(long, value_name = "TIME")]
    until: Option<Time>,
    /// With the vectors of texts, which another store would compute anew
    #[arg(long)]
    embeddings: bool,
    /// With what is marked deleted or was removed, and its history
    #[arg(long)]
    include_deleted: bool,
    /// Without sessions, what was said in them, and their digests
    #[arg(long)]
    no_conversations: bool,
    /// Write over a file that is there
    #[arg(long)]
    force: bool,
}

#[derive(Serialize)]
struct ExportSummary<'a> {
    path: &'a Path,
    #[serde(flatten)]
    exported: &'a ExportReport,
    bytes: Option<u64>,
}

impl ExportCommand {
    pub async fn run(self, desk: &mut CommandContext) -> Result<CommandEnd, CommandFailure> {
        let format = self.format.unwrap_or_else(|| export::by_ending(&self.path));
        if !format.is_exported() {
            let message = format!(
                "{format} is read, and not written; expected json, jsonl, sqlite, markdown or obsidian"
            );
            return Err(Problem::invalid(message).into());
        }
        let mut extent = self.extent(desk);
        let house = desk.link.own().await?;
        let caller = house.admit(Credential::Operator { tenant: desk.who.tenant.clone() }).await?;
        let leave = house.leave(&caller, Errand::Export, desk.who.agent.clone(), desk.who.user.clone())?;
        let OpContext { tenant, now, .. } = house.visit(&leave).await?;
        extent.agents = leave.agents().to_vec();
        if self.path == Path::new("-") {
            let exported = to_stdout(&tenant, &extent, format, now).await?;
            if !desk.out.wants_json() {
                desk.out.talk(told(&exported));
            }
            return Ok(CommandEnd::Well);
        }
        let bar = progress::bar(None, "{wide_bar} {human_pos}/{human_len} items {eta}");
        let target = ExportTarget { path: &self.path, force: self.force };
        let mut telling = |done: u64, total: u64| {
            bar.set_length(total);
            bar.set_position(done);
        };
        let exported = export::to_path(&tenant, &extent, format, target, now, &mut telling).await;
        bar.finish_and_clear();
        let exported = exported.map_err(Problem::from)?;
        let bytes =
            std::fs::metadata(&self.path).ok().filter(std::fs::Metadata::is_file).map(|file| file.len());
        if desk.out.wants_json() {
            desk.out.answer(&ExportSummary { path: &self.path, exported: &exported, bytes })?;
        } else {
            desk.out.line(format!("{}: {}", self.path.display(), told(&exported)))?;
        }
        Ok(CommandEnd::Well)
    }

    fn extent(&self, desk: &CommandContext) -> Extent {
        Extent {
            agents: Vec::new(),
            agent_only: false,
            user: desk.who.user.clone(),
            session: desk.who.session.clone(),
            since: self.since,
            until: self.until,
            deleted: self.include_deleted,
            conversations: !self.no_conversations,
            embeddings: self.embeddings,
            administration: true,
        }
    }
}

/// What there was most of, in a line.
fn told(exported: &ExportReport) -> String {
    let shown = ["memory", "session", "turn", "episode", "entity", "relation", "link"];
    let parts: Vec<String> = shown
        .iter()
        .filter_map(|kind| {
            exported.counts.get(*kind).map(|count| format!("{count} {}", plural(kind, *count)))
        })
        .collect();
    let parts = if parts.is_empty() { "nothing".to_owned() } else { parts.join(", ") };
    format!("{parts} as {}", exported.format)
}

fn plural(kind: &str, count: u64) -> String {
    match (kind, count) {
        (kind, 1) => kind.to_owned(),
        ("memory", _) => "memories".to_owned(),
        ("entity", _) => "entities".to_owned(),
        (kind, _) => format!("{kind}s"),
    }
}

async fn to_stdout(
    tenant: &store::Tenant,
    extent: &Extent,
    format: TransferFormat,
    now: Time,
) -> Result<ExportReport, CommandFailure> {
    let mut out = std::io::stdout();
    if matches!(format, TransferFormat::Json | TransferFormat::JsonLines) {
        let mut encoding = Encoding::new(tenant, extent, format, now).await.map_err(Problem::from)?;
        return export::pour(&mut encoding, &mut out, &mut |_, _| {}).await.map_err(
            |stopped| match stopped {
                Stopped::Store(error) => CommandFailure::Problem(error.into()),
                Stopped::Write(error) => CommandFailure::Output(error),
            },
        );
    }
    if out.is_terminal() {
        let message = format!("{format} is no text to look at; expected a file, or a pipe");
        return Err(Problem::invalid(message).into());
    }
    let (file, exported) =
        export::to_file(tenant, extent, format, &std::env::temp_dir()).await.map_err(Problem::from)?;
    export::copy(&mut file.reopen()?, &mut out)?;
    out.flush()?;
    Ok(exported)
}
