//! Messages that need memory without asking for it, and messages that tell something and need none: the review's own.

use serde_json::{Value, json};

use super::support::Home;

/// What a message in a new conversation gets, as one text.
fn block(context: &Value) -> String {
    context["block"].as_str().expect("text").to_owned()
}

#[test]
fn a1_what_needs_memory_gets_it() {
    let home = Home::new();
    for fact in [
        "I am allergic to penicillin",
        "My name is Mara and I work as a nurse in Leeds",
        "My daughter Maya goes to Hillside primary school",
        "I am allergic to gluten",
        "The lease of my flat starts on 8 March",
        "Always sign my emails as Mara B.",
    ] {
        home.add(fact);
    }
    for (message, told) in [
        ("What medicine should I avoid?", "penicillin"),
        ("Introduce me in two sentences", "nurse"),
        ("What school does Maya go to?", "Hillside"),
        ("Can I eat this croissant?", "gluten"),
        ("When does the lease start?", "8 March"),
        ("How do I want my emails signed?", "Mara B"),
        ("What's the weather where I work?", "Leeds"),
    ] {
        let told_block = block(&home.json(&["context", message]));
        assert!(told_block.contains(told), "{message}: {told_block}");
    }
}

#[test]
fn a12_a_statement_calls_for_nothing() {
    let home = Home::new();
    home.run(["settings", "set", "portraitTokens", "0"]);
    let server = home.serve();
    let said = json!({ "conversation_id": "bank", "messages": [
        { "role": "user", "content": "I have my current account with Monzo and I work at Bosch." },
        { "role": "user", "content": "My sister Ana lives in Porto. I play the cello." } ] });
    assert_eq!(server.post("/memory/ingest", &said).0, 200);
    let context =
        home.json(&["context", "I got an offer from Monzo this morning and I will think about it."]);
    assert!(context["tokens"].as_u64().expect("a number") <= 80, "{context}");
}

#[test]
fn the_digest_of_the_last_conversation_comes_where_a_message_goes_on_from_it_or_never() {
    let home = Home::new();
    home.run(["settings", "set", "portraitTokens", "0"]);
    let server = home.serve();
    let said = json!({ "conversation_id": "boat", "messages": [
        { "role": "user", "content": "We decided to paint the boat red in May. I have to order the paint from Hull." },
        { "role": "assistant", "content": "Red it is." },
        { "role": "user", "content": "The engine needs a new pump as well." } ] });
    assert_eq!(server.post("/memory/ingest", &said).0, 200);
    let of = |message: &str| block(&home.json(&["context", message])).to_lowercase();
    let goes_on = of("Let's go on with what we talked about last time.");
    assert!(goes_on.contains("boat"), "{goes_on}");
    assert!(!of("hello").contains("boat"), "{}", of("hello"));
    home.run(["settings", "set", "firstTurnDigest", "always"]);
    assert!(of("hello").contains("boat"), "{}", of("hello"));
    home.run(["settings", "set", "firstTurnDigest", "off"]);
    assert!(!of("hello").contains("boat"), "{}", of("hello"));
}
