//! What happens to turns and sessions, and the bounds around them: seventeen behaviours, each with its test.
//!
//! | | what must hold | where it is shown |
//! |---|---|---|
//! | 1 | settings are completed, and refused out of range | `settings::a_bad_setting_names_the_range`, the settings' own tests |
//! | 2 | salience outside 0 to 1 is clamped | [`shares_are_clamped`] |
//! | 3 | content over its bound is refused, and said so | [`what_is_too_long_is_refused_and_named`] |
//! | 4 | an override stated again is stored once | comes with the surface that makes overrides |
//! | 5 | a preview counts no use; an injection does | [`a_preview_counts_nothing`]; the rest comes with injection |
//! | 6 | an episode and the marks of its turns are one commit | `learn::an_episode_and_its_marks_are_one_commit` of the store |
//! | 7 | a turn that comes during a pass still waits | `learn::a_turn_that_comes_during_a_pass_stays_pending` of the store |
//! | 8 | failures wait, then are dead letters, listed, retried by hand | [`failures_end_as_dead_letters_that_can_be_retried`] |
//! | 9 | switched off, nothing is captured | [`switched_off_nothing_is_captured`] |
//! | 10 | which question needs which part of memory | the tests of `memory::recall::gate` |
//! | 11 | a new value replaces, another kind stays, the same is skipped | [`values_are_replaced_and_other_kinds_stay`] |
//! | 12 | a model's careless JSON is accepted | comes with the model's distiller |
//! | 13 | without a model it is learned now, and kept for one | [`without_a_model_it_is_learned_now_and_kept_for_one`] |
//! | 14 | a session under 80 characters is not digested | [`a_short_session_has_no_digest`] |
//! | 15 | a conversation taken in twice has one episode | [`a_conversation_taken_in_twice_has_one_episode`] |
//! | 16 | a crash between capture and distil is recovered | `crash::every_acknowledged_turn_is_there_once`, `worker::what_an_earlier_process_left_is_taken_up` |
//! | 17 | a backlog is worked off one at a time, oldest first | `worker::a_backlog_is_worked_off_oldest_first` |

use memory::ports::{ReadStore, WriteStore};
use memory::types::{Actor, Batch, Change, Role, Status};
use recollect::ops::context::ContextOperation;
use recollect::ops::pending::{PendingList, PendingRetry};
use serde_json::json;
use testkit::build;

use super::{Scene, conversation, key};

const LONG: &str = "I have been thinking about the garden for weeks, and I prefer roses to tulips because they \
    come back every year without any work at all.";

#[tokio::test]
async fn shares_are_clamped() {
    let scene = Scene::new();
    let tenant = scene.tenant().await;
    for (given, kept) in [(1.5, 1.0), (-0.2, 0.0), (f32::NAN, 0.0)] {
        let mut memory = build::memory(&scene.clock, &format!("salience {given}"));
        memory.salience = given;
        let id = memory.id.clone();
        tenant.apply(Batch::new(Actor::Person, scene.clock.tick()).insert(memory)).await.expect("written");
        assert_eq!(tenant.memories(&[id]).await.expect("read")[0].salience, kept);
    }
}

#[tokio::test]
async fn what_is_too_long_is_refused_and_named() {
    let scene = Scene::new();
    let long = "ä".repeat(memory::limits::TURN_TEXT_BYTES / 2 + 1);
    let refused = scene.ask(conversation("long", &[(Role::User, "fine"), (Role::User, &long)])).await;
    let problem = refused.expect_err("refused");
    assert_eq!(problem.details[0].field, "messages[1].content");
    assert!(problem.message.contains("expected at most"), "{problem}");
    assert_eq!(scene.tenant().await.census().await.expect("counted").turns, 0, "all or nothing");
}

#[tokio::test]
async fn a_preview_counts_nothing() {
    let scene = Scene::new();
    scene.says("one", "I prefer TypeScript.").await;
    let memory = scene.with_status(Status::Active).await.remove(0);
    for _ in 0..3 {
        let request = ContextOperation {
            message: "do you remember my TypeScript?".into(),
            ..ContextOperation::default()
        };
        assert!(scene.ask(request).await.expect("a context").block.contains("TypeScript"));
    }
    let counters = scene.tenant().await.counters(std::slice::from_ref(&memory.id)).await.expect("counters");
    assert_eq!(counters.get(&memory.id).map_or(0, |counters| counters.use_count), 0);
}

#[tokio::test]
async fn failures_end_as_dead_letters_that_can_be_retried() {
    let scene = Scene::new();
    let key = scene.append("one", &[(Role::User, LONG)]).await;
    let tenant = scene.tenant().await;
    let fail = async || {
        let turns =
            tenant.pending_of(&key).await.expect("listed").into_iter().map(|turn| turn.turn).collect();
        let cap = recollect::limits::DISTIL_FAILURES;
        let change = Change::FailPending { turns, error: "it failed".into(), cap };
        tenant.apply(Batch::new(Actor::Heuristic, scene.clock.tick()).with(change)).await.expect("counted");
    };
    for _ in 1..recollect::limits::DISTIL_FAILURES {
        fail().await;
    }
    assert_eq!(scene.ask(PendingList { dead: true }).await.expect("listed").pending, []);
    fail().await;
    let dead = scene.ask(PendingList { dead: true }).await.expect("listed").pending;
    assert_eq!((dead.len(), dead[0].last_error.as_deref()), (1, Some("it failed")));
    assert_eq!(scene.episodes().await, [], "nothing was distilled");
    let retried = scene.ask(PendingRetry {}).await.expect("tried again");
    assert_eq!(retried.sessions[0].distillation, "distilled");
    assert_eq!(scene.ask(PendingList::default()).await.expect("listed").pending, []);
}

#[tokio::test]
async fn switched_off_nothing_is_captured() {
    let scene = Scene::new();
    scene.says("before", "I prefer TypeScript.").await;
    scene.set("enabled", json!(false)).await;
    let ingested = scene.says("after", LONG).await;
    assert_eq!(
        (ingested.distillation.as_str(), ingested.turns_ingested),
        ("skipped:memory is switched off", 0)
    );
    let census = scene.tenant().await.census().await.expect("counted");
    assert_eq!((census.turns, census.pending), (1, 0));
}

#[tokio::test]
async fn values_are_replaced_and_other_kinds_stay() {
    let scene = Scene::new();
    scene.says("one", "I live in Los Angeles.").await;
    scene.clock.advance_seconds(86_400);
    scene.says("two", "I live in Irvine. I love Los Angeles.").await;
    scene.clock.advance_seconds(86_400);
    scene.says("three", "I live in Irvine.").await;
    let known = scene.known().await;
    assert_eq!(known.iter().filter(|content| content.contains("lives in")).count(), 1, "{known:?}");
    assert!(known.contains(&"User lives in Irvine".to_owned()), "{known:?}");
    assert!(
        known.iter().any(|content| content.contains("love") && content.contains("Los Angeles")),
        "{known:?}"
    );
    assert_eq!(scene.with_status(Status::Superseded).await.len(), 1);
}

#[tokio::test]
async fn without_a_model_it_is_learned_now_and_kept_for_one() {
    let scene = Scene::new();
    assert_eq!(scene.says("one", LONG).await.distillation, "distilled");
    let redo = scene.tenant().await.redo(10).await.expect("listed");
    assert_eq!(redo.len(), 1);
    assert_eq!(redo[0].session, key("one"));
    assert_eq!(scene.episodes().await[0].origin, memory::types::Origin::Heuristic);
}

#[tokio::test]
async fn a_short_session_has_no_digest() {
    let scene = Scene::new();
    let ingested = scene.talk("one", &[(Role::User, "hello there"), (Role::Assistant, LONG)]).await;
    assert_eq!(ingested.distillation, "skipped:too short");
    assert_eq!(scene.episodes().await, []);
    assert_eq!(
        scene.ask(PendingList::default()).await.expect("listed").pending,
        [],
        "and is not tried again"
    );
}

#[tokio::test]
async fn a_conversation_taken_in_twice_has_one_episode() {
    let scene = Scene::new();
    let first = scene.says("one", LONG).await;
    let sources = scene.sources().await;
    let again = scene.says("one", LONG).await;
    assert_eq!((again.turns_ingested, again.turns_known, again.memories), (0, 1, 0));
    assert_eq!(scene.sources().await, sources, "saying it twice to us is not saying it twice");
    let more = "And another thing about the garden: I want to build a greenhouse before the winter begins.";
    let longer = scene.talk("one", &[(Role::User, LONG), (Role::User, more)]).await;
    assert_eq!((longer.turns_ingested, &longer.episode_id), (1, &first.episode_id), "renewed in place");
    assert_eq!(scene.episodes().await.len(), 1);
}
