//! Logs: structured, on stderr, as text or as JSON. What a memory says is never in them.

use memory::trace;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{Layer, fmt};

use crate::config::{Config, LogFormat, ValueSource, keys};
use crate::telemetry::BoxedLayer;

/// A long-lived server logs as configured. A command prints its own answers, so it logs no more than warnings unless
/// somebody asked for more.
pub fn start(config: &Config, serving: bool) {
    start_with(config, serving, None);
}

/// The same, with somebody who follows the steps.
pub fn start_with(config: &Config, serving: bool, traces: Option<BoxedLayer>) {
    let asked =
        keys::KEYS.iter().any(|key| key.name == "log.level" && *config.source(key) != ValueSource::Default);
    let level = if serving || asked { config.log_level } else { LevelFilter::WARN };
    let lines = fmt::layer().with_writer(std::io::stderr).with_target(false);
    let lines: BoxedLayer = match config.log_format {
        LogFormat::Text => Box::new(lines.with_ansi(std::io::IsTerminal::is_terminal(&std::io::stderr()))),
        LogFormat::Json => Box::new(lines.json().flatten_event(true)),
    };
    // The steps that are only traced would stand before every line.
    let said = Targets::new()
        .with_default(level)
        .with_target(trace::TARGET, LevelFilter::OFF)
        // It says at every request that it begins and ends, and below that what was asked.
        .with_target("rmcp", level.min(LevelFilter::WARN));
    let layers: Vec<BoxedLayer> = std::iter::once(lines.with_filter(said).boxed()).chain(traces).collect();
    // Failing means that a subscriber is already there, as in tests; then that one serves.
    let _ = tracing_subscriber::registry().with(layers).try_init();
}
