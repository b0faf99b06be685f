//! Each line says why it is told and how sure that is, where that is asked for.

use serde_json::{Value, json};

use crate::support::Home;

#[test]
fn each_line_has_its_reason_and_its_probability() {
    let home = Home::new();
    for fact in ["I live in Irvine", "I am allergic to peanuts", "My car is a blue Fiesta"] {
        home.add(fact);
    }
    let message = "What should I avoid eating at the restaurant tonight?";
    let server = home.serve();
    let ask = |body: Value| server.post("/api/memory/context", &body).1;
    let plain = ask(json!({ "message": message }));
    let explained = ask(json!({ "message": message, "explain": true }));
    assert_eq!(plain["block"], explained["block"], "to ask why changes nothing");
    let lines = explained["lines"].as_array().expect("lines");
    let of = |word: &str| lines.iter().find(|line| line["text"].to_string().contains(word)).expect("told");
    let sure = |word: &str| of(word)["probability"].as_f64().expect("a number");
    assert!((0.0..=1.0).contains(&sure("peanuts")), "{explained}");
    assert_eq!(of("Irvine")["reason"], "says who the user is");
    assert!(plain["lines"].as_array().expect("lines").iter().all(|line| line.get("reason").is_none()));
    let ran = home.run(["context", "--explain", message]);
    assert!(ran.stdout.starts_with(explained["block"].as_str().expect("text")), "{ran:?}");
    assert!(ran.stdout.contains(" %  says who the user is: I live in Irvine\n"), "{ran:?}");
}

#[test]
fn a_line_is_a_plain_sentence_unless_the_triple_is_wanted() {
    let home = Home::new();
    let server = home.serve();
    let said = json!({ "conversation_id": "c", "turns": [{ "user": "I'm allergic to peanuts.", "assistant": "OK." }] });
    assert_eq!(server.post("/memory/ingest", &said).0, 200);
    let block = || home.json(&["context", "What should I avoid eating tonight?"])["block"].to_string();
    assert!(block().contains("- User is allergic to peanuts"), "{}", block());
    home.run(["settings", "set", "lineStyle", "triple"]);
    assert!(block().contains("[fact] User ALLERGIC_TO peanuts"), "{}", block());
}
