//! Keys that speak for one user, over `/mcp`: that user is the default, and naming another is refused by every tool.

use serde_json::{Value, json};

use super::http::{answer, call, post};
use crate::support::{Home, RunningServer};

/// A client with a key, which may name a user in the header that chats have for it.
struct KeyedClient<'s> {
    server: &'s RunningServer,
    key: String,
    header: Option<&'static str>,
}

impl KeyedClient<'_> {
    fn result(&self, path: &str, tool: &str, arguments: Value) -> Value {
        let mut headers = vec![("X-Recollect-Key", self.key.as_str())];
        headers.extend(self.header.map(|user| ("X-Recollect-User-Id", user)));
        answer(&post(self.server, path, &headers, &call(tool, arguments)))["result"].clone()
    }

    fn done(&self, path: &str, tool: &str, arguments: Value) -> Value {
        let result = self.result(path, tool, arguments);
        assert_ne!(result["isError"], true, "{tool}: {result}");
        result["structuredContent"].clone()
    }

    fn refusal(&self, path: &str, tool: &str, arguments: Value) -> String {
        let result = self.result(path, tool, arguments);
        assert_eq!(result["isError"], true, "{tool}: {result}");
        super::text(&result)
    }

    /// What a search for everybody's hobby finds.
    fn rowers(&self) -> Vec<String> {
        let found = self.done("/mcp", "memory_search", json!({ "query": "rows" }));
        let results = found["results"].as_array().unwrap_or_else(|| panic!("{found}"));
        results.iter().map(|row| row["content"].as_str().expect("text").to_owned()).collect()
    }
}

fn key(home: &Home, user: &str) -> String {
    let made = home.json(&["keys", "create", "--role", "memory", "--user", user]);
    made["key"].as_str().unwrap_or_else(|| panic!("{made}")).to_owned()
}

#[test]
fn the_keys_own_user_is_the_default() {
    let home = Home::new();
    let (adas, anybodys) = (key(&home, "ada"), key(&home, "*"));
    let server = home.serve();
    let ada = KeyedClient { server: &server, key: adas.clone(), header: None };
    let for_ada = KeyedClient { server: &server, key: anybodys.clone(), header: Some("ada") };
    let for_bob = KeyedClient { server: &server, key: anybodys, header: Some("bob") };
    ada.done("/mcp", "memory_add", json!({ "content": "Ada rows at dawn." }));
    for_bob.done("/mcp", "memory_add", json!({ "content": "Bob rows at dusk." }));
    assert_eq!(ada.rowers(), ["Ada rows at dawn."]);
    assert_eq!(for_ada.rowers(), ["Ada rows at dawn."], "stored as hers, though nobody said so");
    assert_eq!(for_bob.rowers(), ["Bob rows at dusk."]);
    let herself = KeyedClient { server: &server, key: adas, header: Some("ada") };
    assert_eq!(herself.rowers(), ["Ada rows at dawn."], "naming oneself is no offence");
    let all = ada.done("/mcp?profile=mem0", "get_memories", json!({ "filters": { "user_id": "*" } }));
    assert_eq!(all["count"], 1, "everybody is whoever the key may see: {all}");
    assert_eq!(ada.done("/mcp", "get_identity", json!({}))["user_id"], "ada");
}

#[test]
fn naming_another_user_is_refused_by_every_tool() {
    let home = Home::new();
    let (adas, anybodys) = (key(&home, "ada"), key(&home, "*"));
    let server = home.serve();
    let ada = KeyedClient { server: &server, key: adas.clone(), header: None };
    let as_bob = KeyedClient { server: &server, key: adas, header: Some("bob") };
    let for_bob = KeyedClient { server: &server, key: anybodys, header: Some("bob") };
    let secret = for_bob.done("/mcp", "memory_add", json!({ "content": "Bob rows at dusk." }));
    let secret = secret["traceId"].clone();

    for (tool, arguments) in [
        ("memory_search", json!({ "query": "rows" })),
        ("search_memory", json!({ "query": "rows", "scope": "transcript" })),
        ("memory_context", json!({ "message": "When do I row?" })),
        ("memory_add", json!({ "content": "Bob never rows." })),
        ("memory_clear", json!({ "type": "episodic" })),
        ("get_identity", json!({})),
    ] {
        let refused = as_bob.refusal("/mcp", tool, arguments);
        assert!(refused.contains("may not speak for user bob"), "{tool}: {refused}");
    }
    for (tool, arguments) in [
        ("add_memory", json!({ "text": "Bob never rows.", "user_id": "bob" })),
        ("search_memories", json!({ "query": "rows", "filters": { "user_id": "bob" } })),
        ("get_memories", json!({ "filters": { "OR": [{ "user_id": "ada" }, { "user_id": "bob" }] } })),
        ("delete_all_memories", json!({ "user_id": "bob" })),
    ] {
        let refused = ada.refusal("/mcp?profile=mem0", tool, arguments);
        assert!(refused.contains("may not speak for user bob"), "{tool}: {refused}");
    }
    let unchanged = ada.done("/mcp", "memory_update", json!({ "traceId": secret, "content": "Mine." }));
    assert_eq!(unchanged["updated"], false, "as if there were no such memory");
    assert_eq!(ada.done("/mcp", "memory_delete", json!({ "traceId": secret }))["deleted"], false);
    assert_eq!(
        ada.done("/mcp", "rehydrate_memory", json!({ "traceId": secret }))["verbatimContent"],
        Value::Null
    );
    let judged = json!({ "traceId": secret, "judgement": "wrong" });
    let refused = ada.refusal("/mcp", "memory_feedback", judged);
    assert!(refused.contains("there is no memory"), "{refused}");
    assert_eq!(for_bob.rowers(), ["Bob rows at dusk."], "nothing was changed");
    assert_eq!(ada.rowers(), [""; 0]);
}
