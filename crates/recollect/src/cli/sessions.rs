//! `recollect sessions`.

use clap::{Args, Subcommand};
use memory::types::{Episode, SessionId};

use super::output::{BOLD, CommandFailure, DIM, harmless, minute, one_line, styled};
use super::receipts::counted;
use super::{CommandContext, CommandEnd};
use crate::ops::sessions::{Passed, SessionEnd, SessionLine, SessionShow, SessionShown, SessionsList, Which};

/// Look at conversations, and end one
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  recollect sessions list
  recollect sessions show trip
  recollect sessions end trip --user ada")]
pub struct SessionsCommand {
    #[command(subcommand)]
    action: SessionsAction,
}

#[derive(Debug, Subcommand)]
enum SessionsAction {
    /// Page through conversations, the latest first
    List {
        /// How many rows at most [default: 20]
        #[arg(long, value_name = "NUMBER")]
        limit: Option<usize>,
        /// How many rows to leave out first
        #[arg(long, value_name = "NUMBER", default_value_t = 0)]
        offset: usize,
    },
    /// Show one conversation: what was said, its digest, and what is held until its end
    Show {
        #[arg(value_name = "ID")]
        id: SessionId,
    },
    /// Say that a conversation is over, and learn from it what there is to learn
    End {
        #[arg(value_name = "ID")]
        id: SessionId,
    },
}

impl SessionsCommand {
    pub async fn run(self, desk: &mut CommandContext) -> Result<CommandEnd, CommandFailure> {
        match self.action {
            SessionsAction::List { limit, offset } => list(desk, limit, offset).await,
            SessionsAction::Show { id } => {
                let which = which(desk, id);
                let shown = desk.link.ask(&desk.who.tenant, SessionShow { which }).await?;
                show(desk, &shown)
            }
            SessionsAction::End { id } => {
                let which = which(desk, id);
                let passed = desk.link.ask(&desk.who.tenant, SessionEnd { which }).await?;
                if desk.out.wants_json() {
                    desk.out.answer(&passed)?;
                } else {
                    desk.out.line(came_to(&passed))?;
                }
                Ok(CommandEnd::Well)
            }
        }
    }
}

fn which(desk: &CommandContext, session: SessionId) -> Which {
    Which { session, agent: desk.who.agent.clone(), user: desk.who.user.clone() }
}

async fn list(
    desk: &mut CommandContext,
    limit: Option<usize>,
    offset: usize,
) -> Result<CommandEnd, CommandFailure> {
    let (agent, user) = (desk.who.agent.clone(), desk.who.user.clone());
    let listed = desk.link.ask(&desk.who.tenant, SessionsList { agent, user, limit, offset }).await?;
    if desk.out.wants_json() {
        desk.out.answer(&listed)?;
        return Ok(CommandEnd::Well);
    }
    let rows: Vec<Vec<String>> = listed.sessions.iter().map(row).collect();
    desk.out.table(&rows)?;
    let shown = offset + rows.len();
    match rows.len() {
        0 => desk.out.talk("no conversations here"),
        _ if (shown as u64) < listed.total => {
            desk.out.talk(format!("{shown} of {}; --offset {shown} goes on", listed.total));
        }
        _ => {}
    }
    Ok(CommandEnd::Well)
}

fn row(line: &SessionLine) -> Vec<String> {
    let key = &line.session.key;
    let digest = line.episode.as_ref().map(|episode| one_line(&episode.summary)).unwrap_or_default();
    vec![
        styled(BOLD, one_line(key.session.as_str())),
        styled(DIM, format!("{} with {}", key.user, key.agent)),
        minute(line.session.last_turn_at),
        state(line),
        digest,
    ]
}

fn state(line: &SessionLine) -> String {
    let open = if line.session.ended_at.is_some() { "ended" } else { "open" };
    let mut state = open.to_owned();
    if line.pending > 0 {
        state.push_str(&format!(", {} waiting", line.pending));
    }
    if !line.forgotten_on_request.is_empty() {
        state.push_str(", forgot on request");
    }
    state
}

fn show(desk: &mut CommandContext, shown: &SessionShown) -> Result<CommandEnd, CommandFailure> {
    if desk.out.wants_json() {
        desk.out.answer(shown)?;
        return Ok(CommandEnd::Well);
    }
    let line = &shown.line;
    let key = &line.session.key;
    let about = format!("{} with {}  {}", key.user, key.agent, state(line));
    desk.out.line(format!("{}  {}", styled(BOLD, one_line(key.session.as_str())), styled(DIM, about)))?;
    if let Some(episode) = &line.episode {
        digest(desk, episode)?;
    }
    for run in &line.forgotten_on_request {
        desk.out.line(styled(
            DIM,
            format!("something was forgotten on request; `recollect undo {run}` brings it back"),
        ))?;
    }
    for turn in &shown.turns {
        let who = turn.speaker.clone().unwrap_or_else(|| turn.role.to_string());
        let head = styled(DIM, format!("{}  {}:", minute(turn.at), one_line(&who)));
        let text = if turn.text.is_empty() { "(forgotten)".into() } else { harmless(&turn.text) };
        desk.out.line(format!("{head} {text}"))?;
    }
    if !shown.held.is_empty() {
        desk.out.line(styled(BOLD, "held until more supports it"))?;
    }
    for held in &shown.held {
        let why = styled(DIM, format!("({}: {})", held.verdict, held.reason));
        desk.out.line(format!("  {} {why}", one_line(&held.memory.content)))?;
    }
    Ok(CommandEnd::Well)
}

fn digest(desk: &mut CommandContext, episode: &Episode) -> Result<(), CommandFailure> {
    desk.out.line(harmless(&episode.summary))?;
    let lists = [
        ("topics", &episode.topics),
        ("decisions", &episode.decisions),
        ("dates", &episode.key_dates),
        ("to do", &episode.action_items),
    ];
    let rows: Vec<Vec<String>> = lists
        .iter()
        .filter(|(_, items)| !items.is_empty())
        .map(|(name, items)| vec![styled(DIM, name), one_line(&items.join("; "))])
        .collect();
    desk.out.table(&rows)
}

/// What passes over sessions came to together: `2 turns`, `1 memory`, `3 held`; what is none is left out.
pub fn parts(passes: &[Passed]) -> Vec<String> {
    let sum = |of: fn(&Passed) -> u64| passes.iter().map(of).sum::<u64>();
    let things = [("turns", sum(|passed| passed.turns as u64)), ("memories", sum(|passed| passed.memories))];
    let states = [
        ("superseded", sum(|passed| passed.superseded)),
        ("held", sum(|passed| passed.held)),
        ("unsupported", sum(|passed| passed.unsupported)),
    ];
    let things = things.map(|(name, count)| (count, counted(name, count)));
    let states = states.map(|(name, count)| (count, format!("{count} {name}")));
    things.into_iter().chain(states).filter(|(count, _)| *count > 0).map(|(_, part)| part).collect()
}

/// What a pass over a session came to, on one line.
pub fn came_to(passed: &Passed) -> String {
    let mut line = format!("{}  {}", one_line(passed.session.session.as_str()), passed.distillation);
    for part in parts(std::slice::from_ref(passed)) {
        line.push_str(&format!(", {part}"));
    }
    if let Some(model) = &passed.model {
        line.push_str(&format!(", by {}", one_line(model)));
    }
    if let Some(why) = &passed.fell_back {
        line.push_str(&format!(", without the model: {}", one_line(why)));
    }
    line
}
