//! `recollect backup`: the whole data folder into another one, while a server may run and write.
//!
//! It is done here and not through the server: the store lets several processes read at once, and a backup should not need
//! one that is well.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use clap::Args;
use indicatif::{HumanBytes, ProgressBar, ProgressDrawTarget, ProgressStyle};
use memory::error::StoreError;
use serde_json::json;
use store::backup::{self, BackupError, BackupSource, BackupTaken, Checked, Shelf};

use super::output::{BOLD, CommandFailure, DIM, Output, styled};
use super::{CommandEnd, Globals};
use crate::config::{self, Config};
use crate::environment::Environment;
use crate::log;
use crate::problem::{Code, Problem};

/// Copy everything remembered into another folder, while it is in use
///
/// Each backup is a folder of its own in DIR, named by its time. What did not change since the last one is not copied
/// again. `recollect restore DIR` brings one back.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  recollect backup /mnt/backups
  recollect backup /mnt/backups --keep 14
  recollect backup /mnt/backups --list
  recollect backup /mnt/backups --verify")]
pub struct BackupCommand {
    /// The folder of backups, made where it is missing
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Take away all but the newest N when done; 0 keeps all
    #[arg(long, value_name = "N", default_value_t = 0)]
    keep: usize,
    /// Make none, but check those that are there, byte by byte
    #[arg(long, conflicts_with_all = ["keep", "list"])]
    verify: bool,
    /// Make none, but list those that are there
    #[arg(long, conflicts_with = "keep")]
    list: bool,
    /// Check or list this one alone: its name, or the newest that began by this time
    #[arg(long, value_name = "TIME")]
    at: Option<String>,
}

impl BackupCommand {
    pub fn run(self, globals: &Globals, out: &mut Output) -> Result<CommandEnd, CommandFailure> {
        if globals.tenant.is_some() {
            let hint = "`recollect restore DIR --tenant NAME` brings one of them back";
            return Err(Problem::invalid("a backup is of all tenants; expected no --tenant")
                .hint(hint)
                .into());
        }
        let environment = Environment::of_this_process()?;
        let config = Config::load(&globals.flags(), &environment)?;
        log::start(&config, false);
        if self.verify {
            return self.verify(out);
        }
        if self.list {
            return self.list(out);
        }
        if self.at.is_some() {
            return Err(Problem::invalid("--at goes with --verify or --list").into());
        }
        let source = BackupSource {
            data: config.data.clone(),
            config: config::user_file(&globals.flags(), &environment)?,
            program: env!("CARGO_PKG_VERSION").to_owned(),
            clock: config.store_options().clock,
        };
        let bar = bar(source.bytes());
        let taken =
            backup::take(&source, &self.folder, self.keep, &mut |what, bytes| advance(&bar, what, bytes));
        bar.finish_and_clear();
        say(out, &taken.map_err(explain)?)?;
        Ok(CommandEnd::Well)
    }

    fn generations(&self) -> Result<Vec<backup::Generation>, Problem> {
        let shelf = Shelf::at(&self.folder);
        let newest = shelf.choose(self.at.as_deref()).map_err(explain)?;
        match self.at {
            Some(_) => Ok(vec![newest]),
            None => shelf.generations().map_err(explain),
        }
    }

    /// Every backup is looked at, however many are damaged.
    fn verify(self, out: &mut Output) -> Result<CommandEnd, CommandFailure> {
        let (mut checked, mut found, mut bad) = (Checked::default(), Vec::new(), 0);
        for generation in self.generations()? {
            let bytes = generation.manifest().map_or(0, |manifest| total(&manifest));
            let bar = bar(bytes);
            let verified =
                backup::verify(&generation, &mut checked, &mut |what, bytes| advance(&bar, what, bytes));
            bar.finish_and_clear();
            let name = &generation.name;
            match verified.map_err(explain) {
                Ok(manifest) => {
                    let files = manifest.files.len();
                    found
                        .push(json!({ "name": name, "ok": true, "files": files, "bytes": total(&manifest) }));
                    plain(out, format!("{name}  whole, {files} files, {}", HumanBytes(total(&manifest))))?;
                }
                Err(problem) => {
                    bad += 1;
                    found.push(json!({ "name": name, "ok": false, "error": problem.message }));
                    plain(out, format!("{name}  {}", styled(BOLD, &problem.message)))?;
                }
            }
        }
        if out.wants_json() {
            out.answer(&json!({ "backups": found, "damaged": bad }))?;
        }
        Ok(if bad == 0 { CommandEnd::Well } else { CommandEnd::Nothing })
    }

    fn list(self, out: &mut Output) -> Result<CommandEnd, CommandFailure> {
        let mut found = Vec::new();
        for generation in self.generations()? {
            let manifest = generation.manifest().map_err(explain);
            let line = match &manifest {
                Ok(manifest) => {
                    let tenants = manifest.files.iter().filter(|entry| entry.tenant.is_some()).count();
                    found.push(json!({
                        "name": generation.name, "folder": generation.folder, "made_at": manifest.made_at,
                        "tenants": tenants, "bytes": total(manifest), "program": manifest.program,
                    }));
                    format!("{}  {}", counted(tenants), HumanBytes(total(manifest)))
                }
                Err(problem) => {
                    found.push(json!({ "name": generation.name, "error": problem.message }));
                    problem.message.clone()
                }
            };
            plain(out, format!("{}  {line}", generation.name))?;
        }
        if out.wants_json() {
            out.answer(&json!({ "backups": found }))?;
        }
        Ok(CommandEnd::Well)
    }
}

/// A line, where answers are for people.
fn plain(out: &mut Output, line: String) -> Result<(), CommandFailure> {
    if out.wants_json() { Ok(()) } else { out.line(line) }
}

fn total(manifest: &backup::Manifest) -> u64 {
    manifest.files.iter().map(|entry| entry.bytes).sum()
}

fn say(out: &mut Output, taken: &BackupTaken) -> Result<(), CommandFailure> {
    if out.wants_json() {
        return out.answer(taken);
    }
    out.line(taken.folder.display())?;
    let files = &taken.manifest.files;
    let (copied, kept): (Vec<_>, Vec<_>) = files.iter().partition(|entry| entry.copied);
    let bytes: u64 = copied.iter().map(|entry| entry.bytes).sum();
    let tenants = files.iter().filter(|entry| entry.tenant.is_some()).count();
    out.talk(format!(
        "{}; {} files copied ({}), {} unchanged since an earlier backup",
        counted(tenants),
        copied.len(),
        HumanBytes(bytes),
        kept.len(),
    ));
    for name in &taken.pruned {
        out.talk(styled(DIM, format!("took away {name}")));
    }
    Ok(())
}

fn counted(tenants: usize) -> String {
    format!("{tenants} {}", if tenants == 1 { "tenant" } else { "tenants" })
}

/// A bar on stderr, where somebody looks.
pub fn bar(bytes: u64) -> ProgressBar {
    let seen = std::io::stderr().is_terminal();
    let target = if seen { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let style = ProgressStyle::with_template("{wide_bar} {bytes}/{total_bytes} {msg}");
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::with_draw_target(Some(bytes), target).with_style(style)
}

pub fn advance(bar: &ProgressBar, what: &str, bytes: u64) {
    if !what.is_empty() {
        bar.set_message(Path::new(what).display().to_string());
    }
    bar.inc(bytes);
}

/// What went wrong, in the words of the one table.
pub fn explain(error: BackupError) -> Problem {
    match error {
        BackupError::File { path, error } => {
            let message = format!("{} cannot be read or written: {error}", path.display());
            Problem::new(Code::Unavailable, message)
                .hint("nothing was changed; see to it and repeat the command")
        }
        BackupError::Damaged(message) => Problem::new(Code::Unavailable, message)
            .hint("`recollect backup DIR --verify` says which backups are whole; --at names one of them"),
        BackupError::Newer(message) => {
            Problem::new(Code::Unavailable, message).hint("a newer version of this program can read it")
        }
        BackupError::Broken(message) => Problem::new(Code::Unavailable, message)
            .hint("`recollect doctor` says more of it; backups that were made before are as they were"),
        BackupError::Refused { message, hint } => Problem::invalid(message).hint(hint),
        BackupError::Nothing(message) => Problem::new(Code::NotFound, message)
            .hint("--data names the data folder, and `recollect backup DIR` makes a backup of it"),
        BackupError::Busy(message) => {
            Problem::new(Code::Busy, message).hint("wait until it is done, then repeat the command")
        }
        BackupError::Store(StoreError::Busy(cause)) => {
            Problem::new(Code::Busy, format!("the store is busy: {cause}")).hint("try again in a moment")
        }
        BackupError::Store(error) => error.into(),
    }
}
