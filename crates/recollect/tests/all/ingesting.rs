//! Conversations over HTTP: taken in once, found again by the ids they came with.

use serde_json::{Value, json};

use super::support::{Home, RunningServer};

const INGEST: &str = "/memory/ingest";
const SEARCH: &str = "/api/memory/search";

fn trip() -> Value {
    json!({
        "agent_id": "guide",
        "user_id": "ada",
        "conversation_id": "trip",
        "session_date": "2026-03-01",
        "skip_extraction": true,
        "messages": [
            { "role": "user", "id": "m1", "content": "We booked the lighthouse on Skye for June." },
            { "role": "assistant", "id": "m2", "content": "Lovely, pack for rain." },
            { "role": "user", "id": "m3", "content": [
                { "type": "text", "text": "The ferry leaves from Mallaig" },
                { "type": "image_url", "image_url": { "url": "x" } },
                { "type": "text", "text": "at nine." }
            ], "date": "2026-03-02T10:00:00Z" },
            { "role": "assistant", "content": null, "tool_calls": [] },
            { "role": "user", "name": "Bo", "content": "I get seasick." }
        ]
    })
}

fn search(server: &RunningServer, body: &Value) -> Value {
    let (status, found) = server.post(SEARCH, body);
    assert_eq!(status, 200, "{found}");
    found
}

#[test]
fn found_turns_carry_the_ids_they_came_with() {
    let home = Home::new();
    let server = home.serve();
    let (status, ingested) = server.post(INGEST, &trip());
    assert_eq!(status, 200, "{ingested}");
    assert_eq!(ingested["status"], "ok");
    assert_eq!(
        (&ingested["turns_ingested"], &ingested["distillation"]),
        (&json!(4), &json!("skipped:requested"))
    );
    let found = search(&server, &json!({ "query": "ferry Mallaig", "scope": "transcript" }));
    assert_eq!(found["path"], "hybrid");
    let best = &found["results"][0];
    assert_eq!(best["content"], "The ferry leaves from Mallaig\nat nine.");
    assert_eq!((&best["scope"], &best["role"]), (&json!("transcript"), &json!("user")));
    assert_eq!(best["created_at"], "2026-03-02T10:00:00.000000Z");
    assert_eq!(best["source"]["conversation_id"], "trip");
    assert_eq!(best["source"]["turn_ids"], json!(["m3"]));
    let window = best["source"]["window_ids"].as_array().expect("a list");
    assert_eq!(window[..2], [json!("m1"), json!("m2")]);
    assert!(window[2].as_str().expect("an id").starts_with("tu_"), "without an id of its own: ours");
    assert!(best["id"].as_str().expect("an id").starts_with("tu_"));
    assert!(best.get("scores").is_none(), "only when asked for");
}

#[test]
fn twice_is_once() {
    let home = Home::new();
    let server = home.serve();
    assert_eq!(server.post(INGEST, &trip()).1["turns_ingested"], 4);
    let again = server.post(INGEST, &trip()).1;
    assert_eq!((&again["turns_ingested"], &again["turns_known"]), (&json!(0), &json!(4)));
    let mut longer = trip();
    longer["messages"]
        .as_array_mut()
        .expect("a list")
        .push(json!({ "role": "user", "content": "Ginger helps." }));
    assert_eq!(server.post(INGEST, &longer).1["turns_ingested"], 1);
    let mut other = trip();
    other["user_id"] = json!("bob");
    assert_eq!(
        server.post(INGEST, &other).1["turns_ingested"],
        4,
        "another user's conversation of the same name"
    );
    assert_eq!(home.json(&["stats"])["turns"], 9);
}

#[test]
fn pairs_are_taken_too_and_learned_from() {
    let home = Home::new();
    let server = home.serve();
    let turns = json!({
        "conversation_id": 17,
        "turns": [
            { "user": "Hi, my name is Alice", "assistant": "Hello Alice!" },
            { "user": "I work at Acme Corp", "date": "2026-01-05" }
        ]
    });
    let (status, ingested) = server.post(INGEST, &turns);
    assert_eq!((status, &ingested["turns_ingested"]), (200, &json!(3)));
    assert_eq!(ingested["distillation"], "distilled");
    assert_eq!(home.json(&["stats"])["pending"], 0);
    assert_eq!(server.post(INGEST, &turns).1["turns_ingested"], 0);
    let said = search(&server, &json!({ "query": "Acme", "scope": "transcript" }));
    let said = &said["results"][0];
    assert_eq!((&said["source"]["conversation_id"], &said["role"]), (&json!("17"), &json!("user")));
    assert_eq!(said["created_at"], "2026-01-05T00:00:00.000000Z");
    let learned = search(&server, &json!({ "query": "Acme", "scope": "pinned" }));
    let learned = &learned["results"][0];
    assert_eq!(learned["source"]["conversation_id"], "17");
    assert_eq!(learned["source"]["turn_ids"], json!([said["id"]]), "what it was learned from");
}

#[test]
fn what_is_wrong_is_named() {
    let home = Home::new();
    let server = home.serve();
    let check = |path: &str, body: Value, field: &str, part: &str| {
        let (status, answer) = server.post(path, &body);
        assert_eq!((status, &answer["error"]["code"]), (400, &json!("invalid_input")), "{body}: {answer}");
        assert_eq!(answer["error"]["details"][0]["field"], field, "{body}: {answer}");
        let message = answer["error"]["message"].as_str().expect("a message");
        assert!(message.contains(part), "{message:?} lacks {part:?}");
    };
    let with = |message: Value| json!({ "conversation_id": "c", "messages": [{ "role": "user", "content": "x" }, message] });
    check(INGEST, json!({ "messages": [] }), "conversation_id", "is missing");
    check(INGEST, json!({ "conversation_id": "c" }), "turns", "neither `turns` nor `messages`");
    check(INGEST, json!({ "conversation_id": "c", "messages": [] }), "messages", "it is empty");
    check(INGEST, json!({ "conversation_id": "c", "turns": [{}] }), "turns[0].user", "expected text");
    check(INGEST, json!({ "conversation_id": "c", "turns": "x" }), "turns", "it is text; expected a list");
    check(
        INGEST,
        with(json!({ "role": "robot", "content": "x" })),
        "messages[1].role",
        "user, assistant, system, tool",
    );
    check(INGEST, with(json!({ "role": "user" })), "messages[1].content", "it is missing");
    check(INGEST, with(json!({ "role": "user", "content": 7 })), "messages[1].content", "expected text");
    let date = json!({ "role": "user", "content": "x", "date": "yesterday" });
    check(INGEST, with(date), "messages[1].date", "`yesterday` is not a time; expected a date such as");
    let ours = json!({ "role": "user", "content": "x", "id": "recollect:1" });
    check(INGEST, with(ours), "messages[1].id", "are ours");
    let long = json!({ "role": "user", "content": "x", "id": "x".repeat(300) });
    check(INGEST, with(long), "messages[1].id", "300 bytes; expected at most 200");
    check(SEARCH, json!({}), "query", "is missing");
    check(SEARCH, json!({ "query": " " }), "query", "is empty");
    check(
        SEARCH,
        json!({ "query": "x", "scope": "attic" }),
        "scope",
        "pinned, episodes, transcript, graph, all",
    );
    check(SEARCH, json!({ "query": "x", "top_k": 0 }), "top_k", "from 1 to 200");
    check(SEARCH, json!({ "query": "x", "top_k": "5" }), "top_k", "expected a whole number");
    check(SEARCH, json!({ "query": "x", "strategy": "psychic" }), "strategy", "hybrid, semantic, recent");
    check(SEARCH, json!({ "query": "x", "as_of": "soon" }), "as_of", "`soon` is not a time");
    check(
        SEARCH,
        json!({ "query": "x", "filters": { "kind": ["fact", "gossip"] } }),
        "filters.kind[1]",
        "gossip",
    );
    check(SEARCH, json!({ "query": "x", "filters": [] }), "filters", "it is a list; expected an object");
    check("/api/memory/context", json!({}), "message", "is missing");
    let two = json!({ "conversation_id": "c", "messages": [{ "role": "x" }, { "role": "y" }] });
    assert_eq!(
        server.post(INGEST, &two).1["error"]["details"][1]["field"],
        "messages[1].role",
        "all at once"
    );
    assert_eq!(home.json(&["stats"])["turns"], 0, "nothing of it was stored");
}

#[test]
fn bodies_that_are_no_bodies() {
    let home = Home::new();
    let server = home.serve();
    let check = |body: &str, status: u16, part: &str| {
        let reply = server.post_text(SEARCH, body);
        assert_eq!(reply.status, status, "{}", reply.body);
        assert!(reply.body.contains(part), "{} lacks {part:?}", reply.body);
    };
    check("{", 400, "the body is not JSON");
    check("[1]", 400, "the body is a list; expected a JSON object");
    check("", 400, "the body is not JSON");
    check(r#"{"query": "x", "favourite_colour": "blue"}"#, 400, "`favourite_colour`: there is no such field");
    assert_eq!(
        server.post_text(SEARCH, r#"{"query": "x", "user_id": null}"#).status,
        200,
        "null says nothing"
    );
    assert_eq!(server.http(&format!("GET {SEARCH} HTTP/1.1")).status, 405);
}

#[test]
fn pages_from_elsewhere_are_refused() {
    let home = Home::new();
    let server = home.serve();
    let from = |origin: &str| {
        server.http(&format!("POST {SEARCH} HTTP/1.1\r\nOrigin: {origin}\r\nContent-Length: 0")).status
    };
    let with_body = |origin: &str| {
        let head =
            format!("POST {SEARCH} HTTP/1.1\r\nOrigin: {origin}\r\nContent-Length: 13\r\nHost: localhost");
        server.send(&format!("{head}\r\nConnection: close\r\n\r\n{{\"query\":\"x\"}}")).status
    };
    assert_eq!(from("http://evil.example"), 403, "whatever the body");
    assert_eq!(with_body("http://evil.example"), 403);
    assert_eq!(with_body("null"), 403);
    assert_eq!(with_body("http://localhost:3000"), 200);
    assert_eq!(with_body("http://[::1]:3000"), 200);
}

#[test]
fn filters_choose_whose_and_when() {
    let home = Home::new();
    let server = home.serve();
    server.post(INGEST, &trip());
    let mut other = trip();
    (other["user_id"], other["conversation_id"]) = (json!("bob"), json!("other"));
    server.post(INGEST, &other);
    home.run(["add", "The ferry costs ten pounds", "--user", "ada", "--kind", "fact", "--tag", "money"]);
    let count = |filter: Value| {
        let mut body = json!({ "query": "ferry Mallaig", "top_k": 50 });
        body.as_object_mut().expect("an object").extend(filter.as_object().expect("an object").clone());
        let results = search(&server, &body)["results"].clone();
        let says = |hit: &&Value| hit["content"].as_str().expect("text").contains("ferry");
        results.as_array().expect("a list").iter().filter(says).count()
    };
    assert_eq!(count(json!({})), 3);
    assert_eq!(count(json!({ "user_id": "ada" })), 2);
    assert_eq!(count(json!({ "user_id": "nobody" })), 0);
    assert_eq!(count(json!({ "agent_id": "guide" })), 2);
    assert_eq!(count(json!({ "session_id": "other" })), 1);
    assert_eq!(count(json!({ "filters": { "session": "other" } })), 1);
    assert_eq!(count(json!({ "filters": { "tags": ["money"] } })), 1);
    assert_eq!(
        count(json!({ "filters": { "kind": "fact", "scope": ["user", "global"], "layer": "semantic" } })),
        1
    );
    assert_eq!(count(json!({ "filters": { "kind": "rule" } })), 0);
    assert_eq!(count(json!({ "filters": { "until": "2026-03-03" } })), 2, "the memory was written later");
    assert_eq!(count(json!({ "filters": { "since": "2026-03-03" } })), 1);
    assert_eq!(count(json!({ "scope": "pinned" })), 1);
    assert_eq!(count(json!({ "scope": "transcript", "as_of": "2026-03-01T12:00:00Z" })), 0, "not said yet");
    assert_eq!(count(json!({ "scope": "transcript", "known_at": "2026-03-03" })), 2);
}
