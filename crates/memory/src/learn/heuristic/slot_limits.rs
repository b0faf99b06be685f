//! What a slot may hold, so that a pattern never says of the user what was said of somebody or something else.
//!
//! A pattern is a few words and a gap, and a gap takes in whatever stands there: "母は高知" before "に住んでいます", "noche" behind "trabajo de". So each
//! language says what shows that a gap holds something else: the mark of another subject, a time, a manner. Where one is found the pattern gives
//! nothing, and the sentence is kept in the user's own words: a missing fact can be told again, a false one is believed.

use std::ops::Range;

use super::clauses::Sentence;
use super::lexer::is_unspaced;
use super::lexicon::Tongue;
use super::pattern::PatternSlot;
use super::phrases::Phrases;
use crate::language::{DistilRule, Language, SlotWords};
use crate::types::Kind;

/// What a home, a work, a name or a condition is, by the categories of the rules.
const FACTS: [&str; 4] = ["identity", "home", "work", "health"];

/// Words of a place that is typed without capitals throughout.
const SMALL_PLACE_WORDS: usize = 2;

/// Words in which something that is liked best is named: "favourite board game is".
const FAVOURITE_WORDS: usize = 5;

/// Verbs of an event that need somebody or something, and what shows that they have none: "we met at school".
const NEED_SOMEBODY: [&str; 3] = ["met", "bumped_into", "ran_into"];
const BEFORE_CIRCUMSTANCES: [&str; 9] = ["at", "in", "on", "through", "during", "when", "via", "back", "for"];

/// The lists of a language made ready for use.
#[derive(Debug)]
pub(super) struct SlotLimits {
    nowhere: Phrases,
    no_facts: Phrases,
    no_beginnings: Phrases,
    doings: Phrases,
    clubs: Phrases,
    trades: Vec<&'static str>,
    behind: Phrases,
    goes_on: Phrases,
    others: Phrases,
    subject_marks: Phrases,
    oneself: Phrases,
}

impl SlotLimits {
    pub fn new(words: &SlotWords) -> Self {
        Self {
            nowhere: Phrases::new(words.nowhere),
            no_facts: Phrases::new(words.no_facts),
            no_beginnings: Phrases::new(words.no_beginnings),
            doings: Phrases::new(words.doings),
            clubs: Phrases::new(words.clubs),
            trades: words.trades.split_whitespace().collect(),
            behind: Phrases::new(words.behind),
            goes_on: Phrases::new(words.goes_on),
            others: Phrases::new(words.others),
            subject_marks: Phrases::new(words.subject_marks),
            oneself: Phrases::new(words.oneself),
        }
    }
}

/// Whether these words may fill a slot of a rule.
pub(super) fn may_hold(
    slot: PatternSlot,
    sentence: &Sentence,
    tongue: &Tongue,
    rule: &DistilRule,
    words: Range<usize>,
) -> bool {
    use PatternSlot::{Action, Name, Object, Place, Profession, Value, What};
    if slot == Value {
        return !(is_favourite(sentence, words.start) && is_timed(sentence, &words));
    }
    if rule.kind == Kind::Rule && slot != Name
        || !matches!(slot, Action | Name | Object | Place | Profession | What)
    {
        return true;
    }
    let limits = &tongue.slots;
    let has = |list: &Phrases| words.clone().any(|place| list.stands_at(&sentence.tokens, place));
    // "I work at Hope Hospital": where only names have capitals, a capital makes a name of any word.
    let english = tongue.language == Language::English;
    let says_no_fact = words.clone().any(|place| {
        let named = english && sentence.tokens[place].is_capitalised(sentence.text);
        !named && limits.no_facts.stands_at(&sentence.tokens, place)
    });
    let is_fact = FACTS.contains(&rule.category) || slot == Name;
    // "Diagnosed with asthma last year" says since when.
    let may_not_be_timed = is_fact && rule.category != "health" || rule.predicate.starts_with("FAVOURITE");
    !has(&limits.nowhere)
        && !((rule.category == "work" || tongue.unspaced)
            && limits.no_beginnings.stands_at(&sentence.tokens, words.start))
        && !(is_fact && limits.doings.stands_at(&sentence.tokens, words.start))
        && !(rule.predicate == "FROM" && has(&limits.clubs))
        && !(is_fact && (says_no_fact || has(&limits.others)))
        && !(may_not_be_timed && is_timed(sentence, &words))
        && !has_subject(sentence, tongue, words.clone())
        && (!rule.needs_trade || is_trade(sentence, tongue, words.start))
        && (slot != Place || is_place(sentence, tongue, &words))
        && !(slot == Object && needs_somebody(sentence, rule, words.start))
}

/// Whether what a match says may be told of the user: nothing behind it turns it into something else, and nobody else is its subject.
pub(super) fn may_be_told(
    sentence: &Sentence,
    tongue: &Tongue,
    rule: &DistilRule,
    matched: &Range<usize>,
) -> bool {
    if !tongue.unspaced || rule.kind == Kind::Rule {
        return true;
    }
    let limits = &tongue.slots;
    let ends = ends_clause(sentence, tongue, matched.end);
    let says_who = matched.clone().any(|place| limits.oneself.stands_at(&sentence.tokens, place));
    ends && (says_who || !sentence.others_before && !has_subject(sentence, tongue, 0..matched.start))
}

/// Whether nothing follows but what says the same more softly: "です" and "よね", not "な人" or "だった".
fn ends_clause(sentence: &Sentence, tongue: &Tongue, mut at: usize) -> bool {
    let limits = &tongue.slots;
    while let Some(token) = sentence.tokens.get(at) {
        if !token.is_word || token.has_digit() || limits.goes_on.stands_at(&sentence.tokens, at) {
            return true;
        }
        match limits.behind.length_at(&sentence.tokens, at) {
            Some(length) => at += length,
            None => return false,
        }
    }
    true
}

/// Whether a text speaks of somebody else in a language whose sentences need no subject.
pub(super) fn names_others(sentence: &Sentence) -> bool {
    super::lexicon::TONGUES.iter().any(|tongue| tongue.slots.others.stands_in(&sentence.tokens))
}

/// Whether what is said just before is that something is liked best: "my favourite film is The Day After Tomorrow" names no day.
fn is_favourite(sentence: &Sentence, at: usize) -> bool {
    let before = &sentence.tokens[at.saturating_sub(FAVOURITE_WORDS)..at];
    before.iter().any(|token| token.is("favourite") || token.is("favorite"))
}

/// Whether a time stands among these words, as far as words are set apart or the time is one by its own.
fn is_timed(sentence: &Sentence, words: &Range<usize>) -> bool {
    let span = sentence.span(words.clone());
    sentence.times.iter().any(|time| time.phrase.start < span.end && span.start < time.phrase.end)
}

/// Whether the mark of a subject stands among these words: behind a sign or before one, where a word of hiragana cannot go on across it.
fn has_subject(sentence: &Sentence, tongue: &Tongue, words: Range<usize>) -> bool {
    let limits = &tongue.slots;
    let is_kana = |place: usize| {
        sentence.tokens[place].lower.chars().all(|sign| matches!(sign, '\u{3041}'..='\u{309F}'))
    };
    let first = words.start;
    words.clone().any(|place| {
        let behind_sign = place > first && (!is_kana(place - 1) || !sentence.tokens[place - 1].is_word);
        let before_sign = place > first && place + 1 < words.end && !is_kana(place + 1);
        let marks = limits.subject_marks.stands_at(&sentence.tokens, place) && (behind_sign || before_sign);
        // "です" and "ます" before "が" join two clauses.
        let joins =
            place > 0 && ["す", "た", "だ", "い"].contains(&sentence.tokens[place - 1].lower.as_str());
        let of_oneself = (first..place).any(|at| {
            limits.oneself.length_at(&sentence.tokens, at).is_some_and(|length| at + length == place)
        });
        marks && !joins && !of_oneself
    })
}

/// Whether a word for a trade stands here.
fn is_trade(sentence: &Sentence, tongue: &Tongue, at: usize) -> bool {
    let word = &sentence.tokens[at].lower;
    tongue
        .slots
        .trades
        .iter()
        .any(|trade| word == trade || word.len() > trade.len() + 3 && word.ends_with(trade))
}

/// Whether it could be a place on a map: it has a name, in scripts and languages where names have capitals of their own.
fn is_place(sentence: &Sentence, tongue: &Tongue, words: &Range<usize>) -> bool {
    let tokens = &sentence.tokens;
    let unspaced = tokens[words.start].lower.starts_with(is_unspaced);
    if unspaced || tongue.language == Language::German {
        return true;
    }
    let named = tokens[words.clone()].iter().any(|token| token.is_capitalised(sentence.text));
    let typed_small = tokens.iter().find(|token| token.is_word);
    let typed_small =
        typed_small.is_some_and(|first| first.source(sentence.text).starts_with(char::is_lowercase));
    named || typed_small && words.len() <= SMALL_PLACE_WORDS
}

/// "We met at school" met nobody that is known.
fn needs_somebody(sentence: &Sentence, rule: &DistilRule, at: usize) -> bool {
    let before = at.checked_sub(1).map(|before| sentence.tokens[before].lower.as_str());
    rule.kind == Kind::Event
        && before.is_some_and(|verb| NEED_SOMEBODY.contains(&verb))
        && BEFORE_CIRCUMSTANCES.contains(&sentence.tokens[at].lower.as_str())
}
