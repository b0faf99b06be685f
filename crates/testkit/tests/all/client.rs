//! A client as plain as possible: a TCP connection, bytes out, bytes in. It shares no code with the server, so that
//! what one of them gets wrong the other does not forgive.

use std::time::{Duration, Instant};

use serde_json::Value;
use testkit::llm::Llm;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

pub const CHAT: &str = "/v1/chat/completions";

/// All that came back before the connection ended.
#[derive(Debug)]
pub struct RawAnswer {
    pub status: u16,
    pub head: String,
    /// Decoded if it came in chunks.
    pub body: Vec<u8>,
    /// Whether HTTP was satisfied: the promised length, or the last chunk.
    pub complete: bool,
}

impl RawAnswer {
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    /// The data of each server-sent event.
    pub fn events(&self) -> Vec<String> {
        let text = self.text();
        let data = text.lines().filter_map(|line| line.strip_prefix("data: "));
        data.map(str::to_owned).collect()
    }

    /// The same as JSON, without OpenAI's `[DONE]`.
    pub fn json_events(&self) -> Vec<Value> {
        let events = self.events();
        let data = events.iter().filter(|data| *data != "[DONE]");
        data.map(|data| serde_json::from_str(data).expect("an event's data is JSON")).collect()
    }
}

pub async fn post(llm: &Llm, path: &str, body: &Value) -> RawAnswer {
    call(llm, "POST", path, "", &body.to_string()).await
}

pub async fn get(llm: &Llm, path: &str) -> RawAnswer {
    call(llm, "GET", path, "", "").await
}

/// `headers`: whole lines, each with its line end.
pub async fn call(llm: &Llm, method: &str, path: &str, headers: &str, body: &str) -> RawAnswer {
    let mut stream = send(llm, method, path, headers, body).await;
    let mut bytes = Vec::new();
    // A broken connection may be an error here; what came before it is what the tests look at.
    let _ = stream.read_to_end(&mut bytes).await;
    parse(&bytes)
}

/// Sends the request and leaves the answer to be read.
pub async fn send(llm: &Llm, method: &str, path: &str, headers: &str, body: &str) -> TcpStream {
    let mut stream = TcpStream::connect(llm.address()).await.expect("the server listens");
    let length = body.len();
    let request = format!(
        "{method} {path} HTTP/1.1\r\nhost: scripted\r\nconnection: close\r\n{headers}content-length: {length}\r\n\r\n{body}"
    );
    stream.write_all(request.as_bytes()).await.expect("the server takes the request");
    stream
}

/// Reads to the end and says when each part came.
pub async fn read_timed(mut stream: TcpStream) -> (Vec<(Duration, usize)>, RawAnswer) {
    let start = Instant::now();
    let (mut bytes, mut parts) = (Vec::new(), Vec::new());
    let mut buffer = [0; 64 * 1024];
    while let Ok(count @ 1..) = stream.read(&mut buffer).await {
        parts.push((start.elapsed(), count));
        bytes.extend_from_slice(&buffer[..count]);
    }
    (parts, parse(&bytes))
}

pub fn parse(bytes: &[u8]) -> RawAnswer {
    let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") else {
        let head = String::from_utf8_lossy(bytes).into_owned();
        return RawAnswer { status: 0, head, body: Vec::new(), complete: false };
    };
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status line");
    let mut answer = RawAnswer { status, head, body: bytes[end + 4..].to_vec(), complete: false };
    if answer.header("transfer-encoding") == Some("chunked") {
        (answer.body, answer.complete) = unchunk(&answer.body);
    } else {
        let promised: Option<usize> = answer.header("content-length").and_then(|length| length.parse().ok());
        answer.complete = promised == Some(answer.body.len());
    }
    answer
}

fn unchunk(mut bytes: &[u8]) -> (Vec<u8>, bool) {
    let mut body = Vec::new();
    while let Some(end) = bytes.windows(2).position(|window| window == b"\r\n") {
        let size = std::str::from_utf8(&bytes[..end]).expect("a chunk's size is text");
        let size = usize::from_str_radix(size, 16).expect("a chunk's size is a number");
        if size == 0 {
            return (body, true);
        }
        let data = &bytes[end + 2..];
        if data.len() < size + 2 {
            body.extend_from_slice(&data[..data.len().min(size)]);
            return (body, false);
        }
        body.extend_from_slice(&data[..size]);
        bytes = &data[size + 2..];
    }
    (body, false)
}
