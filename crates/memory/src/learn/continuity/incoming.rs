//! From a request's new messages and its reply to what capture takes.
//!
//! Each goes with its identity in the chain as its id, so that what the client sends back is known. System messages
//! are the client's own business and are not part of the transcript.

use serde_json::Value;

use super::Continuation;
use crate::learn::capture::Incoming;
use crate::learn::capture::chain::{self, Chain, ChainHash, Message};
use crate::learn::capture::secrets::Masker;
use crate::recall::inject::wire::WireMessage;
use crate::types::Role;

/// The messages that are not stored yet, in their order. To be prepared without a chain: their ids are given.
pub fn incoming(messages: &[WireMessage], continuation: &Continuation) -> Vec<Incoming> {
    let with_hash = messages.iter().zip(&continuation.hashes).skip(continuation.known_before);
    with_hash.filter(|(message, _)| message.role != Role::System).map(|(message, hash)| Incoming {
        role: message.role,
        name: message.name.clone(),
        text: spoken(message),
        id: Some(hash.to_string()),
        at: None,
        partial: false,
    }).collect()
}

/// The identity of a reply that comes at this place: what the client's next request will have there.
pub fn reply_identity(
    chain: Chain,
    content: &Value,
    tool_calls: Option<&Value>,
    masker: &Masker,
) -> ChainHash {
    let said = chain::said(&Message { role: Role::Assistant, content, tool_calls }, masker);
    chain.hash(Role::Assistant, &said.text)
}

/// The reply as capture takes it.
pub fn reply(identity: ChainHash, content: &Value, tool_calls: Option<&Value>, partial: bool) -> Incoming {
    let text = spoken_parts(content, tool_calls);
    Incoming { id: Some(identity.to_string()), partial, ..Incoming::new(Role::Assistant, text) }
}

/// What a message says, for a reader: its text, a word for each image or file, and the tools it calls.
pub fn spoken(message: &WireMessage) -> String {
    spoken_parts(&message.content, message.tool_calls.as_ref())
}

fn spoken_parts(content: &Value, tool_calls: Option<&Value>) -> String {
    let mut parts: Vec<String> = match content {
        Value::Null => Vec::new(),
        Value::String(text) => vec![text.clone()],
        Value::Array(parts) => parts.iter().map(spoken_part).collect(),
        other => vec![other.to_string()],
    };
    let calls = tool_calls.and_then(Value::as_array).into_iter().flatten();
    parts.extend(calls.map(spoken_call));
    parts.retain(|part| !part.is_empty());
    parts.join("\n")
}

fn spoken_part(part: &Value) -> String {
    let text = part.as_str().or_else(|| part["text"].as_str()).or_else(|| part["refusal"].as_str());
    if let Some(text) = text {
        return text.to_owned();
    }
    match part["type"].as_str().unwrap_or_default() {
        "image_url" | "input_image" | "image" => "[image]".to_owned(),
        "input_audio" | "audio" => "[audio]".to_owned(),
        _ => "[attachment]".to_owned(),
    }
}

fn spoken_call(call: &Value) -> String {
    let function = if call["function"].is_object() { &call["function"] } else { call };
    let name = function["name"].as_str().unwrap_or("tool");
    let arguments = match &function["arguments"] {
        Value::String(written) => written.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    };
    format!("[calls {name} {arguments}]")
}
