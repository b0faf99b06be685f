//! A purge that is killed in the middle: whoever repeats it finishes it, and its receipt counts all of it.

use std::process::Stdio;
use std::time::Duration;

use serde_json::json;
use testkit::{Random, traces};

use crate::support::Home;

const MEMORIES: usize = 600;
const ROUNDS: usize = 3;

/// Memories with the word and as many without, in many batches.
fn filled() -> Home {
    let home = Home::new();
    let line = |number: usize| {
        let word = if number.is_multiple_of(2) { "wombats41" } else { "wombats42" };
        let add =
            json!({ "operation": "add", "content": format!("pen {number} is for {word}"), "session": "s" });
        format!("{add}\n")
    };
    let lines: String = (0..2 * MEMORIES).map(line).collect();
    assert_eq!(home.feed(&["exec"], &lines).code, Some(0));
    home
}

#[test]
fn whoever_repeats_a_purge_that_was_killed_finishes_it() {
    let seed = u64::from(std::process::id());
    println!("seed {seed}");
    let mut random = Random::seeded(seed);
    let home = filled();
    let database = home.data().join("tenants/local.sqlite3");
    let arguments = ["forget", "--match", "wombats41", "--purge", "--yes", "--json"];
    for _ in 0..ROUNDS {
        let mut command = home.command();
        let mut child =
            command.args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
        std::thread::sleep(Duration::from_millis(50 + random.below(400) as u64));
        child.kill().expect("killed");
        child.wait().expect("gone");
    }
    let done = home.run(arguments);
    // The last of the killed ones may have been done all but for its answer.
    assert!(done.code == Some(0) || done.stdout.contains("\"count\""), "{done:?}");
    assert_eq!(traces::of(&database, "wombats41"), [""; 0]);
    assert_eq!(home.json(&["list", "--limit", "1"])["total"], MEMORIES, "the neighbours");
    let receipts = home.json(&["receipts"]);
    let receipts = receipts["receipts"].as_array().expect("a list");
    let counted: u64 = receipts.iter().filter_map(|receipt| receipt["removed"]["memories"].as_u64()).sum();
    assert_eq!((receipts.len(), counted), (1, MEMORIES as u64), "one receipt for all of it: {receipts:?}");
}
