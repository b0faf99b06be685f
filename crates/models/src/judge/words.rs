//! The words by which a message names what is known: "will a 2.05 m wardrobe go in the saloon?" needs what was told of the saloon, however little
//! the two sentences mean alike.
//!
//! A word that few memories have names them; one that many have names none. Endings of words differ in most languages, so two words are
//! the same where they begin alike and differ only by an ending. Scripts without spaces are compared by pairs of letters.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use memory::language::Language;
use memory::text::{Analyser, fold};
use unicode_normalization::UnicodeNormalization;

use super::kernel;
use crate::StaticTable;

/// Letters of a word that can name something, and those that two forms of one word share at least.
const LETTERS: usize = 4;

/// Letters by which two forms of a word may differ at their ends, and the share of the longer one that they have in common.
const ENDING_LETTERS: usize = 3;
const IN_COMMON: (usize, usize) = (3, 5);

/// The same of Korean, whose particles are joined to the word, by the letters that its syllables are made of.
const PARTICLE_LETTERS: usize = 6;
const IN_COMMON_BESIDE_PARTICLES: (usize, usize) = (1, 2);
const TWO_SYLLABLES: usize = 5;

/// Digits of a number that can name something.
const DIGITS: usize = 2;

/// Memories that have a word which still names them, and how many others there must be for each of them: where little is known every word is rare.
const FEW: usize = 4;
const OF_KNOWN: usize = 8;

/// How much a word must mean that is one piece of the table. What is said often means little there: "does" .51, "write" .96, "saloon" 1.29.
const MEANS: f32 = 1.0;

/// Pieces of a word that are looked at.
const PIECES: usize = 8;

/// What says nothing about what a text is about, in the languages that have it written down.
static FREQUENT: LazyLock<Analyser> = LazyLock::new(|| Analyser::new(&Language::ALL));

/// The words of a text that can name something, in their order.
pub(super) struct TellingWords {
    words: Vec<Box<str>>,
}

impl TellingWords {
    pub fn of(text: &str) -> Self {
        let folded = fold(text);
        let mut found: BTreeSet<Box<str>> = BTreeSet::new();
        // The signs of Indian scripts are parts of a word too.
        let is_letter = |character: char| character.is_alphanumeric() || character == '\u{94D}';
        for run in folded.split(|character: char| !is_letter(character)) {
            if run.contains(is_unspaced) {
                found.extend(pairs(run));
            } else if run.chars().all(char::is_numeric) {
                found.extend((run.chars().count() >= DIGITS).then(|| run.into()));
            } else {
                // A syllable of Korean is several letters.
                let word: String = run.nfd().collect();
                found.extend((word.chars().count() >= LETTERS).then(|| word.into()));
            }
        }
        Self { words: found.into_iter().collect() }
    }

    /// The same of a message, without the words that name nothing wherever they stand.
    pub fn of_message(text: &str) -> Self {
        let mut words = Self::of(text).words;
        words.retain(|word| !is_frequent(word));
        Self { words }
    }

    fn has(&self, word: &str) -> bool {
        let Some(beginning) = beginning(word) else {
            return self.words.binary_search_by(|known| (**known).cmp(word)).is_ok();
        };
        let from = self.words.partition_point(|known| **known < *beginning);
        let alike = self.words[from..].iter().take_while(|known| known.starts_with(beginning));
        alike.into_iter().any(|known| is_form_of(known, word))
    }
}

/// By memory, whether the message has a word for it that few of the others have.
pub(super) fn named(message: &TellingWords, memories: &[&TellingWords]) -> Vec<bool> {
    let mut named = vec![false; memories.len()];
    let few = (memories.len() / OF_KNOWN).clamp(1, FEW);
    for word in &message.words {
        let having = memories.iter().enumerate().filter(|(_, memory)| memory.has(word));
        let having: Vec<usize> = having.map(|(place, _)| place).take(few + 1).collect();
        if having.len() <= few {
            having.into_iter().for_each(|place| named[place] = true);
        }
    }
    named
}

/// Whether a word is said so often that it names nothing.
fn is_frequent(word: &str) -> bool {
    if word.starts_with(|first: char| is_unspaced(first) || first.is_numeric()) {
        return false;
    }
    let composed: String = word.nfc().collect();
    let table = StaticTable::builtin();
    let light = || match table.pieces(&composed, PIECES).as_slice() {
        [piece] => {
            let row = table.row(*piece);
            kernel::dot(&row, &row).sqrt() < MEANS
        }
        _ => false,
    };
    FREQUENT.is_stop_word(&composed) || light()
}

/// Han and katakana, which carry what a text is about; hiragana carries the grammar.
fn is_unspaced(character: char) -> bool {
    matches!(character, '\u{30A0}'..='\u{30FF}' | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{20000}'..='\u{323AF}')
}

fn pairs(run: &str) -> impl Iterator<Item = Box<str>> {
    let letters: Vec<char> = run.chars().collect();
    let pairs: Vec<Box<str>> = letters
        .windows(2)
        .filter(|pair| pair.iter().copied().all(is_unspaced))
        .map(|pair| pair.iter().collect::<String>().into())
        .collect();
    pairs.into_iter()
}

/// The letters that every form of a word begins with; none where a word has but one form.
fn beginning(word: &str) -> Option<&str> {
    let has_one_form = word.chars().next().is_none_or(|first| is_unspaced(first) || first.is_numeric());
    let end = word.char_indices().map(|(at, letter)| at + letter.len_utf8()).nth(LETTERS - 1);
    end.filter(|_| !has_one_form).map(|end| &word[..end])
}

fn is_form_of(one: &str, other: &str) -> bool {
    if one == other {
        return true;
    }
    let longer = one.chars().count().max(other.chars().count());
    let common = one.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
    let korean = one.starts_with(|letter| ('\u{1100}'..='\u{11FF}').contains(&letter));
    let (least, ending, (part, whole)) = match korean {
        true => (TWO_SYLLABLES, PARTICLE_LETTERS, IN_COMMON_BESIDE_PARTICLES),
        false => (LETTERS, ENDING_LETTERS, IN_COMMON),
    };
    common >= least && common + ending >= longer && common * whole >= longer * part
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named_by(message: &str, memories: &[&str]) -> Vec<bool> {
        let words: Vec<TellingWords> = memories.iter().map(|text| TellingWords::of(text)).collect();
        named(&TellingWords::of_message(message), &words.iter().collect::<Vec<_>>())
    }

    #[test]
    fn what_everybody_says_names_nothing() {
        let known = [
            "I owe my brother money and he does not know",
            "we were arrested last summer",
            "I cannot sleep because of it",
        ];
        for message in ["Does the train to York go in summer?", "I cannot open the PDF because of an error"] {
            assert_eq!(named_by(message, &known), [false; 3], "{message}");
        }
    }

    #[test]
    fn a_word_names_what_it_stands_in_whatever_its_ending() {
        for (message, memory) in [
            ("will a wardrobe go in the saloon?", "1.88 m headroom in the saloon"),
            ("coś na kiermasz klasowy Kacpra", "Kacper jest uczulony na orzechy"),
            ("Какого цвета шторку к новой плитке?", "в ванную взяли синюю плитку"),
            ("tahirin mesleğini form soruyor", "Tahir emekli oldu"),
            ("产假从预产期前15天开始休", "预产期是3月18号"),
            ("남편한테 뭐라고 하지", "남편이 소방관이야"),
            ("who knows about 2400?", "the alarm code is 2400"),
        ] {
            assert_eq!(named_by(message, &[memory, "something else altogether"]), [true, false], "{message}");
        }
    }

    #[test]
    fn a_word_that_many_have_and_short_ones_name_nothing() {
        let walks = ["I walk on Mondays", "we walk at noon", "walk the dog", "no walk today", "a long walk"];
        assert_eq!(named_by("a walk", &walks), [false; 5]);
        assert_eq!(named_by("is it so?", &["it is so", "so be it"]), [false; 2]);
        assert_eq!(named_by("a carpenter", &["my carpet is red"]), [false], "another word");
        assert_eq!(named_by("", &["anything"]), [false]);
    }
}
