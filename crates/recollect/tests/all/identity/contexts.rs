//! What a message gets to know of the user, through the whole way from what was said.

use memory::recall::gate::Section;
use serde_json::json;

use super::ProfileScene;

#[tokio::test]
async fn whats_my_name_is_answered_from_the_first_conversation_on() {
    let scene = ProfileScene::new();
    scene.says("one", &["Hi, my name is Ada."]).await;
    assert_eq!(scene.identity().await.profile, None, "there is no profile yet");
    let context = scene.context("what's my name?").await;
    assert_eq!(context.gate.section, Section::Identity);
    let mut sections = context.block.split("\n\n");
    let about = sections.next().expect("a section");
    assert!(about.starts_with("## About the user\n") && about.contains("\n- User's name is Ada"), "{about}");
    assert!(!sections.any(|section| section.contains("User's name")), "and once: {}", context.block);
    let told = context.lines.iter().find(|line| line.text.contains("Ada")).expect("a line");
    assert_eq!(told.memory_ids, [scene.memory("Ada").await.id]);
}

#[tokio::test]
async fn the_profile_is_told_and_what_was_learned_since() {
    let scene = ProfileScene::new();
    scene.says("one", &["My name is Ada.", "I live in Irvine.", "I prefer green tea."]).await;
    assert_eq!(scene.profile().await.number, 1);
    scene.clock.advance_seconds(60);
    scene.says("two", &["I moved to Lisbon.", "I work at Northwind."]).await;
    assert_eq!(scene.profile().await.number, 1, "not due yet");
    let block = scene.context("who am I?").await.block;
    for told in
        ["User's name is Ada", "User prefers green tea", "User lives in Lisbon", "User works at Northwind"]
    {
        assert_eq!(block.matches(told).count(), 1, "{told}: {block}");
    }
    assert!(!block.contains("lives in Irvine"), "what was replaced is not told: {block}");
}

#[tokio::test]
async fn overrides_come_with_every_message() {
    let scene = ProfileScene::new();
    scene.add_override("I am colour-blind").await.expect("added");
    scene.says("one", &["Remember: I'm allergic to penicillin."]).await;
    for message in ["thanks, that helps", "what's the capital of France?", "reply exactly OK"] {
        let context = scene.context(message).await;
        assert!(!context.gate.fire, "{message}: {:?}", context.gate);
        let expected =
            "## What the user wants kept in mind\n- I am colour-blind\n- User is allergic to penicillin";
        assert!(context.block.starts_with(expected), "{message}: {}", context.block);
    }
    let block = scene.context("what do you know about me?").await.block;
    assert_eq!(block.matches("penicillin").count(), 1, "{block}");
    assert!(block.starts_with("## What the user wants kept in mind\n- I am colour-blind"), "{block}");
}

#[tokio::test]
async fn a_persons_own_profile_is_what_is_told() {
    let scene = ProfileScene::new();
    scene.says("one", &["My name is Ada.", "I live in Irvine.", "I work at Northwind."]).await;
    scene.edit("Call me Countess, please.").await.expect("edited");
    scene.set("profileRegenerateThreshold", json!(1)).await;
    scene.says("two", &["I prefer green tea."]).await;
    let context = scene.context("who am I?").await;
    assert!(context.lines.iter().any(|line| line.text == "- Call me Countess, please."), "{}", context.block);
    let about = context.block.split("\n\n").next().expect("a section");
    assert!(about.contains("green tea") && !about.contains("Learned since"), "{about}");
}

#[tokio::test]
async fn a_full_context_has_the_profile_too() {
    let scene = ProfileScene::new();
    scene.set("contextMode", json!("full")).await;
    scene.says("one", &["My name is Ada.", "I live in Irvine.", "I work at Northwind."]).await;
    let block = scene.context("hello there").await.block;
    assert!(block.contains("## User Profile\n- User's name is Ada"), "{block}");
}

#[tokio::test]
async fn with_memory_off_nothing_is_told() {
    let scene = ProfileScene::new();
    scene.add_override("I am colour-blind").await.expect("added");
    scene.set("enabled", json!(false)).await;
    assert_eq!(scene.context("who am I?").await.block, "");
}
