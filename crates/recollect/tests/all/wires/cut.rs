//! Answers that do not come to their end, and the end of those that do.

use std::time::Duration;

use serde_json::{Value, json};
use testkit::llm::ScriptedReply;

use super::super::proxy::until;
use super::{BOTH, Rig, TestedWire, rig};

fn streamed(wire: TestedWire) -> Value {
    let mut body = wire.user("Tell me a long story.");
    body["stream"] = json!(true);
    body
}

async fn partial(rig: &Rig) -> String {
    until("the partial reply is stored", async || {
        rig.sessions().await.values().any(|turns| turns.len() == 2 && turns[1].partial)
    })
    .await;
    rig.only_session().await.remove(1).1
}

#[tokio::test]
async fn an_upstream_that_breaks_a_stream_leaves_a_partial_reply() {
    for wire in BOTH {
        let rig = rig().await;
        rig.llm.reply(ScriptedReply::pieces(["Once ", "upon ", "a ", "time"]).cut_after(6));
        let response =
            rig.post(wire.path()).body(streamed(wire).to_string()).send().await.expect("headers came");
        assert!(response.bytes().await.is_err(), "the client sees the break");
        let text = partial(&rig).await;
        assert!(!text.is_empty() && "Once upon a time".starts_with(text.as_str()), "{text}");
    }
}

#[tokio::test]
async fn a_client_that_goes_away_cancels_the_upstream_and_leaves_a_partial_reply() {
    for wire in BOTH {
        let rig = rig().await;
        let pieces: Vec<String> = (0..1_000).map(|number| format!("{number} ")).collect();
        rig.llm.reply(ScriptedReply::pieces(pieces).with_chunk_delay(Duration::from_millis(10)));
        let mut response =
            rig.post(wire.path()).body(streamed(wire).to_string()).send().await.expect("headers");
        let mut read = String::new();
        while !read.contains("3 ") {
            let chunk = response.chunk().await.expect("fine").expect("more");
            read.push_str(std::str::from_utf8(&chunk).expect("text"));
        }
        drop(response);
        until("the upstream is told", async || rig.seen().cancelled()).await;
        assert!(partial(&rig).await.starts_with("0 1 2"));
    }
}

#[tokio::test]
async fn the_reply_is_stored_before_the_last_event_goes_out() {
    for wire in BOTH {
        let rig = rig().await;
        let mut response =
            rig.post(wire.path()).body(streamed(wire).to_string()).send().await.expect("headers");
        let end = match wire {
            TestedWire::Responses => "response.completed",
            TestedWire::Messages => "message_stop",
        };
        let mut read = String::new();
        while !read.contains(end) {
            let chunk = response.chunk().await.expect("fine").expect("more");
            read.push_str(std::str::from_utf8(&chunk).expect("text"));
        }
        let said = rig.only_session().await;
        assert_eq!(
            said.last().map(|(_, text)| text.as_str()),
            Some("You said: Tell me a long story."),
            "{said:?}"
        );
    }
}
