//! What goes with a memory: its line, its traces in older versions, its override.

use recollect::ops::forget::Forget;
use recollect::ops::select::Selection;
use recollect::ops::update::Update;

use super::{ProfileScene, lines};

const SAID: &[&str] = &["My name is Ada.", "I live in Irvine.", "I work at Northwind."];

#[tokio::test]
async fn a_forgotten_memory_leaves_no_line_in_any_version() {
    for purge in [false, true] {
        let scene = ProfileScene::new();
        scene.says("one", SAID).await;
        scene.clock.advance_seconds(60);
        scene.says("two", &["I moved to Lisbon."]).await;
        scene.refresh().await;
        scene.says("three", &["I prefer green tea."]).await;
        scene.refresh().await;
        scene.forget("Lisbon", purge).await;
        scene.forget("Northwind", purge).await;
        let versions = scene.versions().await;
        assert_eq!(versions.len(), 3);
        for version in &versions {
            let whole = format!("{version:?}");
            assert!(!whole.contains("Lisbon") && !whole.contains("Northwind"), "{whole}");
            assert_eq!(version.sources.len(), version.text.lines().count());
        }
        assert_eq!(lines(&versions[2]), ["User's name is Ada", "User prefers green tea"]);
        let block = scene.context("what do you know about me?").await.block;
        assert!(!block.contains("Lisbon") && block.contains("Ada"), "{block}");
        assert!(!scene.refresh().await.changed, "and nothing brings it back");
    }
}

#[tokio::test]
async fn its_override_goes_with_it_and_a_persons_stays() {
    for purge in [false, true] {
        let scene = ProfileScene::new();
        scene.says("one", &["Remember: I'm allergic to penicillin."]).await;
        scene.add_override("Answer me in Spanish").await.expect("added");
        assert_eq!(scene.overrides().await.len(), 2);
        scene.forget("penicillin", purge).await;
        assert_eq!(scene.overrides().await, ["Answer me in Spanish"]);
        let block = scene.context("which painkiller should I take?").await.block;
        assert!(!block.contains("penicillin") && block.contains("Spanish"), "{block}");
    }
}

#[tokio::test]
async fn an_override_follows_a_memory_that_a_person_rewrote_and_still_goes_with_it() {
    let scene = ProfileScene::new();
    scene.says("one", &["Remember: I'm allergic to penicillin."]).await;
    let id = scene.memory("penicillin").await.id;
    let content = Some("User is allergic to all penicillins".to_owned());
    scene.ask(Box::new(Update { content, ..Update::of(id) })).await.expect("rewritten");
    scene.refresh().await;
    assert_eq!(scene.overrides().await, ["User is allergic to all penicillins"]);
    scene.forget("penicillins", false).await;
    assert_eq!(scene.overrides().await, [] as [&str; 0]);
}

#[tokio::test]
async fn a_line_that_a_person_left_in_their_text_goes_too_and_their_own_stays() {
    let scene = ProfileScene::new();
    scene.says("one", SAID).await;
    scene.edit("I am fond of rain.\nUser lives in Irvine\nUser's name is Ada").await.expect("edited");
    scene.forget("Irvine", false).await;
    let profile = scene.profile().await;
    assert_eq!(profile.text, "I am fond of rain.\nUser's name is Ada");
    assert_eq!(profile.edited.expect("a person's").lines, 2);
    scene.forget("Northwind", false).await;
    let removed = scene.profile().await.edited.expect("a person's").removed;
    assert!(!removed.iter().any(|line| line.contains("Northwind")), "nor in what they took out: {removed:?}");
}

#[tokio::test]
async fn forgetting_everything_takes_the_profile_too_and_it_can_begin_anew() {
    let scene = ProfileScene::new();
    scene.says("one", SAID).await;
    let filter = Selection { user: Some(memory::types::UserId::unnamed()), ..Selection::default() };
    let everything = Forget { filter, confirmed: true, purge: true, ..Forget::default() };
    scene.ask(everything).await.expect("forgotten");
    assert_eq!(scene.identity().await.profile, None, "every version is gone");
    let block = scene.context("who am I?").await.block;
    assert!(!block.contains("About you") && !block.contains("User "), "{block}");
    scene.says("two", &["My name is Ada.", "I live in Oslo.", "I work at Northwind."]).await;
    let profile = scene.profile().await;
    assert_eq!((profile.number, profile.text.lines().count()), (1, 3));
}

#[tokio::test]
async fn saying_what_would_be_forgotten_changes_nothing() {
    let scene = ProfileScene::new();
    scene.says("one", SAID).await;
    let before = scene.versions().await;
    let id = scene.memory("Irvine").await.id;
    scene.ask(Forget { ids: vec![id], ..Forget::default() }).await.expect("said");
    assert_eq!(scene.versions().await, before);
}
