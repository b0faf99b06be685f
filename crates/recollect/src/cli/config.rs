//! `recollect config`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use serde_json::{Value, json};

use super::output::{BOLD, DIM, Failure, Output, styled};
use super::{Done, Globals};
use crate::config::{Config, keys::KEYS, places};
use crate::environment::Environment;

/// Show and check the configuration: where data lies, where the server listens, how it logs
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  recollect config show
  recollect config check ./recollect.toml
  recollect config default > \"$(recollect config path)\"")]
pub struct ConfigCommand {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Print each value that is in force and where it came from; secrets are hidden
    Show,
    /// Print where the configuration file belongs
    Path,
    /// Print the built-in configuration file, every key with its explanation
    Default,
    /// Check a configuration file without using it
    Check {
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
}

impl ConfigCommand {
    pub fn run(self, globals: &Globals, out: &mut Output) -> Result<Done, Failure> {
        match self.action {
            Action::Show => show(&Config::load(&globals.flags(), &Environment::of_this_process()?)?, out)?,
            Action::Path => {
                let path = places::config_file()?.display().to_string();
                if out.wants_json() { out.answer(&json!({ "path": path }))? } else { out.line(path)? }
            }
            Action::Default => {
                let text = crate::config::DEFAULT.trim_end();
                if out.wants_json() { out.answer(&json!({ "default": text }))? } else { out.line(text)? }
            }
            Action::Check { file } => {
                Config::check_file(&file)?;
                if out.wants_json() {
                    out.answer(&json!({ "ok": true }))?;
                }
                out.talk(format!("{} is sound", file.display()));
            }
        }
        Ok(Done::Well)
    }
}

fn show(config: &Config, out: &mut Output) -> Result<(), Failure> {
    if out.wants_json() {
        let value = |key: &crate::config::keys::Key| json!({ "key": key.name, "value": key.shown(config), "source": config.source(key).to_string() });
        return out.answer(&json!({ "config": KEYS.iter().map(value).collect::<Vec<Value>>() }));
    }
    let row = |key: &crate::config::keys::Key| {
        vec![key.name.to_owned(), styled(BOLD, key.shown(config)), styled(DIM, config.source(key))]
    };
    out.table(&KEYS.iter().map(row).collect::<Vec<_>>())
}
