//! `recollect rules`.

use clap::Args;
use memory::limits::PAGE_ROWS;
use memory::types::Kind;

use super::output::{CommandFailure, DIM, minute, one_line, styled};
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
        let row = |rule: &memory::types::Memory| {
            vec![styled(DIM, &rule.id), minute(rule.created_at), one_line(&rule.content)]
        };
        let rows: Vec<Vec<String>> = listed.memories.iter().map(row).collect();
        desk.out.table(&rows)?;
        if rows.is_empty() {
            desk.out.talk("no rules; \"from now on answer in Spanish\" in a conversation makes one");
        }
        Ok(CommandEnd::Well)
    }
}
