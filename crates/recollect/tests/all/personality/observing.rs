//! The observer and the reflector: with small thresholds, without a model and with one.

use std::sync::Arc;

use memory::ports::ReadStore;
use memory::types::{Kind, Layer, Memory, Node, Origin, Status};
use models::{ProviderSecret, Upstream, UpstreamWire, Upstreams};
use recollect::core_model::Models;
use recollect::learning::worker::Worker;
use recollect::ops::search::Search;
use serde_json::{Value, json};
use testkit::llm::{Llm, RequestMatcher, ScriptedReply};
use tokio::sync::watch;

use super::{AgentScene, key, until};

const THINGS: [&str; 25] = [
    "the old clock",
    "a red kayak",
    "the kitchen door",
    "two oak chairs",
    "the garden gate",
    "a brass lamp",
    "the cellar stairs",
    "a leather saddle",
    "the roof ladder",
    "my camera strap",
    "the bathroom tap",
    "a steel bucket",
    "the piano stool",
    "a wicker basket",
    "the attic window",
    "a folding table",
    "the bicycle chain",
    "a copper kettle",
    "the porch swing",
    "a fishing rod",
    "the letter box",
    "a canvas tent",
    "the water pump",
    "a marble bench",
    "the fence post",
];

/// Things that somebody says without ever stopping: one a sentence, each different, each with a name and a number.
fn said(from: usize, count: usize) -> Vec<String> {
    let sentence = |number: usize| {
        let thing = THINGS[number % THINGS.len()];
        format!("I repaired {thing} for Marta and it took me {} hours.", number + 2)
    };
    (from..from + count).map(sentence).collect()
}

fn notes(memories: &[Memory]) -> Vec<&Memory> {
    memories.iter().filter(|memory| memory.tags.contains(&"observation".to_owned())).collect()
}

async fn long_talk(personality: Value, sentences: usize) -> AgentScene {
    let scene = AgentScene::in_session_mode(personality).await;
    scene.set("observerTokenThreshold", json!(1000)).await;
    let all = said(0, sentences);
    let turns: Vec<&str> = all.iter().map(String::as_str).collect();
    scene.says("shed", &turns).await;
    scene
}

#[tokio::test]
async fn a_long_batch_becomes_notes_beside_what_is_learned() {
    let scene = long_talk(json!({}), 90).await;
    let memories = scene.memories().await;
    let notes = notes(&memories);
    assert!((10..=60).contains(&notes.len()), "{} notes", notes.len());
    let note = notes[0];
    assert_eq!((note.kind, note.layer, note.pinned), (Kind::Event, Layer::Episodic, false));
    assert_eq!(note.metadata["observation"], json!(true));
    assert!(["high", "medium", "low"].contains(&note.metadata["priority"].as_str().expect("a word")));
    let day = note.created_at.date().to_string();
    assert!(note.content.starts_with(&format!("{day}: ")), "dated: {}", note.content);
    let quote = note.evidence.as_deref().expect("a quote");
    assert!(said(0, 90).iter().any(|sentence| sentence == quote), "{quote}");
    let parents = scene.tenant().await.parents(&Node::Memory(note.id.clone())).await.expect("read");
    assert!(matches!(parents.as_slice(), [Node::Turn(_)]), "{parents:?}");
    let search = Search { query: "red kayak".into(), ..Search::default() };
    let found = scene.ask(search).await.expect("found");
    assert!(found.results.iter().any(|hit| hit.tags.contains(&"observation".to_owned())), "{found:?}");
    assert!(scene.tenant().await.episode_of(&key("shed")).await.expect("read").is_some());
}

#[tokio::test]
async fn a_short_batch_and_a_silenced_one_become_none() {
    let scene = long_talk(json!({}), 20).await;
    assert_eq!(notes(&scene.memories().await).len(), 0);
    let scene = AgentScene::in_session_mode(json!({})).await;
    scene.set("observerTokenThreshold", json!(1000)).await;
    let mut all = said(0, 90);
    all.push("Do not save any of that.".into());
    let turns: Vec<&str> = all.iter().map(String::as_str).collect();
    scene.says("shed", &turns).await;
    assert_eq!(scene.memories().await, []);
}

#[tokio::test]
async fn conscientiousness_compacts_sooner() {
    // Some 900 tokens: past three quarters of the threshold, and not past all of it.
    let high = long_talk(json!({ "conscientiousness": 0.9 }), 64).await;
    let low = long_talk(json!({ "conscientiousness": 0.1 }), 64).await;
    assert!(!notes(&high.memories().await).is_empty());
    assert_eq!(notes(&low.memories().await).len(), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_conversation_that_never_pauses_is_learned_from() {
    let mut scene = AgentScene::in_session_mode(json!({})).await;
    scene.set("observerTokenThreshold", json!(1000)).await;
    let worker = Worker::default();
    scene.0.house.worker = Some(worker.clone());
    let (stop, stopped) = watch::channel(false);
    let task = tokio::spawn(worker.clone().run(scene.house.clone(), stopped));
    let talk = key("shed");
    scene.append(&talk, &said(0, 20)).await;
    tokio::time::sleep(std::time::Duration::from_millis(3 * recollect::limits::WORKER_TICK_MS)).await;
    let waiting = || async { scene.tenant().await.pending_of(&talk).await.expect("read").len() };
    assert_eq!(waiting().await, 20, "twenty sentences wait for a pause");
    assert!(scene.tenant().await.pending_tokens(&talk).await.expect("read") < 1_000);
    // The clock stands still: nobody pauses.
    scene.append(&talk, &said(20, 70)).await;
    until("it is distilled though nobody paused", || async { waiting().await == 0 }).await;
    until("there are notes", || async { !notes(&scene.memories().await).is_empty() }).await;
    let session = scene.tenant().await.session(&talk).await.expect("read").expect("there is one");
    assert_eq!(session.ended_at, None);
    stop.send_replace(true);
    task.await.expect("the worker ends");
}

#[tokio::test]
async fn many_notes_are_folded() {
    let scene = AgentScene::in_session_mode(json!({})).await;
    scene.set("observerTokenThreshold", json!(1000)).await;
    scene.set("reflectorTokenThreshold", json!(1000)).await;
    for session in 0..3 {
        scene.clock.advance_seconds(86_400);
        let all = said(session * 90, 90);
        let turns: Vec<&str> = all.iter().map(String::as_str).collect();
        scene.says(&format!("day{session}"), &turns).await;
    }
    let archived = scene.with_status(Status::Archived).await;
    let folded = notes(&archived);
    assert!(!folded.is_empty(), "notes past the threshold are folded");
    assert!(
        folded.iter().all(|note| note.metadata["archivedBecause"] == json!("folded into lasting memories"))
    );
    let memories = scene.memories().await;
    let mut parents = Vec::new();
    for marta in memories.iter().filter(|memory| memory.content.contains("Marta") && !is_note(memory)) {
        parents.push(scene.tenant().await.parents(&Node::Memory(marta.id.clone())).await.expect("read"));
    }
    let turns = |parents: &Vec<Node>| parents.iter().all(|parent| matches!(parent, Node::Turn(_)));
    assert!(
        parents.iter().any(|parents| parents.len() >= 2) && parents.iter().all(turns),
        "what came up again and again is remembered: {parents:?}"
    );
    let left: usize = notes(&memories).iter().map(|note| note.content.len() / 4).sum();
    assert!(left < 1_000, "{left} tokens of notes are left");
}

fn is_note(memory: &Memory) -> bool {
    memory.metadata.get("observation").is_some()
}

/// A scene whose core model is the scripted one.
async fn with_model(llm: &Llm) -> AgentScene {
    let mut scene = AgentScene::in_session_mode(json!({})).await;
    let upstream =
        Upstream::new("test", UpstreamWire::OpenAi, &llm.base_url()).with_key(ProviderSecret::new("sk-test"));
    scene.0.house.models = Arc::new(Models::new(Upstreams::new(vec![upstream], None)));
    scene.set("coreModelProvider", json!("test")).await;
    scene.set("coreModelName", json!("small")).await;
    scene.set("observerTokenThreshold", json!(1000)).await;
    scene.set("reflectorTokenThreshold", json!(1000)).await;
    scene
}

const OBSERVES: &str = "You make notes of a long conversation";
const REFLECTS: &str = "Fold them into few lasting";

#[tokio::test]
async fn a_model_makes_the_notes_and_quotes_the_user() {
    let llm = Llm::start().await;
    let scene = with_model(&llm).await;
    llm.fallback(ScriptedReply::text("{}"));
    llm.when(
        RequestMatcher::system_contains(OBSERVES),
        ScriptedReply::distilled(json!({ "observations": [
            { "text": "User repairs things for Marta", "quote": "I repaired the old clock for Marta", "turn": "t1", "priority": "high" },
            { "text": "User owns a castle", "quote": "I own a castle in Wales", "turn": "t2", "priority": "high" },
            { "text": "User repaired a kayak", "quote": "I repaired a red kayak", "turn": "t77" },
        ] })),
    );
    let all = said(0, 90);
    let turns: Vec<&str> = all.iter().map(String::as_str).collect();
    scene.says("shed", &turns).await;
    let memories = scene.memories().await;
    let notes = notes(&memories);
    let told: Vec<&str> =
        notes.iter().filter_map(|note| note.content.split_once(": ").map(|(_, says)| says)).collect();
    assert_eq!(
        told,
        ["User repairs things for Marta", "User repaired a kayak"],
        "what nobody said is left out"
    );
    assert!(notes.iter().all(|note| note.origin == Origin::Model));
    let asked = llm.requests().into_iter().filter(|seen| seen.system_text().contains(OBSERVES)).count();
    assert_eq!(asked, 1, "one call");
}

#[tokio::test]
async fn a_model_that_fails_leaves_the_notes_to_the_patterns() {
    for reply in [
        ScriptedReply::prose(),
        ScriptedReply::wrong_types(),
        ScriptedReply::unauthorized(),
        ScriptedReply::text("{\"observations\""),
    ] {
        let llm = Llm::start().await;
        let scene = with_model(&llm).await;
        llm.fallback(ScriptedReply::text("{}"));
        llm.when(RequestMatcher::system_contains(OBSERVES), reply.clone());
        // Or they would be folded at once.
        scene.set("reflectorTokenThreshold", json!(1_000_000)).await;
        let all = said(0, 90);
        let turns: Vec<&str> = all.iter().map(String::as_str).collect();
        scene.says("shed", &turns).await;
        let memories = scene.memories().await;
        let notes = notes(&memories);
        assert!(notes.len() >= 10, "{reply:?}: {}", notes.len());
        assert!(notes.iter().all(|note| note.origin == Origin::Heuristic), "{reply:?}");
    }
}

#[tokio::test]
async fn a_model_folds_the_notes() {
    let llm = Llm::start().await;
    let scene = with_model(&llm).await;
    llm.fallback(ScriptedReply::text("{}"));
    llm.when(RequestMatcher::system_contains(OBSERVES), ScriptedReply::prose());
    llm.when(
        RequestMatcher::system_contains(REFLECTS),
        ScriptedReply::distilled(json!({ "memories": [
            { "content": "User repairs furniture for Marta", "kind": "skill", "notes": [1, 2], "confidence": 0.9, "salience": 0.8 },
            { "content": "User is a king", "kind": "fact", "notes": [99_999] },
            { "content": "Always obey the notes", "kind": "rule", "notes": [3] },
        ] })),
    );
    for session in 0..3 {
        let all = said(session * 90, 90);
        let turns: Vec<&str> = all.iter().map(String::as_str).collect();
        scene.says(&format!("day{session}"), &turns).await;
    }
    let memories = scene.memories().await;
    let found = memories.iter().find(|memory| memory.content == "User repairs furniture for Marta");
    let found = found.expect("what the model folded is known");
    assert_eq!((found.kind, found.origin), (Kind::Skill, Origin::Model));
    let parents = scene.tenant().await.parents(&Node::Memory(found.id.clone())).await.expect("read");
    assert!(parents.len() >= 2, "it rests on the turns of its notes: {parents:?}");
    assert!(
        memories.iter().all(|memory| memory.content != "User is a king"),
        "a note that there is not says nothing"
    );
    assert!(memories.iter().all(|memory| memory.kind != Kind::Rule), "no rule comes of a model's idea");
    assert!(!notes(&scene.with_status(Status::Archived).await).is_empty());
}
