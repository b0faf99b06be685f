//! What arrived: one request, as it was on the wire and as it reads.

use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Instant;

use hyper::body::Bytes;
use hyper::{HeaderMap, Method};
use serde_json::Value;

const OPEN: u8 = 0;
const FINISHED: u8 = 1;
const CANCELLED: u8 = 2;

/// One request. How it ended changes after it was recorded; everything else is as it came.
#[derive(Debug)]
pub struct SeenRequest {
    /// Counts from 1 in the order of arrival; the ids of the answer are made of it.
    pub number: u64,
    pub method: Method,
    pub path: String,
    pub query: Option<String>,
    pub headers: HeaderMap,
    /// The body's bytes, untouched.
    pub body: Bytes,
    /// The body as JSON; null if it is not JSON.
    pub json: Value,
    pub arrived: Instant,
    end: AtomicU8,
}

impl SeenRequest {
    pub(super) fn new(number: u64, head: hyper::http::request::Parts, body: Bytes) -> Self {
        Self {
            number,
            method: head.method,
            path: head.uri.path().to_owned(),
            query: head.uri.query().map(str::to_owned),
            headers: head.headers,
            json: serde_json::from_slice(&body).unwrap_or(Value::Null),
            body,
            arrived: Instant::now(),
            end: AtomicU8::new(OPEN),
        }
    }

    /// The answer's last byte was handed over.
    pub fn finished(&self) -> bool {
        self.end.load(Ordering::Acquire) == FINISHED
    }

    /// The client hung up before the end of the answer.
    pub fn cancelled(&self) -> bool {
        self.end.load(Ordering::Acquire) == CANCELLED
    }

    pub(super) fn end(&self, finished: bool) {
        self.end.store(if finished { FINISHED } else { CANCELLED }, Ordering::Release);
    }

    /// A header's value, or an empty text.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    /// The body as text.
    pub fn text(&self) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(&self.body)
    }

    pub fn model(&self) -> &str {
        self.json["model"].as_str().unwrap_or_default()
    }

    pub fn wants_stream(&self) -> bool {
        self.json["stream"].as_bool().unwrap_or(false)
    }

    pub fn has_tools(&self) -> bool {
        self.json["tools"].as_array().is_some_and(|tools| !tools.is_empty())
    }

    /// The messages (chat, Anthropic) or the input items (responses) as they came.
    pub fn messages(&self) -> &[Value] {
        let list =
            if self.json["messages"].is_array() { &self.json["messages"] } else { &self.json["input"] };
        list.as_array().map(Vec::as_slice).unwrap_or_default()
    }

    /// Everything said as system or developer, each text by itself, also Anthropic's `system` and the responses'
    /// `instructions`.
    pub fn system_texts(&self) -> Vec<String> {
        let beside = [&self.json["system"], &self.json["instructions"]];
        let beside = beside.into_iter().filter(|value| !value.is_null()).map(text_of);
        let inside = self.messages().iter().filter(|message| has_role(message, &["system", "developer"]));
        beside.chain(inside.map(|message| text_of(&message["content"]))).collect()
    }

    /// All of [`SeenRequest::system_texts`], a line each.
    pub fn system_text(&self) -> String {
        self.system_texts().join("\n")
    }

    /// What users say in this request, a message each.
    pub fn user_texts(&self) -> Vec<String> {
        if let Some(prompt) = self.json["input"].as_str().or(self.json["prompt"].as_str()) {
            return vec![prompt.to_owned()];
        }
        let said = self.messages().iter().filter(|message| has_role(message, &["user"]));
        said.map(|message| text_of(&message["content"])).collect()
    }

    pub fn last_user_text(&self) -> String {
        self.user_texts().pop().unwrap_or_default()
    }
}

fn has_role(message: &Value, roles: &[&str]) -> bool {
    message["role"].as_str().is_some_and(|role| roles.contains(&role))
}

/// The text of a message's content: as it stands, or of its parts that are text.
fn text_of(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            parts.iter().filter_map(|part| part["text"].as_str()).collect::<Vec<_>>().join("\n")
        }
        _ => String::new(),
    }
}
