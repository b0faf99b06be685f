//! With nothing but memory: lines from a pipe, answers from what is remembered.

use super::super::support::Home;
use super::{chat, chat_json};

const TOLD: [&str; 2] =
    ["I live in Lisbon and I work as a marine biologist.", "My sister Ana is allergic to peanuts."];

#[test]
fn with_nothing_configured_it_answers_from_memory_and_says_so() {
    let home = Home::new();
    let told = chat(&home, None, &[], &TOLD);
    assert_eq!(told.code, Some(0), "{told:?}");
    assert_eq!(told.stdout, "I remember nothing about that.\n".repeat(2));
    assert!(told.stderr.contains("recollect/recall, which answers from memory alone"), "{}", told.stderr);
    assert!(told.stderr.contains("learned 4 memories"), "{}", told.stderr);
    assert!(told.stderr.contains("User lives in Lisbon"), "{}", told.stderr);
    assert!(!told.stderr.contains('\u{1b}') && !told.stdout.contains('\u{1b}'), "plain: {told:?}");
    let asked = chat(&home, None, &[], &["What is my sister allergic to?"]);
    assert!(asked.stdout.contains("peanuts") && asked.stdout.contains("source: mt_"), "{asked:?}");
    assert!(asked.stderr.contains("answered from 2 memories"), "{}", asked.stderr);
}

#[test]
fn a_running_server_is_used_and_learns() {
    let home = Home::new();
    let mut server = home.serve();
    let lines = chat_json(&home, None, &["--session", "evening"], &TOLD);
    assert_eq!(lines.len(), 3, "{lines:#?}");
    assert_eq!((&lines[0]["session"], &lines[0]["model"]), (&"evening".into(), &"recollect/recall".into()));
    assert_eq!(lines[0]["message"], TOLD[0]);
    assert_eq!((&lines[2]["ended"], &lines[2]["total"]), (&true.into(), &4.into()), "{}", lines[2]);
    server.wait_for("/v1/chat/completions");
    let asked = chat_json(&home, None, &[], &["What is my sister allergic to?"]);
    assert!(asked[0]["answer"].as_str().expect("text").contains("peanuts"), "{asked:#?}");
    assert_ne!(asked[0]["session"], "evening", "each chat is a conversation of its own");
}

#[test]
fn without_memory_nothing_is_kept() {
    let home = Home::new();
    let ran = chat(&home, None, &["--no-memory"], &TOLD);
    assert!(ran.stdout.starts_with("Memory is off"), "{ran:?}");
    assert_eq!(home.json(&["sessions", "list"])["total"], 0);
    home.run(["settings", "set", "enabled", "false"]);
    let ran = chat(&home, None, &[], &TOLD);
    assert!(ran.stderr.contains("nothing of this was kept"), "{}", ran.stderr);
}

#[test]
fn commands_are_for_the_program() {
    let home = Home::new();
    let id = home.add("My sister Ana is allergic to peanuts.");
    let forget = format!("/forget {id}");
    let lines = [
        "/help",
        "/memory What is my sister allergic to?",
        forget.as_str(),
        "/identity",
        "/model",
        "/quit",
        "never",
    ];
    let ran = chat(&home, None, &[], &lines);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""), "{ran:?}");
    for said in
        ["/forget ID", "memory is asked for", &id, "forgot: My sister Ana", "no profile yet", "talking to"]
    {
        assert!(ran.stderr.contains(said), "{said} is missing: {}", ran.stderr);
    }
    assert!(home.search("peanuts").is_empty());
}

#[test]
fn a_slip_is_told_and_the_chat_goes_on() {
    let home = Home::new();
    let ran = chat(&home, None, &[], &["/hepl", "/forget nothing", "/memory", "//help is a word", ""]);
    assert_eq!(ran.code, Some(1), "a script is told: {ran:?}");
    assert!(ran.stderr.contains("there is no command /hepl") && ran.stderr.contains("did you mean /help?"));
    assert_eq!(ran.stderr.matches("error:").count(), 3, "{}", ran.stderr);
    assert_eq!(ran.stdout, "I remember nothing about that.\n");
    let turns = home.json(&["sessions", "list"]);
    let session = turns["sessions"][0]["key"]["session"].as_str().expect("one").to_owned();
    assert!(session.starts_with("terminal-"), "{session}");
    let shown = home.json(&["sessions", "show", &session]);
    assert_eq!(shown["turns"][0]["text"], "/help is a word", "{shown:#}");
}

#[test]
fn a_new_conversation_begins_in_between() {
    let home = Home::new();
    let lines = chat_json(
        &home,
        None,
        &["--user", "ada"],
        &[TOLD[0], TOLD[1], "/new", "What is my sister allergic to?"],
    );
    let sessions: Vec<&str> = lines.iter().map(|line| line["session"].as_str().expect("named")).collect();
    assert_eq!(sessions.len(), 5, "{lines:#?}");
    assert!(sessions[0] == sessions[2] && sessions[2] != sessions[3]);
    assert_eq!(lines[2]["total"], 4, "{}", lines[2]);
    assert!(lines[3]["answer"].as_str().expect("text").contains("peanuts"), "{}", lines[3]);
    assert!(
        chat(&home, None, &[], &["What is my sister allergic to?"]).stdout.contains("I remember nothing")
    );
}

#[test]
fn each_tenant_has_its_own() {
    let home = Home::new();
    home.run(["add", "--tenant", "acme", "The safe is in the cellar."]);
    home.run(["add", "local"]);
    for serving in [false, true] {
        let _server = serving.then(|| home.serve());
        let question = ["Where is the safe?"];
        assert!(chat(&home, None, &["--tenant", "acme"], &question).stdout.contains("cellar"), "{serving}");
        assert!(!chat(&home, None, &[], &question).stdout.contains("cellar"), "{serving}");
        let new = chat(&home, None, &["--tenant", "new"], &question);
        assert!(new.code == Some(0) && !new.stdout.contains("cellar"), "{new:?}");
    }
}

/// With nothing configured, what answers the question is the answer.
#[test]
fn a_question_is_answered_by_what_answers_it() {
    let home = Home::new();
    let talk = [
        "My cat is called Miso and I work at Bosch.",
        "My sister Ana is allergic to peanuts.",
        "I always use TypeScript for new projects.",
        "Where do I work?",
        "What is my cat called?",
        "What is the capital of Mongolia?",
    ];
    let answers: Vec<String> = chat_json(&home, None, &[], &talk)
        .iter()
        .filter_map(|line| line["answer"].as_str().map(str::to_owned))
        .collect();
    let (work, cat, capital) = (&answers[3], &answers[4], &answers[5]);
    assert!(work.contains("Bosch"), "told a minute ago: {work}");
    assert!(!work.contains("Ana") && !work.contains("TypeScript") && !work.contains("Where do I"), "{work}");
    assert!(cat.contains("Miso") && !cat.contains("Ana"), "{cat}");
    assert_eq!(capital, "I remember nothing about that.");
    // A new conversation, when it is learned.
    let asked = chat(&home, None, &[], &["Where do I work?"]).stdout;
    assert!(asked.contains("Bosch") && asked.contains("source: mt_"), "{asked}");
    for other in ["Ana", "TypeScript", "Where do I", "answered from memory"] {
        assert!(!asked.contains(other), "{other}: {asked}");
    }
    // What it said is nothing that anybody remembers.
    let turns: Vec<String> = home.json(&["search", "Bosch", "--scope", "transcript"])["results"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|hit| hit.to_string())
        .collect();
    assert!(turns.iter().all(|turn| !turn.contains("What I remember")), "{turns:#?}");
    assert!(home.search("What I remember").iter().all(|memory| !memory.contains("What I remember")));
}
