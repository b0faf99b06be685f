//! Something fails or hangs: memory, the upstream, or the client. A chat goes on as far as it can.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use memory::error::ModelError;
use memory::ports::Embedder;
use models::{Upstream, UpstreamWire, Upstreams};
use recollect::core_model::Models;
use recollect::ops::add::Add;
use recollect::proxy::Patience;
use serde_json::{Value, json};
use testkit::llm::ScriptedReply;

use super::{Rig, user};

/// Far more than memory may take, far less than a hang.
const SOON: Duration = Duration::from_secs(5);

/// An embedder that can be told to fail or to hang.
struct FlakyEmbedder {
    fails: AtomicBool,
    hangs: AtomicBool,
}

#[async_trait]
impl Embedder for FlakyEmbedder {
    fn signature(&self) -> &str {
        models::Builtin.signature()
    }

    fn dimensions(&self) -> usize {
        models::Builtin.dimensions()
    }

    async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, ModelError> {
        if self.hangs.load(Ordering::SeqCst) {
            tokio::time::sleep(Duration::from_secs(3_600)).await;
        }
        match self.fails.load(Ordering::SeqCst) {
            true => Err(ModelError::Unavailable("told to".to_owned())),
            false => models::Builtin.embed(texts).await,
        }
    }
}

const BOAT: &str = "What did I tell you about my boat?";

async fn moody() -> (Rig, Arc<FlakyEmbedder>) {
    let moody = Arc::new(FlakyEmbedder { fails: AtomicBool::new(false), hangs: AtomicBool::new(false) });
    let rig = Rig::patient(Patience::default(), |house| house.embedder = Some(moody.clone())).await;
    let add = json!({ "content": "My boat is called Andorinha." });
    rig.ask(serde_json::from_value::<Add>(add).expect("an add")).await;
    (rig, moody)
}

#[tokio::test]
async fn a_failing_embedder_leaves_words_to_search_by() {
    let (rig, moody) = moody().await;
    moody.fails.store(true, Ordering::SeqCst);
    assert_eq!(rig.chat(&user(BOAT)).await.status, 200);
    assert!(rig.seen().text().contains("Andorinha"));
}

#[tokio::test]
async fn a_hanging_embedder_holds_nobody_up_and_old_blocks_stay() {
    let (rig, moody) = moody().await;
    let mut messages = Vec::new();
    rig.says(&[], &mut messages, BOAT).await;
    assert!(rig.seen().text().contains("Andorinha"));
    moody.hangs.store(true, Ordering::SeqCst);
    let start = Instant::now();
    let answer = rig.says(&[], &mut messages, "And where did I say that it lies?").await;
    assert!(start.elapsed() < SOON, "{:?}", start.elapsed());
    assert!(rig.seen().system_text().contains("Andorinha"), "what stood there stands there");
    assert_eq!(answer.header("x-recollect-section"), "none");
    assert_eq!(rig.only_session().await.len(), 4, "and what is said is kept");
}

#[tokio::test]
async fn a_store_that_cannot_write_holds_nobody_up_and_loses_nothing() {
    let (rig, _) = moody().await;
    rig.chat(&user("Hello.")).await;
    let file = rig._folder.path().join("tenants/local.sqlite3");
    let other = rusqlite::Connection::open(file).expect("opened");
    other.execute_batch("BEGIN IMMEDIATE").expect("locked");
    let start = Instant::now();
    let mut messages = Vec::new();
    rig.says(&[], &mut messages, BOAT).await;
    assert!(start.elapsed() < SOON, "{:?}", start.elapsed());
    assert_eq!(rig.sessions_now().await.len(), 1, "nothing could be written yet");
    let recalled = rig.seen().text().contains("Andorinha");
    // The next request of the conversation comes before the last one is stored, and its block with it.
    rig.says(&[], &mut messages, "Please count to three.").await;
    assert_eq!(rig.seen().text().contains("Andorinha"), recalled, "what stood there stands there");
    other.execute_batch("ROLLBACK").expect("unlocked");
    super::until("it is stored", async || {
        let sessions = rig.sessions().await;
        sessions.len() == 2 && sessions.values().any(|turns| turns.len() == 4)
    })
    .await;
}

#[tokio::test]
async fn what_was_said_is_kept_though_memory_was_late() {
    let never = Patience { read: Duration::ZERO, replay: Duration::ZERO };
    let rig = Rig::patient(never, |_| {}).await;
    let body = user("My cat is called Miso.");
    let answer = rig.chat(&body).await;
    assert_eq!(
        (answer.header("x-recollect-section"), rig.seen().text().into_owned()),
        ("none", body.to_string())
    );
    super::until("both are stored", async || {
        rig.sessions().await.values().any(|turns| turns.len() == 2 && !turns[1].partial)
    })
    .await;
}

#[tokio::test]
async fn a_damaged_store_holds_nobody_up() {
    let rig = Rig::new().await;
    rig.chat(&user("Hello.")).await;
    for file in ["local.sqlite3", "local.sqlite3-wal"] {
        let path = rig._folder.path().join("tenants").join(file);
        std::fs::write(path, vec![0x5A; 262_144]).expect("overwritten");
    }
    let start = Instant::now();
    let body = user("What did I tell you about my boat?");
    let answer = rig.chat(&body).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert_eq!(rig.seen().text(), body.to_string());
    assert!(start.elapsed() < SOON);
}

#[tokio::test]
async fn nobody_to_ask() {
    let rig = Rig::with(|house| house.models = Arc::default()).await;
    let answer = rig.chat(&user("Hello.")).await;
    let error = answer.json()["error"].clone();
    assert_eq!(
        (answer.status, &error["code"], &error["type"]),
        (503, &json!("no_upstream"), &json!("api_error"))
    );
    assert!(error["message"].as_str().expect("text").contains("hint: set OPENAI_API_KEY"), "{error}");
    assert_eq!(answer.header("x-should-retry"), "false");
    assert_eq!(rig.chat(&json!({ "model": "recollect/recall", "messages": [] })).await.status, 200);
}

#[tokio::test]
async fn an_upstream_that_is_not_there_or_breaks_off() {
    let rig = Rig::new().await;
    rig.llm.reply(ScriptedReply::disconnect());
    let answer = rig.chat(&user("Hello.")).await;
    let error = answer.json()["error"].clone();
    assert_eq!((answer.status, &error["code"]), (502, &json!("upstream_unreachable")), "{error}");
    assert!(error["message"].as_str().expect("text").contains("`scripted` broke off"), "{error}");
    assert_eq!(rig.llm.requests().len(), 1, "what may have been executed is not repeated");
    rig.llm.refuse();
    let answer = rig.chat(&user("Hello.")).await;
    assert_eq!((answer.status, answer.json()["error"]["type"].as_str()), (502, Some("api_error")));
    assert!(!answer.text().contains("127.0.0.1"), "addresses stay inside: {}", answer.text());
    rig.llm.reopen();
    assert_eq!(rig.chat(&user("Hello.")).await.status, 200);
}

/// Ten events, of which a test sees so many.
fn streamed() -> Value {
    let mut body = user("Tell me a long story.");
    body["stream"] = json!(true);
    body
}

#[tokio::test]
async fn an_upstream_that_breaks_a_stream_leaves_a_partial_reply() {
    let rig = Rig::new().await;
    rig.llm.reply(ScriptedReply::pieces(["Once ", "upon ", "a ", "time"]).cut_after(3));
    let request = rig.post("/v1/chat/completions").body(streamed().to_string());
    let response = request.send().await.expect("headers came");
    assert!(response.bytes().await.is_err(), "the client sees the break");
    super::until("the partial reply is stored", async || {
        rig.sessions().await.values().any(|turns| turns.last().is_some_and(|turn| turn.partial))
    })
    .await;
    let sessions = rig.sessions().await;
    let turns = sessions.values().next().expect("one");
    assert!("Once upon a time".starts_with(turns[1].text.as_str()), "{}", turns[1].text);
}

#[tokio::test]
async fn a_client_that_goes_away_cancels_the_upstream_and_leaves_a_partial_reply() {
    let rig = Rig::new().await;
    let pieces: Vec<String> = (0..1_000).map(|number| format!("{number} ")).collect();
    rig.llm.reply(ScriptedReply::pieces(pieces).with_chunk_delay(Duration::from_millis(20)));
    let mut response =
        rig.post("/v1/chat/completions").body(streamed().to_string()).send().await.expect("headers");
    for _ in 0..5 {
        response.chunk().await.expect("fine").expect("more");
    }
    drop(response);
    super::until("the upstream is told", async || rig.seen().cancelled()).await;
    super::until("the partial reply is stored", async || {
        rig.sessions().await.values().any(|turns| turns.len() == 2 && turns[1].partial)
    })
    .await;
    // Before the answer began, there is no reply; the message is kept.
    rig.llm.reply(ScriptedReply::hang());
    let request = rig.post("/v1/chat/completions").body(user("Are you there?").to_string());
    assert!(tokio::time::timeout(Duration::from_millis(300), request.send()).await.is_err());
    super::until("the upstream is told", async || rig.seen().cancelled()).await;
    super::until("the message is stored", async || {
        rig.sessions().await.values().any(|turns| turns.len() == 1 && turns[0].text == "Are you there?")
    })
    .await;
}

#[tokio::test]
async fn a_slow_stream_arrives_piece_by_piece() {
    let rig = Rig::new().await;
    rig.llm.reply(ScriptedReply::pieces(["a", "b", "c"]).with_chunk_delay(Duration::from_millis(200)));
    let start = Instant::now();
    let mut response =
        rig.post("/v1/chat/completions").body(streamed().to_string()).send().await.expect("headers");
    let first = response.chunk().await.expect("fine").expect("the first piece");
    assert!(start.elapsed() < Duration::from_millis(600), "{:?}: {first:?}", start.elapsed());
    assert!(first.len() < 400, "not the whole: {first:?}");
}

#[tokio::test]
async fn a_packed_answer_passes_and_is_not_understood() {
    let rig = Rig::new().await;
    let packed = ScriptedReply::raw(200, "application/json", vec![0x1f, 0x8b, 8, 0, 0])
        .with_header("content-encoding", "gzip");
    rig.llm.reply(packed);
    let answer = rig.chat(&user("Hello.")).await;
    assert_eq!(answer.bytes, [0x1f, 0x8b, 8, 0, 0]);
    assert_eq!(rig.seen().header("accept-encoding"), "identity", "it was asked not to be packed");
    assert_eq!(rig.only_session().await.len(), 1);
}

#[tokio::test]
async fn a_body_may_be_large_but_not_endless() {
    let rig = Rig::new().await;
    let image = format!("data:image/png;base64,{}", "A".repeat(20 * 1024 * 1024));
    let part = json!({ "type": "image_url", "image_url": { "url": image } });
    let body = json!({ "model": "m", "messages": [{ "role": "user", "content": [part] }] });
    assert_eq!(rig.chat(&body).await.status, 200);
    assert_eq!(rig.seen().body.len(), body.to_string().len());
    let body = user(&"x".repeat(33 * 1024 * 1024));
    let request = rig.post("/v1/chat/completions").body(body.to_string());
    // The connection may be closed while the rest is still being sent.
    if let Ok(response) = request.send().await {
        assert_eq!(response.status(), 413);
        assert!(response.text().await.expect("a body").contains("invalid_request_error"));
    }
}

#[tokio::test]
async fn several_upstreams_and_their_usual_models() {
    let other = testkit::llm::Llm::start().await;
    let usual = Upstream {
        default_model: Some("usual".into()),
        ..Upstream::new("b", UpstreamWire::OpenAi, &other.base_url())
    };
    let rig = Rig::with(|house| {
        let first = house.models.upstreams().all()[0].clone();
        house.models = Arc::new(Models::new(Upstreams::new(vec![first, usual], Some("b"))));
    })
    .await;
    rig.chat(&user("x")).await;
    assert_eq!(other.requests().len(), 1, "the default");
    rig.chat(&json!({ "messages": [{ "role": "user", "content": "x" }] })).await;
    assert_eq!(other.requests()[1].model(), "usual");
    rig.chat(&json!({ "model": "scripted/z", "messages": [{ "role": "user", "content": "x" }] })).await;
    assert_eq!(rig.seen().model(), "z");
}
