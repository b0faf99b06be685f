//! Each documented effect of each trait: what is stored from the same conversation at .9 and at .1.

use memory::types::{Emotion, Memory};
use recollect::ops::search::Search;
use recollect::ops::select::Selection;
use serde_json::{Value, json};

use super::{AGENT, AgentScene};

/// The memories that a turn leaves with an agent of this personality.
async fn left(personality: Value, said: &[&str]) -> Vec<Memory> {
    let scene = AgentScene::new(personality).await;
    for (number, text) in said.iter().enumerate() {
        scene.says(&format!("s{number}"), &[text]).await;
    }
    scene.memories().await
}

async fn contents(personality: Value, said: &[&str]) -> Vec<String> {
    left(personality, said).await.into_iter().map(|memory| memory.content).collect()
}

/// The same turns, with the trait high and low, and a threshold of the agent's own.
async fn both(name: &str, threshold: f64, said: &[&str]) -> (Vec<String>, Vec<String>) {
    let with = |value: f64| json!({ name: value, "autoIngest": { "importanceThreshold": threshold } });
    (contents(with(0.9), said).await, contents(with(0.1), said).await)
}

const NOTHING: [&str; 0] = [];

#[tokio::test]
async fn openness_lowers_the_threshold() {
    let said = ["Went to the dentist in Bergen yesterday."];
    let (high, low) = both("openness", 0.4, &said).await;
    assert_eq!(high, ["User went to the dentist in Bergen on 2025-12-31"]);
    assert_eq!(low, NOTHING);
    // The low one is stricter than an agent without a character, too.
    let said = ["I know Rust."];
    let neutral = contents(json!({}), &said).await;
    let (high, low) = both("openness", 0.4, &said).await;
    assert_eq!((neutral.len(), high.len(), low.len()), (1, 1, 0), "{neutral:?}");
}

#[tokio::test]
async fn openness_keeps_more_facts_of_a_turn() {
    let said = [
        "My name is Ada. I live in Oslo. I work at Acme. I am allergic to peanuts. I prefer tea. I speak French.",
    ];
    let (high, low) = both("openness", 0.4, &said).await;
    let neutral = contents(json!({}), &said).await;
    assert_eq!((high.len(), neutral.len(), low.len()), (4, 3, 2), "{high:?} {neutral:?} {low:?}");
    assert!(low.contains(&"User's name is Ada".to_owned()), "the best come first: {low:?}");
}

#[tokio::test]
async fn openness_keeps_feelings() {
    let said = ["I feel lonely."];
    let (high, low) = both("openness", 0.4, &said).await;
    assert_eq!(high, ["I feel lonely."]);
    assert_eq!(low, NOTHING);
}

#[tokio::test]
async fn conscientiousness_wants_duties_and_goals() {
    let said = ["I need to water the plants."];
    let (high, low) = both("conscientiousness", 0.5, &said).await;
    assert_eq!(high, ["User needs to water the plants"]);
    assert_eq!(low, NOTHING);
    let said = ["I would love to sail around Iceland."];
    let (high, low) = both("conscientiousness", 0.5, &said).await;
    assert_eq!(high, ["User would love to sail around Iceland"]);
    assert_eq!(low, NOTHING);
}

/// Says nothing that the first does not say, and means nearly the same: between .85 and .92.
const NEARLY: [&str; 2] = ["I like strong black coffee.", "I like strong coffee."];

/// The same from further away: between .75 and .85.
const NEAR: [&str; 2] = ["I like strong black coffee in the early morning.", "I like strong coffee."];

#[tokio::test]
async fn conscientiousness_tightens_what_is_the_same() {
    let (high, low) = both("conscientiousness", 0.4, &NEARLY).await;
    assert_eq!(high, ["User likes strong black coffee", "User likes strong coffee"]);
    assert_eq!(low, ["User likes strong black coffee"]);
}

#[tokio::test]
async fn honesty_loosens_what_is_the_same() {
    let (high, low) = both("honesty", 0.4, &NEAR).await;
    assert_eq!((high.len(), low.len()), (1, 2), "{high:?} {low:?}");
}

#[tokio::test]
async fn honesty_wants_corrections() {
    let said = ["No, actually, it is blue, not green."];
    let (high, low) = both("honesty", 0.7, &said).await;
    assert_eq!(high, ["Correction: it is blue, not green"]);
    assert_eq!(low, NOTHING);
}

#[tokio::test]
async fn agreeableness_wants_preferences() {
    let said = ["I would prefer a window seat."];
    let (high, low) = both("agreeableness", 0.6, &said).await;
    assert_eq!(high, ["User would prefer a window seat"]);
    assert_eq!(low, NOTHING);
}

/// An agent with twenty memories about boats.
async fn with_boats(agreeableness: f64) -> AgentScene {
    let scene = AgentScene::new(json!({ "agreeableness": agreeableness })).await;
    for number in 0..20 {
        scene.says(&format!("s{number}"), &[&format!("I own a boat called Heron{number}.")]).await;
    }
    assert_eq!(scene.memories().await.len(), 20, "{:?}", scene.known().await);
    scene
}

#[tokio::test]
async fn agreeableness_finds_more() {
    let mut found = Vec::new();
    for value in [0.9, 0.1] {
        let scene = with_boats(value).await;
        let filter = Selection { agent: Some(AGENT.parse().expect("an id")), ..Selection::default() };
        let search = Search { query: "boat".into(), filter, ..Search::default() };
        found.push(scene.ask(search).await.expect("found").results.len());
    }
    assert_eq!(found, [12, 10]);
}

fn emotions(memories: &[Memory]) -> Vec<Option<Emotion>> {
    memories.iter().map(|memory| memory.emotion).collect()
}

#[tokio::test]
async fn emotionality_keeps_how_it_felt() {
    let said = ["I love hiking in the mountains."];
    let high = left(json!({ "emotionality": 0.9 }), &said).await;
    let low = left(json!({ "emotionality": 0.1 }), &said).await;
    assert!(emotions(&high)[0].expect("it felt like something").valence > 0.5);
    assert_eq!(emotions(&low), [None]);
    assert_eq!(high[0].content, low[0].content);
}

#[tokio::test]
async fn emotionality_wants_what_happened_and_what_was_felt() {
    let said = ["I visited my aunt in Trondheim."];
    let (high, low) = both("emotionality", 0.45, &said).await;
    assert_eq!(high, ["User visited their aunt in Trondheim"]);
    assert_eq!(low, NOTHING);
    let said = ["I'm anxious about the exam."];
    let (high, low) = both("emotionality", 0.4, &said).await;
    assert_eq!(high.len(), 1, "{high:?}");
    assert_eq!(low, NOTHING);
}

#[tokio::test]
async fn importance_ends_at_one() {
    let memories = left(json!({ "agreeableness": 0.9 }), &["From now on, always answer in French."]).await;
    let importance: Vec<f64> =
        memories.iter().filter_map(|memory| memory.metadata["importance"].as_f64()).collect();
    assert!(!importance.is_empty() && importance.iter().all(|share| *share == 1.0), "{memories:?}");
}

#[tokio::test]
async fn extraversion_changes_nothing() {
    let said = ["I live in Oslo. I love hiking.", "I feel lonely."];
    let (high, low) = both("extraversion", 0.4, &said).await;
    assert_eq!(high, low);
}
