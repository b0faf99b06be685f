//! OpenAI's `responses`: a text, or a list of items of many kinds.
//!
//! One answer is several items: thoughts, a message, a call of a tool. A client sends them back one behind the other, so
//! here those that follow each other are one message of the assistant's, as the answer was. Thoughts, and what the server's
//! own tools did, do not count. What the client's tools gave is a message of a tool's. An item that nobody knows counts as
//! `system`: nothing hangs on it.

use std::ops::Range;

use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::raw::{content, field, fields, items, span, string};
use super::{WireError, WireMessage, WireMessages, role};
use memory::types::Role;

pub(super) fn read(
    text: &str,
    list: &Range<usize>,
    beside: &[(String, &RawValue)],
) -> Result<WireMessages, WireError> {
    let mut messages = Vec::new();
    if let Some(instructions) = field(beside, "instructions").filter(|value| value.get() != "null") {
        let place = span(text, instructions);
        let content_span = Some(place.clone());
        let message = WireMessage::silent(Role::System, "system", place);
        messages.push(WireMessage { content: content(instructions), content_span, ..message });
    }
    if text[list.clone()].starts_with('"') {
        let said = serde_json::from_str(&text[list.clone()]).map_err(|_| WireError::NoMessages)?;
        let message = WireMessage::silent(Role::User, "user", list.clone());
        messages.push(WireMessage { content: said, content_span: Some(list.clone()), ..message });
        return Ok(WireMessages { messages, cached: false });
    }
    let mut answer = Vec::new();
    for item in items(text, list)? {
        let item = WireItem::read(text, item).ok_or(WireError::NotAMessage)?;
        if item.is_answer() {
            answer.push(item);
            continue;
        }
        messages.extend(answered(&mut answer));
        messages.push(item.message());
    }
    messages.extend(answered(&mut answer));
    Ok(WireMessages { messages, cached: false })
}

/// The name of the conversation that the server keeps: itself, or an object with its id.
pub(super) fn conversation(value: &RawValue) -> Option<String> {
    string(value).or_else(|| field(&fields(value.get())?, "id").and_then(string))
}

/// What the items of an answer say, as the chain and capture take it: the text, and the calls of tools.
pub fn said(items: &[Value]) -> (Value, Option<Value>) {
    let messages = items.iter().filter(|item| kind(item) == "message");
    let texts: Vec<Value> = messages.flat_map(|message| texts(&message["content"])).collect();
    let calls: Vec<Value> = items.iter().filter_map(call).collect();
    let content = if texts.is_empty() { Value::Null } else { Value::Array(texts) };
    (content, (!calls.is_empty()).then_some(Value::Array(calls)))
}

fn texts(content: &Value) -> Vec<Value> {
    let part = |text: &str| json!({ "type": "text", "text": text });
    let said = |value: &Value| value["text"].as_str().or_else(|| value["refusal"].as_str()).map(part);
    match content {
        Value::String(text) => vec![part(text)],
        Value::Array(parts) => parts.iter().filter_map(said).collect(),
        _ => Vec::new(),
    }
}

/// A call whose result the client has to bring.
fn call(item: &Value) -> Option<Value> {
    let name = item["name"].as_str().unwrap_or(kind(item));
    let arguments = match kind(item) {
        "function_call" => &item["arguments"],
        "custom_tool_call" => &item["input"],
        other if other.ends_with("_call") && item["call_id"].is_string() => &Value::Null,
        _ => return None,
    };
    Some(json!({ "id": item["call_id"], "name": name, "arguments": arguments }))
}

/// Messages may leave out that they are one.
fn kind(item: &Value) -> &str {
    item["type"].as_str().unwrap_or(if item["role"].is_string() { "message" } else { "" })
}

struct WireItem {
    value: Value,
    span: Range<usize>,
    content_span: Option<Range<usize>>,
}

impl WireItem {
    fn read(text: &str, item: &RawValue) -> Option<WireItem> {
        let fields = fields(item.get())?;
        let value = content(item);
        let content_span = field(&fields, "content").map(|content| span(text, content));
        value.is_object().then(|| WireItem { value, span: span(text, item), content_span })
    }

    fn is_answer(&self) -> bool {
        match kind(&self.value) {
            "message" => self.value["role"].as_str().is_some_and(|name| role(name) == Role::Assistant),
            "reasoning" | "mcp_list_tools" | "mcp_approval_request" => true,
            other => other.ends_with("_call"),
        }
    }

    /// The item by itself; one that is part of an answer is not asked.
    fn message(mut self) -> WireMessage {
        let kind = kind(&self.value).to_owned();
        if kind == "message" {
            let name = self.value["role"].as_str().unwrap_or("system").to_owned();
            let message = WireMessage::silent(role(&name), &name, self.span);
            let content = self.value["content"].take();
            return WireMessage { content, content_span: self.content_span, ..message };
        }
        if !kind.ends_with("_output") && kind != "mcp_approval_response" {
            return WireMessage::silent(Role::System, &kind, self.span);
        }
        WireMessage {
            content: self.value["output"].take(),
            tool_call_id: self.value["call_id"].as_str().map(str::to_owned),
            ..WireMessage::silent(Role::Tool, "tool", self.span)
        }
    }
}

/// The items of one answer as one message.
fn answered(items: &mut Vec<WireItem>) -> Option<WireMessage> {
    let items = std::mem::take(items);
    let place = items.first()?.span.start..items.last()?.span.end;
    let values: Vec<Value> = items.into_iter().map(|item| item.value).collect();
    let (content, tool_calls) = said(&values);
    let message = WireMessage::silent(Role::Assistant, "assistant", place);
    Some(WireMessage { content, tool_calls, ..message })
}

#[cfg(test)]
mod tests;
