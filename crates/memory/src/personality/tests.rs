//! One test for each trait, and the spellings of a personality.

use super::*;

fn with(trait_name: &str, value: f64) -> Tuning {
    let mut personality = Map::new();
    personality.insert(trait_name.to_owned(), value.into());
    Tuning::read(&personality, &Settings::default())
}

fn close(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-9, "{found} is not {expected}");
}

#[test]
fn a_neutral_character_changes_nothing() {
    let neutral = Tuning::neutral(&Settings::default());
    close(neutral.importance_threshold, 0.4);
    close(neutral.dedup_threshold, 0.85);
    close(neutral.compaction_factor, 1.0);
    assert_eq!((neutral.facts_per_turn, neutral.extra_results), (3, 0));
    assert!(neutral.enabled && !neutral.emotional_context && !neutral.sentiment);
    for (category, _) in Category::ALL {
        close(neutral.boost(category), 0.0);
    }
    assert_eq!(with("openness", 0.6), Tuning { traits: with("openness", 0.6).traits, ..neutral });
}

#[test]
fn openness_moves_the_threshold_and_the_number_of_facts() {
    for (openness, threshold, facts, feelings) in [
        (0.9, 0.24, 4, true),
        (1.0, 0.2, 4, true),
        (0.5, 0.4, 3, false),
        (0.1, 0.56, 2, false),
        (0.0, 0.6, 2, false),
    ] {
        let tuning = with("openness", openness);
        close(tuning.importance_threshold, threshold);
        assert_eq!((tuning.facts_per_turn, tuning.emotional_context), (facts, feelings), "{openness}");
    }
}

#[test]
fn the_number_of_facts_keeps_its_bounds() {
    let facts = |openness: f64, most: usize| {
        let block = AutoIngest { max_per_turn: most, ..AutoIngest::usual(&Settings::default()) };
        Tuning::new(Traits { openness, ..Traits::default() }, block).facts_per_turn
    };
    assert_eq!((facts(0.9, 4), facts(0.9, 5), facts(0.9, 9)), (5, 5, 9));
    assert_eq!((facts(0.1, 2), facts(0.1, 1), facts(0.1, 0)), (1, 1, 0));
}

#[test]
fn conscientiousness_wants_duties_and_compacts_sooner() {
    let (high, low) = (with("conscientiousness", 0.9), with("conscientiousness", 0.1));
    close(high.boost(Category::ActionItem), 0.15);
    close(high.boost(Category::Goal), 0.1);
    close(high.dedup_threshold, 0.92);
    assert_eq!((high.sooner(30_000), low.sooner(30_000)), (22_500, 30_000));
    close(low.boost(Category::ActionItem), 0.0);
}

#[test]
fn agreeableness_wants_preferences_and_recalls_more() {
    let (high, low) = (with("agreeableness", 0.9), with("agreeableness", 0.1));
    close(high.boost(Category::UserPreference), 0.15);
    assert_eq!((high.extra_results, low.extra_results), (2, 0));
}

#[test]
fn emotionality_wants_feelings_and_keeps_them() {
    let (high, low) = (with("emotionality", 0.9), with("emotionality", 0.1));
    close(high.boost(Category::EmotionalContext), 0.1);
    close(high.boost(Category::Episodic), 0.1);
    assert!(high.sentiment && high.emotional_context && !low.sentiment && !low.emotional_context);
}

#[test]
fn honesty_wants_corrections_and_is_quick_to_see_the_same() {
    let (high, low) = (with("honesty", 0.9), with("honesty", 0.1));
    close(high.boost(Category::Correction), 0.2);
    close(high.dedup_threshold, 0.75);
    close(low.dedup_threshold, 0.85);
}

#[test]
fn importance_ends_at_one() {
    let high = with("honesty", 0.9);
    close(high.importance(Category::Correction, 0.9), 1.0);
    close(high.importance(Category::Correction, 0.4), 0.6);
    close(high.importance(Category::Knowledge, 0.4), 0.4);
}

#[test]
fn personalities_are_read_in_every_spelling() {
    let check = |given: serde_json::Value, expected: Traits| {
        let given = given.as_object().expect("an object");
        assert_eq!(Traits::read(given), expected, "{given:?}");
    };
    let neutral = Traits::default();
    check(serde_json::json!({}), neutral);
    check(serde_json::json!({"openness": 0.9}), Traits { openness: 0.9, ..neutral });
    check(serde_json::json!({"Honesty-Humility": "0.7"}), Traits { honesty: 0.7, ..neutral });
    check(
        serde_json::json!({"hexaco": {"honestyHumility": 0.2, "extroversion": 1}}),
        Traits { honesty: 0.2, extraversion: 1.0, ..neutral },
    );
    check(
        serde_json::json!({"traits": {"agreeableness": 7, "emotionality": -1}}),
        Traits { agreeableness: 1.0, emotionality: 0.0, ..neutral },
    );
    check(
        serde_json::json!({"openness": "very", "emotionality": "80%"}),
        Traits { emotionality: 0.8, ..neutral },
    );
}

#[test]
fn an_agents_own_block_goes_before_the_settings() {
    let read = |block: serde_json::Value| {
        let personality = serde_json::json!({ "autoIngest": block });
        AutoIngest::read(personality.as_object().expect("an object"), &Settings::default())
    };
    let usual = AutoIngest::usual(&Settings::default());
    assert_eq!(read(serde_json::json!({})), usual);
    assert!(!read(serde_json::json!({"enabled": false})).enabled);
    assert_eq!(read(serde_json::json!({"maxPerTurn": "7"})).max_per_turn, 7);
    close(read(serde_json::json!({"importanceThreshold": 4})).importance_threshold, 1.0);
}
