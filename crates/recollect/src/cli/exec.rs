//! `recollect exec`, hidden: operations as JSON lines on stdin, answers as JSON lines on stdout, in order.
//!
//! For programs that ask much and want neither a process for each question nor HTTP, and for tests.

use std::io::BufRead;

use clap::Args;

use super::output::CommandFailure;
use super::{CommandContext, CommandEnd};
use crate::ops::Operation;
use crate::problem::{Problem, ProblemBody};

/// Do operations given as JSON lines on stdin
#[derive(Debug, Args)]
#[command(hide = true)]
pub struct ExecCommand {
    /// `-` for stdin
    #[arg(value_name = "FILE", value_parser = ["-"], default_value = "-")]
    _file: String,
}

impl ExecCommand {
    pub async fn run(self, desk: &mut CommandContext) -> Result<CommandEnd, CommandFailure> {
        for line in std::io::stdin().lock().lines() {
            let line = line.map_err(|error| Problem::invalid(format!("stdin cannot be read: {error}")))?;
            let outcome = match serde_json::from_str::<Operation>(&line) {
                Ok(operation) => desk.link.execute(&desk.who.tenant, operation).await,
                Err(error) => Err(Problem::invalid(format!("the operation cannot be read: {error}"))),
            };
            match outcome {
                Ok(outcome) => desk.out.answer(&outcome)?,
                Err(error) => desk.out.answer(&ProblemBody { error })?,
            }
        }
        Ok(CommandEnd::Well)
    }
}
