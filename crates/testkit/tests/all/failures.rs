//! Every way in which a model server fails, as its client sees it.

use std::time::Duration;

use serde_json::{Value, json};
use testkit::llm::{FAILURES, Llm, ScriptedReply, failure};
use tokio::io::AsyncReadExt;
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::client::{CHAT, post, send};

/// Long enough to tell silence from slowness on a busy machine, short enough to wait for.
const SILENCE: Duration = Duration::from_millis(150);

fn ask(stream: bool) -> Value {
    json!({ "model": "m", "stream": stream, "messages": [{ "role": "user", "content": "one two three four" }] })
}

#[tokio::test]
async fn errors_have_their_status_their_headers_and_the_words_of_their_wire() {
    let llm = Llm::start().await;
    for (reply, status, openai, anthropic) in [
        (ScriptedReply::unauthorized(), 401, "invalid_request_error", "authentication_error"),
        (ScriptedReply::rate_limited(7), 429, "requests", "rate_limit_error"),
        (ScriptedReply::server_error(), 500, "server_error", "api_error"),
        (ScriptedReply::unavailable(), 503, "server_error", "overloaded_error"),
    ] {
        llm.replies([reply.clone(), reply]);
        let answer = post(&llm, CHAT, &ask(true)).await;
        assert_eq!((answer.status, answer.json()["error"]["type"].as_str()), (status, Some(openai)));
        assert_eq!(answer.header("retry-after"), (status == 429).then_some("7"));
        let answer = post(&llm, "/v1/messages", &ask(false)).await;
        assert_eq!((answer.status, answer.json()["error"]["type"].as_str()), (status, Some(anthropic)));
    }
}

#[tokio::test]
async fn given_bodies_go_out_as_they_are() {
    let llm = Llm::start().await;
    llm.reply(
        ScriptedReply::status(418, json!({ "tea": true }))
            .with_header("x-pot", "one")
            .with_header("x-pot", "two"),
    );
    let answer = post(&llm, CHAT, &ask(true)).await;
    assert_eq!((answer.status, answer.text().as_str()), (418, r#"{"tea":true}"#));
    assert!(answer.head.contains("x-pot: one\r\nx-pot: two"));
    llm.reply(ScriptedReply::raw(200, "text/html", "<h1>Bad gateway</h1>"));
    assert_eq!(post(&llm, CHAT, &ask(false)).await.text(), "<h1>Bad gateway</h1>");
}

#[tokio::test]
async fn a_closed_port_refuses_and_opens_again() {
    let llm = Llm::start().await;
    let held = send(&llm, "POST", CHAT, "", "").await;
    llm.refuse();
    drop(held);
    let refused = TcpStream::connect(llm.address()).await.expect_err("the port is closed");
    assert_eq!(refused.kind(), std::io::ErrorKind::ConnectionRefused);
    llm.reopen();
    assert_eq!(post(&llm, CHAT, &ask(false)).await.status, 200);
    let address = llm.address();
    drop(llm);
    tokio::time::sleep(SILENCE).await;
    TcpStream::connect(address).await.expect_err("a dropped server is gone");
}

#[tokio::test]
async fn hanging_up_before_the_headers_and_hanging() {
    let llm = Llm::start().await;
    llm.reply(ScriptedReply::disconnect());
    let answer = post(&llm, CHAT, &ask(false)).await;
    assert_eq!((answer.status, answer.head.as_str()), (0, ""));
    assert!(!llm.requests()[0].cancelled(), "it was not the client who hung up");

    llm.reply(ScriptedReply::hang());
    let mut stream = send(&llm, "POST", CHAT, "", &ask(false).to_string()).await;
    timeout(SILENCE, stream.read_u8()).await.expect_err("nothing comes");
    assert_eq!(llm.open_requests(), 1);
    drop(stream);
    llm.wait_until_idle().await;
    assert!(llm.requests()[1].cancelled());
}

#[tokio::test]
async fn a_reply_cut_in_half_ends_where_it_was_cut() {
    let llm = Llm::start().await;
    llm.reply(ScriptedReply::echo().half());
    let half = post(&llm, CHAT, &ask(false)).await;
    assert!(half.complete && serde_json::from_slice::<Value>(&half.body).is_err());
    llm.reply(ScriptedReply::echo().broken());
    let broken = post(&llm, CHAT, &ask(false)).await;
    assert!(!broken.complete && broken.body.len() > 100);
    assert!(broken.text().starts_with(r#"{"id":"chatcmpl-"#));
    llm.reply(ScriptedReply::half_distilled(json!({ "memories": ["a", "b", "c"] })));
    let json = post(&llm, CHAT, &ask(false)).await.json();
    assert_eq!(json["choices"][0]["message"]["content"], r#"{"memories":["#);
    assert_eq!(json["choices"][0]["finish_reason"], "length");
}

#[tokio::test]
async fn streams_that_are_cut_or_stall_give_what_came_before() {
    let llm = Llm::start().await;
    llm.reply(ScriptedReply::echo().cut_after(3));
    let cut = post(&llm, CHAT, &ask(true)).await;
    assert_eq!((cut.status, cut.complete, cut.events().len()), (200, false, 3));
    llm.reply(ScriptedReply::echo().hang_after(2));
    let mut stream = send(&llm, "POST", CHAT, "", &ask(true).to_string()).await;
    let mut bytes = Vec::new();
    timeout(SILENCE, stream.read_to_end(&mut bytes)).await.expect_err("it neither ends nor breaks");
    assert_eq!(crate::client::parse(&bytes).events().len(), 2);
}

#[tokio::test]
async fn wrong_types_prose_garbage_and_too_much() {
    let llm = Llm::start().await;
    llm.reply(ScriptedReply::wrong_types());
    assert!(post(&llm, CHAT, &ask(false)).await.json()["choices"].is_object());
    llm.reply(ScriptedReply::prose());
    let prose = post(&llm, CHAT, &ask(false)).await.json()["choices"][0]["message"]["content"].take();
    serde_json::from_str::<Value>(prose.as_str().expect("a text")).expect_err("prose is no JSON");
    llm.reply(ScriptedReply::garbage_sse());
    let garbage = post(&llm, CHAT, &ask(true)).await;
    assert!(garbage.complete && std::str::from_utf8(&garbage.body).is_err());
    llm.replies([ScriptedReply::huge(10_000_000), ScriptedReply::huge(10_000_000)]);
    let whole = post(&llm, CHAT, &ask(false)).await.json();
    assert_eq!(whole["choices"][0]["message"]["content"].as_str().map(str::len), Some(10_000_000));
    assert!(post(&llm, CHAT, &ask(true)).await.body.len() > 10_000_000);
}

#[test]
fn every_failure_has_a_name() {
    for name in FAILURES.iter().map(|(name, _)| *name).chain(["401", "429", "500", "503", "418"]) {
        assert!(failure(name).is_some(), "{name}");
    }
    assert!(failure("fire").is_none() && failure("99").is_none());
}
