//! `recollect serve`.

use clap::Args;

use super::output::CommandFailure;
use super::{CommandEnd, Globals, runtime};
use crate::config::Config;
use crate::environment::Environment;
use crate::{log, serve, telemetry};

/// Serve memory over HTTP on this machine, until Ctrl-C
///
/// Commands find the server by its data folder and go through it by themselves.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  recollect serve
  recollect serve --data ./memory --listen 127.0.0.1:9000
  recollect serve --log-format json --log-level debug")]
pub struct ServeCommand {
    /// Address and port [default: 127.0.0.1:8377] [env: RECOLLECT_LISTEN]
    #[arg(long, value_name = "ADDR:PORT")]
    listen: Option<String>,
    /// text, or json with one object a line [env: RECOLLECT_LOG_FORMAT]
    #[arg(long, value_name = "FORMAT")]
    log_format: Option<String>,
    /// off, error, warn, info, debug or trace [env: RECOLLECT_LOG_LEVEL]
    #[arg(long, value_name = "LEVEL")]
    log_level: Option<String>,
}

impl ServeCommand {
    pub fn run(self, globals: &Globals) -> Result<CommandEnd, CommandFailure> {
        let mut flags = globals.flags();
        let given = [("listen", self.listen), ("log.format", self.log_format), ("log.level", self.log_level)];
        flags.values.extend(given.into_iter().filter_map(|(key, value)| Some((key, value?))));
        let config = Config::load(&flags, &Environment::of_this_process()?)?;
        let runtime = runtime()?;
        let (traces, layer) = telemetry::start(&config, runtime.handle()).unzip();
        log::start_with(&config, true, layer);
        runtime.block_on(async {
            let served = serve::serve(&config, globals.quiet).await;
            if let Some(traces) = traces {
                traces.stop().await;
            }
            served
        })?;
        Ok(CommandEnd::Well)
    }
}
