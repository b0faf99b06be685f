//! Commas that do not end an object: those of lists, dates, adjectives, numbers and names.

use super::clauses::Sentence;
use super::lexicon::{OPENERS, Tongue};
use super::names::names_at;

/// Words of one item of a list.
const ITEM_WORDS_MAXIMUM: usize = 4;

/// Words of what is inserted between two commas.
const INSERTION_WORDS_MAXIMUM: usize = 8;

/// Words behind which a clause goes on after an insertion or a date.
const GOES_ON: [&str; 9] = ["for", "to", "at", "in", "with", "via", "on", "during", "about"];

/// Where the object that began at `start` goes on behind a comma or a colon; none if it ends there. `listing` remembers
/// that a list has begun, so that its last item may be long.
pub(super) fn goes_on(
    sentence: &Sentence,
    tongue: &Tongue,
    start: usize,
    mark: usize,
    listing: &mut bool,
) -> Option<usize> {
    // Where words are not set apart a comma is the end of a clause as often as one of a list.
    if tongue.unspaced {
        return between_numbers(sentence, mark).then_some(mark + 1);
    }
    if list_goes_on(sentence, tongue, mark, *listing) {
        *listing = true;
        return Some(mark + 1);
    }
    if sentence.tokens[mark].is(":") {
        return None;
    }
    let continues = inside_time(sentence, mark)
        || between_numbers(sentence, mark)
        || adjectives_go_on(sentence, tongue, start, mark)
        || names_it(sentence, tongue, mark);
    if continues { Some(mark + 1) } else { behind_insertion(sentence, mark) }
}

/// Behind what is inserted after a name: "met Ana, a retired director, at the festival".
fn behind_insertion(sentence: &Sentence, comma: usize) -> Option<usize> {
    let tokens = &sentence.tokens;
    let first = tokens.get(comma + 1)?;
    let inserts = ["a", "an", "the", "my", "our", "who"].contains(&first.lower.as_str()) || first.has_digit();
    let named = comma > 0 && tokens[comma - 1].is_capitalised(sentence.text);
    let length = tokens[comma + 1..].iter().take_while(|token| token.is_word).count();
    let close = comma + 1 + length;
    let goes_on = tokens.get(close + 1).is_some_and(|token| GOES_ON.contains(&token.lower.as_str()));
    let closes = tokens.get(close).is_some_and(|token| token.is(","));
    (named && inserts && length <= INSERTION_WORDS_MAXIMUM && closes && goes_on).then_some(close + 1)
}

fn between_numbers(sentence: &Sentence, comma: usize) -> bool {
    let number = |place: Option<usize>| {
        place.and_then(|at| sentence.tokens.get(at)).is_some_and(|token| token.has_digit())
    };
    number(comma.checked_sub(1)) && number(Some(comma + 1))
}

/// Whether a comma belongs to a list: short items up to an "and", none of which begins a clause.
fn list_goes_on(sentence: &Sentence, tongue: &Tongue, comma: usize, listing: bool) -> bool {
    let tokens = &sentence.tokens;
    let (mut item, mut items) = (0, 0);
    let mut at = comma + 1;
    while let Some(token) = tokens.get(at) {
        let begins = item == 0;
        if let Some(length) = tongue.joints.length_at(tokens, at) {
            let last = at + length;
            let behind = (last..tokens.len()).take_while(|place| tokens[*place].is_word).count();
            // ", and Greg gave me advice on it" is no last item.
            if begins && items == 0 && !listing && behind > ITEM_WORDS_MAXIMUM {
                return false;
            }
            let begins_clause = tongue.clause_words.stands_at(tokens, last)
                || tongue.boundaries.stands_at(tokens, last)
                || begins && tongue.past.stands_at(tokens, last);
            return !begins_clause && tokens.get(last).is_some_and(|next| next.is_word);
        }
        if token.is(",") && !begins {
            item = 0;
            items += 1;
        } else if !token.is_word && !["\"", "`", "'", "*"].contains(&token.lower.as_str()) {
            return false;
        } else {
            let stops = tongue.boundaries.stands_at(tokens, at) || tongue.questions.stands_at(tokens, at);
            if stops || begins && tongue.clause_words.stands_at(tokens, at) || item >= ITEM_WORDS_MAXIMUM {
                return false;
            }
            item += 1;
        }
        at += 1;
    }
    false
}

/// Whether a comma stands between adjectives: "simple, minimal dependencies".
fn adjectives_go_on(sentence: &Sentence, tongue: &Tongue, start: usize, comma: usize) -> bool {
    let tokens = &sentence.tokens;
    let alone = comma == start + 1 || comma == start + 2 && tokens[start].lower.ends_with("ing");
    if !alone
        || tokens[comma - 1].is_capitalised(sentence.text)
        || tokens[comma - 1].has_digit()
        || comma + 1 >= tokens.len()
    {
        return false;
    }
    let end = (comma + 1..tokens.len()).find(|place| !tokens[*place].is_word).unwrap_or(tokens.len());
    let begins_clause = [&tongue.clause_words, &tongue.boundaries, &tongue.questions, &*OPENERS]
        .iter()
        .any(|list| list.stands_at(tokens, comma + 1));
    end > comma + 1 && !begins_clause
}

/// Whether a comma belongs to a date, or stands behind one before a preposition: "April 1, 2024, for the sprint".
fn inside_time(sentence: &Sentence, comma: usize) -> bool {
    let range = &sentence.tokens[comma].range;
    let goes_on = sentence.tokens.get(comma + 1).is_some_and(|next| GOES_ON.contains(&next.lower.as_str()));
    sentence.times.iter().any(|time| {
        time.phrase.start < range.start && range.end <= time.phrase.end
            || time.phrase.end == range.start && goes_on
    })
}

/// Whether a comma is followed by the name of what stands before it: "my supervisor, Karen Lee, …".
fn names_it(sentence: &Sentence, tongue: &Tongue, comma: usize) -> bool {
    let Some(end) = names_at(sentence, tongue, comma + 1) else { return false };
    let before = sentence.tokens.get(comma.wrapping_sub(1));
    let is_noun = before
        .is_some_and(|token| token.is_word && !token.is_capitalised(sentence.text) && !token.has_digit());
    is_noun && sentence.tokens.get(end).is_none_or(|token| token.is(",") || token.is("."))
}
