//! `/mcp`: the same tools for whoever has a key, and nothing for strangers.

use serde_json::{Value, json};

use super::super::support::{Home, HttpReply, RunningServer};

/// One JSON-RPC request, with more headers.
pub(super) fn post(
    server: &RunningServer,
    path: &str,
    headers: &[(&str, &str)],
    message: &Value,
) -> HttpReply {
    let body = message.to_string();
    let host = headers.iter().find(|(name, _)| *name == "Host").map_or("localhost", |(_, value)| *value);
    let more: String = headers
        .iter()
        .filter(|(name, _)| *name != "Host")
        .map(|(name, value)| format!("{name}: {value}\r\n"))
        .collect();
    server.send(&format!(
        "POST {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2025-06-18\r\n{more}\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    ))
}

pub(super) fn call(tool: &str, arguments: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": tool, "arguments": arguments } })
}

fn list() -> Value {
    json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" })
}

pub(super) fn answer(reply: &HttpReply) -> Value {
    assert_eq!(reply.status, 200, "{}", reply.body);
    serde_json::from_str(&reply.body).unwrap_or_else(|error| panic!("{error}: {}", reply.body))
}

#[test]
fn tools_answer_over_http_without_a_session() {
    let home = Home::new();
    let server = home.serve();
    let hello = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "test", "version": "1" } } });
    let reply = post(&server, "/mcp", &[], &hello);
    assert_eq!(answer(&reply)["result"]["serverInfo"]["name"], "recollect");
    assert!(!reply.head.contains("mcp-session-id"), "nothing is kept between requests: {}", reply.head);
    let said = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    assert_eq!(post(&server, "/mcp", &[], &said).status, 202);
    let mara = [("X-Recollect-User-Id", "mara")];
    let added =
        answer(&post(&server, "/mcp", &mara, &call("memory_add", json!({ "content": "Mara rows." }))));
    assert_eq!(added["result"]["structuredContent"]["created"], true, "{added}");
    let search = call("memory_search", json!({ "query": "rows" }));
    let found = answer(&post(&server, "/mcp", &mara, &search));
    assert_eq!(found["result"]["structuredContent"]["results"][0]["content"], "Mara rows.");
    let found = answer(&post(&server, "/mcp", &[("X-Recollect-User-Id", "otto")], &search));
    assert_eq!(found["result"]["structuredContent"]["results"], json!([]));
    assert_eq!(server.http("GET /mcp HTTP/1.1").status, 405);
}

#[test]
fn profiles_and_tools_are_chosen_in_the_address() {
    let home = Home::new();
    let server = home.serve();
    let listed = answer(&post(&server, "/mcp?profile=omniroute", &[], &list()));
    assert_eq!(listed["result"]["tools"][0]["name"], "omniroute_memory_search");
    let listed = answer(&post(&server, "/mcp?tools=get_identity", &[], &list()));
    assert_eq!(listed["result"]["tools"].as_array().map(Vec::len), Some(1));
    for wrong in ["/mcp?profile=mem1", "/mcp?tools=none"] {
        assert_eq!(post(&server, wrong, &[], &list()).status, 400, "{wrong}");
    }
}

#[test]
fn strangers_and_foreign_pages_are_turned_away() {
    let home = Home::new();
    let made = home.json(&["keys", "create", "--tenant", "acme", "--role", "read"]);
    let secret = made["key"].as_str().unwrap_or_else(|| panic!("{made}")).to_owned();
    let server = home.serve();
    assert_eq!(post(&server, "/mcp", &[], &list()).status, 401);
    assert_eq!(post(&server, "/mcp", &[("Authorization", "Bearer rk_wrong")], &list()).status, 401);
    let bearer = format!("Bearer {secret}");
    for header in [("Authorization", bearer.as_str()), ("X-API-Key", &secret), ("X-Recollect-Key", &secret)] {
        assert_eq!(post(&server, "/mcp", &[header], &list()).status, 200, "{header:?}");
    }
    let key = ("X-Recollect-Key", secret.as_str());
    assert_eq!(post(&server, "/mcp", &[key, ("Host", "evil.example")], &list()).status, 403);
    assert_eq!(post(&server, "/mcp", &[key, ("Origin", "https://evil.example")], &list()).status, 403);
    assert_eq!(post(&server, "/mcp", &[key, ("Origin", "http://localhost:6274")], &list()).status, 200);
    let refused = answer(&post(&server, "/mcp", &[key], &call("memory_add", json!({ "content": "x" }))));
    let said = refused["result"]["content"][0]["text"].as_str().expect("text");
    assert!(refused["result"]["isError"] == true && said.contains("role"), "{refused}");
}

#[test]
fn what_is_too_large_or_not_json_is_refused() {
    let home = Home::new();
    let server = home.serve();
    let large = call("memory_add", json!({ "content": "x".repeat(recollect::limits::BODY_BYTES) }));
    assert_eq!(post(&server, "/mcp", &[], &large).status, 413);
    let reply = post(&server, "/mcp", &[], &json!("nonsense"));
    assert!((400..500).contains(&reply.status), "{} {}", reply.status, reply.body);
    let long = call("memory_add", json!({ "content": "long ".repeat(10_000) }));
    let refused = answer(&post(&server, "/mcp", &[], &long));
    assert_eq!(refused["result"]["isError"], true, "{refused}");
}
