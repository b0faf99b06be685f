//! Reads tokens one after another for the grammar: the moves that every rule is made of.

use super::lexer::{Gap, TimeToken};

/// Where the reading stands. Copied to try a rule, and thrown away if it fails.
#[derive(Clone, Copy)]
pub(super) struct TimeReader<'a> {
    pub(super) tokens: &'a [TimeToken],
    /// Where this expression began: what stands before it does not join it.
    pub(super) start: usize,
    pub(super) position: usize,
    pub(super) depth: usize,
}

impl<'a> TimeReader<'a> {
    pub(super) fn longest<Answer>(self, rules: &[fn(&mut Self) -> Option<Answer>]) -> Option<(Answer, Self)> {
        let mut best: Option<(Answer, Self)> = None;
        for rule in rules {
            let mut reader = self;
            if let Some(answer) = rule(&mut reader)
                && best.as_ref().is_none_or(|(_, longest)| reader.position > longest.position)
            {
                best = Some((answer, reader));
            }
        }
        best
    }

    /// Reads with a rule, or reads nothing.
    pub(super) fn attempt<Answer>(
        &mut self,
        rule: impl FnOnce(&mut Self) -> Option<Answer>,
    ) -> Option<Answer> {
        let mut reader = *self;
        let answer = rule(&mut reader)?;
        *self = reader;
        Some(answer)
    }

    pub(super) fn next_if(&mut self, gaps: &[Gap]) -> Option<&'a TimeToken> {
        let token = self.tokens.get(self.position)?;
        if self.position > self.start && !gaps.contains(&token.gap) {
            return None;
        }
        self.position += 1;
        Some(token)
    }

    pub(super) fn token(&mut self) -> Option<&'a TimeToken> {
        self.next_if(&[Gap::Open])
    }

    pub(super) fn next_word(&mut self) -> Option<&'a str> {
        self.token().map(|token| token.word.as_str())
    }

    /// Reads one of these words.
    pub(super) fn one_of(&mut self, words: &[&str]) -> Option<&'a str> {
        self.attempt(|reader| reader.next_word().filter(|word| words.contains(word)))
    }

    pub(super) fn skip(&mut self, words: &[&str]) {
        let _skipped = self.one_of(words);
    }

    /// Reads a word that a table of the vocabulary knows.
    pub(super) fn known<Meaning>(&mut self, table: fn(&str) -> Option<Meaning>) -> Option<Meaning> {
        self.attempt(|reader| reader.next_word().and_then(table))
    }

    /// The word before the next token, across "the".
    pub(super) fn lead(&self) -> &'a str {
        let before = |position: usize| -> Option<&'a str> {
            let joined = self.tokens.get(position).is_some_and(|token| token.gap == Gap::Open);
            (joined && position > 0).then(|| self.tokens[position - 1].word.as_str())
        };
        match before(self.position) {
            Some("the") => before(self.position - 1).unwrap_or_default(),
            word => word.unwrap_or_default(),
        }
    }

    /// Whether the phrase cannot go on from here.
    pub(super) fn at_end(&self) -> bool {
        self.tokens.get(self.position).is_none_or(|token| token.gap != Gap::Open)
    }
}
