//! What programs write in their user's name: reminders, instruction files, where they run, compacted conversations, errands of their
//! own. It stays in the prompt to the byte, and is no evidence, no question and no rule.

use recollect::ops::add::Add;
use recollect::ops::sessions::SessionEnd;
use serde_json::{Value, json};
use testkit::llm::ScriptedReply;

use super::{Rig, user};

const FILE: &str = "Always use tabs in this repository. Never push to main. From now on answer in French. \
                    My name is Owlbert and I work at Feathers Inc.";

/// A message of a coding agent, with what the user typed at its end.
fn reminded(typed: &str) -> Value {
    let reminder = format!(
        "<system-reminder>\nContents of CLAUDE.md:\n{FILE}\nIMPORTANT: follow these instructions exactly.\n</system-reminder>"
    );
    json!([
        { "type": "text", "text": reminder },
        { "type": "text", "text": "<system-reminder>\nThe date is today.\n</system-reminder>" },
        { "type": "text", "text": typed, "cache_control": { "type": "ephemeral" } },
    ])
}

/// A model that does not repeat what it is told.
async fn quiet() -> Rig {
    let rig = Rig::new().await;
    rig.llm.fallback(ScriptedReply::text("Done."));
    rig
}

async fn pnpm() -> Rig {
    let rig = quiet().await;
    let add = json!({ "content": "User always uses pnpm, never npm" });
    rig.ask(serde_json::from_value::<Add>(add).expect("an add")).await;
    rig
}

/// Ends all conversations and tells everything that is known, with what was said.
async fn learned(rig: &Rig) -> String {
    let mut all = String::new();
    for (session, turns) in rig.sessions().await {
        let which = serde_json::from_value(json!({ "session": session })).expect("a session");
        rig.ask(SessionEnd { which }).await;
        turns.iter().for_each(|turn| all.push_str(&format!("{}: {}\n", turn.role, turn.text)));
    }
    for path in ["/api/memory?limit=200", "/api/memory/episodes", "/api/memory/rules", "/api/memory/identity"]
    {
        let request = rig.client.get(format!("{}{path}", rig.url));
        all.push_str(&super::answer(request).await.text());
    }
    all
}

fn has_nothing_of_the_file(all: &str) {
    for word in ["Owlbert", "Feathers", "French", "tabs", "push to main"] {
        assert!(!all.contains(word), "{word}: {all}");
    }
}

#[tokio::test]
async fn reminders_are_no_speech_and_the_question_behind_them_is_heard() {
    let rig = pnpm().await;
    let ask = async |content: Value| {
        let body = json!({ "model": "claude", "max_tokens": 4096, "messages": [{ "role": "user", "content": content }] });
        let request = rig.post("/v1/chat/completions").body(body.to_string());
        assert_eq!(super::answer(request).await.status, 200);
        rig.seen().text().into_owned()
    };
    let seen = ask(reminded("Which package manager do I use?")).await;
    assert!(seen.contains("pnpm"), "as if it had been asked alone: {seen}");
    assert!(seen.contains("Owlbert") && seen.contains("IMPORTANT"), "the client's own bytes stay: {seen}");
    // Nobody says anything.
    let alone = json!([{ "type": "text", "text": "<system-reminder>Which package manager do I use?</system-reminder>" }]);
    assert!(!ask(alone).await.contains("pnpm"));
    ask(reminded("Please fix the tests. My cat is called Miso.")).await;
    let all = learned(&rig).await;
    has_nothing_of_the_file(&all);
    assert!(all.contains("Miso"), "what the user typed is kept: {all}");
}

#[tokio::test]
async fn an_instruction_file_is_not_what_somebody_always_wants_elsewhere() {
    let rig = pnpm().await;
    let file =
        format!("# AGENTS.md instructions for /home/x/kestrel\n\n<INSTRUCTIONS>\n{FILE}\n</INSTRUCTIONS>");
    let place =
        "<environment_context>\n  <cwd>/home/x/kestrel</cwd>\n  <shell>bash</shell>\n</environment_context>";
    let said = |role: &str, text: &str| json!({ "type": "message", "role": role, "content": [{ "type": "input_text", "text": text }] });
    let body = json!({ "model": "gpt-5-codex", "input": [
        said("user", &file), said("user", place), said("user", "Which package manager do I use? I live in Leeds."),
    ] });
    let request = rig.post("/v1/responses").body(body.to_string());
    assert_eq!(super::answer(request).await.status, 200);
    assert!(rig.seen().text().contains("pnpm"), "{}", rig.seen().text());
    let all = learned(&rig).await;
    has_nothing_of_the_file(&all);
    assert!(all.contains("Leeds") && !all.contains("/home/x/kestrel"), "{all}");
    rig.chat(&user("Please write a README.")).await;
    has_nothing_of_the_file(&rig.seen().text());
}

#[tokio::test]
async fn the_conversation_stays_the_same_when_its_reminders_change() {
    let rig = quiet().await;
    let first = json!({ "role": "user", "content": reminded("Let us plan the move to Leeds.") });
    let body = json!({ "model": "m", "messages": [first] });
    let answer = rig.chat(&body).await;
    let reply = answer.json()["choices"][0]["message"].clone();
    let bare = json!({ "role": "user", "content": "Let us plan the move to Leeds." });
    let next = json!({ "role": "user", "content": "And the van?" });
    let second = rig.chat(&json!({ "model": "m", "messages": [bare, reply, next] })).await;
    assert_eq!(answer.header("x-recollect-session"), second.header("x-recollect-session"));
    assert_eq!(rig.only_session().await.len(), 4);
}

#[tokio::test]
async fn what_programs_ask_for_themselves_is_no_conversation() {
    let rig = pnpm().await;
    let call = json!({ "role": "assistant", "content": null, "tool_calls": [
        { "id": "1", "type": "function", "function": { "name": "read", "arguments": "{}" } }] });
    let result = json!({ "role": "tool", "tool_call_id": "1", "content": "notes" });
    let spoken = |text: &str| json!({ "role": "user", "content": text });
    let history =
        [spoken("I live in Oslo."), call, result, json!({ "role": "assistant", "content": "Done." })];
    let compact = |prompt: &str| history.iter().cloned().chain([spoken(prompt)]).collect::<Vec<_>>();
    let title = "<session>\nI always use pnpm. Which package manager do I use?\n</session>\nWrite the title in the predominant language of the session.";
    let requests: Vec<Vec<Value>> = vec![
        compact(
            "CRITICAL: Respond with TEXT ONLY. Do NOT call any tools.\n\nYour task is to create a detailed summary of the conversation so far.",
        ),
        compact(
            "You are performing a CONTEXT CHECKPOINT COMPACTION. Create a handoff summary for another LLM.",
        ),
        vec![spoken(title)],
        vec![
            json!({ "role": "system", "content": "You are a title generator. You output ONLY a thread title." }),
            spoken("Generate a title for this conversation:\n"),
            spoken("Which package manager do I use?"),
        ],
        vec![
            json!({ "role": "system", "content": "You are now acting as the managed memory extraction subagent." }),
            spoken("Managed memory has TWO directories. My name is Owlbert."),
        ],
    ];
    for messages in requests {
        let body = json!({ "model": "m", "messages": messages });
        assert_eq!(rig.chat(&body).await.status, 200);
        assert_eq!(rig.seen().text(), body.to_string(), "nothing is put in");
    }
    assert!(rig.sessions().await.is_empty(), "{:?}", rig.sessions().await);
}

#[tokio::test]
async fn what_a_program_says_in_the_users_name_teaches_nothing() {
    let rig = quiet().await;
    for text in [
        "This session is being continued from a previous conversation that ran out of context. My name is Owlbert and I work at Feathers Inc.",
        "Another language model started to solve this problem and produced a summary. From now on answer in French.",
        "I switched to a new code base. Please don't consider the above files or try to edit them any longer.",
        "<local-command-stdout>My name is Owlbert</local-command-stdout>",
        "<task-notification>Always use tabs in this repository.</task-notification>",
        "<turn_aborted>Never push to main.</turn_aborted>",
    ] {
        rig.chat(&user(text)).await;
    }
    let question = "Where do I keep my keys?\n\n# *SEARCH/REPLACE block* Rules:\n\nEvery block must use this format. From now on answer in French.";
    rig.chat(&user(question)).await;
    let all = learned(&rig).await;
    has_nothing_of_the_file(&all);
    assert!(!all.contains("code base") && !all.contains("SEARCH/REPLACE"), "{all}");
    assert!(all.contains("Where do I keep my keys?"));
}

#[tokio::test]
async fn an_ingested_transcript_is_read_in_the_same_way() {
    let rig = quiet().await;
    let said = json!({ "conversation_id": "c", "turns": [
        { "user": format!("<system-reminder>{FILE}</system-reminder>I live in Leeds."), "assistant": "Noted." }] });
    let request = rig.post("/memory/ingest").body(said.to_string());
    assert_eq!(super::answer(request).await.status, 200);
    let all = learned(&rig).await;
    has_nothing_of_the_file(&all);
    assert!(all.contains("Leeds"));
}
