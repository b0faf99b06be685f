//! Many streams at once, slow readers and clients that go away among them: every byte right, memory bounded, and what was
//! said stored once, whole or marked as partial.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use memory::ports::ReadStore;
use memory::types::{Filter, Order, PageRequest, Role, TenantId, Turn};
use serde_json::json;
use store::{Credential, Tenants, TenantsOptions};
use testkit::llm::{Llm, ScriptedReply, SeenRequest};

use super::super::support::{Home, RunningServer};
use super::counted::{read as read_numbers, serve};

/// Overrides how many streams run at once.
const STREAMS_VARIABLE: &str = "RECOLLECT_TEST_STREAMS";
const STREAMS: usize = 1_000;
const CHUNKS: usize = 200;

/// Every tenth client goes away in the middle, every tenth reads slowly.
const GONE: usize = 5;
const SLOW: usize = 7;

/// How long a machine may take to store them all that is busy with other things.
const STORED_WITHIN: Duration = Duration::from_secs(300);

/// Bytes of resident memory that one stream may cost: two connections with their buffers, and its copy.
const BYTES_PER_STREAM: usize = 400 * 1024;

fn streams() -> usize {
    std::env::var(STREAMS_VARIABLE).ok().and_then(|number| number.parse().ok()).unwrap_or(STREAMS)
}

/// What the model says to a message, to the byte.
fn story(message: &str) -> String {
    let event = |number: usize| {
        let content = format!("{message} part {number}. ");
        let chunk = json!({ "id": message, "choices": [{ "index": 0, "delta": { "content": content } }] });
        format!("data: {chunk}\n\n")
    };
    let end = json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": "stop" }] });
    let events: String = (0..CHUNKS).map(event).collect();
    format!("{events}: nearly there\n\ndata: {end}\n\ndata: [DONE]\n\n")
}

fn told(message: &str) -> String {
    (0..CHUNKS).map(|number| format!("{message} part {number}. ")).collect()
}

/// How one client fared.
#[derive(Debug, PartialEq, Eq)]
enum Fared {
    Whole,
    Left,
}

async fn read(client: reqwest::Client, url: String, number: usize) -> Fared {
    let message = format!("Story number {number}, please.");
    let body = json!({ "model": "m", "stream": true, "messages": [{ "role": "user", "content": message }] });
    let mut response = client.post(url).body(body.to_string()).send().await.expect("an answer");
    assert_eq!(response.status(), 200);
    let mut bytes = Vec::new();
    let whole = story(&message);
    while let Some(chunk) = response.chunk().await.expect("no break") {
        bytes.extend_from_slice(&chunk);
        if number % 10 == SLOW {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        if number % 10 == GONE && bytes.len() > whole.len() / 4 {
            assert!(whole.as_bytes().starts_with(&bytes));
            return Fared::Left;
        }
    }
    assert!(bytes == whole.as_bytes(), "stream {number} differs");
    Fared::Whole
}

/// Resident bytes of the server, the most that was seen.
fn watch(pid: u32, stop: Arc<AtomicUsize>) -> std::thread::JoinHandle<usize> {
    std::thread::spawn(move || {
        let mut most = 0;
        while stop.load(Ordering::SeqCst) == 0 {
            most = most.max(resident_bytes(pid));
            std::thread::sleep(Duration::from_millis(20));
        }
        most
    })
}

fn resident_bytes(pid: u32) -> usize {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or("0 kB");
    line.split_ascii_whitespace().next().and_then(|number| number.parse::<usize>().ok()).unwrap_or(0) * 1024
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_streams_at_once() {
    let (home, llm, streams) = (Home::new(), Llm::start().await, streams());
    llm.respond_with(|seen: &SeenRequest| {
        let body = story(&seen.last_user_text());
        ScriptedReply::raw(200, "text/event-stream", body).with_chunk_delay(Duration::from_millis(5))
    });
    // Also lets this process open as many files as it may.
    drop(Tenants::in_memory(TenantsOptions::default()).expect("a store"));
    let server = serve(&home, &llm);
    drop(models::http::client());
    let client = reqwest::Client::builder().build().expect("a client");
    let url = format!("http://{}/v1/chat/completions", server.address);
    let before = resident_bytes(server.pid());
    let stop = Arc::new(AtomicUsize::new(0));
    let watching = watch(server.pid(), Arc::clone(&stop));
    let readers: Vec<_> =
        (0..streams).map(|number| tokio::spawn(read(client.clone(), url.clone(), number))).collect();
    let (mut whole, mut left) = (0, 0);
    for reader in readers {
        match reader.await.expect("every byte was right") {
            Fared::Whole => whole += 1,
            Fared::Left => left += 1,
        }
    }
    llm.wait_until_idle().await;
    stop.store(1, Ordering::SeqCst);
    let most = watching.join().expect("watched");
    println!(
        "{streams} streams, {} open at most, {} MiB more",
        llm.most_open_streams(),
        (most - before) >> 20
    );
    assert!(llm.most_open_streams() > streams / 2, "they ran at once: {}", llm.most_open_streams());
    assert!(most - before < streams * BYTES_PER_STREAM + (64 << 20), "{} MiB more", (most - before) >> 20);
    tokio::task::block_in_place(|| wait_for_captures(&server, streams));
    let stored = kill_and_read(&home, server).await;
    check(&stored, whole, left);
}

fn check(stored: &[Vec<Turn>], whole: usize, left: usize) {
    assert_eq!(stored.len(), whole + left, "a session each");
    let (mut complete, mut partial) = (0, 0);
    for turns in stored {
        let [said, reply] = turns.as_slice() else { panic!("{} turns", turns.len()) };
        assert_eq!((said.role, reply.role), (Role::User, Role::Assistant));
        let whole = told(&said.text);
        if reply.partial {
            assert!(whole.starts_with(&reply.text) && reply.text.len() < whole.len());
            partial += 1;
        } else {
            assert_eq!(reply.text, whole);
            complete += 1;
        }
    }
    assert_eq!((complete, partial), (whole, left), "captures are completions, and partials are marked");
}

/// Waits until the server says that every message and every reply is stored, however long a busy machine takes.
fn wait_for_captures(server: &RunningServer, streams: usize) {
    let stored = |numbers: &BTreeMap<String, f64>, role: &str| {
        numbers.get(&format!("recollect_captured_turns_total{{role=\"{role}\"}}")).copied().unwrap_or(0.0)
    };
    let deadline = Instant::now() + STORED_WITHIN;
    loop {
        let numbers = read_numbers(server);
        let done = ["user", "assistant"].map(|role| stored(&numbers, role) as usize);
        if done == [streams; 2] {
            return;
        }
        assert!(Instant::now() < deadline, "of {streams} chats {done:?} are stored: {numbers:#?}");
        std::thread::sleep(Duration::from_millis(200));
    }
}

/// The turns of every session, once the server has gone the hard way: what it called stored is on the disk.
async fn kill_and_read(home: &Home, server: RunningServer) -> Vec<Vec<Turn>> {
    tokio::task::spawn_blocking(move || server.kill()).await.expect("it ends");
    let tenants = Tenants::open_folder(&home.data(), TenantsOptions::default()).expect("the folder opens");
    let credential = Credential::Operator { tenant: TenantId::local() };
    let pass = tenants.authenticate(credential).await.expect("the operator may");
    let tenant = tenants.open(&pass).await.expect("the tenant opens");
    let mut all = Vec::new();
    for offset in (0..).step_by(1_000) {
        let page = PageRequest { limit: 1_000, offset, order: Order::Oldest, counted: true };
        let sessions = tenant.list_sessions(&Filter::ever(), page).await.expect("listed").items;
        if sessions.is_empty() {
            break;
        }
        for session in sessions {
            all.push(tenant.session_turns(&session.key, 0, 100).await.expect("turns"));
        }
    }
    all
}
