//! What sets which feature.

use super::patterns::{ANYWHERE, FIRST, MAX_PATTERN_WORDS, UNSPACED};
use super::*;

fn set(text: &str) -> Vec<&'static str> {
    features(text).iter().zip(NAMES).filter(|(value, _)| **value > 0.0).map(|(_, name)| *name).collect()
}

fn check(text: &str, expected: &[&str]) {
    let found = set(text);
    for name in expected {
        assert!(NAMES.contains(name), "{name} is no feature");
        assert!(found.contains(name), "{text:?} lacks {name}: {found:?}");
    }
}

#[test]
fn every_pattern_belongs_to_a_feature() {
    for (class, list) in ANYWHERE.iter().chain(FIRST) {
        assert!(NAMES.contains(class), "{class}");
        for pattern in list.split('|').map(str::trim) {
            assert!(pattern.split(' ').count() <= MAX_PATTERN_WORDS, "{pattern:?} is too long to be found");
        }
    }
    assert!(UNSPACED.iter().all(|(class, _)| NAMES.contains(class)));
}

#[test]
fn finds_what_the_names_say() {
    check(
        "Where did I park my car yesterday?",
        &["asks_own_past", "own_thing", "past_time", "own_past_question_first"],
    );
    check(
        "I’ve been cooking a lot. Any suggestions?",
        &["own_situation", "wants_suggestion", "suggestion_with_situation"],
    );
    check("Can you remind me what we discussed?", &["remember", "our_conversation", "polite_request_first"]);
    check("What's my name?", &["identity", "asks_own_present", "own_thing"]);
    check("Write a poem about the sea.", &["imperative_first", "wants_task"]);
}

#[test]
fn other_languages_set_the_same_features() {
    check("Was habe ich letzte Woche über meinen Hund gesagt?", &["asks_own_past", "past_time", "own_thing"]);
    check("¿Recuerdas cuál es mi comida favorita?", &["remember", "own_thing"]);
    check("Tu te souviens de ce que j’ai dit hier ?", &["remember", "asks_own_past", "past_time"]);
    check("Você lembra o nome da minha irmã?", &["remember", "own_thing"]);
    check("Напомни, как зовут мою собаку?", &["remember", "own_thing"]);
    check("你还记得我的生日吗？", &["remember", "own_thing", "identity"]);
    check("私の誕生日を覚えていますか？", &["remember", "own_thing", "identity"]);
}

#[test]
fn bare_pronouns_set_nothing_of_the_speaker() {
    let found = set("Make it shorter and translate that.");
    for name in ["own_thing", "our_conversation", "remember", "asks_own_past", "speaks_of_self", "past_time"]
    {
        assert!(!found.contains(&name), "{name} fired: {found:?}");
    }
}

#[test]
fn any_text_gives_finite_features() {
    for text in ["", " ", "'", "\0", "''''", "a'", "I'", "𓀀", &"my ".repeat(50_000), &"x".repeat(100_000)]
    {
        let found = features(text);
        assert_eq!(found.len(), NAMES.len());
        assert!(found.iter().all(|value| (0.0..=1.0).contains(value)));
    }
}
