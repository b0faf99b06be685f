//! From a request's new messages and its reply to what capture takes.
//!
//! Each goes with its identity in the chain as its id, so that what the client sends back is known. System messages
//! are the client's own business and are not part of the transcript.

use serde_json::Value;

use super::Continuation;
use crate::chain::{self, Chain, ChainHash, ChainMessage};
use crate::collect::CollectedReply;
use crate::wire::WireMessage;
use memory::learn::capture::IncomingMessage;
use memory::text::secrets::Masker;
use memory::types::Role;

/// The messages that are not stored yet, in their order. To be prepared without a chain: their ids are given.
pub fn incoming(messages: &[WireMessage], continuation: &Continuation) -> Vec<IncomingMessage> {
    let with_hash = messages.iter().zip(&continuation.hashes).skip(continuation.known_before);
    with_hash
        .filter(|(message, _)| message.role != Role::System)
        .map(|(message, hash)| IncomingMessage {
            role: message.role,
            name: message.name.clone(),
            text: spoken(message),
            id: Some(hash.to_string()),
            at: None,
            partial: false,
        })
        .collect()
}

/// The identity of a reply that comes at this place: what the client's next request will have there.
pub fn reply_identity(
    chain: Chain,
    content: &Value,
    tool_calls: Option<&Value>,
    masker: &Masker,
) -> ChainHash {
    let said = chain::said(&ChainMessage { role: Role::Assistant, content, tool_calls }, masker);
    chain.hash(Role::Assistant, &said.text)
}

/// The reply as capture takes it.
pub fn reply(
    identity: ChainHash,
    content: &Value,
    tool_calls: Option<&Value>,
    partial: bool,
) -> IncomingMessage {
    let text = spoken_parts(content, tool_calls);
    IncomingMessage { id: Some(identity.to_string()), partial, ..IncomingMessage::new(Role::Assistant, text) }
}

/// What a reply says, for a reader.
pub fn spoken_reply(reply: &CollectedReply) -> String {
    let (content, calls) = reply.said_parts();
    spoken_parts(content, calls)
}

/// What a message says, for a reader: its text, a word for each image or file, and the tools it calls.
pub fn spoken(message: &WireMessage) -> String {
    let (content, _) = chain::own_content(message.role, &message.content);
    spoken_parts(&content, message.tool_calls.as_ref())
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::ChatBody;
    use memory::types::{Owner, SessionKey};
    use serde_json::json;

    fn start() -> Chain {
        Chain::start(&Owner::unnamed().agent, &Owner::unnamed().user)
    }

    #[test]
    fn what_is_said_can_be_read() {
        let call = json!([{ "id": "1", "function": { "name": "look", "arguments": "{\"at\": \"sky\"}" } }]);
        for (content, calls, expected) in [
            (json!("hi"), None, "hi"),
            (
                json!([{ "type": "text", "text": "see" }, { "type": "image_url", "image_url": { "url": "data:x" } }]),
                None,
                "see\n[image]",
            ),
            (
                json!([{ "type": "input_audio", "input_audio": {} }, { "type": "file" }]),
                None,
                "[audio]\n[attachment]",
            ),
            (json!(null), Some(&call), "[calls look {\"at\": \"sky\"}]"),
            (json!(""), Some(&call), "[calls look {\"at\": \"sky\"}]"),
            (json!("a moment"), Some(&call), "a moment\n[calls look {\"at\": \"sky\"}]"),
            (json!(null), None, ""),
        ] {
            assert_eq!(spoken_parts(&content, calls), expected, "{content}");
        }
    }

    #[test]
    fn a_reply_is_what_the_client_sends_back() {
        let call =
            json!([{ "id": "1", "type": "function", "function": { "name": "look", "arguments": "{}" } }]);
        for (sent, kept) in [
            (json!({ "content": "Hello.\n" }), json!({ "content": "Hello." })),
            (json!({ "content": "Hello." }), json!({ "content": [{ "type": "text", "text": "Hello." }] })),
            (json!({ "content": null, "tool_calls": call }), json!({ "content": "", "tool_calls": call })),
            (json!({ "content": "<think>hm</think>\n\nHello." }), json!({ "content": "Hello." })),
            (json!({ "content": "my password is hunter2" }), json!({ "content": "my password is hunter2" })),
        ] {
            let masker = Masker::default();
            let identity =
                |reply: &Value| reply_identity(start(), &reply["content"], reply.get("tool_calls"), &masker);
            assert_eq!(identity(&sent), identity(&kept), "{sent}");
            let message = ChainMessage {
                role: Role::Assistant,
                content: &kept["content"],
                tool_calls: kept.get("tool_calls"),
            };
            assert_eq!(chain::hashes(start(), &[message], &masker), [identity(&sent)]);
        }
    }

    #[test]
    fn only_what_is_new_is_captured_and_no_system_message() {
        let body = json!({ "messages": [
            { "role": "user", "content": "one" },
            { "role": "assistant", "content": "1" },
            { "role": "system", "content": "be kind" },
            { "role": "user", "content": "two", "name": "Ada" },
        ] });
        let chat = ChatBody::read(body.to_string().as_bytes()).expect("a request");
        let messages: Vec<_> = chat.messages.iter().map(WireMessage::as_message).collect();
        let continuation = Continuation {
            key: SessionKey::new(&Owner::unnamed(), "s1".parse().expect("a session")),
            hashes: chain::hashes(start(), &messages, &Masker::default()),
            end: start(),
            known_before: 2,
            is_new: false,
            user_message_known: false,
            in_view_from: None,
        };
        let taken = incoming(&chat.messages, &continuation);
        let [two] = taken.as_slice() else { panic!("one message, not {taken:?}") };
        assert_eq!((two.text.as_str(), two.name.as_deref()), ("two", Some("Ada")));
        assert_eq!(two.id, Some(continuation.hashes[3].to_string()));
    }
}
