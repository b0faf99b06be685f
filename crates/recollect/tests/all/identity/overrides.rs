//! Overrides: a person's are theirs; a machine's are no more than their memory.

use memory::limits::{OVERRIDE_BYTES, OVERRIDES};
use memory::types::Origin;
use recollect::ops::identity::{IdentityShow, OverrideAdd};
use recollect::problem::Code;

use super::{ProfileScene, user};

const ALLERGY: &str = "User is allergic to penicillin";

#[tokio::test]
async fn the_same_override_three_times_is_stored_once() {
    let scene = ProfileScene::new();
    let (added, first) = scene.add_override("I am allergic to penicillin").await.expect("added");
    assert!(added && first.origin == Origin::Person);
    for text in
        ["I am allergic to penicillin", "  i am ALLERGIC to penicillin. ", "I'm allergic to penicillin"]
    {
        let (added, line) = scene.add_override(text).await.expect("known");
        assert_eq!((added, line.id), (false, first.id.clone()), "{text}");
    }
    assert_eq!(scene.overrides().await.len(), 1);
    scene.add_override("Answer me in Spanish").await.expect("added");
    let other = scene.ask(IdentityShow { user: user("bob") }).await.expect("shown");
    assert_eq!(other.overrides, [], "another user's are their own");
}

#[tokio::test]
async fn what_is_said_to_be_kept_about_oneself_is_always_said() {
    let scene = ProfileScene::new();
    scene.says("one", &["Remember: I'm allergic to penicillin."]).await;
    assert_eq!(scene.overrides().await, [ALLERGY]);
    let machine = scene.identity().await.overrides.remove(0);
    assert_eq!(machine.memory, Some(scene.memory("penicillin").await.id));
    scene.says("two", &["Remember: I'm allergic to penicillin."]).await;
    scene.says_to(Some("coach"), "three", &["Please remember that I am allergic to penicillin."]).await;
    assert_eq!(scene.overrides().await, [ALLERGY], "once, whoever was told");
    scene.says("four", &["I prefer tea.", "I live in Irvine."]).await;
    assert_eq!(scene.overrides().await, [ALLERGY], "what was only mentioned is not");
}

#[tokio::test]
async fn what_was_mentioned_and_then_said_to_be_kept_is_always_said() {
    let scene = ProfileScene::new();
    scene.says("one", &["I'm allergic to penicillin."]).await;
    assert_eq!(scene.overrides().await, [] as [&str; 0]);
    scene.says("two", &["Remember that I'm allergic to penicillin."]).await;
    assert_eq!(scene.overrides().await, [ALLERGY]);
}

#[tokio::test]
async fn a_new_value_replaces_the_machines_override_of_the_old_one() {
    let scene = ProfileScene::new();
    scene.says("one", &["Remember that my name is Ada."]).await;
    assert_eq!(scene.overrides().await, ["User's name is Ada"]);
    scene.clock.advance_seconds(60);
    scene.says("two", &["My name is Augusta."]).await;
    assert_eq!(scene.overrides().await, ["User's name is Augusta"]);
    scene.says_to(Some("coach"), "three", &["Remember that my name is Byron."]).await;
    assert_eq!(scene.overrides().await, ["User's name is Byron"], "one value, whichever agent heard it last");
}

#[tokio::test]
async fn a_persons_override_is_never_replaced() {
    let scene = ProfileScene::new();
    scene.add_override("User's name is Ada").await.expect("added");
    scene.says("one", &["Remember that my name is Ada."]).await;
    assert_eq!(scene.overrides().await, ["User's name is Ada"]);
    scene.clock.advance_seconds(60);
    scene.says("two", &["Remember that my name is Byron."]).await;
    assert_eq!(scene.overrides().await, ["User's name is Ada", "User's name is Byron"]);
    scene.says("three", &["Remember that my name is Augusta."]).await;
    assert_eq!(scene.overrides().await, ["User's name is Ada", "User's name is Augusta"]);
}

#[tokio::test]
async fn a_person_who_says_it_too_makes_it_theirs() {
    let scene = ProfileScene::new();
    scene.says("one", &["Remember that my name is Ada."]).await;
    let (added, line) = scene.add_override("user's name is ada").await.expect("known");
    assert!(!added && line.origin == Origin::Person);
    scene.clock.advance_seconds(60);
    scene.says("two", &["My name is Augusta."]).await;
    assert!(scene.overrides().await.contains(&"user's name is ada".to_owned()), "theirs stays");
}

#[tokio::test]
async fn what_a_person_removed_does_not_come_back() {
    let scene = ProfileScene::new();
    scene.says("one", &["Remember: I'm allergic to penicillin."]).await;
    scene.remove_override(ALLERGY).await.expect("removed");
    scene.says("two", &["Remember: I'm allergic to penicillin."]).await;
    scene.refresh().await;
    assert_eq!(scene.overrides().await, [] as [&str; 0]);
    scene.memory("penicillin").await;
    assert_eq!(scene.remove_override(ALLERGY).await.expect_err("gone").code, Code::NotFound);
}

#[tokio::test]
async fn there_is_a_bound_on_their_number_and_their_length() {
    let scene = ProfileScene::new();
    scene.says("one", &["Remember: I'm allergic to penicillin."]).await;
    for number in 1..OVERRIDES {
        scene.add_override(&format!("statement number {number}")).await.expect("added");
    }
    let refused = scene.add_override("one more").await.expect_err("full");
    assert_eq!(refused.code, Code::LimitReached);
    assert!(refused.hint.is_some());
    scene.says("two", &["Remember that my name is Ada."]).await;
    let texts = scene.overrides().await;
    assert_eq!(texts.len(), OVERRIDES);
    assert!(texts.contains(&"User's name is Ada".to_owned()), "the oldest of the machine's makes room");
    assert!(!texts.contains(&ALLERGY.to_owned()));
    let long = OverrideAdd { user: None, text: "x".repeat(OVERRIDE_BYTES + 1) };
    assert_eq!(scene.ask(long).await.expect_err("too long").code, Code::InvalidInput);
}
