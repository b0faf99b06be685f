//! `recollect sync`.

use clap::Args;

use super::output::{CommandFailure, DIM, styled};
use super::receipts::counted;
use super::sessions::{came_to, parts};
use super::{CommandContext, CommandEnd};
use crate::limits;
use crate::ops::pending::{Sync, Synced};
use crate::ops::sessions::Passed;

/// Learn now from everything that waits
///
/// What a model failed on is tried again. What was learned before a model was chosen is read again only with --reread, and as
/// much of it as that says: each conversation costs a call.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  recollect sync
  recollect sync --reread 20
  recollect sync --json")]
pub struct SyncCommand {
    /// Let the model also read the latest N conversations from before it was chosen
    #[arg(long, value_name = "N", default_value_t = 0)]
    reread: usize,
}

impl SyncCommand {
    pub async fn run(self, desk: &mut CommandContext) -> Result<CommandEnd, CommandFailure> {
        let synced = desk.link.ask(&desk.who.tenant, Sync { reread: self.reread }).await?;
        print(desk, &synced, "nothing waits")
    }
}

/// One line a session, as many as a person reads.
pub fn print(
    desk: &mut CommandContext,
    synced: &Synced,
    nothing: &str,
) -> Result<CommandEnd, CommandFailure> {
    if desk.out.wants_json() {
        desk.out.answer(synced)?;
        return Ok(CommandEnd::Well);
    }
    for line in told(&synced.sessions) {
        desk.out.line(line)?;
    }
    if synced.sessions.is_empty() {
        desk.out.talk(nothing);
    }
    Ok(CommandEnd::Well)
}

/// The first passes, then how many more there are and what all of them came to together.
fn told(passes: &[Passed]) -> Vec<String> {
    let shown = passes.len().min(limits::SYNCED_SHOWN);
    let mut lines: Vec<String> = passes[..shown].iter().map(came_to).collect();
    let more = passes.len() - shown;
    if more > 0 {
        lines.push(styled(DIM, format!("… and {more} more")));
        let total = [vec![counted("sessions", passes.len() as u64)], parts(passes)].concat();
        lines.push(format!("in all {}", total.join(", ")));
    }
    lines
}

#[cfg(test)]
mod tests {
    use memory::types::{AgentId, Owner, SessionKey, UserId};

    use super::*;

    fn passes(count: usize) -> Vec<Passed> {
        let owner = Owner { agent: AgentId::unnamed(), user: UserId::unnamed() };
        let pass = |number: usize| Passed {
            session: SessionKey::new(&owner, format!("s{number}").parse().expect("a session's name")),
            distillation: "distilled".to_owned(),
            episode_id: None,
            turns: 1,
            memories: 2,
            superseded: 0,
            held: u64::from(number == 0),
            model: None,
            fell_back: None,
            unsupported: 0,
        };
        (0..count).map(pass).collect()
    }

    #[test]
    fn a_long_list_ends_with_what_it_comes_to() {
        let lines = told(&passes(limits::SYNCED_SHOWN + 5));
        assert_eq!(lines.len(), limits::SYNCED_SHOWN + 2);
        assert_eq!(lines[0], "s0  distilled, 1 turn, 2 memories, 1 held");
        assert!(lines[limits::SYNCED_SHOWN].contains("… and 5 more"), "{lines:?}");
        assert_eq!(lines[limits::SYNCED_SHOWN + 1], "in all 25 sessions, 25 turns, 50 memories, 1 held");
    }

    #[test]
    fn a_short_list_is_told_whole() {
        let lines = told(&passes(limits::SYNCED_SHOWN));
        assert_eq!(lines.len(), limits::SYNCED_SHOWN, "{lines:?}");
        assert!(told(&[]).is_empty());
    }
}
