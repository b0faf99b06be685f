//! `recollect audit crisis`: for those who answer for safety.

use clap::{Args, Subcommand};
use memory::types::{CrisisId, CrisisRecord};
use serde_json::json;

use super::output::{BOLD, CommandFailure, DIM, minute, one_line, styled};
use super::{CommandContext, CommandEnd};
use crate::ops::crisis::{CrisisList, CrisisRemove};

/// Show records that somebody spoke of harm to themselves, the latest first
///
/// They stand apart from memory: they come into no prompt, search or export, name nobody, and go when their time is over. With
/// --session, and --user and --agent where they were named, those of one conversation alone.
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "\
Examples:
  recollect audit crisis
  recollect audit crisis --session night-talk --user mara --json
  recollect audit crisis remove cr_0198…"
)]
pub struct CrisisCommand {
    #[command(subcommand)]
    action: Option<CrisisAction>,
    /// How many, from 1 to 1000
    #[arg(long, value_name = "NUMBER", default_value_t = crate::limits::USUAL_ROWS)]
    limit: usize,
}

#[derive(Debug, Subcommand)]
enum CrisisAction {
    /// Show the records, as without a word
    List {
        /// How many, from 1 to 1000
        #[arg(long, value_name = "NUMBER", default_value_t = crate::limits::USUAL_ROWS)]
        limit: usize,
    },
    /// Remove records for good
    #[command(after_help = "\
Examples:
  recollect audit crisis remove cr_0198…
  recollect audit crisis remove cr_0198… cr_0199… --json")]
    Remove {
        /// Their ids, as the list shows them
        #[arg(value_name = "ID", required = true)]
        ids: Vec<CrisisId>,
    },
}

impl CrisisCommand {
    pub async fn run(self, desk: &mut CommandContext) -> Result<CommandEnd, CommandFailure> {
        match self.action {
            None => list(desk, self.limit).await,
            Some(CrisisAction::List { limit }) => list(desk, limit).await,
            Some(CrisisAction::Remove { ids }) => remove(desk, ids).await,
        }
    }
}

async fn list(desk: &mut CommandContext, limit: usize) -> Result<CommandEnd, CommandFailure> {
    let who = &desk.who;
    let (agent, user, session) = (who.agent.clone(), who.user.clone(), who.session.clone());
    let request = CrisisList { agent, user, session, limit: Some(limit) };
    let listed = desk.link.ask(&who.tenant, request).await?;
    if desk.out.wants_json() {
        desk.out.answer(&listed)?;
        return Ok(CommandEnd::Well);
    }
    let row = |record: &CrisisRecord| {
        vec![
            styled(DIM, minute(record.at)),
            styled(BOLD, format!("level {}", record.level)),
            record.path.to_string(),
            styled(DIM, record.session_hash.chars().take(12).collect::<String>()),
            one_line(&record.reason),
            record.until.map_or("until removed".to_owned(), |until| format!("until {}", minute(until))),
            record.id.to_string(),
        ]
    };
    let rows: Vec<Vec<String>> = listed.records.iter().map(row).collect();
    desk.out.table(&rows)?;
    if rows.is_empty() {
        desk.out.talk("nothing is recorded");
    }
    Ok(CommandEnd::Well)
}

async fn remove(desk: &mut CommandContext, ids: Vec<CrisisId>) -> Result<CommandEnd, CommandFailure> {
    let mut removed = Vec::new();
    for id in ids {
        let answer = desk.link.ask(&desk.who.tenant, CrisisRemove { id: id.clone() }).await?;
        if answer.deleted {
            removed.push(id);
        } else {
            desk.out.talk(format!("there is no crisis record {id}"));
        }
    }
    if desk.out.wants_json() {
        desk.out.answer(&json!({ "removed": removed }))?;
    } else {
        for id in &removed {
            desk.out.line(format!("removed {id}"))?;
        }
    }
    Ok(if removed.is_empty() { CommandEnd::Nothing } else { CommandEnd::Well })
}
