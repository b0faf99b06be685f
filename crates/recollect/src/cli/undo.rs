//! `recollect undo`.

use clap::Args;
use memory::types::RunId;

use super::output::{CommandFailure, DIM, styled};
use super::receipts::counted;
use super::{CommandContext, CommandEnd};
use crate::ops::runs::Undo;

/// Take back what a run did: upkeep's, or a bulk change
///
/// What somebody changed since stays as they left it, and is named. What was purged, or deleted for its age, is gone.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  recollect runs
  recollect undo ru_01890a5d-ac96-774b-bcce-b302099a8057")]
pub struct UndoCommand {
    /// The run, as `recollect runs` shows it
    #[arg(value_name = "RUN")]
    run: RunId,
}

impl UndoCommand {
    pub async fn run(self, desk: &mut CommandContext) -> Result<CommandEnd, CommandFailure> {
        let undone = desk.link.ask(&desk.who.tenant, Undo { run: self.run }).await?;
        if desk.out.wants_json() {
            desk.out.answer(&undone)?;
            return Ok(CommandEnd::Well);
        }
        for left in &undone.left {
            desk.out.line(format!("{} {} {}", left.kind, left.id, styled(DIM, &left.why)))?;
        }
        let left = undone.changed_since + undone.gone;
        let restored = counted("records", undone.restored);
        desk.out.talk(format!("as before: {restored}; left as they are: {left}"));
        Ok(CommandEnd::Well)
    }
}
