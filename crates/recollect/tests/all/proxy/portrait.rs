//! Who the user is stands at the beginning of a conversation, the same bytes until something of it is forgotten or the conversation has rested for
//! long; what is asked in it is understood by what was said before.

use std::sync::Arc;

use memory::types::MemoryId;
use recollect::ops::add::Add;
use recollect::ops::context::ContextOperation;
use recollect::ops::forget::Forget;
use recollect::ops::identity::{OverrideAdd, OverrideRemove};
use recollect::ops::update::Update;
use serde_json::{Value, json};
use testkit::ManualClock;

use super::Rig;

const HOUR: i64 = 3_600;

async fn remember(rig: &Rig, content: &str) -> MemoryId {
    let add: Add = serde_json::from_value(json!({ "content": content })).expect("an add");
    rig.ask(add).await.id
}

/// The blocks that the upstream saw, in order.
fn blocks(rig: &Rig) -> Vec<String> {
    let seen: Value = serde_json::from_slice(&rig.seen().body).expect("JSON");
    let contents = seen["messages"].as_array().expect("messages").iter();
    let contents = contents.filter_map(|message| message["content"].as_str());
    contents.filter(|text| text.contains("<recollect-memory id=")).map(str::to_owned).collect()
}

async fn introduced(clock: &Arc<ManualClock>) -> (Rig, MemoryId) {
    let rig = Rig::with(|house| house.clock = clock.clone()).await;
    remember(&rig, "My name is Mara").await;
    remember(&rig, "I am allergic to peanuts").await;
    let home = remember(&rig, "I live in Irvine").await;
    (rig, home)
}

#[tokio::test]
async fn a_portrait_stays_until_the_conversation_has_rested() {
    let clock = Arc::new(ManualClock::default());
    let (rig, _) = introduced(&clock).await;
    let headers = [("x-recollect-session-id", "s1")];
    let mut messages = Vec::new();
    rig.says(&headers, &mut messages, "Hello there!").await;
    let first = blocks(&rig);
    assert_eq!(first.len(), 1, "{first:?}");
    assert!(first[0].contains("My name is Mara") && first[0].contains("Irvine"), "{first:?}");
    rig.sessions().await;
    clock.advance_seconds(HOUR - 60);
    rig.says(&headers, &mut messages, "Tell me a joke, please.").await;
    assert_eq!(blocks(&rig), first, "the same bytes, and no second one");
    rig.sessions().await;
    remember(&rig, "I am vegetarian").await;
    clock.advance_seconds(HOUR + 60);
    rig.says(&headers, &mut messages, "Another joke, please.").await;
    let anew = blocks(&rig);
    assert_eq!(anew.len(), 1, "made anew: {anew:?}");
    assert!(anew[0].contains("vegetarian") && anew[0].contains("Mara"), "{anew:?}");
    rig.sessions().await;
    rig.says(&headers, &mut messages, "One more!").await;
    assert_eq!(blocks(&rig), anew, "and stays");
}

#[tokio::test]
async fn a_portrait_comes_back_without_what_was_forgotten() {
    let clock = Arc::new(ManualClock::default());
    let (rig, home) = introduced(&clock).await;
    let headers = [("x-recollect-session-id", "s1")];
    let mut messages = Vec::new();
    rig.says(&headers, &mut messages, "Hello there!").await;
    rig.sessions().await;
    rig.ask(Forget { ids: vec![home], confirmed: true, ..Forget::default() }).await;
    rig.says(&headers, &mut messages, "Tell me a joke, please.").await;
    let anew = blocks(&rig);
    assert_eq!(anew.len(), 1, "{anew:?}");
    assert!(anew[0].contains("Mara") && !anew[0].contains("Irvine"), "{anew:?}");
}

#[tokio::test]
async fn what_a_preview_shows_is_what_the_upstream_receives() {
    let clock = Arc::new(ManualClock::default());
    let (rig, _) = introduced(&clock).await;
    for message in ["Hello there!", "What should I avoid eating tonight?", "What's the capital of France?"] {
        let request: ContextOperation =
            serde_json::from_value(json!({ "message": message, "session": "preview" })).expect("a request");
        let preview = rig.ask(request).await.block;
        rig.chat_with(&[("x-recollect-session-id", message)], &super::user(message)).await;
        let seen = blocks(&rig);
        let told = seen.first().map(String::as_str).unwrap_or_default();
        assert!(told.contains(&preview), "{message}: {told} has not {preview}");
        assert_eq!(seen.len(), 1, "{message}");
    }
}

#[tokio::test]
async fn a_follow_up_gets_what_it_asks_for() {
    let clock = Arc::new(ManualClock::default());
    let (rig, _) = introduced(&clock).await;
    rig.set("portraitTokens", json!(0)).await;
    remember(&rig, "I swim on Thursdays at seven").await;
    let headers = [("x-recollect-session-id", "s1")];
    let mut messages = Vec::new();
    rig.says(&headers, &mut messages, "Is Wednesday evening fine for the dinner with Tom?").await;
    rig.sessions().await;
    rig.says(&headers, &mut messages, "and on Thursday?").await;
    assert!(blocks(&rig).concat().contains("Thursdays at seven"), "{:?}", blocks(&rig));
}

#[tokio::test]
async fn a_correction_comes_with_the_next_block_and_outlives_an_override_beside_it() {
    let clock = Arc::new(ManualClock::default());
    let (rig, home) = introduced(&clock).await;
    let headers = [("x-recollect-session-id", "s1")];
    let mut messages = Vec::new();
    rig.says(&headers, &mut messages, "Hello there!").await;
    rig.sessions().await;
    clock.advance_seconds(60);
    let moved = Update { content: Some("I live in Porto".to_owned()), ..Update::of(home) };
    rig.ask(Box::new(moved)).await;
    let text = "Call me Captain".to_owned();
    let added = rig.ask(OverrideAdd { user: None, text: text.clone() }).await;
    rig.says(&headers, &mut messages, "How many legs has a spider?").await;
    let told = blocks(&rig);
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(told[1].contains("I live in Porto") && told[1].contains(&text), "{told:?}");
    rig.sessions().await;
    rig.says(&headers, &mut messages, "And an ant?").await;
    assert_eq!(blocks(&rig), told, "it is told once");
    rig.sessions().await;
    clock.advance_seconds(60);
    rig.ask(OverrideRemove { user: None, which: added.line.id.to_string() }).await;
    rig.says(&headers, &mut messages, "And a crab?").await;
    let anew = blocks(&rig).concat();
    assert!(anew.contains("I live in Porto") && !anew.contains(&text), "{anew}");
}

#[tokio::test]
async fn what_a_preview_shows_in_mid_conversation_is_what_the_upstream_receives() {
    let clock = Arc::new(ManualClock::default());
    let (rig, home) = introduced(&clock).await;
    remember(&rig, "I swim on Thursdays at seven").await;
    let headers = [("x-recollect-session-id", "s1")];
    let mut messages = Vec::new();
    let preview = async |message: &str| {
        let request = json!({ "message": message, "session": "s1" });
        rig.ask(serde_json::from_value::<ContextOperation>(request).expect("a request")).await.block
    };
    for (turn, message) in [
        "Hello there!",
        "Is Thursday evening fine for the dinner with Tom?",
        "And where do I live?",
        "What should I not eat?",
    ]
    .into_iter()
    .enumerate()
    {
        let before = if turn == 0 { Vec::new() } else { blocks(&rig) };
        let shown = preview(message).await;
        rig.says(&headers, &mut messages, message).await;
        rig.sessions().await;
        let seen = blocks(&rig);
        let new: Vec<String> = seen[before.len()..].iter().map(|block| unfenced(block)).collect();
        assert_eq!(new.concat(), shown, "{message}");
        clock.advance_seconds(60);
        if turn == 1 {
            let moved = Update { content: Some("I live in Porto".to_owned()), ..Update::of(home.clone()) };
            rig.ask(Box::new(moved)).await;
        }
    }
    assert!(blocks(&rig).concat().contains("Porto"), "{:?}", blocks(&rig));
}

/// What a block says, without its fence.
pub(super) fn unfenced(block: &str) -> String {
    let lines: Vec<&str> = block.lines().collect();
    lines[2..lines.len() - 1].join("\n")
}
