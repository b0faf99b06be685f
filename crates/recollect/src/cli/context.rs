//! `recollect context`.

use clap::Args;
use memory::types::{ProjectId, Time};

use super::output::{CommandFailure, harmless};
use super::receipts::counted;
use super::{CommandContext, CommandEnd, arguments};
use crate::ops::context::{ContextLine, ContextOperation};

/// Show what a message would get to know
///
/// The answer is the block that a prompt would receive; why, or why not, is said on stderr. --agent, --user and
/// --session are who says it. Looking does not count as using.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  recollect context \"where do I live?\"
  recollect context --explain \"what can I cook tonight?\"
  recollect context --as-of 2026-05-01 \"where do I live?\"
  recollect context --user ada --json \"what did we say about the trip?\"")]
pub struct ContextCommand {
    /// What somebody says; `-` reads it from stdin
    #[arg(required = true, value_name = "MESSAGE")]
    message: Vec<String>,
    /// What the user works on
    #[arg(long, value_name = "NAME")]
    project: Option<ProjectId>,
    /// Say why each line is told, and how sure that is
    #[arg(long)]
    explain: bool,
    /// What was true then, as far as is known today
    #[arg(long, value_name = "TIME")]
    as_of: Option<Time>,
}

impl ContextCommand {
    pub async fn run(self, desk: &mut CommandContext) -> Result<CommandEnd, CommandFailure> {
        let request = ContextOperation {
            message: arguments::text(&self.message)?,
            agent: desk.who.agent.clone(),
            user: desk.who.user.clone(),
            session: desk.who.session.clone(),
            project: self.project,
            as_of: self.as_of,
            explain: self.explain,
            counts_use: false,
        };
        let context = desk.link.ask(&desk.who.tenant, request).await?;
        if desk.out.wants_json() {
            desk.out.answer(&context)?;
            return Ok(CommandEnd::Well);
        }
        let gate = &context.gate;
        desk.out.talk(match gate.fire {
            true => format!("memory is asked for ({}): {}", gate.section, harmless(&gate.reason)),
            false => format!("memory is not asked for: {}", harmless(&gate.reason)),
        });
        if !context.block.is_empty() {
            desk.out.line(harmless(&context.block))?;
        }
        for line in context.lines.iter().filter(|_| self.explain) {
            desk.out.line(explained(line))?;
        }
        desk.out.talk(match (context.lines.len(), context.tokens) {
            (0, _) => "nothing would be put into the prompt".to_owned(),
            (lines, tokens) => format!("{}, about {tokens} tokens", counted("lines", lines as u64)),
        });
        Ok(CommandEnd::Well)
    }
}

/// Why a line is told: `92 %  says who the user is: I live in Irvine`.
fn explained(line: &ContextLine) -> String {
    let text = harmless(line.text.trim_start_matches("- "));
    match (&line.reason, line.probability) {
        (Some(reason), Some(probability)) => format!("{:>3.0} %  {reason}: {text}", probability * 100.0),
        _ => format!("{:>5}  comes along always: {text}", ""),
    }
}
