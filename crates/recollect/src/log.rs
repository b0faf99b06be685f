//! Logs: structured, on stderr, as text or as JSON. What a memory says is never in them.

use tracing_subscriber::filter::LevelFilter;

use crate::config::{Config, LogFormat, Source, keys};

/// A long-lived server logs as configured. A command prints its own answers, so it logs no more than warnings unless
/// somebody asked for more.
pub fn start(config: &Config, serving: bool) {
    let asked =
        keys::KEYS.iter().any(|key| key.name == "log.level" && *config.source(key) != Source::Default);
    let level = if serving || asked { config.log_level } else { LevelFilter::WARN };
    let builder =
        tracing_subscriber::fmt().with_max_level(level).with_writer(std::io::stderr).with_target(false);
    // Failing means that a subscriber is already there, as in tests; then that one serves.
    let _ = match config.log_format {
        LogFormat::Text => builder.with_ansi(std::io::IsTerminal::is_terminal(&std::io::stderr())).try_init(),
        LogFormat::Json => builder.json().flatten_event(true).try_init(),
    };
}
