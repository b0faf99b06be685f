//! From a match to a candidate: the sentence filled in, key, validity, durability, feeling.

use std::ops::Range;

use super::clauses::Sentence;
use super::dates;
use super::emotion;
use super::lexicon::Tongue;
use super::normalise::{Voice, render, slug, third_person, verbs_of};
use super::pattern::{PatternMatch, PatternSlot};
use crate::language::{DistilRule, Language};
use crate::learn::draft::Candidate;
use crate::types::StatementDurability;
use crate::types::{Kind, Turn};

/// Words before a statement that take some of its certainty.
const HEDGES: [&str; 6] = ["think", "guess", "maybe", "probably", "perhaps", "might"];

/// A match with everything around it that a candidate is made of.
pub(super) struct RuleMatch<'a> {
    pub sentence: &'a Sentence<'a>,
    pub tongue: &'a Tongue,
    pub rule: &'a DistilRule,
    pub matched: PatternMatch,
}

impl RuleMatch<'_> {
    pub fn candidate(&self, turn: &Turn) -> Option<Candidate> {
        let rule = self.rule;
        let content = sentence_case(&self.fill(rule.says)?);
        let object = self.fill_verbatim(rule.object)?;
        let durability = self.durability();
        let valid = dates::valid(self.sentence, self.matched.tokens.clone(), rule.dates, turn.at);
        let hedged = self.is_hedged();
        let explicit = durability == StatementDurability::Explicit;
        Some(Candidate {
            kind: rule.kind,
            layer: rule.kind.usual_layer(),
            key: Some(self.key(&object)?),
            category: rule.category.to_owned(),
            subject: some(self.fill_verbatim(rule.subject)?),
            predicate: some(capitals(&self.fill_verbatim(rule.predicate)?)),
            object: some(object),
            evidence: self.sentence.quote().to_owned(),
            sources: vec![turn.id.clone()],
            confidence: rule.confidence - if hedged { 0.1 } else { 0.0 },
            salience: if explicit { rule.salience.max(0.9) } else { rule.salience },
            tags: self.tags(),
            emotion: emotion::of(&self.sentence.tokens),
            valid_from: valid.from,
            valid_until: valid.until,
            durability,
            single_valued: rule.slot.is_some(),
            made_by: format!("{}.{}", self.tongue.language.code(), rule.name),
            advice: None,
            matter: None,
            changes: false,
            changing: 0.0,
            core: None,
            dated: None,
            sensitive: false,
            put_right: false,
            content,
        })
    }

    /// What the key names: the slot of a fact with one value, else the thing itself.
    fn key(&self, object: &str) -> Option<String> {
        if let Some(slot) = self.rule.slot {
            let (category, name) = slot.split_once(':')?;
            return Some(format!("{category}:{}", slug(&self.fill_verbatim(name)?)));
        }
        let named = match self.rule.kind {
            Kind::Rule => self.fill(self.rule.says)?,
            Kind::Relationship => {
                format!("{} {}", self.fill_verbatim("{relation}")?, self.fill_verbatim("{name}")?)
            }
            _ if object.is_empty() => self.fill(self.rule.says)?,
            _ => object.to_owned(),
        };
        let slug = slug(&named);
        (!slug.is_empty()).then(|| format!("{}:{slug}", self.rule.category))
    }

    fn durability(&self) -> StatementDurability {
        let tokens = &self.sentence.tokens;
        if self.tongue.durable.stands_in(tokens) {
            StatementDurability::Explicit
        } else if self.tongue.passing.stands_in(tokens) {
            StatementDurability::Turn
        } else {
            self.rule.durability
        }
    }

    fn is_hedged(&self) -> bool {
        let start = self.matched.tokens.start;
        let before = &self.sentence.tokens[start.saturating_sub(3)..start];
        before.iter().any(|token| HEDGES.contains(&token.lower.as_str()))
    }

    fn tags(&self) -> Vec<String> {
        let first = self.sentence.tokens.first().map_or("", |token| token.lower.as_str());
        let corrects =
            ["actually", "correction", "sorry", "no"].contains(&first) && self.rule.kind != Kind::Correction;
        if corrects { vec!["correction".to_owned()] } else { Vec::new() }
    }

    /// Fills a template in the voice of its kind.
    fn fill(&self, template: &str) -> Option<String> {
        let voice = match self.rule.kind {
            // Only English pronouns are exchanged; "me" is another word elsewhere.
            _ if self.tongue.language != Language::English => Voice::Verbatim,
            Kind::Rule => Voice::Instruction,
            Kind::Commitment | Kind::Goal => Voice::Ahead,
            _ => Voice::About,
        };
        fill(template, |name| self.part(name, voice))
    }

    fn fill_verbatim(&self, template: &str) -> Option<String> {
        fill(template, |name| self.part(name, Voice::Verbatim))
    }

    /// What stands for a name in a template.
    fn part(&self, name: &str, voice: Voice) -> Option<String> {
        let (name, how) = name.split_once(':').unwrap_or((name, ""));
        let verb = |range: Range<usize>| {
            let words: Vec<&str> =
                self.sentence.tokens[range].iter().map(|token| token.lower.as_str()).collect();
            words.join(" ")
        };
        match name {
            "base" => return self.matched.verb.clone().map(verb),
            "verb" => {
                let words = self.matched.verb.clone().map(verb)?;
                let (first, rest) = words.split_once(' ').unwrap_or((&words, ""));
                return Some(format!("{} {rest}", third_person(first)).trim_end().to_owned());
            }
            _ => {}
        }
        let slot = PatternSlot::named(name)?;
        let tokens = self.matched.slot(slot, usize::from(how == "2"))?;
        let conjugated =
            if how == "s" { verbs_of(self.sentence, self.tongue, tokens.clone()) } else { Vec::new() };
        let voice = if slot == PatternSlot::Name { Voice::Verbatim } else { voice };
        let text = render(self.sentence, tokens, voice, &conjugated);
        let text = match slot {
            PatternSlot::Name => text.trim_end_matches("'s").to_owned(),
            PatternSlot::Number => text.trim_end_matches(|c: char| !c.is_ascii_digit()).to_owned(),
            PatternSlot::Relation => text.trim_end_matches("'s").to_lowercase(),
            PatternSlot::Past | PatternSlot::Ongoing | PatternSlot::Feeling => text.to_lowercase(),
            PatternSlot::Language => sentence_case(&text.to_lowercase()),
            _ => text,
        };
        (!text.is_empty()).then_some(text)
    }
}

/// Fills the `{…}` of a template; none where one of them has nothing to say.
fn fill(template: &str, part: impl Fn(&str) -> Option<String>) -> Option<String> {
    let mut filled = String::new();
    let mut rest = template;
    while let Some((before, behind)) = rest.split_once('{') {
        let (name, after) = behind.split_once('}')?;
        filled.push_str(before);
        filled.push_str(&part(name)?);
        rest = after;
    }
    filled.push_str(rest);
    Some(filled)
}

fn some(text: String) -> Option<String> {
    (!text.is_empty()).then_some(text)
}

/// `went to` as a predicate: `WENT_TO`.
fn capitals(predicate: &str) -> String {
    let is_part = |c: char| c.is_alphanumeric();
    let words: Vec<&str> = predicate.split(|c: char| !is_part(c)).filter(|word| !word.is_empty()).collect();
    words.join("_").to_uppercase()
}

fn sentence_case(text: &str) -> String {
    let mut characters = text.chars();
    match characters.next() {
        Some(first) => first.to_uppercase().chain(characters).collect(),
        None => String::new(),
    }
}
