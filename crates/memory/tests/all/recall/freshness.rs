//! What is kept between two questions, and what makes it old.

use std::sync::Arc;

use memory::limits;
use memory::recall::context::{Aids, ContextCache};
use memory::settings::ContextMode;
use memory::types::{Actor, Batch, Status};
use testkit::build;

use super::{RecallScene, viewer};

#[tokio::test]
async fn the_same_question_is_answered_from_the_cache_for_ten_seconds() {
    let scene = RecallScene::new().await;
    scene.subject.add("the dog is a beagle").await;
    let mut request = scene.request("what breed is my dog?");
    let first = scene.cached(&request).await;
    request.now = request.now.plus_seconds(9);
    assert!(Arc::ptr_eq(&first, &scene.cached(&request).await), "asked again within ten seconds");
    request.now = request.now.plus_seconds(1);
    let second = scene.cached(&request).await;
    assert!(!Arc::ptr_eq(&first, &second), "ten seconds later it is made anew");
    assert_eq!(first, second);
    assert_eq!(scene.cache.len(), 1);
}

#[tokio::test]
async fn another_asker_or_question_or_setting_is_another_context() {
    let mut scene = RecallScene::new().await;
    scene.subject.add("the dog is a beagle").await;
    let request = scene.request("what breed is my dog?");
    let mine = scene.cached(&request).await;
    assert!(mine.block.contains("beagle"));
    let mut other = request.clone();
    other.viewer = viewer("ben", None);
    assert_eq!(scene.cached(&other).await.block, "");
    let mut other = request.clone();
    other.tenant = "elsewhere".parse().expect("a tenant's name");
    assert!(!Arc::ptr_eq(&mine, &scene.cached(&other).await));
    let mut other = request.clone();
    other.first_turn = true;
    assert!(!Arc::ptr_eq(&mine, &scene.cached(&other).await));
    scene.settings.context_mode = ContextMode::Full;
    assert!(scene.cached(&request).await.block.starts_with("## Current Date"));
}

#[tokio::test]
async fn a_write_by_anybody_is_seen_at_once() {
    let scene = RecallScene::new().await;
    let dog = scene.subject.add("the dog is a beagle").await;
    let request = scene.request("what breed is my dog?");
    assert!(scene.cached(&request).await.block.contains("beagle"));
    let second = scene.subject.second().await.expect("a file can be opened twice");
    let mut edited = dog.clone();
    edited.content = "the dog is a poodle".to_owned();
    edited.content_hash = memory::types::content_hash(&edited.content);
    second.apply(Batch::new(Actor::Person, request.now).replace(edited)).await.expect("it is in order");
    let block = scene.cached(&request).await.block.clone();
    assert!(block.contains("poodle") && !block.contains("beagle"), "{block}");
    let dog = scene.subject.memory(&dog.id).await.expect("it is there");
    scene.subject.edit(&dog, |memory| memory.status = Status::Deleted).await;
    assert_eq!(scene.cached(&request).await.block, "", "the forgotten is in no cache");
}

#[tokio::test]
async fn uses_are_counted_when_asked_and_make_nothing_old() {
    let scene = RecallScene::new().await;
    let dog = scene.subject.add("the dog is a beagle").await;
    let rule = scene.add_rule("answer in Spanish").await;
    scene.subject.add("a cat slept").await;
    let request = scene.request("what breed is my dog?");
    let count = async || {
        let ids = [dog.id.clone(), rule.id.clone()];
        let counters = scene.subject.store.counters(&ids).await.expect("readable");
        ids.map(|id| counters.get(&id).map_or(0, |counters| counters.use_count))
    };
    let shown = scene.cached(&request).await;
    assert_eq!(count().await, [0, 0], "a preview uses nothing");
    let recaller = scene.recaller(&scene.subject.store);
    for times in 1..=3 {
        let again = scene.cached(&request).await;
        assert!(Arc::ptr_eq(&shown, &again), "counting makes no context old");
        recaller.count_use(&again, request.now).await.expect("countable");
        assert_eq!(count().await, [times, 0], "what stands in front of every message is no use");
    }
}

#[tokio::test]
async fn the_cache_is_bounded() {
    let scene = RecallScene::new().await;
    let cache = ContextCache::default();
    let aids = Aids { learned: None, cache: Some(&cache), model: None };
    for number in 0..limits::CONTEXT_CACHE_ENTRIES + 10 {
        let mut request = scene.request(&format!("what is my number {number}?"));
        request.viewer = viewer(&format!("user {number}"), None);
        scene.asked(&request, aids).await;
    }
    assert_eq!(cache.len(), limits::CONTEXT_CACHE_ENTRIES);
    let later = scene.subject.clock.advance_seconds(60);
    let mut request = scene.request("what is my number?");
    request.now = later;
    scene.asked(&request, aids).await;
    assert_eq!(cache.len(), 1, "what is old makes room");
}

#[tokio::test]
async fn known_names_follow_the_store() {
    let scene = RecallScene::new().await;
    let subject = &scene.subject;
    let fires = async |message: &str| scene.cached(&scene.request(message)).await.gate.fire;
    assert!(!fires("what does Caroline eat").await);
    let entity = build::entity(&subject.clock, "Caroline", &["Caz the Great"]);
    subject.apply(subject.batch().insert(entity.clone())).await;
    assert!(fires("what does Caroline eat").await);
    assert!(fires("what does caz the great eat").await, "by another name");
    subject.add("an unrelated memory").await;
    assert!(fires("what does Caroline eat").await);
    let mut gone = entity;
    gone.status = Status::Deleted;
    subject.apply(subject.batch().replace(gone)).await;
    assert!(!fires("what does Caroline eat").await);
}
