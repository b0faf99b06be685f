//! `recollect identity`, as one types it.

use serde_json::{Value, json};

use crate::support::Home;

fn told(home: &Home) {
    let said = [
        "My name is Ada.",
        "I live in Irvine.",
        "I work at Northwind.",
        "Remember that I am allergic to penicillin.",
    ];
    let messages: Vec<Value> = said.iter().map(|text| json!({ "role": "user", "content": text })).collect();
    let conversation = json!({ "conversation_id": "one", "messages": messages });
    let ran = home.feed(&["ingest", "-", "--user", "ada"], &conversation.to_string());
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

/// What differs from run to run, replaced.
fn transcript(home: &Home, arguments: &[&str]) -> String {
    let mut text = home.run(arguments.iter().chain(&["--user", "ada"])).transcript(home);
    while let Some(start) = text.find("ov_") {
        text.replace_range(start..start + 39, "[override]");
    }
    text
}

#[test]
fn a_profile_is_shown_edited_and_handed_back_by_command() {
    let home = Home::new();
    insta::assert_snapshot!("nothing_yet", transcript(&home, &["identity", "show"]));
    told(&home);
    insta::assert_snapshot!("shown", transcript(&home, &["identity", "show"]));
    let edit = ["identity", "edit", "--text", "Call me Countess.\nUser works at Northwind"];
    insta::assert_snapshot!("edited", transcript(&home, &edit));
    insta::assert_snapshot!("versions", transcript(&home, &["identity", "versions"]));
    insta::assert_snapshot!("difference", transcript(&home, &["identity", "versions", "--diff", "2"]));
    insta::assert_snapshot!("handed_back", transcript(&home, &["identity", "edit", "--generated"]));
    insta::assert_snapshot!("refreshed", transcript(&home, &["identity", "refresh"]));
    let add = ["identity", "override", "add", "Answer", "me", "in", "Spanish"];
    insta::assert_snapshot!("override_added", transcript(&home, &add));
    insta::assert_snapshot!("override_known", transcript(&home, &add));
    insta::assert_snapshot!("overrides", transcript(&home, &["identity", "override", "list"]));
    let remove = ["identity", "override", "remove", "answer me in spanish"];
    insta::assert_snapshot!("override_removed", transcript(&home, &remove));
    insta::assert_snapshot!("override_unknown", transcript(&home, &remove));
}

#[test]
fn mistakes_say_what_was_expected() {
    let home = Home::new();
    insta::assert_snapshot!("no_terminal", transcript(&home, &["identity", "edit"]));
    insta::assert_snapshot!("no_version", transcript(&home, &["identity", "versions", "--diff", "7"]));
    insta::assert_snapshot!("empty", transcript(&home, &["identity", "edit", "--text", " "]));
    let stale = ["identity", "edit", "--text", "Ada", "--expect-number", "3"];
    insta::assert_snapshot!("stale", transcript(&home, &stale));
    let both = ["identity", "edit", "--text", "Ada", "--generated"];
    assert_eq!(home.run(both).code, Some(2));
}

#[test]
fn everything_answers_in_json() {
    let home = Home::new();
    told(&home);
    let ask = |arguments: &[&str]| home.json(&[arguments, &["--user", "ada"]].concat());
    let shown = ask(&["identity", "show"]);
    assert_eq!(shown["profile"]["number"], 1);
    assert_eq!(shown["overrides"][0]["text"], "User is allergic to penicillin");
    std::fs::write(home.path().join("me.txt"), "Call me Countess.\r\n").expect("written");
    let edited = ask(&["identity", "edit", "--file", "me.txt", "--expect-number", "1"]);
    assert_eq!((&edited["changed"], &edited["profile"]["text"]), (&true.into(), &"Call me Countess.".into()));
    assert_eq!(ask(&["identity", "edit", "--file", "me.txt"])["changed"], false);
    assert_eq!(ask(&["identity", "versions"])["versions"].as_array().expect("a list").len(), 2);
    assert_eq!(ask(&["identity", "versions", "--diff", "2"])["versions"][0]["number"], 2);
    assert_eq!(ask(&["identity", "refresh"])["changed"], false);
    let added = ask(&["identity", "override", "add", "I am colour-blind"]);
    assert_eq!((&added["added"], &added["override"]["origin"]), (&true.into(), &"person".into()));
    let id = added["override"]["id"].as_str().expect("an id");
    assert_eq!(ask(&["identity", "override", "list"])["overrides"].as_array().expect("a list").len(), 2);
    assert_eq!(ask(&["identity", "override", "remove", id])["text"], "I am colour-blind");
}

#[test]
fn a_running_server_does_it_as_well() {
    let home = Home::new();
    let server = home.serve();
    told(&home);
    assert_eq!(home.json(&["identity", "show", "--user", "ada"])["profile"]["number"], 1);
    let context = home.json(&["context", "what's my name?", "--user", "ada"]);
    assert!(context["block"].as_str().expect("text").contains("User's name is Ada"), "{context}");
    drop(server);
}
