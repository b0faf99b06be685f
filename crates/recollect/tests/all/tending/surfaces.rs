//! `recollect tend`, `runs` and `undo`, with and without a server.

use serde_json::{Value, json};

use crate::support::Home;

#[test]
fn a_bulk_deletion_is_taken_back_by_command() {
    let home = Home::new();
    for text in ["Ada plays the viola", "Ada plays chess"] {
        home.add(text);
    }
    let gone = home.json(&["forget", "--match", "plays", "--yes"]);
    assert_eq!(home.search("plays").len(), 0);
    let run = gone["run"].as_str().expect("a run").to_owned();
    let runs = home.json(&["runs"]);
    assert_eq!((&runs["runs"][0]["id"], &runs["runs"][0]["job"]), (&json!(run), &json!("forget")));
    let undone = home.json(&["undo", &run]);
    assert_eq!((&undone["restored"], &undone["gone"]), (&json!(2), &json!(0)));
    assert_eq!(home.search("plays").len(), 2);
    let again = home.run(["undo", &run]);
    assert_eq!(again.code, Some(1));
    assert!(again.stderr.contains("it was undone already"), "{again:?}");
    let unknown = home.run(["undo", "ru_01890a5d-ac96-774b-bcce-b302099a8057"]);
    assert!(unknown.stderr.contains("recollect runs"), "{unknown:?}");
}

#[test]
fn tending_says_what_it_did_and_a_rehearsal_what_it_would() {
    let home = Home::new();
    home.add("Ada plays the viola");
    let would = home.json(&["tend", "--dry-run"]);
    assert_eq!((&would["state"], &would["runId"]), (&json!("rehearsed"), &Value::Null));
    assert_eq!(home.json(&["runs"])["runs"], json!([]));
    let did = home.json(&["tend"]);
    for name in ["pruned", "merged", "derived", "compacted"] {
        assert_eq!(did[name], 0, "{name}");
    }
    assert_eq!(
        (&did["state"], &did["skipped"]["derive"]),
        (&json!("done"), &json!("there is no core model"))
    );
    assert!(did["durationMs"].is_u64() && did["runId"].is_string());
    assert_eq!(home.json(&["tend", "--step", "merge"])["steps"], json!({ "merge": 0 }));
    let wrong = home.run(["tend", "--step", "polish"]);
    assert_eq!(wrong.code, Some(2), "{wrong:?}");
}

#[test]
fn a_server_tends_and_takes_back_over_http() {
    let home = Home::new();
    home.add("Ada plays the viola");
    let server = home.serve();
    let (status, tended) = server.post("/api/memory/tend", &json!({}));
    assert_eq!((status, &tended["state"]), (200, &json!("done")), "{tended}");
    let id = tended["runId"].as_str().expect("a run").to_owned();
    assert_eq!(home.json(&["runs"])["runs"][0]["id"], json!(id), "the command asks the server");
    let path = format!("/api/memory/runs/{id}/undo");
    let (status, undone) = server.post(&path, &json!({}));
    assert_eq!((status, &undone["restored"]), (200, &json!(0)), "{undone}");
    assert_eq!(server.post(&path, &json!({})).0, 409);
    assert_eq!(server.post("/api/memory/tend", &json!({ "step": "polish" })).0, 400);
}
