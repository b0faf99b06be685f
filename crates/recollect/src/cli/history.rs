//! `recollect history`.

use clap::Args;
use memory::types::MemoryId;
use serde_json::Value;

use super::output::{BOLD, CommandFailure, DIM, minute, one_line, styled};
use super::{CommandContext, CommandEnd};
use crate::ops::history::{EventKind, History, MemoryEvent};

/// Show what happened to a memory: when, by whom, what changed
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  recollect history mt_01890a5d-ac96-774b-bcce-b302099a8057")]
pub struct HistoryCommand {
    /// The memory's id
    #[arg(value_name = "ID")]
    id: MemoryId,
}

impl HistoryCommand {
    pub async fn run(self, desk: &mut CommandContext) -> Result<CommandEnd, CommandFailure> {
        let happened = desk.link.ask(&desk.who.tenant, History { id: self.id }).await?;
        if desk.out.wants_json() {
            desk.out.answer(&happened)?;
            return Ok(CommandEnd::Well);
        }
        for event in &happened.events {
            print(desk, event)?;
        }
        Ok(CommandEnd::Well)
    }
}

pub fn print(desk: &mut CommandContext, event: &MemoryEvent) -> Result<(), CommandFailure> {
    let what = match event.what {
        EventKind::Created => "created",
        EventKind::Changed => "changed",
        EventKind::Removed => "removed",
        EventKind::Purged => "purged",
    };
    let mut line = format!("{}  {:9} {}", minute(event.at), event.by.to_string(), styled(BOLD, what));
    if let Some(version) = event.version {
        line.push_str(&format!("  version {version}"));
    }
    let notes = event.run.iter().map(|run| format!("run {run}")).chain(event.reason.clone());
    for note in notes {
        line.push_str(&format!("  {}", styled(DIM, note)));
    }
    desk.out.line(line)?;
    for change in &event.changes {
        let field = styled(DIM, &change.field);
        desk.out.line(format!("    {field}: {} → {}", value(&change.before), value(&change.after)))?;
    }
    Ok(())
}

fn value(value: &Value) -> String {
    match value {
        Value::Null => "nothing".to_owned(),
        value => one_line(&value.to_string()),
    }
}
