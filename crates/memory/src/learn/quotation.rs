//! Where a message shows by its marks that it passes on somebody's words: “…”, «…», 「…」, "…" and '…'.
//!
//! A word in quotation marks is a word that is spoken of; only what is as long as a sentence is speech.

use std::ops::Range;

/// Letters of a quotation that is a sentence.
const SENTENCE_LETTERS: usize = 28;

/// Bytes of a text in which the closing mark is looked for.
const QUOTATION_BYTES: usize = 4_096;

/// How much of a sentence must stand inside of quotations to be one.
const SHARE: f64 = 0.7;

/// The same of a sentence that hands a text over: "Pull out the names: …".
const SHARE_GIVEN: f64 = 0.4;

/// The closing marks of an opening one; nothing where it opens nothing.
fn closing(opening: char) -> &'static [char] {
    match opening {
        '“' => &['”'],
        '„' => &['“', '”'],
        '«' => &['»'],
        '»' => &['«'],
        '「' => &['」'],
        '『' => &['』'],
        '‘' => &['’'],
        '‚' => &['‘', '’'],
        '"' => &['"'],
        '\'' => &['\''],
        _ => &[],
    }
}

/// The quotations of a text that are as long as a sentence.
pub(super) fn quotations(text: &str) -> Vec<Range<usize>> {
    let long = |range: &Range<usize>| text[range.clone()].chars().count() >= SENTENCE_LETTERS;
    all_quotations(text).into_iter().filter(long).collect()
}

/// The quotations of a text, however short: for what must not be taken for the speaker's own in any case.
pub(super) fn all_quotations(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some((at, end)) = next(text, from) {
        match end {
            Some(end) => {
                found.push(at..end);
                from = end;
            }
            None => from = at + text[at..].chars().next().map_or(1, char::len_utf8),
        }
    }
    found
}

/// The next opening mark behind a place, and the end of its quotation where it has one.
fn next(text: &str, from: usize) -> Option<(usize, Option<usize>)> {
    let mut before = text[..from].chars().next_back();
    for (offset, character) in text[from..].char_indices() {
        let closers = closing(character);
        // A mark inside of a word is an apostrophe, and one behind a word closes.
        let opens = !closers.is_empty() && before.is_none_or(|before| !before.is_alphanumeric());
        if opens {
            let (at, inside) = (from + offset, from + offset + character.len_utf8());
            return Some((at, end_of(text, inside, closers)));
        }
        before = Some(character);
    }
    None
}

fn end_of(text: &str, inside: usize, closers: &[char]) -> Option<usize> {
    let limit = text.floor_char_boundary((inside + QUOTATION_BYTES).min(text.len()));
    let mut before = None;
    for (offset, character) in text[inside..limit].char_indices() {
        let after = inside + offset + character.len_utf8();
        if closers.contains(&character) {
            let apostrophe = matches!(character, '\'' | '’');
            let goes_on = text[after..].chars().next().is_some_and(char::is_alphanumeric);
            let spaced = before.is_none_or(char::is_whitespace);
            if !(apostrophe && (goes_on || spaced)) {
                return Some(after);
            }
        }
        before = Some(character);
    }
    None
}

/// Whether a part of a text stands inside of its quotations.
pub(super) fn is_within(quotations: &[Range<usize>], part: &Range<usize>) -> bool {
    share(quotations.iter(), part) >= SHARE
}

/// The quotations of a text that are handed over to be worked on, behind a colon.
pub(super) fn handed_over(text: &str) -> Vec<Range<usize>> {
    let given = |quotation: &Range<usize>| {
        let letters: usize = text[quotation.clone()].chars().map(letters).sum();
        letters >= SENTENCE_LETTERS && text[..quotation.start].trim_end().ends_with([':', '：'])
    };
    all_quotations(text).into_iter().filter(given).collect()
}

/// Whether what is handed over is the better part of a part of a text.
pub(super) fn hands_over(given: &[Range<usize>], part: &Range<usize>) -> bool {
    share(given.iter(), part) >= SHARE_GIVEN
}

/// A character of a script without spaces says as much as two letters.
fn letters(character: char) -> usize {
    1 + usize::from(character >= '\u{2E80}')
}

fn share<'a>(quotations: impl Iterator<Item = &'a Range<usize>>, part: &Range<usize>) -> f64 {
    let shared = |quotation: &Range<usize>| {
        quotation.end.min(part.end).saturating_sub(quotation.start.max(part.start))
    };
    quotations.map(shared).sum::<usize>() as f64 / part.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_as_long_as_a_sentence_between_marks_is_a_quotation() {
        for (text, quoted) in [
            ("Proofread: 'I live in Swansea with my two boys, it's fine.' thanks", Some("I live in Swansea")),
            ("Translate “my sister lives in Oslo with two cats” please", Some("my sister")),
            ("Übersetze: „Mein Bruder wohnt seit Jahren in Bonn und malt.“", Some("Mein Bruder")),
            ("traduis « mon frère habite à Bordeaux depuis toujours »", Some("mon frère")),
            (
                "把这句翻译成英文：「我住在上海，养了两只猫，每天早上六点去公园跑步，周末去看爸妈。」",
                Some("我住在"),
            ),
            ("never use the word \"leverage\" in my mails, please", None),
            ("my sister's dog and my brother's cat don't like each other's food", None),
            ("it's 6' tall and 'quite' heavy", None),
        ] {
            let found = quotations(text);
            let shown: Vec<&str> = found.iter().map(|range| &text[range.clone()]).collect();
            assert_eq!(
                shown.iter().any(|shown| quoted.is_some_and(|said| shown.contains(said))),
                quoted.is_some(),
                "{text}: {shown:?}"
            );
        }
    }

    #[test]
    fn a_sentence_is_quoted_where_most_of_it_is() {
        let text = "Fix this: 'I was born in Memphis in the back of a bar.' I live in Leeds.";
        let found = quotations(text);
        let place = |said: &str| text.find(said).map(|at| at..at + said.len()).expect("it is there");
        assert!(is_within(&found, &place("I was born in Memphis in the back of a bar")));
        assert!(!is_within(&found, &place("I live in Leeds.")));
    }

    #[test]
    fn what_is_quoted_behind_a_colon_is_handed_over() {
        for (text, given) in [
            (
                "Pull out the names and ages from this: \"Tom (34) and his sister Ruth, 29, moved to Oslo.\"",
                true,
            ),
            ("从这段文字里提取人名和职业:“张明是会计,他姐姐张丽在医院当护士。”", true),
            ("Señala el complemento directo: «El alcalde entregó las llaves a los bomberos.»", true),
            ("My daughter was born on Monday and we call her \"Wilhelmina Augusta Clementine\".", false),
            ("One thing: I live in Leeds.", false),
        ] {
            assert_eq!(hands_over(&handed_over(text), &(0..text.len())), given, "{text}");
        }
    }
}
