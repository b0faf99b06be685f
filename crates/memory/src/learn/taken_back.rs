//! What somebody takes back in the same breath: "her birthday is on the 14th … no hang on, the 24th, the 14th is the MOT".
//!
//! Who talks corrects themselves a sentence later, and what was said first was never so. That a sentence takes something back is read from how it begins;
//! which of the sentences before it is meant, the judge says. What is put right by a sentence that stands by itself is left out; a
//! value that only makes sense beside what it corrects is told with it.

use super::draft::{Candidate, Draft};
use super::told;
use crate::language::Language;
use crate::ports::{KnownText, NewStatement, SentenceReading, SpeechJudge, SpeechSort};
use crate::text::fold;
use crate::text::script::is_han_kana_or_hangul;
use crate::text::tokens::is_wide;
use crate::types::Turn;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

/// Sentences back that somebody corrects.
const BACK: usize = 4;

/// How surely what is taken back must be over by what surely takes something back, and by what may.
const TAKEN_BACK: f32 = 0.03;
const PERHAPS_TAKEN_BACK: f32 = 0.5;

/// How surely a sentence must tell something, for it and not the one behind it to be what is right.
const TELLS: f32 = 0.3;

/// How surely a statement must not need another one to be understood, and how long it must be.
const LEANS: f32 = 0.35;
const ALONE_WORDS: usize = 5;
const ALONE_WIDE_LETTERS: usize = 9;

/// Letters before which a script without spaces takes something back.
const AT_THE_BEGINNING: usize = 8;

/// What somebody says before they take something back: "oh no wait".
const CALLS: &[&str] = &[
    "o", "oh", "ah", "ach", "ay", "ai", "uh", "ui", "uy", "och", "hm", "и", "а", "ну", "ой", "well", "e",
    "ah", "bah", "ups",
];

/// By their first word, the words that a sentence begins with that takes something back.
static BEGINNINGS: LazyLock<HashMap<String, Vec<Vec<String>>>> = LazyLock::new(|| {
    let mut beginnings: HashMap<String, Vec<Vec<String>>> = HashMap::new();
    for phrase in phrases().filter(|phrase| !phrase.chars().any(is_wide)) {
        let words = words_of(phrase);
        if let Some(first) = words.first() {
            beginnings.entry(first.clone()).or_default().push(words);
        }
    }
    beginnings
});

/// The same of scripts without spaces.
static LETTERS: LazyLock<Vec<String>> =
    LazyLock::new(|| phrases().filter(|phrase| phrase.chars().any(is_wide)).map(fold).collect());

fn phrases() -> impl Iterator<Item = &'static str> {
    Language::ending().flat_map(|words| words.taking_back.iter().copied())
}

fn words_of(text: &str) -> Vec<String> {
    let folded = fold(text).replace('’', "'");
    let words = folded.split(|character: char| !character.is_alphanumeric() && character != '\'');
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// How a sentence that may take something back begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Beginning {
    /// With words that do nothing else, or that stand apart: "hang on", "no, …".
    Surely,
    /// With a word that may begin anything: "no tengo coche".
    Perhaps,
}

/// How a sentence begins that takes back what was said just before it; nothing where it begins otherwise.
pub(super) fn beginning(text: &str) -> Option<Beginning> {
    if text.chars().any(is_han_kana_or_hangul) {
        let folded: String = fold(text).chars().take(AT_THE_BEGINNING).collect();
        return LETTERS.iter().any(|phrase| folded.contains(phrase.as_str())).then_some(Beginning::Surely);
    }
    let words = words_of(text);
    let called = words.first().is_some_and(|word| CALLS.contains(&word.as_str()));
    let longest = |words: &[String]| {
        let phrases = words.first().and_then(|word| BEGINNINGS.get(word))?;
        phrases.iter().filter(|phrase| words.starts_with(phrase)).map(Vec::len).max()
    };
    let count = longest(&words).or_else(|| Some(1 + longest(words.get(1..).filter(|_| called)?)?))?;
    let sure = count > 1 || words.len() == 1 || stands_apart(text);
    Some(if sure { Beginning::Surely } else { Beginning::Perhaps })
}

/// Whether what a text begins with ends before the rest of it goes on: "no, on Friday".
fn stands_apart(text: &str) -> bool {
    let first = text.trim_start().find(|character: char| !character.is_alphanumeric() && character != '\'');
    let behind = first.and_then(|at| text.trim_start()[at..].chars().next());
    behind.is_some_and(|character| !character.is_whitespace())
}

/// A sentence of a message that puts another one right.
#[derive(Debug, PartialEq)]
struct Correction {
    wrong: usize,
    /// The sentence that takes it back.
    back: usize,
    /// The one that says what is right: the same, or the one behind it.
    right: usize,
}

/// Puts right among what a message told what is taken back in it. What is only announced ("no wait.") tells nothing by itself.
pub(super) fn put_right(
    draft: &mut Draft,
    turn: &Turn,
    sentences: &[Range<usize>],
    readings: &[SentenceReading],
    judge: &dyn SpeechJudge,
) {
    let texts: Vec<&str> = sentences.iter().map(|range| &turn.text[range.clone()]).collect();
    let of = |candidate: &Candidate, place: usize| {
        // What was stated before a question is kept without it.
        let quotes = !candidate.evidence.is_empty() && texts[place].contains(&candidate.evidence);
        candidate.sources.first() == Some(&turn.id) && quotes
    };
    let tells = |draft: &Draft, place: usize| draft.candidates.iter().any(|candidate| of(candidate, place));
    for back in 1..texts.len() {
        let Some(found) = correction(draft, &texts, readings, judge, back, &tells) else { continue };
        let first = draft.candidates.iter().find(|one| of(one, found.wrong)).cloned();
        let Some(first) = first else { continue };
        if found.right != found.back {
            draft.candidates.retain(|candidate| !of(candidate, found.back));
        }
        let alone = stands_alone(texts[found.right], &readings[found.right]) && tells(draft, found.right);
        let gone: Vec<Candidate> =
            draft.candidates.iter().filter(|one| of(one, found.wrong)).cloned().collect();
        gone.iter().for_each(|candidate| draft.leave_out(candidate));
        let says_one_thing = judge.clauses(texts[found.wrong]).len() < 2;
        let place = draft.candidates.iter().position(|one| of(one, found.wrong)).unwrap_or(0);
        draft.candidates.retain(|candidate| !of(candidate, found.wrong));
        if alone && says_one_thing {
            continue;
        }
        // Told with what it corrects, the right value is what is said last.
        draft.candidates.retain(|candidate| !of(candidate, found.right));
        let said = readings[found.wrong].clause.clone();
        let wrong = texts[found.wrong].get(said).filter(|clause| !clause.trim().is_empty());
        let right = texts[found.back..=found.right].join(" ");
        let whole = sentences[found.wrong].start..sentences[found.right].end;
        let mut candidate =
            told::candidate(turn, &texts, found.wrong, &readings[found.wrong], first.confidence);
        candidate.content = joined(wrong.unwrap_or(texts[found.wrong]), &right);
        candidate.confidence = candidate.confidence.max(readings[found.wrong].chance(SpeechSort::Lasting));
        candidate.evidence = turn.text[whole].to_owned();
        draft.candidates.insert(place.min(draft.candidates.len()), candidate);
    }
}

fn correction(
    draft: &Draft,
    texts: &[&str],
    readings: &[SentenceReading],
    judge: &dyn SpeechJudge,
    back: usize,
    tells: &impl Fn(&Draft, usize) -> bool,
) -> Option<Correction> {
    let asks = |place: usize| texts[place].trim_end().ends_with(['?', '？', '؟']);
    let needed = match beginning(texts[back]).filter(|_| !asks(back))? {
        Beginning::Surely => TAKEN_BACK,
        Beginning::Perhaps => PERHAPS_TAKEN_BACK,
    };
    let lasting = |place: usize| readings[place].chance(SpeechSort::Lasting);
    let says_it = lasting(back) >= TELLS || texts[back].chars().any(char::is_numeric);
    let next = (back + 1 < texts.len() && !asks(back + 1)).then_some(back + 1);
    let right = if says_it { back } else { next.filter(|next| tells(draft, *next)).unwrap_or(back) };
    let known: Vec<usize> = (back.saturating_sub(BACK)..back).filter(|place| tells(draft, *place)).collect();
    let earlier: Vec<KnownText<'_>> = known
        .iter()
        .map(|&place| KnownText { together: true, lasting: lasting(place), ..KnownText::of(texts[place]) })
        .collect();
    if earlier.is_empty() {
        return None;
    }
    let mut chances = vec![0.0_f32; earlier.len()];
    for place in [back, right] {
        let (text, changes) = (texts[place], readings[place].changes);
        let later = NewStatement { text, kept: text, lasting: lasting(place), changes };
        let over = judge.over_on_second_look(&later, &earlier);
        chances.iter_mut().zip(over).for_each(|(chance, over)| *chance = chance.max(over));
    }
    let most = (0..known.len()).max_by(|&a, &b| chances[a].total_cmp(&chances[b]))?;
    (chances[most] >= needed).then(|| Correction { wrong: known[most], back, right })
}

/// Whether a statement is understood without the one that it corrects.
fn stands_alone(text: &str, reading: &SentenceReading) -> bool {
    let wide = text.chars().filter(|&character| is_wide(character)).count();
    let long = text.split_whitespace().count() >= ALONE_WORDS || wide >= ALONE_WIDE_LETTERS;
    long && reading.subject_elsewhere < LEANS && beginning(text) != Some(Beginning::Surely)
}

/// What was said first and what puts it right, as one sentence.
fn joined(wrong: &str, right: &str) -> String {
    let wrong = wrong.trim().trim_end_matches(['.', '!', '?', '。', '！', '？', '।', '؟', '…', ',', '，']);
    let right = right.split_whitespace().collect::<Vec<_>>().join(" ");
    let comma = if wrong.chars().any(is_han_kana_or_hangul) { "，" } else { ", " };
    told::clipped(&format!("{wrong}{comma}{right}"))
}

#[cfg(test)]
mod tests {
    use super::Beginning::{Perhaps, Surely};
    use super::beginning;

    #[test]
    fn what_takes_something_back_is_known_by_how_it_begins() {
        for said in [
            "No hang on, 24th, the 14th is the MOT.",
            "oh wait, it's Thursday",
            "Nee wacht, dat klopt niet.",
            "Ah non mince, ça c'est le garage.",
            "no, pará",
            "No.",
            "Scusa, alle nove.",
            "아 아니다 그날은 카드값 나가는 날이고",
            "哎记错了，是15号",
            "Ой, нет, в четверг.",
            "Ach Quatsch, am Freitag.",
            "no I tell a lie, it's the Saturday",
            "No wait 😅 the 24th",
        ] {
            assert_eq!(beginning(said), Some(Surely), "{said}");
        }
        for said in ["No tengo coche.", "Nie jem mięsa", "No beef for me"] {
            assert_eq!(beginning(said), Some(Perhaps), "{said}");
        }
        for said in ["My brother knows nothing.", "I waited for hours.", "Sem wordt zeven op 9 december."] {
            assert_eq!(beginning(said), None, "{said}");
        }
    }
}
