//! Names of people, places and companies: runs of capitalised words, as far as a script has capitals.

use super::clauses::Sentence;
use super::lexicon::Tongue;

/// Whether a name could begin here: a capital, and no word that only begins a sentence.
pub(super) fn is_name_like(sentence: &Sentence, tongue: &Tongue, at: usize) -> bool {
    sentence.tokens.get(at).is_some_and(|token| {
        token.is_capitalised(sentence.text) && token.lower != "i" && !tongue.is_function_word(&token.lower)
    })
}

/// One to four capitalised words, longest first. Scripts without capitals give the rest of the clause.
pub(super) fn names(sentence: &Sentence, tongue: &Tongue, at: usize) -> Vec<usize> {
    if sentence.tokens[at].lower.starts_with(super::lexer::is_unspaced) {
        let run = |place: &usize| sentence.tokens.get(*place).is_some_and(|token| token.is_word);
        let end = (at..at + 8).take_while(run).count() + at;
        return (at + 1..=end).rev().collect();
    }
    let mut end = at;
    while end < at + 4 && is_name_like(sentence, tongue, end) {
        end += 1;
        if sentence.tokens[end - 1].lower.ends_with("'s") {
            break;
        }
        // "Dr. Lee": the full stop of an abbreviation.
        if sentence.tokens.get(end).is_some_and(|token| token.is("."))
            && is_name_like(sentence, tongue, end + 1)
        {
            end += 1;
        }
    }
    (at + 1..=end).rev().filter(|end| sentence.tokens[*end - 1].is_word).collect()
}

/// A place's name, with the larger place behind a comma: "Portland, Oregon".
pub(super) fn place(sentence: &Sentence, tongue: &Tongue, at: usize) -> Option<usize> {
    const INSIDE: [&str; 6] = ["of", "de", "la", "del", "upon", "am"];
    let mut end = *names(sentence, tongue, at).first()?;
    let small = |place: usize| sentence.tokens.get(place).is_some_and(|t| INSIDE.contains(&t.lower.as_str()));
    while small(end) && is_name_like(sentence, tongue, end + 1) {
        end = names(sentence, tongue, end + 1).first().copied().unwrap_or(end + 2);
    }
    let larger = sentence.tokens.get(end).is_some_and(|token| token.is(","))
        && is_name_like(sentence, tongue, end + 1);
    if larger {
        let behind = names(sentence, tongue, end + 1).first().copied().unwrap_or(end + 2);
        if sentence.tokens.get(behind).is_none_or(|token| !token.is_word) {
            return Some(behind);
        }
    }
    Some(end)
}

/// Where the name that begins here ends.
pub(super) fn names_at(sentence: &Sentence, tongue: &Tongue, at: usize) -> Option<usize> {
    sentence.tokens.get(at)?;
    names(sentence, tongue, at).first().copied()
}
