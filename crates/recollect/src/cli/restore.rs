//! `recollect restore`: a data folder, or one tenant of it, as a backup has it.
//!
//! The backup is checked before anything is touched. No server may run on the folder meanwhile: its lock is held here, and that
//! of the new folder too before the two change places, so that none can start in between.

use std::path::PathBuf;

use clap::Args;
use indicatif::HumanBytes;
use serde::Serialize;
use store::backup::{self, Checked, Generation, Manifest, PurgedCounts, RestoredBackup, Shelf, Wanted};

use super::backup::{advance, bar, explain};
use super::output::{BOLD, CommandFailure, Output, styled};
use super::{CommandEnd, Globals, runtime};
use crate::config::Config;
use crate::environment::Environment;
use crate::log;
use crate::problem::{Code, Problem};
use crate::socket::ServeLock;

/// Bring back what a backup holds
///
/// The backup is checked first, and nothing is touched if anything is wrong with it. What is there already is moved
/// aside, never deleted. What was purged since the backup was made stays purged, as far as the data that is replaced knows
/// of it.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  recollect restore /mnt/backups --dry-run
  recollect restore /mnt/backups --yes
  recollect restore /mnt/backups --at 2026-11-15T08:00:00Z --yes
  recollect restore /mnt/backups --tenant team-7 --yes
  recollect restore /mnt/backups --data ./looked-at-elsewhere")]
pub struct RestoreCommand {
    /// The folder of backups
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// This backup: its name, or the newest that began by this time; the newest of all unless said
    #[arg(long, value_name = "TIME")]
    at: Option<String>,
    /// Check, and say what would be done
    #[arg(long)]
    dry_run: bool,
    /// Even if the data folder holds something, which is moved aside
    #[arg(long, short, alias = "force")]
    yes: bool,
    /// Bring back what was purged since the backup was made, too
    #[arg(long)]
    with_purged: bool,
}

/// What would be done.
#[derive(Debug, Serialize)]
struct Foreseen<'f> {
    dry_run: bool,
    name: &'f str,
    data: PathBuf,
    tenants: Vec<&'f str>,
    bytes: u64,
    /// Whether something is there that would be moved aside.
    replaces: bool,
    purged: PurgedCounts,
}

impl RestoreCommand {
    pub fn run(self, globals: &Globals, out: &mut Output) -> Result<CommandEnd, CommandFailure> {
        let config = Config::load(&globals.flags(), &Environment::of_this_process()?)?;
        log::start(&config, false);
        let generation = Shelf::at(&self.folder).choose(self.at.as_deref()).map_err(explain)?;
        let manifest = verified(&generation)?;
        let wanted = Wanted {
            generation: &generation,
            manifest: &manifest,
            data: &config.data,
            tenant: globals.tenant.as_ref(),
            options: config.store_options(),
            with_purged: self.with_purged,
        };
        let seat = seat(&config)?;
        let replaces = is_in_the_way(&wanted)?;
        if self.dry_run {
            foresee(out, &wanted, replaces)?;
            return Ok(CommandEnd::Well);
        }
        if replaces && !self.yes {
            return Err(occupied(&wanted).into());
        }
        let purged_back = self.with_purged;
        let restored = runtime()?.block_on(restore(wanted, seat))?;
        say(out, &restored, purged_back)?;
        note_configuration(out, &generation, &manifest);
        Ok(CommandEnd::Well)
    }
}

fn verified(generation: &Generation) -> Result<Manifest, Problem> {
    let bytes = generation.manifest().map_err(explain)?.files.iter().map(|entry| entry.bytes).sum();
    let bar = bar(bytes);
    let mut checked = Checked::default();
    let verified = backup::verify(generation, &mut checked, &mut |what, bytes| advance(&bar, what, bytes));
    bar.finish_and_clear();
    verified.map_err(explain)
}

/// The right to serve the folder, where there is something to serve.
fn seat(config: &Config) -> Result<Option<ServeLock>, Problem> {
    let is_used = std::fs::read_dir(&config.data).is_ok_and(|mut entries| entries.next().is_some());
    if !is_used {
        return Ok(None);
    }
    match ServeLock::take(&config.data) {
        Ok(seat) => Ok(Some(seat)),
        Err(problem) if problem.code == Code::AlreadyRunning => {
            let hint = "stop it first, or restore into another folder with --data DIR";
            Err(Problem::new(problem.code, problem.message).hint(hint))
        }
        Err(problem) => Err(problem),
    }
}

/// Whether something would be moved aside.
fn is_in_the_way(wanted: &Wanted<'_>) -> Result<bool, Problem> {
    match wanted.tenant {
        Some(tenant) => Ok(wanted.data.join(format!("tenants/{tenant}.sqlite3")).exists()),
        None => backup::is_occupied(wanted.data).map_err(explain),
    }
}

fn occupied(wanted: &Wanted<'_>) -> Problem {
    let data = wanted.data.display();
    let message = match wanted.tenant {
        Some(tenant) => format!("the tenant `{tenant}` is in {data} already"),
        None => format!("{data} holds memory already"),
    };
    let hint = "--yes moves it aside and restores; --dry-run says what that would come to; --data DIR names another folder";
    Problem::new(Code::Conflict, message).hint(hint)
}

async fn restore(wanted: Wanted<'_>, seat: Option<ServeLock>) -> Result<RestoredBackup, Problem> {
    let bar = bar(wanted.manifest.files.iter().map(|entry| entry.bytes).sum());
    let mut progress = |what: &str, bytes| advance(&bar, what, bytes);
    let restored = match wanted.tenant {
        Some(_) => backup::restore_tenant(wanted, &mut progress).await.map_err(explain),
        None => match backup::stage(wanted, &mut progress).await {
            Ok(staged) => {
                let next = ServeLock::take(staged.folder())?;
                let installed = staged.install().map_err(explain);
                // The old one's end takes away a socket by its path, where the new folder lies now.
                drop(seat);
                drop(next);
                installed
            }
            Err(error) => Err(explain(error)),
        },
    };
    bar.finish_and_clear();
    restored
}

fn foresee(out: &mut Output, wanted: &Wanted<'_>, replaces: bool) -> Result<(), CommandFailure> {
    let tenants = wanted.manifest.files.iter().filter_map(|entry| entry.tenant.as_ref());
    let tenants: Vec<&str> = tenants
        .filter(|tenant| wanted.tenant.is_none_or(|wanted| wanted == *tenant))
        .map(|tenant| tenant.as_str())
        .collect();
    if let Some(missing) = wanted.tenant.filter(|_| tenants.is_empty()) {
        let message = format!("the backup {} has no tenant `{missing}`", wanted.generation.name);
        return Err(Problem::new(Code::NotFound, message).into());
    }
    let foreseen = Foreseen {
        dry_run: true,
        name: &wanted.generation.name,
        data: wanted.data.to_owned(),
        bytes: wanted.manifest.files.iter().map(|entry| entry.bytes).sum(),
        replaces,
        purged: backup::foresee(wanted).map_err(explain)?,
        tenants,
    };
    if out.wants_json() {
        return out.answer(&foreseen);
    }
    out.line(format!(
        "would restore {} from {} into {}",
        foreseen.tenants.join(", "),
        styled(BOLD, foreseen.name),
        foreseen.data.display()
    ))?;
    if replaces {
        out.talk("what is there would be moved aside; it takes --yes");
    }
    warn(out, &foreseen.purged, wanted.with_purged);
    Ok(())
}

fn say(out: &mut Output, restored: &RestoredBackup, with_purged: bool) -> Result<(), CommandFailure> {
    if out.wants_json() {
        return out.answer(restored);
    }
    let names: Vec<&str> = restored.tenants.iter().map(|tenant| tenant.as_str()).collect();
    out.line(format!(
        "restored {} ({}) from {} into {}",
        names.join(", "),
        HumanBytes(restored.bytes),
        styled(BOLD, &restored.name),
        restored.data.display()
    ))?;
    if restored.migrated > 0 {
        out.talk(format!("{} databases of an older version were brought up to date", restored.migrated));
    }
    if restored.keys_revoked > 0 {
        out.talk(format!("{} keys were revoked since and stay revoked", restored.keys_revoked));
    }
    if let Some(moved) = &restored.moved_to {
        out.talk(format!("what was there before lies in {}", moved.display()));
    }
    warn(out, &restored.purged, with_purged);
    Ok(())
}

/// What was erased must not come back unnoticed.
fn warn(out: &mut Output, purged: &PurgedCounts, with_purged: bool) {
    if purged.purges == 0 && purged.records == 0 {
        return;
    }
    let purges = if purged.purges == 1 { "1 purge".to_owned() } else { format!("{} purges", purged.purges) };
    out.talk(format!("{}: this backup is older than {purges}", styled(BOLD, "warning")));
    if purged.records > 0 {
        let fate = if with_purged { "come back with it, as --with-purged says" } else { "stay purged" };
        out.talk(format!("  {} records that were purged since are in it and {fate}", purged.records));
    }
    if purged.rewritten > 0 {
        out.talk(format!(
            "  {} records that those purges wrote anew are in it as they were before; purge again to be sure",
            purged.rewritten
        ));
    }
}

/// The configuration lies elsewhere and may be somebody else's; it is not overwritten.
fn note_configuration(out: &mut Output, generation: &Generation, manifest: &Manifest) {
    for entry in manifest.files.iter().filter(|entry| entry.from.is_some()) {
        let from = entry.from.as_ref().map(|from| from.display().to_string()).unwrap_or_default();
        out.talk(format!(
            "the configuration file is not put back by itself: {} was {from}",
            generation.folder.join(&entry.path).display()
        ));
    }
}
