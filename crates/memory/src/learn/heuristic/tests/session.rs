//! Whole sessions: the episode, the graph, what is repeated, and what must hold for any text.

use proptest::prelude::*;

use super::{candidates, distilled, turn};
use crate::learn::heuristic::{SessionBackground, distil};
use crate::text::Analyser;
use crate::types::{EntityType, Origin, Role};

#[test]
fn the_episode_tells_what_it_was_about() {
    let draft = distilled(&[
        "Hi there!",
        "I'm planning a kitchen renovation and I want to replace the kitchen cabinets.",
        "We went with oak for the kitchen cabinets. The carpenter comes on June 3, 2023.",
        "Thanks!",
    ]);
    let episode = draft.episode.expect("something was said");
    assert!(episode.summary.contains("kitchen renovation"), "{}", episode.summary);
    assert!(
        !episode.summary.contains("Hi there") && !episode.summary.contains("Thanks"),
        "{}",
        episode.summary
    );
    assert!(
        episode.topics.contains(&"kitchen cabinets".to_owned()) && episode.topics.len() <= 6,
        "{:?}",
        episode.topics
    );
    assert_eq!(episode.decisions, ["User went with oak for the kitchen cabinets"]);
    assert_eq!(episode.key_dates, ["2023-06-03: The carpenter comes on June 3, 2023"]);
    assert_eq!(draft.origin, Origin::Heuristic);
    assert_eq!(distilled(&[""]).episode, None);
}

#[test]
fn earlier_turns_belong_to_the_episode_only() {
    let earlier = [turn(0, Role::User, "I live in Rome and I'm planning a trip to Japan.")];
    let turns = [turn(1, Role::User, "I prefer trains.")];
    let context = SessionBackground { earlier: &earlier, ..SessionBackground::default() };
    let draft = distil(&turns, context, &Analyser::default());
    let contents: Vec<&str> = draft.candidates.iter().map(|candidate| candidate.content.as_str()).collect();
    assert_eq!(contents, ["User prefers trains"]);
    assert!(draft.episode.expect("something was said").summary.contains("Japan"));
}

#[test]
fn the_graph_has_both_ends() {
    let draft = distilled(&[
        "My sister Ana works at Acme in Oslo. I live in Bergen. Alice is the tech lead on Project Nova.",
    ]);
    let edges: Vec<String> = draft
        .relations
        .iter()
        .map(|one| format!("{} {} {}", one.subject, one.predicate, one.object))
        .collect();
    assert_eq!(edges, ["Ana SISTER_OF User", "User LIVES_IN Bergen", "Alice TECH_LEAD_ON Project Nova"]);
    let typed = |name: &str| draft.entities.iter().find(|one| one.name == name).map(|one| one.entity_type);
    assert_eq!(typed("Ana"), Some(EntityType::Person));
    assert_eq!(typed("Acme"), Some(EntityType::Company));
    assert_eq!(typed("Oslo"), Some(EntityType::Place));
    assert_eq!(typed("Project Nova"), Some(EntityType::Project));
}

#[test]
fn saying_it_again_adds_a_source() {
    let draft = distilled(&["I prefer tea.", "As I said, I prefer tea."]);
    assert_eq!(draft.candidates.len(), 1);
    assert_eq!(draft.candidates[0].sources.len(), 2);
}

#[test]
fn facts_with_one_value_say_so() {
    let single = |text: &str| candidates(text).first().map(|one| one.single_valued);
    assert_eq!(single("I live in Rome."), Some(true));
    assert_eq!(single("I prefer tea."), Some(false));
    assert_eq!(distilled(&["I live in Rome."]).identity, ["User lives in Rome"]);
}

/// Text as people send it and text as nobody should.
fn any_text() -> impl Strategy<Value = String> {
    let words = "I|my|am|like|don't|can’t|always|\\.|,|\\?|\"|'|:|\n|`|```|name|is|Sasha|St\\.|used|to|now|if|and|because|every|\
                 morning|ich|mag|nicht|我|喜欢|です|が好き|j'aime|yesterday|by|Friday|call|me|from|é|👍|7|35|-|>";
    let assembled = proptest::collection::vec(words, 0..40).prop_map(|words| words.join(" "));
    prop_oneof![any::<String>(), assembled]
}

proptest! {
    #[test]
    fn evidence_is_always_what_was_said(text in any_text()) {
        let draft = distilled(&[&text]);
        for candidate in &draft.candidates {
            prop_assert!(text.contains(&candidate.evidence) && !candidate.evidence.is_empty());
            prop_assert!(!candidate.content.is_empty());
            prop_assert!((0.0..=1.0).contains(&candidate.confidence) && (0.0..=1.0).contains(&candidate.salience));
        }
    }
}
