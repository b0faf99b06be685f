//! `recollect tend`.

use clap::Args;
use memory::types::Step;

use super::output::{CommandFailure, DIM, one_line, styled};
use super::{CommandContext, CommandEnd, words};
use crate::ops::tend::{Tend, TendState, Tended};

/// Keep memory up now: merge, promote, link, compact, archive what faded, delete what was kept long enough
///
/// A server does this by itself, every `consolidationIntervalHours`. What a person wrote, pinned or edited is never merged
/// away, archived or rewritten. `recollect undo RUN` takes a pass back, all but what was deleted for its age.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  recollect tend --dry-run
  recollect tend
  recollect tend --step merge --json")]
pub struct TendCommand {
    /// Only say what each step would do, and to which memories
    #[arg(long)]
    dry_run: bool,
    /// This step alone: expire, episodes, merge, promote, strengthen, derive, compact, summarise, gist, evict, prune,
    /// profile or index
    #[arg(long, value_name = "NAME", value_parser = words::steps(), hide_possible_values = true)]
    step: Option<Step>,
}

impl TendCommand {
    pub async fn run(self, desk: &mut CommandContext) -> Result<CommandEnd, CommandFailure> {
        let request = Tend { dry_run: self.dry_run, step: self.step };
        let tended = desk.link.ask(&desk.who.tenant, request).await?;
        if desk.out.wants_json() {
            desk.out.answer(&tended)?;
            return Ok(CommandEnd::Well);
        }
        print(desk, &tended)?;
        Ok(CommandEnd::Well)
    }
}

fn print(desk: &mut CommandContext, tended: &Tended) -> Result<(), CommandFailure> {
    for intention in &tended.would_do {
        let ids = intention.ids.join(" ");
        desk.out.line(format!("{}: {} {}", intention.step, one_line(&intention.reason), styled(DIM, ids)))?;
    }
    let steps = tended.steps.iter().filter(|(_, count)| **count > 0);
    let rows: Vec<Vec<String>> = steps.map(|(step, count)| vec![step.clone(), count.to_string()]).collect();
    if tended.state != TendState::Rehearsed {
        desk.out.table(&rows)?;
    }
    for (step, why) in &tended.skipped {
        desk.out.talk(format!("{step}: left out, {why}"));
    }
    let run = tended.run_id.as_deref().unwrap_or_default();
    desk.out.talk(match (tended.state, rows.is_empty()) {
        (TendState::Busy, _) => "upkeep is at work already; nothing was begun".to_owned(),
        (TendState::Rehearsed, true) => "there would be nothing to do".to_owned(),
        (TendState::Rehearsed, false) => "nothing was changed; without --dry-run this is done".to_owned(),
        (TendState::Running, _) => format!("it goes on; `recollect runs` shows how far it is ({run})"),
        (TendState::Done, true) => "there was nothing to do".to_owned(),
        (TendState::Done, false) => way_back(run, tended),
    });
    Ok(())
}

/// What of a pass can be taken back: all but what was kept long enough, which is gone for good.
fn way_back(run: &str, tended: &Tended) -> String {
    let pruned = tended.steps.get(Step::Prune.as_str()).is_some_and(|count| *count > 0);
    let others = tended.steps.iter().any(|(step, count)| step != Step::Prune.as_str() && *count > 0);
    match (pruned, others) {
        (true, false) => "what was pruned is gone for good and cannot be brought back".to_owned(),
        (true, true) => {
            format!("`recollect undo {run}` takes it back, all but what was pruned, which is gone for good")
        }
        (false, _) => format!("`recollect undo {run}` takes it back"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_undo_is_promised_of_what_was_pruned() {
        let said = |steps: &[(&str, u64)]| {
            let tended = Tended {
                state: TendState::Done,
                run_id: Some("ru_1".to_owned()),
                pruned: 0,
                merged: 0,
                derived: 0,
                compacted: 0,
                duration_ms: 0,
                steps: steps.iter().map(|(step, count)| ((*step).to_owned(), *count)).collect(),
                skipped: std::collections::BTreeMap::new(),
                would_do: Vec::new(),
            };
            way_back("ru_1", &tended)
        };
        let only = said(&[("merge", 0), ("prune", 3)]);
        assert!(only.contains("cannot be brought back") && !only.contains("undo"), "{only}");
        let both = said(&[("merge", 1), ("prune", 3)]);
        assert!(both.contains("`recollect undo ru_1`") && both.contains("all but what was pruned"), "{both}");
        assert_eq!(said(&[("merge", 1), ("prune", 0)]), "`recollect undo ru_1` takes it back");
    }
}
