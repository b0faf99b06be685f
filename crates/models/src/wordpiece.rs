//! The tokenizer of the built-in embedding model: BERT's uncased WordPiece, widened to scripts that it only spells.
//!
//! It gives the rows that the training had (`xtask/python/pieces.py`; `tests/all/wordpiece_ids.json` holds what that said about a table
//! of sentences), because each row of the table belongs to one of those pieces. It is written by hand
//! rather than taken from a tokenizer library because one embedding should cost microseconds: there is no
//! intermediate string, no offsets and no allocation per token, and a plain word is one hash look-up.
//!
//! The steps, per character: drop control characters; decompose canonically and drop accents, but not in scripts whose marks are
//! part of the letter; lower-case; split at white space, around every punctuation mark, and between scripts that are written with
//! spaces and those without. Then each word is cut greedily into the longest pieces of the vocabulary. In words with spaces around them
//! pieces after the first carry the prefix `##`. A letter that no piece has is passed over; a word longer than
//! [`limits::WORD_CHARS`] is unknown.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::limits;
use unicode_normalization::char::decompose_canonical;
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

/// What a text turned out to be made of, token by token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WordpieceToken {
    /// A piece of the vocabulary, by its row.
    Known {
        /// The row of the table.
        id: u32,
        /// How many characters of the text the piece covers.
        chars: u16,
    },
    /// A word that the vocabulary cannot spell, with its length in characters.
    Unknown {
        /// How many characters of the text the word covers.
        chars: u32,
    },
}

/// The vocabulary, ready for look-ups. First pieces and continuations are kept apart, so that looking for a
/// continuation needs no `##` put in front of it.
pub struct WordPiece {
    first: PieceTable,
    continuation: PieceTable,
    /// The longest piece in bytes: no look-up is tried above it.
    longest: usize,
}

type PieceTable = HashMap<&'static [u8], u32, BuildHasherDefault<PieceHasher>>;

impl WordPiece {
    /// Reads a vocabulary with one piece a line; the line's number, from 0, is the piece's id. The bracketed
    /// special tokens (`[CLS]`, `[unused12]` …) never come out of text and are left out.
    pub fn from_vocabulary(vocabulary: &'static str) -> Self {
        let mut first = PieceTable::default();
        let mut continuation = PieceTable::default();
        let mut longest = 0;
        for (id, line) in (0_u32..).zip(vocabulary.lines()) {
            if line.len() > 2 && line.starts_with('[') && line.ends_with(']') {
                continue;
            }
            let piece = match line.strip_prefix("##") {
                Some(rest) if !rest.is_empty() => {
                    continuation.insert(rest.as_bytes(), id);
                    rest
                }
                _ => {
                    first.insert(line.as_bytes(), id);
                    line
                }
            };
            longest = longest.max(piece.len());
        }
        Self { first, continuation, longest }
    }

    /// Calls `on_token` for each token of `text` in order, until it returns `false`.
    pub fn tokenize(&self, text: &str, mut on_token: impl FnMut(WordpieceToken) -> bool) {
        let mut word = WordBuffer::default();
        for character in text.chars() {
            if character.is_ascii() {
                let byte = character as u8;
                if byte.is_ascii_alphanumeric() {
                    if !self.turn(&mut word, false, &mut on_token) {
                        return;
                    }
                    word.push_ascii(byte.to_ascii_lowercase());
                } else if byte.is_ascii_punctuation() {
                    if !self.flush(&mut word, &mut on_token) {
                        return;
                    }
                    word.push_ascii(byte);
                    if !self.flush(&mut word, &mut on_token) {
                        return;
                    }
                } else if matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
                    && !self.flush(&mut word, &mut on_token)
                {
                    return;
                }
                // Every other ASCII character is a control character and vanishes without splitting the word.
                continue;
            }
            let character = narrowed(character);
            match class(character) {
                WordpieceClass::Dropped => {}
                WordpieceClass::Space => {
                    if !self.flush(&mut word, &mut on_token) {
                        return;
                    }
                }
                WordpieceClass::Visible => {
                    if !self.push_decomposed(character, &mut word, &mut on_token) {
                        return;
                    }
                }
            }
        }
        self.flush(&mut word, &mut on_token);
    }

    /// Adds a character's canonical parts to the word. Punctuation stands alone; whether a character is
    /// punctuation shows only in its parts (U+037E, the Greek question mark, decomposes to `;`).
    fn push_decomposed(
        &self,
        character: char,
        word: &mut WordBuffer,
        on_token: &mut impl FnMut(WordpieceToken) -> bool,
    ) -> bool {
        if keeps_marks(character) {
            return self.push_part(character, word, on_token);
        }
        let mut goes_on = true;
        decompose_canonical(character, |part| {
            let dropped = part.general_category() == GeneralCategory::NonspacingMark && !keeps_marks(part);
            if goes_on && !dropped {
                goes_on = self.push_part(part, word, on_token);
            }
        });
        goes_on
    }

    fn push_part(
        &self,
        part: char,
        word: &mut WordBuffer,
        on_token: &mut impl FnMut(WordpieceToken) -> bool,
    ) -> bool {
        if is_punctuation(part) {
            let goes_on = self.flush(word, on_token);
            word.push_folded(part);
            return goes_on && self.flush(word, on_token);
        }
        let unspaced = is_han(part) || is_kana(part);
        let goes_on = self.turn(word, unspaced, on_token);
        word.push_folded(part);
        goes_on
    }

    /// Ends the word where the script changes between one with spaces and one without, and a run without spaces before it grows too long.
    fn turn(
        &self,
        word: &mut WordBuffer,
        unspaced: bool,
        on_token: &mut impl FnMut(WordpieceToken) -> bool,
    ) -> bool {
        let changes = word.unspaced != unspaced || unspaced && word.chars + 1 >= limits::WORD_CHARS;
        let goes_on = !changes || self.flush(word, on_token);
        word.unspaced = unspaced;
        goes_on
    }

    /// Cuts the word into pieces, hands them on and empties it. Returns whether to go on.
    fn flush(&self, word: &mut WordBuffer, on_token: &mut impl FnMut(WordpieceToken) -> bool) -> bool {
        if word.chars == 0 {
            return true;
        }
        let goes_on = self.cut(word, on_token);
        word.clear();
        goes_on
    }

    fn cut(&self, word: &mut WordBuffer, on_token: &mut impl FnMut(WordpieceToken) -> bool) -> bool {
        if word.chars <= limits::WORD_CHARS {
            if let Some(&id) = self.first.get(word.bytes.as_slice()) {
                return on_token(WordpieceToken::Known { id, chars: word.chars as u16 });
            }
            return self.spell(&word.bytes, word.unspaced, on_token);
        }
        on_token(WordpieceToken::Unknown { chars: u32::try_from(word.chars).unwrap_or(u32::MAX) })
    }

    /// The greedy cut of a word that is no piece itself. A letter that no piece has is passed over.
    fn spell(&self, bytes: &[u8], unspaced: bool, on_token: &mut impl FnMut(WordpieceToken) -> bool) -> bool {
        let mut start = 0;
        while start < bytes.len() {
            let table = if start == 0 || unspaced { &self.first } else { &self.continuation };
            let mut end = bytes.len().min(start + self.longest);
            let token = loop {
                let on_boundary = end == bytes.len() || bytes[end] & 0xC0 != 0x80;
                if on_boundary && let Some(&id) = table.get(&bytes[start..end]) {
                    let chars = bytes[start..end].iter().filter(|&&byte| byte & 0xC0 != 0x80).count();
                    break WordpieceToken::Known { id, chars: chars as u16 };
                }
                end -= 1;
                if end <= start {
                    let letter = bytes[start + 1..].iter().take_while(|&&byte| byte & 0xC0 == 0x80).count();
                    end = start + 1 + letter;
                    break WordpieceToken::Unknown { chars: 1 };
                }
            };
            if !on_token(token) {
                return false;
            }
            start = end;
        }
        true
    }
}

/// The word being read, already folded. Reused for all words of a text.
#[derive(Default)]
struct WordBuffer {
    bytes: Vec<u8>,
    chars: usize,
    /// Of a script that is written without spaces.
    unspaced: bool,
}

impl WordBuffer {
    /// Characters beyond the bound are only counted: such a word is unknown whatever it says.
    fn push_ascii(&mut self, byte: u8) {
        self.chars += 1;
        if self.chars <= limits::WORD_CHARS {
            self.bytes.push(byte);
        }
    }

    fn push_folded(&mut self, character: char) {
        for lower in character.to_lowercase() {
            self.chars += 1;
            if self.chars <= limits::WORD_CHARS {
                self.bytes.extend_from_slice(lower.encode_utf8(&mut [0; 4]).as_bytes());
            }
        }
    }

    fn clear(&mut self) {
        self.bytes.clear();
        self.chars = 0;
        self.unspaced = false;
    }
}

enum WordpieceClass {
    Dropped,
    Space,
    Visible,
}

/// Classifies a character outside ASCII.
fn class(character: char) -> WordpieceClass {
    use GeneralCategory as Category;
    if character == char::REPLACEMENT_CHARACTER {
        return WordpieceClass::Dropped;
    }
    match character.general_category() {
        Category::Control | Category::Format | Category::PrivateUse => WordpieceClass::Dropped,
        Category::NonspacingMark if !keeps_marks(character) => WordpieceClass::Dropped,
        _ if character.is_whitespace() => WordpieceClass::Space,
        _ => WordpieceClass::Visible,
    }
}

fn is_punctuation(character: char) -> bool {
    use GeneralCategory as Category;
    character.is_ascii_punctuation()
        || matches!(
            character.general_category(),
            Category::ConnectorPunctuation
                | Category::DashPunctuation
                | Category::OpenPunctuation
                | Category::ClosePunctuation
                | Category::InitialPunctuation
                | Category::FinalPunctuation
                | Category::OtherPunctuation
        )
}

fn is_han(character: char) -> bool {
    matches!(u32::from(character),
        0x4E00..=0x9FFF | 0x3400..=0x4DBF | 0xF900..=0xFAFF | 0x2_0000..=0x2_CEAF | 0x2_F800..=0x2_FA1F)
}

fn is_kana(character: char) -> bool {
    matches!(u32::from(character), 0x3041..=0x30FA | 0x30FC..=0x30FF)
}

/// Scripts in which a mark is part of the letter and is not taken off: those of India and their neighbours, Hangul, kana.
fn keeps_marks(character: char) -> bool {
    matches!(u32::from(character), 0x0900..=0x1CFF | 0xAC00..=0xD7AF) || is_kana(character)
}

/// The forms of ASCII that are as wide as a Han character, as ASCII.
fn narrowed(character: char) -> char {
    match u32::from(character) {
        wide @ 0xFF01..=0xFF5E => char::from_u32(wide - 0xFEE0).unwrap_or(character),
        _ => character,
    }
}

/// A hasher for short keys that nobody chooses to collide: the keys are the fixed vocabulary, and a text that
/// makes look-ups miss costs the same as any other. The default hasher takes three times as long.
#[derive(Default)]
struct PieceHasher(u64);

impl Hasher for PieceHasher {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.mix(u64::from_le_bytes(word));
        }
    }

    fn write_u8(&mut self, byte: u8) {
        self.mix(u64::from(byte));
    }

    fn write_usize(&mut self, length: usize) {
        self.mix(length as u64);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

impl PieceHasher {
    /// The folded product of two 64-bit words: both halves of it depend on every bit of the input.
    fn mix(&mut self, word: u64) {
        let product = u128::from(self.0 ^ word ^ 0x9E37_79B9_7F4A_7C15) * 0xD6E8_FEB8_6659_FD93;
        self.0 = (product as u64) ^ ((product >> 64) as u64);
    }
}
