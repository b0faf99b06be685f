//! Backups of a server under way: all that was acknowledged before one began is in it, and no batch is in it by half.

use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rusqlite::Connection;
use serde_json::{Value, json};

use super::{back_up, check_integrity, shelf, text};
use crate::support::{Home, PATIENCE};

const WRITERS: usize = 3;
const BACKUPS: usize = 4;
/// Messages of one conversation, taken in by one call.
const MESSAGES: usize = 6;

/// What the server said it has: memories by their ids, and conversations that it has whole.
#[derive(Default, Clone)]
struct AcknowledgedWrites {
    memories: BTreeSet<String>,
    sessions: BTreeSet<String>,
}

#[test]
fn everything_acknowledged_before_a_backup_began_is_in_it() {
    let home = Home::new();
    let server = home.serve();
    let (stop, acknowledged) =
        (Arc::new(AtomicBool::new(false)), Arc::<Mutex<AcknowledgedWrites>>::default());
    let writers: Vec<_> = (0..WRITERS)
        .map(|writer| {
            let (address, stop, acknowledged) =
                (server.address, Arc::clone(&stop), Arc::clone(&acknowledged));
            std::thread::spawn(move || write(address, writer, &stop, &acknowledged))
        })
        .collect();
    let mut made = Vec::new();
    for _ in 0..BACKUPS {
        std::thread::sleep(Duration::from_millis(250));
        let before = acknowledged.lock().expect("no writer failed").clone();
        made.push((before, back_up(&home)));
    }
    stop.store(true, Ordering::SeqCst);
    for writer in writers {
        writer.join().expect("writers only stop");
    }
    assert_eq!(server.http("GET /readyz HTTP/1.1").status, 200, "the server minds none of it");
    let written = made.last().map(|(before, _)| before.memories.len()).expect("made");
    assert!(written > BACKUPS, "only {written} were written; nothing is shown by this");
    for (before, taken) in made {
        check(&home, &before, taken["name"].as_str().expect("a name"));
    }
}

fn check(home: &Home, before: &AcknowledgedWrites, name: &str) {
    let other = Home::new();
    other.json(&["restore", text(&shelf(home)), "--at", name]);
    let database = other.data().join("tenants/local.sqlite3");
    check_integrity(&database);
    check_integrity(&other.data().join("control.sqlite3"));
    let connection = Connection::open(&database).expect("opens");
    let texts = |sql: &str| -> Vec<String> {
        let mut statement = connection.prepare(sql).expect("sound");
        let rows = statement.query_map([], |row| row.get(0)).expect("read");
        rows.collect::<Result<_, _>>().expect("texts")
    };
    let memories: BTreeSet<String> = texts("SELECT id FROM memory").into_iter().collect();
    let lost: Vec<_> = before.memories.difference(&memories).collect();
    assert!(lost.is_empty(), "{name} lacks {lost:?}");
    let whole = format!(
        "SELECT s.session FROM session s JOIN turn t ON t.session_row = s.row GROUP BY s.row HAVING count(*) = {MESSAGES}"
    );
    let whole: BTreeSet<String> = texts(&whole).into_iter().collect();
    let begun: BTreeSet<String> = texts("SELECT session FROM session").into_iter().collect();
    assert_eq!(whole, begun, "{name} has a conversation by half");
    assert!(before.sessions.is_subset(&whole), "{name} lacks a conversation");
    drop(connection);
    assert!(other.json(&["list"])["total"].as_u64().expect("a number") >= before.memories.len() as u64);
}

fn write(address: SocketAddr, writer: usize, stop: &AtomicBool, acknowledged: &Mutex<AcknowledgedWrites>) {
    for number in 0.. {
        if stop.load(Ordering::SeqCst) {
            return;
        }
        let content = format!("Writer {writer} wrote note {number}");
        let made = post(address, "/api/memory", &json!({ "content": content, "type": "factual" }));
        let id = made["id"].as_str().unwrap_or_else(|| panic!("{made}")).to_owned();
        acknowledged.lock().expect("no writer failed").memories.insert(id);
        let session = format!("w{writer}n{number}");
        let messages: Vec<Value> = (0..MESSAGES)
            .map(|place| json!({ "role": "user", "id": format!("{session}m{place}"), "content": format!("part {place}") }))
            .collect();
        let body = json!({ "conversation_id": session, "messages": messages, "skip_extraction": true });
        post(address, "/memory/ingest", &body);
        acknowledged.lock().expect("no writer failed").sessions.insert(session);
    }
}

fn post(address: SocketAddr, path: &str, body: &Value) -> Value {
    let body = body.to_string();
    let mut stream = TcpStream::connect(address).expect("the server listens");
    stream.set_read_timeout(Some(PATIENCE)).expect("set");
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: {}",
        body.len()
    );
    stream.write_all(format!("{head}\r\n\r\n{body}").as_bytes()).expect("sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    let (head, body) = answer.split_once("\r\n\r\n").expect("head and body");
    assert!(head.starts_with("HTTP/1.1 20"), "{answer}");
    serde_json::from_str(body).expect("JSON")
}
