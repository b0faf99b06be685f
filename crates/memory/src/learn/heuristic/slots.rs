//! How far each kind of slot reaches, and what may fill it.

use std::ops::Range;

use super::clauses::Sentence;
use super::lexer::LexedToken;
use super::lexicon::Tongue;
use super::names::{is_name_like, names, names_at, place};
use super::object::{extent, is_quote, whole};
use super::pattern::PatternSlot;
use super::phrases::Phrases;
use crate::language::DistilRule;
use crate::types::Kind;

/// Words behind which the head of a noun phrase cannot stand any more: "a nurse at", "a dog named".
const BEHIND_HEAD: [&str; 27] = [
    "at", "in", "for", "with", "from", "of", "who", "on", "based", "and", "working", "living", "named",
    "called", "that", "by", "to", "or", "since", "near", "whose", "which", "over", "about", "right",
    "focusing", "because",
];

/// What a thing that somebody has begins with.
const THING_OPENINGS: [&str; 12] =
    ["a", "an", "my", "our", "two", "three", "four", "five", "another", "several", "some", "the"];

/// Verbs that a habit is not made of.
const AUXILIARIES: [&str; 6] = ["have", "be", "do", "get", "think", "feel"];

/// Languages that an assistant is asked to answer in.
const LANGUAGES: [&str; 22] = [
    "english",
    "spanish",
    "german",
    "french",
    "portuguese",
    "russian",
    "chinese",
    "japanese",
    "italian",
    "dutch",
    "korean",
    "arabic",
    "hindi",
    "turkish",
    "polish",
    "ukrainian",
    "swedish",
    "danish",
    "norwegian",
    "finnish",
    "czech",
    "greek",
];

/// The places where the slot that begins at `at` may end, best first. A slot that is the pattern's last takes the whole
/// of what it can; one that is followed by words is tried at every length.
pub(super) fn ends(
    slot: PatternSlot,
    sentence: &Sentence,
    tongue: &Tongue,
    rule: &DistilRule,
    at: usize,
    is_last: bool,
) -> Vec<usize> {
    let tokens = &sentence.tokens;
    if tokens.get(at).is_none_or(|token| !token.is_word && !is_quote(token)) {
        return Vec::new();
    }
    let listed = |list: &Phrases| list.length_at(tokens, at).map(|length| at + length);
    let one = match slot {
        PatternSlot::Name => return names(sentence, tongue, at),
        PatternSlot::What => {
            let names_thing = |end: &usize| names_thing(sentence, tongue, at..*end);
            return (at + 1..=(at + 4).min(tokens.len())).filter(names_thing).collect();
        }
        PatternSlot::Rest if !begins_order(sentence, tongue, at) => None,
        PatternSlot::Rest if is_last => Some(end_of_sentence(sentence)).filter(|end| *end > at),
        PatternSlot::Rest => return (at + 1..=end_of_sentence(sentence)).collect(),
        PatternSlot::Relation => relation(sentence, tongue, at),
        PatternSlot::Past => listed(&tongue.past),
        PatternSlot::Ongoing => listed(&tongue.ongoing),
        PatternSlot::Imperative => listed(&tongue.imperatives),
        PatternSlot::Feeling => listed(&tongue.feelings),
        PatternSlot::Language => LANGUAGES.contains(&tokens[at].lower.as_str()).then_some(at + 1),
        PatternSlot::Number => number(sentence, at),
        PatternSlot::Place if is_name_like(sentence, tongue, at) => place(sentence, tongue, at),
        _ if !is_last => return every_end(slot, sentence, tongue, rule, at),
        PatternSlot::Object | PatternSlot::Place => whole(sentence, tongue, rule, at),
        PatternSlot::Action => action(sentence, tongue, rule, at),
        PatternSlot::Value => value(sentence, tongue, rule, at),
        PatternSlot::Thing => thing(sentence, tongue, rule, at),
        PatternSlot::Profession => profession(sentence, tongue, rule, at),
        PatternSlot::Possession => possession(sentence, tongue, rule, at),
        PatternSlot::Condition => condition(sentence, tongue, rule, at),
    };
    one.into_iter().collect()
}

/// All lengths of an object that is followed by words of the pattern.
fn every_end(
    slot: PatternSlot,
    sentence: &Sentence,
    tongue: &Tongue,
    rule: &DistilRule,
    at: usize,
) -> Vec<usize> {
    let is_verb = tongue.imperatives.stands_at(&sentence.tokens, at)
        && !AUXILIARIES.contains(&sentence.tokens[at].lower.as_str());
    let fits = |end: &usize| match slot {
        PatternSlot::Action => is_verb,
        PatternSlot::Profession => has_head(&tongue.professions, sentence, at..*end),
        _ => true,
    };
    (at + 1..=extent(sentence, tongue, rule, at)).filter(fits).collect()
}

/// An object that begins with a verb which says something by itself.
fn action(sentence: &Sentence, tongue: &Tongue, rule: &DistilRule, at: usize) -> Option<usize> {
    let tokens = &sentence.tokens;
    let verb = skip_adverbs(sentence, tongue, at);
    let end = whole(sentence, tongue, rule, at)?;
    let idles = tongue.idle_actions.stands_at(tokens, verb);
    let is_past =
        rule.category == "pattern" && (tongue.past.stands_at(tokens, at) || tokens[at].lower.ends_with("ed"));
    let is_task = rule.kind == Kind::Goal && tongue.task_actions.stands_at(tokens, verb);
    let is_bare = matches!(rule.kind, Kind::Goal | Kind::Commitment) && end - at < 2;
    (!idles && !is_past && !is_task && !is_bare && !tokens[at].has_digit()).then_some(end)
}

/// An object that begins with a number or a name.
fn value(sentence: &Sentence, tongue: &Tongue, rule: &DistilRule, at: usize) -> Option<usize> {
    let first = &sentence.tokens[skip_article(sentence, at)];
    let has_value = first.has_digit() || first.is_capitalised(sentence.text) && !first.is("i");
    if has_value { whole(sentence, tongue, rule, at) } else { None }
}

fn thing(sentence: &Sentence, tongue: &Tongue, rule: &DistilRule, at: usize) -> Option<usize> {
    if begins_thing(&sentence.tokens[at]) { whole(sentence, tongue, rule, at) } else { None }
}

fn begins_thing(token: &LexedToken) -> bool {
    THING_OPENINGS.contains(&token.lower.as_str()) || token.has_digit()
}

fn possession(sentence: &Sentence, tongue: &Tongue, rule: &DistilRule, at: usize) -> Option<usize> {
    let tokens = &sentence.tokens;
    let begins = begins_thing(&tokens[at]) || tongue.possessions.stands_at(tokens, at);
    if begins { headed_by(&tongue.possessions, sentence, tongue, rule, at) } else { None }
}

/// Whether these words name something that can have a value: "budget", not "question".
fn names_thing(sentence: &Sentence, tongue: &Tongue, tokens: Range<usize>) -> bool {
    let words = &sentence.tokens[tokens];
    let says = |word: &str| {
        !tongue.idle_actions.contains(word) && !tongue.relations.contains(word.trim_end_matches("'s"))
    };
    words.iter().all(|token| token.is_word && says(&token.lower))
        && words.iter().any(|token| !tongue.empty_objects.contains(&token.lower))
}

/// Whether an order begins here: a base verb, with what may stand before one.
fn begins_order(sentence: &Sentence, tongue: &Tongue, mut at: usize) -> bool {
    // "Never give up!" is a saying.
    if end_of_sentence(sentence).saturating_sub(at) < 2
        || sentence.tokens.last().is_some_and(|token| token.is("!"))
    {
        return false;
    }
    const BEFORE: [&str; 13] = [
        "please", "always", "never", "only", "just", "also", "do", "not", "you", "should", "must", "can",
        "will",
    ];
    while sentence.tokens.get(at).is_some_and(|token| BEFORE.contains(&token.lower.as_str()) || token.is(","))
    {
        at += 1;
    }
    tongue.imperatives.stands_at(&sentence.tokens, at)
}

/// A word for somebody, also as "sister's" before "name".
fn relation(sentence: &Sentence, tongue: &Tongue, at: usize) -> Option<usize> {
    let owner = |token: &LexedToken| {
        token.lower.strip_suffix("'s").is_some_and(|stem| tongue.relations.contains(stem))
    };
    let names_next = sentence.tokens.get(at + 1).is_some_and(|token| token.is("name"));
    if names_next && owner(&sentence.tokens[at]) {
        return Some(at + 1);
    }
    tongue.relations.length_at(&sentence.tokens, at).map(|length| at + length)
}

fn end_of_sentence(sentence: &Sentence) -> usize {
    let noise = |at: &usize| sentence.tokens[*at].is("—") || sentence.tokens[*at].is(">");
    let mut end = (0..sentence.tokens.len()).find(noise).unwrap_or(sentence.tokens.len());
    while end > 0
        && !sentence.tokens[end - 1].is_word
        && !["\"", ")", "`"].contains(&sentence.tokens[end - 1].lower.as_str())
    {
        end -= 1;
    }
    end
}

fn skip_adverbs(sentence: &Sentence, tongue: &Tongue, mut at: usize) -> usize {
    while let Some(length) = tongue.adverbs.length_at(&sentence.tokens, at) {
        at += length;
    }
    at
}

fn skip_article(sentence: &Sentence, at: usize) -> usize {
    let is_small = ["a", "an", "the", "around", "about", "on", "from", "between"]
        .contains(&sentence.tokens[at].lower.as_str());
    if is_small && at + 1 < sentence.tokens.len() { at + 1 } else { at }
}

/// An age: "35", "35-year-old".
fn number(sentence: &Sentence, at: usize) -> Option<usize> {
    let token = &sentence.tokens[at];
    let is_age = token
        .lower
        .trim_end_matches("-year-old")
        .parse::<u32>()
        .is_ok_and(|number| (4..=120).contains(&number));
    is_age.then_some(at + 1)
}

/// A noun phrase whose head is in the list: "a freelance illustrator in Oslo", "two old cats named Tom and Kit".
fn headed_by(
    list: &Phrases,
    sentence: &Sentence,
    tongue: &Tongue,
    rule: &DistilRule,
    at: usize,
) -> Option<usize> {
    let end = whole(sentence, tongue, rule, at)?;
    has_head(list, sentence, at..end).then_some(end)
}

fn has_head(list: &Phrases, sentence: &Sentence, tokens: Range<usize>) -> bool {
    let behind = |place: &usize| {
        let token = &sentence.tokens[*place];
        !token.is_word || BEHIND_HEAD.contains(&token.lower.as_str())
    };
    let end = tokens.clone().find(behind).unwrap_or(tokens.end);
    let is_head =
        |place: usize| list.length_at(&sentence.tokens, place).is_some_and(|length| place + length == end);
    end - tokens.start <= 6 && (tokens.start..end).any(is_head)
}

/// A profession, with where it is practised if that is a name: "a nurse at Mercy Hospital".
fn profession(sentence: &Sentence, tongue: &Tongue, rule: &DistilRule, at: usize) -> Option<usize> {
    let end = headed_by(&tongue.professions, sentence, tongue, rule, at)?;
    let behind = |place: &usize| {
        let token = &sentence.tokens[*place];
        !token.is_word || BEHIND_HEAD.contains(&token.lower.as_str())
    };
    let head_end = (at..end).find(behind).unwrap_or(end);
    let place = sentence
        .tokens
        .get(head_end)
        .is_some_and(|token| ["at", "in", "for", "from"].contains(&token.lower.as_str()));
    Some(names_at(sentence, tongue, head_end + 1).filter(|_| place).unwrap_or(head_end))
}

/// A short object that names an illness or a diet.
fn condition(sentence: &Sentence, tongue: &Tongue, rule: &DistilRule, at: usize) -> Option<usize> {
    let end = whole(sentence, tongue, rule, at)?;
    let named = (at..end.min(at + 4)).any(|place| tongue.conditions.stands_at(&sentence.tokens, place));
    (named && end - at <= 8).then_some(end)
}
