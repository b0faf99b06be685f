//! `recollect relearn`.

use std::time::Duration;

use clap::Args;

use super::output::{CommandFailure, DIM, one_line, styled};
use super::receipts::counted;
use super::{CommandContext, CommandEnd, progress};
use crate::ops::relearn::{Relearn, Relearned};

/// Read what was said once more, with today's learner
///
/// Worth it after an upgrade: conversations that were learned from by an older version are understood as today. What a machine made is
/// replaced; what a person wrote, changed, pinned or judged stays, and what was forgotten stays forgotten. No model is asked.
/// `recollect undo RUN` takes it back. With `--user`, that user's conversations alone.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  recollect relearn --dry-run
  recollect relearn
  recollect relearn --user mara --json")]
pub struct RelearnCommand {
    /// Only say what would be changed
    #[arg(long)]
    dry_run: bool,
}

impl RelearnCommand {
    pub async fn run(self, desk: &mut CommandContext) -> Result<CommandEnd, CommandFailure> {
        let request = Relearn { user: desk.who.user.clone(), dry_run: self.dry_run };
        // How much there is depends on what is found.
        let bar = progress::bar(None, "{spinner} reading what was said {elapsed}");
        bar.enable_steady_tick(Duration::from_millis(100));
        let done = desk.link.ask(&desk.who.tenant, request).await;
        bar.finish_and_clear();
        let done = done?;
        if desk.out.wants_json() {
            desk.out.answer(&done)?;
            return Ok(CommandEnd::Well);
        }
        print(desk, &done)?;
        Ok(CommandEnd::Well)
    }
}

fn print(desk: &mut CommandContext, done: &Relearned) -> Result<(), CommandFailure> {
    for example in &done.examples {
        desk.out.line(format!("{:8} {}", example.effect, one_line(&example.text)))?;
    }
    let shown = done.examples.len();
    let all = done.added + done.changed + done.retired + done.digests + done.entities;
    if shown < all {
        desk.out.line(styled(DIM, format!("and {} more", all - shown)))?;
    }
    desk.out.talk(format!(
        "read {} of {}: {} added, {} changed, {} archived, {} as they were, {} left to people and models; {} renewed",
        counted("turns", done.turns as u64),
        counted("conversations", done.sessions as u64),
        counted("memories", done.added as u64),
        done.changed,
        done.retired,
        done.unchanged,
        done.kept,
        counted("digests", done.digests as u64),
    ));
    desk.out.talk(match (&done.run_id, done.dry_run, all) {
        (_, _, 0) => "there is nothing to change".to_owned(),
        (_, true, _) => "nothing was changed; without --dry-run this is done".to_owned(),
        (Some(run), false, _) => format!("`recollect undo {run}` takes it back"),
        (None, false, _) => String::new(),
    });
    Ok(())
}
