//! `recollect restore`: a data folder, or one tenant of it, as a backup has it.
//!
//! The backup is checked before anything is touched. No server may run on the folder meanwhile: its lock is held here, and that
//! of the new folder too before the two change places, so that none can start in between.

use std::path::PathBuf;

use clap::Args;
use indicatif::HumanBytes;
use store::backup::{self, Checked, Generation, Manifest, PurgedCounts, RestoredBackup, Shelf, Wanted};

use super::output::{BOLD, CommandFailure, Output, styled};
use super::receipts::counted;
use super::{CommandEnd, Globals, progress, runtime};
use crate::config::Config;
use crate::environment::Environment;
use crate::problem::{Code, Problem};
use crate::{log, ops};

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

impl RestoreCommand {
    pub fn run(self, globals: &Globals, out: &mut Output) -> Result<CommandEnd, CommandFailure> {
        let config = Config::load(&globals.flags(), &Environment::of_this_process()?)?;
        log::start(&config, false);
        let generation = Shelf::at(&self.folder).choose(self.at.as_deref()).map_err(Problem::from)?;
        let manifest = verified(&generation)?;
        let wanted = Wanted {
            generation: &generation,
            manifest: &manifest,
            data: &config.data,
            tenant: globals.tenant.as_ref(),
            options: config.store_options(),
            with_purged: self.with_purged,
        };
        let seat = ops::backup::seat(&config.data)?;
        if self.dry_run {
            foresee(out, &wanted)?;
            return Ok(CommandEnd::Well);
        }
        if !self.yes && ops::backup::is_in_the_way(&wanted)? {
            return Err(occupied(&wanted).into());
        }
        let bar = progress::of_bytes(manifest.bytes());
        let mut advance = |what: &str, bytes| progress::advance(&bar, what, bytes);
        let restored = runtime()?.block_on(ops::backup::restore(wanted, seat, &mut advance));
        bar.finish_and_clear();
        say(out, &restored?, self.with_purged)?;
        note_configuration(out, &generation, &manifest);
        Ok(CommandEnd::Well)
    }
}

fn verified(generation: &Generation) -> Result<Manifest, Problem> {
    let bar = progress::of_bytes(generation.manifest()?.bytes());
    let mut checked = Checked::default();
    let verified =
        backup::verify(generation, &mut checked, &mut |what, bytes| progress::advance(&bar, what, bytes));
    bar.finish_and_clear();
    Ok(verified?)
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

fn foresee(out: &mut Output, wanted: &Wanted<'_>) -> Result<(), CommandFailure> {
    let foreseen = ops::backup::foresee(wanted)?;
    if out.wants_json() {
        return out.answer(&foreseen);
    }
    let names: Vec<&str> = foreseen.tenants.iter().map(|tenant| tenant.as_str()).collect();
    out.line(format!(
        "would restore {} from {} into {}",
        names.join(", "),
        styled(BOLD, &foreseen.name),
        foreseen.data.display()
    ))?;
    if foreseen.replaces {
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
        let databases = counted("databases", restored.migrated as u64);
        out.talk(format!("brought up to date: {databases} of an older version"));
    }
    if restored.keys_revoked > 0 {
        let keys = counted("keys", restored.keys_revoked as u64);
        out.talk(format!("revoked since, and still so: {keys}"));
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
    let purges = counted("purges", purged.purges as u64);
    out.talk(format!("{}: this backup is older than {purges}", styled(BOLD, "warning")));
    if purged.records > 0 {
        let fate = if with_purged { "to come back, as --with-purged says" } else { "to stay purged" };
        let records = counted("records", purged.records as u64);
        out.talk(format!("  in it though purged since, {fate}: {records}"));
    }
    if purged.rewritten > 0 {
        let records = counted("records", purged.rewritten);
        out.talk(format!(
            "  in it as before those purges, which wrote them anew: {records}; purge again to be sure"
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
