//! Whether a text says what is to be forgotten, and the text without it.
//!
//! Two ways to know: it matches the query that a person gave, or it tells again what a memory said ([`super::statements`]).

use std::ops::Range;

use super::statements::ForgottenStatements;
use crate::text::query::{Expression, Query};
use crate::text::{Analyser, goes_on_behind_stop};

#[derive(Clone, Copy)]
pub struct ForgetWords<'a> {
    pub analyser: &'a Analyser,
    pub query: Option<&'a Query>,
    /// What is forgotten, where that is known before records are looked at.
    pub said: Option<&'a ForgottenStatements>,
}

impl ForgetWords<'_> {
    /// Whether a text matches the query or tells what is forgotten.
    pub fn match_text(&self, text: &str) -> bool {
        let asked = |query: &Query| query.matches(&self.analyser.analyse(text));
        let told = |said: &ForgottenStatements| {
            pieces(text).into_iter().any(|piece| said.are_told_by(&text[piece], self.analyser))
        };
        !text.is_empty() && (self.query.is_some_and(asked) || self.said.is_some_and(told))
    }

    /// Whether a value of JSON says it, in a string or in a name.
    pub fn match_value(&self, name: &str, value: &serde_json::Value) -> bool {
        let mut text = name.to_owned();
        collect(value, &mut text);
        self.match_text(&text) || self.match_text(name)
    }

    /// The text without the sentences that say it; nothing where it does not.
    pub fn without(&self, text: &str, said: &ForgottenStatements) -> Option<String> {
        let gone = self.parts(text, |piece| said.are_told_by(piece, self.analyser));
        (!gone.is_empty()).then(|| {
            let rest: String = pieces(text)
                .into_iter()
                .filter(|piece| !gone.contains(piece))
                .map(|piece| &text[piece])
                .collect();
            rest.trim().trim_end_matches(';').trim_end().to_owned()
        })
    }

    /// The sentences of a text that say it, or that tell it by what else is known of them.
    pub fn parts(&self, text: &str, tells: impl Fn(&str) -> bool) -> Vec<Range<usize>> {
        let says =
            |piece: &Range<usize>| self.match_text(&text[piece.clone()]) || tells(&text[piece.clone()]);
        let (mut gone, mut kept): (Vec<_>, Vec<_>) = pieces(text).into_iter().partition(says);
        let rest: String = kept.iter().map(|piece| &text[piece.clone()]).collect();
        if self.query.is_some() && self.match_text(&rest) {
            // Its words are spread over several sentences.
            kept.retain(|piece| self.has_any_word(&text[piece.clone()]));
            gone.extend(kept);
        }
        gone
    }

    /// Drops the items that say it. Says whether there were any.
    pub fn thin(&self, items: &mut Vec<String>, said: &ForgottenStatements) -> bool {
        let before = items.len();
        items.retain(|item| !self.match_text(item) && !said.are_told_by(item, self.analyser));
        items.len() < before
    }

    fn has_any_word(&self, text: &str) -> bool {
        let Some(query) = self.query else { return false };
        let analysed = self.analyser.analyse(text);
        words_of(&query.expression).iter().any(|part| part.matches(&analysed))
    }
}

/// What an expression is made of; what it excludes is not sought.
fn words_of(expression: &Expression) -> Vec<Expression> {
    match expression {
        Expression::Any(words) => words.iter().cloned().map(Expression::Word).collect(),
        Expression::And(parts) | Expression::Or(parts) => parts.iter().flat_map(words_of).collect(),
        Expression::Not { wanted, .. } => words_of(wanted),
        other => vec![other.clone()],
    }
}

fn collect(value: &serde_json::Value, text: &mut String) {
    match value {
        serde_json::Value::String(said) => {
            text.push('\n');
            text.push_str(said);
        }
        serde_json::Value::Array(items) => items.iter().for_each(|item| collect(item, text)),
        serde_json::Value::Object(fields) => {
            for (name, value) in fields {
                text.push('\n');
                text.push_str(name);
                collect(value, text);
            }
        }
        serde_json::Value::Number(number) => {
            text.push('\n');
            text.push_str(&number.to_string());
        }
        _ => {}
    }
}

/// A text cut after each sentence, line and semicolon; joined again they are the text.
fn pieces(text: &str) -> Vec<Range<usize>> {
    let mut pieces = Vec::new();
    let mut start = 0;
    let mut characters = text.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        let next = characters.peek().copied();
        let ends = match character {
            '\n' | '。' | '！' | '？' | '।' | '؟' | '۔' => true,
            '.' if goes_on_behind_stop(&text[start..at], &text[at + 1..]) => false,
            '.' | '!' | '?' | ';' => next.is_none_or(|(_, next)| next.is_whitespace()),
            _ => false,
        };
        if !ends {
            continue;
        }
        while characters.next_if(|(_, next)| next.is_whitespace()).is_some() {}
        let end = characters.peek().map_or(text.len(), |(at, _)| *at);
        pieces.push(start..end);
        start = end;
    }
    if start < text.len() {
        pieces.push(start..text.len());
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::query;

    fn check(query_text: &str, text: &str, expected: Option<&str>) {
        let analyser = Analyser::default();
        let query = query::parse(query_text, &analyser);
        let words = ForgetWords { analyser: &analyser, query: Some(&query), said: None };
        let found = words.without(text, &ForgottenStatements::default());
        assert_eq!(found.as_deref(), expected, "{query_text}: {text}");
    }

    #[test]
    fn sentences_go_and_neighbours_stay() {
        check("quokkas9172", "Ada keeps quokkas9172. She lives in Oslo.", Some("She lives in Oslo."));
        check("quokkas9172", "Ada keeps quokkas9173. She lives in Oslo.", None);
        check("quokkas9172", "lives in Oslo; keeps Quokkas9172; eats fish", Some("lives in Oslo; eats fish"));
        check("quokkas9172", "lives in Oslo; keeps quokkas9172", Some("lives in Oslo"));
        check("quokkas9172", "keeps quokkas9172", Some(""));
        check("quokkas9172", "Eins。quokkas9172！Zwei", Some("Eins。Zwei"));
        check("phone AND number", "The phone rang. A number was given. Rain.", Some("Rain."));
    }
}
