//! With a scripted model behind it, in this process and behind a running server.

use testkit::llm::{Llm, ScriptedReply};

use super::super::support::{Home, RunningServer};
use super::{TerminalTalk, chat, chat_json, command};

#[test]
fn a_model_is_asked_with_what_is_remembered() {
    let (home, llm) = (Home::new(), Llm::start_blocking());
    let id = home.add("My sister Ana is allergic to peanuts.");
    llm.reply(ScriptedReply::pieces(["Pea", "nuts", "."]));
    let arguments = ["--model", "m", "--system", "Be brief."];
    let lines = chat_json(&home, Some(&llm), &arguments, &["What is my sister allergic to?", "Thanks!"]);
    assert_eq!((&lines[0]["answer"], &lines[0]["partial"]), (&"Peanuts.".into(), &false.into()));
    let recalled = &lines[0]["recalled"];
    assert!(recalled["tokens"].as_u64() > Some(0), "{recalled:#}");
    let ids: Vec<&serde_json::Value> = recalled["lines"]
        .as_array()
        .expect("lines")
        .iter()
        .flat_map(|line| line["memory_ids"].as_array().expect("ids"))
        .collect();
    assert!(ids.contains(&&id.as_str().into()), "{recalled:#}");
    let seen = llm.requests();
    let chats: Vec<_> = seen.iter().filter(|seen| !seen.messages().is_empty()).collect();
    assert!(chats[0].wants_stream() && chats[0].system_text().contains("Be brief."));
    assert!(chats[0].system_text().contains("peanuts"), "{}", chats[0].text());
    assert_eq!(chats[1].user_texts(), ["What is my sister allergic to?", "Thanks!"]);
    assert!(chats[1].text().contains("Peanuts."), "what was answered is sent along");
    assert!(chats[1].system_text().contains("peanuts"), "and what was recalled stays where it was");
}

#[test]
fn a_person_sees_what_was_recalled_beside_the_answer() {
    let (home, llm) = (Home::new(), Llm::start_blocking());
    let id = home.add("My sister Ana is allergic to peanuts.");
    llm.reply(ScriptedReply::text("Peanuts, I think."));
    let ran = chat(&home, Some(&llm), &["--model", "m"], &["What is my sister allergic to?"]);
    assert_eq!(ran.stdout, "Peanuts, I think.\n");
    assert!(ran.stderr.contains("recalled") && ran.stderr.contains(&id), "{}", ran.stderr);
}

#[test]
fn a_running_server_brings_its_model() {
    let (home, llm) = (Home::new(), Llm::start_blocking());
    let _server = RunningServer::start(command(&home, Some(&llm)).args(["serve", "--listen", "127.0.0.1:0"]));
    llm.reply(ScriptedReply::text("Noted."));
    let lines = chat_json(&home, None, &[], &["My sister Ana is allergic to peanuts and I live in Lisbon."]);
    assert_eq!(lines[0]["answer"], "Noted.");
    assert!(lines[1]["total"].as_u64() > Some(0), "{lines:#?}");
    assert!(!home.search("Lisbon").is_empty());
}

#[test]
fn an_error_is_told_and_the_message_can_be_said_again() {
    let (home, llm) = (Home::new(), Llm::start_blocking());
    llm.reply(ScriptedReply::error(404, "the model `m` does not exist"));
    llm.reply(ScriptedReply::text("Here I am."));
    let ran = chat(&home, Some(&llm), &["--model", "m"], &["Are you there?", "And now?"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(1), "Here I am.\n"), "{ran:?}");
    assert!(ran.stderr.contains("the model `m` does not exist"), "{}", ran.stderr);
    let last = llm.requests().last().expect("asked").clone();
    assert_eq!(last.user_texts(), ["And now?"]);
    llm.refuse();
    let ran = chat(&home, Some(&llm), &["--model", "m"], &["Are you there?"]);
    assert!(ran.stderr.contains("could not be reached") && ran.stderr.contains("hint:"), "{}", ran.stderr);
}

#[test]
fn an_interrupt_stops_the_answer_and_not_the_chat() {
    let (home, llm) = (Home::new(), Llm::start_blocking());
    llm.reply(ScriptedReply::pieces(["One. ", "Two. ", "Three. "]).hang_after(4));
    llm.reply(ScriptedReply::text("Here."));
    let mut command = command(&home, Some(&llm));
    let mut talk = TerminalTalk::begin(command.args(["chat", "--model", "m", "--session", "cut"]));
    talk.say("Count for me.");
    talk.wait_for("Two. ");
    talk.interrupt();
    talk.say("Are you there?");
    talk.wait_for("Here.");
    assert_eq!(talk.end(), Some(0));
    let shown = home.json(&["sessions", "show", "cut"]);
    let turns = shown["turns"].as_array().expect("turns");
    let cut = turns.iter().find(|turn| turn["text"].as_str().is_some_and(|text| text.starts_with("One.")));
    assert!(cut.is_some(), "what came of it is kept: {shown:#}");
    assert_eq!(llm.requests().last().expect("asked").user_texts(), ["Count for me.", "Are you there?"]);
}
