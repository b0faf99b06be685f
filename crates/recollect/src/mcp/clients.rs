//! What to write into the settings of programs that people use, so that they start `recollect mcp`.

use clap::ValueEnum;
use serde_json::{Map, Value, json};

/// A program that speaks the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Client {
    ClaudeDesktop,
    ClaudeCode,
    Cursor,
    Vscode,
}

impl Client {
    /// Where it goes, for people.
    pub fn place(self) -> &'static str {
        match self {
            Client::ClaudeDesktop => "claude_desktop_config.json (Settings, Developer, Edit Config)",
            Client::ClaudeCode => ".mcp.json in the project's folder",
            Client::Cursor => "~/.cursor/mcp.json, or .cursor/mcp.json in the project's folder",
            Client::Vscode => ".vscode/mcp.json in the project's folder",
        }
    }

    /// The settings that start `program` with these arguments.
    pub fn settings(self, program: &str, arguments: &[String]) -> Value {
        let mut server = json!({ "command": program, "args": arguments });
        if matches!(self, Client::ClaudeCode | Client::Vscode) {
            server["type"] = "stdio".into();
        }
        let servers = match self {
            Client::Vscode => "servers",
            Client::ClaudeDesktop | Client::ClaudeCode | Client::Cursor => "mcpServers",
        };
        Value::Object(Map::from_iter([(servers.to_owned(), json!({ "recollect": server }))]))
    }
}
