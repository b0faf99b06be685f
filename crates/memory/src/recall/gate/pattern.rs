//! Phrases that point at memory, looked for in a message's words.
//!
//! The tables ([`english`](super::english), [`languages`](super::languages)) are data in a small notation: words in
//! order, `a|b` for either, `word?` for one that may be missing, `_` for any one word. They are written as
//! [`fold`] leaves text and without apostrophes, so that "What’s my name" and "whats my name" are one. A table of phrases
//! and an index by their first words answer in microseconds; a regex engine would be a dependency for the same thing.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::{english, languages};
use crate::language::Language;
use crate::text::fold;

/// Why a phrase points at memory, in the order in which the phrases are asked: the first that matches wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PhraseGroup {
    /// "what's my name"
    Identity,
    /// "what did I say, exactly"
    Transcript,
    /// "yesterday"
    Time,
    /// "you told me"
    Prior,
    /// "remember that", which is also how instructions begin
    Reminder,
    /// "remember"
    Recall,
    /// "my dog"
    Mine,
}

impl PhraseGroup {
    /// Whether hardly anybody says this without meaning what was said before.
    pub fn is_certain(self) -> bool {
        matches!(self, PhraseGroup::Identity | PhraseGroup::Transcript | PhraseGroup::Prior)
    }

    /// What the phrase does, for people.
    pub fn says(self) -> &'static str {
        match self {
            PhraseGroup::Identity => "asks who the user is",
            PhraseGroup::Transcript => "asks for the exact words",
            PhraseGroup::Time => "speaks of a time gone by",
            PhraseGroup::Prior | PhraseGroup::Reminder => "speaks of an earlier conversation",
            PhraseGroup::Recall => "asks to remember",
            PhraseGroup::Mine => "speaks of something of the user's own",
        }
    }
}

/// The phrases of one language.
pub(super) struct PhraseTable {
    pub language: Language,
    /// Words of the language that are in almost every sentence of it and in no other language's: a word that is also
    /// one of another language ("hier") counts only beside one of these. Empty: it always counts.
    pub marks: &'static [&'static str],
    pub phrases: &'static [(PhraseGroup, &'static [&'static str])],
}

/// A phrase that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PhraseMatch {
    pub group: PhraseGroup,
    pub language: Language,
    /// The words as they were found, folded.
    pub words: String,
}

/// A message's words, folded, in order, without apostrophes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MessageWords {
    folded: String,
    /// Where each word stands in `folded`.
    places: Vec<(usize, usize)>,
}

impl MessageWords {
    pub fn of(text: &str) -> Self {
        let folded: String = fold(text).chars().filter(|character| !is_apostrophe(*character)).collect();
        let mut places = Vec::new();
        let mut start = None;
        for (position, character) in folded.char_indices() {
            match (character.is_alphanumeric(), start) {
                (true, None) => start = Some(position),
                (false, Some(from)) => {
                    places.push((from, position));
                    start = None;
                }
                _ => {}
            }
        }
        places.extend(start.map(|from| (from, folded.len())));
        Self { folded, places }
    }

    pub fn len(&self) -> usize {
        self.places.len()
    }

    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    pub fn get(&self, place: usize) -> Option<&str> {
        self.places.get(place).map(|&(from, to)| &self.folded[from..to])
    }

    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.places.iter().map(|&(from, to)| &self.folded[from..to])
    }

    /// The whole text, folded.
    pub fn folded(&self) -> &str {
        &self.folded
    }

    /// The text from one word up to another.
    fn between(&self, first: usize, after: usize) -> &str {
        let (from, to) = (self.places[first].0, self.places[after - 1].1);
        &self.folded[from..to]
    }
}

fn is_apostrophe(character: char) -> bool {
    matches!(character, '\'' | '’' | '‘' | '`' | '´' | 'ʼ')
}

/// One place of a phrase.
#[derive(Debug)]
struct PhrasePiece {
    /// Empty: any word.
    words: Vec<&'static str>,
    optional: bool,
}

impl PhrasePiece {
    fn parse(text: &'static str) -> Self {
        let (text, optional) = text.strip_suffix('?').map_or((text, false), |text| (text, true));
        let words = if text == "_" { Vec::new() } else { text.split('|').collect() };
        Self { words, optional }
    }

    fn takes(&self, word: &str) -> bool {
        self.words.is_empty() || self.words.contains(&word)
    }
}

#[derive(Debug)]
struct GatePhrase {
    group: PhraseGroup,
    language: Language,
    pieces: Vec<PhrasePiece>,
}

/// The phrases by their first words, and the languages by their marks.
struct PhraseIndex {
    phrases: Vec<GatePhrase>,
    by_first_word: HashMap<&'static str, Vec<usize>>,
    languages_marked: HashMap<&'static str, Vec<Language>>,
}

static INDEX: LazyLock<PhraseIndex> = LazyLock::new(|| {
    let mut index =
        PhraseIndex { phrases: Vec::new(), by_first_word: HashMap::new(), languages_marked: HashMap::new() };
    for table in std::iter::once(&english::TABLE).chain(languages::TABLES) {
        for mark in table.marks {
            index.languages_marked.entry(mark).or_default().push(table.language);
        }
        for (group, phrases) in table.phrases {
            phrases.iter().for_each(|phrase| index.add(*group, table.language, phrase));
        }
    }
    index
});

impl PhraseIndex {
    fn add(&mut self, group: PhraseGroup, language: Language, phrase: &'static str) {
        let pieces: Vec<PhrasePiece> = phrase.split(' ').map(PhrasePiece::parse).collect();
        for word in &pieces[0].words {
            self.by_first_word.entry(word).or_default().push(self.phrases.len());
        }
        self.phrases.push(GatePhrase { group, language, pieces });
    }
}

/// The phrase of the earliest group that the message contains.
pub fn find(words: &MessageWords) -> Option<PhraseMatch> {
    let spaced = in_words(words);
    let unspaced = in_characters(words);
    [spaced, iso_date(words), unspaced].into_iter().flatten().min_by_key(|found| found.group)
}

fn in_words(words: &MessageWords) -> Option<PhraseMatch> {
    let marked: Vec<Language> =
        words.iter().filter_map(|word| INDEX.languages_marked.get(word)).flatten().copied().collect();
    let mut best: Option<(PhraseGroup, Language, usize, usize)> = None;
    for first in 0..words.len() {
        let Some(begun) = words.get(first).and_then(|word| INDEX.by_first_word.get(word)) else { continue };
        for phrase in begun.iter().map(|&place| &INDEX.phrases[place]) {
            if best.is_some_and(|(group, ..)| group <= phrase.group) {
                continue;
            }
            let counts = phrase.language == Language::English
                || phrase.group.is_certain()
                || marked.contains(&phrase.language);
            if let Some(after) = counts.then(|| matched(&phrase.pieces, words, first)).flatten() {
                best = Some((phrase.group, phrase.language, first, after));
            }
        }
    }
    best.map(|(group, language, first, after)| {
        let words = words.between(first, after).to_owned();
        PhraseMatch { group, language, words }
    })
}

/// Where the phrase ends, if it begins at this word.
fn matched(pieces: &[PhrasePiece], words: &MessageWords, place: usize) -> Option<usize> {
    let Some((piece, rest)) = pieces.split_first() else { return Some(place) };
    let taken = words.get(place).is_some_and(|word| piece.takes(word));
    let with = if taken { matched(rest, words, place + 1) } else { None };
    with.or_else(|| if piece.optional { matched(rest, words, place) } else { None })
}

/// `2024-05-07`: three numbers joined by hyphens.
fn iso_date(words: &MessageWords) -> Option<PhraseMatch> {
    let bytes = words.folded.as_bytes();
    let is_date = |at: usize| {
        let digits = |range: std::ops::Range<usize>| bytes[range].iter().all(u8::is_ascii_digit);
        bytes.len() >= at + 10
            && digits(at..at + 4)
            && bytes[at + 4] == b'-'
            && digits(at + 5..at + 7)
            && bytes[at + 7] == b'-'
            && digits(at + 8..at + 10)
    };
    let &(start, _) = words.places.iter().find(|&&(start, end)| end - start == 4 && is_date(start))?;
    let date = words.folded[start..start + 10].to_owned();
    Some(PhraseMatch { group: PhraseGroup::Time, language: Language::English, words: date })
}

/// Han and kana.
pub(super) fn is_unspaced(character: char) -> bool {
    matches!(character, '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}')
}

/// Phrases of the scripts that put no spaces between words.
fn in_characters(words: &MessageWords) -> Option<PhraseMatch> {
    if !words.folded.chars().any(is_unspaced) {
        return None;
    }
    let tables = languages::UNSPACED.iter();
    let phrases = tables.flat_map(|table| {
        table.phrases.iter().flat_map(move |(group, phrases)| {
            phrases.iter().map(move |phrase| (*group, table.language, *phrase))
        })
    });
    let found = phrases.filter(|(_, _, phrase)| words.folded.contains(phrase));
    found.min_by_key(|(group, ..)| *group).map(|(group, language, phrase)| {
        let words = phrase.to_owned();
        PhraseMatch { group, language, words }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_written_as_text_is_folded() {
        let tables =
            std::iter::once(&english::TABLE).chain(languages::TABLES).chain(languages::UNSPACED.iter());
        for table in tables {
            for phrase in table.phrases.iter().flat_map(|(_, phrases)| *phrases) {
                assert_eq!(fold(phrase), **phrase, "{:?}", table.language);
                assert!(!phrase.contains(is_apostrophe), "{phrase}");
                let first = PhrasePiece::parse(phrase.split(' ').next().expect("a first piece"));
                assert!(!first.optional && !first.words.is_empty(), "{phrase} begins with anything");
            }
        }
    }

    #[test]
    fn pieces_match_words() {
        let phrase: Vec<PhrasePiece> =
            "what exactly? did i say|write _".split(' ').map(PhrasePiece::parse).collect();
        let end = |text: &str| matched(&phrase, &MessageWords::of(text), 0);
        assert_eq!(end("What exactly did I say about tea?"), Some(6));
        assert_eq!(end("what did I write there"), Some(5));
        assert_eq!(end("what did I say"), None);
        assert_eq!(end("what did he say there"), None);
    }
}
