//! The examples in the documents of the systems that this one unifies, as they stand there: their settings, variables, requests
//! and calls of tools.

use serde_json::{Value, json};
use testkit::llm::Llm;

use super::mcp::StdioClient;
use super::support::{Home, PATIENCE, RunningServer, ran};

/// A body as `curl -d` sends it.
fn curl(server: &RunningServer, method: &str, path: &str, headers: &[&str], body: &str) -> (u16, Value) {
    let headers: String = headers.iter().map(|header| format!("{header}\r\n")).collect();
    let length = if body.is_empty() { String::new() } else { format!("Content-Length: {}\r\n", body.len()) };
    let reply = server.send(&format!(
        "{method} {path} HTTP/1.1\r\nHost: localhost\r\nUser-Agent: curl/8.5.0\r\nAccept: */*\r\nConnection: close\r\n{headers}{length}\r\n{body}"
    ));
    let body = serde_json::from_str(&reply.body).unwrap_or_else(|error| panic!("{error}: {}", reply.body));
    (reply.status, body)
}

const INGEST: &str = r#"{
"agent_id": "my-agent",
"conversation_id": "session-1",
"turns": [
{"user": "Hi, my name is Alice", "assistant": "Hello Alice!"},
{"user": "I work at Acme Corp", "assistant": "Got it."}
]
}"#;

#[test]
fn a_chat_with_an_agent_and_a_bulk_ingest() {
    let (home, llm) = (Home::new(), Llm::start_blocking());
    let server = super::proxy::counted::serve(&home, &llm);
    let (status, body) = curl(&server, "POST", "/memory/ingest", &["Content-Type: application/json"], INGEST);
    assert_eq!(status, 200, "{body}");
    let agents = curl(&server, "GET", "/agents", &[], "").1;
    let mine = agents["agents"].as_array().expect("a list").iter().find(|agent| agent["id"] == "my-agent");
    assert!(mine.is_some_and(|agent| agent["memory_entry_count"].as_u64() >= Some(2)), "{agents}");
    let chat = json!({ "model": "your-model-name",
        "messages": [{ "role": "user", "content": "What did we talk about last week?" }] });
    let headers =
        ["Content-Type: application/json", "Authorization: Bearer osaurus", "X-Osaurus-Agent-Id: my-agent"];
    // The server has its usual patience, and a busy machine may let a request go without memory.
    let deadline = std::time::Instant::now() + PATIENCE;
    let seen = loop {
        let (status, answer) = curl(&server, "POST", "/v1/chat/completions", &headers, &chat.to_string());
        assert_eq!(status, 200, "{answer}");
        let seen = llm.requests().last().expect("asked").clone();
        if seen.text().contains("Alice") {
            break seen;
        }
        assert!(std::time::Instant::now() < deadline, "what this agent knows: {}", seen.text());
    };
    assert_eq!(seen.header("x-osaurus-agent-id"), "", "it is ours");
    for scope in ["pinned", "episodes", "transcript"] {
        let (status, found) =
            server.post("/api/memory/search", &json!({ "query": "Acme Corp", "scope": scope }));
        assert_eq!(status, 200, "{scope}: {found}");
    }
}

/// The settings files of both versions of one system and the settings' table of another, at the values that they document.
fn documents() -> [(&'static str, Value); 6] {
    [
        (
            "an agent's settings",
            json!({ "storage": { "autoIngest": { "enabled": true, "importanceThreshold": 0.4, "maxPerTurn": 3 } } }),
        ),
        (
            "the keys of an index that is switched off",
            json!({ "qdrantEnabled": false, "qdrantHost": "localhost", "qdrantPort": 6333, "qdrantApiKey": "x",
                "qdrantCollection": "memories", "qdrantEmbeddingModel": "openai/text-embedding-3-small" }),
        ),
        (
            "memory.json",
            json!({ "enabled": true, "embeddingBackend": "mlx", "embeddingModel": "nomic-embed-text-v1.5",
                "extractionMode": "sessionEnd", "relevanceGateMode": "heuristic", "memoryBudgetTokens": 800,
                "summaryDebounceSeconds": 60, "consolidationIntervalHours": 24, "salienceFloor": 0.2,
                "episodeRetentionDays": 365 }),
        ),
        (
            "memory.json before",
            json!({ "coreModelProvider": "anthropic", "coreModelName": "claude-haiku-4-5", "embeddingBackend": "mlx",
                "embeddingModel": "nomic-embed-text-v1.5", "profileMaxTokens": 2000, "workingMemoryBudgetTokens": 3000,
                "summaryBudgetTokens": 3000, "chunkBudgetTokens": 3000, "graphBudgetTokens": 300,
                "profileRegenerateThreshold": 10, "summaryDebounceSeconds": 60, "summaryRetentionDays": 180,
                "recallTopK": 30, "temporalDecayHalfLifeDays": 30, "mmrLambda": 0.7, "mmrFetchMultiplier": 2.0,
                "verificationEnabled": true, "verificationJaccardDedupThreshold": 0.6,
                "verificationSemanticDedupThreshold": 0.85, "maxEntriesPerAgent": 500, "enabled": true }),
        ),
        (
            "the fields of the interface",
            json!({ "enabled": false, "maxTokens": 2000, "retentionDays": 30, "strategy": "hybrid",
                "skillsEnabled": false, "embeddingSource": "auto", "embeddingProviderModel": null,
                "transformersEnabled": false, "staticEnabled": false, "rerankEnabled": false,
                "rerankProviderModel": null, "vectorStore": "auto" }),
        ),
        (
            "the keys of the database",
            json!({ "memoryEnabled": true, "memoryMaxTokens": 2000, "memoryRetentionDays": 30,
                "memoryStrategy": "recent", "skillsEnabled": false, "memoryEmbeddingSource": "auto",
                "memoryEmbeddingModel": null, "memoryTransformersEnabled": false, "memoryStaticEnabled": false,
                "memoryRerankEnabled": false, "memoryRerankModel": null, "memoryVectorStore": "auto" }),
        ),
    ]
}

#[test]
fn settings_of_all_are_taken_as_they_stand() {
    let home = Home::new();
    let server = home.serve();
    let put = |body: &Value| {
        curl(&server, "PUT", "/api/settings/memory", &["Content-Type: application/json"], &body.to_string())
    };
    for (name, document) in documents() {
        let (status, settings) = put(&document);
        assert_eq!(status, 200, "{name}: {settings}");
    }
    let settings = curl(&server, "GET", "/api/settings/memory", &[], "").1;
    assert_eq!(
        (&settings["memoryBudgetTokens"], &settings["searchStrategy"], &settings["episodicQueryDays"]),
        (&json!(2000), &json!("recent"), &json!(30)),
        "{settings}"
    );
    assert_eq!(settings["episodeRetentionDays"], 180, "how far back is looked deletes nothing");
    // What cannot be had is refused by its name, and nothing is changed.
    for (name, wrong) in [
        ("rerankEnabled", json!(true)),
        ("qdrantEnabled", json!(true)),
        ("skillsEnabled", json!(true)),
        ("vectorStore", json!("qdrant")),
        ("embeddingSource", json!("remote")),
        ("embeddingProviderModel", json!("openai/text-embedding-3-small")),
        ("embeddingBackend", json!("none")),
    ] {
        let (status, refused) = put(&json!({ name: wrong, "maxTokens": 900 }));
        assert_eq!(status, 400, "{name}: {refused}");
        assert_eq!(refused["error"]["details"][0]["field"], name, "{refused}");
    }
    assert_eq!(curl(&server, "GET", "/api/settings/memory", &[], "").1, settings);
}

#[test]
fn variables_of_another_system_give_defaults() {
    let home = Home::new();
    let value = |name: &str, variables: &[(&str, &str)]| {
        let mut command = home.command();
        command.args(["settings", "get", name]).envs(variables.iter().copied());
        ran(&mut command)
    };
    let variables = [
        ("MEMORY_RRF_K", "120"),
        ("MEMORY_VEC_TOP_K", "20"),
        ("MEMORY_EMBEDDING_CACHE_TTL_MS", "300000"),
        ("MEMORY_EMBEDDING_CACHE_MAX", "1000"),
        ("MEMORY_TRANSFORMERS_MODEL", "Xenova/all-MiniLM-L6-v2"),
        ("MEMORY_STATIC_MODEL", "minishlab/potion-base-8M"),
        ("MEMORY_STATIC_CACHE_DIR", "/embeddings"),
        ("MEMORY_VEC_QUANTIZATION", "int8"),
    ];
    assert_eq!(value("rrfK", &[]).stdout.trim(), "60");
    assert_eq!(value("rrfK", &variables).stdout.trim(), "120");
    assert_eq!(value("recallTopK", &variables).stdout.trim(), "20");
    home.run(["settings", "set", "rrfK", "20"]);
    assert_eq!(value("rrfK", &variables).stdout.trim(), "20", "what is stored is stronger");
    let wrong = value("rrfK", &[("MEMORY_RRF_K", "many")]);
    assert_ne!(wrong.code, Some(0));
    assert!(wrong.stderr.contains("MEMORY_RRF_K"), "{}", wrong.stderr);
}

#[test]
fn memories_are_written_listed_previewed_and_summarised() {
    let home = Home::new();
    let server = home.serve();
    let json_body = ["Content-Type: application/json"];
    let entry = json!({ "content": "TypeScript", "key": "preference:typescript", "type": "factual",
        "sessionId": "s1", "metadata": { "category": "preference" }, "expiresAt": null });
    let (status, made) = curl(&server, "POST", "/api/memory", &json_body, &entry.to_string());
    assert!(status == 200 || status == 201, "{status} {made}");
    let id = made["id"].as_str().expect("an id");
    let list = curl(&server, "GET", "/api/memory?type=factual&sessionId=s1&limit=10&page=1", &[], "").1;
    assert!(list["stats"]["total"].is_number() && list["stats"]["hitRate"].is_number(), "{list}");
    assert_eq!(curl(&server, "GET", &format!("/api/memory/{id}"), &[], "").0, 200);
    let change = json!({ "type": "factual", "key": "preference:typescript", "content": "TypeScript 5", "metadata": {} });
    assert_eq!(curl(&server, "PUT", &format!("/api/memory/{id}"), &json_body, &change.to_string()).0, 200);
    let preview = json!({ "query": "TypeScript", "strategy": "hybrid", "maxTokens": 2000 });
    let (status, preview) =
        curl(&server, "POST", "/api/memory/retrieve-preview", &json_body, &preview.to_string());
    assert_eq!(status, 200, "{preview}");
    let bearer = ["Authorization: Bearer sk-omniroute"];
    let (status, done) = curl(&server, "POST", "/api/memory/summarize", &bearer, "");
    assert_eq!(status, 200, "{done}");
    assert!(done["candidates"].is_number() && done["tokensSaved"].is_number(), "{done}");
    let asked = json!({ "olderThanDays": 30, "dryRun": true });
    assert_eq!(curl(&server, "POST", "/api/memory/summarize", &json_body, &asked.to_string()).0, 200);
    assert_eq!(curl(&server, "POST", "/api/memory/reindex", &json_body, r#"{"force":false}"#).0, 200);
    for path in [
        "/api/memory/health",
        "/api/memory/engine-status",
        "/api/memory/embedding-providers",
        "/api/memory/status",
    ] {
        assert_eq!(curl(&server, "GET", path, &[], "").0, 200, "{path}");
    }
    assert_eq!(curl(&server, "DELETE", &format!("/api/memory/{id}"), &[], "").0, 200);
    assert_eq!(curl(&server, "DELETE", &format!("/api/memory/{id}"), &[], "").0, 404, "when it is missing");
}

#[test]
fn tools_are_called_with_the_arguments_of_their_examples() {
    let home = Home::new();
    let mut agent = StdioClient::start(&home, &[]);
    let add = json!({ "content": "User prefers dark mode and TypeScript.", "type": "semantic",
        "tags": ["preference", "ui", "language"] });
    let first = agent.call("memory_add", add.clone());
    let id = first["traceId"].as_str().expect("an id").to_owned();
    assert!(id.starts_with("mt_"), "{first}");
    assert_eq!(agent.call("memory_add", add)["traceId"], *id, "the same content is one trace");
    let update = json!({ "traceId": id, "content": "User prefers dark mode, TypeScript, and VS Code.",
        "tags": ["preference", "ui", "language", "editor"] });
    assert_eq!(agent.call("memory_update", update)["updated"], true);
    let other = agent.call(
        "memory_add",
        json!({ "content": "Deploys go out on Fridays, blue-green.", "type": "semantic" }),
    );
    let search = json!({ "query": "deployment preferences", "type": "semantic", "limit": 5 });
    assert!(agent.call("memory_search", search)["results"].is_array());
    let merge = json!({ "traceIds": [id, other["traceId"]],
        "content": "User's deployment preferences: Docker Compose, blue-green strategy, Friday deploys." });
    let merged = agent.call("memory_merge", merge);
    assert_eq!(merged["sourcesDeleted"], 2, "{merged}");
    let reflected = agent.call("memory_reflect", json!({}));
    for count in ["pruned", "merged", "derived", "compacted", "durationMs"] {
        assert!(reflected[count].is_number(), "{count}: {reflected}");
    }
    let trace = merged["mergedTraceId"].clone();
    assert_eq!(agent.call("memory_delete", json!({ "traceId": trace }))["deleted"], true);
    assert_eq!(agent.call("memory_delete", json!({ "traceId": trace }))["deleted"], false);
}

#[test]
fn an_agents_own_file_is_read() {
    let home = Home::new();
    let file = home.path().join("agent.config.json");
    let config = r#"{
"storage": {
"autoIngest": {
"enabled": true,
"importanceThreshold": 0.4,
"maxPerTurn": 3
}
}
}"#;
    std::fs::write(&file, config).expect("written");
    let path = file.to_str().expect("a path");
    let imported = home.json(&["agents", "import", path, "--id", "mine"]);
    assert_eq!(imported["ignored"], json!([]), "{imported}");
}
