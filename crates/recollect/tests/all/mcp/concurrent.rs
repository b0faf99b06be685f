//! Many clients on one data folder, with and without a server that is killed half-way: what was acknowledged is there,
//! once.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::json;

use super::super::support::contents;
use super::{Home, StdioClient, text};

const CLIENTS: usize = 10;
const ADDS: usize = 20;

#[test]
fn ten_clients_without_a_server_lose_nothing() {
    let home = Home::new();
    // The folder exists before all of them want to make it.
    home.add("The beginning.");
    let done = AtomicUsize::new(0);
    let acknowledged = add_from_all(&home, &done);
    assert_eq!(acknowledged.len(), CLIENTS * ADDS, "without a server nothing can fail");
    check(&home, &acknowledged);
}

#[test]
fn ten_clients_lose_nothing_when_the_server_is_killed_half_way() {
    let home = Home::new();
    let server = home.serve();
    let done = AtomicUsize::new(0);
    let acknowledged = std::thread::scope(|scope| {
        let (home, done) = (&home, &done);
        let adding = scope.spawn(move || add_from_all(home, done));
        wait_for(done, CLIENTS * ADDS / 3);
        server.kill();
        wait_for(done, CLIENTS * ADDS * 2 / 3);
        // One that returns is used again, beside those who have opened the store meanwhile.
        let returned = home.serve();
        let acknowledged = adding.join().expect("all are done");
        drop(returned);
        acknowledged
    });
    check(&home, &acknowledged);
}

#[test]
fn a_client_goes_on_by_itself_and_back_to_a_server_that_returns() {
    let home = Home::new();
    let server = home.serve();
    let mut client = StdioClient::start(&home, &[]);
    client.call("memory_add", json!({ "content": "Said to the first server." }));
    server.kill();
    client.call("memory_add", json!({ "content": "Said to nobody but the store." }));
    assert_eq!(
        client.call("memory_search", json!({ "query": "said" }))["results"].as_array().map(Vec::len),
        Some(2)
    );
    let returned = home.serve();
    client.call("memory_add", json!({ "content": "Said to the second server." }));
    assert_eq!(
        client.call("memory_search", json!({ "query": "said" }))["results"].as_array().map(Vec::len),
        Some(3)
    );
    let reply = returned.http("GET /metrics HTTP/1.1");
    let used = reply.body.lines().any(|line| line.contains("/rpc") && line.contains("200"));
    assert!(used, "the server that returned was asked: {}", reply.body);
}

/// Every client adds its own sentences, repeating those of which it is told that nobody knows what became of them.
fn add_from_all(home: &Home, done: &AtomicUsize) -> BTreeSet<String> {
    std::thread::scope(|scope| {
        let clients: Vec<_> =
            (0..CLIENTS).map(|number| scope.spawn(move || add_from(home, number, done))).collect();
        clients.into_iter().flat_map(|client| client.join().expect("a client ends well")).collect()
    })
}

fn add_from(home: &Home, number: usize, done: &AtomicUsize) -> Vec<String> {
    let mut client = StdioClient::start(home, &[]);
    let sentence = |serial| format!("Client {number} says sentence {serial}.");
    (0..ADDS)
        .map(sentence)
        .inspect(|content| {
            let mut result = client.result("memory_add", json!({ "content": content }));
            while result["isError"] == true {
                assert!(text(&result).contains("call it again with the same content"), "{result}");
                result = client.result("memory_add", json!({ "content": content }));
            }
            done.fetch_add(1, Ordering::SeqCst);
        })
        .collect()
}

fn wait_for(done: &AtomicUsize, count: usize) {
    while done.load(Ordering::SeqCst) < count {
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn check(home: &Home, acknowledged: &BTreeSet<String>) {
    let listed = home.json(&["list", "--limit", "500"]);
    let there: Vec<String> =
        contents(&listed["memories"]).into_iter().filter(|content| content.starts_with("Client")).collect();
    let once: BTreeSet<String> = there.iter().cloned().collect();
    assert_eq!(there.len(), once.len(), "nothing is there twice");
    assert_eq!(once, *acknowledged);
    assert_eq!(acknowledged.len(), CLIENTS * ADDS);
}
