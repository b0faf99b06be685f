//! Patterns over words: compiled from the notation of [`super::rule`], matched with backtracking.
//!
//! No regular expressions: a pattern speaks of words, not characters, and its slots ask questions that an expression
//! cannot ("where does this object end?", "is this a name?"). A sentence is short and a pattern too, so backtracking
//! is cheap; a bound on the steps keeps it so whatever arrives.

use std::ops::Range;

use super::clauses::Sentence;
use super::lexer::words_of;
use super::lexicon::Tongue;
use super::slot_limits;
use super::slots;
use crate::language::DistilRule;

/// Steps of one attempt to match; real ones take a few dozen.
const STEPS_MAXIMUM: usize = 4_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum PatternSlot {
    /// What somebody likes, uses, decided: up to the end of its clause.
    Object,
    /// The same where it begins with a verb.
    Action,
    /// One to four capitalised words.
    Name,
    /// A name, or up to the end of the clause.
    Place,
    Number,
    Relation,
    Profession,
    Possession,
    Condition,
    Past,
    Ongoing,
    Imperative,
    Feeling,
    /// An object that begins with a number or a name.
    Value,
    /// A few words before a literal: "my favourite {what} is".
    What,
    /// An object that begins with an article, a possessive or a number: "a meeting", "my exam", "two exams".
    Thing,
    /// An order, up to the end of the sentence.
    Rest,
    /// A language's name.
    Language,
}

#[derive(Debug)]
enum Element {
    Words {
        alternatives: Vec<Vec<String>>,
        optional: bool,
        captured: bool,
    },
    Adverbs,
    /// The end of the clause: the sentence's end, a mark, or an "and".
    End,
    Slot(PatternSlot),
}

#[derive(Debug)]
pub(super) struct WordPattern {
    elements: Vec<Element>,
}

/// What a pattern found.
#[derive(Debug, Clone, Default)]
pub(super) struct PatternMatch {
    /// Tokens from the first word to behind the last.
    pub tokens: Range<usize>,
    pub slots: Vec<(PatternSlot, Range<usize>)>,
    /// The words of `<…>`.
    pub verb: Option<Range<usize>>,
}

impl PatternMatch {
    /// The first filling of a slot, or the second where a pattern has it twice.
    pub fn slot(&self, slot: PatternSlot, which: usize) -> Option<Range<usize>> {
        self.slots.iter().filter(|(found, _)| *found == slot).nth(which).map(|(_, range)| range.clone())
    }
}

impl PatternSlot {
    pub const ALL: [(&'static str, PatternSlot); 18] = [
        ("object", PatternSlot::Object),
        ("action", PatternSlot::Action),
        ("name", PatternSlot::Name),
        ("place", PatternSlot::Place),
        ("number", PatternSlot::Number),
        ("relation", PatternSlot::Relation),
        ("profession", PatternSlot::Profession),
        ("possession", PatternSlot::Possession),
        ("condition", PatternSlot::Condition),
        ("past", PatternSlot::Past),
        ("ongoing", PatternSlot::Ongoing),
        ("imperative", PatternSlot::Imperative),
        ("feeling", PatternSlot::Feeling),
        ("value", PatternSlot::Value),
        ("what", PatternSlot::What),
        ("thing", PatternSlot::Thing),
        ("rest", PatternSlot::Rest),
        ("language", PatternSlot::Language),
    ];

    pub fn named(name: &str) -> Option<PatternSlot> {
        Self::ALL.iter().find(|(known, _)| *known == name).map(|(_, slot)| *slot)
    }
}

impl WordPattern {
    /// Compiles the notation. The tables are constants and a test compiles them all, so an unknown slot is a mistake of
    /// ours and is read as a word that never matches.
    pub fn compile(notation: &str) -> Self {
        let mut elements = Vec::new();
        for piece in notation.split_whitespace() {
            let inside = |open: char, close: char| piece.strip_prefix(open)?.strip_suffix(close);
            if piece == "~" {
                elements.push(Element::Adverbs);
            } else if piece == "$" {
                elements.push(Element::End);
            } else if let Some(slot) = inside('{', '}').and_then(PatternSlot::named) {
                elements.push(Element::Slot(slot));
            } else if let Some(words) = inside('[', ']') {
                elements.push(words_element(words, true, false));
            } else if let Some(words) = inside('<', '>') {
                elements.push(words_element(words, false, true));
            } else {
                elements.push(words_element(piece, false, false));
            }
        }
        Self { elements }
    }

    /// The words that a match can begin with; none where the pattern begins with a slot.
    pub fn first_words(&self) -> Option<Vec<String>> {
        let mut first = Vec::new();
        for element in &self.elements {
            let Element::Words { alternatives, optional, .. } = element else { return None };
            first.extend(alternatives.iter().filter_map(|words| words.first().cloned()));
            if !optional {
                return Some(first);
            }
        }
        None
    }

    #[cfg(test)]
    pub fn slots(&self) -> Vec<PatternSlot> {
        let slot = |element: &Element| match element {
            Element::Slot(slot) => Some(*slot),
            _ => None,
        };
        self.elements.iter().filter_map(slot).collect()
    }

    pub fn match_at(
        &self,
        sentence: &Sentence,
        tongue: &Tongue,
        rule: &DistilRule,
        at: usize,
    ) -> Option<PatternMatch> {
        let mut matcher = Matcher { sentence, tongue, rule, steps: 0, found: PatternMatch::default() };
        let end = matcher.step(&self.elements, at)?;
        matcher.found.tokens = at..end;
        Some(matcher.found)
    }
}

fn words_element(words: &str, optional: bool, captured: bool) -> Element {
    let alternatives = words.split('|').map(|phrase| words_of(&phrase.replace('_', " "))).collect();
    Element::Words { alternatives, optional, captured }
}

struct Matcher<'a> {
    sentence: &'a Sentence<'a>,
    tongue: &'a Tongue,
    rule: &'a DistilRule,
    steps: usize,
    found: PatternMatch,
}

impl Matcher<'_> {
    /// Where the match of the elements from `at` on ends.
    fn step(&mut self, elements: &[Element], at: usize) -> Option<usize> {
        self.steps += 1;
        if self.steps > STEPS_MAXIMUM {
            return None;
        }
        let Some((element, rest)) = elements.split_first() else { return Some(at) };
        match element {
            Element::Words { alternatives, optional, captured } => {
                for words in alternatives {
                    if !self.words_at(words, at) {
                        continue;
                    }
                    let end = at + words.len();
                    if *captured {
                        self.found.verb = Some(at..end);
                    }
                    if let Some(end) = self.step(rest, end) {
                        return Some(end);
                    }
                }
                if *optional { self.step(rest, at) } else { None }
            }
            Element::Adverbs => self.adverbs(rest, at),
            Element::End => {
                let next = self.sentence.tokens.get(at);
                let ends = next.is_none_or(|token| {
                    !token.is_word
                        || self.tongue.joints.contains(&token.lower)
                        || self.tongue.boundaries.contains(&token.lower)
                });
                if ends { self.step(rest, at) } else { None }
            }
            Element::Slot(slot) => self.slot(*slot, rest, at),
        }
    }

    fn words_at(&self, words: &[String], at: usize) -> bool {
        words
            .iter()
            .enumerate()
            .all(|(offset, word)| self.sentence.tokens.get(at + offset).is_some_and(|token| token.is(word)))
    }

    fn adverbs(&mut self, rest: &[Element], at: usize) -> Option<usize> {
        if let Some(end) = self.step(rest, at) {
            return Some(end);
        }
        let length = self.tongue.adverbs.length_at(&self.sentence.tokens, at)?;
        self.adverbs(rest, at + length)
    }

    fn slot(&mut self, slot: PatternSlot, rest: &[Element], at: usize) -> Option<usize> {
        let ends = slots::ends(slot, self.sentence, self.tongue, self.rule, at, rest.is_empty());
        for end in ends {
            if !slot_limits::may_hold(slot, self.sentence, self.tongue, self.rule, at..end) {
                continue;
            }
            self.found.slots.push((slot, at..end));
            if let Some(end) = self.step(rest, end) {
                return Some(end);
            }
            self.found.slots.pop();
        }
        None
    }
}
