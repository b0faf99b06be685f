//! `recollect sync`.

use clap::Args;

use super::output::CommandFailure;
use super::sessions::came_to;
use super::{CommandContext, CommandEnd};
use crate::ops::pending::{Sync, Synced};

/// Learn now from everything that waits
///
/// What a model failed on is tried again. What was learned before a model was chosen is read again only with --reread, and as
/// much of it as that says: each conversation costs a call.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  recollect sync
  recollect sync --reread 20
  recollect sync --json")]
pub struct SyncCommand {
    /// Let the model also read the latest N conversations from before it was chosen
    #[arg(long, value_name = "N", default_value_t = 0)]
    reread: usize,
}

impl SyncCommand {
    pub async fn run(self, desk: &mut CommandContext) -> Result<CommandEnd, CommandFailure> {
        let synced = desk.link.ask(&desk.who.tenant, Sync { reread: self.reread }).await?;
        print(desk, &synced, "nothing waits")
    }
}

/// One line a session.
pub fn print(
    desk: &mut CommandContext,
    synced: &Synced,
    nothing: &str,
) -> Result<CommandEnd, CommandFailure> {
    if desk.out.wants_json() {
        desk.out.answer(synced)?;
        return Ok(CommandEnd::Well);
    }
    for passed in &synced.sessions {
        desk.out.line(came_to(passed))?;
    }
    if synced.sessions.is_empty() {
        desk.out.talk(nothing);
    }
    Ok(CommandEnd::Well)
}
