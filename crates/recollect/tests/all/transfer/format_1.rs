//! Exports of the first format, as files that a program of that time wrote (`tests/fixtures/`): they come in whole, and nobody
//! sees more of them than when they were written. The scope `user` then meant this user with this agent.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::own::{dump, export, import};
use crate::support::{Home, contents};

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)
}

const FILES: [&str; 2] = ["export_format_1.jsonl", "export_format_1.json"];

/// What a prompt of this user with this agent is told for a message.
fn told(home: &Home, message: &str, user: &str, agent: &str) -> String {
    let context = home.json(&["context", message, "--user", user, "--agent", agent]);
    context["block"].as_str().unwrap_or_else(|| panic!("{context}")).to_owned()
}

const TEA: &str = "What tea do I drink in the morning?";
const DRINKS: &str = "Uma drinks black tea in the morning";

#[test]
fn everything_comes_in_and_says_what_it_said() {
    for name in FILES {
        let home = Home::new();
        let report = import(&home, &fixture(name), &[]);
        assert_eq!(report["errors"], json!([]), "{name}: {report}");
        let contents: Vec<String> = contents(&home.json(&["list", "--user", "uma"])["memories"]);
        for part in [DRINKS, "Uma lives in Bergen", "User works at Acme Corp"] {
            assert!(contents.iter().any(|content| content == part), "{name}: {part:?} in {contents:?}");
        }
        assert!(!contents.concat().contains("xylophones"), "{name}: what was forgotten stays forgotten");
        let all = dump(&home).join("\n");
        let history = ["Uma lives in Oslo", "green tea", "xylophones"];
        let records =
            ["My sister Anna lives in Berlin.", "\"Acme Corp\"", "Always answers in Norwegian", "recallTopK"];
        for part in history.iter().chain(&records) {
            assert!(all.contains(part), "{name}: {part:?} is missing in {all}");
        }
        let again = import(&home, &fixture(name), &[]);
        assert_eq!((&again["imported"], &again["errors"]), (&json!(0), &json!([])), "{name}: {again}");
    }
}

#[test]
fn nobody_sees_more_than_before() {
    for name in FILES {
        let home = Home::new();
        import(&home, &fixture(name), &[]);
        assert!(told(&home, TEA, "uma", "aster").contains(DRINKS), "{name}");
        for (user, agent) in [("uma", "other"), ("vito", "aster")] {
            let block = told(&home, TEA, user, agent);
            assert!(!block.contains(DRINKS), "{name}, {user} with {agent}: {block}");
        }
        let house = told(&home, "When does the house close?", "vito", "other");
        assert!(house.contains("The house closes at six"), "{name}: everybody's: {house}");
        let block = told(&home, "How do you answer me?", "vito", "aster");
        assert!(block.contains("Aster answers in short sentences"), "{name}: the agent's: {block}");
    }
    let text = std::fs::read_to_string(fixture(FILES[0])).expect("read");
    let home = Home::new();
    let newer = home.path().join("newer.jsonl");
    std::fs::write(&newer, text.replacen("\"format\":1", "\"format\":2", 1)).expect("written");
    import(&home, &newer, &[]);
    assert!(told(&home, TEA, "uma", "other").contains(DRINKS), "the same words mean otherwise since");
}

#[test]
fn it_goes_out_again_in_todays_format() {
    let home = Home::new();
    import(&home, &fixture(FILES[0]), &[]);
    let path = export(&home, "today.jsonl", &["--include-deleted"]);
    let lines = std::fs::read_to_string(&path).expect("read");
    let header: Value = serde_json::from_str(lines.lines().next().expect("a header")).expect("JSON");
    assert_eq!(header["recollect"]["format"], 2);
    assert!(!lines.contains("\"scope\":\"user\""), "records and their history: {lines}");
    let there = Home::new();
    assert_eq!(import(&there, &path, &[])["errors"], json!([]));
    assert!(!told(&there, TEA, "uma", "other").contains(DRINKS));
    assert!(told(&there, TEA, "uma", "aster").contains(DRINKS));
}
