//! What was distilled without a model is done again with one, and nothing that was settled since is undone.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use memory::types::{Origin, Role, Status};
use recollect::learning::worker::Worker;
use recollect::ops::crisis::{CrisisList, CrisisRemove};
use recollect::ops::forget::Forget;
use recollect::ops::update::Update;
use serde_json::json;
use testkit::llm::{RequestMatcher, ScriptedReply};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use super::{DISTILS, ModelScene, SAID, answer, good, until};

fn work(scene: &mut ModelScene) -> (watch::Sender<bool>, JoinHandle<()>, Worker) {
    let worker = Worker::default();
    scene.house.worker = Some(worker.clone());
    let (stop, stopped) = watch::channel(false);
    let task = tokio::spawn(worker.clone().run(scene.house.clone(), stopped));
    (stop, task, worker)
}

fn lives_in(city: &str) -> serde_json::Value {
    answer(json!([{"content": format!("User lives in {city}"), "kind": "fact", "subject": "User",
        "predicate": "LIVES_IN", "object": city, "quote": format!("I live in {city}"), "confidence": 0.9,
        "policy": "commit_now", "policy_confidence": 0.9}]))
}

/// The model reads every turn of them once more.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_crisis_is_recorded_once_and_one_that_was_removed_stays_away() {
    let scene = ModelScene::without_model().await;
    scene.set("crisisLog", json!(true)).await;
    let talk = [(Role::User, SAID), (Role::User, "I want to end my life."), (Role::Assistant, "I am here.")];
    scene.talk("one", &talk).await;
    scene.talk("two", &talk).await;
    let recorded = async |session: &str| {
        let list = CrisisList { session: session.parse().ok(), ..CrisisList::default() };
        scene.ask(list).await.records
    };
    let (one, two) = (recorded("one").await, recorded("two").await);
    assert_eq!((one.len(), two.len()), (1, 1));
    assert!(scene.ask(CrisisRemove { id: two[0].id.clone() }).await.deleted);
    scene.distils(ScriptedReply::distilled(lives_in("Lyon")));
    scene.choose_model().await;
    assert_eq!(scene.reread(10).await.sessions.len(), 2);
    assert_eq!((scene.calls().len(), scene.redo().await.len()), (2, 0));
    assert_eq!((recorded("one").await, recorded("two").await), (one, Vec::new()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_model_that_comes_later_does_it_again() {
    let scene = ModelScene::without_model().await;
    scene.says("one", SAID).await;
    scene.says("short", "I prefer tea.").await;
    assert_eq!((scene.redo().await.len(), scene.llm.requests().len()), (2, 0));
    let before = scene.with_status(Status::Active).await;
    let sources: u64 = scene.sources_of(&before[0]).await;
    scene.distils(ScriptedReply::distilled(lives_in("Lyon")));
    scene.choose_model().await;
    assert_eq!((scene.sync().await.sessions.len(), scene.calls().len()), (0, 0), "nobody asked for it");
    let synced = scene.reread(10).await;
    assert_eq!(synced.sessions.len(), 2);
    assert_eq!(scene.calls().len(), 2, "the short one too");
    assert_eq!(scene.redo().await, []);
    let episode = scene.episode("one").await.expect("a digest");
    assert_eq!(
        (episode.origin, episode.summary.as_str()),
        (Origin::Model, "User spoke of the garden in Lyon.")
    );
    let after = scene.with_status(Status::Active).await;
    assert_eq!(
        after.len(),
        before.len(),
        "what the patterns found stays, and is found to be known: {after:?}"
    );
    assert_eq!(scene.sources_of(&after[0]).await, sources, "the same words are not counted twice");
    assert_eq!(scene.reread(10).await.sessions, [], "and that is that");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn old_words_do_not_undo_newer_ones() {
    let scene = ModelScene::without_model().await;
    scene.says("old", SAID).await;
    scene.clock.advance_seconds(86_400);
    scene.says("new", &SAID.replace("Lyon", "Nice")).await;
    assert!(scene.known().await.contains(&"User lives in Nice".to_owned()));
    scene
        .llm
        .when(RequestMatcher::user_contains("I live in Lyon"), ScriptedReply::distilled(lives_in("Lyon")));
    scene
        .llm
        .when(RequestMatcher::user_contains("I live in Nice"), ScriptedReply::distilled(lives_in("Nice")));
    scene.choose_model().await;
    assert_eq!(scene.reread(10).await.sessions.len(), 2);
    let known = scene.known().await;
    let homes: Vec<&String> = known.iter().filter(|content| content.contains("lives in")).collect();
    assert_eq!(homes, ["User lives in Nice"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_person_did_since_stays_done() {
    let scene = ModelScene::without_model().await;
    scene.says("one", SAID).await;
    let memories = scene.with_status(Status::Active).await;
    let find =
        |word: &str| memories.iter().find(|memory| memory.content.contains(word)).expect(word).id.clone();
    scene.ask(Forget { ids: vec![find("roses")], confirmed: true, ..Forget::default() }).await;
    let edit = Update { content: Some("User lives near Lyon".into()), ..Update::of(find("Lyon")) };
    scene.ask(Box::new(edit)).await;
    let mut both = good();
    both["memories"]
        .as_array_mut()
        .expect("a list")
        .extend(lives_in("Lyon")["memories"].as_array().expect("a list").clone());
    scene.distils(ScriptedReply::distilled(both));
    scene.choose_model().await;
    scene.reread(10).await;
    assert_eq!(scene.known().await, ["User lives near Lyon"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_purged_is_not_read_again() {
    let scene = ModelScene::without_model().await;
    scene.says("one", SAID).await;
    let ids = scene.with_status(Status::Active).await.into_iter().map(|memory| memory.id).collect();
    scene.ask(Forget { ids, confirmed: true, purge: true, ..Forget::default() }).await;
    scene.distils(ScriptedReply::distilled(good()));
    scene.choose_model().await;
    scene.reread(10).await;
    assert_eq!((scene.known().await, scene.calls().len()), (Vec::new(), 0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_backlog_for_a_model_is_done_one_at_a_time_oldest_first() {
    let mut scene = ModelScene::new().await;
    scene.distils(ScriptedReply::prose());
    for number in 0..6 {
        scene.clock.advance_seconds(60);
        // Names that sort the other way round than they were said.
        scene.says(&format!("s{}", 9 - number), &format!("{SAID} This is number {number}.")).await;
    }
    let (now, most, order) =
        (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)), Arc::new(Mutex::new(Vec::new())));
    let (counted, highest, seen_order) = (now.clone(), most.clone(), order.clone());
    scene.distils(ScriptedReply::distilled(good()).with_delay(Duration::from_millis(30)));
    scene.llm.observe(move |seen| {
        if seen.system_text().contains(DISTILS) {
            highest.fetch_max(counted.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            let text = seen.last_user_text();
            let number = text.rsplit("number ").next().and_then(|rest| rest.chars().next());
            seen_order.lock().expect("not poisoned").push(number.expect("a number"));
            let counted = counted.clone();
            std::thread::spawn(move || {
                std::thread::sleep(Duration::from_millis(25));
                counted.fetch_sub(1, Ordering::SeqCst);
            });
        }
    });
    let (stop, task, _) = work(&mut scene);
    until("all are done again", || async { scene.redo().await.is_empty() }).await;
    assert_eq!(*order.lock().expect("not poisoned"), ['0', '1', '2', '3', '4', '5']);
    assert_eq!(most.load(Ordering::SeqCst), 1);
    stop.send_replace(true);
    task.await.expect("the worker ends");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_model_that_is_well_again_is_noticed_and_history_is_left_alone() {
    let mut scene = ModelScene::without_model().await;
    scene.says("before", &format!("{SAID} That was before.")).await;
    scene.choose_model().await;
    scene.distils(ScriptedReply::prose());
    scene.says("failed", SAID).await;
    let (stop, task, _) = work(&mut scene);
    scene.distils(ScriptedReply::distilled(good()));
    scene.clock.advance_seconds(recollect::limits::REDO_LOOK_SECONDS + 1);
    until("it is done again", || async { scene.redo().await.len() == 1 }).await;
    stop.send_replace(true);
    task.await.expect("the worker ends");
    let sent = scene.calls().iter().filter(|seen| seen.last_user_text().contains("That was before")).count();
    assert_eq!(sent, 0, "what was said before a model was chosen is not sent by itself");
    assert_eq!(scene.redo().await[0].session.session.as_str(), "before");
    // Asked for, and no more of it than that.
    scene.says("later", &format!("{SAID} That was later.")).await;
    assert_eq!(scene.reread(1).await.sessions.len(), 1);
    assert_eq!(scene.redo().await, []);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_slow_model_holds_up_nobody_else() {
    let mut scene = ModelScene::new().await;
    scene.set("extractionMode", json!("turn")).await;
    scene.llm.when(RequestMatcher::user_contains("slowly"), ScriptedReply::hang());
    scene.llm.when(RequestMatcher::system_contains(DISTILS), ScriptedReply::distilled(good()));
    let (stop, task, worker) = work(&mut scene);
    scene.append("slow", &[(Role::User, &format!("{SAID} Speaking slowly."))]).await;
    scene.llm.wait_for(1).await;
    let started = tokio::time::Instant::now();
    for session in ["one", "two", "three"] {
        scene.append(session, &[(Role::User, SAID)]).await;
    }
    until("the others are distilled", || async {
        let mut done = true;
        for session in ["one", "two", "three"] {
            done &= scene.episode(session).await.is_some();
        }
        done
    })
    .await;
    println!("the others took {:?}", started.elapsed());
    until("the slow one is distilled without the model", || async { scene.episode("slow").await.is_some() })
        .await;
    assert_eq!(scene.episode("slow").await.expect("a digest").origin, Origin::Heuristic);
    stop.send_replace(true);
    task.await.expect("the worker ends");
    worker.drain(&scene.house, 5).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_shutdown_does_not_wait_for_the_model() {
    let mut scene = ModelScene::new().await;
    scene.set("extractionMode", json!("turn")).await;
    scene.distils(ScriptedReply::hang());
    let (stop, task, worker) = work(&mut scene);
    scene.append("one", &[(Role::User, SAID)]).await;
    scene.llm.wait_for(1).await;
    stop.send_replace(true);
    task.await.expect("the worker ends");
    worker.drain(&scene.house, 5).await;
    let episode = scene.episode("one").await.expect("a digest");
    assert_eq!(episode.origin, Origin::Heuristic);
    assert_eq!(
        (scene.redo().await.len(), scene.pending().await.pending.len()),
        (1, 0),
        "the model's turn comes later"
    );
}
