//! Connections that want nothing, or never say what: they cost little, end, and keep nobody else out.

use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::Command;
use std::time::{Duration, Instant};

use recollect::app::{AppState, app};
use recollect::connections::{self, ListenerBounds};
use recollect::ops::Services;
use store::{Tenants, TenantsOptions};
use tokio::net::TcpListener;
use tokio::sync::watch;

use super::support::{Home, PATIENCE, RunningServer};

const REQUEST: &[u8] = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";
/// Bounds short enough to wait for; those that a test is not about are as usual.
const SOON: Duration = Duration::from_millis(300);
const LATE: Duration = Duration::from_secs(600);
const BOUNDS: ListenerBounds = ListenerBounds { connections: 100, head_within: LATE, body_stalls: LATE };

/// An app behind these bounds; it serves until the sender is dropped.
async fn serve(bounds: ListenerBounds) -> (SocketAddr, watch::Sender<bool>) {
    let tenants = Tenants::in_memory(TenantsOptions::default()).expect("a store in memory");
    let router = app(AppState::new(Services::new(tenants, None)));
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("bound");
    let (stop, stopped) = watch::channel(false);
    tokio::spawn(connections::accept(listener, router, bounds, stopped));
    (address, stop)
}

fn connect(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(address).expect("listening");
    stream.set_read_timeout(Some(PATIENCE)).expect("set");
    stream
}

/// Sends a request and reads the head of its answer; the connection stays open.
fn ask(stream: &mut TcpStream) -> String {
    stream.write_all(REQUEST).expect("sent");
    let mut answer = [0; 4096];
    let count = stream.read(&mut answer).expect("an answer");
    String::from_utf8_lossy(&answer[..count]).into_owned()
}

/// What comes until the other side closes; an error where it does not.
fn rest(stream: &mut TcpStream) -> std::io::Result<String> {
    let mut text = Vec::new();
    match stream.read_to_end(&mut text) {
        // A reset closes too: something that was sent was not read.
        Err(error) if error.kind() != ErrorKind::ConnectionReset => Err(error),
        _ => Ok(String::from_utf8_lossy(&text).into_owned()),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_head_that_is_not_finished_in_time_ends_the_connection() {
    let (address, _stop) = serve(ListenerBounds { head_within: SOON, ..BOUNDS }).await;
    let silent = connect(address);
    let mut half = connect(address);
    half.write_all(b"GET /healthz HTTP/1.1\r\nHost:").expect("sent");
    let mut used = connect(address);
    assert!(ask(&mut used).starts_with("HTTP/1.1 200"));
    for mut stream in [silent, half, used] {
        assert_eq!(rest(&mut stream).expect("closed by the server"), "");
    }
    // Bytes that trickle in do not put the end off.
    let mut slow = connect(address);
    let start = Instant::now();
    while slow.write_all(b"G").is_ok() {
        assert!(start.elapsed() < PATIENCE, "still open");
        tokio::time::sleep(SOON / 10).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_that_stops_coming_is_given_up() {
    let (address, _stop) = serve(ListenerBounds { body_stalls: SOON, ..BOUNDS }).await;
    for path in ["/api/memory", "/v1/chat/completions", "/mcp"] {
        let mut stream = connect(address);
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
             Accept: application/json, text/event-stream\r\nContent-Length: 1000\r\n\r\n{{\"content\":"
        );
        stream.write_all(head.as_bytes()).expect("sent");
        let answer = rest(&mut stream).expect("closed by the server");
        assert!(answer.starts_with("HTTP/1.1 4") || answer.starts_with("HTTP/1.1 5"), "{path}: {answer}");
    }
    // A body that comes slowly, and comes, is read to its end.
    let mut stream = connect(address);
    let body = "{\"content\":\"slowly\"}";
    let head = format!(
        "POST /api/memory HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).expect("sent");
    for byte in body.as_bytes() {
        tokio::time::sleep(SOON / 10).await;
        stream.write_all(&[*byte]).expect("still open");
    }
    let answer = rest(&mut stream).expect("an answer");
    assert!(answer.starts_with("HTTP/1.1 20"), "{answer}");
}

#[tokio::test(flavor = "multi_thread")]
async fn where_all_slots_are_taken_the_next_waits_for_one() {
    let (address, _stop) = serve(ListenerBounds { connections: 2, ..BOUNDS }).await;
    let (first, second) = (connect(address), connect(address));
    let mut third = connect(address);
    third.set_read_timeout(Some(SOON)).expect("set");
    third.write_all(REQUEST).expect("the system takes it");
    let waits = third.read(&mut [0; 16]).expect_err("nobody answers yet");
    assert!(matches!(waits.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut), "{waits}");
    drop(first);
    third.set_read_timeout(Some(PATIENCE)).expect("set");
    let mut answer = [0; 16];
    third.read_exact(&mut answer).expect("an answer");
    assert!(answer.starts_with(b"HTTP/1.1 200"));
    drop(second);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_waits_for_a_slot_does_not_hold_up_the_end() {
    let (address, stop) = serve(ListenerBounds { connections: 1, ..BOUNDS }).await;
    let mut only = connect(address);
    assert!(ask(&mut only).starts_with("HTTP/1.1 200"));
    let mut waiting = connect(address);
    stop.send_replace(true);
    assert_eq!(rest(&mut only).expect("idle, so closed"), "");
    assert_eq!(rest(&mut waiting).expect("never let in"), "");
    assert!(TcpStream::connect(address).is_err(), "nobody listens any more");
}

#[test]
fn http2_without_tls_is_not_spoken() {
    let home = Home::new();
    let server = home.serve();
    let mut stream = connect(server.address);
    // The preface of HTTP/2 and empty settings.
    stream.write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0").expect("sent");
    let answer = rest(&mut stream).expect("closed by the server");
    assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 4"), "{answer:?}");
    assert_eq!(server.http("GET /healthz HTTP/1.1").status, 200);
}

/// Bytes of a process that are resident.
fn resident(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).expect("a process");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("it says how much");
    1024 * line.trim().trim_end_matches(" kB").parse::<u64>().expect("a number")
}

#[test]
fn a_thousand_idle_connections_cost_little() {
    const CONNECTIONS: u64 = 1_000;
    // With a table of routes for each, it was 195 KiB in a release build.
    const MOST_EACH: u64 = 60 * 1024;
    let home = Home::new();
    let server = home.serve();
    assert_eq!(server.http("GET /healthz HTTP/1.1").status, 200);
    let before = resident(server.pid());
    let mut open: Vec<TcpStream> = (0..CONNECTIONS).map(|_| connect(server.address)).collect();
    for stream in open.iter_mut().step_by(2) {
        assert!(ask(stream).starts_with("HTTP/1.1 200"));
    }
    let each = resident(server.pid()).saturating_sub(before) / CONNECTIONS;
    println!("{each} bytes for each idle connection");
    assert!(each < MOST_EACH, "{each} bytes for each idle connection");
}

/// A server that may open this many files.
fn serve_with_files(home: &Home, files: u32) -> RunningServer {
    let plain = home.command();
    let mut command = Command::new("sh");
    command.arg("-c").arg(format!("ulimit -n {files} && exec \"$0\" \"$@\"")).arg(plain.get_program());
    for (name, value) in plain.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    RunningServer::start(command.current_dir(home.path()).args(["serve", "--listen", "127.0.0.1:0"]))
}

#[test]
fn the_socket_answers_while_strangers_hold_the_network() {
    let home = Home::new();
    let mut server = serve_with_files(&home, 64);
    let strangers: Vec<TcpStream> = (0..100).map(|_| connect(server.address)).collect();
    server.wait_for("all connections are taken");
    home.add("through the socket");
    server.wait_for("route=\"/rpc\"");
    assert_eq!(home.search("socket"), ["through the socket"]);
    drop(strangers);
    assert_eq!(server.http("GET /readyz HTTP/1.1").status, 200, "and the network too, once they are gone");
}
