//! Anthropic's `messages`: the system's words stand beside the list, and what tools gave stands in a user's message.
//!
//! One message of a user's can hold the results of tools and, behind them, what the user says. Here these are messages of
//! their own, as they are in the other dialects: each result one of a tool's, the rest one of the user's. What an assistant
//! says is its text and the tools it calls; thoughts, and what the server's own tools did, are sent back by some clients
//! and left out by others, and do not count.
//!
//! Marks for the prompt cache are moved from message to message as a conversation goes on, so they are no part of what is
//! said.

use std::ops::Range;

use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::raw::{content, field, fields, items, span, string};
use super::{PartPlaces, WireError, WireMessage, WireMessages, role};
use memory::types::Role;

const CACHE_CONTROL: &str = "cache_control";

pub(super) fn read(
    text: &str,
    list: &Range<usize>,
    beside: &[(String, &RawValue)],
) -> Result<WireMessages, WireError> {
    let mut listed = WireMessages::default();
    if let Some(system) = field(beside, "system").filter(|system| system.get() != "null") {
        let mut message = WireMessage::silent(Role::System, "system", span(text, system));
        message.content = content(system);
        message.content_span = Some(span(text, system));
        listed.cached |= is_cached(&message.content);
        listed.messages.push(message);
    }
    for item in items(text, list)? {
        listed.take(text, item).ok_or(WireError::NotAMessage)?;
    }
    Ok(listed)
}

/// Whom `metadata` names. Some clients write the session behind the user, which would make a user of every session.
pub(super) fn user(metadata: &RawValue) -> Option<String> {
    let user = field(&fields(metadata.get())?, "user_id").and_then(string)?;
    let (user, _) = user.split_once("_session_").unwrap_or((&user, ""));
    (!user.starts_with('{')).then(|| user.to_owned())
}

/// What an assistant's parts say, as the chain and capture take it: its text, and its calls of tools.
pub fn said(parts: &[Value]) -> (Value, Option<Value>) {
    let of = |kind: &'static str| parts.iter().filter(move |part| part["type"] == kind);
    let texts: Vec<Value> = of("text").map(|part| json!({ "type": "text", "text": part["text"] })).collect();
    let call = |part: &Value| json!({ "id": part["id"], "name": part["name"], "arguments": part["input"] });
    let calls: Vec<Value> = of("tool_use").map(call).collect();
    let content = if texts.is_empty() { Value::Null } else { Value::Array(texts) };
    (content, (!calls.is_empty()).then_some(Value::Array(calls)))
}

impl WireMessages {
    fn take(&mut self, text: &str, item: &RawValue) -> Option<()> {
        let fields = fields(item.get())?;
        let name = field(&fields, "role").and_then(string).filter(|name| !name.is_empty())?;
        let mut message = WireMessage::silent(role(&name), &name, span(text, item));
        if let Some(written) = field(&fields, "content") {
            message.content = content(written);
            message.content_span = Some(span(text, written));
            self.cached |= is_cached(&message.content);
        }
        match (message.role, message.content.take()) {
            (Role::User, Value::Array(_)) => self.user(text, message)?,
            (Role::Assistant, Value::Array(parts)) => {
                (message.content, message.tool_calls) = said(&parts);
                self.messages.push(message);
            }
            (_, other) => self.messages.push(WireMessage { content: other, ..message }),
        }
        Some(())
    }

    /// A user's parts: the results of tools, each by itself, and then what the user says.
    fn user(&mut self, text: &str, mut message: WireMessage) -> Option<()> {
        let parts = items(text, message.content_span.as_ref()?).ok()?;
        let mut room = PartPlaces { before: None, after: None };
        let mut own = Vec::new();
        let mut results = 0;
        for part in parts {
            let (value, place) = (content(part), span(text, part));
            room.after = Some(place.end);
            if value["type"] == "tool_result" {
                // What the user says before it cannot have anything before itself either.
                room.before = None;
                results += 1;
                self.messages.push(result(&value, &message));
            } else {
                room.before = room.before.or(Some(place.start));
                own.push(plain(value));
            }
        }
        if results == 0 || !own.is_empty() {
            message.content = Value::Array(own);
            message.room = Some(room);
            self.messages.push(message);
        }
        Some(())
    }
}

fn result(part: &Value, message: &WireMessage) -> WireMessage {
    let content = match &part["content"] {
        Value::Array(parts) => Value::Array(parts.iter().cloned().map(plain).collect()),
        other => other.clone(),
    };
    WireMessage {
        content,
        tool_call_id: part["tool_use_id"].as_str().map(str::to_owned),
        ..WireMessage::silent(Role::Tool, "tool", message.span.clone())
    }
}

/// The part without its mark for the prompt cache.
fn plain(mut part: Value) -> Value {
    if let Some(fields) = part.as_object_mut() {
        fields.remove(CACHE_CONTROL);
    }
    part
}

fn is_cached(content: &Value) -> bool {
    let mut parts = content.as_array().into_iter().flatten();
    parts.any(|part| part.get(CACHE_CONTROL).is_some_and(|mark| !mark.is_null()))
}

#[cfg(test)]
mod tests;
