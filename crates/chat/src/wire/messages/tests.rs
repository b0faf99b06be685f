//! Anthropic's requests, and what they become with memory in them.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::super::{ChatBody, Dialect, apply};
use crate::chain;
use crate::placement::{Placed, PlacementManner, open, splices};
use memory::settings::Settings;
use memory::types::Role;

fn read(body: &str) -> ChatBody {
    ChatBody::read_as(Dialect::Messages, body.as_bytes()).expect("a request")
}

/// The bytes with a block for the user's latest message.
fn put(body: &str, placement: &str) -> String {
    let chat = read(body);
    let settings =
        Settings { injection_placement: placement.parse().expect("a placement"), ..Settings::default() };
    let message = chat.last_user().expect("a user's message");
    let manner = PlacementManner::of(&settings, Some("anthropic"), chat.envelope.model_name(), &chat);
    let spliced = apply(body.as_bytes(), splices(&chat, manner, &[Placed { message, text: "M" }]));
    String::from_utf8(spliced).expect("text")
}

const OWN: &str = r#"{"text":"M","type":"text"}"#;

#[test]
fn results_and_words_are_messages_of_their_own() {
    let body = r#"{"system":[{"type":"text","text":"be kind"}],"metadata":{"user_id":"ada"},"max_tokens":20,"messages":[
        {"role":"user","content":"one"},
        {"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"x"},{"type":"text","text":"a"},
            {"type":"tool_use","id":"t1","name":"look","input":{"b":1,"a":[]}},{"type":"text","text":"b"}]},
        {"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":[{"type":"text","text":"4"}]},
            {"type":"tool_result","tool_use_id":"t2","content":"5","is_error":true},{"type":"text","text":"two"}]},
        {"role":"assistant","content":"c"},
        {"role":"user","content":[{"type":"tool_result","tool_use_id":"t3","content":"6"}]}]}"#;
    let chat = read(body);
    let said: Vec<(Role, String)> =
        chat.messages.iter().map(|message| (message.role, message.text())).collect();
    let expected = [
        (Role::System, "be kind"),
        (Role::User, "one"),
        (Role::Assistant, "a\nb"),
        (Role::Tool, "4"),
        (Role::Tool, "5"),
        (Role::User, "two"),
        (Role::Assistant, "c"),
        (Role::Tool, "6"),
    ];
    assert_eq!(said, expected.map(|(role, text)| (role, text.to_owned())));
    assert!(chat.messages[2].calls_tools());
    assert_eq!(chat.messages[4].tool_call_id.as_deref(), Some("t2"));
    assert_eq!((chat.last_user(), open(&chat)), (Some(5), None), "tools are being called for it");
    assert_eq!((chat.envelope.user.as_deref(), chat.envelope.max_tokens), (Some("ada"), Some(20)));
    assert!(!chat.has_cache_control);
}

#[test]
fn a_session_is_no_user() {
    let user = |id: &str| {
        let body = json!({ "metadata": { "user_id": id }, "messages": [] }).to_string();
        read(&body).envelope.user
    };
    assert_eq!(user("user_1_account__session_2").as_deref(), Some("user_1_account_"));
    assert_eq!(user("{\"session_id\":\"2\"}"), None);
}

#[test]
fn memory_is_a_part_before_what_the_user_says_and_behind_what_tools_gave() {
    for (before, after) in [
        (
            r#"{"messages":[ {"role":"user","content" : "caf\u00e9" } ]}"#.to_owned(),
            format!(r#"{{"messages":[ {{"role":"user","content" : [{OWN},{{"type":"text","text":"caf\u00e9"}}] }} ]}}"#),
        ),
        (
            r#"{"messages":[{"role":"user","content":[ {"type":"image","source":{}}, {"type":"text","text":"a"}]}]}"#.to_owned(),
            format!(r#"{{"messages":[{{"role":"user","content":[ {OWN},{{"type":"image","source":{{}}}}, {{"type":"text","text":"a"}}]}}]}}"#),
        ),
        (
            r#"{"messages":[{"role":"user","content":[{"type":"tool_result","content":"4"}, {"type":"text","text":"a"}]}]}"#.to_owned(),
            format!(r#"{{"messages":[{{"role":"user","content":[{{"type":"tool_result","content":"4"}}, {OWN},{{"type":"text","text":"a"}}]}}]}}"#),
        ),
        (
            r#"{"messages":[{"role":"user","content":[{"type":"text","text":"a"},{"type":"tool_result","content":"4"}]}]}"#.to_owned(),
            format!(r#"{{"messages":[{{"role":"user","content":[{{"type":"text","text":"a"}},{{"type":"tool_result","content":"4"}},{OWN}]}}]}}"#),
        ),
        (
            r#"{"messages":[{"role":"user","content":[ ]}]}"#.to_owned(),
            format!(r#"{{"messages":[{{"role":"user","content":[{OWN} ]}}]}}"#),
        ),
    ] {
        assert_eq!(put(&before, "beforeLastUser"), after);
        assert_eq!(put(&before, "systemAppend"), after, "there is no system message");
    }
}

#[test]
fn other_places_are_the_systems() {
    for (before, after) in [
        (
            r#"{"system":"be kind","messages":[{"role":"user","content":"a"}]}"#,
            r#""system":"be kind\n\nM""#.to_owned(),
        ),
        (
            r#"{"messages":[{"role":"user","content":"a"}],"system":[{"type":"text","text":"b"}]}"#,
            format!(r#""system":[{{"type":"text","text":"b"}},{OWN}]"#),
        ),
    ] {
        for placement in ["systemAppend", "systemFirst"] {
            assert!(put(before, placement).contains(&after), "{}", put(before, placement));
        }
        assert!(put(before, "lastUser").contains(&format!("[{OWN},")));
    }
}

/// What is cached stands before what we add, and what we add stands where it stood when the marks have wandered on.
#[test]
fn what_is_cached_is_left_as_it_is() {
    let mark = r#","cache_control":{"type":"ephemeral"}"#;
    let first = format!(
        r#"{{"role":"user","content":[{{"type":"text","text":"a"{mark}}},{{"type":"text","text":"b"{mark}}}]}}"#
    );
    let body = format!(r#"{{"messages":[{first}]}}"#);
    for placement in ["beforeLastUser", "systemFirst", "lastUser"] {
        let spliced = put(&body, placement);
        assert!(spliced.ends_with(&format!(r#""text":"b"{mark}}},{OWN}]}}]}}"#)), "{spliced}");
    }
    let chat = read(&format!(
        r#"{{"messages":[{},{{"role":"assistant","content":"c"}},{{"role":"user","content":"d"{mark}}}],"system":[{{"type":"text","text":"s"{mark}}}]}}"#,
        first.replace(mark, "")
    ));
    assert!(chat.has_cache_control);
    let again = splices(
        &chat,
        PlacementManner::of(&Settings::default(), None, chat.envelope.model_name(), &chat),
        &[Placed { message: 1, text: "M" }],
    );
    assert_eq!(again[0].insert, format!(",{OWN}").into_bytes(), "behind the user's parts, as before");
    let text = r#"{"cache_control":{"type":"ephemeral"},"messages":[{"role":"user","content":"a"}]}"#;
    assert!(put(text, "beforeLastUser").ends_with(&format!(r#"[{{"type":"text","text":"a"}},{OWN}]}}]}}"#)));
}

#[test]
fn marks_are_no_part_of_what_is_said() {
    let canonical = |parts: Value| {
        let body = json!({ "messages": [{ "role": "user", "content": parts }] }).to_string();
        let chat = read(&body);
        chat.messages.iter().map(|message| chain::canonical(&message.content, None)).collect::<Vec<_>>()
    };
    let mark = json!({ "type": "ephemeral" });
    for part in [
        json!({ "type": "image", "source": { "type": "url", "url": "https://a" } }),
        json!({ "type": "tool_result", "tool_use_id": "t", "content": [{ "type": "image", "source": {} }] }),
        json!({ "type": "document", "source": { "type": "text", "data": "a" } }),
    ] {
        let mut marked = part.clone();
        marked["cache_control"] = mark.clone();
        assert_eq!(canonical(json!([part])), canonical(json!([marked])));
    }
}

fn part() -> impl Strategy<Value = Value> {
    let mark = any::<bool>();
    let kind = prop_oneof![Just("text"), Just("tool_result"), Just("image"), Just("tool_use"), Just("odd")];
    (kind, any::<String>(), mark).prop_map(|(kind, text, marked)| {
        let mut part = json!({ "type": kind, "text": text, "content": text, "input": { "a": text } });
        if marked {
            part["cache_control"] = json!({ "type": "ephemeral" });
        }
        part
    })
}

fn message() -> impl Strategy<Value = Value> {
    let content = prop_oneof![
        any::<String>().prop_map(Value::from),
        proptest::collection::vec(part(), 0..4).prop_map(Value::Array),
        Just(Value::Null),
    ];
    let role = prop_oneof![Just("user"), Just("assistant"), Just("system")];
    (role, content).prop_map(|(role, content)| json!({ "role": role, "content": content }))
}

proptest! {
    /// With every block taken out again, each request is what it was; and nothing stands before a tool's result.
    #[test]
    fn whatever_the_request_it_stays_one(
        messages in proptest::collection::vec(message(), 0..5),
        pretty in any::<bool>(),
        placement in prop_oneof![Just("beforeLastUser"), Just("systemAppend")],
    ) {
        let body = json!({ "messages": messages, "x": 1 });
        let bytes = if pretty { serde_json::to_vec_pretty(&body) } else { serde_json::to_vec(&body) }.expect("JSON");
        let chat = ChatBody::read_as(Dialect::Messages, &bytes).expect("a request");
        let settings = Settings { injection_placement: placement.parse().expect("a placement"), ..Settings::default() };
        let users = (0..chat.messages.len()).filter(|place| chat.messages[*place].role == Role::User);
        let blocks: Vec<Placed<'_>> = users.map(|message| Placed { message, text: "MEMORY" }).collect();
        let spliced = apply(&bytes, splices(&chat, PlacementManner::of(&settings, None, chat.envelope.model_name(), &chat), &blocks));
        let put: Value = serde_json::from_slice(&spliced).expect("still JSON");
        for (before, after) in messages.iter().zip(put["messages"].as_array().expect("a list")) {
            let Some(parts) = after["content"].as_array() else {
                prop_assert_eq!(before, after);
                continue;
            };
            let is_ours = |part: &Value| part["text"] == "MEMORY";
            let ours = parts.iter().position(is_ours);
            let results = parts.iter().rposition(|part| part["type"] == "tool_result");
            let marks = parts.iter().rposition(|part| part.get("cache_control").is_some());
            if let Some(ours) = ours {
                prop_assert!(results.is_none_or(|result| result < ours) && marks.is_none_or(|mark| mark < ours));
            }
            let theirs: Vec<&Value> = parts.iter().filter(|part| !is_ours(part)).collect();
            match &before["content"] {
                Value::Array(parts) => prop_assert_eq!(theirs, parts.iter().collect::<Vec<_>>()),
                text => prop_assert_eq!(&theirs[0]["text"], text),
            }
        }
    }

    #[test]
    fn nothing_makes_it_fall_over(text in "[\\[\\]{}\",:\\\\u d8f0-9messagesroluinpt_]{0,80}") {
        let _ = ChatBody::read_as(Dialect::Messages, text.as_bytes());
        let _ = ChatBody::read_as(Dialect::Responses, text.as_bytes());
    }
}
