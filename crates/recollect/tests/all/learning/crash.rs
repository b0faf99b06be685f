//! The whole write path, killed at random moments: nothing acknowledged is lost, nothing is there twice, and once the next
//! process has taken up what was left, every session has exactly one episode.
//!
//! A real server is killed with SIGKILL while several clients take conversations in, let them grow, and end them. The
//! check opens the folder in this process, with a clock an hour ahead, so that leases of the dead have run out and every
//! session has been silent long enough to be ended.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use memory::ports::{Clock, ReadStore};
use memory::types::{Filter, Order, PageRequest, Session, Status};
use recollect::learning::worker::Worker;
use recollect::ops::Services;
use serde_json::{Value, json};
use store::{Credential, SystemClock, Tenant, Tenants, TenantsOptions};
use testkit::{ManualClock, Random};

use crate::support::{Home, PATIENCE};

/// How many rounds; `cargo xtask crash` sets it.
const ROUNDS_VARIABLE: &str = "RECOLLECT_CRASH_ROUNDS";
/// Repeats the moments of an earlier run.
const SEED_VARIABLE: &str = "RECOLLECT_CRASH_SEED";

const ROUNDS: u64 = 20;
/// Rounds on one folder, before a fresh one.
const ROUNDS_PER_FOLDER: u64 = 5;
const CLIENTS: usize = 3;
/// The latest moment at which the server is killed, after it says that it listens.
const LATEST_KILL_MS: usize = 600;

/// By session: the ids of the messages that the server said it has.
type AcknowledgedMessages = BTreeMap<String, BTreeSet<String>>;

#[test]
fn every_acknowledged_turn_is_there_once() {
    let number = |variable| std::env::var(variable).ok().map(|text| text.parse().expect("a whole number"));
    let rounds = number(ROUNDS_VARIABLE).unwrap_or(ROUNDS);
    let seed = number(SEED_VARIABLE).unwrap_or_else(|| u64::from(std::process::id()));
    println!("crash: {rounds} rounds with {SEED_VARIABLE}={seed}");
    let mut random = Random::seeded(seed);
    let mut home = Home::new();
    let acknowledged: Arc<Mutex<AcknowledgedMessages>> = Arc::default();
    let mut total = 0;
    for round in 0..rounds {
        if round % ROUNDS_PER_FOLDER == 0 {
            home = Home::new();
            acknowledged.lock().expect("no client failed").clear();
        }
        let delay = Duration::from_millis(random.below(LATEST_KILL_MS) as u64);
        run_and_kill(&home, round, delay, &acknowledged);
        let known = acknowledged.lock().expect("no client failed").clone();
        let turns: usize = known.values().map(BTreeSet::len).sum();
        println!("crash: round {round}, killed after {delay:?}, {turns} turns acknowledged on this folder");
        total += turns;
        check(&home, &known);
    }
    // On a busy machine none may have lived long enough to be told anything: then they live longer.
    for more in 1..=6 {
        if total > 0 {
            return;
        }
        let delay = Duration::from_secs(1 << more);
        run_and_kill(&home, rounds + more, delay, &acknowledged);
        let known = acknowledged.lock().expect("no client failed").clone();
        total += known.values().map(BTreeSet::len).sum::<usize>();
        check(&home, &known);
    }
    assert!(total > 0, "no server lived long enough to be told anything");
}

fn run_and_kill(home: &Home, round: u64, delay: Duration, acknowledged: &Arc<Mutex<AcknowledgedMessages>>) {
    let server = home.serve();
    let stop = Arc::new(AtomicBool::new(false));
    let clients: Vec<_> = (0..CLIENTS)
        .map(|client| {
            let (address, stop) = (server.address, Arc::clone(&stop));
            let acknowledged = Arc::clone(acknowledged);
            std::thread::spawn(move || talk(address, &format!("r{round}c{client}"), &stop, &acknowledged))
        })
        .collect();
    std::thread::sleep(delay);
    server.kill();
    stop.store(true, Ordering::SeqCst);
    for client in clients {
        client.join().expect("a client only stops");
    }
}

/// Conversations that grow by a message each time they are sent, whole, as clients resend them.
fn talk(address: SocketAddr, name: &str, stop: &AtomicBool, acknowledged: &Mutex<AcknowledgedMessages>) {
    for number in 0.. {
        let session = format!("{name}n{number}");
        let mut messages = Vec::new();
        for part in 0..3 {
            if stop.load(Ordering::SeqCst) {
                return;
            }
            let id = format!("{session}m{part}");
            let text = format!(
                "I prefer tea number {number} over coffee number {part}, and I have been meaning to say so for a long while now."
            );
            messages.push(json!({ "role": "user", "id": id, "content": text }));
            messages.push(json!({ "role": "assistant", "id": format!("{id}a"), "content": "Noted." }));
            let body = json!({ "conversation_id": session, "messages": messages });
            let Some((200, _)) = post(address, "/memory/ingest", &body) else { return };
            let mut acknowledged = acknowledged.lock().expect("no client failed");
            acknowledged.entry(session.clone()).or_default().extend([format!("{id}a"), id]);
        }
        if post(address, &format!("/api/memory/sessions/{session}/end"), &json!({})).is_none() {
            return;
        }
    }
}

/// The answer, or nothing where the server went away.
fn post(address: SocketAddr, path: &str, body: &Value) -> Option<(u16, String)> {
    let body = body.to_string();
    let mut stream = TcpStream::connect(address).ok()?;
    stream.set_read_timeout(Some(PATIENCE)).ok()?;
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: {}",
        body.len()
    );
    stream.write_all(format!("{head}\r\n\r\n{body}").as_bytes()).ok()?;
    let mut text = String::new();
    stream.read_to_string(&mut text).ok()?;
    let (head, body) = text.split_once("\r\n\r\n")?;
    let status = head.split_whitespace().nth(1)?.parse().ok()?;
    // A body cut off by the kill was never said.
    body.ends_with('}').then(|| (status, body.to_owned()))
}

/// Opens the folder as the next process does, lets it recover, and compares.
fn check(home: &Home, acknowledged: &AcknowledgedMessages) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
    runtime.expect("a runtime").block_on(async {
        let tenants =
            Tenants::open_folder(&home.data(), TenantsOptions::default()).expect("it opens after a kill");
        let clock = ManualClock::seeded(1);
        clock.set(SystemClock.now().plus_seconds(3_600));
        let house = Services { clock: Arc::new(clock), ..Services::new(tenants, None) };
        let caller = house.admit(Credential::Loopback).await.expect("this machine may");
        let tenant = house.attend(caller.tenant()).await.expect("the tenant opens");
        recover(&house, &tenant).await;
        let sessions = sessions(&tenant).await;
        for session in &sessions {
            check_session(&tenant, session, acknowledged).await;
        }
        let names: BTreeSet<&str> = sessions.iter().map(|session| session.key.session.as_str()).collect();
        for name in acknowledged.keys() {
            assert!(names.contains(name.as_str()), "the session {name} was acknowledged, and is lost");
        }
        assert_eq!(tenant.pending(10).await.expect("listed"), [], "nothing waits any more");
        drop(tenant);
        house.tenants.close().await;
    });
}

/// What `serve` does at its start, until nothing is left to do.
async fn recover(house: &Services, tenant: &Tenant) {
    let worker = Worker::default();
    let (stop, stopped) = tokio::sync::watch::channel(false);
    let task = tokio::spawn(worker.clone().run(house.clone(), stopped));
    super::until("everything left is taken up", || async {
        let waiting = tenant.waiting_sessions(1).await.expect("listed");
        let idle = tenant.idle_sessions(house.clock.now(), 1).await.expect("listed");
        waiting.is_empty() && idle.is_empty()
    })
    .await;
    stop.send_replace(true);
    task.await.expect("the worker ends");
}

async fn sessions(tenant: &Tenant) -> Vec<Session> {
    let page = PageRequest { limit: 1_000, offset: 0, order: Order::Oldest, counted: true };
    let page = tenant.list_sessions(&Filter::ever(), page).await.expect("sessions can be listed");
    assert_eq!(page.total, page.items.len() as u64, "all of them");
    page.items
}

async fn check_session(tenant: &Tenant, session: &Session, acknowledged: &AcknowledgedMessages) {
    let name = session.key.session.as_str();
    let turns = tenant.session_turns(&session.key, 0, 100).await.expect("turns can be read");
    let mut ids: Vec<&str> = turns.iter().filter_map(|turn| turn.external_id.as_deref()).collect();
    let stored = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), stored, "{name}: a turn is there twice");
    for id in acknowledged.get(name).into_iter().flatten() {
        assert!(ids.contains(&id.as_str()), "{name}: turn {id} was acknowledged, and is lost");
    }
    let mut filter = Filter { statuses: vec![Status::Active], ..Filter::ever() };
    filter.session = Some(session.key.session.clone());
    let episodes = tenant.list_episodes(&filter, PageRequest::first(10)).await.expect("listed");
    // A digest that told nothing but what a later conversation ended is gone.
    assert!(episodes.total <= 1, "{name}: at most one active episode");
    assert!(session.ended_at.is_some(), "{name}: it has ended");
}
