//! What counts as a use of a memory: to be served for a message, over REST or by a tool. Who looks uses nothing, and neither does who may
//! only read. What chats use is in [`crate::proxy`] and [`crate::feedback`].

use std::time::{Duration, Instant};

use axum::http::Method;
use serde_json::{Value, json};
use store::Role;

use crate::mcp::StdioClient;
use crate::rest::api::{Api, house, operate};
use crate::support::{Home, PATIENCE};

const CONTEXT: &str = "/api/memory/context";
const SEARCH: &str = "/api/memory/search";
/// What a message about food is helped by.
const DIET: &str = "I am allergic to peanuts";
const DINNER: &str = "What should I avoid eating at the restaurant tonight?";

/// How often a memory was used, as the command line tells.
fn uses(home: &Home, id: &str) -> u64 {
    home.json(&["show", id])["counters"]["use_count"].as_u64().expect("a number")
}

/// Waits until a memory was used so often: a use is counted behind the answer.
fn until_used(home: &Home, id: &str, times: u64) {
    let deadline = Instant::now() + PATIENCE;
    while uses(home, id) != times {
        assert!(Instant::now() < deadline, "{} uses are counted, not {times}", uses(home, id));
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_context_over_rest_uses_what_helps_and_nothing_of_the_portrait() {
    let home = Home::new();
    let (town, diet) = (home.add("I live in Irvine"), home.add(DIET));
    let server = home.serve();
    let told = |message: &str| server.post(CONTEXT, &json!({ "message": message })).1["block"].to_string();
    assert!(told("Hello there!").contains("Irvine"), "a conversation begins with who the user is");
    let block = told(DINNER);
    assert!(block.contains("Irvine") && block.contains("peanuts"), "{block}");
    until_used(&home, &diet, 1);
    assert_eq!(uses(&home, &town), 0, "to be introduced is no use");
    let shown = home.json(&["show", &diet]);
    assert!(shown["counters"]["last_used_at"].is_string(), "{shown}");
}

#[test]
fn a_search_over_rest_uses_what_it_finds() {
    let home = Home::new();
    let (bees, cats) = (home.add("Mara keeps bees"), home.add("Otto feeds cats"));
    let server = home.serve();
    assert_eq!(server.post(SEARCH, &json!({ "query": "bees", "top_k": 1 })).0, 200);
    until_used(&home, &bees, 1);
    let (status, found) = server.post("/v2/memories/search/", &json!({ "query": "bees", "top_k": 1 }));
    assert_eq!((status, found["results"].as_array().map(Vec::len)), (200, Some(1)), "{found}");
    until_used(&home, &bees, 2);
    assert_eq!(uses(&home, &cats), 0);
}

#[test]
fn who_looks_uses_nothing() {
    let home = Home::new();
    let id = home.add(DIET);
    let look = || {
        assert!(home.json(&["context", DINNER])["block"].to_string().contains("peanuts"));
        home.json(&["context", "--explain", DINNER]);
        assert_eq!(home.search("peanuts"), [DIET]);
    };
    look();
    let server = home.serve();
    look();
    let looks = json!({ "message": DINNER, "explain": true, "counts_use": false });
    assert!(server.post(CONTEXT, &looks).1["block"].to_string().contains("peanuts"));
    assert_eq!(server.post(SEARCH, &json!({ "query": "peanuts", "countsUse": false })).0, 200);
    assert_eq!(server.post("/api/memory/retrieve-preview", &json!({ "query": "peanuts" })).0, 200);
    assert_eq!(uses(&home, &id), 0);
    // Whatever the looks had counted would be there before this use.
    server.post(SEARCH, &json!({ "query": "peanuts" }));
    until_used(&home, &id, 1);
}

#[test]
fn tools_use_what_they_tell() {
    let home = Home::new();
    let (diet, town) = (home.add(DIET), home.add("Otto lives in Oslo"));
    let mut used = 0;
    for (profile, tool, arguments) in [
        ("default", "memory_search", json!({ "query": "peanuts", "limit": 1 })),
        ("default", "search_memory", json!({ "query": "peanuts", "scope": "pinned", "top_k": 1 })),
        ("default", "memory_context", json!({ "message": DINNER })),
        ("mem0", "search_memories", json!({ "query": "peanuts", "limit": 1 })),
        ("omniroute", "omniroute_memory_search", json!({ "query": "peanuts", "limit": 1 })),
    ] {
        let mut client = StdioClient::start(&home, &["--profile", profile]);
        let told = client.call(tool, arguments).to_string();
        assert!(told.contains("peanuts"), "{tool}: {told}");
        // A program that leaves at once takes no count with it.
        assert_eq!(client.end().1, Some(0), "{tool}");
        used += 1;
        assert_eq!(uses(&home, &diet), used, "{tool}");
    }
    assert_eq!(uses(&home, &town), 0);
    let mut client = StdioClient::start(&home, &["--profile", "omniroute"]);
    assert_eq!(client.call("omniroute_memory_search", json!({}))["data"]["count"], 2);
    client.end();
    assert_eq!((uses(&home, &diet), uses(&home, &town)), (used, 0), "to list what there is is a look");
}

#[test]
fn tools_that_go_through_a_server_use_what_they_tell() {
    let home = Home::new();
    let diet = home.add(DIET);
    let _server = home.serve();
    for (times, profile, tool) in [(1, "default", "memory_search"), (2, "mem0", "search_memories")] {
        let mut client = StdioClient::start(&home, &["--profile", profile]);
        assert!(client.call(tool, json!({ "query": "peanuts" })).to_string().contains("peanuts"));
        until_used(&home, &diet, times);
    }
}

#[tokio::test]
async fn who_may_only_read_uses_nothing() {
    let house = house();
    let [reader, writer] =
        [Api::of(&house, "acme", Role::Read, &[]).await, Api::of(&house, "acme", Role::Memory, &[]).await];
    let id = writer.add(json!({ "content": "Mara keeps bees", "user": "mara" })).await;
    let counted = async || {
        house.backlog.settled(PATIENCE).await;
        let show = serde_json::from_value(json!({ "operation": "show", "id": id })).expect("an operation");
        let shown = serde_json::to_value(operate(&house, "acme", show).await).expect("plain data");
        shown["counters"]["use_count"].as_u64().expect("a number")
    };
    let search = async |api: &Api| {
        for path in [SEARCH, "/search"] {
            let found = api.call(Method::POST, path, json!({ "query": "bees", "user_id": "mara" })).await;
            let found: Value = found.fine();
            assert_eq!(found["results"].as_array().map(Vec::len), Some(1), "{path}: {found}");
        }
    };
    search(&reader).await;
    assert_eq!(counted().await, 0, "a count is a write");
    search(&writer).await;
    assert_eq!(counted().await, 2);
}
