//! What the server remembers of its clients.

use std::time::Duration;

use serde_json::json;
use testkit::llm::{Llm, ScriptedReply};
use tokio::io::AsyncReadExt;

use crate::client::{CHAT, call, get, send};

#[tokio::test]
async fn a_request_is_kept_as_it_came() {
    let llm = Llm::start().await;
    let body = r#"{ "messages":[{"role":"developer","content":"D"},{"role":"user","content":[{"type":"text","text":"part"},{"type":"image_url","image_url":{"url":"x"}}]}], "unknown": 1.10 }"#;
    call(&llm, "POST", "/v1/chat/completions?api-version=1", "x-recollect-user-id: u1\r\n", body).await;
    let seen = &llm.requests()[0];
    assert_eq!(seen.body, body);
    assert_eq!((seen.method.as_str(), seen.path.as_str()), ("POST", CHAT));
    assert_eq!(seen.query.as_deref(), Some("api-version=1"));
    assert_eq!(seen.header("X-Recollect-User-Id"), "u1");
    assert_eq!((seen.system_text().as_str(), seen.last_user_text().as_str()), ("D", "part"));
    assert_eq!(seen.json["unknown"], 1.1);
    llm.wait_until_idle().await;
    assert!(seen.finished() && !seen.cancelled());
}

#[tokio::test]
async fn requests_can_be_waited_for_and_taken() {
    let llm = Llm::start().await;
    let (_, _, seen) = tokio::join!(get(&llm, "/v1/models"), get(&llm, "/v1/models"), llm.wait_for(2));
    assert_eq!(seen.len(), 2);
    assert_eq!(llm.take_requests().len(), 2);
    assert!(llm.requests().is_empty());
    get(&llm, "/v1/models").await;
    assert_eq!(llm.requests()[0].number, 3);
    assert_eq!(llm.connections(), 3);
}

#[tokio::test]
async fn a_client_that_hangs_up_is_noticed() {
    let llm = Llm::start().await;
    llm.fallback(ScriptedReply::echo().with_chunk_delay(Duration::from_secs(1)));
    let request = json!({ "stream": true, "messages": [{ "role": "user", "content": "Hi!" }] }).to_string();
    let mut stream = send(&llm, "POST", CHAT, "", &request).await;
    stream.read_u8().await.expect("the stream has begun");
    assert_eq!((llm.open_streams(), llm.most_open_streams()), (1, 1));
    drop(stream);
    llm.wait_until_idle().await;
    assert_eq!(llm.open_streams(), 0);
    assert!(llm.requests()[0].cancelled() && !llm.requests()[0].finished());
}

#[test]
fn it_answers_a_test_without_a_runtime() {
    use std::io::{Read, Write};
    let llm = Llm::start_blocking();
    let mut stream = std::net::TcpStream::connect(llm.address()).expect("the server listens");
    stream
        .write_all(b"GET /v1/models HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
        .expect("the server takes the request");
    let mut text = String::new();
    stream.read_to_string(&mut text).expect("the server answers");
    assert!(text.starts_with("HTTP/1.1 200 OK"));
}
