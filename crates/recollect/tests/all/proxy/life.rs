//! Weeks of a life through the proxy, with a model that echoes: what the upstream receives is what a preview shows, to the byte, and each prompt begins
//! with the one before.

use std::sync::Arc;

use chat::Envelope;
use recollect::ops::context::ContextOperation;
use recollect::ops::forget::Forget;
use recollect::ops::identity::{OverrideAdd, OverrideRemove};
use recollect::ops::sessions::SessionEnd;
use recollect::ops::update::Update;
use serde_json::{Value, json};
use testkit::ManualClock;

use super::Rig;
use super::portrait::unfenced;

/// What Mara says in each conversation.
const LIFE: [&[&str]; 5] = [
    &[
        "Hi, my name is Mara and I live in Leeds.",
        "I'm allergic to peanuts, so what can I take on a night shift?",
        "Always sign my emails as Mara B.",
    ],
    &[
        "My sister Ana lives in Porto.",
        "What could I cook for Ana tonight?",
        "I have the dentist on Friday 27 November at nine.",
    ],
    &["Good morning!", "What's coming up next week?", "How far is it from here to Ana?"],
    &["By the way, Ana moved to Braga.", "Where does Ana live?", "Tell me a joke."],
    &[
        "hello",
        "Is Friday morning fine for the plumber?",
        "Which snack should I buy at the station?",
        "What's my name?",
    ],
];

async fn preview(rig: &Rig, session: &str, message: &str) -> String {
    let request = json!({ "message": message, "session": session });
    rig.ask(serde_json::from_value::<ContextOperation>(request).expect("a request")).await.block
}

/// What the blocks say that the upstream saw last.
fn seen(rig: &Rig) -> Vec<String> {
    let body: Value = serde_json::from_slice(&rig.seen().body).expect("JSON");
    let contents = body["messages"].as_array().expect("messages").iter();
    let contents = contents.filter_map(|message| message["content"].as_str());
    contents.filter(|text| text.contains("<recollect-memory id=")).map(unfenced).collect()
}

#[tokio::test]
async fn what_the_upstream_receives_in_a_life_is_the_block_to_the_byte() {
    let clock = Arc::new(ManualClock::default());
    clock.set("2026-11-02T09:00:00Z".parse().expect("a time"));
    let rig = Rig::with(|house| house.clock = clock.clone()).await;
    let mut told = 0;
    for (number, said) in LIFE.iter().enumerate() {
        let session = format!("day-{number}");
        let (headers, mut messages) = ([("x-recollect-session-id", session.as_str())], Vec::new());
        let mut before = 0;
        for text in *said {
            let shown = preview(&rig, &session, text).await;
            rig.says(&headers, &mut messages, text).await;
            let blocks = seen(&rig);
            assert_eq!(blocks[before..].concat(), shown, "{session}: {text}");
            (before, told) = (blocks.len(), told + usize::from(!shown.is_empty()));
            rig.sessions().await;
            clock.advance_seconds(60);
        }
        let end = json!({ "session": session });
        rig.ask(SessionEnd { which: serde_json::from_value(end).expect("a session") }).await;
        clock.advance_seconds(4 * 86_400);
    }
    assert!(told >= 5, "{told} blocks");
}

/// The list of messages that the upstream saw last, without its closing bracket.
fn list(rig: &Rig) -> String {
    let seen = rig.seen();
    let span = Envelope::read(&seen.body).expect("readable").messages.expect("messages");
    String::from_utf8(seen.body[span.start..span.end - 1].to_vec()).expect("text")
}

#[tokio::test]
async fn each_prompt_begins_with_the_one_before_whatever_is_added_corrected_and_forgotten() {
    let clock = Arc::new(ManualClock::default());
    let rig = Rig::with(|house| house.clock = clock.clone()).await;
    let mut ids = Vec::new();
    for fact in
        ["My name is Mara", "I live in Irvine", "I am allergic to peanuts", "My dentist is in Rua do Ouro"]
    {
        let add =
            serde_json::from_value::<recollect::ops::add::Add>(json!({ "content": fact })).expect("an add");
        ids.push(rig.ask(add).await.id);
    }
    let headers = [("x-recollect-session-id", "long")];
    let (mut messages, mut before, mut breaks) = (Vec::new(), String::new(), Vec::new());
    let mut added = None;
    for turn in 0..50 {
        match turn {
            10 => added = Some(rig.ask(OverrideAdd { user: None, text: "Call me Captain".to_owned() }).await),
            20 => {
                let moved =
                    Update { content: Some("I live in Porto".to_owned()), ..Update::of(ids[1].clone()) };
                rig.ask(Box::new(moved)).await;
            }
            30 => {
                let forget = json!({ "ids": [ids[2]], "confirmed": true });
                rig.ask(serde_json::from_value::<Forget>(forget).expect("a forget")).await;
            }
            40 => {
                let which = added.take().expect("added").line.id.to_string();
                rig.ask(OverrideRemove { user: None, which }).await;
            }
            _ => {}
        }
        let text = match turn {
            5 => "Where is my dentist?".to_owned(),
            _ => format!("Please count to {turn} in a funny voice."),
        };
        rig.says(&headers, &mut messages, &text).await;
        rig.sessions().await;
        let list = list(&rig);
        if !list.starts_with(&before) {
            breaks.push(turn);
        }
        let says = |text: &str| list.contains(text);
        match turn {
            0 => assert!(says("My name is Mara") && says("I live in Irvine"), "{list}"),
            10 => assert!(says("Call me Captain"), "an override comes with the next block: {list}"),
            20 => assert!(says("I live in Porto"), "so does a correction: {list}"),
            30.. => assert!(
                !says("peanuts") && says("My name is Mara"),
                "{turn}: what is forgotten is gone: {list}"
            ),
            _ => {}
        }
        if turn >= 40 {
            assert!(!says("Call me Captain") && says("I live in Porto"), "{turn}: {list}");
        }
        before = list;
        clock.advance_seconds(30);
    }
    assert_eq!(breaks, [30, 40], "the forget and the override's removal, once each");
}
