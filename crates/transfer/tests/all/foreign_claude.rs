//! Claude's export: messages, blocks, attachments, branches, projects.

use memory::types::Role;
use serde_json::{Value, json};
use transfer::claude::read;

use super::foreign::{Scratch, all, conversations, errors, left_out, of, of_json, script};
use testkit::folder::zipped;

fn message(id: &str, parent: Option<&str>, sender: &str, text: &str) -> Value {
    let mut message = json!({"uuid": id, "sender": sender, "text": text, "created_at": format!("2026-01-01T00:00:0{}Z", id.len())});
    if let Some(parent) = parent {
        message["parent_message_uuid"] = json!(parent);
    }
    message
}

#[test]
fn messages_come_in_order_with_what_stands_beside_them() {
    let read = conversations(of_json(
        read,
        &json!([{
            "uuid": "c", "name": "Report", "created_at": "2026-01-01T00:00:00Z", "chat_messages": [
                {"uuid": "1", "sender": "human", "text": "Read this", "attachments": [{"file_name": "r.txt", "extracted_content": "The figures"}]},
                {"uuid": "2", "sender": "assistant", "text": "", "created_at": "2026-01-01T00:01:00Z", "content": [
                    {"type": "thinking", "thinking": "hm"},
                    {"type": "tool_use", "name": "calc", "input": {"sum": [1, 2]}},
                    {"type": "tool_result", "name": "calc", "content": [{"type": "text", "text": "3"}]},
                    {"type": "text", "text": "It is three."},
                ]},
                {"sender": "human", "files": [{"file_name": "photo.png"}]},
                {"uuid": "4", "sender": "narrator", "text": "Meanwhile"},
                5, null,
            ],
        }]),
    ));
    assert_eq!(
        script(&read[0]),
        [
            (Role::User, "Read this\n[file: r.txt]"),
            (Role::Tool, "The figures"),
            (Role::Tool, "hm"),
            (Role::Tool, "{\"sum\":[1,2]}"),
            (Role::Tool, "3"),
            (Role::Assistant, "It is three."),
            (Role::User, "[file: photo.png]"),
            (Role::Tool, "Meanwhile"),
        ]
    );
    assert_eq!(read[0].turns[7].speaker.as_deref(), Some("narrator"));
    assert_eq!(read[0].turns[0].at.map(|at| at.to_string()).as_deref(), Some("2026-01-01T00:00:00.000000Z"));
    let ids: std::collections::HashSet<&str> = read[0].turns.iter().map(|turn| turn.id.as_str()).collect();
    assert_eq!(ids.len(), 8, "each has an id of its own");
    assert!(ids.contains("1") && ids.contains("2"));
}

#[test]
fn forks_become_branches() {
    let root = Some("00000000-0000-4000-8000-000000000000");
    let messages = json!([
        message("a", root, "human", "Which tea?"),
        message("bb", Some("a"), "assistant", "Green."),
        message("ccc", Some("a"), "assistant", "Black."),
        message("dddd", Some("ccc"), "human", "Thanks"),
        message("eeeee", root, "human", "Which coffee?"),
    ]);
    let read = conversations(of_json(
        read,
        &json!([{"uuid": "c", "name": "", "chat_messages": messages, "current_leaf_message_uuid": "bb"}]),
    ));
    assert_eq!(script(&read[0]), [(Role::User, "Which tea?"), (Role::Assistant, "Green.")]);
    assert_eq!(script(&read[1]), [(Role::Assistant, "Black."), (Role::User, "Thanks")]);
    assert_eq!((read[1].id.as_str(), &read[1].metadata["forks_after"]), ("c#branch-1", &json!("a")));
    assert_eq!(script(&read[2]), [(Role::User, "Which coffee?")]);
    assert_eq!(read[0].title, None);
}

#[test]
fn odd_records_are_told_and_the_others_come() {
    let pieces = of_json(
        read,
        &json!([
            {"uuid": "c", "chat_messages": [{"sender": "human", "text": "here"}]},
            3,
            {"uuid": "d", "name": "Empty", "chat_messages": []},
            {"uuid": "e", "chat_messages": "no"},
            {"uuid": "f", "chat_messages": null},
            {"uuid": "c", "chat_messages": [{"sender": "human", "text": "another of the same name"}]},
        ]),
    );
    assert_eq!(
        errors(&pieces),
        [
            "conversation 2: it is a number; expected a conversation, which is an object",
            "conversation 4: its `chat_messages` is text; expected a list of messages",
            "conversation 5: it has no `chat_messages`; expected a list of messages",
        ]
    );
    assert_eq!(left_out(&pieces), ["conversation 3 (Empty): nothing is said in it"]);
    let ids: Vec<String> = conversations(pieces).into_iter().map(|one| one.id).collect();
    assert_eq!(ids, ["c", "c~2"]);
    assert!(of(read, "[{\"uuid\":\"c\",\"chat_messages\":[{\"text\":").is_err());
}

#[test]
fn projects_and_what_it_remembers_come_out_of_the_archive() {
    let chats = json!([{"uuid": "c", "chat_messages": [{"uuid": "1", "sender": "human", "text": "hello"}]}])
        .to_string();
    let projects = json!([{
        "uuid": "p", "name": "House", "prompt_template": "Be careful", "created_at": "2026-01-01T00:00:00Z",
        "docs": [{"uuid": "d1", "filename": "plan.md", "content": "Two floors"}, {"uuid": "d2", "content": null}, 4],
    }]).to_string();
    let memories = json!([{"conversations_memory": "Ada builds a house", "project_memories": {"p": "Two floors are planned"}}]).to_string();
    let archive = zipped(&[
        ("conversations.json", chats.as_bytes()),
        ("projects.json", projects.as_bytes()),
        ("memories.json", memories.as_bytes()),
        ("users.json", b"[{\"uuid\":\"u\"}]"),
    ]);
    let scratch = Scratch::new();
    let pieces = all(read, &scratch.file("data.zip", archive)).expect("a whole archive");
    assert_eq!(errors(&pieces), Vec::<String>::new());
    let read = conversations(pieces);
    let seen: Vec<(bool, &str)> = read.iter().map(|one| (one.document, one.turns[0].text.as_str())).collect();
    assert_eq!(
        seen,
        [
            (false, "hello"),
            (true, "Ada builds a house"),
            (true, "Two floors are planned"),
            (true, "Be careful"),
            (true, "Two floors"),
        ]
    );
    assert_eq!((read[4].title.as_deref(), &read[4].tags[..]), (Some("plan.md"), &["House".to_owned()][..]));
}
