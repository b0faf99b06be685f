//! The terminal chat, as a process: fed by a pipe, and by somebody who types.

mod models;
mod scripts;
mod typing;

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::Value;
use testkit::llm::Llm;

use super::support::{CommandRun, Home, PATIENCE};

/// A command that knows no model but those of the test.
fn command(home: &Home, llm: Option<&Llm>) -> Command {
    let mut command = home.command();
    for name in ["OPENAI_API_KEY", "OPENAI_BASE_URL", "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"] {
        command.env_remove(name);
    }
    if let Some(llm) = llm {
        command.env("OPENAI_BASE_URL", llm.base_url());
    }
    command
}

/// A chat that is fed these lines.
fn chat(home: &Home, llm: Option<&Llm>, arguments: &[&str], lines: &[&str]) -> CommandRun {
    let mut command = command(home, llm);
    command.arg("chat").args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the binary starts");
    let mut stdin = child.stdin.take().expect("piped");
    stdin.write_all(lines.join("\n").as_bytes()).expect("a few lines fit a pipe");
    drop(stdin);
    CommandRun::from(child.wait_with_output().expect("the binary ends"))
}

/// The same, where each line of the answer is an object.
fn chat_json(home: &Home, llm: Option<&Llm>, arguments: &[&str], lines: &[&str]) -> Vec<Value> {
    let arguments: Vec<&str> = arguments.iter().copied().chain(["--json"]).collect();
    let ran = chat(home, llm, &arguments, lines);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let read = |line: &str| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
    ran.stdout.lines().map(read).collect()
}

/// A chat that goes on while the test looks at it.
struct TerminalTalk {
    child: Child,
    stdin: Option<ChildStdin>,
    bytes: Receiver<u8>,
    said: String,
}

impl TerminalTalk {
    fn begin(command: &mut Command) -> TerminalTalk {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().expect("the binary starts");
        let mut stdout = BufReader::new(child.stdout.take().expect("piped"));
        let (sender, bytes) = channel();
        std::thread::spawn(move || {
            loop {
                let length = match stdout.fill_buf() {
                    Ok([]) | Err(_) => return,
                    Ok(chunk) => chunk.iter().map(|byte| sender.send(*byte).map_or(0, |()| 1)).sum(),
                };
                stdout.consume(length);
            }
        });
        let stdin = child.stdin.take();
        TerminalTalk { child, stdin, bytes, said: String::new() }
    }

    fn say(&mut self, line: &str) {
        writeln!(self.stdin.as_mut().expect("open"), "{line}").expect("the chat listens");
    }

    fn interrupt(&self) {
        let status = Command::new("kill").arg("-INT").arg(self.child.id().to_string()).status();
        assert!(status.expect("kill runs").success());
    }

    fn wait_for(&mut self, words: &str) {
        let deadline = Instant::now() + PATIENCE;
        while !self.said.contains(words) {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.bytes.recv_timeout(left.min(Duration::from_secs(30))) {
                Ok(byte) => self.said.push(char::from(byte)),
                Err(_) => panic!("the chat never said {words:?}, but {:?}", self.said),
            }
        }
    }

    fn end(mut self) -> Option<i32> {
        drop(self.stdin.take());
        self.child.wait().expect("ends").code()
    }
}
