//! `recollect list`.

use clap::Args;
use memory::types::{Memory, Status};

use super::arguments::{Clocks, FilterArguments, Scopes};
use super::output::{CommandFailure, IdRow, minute, one_line};
use super::{CommandContext, CommandEnd, words};
use crate::ops::list::ListMemories;

/// Page through what is remembered, newest first
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  recollect list
  recollect list --limit 50 --offset 50
  recollect list --status deleted --user ada")]
pub struct ListCommand {
    /// How many rows at most [default: 20]
    #[arg(long, value_name = "NUMBER")]
    limit: Option<usize>,
    /// How many rows to leave out first
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    offset: usize,
    /// Oldest first
    #[arg(long)]
    oldest: bool,
    /// Instead of what counts today: active, held, superseded, archived or deleted ones; repeat it for several
    #[arg(long = "status", value_name = "STATUS", value_parser = words::statuses(), hide_possible_values = true)]
    statuses: Vec<Status>,
    #[command(flatten)]
    filters: FilterArguments,
    #[command(flatten)]
    scopes: Scopes,
    #[command(flatten)]
    clocks: Clocks,
}

impl ListCommand {
    pub async fn run(self, desk: &mut CommandContext) -> Result<CommandEnd, CommandFailure> {
        let mut filter = self.filters.selection(&desk.who, self.scopes.scopes, self.clocks);
        filter.statuses = self.statuses;
        let request = ListMemories {
            filter,
            limit: self.limit,
            offset: self.offset,
            oldest_first: self.oldest,
            matching: None,
            with_tally: false,
        };
        let listed = desk.link.ask(&desk.who.tenant, request).await?;
        if desk.out.wants_json() {
            desk.out.answer(&listed)?;
            return Ok(CommandEnd::Well);
        }
        let count = listed.memories.len();
        desk.out.table_of_ids(listed.memories.iter().map(row).collect())?;
        let shown = listed.offset + count;
        match (count, listed.total) {
            (0, 0) => desk.out.talk("nothing is remembered here"),
            (0, total) => desk.out.talk(format!("nothing at offset {}; there are {total}", listed.offset)),
            (_, total) if (shown as u64) < total => {
                desk.out.talk(format!("{shown} of {total}; --offset {shown} goes on"));
            }
            _ => {}
        }
        Ok(CommandEnd::Well)
    }
}

fn row(memory: &Memory) -> IdRow {
    let mut content = one_line(&memory.content);
    if memory.status != Status::Active {
        content = format!("({}) {content}", memory.status);
    }
    let cells = vec![minute(memory.created_at), memory.kind.to_string(), content];
    IdRow { id: memory.id.to_string(), cells }
}
