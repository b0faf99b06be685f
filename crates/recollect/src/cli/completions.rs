//! `recollect completions`.

use std::io::Write;

use clap::Args;
use clap_complete::Shell;

use super::output::CommandFailure;
use super::{CommandEnd, grammar};

/// Print the completion script of a shell
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  recollect completions bash > ~/.local/share/bash-completion/completions/recollect
  recollect completions zsh > ~/.zfunc/_recollect
  recollect completions fish > ~/.config/fish/completions/recollect.fish")]
pub struct CompletionsCommand {
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

impl CompletionsCommand {
    pub fn run(self) -> Result<CommandEnd, CommandFailure> {
        // Into memory first: the generator panics when a pipe breaks.
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut grammar(), "recollect", &mut script);
        std::io::stdout().write_all(&script)?;
        Ok(CommandEnd::Well)
    }
}
