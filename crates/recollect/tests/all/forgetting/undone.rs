//! What is forgotten without a purge comes back, what was said too.

use serde_json::json;

use crate::support::{Home, RunningServer, contents};

/// A conversation that was distilled, so that there is a digest.
fn conversation(server: &RunningServer) {
    let body = json!({
        "agent_id": "keeper", "user_id": "ada", "conversation_id": "trip",
        "messages": [
            { "role": "user", "content": "My name is Ada and I live in Bergen. I decided to buy a boat in May." },
            { "role": "assistant", "content": "A boat in May, noted." },
            { "role": "user", "content": "We also talked about the harbour fee and the engine. I want a red one." },
            { "role": "assistant", "content": "Red it is." },
        ],
    });
    let (status, answer) = server.post("/memory/ingest", &body);
    assert_eq!(status, 200, "{answer}");
}

#[test]
fn a_session_is_forgotten_with_its_digest_and_brought_back() {
    let home = Home::new();
    let server = home.serve();
    conversation(&server);
    let of = ["--agent", "keeper", "--user", "ada"];
    let listed = |home: &Home| contents(&home.json(&[&["list"], &of[..]].concat())["memories"]);
    let episodes = |server: &RunningServer| {
        let reply = server.http("GET /api/memory/episodes?agentId=keeper&userId=ada HTTP/1.1");
        serde_json::from_str::<serde_json::Value>(&reply.body).expect("JSON")["total"].clone()
    };
    let (before, digests) = (listed(&home), episodes(&server));
    assert!(!before.is_empty() && digests == json!(1), "{before:?} {digests}");

    let ask = [&["forget", "--session", "trip"], &of[..]].concat();
    let would = home.json(&ask);
    assert_eq!((&would["done"], &would["kinds"]["turns"]), (&json!(false), &json!(4)), "{would}");
    assert_eq!(would["kinds"]["episodes"], 1);
    let done = home.json(&[&ask[..], &["--yes"]].concat());
    assert_eq!(done["kinds"], would["kinds"]);
    assert_eq!((listed(&home), episodes(&server)), (vec![], json!(0)));
    let said = || {
        home.json(&[&["search", "boat", "--scope", "transcript"], &of[..]].concat())["results"].to_string()
    };
    assert!(!said().contains("boat"), "what was said is not told: {}", said());
    let again = home.run([&ask[..], &["--yes"]].concat());
    assert_eq!(again.code, Some(1), "a second time there is nothing: {again:?}");

    home.json(&["undo", done["run"].as_str().expect("a run")]);
    assert_eq!((listed(&home), episodes(&server)), (before, digests));
    assert!(said().contains("boat in May"), "{}", said());
}

#[test]
fn people_are_told_what_is_not_reached_and_how_it_comes_back() {
    let home = Home::new();
    let server = home.serve();
    conversation(&server);
    let ran = home.run(["forget", "--session", "trip", "--user", "ada", "--agent", "keeper", "--yes"]);
    assert!(ran.stderr.contains("4 turns") && ran.stderr.contains("not reached: backups"), "{ran:?}");
    assert!(ran.stderr.contains("`recollect undo ru_"), "{ran:?}");
    let ran =
        home.run(["forget", "--session", "trip", "--user", "ada", "--agent", "keeper", "--yes", "--purge"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.stderr.contains("4 turns, 1 session, 1 episode"), "{ran:?}");
    assert!(ran.stdout.contains("not reached") && ran.stdout.contains("receipt"), "{ran:?}");
    let turns = home.json(&["search", "boat", "--scope", "transcript"]);
    assert_eq!(turns["results"], json!([]));
}

#[test]
fn what_a_purge_wrote_anew_can_still_be_forgotten_and_brought_back() {
    let home = Home::new();
    let id = home.json(&["add", "Ada keeps a boat in Bergen", "--tag", "boats"])["id"].clone();
    let id = id.as_str().expect("an id");
    home.json(&["update", id, "--content", "Ada keeps a boat called quokkas9172 in Bergen"]);
    home.json(&["update", id, "--content", "Ada keeps a red boat in Bergen"]);
    home.json(&["forget", "--match", "quokkas9172", "--purge", "--yes"]);
    let forgotten = home.json(&["forget", id, "--yes"]);
    home.json(&["undo", forgotten["run"].as_str().expect("a run")]);
    assert_eq!(contents(&home.json(&["list"])["memories"]), ["Ada keeps a red boat in Bergen"]);
}
