//! A list of words and phrases that is asked "does one of you stand here?".

use std::collections::HashMap;

use super::lexer::{LexedToken, words_of};

#[derive(Debug, Default)]
pub(super) struct Phrases {
    /// By first word, the rest of each phrase, longest first.
    by_first: HashMap<String, Vec<Vec<String>>>,
}

impl Phrases {
    /// Reads a list separated by white space, `_` standing for a space inside a phrase.
    pub fn new(list: &str) -> Self {
        let mut by_first: HashMap<String, Vec<Vec<String>>> = HashMap::new();
        for phrase in list.split_whitespace() {
            let mut words = words_of(&phrase.replace('_', " ")).into_iter();
            if let Some(first) = words.next() {
                by_first.entry(first).or_default().push(words.collect());
            }
        }
        for rests in by_first.values_mut() {
            rests.sort_by_key(|rest| std::cmp::Reverse(rest.len()));
        }
        Self { by_first }
    }

    /// How many tokens the longest phrase that stands at `at` takes; none if there is none.
    pub fn length_at(&self, tokens: &[LexedToken], at: usize) -> Option<usize> {
        let rests = self.by_first.get(&tokens.get(at)?.lower)?;
        let fits = |rest: &&Vec<String>| {
            rest.iter()
                .enumerate()
                .all(|(offset, word)| tokens.get(at + 1 + offset).is_some_and(|t| t.is(word)))
        };
        rests.iter().find(fits).map(|rest| rest.len() + 1)
    }

    pub fn stands_at(&self, tokens: &[LexedToken], at: usize) -> bool {
        self.length_at(tokens, at).is_some()
    }

    /// Whether one stands anywhere in these tokens.
    pub fn stands_in(&self, tokens: &[LexedToken]) -> bool {
        (0..tokens.len()).any(|at| self.stands_at(tokens, at))
    }

    pub fn contains(&self, word: &str) -> bool {
        self.by_first.get(word).is_some_and(|rests| rests.iter().any(Vec::is_empty))
    }
}
