//! Blocks as data: what goes in, what comes out, and that it always fits.

use proptest::prelude::*;

use super::compact::{EPISODE, IDENTITY, PINNED, TRANSCRIPT};
use super::*;
use crate::recall::gate::Section;
use crate::settings::GateMode;

fn decision(section: Section) -> GateDecision {
    GateDecision { fire: section != Section::None, section, reason: String::new(), score: 1.0 }
}

fn settings(edit: impl FnOnce(&mut Settings)) -> Settings {
    let mut settings = Settings::default();
    edit(&mut settings);
    settings
}

fn material() -> BlockMaterial {
    BlockMaterial {
        today: jiff::civil::date(2026, 5, 1),
        overrides: Vec::new(),
        rules: Vec::new(),
        profile: Vec::new(),
        latest_episode: None,
        found: Vec::new(),
        base: Base::default(),
        extra_lines: 0,
    }
}

fn found(corpus: Corpus, score: f64, text: &str) -> LineCandidate {
    LineCandidate { corpus, score, line: Line::plain(text) }
}

fn headings(block: &AssembledBlock) -> Vec<&'static str> {
    block.parts.iter().map(|part| part.heading).collect()
}

/// A little of everything.
fn mixed() -> BlockMaterial {
    BlockMaterial {
        overrides: vec![Line::plain("I am left-handed")],
        rules: vec![Line::plain("answer in Spanish")],
        profile: vec![Line::plain("Lives in Porto"), Line::plain("Bakes bread")],
        found: vec![
            found(Corpus::Memories, 1.0, "likes rye"),
            found(Corpus::Memories, 0.1, "once saw a heron"),
            found(Corpus::Episodes, 0.8, "talked about ovens"),
            found(Corpus::Turns, 0.9, "I bought a stone oven"),
        ],
        ..material()
    }
}

#[test]
fn nothing_wanted_gives_only_what_always_comes() {
    let block = compact::assemble(&mixed(), &decision(Section::None), &Settings::default());
    let expected = "## What the user wants kept in mind\n- I am left-handed\n\n## Rules of the user\n- answer in Spanish";
    assert_eq!(block.text(), expected);
    assert_eq!(
        compact::assemble(&material(), &decision(Section::None), &Settings::default()).text(),
        "",
        "nothing at all is an empty text"
    );
}

#[test]
fn the_chosen_section_comes_first_and_the_others_fill_up() {
    let check = |section: Section, expected: &[&str]| {
        let block = compact::assemble(&mixed(), &decision(section), &Settings::default());
        assert_eq!(headings(&block), expected, "{section}");
    };
    check(Section::Pinned, &[OVERRIDES, RULES, PINNED, TRANSCRIPT, EPISODE]);
    check(Section::Episode, &[OVERRIDES, RULES, EPISODE, PINNED, TRANSCRIPT]);
    check(Section::Transcript, &[OVERRIDES, RULES, TRANSCRIPT, PINNED, EPISODE]);
    check(Section::Identity, &[IDENTITY, RULES, PINNED, TRANSCRIPT, EPISODE]);
}

#[test]
fn identity_tells_overrides_and_profile_together() {
    let block = compact::assemble(&mixed(), &decision(Section::Identity), &Settings::default());
    let lines: Vec<&str> = block.parts[0].lines.iter().map(|line| line.text.as_str()).collect();
    assert_eq!(lines, ["- I am left-handed", "- Lives in Porto", "- Bakes bread"]);
}

#[test]
fn a_weak_line_of_the_chosen_section_has_no_seat() {
    let narrow = settings(|settings| settings.memory_budget_tokens = 26);
    let block = compact::assemble(&mixed(), &decision(Section::Pinned), &narrow);
    let text = block.text();
    assert!(text.contains("likes rye") && text.contains("stone oven"), "{text}");
    assert!(!text.contains("heron"), "{text}");
}

#[test]
fn a_long_profile_is_cut_to_fit() {
    let long = BlockMaterial { profile: vec![Line::plain(&"word ".repeat(2_000))], ..material() };
    let block = compact::assemble(&long, &decision(Section::Identity), &Settings::default());
    assert!(block.text().ends_with("word…"), "{}", block.text());
    assert!((180..=230).contains(&tokens::estimate(&block.text())));
}

#[test]
fn a_rule_that_never_fits_hides_no_other() {
    let rules = vec![Line::plain(&"x".repeat(2_000)), Line::plain("be brief")];
    let block = compact::assemble(
        &BlockMaterial { rules, ..material() },
        &decision(Section::None),
        &Settings::default(),
    );
    assert_eq!(block.text(), "## Rules of the user\n- be brief");
}

#[test]
fn the_full_context_has_every_section_in_order_and_says_nothing_twice() {
    let mut material = mixed();
    material.base.memories = vec![material.found[0].line.clone()];
    material.base.episodes = vec![Line::plain("an older talk")];
    material.base.relationships = vec![Line::plain("Ana manages Rui")];
    let block = full::assemble(&material, &decision(Section::Pinned), &Settings::default());
    assert_eq!(
        headings(&block),
        [
            full::DATE,
            OVERRIDES,
            RULES,
            full::PROFILE,
            full::MEMORIES,
            full::SUMMARIES,
            full::RELATIONSHIPS,
            full::RELEVANT_EXCERPTS,
            full::RELEVANT_MEMORIES,
            full::RELEVANT_SUMMARIES,
        ]
    );
    let text = block.text();
    assert!(text.starts_with("## Current Date\n2026-05-01 (Friday)\n"), "{text}");
    assert_eq!(text.matches("likes rye").count(), 1);
    let quiet = full::assemble(&material, &decision(Section::None), &Settings::default());
    assert_eq!(headings(&quiet).last(), Some(&full::RELATIONSHIPS));
}

#[test]
fn a_short_total_keeps_what_matches_and_cuts_the_lower_sections_first() {
    let mut material = mixed();
    material.base.memories = (0..200).map(|number| Line::plain(&format!("memory number {number}"))).collect();
    material.base.episodes = vec![Line::plain("an older talk")];
    let short = settings(|settings| settings.full_budget_tokens = 500);
    let block = full::assemble(&material, &decision(Section::Pinned), &short);
    let text = block.text();
    assert!(material.found.iter().all(|found| text.contains(&found.line.text)), "{text}");
    assert!(text.contains("memory number 10") && !text.contains("an older talk"), "{text}");
    assert_eq!(headings(&block).last(), Some(&full::RELEVANT_SUMMARIES));
    assert!(tokens::estimate(&text) <= 500);
    let quiet = full::assemble(&material, &decision(Section::None), &short);
    assert_eq!(headings(&quiet).last(), Some(&full::MEMORIES));
    let standing = block.parts.iter().filter(|part| [full::DATE, RULES].contains(&part.heading));
    let all = standing.flat_map(|part| &part.lines).filter(|line| line.text != "- answer in Spanish");
    assert!(all.clone().count() == 1 && all.into_iter().all(|line| line.standing), "the date stands");
}

#[test]
fn where_phrases_or_a_model_choose_one_section_is_all_that_is_told() {
    for mode in [GateMode::Heuristic, GateMode::Llm] {
        let chosen = |section: Section, material: &BlockMaterial| {
            let settings = settings(|settings| settings.relevance_gate_mode = mode);
            headings(&compact::assemble(material, &decision(section), &settings))
        };
        assert_eq!(chosen(Section::None, &mixed()), [OVERRIDES, RULES], "{mode:?}");
        assert_eq!(chosen(Section::Pinned, &mixed()), [OVERRIDES, RULES, PINNED], "{mode:?}");
        assert_eq!(chosen(Section::Episode, &mixed()), [OVERRIDES, RULES, EPISODE], "{mode:?}");
        assert_eq!(chosen(Section::Transcript, &mixed()), [OVERRIDES, RULES, TRANSCRIPT], "{mode:?}");
        assert_eq!(chosen(Section::Identity, &mixed()), [IDENTITY, RULES], "{mode:?}");
        let unknown = BlockMaterial { overrides: Vec::new(), profile: Vec::new(), ..mixed() };
        assert_eq!(chosen(Section::Identity, &unknown), [RULES, IDENTITY], "{mode:?}");
        let nothing = BlockMaterial { found: Vec::new(), ..material() };
        assert!(chosen(Section::Pinned, &nothing).is_empty(), "{mode:?}");
    }
}

/// Candidates with any text of up to 300 characters.
fn candidates() -> impl Strategy<Value = Vec<LineCandidate>> {
    let corpora = prop::sample::select(Corpus::ALL.to_vec());
    let one =
        (corpora, 0.0_f64..2.0, "\\PC{0,300}").prop_map(|(corpus, score, text)| found(corpus, score, &text));
    prop::collection::vec(one, 0..60)
}

fn section() -> impl Strategy<Value = Section> {
    prop::sample::select(vec![Section::Identity, Section::Pinned, Section::Episode, Section::Transcript])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_compact_block_fits_and_its_lines_are_whole(
        found in candidates(),
        profile in prop::collection::vec("\\PC{0,400}", 0..8),
        section in section(),
        budget in 100_i64..4_000,
    ) {
        let profile: Vec<Line> = profile.iter().map(|text| Line::plain(text)).collect();
        let material = BlockMaterial { found, profile, ..material() };
        let settings = settings(|settings| settings.memory_budget_tokens = budget);
        let block = compact::assemble(&material, &decision(section), &settings);
        prop_assert!(tokens::estimate(&block.text()) as i64 <= budget);
        for line in block.parts.iter().filter(|part| part.heading != IDENTITY).flat_map(|part| &part.lines) {
            prop_assert!(material.found.iter().any(|candidate| candidate.line == *line));
        }
    }

    #[test]
    fn a_full_context_fits_its_total(
        found in candidates(),
        memories in prop::collection::vec("\\PC{0,200}", 0..60),
        budget in 500_i64..4_000,
    ) {
        let mut material = BlockMaterial { found, ..material() };
        material.base.memories = memories.iter().map(|text| Line::plain(text)).collect();
        let settings = settings(|settings| settings.full_budget_tokens = budget);
        let block = full::assemble(&material, &decision(Section::Pinned), &settings);
        prop_assert!(tokens::estimate(&block.text()) as i64 <= budget);
    }
}

/// An agent whose character wants more memories gives them two more seats before what scores better.
#[test]
fn a_character_gives_memories_more_seats() {
    let told = |extra_lines: usize| {
        let memories =
            (0..8).map(|n| found(Corpus::Memories, 0.6, &format!("memory number {n} about boats")));
        let turns = (0..8).map(|n| found(Corpus::Turns, 1.0, &format!("turn number {n} about boats")));
        let material = BlockMaterial { found: memories.chain(turns).collect(), extra_lines, ..material() };
        let settings = settings(|settings| settings.memory_budget_tokens = 60);
        let block = compact::assemble(&material, &decision(Section::Pinned), &settings);
        block.text().matches("memory number").count()
    };
    assert_eq!((told(0), told(2)), (3, 5));
}

/// What is found beside overrides gets what they leave of the ceiling, and never less than half of it.
#[test]
fn overrides_are_within_the_ceiling_of_what_is_found() {
    let told = |overrides: usize| {
        let line = |text: String| Line::plain(&text);
        let weighed = |n: usize| judged::WeighedLine {
            worth: 0.5,
            line: line(format!("The user told memory number {n} about boats, harbours and long journeys.")),
        };
        let material = judged::JudgedMaterial {
            today: jiff::civil::date(2026, 5, 1),
            overrides: (0..overrides)
                .map(|n| line(format!("Override {n} says what the user wants for good.")))
                .collect(),
            rules: Vec::new(),
            portrait: Vec::new(),
            corrected: Vec::new(),
            introduces: false,
            about: Vec::new(),
            digest: None,
            found: (0..60).map(weighed).collect(),
            former: Vec::new(),
            past: Vec::new(),
        };
        let text = judged::assemble(&material, &Settings::default()).text();
        assert_eq!(text.matches("Override").count(), overrides, "they always come");
        (text.matches("memory number").count(), tokens::estimate(&text))
    };
    let (alone, ceiling) = told(0);
    let (beside_few, tokens) = told(6);
    assert!(beside_few < alone && tokens <= ceiling + 12, "{beside_few} of {alone} lines, {tokens} tokens");
    let (beside_many, _) = told(80);
    assert!(beside_many * 2 + 2 >= alone && beside_many < beside_few, "{beside_many} of {alone} lines");
}
