//! The misspelling walk: every operation of the description and every tool, with every misspelling of every field that says whose,
//! which or whether. Each is understood as the field, or refused by its name; none reads or removes more than the field would.

use axum::body::Body;
use serde_json::{Map, Value, json};

use super::{Reply, RestScene};

/// Fields that narrow or destroy, with what makes them mean Bob's, or nothing at all.
fn meaning(field: &str, ids: &[String]) -> Option<Value> {
    Some(match field {
        "user_id" => json!("bob"),
        "agent_id" => json!("bobs-agent"),
        "session_id" | "conversation_id" | "run_id" | "sessionId" => json!("bobs-session"),
        "project_id" => json!("bobs-project"),
        "q" | "match" => json!("cathair"),
        "type" | "layer" => json!("procedural"),
        "kind" => json!("rule"),
        "since" => json!("2400-01-01"),
        "until" | "older_than" | "olderThan" => json!("1990-01-01"),
        "older_than_days" => json!(36_500),
        "dry_run" | "dryRun" => json!(true),
        // Without the word nothing goes, and with it everything would, rightly.
        "confirm" => json!("perhaps"),
        "all" | "purge" => json!(true),
        "ids" | "memory_ids" | "trace_ids" | "traceIds" => json!(ids),
        "api_key_id" | "apiKeyId" => json!("key_of_nobody"),
        "filters" => json!({ "user_id": "bob" }),
        "entity" => json!("cathair"),
        _ => return None,
    })
}

/// Words that people write for a field, beside slips of the pen.
fn guesses(field: &str) -> &'static [&'static str] {
    match field {
        "user_id" => {
            &["userid", "user", "owner", "owner_id", "uid", "usr", "username", "userID", "user_name"]
        }
        "agent_id" => &["agentid", "agent", "assistant", "aid", "agentID", "assistant_id"],
        "session_id" | "conversation_id" | "run_id" => {
            &["session", "sid", "thread_id", "conversation", "chat_id", "sessionID"]
        }
        "dry_run" | "dryRun" => &["dry", "dryrun", "preview"],
        "q" => &["query", "search"],
        _ => &[],
    }
}

fn misspellings(field: &str) -> Vec<String> {
    let letters: Vec<char> = field.chars().collect();
    let mut all: Vec<String> = guesses(field).iter().map(|guess| (*guess).to_owned()).collect();
    for place in 0..letters.len() {
        let mut dropped = letters.clone();
        dropped.remove(place);
        let mut doubled = letters.clone();
        doubled.insert(place, letters[place]);
        all.extend([dropped, doubled].map(String::from_iter));
        if place + 1 < letters.len() {
            let mut swapped = letters.clone();
            swapped.swap(place, place + 1);
            all.push(String::from_iter(swapped));
        }
    }
    let mut words = field.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    let capital = |word: &str| word[..1].to_uppercase() + &word[1..];
    let camel = words.fold(first, |name, word| name + &capital(word));
    all.extend([
        capital(&camel),
        camel.clone(),
        field.to_uppercase(),
        field.replace('_', "-"),
        field.replace('_', ""),
    ]);
    all.extend([format!("{field}_"), format!("{camel}s")]);
    all.retain(|name| !name.is_empty() && name != field && !name.contains(' '));
    all.sort();
    all.dedup();
    all
}

struct Walk {
    scene: RestScene,
    api: Value,
    asked: usize,
    understood: usize,
    refused: usize,
}

/// One operation, and what it can be told.
struct WalkedOperation {
    method: String,
    path: String,
    query: Vec<String>,
    /// The body's fields, where it has one.
    body: Option<Map<String, Value>>,
    required: Vec<String>,
}

const ALICES: u64 = 2;

impl Walk {
    async fn new() -> Self {
        let scene = RestScene::with(None);
        let api = scene.get("/openapi.json").await;
        let walk = Self { scene, api, asked: 0, understood: 0, refused: 0 };
        walk.seed("alice", "ALICE-SECRET").await;
        let keyed = json!({ "content": "ALICE-SECRET with a key.", "key": "a", "user_id": "alice" });
        walk.scene.post("/api/memory", keyed).await;
        walk.seed("bob", "cathair").await;
        walk
    }

    /// What somebody has: a memory, a conversation, something that always holds.
    async fn seed(&self, user: &str, word: &str) {
        let (agent, session) = (format!("{user}s-agent"), format!("{user}s-session"));
        let layer = if user == "bob" { "procedural" } else { "semantic" };
        let kind = if user == "bob" { "rule" } else { "fact" };
        let body = json!({ "content": format!("{word} of {user}."), "user_id": user, "agent_id": agent,
            "session_id": session, "layer": layer, "kind": kind });
        self.scene.post("/api/memory", body).await;
        let talk = json!({ "conversation_id": session, "user_id": user, "agent_id": agent, "skip_extraction": true,
            "messages": [{ "role": "user", "content": format!("{word} I said.") }] });
        self.scene.post("/memory/ingest", talk).await;
        let always = json!({ "text": format!("{word} always."), "user_id": user });
        self.scene.post("/api/memory/identity/overrides", always).await;
    }

    async fn alices(&self) -> u64 {
        self.scene.get("/api/memory?user_id=alice").await["total"].as_u64().expect("a number")
    }

    fn operations(&self) -> Vec<WalkedOperation> {
        let mut operations = Vec::new();
        for (path, item) in self.api["paths"].as_object().expect("paths") {
            for (method, operation) in item.as_object().expect("operations") {
                // Chats are never refused for a field, a stream does not end, and a key would close the door behind us.
                if operation["tags"][0] == "chat" || path == "/api/events" || path == "/api/keys" {
                    continue;
                }
                let parameters = operation["parameters"].as_array().cloned().unwrap_or_default();
                let query = parameters.iter().filter(|parameter| parameter["in"] == "query");
                let query =
                    query.filter_map(|parameter| parameter["name"].as_str().map(str::to_owned)).collect();
                let body = operation
                    .pointer("/requestBody/content/application~1json/schema")
                    .map(|body| self.object(body));
                let (fields, required) = body.unwrap_or_default();
                operations.push(WalkedOperation {
                    method: method.to_uppercase(),
                    path: path.clone(),
                    query,
                    body: operation.get("requestBody").map(|_| fields),
                    required,
                });
            }
        }
        operations
    }

    /// A body's fields, and which are wanted.
    fn object(&self, schema: &Value) -> (Map<String, Value>, Vec<String>) {
        let reference = schema["$ref"]
            .as_str()
            .or_else(|| schema["oneOf"].as_array()?.iter().find_map(|one| one["$ref"].as_str()));
        let whole = reference.and_then(|reference| self.api.pointer(&reference[1..])).unwrap_or(schema);
        let required = whole["required"].as_array().into_iter().flatten();
        let required = required.filter_map(|name| name.as_str().map(str::to_owned)).collect();
        (whole["properties"].as_object().cloned().unwrap_or_default(), required)
    }

    async fn bobs_ids(&self) -> Vec<String> {
        let page = self.scene.get("/api/memory?user_id=bob").await;
        page["data"].as_array().expect("rows").iter().map(|row| super::text(&row["id"])).collect()
    }

    async fn ask(
        &self,
        operation: &WalkedOperation,
        ids: &[String],
        query: &[(String, String)],
        body: Map<String, Value>,
    ) -> Reply {
        let id = match operation.path.as_str() {
            path if path.contains("/sessions/") => "bobs-session",
            path if path.starts_with("/agents") => "bobs-agent",
            _ => ids.first().map_or("mt_none", String::as_str),
        };
        let path = operation.path.replace("{id}", id).replace("{type}", "user").replace("{name}", "bob");
        let query: Vec<String> = query.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let address = if query.is_empty() { path } else { format!("{path}?{}", query.join("&")) };
        let body =
            if operation.body.is_none() && body.is_empty() { Value::Null } else { Value::Object(body) };
        self.scene.ask(&operation.method, &address, body).await
    }

    /// What a request wants to have at least; a removal is Bob's from the start, unless that is what is misspelt.
    fn least(operation: &WalkedOperation, field: &str) -> Map<String, Value> {
        let mut body = Map::new();
        for name in &operation.required {
            let value = match name.as_str() {
                "content" | "message" | "query" | "text" => json!("alice secret cathair"),
                "messages" => json!([{ "role": "user", "content": "cathair again" }]),
                "memories" => json!([{ "memory_id": "mt_none" }]),
                "older_than_days" => json!(36_500),
                "conversation_id" => json!("bobs-session"),
                "user_id" => json!("bob"),
                "judgement" => json!("used"),
                "feedback" => json!("POSITIVE"),
                "enabled" => json!(true),
                "trace_ids" => json!([]),
                _ => json!("bob"),
            };
            body.insert(name.clone(), value);
        }
        body.remove(field);
        let scopes = ["user_id", "agent_id", "session_id", "run_id", "conversation_id", "ids"];
        let narrows = operation.body.as_ref().is_some_and(|body| body.contains_key("user_id"));
        if narrows && !scopes.contains(&field) {
            body.insert("user_id".to_owned(), json!("bob"));
        }
        body
    }

    /// One misspelling in one place.
    async fn try_one(&mut self, operation: &WalkedOperation, field: &str, name: &str, in_body: bool) {
        let ids = self.bobs_ids().await;
        let Some(value) = meaning(field, &ids) else { return };
        let mut body = Self::least(operation, field);
        let mut query = Vec::new();
        let narrows = operation.method == "DELETE" && operation.query.iter().any(|known| known == "user_id");
        if narrows && !["user_id", "agent_id", "session_id", "run_id"].contains(&field) {
            query.push(("user_id".to_owned(), "bob".to_owned()));
        }
        match in_body {
            true => drop(body.insert(name.to_owned(), value)),
            false => {
                let text = value.as_str().map_or(value.to_string(), str::to_owned);
                let coded = |byte: u8| match byte.is_ascii_alphanumeric() || b"-_".contains(&byte) {
                    true => char::from(byte).to_string(),
                    false => format!("%{byte:02X}"),
                };
                query.push((name.to_owned(), text.bytes().map(coded).collect()));
            }
        }
        let reply = self.ask(operation, &ids, &query, body).await;
        let what = format!(
            "{} {} {field} as `{name}`, in the {}",
            operation.method,
            operation.path,
            if in_body { "body" } else { "query" }
        );
        self.asked += 1;
        let said = reply.body.to_string();
        match reply.status {
            400 if said.contains(&format!("`{name}`")) || said.contains("takes no body") => self.refused += 1,
            _ => self.understood += 1,
        }
        assert!(reply.status < 500, "{what}: {said}");
        assert!(!said.contains("ALICE-SECRET"), "{what}: {said}");
    }
}

#[tokio::test]
async fn no_misspelling_reads_or_removes_what_is_somebody_elses() {
    let mut walk = Walk::new().await;
    assert_eq!(walk.alices().await, ALICES);
    let mut fields_walked = 0;
    for operation in walk.operations() {
        let body_fields: Vec<String> = operation.body.iter().flat_map(Map::keys).cloned().collect();
        let known: Vec<&String> = operation.query.iter().chain(&body_fields).collect();
        let mut fields: Vec<String> =
            known.iter().filter(|name| meaning(name, &[]).is_some()).map(|name| (*name).clone()).collect();
        if !fields.iter().any(|field| field == "user_id") {
            fields.push("user_id".to_owned());
        }
        fields.sort();
        fields.dedup();
        for field in fields {
            fields_walked += 1;
            let mut names = misspellings(&field);
            names.retain(|name| !known.contains(&name));
            if !known.iter().any(|known| **known == field) {
                names.push(field.clone());
            }
            for name in names {
                walk.try_one(&operation, &field, &name, false).await;
                if operation.method != "GET" && (operation.body.is_none() || !body_fields.is_empty()) {
                    walk.try_one(&operation, &field, &name, true).await;
                }
            }
            assert_eq!(walk.alices().await, ALICES, "{} {}: {field}", operation.method, operation.path);
            walk.seed("bob", "cathair").await;
        }
    }
    assert!(fields_walked > 120, "{fields_walked} fields");
    assert!(
        walk.refused > 2_000 && walk.understood > 300,
        "{} refused, {} understood",
        walk.refused,
        walk.understood
    );
}

#[tokio::test]
async fn no_misspelt_argument_of_a_tool_is_passed_over() {
    let walk = Walk::new().await;
    let mut asked = 0;
    for profile in ["default", "mem0", "omniroute"] {
        let listed = call(&walk.scene, profile, "tools/list", json!({})).await;
        for tool in listed["result"]["tools"].as_array().expect("tools") {
            let properties = tool["inputSchema"]["properties"].as_object().expect("properties");
            for field in properties.keys().filter(|name| meaning(name, &[]).is_some()) {
                let mut names = misspellings(field);
                names.retain(|name| !properties.contains_key(name));
                for name in names {
                    asked += 1;
                    let mut arguments = json!({ "query": "cathair", "text": "cathair", "content": "cathair", "scope": "pinned" });
                    arguments
                        .as_object_mut()
                        .expect("an object")
                        .retain(|name, _| properties.contains_key(name));
                    arguments[&name] = meaning(field, &[]).expect("it has one");
                    let params = json!({ "name": tool["name"], "arguments": arguments });
                    let reply = call(&walk.scene, profile, "tools/call", params).await;
                    let said = reply.to_string();
                    assert!(!said.contains("ALICE-SECRET"), "{} `{name}`: {said}", tool["name"]);
                    let named = said.contains(&format!("`{name}`"));
                    let failed = reply["result"]["isError"] == true;
                    assert!(
                        named || !failed || !said.contains("no such field"),
                        "{} `{name}`: {said}",
                        tool["name"]
                    );
                }
            }
        }
    }
    assert_eq!(walk.alices().await, ALICES);
    assert!(asked > 200, "{asked}");
}

/// A call of `/mcp`, for Bob.
async fn call(scene: &RestScene, profile: &str, method: &str, params: Value) -> Value {
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
    let headers = [
        ("x-recollect-user-id", "bob"),
        ("content-type", "application/json"),
        ("accept", "application/json, text/event-stream"),
        ("host", "localhost"),
    ];
    scene
        .send("POST", &format!("/mcp?profile={profile}"), &headers, Body::from(body.to_string()))
        .await
        .fine()
}
