//! Whether a text says what is to be forgotten, and the text without it.
//!
//! Two ways to know: it matches the query that a person gave, or it says what a purged memory said. The second is decided by sets
//! of words: all words of the one are in the other. Likeness would not do, because neighbours differ in one word.

use std::collections::BTreeSet;

use crate::text::Analyser;
use crate::text::query::{Expression, Query};
use crate::text::similarity::word_set;

/// Words that a statement has at least before another text is said to repeat it.
const TELLING_WORDS: usize = 2;

#[derive(Clone, Copy)]
pub struct ForgetWords<'a> {
    pub analyser: &'a Analyser,
    pub query: Option<&'a Query>,
}

/// What purged memories said, as sets of words.
#[derive(Debug, Default)]
pub struct PurgedSentences(Vec<BTreeSet<String>>);

impl PurgedSentences {
    pub fn of<'a>(texts: impl IntoIterator<Item = &'a str>, analyser: &Analyser) -> Self {
        let sets = texts.into_iter().map(|text| word_set(text, analyser));
        Self(sets.filter(|words| words.len() >= TELLING_WORDS).collect())
    }

    fn is_said_by(&self, text: &str, analyser: &Analyser) -> bool {
        if self.0.is_empty() {
            return false;
        }
        let words = word_set(text, analyser);
        let repeats = |said: &BTreeSet<String>| {
            said.is_subset(&words) || words.len() >= TELLING_WORDS && words.is_subset(said)
        };
        self.0.iter().any(repeats)
    }
}

impl ForgetWords<'_> {
    /// Whether a text matches the query.
    pub fn match_text(&self, text: &str) -> bool {
        !text.is_empty() && self.query.is_some_and(|query| query.matches(&self.analyser.analyse(text)))
    }

    /// Whether a value of JSON says it, in a string or in a name.
    pub fn match_value(&self, name: &str, value: &serde_json::Value) -> bool {
        let mut text = name.to_owned();
        collect(value, &mut text);
        self.match_text(&text) || self.match_text(name)
    }

    /// The text without the sentences that say it; nothing where it does not.
    pub fn without(&self, text: &str, said: &PurgedSentences) -> Option<String> {
        let says = |piece: &str| self.match_text(piece) || said.is_said_by(piece, self.analyser);
        let pieces = pieces(text);
        let mut kept: Vec<&str> = pieces.iter().copied().filter(|piece| !says(piece)).collect();
        if self.match_text(&kept.concat()) {
            // Its words are spread over several sentences.
            kept.retain(|piece| !self.has_any_word(piece));
        }
        (kept.len() < pieces.len()).then(|| {
            let rest = kept.concat();
            rest.trim().trim_end_matches(';').trim_end().to_owned()
        })
    }

    /// Drops the items that say it. Says whether there were any.
    pub fn thin(&self, items: &mut Vec<String>, said: &PurgedSentences) -> bool {
        let before = items.len();
        items.retain(|item| !self.match_text(item) && !said.is_said_by(item, self.analyser));
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
fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut start = 0;
    let mut characters = text.char_indices().peekable();
    while let Some((_, character)) = characters.next() {
        let next = characters.peek().copied();
        let ends = match character {
            '\n' | '。' | '！' | '？' => true,
            '.' | '!' | '?' | ';' => next.is_none_or(|(_, next)| next.is_whitespace()),
            _ => false,
        };
        if !ends {
            continue;
        }
        while characters.next_if(|(_, next)| next.is_whitespace()).is_some() {}
        let end = characters.peek().map_or(text.len(), |(at, _)| *at);
        pieces.push(&text[start..end]);
        start = end;
    }
    if start < text.len() {
        pieces.push(&text[start..]);
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
        let words = ForgetWords { analyser: &analyser, query: Some(&query) };
        let found = words.without(text, &PurgedSentences::default());
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

    #[test]
    fn what_repeats_a_statement_says_it_and_a_neighbour_does_not() {
        let analyser = Analyser::default();
        let said = PurgedSentences::of(["User keeps quokkas9172 in Bergen"], &analyser);
        for (text, expected) in [
            ("The user keeps quokkas9172 in Bergen, they said", true),
            ("keeps quokkas9172", true),
            ("User keeps quokkas9173 in Bergen", false),
            ("Bergen", false),
            ("", false),
        ] {
            assert_eq!(said.is_said_by(text, &analyser), expected, "{text}");
        }
    }
}
