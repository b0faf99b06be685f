//! `recollect mcp`.

use clap::Args;

use super::output::CommandFailure;
use super::{CommandEnd, CommandOwner, Globals};
use crate::backend::Backend;
use crate::config::Config;
use crate::environment::Environment;
use crate::log;
use crate::mcp::clients::McpClient;
use crate::mcp::tool_context::{self, ToolContext};
use crate::mcp::tools::{Profile, ToolSelection};
use crate::mcp::{McpServer, stdio};
use crate::problem::Problem;

/// Offer memory as tools to a program that speaks MCP, over stdin and stdout
///
/// Goes through the server that runs on the data folder, or opens the store itself; either may come and go meanwhile.
/// --agent, --user and --session say whose memory it is. The same tools are at /mcp of a server.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  recollect mcp --print-config claude-desktop
  recollect mcp --user mara --tools memory_search,memory_add
  recollect mcp --profile mem0")]
pub struct McpCommand {
    /// Only these tools
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    tools: Vec<String>,
    /// Whose names the tools have
    #[arg(long, value_name = "PROFILE", default_value = "default")]
    profile: Profile,
    /// Print what to write into a program's settings, and end
    #[arg(long, value_name = "PROGRAM")]
    print_config: Option<McpClient>,
}

impl McpCommand {
    pub fn run(
        self,
        globals: &Globals,
        out: &mut super::output::Output,
    ) -> Result<CommandEnd, CommandFailure> {
        let tools = self.tools.iter().map(|name| name.trim().to_owned()).collect();
        let choice = ToolSelection::new(self.profile, tools)?;
        if let Some(client) = self.print_config {
            out.talk(format!("for {}:", client.place()));
            let settings = client.settings(&program()?, &self.arguments(globals));
            let text = serde_json::to_string_pretty(&settings).expect("settings are plain data");
            out.line(text)?;
            return Ok(CommandEnd::Well);
        }
        let environment = Environment::of_this_process()?;
        let config = Config::load(&globals.flags(), &environment)?;
        log::start(&config, false);
        let who = CommandOwner::new(globals, &environment)?;
        let link = Backend::new(&config, !globals.no_attach);
        let seen = tool_context::ToolOwner { agent: who.agent, user: who.user, session: who.session };
        let server = McpServer::new(ToolContext::linked(link, who.tenant, seen), &choice);
        super::runtime()?.block_on(stdio::serve(server))?;
        Ok(CommandEnd::Well)
    }

    /// What was said here, to be said again by the program.
    fn arguments(&self, globals: &Globals) -> Vec<String> {
        let mut arguments = vec!["mcp".to_owned()];
        let mut say = |name: &str, value: Option<String>| {
            if let Some(value) = value {
                arguments.extend([format!("--{name}"), value]);
            }
        };
        let absolute =
            |path: &str| std::path::absolute(path).map_or(path.to_owned(), |path| path.display().to_string());
        say("data", globals.data.as_deref().map(absolute));
        say("config", globals.config.as_ref().map(|path| absolute(&path.display().to_string())));
        say("tenant", globals.tenant.as_ref().map(ToString::to_string));
        say("agent", globals.agent.as_ref().map(ToString::to_string));
        say("user", globals.user.as_ref().map(ToString::to_string));
        say("session", globals.session.as_ref().map(ToString::to_string));
        say("tools", (!self.tools.is_empty()).then(|| self.tools.join(",")));
        say("profile", (self.profile != Profile::Default).then(|| self.profile.as_str().to_owned()));
        arguments
    }
}

/// This program, by a path that holds wherever it is started from.
fn program() -> Result<String, Problem> {
    let path = std::env::current_exe().map_err(Problem::ours)?;
    Ok(path.display().to_string())
}
