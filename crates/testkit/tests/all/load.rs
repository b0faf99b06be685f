//! Many at once: the server must never be what a test of something else waits for.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::json;
use testkit::llm::{Llm, ScriptedReply};

use crate::client::{CHAT, post};

const STREAMS: usize = 1_000;
const CHUNKS: usize = 200;

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_streams_of_two_hundred_chunks() {
    let llm = Arc::new(Llm::start().await);
    // A pause of a millisecond keeps all of them open together.
    llm.fallback(ScriptedReply::pieces(vec!["word "; CHUNKS]).with_chunk_delay(Duration::from_millis(1)));
    let start = Instant::now();
    let mut clients = tokio::task::JoinSet::new();
    for number in 0..STREAMS {
        let llm = Arc::clone(&llm);
        clients.spawn(async move {
            let content = format!("number {number}");
            let request = json!({ "stream": true, "messages": [{ "role": "user", "content": content }] });
            let answer = post(&llm, CHAT, &request).await;
            assert!(answer.complete);
            answer.events().len()
        });
    }
    // The role, the end and [DONE] come beside the chunks.
    assert!(clients.join_all().await.into_iter().all(|events| events == CHUNKS + 3));
    llm.wait_until_idle().await;
    assert_eq!(llm.requests().len(), STREAMS);
    assert!(llm.requests().iter().all(|seen| seen.finished()));
    assert!(llm.most_open_streams() > STREAMS / 2, "{}", llm.most_open_streams());
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
    println!("{STREAMS} streams of {CHUNKS} chunks: {:?}", start.elapsed());
}
