//! Who the user is stands at the beginning of a conversation, the same bytes until something of it is forgotten or the conversation has rested for
//! long; what is asked in it is understood by what was said before.

use std::sync::Arc;

use memory::types::MemoryId;
use recollect::ops::add::Add;
use recollect::ops::context::ContextOperation;
use recollect::ops::forget::Forget;
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
