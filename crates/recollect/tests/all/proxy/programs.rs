//! Chat programs and coding agents name their users and conversations in their own way: by headers, or not at all, with the same
//! examples before every conversation.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use testkit::llm::ScriptedReply;

use super::{ProxyAnswer, Rig, user};

async fn quiet() -> Rig {
    let rig = Rig::new().await;
    rig.llm.fallback(ScriptedReply::text("Noted."));
    rig
}

fn message(role: &str, text: &str) -> Value {
    json!({ "role": role, "content": text })
}

fn session(answer: &ProxyAnswer) -> String {
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.header("x-recollect-session").to_owned()
}

/// Two accounts of one Open WebUI, which has one key for both.
#[tokio::test]
async fn accounts_of_one_program_do_not_share_a_memory() {
    let rig = quiet().await;
    let of = |user: &'static str, chat: &'static str| {
        [
            ("X-OpenWebUI-User-Id", user),
            ("X-OpenWebUI-User-Email", "somebody@example.org"),
            ("X-OpenWebUI-Chat-Id", chat),
        ]
    };
    let told = user("I live in Lisbon. I am allergic to penicillin.");
    let first = rig.chat_with(&of("alice", "chat-1"), &told).await;
    assert_eq!(session(&first), "chat-1");
    rig.sessions().await;
    let ended = json!({ "session": "chat-1", "user": "alice" });
    let which = serde_json::from_value(ended).expect("a session");
    rig.ask(recollect::ops::sessions::SessionEnd { which }).await;

    let known = super::answer(rig.client.get(format!("{}/api/memory?user_id=alice", rig.url))).await.text();
    assert!(known.contains("Lisbon"), "{known}");

    let asked = user("Where do I live?");
    rig.chat_with(&of("bob", "chat-2"), &asked).await;
    let seen = rig.seen();
    assert!(!seen.text().contains("Lisbon") && !seen.text().contains("penicillin"), "{}", seen.text());
    rig.chat_with(&of("alice", "chat-3"), &asked).await;
    let seen = rig.seen();
    assert!(seen.text().contains("Lisbon"), "{} of {known}", seen.text());
    let names: Vec<&str> = seen.headers.keys().map(|name| name.as_str()).collect();
    assert!(
        !names.iter().any(|name| name.starts_with("x-openwebui")),
        "no provider is told who asks: {names:?}"
    );

    // A program that we do not know, and a token instead of a header.
    rig.chat_with(&[("X-SomeChat-User-Id", "carol")], &asked).await;
    assert!(!rig.seen().text().contains("Lisbon"));
    let token = "eyJhbGciOiJIUzI1NiJ9.eyJpZCI6ImFsaWNlIn0.c2ln";
    rig.chat_with(&[("X-OpenWebUI-User-Jwt", token)], &asked).await;
    assert!(rig.seen().text().contains("Lisbon"), "{}", rig.seen().text());
}

/// The examples that a program puts before every conversation, and a question behind them.
fn with_examples(turns: &[Value]) -> Value {
    let examples = [
        message("user", "Translate to German: cat"),
        message("assistant", "Katze"),
        message("user", "Translate to German: a sentence that is long enough to be told apart"),
        message(
            "assistant",
            "Ein Satz, der lang genug ist, um von allen anderen unterschieden zu werden, wirklich.",
        ),
    ];
    json!({ "model": "m", "messages": examples.iter().chain(turns).collect::<Vec<_>>() })
}

#[tokio::test]
async fn the_same_examples_do_not_make_one_conversation_of_all() {
    let rig = quiet().await;
    let dentist = message("user", "My dentist is called Doctor Wobble.");
    let first = session(&rig.chat(&with_examples(std::slice::from_ref(&dentist))).await);
    let other = message("user", "What is my dentist called?");
    // While what was said is on its way, and when it is stored.
    let second = session(&rig.chat(&with_examples(std::slice::from_ref(&other))).await);
    assert_ne!(first, second, "a new conversation");
    rig.sessions().await;
    let third = session(&rig.chat(&with_examples(&[message("user", "And my lawyer?")])).await);
    assert_eq!(BTreeSet::from([&first, &second, &third]).len(), 3);

    // The first goes on by the reply that went through here, and is the same when it is asked again.
    let goes_on = [dentist.clone(), message("assistant", "Noted."), message("user", "She is in Leeds.")];
    assert_eq!(session(&rig.chat(&with_examples(&goes_on)).await), first);
    rig.sessions().await;
    assert_eq!(session(&rig.chat(&with_examples(&goes_on)).await), first);
    assert_eq!(session(&rig.chat(&with_examples(&[dentist])).await), first, "asked again");
    let sessions = rig.sessions().await;
    assert_eq!(sessions.len(), 3, "{:?}", sessions.keys());
}

/// Compaction and edits break the chain of what was said; the agent's own name for the conversation does not change.
#[tokio::test]
async fn coding_agents_name_their_conversations() {
    let rig = quiet().await;
    for (name, more) in [
        ("X-Claude-Code-Session-Id", ("User-Agent", "claude-cli/2.1.325 (external, cli)")),
        ("Session-Id", ("Originator", "codex_cli_rs")),
        ("X-Session-Id", ("User-Agent", "opencode/1.0.3")),
    ] {
        let headers = [(name, name), more];
        let first = session(&rig.chat_with(&headers, &user("Please fix the tests.")).await);
        let second =
            session(&rig.chat_with(&headers, &user("A summary of what was done; now the docs.")).await);
        assert_eq!((first.as_str(), second.as_str()), (name, name));
    }
    let anybodys = [("Session-Id", "worker-3")];
    assert_ne!(
        session(&rig.chat_with(&anybodys, &user("Hello!")).await),
        "worker-3",
        "which may mean anything"
    );
}
