//! `recollect merge`.

use clap::Args;
use memory::types::MemoryId;

use super::output::{CommandFailure, DIM, styled};
use super::{CommandContext, CommandEnd};
use crate::ops::merge::Merge;

/// Make one memory of several
///
/// Tags are united and links re-pointed; the sources are superseded by the one, and history keeps them.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  recollect merge mt_01890a5d-ac96-774b-bcce-b302099a8057 mt_01890a5d-ac97-7b2c-8a55-5d1f3c0a9e11
  recollect merge ID ID --content \"Deploys with Docker Compose, on Fridays.\"")]
pub struct MergeCommand {
    /// The memories, at least two
    #[arg(value_name = "ID", required = true, num_args = 2..)]
    ids: Vec<MemoryId>,
    /// What the one says; the sentences of the others one after the other unless said
    #[arg(long, value_name = "TEXT")]
    content: Option<String>,
}

impl MergeCommand {
    pub async fn run(self, desk: &mut CommandContext) -> Result<CommandEnd, CommandFailure> {
        let request = Merge { ids: self.ids, content: self.content, by_tool: false };
        let merged = desk.link.ask(&desk.who.tenant, request).await?;
        if desk.out.wants_json() {
            desk.out.answer(&merged)?;
            return Ok(CommandEnd::Well);
        }
        desk.out.line(&merged.id)?;
        desk.out.talk(format!(
            "made of {} memories {}",
            merged.sources,
            styled(DIM, format!("({})", merged.run))
        ));
        Ok(CommandEnd::Well)
    }
}
