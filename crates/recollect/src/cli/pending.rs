//! `recollect pending`.

use clap::{Args, Subcommand};

use super::output::{CommandFailure, IdRow, minute, one_line};
use super::receipts::counted;
use super::{CommandContext, CommandEnd, sync};
use crate::ops::pending::{PendingList, PendingRetry};

/// Show what waits to be learned from, and try again what failed
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  recollect pending
  recollect pending --dead
  recollect pending retry")]
pub struct PendingCommand {
    /// Only what failed too often and is tried no more
    #[arg(long)]
    dead: bool,
    #[command(subcommand)]
    action: Option<PendingAction>,
}

#[derive(Debug, Subcommand)]
enum PendingAction {
    /// Try again what failed too often
    Retry,
}

impl PendingCommand {
    pub async fn run(self, desk: &mut CommandContext) -> Result<CommandEnd, CommandFailure> {
        if let Some(PendingAction::Retry) = self.action {
            let synced = desk.link.ask(&desk.who.tenant, PendingRetry {}).await?;
            return sync::print(desk, &synced, "nothing failed");
        }
        let listed = desk.link.ask(&desk.who.tenant, PendingList { dead: self.dead }).await?;
        if desk.out.wants_json() {
            desk.out.answer(&listed)?;
            return Ok(CommandEnd::Well);
        }
        let turns = listed.pending.iter().map(|turn| {
            let state = state("waiting", turn.dead, turn.failures);
            let error = turn.last_error.as_deref().map(one_line).unwrap_or_default();
            let session = one_line(turn.session.session.as_str());
            IdRow { id: turn.turn.to_string(), cells: vec![minute(turn.since), session, state, error] }
        });
        // Every session is on that list where no model was ever chosen, which is nothing to worry about.
        let failed = listed.redo.iter().filter(|entry| entry.dead || entry.failures > 0);
        let redo = failed.map(|entry| {
            let state = state("distilled without a model, waiting for one", entry.dead, entry.failures);
            let error = entry.last_error.as_deref().map(one_line).unwrap_or_default();
            let session = one_line(entry.session.session.as_str());
            IdRow { id: "session".to_owned(), cells: vec![minute(entry.since), session, state, error] }
        });
        let rows: Vec<IdRow> = turns.chain(redo).collect();
        let nothing = rows.is_empty();
        desk.out.table_of_ids(rows)?;
        if nothing {
            desk.out.talk(if self.dead { "nothing failed" } else { "nothing waits" });
        }
        let unread = listed.redo.iter().filter(|entry| !entry.dead).count();
        if unread > 0 && !self.dead {
            desk.out.talk(format!("{unread} distilled without a model; one that is chosen does them again"));
        }
        Ok(CommandEnd::Well)
    }
}

fn state(waiting: &str, dead: bool, failures: u32) -> String {
    match (dead, failures) {
        (true, failures) => format!("dead after {}", counted("failures", failures.into())),
        (false, 0) => waiting.to_owned(),
        (false, failures) => format!("{waiting}, {}", counted("failures", failures.into())),
    }
}
