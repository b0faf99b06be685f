//! `recollect doctor FILE`: a mem0 export judged without being taken in.

use serde_json::{Value, json};

use crate::support::Home;

fn memory(number: usize, user: Option<&str>, text: &str) -> Value {
    let mut memory = json!({ "id": format!("m-{number}"), "memory": text, "hash": "0", "created_at": "2026-01-01T00:00:00Z" });
    if let Some(user) = user {
        memory["user_id"] = json!(user);
    }
    memory
}

fn export(texts: &[&str]) -> Value {
    let memories: Vec<Value> =
        texts.iter().enumerate().map(|(number, text)| memory(number, Some("ada"), text)).collect();
    json!({ "results": memories })
}

fn audited(home: &Home, export: &Value) -> (Option<i32>, Value) {
    std::fs::write(home.path().join("export.json"), export.to_string()).expect("written");
    let ran = home.run(["doctor", "export.json", "--json"]);
    (ran.code, serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {ran:?}")))
}

#[test]
fn a_clean_export_has_a_hundred() {
    let home = Home::new();
    let (code, said) =
        audited(&home, &export(&["User lives in Lyon", "Likes green tea", "Works at Analytical Engines"]));
    assert_eq!(
        (code, &said["score"], &said["memories"], &said["findings"]),
        (Some(0), &json!(100), &json!(3), &json!([])),
        "{said:#}"
    );
}

#[test]
fn junk_is_counted_by_sort_with_examples() {
    let home = Home::new();
    let mut junk = export(&[
        "User lives in Lyon",
        "user lives in lyon",
        "User lives in Lisbon",
        "User is asking about the weather in Paris",
        "You are a helpful assistant that answers briefly",
        "Assistant suggested a walk in the park",
        "User's API key is sk-abcdefghijklmnopqrstuvwxyz0123456789ABCD",
        "Name is John Doe",
    ]);
    junk["results"].as_array_mut().expect("a list").push(memory(99, None, "Likes to swim in the sea"));
    let (code, said) = audited(&home, &junk);
    assert_eq!(
        (code, &said["memories"], &said["junk"], &said["score"]),
        (Some(4), &json!(9), &json!(8), &json!(11)),
        "{said:#}"
    );
    let mut sorts: Vec<&str> = said["findings"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|found| found["sort"].as_str().expect("a sort"))
        .collect();
    sorts.sort_unstable();
    assert_eq!(
        sorts,
        ["assistant", "contradiction", "duplicate", "made-up", "no-owner", "prompt", "request", "secret"],
        "{said:#}"
    );
    let text = said.to_string();
    assert!(!text.contains("sk-abc") && !text.contains("Lisbon"), "answers for programs say where, not what");
    assert!(!home.data().exists(), "nothing was taken in");
}

#[test]
fn a_person_sees_the_lines() {
    let home = Home::new();
    std::fs::write(home.path().join("export.json"), export(&["Likes tea", "likes tea"]).to_string())
        .expect("written");
    let ran = home.run(["doctor", "--mem0", "export.json"]);
    assert_eq!(ran.code, Some(4));
    assert!(ran.stdout.contains("duplicate  1 of 2") && ran.stdout.contains("likes tea"), "{ran:?}");
    assert!(ran.stdout.contains("score 50 of 100"), "{ran:?}");
}

#[test]
fn what_is_no_export_is_refused() {
    let home = Home::new();
    std::fs::write(home.path().join("broken.json"), "{\"results\": [{\"memory\": \"a").expect("written");
    let ran = home.run(["doctor", "broken.json"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.stderr.contains("mem0 export") && ran.stderr.contains("hint:"), "{ran:?}");
    assert_eq!(home.run(["doctor", "absent.json"]).code, Some(2));
    assert_eq!(home.run(["doctor", "broken.json", "--fix"]).code, Some(2));
}

/// Ten thousand entries of which almost all are the same few: the score says it, in bounded time and memory.
#[test]
fn a_large_export_is_judged_as_it_streams_by() {
    let home = Home::new();
    let texts = [
        "User is asking for help with the build",
        "User prefers dark mode",
        "User prefers dark mode in the editor",
    ];
    let memories: Vec<Value> =
        (0..10_000).map(|number| memory(number, Some("ada"), texts[number % 3])).collect();
    let (code, said) = audited(&home, &json!({ "results": memories }));
    assert_eq!((code, &said["memories"], &said["score"]), (Some(4), &json!(10_000), &json!(0)), "{said:#}");
    assert!(said["junk"].as_u64().expect("a number") >= 9_997);
}
