//! Where a slot ends, and what may not fill it.
//!
//! An object goes on to the end of its clause: to a mark, a conjunction that begins another clause, or a word such as
//! "because". Lists keep their commas ("auth, transactions and analytics"). What is left must say something: pronouns,
//! fillers and endless objects are refused, because a wrong memory costs more than a missing one.

use std::ops::Range;

use super::clauses::Sentence;
use super::pattern::Slot;
use super::rule::Rule;
use super::tongue::Tongue;
use crate::types::Kind;

/// Words of an object. Longer ones are cut at a preposition; what then still is too long is refused.
const WORDS_MAXIMUM: usize = 18;

/// Characters of an object in a script without spaces.
const CHARACTERS_MAXIMUM: usize = 20;

/// Words of one item of a list.
const ITEM_WORDS_MAXIMUM: usize = 4;

/// Words that an object does not end with.
const DANGLING: [&str; 46] = [
    "too", "though", "now", "and", "or", "to", "with", "for", "in", "on", "at", "of", "a", "an", "the", "as",
    "by", "from", "also", "well", "anyway", "lol", "haha", "really", "please", "that", "which", "my", "is",
    "are", "was", "about", "but", "so", "then", "how", "what", "where", "who", "not", "be", "while", "here",
    "etc", "very", "just",
];

/// Where a long object may be cut.
const SOFT: [&str; 18] = [
    "for", "with", "on", "in", "at", "by", "from", "during", "after", "before", "since", "about", "into",
    "using", "through", "via", "without", "where",
];

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

/// The places where the slot that begins at `at` may end, best first.
pub(super) fn ends(
    slot: Slot,
    sentence: &Sentence,
    tongue: &Tongue,
    rule: &Rule,
    at: usize,
    is_last: bool,
) -> Vec<usize> {
    let tokens = &sentence.tokens;
    if tokens
        .get(at)
        .is_none_or(|token| !token.is_word && !["\"", "'", "`", "*"].contains(&token.lower.as_str()))
    {
        return Vec::new();
    }
    let one = |list: &super::phrases::Phrases| {
        list.length_at(tokens, at).map(|length| at + length).into_iter().collect()
    };
    match slot {
        Slot::Relation => relation(sentence, tongue, at).into_iter().collect(),
        Slot::Past => one(&tongue.past),
        Slot::Ongoing => one(&tongue.ongoing),
        Slot::Imperative => one(&tongue.imperatives),
        Slot::Feeling => one(&tongue.feelings),
        Slot::Number => number(sentence, at).into_iter().collect(),
        Slot::Name => names(sentence, tongue, at),
        Slot::Language => tokens
            .get(at)
            .filter(|token| LANGUAGES.contains(&token.lower.as_str()))
            .map(|_| at + 1)
            .into_iter()
            .collect(),
        Slot::Rest if !begins_order(sentence, tongue, at) => Vec::new(),
        Slot::Rest if is_last => {
            Some(end_of_sentence(sentence)).filter(|end| *end > at).into_iter().collect()
        }
        Slot::Rest => (at + 1..=end_of_sentence(sentence)).collect(),
        Slot::What => (at + 1..=(at + 4).min(tokens.len()))
            .filter(|end| names_thing(sentence, tongue, at..*end))
            .collect(),
        Slot::Place if is_name_like(sentence, tongue, at) => {
            place(sentence, tongue, at).into_iter().collect()
        }
        Slot::Action
            if !is_last
                && (!tongue.imperatives.stands_at(tokens, at)
                    || AUXILIARIES.contains(&tokens[at].lower.as_str())) =>
        {
            Vec::new()
        }
        Slot::Profession if !is_last => {
            let end = extent(sentence, tongue, rule, at);
            (at + 1..=end).filter(|end| has_head(&tongue.professions, sentence, at..*end)).collect()
        }
        _ if !is_last => (at + 1..=extent(sentence, tongue, rule, at)).collect(),
        Slot::Object | Slot::Place => whole(sentence, tongue, rule, at),
        Slot::Action => {
            let idles = tongue.idle_actions.stands_at(tokens, skip_adverbs(sentence, tongue, at));
            let past = rule.category == "pattern"
                && (tongue.past.stands_at(tokens, at) || tokens[at].lower.ends_with("ed"));
            let is_task = rule.kind == Kind::Goal
                && tongue.task_actions.stands_at(tokens, skip_adverbs(sentence, tongue, at));
            let bare = matches!(rule.kind, Kind::Goal | Kind::Commitment)
                && whole(sentence, tongue, rule, at).first().is_some_and(|end| end - at < 2);
            if idles || past || bare || is_task || tokens[at].has_digit() {
                Vec::new()
            } else {
                whole(sentence, tongue, rule, at)
            }
        }
        Slot::Value => {
            let first = &tokens[skip_article(sentence, at)];
            let has_value = first.has_digit() || first.is_capitalised(sentence.text) && !first.is("i");
            if has_value { whole(sentence, tongue, rule, at) } else { Vec::new() }
        }
        Slot::Thing => {
            let begins = THING_OPENINGS.contains(&tokens[at].lower.as_str()) || tokens[at].has_digit();
            if begins { whole(sentence, tongue, rule, at) } else { Vec::new() }
        }
        Slot::Profession => profession(sentence, tongue, rule, at),
        Slot::Possession if tongue.past.stands_at(tokens, skip_adverbs(sentence, tongue, at)) => Vec::new(),
        Slot::Possession
            if !THING_OPENINGS.contains(&tokens[at].lower.as_str())
                && !tokens[at].has_digit()
                && !tongue.possessions.stands_at(tokens, at) =>
        {
            Vec::new()
        }
        Slot::Possession => headed_by(&tongue.possessions, sentence, tongue, rule, at),
        Slot::Condition => condition(sentence, tongue, rule, at),
    }
}

/// The end of the object that begins at `at`, if it says something.
fn whole(sentence: &Sentence, tongue: &Tongue, rule: &Rule, at: usize) -> Vec<usize> {
    let mut end = extent(sentence, tongue, rule, at);
    if tongue.refused_openings.stands_at(&sentence.tokens, at) || points_elsewhere(sentence, at..end) {
        return Vec::new();
    }
    let unspaced = sentence.tokens[at].lower.starts_with(super::lexer::is_unspaced);
    let maximum = if unspaced { CHARACTERS_MAXIMUM } else { WORDS_MAXIMUM };
    if words_in(sentence, at..end) > maximum {
        match cut(sentence, at..end, maximum) {
            Some(place) => end = trimmed(sentence, at, place),
            None => return Vec::new(),
        }
    }
    let says_something = (at..end).any(|place| {
        let token = &sentence.tokens[place];
        token.is_word
            && !tongue.empty_objects.contains(&token.lower)
            && !tongue.adverbs.contains(&token.lower)
    });
    if says_something && end > at { vec![end] } else { Vec::new() }
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
    let words = &sentence.tokens[object.clone()];
    words.iter().any(|token| ["you", "your", "yours"].contains(&token.lower.as_str()))
        || words
            .iter()
            .take(4)
            .any(|token| ["it", "this", "that", "these", "those", "them"].contains(&token.lower.as_str()))
}

/// Where the clause of an object that begins at `start` ends.
fn extent(sentence: &Sentence, tongue: &Tongue, rule: &Rule, start: usize) -> usize {
    let tokens = &sentence.tokens;
    let mut at = start;
    while at < tokens.len() {
        let token = &tokens[at];
        let ends = if token.is_word {
            at > start && ends_at_word(sentence, tongue, rule, at)
        } else if sentence.quoted[at] && at + 1 < tokens.len() {
            false
        } else {
            match token.lower.as_str() {
                "." => {
                    at + 1 >= tokens.len()
                        || !tokens[at + 1].is_word
                        || tokens[at + 1].range.start > token.range.end + 1
                }
                "\"" | "'" | "`" | "*" | "/" => false,
                "," if inside_time(sentence, at) => false,
                ":" => !list_goes_on(sentence, tongue, at),
                "," => {
                    !list_goes_on(sentence, tongue, at)
                        && !adjectives_go_on(sentence, tongue, start, at)
                        && !names_it(sentence, tongue, at)
                }
                _ => true,
            }
        };
        if ends {
            break;
        }
        at += 1;
    }
    trimmed(sentence, start, at)
}

fn ends_at_word(sentence: &Sentence, tongue: &Tongue, rule: &Rule, at: usize) -> bool {
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
            || tongue.past.stands_at(tokens, next) && !rule.joins_past
    })
}

/// Whether a comma belongs to a list: short items up to an "and", none of which begins a clause.
fn list_goes_on(sentence: &Sentence, tongue: &Tongue, comma: usize) -> bool {
    let tokens = &sentence.tokens;
    let mut item = 0;
    let mut at = comma + 1;
    while let Some(token) = tokens.get(at) {
        let begins = item == 0;
        if let Some(length) = tongue.joints.length_at(tokens, at) {
            let last = at + length;
            let behind = (last..tokens.len()).take_while(|place| tokens[*place].is_word).count();
            // ", and Greg gave me advice on it" is no last item.
            if begins && behind > ITEM_WORDS_MAXIMUM {
                return false;
            }
            return tokens.get(last).is_some_and(|next| next.is_word)
                && !tongue.clause_words.stands_at(tokens, last)
                && !tongue.boundaries.stands_at(tokens, last)
                && !(begins && tongue.past.stands_at(tokens, last));
        }
        if token.is(",") && !begins {
            item = 0;
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
    if !alone || tokens[comma - 1].is_capitalised(sentence.text) || comma + 1 >= tokens.len() {
        return false;
    }
    let end = (comma + 1..tokens.len()).find(|place| !tokens[*place].is_word).unwrap_or(tokens.len());
    let begins_clause =
        [&tongue.clause_words, &tongue.boundaries, &tongue.questions, &*super::tongue::OPENERS]
            .iter()
            .any(|list| list.stands_at(tokens, comma + 1));
    end > comma + 1 && !begins_clause
}

/// Whether a comma belongs to a date, or stands behind one before a preposition: "April 1, 2024, for the sprint".
fn inside_time(sentence: &Sentence, comma: usize) -> bool {
    const GOES_ON: [&str; 7] = ["for", "to", "at", "in", "with", "via", "on"];
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

fn is_quote(token: &super::lexer::Token) -> bool {
    !token.is_word && ["\"", "'", "`", "*"].contains(&token.lower.as_str())
}

/// Takes off marks and words that lead nowhere.
fn trimmed(sentence: &Sentence, start: usize, mut end: usize) -> usize {
    while end > start {
        let token = &sentence.tokens[end - 1];
        let closes_quote = !token.is_word && ["\"", "'", "`", "*"].contains(&token.lower.as_str());
        let dangles = token.is_word && DANGLING.contains(&token.lower.as_str());
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

/// Whether these words name something that can have a value: "budget", not "question".
fn names_thing(sentence: &Sentence, tongue: &Tongue, tokens: Range<usize>) -> bool {
    let words = &sentence.tokens[tokens];
    words.iter().all(|token| token.is_word && !tongue.idle_actions.contains(&token.lower))
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
    let owner = |token: &super::lexer::Token| {
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

/// Whether a name could begin here: a capital, and no word that only begins a sentence.
fn is_name_like(sentence: &Sentence, tongue: &Tongue, at: usize) -> bool {
    sentence.tokens.get(at).is_some_and(|token| {
        token.is_capitalised(sentence.text) && token.lower != "i" && !tongue.is_function_word(&token.lower)
    })
}

/// One to four capitalised words, longest first. Scripts without capitals give the rest of the clause.
fn names(sentence: &Sentence, tongue: &Tongue, at: usize) -> Vec<usize> {
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
fn place(sentence: &Sentence, tongue: &Tongue, at: usize) -> Option<usize> {
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

/// A noun phrase whose head is in the list: "a freelance illustrator in Oslo", "two old cats named Tom and Kit".
fn headed_by(
    list: &super::phrases::Phrases,
    sentence: &Sentence,
    tongue: &Tongue,
    rule: &Rule,
    at: usize,
) -> Vec<usize> {
    let Some(&end) = whole(sentence, tongue, rule, at).first() else { return Vec::new() };
    if has_head(list, sentence, at..end) { vec![end] } else { Vec::new() }
}

fn has_head(list: &super::phrases::Phrases, sentence: &Sentence, tokens: Range<usize>) -> bool {
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
fn profession(sentence: &Sentence, tongue: &Tongue, rule: &Rule, at: usize) -> Vec<usize> {
    let Some(&end) = headed_by(&tongue.professions, sentence, tongue, rule, at).first() else {
        return Vec::new();
    };
    let behind = |place: &usize| {
        let token = &sentence.tokens[*place];
        !token.is_word || BEHIND_HEAD.contains(&token.lower.as_str())
    };
    let head_end = (at..end).find(behind).unwrap_or(end);
    let place = sentence
        .tokens
        .get(head_end)
        .is_some_and(|token| ["at", "in", "for", "from"].contains(&token.lower.as_str()));
    match names_at(sentence, tongue, head_end + 1).filter(|_| place) {
        Some(behind_name) => vec![behind_name],
        None => vec![head_end],
    }
}

fn names_at(sentence: &Sentence, tongue: &Tongue, at: usize) -> Option<usize> {
    sentence.tokens.get(at)?;
    names(sentence, tongue, at).first().copied()
}

/// A short object that names an illness or a diet.
fn condition(sentence: &Sentence, tongue: &Tongue, rule: &Rule, at: usize) -> Vec<usize> {
    let Some(&end) = whole(sentence, tongue, rule, at).first() else { return Vec::new() };
    let named = (at..end.min(at + 4)).any(|place| tongue.conditions.stands_at(&sentence.tokens, place));
    if named && end - at <= 8 { vec![end] } else { Vec::new() }
}
