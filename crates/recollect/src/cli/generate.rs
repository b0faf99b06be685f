//! `recollect generate`, hidden: writes the reference pages that are made from code, or says which are stale.

use std::path::PathBuf;

use clap::Args;

use super::CommandEnd;
use super::output::{CommandFailure, Output};
use crate::problem::Problem;
use crate::reference;

/// Write the generated reference pages
#[derive(Debug, Args)]
#[command(hide = true)]
pub struct GenerateCommand {
    /// The folder of the pages, `docs/reference` in the repository
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Change nothing; fail when a page is stale
    #[arg(long)]
    check: bool,
}

impl GenerateCommand {
    pub fn run(self, out: &mut Output) -> Result<CommandEnd, CommandFailure> {
        let mut done = CommandEnd::Well;
        for page in reference::pages() {
            let path = self.folder.join(page.file);
            if std::fs::read_to_string(&path).is_ok_and(|there| there == page.text) {
                continue;
            }
            if self.check {
                out.line(format!("{} is stale; `cargo xtask generate` writes it", path.display()))?;
                done = CommandEnd::Nothing;
                continue;
            }
            let written =
                std::fs::create_dir_all(&self.folder).and_then(|()| std::fs::write(&path, &page.text));
            written.map_err(|error| {
                Problem::invalid(format!("{} cannot be written: {error}", path.display()))
            })?;
            out.line(format!("wrote {}", path.display()))?;
        }
        Ok(done)
    }
}
