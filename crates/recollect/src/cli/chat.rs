//! `recollect chat`: a conversation on the terminal, through memory.
//!
//! It is a client like any other: what it says goes through the proxy of the server that runs on the data folder, or of one
//! inside this process where none runs ([`transport`]). [`input`] is where lines come from, [`conversation`] what goes back and
//! forth, [`commands`] what begins with a slash, [`notes`] the dim lines that tell what memory did. Answers go to stdout and
//! everything else to stderr, so that a script can feed it lines and read answers.

mod commands;
mod conversation;
mod input;
mod notes;
mod transport;

use std::io::IsTerminal;

use clap::Args;
use tokio::signal::unix::{Signal, SignalKind, signal};

use self::commands::Next;
use self::conversation::TerminalChat;
use self::input::{TerminalInput, TerminalReader};
use self::transport::ChatTransport;
use super::output::{CommandFailure, explained};
use super::{CommandContext, CommandEnd};
use crate::problem::Problem;
use crate::proxy::RECALL_MODEL;

/// Talk to a model that remembers, on the terminal
///
/// Goes through the running server, or brings its own. Without a configured model it talks to recollect/recall, which answers
/// from memory alone. What was recalled is shown beside each answer, and what was learned at the end. Lines that begin with a
/// slash are commands; /help shows them. Ctrl-C stops an answer, Ctrl-D leaves. With lines from a pipe each is one message.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  recollect chat
  recollect chat --model openai/gpt-4.1-mini --user ada
  recollect chat --system \"Answer in one sentence.\" --no-history
  printf 'I live in Lisbon.\\nWhere do I live?\\n' | recollect chat --json")]
pub struct ChatCommand {
    /// The model to talk to [default: the upstream's own, else recollect/recall]
    #[arg(long, short, value_name = "MODEL")]
    model: Option<String>,
    /// What the model is told before everything else
    #[arg(long, value_name = "TEXT")]
    system: Option<String>,
    /// Recall nothing and learn nothing
    #[arg(long)]
    no_memory: bool,
    /// Do not keep what is typed for the next time
    #[arg(long)]
    no_history: bool,
}

impl ChatCommand {
    pub async fn run(self, desk: &mut CommandContext) -> Result<CommandEnd, CommandFailure> {
        let on_terminal = std::io::stdin().is_terminal();
        // From here on Ctrl-C is for answers, and no longer the end of the process.
        let mut interrupts = signal(SignalKind::interrupt()).map_err(Problem::ours)?;
        let history = (on_terminal && !self.no_history).then(|| desk.link.folder().join("chat_history"));
        let mut input = TerminalReader::open(on_terminal, history);
        let mut conversation =
            TerminalChat::begin(desk, ChatTransport::default(), self.system, !self.no_memory)?;
        conversation.model = match self.model {
            Some(model) => Some(model),
            None => conversation.default_model(desk).await,
        };
        greet(desk, &conversation, on_terminal);
        let failures = talk(desk, &mut conversation, &mut input, &mut interrupts).await?;
        conversation.end(desk).await?;
        // On a terminal everybody has seen what went wrong; a script must be told.
        Ok(if failures > 0 && !on_terminal { CommandEnd::Nothing } else { CommandEnd::Well })
    }
}

fn greet(desk: &mut CommandContext, conversation: &TerminalChat, on_terminal: bool) {
    let model = conversation.model.as_deref().unwrap_or("the upstream's default model");
    if model == RECALL_MODEL {
        notes::note(desk, format!("talking to {RECALL_MODEL}, which answers from memory alone"));
        notes::note(desk, "set OPENAI_API_KEY or OPENAI_BASE_URL, or add an upstream, to talk to a model");
    } else {
        notes::note(desk, format!("talking to {model}"));
    }
    if !conversation.has_memory() {
        notes::note(desk, "without memory: nothing is recalled and nothing is learned");
    }
    if on_terminal {
        notes::note(desk, "/help shows the commands; Ctrl-D leaves");
    }
}

/// Until there is nothing more to say. Gives how many messages came to nothing.
async fn talk(
    desk: &mut CommandContext,
    conversation: &mut TerminalChat,
    input: &mut TerminalReader,
    interrupts: &mut Signal,
) -> Result<usize, CommandFailure> {
    let mut failures = 0;
    loop {
        let heard = tokio::select! {
            heard = input.line() => heard,
            // Only of a pipe: a terminal hands Ctrl-C over as a key while a line is typed.
            _ = interrupts.recv() => TerminalInput::End,
        };
        let line = match heard {
            TerminalInput::Line(line) => line,
            TerminalInput::Interrupted => {
                notes::note(desk, "Ctrl-D or /quit leaves");
                continue;
            }
            TerminalInput::Failed(problem) => return Err(problem.into()),
            TerminalInput::End => return Ok(failures),
        };
        let done = match line.trim() {
            "" => Ok(Next::GoOn),
            command if command.starts_with('/') && !command.starts_with("//") => {
                commands::obey(desk, conversation, command).await
            }
            message => {
                // Two slashes say one.
                let message =
                    message.strip_prefix('/').filter(|_| message.starts_with("//")).unwrap_or(message);
                conversation.say(desk, message, interrupts).await.map(|()| Next::GoOn)
            }
        };
        match done {
            Ok(Next::GoOn) => {}
            Ok(Next::Leave) => return Ok(failures),
            Err(CommandFailure::Problem(problem)) => {
                failures += 1;
                if desk.out.wants_json() {
                    desk.out.answer(&serde_json::json!({ "message": line.trim(), "error": problem }))?;
                } else {
                    explained(&problem);
                }
            }
            Err(failure) => return Err(failure),
        }
    }
}
