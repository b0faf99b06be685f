//! `recollect sync`.

use clap::Args;

use super::output::CommandFailure;
use super::sessions::came_to;
use super::{CommandContext, CommandEnd};
use crate::ops::pending::{Sync, Synced};

/// Learn now from everything that waits
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  recollect sync
  recollect sync --json")]
pub struct SyncCommand {}

impl SyncCommand {
    pub async fn run(self, desk: &mut CommandContext) -> Result<CommandEnd, CommandFailure> {
        let synced = desk.link.ask(&desk.who.tenant, Sync {}).await?;
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
