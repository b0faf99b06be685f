//! ChatGPT's export in the shapes that it has, had, and should not have.

use memory::types::Role;
use serde_json::{Value, json};
use transfer::chatgpt::read;

use super::foreign::{Scratch, all, conversations, errors, left_out, of, of_json, script};
use testkit::folder::zipped;

/// A node with a text.
fn node(parent: Value, role: &str, text: &str, at: Value) -> Value {
    json!({"parent": parent, "message": {
        "author": {"role": role}, "create_time": at, "content": {"content_type": "text", "parts": [text]},
    }})
}

fn conversation(current: Value, mapping: Value) -> Value {
    json!([{"id": "c1", "title": "Tea", "create_time": 1_700_000_000.25, "current_node": current, "mapping": mapping}])
}

fn forked() -> Value {
    json!({
        "root": {"parent": null, "message": null, "children": ["q"]},
        "q": node(json!("root"), "user", "Which tea?", json!(1_700_000_001)),
        "a1": node(json!("q"), "assistant", "Green.", json!(1_700_000_002)),
        "a2": node(json!("q"), "assistant", "Black.", json!(1_700_000_003)),
        "q2": node(json!("a1"), "user", "Why green?", json!(1_700_000_004)),
        "a3": node(json!("q2"), "assistant", "It is light.", json!(1_700_000_005)),
        "a4": node(json!("q2"), "assistant", "It is fresh.", json!(1_700_000_006)),
    })
}

#[test]
fn the_shown_line_is_the_conversation_and_every_other_way_a_branch() {
    let read = conversations(of_json(read, &conversation(json!("a2"), forked())));
    let ids: Vec<&str> = read.iter().map(|one| one.id.as_str()).collect();
    assert_eq!(ids, ["c1", "c1#branch-1", "c1#branch-2"]);
    assert_eq!(script(&read[0]), [(Role::User, "Which tea?"), (Role::Assistant, "Black.")]);
    let branch = [(Role::Assistant, "Green."), (Role::User, "Why green?"), (Role::Assistant, "It is fresh.")];
    assert_eq!(script(&read[1]), branch);
    assert_eq!(read[1].metadata["forks_after"], "q");
    assert_eq!(read[1].metadata["branch_of"], "c1");
    assert_eq!(script(&read[2]), [(Role::Assistant, "It is light.")]);
    assert_eq!(read[2].metadata["forks_after"], "q2");
    assert!(read.iter().all(|one| one.title.as_deref() == Some("Tea")));
    assert_eq!(read[0].started_at.map(|at| at.to_string()).as_deref(), Some("2023-11-14T22:13:20.250000Z"));
    assert_eq!(read[0].turns[1].at.map(|at| at.to_string()).as_deref(), Some("2023-11-14T22:13:23.000000Z"));
}

#[test]
fn without_a_mark_the_deepest_latest_line_is_shown() {
    for current in [json!(null), json!("gone"), json!(7), json!({}), json!("root")] {
        let read = conversations(of_json(read, &conversation(current, forked())));
        assert_eq!(read[0].turns.last().map(|turn| turn.text.as_str()), Some("It is fresh."));
        assert_eq!(read.iter().map(|one| one.turns.len()).sum::<usize>(), 6);
    }
}

#[test]
fn circles_strangers_and_children_without_parents_do_not_hang() {
    let mapping = json!({
        "a": node(json!("b"), "user", "one", json!(1)),
        "b": node(json!("a"), "user", "two", json!(2)),
        "c": node(json!("nobody"), "user", "three", json!(3)),
        "d": node(json!("d"), "user", "four", json!(4)),
        "e": {"children": ["f", 3, null], "message": null},
        "f": {"message": {"author": {"role": "user"}, "content": {"parts": ["five"]}}},
        "g": null, "h": 5, "i": [], "j": "text",
    });
    let read = conversations(of_json(read, &conversation(json!("b"), mapping)));
    let mut said: Vec<&str> = read.iter().flat_map(|one| &one.turns).map(|turn| turn.text.as_str()).collect();
    said.sort_unstable();
    assert_eq!(said, ["five", "four", "one", "three", "two"]);
    assert_eq!(script(&read[0]), [(Role::User, "one"), (Role::User, "two")]);
}

#[test]
fn messages_without_any_parent_follow_their_times() {
    let plain = |text: &str, at: i64| json!({"message": {"author": {"role": "user"}, "create_time": at, "content": {"parts": [text]}}});
    let mapping = json!({"z": plain("first", 1), "y": plain("second", 2), "x": plain("third", 3)});
    let read = conversations(of_json(read, &conversation(json!(null), mapping)));
    assert_eq!(read.len(), 1);
    let said: Vec<&str> = read[0].turns.iter().map(|turn| turn.text.as_str()).collect();
    assert_eq!(said, ["first", "second", "third"]);
}

#[test]
fn a_tool_between_question_and_answer_loses_neither() {
    let mapping = json!({
        "s": {"message": {"author": {"role": "system"}, "content": {"content_type": "text", "parts": [""]}}},
        "i": {"parent": "s", "message": {"author": {"role": "user"}, "content": {"content_type": "user_editable_context", "user_profile": "I am Ada", "user_instructions": "Be short"}, "metadata": {"is_user_system_message": true, "is_visually_hidden_from_conversation": true}}},
        "q": node(json!("i"), "user", "How warm is it?", json!(10)),
        "t": {"parent": "q", "message": {"author": {"role": "assistant"}, "content": {"content_type": "thoughts", "thoughts": [{"summary": "Look", "content": "I should look."}]}}},
        "c": {"parent": "t", "message": {"author": {"role": "assistant"}, "recipient": "web.search", "content": {"content_type": "code", "text": "search(\"weather\")"}}},
        "r": {"parent": "c", "message": {"author": {"role": "tool", "name": "web.search"}, "content": {"content_type": "sonic_webpage", "url": "u", "title": "Weather", "text": "21 degrees"}}},
        "a": node(json!("r"), "assistant", "21 degrees.", json!(12)),
    });
    let read = conversations(of_json(read, &conversation(json!("a"), mapping)));
    assert_eq!(
        script(&read[0]),
        [
            (Role::System, "I am Ada\nBe short"),
            (Role::User, "How warm is it?"),
            (Role::Tool, "Look\nI should look."),
            (Role::Tool, "search(\"weather\")"),
            (Role::Tool, "Weather\nu\n21 degrees"),
            (Role::Assistant, "21 degrees."),
        ]
    );
    let speakers: Vec<Option<&str>> = read[0].turns.iter().map(|turn| turn.speaker.as_deref()).collect();
    assert_eq!(speakers, [None, None, Some("thoughts"), Some("web.search"), Some("web.search"), None]);
}

#[test]
fn what_must_not_be_remembered_and_what_is_empty_is_left_out() {
    let mut document = conversation(json!("q"), json!({"q": node(json!(null), "user", "secret", json!(1))}));
    document[0]["is_do_not_remember"] = json!(true);
    let pieces = of_json(read, &document);
    assert_eq!(left_out(&pieces), ["conversation 1 (Tea): it is marked as not to be remembered"]);
    let pieces = of_json(
        read,
        &json!([{"id": "e", "title": "", "mapping": {}}, {"id": "f", "title": null, "mapping": {"r": {"message": null}}}]),
    );
    assert_eq!(
        left_out(&pieces),
        ["conversation 1: nothing is said in it", "conversation 2: nothing is said in it"]
    );
}

#[test]
fn what_is_no_conversation_is_told_with_its_place_and_the_others_come() {
    let good = conversation(json!("q"), json!({"q": node(json!(null), "user", "still here", json!(1))}));
    let document =
        json!([7, "text", null, [], {"title": "No mapping"}, {"mapping": "no"}, {"mapping": null}, good[0]]);
    let pieces = of_json(read, &document);
    let wrong = errors(&pieces);
    assert_eq!(wrong.len(), 7, "{wrong:?}");
    assert_eq!(wrong[0], "conversation 1: it is a number; expected a conversation, which is an object");
    assert!(wrong[4].starts_with("conversation 5 (No mapping): it has no `mapping`"), "{wrong:?}");
    assert_eq!(conversations(pieces)[0].turns[0].text, "still here");
}

#[test]
fn a_file_that_breaks_off_is_broken() {
    let whole = conversation(json!("a2"), forked()).to_string();
    for length in [0, 1, 20, whole.len() / 2, whole.len() - 1] {
        let broken = of(read, &whole[..length]).expect_err("it breaks off");
        assert!(broken.place.contains("line 1"), "{broken}");
    }
    assert!(of(read, "hello").is_err());
    assert_eq!(of(read, "[]").expect("an empty list is whole").len(), 0);
    assert_eq!(of(read, "\u{feff} []\n").expect("so it is with a mark").len(), 0);
}

#[test]
fn an_object_around_the_list_and_one_conversation_by_itself_are_read() {
    let one = conversation(json!("q"), json!({"q": node(json!(null), "user", "hi", json!(1))}))[0].clone();
    for document in [json!({"version": 2, "conversations": [one.clone()], "user": {}}), one] {
        let read = conversations(of_json(read, &document));
        assert_eq!(script(&read[0]), [(Role::User, "hi")], "{document}");
        assert_eq!(read[0].id, "c1");
    }
}

#[test]
fn the_same_id_twice_loses_nothing() {
    let one = |text: &str| {
        conversation(json!("q"), json!({"q": node(json!(null), "user", text, json!(1))}))[0].clone()
    };
    let pieces = of_json(read, &json!([one("first"), one("second"), one("first")]));
    assert_eq!(left_out(&pieces), ["conversation 3 (Tea): it stands in the file twice"]);
    let ids: Vec<String> = conversations(pieces).into_iter().map(|one| one.id).collect();
    assert_eq!(ids, ["c1", "c1~2"]);
}

#[test]
fn texts_of_every_script_and_size_come_whole() {
    let long = "Größe 東京 مرحبا 🫖\n".repeat(100_000);
    let read = conversations(of_json(
        read,
        &conversation(json!("q"), json!({"q": node(json!(null), "user", &long, json!("1700000000"))})),
    ));
    assert!(read[0].turns.len() > 1, "larger than a turn");
    assert_eq!(read[0].turns.iter().map(|turn| turn.text.as_str()).collect::<String>(), long);
}

#[test]
fn the_archive_as_downloaded_comes_with_its_numbered_parts_and_documents() {
    let part = |id: &str, text: &str| {
        let mut document = conversation(json!("q"), json!({"q": node(json!(null), "user", text, json!(1))}));
        document[0]["id"] = json!(id);
        document.to_string()
    };
    let (one, two) = (part("one", "in part one"), part("two", "in part two"));
    let archive = zipped(&[
        ("export/conversations-001.json", two.as_bytes()),
        ("export/conversations-000.json", one.as_bytes()),
        ("export/shared_conversations.json", b"[{\"id\":\"x\"}]"),
        ("export/textdocs/abc.json", b"{\"id\":\"abc\",\"title\":\"Plan\",\"content\":\"# The plan\"}"),
        ("export/textdocs/bad.json", b"[1]"),
        ("export/chat.html", b"<html>"),
        ("__MACOSX/export/._conversations.json", b"\x00\x05"),
    ]);
    let scratch = Scratch::new();
    let pieces = all(read, &scratch.file("download.zip", archive)).expect("a whole archive");
    assert_eq!(errors(&pieces), ["export/textdocs/bad.json: it is a list; expected a document"]);
    let read = conversations(pieces);
    let said: Vec<&str> = read.iter().map(|one| one.turns[0].text.as_str()).collect();
    assert_eq!(said, ["in part one", "in part two", "# The plan"]);
    assert_eq!((read[2].document, read[2].title.as_deref()), (true, Some("Plan")));
    // The same files unpacked into a folder.
    scratch.file("folder/sub/conversations.json", one);
    let unpacked =
        conversations(all(transfer::chatgpt::read, &scratch.folder().join("folder")).expect("a folder"));
    assert_eq!(unpacked[0].turns[0].text, "in part one");
}
