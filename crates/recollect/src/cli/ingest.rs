//! `recollect ingest`: conversations from a file, one a line.
//!
//! A line that cannot be taken is said with its number and left out; the others are taken, so that one slip in a year of
//! talk costs one line.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};

use clap::Args;
use indicatif::ProgressBar;
use serde::Serialize;
use serde_json::Value;

use super::output::{CommandFailure, one_line};
use super::{CommandContext, CommandEnd, progress};
use crate::conversation;
use crate::limits::BODY_BYTES;
use crate::ops::ingest::{Ingest, Ingested};
use crate::problem::{Code, Problem};

/// Take in conversations that took place elsewhere, and learn from them
#[derive(Debug, Args)]
#[command(after_help = "\
One conversation a line, as JSON:
  {\"conversation_id\": \"c1\", \"session_date\": \"2026-03-01\", \"turns\": [{\"user\": \"I live in Oslo\", \"assistant\": \"Nice\"}]}
  {\"conversation_id\": \"c2\", \"messages\": [{\"role\": \"user\", \"content\": \"I prefer tea\", \"date\": \"2026-03-02\"}]}
agent_id, user_id and skip_extraction may stand beside them. A conversation taken in twice is stored once.

Examples:
  recollect ingest conversations.jsonl
  cat conversations.jsonl | recollect ingest - --user ada")]
pub struct IngestCommand {
    /// The file, or `-` for stdin
    #[arg(value_name = "FILE")]
    file: String,
}

/// What a whole file came to.
#[derive(Debug, Default, Serialize)]
struct Summary {
    conversations: u64,
    turns_ingested: usize,
    turns_known: u64,
    memories: u64,
    episodes: u64,
    secrets_masked: usize,
    /// Lines left out.
    refused: Vec<RefusedLine>,
}

#[derive(Debug, Serialize)]
struct RefusedLine {
    line: u64,
    error: Problem,
}

impl IngestCommand {
    pub async fn run(self, desk: &mut CommandContext) -> Result<CommandEnd, CommandFailure> {
        let (mut lines, bytes) = open(&self.file)?;
        let bar = bar(bytes);
        let mut summary = Summary::default();
        let mut number = 0;
        while let Some(line) = next(&mut lines)? {
            number += 1;
            bar.inc(line.len() as u64 + 1);
            if line.trim_ascii().is_empty() {
                continue;
            }
            match take(desk, &line).await {
                Ok(ingested) => summary.add(&ingested),
                // Without a store there is no use in going on.
                Err(problem) if matches!(problem.code, Code::Unavailable | Code::VersionMismatch) => {
                    return Err(problem.into());
                }
                Err(error) => {
                    bar.suspend(|| desk.out.talk(format!("line {number}: {}", one_line(&error.message))));
                    summary.refused.push(RefusedLine { line: number, error });
                }
            }
        }
        bar.finish_and_clear();
        print(desk, &summary)?;
        Ok(if summary.refused.is_empty() { CommandEnd::Well } else { CommandEnd::Nothing })
    }
}

async fn take(desk: &CommandContext, line: &[u8]) -> Result<Ingested, Problem> {
    if line.len() > BODY_BYTES {
        let message = format!("the line is longer than {BODY_BYTES} bytes");
        return Err(Problem::new(Code::TooLarge, message).hint("send a long conversation in parts"));
    }
    let read: Value = serde_json::from_slice(line)
        .map_err(|error| Problem::invalid(format!("the line is not JSON: {error}")))?;
    let request = conversation::read(read)?;
    let (agent, user) = (desk.who.agent.clone(), desk.who.user.clone());
    let request = Ingest { agent: request.agent.or(agent), user: request.user.or(user), ..request };
    desk.link.ask(&desk.who.tenant, request).await
}

impl Summary {
    fn add(&mut self, ingested: &Ingested) {
        self.conversations += 1;
        self.turns_ingested += ingested.turns_ingested;
        self.turns_known += ingested.turns_known;
        self.memories += ingested.memories;
        self.episodes += u64::from(ingested.episode_id.is_some());
        self.secrets_masked += ingested.secrets_masked;
    }
}

fn print(desk: &mut CommandContext, summary: &Summary) -> Result<(), CommandFailure> {
    if desk.out.wants_json() {
        return desk.out.answer(summary);
    }
    let counted =
        |count: u64, one: &str, many: &str| format!("{count} {}", if count == 1 { one } else { many });
    let mut parts = vec![
        counted(summary.conversations, "conversation", "conversations"),
        counted(summary.turns_ingested as u64, "new turn", "new turns"),
        counted(summary.memories, "memory", "memories"),
        counted(summary.episodes, "episode", "episodes"),
    ];
    if summary.turns_known > 0 {
        parts.push(counted(summary.turns_known, "turn known before", "turns known before"));
    }
    if summary.secrets_masked > 0 {
        parts.push(counted(summary.secrets_masked as u64, "secret masked", "secrets masked"));
    }
    if !summary.refused.is_empty() {
        parts.push(counted(summary.refused.len() as u64, "line left out", "lines left out"));
    }
    desk.out.line(parts.join(", "))
}

/// The lines, and how many bytes they have together, where that is known.
fn open(file: &str) -> Result<(Box<dyn BufRead>, Option<u64>), Problem> {
    if file == "-" {
        return Ok((Box::new(BufReader::new(std::io::stdin())), None));
    }
    let opened = File::open(file).and_then(|opened| Ok((opened.metadata()?.len(), opened)));
    let (bytes, opened) =
        opened.map_err(|error| Problem::invalid(format!("{file} cannot be read: {error}")))?;
    Ok((Box::new(BufReader::new(opened)), Some(bytes)))
}

/// The next line without its end. Of one that is too long the rest is read over, and one byte too many tells.
fn next(lines: &mut Box<dyn BufRead>) -> Result<Option<Vec<u8>>, Problem> {
    let unreadable = |error| Problem::invalid(format!("the conversations cannot be read: {error}"));
    let mut line = Vec::new();
    let most = BODY_BYTES as u64 + 1;
    let read = lines.by_ref().take(most).read_until(b'\n', &mut line).map_err(unreadable)?;
    if read == 0 {
        return Ok(None);
    }
    if line.last() == Some(&b'\n') {
        line.pop();
    } else if line.len() as u64 == most {
        lines.skip_until(b'\n').map_err(unreadable)?;
    }
    Ok(Some(line))
}

/// A spinner where nobody knows how much is to come.
fn bar(bytes: Option<u64>) -> ProgressBar {
    let template = match bytes {
        Some(_) => "{wide_bar} {bytes}/{total_bytes} {eta}",
        None => "{spinner} {bytes} {elapsed}",
    };
    progress::bar(bytes, template)
}
