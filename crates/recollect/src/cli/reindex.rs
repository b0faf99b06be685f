//! `recollect reindex`.

use clap::Args;

use super::output::CommandFailure;
use super::receipts::counted;
use super::{CommandContext, CommandEnd, progress};
use crate::limits;
use crate::ops::engine::Engine;
use crate::ops::reindex::{Reindex, Reindexing};
use crate::problem::{Code, Problem};

/// Make the vectors that search by meaning needs, where some are missing
///
/// It happens by itself while Recollect runs; this waits for it and shows how far it is. With --force all of them are made anew, and
/// the old ones answer until the new ones stand in their place.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  recollect reindex
  recollect reindex --force
  recollect reindex --tenant team-7 --json")]
pub struct ReindexCommand {
    /// All of them, whether they are there or not
    #[arg(long)]
    force: bool,
}

impl ReindexCommand {
    pub async fn run(self, desk: &mut CommandContext) -> Result<CommandEnd, CommandFailure> {
        let tenant = desk.who.tenant.clone();
        let before = desk.link.ask(&tenant, Engine {}).await?.last_reset_at;
        let begun = desk.link.ask(&tenant, Reindex { force: self.force }).await?;
        let bar = progress::bar(Some(begun.pending), "{wide_bar} {human_pos}/{human_len} vectors {eta}");
        // Whoever began: the work is done when nobody is at it.
        while let Some(left) = desk.link.ask(&tenant, Engine {}).await?.reindex_left {
            bar.set_position(begun.pending.saturating_sub(left));
            tokio::time::sleep(limits::REINDEX_POLL).await;
        }
        bar.finish_and_clear();
        // Asked anew: what was missing was counted before anybody looked whether the work goes on.
        let status = desk.link.ask(&tenant, Engine {}).await?;
        let unforced = self.force && begun.started && status.last_reset_at == before;
        if status.needs_reindex || unforced {
            let message =
                "not all vectors could be made, and the log says why; run the command again to go on";
            return Err(Problem::new(Code::Unavailable, message).into());
        }
        if desk.out.wants_json() {
            desk.out.answer(&begun)?;
            return Ok(CommandEnd::Well);
        }
        match begun {
            Reindexing { started: true, pending } => {
                desk.out.line(format!("made {}", counted("vectors", pending)))?;
            }
            Reindexing { pending: 0, .. } => desk.out.talk("nothing is missing"),
            Reindexing { .. } => desk.out.talk("somebody was at it already, and is done"),
        }
        Ok(CommandEnd::Well)
    }
}
