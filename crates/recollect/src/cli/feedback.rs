//! `recollect feedback`.

use clap::Args;
use memory::types::{FeedbackEntry, JudgedBy, Judgement, MemoryId, TurnId};

use super::output::{CommandFailure, DIM, styled};
use super::{CommandContext, CommandEnd, words};
use crate::ops::feedback::{Feedback, FeedbackList, FeedbackListed};

/// Say what became of a memory that was recalled, or show what was said
///
/// Used strengthens it, ignored weakens it, and wrong takes it out of recall: it is archived, and `recollect undo` brings it
/// back. Without a judgement, shows what was said so far.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  recollect feedback mt_01890a5d-ac96-774b-bcce-b302099a8057 used
  recollect feedback mt_01890a5d-ac96-774b-bcce-b302099a8057 wrong
  recollect feedback mt_01890a5d-ac96-774b-bcce-b302099a8057")]
pub struct FeedbackCommand {
    /// The memory's id, as search and list print it
    #[arg(value_name = "ID")]
    id: MemoryId,
    /// used, ignored or wrong
    #[arg(value_name = "JUDGEMENT", value_parser = words::judgements(), hide_possible_values = true)]
    judgement: Option<Judgement>,
    /// Who says so: person or agent
    #[arg(long, value_name = "WHO", default_value = "person", value_parser = words::judges(), hide_possible_values = true)]
    source: JudgedBy,
    /// The reply that it is about; asked twice about the same one, the last word counts
    #[arg(long, value_name = "ID")]
    turn: Option<TurnId>,
}

impl FeedbackCommand {
    pub async fn run(self, desk: &mut CommandContext) -> Result<CommandEnd, CommandFailure> {
        let Some(judgement) = self.judgement else { return show(self.id, desk).await };
        let session = desk.who.session.clone();
        let request =
            Feedback { session, turn: self.turn, ..Feedback::of(vec![self.id], judgement, self.source) };
        let taken = desk.link.ask(&desk.who.tenant, request).await?;
        if desk.out.wants_json() {
            desk.out.answer(&taken)?;
            return Ok(CommandEnd::Well);
        }
        for judged in &taken.judged {
            let counts = &judged.counters;
            desk.out.line(format!(
                "{}: used {}, ignored {}, wrong {}",
                judged.id, counts.used, counts.ignored, counts.wrong
            ))?;
            if let Some(why) = &judged.changed {
                let run = taken.run.as_ref().map(|run| format!("({run})")).unwrap_or_default();
                desk.out.talk(format!("{}: {why} {}", judged.status, styled(DIM, run)));
            }
        }
        Ok(CommandEnd::Well)
    }
}

async fn show(id: MemoryId, desk: &mut CommandContext) -> Result<CommandEnd, CommandFailure> {
    let listed = desk.link.ask(&desk.who.tenant, FeedbackList { id, limit: None }).await?;
    if desk.out.wants_json() {
        desk.out.answer(&listed)?;
        return Ok(CommandEnd::Well);
    }
    let FeedbackListed { counters, entries, .. } = listed;
    desk.out
        .line(format!("used {}, ignored {}, wrong {}", counters.used, counters.ignored, counters.wrong))?;
    let row = |entry: &FeedbackEntry| {
        let session = entry.session.as_ref().map(|key| key.session.to_string()).unwrap_or_default();
        vec![
            entry.at.to_string(),
            entry.judgement.to_string(),
            format!("by {}", entry.by),
            styled(DIM, super::output::harmless(&session)),
        ]
    };
    let rows: Vec<Vec<String>> = entries.iter().map(row).collect();
    desk.out.table(&rows)?;
    Ok(CommandEnd::Well)
}
