//! Requests and what they become.

use proptest::prelude::*;
use serde_json::Value;

use super::super::wire::{self, apply};
use super::*;

fn read(body: &Value) -> (Vec<u8>, ChatBody) {
    let bytes = serde_json::to_vec(body).expect("JSON");
    let chat = ChatBody::read(&bytes).expect("a request");
    (bytes, chat)
}

fn with(placement: &str) -> Settings {
    Settings { injection_placement: placement.parse().expect("a placement"), ..Settings::default() }
}

/// The messages after one block for each of these was put in.
fn messages(body: &Value, settings: &Settings, provider: Option<&str>, blocks: &[(usize, &str)]) -> Value {
    let (bytes, chat) = read(body);
    let placed: Vec<Placed<'_>> =
        blocks.iter().map(|(message, text)| Placed { message: *message, text }).collect();
    let manner = PlacementManner::of(settings, provider, chat.envelope.model_name(), &chat);
    let spliced = apply(&bytes, splices(&chat, manner, &placed));
    let spliced: Value = serde_json::from_slice(&spliced).expect("still JSON");
    spliced["messages"].clone()
}

fn conversation(model: &str) -> Value {
    json!({ "model": model, "messages": [
        { "role": "system", "content": "be kind" },
        { "role": "user", "content": "one" },
        { "role": "assistant", "content": "1" },
        { "role": "user", "content": "two" },
    ] })
}

fn texts(messages: &Value) -> Vec<String> {
    let text = |message: &Value| {
        format!(
            "{}: {}",
            message["role"].as_str().unwrap_or("?"),
            match &message["content"] {
                Value::String(text) => text.clone(),
                other => other.to_string(),
            }
        )
    };
    messages.as_array().expect("a list").iter().map(text).collect()
}

#[test]
fn each_place_is_where_it_says() {
    let blocks = [(1, "A\n\"a\""), (3, "B")];
    for (placement, expected) in [
        (
            "beforeLastUser",
            ["system: be kind", "system: A\n\"a\"", "user: one", "assistant: 1", "system: B", "user: two"]
                .as_slice(),
        ),
        (
            "systemFirst",
            &["system: A\n\"a\"", "system: B", "system: be kind", "user: one", "assistant: 1", "user: two"],
        ),
        ("systemAppend", &["system: be kind\n\nA\n\"a\"\n\nB", "user: one", "assistant: 1", "user: two"]),
        ("lastUser", &["system: be kind", "user: A\n\"a\"\n\none", "assistant: 1", "user: B\n\ntwo"]),
    ] {
        let put = messages(&conversation("gpt-4o"), &with(placement), None, &blocks);
        assert_eq!(texts(&put), expected, "{placement}");
    }
}

#[test]
fn lists_of_parts_get_a_part() {
    let body = json!({ "messages": [
        { "role": "system", "content": [] },
        { "role": "user", "content": [{ "type": "text", "text": "one" }] },
        { "role": "user", "content": [] },
        { "role": "user", "content": null },
    ] });
    let part = |text: &str| json!({ "type": "text", "text": text });
    let put = messages(&body, &with("systemAppend"), None, &[(1, "A"), (2, "B")]);
    assert_eq!(put[0]["content"], json!([part("A"), part("B")]));
    let put = messages(&body, &with("lastUser"), None, &[(1, "A"), (2, "B"), (3, "C")]);
    assert_eq!(put[1]["content"], json!([part("A"), part("one")]));
    assert_eq!(put[2]["content"], json!([part("B")]));
    assert_eq!(texts(&put)[3..], ["system: C", "user: null"]);
}

#[test]
fn models_that_want_it_otherwise_get_it_otherwise() {
    let own = |role: &str| vec![format!("{role}: B"), "user: two".to_owned()];
    let end = |model: &str, provider: Option<&str>| {
        let put = messages(&conversation(model), &Settings::default(), provider, &[(3, "B")]);
        let texts = texts(&put);
        texts[texts.len() - 2..].to_vec()
    };
    for model in ["gpt-4o", "openai/gpt-4o", "o3", "o1-pro", "glmour", "", "llama-o1"] {
        assert_eq!(end(model, None), own("system"), "{model}");
    }
    for model in [
        "o1",
        "o1-mini",
        "o1-mini-2024-09-12",
        "O1-preview",
        "o1-2024-12-17",
        "openai/o1",
        "zai/x",
        "glm-4.6",
        "x/glmt",
        "qianfan/ernie",
    ] {
        assert_eq!(end(model, None), own("user"), "{model}");
    }
    assert_eq!(end("anything", Some("glm-cn")), own("user"));
    for (model, provider) in [("mimo", None), ("mimo-v2-flash", None), ("x", Some("xiaomi-mimo"))] {
        let put = messages(&conversation(model), &with("beforeLastUser"), provider, &[(3, "B")]);
        assert_eq!(texts(&put)[0], "system: be kind\n\nB", "{model}");
        let bare = json!({ "model": model, "messages": [{ "role": "user", "content": "one" }] });
        let put = messages(&bare, &Settings::default(), provider, &[(0, "B")]);
        assert_eq!(texts(&put), ["system: B", "user: one"]);
    }
    let put = messages(&conversation("o1"), &with("systemAppend"), None, &[(3, "B")]);
    assert_eq!(texts(&put)[3..], own("user"));
}

#[test]
fn a_request_that_is_cached_keeps_its_beginning() {
    let mut body = conversation("claude");
    body["messages"][1]["content"] =
        json!([{ "type": "text", "text": "one", "cache_control": { "type": "ephemeral" } }]);
    for placement in ["systemFirst", "systemAppend", "lastUser"] {
        let put = messages(&body, &with(placement), None, &[(3, "B")]);
        assert_eq!(texts(&put)[3..], ["system: B", "user: two"], "{placement}");
    }
}

#[test]
fn the_newer_name_of_the_role_is_kept() {
    let body = json!({ "model": "o3", "messages": [
        { "role": "developer", "content": "be kind" }, { "role": "user", "content": "one" },
    ] });
    assert_eq!(texts(&messages(&body, &with("beforeLastUser"), None, &[(1, "B")]))[1], "developer: B");
    assert_eq!(
        texts(&messages(&body, &with("systemAppend"), None, &[(1, "B")]))[0],
        "developer: be kind\n\nB"
    );
}

#[test]
fn nothing_new_comes_between_a_call_and_its_result() {
    let call = json!({ "role": "assistant", "tool_calls": [{ "id": "c", "function": { "name": "f" } }] });
    let result = json!({ "role": "tool", "tool_call_id": "c", "content": "4" });
    let user = json!({ "role": "user", "content": "one" });
    let says = json!({ "role": "assistant", "content": "1" });
    for (messages, expected) in [
        (vec![&user], Some(0)),
        (vec![&user, &says], Some(0)),
        (vec![&user, &call], None),
        (vec![&user, &call, &result], None),
        (vec![&user, &call, &result, &says, &user], Some(4)),
        (vec![&user, &call, &user], None),
        (vec![&user, &call, &user, &result], None),
        (vec![&says], None),
    ] {
        let (_, chat) = read(&json!({ "messages": messages }));
        assert_eq!(open(&chat), expected, "{messages:?}");
    }
}

proptest! {
    #[test]
    fn whatever_the_request_it_stays_one(
        body in wire::tests::request(),
        placement in prop_oneof![Just("beforeLastUser"), Just("systemFirst"), Just("systemAppend"), Just("lastUser")],
        texts in proptest::collection::vec(any::<String>(), 0..3),
    ) {
        let (bytes, chat) = read(&body);
        let users = chat.messages.iter().enumerate().filter(|(_, message)| message.role == Role::User);
        let blocks: Vec<Placed<'_>> =
            users.zip(&texts).map(|((message, _), text)| Placed { message, text }).collect();
        let manner = PlacementManner::of(&with(placement), None, "", &chat);
        let spliced = apply(&bytes, splices(&chat, manner, &blocks));
        let mut put: Value = serde_json::from_slice(&spliced).expect("still JSON");
        let mut before = body.clone();
        prop_assert_eq!(blocks.is_empty(), spliced == bytes);
        let before_messages = before["messages"].take();
        let after_messages = put["messages"].take();
        prop_assert_eq!(put, before);
        let count = |messages: &Value| messages.as_array().map_or(0, Vec::len);
        prop_assert!(count(&after_messages) <= count(&before_messages) + blocks.len());
    }
}
