//! The profile: when a version is made, what it says, and that a person's word stands above it.

use memory::ports::ReadStore;
use memory::profile::compose::LEARNED_SINCE;
use memory::types::{Node, Origin};
use recollect::problem::Code;
use serde_json::json;

use super::{ProfileScene, lines};

const THREE: &[&str] = &["My name is Ada.", "I live in Irvine.", "I work at Northwind."];

#[tokio::test]
async fn the_first_profile_comes_after_three_and_the_next_after_the_threshold() {
    let scene = ProfileScene::new();
    scene.says("one", &THREE[..2]).await;
    assert_eq!(scene.identity().await.profile, None, "two are too few");
    scene.says("two", &THREE[2..]).await;
    let profile = scene.profile().await;
    assert_eq!(lines(&profile), ["User's name is Ada", "User lives in Irvine", "User works at Northwind"]);
    assert_eq!((profile.number, profile.origin), (1, Origin::Heuristic));

    scene.set("profileRegenerateThreshold", json!(2)).await;
    scene.says("three", &["I prefer green tea."]).await;
    assert_eq!(scene.profile().await.number, 1, "one of two");
    scene.says("four", &["My brother Ben lives in Oslo."]).await;
    let profile = scene.profile().await;
    assert_eq!(profile.number, 2);
    assert!(profile.difference.contains("+ User prefers green tea"), "{}", profile.difference);
    assert!(!profile.difference.contains("Ada"), "what stays is no difference: {}", profile.difference);
}

#[tokio::test]
async fn the_threshold_of_one_makes_the_first_profile_at_once() {
    let scene = ProfileScene::new();
    scene.set("profileRegenerateThreshold", json!(1)).await;
    scene.says("one", &["My name is Ada."]).await;
    assert_eq!(lines(&scene.profile().await), ["User's name is Ada"]);
}

#[tokio::test]
async fn a_profile_knows_what_it_rests_on() {
    let scene = ProfileScene::new();
    scene.says("one", THREE).await;
    let profile = scene.profile().await;
    let name = scene.memory("name is Ada").await;
    assert_eq!(profile.sources[0], std::slice::from_ref(&name.id));
    let tenant = scene.tenant().await;
    let children = tenant.children(&Node::Memory(name.id)).await.expect("read");
    assert!(children.contains(&Node::Profile(profile.id)), "{children:?}");
}

#[tokio::test]
async fn it_is_one_across_agents() {
    let scene = ProfileScene::new();
    scene.says_to(Some("coach"), "one", &THREE[..2]).await;
    scene.says_to(Some("tutor"), "two", &THREE[2..]).await;
    assert_eq!(scene.profile().await.text.lines().count(), 3);
}

#[tokio::test]
async fn a_new_value_takes_the_place_of_the_old_one() {
    let scene = ProfileScene::new();
    scene.says("one", THREE).await;
    scene.clock.advance_seconds(60);
    scene.says("two", &["I moved to Lisbon."]).await;
    let changed = scene.refresh().await;
    assert!(changed.changed);
    let profile = scene.profile().await;
    assert!(profile.difference.contains("- User lives in Irvine\n"), "{}", profile.difference);
    assert!(profile.difference.contains("+ User lives in Lisbon"), "{}", profile.difference);
}

#[tokio::test]
async fn what_says_the_same_is_no_new_version() {
    let scene = ProfileScene::new();
    scene.says("one", THREE).await;
    for _ in 0..3 {
        let changed = scene.refresh().await;
        assert!(!changed.changed);
    }
    assert_eq!(scene.versions().await.len(), 1);
    assert_eq!(scene.refresh().await.contributions, 0);
}

#[tokio::test]
async fn a_persons_edit_stays_and_what_they_took_out_stays_out() {
    let scene = ProfileScene::new();
    scene.says("one", THREE).await;
    let theirs = "Call me Countess.\nUser works at Northwind";
    let edited = scene.edit(theirs).await.expect("edited");
    let profile = edited.profile.expect("there is one");
    assert_eq!((profile.number, profile.origin), (2, Origin::Person));
    assert_eq!(profile.difference, "- User's name is Ada\n- User lives in Irvine\n+ Call me Countess.");

    scene.set("profileRegenerateThreshold", json!(1)).await;
    scene.says("two", &["I prefer green tea.", "I live in Irvine.", "I still work at Northwind."]).await;
    let profile = scene.profile().await;
    assert_eq!(profile.text, format!("{theirs}\n{LEARNED_SINCE}\nUser prefers green tea"));
    scene.refresh().await;
    scene.says("three", &["I have a dog named Rex."]).await;
    let text = scene.profile().await.text;
    assert!(text.starts_with(theirs) && text.contains("Rex"), "{text}");
    assert!(!text.contains("Irvine"), "taken out: {text}");
    assert_eq!(text.matches(LEARNED_SINCE).count(), 1);

    let back = scene.hand_back().await.profile.expect("there is one");
    assert_eq!(back.origin, Origin::Heuristic);
    assert!(back.text.contains("Irvine") && !back.text.contains("Countess"), "{}", back.text);
    assert_eq!(back.edited, None);
}

#[tokio::test]
async fn an_edit_on_an_old_version_is_refused() {
    let scene = ProfileScene::new();
    scene.says("one", THREE).await;
    let edit = |text: &str, number| recollect::ops::identity::IdentityEdit {
        text: Some(text.to_owned()),
        expect_number: Some(number),
        ..Default::default()
    };
    scene.ask(edit("first", 1)).await.expect("the number is right");
    let refused = scene.ask(edit("second", 1)).await.expect_err("it is at 2");
    assert_eq!(refused.code, Code::Conflict);
    assert_eq!(scene.profile().await.text, "first");
    assert_eq!(scene.edit(" \n ").await.expect_err("empty").code, Code::InvalidInput);
}

#[tokio::test]
async fn old_generated_versions_go_and_a_persons_stay() {
    let scene = ProfileScene::new();
    scene.edit("mine").await.expect("edited");
    scene.hand_back().await;
    scene.set("profileRegenerateThreshold", json!(1)).await;
    for number in 0..memory::limits::PROFILE_VERSIONS + 5 {
        let (session, said) = (format!("s{number}"), format!("I prefer tea number {number}."));
        scene.says(&session, &[&said]).await;
    }
    let versions = scene.versions().await;
    let generated = versions.iter().filter(|version| version.origin != Origin::Person).count();
    assert_eq!(generated, memory::limits::PROFILE_VERSIONS);
    assert_eq!(versions[0].text, "mine");
}
