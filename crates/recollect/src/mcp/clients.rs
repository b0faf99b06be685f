//! What to write into the settings of programs that people use, so that they start `recollect mcp`.

use clap::ValueEnum;
use serde_json::{Map, Value, json};

/// A program that speaks the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum McpClient {
    ClaudeDesktop,
    ClaudeCode,
    Cursor,
    Vscode,
}

impl McpClient {
    /// Where it goes, for people.
    pub fn place(self) -> &'static str {
        match self {
            McpClient::ClaudeDesktop => "claude_desktop_config.json (Settings, Developer, Edit Config)",
            McpClient::ClaudeCode => ".mcp.json in the project's folder",
            McpClient::Cursor => "~/.cursor/mcp.json, or .cursor/mcp.json in the project's folder",
            McpClient::Vscode => ".vscode/mcp.json in the project's folder",
        }
    }

    /// The settings that start `program` with these arguments.
    pub fn settings(self, program: &str, arguments: &[String]) -> Value {
        let mut server = json!({ "command": program, "args": arguments });
        if matches!(self, McpClient::ClaudeCode | McpClient::Vscode) {
            server["type"] = "stdio".into();
        }
        let servers = match self {
            McpClient::Vscode => "servers",
            McpClient::ClaudeDesktop | McpClient::ClaudeCode | McpClient::Cursor => "mcpServers",
        };
        Value::Object(Map::from_iter([(servers.to_owned(), json!({ "recollect": server }))]))
    }
}
