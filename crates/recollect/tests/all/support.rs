//! A home of its own for each test: commands run in it, servers serve it, nothing of the real one is seen.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

/// How long anything here may take before a test gives up on it.
pub const PATIENCE: Duration = Duration::from_secs(30);

pub struct Home {
    folder: TempDir,
}

/// What a command came to.
#[derive(Debug)]
pub struct CommandRun {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Home {
    pub fn new() -> Self {
        Self { folder: testkit::folder::scratch() }
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Where the data lies when nobody says.
    pub fn data(&self) -> PathBuf {
        self.path().join("data").join("recollect")
    }

    /// A command that sees this home and no variable of ours.
    pub fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_recollect"));
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("RECOLLECT_") {
                command.env_remove(name);
            }
        }
        command
            .env("HOME", self.path())
            .env("XDG_DATA_HOME", self.path().join("data"))
            .env("XDG_CONFIG_HOME", self.path().join("config"))
            .current_dir(self.path())
            .stdin(Stdio::null());
        command
    }

    pub fn run<I: IntoIterator<Item: AsRef<std::ffi::OsStr>>>(&self, arguments: I) -> CommandRun {
        ran(self.command().args(arguments))
    }

    /// Runs with text on stdin.
    pub fn feed(&self, arguments: &[&str], stdin: &str) -> CommandRun {
        let mut command = self.command();
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the binary starts");
        let mut pipe = child.stdin.take().expect("piped");
        let stdin = stdin.to_owned();
        // From another thread, because the child may stop reading and a full pipe would block.
        let feeder = std::thread::spawn(move || drop(pipe.write_all(stdin.as_bytes())));
        let output = child.wait_with_output().expect("the binary ends");
        feeder.join().expect("the feeder ends");
        CommandRun::from(output)
    }

    /// Runs a command that must go well, and reads its JSON.
    pub fn json(&self, arguments: &[&str]) -> Value {
        let ran = self.run(arguments.iter().chain(&["--json"]));
        assert_eq!(ran.code, Some(0), "{arguments:?}: {ran:?}");
        serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{arguments:?}: {error}: {ran:?}"))
    }

    /// Remembers something and gives its id.
    pub fn add(&self, content: &str) -> String {
        self.json(&["add", content])["id"].as_str().expect("an id").to_owned()
    }

    /// The contents that a search finds, best first.
    pub fn search(&self, query: &str) -> Vec<String> {
        contents(&self.json(&["search", query])["results"])
    }

    pub fn serve(&self) -> RunningServer {
        RunningServer::start(self.command().args(["serve", "--listen", "127.0.0.1:0"]))
    }
}

pub fn contents(memories: &Value) -> Vec<String> {
    let memories = memories.as_array().expect("a list");
    memories.iter().map(|memory| memory["content"].as_str().expect("text").to_owned()).collect()
}

pub fn ran(command: &mut Command) -> CommandRun {
    CommandRun::from(command.output().expect("the binary starts"))
}

impl From<std::process::Output> for CommandRun {
    fn from(output: std::process::Output) -> Self {
        Self {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).expect("stdout is text"),
            stderr: String::from_utf8(output.stderr).expect("stderr is text"),
        }
    }
}

impl CommandRun {
    /// Exit code, stdout and stderr as one text, with what differs from run to run replaced.
    pub fn transcript(&self, home: &Home) -> String {
        let code = self.code.map_or("killed".to_owned(), |code| code.to_string());
        let text = format!("exit {code}\n--- stdout\n{}--- stderr\n{}", self.stdout, self.stderr);
        let text = text.replace(&home.path().display().to_string(), "[home]");
        replace_numbers(&replace_ids(&text))
    }
}

/// `mt_` and a UUID become `[id]`, `ru_` and a UUID `[run]`, `tu_` and a UUID `[turn]`.
fn replace_ids(text: &str) -> String {
    let mut replaced = text.to_owned();
    for (prefix, name) in [("mt_", "[id]"), ("ru_", "[run]"), ("tu_", "[turn]")] {
        while let Some(start) = replaced.find(prefix).filter(|start| replaced.len() >= start + 39) {
            replaced.replace_range(start..start + 39, name);
        }
    }
    replaced
}

/// `2026-11-15 05:03Z` becomes `[minute]`, the long form `[time]`, and `0.48` before a memory `[score]`.
fn replace_numbers(text: &str) -> String {
    let shape = |sample: &str, text: &str| {
        sample.len() == text.len()
            && sample
                .bytes()
                .zip(text.bytes())
                .all(|(s, t)| if s == b'9' { t.is_ascii_digit() } else { s == t })
    };
    let mut replaced = String::new();
    let mut rest = text;
    while !rest.is_empty() {
        let samples = [
            ("9999-99-99 99:99Z", "[minute]"),
            ("9999-99-99T99:99:99.999999Z", "[time]"),
            ("9.99  ", "[score]  "),
        ];
        let found = samples
            .into_iter()
            .find(|(sample, _)| rest.get(..sample.len()).is_some_and(|start| shape(sample, start)));
        let taken = match found {
            Some((sample, name)) => {
                replaced.push_str(name);
                sample.len()
            }
            None => {
                let first = rest.chars().next().expect("not empty");
                replaced.push(first);
                first.len_utf8()
            }
        };
        rest = &rest[taken..];
    }
    replaced
}

/// A running server; killed when dropped.
pub struct RunningServer {
    child: Child,
    pub address: SocketAddr,
    lines: Receiver<String>,
    said: Vec<String>,
}

impl RunningServer {
    pub fn start(command: &mut Command) -> RunningServer {
        let mut child =
            command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("the binary starts");
        let stderr = BufReader::new(child.stderr.take().expect("piped"));
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            stderr.lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
        });
        let mut server =
            RunningServer { child, address: SocketAddr::from(([0, 0, 0, 0], 0)), lines, said: Vec::new() };
        let line = server.wait_for("listening on http://");
        let address = line.split("http://").nth(1).and_then(|rest| rest.split_whitespace().next());
        server.address = address.and_then(|address| address.parse().ok()).expect("it says where it listens");
        server
    }

    /// Reads what the server says until a line contains the words.
    pub fn wait_for(&mut self, words: &str) -> String {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left) {
                Ok(line) => {
                    self.said.push(line.clone());
                    if line.contains(words) {
                        return line;
                    }
                }
                Err(_) => panic!("the server never said {words:?}, but {:#?}", self.said),
            }
        }
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    pub fn signal(&self, name: &str) {
        let status = Command::new("kill").arg(format!("-{name}")).arg(self.child.id().to_string()).status();
        assert!(status.expect("kill runs").success());
    }

    /// Waits for the end; gives the exit code and everything said.
    pub fn wait(mut self) -> (Option<i32>, Vec<String>) {
        let deadline = Instant::now() + PATIENCE;
        let code = loop {
            if let Some(status) = self.child.try_wait().expect("a child can be asked") {
                break status.code();
            }
            assert!(Instant::now() < deadline, "the server does not end: {:#?}", self.said);
            std::thread::sleep(Duration::from_millis(5));
        };
        self.said.extend(self.lines.iter());
        (code, std::mem::take(&mut self.said))
    }

    /// Ends it the hard way.
    pub fn kill(mut self) {
        self.child.kill().expect("killed");
        self.child.wait().expect("gone");
    }

    /// One HTTP request over the network.
    pub fn http(&self, request: &str) -> HttpReply {
        self.send(&format!("{request}\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
    }

    /// A JSON body to an address; the answer's status and JSON.
    pub fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        let reply = self.post_text(path, &body.to_string());
        let body =
            serde_json::from_str(&reply.body).unwrap_or_else(|error| panic!("{error}: {}", reply.body));
        (reply.status, body)
    }

    pub fn post_text(&self, path: &str, body: &str) -> HttpReply {
        let length = body.len();
        self.send(&format!(
            "POST {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n\
             Content-Length: {length}\r\n\r\n{body}"
        ))
    }

    /// Bytes as they are.
    pub fn send(&self, request: &str) -> HttpReply {
        send_to(self.address, request)
    }
}

/// A request to a server as it stands, and the answer once the server ends the connection.
pub fn send_to(address: SocketAddr, request: &str) -> HttpReply {
    let mut stream = TcpStream::connect(address).expect("the server listens");
    stream.set_read_timeout(Some(PATIENCE)).expect("set");
    stream.write_all(request.as_bytes()).expect("sent");
    let mut text = String::new();
    stream.read_to_string(&mut text).expect("an answer");
    let (head, body) = text.split_once("\r\n\r\n").expect("head and body");
    let status = head.split_whitespace().nth(1).and_then(|status| status.parse().ok()).expect("a status");
    HttpReply { status, head: head.to_ascii_lowercase(), body: body.to_owned() }
}

impl Drop for RunningServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub struct HttpReply {
    pub status: u16,
    pub head: String,
    pub body: String,
}
