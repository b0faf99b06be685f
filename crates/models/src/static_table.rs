//! The built-in embedding model: a table with one vector per word piece, and the mean of them.
//!
//! It stands behind every vector that Recollect makes when nobody configured another model, so it must work
//! with nothing installed, on any machine, in microseconds. A transformer would take milliseconds and tens of
//! megabytes; this table is distilled from two of them (`assets/embedding/card.md` says how and what was measured) and
//! is embedded in the binary. Each row already carries its token's weight, small for frequent words, so a
//! text's vector is the plain sum of its rows, brought to length 1. Fifteen languages share one space: a question in one finds
//! what was told in another.
//!
//! What the table does not know, it does not pretend to know: words it cannot spell add nothing, and a text of
//! nothing else is the zero vector, whose cosine with everything is 0. [`StaticTable::known_share`] says how much of a text is
//! understood, so that the fusion can lean on keywords there.

use std::sync::OnceLock;

use crate::limits;
use crate::wordpiece::{WordPiece, WordpieceToken};

static VOCABULARY: &str = include_str!("../../../assets/embedding/vocab.txt");
static TABLE: &[u8] = include_bytes!("../../../assets/embedding/table.bin");

/// The model's name for stored vectors, `source:model:dimensions`. It changes with the table's content, because
/// vectors of two tables do not compare: a new name makes the stores embed again.
const SIGNATURE: &str = "static:recollect-tongues-1:256";

/// The width of the table. The sums live in an array of this size.
const DIMENSIONS: usize = 256;

const MAGIC: &[u8; 8] = b"RCLTABL2";
const HEADER_BYTES: usize = 20;

/// The table and its tokenizer.
pub struct StaticTable {
    pieces: WordPiece,
    scales: Vec<f32>,
    /// The English rows. The values as bytes of two's complement: a slice of bytes becomes no slice of `i8` without
    /// unsafe code, and the cast at the use costs nothing.
    whole: &'static [[u8; DIMENSIONS]],
    /// The rows behind them, of the other languages: two values a byte, the lower half first, each from -8.
    halved: &'static [[u8; DIMENSIONS / 2]],
    /// By row, how its characters count in [`StaticTable::known_share`].
    senses: Vec<Sense>,
}

/// A text's vector, and how far it can be trusted.
#[derive(Debug, Clone, PartialEq)]
pub struct Embedded {
    /// Length 1, or all zeros if nothing of the text is known.
    pub vector: Vec<f32>,
    /// As [`StaticTable::known_share`].
    pub known_share: f32,
}

impl StaticTable {
    /// The one table, made ready at the first call (a few milliseconds) and shared after that.
    pub fn builtin() -> &'static Self {
        static BUILTIN: OnceLock<StaticTable> = OnceLock::new();
        BUILTIN.get_or_init(|| Self::parse(VOCABULARY, TABLE))
    }

    /// How many numbers a vector has.
    pub fn dimensions(&self) -> usize {
        DIMENSIONS
    }

    /// Names the model behind the vectors: `source:model:dimensions`.
    pub fn signature(&self) -> &str {
        SIGNATURE
    }

    /// The vector of a text: length 1, or all zeros if the text holds no known word. At most [`limits::EMBEDDED_TOKENS`]
    /// tokens and [`limits::EMBEDDED_BYTES`] bytes from its beginning are looked at.
    pub fn embed(&self, text: &str) -> Vec<f32> {
        self.embed_with_share(text).vector
    }

    /// The share of the text's letters and digits that stand in pieces which carry meaning, from 0 (nothing is
    /// understood, or there is nothing to understand) to 1. It is near 1 in the fifteen languages that the table was trained on and
    /// in what is written with their letters; what is spelt letter by letter (Greek, Hebrew, Thai) is not understood.
    pub fn known_share(&self, text: &str) -> f32 {
        self.embed_with_share(text).known_share
    }

    /// Both at the price of one.
    pub fn embed_with_share(&self, text: &str) -> Embedded {
        let mut sum = [0.0_f32; DIMENSIONS];
        let mut share = KnownShare::default();
        let mut tokens = 0;
        self.pieces.tokenize(bounded(text), |token| {
            if let WordpieceToken::Known { id, .. } = token {
                self.add_row(id as usize, &mut sum);
            }
            share.count(token, &self.senses);
            tokens += 1;
            tokens < limits::EMBEDDED_TOKENS
        });
        Embedded { vector: normalised(&sum), known_share: share.value() }
    }

    fn add_row(&self, id: usize, sum: &mut [f32; DIMENSIONS]) {
        let Some(&scale) = self.scales.get(id) else { return };
        if let Some(row) = self.whole.get(id) {
            for (total, &value) in sum.iter_mut().zip(row) {
                *total += scale * f32::from(value as i8);
            }
        } else if let Some(row) = self.halved.get(id - self.whole.len()) {
            for (total, &both) in sum.as_chunks_mut::<2>().0.iter_mut().zip(row) {
                total[0] += scale * (f32::from(both & 15) - 8.0);
                total[1] += scale * (f32::from(both >> 4) - 8.0);
            }
        }
    }

    /// The rows of a text's pieces, in order, at most `most` of them.
    pub(crate) fn pieces(&self, text: &str, most: usize) -> Vec<u32> {
        let mut rows = Vec::new();
        self.pieces.tokenize(bounded(text), |token| {
            if let WordpieceToken::Known { id, .. } = token {
                rows.push(id);
            }
            rows.len() < most
        });
        rows
    }

    /// One row as it is added, which is longer the more its piece means.
    pub(crate) fn row(&self, id: u32) -> [f32; DIMENSIONS] {
        let mut row = [0.0; DIMENSIONS];
        self.add_row(id as usize, &mut row);
        row
    }

    /// Reads the embedded bytes. They are part of the program, so what is wrong with them is a wrong build.
    fn parse(vocabulary: &'static str, table: &'static [u8]) -> Self {
        let (header, body) = table.split_at(HEADER_BYTES);
        assert_eq!(&header[..8], MAGIC, "the embedded table must be of the format this code reads");
        let number = |at: usize| {
            u32::from_le_bytes(header[at..at + 4].try_into().expect("the slice is four bytes long")) as usize
        };
        let (whole, halved, dimensions) = (number(8), number(12), number(16));
        assert_eq!(dimensions, DIMENSIONS, "the embedded table must have the width this code has");
        let bytes = (whole + halved) * 4 + whole * dimensions + halved * dimensions / 2;
        assert_eq!(body.len(), bytes, "the embedded table must be whole");
        let (scales, values) = body.split_at((whole + halved) * 4);
        let scales = scales.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
        let (english, others) = values.split_at(whole * dimensions);
        let senses =
            vocabulary.lines().enumerate().map(|(row, line)| Sense::of(line, row >= whole)).collect();
        Self {
            pieces: WordPiece::from_vocabulary(vocabulary),
            scales,
            whole: english.as_chunks::<DIMENSIONS>().0,
            halved: others.as_chunks::<{ DIMENSIONS / 2 }>().0,
            senses,
        }
    }
}

/// How the characters of a piece count in the known share.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sense {
    /// Two or more letters or digits, or a sign that is a word: a word or a good part of one.
    Meaning,
    /// A letter of another script by itself.
    Spelling,
    /// Punctuation, symbols, single Latin letters: they count neither way.
    Neither,
}

impl Sense {
    fn of(line: &str, trained: bool) -> Self {
        let piece = line.strip_prefix("##").unwrap_or(line);
        let is_latin =
            |character: char| character.is_ascii_alphanumeric() || ('ß'..='ɏ').contains(&character);
        if piece.chars().all(is_latin) {
            if piece.chars().count() >= 2 { Self::Meaning } else { Self::Neither }
        } else if trained && piece.chars().count() >= 2 || piece.chars().all(is_ideograph) {
            Self::Meaning
        } else if piece.chars().any(char::is_alphanumeric) {
            Self::Spelling
        } else {
            Self::Neither
        }
    }
}

/// One sign says something by itself.
fn is_ideograph(character: char) -> bool {
    matches!(u32::from(character), 0x3400..=0x4DBF | 0x4E00..=0x9FFF)
}

/// Counts for [`StaticTable::known_share`].
#[derive(Default)]
struct KnownShare {
    known: u64,
    all: u64,
}

impl KnownShare {
    fn count(&mut self, token: WordpieceToken, senses: &[Sense]) {
        match token {
            WordpieceToken::Unknown { chars } => self.all += u64::from(chars),
            WordpieceToken::Known { id, chars } => match senses.get(id as usize) {
                Some(Sense::Meaning) => {
                    self.known += u64::from(chars);
                    self.all += u64::from(chars);
                }
                Some(Sense::Spelling) => self.all += u64::from(chars),
                Some(Sense::Neither) | None => {}
            },
        }
    }

    fn value(&self) -> f32 {
        if self.all == 0 { 0.0 } else { self.known as f32 / self.all as f32 }
    }
}

/// The text's beginning, cut at a character's boundary.
fn bounded(text: &str) -> &str {
    &text[..text.floor_char_boundary(limits::EMBEDDED_BYTES)]
}

fn normalised(sum: &[f32; DIMENSIONS]) -> Vec<f32> {
    let length = sum.iter().map(|value| value * value).sum::<f32>().sqrt();
    if length <= f32::EPSILON {
        return vec![0.0; DIMENSIONS];
    }
    sum.iter().map(|value| value / length).collect()
}
