//! `recollect serve`: what it says, what it refuses, and how it leaves.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, Instant};

use super::support::{Home, PATIENCE, RunningServer};

#[test]
fn it_says_where_it_is_and_how_to_stop_it() {
    let home = Home::new();
    let server = home.serve();
    let reply = server.http("GET /healthz HTTP/1.1\r\nx-request-id: abc");
    assert_eq!(reply.status, 200);
    assert!(reply.head.contains("x-request-id: abc"), "{}", reply.head);
    assert!(reply.body.contains("\"ok\""));
    assert_eq!(server.http("GET /readyz HTTP/1.1").status, 200);
    assert_eq!(server.http("POST /rpc HTTP/1.1").status, 404, "operations are not taken from the network");
    server.signal("TERM");
    let (code, said) = server.wait();
    assert_eq!(code, Some(0), "{said:#?}");
    let said = said.join("\n");
    let data = format!("data: {}", home.data().display());
    for part in [
        "listening on http://127.0.0.1:",
        &data,
        "recollect settings set enabled false",
        "some 200 tokens a conversation",
        "stop with Ctrl-C",
        "stopped",
    ] {
        assert!(said.contains(part), "{part:?} is not in {said}");
    }
}

#[test]
fn it_says_who_answers_and_its_address_leads_somewhere() {
    let home = Home::new();
    let mut server = home.serve();
    server.wait_for("chats are answered by recollect/recall alone");
    let reply = server.http("GET / HTTP/1.1");
    assert_eq!(reply.status, 303);
    assert!(reply.head.contains("location: /docs"), "{}", reply.head);
    drop(server);
    let mut command = home.command();
    command.args(["serve", "--listen", "127.0.0.1:0"]).env("OPENAI_BASE_URL", "http://127.0.0.1:9/v1");
    let mut server = RunningServer::start(&mut command);
    server.wait_for("chats are answered by openai (http://127.0.0.1:9/v1, the default)");
}

#[test]
fn it_says_when_memory_is_off() {
    let home = Home::new();
    home.run(["settings", "set", "enabled", "false"]);
    let mut server = home.serve();
    server.wait_for("memory is off; `recollect settings set enabled true` switches it on");
}

#[test]
fn the_socket_is_its_owners_alone() {
    let home = Home::new();
    let server = home.serve();
    let mode =
        |name: &str| std::fs::metadata(home.data().join(name)).expect("there").permissions().mode() & 0o777;
    assert_eq!(mode("recollect.sock"), 0o600);
    assert_eq!(mode(""), 0o700);
    server.signal("INT");
    assert_eq!(server.wait().0, Some(0));
    assert!(!home.data().join("recollect.sock").exists(), "taken away at the end");
}

/// Whoever made the folder may have let others in.
#[test]
fn a_data_folder_that_was_there_becomes_its_owners_alone() {
    let home = Home::new();
    std::fs::create_dir_all(home.data()).expect("made");
    std::fs::set_permissions(home.data(), std::fs::Permissions::from_mode(0o755)).expect("opened");
    home.add("Ada keeps a boat");
    let mode = std::fs::metadata(home.data()).expect("there").permissions().mode() & 0o777;
    assert_eq!(mode, 0o700);
}

#[test]
fn commands_go_through_it() {
    let home = Home::new();
    let mut command = home.command();
    let mut server = RunningServer::start(command.args(["serve", "--listen", "127.0.0.1:0"]));
    home.add("through the server");
    let line = server.wait_for("route=\"/rpc\"");
    assert!(line.contains("status=200"), "{line}");
    assert!(!line.contains("through the server"), "never what a memory says");
    let refused = home.run(["show", "mt_01890a5d-ac96-774b-bcce-b302099a8057"]);
    assert_eq!(refused.code, Some(1), "problems come through as they are");
    assert!(refused.stderr.contains("hint: `recollect list`"), "{refused:?}");
}

#[test]
fn logs_can_be_json_and_never_hold_contents() {
    let home = Home::new();
    let mut command = home.command();
    command.args(["serve", "--listen", "127.0.0.1:0", "--log-format", "json", "--log-level", "trace"]);
    let mut child = command
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("starts");
    while !home.data().join("recollect.sock").exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    home.add("heliotrope is my favourite colour");
    home.search("heliotrope");
    let kill = std::process::Command::new("kill").arg(child.id().to_string()).status();
    assert!(kill.expect("kill runs").success());
    let mut said = String::new();
    child.stderr.take().expect("piped").read_to_string(&mut said).expect("text");
    assert!(child.wait().expect("ends").success());
    let lines: Vec<serde_json::Value> =
        said.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let serving = lines.iter().find(|line| line["message"] == "serving").expect("says that it serves");
    assert_eq!(serving["memory"], "on");
    let request = lines.iter().find(|line| line["route"] == "/rpc").expect("logs requests");
    assert_eq!(request["status"], 200);
    assert!(request["span"]["id"].is_string(), "{request}");
    assert!(!said.contains("heliotrope"), "{said}");
}

#[test]
fn other_machines_are_refused_without_keys() {
    let home = Home::new();
    insta::assert_snapshot!(home.run(["serve", "--listen", "0.0.0.0:8377"]).transcript(&home), @"
    exit 1
    --- stdout
    --- stderr
    error: refusing to listen on 0.0.0.0:8377: without keys, everyone who can reach it could read everything
    hint: make a key first with `recollect keys create`, or listen on 127.0.0.1:8377, for this machine alone
    ");
    assert!(!home.data().exists(), "refused before anything is made");
}

#[test]
fn an_address_in_use_is_said_plainly() {
    let home = Home::new();
    let server = home.serve();
    let other = Home::new();
    let ran = other.run(["serve", "--listen", &server.address.to_string()]);
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.stderr.contains("cannot listen on") && ran.stderr.contains("hint: choose another"),
        "{ran:?}"
    );
}

#[test]
fn one_server_a_folder() {
    let home = Home::new();
    let server = home.serve();
    let ran = home.run(["serve", "--listen", "127.0.0.1:0"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.stderr.contains("a server is already running on"), "{ran:?}");
    home.add("the first still serves");
    assert_eq!(server.http("GET /readyz HTTP/1.1").status, 200);
}

#[test]
fn a_killed_server_leaves_nothing_in_the_way() {
    let home = Home::new();
    for round in 0..3 {
        let server = home.serve();
        home.add(&format!("round {round}"));
        server.kill();
        assert!(home.data().join("recollect.sock").exists(), "left behind");
        assert_eq!(home.search("round").len(), round + 1, "commands open the store themselves");
    }
}

#[test]
fn a_deep_data_folder_is_served_and_found() {
    let home = Home::new();
    let deep = home.path().join("deep".repeat(30)).join("er".repeat(30));
    let data = deep.display().to_string();
    let mut command = home.command();
    let mut server =
        RunningServer::start(command.args(["serve", "--listen", "127.0.0.1:0", "--data", &data]));
    home.json(&["--data", &data, "add", "found in the deep"]);
    server.wait_for("route=\"/rpc\"");
    assert!(deep.join("recollect.sock").exists());
}

#[test]
fn requests_under_way_are_finished() {
    let home = Home::new();
    let server = home.serve();
    // A request that has begun and not ended: its head was read, as the server says itself, and its body is not sent yet.
    let body = br#"{"content": "said while the server was told to stop"}"#;
    let head = format!(
        "POST /api/memory HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\
         Expect: 100-continue\r\nConnection: close\r\n\r\n",
        body.len()
    );
    let mut slow = TcpStream::connect(server.address).expect("listening");
    slow.write_all(head.as_bytes()).expect("sent");
    let mut begun = [0; 25];
    slow.read_exact(&mut begun).expect("the server waits for the body");
    assert!(begun.starts_with(b"HTTP/1.1 100"), "{:?}", String::from_utf8_lossy(&begun));
    server.signal("TERM");
    std::thread::sleep(Duration::from_millis(200));
    slow.write_all(body).expect("still open");
    let mut reply = String::new();
    slow.read_to_string(&mut reply).expect("an answer");
    assert!(reply.starts_with("HTTP/1.1 20"), "{reply:?}");
    assert_eq!(server.wait().0, Some(0));
}

#[test]
fn waiting_has_an_end() {
    let home = Home::new();
    let mut command = home.command();
    command.env("RECOLLECT_SERVER_DRAIN_SECONDS", "1").args(["serve", "--listen", "127.0.0.1:0"]);
    let server = RunningServer::start(&mut command);
    let mut endless = TcpStream::connect(server.address).expect("listening");
    endless.write_all(b"GET /healthz HTTP/1.1\r\nHost: x\r\n").expect("sent");
    std::thread::sleep(Duration::from_secs(1));
    let start = Instant::now();
    server.signal("TERM");
    let (code, said) = server.wait();
    assert_eq!(code, Some(0));
    assert!(start.elapsed() < PATIENCE, "{:?}", start.elapsed());
    assert!(said.join("\n").contains("still under way"), "{said:#?}");
}
