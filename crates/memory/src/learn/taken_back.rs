//! What somebody takes back in the same breath: "her birthday is on the 14th … no hang on, the 24th, the 14th is the MOT".
//!
//! Who talks corrects themselves a sentence later, and what was said first was never so. That a sentence takes something back is read from how it begins;
//! which of the sentences before it is meant, the judge says. What is put right by a sentence that stands by itself is left out; a
//! value that only makes sense beside what it corrects is told with it.

use super::draft::{Candidate, Draft};
use super::ending::HeardStatement;
use super::{told, values};
use crate::language::Language;
use crate::ports::{KnownText, NewStatement, SentenceReading, SpeechJudge, SpeechSort};
use crate::text::script::is_han_kana_or_hangul;
use crate::text::{Analyser, fold};
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

/// Words of a message that does no more than put right the one before it, or letters of a script without spaces.
const SHORT_WORDS: usize = 14;
const SHORT_WIDE_LETTERS: usize = 30;

/// What is called before something is taken back, in scripts without spaces.
const WIDE_CALLS: [char; 16] =
    ['啊', '哦', '噢', '哎', '唉', '呀', '诶', '欸', '嗯', 'え', 'あ', 'ー', '아', '어', '음', '앗'];

/// What somebody says before they take something back: "oh no wait".
const CALLS: &[&str] = &[
    "o", "oh", "ah", "ach", "ay", "ai", "uh", "ui", "uy", "och", "hm", "и", "а", "ну", "ой", "well", "e",
    "ah", "bah", "ups",
];

/// Words that deny what stands right behind them, and take back what was said where they stand apart: "not the 17th", "no el 17", "no, el 17".
const DENYING: [&str; 12] =
    ["not", "no", "nicht", "kein", "pas", "nao", "non", "niet", "nie", "не", "degil", "مش"];

/// By their first word, the words that a sentence begins with that takes something back.
static BEGINNINGS: LazyLock<HashMap<String, Vec<Vec<String>>>> = LazyLock::new(|| {
    let mut beginnings: HashMap<String, Vec<Vec<String>>> = HashMap::new();
    for phrase in phrases().filter(|phrase| !phrase.chars().any(is_han_kana_or_hangul)) {
        let words = words_of(phrase);
        if let Some(first) = words.first() {
            beginnings.entry(first.clone()).or_default().push(words);
        }
    }
    beginnings
});

/// The same of scripts without spaces.
static LETTERS: LazyLock<Vec<String>> = LazyLock::new(|| {
    phrases().filter(|phrase| phrase.chars().any(is_han_kana_or_hangul)).map(fold).collect()
});

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
        let folded = fold(text);
        let called = |letter: char| WIDE_CALLS.contains(&letter) || !letter.is_alphanumeric();
        let begins = |text: &str| LETTERS.iter().any(|phrase| text.starts_with(phrase.as_str()));
        let sure = begins(folded.trim_start()) || begins(folded.trim_start_matches(called));
        return sure.then_some(Beginning::Surely);
    }
    let words = words_of(text);
    let called = words.first().is_some_and(|word| CALLS.contains(&word.as_str()));
    let count = longest(&words).or_else(|| Some(1 + longest(words.get(1..).filter(|_| called)?)?))?;
    let sure = count > 1 || words.len() == 1 || stands_apart(text);
    Some(if sure { Beginning::Surely } else { Beginning::Perhaps })
}

/// Words of the longest phrase that takes something back, of those that a text begins with.
fn longest(words: &[String]) -> Option<usize> {
    let phrases = words.first().and_then(|word| BEGINNINGS.get(word))?;
    phrases.iter().filter(|phrase| words.starts_with(phrase)).map(Vec::len).max()
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
    for (place, text) in
        texts.iter().enumerate().filter(|(place, _)| tells(draft, *place)).collect::<Vec<_>>()
    {
        if let Some(content) = right_within(text) {
            let told = told::candidate(turn, &texts, place, &readings[place], 0.0);
            replace(draft, |one| of(one, place), Candidate { content, put_right: true, ..told });
        }
    }
    for back in 1..texts.len() {
        // What is taken back right away sounds as if it had not been told: by itself it does not.
        let told = |place: usize| {
            let alone = || judge.listen(&[texts[place]], None)[0].chance(SpeechSort::Lasting) >= TELLS;
            tells(draft, place) || tells(draft, back) && alone()
        };
        let before = (back.saturating_sub(BACK)..back).rev().filter(|place| told(*place));
        let values =
            before.filter(|_| beginning(texts[back]) == Some(Beginning::Surely) && !asks(texts[back]));
        let by_values = values.filter_map(|place| {
            Some((place, right_value(&clause_of(texts[place], &readings[place]), texts[back])?))
        });
        if let Some((place, content)) = by_values.collect::<Vec<_>>().into_iter().next() {
            let told = told::candidate(turn, &texts, place, &readings[place], 0.0);
            let evidence = turn.text[sentences[place].start..sentences[back].end].to_owned();
            let gone = |one: &Candidate| of(one, place) || of(one, back);
            replace(draft, gone, Candidate { content, evidence, put_right: true, ..told });
            continue;
        }
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

/// Puts right what the message before told, where a message does no more than that: "sorry, 4pm", "oops, Lina not Lena".
pub(super) fn put_right_before(
    draft: &mut Draft,
    before: &Turn,
    turn: &Turn,
    asked: bool,
    judge: &dyn SpeechJudge,
    analyser: &Analyser,
) {
    let said = turn.text.trim();
    let wide = said.chars().filter(|&letter| is_han_kana_or_hangul(letter)).count();
    let short =
        said.split_whitespace().count() <= SHORT_WORDS && wide <= SHORT_WIDE_LETTERS && !said.contains('\n');
    // Who was asked something says no to that: "Shall I list five?" "No, three."
    let answers = asked && words_of(said).first().is_some_and(|first| DENYING.contains(&first.as_str()));
    if !short || asks(said) || answers {
        return;
    }
    let begins = beginning(said).is_some();
    let heard = HeardStatement::of(said, analyser);
    let sentences = told::all_sentences_of(&before.text);
    let texts: Vec<&str> = sentences.iter().map(|range| &before.text[range.clone()]).collect();
    let of = |one: &Candidate, place: usize| {
        one.sources.first() == Some(&before.id)
            && !one.evidence.is_empty()
            && texts[place].contains(&one.evidence)
    };
    let told = (0..texts.len()).rev().filter(|&place| draft.candidates.iter().any(|one| of(one, place)));
    let told: Vec<usize> = told.collect();
    if told.is_empty() {
        return;
    }
    let readings = judge.listen(&texts, None);
    let clause = |place: usize| clause_of(texts[place], &readings[place]);
    let right = |place: usize| {
        let statement = clause(place);
        let denied = heard.corrected(&statement).or_else(|| values::with_name_of(&statement, said));
        denied.or_else(|| right_value(&statement, said)).filter(|_| begins)
    };
    // Without a value or a name that takes the place of another one nothing is put right: "No, thanks." answers something else.
    let Some((place, content)) = told.iter().find_map(|&place| Some((place, right(place)?))) else { return };
    // Who says the whole of it again says it better: "I misread it. The score was 751, not 715".
    if says_it_again(draft, turn, judge) {
        replace_by_nothing(draft, |one| of(one, place));
        return;
    }
    let whole = told::candidate(before, &texts, place, &readings[place], 0.0);
    let right = Candidate {
        content: told::clipped(&content),
        evidence: joined(texts[place], said),
        sources: vec![before.id.clone(), turn.id.clone()],
        put_right: true,
        ..whole
    };
    replace(draft, |one| of(one, place) || one.sources.first() == Some(&turn.id), right);
}

/// Whether a message has a sentence that was learned from and is understood without the one that it puts right.
fn says_it_again(draft: &Draft, turn: &Turn, judge: &dyn SpeechJudge) -> bool {
    let sentences = told::all_sentences_of(&turn.text);
    let texts: Vec<&str> = sentences.iter().map(|range| &turn.text[range.clone()]).collect();
    let learned = |text: &str| {
        draft.candidates.iter().any(|one| {
            one.sources.first() == Some(&turn.id) && !one.evidence.is_empty() && text.contains(&one.evidence)
        })
    };
    let readings = judge.listen(&texts, None);
    texts.iter().zip(&readings).any(|(text, reading)| learned(text) && stands_alone(text, reading))
}

fn replace_by_nothing(draft: &mut Draft, goes: impl Fn(&Candidate) -> bool) {
    let gone: Vec<Candidate> = draft.candidates.iter().filter(|one| goes(one)).cloned().collect();
    gone.iter().for_each(|candidate| draft.leave_out(candidate));
    draft.candidates.retain(|one| !goes(one));
}

/// Puts one candidate in the place of others, as sure as the surest of them.
fn replace(draft: &mut Draft, goes: impl Fn(&Candidate) -> bool, mut by: Candidate) {
    let gone: Vec<Candidate> = draft.candidates.iter().filter(|one| goes(one)).cloned().collect();
    gone.iter().for_each(|candidate| draft.leave_out(candidate));
    let place = draft.candidates.iter().position(&goes).unwrap_or(0);
    draft.candidates.retain(|one| !goes(one));
    by.confidence = gone.iter().map(|one| one.confidence).fold(by.confidence, f32::max);
    draft.candidates.insert(place.min(draft.candidates.len()), by);
}

/// A sentence that is put right within itself, as it was meant: "parents' evening is on 24 November at 5… no, at 6".
fn right_within(text: &str) -> Option<String> {
    let marks = text.char_indices().filter(|(_, mark)| {
        matches!(mark, ',' | '，' | '、' | '…' | '.' | '-' | '–' | '—' | ';' | '،' | ' ')
    });
    let mut parts = marks.filter_map(|(at, mark)| {
        let (said, behind) = (&text[..at], text[at + mark.len_utf8()..].trim_start());
        let back = !behind.is_empty()
            && beginning(behind) == Some(Beginning::Surely)
            && !begins_a_word(said, mark, behind);
        back.then(|| right_value(said.trim_end_matches(['.', '…', ',', ' ']), behind)).flatten()
    });
    parts.next()
}

/// Whether only a space stands before what would take something back in one word: "I have no 4".
fn begins_a_word(said: &str, mark: char, behind: &str) -> bool {
    let apart = said.trim_end().ends_with(['.', '…', ',', '，', '-', '–', '—', ';']);
    mark == ' '
        && !apart
        && words_of(behind).first().is_none_or(|first| {
            BEGINNINGS.get(first).is_none_or(|phrases| {
                let words = words_of(behind);
                !phrases.iter().any(|phrase| phrase.len() > 1 && words.starts_with(phrase))
            })
        })
}

/// A statement with the value that a sentence gives which takes it back. "Not the 17th" gives none: it denies one.
fn right_value(statement: &str, back: &str) -> Option<String> {
    let words = words_of(back);
    let denies = words.first().is_some_and(|first| DENYING.contains(&first.as_str()));
    let alone =
        words.first().is_some_and(|first| first == "not") || longest(&words).is_none_or(|count| count < 2);
    let gives = !(denies && alone) || stands_apart(back);
    let by_name = || values::with_name_of(statement.trim(), back);
    by_name().or_else(|| gives.then(|| values::with_values_of(statement.trim(), back)).flatten())
}

fn clause_of(text: &str, reading: &SentenceReading) -> String {
    let clause = text.get(reading.clause.clone()).filter(|clause| !clause.trim().is_empty());
    clause.unwrap_or(text).to_owned()
}

fn asks(text: &str) -> bool {
    text.trim_end().ends_with(['?', '？', '؟'])
}

fn correction(
    draft: &Draft,
    texts: &[&str],
    readings: &[SentenceReading],
    judge: &dyn SpeechJudge,
    back: usize,
    tells: &impl Fn(&Draft, usize) -> bool,
) -> Option<Correction> {
    let asks = |place: usize| asks(texts[place]);
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
    let wide = text.chars().filter(|&character| is_han_kana_or_hangul(character)).count();
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
    fn a_sentence_that_is_put_right_within_itself_is_told_as_it_was_meant() {
        for (said, meant) in [
            (
                "zebranie w szkole jest 24 listopada o 17... nie, o 18",
                "zebranie w szkole jest 24 listopada o 18",
            ),
            ("朵朵的家长会是11月25号下午3点，哦不对，是2点", "朵朵的家长会是11月25号下午2点"),
            ("the exam is on the 3rd, no wait, the 8th", "the exam is on the 8th"),
            ("el examen es el 3, no, el 8", "el examen es el 8"),
            ("歯医者の予約が11月22日、あ、違う23日", "歯医者の予約が11月23日"),
        ] {
            assert_eq!(super::right_within(said).as_deref(), Some(meant), "{said}");
        }
        for said in [
            "I have 3 cats and no 4 walls hold them",
            "We paid 300, no deposit needed for 12 months",
            "I take 20 mg, no more",
            "The launch is on Tuesday 24 November now, not the 17th",
            "es el martes 24, no el 17",
        ] {
            assert_eq!(super::right_within(said), None, "{said}");
        }
    }

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
        for said in ["我不是四川人。", "来週面接があって緊張しています", "난 학생 아니야"]
        {
            assert_eq!(beginning(said), None, "{said}");
        }
        for said in ["My brother knows nothing.", "I waited for hours.", "Sem wordt zeven op 9 december."] {
            assert_eq!(beginning(said), None, "{said}");
        }
    }
}
