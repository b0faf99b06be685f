//! A pass with a model: one call, what it is told, what becomes of the answer, and what others do meanwhile.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use memory::error::ModelError;
use memory::ports::{Embedder, ReadStore, WriteStore};
use memory::types::{Actor, Batch, Change, Origin, Role, Status};
use recollect::learning;
use recollect::ops::graph::GraphShow;
use serde_json::json;
use store::Tenant;
use testkit::llm::ScriptedReply;

use super::{ModelScene, SAID, answer, good};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_pass_with_a_model_learns_what_it_says() {
    let scene = ModelScene::new().await;
    let mut said = good();
    said["entities"] = json!([{"name": "Lyon", "type": "place"}]);
    said["relations"] = json!([{"subject": "User", "predicate": "lives in", "object": "Lyon", "confidence": 0.9,
        "quote": "I live in Lyon", "turn": "t1"}]);
    said["decisions"] = json!(["roses"]);
    scene.distils(ScriptedReply::distilled(said));
    let ingested = scene.says("one", SAID).await;
    assert_eq!((ingested.distillation.as_str(), ingested.memories), ("distilled", 1));
    assert_eq!((ingested.model.as_deref(), ingested.unsupported), (Some("fake/small"), 0));
    let memory = scene.with_status(Status::Active).await.remove(0);
    assert_eq!(memory.content, "User prefers roses to tulips because they come back");
    assert_eq!(
        (memory.origin, memory.evidence.as_deref()),
        (Origin::Model, Some("I prefer roses to tulips"))
    );
    assert_eq!(memory.metadata["rule"], "fake/small");
    let episode = scene.episode("one").await.expect("a digest");
    assert_eq!((episode.origin, episode.decisions.as_slice()), (Origin::Model, &["roses".to_owned()][..]));
    let request: GraphShow = serde_json::from_value(json!({"name": "Lyon"})).expect("a request");
    let graph = serde_json::to_string(&scene.ask(request).await).expect("JSON");
    assert!(graph.contains("LIVES_IN"), "{graph}");
    assert_eq!(scene.redo().await, [], "a model has seen it");
    assert_eq!(scene.calls().len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn answers_are_read_tolerantly() {
    let scene = ModelScene::new().await;
    let text = r#"Of course! ```json
        {"episode": {"summary": "User moved.", "topics": "home", "salience": "0.8",},
         "memories": [{"content": "User lives in Lyon", "kind": "knowledge", "quote": "I live in Lyon",
                       "confidence": "0.9", "salience": "70%", "tags": "home",},],}
        ``` Anything else?"#;
    scene.distils(ScriptedReply::text(text));
    scene.says("one", SAID).await;
    let memory = scene.with_status(Status::Active).await.remove(0);
    assert_eq!((memory.content.as_str(), memory.salience), ("User lives in Lyon", 0.7));
    let episode = scene.episode("one").await.expect("a digest");
    assert_eq!((episode.topics.as_slice(), episode.salience), (&["home".to_owned()][..], 0.8));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_long_session_makes_one_call_a_pass() {
    let scene = ModelScene::new().await;
    scene.distils(ScriptedReply::distilled(good()));
    let mut said = vec![(Role::User, SAID), (Role::Assistant, "How nice.")];
    for _ in 1..100 {
        said.extend([(Role::User, "And what about the hedge?"), (Role::Assistant, "Cut it in June.")]);
    }
    let key = scene.append("one", &said).await;
    scene.sync().await;
    assert_eq!(scene.calls().len(), 1);
    assert!(scene.calls()[0].last_user_text().contains("[t200] assistant, new"));
    scene
        .append(
            "one",
            &[
                (Role::User, "One more thing about the roses: I will plant an oak beside them."),
                (Role::User, "Soon."),
            ],
        )
        .await;
    scene.sync().await;
    let calls = scene.calls();
    assert_eq!(calls.len(), 2);
    let asked = calls[1].last_user_text();
    assert!(asked.contains("[t201] user, new") && asked.contains("[t1] user, earlier"), "{asked}");
    assert!(asked.contains("] User prefers roses to tulips"), "it is told what is known: {asked}");
    assert_eq!(scene.tenant().await.pending_of(&key).await.expect("listed"), []);
    assert_eq!(scene.known().await.len(), 1, "what it says again of earlier turns is nothing new");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_an_endless_session_nothing_waits_for_ever() {
    let scene = ModelScene::new().await;
    scene.distils(ScriptedReply::distilled(good()));
    let said = vec![(Role::User, SAID); memory::limits::PASS_TURNS + 200];
    let key = scene.append("one", &said).await;
    let (tenant, end) = (scene.tenant().await, memory::learn::session_pass::PassTrigger::End);
    learning::distil(&scene.house, &tenant, &key, end).await.expect("distilled");
    assert_eq!(
        scene.calls().len(),
        memory::limits::DISTIL_PARTS,
        "what one prompt has no room for the next has"
    );
    assert_eq!(tenant.pending_of(&key).await.expect("listed"), []);
    let session = tenant.session(&key).await.expect("read").expect("there is one");
    assert!(session.ended_at.is_some());
    let known = scene.known().await;
    assert!(
        known.contains(&"User lives in Lyon".to_owned()),
        "patterns read what the prompt had no room for: {known:?}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_asks_not_to_be_kept_is_not_even_sent() {
    let scene = ModelScene::new().await;
    scene.distils(ScriptedReply::distilled(good()));
    scene.says("one", &format!("{SAID} Do not save any of that.")).await;
    assert_eq!(scene.llm.requests().len(), 0);
    assert_eq!(scene.known().await, [] as [String; 0]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_comes_while_the_model_thinks_stays_pending() {
    let scene = ModelScene::new().await;
    scene.distils(ScriptedReply::distilled(good()).with_delay(Duration::from_millis(200)));
    let key = scene.append("one", &[(Role::User, SAID)]).await;
    let more = async {
        scene.llm.wait_for(1).await;
        scene.append("one", &[(Role::User, "I also love my dog Rex.")]).await;
    };
    let tenant = scene.tenant().await;
    let occasion = memory::learn::session_pass::PassTrigger::End;
    let (outcome, ()) = tokio::join!(learning::distil(&scene.house, &tenant, &key, occasion), more);
    assert_eq!(outcome.expect("distilled").distillation, "distilled");
    let pending = tenant.pending_of(&key).await.expect("listed");
    assert_eq!(pending.len(), 1, "the new turn waits");
    let session = tenant.session(&key).await.expect("read").expect("there is one");
    assert_eq!(session.ended_at, None, "and keeps the session open");
    scene.sync().await;
    assert_eq!(scene.calls().len(), 2);
    assert_eq!(tenant.pending_of(&key).await.expect("listed"), []);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_forgotten_while_the_model_thinks_is_not_learned() {
    let scene = ModelScene::new().await;
    scene.distils(ScriptedReply::distilled(good()).with_delay(Duration::from_millis(200)));
    let key = scene.append("one", &[(Role::User, SAID), (Role::User, "I have a dog. It barks at every car that passes by, and I walk it twice a day in the park.")]).await;
    let tenant = scene.tenant().await;
    let forget = async {
        scene.llm.wait_for(1).await;
        let first = tenant.session_turns(&key, 0, 1).await.expect("read").remove(0).id;
        let purge = Change::PurgeTurns { turns: vec![first] };
        tenant.apply(Batch::new(Actor::Person, scene.clock.tick()).with(purge)).await.expect("gone");
    };
    let occasion = memory::learn::session_pass::PassTrigger::End;
    let (outcome, ()) = tokio::join!(learning::distil(&scene.house, &tenant, &key, occasion), forget);
    outcome.expect("distilled");
    assert_eq!(scene.calls().len(), 1, "it is not asked twice");
    let known = format!("{:?} {:?}", scene.known().await, scene.episode("one").await);
    assert!(!known.contains("roses") && !known.contains("garden"), "{known}");
    assert_eq!(scene.redo().await.len(), 1, "the rest is for the model to do again");
    assert_eq!(scene.pending().await.pending, []);
}

/// Stands where candidates are embedded, and once the model has answered edits what it wants to replace.
struct Meddler {
    tenant: Tenant,
    clock: Arc<testkit::ManualClock>,
    armed: Arc<AtomicBool>,
}

#[async_trait]
impl Embedder for Meddler {
    fn signature(&self) -> &str {
        "test:meddler:1"
    }

    fn dimensions(&self) -> usize {
        1
    }

    async fn embed(&self, _texts: &[String]) -> Result<Vec<Vec<f32>>, ModelError> {
        if self.armed.swap(false, Ordering::SeqCst) {
            let filter = memory::types::Filter::ever();
            let page = memory::types::PageRequest::first(1);
            let mut memory = self.tenant.list_memories(&filter, page).await.expect("listed").items.remove(0);
            memory.tags.push("edited".into());
            let batch = Batch::new(Actor::Person, self.clock.tick()).replace(memory);
            self.tenant.apply(batch).await.expect("edited");
        }
        Err(ModelError::Unavailable("it only meddles".into()))
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lost_race_does_not_ask_the_model_again() {
    let scene = ModelScene::new().await;
    scene.says("before", "I live in Paris.").await;
    let asked = scene.calls().len();
    let armed = Arc::new(AtomicBool::new(false));
    let (tenant, clock) = (scene.tenant().await, scene.clock.clone());
    let scene = scene.with_embedder(Arc::new(Meddler { tenant, clock, armed: armed.clone() }));
    scene.distils(ScriptedReply::distilled(answer(json!([
        {"content": "User lives in Lyon", "subject": "User", "predicate": "LIVES_IN", "object": "Lyon",
         "quote": "I live in Lyon", "confidence": 0.9},
    ]))));
    // Armed when the question has arrived: what is embedded after that are the answer's candidates.
    let arm = armed.clone();
    scene.llm.observe(move |_| arm.store(true, Ordering::SeqCst));
    scene.says("one", SAID).await;
    assert!(!armed.load(Ordering::SeqCst), "somebody wrote in between");
    assert_eq!(scene.calls().len(), asked + 1);
    assert_eq!(scene.known().await, ["User lives in Lyon"]);
    let past = scene.with_status(Status::Superseded).await.remove(0);
    assert_eq!(past.tags, ["edited"], "and what they wrote was seen");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_gives_up_waiting_leaves_no_lease_behind() {
    let scene = ModelScene::new().await;
    scene.distils(ScriptedReply::hang());
    let key = scene.append("one", &[(Role::User, SAID)]).await;
    let tenant = scene.tenant().await;
    let occasion = memory::learn::session_pass::PassTrigger::Debounce;
    let impatient = tokio::time::timeout(
        Duration::from_millis(100),
        learning::distil(&scene.house, &tenant, &key, occasion),
    );
    assert!(impatient.await.is_err());
    scene.distils(ScriptedReply::distilled(good()));
    let started = tokio::time::Instant::now();
    let outcome = learning::distil(&scene.house, &tenant, &key, occasion).await.expect("distilled");
    assert_eq!(outcome.distillation, "distilled");
    assert!(started.elapsed() < Duration::from_secs(3), "nobody waits for a lease of the gone");
}
