//! Where an object ends, and what may not be one.
//!
//! An object goes on to the end of its clause: to a mark, a conjunction that begins another clause, or a word such as
//! "because". Lists keep their commas ("auth, transactions and analytics"). What is left must say something: pronouns,
//! fillers and endless objects are refused, because a wrong memory costs more than a missing one.

use std::ops::Range;

use super::clauses::Sentence;
use super::lexer::LexedToken;
use super::lexicon::Tongue;
use super::list_commas;
use crate::language::DistilRule;
use crate::types::Kind;

/// Words of an object. Longer ones are cut at a preposition; what then still is too long is refused.
const WORDS_MAXIMUM: usize = 18;

/// Characters of an object in a script without spaces.
const CHARACTERS_MAXIMUM: usize = 20;

/// Where a long object may be cut.
const SOFT: [&str; 18] = [
    "for", "with", "on", "in", "at", "by", "from", "during", "after", "before", "since", "about", "into",
    "using", "through", "via", "without", "where",
];

/// The end of the object that begins at `at`, if it says something.
pub(super) fn whole(sentence: &Sentence, tongue: &Tongue, rule: &DistilRule, at: usize) -> Option<usize> {
    let mut end = extent(sentence, tongue, rule, at);
    if tongue.refused_openings.stands_at(&sentence.tokens, at) || points_elsewhere(sentence, at..end) {
        return None;
    }
    let unspaced = sentence.tokens[at].lower.starts_with(super::lexer::is_unspaced);
    let maximum = if unspaced { CHARACTERS_MAXIMUM } else { WORDS_MAXIMUM };
    if words_in(sentence, at..end) > maximum {
        end = trimmed(sentence, tongue, at, cut(sentence, at..end, maximum)?);
    }
    (at..end).any(|place| says_something(sentence, tongue, rule, place)).then_some(end)
}

/// Whether a word carries an object. What happened needs more than a number and a date: "completed 12 problems".
fn says_something(sentence: &Sentence, tongue: &Tongue, rule: &DistilRule, place: usize) -> bool {
    let token = &sentence.tokens[place];
    let empty = [&tongue.empty_objects, &tongue.hollow, &tongue.adverbs, &tongue.dangling];
    let times = || sentence.times.iter().any(|time| time.phrase.contains(&token.range.start));
    token.is_word
        && !empty.iter().any(|list| list.contains(&token.lower))
        && !(rule.kind == Kind::Event && (token.lower.starts_with(|c: char| c.is_ascii_digit()) || times()))
}

/// Where an object that is too long may end: before a list that would be torn, else at a preposition.
fn cut(sentence: &Sentence, object: Range<usize>, maximum: usize) -> Option<usize> {
    let fits = |place: &usize| words_in(sentence, object.start..*place) <= maximum;
    let comma = (object.start + 3..object.end).find(|place| sentence.tokens[*place].is(","));
    let soft = |place: &usize| SOFT.contains(&sentence.tokens[*place].lower.as_str());
    comma.filter(fits).or_else(|| (object.start + 3..object.end).filter(fits).rfind(soft))
}

/// Whether it speaks of the assistant, or of something that only the conversation before it names.
fn points_elsewhere(sentence: &Sentence, object: Range<usize>) -> bool {
    let words = &sentence.tokens[object];
    let one_of = |count: usize, pronouns: &[&str]| {
        words.iter().take(count).any(|token| pronouns.contains(&token.lower.as_str()))
    };
    one_of(usize::MAX, &["you", "your", "yours"])
        || one_of(4, &["it", "these", "those", "them", "his", "her"])
        || one_of(2, &["this", "that"])
}

/// Where the clause of an object that begins at `start` ends.
pub(super) fn extent(sentence: &Sentence, tongue: &Tongue, rule: &DistilRule, start: usize) -> usize {
    let tokens = &sentence.tokens;
    let mut at = start;
    let mut listing = false;
    while let Some(token) = tokens.get(at) {
        let next = if token.is_word {
            let ends = at > start && ends_at_word(sentence, tongue, rule, at);
            (!ends).then_some(at + 1)
        } else if sentence.quoted[at] && at + 1 < tokens.len() {
            Some(at + 1)
        } else {
            match token.lower.as_str() {
                // The full stop of an abbreviation: "St. Jude".
                "." => tokens
                    .get(at + 1)
                    .filter(|next| next.is_word && next.range.start <= token.range.end + 1)
                    .map(|_| at + 1),
                "\"" | "'" | "`" | "*" | "/" => Some(at + 1),
                "," | ":" => list_commas::goes_on(sentence, tongue, start, at, &mut listing),
                _ => None,
            }
        };
        match next {
            Some(next) => at = next,
            None => break,
        }
    }
    trimmed(sentence, tongue, start, at)
}

fn ends_at_word(sentence: &Sentence, tongue: &Tongue, rule: &DistilRule, at: usize) -> bool {
    const CONDITIONS: [&str; 6] = ["when", "while", "whenever", "if", "before", "after"];
    let tokens = &sentence.tokens;
    if tongue.boundaries.stands_at(tokens, at) {
        let kept = rule.keeps_conditions && CONDITIONS.contains(&tokens[at].lower.as_str());
        return !kept;
    }
    if tokens[at].is("i") {
        return !(rule.keeps_conditions && CONDITIONS.contains(&tokens[at - 1].lower.as_str()));
    }
    tongue.joints.length_at(tokens, at).is_some_and(|length| {
        let next = at + length;
        tokens.get(next).is_none_or(|token| !token.is_word && !is_quote(token))
            || tongue.clause_words.stands_at(tokens, next)
            || tongue.past.stands_at(tokens, next)
                && !rule.joins_past
                && !tongue.imperatives.stands_at(tokens, next)
    })
}

pub(super) fn is_quote(token: &LexedToken) -> bool {
    !token.is_word && ["\"", "'", "`", "*"].contains(&token.lower.as_str())
}

/// Takes off marks and words that lead nowhere.
fn trimmed(sentence: &Sentence, tongue: &Tongue, start: usize, mut end: usize) -> usize {
    while end > start {
        let token = &sentence.tokens[end - 1];
        let closes_quote = !token.is_word && ["\"", "'", "`", "*"].contains(&token.lower.as_str());
        let dangles = token.is_word && tongue.dangling.contains(&token.lower);
        if closes_quote && quotes_balance(sentence, start..end) || token.is_word && !dangles {
            break;
        }
        end -= 1;
    }
    end
}

fn quotes_balance(sentence: &Sentence, tokens: Range<usize>) -> bool {
    let mark = &sentence.tokens[tokens.end - 1].lower;
    sentence.tokens[tokens].iter().filter(|token| !token.is_word && token.lower == *mark).count() % 2 == 0
}

fn words_in(sentence: &Sentence, tokens: Range<usize>) -> usize {
    sentence.tokens[tokens].iter().filter(|token| token.is_word).count()
}
