//! Requests of the Responses dialect, and what they become with memory in them.

use serde_json::json;

use super::super::{ChatBody, Dialect, WireError, apply};
use super::said;
use crate::chain;
use crate::placement::{Placed, PlacementManner, open, splices};
use memory::settings::Settings;
use memory::types::Role;

fn read(body: &str) -> ChatBody {
    ChatBody::read_as(Dialect::Responses, body.as_bytes()).expect("a request")
}

fn put(body: &str, placement: &str) -> String {
    let chat = read(body);
    let settings =
        Settings { injection_placement: placement.parse().expect("a placement"), ..Settings::default() };
    let message = chat.last_user().expect("a user's message");
    let manner = PlacementManner::of(&settings, None, chat.envelope.model_name(), &chat);
    let spliced = apply(body.as_bytes(), splices(&chat, manner, &[Placed { message, text: "M" }]));
    String::from_utf8(spliced).expect("text")
}

fn own(role: &str) -> String {
    format!(r#"{{"type":"message","role":"{role}","content":[{{"text":"M","type":"input_text"}}]}}"#)
}

#[test]
fn an_answer_of_several_items_is_one_message() {
    let body = r#"{"instructions":"be kind","user":"ada","max_output_tokens":20,"input":[
        {"role":"user","content":"one"},
        {"type":"reasoning","id":"r","summary":[],"encrypted_content":"x"},
        {"type":"message","role":"assistant","id":"m","status":"completed","content":[{"type":"output_text","text":"a","annotations":[]}]},
        {"type":"web_search_call","id":"w","status":"completed"},
        {"type":"function_call","call_id":"c1","name":"look","arguments":"{\"a\":1}"},
        {"type":"function_call","call_id":"c2","name":"look","arguments":"{}"},
        {"type":"function_call_output","call_id":"c1","output":"4"},
        {"type":"function_call_output","call_id":"c2","output":[{"type":"input_text","text":"5"}]},
        {"role":"assistant","content":"b"},
        {"type":"item_reference","id":"i"},
        {"type":"message","role":"user","content":[{"type":"input_text","text":"two"},{"type":"input_image","image_url":"data:x"}]}]}"#;
    let chat = read(body);
    let said: Vec<(Role, String)> =
        chat.messages.iter().map(|message| (message.role, message.text())).collect();
    let expected = [
        (Role::System, "be kind"),
        (Role::User, "one"),
        (Role::Assistant, "a"),
        (Role::Tool, "4"),
        (Role::Tool, "5"),
        (Role::Assistant, "b"),
        (Role::System, ""),
        (Role::User, "two"),
    ];
    assert_eq!(said, expected.map(|(role, text)| (role, text.to_owned())));
    let calls = chat.messages[2].tool_calls.as_ref().and_then(serde_json::Value::as_array).expect("calls");
    assert_eq!(calls.len(), 2, "a search of the server's own is none");
    assert_eq!((chat.last_user(), open(&chat)), (Some(7), Some(7)));
    assert_eq!((chat.envelope.user.as_deref(), chat.envelope.max_tokens), (Some("ada"), Some(20)));
    assert!(body[chat.messages[2].span.clone()].starts_with(r#"{"type":"reasoning""#));
}

#[test]
fn an_answer_is_known_again_however_it_comes_back() {
    let sent = [
        json!({ "type": "reasoning", "id": "r", "summary": [] }),
        json!({ "type": "message", "id": "m", "status": "completed", "role": "assistant",
                "content": [{ "type": "output_text", "text": "a", "annotations": [], "logprobs": [] }] }),
        json!({ "type": "function_call", "id": "f", "call_id": "c", "name": "look", "arguments": "{}", "status": "completed" }),
    ];
    let (content, calls) = said(&sent);
    let back = json!({ "input": [{ "role": "assistant", "content": "a" },
        { "type": "function_call", "call_id": "c", "name": "look", "arguments": "{}" }] });
    let chat = read(&back.to_string());
    let message = &chat.messages[0];
    assert_eq!(
        chain::canonical(&content, calls.as_ref()),
        chain::canonical(&message.content, message.tool_calls.as_ref())
    );
    let refused = json!({ "type": "message", "role": "assistant", "content": [{ "type": "refusal", "refusal": "no" }] });
    assert_eq!(chain::canonical(&said(&[refused]).0, None), "no");
}

#[test]
fn what_the_server_keeps_is_named() {
    let chat = read(r#"{"previous_response_id":"resp_1","conversation":{"id":"conv_1"},"input":"hi"}"#);
    assert_eq!(chat.envelope.previous_response.as_deref(), Some("resp_1"));
    assert_eq!(chat.envelope.conversation.as_deref(), Some("conv_1"));
    assert_eq!(
        read(r#"{"conversation":"conv_2","input":"hi"}"#).envelope.conversation.as_deref(),
        Some("conv_2")
    );
    assert_eq!(
        read(r#"{"conversation":null,"previous_response_id":null,"input":"hi"}"#).envelope.conversation,
        None
    );
}

#[test]
fn memory_is_an_item_before_the_users() {
    let system = own("system");
    for (before, after) in [
        (
            r#"{"input" : "caf\u00e9" ,"x":1}"#.to_owned(),
            format!(r#"{{"input" : [{system},{{"role":"user","content":"caf\u00e9"}}] ,"x":1}}"#),
        ),
        (
            r#"{"input":[ {"role":"assistant","content":"a"}, {"role":"user","content":"b"} ]}"#.to_owned(),
            format!(
                r#"{{"input":[ {{"role":"assistant","content":"a"}}, {system},{{"role":"user","content":"b"}} ]}}"#
            ),
        ),
        (
            r#"{"input":[{"role":"developer","content":"a"},{"role":"user","content":"b"}]}"#.to_owned(),
            format!(
                r#"{{"input":[{{"role":"developer","content":"a"}},{},{{"role":"user","content":"b"}}]}}"#,
                own("developer")
            ),
        ),
        (
            r#"{"model":"o1-mini","input":"b"}"#.to_owned(),
            format!(r#"{{"model":"o1-mini","input":[{},{{"role":"user","content":"b"}}]}}"#, own("user")),
        ),
    ] {
        assert_eq!(put(&before, "beforeLastUser"), after);
    }
}

#[test]
fn other_places_are_where_they_say() {
    let part = r#"{"text":"M","type":"input_text"}"#;
    for (placement, before, after) in [
        (
            "systemAppend",
            r#"{"input":"b","instructions":"a"}"#,
            r#"{"input":"b","instructions":"a\n\nM"}"#.to_owned(),
        ),
        (
            "systemFirst",
            r#"{"instructions":"a","input":[{"role":"user","content":"b"}]}"#,
            format!(r#"{{"instructions":"a","input":[{},{{"role":"user","content":"b"}}]}}"#, own("system")),
        ),
        ("lastUser", r#"{"input":"b"}"#, r#"{"input":"M\n\nb"}"#.to_owned()),
        (
            "lastUser",
            r#"{"input":[{"role":"user","content":[{"type":"input_text","text":"b"}]}]}"#,
            format!(
                r#"{{"input":[{{"role":"user","content":[{part},{{"type":"input_text","text":"b"}}]}}]}}"#
            ),
        ),
    ] {
        assert_eq!(put(before, placement), after, "{placement}");
    }
}

#[test]
fn what_is_no_request_is_refused() {
    for (body, expected) in [
        ("[]", WireError::NotAnObject),
        ("{}", WireError::NoMessages),
        (r#"{"input":7}"#, WireError::NoMessages),
        (r#"{"input":[7]}"#, WireError::NotAMessage),
    ] {
        let read = ChatBody::read_as(Dialect::Responses, body.as_bytes());
        assert_eq!(read.map(|_| ()), Err(expected), "{body}");
    }
}
