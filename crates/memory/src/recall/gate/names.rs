//! The names that memory knows, looked up in a message.
//!
//! A message that names somebody memory knows is likely about what memory knows of them. Names are compared word by word
//! and folded; short ones ("Al", "Bob") are left out, because they are too often ordinary words. Where a script puts no
//! spaces between words a name is looked for as it stands, and two characters are a name.

use std::collections::HashMap;

use super::pattern::{MessageWords, is_unspaced};

/// Characters that a name must have at least.
const NAME_CHARACTERS: usize = 4;
const UNSPACED_NAME_CHARACTERS: usize = 2;

/// Names, by their first words.
#[derive(Debug, Clone, Default)]
pub struct KnownNames {
    by_first_word: HashMap<String, Vec<GateName>>,
    unspaced: Vec<GateName>,
}

#[derive(Debug, Clone)]
struct GateName {
    /// As memory writes it.
    written: String,
    words: MessageWords,
}

impl KnownNames {
    pub fn of<'a>(names: impl IntoIterator<Item = &'a str>) -> Self {
        let mut known = Self::default();
        for written in names {
            known.add(written.trim());
        }
        known
    }

    fn add(&mut self, written: &str) {
        let words = MessageWords::of(written);
        let name = GateName { written: written.to_owned(), words };
        let characters = written.chars().count();
        if written.chars().any(is_unspaced) {
            if characters >= UNSPACED_NAME_CHARACTERS {
                self.unspaced.push(name);
            }
        } else if let Some(first) = name.words.get(0).filter(|_| characters >= NAME_CHARACTERS) {
            self.by_first_word.entry(first.to_owned()).or_default().push(name);
        }
    }

    pub fn is_empty(&self) -> bool {
        self.by_first_word.is_empty() && self.unspaced.is_empty()
    }

    /// The first name in the message that memory knows, as memory writes it.
    pub fn find(&self, message: &MessageWords) -> Option<&str> {
        let spaced = (0..message.len()).find_map(|place| self.find_at(message, place));
        spaced.or_else(|| {
            let found = self.unspaced.iter().find(|name| message.folded().contains(name.words.folded()));
            found.map(|name| name.written.as_str())
        })
    }

    fn find_at(&self, message: &MessageWords, place: usize) -> Option<&str> {
        let word = message.get(place)?;
        // "Caroline's" has lost its apostrophe.
        let spellings = [Some(word), word.strip_suffix('s')];
        let begun = spellings.into_iter().flatten().filter_map(|word| self.by_first_word.get(word)).flatten();
        let mut begun = begun.filter(|name| stands_at(&name.words, message, place));
        begun.next().map(|name| name.written.as_str())
    }
}

fn stands_at(name: &MessageWords, message: &MessageWords, place: usize) -> bool {
    name.iter().enumerate().all(|(offset, word)| {
        let found = message.get(place + offset);
        found.is_some_and(|found| found == word || found.strip_suffix('s') == Some(word))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_as_words() {
        let known = KnownNames::of(["Caroline", "Ann", "New York", "Zoë Müller", "東京", "  "]);
        let check = |message: &str, expected: Option<&str>| {
            assert_eq!(known.find(&MessageWords::of(message)), expected, "{message}");
        };
        check("how is caroline?", Some("Caroline"));
        check("What is Caroline’s dog called", Some("Caroline"));
        check("Ann called", None);
        check("a trip to new york", Some("New York"));
        check("New York's best", Some("New York"));
        check("something new", None);
        check("Zoe Muller", Some("Zoë Müller"));
        check("carolinean", None);
        check("東京に行った", Some("東京"));
        check("", None);
    }
}
