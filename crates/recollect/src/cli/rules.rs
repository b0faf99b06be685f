//! `recollect rules`.

use clap::Args;
use memory::limits::PAGE_ROWS;
use memory::types::Kind;

use super::output::{CommandFailure, IdRow, minute, one_line};
use super::{CommandContext, CommandEnd};
use crate::ops::list::ListMemories;
use crate::ops::select::Selection;

/// List the standing instructions in force
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  recollect rules
  recollect rules --user ada --json")]
pub struct RulesCommand {}

impl RulesCommand {
    pub async fn run(self, desk: &mut CommandContext) -> Result<CommandEnd, CommandFailure> {
        let filter = Selection {
            agent: desk.who.agent.clone(),
            user: desk.who.user.clone(),
            session: desk.who.session.clone(),
            kinds: vec![Kind::Rule],
            ..Selection::default()
        };
        let request = ListMemories { filter, limit: Some(PAGE_ROWS), ..ListMemories::default() };
        let listed = desk.link.ask(&desk.who.tenant, request).await?;
        if desk.out.wants_json() {
            desk.out.answer(&listed)?;
            return Ok(CommandEnd::Well);
        }
        let row = |rule: &memory::types::Memory| IdRow {
            id: rule.id.to_string(),
            cells: vec![minute(rule.created_at), one_line(&rule.content)],
        };
        desk.out.table_of_ids(listed.memories.iter().map(row).collect())?;
        if listed.memories.is_empty() {
            desk.out.talk("no rules; \"from now on answer in Spanish\" in a conversation makes one");
        }
        Ok(CommandEnd::Well)
    }
}
