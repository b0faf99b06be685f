//! Where a step begins and ends: the days, counts and strengths that its behaviour is told by.

use memory::ports::{Clock, ReadStore};
use memory::tend;
use memory::types::{Change, Status, Step};

use super::{DAY, TendScene};

fn long_text(what: &str) -> String {
    format!("Ada grinds {what}. {}", "It takes her many evenings and a lot of patience. ".repeat(20))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_text_is_shortened_at_sixty_days_below_two_uses_and_when_it_fades() {
    let scene = TendScene::new().await;
    let old = scene.learned(&long_text("lenses"), 61, |_| {}).await;
    let young = scene.learned(&long_text("mirrors"), 59, |_| {}).await;
    let once = scene.learned(&long_text("prisms"), 80, |_| {}).await;
    scene.used(&once, 1, 70).await;
    let strong = scene.learned(&long_text("domes"), 61, |memory| memory.stability_days = 1_000.0).await;
    scene.tend(Some(Step::Gist)).await;
    for (memory, shortened) in [(&old, true), (&young, false), (&once, true), (&strong, false)] {
        let now = scene.read(&memory.id).await;
        assert_eq!(now.content != memory.content, shortened, "{}", &memory.content[..18]);
        let archived = scene.tenant.archived_text(&memory.id).await.expect("read");
        assert_eq!(archived.map(|kept| kept.text), shortened.then(|| memory.content.clone()));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_archived_text_is_kept_for_a_year_from_when_it_was_asked_for() {
    let scene = TendScene::new().await;
    let memory = scene.learned(&long_text("lenses"), 61, |_| {}).await;
    scene.tend(Some(Step::Gist)).await;
    let kept = async || scene.tenant.archived_text(&memory.id).await.expect("read").is_some();
    scene.clock.advance_seconds(360 * DAY);
    scene.tend(Some(Step::Prune)).await;
    assert!(kept().await, "not a year yet");
    tend::rehydrate(&scene.tenant, &memory.id, scene.clock.now()).await.expect("read").expect("kept");
    scene.clock.advance_seconds(360 * DAY);
    scene.tend(Some(Step::Prune)).await;
    assert!(kept().await, "somebody asked");
    scene.clock.advance_seconds(10 * DAY);
    scene.tend(Some(Step::Prune)).await;
    assert!(!kept().await);
    assert_eq!(tend::rehydrate(&scene.tenant, &memory.id, scene.clock.now()).await.expect("read"), None);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn three_conversations_of_the_last_sixty_days_promote() {
    let scene = TendScene::new().await;
    let memory = scene.learned("Ada restores an old telescope", 90, |_| {}).await;
    let speak = |number: usize| format!("Ada restores the old telescope, part {number}");
    for (number, days) in [5, 30, 61].into_iter().enumerate() {
        scene.episode(&format!("s{number}"), &speak(number), days).await;
    }
    scene.tend(Some(Step::Promote)).await;
    assert_eq!(scene.read(&memory.id).await.salience, 0.5, "the third is too long ago");
    scene.episode("s3", &speak(3), 59).await;
    scene.tend(Some(Step::Promote)).await;
    assert!((scene.read(&memory.id).await.salience - 0.55).abs() < 1e-6);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_all_three_conditions_together_evict() {
    let scene = TendScene::new().await;
    let faded = scene.learned("Ada once had a cold", 600, |_| {}).await;
    // Weak and of no salience, but used not long ago.
    let recent = scene.learned("Ada once had a cough", 600, |memory| {
        (memory.salience, memory.strength) = (0.01, 0.01);
    });
    let recent = recent.await;
    scene.used(&recent, 1, 20).await;
    let strong = scene.learned("Ada once had a fever", 600, |memory| memory.stability_days = 5_000.0).await;
    scene.tend(Some(Step::Evict)).await;
    let statuses = [scene.status(&faded).await, scene.status(&recent).await, scene.status(&strong).await];
    assert_eq!(statuses, [Status::Archived, Status::Active, Status::Active]);
}

/// A decision was not undone by the next pass because something was touched meanwhile.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_use_is_no_change_of_the_memory() {
    let scene = TendScene::new().await;
    let memory = scene.learned("Ada has a sister", 10, |_| {}).await;
    let head = scene.tenant.head().await.expect("a head");
    let touch = Change::Touch { memories: vec![memory.id.clone()], at: scene.clock.now() };
    scene.write_by(memory::types::Actor::Tool, |batch| batch.with(touch)).await;
    assert_eq!(scene.tenant.head().await.expect("a head"), head, "no index is written anew for it");
    assert_eq!(scene.read(&memory.id).await, memory);
}
