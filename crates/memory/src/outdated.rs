//! Whether a sentence tells what is over.
//!
//! What was said, and what digests repeat of it, stays as it was said; what holds changes. A sentence tells what is over if it is the
//! one that an ended memory rests on, or if it says the old value and not the new one. Sentences about anything else are not meant.

use std::collections::BTreeSet;

use crate::text::similarity::{jaccard, word_set};
use crate::text::{Analyser, fold};
use crate::types::Memory;

/// Words so common in our own sentences that sharing them means nothing.
const OWN_WORDS: &[&str] = &["user"];

/// Share of a memory's words from which a sentence says what the memory says.
const TELLS: f64 = 0.6;

/// Words that a sentence with an old value must share with the memory, the value among them, to be about the same.
const SHARED: usize = 2;

/// Letters of a quotation from which on it is that sentence and no other, and the same of scripts whose letters are words.
const QUOTED_LETTERS: usize = 8;
const QUOTED_WIDE_LETTERS: usize = 4;

/// Something that is over, ready to be looked for in what was said.
#[derive(Debug, Clone)]
pub struct OutdatedStatement {
    words: BTreeSet<String>,
    /// The words that what took its place does not have.
    gone: BTreeSet<String>,
    /// Numbers and names among what it said, and those of what took its place.
    values: BTreeSet<String>,
    new_values: BTreeSet<String>,
    /// What it rests on, letters and digits alone.
    quote: String,
}

impl OutdatedStatement {
    pub fn new(past: &Memory, successor: Option<&Memory>, analyser: &Analyser) -> Self {
        let own = words(&past.content, analyser);
        let theirs = successor.map(|memory| words(&memory.content, analyser)).unwrap_or_default();
        let (mut values, mut new_values) =
            (values(&past.content), successor.map(|memory| values(&memory.content)).unwrap_or_default());
        let both: Vec<String> = values.intersection(&new_values).cloned().collect();
        both.iter().for_each(|value| {
            values.remove(value);
            new_values.remove(value);
        });
        let gone = own.difference(&theirs).cloned().collect();
        let quote = letters(past.evidence.as_deref().unwrap_or_default());
        Self { words: own, gone, values, new_values, quote }
    }

    /// Whether a sentence says the old value.
    pub fn is_told_by(&self, said: &SaidSentence) -> bool {
        let has_new = self.new_values.iter().any(|value| said.tokens.contains(value));
        if has_new || self.gone.is_disjoint(&said.words) {
            return false;
        }
        let shared = self.words.intersection(&said.words).count();
        let valued = self.values.iter().any(|value| said.tokens.contains(value));
        valued && shared >= SHARED || shared as f64 >= TELLS * self.words.len() as f64
    }

    /// Whether a sentence is the one that it rests on, or a part of it.
    pub fn is_quoted_by(&self, said: &SaidSentence) -> bool {
        let (quote, said) = (self.quote.as_str(), said.letters.as_str());
        is_telling(quote) && said.contains(quote) || is_telling(said) && quote.contains(said)
    }

    /// How much of its words and the sentence's are the same.
    pub fn likeness(&self, said: &SaidSentence) -> f64 {
        jaccard(&self.words, &said.words)
    }
}

/// A sentence, ready to be held against much that is over.
#[derive(Debug, Clone)]
pub struct SaidSentence {
    pub words: BTreeSet<String>,
    tokens: BTreeSet<String>,
    letters: String,
}

impl SaidSentence {
    pub fn new(text: &str, analyser: &Analyser) -> Self {
        Self { words: words(text, analyser), tokens: tokens(text), letters: letters(text) }
    }
}

/// The words of a text by which it is compared with others.
pub fn words(text: &str, analyser: &Analyser) -> BTreeSet<String> {
    word_set(text, analyser).into_iter().filter(|word| !OWN_WORDS.contains(&word.as_str())).collect()
}

/// Letters and digits alone, folded: punctuation and spaces do not make another sentence.
fn letters(text: &str) -> String {
    fold(text).chars().filter(|character| character.is_alphanumeric()).collect()
}

fn is_telling(letters: &str) -> bool {
    let wide = letters.chars().any(|character| character >= '\u{2E80}');
    letters.chars().count() >= if wide { QUOTED_WIDE_LETTERS } else { QUOTED_LETTERS }
}

/// The words of a text as they stand, folded, with their points: "4.50" is one.
fn tokens(text: &str) -> BTreeSet<String> {
    let words = text.split_whitespace().map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
    words.filter(|word| !word.is_empty()).map(fold).collect()
}

/// Numbers, and names but for the first word, which is always written large.
fn values(text: &str) -> BTreeSet<String> {
    let words = text.split_whitespace().map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
    let is_value = |(place, word): &(usize, &str)| {
        word.chars().any(|c| c.is_ascii_digit())
            || *place > 0 && !word.starts_with("User") && word.chars().next().is_some_and(char::is_uppercase)
    };
    words.enumerate().filter(is_value).map(|(_, word)| fold(word)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{Kind, MemoryId, Owner, TenantId, Time};

    fn memory(content: &str) -> Memory {
        let id = MemoryId::from_uuid(uuid::Uuid::nil());
        Memory::new(id, TenantId::local(), &Owner::unnamed(), Kind::Fact, content.into(), Time::MIN)
    }

    #[test]
    fn a_sentence_with_the_old_value_is_told_from_others() {
        let analyser = Analyser::default();
        let told = |old: &str, new: &str, sentence: &str| {
            let statement = OutdatedStatement::new(&memory(old), Some(&memory(new)), &analyser);
            statement.is_told_by(&SaidSentence::new(sentence, &analyser))
        };
        let (old, new) =
            ("User charges 4.50 a crossing", "User charges 5.20 a crossing from 2 November 2026");
        assert!(told(old, new, "The crossing costs 4.50 in winter."));
        assert!(!told(old, new, "The crossing goes up from 4.50 to 5.20."));
        assert!(!told(old, new, "User asked for a notice for the pier."));
        assert!(!told(old, new, "User bought diesel for 4.50."));
        let (old, new) = ("User takes 5 mg of ramipril", "User takes 10 mg of ramipril");
        assert!(told(old, new, "User asked whether 5 mg of ramipril go with coffee."));
        assert!(!told(old, new, "User asked about ramipril and coffee."));
        assert!(told("User lives in Porto", "User lives in Lisbon", "User lives in Porto and likes it."));
        assert!(told("User is a vegetarian", "User eats fish again", "User is a vegetarian."));
    }

    #[test]
    fn a_quotation_is_known_by_its_letters() {
        let mut past = memory("knee op on 3 December");
        past.evidence = Some("My mum has her knee op on 3 December".into());
        let analyser = Analyser::default();
        let statement = OutdatedStatement::new(&past, None, &analyser);
        let quotes = |text: &str| statement.is_quoted_by(&SaidSentence::new(text, &analyser));
        assert!(quotes("my mum has her knee op on 3 December!"));
        assert!(quotes("so, my mum has her knee op on 3 december, wish her luck"));
        assert!(!quotes("op"), "too short to be that sentence");
        assert!(!quotes("My mum has her knee op on 10 December"));
    }
}
