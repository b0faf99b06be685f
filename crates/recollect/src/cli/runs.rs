//! `recollect runs`.

use clap::Args;

use super::output::{CommandFailure, DIM, IdRow, minute, styled};
use super::{CommandContext, CommandEnd};
use crate::ops::runs::{RunRow, RunsList};

/// Show what was done as a whole, by upkeep or in bulk, and what of it can be undone
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  recollect runs
  recollect runs --limit 100 --json")]
pub struct RunsCommand {
    /// How many, the latest first
    #[arg(long, value_name = "COUNT")]
    limit: Option<usize>,
}

impl RunsCommand {
    pub async fn run(self, desk: &mut CommandContext) -> Result<CommandEnd, CommandFailure> {
        let listed = desk.link.ask(&desk.who.tenant, RunsList { limit: self.limit }).await?;
        if desk.out.wants_json() {
            desk.out.answer(&listed)?;
            return Ok(CommandEnd::Well);
        }
        desk.out.table_of_ids(listed.runs.iter().map(row).collect())?;
        if listed.runs.is_empty() {
            desk.out.talk("nothing was done as a whole yet");
        }
        Ok(CommandEnd::Well)
    }
}

fn row(run: &RunRow) -> IdRow {
    let counts = run.counts.iter().filter_map(|(name, count)| {
        let shown = count.as_u64().filter(|count| *count > 0)?;
        Some(format!("{name} {shown}"))
    });
    let counts = counts.collect::<Vec<_>>().join(", ");
    let state = if run.not_undoable.is_some() { styled(DIM, run.state) } else { run.state.to_string() };
    IdRow { id: run.id.clone(), cells: vec![minute(run.started_at), run.job.clone(), state, counts] }
}
