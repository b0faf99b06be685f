//! What the surfaces say: over HTTP, to keys that are bound to an agent, and in a rehearsal.

use serde_json::{Value, json};

use crate::support::{Home, RunningServer};

/// A request with a key.
fn with_key(server: &RunningServer, key: &str, path: &str, body: &Value) -> (u16, Value) {
    let body = body.to_string();
    let reply = server.send(&format!(
        "POST {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer {key}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    ));
    (
        reply.status,
        serde_json::from_str(&reply.body).unwrap_or_else(|error| panic!("{error}: {}", reply.body)),
    )
}

#[test]
fn over_http_it_counts_does_and_gives_a_receipt() {
    let home = Home::new();
    let server = home.serve();
    for text in ["Ada rows boats", "Ada rows home", "Ada sings"] {
        home.add(text);
    }
    let ask = |body: Value| server.post("/api/memory/forget", &body);
    let (status, would) = ask(json!({ "match": "rows", "dryRun": true }));
    assert_eq!(
        (status, &would["kinds"]["memories"], &would["runId"]),
        (200, &json!(2), &json!(null)),
        "{would}"
    );
    let (_, done) = ask(json!({ "match": "boats" }));
    assert_eq!((&done["count"], &done["receipt"]), (&json!(1), &json!(null)));
    assert!(done["runId"].is_string());
    let (_, purged) = ask(json!({ "match": "rows", "purge": true }));
    assert_eq!(
        (&purged["count"], &purged["purged"]),
        (&json!(2), &json!(true)),
        "the deleted one too: {purged}"
    );
    assert_eq!(purged["receipt"]["removed"]["memories"], 2);
    assert_eq!(ask(json!({ "match": "rows", "purge": true })).1["receipt"], json!(null), "nothing more");
    assert_eq!(ask(json!({})).0, 400);
    assert_eq!(ask(json!({ "ids": ["mt_01890a5d-ac96-774b-bcce-b302099a8057"] })).0, 404);
    let (status, _) = ask(json!({ "all": true, "purge": true }));
    assert_eq!((status, &home.json(&["list"])["total"]), (200, &json!(0)));
}

#[test]
fn a_key_of_one_agent_forgets_nothing_of_others() {
    let home = Home::new();
    for agent in ["tutor", "coach"] {
        home.json(&["add", "Ada plays chess", "--agent", agent, "--scope", "agent"]);
    }
    home.json(&["identity", "override", "add", "Ada plays chess at noon"]);
    let server = home.serve();
    let made = home.json(&["keys", "create", "--agent", "tutor", "--user", "default"]);
    let key = made["key"].as_str().expect("a key").to_owned();
    let forget = |body: Value| with_key(&server, &key, "/api/memory/forget", &body);
    assert_eq!(forget(json!({ "match": "chess", "agent": "coach", "purge": true })).0, 403);
    let (status, purged) = forget(json!({ "match": "chess", "purge": true }));
    assert_eq!((status, &purged["kinds"]), (200, &json!({ "memories": 1 })), "{purged}");
    let (status, purged) = forget(json!({ "all": true, "purge": true }));
    assert_eq!((status, &purged["count"]), (200, &json!(0)), "{purged}");
    assert_eq!(home.json(&["list"])["total"], 1, "the coach's");
    let lines = home.json(&["identity", "override", "list"]);
    assert!(
        lines.to_string().contains("chess at noon"),
        "what is said to all agents is not one agent's: {lines}"
    );
}

/// Everything that the tables hold.
fn dump(home: &Home) -> Vec<String> {
    let mut all = testkit::traces::of(&home.data().join("tenants/local.sqlite3"), "");
    all.retain(|place| !place.starts_with("bytes"));
    all
}

#[test]
fn a_rehearsal_changes_nothing() {
    let home = Home::new();
    let id = home.add("Ada rows boats");
    home.json(&["identity", "override", "add", "Ada rows"]);
    let before = dump(&home);
    for arguments in
        [&["--match", "rows"][..], &["--match", "rows", "--purge"], &[&id, "--purge"], &["--all", "--purge"]]
    {
        let said = home.json(&[&["forget"], arguments].concat());
        assert_eq!((&said["done"], &said["count"]), (&json!(false), &json!(1)), "{arguments:?}");
    }
    assert_eq!(dump(&home), before);
    assert_eq!(home.json(&["receipts"])["receipts"], json!([]));
}
