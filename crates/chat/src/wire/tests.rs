//! Whatever a client writes is read, and what is not changed stays to the byte.

use proptest::prelude::*;
use serde_json::{Map, json};

use super::*;

fn read(body: &str) -> ChatBody {
    ChatBody::read(body.as_bytes()).expect("a request")
}

fn at<'a>(body: &'a str, span: &Range<usize>) -> &'a str {
    &body[span.clone()]
}

#[test]
fn everything_has_its_place() {
    let body = r#" { "model" : "openai/gpt-4o" , "user":"ada", "stream": true, "max_completion_tokens": 20,
        "messages":[ {"role":"system","content":"be kind"} ,
        {"content":[{"type":"text","text":"hi"}],"role":"user","name":"Ada"},
        {"role":"assistant","content":null,"tool_calls":[{"id":"c","function":{"name":"f","arguments":"{}"}}]},
        {"role":"tool","tool_call_id":"c","content":"4"}] } "#;
    let chat = read(body);
    let model = chat.envelope.model.clone().expect("a model");
    assert_eq!((model.text.as_str(), at(body, &model.span)), ("openai/gpt-4o", "\"openai/gpt-4o\""));
    assert_eq!((chat.envelope.user.as_deref(), chat.envelope.stream), (Some("ada"), true));
    assert_eq!(chat.envelope.max_tokens, Some(20));
    assert!(at(body, &chat.span).starts_with("[ {") && at(body, &chat.span).ends_with("}]"));
    assert_eq!(at(body, &chat.messages[0].span), r#"{"role":"system","content":"be kind"}"#);
    let roles: Vec<Role> = chat.messages.iter().map(|message| message.role).collect();
    assert_eq!(roles, [Role::System, Role::User, Role::Assistant, Role::Tool]);
    assert_eq!((chat.messages[1].text().as_str(), chat.messages[1].name.as_deref()), ("hi", Some("Ada")));
    assert!(chat.messages[2].calls_tools() && chat.messages[2].content.is_null());
    assert_eq!(chat.messages[3].tool_call_id.as_deref(), Some("c"));
    assert_eq!((chat.last_user(), chat.has_cache_control), (Some(1), false));
    let envelope = Envelope::read(body.as_bytes()).expect("an envelope");
    assert_eq!(envelope, chat.envelope);
    let renamed = apply(body.as_bytes(), vec![rename_model(&model, "gpt-4o")]);
    assert_eq!(String::from_utf8(renamed).expect("text"), body.replace("openai/gpt-4o", "gpt-4o"));
}

#[test]
fn odd_bodies_are_read_all_the_same() {
    let deep = format!("{}1{}", "[".repeat(500), "]".repeat(500));
    let table = [
        // Of a key that stands twice the last counts.
        (r#"{"messages":[],"messages":[{"role":"user","content":"a","content":"hi"}]}"#.to_owned(), "hi"),
        (r#"{"mess\u0061ges":[{"r\u006fle":"user","content":"\u0068i"}]}"#.to_owned(), "hi"),
        // Half an emoji.
        (r#"{"messages":[{"role":"user","content":"hi\ud83d"}]}"#.to_owned(), "hi\u{fffd}"),
        (r#"{"messages":[{"role":"user","content":"hi\\ud83d \ud83d\ude00"}]}"#.to_owned(), "hi\\ud83d 😀"),
        (r#"{"x":1e999,"y":123456789012345678901234567890,"messages":[{"role":"USER","content":"hi","n":1e999}]}"#.to_owned(), "hi"),
        (format!(r#"{{"x":{deep},"messages":[{{"role":"user","content":"hi","y":{deep}}}]}}"#), "hi"),
        ("\n{\t\"messages\"\r\n:\n[\n{\n\"role\"\n:\n\"user\"\n,\"content\"\n:\n\"hi\"\n}\n]\n}\n".to_owned(), "hi"),
        (r#"{"messages":[{"role":"user","content":["hi",{"type":"image_url","image_url":{"url":"data:x"}}]}]}"#.to_owned(), "hi"),
    ];
    for (body, text) in table {
        let chat = read(&body);
        assert_eq!(chat.messages.last().map(WireMessage::text).as_deref(), Some(text), "{body}");
        assert_eq!(chat.messages.last().map(|message| message.role), Some(Role::User));
        assert!(at(&body, &chat.messages.last().expect("one").span).starts_with('{'));
    }
    let nested = read(&format!(r#"{{"messages":[{{"role":"user","content":{deep}}}]}}"#));
    assert_eq!(nested.messages[0].content, Value::String(deep));
    assert_eq!(read(r#"{"messages":[{"role":"critic","content":"hm"}]}"#).messages[0].role, Role::System);
    assert_eq!(read(r#"{"messages":[{"role":"developer"}]}"#).messages[0].role, Role::System);
    assert!(
        read(r#"{"messages":[{"role":"assistant","function_call":{"name":"f"}}]}"#).messages[0].calls_tools()
    );
}

#[test]
fn what_is_no_request_is_refused() {
    for (body, expected) in [
        ("", WireError::NotAnObject),
        ("[]", WireError::NotAnObject),
        ("{\"messages\":[]} x", WireError::NotAnObject),
        ("{\"model\":\"m\"}", WireError::NoMessages),
        ("{\"messages\":\"hi\"}", WireError::NoMessages),
        ("{\"messages\":[1]}", WireError::NotAMessage),
        ("{\"messages\":[{\"content\":\"hi\"}]}", WireError::NotAMessage),
        ("{\"messages\":[{\"role\":7}]}", WireError::NotAMessage),
    ] {
        assert_eq!(ChatBody::read(body.as_bytes()).map(|_| ()), Err(expected), "{body}");
    }
    assert_eq!(ChatBody::read(b"{\"messages\":[\xff]}").map(|_| ()), Err(WireError::NotAnObject));
}

#[test]
fn marks_for_the_prompt_cache_are_seen() {
    for (body, expected) in [
        (
            r#"{"messages":[{"role":"user","content":[{"type":"text","text":"a","cache_control":{"type":"ephemeral"}}]}]}"#,
            true,
        ),
        (r#"{"messages":[{"role":"user","content":"a","cache_control":{"type":"ephemeral"}}]}"#, true),
        (r#"{"messages":[{"role":"user","content":"a"}],"tools":[{"cache_control":{}}]}"#, true),
        (r#"{"messages":[{"role":"user","content":"cache_control"}]}"#, false),
        (r#"{"messages":[{"role":"user","content":"a","cache_control":null}]}"#, false),
    ] {
        assert_eq!(read(body).has_cache_control, expected, "{body}");
    }
}

#[test]
fn changes_at_one_place_keep_their_order() {
    let splices = vec![
        Splice::insert(3, "c"),
        Splice::insert(1, "a"),
        Splice::insert(1, "b"),
        Splice::replace(1..3, "x"),
    ];
    assert_eq!(apply(b"0123", splices), b"0abxc3");
    assert_eq!(apply(b"0123", Vec::new()), b"0123");
}

/// Any JSON, not too deep.
fn json_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
        "[\\\\\"\\[\\]{},:]{0,6}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
            proptest::collection::vec((any::<String>(), inner), 0..4)
                .prop_map(|fields| Value::Object(fields.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

fn message() -> impl Strategy<Value = Value> {
    let role = prop_oneof![Just("system"), Just("user"), Just("assistant"), Just("tool"), Just("critic")];
    (role, json_value(), "[a-z]{1,8}", json_value()).prop_map(|(role, content, other, value)| {
        let mut message = json!({ "role": role, "content": content });
        message.as_object_mut().expect("an object").entry(format!("x-{other}")).or_insert(value);
        message
    })
}

/// A request with other fields around the messages.
pub(crate) fn request() -> impl Strategy<Value = Value> {
    let messages = proptest::collection::vec(message(), 0..6);
    (messages, proptest::collection::vec(("[a-z]{1,8}", json_value()), 0..4)).prop_map(
        |(messages, fields)| {
            let mut body = Map::new();
            body.insert("messages".to_owned(), Value::Array(messages));
            for (name, value) in fields {
                body.entry(format!("x-{name}")).or_insert(value);
            }
            Value::Object(body)
        },
    )
}

proptest! {
    #[test]
    fn messages_are_spliced_in_and_all_else_stays(
        body in request(),
        pretty in any::<bool>(),
        inserts in proptest::collection::vec((any::<proptest::sample::Index>(), any::<String>()), 0..4),
    ) {
        let bytes = if pretty { serde_json::to_vec_pretty(&body) } else { serde_json::to_vec(&body) }.expect("JSON");
        let chat = ChatBody::read(&bytes).expect("a request");
        let mut expected = body.clone();
        let messages = expected["messages"].as_array_mut().expect("a list");
        let mut splices = Vec::new();
        if !messages.is_empty() {
            let mut places: Vec<(usize, &String)> =
                inserts.iter().map(|(index, text)| (index.index(chat.messages.len()), text)).collect();
            places.sort_by_key(|(place, _)| *place);
            for (place, text) in &places {
                let message = json!({ "role": "system", "content": text });
                splices.push(Splice::insert(chat.messages[*place].span.start, format!("{message},")));
            }
            for (shift, (place, text)) in places.iter().enumerate() {
                messages.insert(place + shift, json!({ "role": "system", "content": text }));
            }
        }
        let first = splices.iter().map(|splice| splice.at).min().unwrap_or(bytes.len());
        let last = splices.iter().map(|splice| splice.at).max().unwrap_or(0);
        let spliced = apply(&bytes, splices.clone());
        prop_assert_eq!(serde_json::from_slice::<Value>(&spliced).expect("still JSON"), expected);
        prop_assert_eq!(&spliced[..first], &bytes[..first]);
        prop_assert!(spliced.ends_with(&bytes[last..]));
        if splices.is_empty() {
            prop_assert_eq!(spliced, bytes);
        }
    }

    #[test]
    fn what_is_read_is_what_stands_there(body in request()) {
        let bytes = serde_json::to_vec(&body).expect("JSON");
        let chat = ChatBody::read(&bytes).expect("a request");
        for (message, expected) in chat.messages.iter().zip(body["messages"].as_array().expect("a list")) {
            let written: Value = serde_json::from_slice(&bytes[message.span.clone()]).expect("a message");
            prop_assert_eq!(&written, expected);
            prop_assert_eq!(&message.content, &expected["content"]);
        }
    }

    #[test]
    fn nothing_makes_it_fall_over(body in proptest::collection::vec(any::<u8>(), 0..64), text in "[\\[\\]{}\",:\\\\u d8f0-9messages]{0,80}") {
        let _ = ChatBody::read(&body);
        let _ = ChatBody::read(text.as_bytes());
        let _ = Envelope::read(text.as_bytes());
    }
}
