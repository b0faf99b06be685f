//! What is learned in the background: after a pause, after a silence, at the end, and after a crash.

use memory::ports::{Clock, ReadStore};
use memory::types::Role;
use recollect::learning::worker::Worker;
use serde_json::json;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use super::{Scene, key, until};

const SAID: &str = "I have been thinking about the garden for weeks, and I prefer roses to tulips because they \
    come back every year without any work.";

/// A scene with a worker at work.
struct WorkingScene {
    scene: Scene,
    worker: Worker,
    stop: watch::Sender<bool>,
    task: JoinHandle<()>,
}

impl WorkingScene {
    fn begin(mut scene: Scene) -> Self {
        let worker = Worker::default();
        scene.house.worker = Some(worker.clone());
        let (stop, stopped) = watch::channel(false);
        let task = tokio::spawn(worker.clone().run(scene.house.clone(), stopped));
        Self { scene, worker, stop, task }
    }

    async fn finish(self) -> Scene {
        self.stop.send_replace(true);
        self.task.await.expect("the worker ends");
        self.worker.drain(&self.scene.house, 5).await;
        self.scene
    }
}

async fn digested(scene: &Scene, session: &str) -> bool {
    scene.tenant().await.episode_of(&key(session)).await.expect("read").is_some()
}

async fn ended(scene: &Scene, session: &str) -> bool {
    let found = scene.tenant().await.session(&key(session)).await.expect("read");
    found.expect("there is one").ended_at.is_some()
}

/// Long enough for the worker to have looked at least twice.
async fn a_while() {
    tokio::time::sleep(std::time::Duration::from_millis(3 * recollect::limits::WORKER_TICK_MS)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_pause_distils_and_a_silence_ends() {
    let working = WorkingScene::begin(Scene::new());
    let scene = &working.scene;
    scene.append("garden", &[(Role::User, SAID)]).await;
    scene.clock.advance_seconds(30);
    a_while().await;
    assert!(!digested(scene, "garden").await, "half a minute is no pause");
    scene.append("garden", &[(Role::User, "I will also plant an apple tree.")]).await;
    scene.clock.advance_seconds(40);
    a_while().await;
    assert!(!digested(scene, "garden").await, "the pause begins anew with every turn");
    scene.clock.advance_seconds(30);
    until("the pause distils", || digested(scene, "garden")).await;
    assert!(!ended(scene, "garden").await, "a pause is not the end");
    assert_eq!(scene.tenant().await.pending_of(&key("garden")).await.expect("listed"), []);
    scene.clock.advance_seconds(20 * 60);
    until("the silence ends it", || ended(scene, "garden")).await;
    assert_eq!(scene.episodes().await.len(), 1);
    scene.append("garden", &[(Role::User, "One more thing about the garden.")]).await;
    assert!(!ended(scene, "garden").await, "a new turn reopens it");
    working.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn by_turn_nothing_waits() {
    let scene = Scene::new();
    scene.set("extractionMode", json!("turn")).await;
    let working = WorkingScene::begin(scene);
    working.scene.append("garden", &[(Role::User, SAID)]).await;
    until("it is distilled at once", || digested(&working.scene, "garden")).await;
    working.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn by_hand_nothing_happens_by_itself() {
    let scene = Scene::new();
    scene.set("extractionMode", json!("manual")).await;
    let working = WorkingScene::begin(scene);
    let ingested = working.scene.says("garden", SAID).await;
    assert!(ingested.distillation.starts_with("skipped:"), "{ingested:?}");
    working.scene.clock.advance_seconds(3_600);
    a_while().await;
    let scene = working.finish().await;
    assert!(!digested(&scene, "garden").await);
    let synced = scene.ask(recollect::ops::pending::Sync::default()).await.expect("synced");
    assert_eq!(synced.sessions[0].distillation, "distilled");
    assert!(digested(&scene, "garden").await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn at_the_end_everything_that_waits_is_distilled() {
    let working = WorkingScene::begin(Scene::new());
    for session in ["one", "two", "three"] {
        working.scene.append(session, &[(Role::User, SAID)]).await;
    }
    let scene = working.finish().await;
    for session in ["one", "two", "three"] {
        assert!(digested(&scene, session).await && ended(&scene, session).await, "{session}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_an_earlier_process_left_is_taken_up() {
    let scene = Scene::new();
    scene.append("left", &[(Role::User, SAID)]).await;
    let scene = scene.restarted().await;
    scene.clock.advance_seconds(3_600);
    let working = WorkingScene::begin(scene);
    until("it is taken up", || digested(&working.scene, "left")).await;
    until("and ended", || ended(&working.scene, "left")).await;
    working.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backlog_is_worked_off_oldest_first() {
    let scene = Scene::new();
    // Names that sort the other way round than they were said.
    let names: Vec<String> = (0..30).map(|number| format!("s{:02}", 99 - number)).collect();
    for name in &names {
        scene.clock.advance_seconds(60);
        scene.append(name, &[(Role::User, SAID)]).await;
    }
    scene.clock.advance_seconds(86_400);
    let working = WorkingScene::begin(scene.restarted().await);
    let scene = &working.scene;
    until("all are done", || async { scene.episodes().await.len() == names.len() }).await;
    let mut episodes = scene.episodes().await;
    episodes.sort_by(|left, right| left.id.cmp(&right.id));
    let order: Vec<&str> = episodes.iter().map(|episode| episode.session.session.as_str()).collect();
    assert_eq!(order, names, "one after the other");
    assert!(scene.clock.now() > episodes[0].ended_at);
    working.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn b10_whoever_opens_another_conversation_is_done_with_the_one_before() {
    let working = WorkingScene::begin(Scene::new());
    let scene = &working.scene;
    scene.append("garden", &[(Role::User, SAID)]).await;
    a_while().await;
    assert!(!digested(scene, "garden").await, "no pause yet");
    scene.append("kitchen", &[(Role::User, SAID)]).await;
    until("the one before is distilled without a pause", || digested(scene, "garden")).await;
    assert!(!digested(scene, "kitchen").await && !ended(scene, "garden").await);
    scene.append("garden", &[(Role::User, "One more thing about the garden.")]).await;
    a_while().await;
    assert!(!digested(scene, "kitchen").await, "to go back and forth is not to open one");
    working.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn b10_switching_within_the_pause_loses_nothing() {
    for (name, off, on) in [
        ("enabled", json!(false), json!(true)),
        ("extractionMode", json!("manual"), json!("sessionEnd")),
        ("extractionMode", json!("manual"), json!("turn")),
    ] {
        let working = WorkingScene::begin(Scene::new());
        let scene = &working.scene;
        scene.append("garden", &[(Role::User, SAID)]).await;
        scene.set(name, off).await;
        scene.clock.advance_seconds(90);
        a_while().await;
        assert!(!digested(scene, "garden").await, "{name} is off");
        scene.set(name, on).await;
        until("what waited is taken up", || digested(scene, "garden")).await;
        working.finish().await;
    }
}
