//! What comes in more than once, what is over when it comes, and what is taken back more than once.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::own::import;
use crate::support::Home;

/// A conversation in the words of another house.
fn talk(home: &Home) -> PathBuf {
    let message = |id: &str, sender: &str, text: &str| {
        json!({
            "uuid": id, "sender": sender, "text": text, "created_at": "2024-03-01T10:00:00Z",
        })
    };
    let said = [
        message("m1", "human", "My sister Anna keeps bees in Porto, and I live in Bergen with two dogs."),
        message("m2", "assistant", "Bees in Porto, and two dogs in Bergen."),
    ];
    let file = json!([{"uuid": "talk-1", "name": "Bees", "created_at": "2024-03-01T10:00:00Z", "chat_messages": said}]);
    let path = home.path().join("conversations.json");
    std::fs::write(&path, file.to_string()).expect("written");
    path
}

fn sessions(home: &Home) -> Vec<Value> {
    let listed = home.json(&["sessions", "list"]);
    listed["sessions"].as_array().expect("a list").clone()
}

#[test]
fn a_conversation_that_was_over_is_over_and_teaches_nothing_by_itself() {
    let home = Home::new();
    let report = import(&home, &talk(&home), &[]);
    assert_eq!(report["imported"], 1, "{report}");
    let listed = sessions(&home);
    assert_eq!(listed.len(), 1);
    assert!(listed[0].to_string().contains("\"ended_at\":\"2024-03-01T10:00:00"), "{}", listed[0]);
    drop(home.serve());
    let stats = home.json(&["stats"]);
    assert_eq!((&stats["episodes"], &stats["pending"]), (&json!(0), &json!(0)), "{stats}");
}

#[test]
fn an_import_is_taken_back_as_often_as_it_comes_in() {
    let home = Home::new();
    let path = talk(&home);
    for round in 0..3 {
        let report = import(&home, &path, &[]);
        assert_eq!(report["imported"], 1, "round {round}: {report}");
        home.json(&["undo", report["run"].as_str().expect("a run")]);
        assert_eq!(sessions(&home), Vec::<Value>::new(), "round {round}");
    }
}

#[test]
fn tags_are_united_up_to_what_can_move_on() {
    let home = Home::new();
    let rows = (0..40).map(|number| format!("Uma drinks tea,one{number};two{number}\n"));
    let path = home.path().join("tea.csv");
    std::fs::write(&path, format!("content,tags\n{}", rows.collect::<String>())).expect("written");
    import(&home, &path, &[]);
    let out = super::own::export(&home, "tea.json", &[]);
    let there = Home::new();
    let report = import(&there, &out, &[]);
    assert_eq!((&report["imported"], &report["errors"]), (&json!(1), &json!([])), "{report}");
}
