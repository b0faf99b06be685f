//! What a message would get to know, over HTTP and on the command line.

use serde_json::{Value, json};

use super::support::{Home, send_to};

const CONTEXT: &str = "/api/memory/context";

#[test]
fn the_answer_has_one_shape_everywhere() {
    let home = Home::new();
    let id = home.add("I live in Irvine");
    let check = |context: &Value| {
        let gate = &context["gate"];
        assert_eq!((&gate["fire"], gate["section"].is_string()), (&json!(true), true), "{context}");
        assert!(gate["reason"].is_string() && gate["score"].is_number(), "{context}");
        assert!(context["block"].as_str().expect("text").contains("I live in Irvine"), "{context}");
        assert!(context["tokens"].as_u64().expect("a number") > 0, "{context}");
        let lines = context["lines"].as_array().expect("lines");
        let line = lines.iter().find(|line| line["text"].to_string().contains("Irvine")).expect("it is told");
        assert_eq!((&line["memory_ids"], &line["turn_ids"]), (&json!([id]), &json!([])), "{context}");
    };
    let message = "do you remember where my home is, where I live?";
    check(&home.json(&["context", message]));
    let server = home.serve();
    let (status, context) = server.post(CONTEXT, &json!({ "message": message }));
    assert_eq!(status, 200);
    check(&context);
    check(&home.json(&["context", message]));
}

#[test]
fn a_conversation_begins_with_who_the_user_is() {
    let home = Home::new();
    for fact in
        ["My name is Mara", "I live in Irvine", "I am allergic to peanuts", "I need a new umbrella today"]
    {
        home.add(fact);
    }
    let context = home.json(&["context", "hello"]);
    let block = context["block"].as_str().expect("text");
    assert!(block.starts_with("## About the user\nToday is "), "{block}");
    for told in ["- My name is Mara", "- I live in Irvine", "- I am allergic to peanuts"] {
        assert!(block.contains(told), "{told}: {block}");
    }
    assert!(context["tokens"].as_u64().expect("a number") <= 200, "{context}");
    assert_eq!(context["gate"]["fire"], false, "it was not asked for: {context}");
    home.run(["settings", "set", "portraitTokens", "0"]);
    assert_eq!(home.json(&["context", "hello"])["block"], "", "it can be switched off");
}

#[test]
fn what_helps_is_told_although_it_shares_no_word() {
    let home = Home::new();
    home.run(["settings", "set", "portraitTokens", "0"]);
    for fact in [
        "I am allergic to peanuts",
        "My car is a blue Fiesta",
        "Ich esse kein Fleisch",
        "I swim on Thursdays at seven",
    ] {
        home.add(fact);
    }
    for (message, told) in [
        ("What should I avoid eating at the restaurant tonight?", "peanuts"),
        ("Was kann ich heute Abend kochen?", "Fleisch"),
        ("Is Thursday evening fine for the dinner with Tom?", "Thursdays"),
    ] {
        let context = home.json(&["context", message]);
        assert!(context["block"].to_string().contains(told), "{message}: {context}");
        assert!(context["gate"]["reason"].to_string().contains("the message calls for"), "{context}");
    }
    let context = home.json(&["context", "What's the capital of France?"]);
    assert_eq!((&context["block"], &context["gate"]["fire"]), (&json!(""), &json!(false)), "{context}");
}

#[test]
fn a_message_that_needs_nothing_costs_nothing() {
    let home = Home::new();
    home.run(["settings", "set", "portraitTokens", "0"]);
    home.add("I live in Irvine");
    let context = home.json(&["context", "Reply exactly OK"]);
    assert_eq!((&context["gate"]["fire"], &context["gate"]["section"]), (&json!(false), &json!("none")));
    assert_eq!((&context["block"], &context["tokens"]), (&json!(""), &json!(0)));
    assert_eq!(context["lines"], json!([]));
    let ran = home.run(["context", "Reply exactly OK"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""));
    assert!(ran.stderr.starts_with("memory is not asked for: "), "{ran:?}");
    assert!(ran.stderr.ends_with("nothing would be put into the prompt\n"), "{ran:?}");
}

#[test]
fn who_looks_decides_what_is_seen() {
    let home = Home::new();
    home.run(["add", "My favourite tea is sencha", "--user", "ada"]);
    let message = "do you remember my favourite tea?";
    let block = |user: &str| home.json(&["context", message, "--user", user])["block"].to_string();
    assert!(block("ada").contains("sencha"));
    assert!(!block("bob").contains("sencha"), "another user's memory");
    let server = home.serve();
    let ask = |user: &str| server.post(CONTEXT, &json!({ "message": message, "user_id": user })).1;
    assert!(ask("ada")["block"].to_string().contains("sencha"));
    assert!(!ask("bob")["block"].to_string().contains("sencha"));
}

#[test]
fn a_line_of_the_transcript_names_its_turns() {
    let home = Home::new();
    let server = home.serve();
    let said = json!({
        "conversation_id": "c", "skip_extraction": true, "session_date": "2026-03-01",
        "messages": [{ "role": "user", "id": "m1", "content": "The garage code is 4711, keep it in mind." }]
    });
    assert_eq!(server.post("/memory/ingest", &said).0, 200);
    let asked = json!({ "message": "what exactly did I say about the garage code?", "session_id": "later" });
    let context = server.post(CONTEXT, &asked).1;
    assert_eq!(context["gate"]["section"], "transcript", "{context}");
    assert_eq!(context["lines"][0]["turn_ids"], json!(["m1"]), "{context}");
}

#[test]
fn looking_is_not_using() {
    let home = Home::new();
    let id = home.add("I live in Irvine");
    home.json(&["context", "do you remember where I live?"]);
    home.json(&["search", "irvine"]);
    assert_eq!(home.json(&["show", &id])["counters"]["use_count"], 0);
}

/// Who tells something asks for nothing, and who greets does not go on from the last conversation.
#[test]
fn neither_a_statement_nor_a_greeting_calls_for_the_past() {
    let home = Home::new();
    home.run(["settings", "set", "portraitTokens", "0"]);
    let server = home.serve();
    let said = json!({ "conversation_id": "offer", "messages": [
        { "role": "user", "content": "I got an offer from Monzo, they want an answer by Friday." },
        { "role": "assistant", "content": "Congratulations! What would speak against it?" },
        { "role": "user", "content": "The commute. My cat Miso would be alone all day." }
    ]});
    assert_eq!(server.post("/memory/ingest", &said).0, 200);
    for message in ["hello", "Good evening!"] {
        let (status, context) = server.post(CONTEXT, &json!({ "message": message }));
        assert_eq!((status, context["block"].as_str()), (200, Some("")), "{message}: {context}");
    }
    let (_, context) = server.post(CONTEXT, &json!({ "message": "I bought a new kettle this morning." }));
    assert!(context["tokens"].as_u64().expect("a number") <= 60, "{context}");
    let (_, context) = server.post(CONTEXT, &json!({ "message": "Who wanted an answer from me?" }));
    assert!(context["block"].as_str().expect("text").contains("Monzo"), "{context}");
}

/// Each of them holds the moment that it reads, and there are fewer of those than askers: none may wait for a second.
#[test]
fn many_ask_at_once_and_all_are_answered() {
    let home = Home::new();
    for fact in ["I live in Irvine", "I work as a nurse", "My sister is called Ana"] {
        home.add(fact);
    }
    let server = home.serve();
    let address = server.address;
    std::thread::scope(|scope| {
        let ask = move |asker: usize| {
            for number in 0..4 {
                let message = format!("do you remember where I live? asked by {asker} as number {number}");
                let body = json!({ "message": message }).to_string();
                let length = body.len();
                let reply = send_to(
                    address,
                    &format!(
                        "POST {CONTEXT} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\
                         Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
                    ),
                );
                assert_eq!(reply.status, 200, "{}", reply.body);
                assert!(reply.body.contains("Irvine"), "{}", reply.body);
            }
        };
        (0..24).for_each(|asker| {
            scope.spawn(move || ask(asker));
        });
    });
}

/// A server keeps what is known of a user between messages; a command that ends reads it anew. Whatever is written, and by whom, both say the same.
#[test]
fn what_a_server_keeps_at_hand_is_what_is_known() {
    let home = Home::new();
    let home_of = home.add("I live in Irvine");
    let server = home.serve();
    let message = "hello, what is my situation at home and at work?";
    let same = |step: &str| -> String {
        // Twice, so that the second is answered with what the first has left.
        for session in ["a", "b"] {
            let asked = json!({ "message": message, "session_id": session });
            let (status, kept) = server.post(CONTEXT, &asked);
            assert_eq!(status, 200, "{kept}");
            let read = home.json(&["context", message, "--session", session]);
            assert_eq!(kept["block"], read["block"], "{step}");
        }
        home.json(&["context", message])["block"].as_str().expect("text").to_owned()
    };
    assert!(same("at first").contains("Irvine"));
    let nurse = home.add("I work as a nurse");
    assert!(same("after an addition").contains("nurse"));
    home.run(["update", &home_of, "--content", "I live in Porto with my sister Ana"]);
    let told = same("after a change");
    assert!(told.contains("Porto") && !told.contains("Irvine"), "{told}");
    home.run(["add", "I live in Turin", "--user", "somebody else"]);
    assert!(!same("after what another user says").contains("Turin"));
    home.run(["add", "This conversation is about my move to Ghent", "--scope", "thread", "--session", "a"]);
    same("after something of one conversation alone");
    home.run(["add", "I am on call until tomorrow", "--valid-until", "2020-01-01"]);
    assert!(!same("after what is over").contains("on call"));
    home.run(["forget", &nurse, "--yes"]);
    assert!(!same("after a forget").contains("nurse"));
    let parrot = home.add("I have a parrot that is called Kiko");
    assert!(same("before a purge").contains("Kiko"));
    home.run(["forget", &parrot, "--purge", "--yes"]);
    assert!(!same("after a purge").contains("Kiko"));
    for number in 0..80 {
        home.add(&format!("My locker at work has the number {number}"));
    }
    same("after more changes than are taken in one by one");
}
