//! What the judges see of a text besides its pieces: the numbers that `xtask/python/judge_features.py` counts, in its order.

use std::collections::BTreeSet;

/// Numbers about a sentence.
pub(super) const MARKS: usize = 20;

/// Numbers about two texts.
pub(super) const PLAIN: usize = 8;

const OPENING: &str = "\"'“”„«»‘‚「『《‹*>";
const QUOTES: &str = "\"“”„«»「」『』";
const QUESTION: [char; 3] = ['?', '？', '؟'];
const COLON: [char; 2] = [':', '：'];

/// About a sentence and where it stands in its message.
pub(super) fn of_sentence(message: &[&str], place: usize) -> [f32; MARKS] {
    let text = message[place].trim();
    let before = place.checked_sub(1).map(|at| message[at].trim());
    let count = message.len();
    let last = text.chars().next_back();
    let first = text.chars().next();
    let is = |said: bool| f32::from(u8::from(said));
    let quotes = text.chars().filter(|c| QUOTES.contains(*c)).count();
    let beginning: String = text.chars().take(30).collect();
    let header = beginning.contains(':').then(|| text.split(':').next().unwrap_or_default());
    let header = header.filter(|header| !header.is_empty());
    let letter = text.chars().find(|c| c.is_alphabetic());
    [
        is(last.is_some_and(|c| QUESTION.contains(&c))),
        is(text.contains(QUESTION)),
        is(last.is_some_and(|c| COLON.contains(&c))),
        is(before.and_then(|text| text.chars().next_back()).is_some_and(|c| COLON.contains(&c))),
        is(first.is_some_and(|c| OPENING.contains(c))),
        is(quotes > 0),
        is(quotes % 2 == 1),
        is(first.is_some_and(|c| "-•*>#|".contains(c))),
        is(header.is_some_and(|header| header.split_whitespace().count() <= 3)),
        is(text.chars().any(char::is_numeric)),
        text.chars().count().min(400) as f32 / 200.0,
        is(place == 0),
        is(place + 1 == count),
        count.min(12) as f32 / 6.0,
        place.min(12) as f32 / 6.0,
        is(letter.is_some_and(char::is_lowercase)),
        is(text.contains(['!', '！'])),
        is(text.contains(['{', '}', '<', '>', '=', ';', '\\', '_', '`'])),
        is(place + 1 == count),
        is(place == 0),
    ]
}

/// The numbers and names of a text.
pub(super) struct PlainMarks {
    numbers: BTreeSet<String>,
    names: BTreeSet<String>,
}

impl PlainMarks {
    pub fn of(text: &str) -> Self {
        Self { numbers: numbers(text).into_iter().map(str::to_owned).collect(), names: names(text) }
    }

    /// About this text and a later one.
    pub fn beside(&self, later: &PlainMarks) -> [f32; PLAIN] {
        let is = |said: bool| f32::from(u8::from(said));
        let share = |a: &BTreeSet<String>, b: &BTreeSet<String>| a.intersection(b).next().is_some();
        let more =
            |of: &BTreeSet<String>, than: &BTreeSet<String>| of.difference(than).count().min(3) as f32 / 3.0;
        let (a, b) = (&self.numbers, &later.numbers);
        [
            is(!a.is_empty()),
            is(!b.is_empty()),
            is(!a.is_empty() && !b.is_empty()),
            is(a == b),
            is(share(a, b)),
            is(share(&self.names, &later.names)),
            more(&later.names, &self.names),
            more(&self.names, &later.names),
        ]
    }
}

/// About an earlier and a later text.
pub(super) fn of_pair(earlier: &str, later: &str) -> [f32; PLAIN] {
    PlainMarks::of(earlier).beside(&PlainMarks::of(later))
}

/// Runs of digits, with marks between them: 10, 7.5, 14:30.
fn numbers(text: &str) -> BTreeSet<&str> {
    let mut found = BTreeSet::new();
    let mut start = None;
    let mut end = 0;
    for (at, character) in text.char_indices() {
        if character.is_numeric() {
            start = start.or(Some(at));
            end = at + character.len_utf8();
        } else if let Some(begin) = start {
            let next = text[at + character.len_utf8()..].chars().next();
            let goes_on =
                matches!(character, '.' | ',' | ':') && next.is_some_and(char::is_numeric) && end == at;
            if !goes_on {
                found.insert(&text[begin..end]);
                start = None;
            }
        }
    }
    if let Some(begin) = start {
        found.insert(&text[begin..end]);
    }
    found
}

/// Words with a capital letter that do not begin the text, in lower case.
fn names(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut start = None;
    let mut word = |begin: usize, end: usize| {
        let word = &text[begin..end];
        if begin > 0 && word.starts_with(char::is_uppercase) && word.chars().nth(1).is_some() {
            found.insert(word.to_lowercase());
        }
    };
    for (at, character) in text.char_indices() {
        match (character.is_alphabetic(), start) {
            (true, None) => start = Some(at),
            (false, Some(begin)) => {
                word(begin, at);
                start = None;
            }
            _ => {}
        }
    }
    if let Some(begin) = start {
        word(begin, text.len());
    }
    found
}
