//! `recollect config`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use models::Upstream;
use serde_json::{Value, json};

use super::output::{BOLD, CommandFailure, DIM, Output, styled};
use super::{CommandEnd, Globals};
use crate::config::keys::{ConfigKey, KEYS};
use crate::config::{Config, ValueSource, places, upstreams};
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
    action: ConfigAction,
}

#[derive(Debug, Subcommand)]
enum ConfigAction {
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
    pub fn run(self, globals: &Globals, out: &mut Output) -> Result<CommandEnd, CommandFailure> {
        match self.action {
            ConfigAction::Show => {
                show(&Config::load(&globals.flags(), &Environment::of_this_process()?)?, out)?
            }
            ConfigAction::Path => {
                let path = places::config_file()?.display().to_string();
                if out.wants_json() { out.answer(&json!({ "path": path }))? } else { out.line(path)? }
            }
            ConfigAction::Default => {
                let text = crate::config::DEFAULT.trim_end();
                if out.wants_json() { out.answer(&json!({ "default": text }))? } else { out.line(text)? }
            }
            ConfigAction::Check { file } => {
                Config::check_file(&file)?;
                if out.wants_json() {
                    out.answer(&json!({ "ok": true }))?;
                }
                out.talk(format!("{} is sound", file.display()));
            }
        }
        Ok(CommandEnd::Well)
    }
}

fn show(config: &Config, out: &mut Output) -> Result<(), CommandFailure> {
    if out.wants_json() {
        let value = |key: &ConfigKey| json!({ "key": key.name, "value": key.shown(config), "source": config.source(key).to_string() });
        let values: Vec<Value> = KEYS.iter().map(value).collect();
        let described = config.described_upstreams().iter();
        let upstreams: Vec<Value> =
            described.map(|(upstream, source)| upstream_value(config, upstream, source)).collect();
        return out.answer(&json!({ "config": values, "upstreams": upstreams }));
    }
    let row = |name: &str, value: String, source: &ValueSource| {
        vec![name.to_owned(), styled(BOLD, value), styled(DIM, source)]
    };
    let mut rows: Vec<_> =
        KEYS.iter().map(|key| row(key.name, key.shown(config), config.source(key))).collect();
    rows.extend(config.described_upstreams().iter().map(|(upstream, source)| {
        row(&format!("upstreams.{}", upstream.name), upstream_line(config, upstream), source)
    }));
    out.table(&rows)
}

fn is_default(config: &Config, upstream: &Upstream) -> bool {
    config.upstreams.default_one().is_some_and(|default| default.name == upstream.name)
}

fn upstream_line(config: &Config, upstream: &Upstream) -> String {
    let kind = upstream.wire.word();
    let default = if is_default(config, upstream) { ", default" } else { "" };
    format!("{kind} {}, {}{default}", upstream.base_url, upstreams::key_shown(upstream))
}

fn upstream_value(config: &Config, upstream: &Upstream, source: &ValueSource) -> Value {
    let headers: Vec<&str> = upstream.headers.iter().map(|(name, _)| name.as_str()).collect();
    json!({
        "name": upstream.name,
        "kind": upstream.wire.word(),
        "baseUrl": upstream.base_url,
        "key": upstreams::key_shown(upstream),
        "headers": headers,
        "defaultModel": upstream.default_model,
        "inputPrice": upstream.input_price,
        "outputPrice": upstream.output_price,
        "jsonSchema": upstream.schema,
        "timeoutSeconds": upstream.timeout.as_secs(),
        "default": is_default(config, upstream),
        "source": source.to_string(),
    })
}
