//! Streams arrive as they are sent: event by event, byte by byte, and not all at the end.

use std::time::Duration;

use serde_json::{Value, json};
use testkit::llm::{Llm, ScriptedReply};

use crate::client::{CHAT, read_timed, send};

const STEP: Duration = Duration::from_millis(20);

fn ask() -> Value {
    json!({ "model": "m", "stream": true, "messages": [{ "role": "user", "content": "Hi!" }] })
}

#[tokio::test]
async fn events_come_one_at_a_time() {
    let llm = Llm::start().await;
    llm.reply(ScriptedReply::pieces(["Zü", "ri", "ch"]).with_chunk_delay(STEP));
    let stream = send(&llm, "POST", CHAT, "", &ask().to_string()).await;
    let (parts, answer) = read_timed(stream).await;
    let said: String = answer
        .json_events()
        .iter()
        .filter_map(|event| event["choices"][0]["delta"]["content"].as_str().map(str::to_owned))
        .collect();
    assert_eq!(said, "Zürich");
    // The role, three pieces, the end and [DONE]: six events, five pauses.
    assert!(parts.len() >= 6, "{parts:?}");
    let (first, last) = (parts[0].0, parts[parts.len() - 1].0);
    assert!(first < last && last - first >= 4 * STEP, "{parts:?}");
}

#[tokio::test]
async fn a_drip_comes_a_byte_at_a_time() {
    let llm = Llm::start().await;
    llm.reply(ScriptedReply::json(json!({ "a": 1 })).with_byte_delay(STEP));
    let (parts, answer) = read_timed(send(&llm, "POST", CHAT, "", &ask().to_string()).await).await;
    assert_eq!(answer.text(), r#"{"a":1}"#);
    assert!(answer.complete && parts.len() >= 6, "{parts:?}");
}

#[tokio::test]
async fn an_answer_can_take_its_time() {
    let llm = Llm::start().await;
    llm.reply(ScriptedReply::text("Hm.").with_delay(5 * STEP));
    let (parts, answer) = read_timed(send(&llm, "POST", CHAT, "", &ask().to_string()).await).await;
    assert_eq!(answer.status, 200);
    assert!(parts[0].0 >= 4 * STEP, "{parts:?}");
}

#[tokio::test]
async fn given_events_are_cut_and_delayed_between_events() {
    let llm = Llm::start().await;
    let given = "data: {\"a\":1}\n\ndata: {\"b\":2}\n\ndata: {\"c\":3}\n\n";
    llm.reply(ScriptedReply::raw(200, "text/event-stream", given).cut_after(2));
    let (_, answer) = read_timed(send(&llm, "POST", CHAT, "", &ask().to_string()).await).await;
    assert_eq!(answer.events(), [r#"{"a":1}"#, r#"{"b":2}"#]);
    assert!(!answer.complete);
}
