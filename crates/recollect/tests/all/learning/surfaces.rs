//! The commands and routes of the write path, as people and programs use them.

use serde_json::{Value, json};

use crate::support::{Home, RunningServer};

const FILE: &str = r#"{"conversation_id":"march","user_id":"ada","session_date":"2026-03-05","turns":[{"user":"My name is Ada and I live in Los Angeles. I work at Acme Corp as an engineer. Thank you for helping me today.","assistant":"Nice to meet you."}]}
{"conversation_id":"broken","turns":[{"user":7}]}

not json
{"conversation_id":"may","user_id":"ada","session_date":"2026-05-20","messages":[{"role":"user","name":"Ada L.","content":"I moved to Irvine last week. From now on answer in Spanish."}]}
"#;

fn told() -> Home {
    let home = Home::new();
    let ran = home.feed(&["ingest", "-"], FILE);
    assert_eq!(ran.code, Some(1), "two lines were left out: {ran:?}");
    home
}

fn id_of(home: &Home, words: &str) -> String {
    let listed = home.json(&["list", "--status", "active", "--status", "superseded"]);
    let memories = listed["memories"].as_array().expect("a list");
    let found =
        memories.iter().find(|memory| memory["content"].as_str().is_some_and(|text| text.contains(words)));
    found.expect("it is remembered")["id"].as_str().expect("an id").to_owned()
}

#[test]
fn a_file_is_taken_in_line_by_line() {
    let home = Home::new();
    std::fs::write(home.path().join("talk.jsonl"), FILE).expect("written");
    let ran = home.run(["ingest", "talk.jsonl"]);
    insta::assert_snapshot!(ran.transcript(&home), @"
    exit 1
    --- stdout
    2 conversations, 3 new turns, 5 memories, 1 episode, 2 lines left out
    --- stderr
    line 2: `turns[0].user`: it is a number; expected text
    line 4: the line is not JSON: expected ident at line 1 column 2
    ");
    let again = home.run(["ingest", "talk.jsonl", "--json"]);
    let summary: Value = serde_json::from_str(&again.stdout).expect("JSON");
    assert_eq!((&summary["turns_ingested"], &summary["turns_known"]), (&json!(0), &json!(3)));
    assert_eq!(summary["refused"][0]["line"], 2);
    assert_eq!(summary["refused"][0]["error"]["details"][0]["field"], "turns[0].user");
    let missing = home.run(["ingest", "nowhere.jsonl"]);
    assert_eq!(missing.code, Some(2));
    assert!(missing.stderr.contains("nowhere.jsonl cannot be read"), "{missing:?}");
}

#[test]
fn conversations_can_be_looked_at() {
    let home = told();
    let listed = home.run(["sessions", "list"]);
    let lines: Vec<&str> = listed.stdout.lines().collect();
    assert!(lines[0].starts_with("may") && lines[0].contains("ended"), "{listed:?}");
    assert!(lines[1].starts_with("march") && lines[1].contains("I work at Acme Corp"), "{listed:?}");
    let shown = home.run(["sessions", "show", "may"]);
    assert!(shown.stdout.contains("Ada L.: I moved to Irvine last week."), "{shown:?}");
    assert_eq!(home.json(&["sessions", "show", "march"])["turns"].as_array().expect("a list").len(), 2);
    let ended = home.json(&["sessions", "end", "may"]);
    assert_eq!(ended["distillation"], "no_signals", "it had ended");
    assert_eq!(home.run(["sessions", "end", "never"]).code, Some(1));
    assert_eq!(home.run(["rules"]).stdout.lines().count(), 1);
    assert!(home.run(["rules"]).stdout.contains("Answer in Spanish"));
}

#[test]
fn what_waits_can_be_seen_and_done() {
    let home = Home::new();
    home.run(["settings", "set", "extractionMode", "manual"]);
    home.feed(&["ingest", "-"], FILE);
    let waiting = home.run(["pending"]);
    assert_eq!(waiting.stdout.lines().count(), 3, "{waiting:?}");
    assert!(waiting.stdout.contains("march") && waiting.stdout.contains("waiting"));
    assert_eq!(home.run(["pending", "--dead"]).stdout, "");
    let synced = home.run(["sync"]);
    assert!(synced.stdout.contains("march  distilled, 2 turns"), "{synced:?}");
    assert!(home.run(["pending"]).stderr.contains("nothing waits"));
    assert!(home.run(["pending", "retry"]).stderr.contains("nothing failed"));
    assert!(home.run(["sync"]).stderr.contains("nothing waits"));
}

#[test]
fn the_graph_is_drawn() {
    let home = told();
    let drawn = home.run(["graph", "show", "ada"]);
    assert!(drawn.stdout.contains("User (person)"), "{drawn:?}");
    assert!(drawn.stdout.contains("WORKS_AT → Acme Corp") && drawn.stdout.contains("LIVES_IN → Irvine"));
    assert!(!drawn.stdout.contains("LIVES_IN → Los Angeles"), "no more: {drawn:?}");
    let dot = home.run(["graph", "search", "works at", "--dot"]);
    assert!(dot.stdout.starts_with("digraph memory {") && dot.stdout.trim_end().ends_with('}'), "{dot:?}");
    assert!(dot.stdout.contains("[label=\"WORKS_AT\"]") && !dot.stdout.contains("LIVES_IN"));
    assert_eq!(home.json(&["graph", "show"])["relations"].as_array().expect("a list").len(), 2);
    assert_eq!(home.run(["graph", "show", "zebra"]).code, Some(1));
    assert_eq!(home.run(["graph", "show", "--depth", "9"]).code, Some(2));
}

#[test]
fn a_memory_says_why_it_is_there() {
    let home = told();
    let irvine = home.run(["show", &id_of(&home, "Irvine"), "--why"]);
    for part in [
        "User lives in Irvine",
        "quotes    \"I moved to Irvine last week",
        "made by   the heuristic distiller",
        "rule      en.moved_to",
        "because   ",
        "(superseded) User lives in Los Angeles",
        "2026-05-20 00:00Z  may, Ada L.: I moved to Irvine last week. From now on",
        "created",
    ] {
        assert!(irvine.stdout.contains(part), "{part:?} is missing in\n{}", irvine.stdout);
    }
    let past = home.json(&["show", &id_of(&home, "Los Angeles"), "--why"]);
    assert_eq!(past["superseded_by"]["content"], "User lives in Irvine");
    assert_eq!((&past["turns"][0]["quoted"], &past["turns"][0]["role"]), (&json!(true), &json!("user")));
    assert_eq!(past["events"].as_array().expect("a list").len(), 2, "made, then replaced");
    let by_hand = home.json(&["show", &home.add("Written by hand"), "--why"]);
    assert_eq!((&by_hand["made_by"], &by_hand["turns"]), (&json!("a person, by hand"), &json!([])));
}

/// A request with any method; the answer's status and JSON.
fn call(server: &RunningServer, method: &str, path: &str, body: Option<Value>) -> (u16, Value) {
    let body = body.map(|body| body.to_string()).unwrap_or_default();
    let reply = server.send(&format!(
        "{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    ));
    (
        reply.status,
        serde_json::from_str(&reply.body).unwrap_or_else(|error| panic!("{error}: {}", reply.body)),
    )
}

#[test]
fn memories_over_http() {
    let home = told();
    let server = home.serve();
    let get = |path: &str| call(&server, "GET", path, None);
    let (status, listed) = get("/api/memory?userId=ada&limit=2");
    assert_eq!(
        (status, &listed["total"], &listed["limit"], &listed["offset"]),
        (200, &json!(4), &json!(2), &json!(0))
    );
    assert_eq!((&listed["page"], &listed["totalPages"]), (&json!(1), &json!(2)));
    assert_eq!(listed["data"].as_array().expect("a list").len(), 2);
    let row = &listed["data"][0];
    for field in [
        "id",
        "content",
        "type",
        "kind",
        "key",
        "scope",
        "layer",
        "sessionId",
        "agentId",
        "userId",
        "tags",
        "metadata",
        "confidence",
        "salience",
        "status",
        "version",
        "createdAt",
        "updatedAt",
        "expiresAt",
    ] {
        assert!(row.get(field).is_some(), "{field} is missing in {row}");
    }
    assert_eq!(get("/api/memory?limit=2&page=2").1["offset"], 2);
    assert_eq!(get("/api/memory?userId=nobody").1["total"], 0);
    assert_eq!(get("/api/memory?sessionId=may").1["total"], 2);
    assert_eq!(get("/api/memory?type=procedural").1["total"], 1);
    assert_eq!(get("/api/memory?type=factual").1["total"], 3);
    assert_eq!(get("/api/memory?type=rule").1["data"][0]["content"], "Answer in Spanish");
    assert_eq!(get("/api/memory?q=irvine").1["data"][0]["content"], "User lives in Irvine");
    assert_eq!(get("/api/memory?q=zebra").1["total"], 0);
    for (query, field) in [
        ("limit=0", "limit"),
        ("limit=201", "limit"),
        ("limit=x", "limit"),
        ("type=odd", "type"),
        ("offset=-1", "offset"),
        ("page=0", "page"),
    ] {
        let (status, answer) = get(&format!("/api/memory?{query}"));
        assert_eq!(
            (status, &answer["error"]["details"][0]["field"]),
            (400, &json!(field)),
            "{query}: {answer}"
        );
    }
}

#[test]
fn one_memory_over_http() {
    let home = told();
    let server = home.serve();
    let path = format!("/api/memory/{}", id_of(&home, "Acme"));
    let (status, row) = call(&server, "GET", &path, None);
    assert_eq!((status, &row["kind"], &row["version"]), (200, &json!("fact"), &json!(1)));
    let put = |body: Value| call(&server, "PUT", &path, Some(body));
    let (status, changed) = put(
        json!({ "content": "User works at Globex", "tags": ["job"], "metadata": { "seen": true }, "version": 1 }),
    );
    assert_eq!((status, &changed["memory"]["content"]), (200, &json!("User works at Globex")), "{changed}");
    let memory = &changed["memory"];
    assert_eq!((&memory["tags"], &memory["metadata"]["seen"]), (&json!(["job"]), &json!(true)));
    assert!(memory["metadata"]["rule"].is_string(), "what was not named stays");
    assert_eq!(memory["origin"], "person");
    assert_eq!(put(json!({ "content": "x", "version": 1 })).1["error"]["code"], "precondition_failed");
    assert_eq!(
        put(json!({ "type": "preference", "key": "job", "expiresAt": null })).1["memory"]["kind"],
        "preference"
    );
    for (body, field) in [
        (json!({ "content": " " }), "content"),
        (json!({ "tags": 7 }), "tags"),
        (json!({ "metadata": [] }), "metadata"),
        (json!({ "kind": "odd" }), "kind"),
        (json!({ "version": "1" }), "version"),
    ] {
        let (status, answer) = put(body.clone());
        assert_eq!(
            (status, &answer["error"]["details"][0]["field"]),
            (400, &json!(field)),
            "{body}: {answer}"
        );
    }
    assert_eq!(put(json!({})).0, 400, "nothing to change");
    let long = "x".repeat(memory::limits::MEMORY_CONTENT_BYTES + 1);
    assert_eq!(put(json!({ "content": long })).1["error"]["details"][0]["field"], "content");
    assert_eq!(call(&server, "DELETE", &path, None), (200, json!({ "success": true, "deleted": true })));
    for method in ["DELETE", "GET", "PUT"] {
        let body = (method == "PUT").then(|| json!({ "content": "back" }));
        let (status, answer) = call(&server, method, &path, body);
        assert_eq!((status, &answer["error"]["code"]), (404, &json!("not_found")), "{method}: {answer}");
    }
    for unknown in ["mt_01890a5d-ac96-774b-bcce-b302099a8057", "odd"] {
        assert_eq!(call(&server, "GET", &format!("/api/memory/{unknown}"), None).0, 404);
        assert_eq!(call(&server, "DELETE", &format!("/api/memory/{unknown}"), None).0, 404);
    }
    assert_eq!(home.search("Globex"), Vec::<String>::new());
}

#[test]
fn learning_over_http() {
    let home = Home::new();
    home.run(["settings", "set", "extractionMode", "manual"]);
    let server = home.serve();
    let body = json!({ "conversation_id": "c1", "turns": [{ "user": "I prefer tea, and I have been drinking it every single morning since I was a child." }] });
    let (_, ingested) = server.post("/memory/ingest", &body);
    assert!(ingested["distillation"].as_str().expect("text").starts_with("skipped:"), "{ingested}");
    let (status, synced) = server.post("/api/memory/sync", &json!({}));
    assert_eq!((status, &synced["sessions"][0]["distillation"]), (200, &json!("distilled")), "{synced}");
    let (status, ended) = call(&server, "POST", "/api/memory/sessions/c1/end", None);
    assert_eq!(status, 200, "{ended}");
    assert_eq!(home.json(&["sessions", "list"])["sessions"].as_array().expect("a list").len(), 1);
    assert!(home.json(&["sessions", "show", "c1"])["ended_at"].is_string());
    let (status, answer) = call(&server, "POST", "/api/memory/sessions/never/end", None);
    assert_eq!((status, &answer["error"]["code"]), (404, &json!("not_found")));
}
