//! `recollect backup`: the whole data folder into another one, while a server may run and write.
//!
//! The copy is made by this process and not by the server: the store lets several processes read at once, and a backup should not
//! need one that is well.

use std::path::PathBuf;

use clap::Args;
use indicatif::HumanBytes;
use serde_json::json;
use store::backup::{self, BackupSource, BackupTaken, Checked, Shelf};

use super::output::{BOLD, CommandFailure, DIM, Output, styled};
use super::receipts::counted;
use super::{CommandEnd, Globals, progress, runtime};
use crate::config::{self, Config};
use crate::environment::Environment;
use crate::problem::Problem;
use crate::{log, ops};

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
        let bar = progress::of_bytes(source.bytes());
        let mut advance = |what: &str, bytes| progress::advance(&bar, what, bytes);
        let taking =
            ops::backup::take(&source, config.store_options(), &self.folder, self.keep, &mut advance);
        let taken = runtime()?.block_on(taking);
        bar.finish_and_clear();
        say(out, &taken?)?;
        Ok(CommandEnd::Well)
    }

    fn generations(&self) -> Result<Vec<backup::Generation>, Problem> {
        let shelf = Shelf::at(&self.folder);
        let newest = shelf.choose(self.at.as_deref())?;
        Ok(if self.at.is_some() { vec![newest] } else { shelf.generations()? })
    }

    /// Every backup is looked at, however many are damaged.
    fn verify(self, out: &mut Output) -> Result<CommandEnd, CommandFailure> {
        let (mut checked, mut found, mut bad) = (Checked::default(), Vec::new(), 0);
        for generation in self.generations()? {
            let bytes = generation.manifest().map_or(0, |manifest| manifest.bytes());
            let bar = progress::of_bytes(bytes);
            let verified = backup::verify(&generation, &mut checked, &mut |what, bytes| {
                progress::advance(&bar, what, bytes)
            });
            bar.finish_and_clear();
            let name = &generation.name;
            match verified.map_err(Problem::from) {
                Ok(manifest) => {
                    let files = manifest.files.len();
                    found
                        .push(json!({ "name": name, "ok": true, "files": files, "bytes": manifest.bytes() }));
                    let many = counted("files", files as u64);
                    plain(out, format!("{name}  whole, {many}, {}", HumanBytes(manifest.bytes())))?;
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
            let manifest = generation.manifest().map_err(Problem::from);
            let line = match &manifest {
                Ok(manifest) => {
                    let tenants = manifest.tenants();
                    found.push(json!({
                        "name": generation.name, "folder": generation.folder, "made_at": manifest.made_at,
                        "tenants": tenants, "bytes": manifest.bytes(), "program": manifest.program,
                    }));
                    format!("{}  {}", counted("tenants", tenants as u64), HumanBytes(manifest.bytes()))
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

fn say(out: &mut Output, taken: &BackupTaken) -> Result<(), CommandFailure> {
    if out.wants_json() {
        return out.answer(taken);
    }
    out.line(taken.folder.display())?;
    let files = &taken.manifest.files;
    let (copied, kept): (Vec<_>, Vec<_>) = files.iter().partition(|entry| entry.copied);
    let bytes: u64 = copied.iter().map(|entry| entry.bytes).sum();
    out.talk(format!(
        "{}; {} copied ({}), {} unchanged since an earlier backup",
        counted("tenants", taken.manifest.tenants() as u64),
        counted("files", copied.len() as u64),
        HumanBytes(bytes),
        kept.len(),
    ));
    for name in &taken.pruned {
        out.talk(styled(DIM, format!("took away {name}")));
    }
    Ok(())
}
