//! What upkeep makes of judgements: links between what replies used, counts that are taken over, and who lives longer.

use memory::ports::{Clock, ReadStore, WriteStore};
use memory::types::{
    Actor, Batch, Change, FeedbackEntry, JudgedBy, Judgement, LinkKind, Memory, Status, Step, TurnId,
};
use testkit::build;

use super::{DAY, TendScene};

impl TendScene {
    /// What became of a memory in the conversation of [`TendScene::shown`].
    async fn judged(&self, memory: &Memory, judgement: Judgement, times: usize) {
        for _ in 0..times {
            let entry = FeedbackEntry {
                memory: memory.id.clone(),
                judgement,
                by: JudgedBy::Overlap,
                session: Some(build::session_key("shown")),
                turn: Some(TurnId::from_uuid(self.clock.uuid())),
                at: self.clock.tick(),
            };
            self.write_by(Actor::Tool, |batch| batch.with(Change::Judge { entry })).await;
        }
    }

    async fn weight(&self, one: &Memory, other: &Memory) -> Option<f32> {
        let links = self.tenant.links_of(std::slice::from_ref(&one.id)).await.expect("read");
        let between = |id| id == &other.id;
        let found = links
            .iter()
            .find(|link| link.kind == LinkKind::CoActivated && (between(&link.from) || between(&link.to)));
        found.map(|link| link.weight)
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_what_the_reply_used_together_is_linked() {
    let scene = TendScene::new().await;
    let mut all = Vec::new();
    for what in ["a telescope", "clear nights", "a bicycle", "a garden"] {
        all.push(scene.learned(&format!("Ada likes {what}"), 5, |_| {}).await);
    }
    let [one, two, three, four] = [&all[0], &all[1], &all[2], &all[3]];
    scene.shown("a", &[one, two, three, four]).await;
    for (memory, judgement) in [
        (one, Judgement::Used),
        (two, Judgement::Used),
        (three, Judgement::Ignored),
        (four, Judgement::Wrong),
    ] {
        scene.judged(memory, judgement, 1).await;
    }
    let run = scene.tend(Some(Step::Strengthen)).await;
    assert_eq!(run.counts["strengthen"], 1, "one pair of six");
    assert_eq!(scene.weight(one, two).await, Some(0.2));
    for (left, right) in [(one, three), (one, four), (two, three), (three, four)] {
        assert_eq!(scene.weight(left, right).await, None, "{} / {}", left.content, right.content);
    }
    // Where nobody judged the reply, to have been shown together counts a little.
    scene.shown("b", &[three, four]).await;
    scene.tend(Some(Step::Strengthen)).await;
    let shown = scene.weight(three, four).await.expect("linked");
    assert!(shown < 0.1, "{shown}");
    // What was said before a block is not about it.
    scene.shown("c", &[one, two]).await;
    scene.tend(Some(Step::Strengthen)).await;
    let little = scene.weight(one, two).await.expect("linked");
    assert!(little > 0.2 && little < 0.25, "{little}");
    scene.shown("d", &[one, two]).await;
    for memory in [one, two] {
        scene.judged(memory, Judgement::Ignored, 1).await;
    }
    scene.tend(Some(Step::Strengthen)).await;
    assert_eq!(scene.weight(one, two).await, Some(little), "passed over together, nothing grows");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn judgements_are_summed_when_memories_become_one_and_go_back() {
    let scene = TendScene::new().await;
    let stays = scene.learned("Ada always drinks green jasmine", 9, |_| {}).await;
    let goes = scene.learned("Ada always drinks green jasmine", 5, |_| {}).await;
    scene.judged(&stays, Judgement::Used, 1).await;
    scene.judged(&goes, Judgement::Used, 2).await;
    scene.judged(&goes, Judgement::Ignored, 3).await;
    let before = scene.dump().await;
    let run = scene.tend(Some(Step::Merge)).await;
    let ids = [stays.id.clone()];
    let counters = scene.tenant.counters(&ids).await.expect("read")[&stays.id].clone();
    assert_eq!((counters.used, counters.ignored, counters.wrong), (3, 3, 0));
    memory::tend::undo::undo(&scene.tenant, run, &*scene.clock).await.expect("undone");
    assert_eq!(scene.dump().await, before);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_used_outlives_its_equal_that_is_passed_over() {
    let scene = TendScene::new().await;
    let mut pair = Vec::new();
    for what in ["telescope", "bicycle"] {
        pair.push(scene.learned(&format!("Ada owns a {what} of brass"), 0, |_| {}).await);
    }
    let [used, passed] = [&pair[0], &pair[1]];
    // Both are shown for a month. Only the one that is used counts as used then.
    for _ in 0..20 {
        scene.clock.advance_seconds(DAY);
        scene.judged(used, Judgement::Used, 1).await;
        scene.used(used, 1, 0).await;
        scene.judged(passed, Judgement::Ignored, 1).await;
        let counts = memory::types::Counters { use_count: 1, ..Default::default() };
        let add = Change::AddCounts { memory: passed.id.clone(), counts };
        let batch = Batch::new(Actor::Tool, scene.clock.tick()).with(add);
        scene.tenant.apply(batch).await.expect("in order");
    }
    let mut gone_after = [None, None];
    for month in 1..=60 {
        scene.clock.advance_seconds(30 * DAY);
        scene.tend(Some(Step::Evict)).await;
        for (place, memory) in [used, passed].into_iter().enumerate() {
            if gone_after[place].is_none() && scene.status(memory).await == Status::Archived {
                gone_after[place] = Some(month);
            }
        }
    }
    let passed_over = gone_after[1].expect("it went");
    assert!((12..=18).contains(&passed_over), "about a year: {gone_after:?}");
    assert!(gone_after[0].is_none_or(|month| month > 3 * passed_over), "{gone_after:?}");
}
