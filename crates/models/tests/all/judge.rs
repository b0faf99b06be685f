//! The judges of speech against a plain reading of the same weights, and on sentences that the training did not have.

use memory::ports::{KnownText, NewStatement, SentenceReading, SpeechJudge, SpeechSort};
use models::BuiltinJudge;

/// What an independent reckoning in NumPy made of some messages and pairs.
static READINGS: &str = include_str!("judge_readings.json");

#[derive(serde::Deserialize)]
struct Reckoned {
    messages: Vec<ReckonedMessage>,
    pairs: Vec<ReckonedPair>,
    over: ReckonedList,
    helping: ReckonedWeighing,
}

#[derive(serde::Deserialize)]
struct ReckonedList {
    later: String,
    changes: f32,
    lasting: f32,
    kept_later: String,
    earlier: Vec<(String, String, f32, bool, f32)>,
    chances: Vec<f32>,
}

#[derive(serde::Deserialize)]
struct ReckonedWeighing {
    message: String,
    memories: Vec<(String, f32, usize)>,
    helps: Vec<f32>,
    calls: f32,
    core: Vec<f32>,
}

#[derive(serde::Deserialize)]
struct ReckonedMessage {
    message: Vec<String>,
    before: Option<String>,
    read: ReckonedLook,
    heard: ReckonedLook,
}

/// What a look at a message finds in its sentences.
#[derive(serde::Deserialize)]
struct ReckonedLook {
    sorts: Vec<Vec<f32>>,
    flags: Vec<Vec<f32>>,
    subjects: Vec<String>,
}

#[derive(serde::Deserialize)]
struct ReckonedPair {
    earlier: String,
    later: String,
    chances: Vec<f32>,
    /// Where the pair is looked at twice.
    heeded: Vec<f32>,
}

#[track_caller]
fn check_near(what: &str, got: &[f32], expected: &[f32]) {
    check_within(2e-3, what, got, expected);
}

#[track_caller]
fn check_within(most: f32, what: &str, got: &[f32], expected: &[f32]) {
    assert_eq!(got.len(), expected.len(), "{what}");
    for (got, expected) in got.iter().zip(expected) {
        assert!((got - expected).abs() < most, "{what}: {got} instead of {expected}");
    }
}

/// What the listener hears is reckoned in bytes, where the last digit of a float decides between two of them, layer upon layer: inputs that differ by a
/// millionth come to chances that differ by up to five hundredths.
const HEARD_WITHIN: f32 = 6e-2;

#[track_caller]
fn check_look(message: &[&str], readings: &[SentenceReading], look: &ReckonedLook) {
    assert_eq!(readings.len(), look.subjects.len());
    for (place, reading) in readings.iter().enumerate() {
        let what = message[place];
        check_within(HEARD_WITHIN, what, &reading.sorts, &look.sorts[place]);
        let SentenceReading {
            core, past, asked_to_keep, changes, of_another, subject_elsewhere, dated, ..
        } = *reading;
        let flags = [core, past, asked_to_keep, changes, of_another, subject_elsewhere, dated];
        check_within(HEARD_WITHIN, what, &flags, &look.flags[place]);
        assert_eq!(reading.subject, look.subjects[place], "{what}");
    }
}

#[test]
fn it_reckons_as_the_training_does() {
    let reckoned: Reckoned = serde_json::from_str(READINGS).expect("the fixture is JSON");
    let judge = BuiltinJudge::default();
    for case in &reckoned.messages {
        let message: Vec<&str> = case.message.iter().map(String::as_str).collect();
        let before = case.before.as_deref();
        check_look(&message, &judge.read(&message, before), &case.read);
        check_look(&message, &judge.listen(&message, before), &case.heard);
    }
    for pair in &reckoned.pairs {
        let read = judge.compare(&pair.later, &[&pair.earlier])[0];
        let got = [read.same, read.replaces, read.ends, read.forgets];
        check_near(&format!("{} / {}", pair.earlier, pair.later), &got, &pair.chances[1..]);
        let read = judge.heed(&pair.later, &[&pair.earlier])[0];
        let got = [read.same, read.replaces, read.ends, read.forgets];
        check_within(
            HEARD_WITHIN,
            &format!("{} / {}, heeded", pair.earlier, pair.later),
            &got,
            &pair.heeded[1..],
        );
    }
}

fn known_before<'a>(text: &'a str, kept: &'a str, lasting: f32, together: bool, days: f32) -> KnownText<'a> {
    KnownText { kept, lasting, together, days, ..KnownText::of(text) }
}

#[test]
fn it_weighs_lists_as_the_fitting_does() {
    let reckoned: Reckoned = serde_json::from_str(READINGS).expect("the fixture is JSON");
    let judge = BuiltinJudge::default();
    let ReckonedList { later, kept_later, changes, lasting, earlier, chances } = reckoned.over;
    let known: Vec<KnownText<'_>> = earlier
        .iter()
        .map(|(text, kept, lasting, together, days)| known_before(text, kept, *lasting, *together, *days))
        .collect();
    let over = judge
        .over_on_second_look(&NewStatement { text: &later, kept: &kept_later, lasting, changes }, &known);
    check_within(HEARD_WITHIN, &later, &over, &chances);
    let ReckonedWeighing { message, memories, helps, calls, core } = reckoned.helping;
    let known: Vec<KnownText<'_>> = memories
        .iter()
        .map(|(text, lasting, newer)| KnownText { lasting: *lasting, newer: *newer, ..KnownText::of(text) })
        .collect();
    let needs = judge.weigh(&message, &known);
    let found: Vec<f32> = needs.memories.iter().map(|worth| worth.helps).collect();
    check_near(&message, &found, &helps);
    let found: Vec<f32> = needs.memories.iter().map(|worth| worth.core).collect();
    check_near(&message, &found, &core);
    check_near(&message, &[needs.calls], &[calls]);
    assert!(judge.over(&NewStatement { text: "", kept: "", lasting: 0.0, changes: 0.0 }, &[]).is_empty());
    assert!(judge.weigh("", &[]).calls.is_finite());
}

fn likeliest(message: &[&str], place: usize) -> SpeechSort {
    let reading = &BuiltinJudge::default().read(message, None)[place];
    let by_chance = |a: &SpeechSort, b: &SpeechSort| reading.chance(*a).total_cmp(&reading.chance(*b));
    SpeechSort::ALL.into_iter().max_by(by_chance).expect("there are six")
}

#[test]
fn what_lasts_is_told_from_what_passes() {
    for lasting in [
        "my brother Anil moved to Leicester in the spring",
        "I'm lactose intolerant so no cream for me",
        "mi hija Lucía empieza el colegio en septiembre",
        "wir haben zwei Katzen, Minka und Leo",
        "у меня аллергия на пенициллин",
        "我住在上海，在银行上班",
    ] {
        assert_eq!(likeliest(&[lasting], 0), SpeechSort::Lasting, "{lasting}");
    }
    for passing in [
        "can you make that a bit shorter?",
        "thanks, that works",
        "schreib mir eine Funktion, die eine Liste sortiert",
        "what's the capital of Mongolia",
        "这句话怎么翻译成英文",
    ] {
        assert_eq!(likeliest(&[passing], 0), SpeechSort::Passing, "{passing}");
    }
}

#[test]
fn whose_words_they_are_is_heard() {
    let message =
        ["Please proofread this for a colleague:", "I live in Oslo and I have two dogs.", "Thanks!"];
    assert_eq!(likeliest(&message, 1), SpeechSort::Quoted);
    assert_eq!(likeliest(&["if I moved to Rome, what would I need?"], 0), SpeechSort::Supposed);
    assert_eq!(likeliest(&["please forget what I told you about my sister"], 0), SpeechSort::Forget);
}

#[test]
fn a_long_text_is_read_to_a_bound() {
    let long = "a very long sentence without an end ".repeat(10_000);
    let readings = BuiltinJudge::default().read(&[&long, ""], Some(""));
    assert_eq!(readings.len(), 2);
    assert!(readings.iter().all(|reading| reading.sorts.iter().all(|chance| chance.is_finite())));
    assert_eq!(BuiltinJudge::default().compare("", &["", "x"]).len(), 2);
}
