//! Memory as tools: raw JSON-RPC with the real binary over stdio, and over HTTP with the router.

mod concurrent;
mod http;
mod profiles;
mod protocol;
mod tools;
mod users;

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::{Value, json};

use super::support::{Home, PATIENCE};

/// A program that speaks the protocol with `recollect mcp`; ended when dropped.
pub struct StdioClient {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<Value>,
    /// Of the last request.
    id: u64,
}

impl StdioClient {
    /// Started and initialised.
    pub fn start(home: &Home, options: &[&str]) -> StdioClient {
        let mut client = StdioClient::spawn(home, options);
        let answer = client.request(
            "initialize",
            json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "test", "version": "1" } }),
        );
        assert_eq!(answer["result"]["serverInfo"]["name"], "recollect", "{answer}");
        client.notify("notifications/initialized", json!({}));
        client
    }

    pub fn spawn(home: &Home, options: &[&str]) -> StdioClient {
        let mut command = home.command();
        command.arg("mcp").args(options).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the binary starts");
        let stdout = BufReader::new(child.stdout.take().expect("piped"));
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in stdout.lines().map_while(Result::ok) {
                let message = serde_json::from_str(&line);
                let message =
                    message.unwrap_or_else(|error| panic!("stdout is the protocol's: {error}: {line}"));
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        let stdin = child.stdin.take();
        StdioClient { child, stdin, lines, id: 0 }
    }

    pub fn send(&mut self, message: &Value) {
        let stdin = self.stdin.as_mut().expect("not closed");
        writeln!(stdin, "{message}").and_then(|()| stdin.flush()).expect("it reads");
    }

    pub fn notify(&mut self, method: &str, parameters: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": parameters }));
    }

    /// Asks without waiting; gives the request's id.
    pub fn ask(&mut self, method: &str, parameters: Value) -> u64 {
        self.id += 1;
        self.send(&json!({ "jsonrpc": "2.0", "id": self.id, "method": method, "params": parameters }));
        self.id
    }

    pub fn request(&mut self, method: &str, parameters: Value) -> Value {
        let id = self.ask(method, parameters);
        let answer = self.lines.recv_timeout(PATIENCE).unwrap_or_else(|error| panic!("{method}: {error}"));
        assert_eq!(answer["id"], id, "{answer}");
        answer
    }

    pub fn hear(&mut self, within: Duration) -> Option<Value> {
        self.lines.recv_timeout(within).ok()
    }

    /// Calls a tool; its result, whatever came of it.
    pub fn result(&mut self, tool: &str, arguments: Value) -> Value {
        let answer = self.request("tools/call", json!({ "name": tool, "arguments": arguments }));
        answer.get("result").unwrap_or_else(|| panic!("{tool}: {answer}")).clone()
    }

    /// Calls a tool that must do its work; what it gives as data.
    pub fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let result = self.result(tool, arguments);
        assert_ne!(result["isError"], true, "{tool}: {result}");
        result["structuredContent"].clone()
    }

    /// Calls a tool that must refuse; what it says.
    pub fn refusal(&mut self, tool: &str, arguments: Value) -> String {
        let result = self.result(tool, arguments);
        assert_eq!(result["isError"], true, "{tool}: {result}");
        text(&result)
    }

    /// Closes stdin and waits for the end; everything that was still said, and the exit code.
    pub fn end(mut self) -> (Vec<Value>, Option<i32>) {
        drop(self.stdin.take());
        let said = std::iter::from_fn(|| self.hear(PATIENCE)).collect();
        (said, self.child.wait().expect("it ends").code())
    }
}

impl Drop for StdioClient {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The text of a tool's result.
pub fn text(result: &Value) -> String {
    result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("no text: {result}")).to_owned()
}

fn names(answer: &Value, list: &str) -> Vec<String> {
    let list = answer["result"][list].as_array().unwrap_or_else(|| panic!("{answer}"));
    list.iter().map(|item| item["name"].as_str().expect("a name").to_owned()).collect()
}
