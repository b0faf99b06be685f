//! `recollect sync`.

use clap::Args;

use super::output::Failure;
use super::sessions::came_to;
use super::{Desk, Done};
use crate::ops::pending::{Sync, Synced};

/// Learn now from everything that waits
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  recollect sync
  recollect sync --json")]
pub struct SyncCommand {}

impl SyncCommand {
    pub async fn run(self, desk: &mut Desk) -> Result<Done, Failure> {
        let synced = desk.link.ask(&desk.who.tenant, Sync {}).await?;
        print(desk, &synced, "nothing waits")
    }
}

/// One line a session.
pub fn print(desk: &mut Desk, synced: &Synced, nothing: &str) -> Result<Done, Failure> {
    if desk.out.wants_json() {
        desk.out.answer(synced)?;
        return Ok(Done::Well);
    }
    for passed in &synced.sessions {
        desk.out.line(came_to(passed))?;
    }
    if synced.sessions.is_empty() {
        desk.out.talk(nothing);
    }
    Ok(Done::Well)
}
