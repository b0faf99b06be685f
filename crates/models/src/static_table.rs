//! The built-in embedding model: a table with one vector per word piece, and the mean of them.
//!
//! It stands behind every vector that Recollect makes when nobody configured another model, so it must work
//! with nothing installed, on any machine, in microseconds. A transformer would take milliseconds and tens of
//! megabytes; this table is distilled from one (`assets/embedding/card.md` says how and what was measured) and
//! is embedded in the binary. Each row already carries its token's weight, small for frequent words, so a
//! text's vector is the plain sum of its rows, brought to length 1.
//!
//! What the table does not know, it does not pretend to know: words it cannot spell add nothing, and a text of
//! nothing else is the zero vector, whose cosine with everything is 0. Scripts outside its vocabulary are
//! spelt letter by letter if at all; [`StaticTable::known_share`] says how much of a text is understood, so that
//! the fusion can lean on keywords there.

use std::sync::OnceLock;

use crate::wordpiece::{WordPiece, WordpieceToken};

static VOCABULARY: &str = include_str!("../../../assets/embedding/vocab.txt");
static TABLE: &[u8] = include_bytes!("../../../assets/embedding/table.i8");

/// The model's name for stored vectors, `source:model:dimensions`. It changes with the table's content, because
/// vectors of two tables do not compare: a new name makes the stores embed again.
const SIGNATURE: &str = "static:recollect-minilm-1:256";

/// The width of the table. The sums live in an array of this size.
const DIMENSIONS: usize = 256;

/// Tokens of one text that are looked at. A mean over more words than this no longer moves, and a 100 MB
/// message must not hold a core: the first 8,192 tokens are about 30 KB of English.
pub const MAX_TOKENS: usize = 8_192;

/// Bytes of one text that are looked at, for text that has no tokens to count (spaces, control characters).
pub const MAX_BYTES: usize = 1 << 18;

const MAGIC: &[u8; 8] = b"RCLTABL1";
const HEADER_BYTES: usize = 16;

/// The table and its tokenizer.
pub struct StaticTable {
    pieces: WordPiece,
    scales: Vec<f32>,
    /// The values as bytes of two's complement: a slice of bytes becomes no slice of `i8` without unsafe code,
    /// and the cast at the use costs nothing.
    rows: &'static [[u8; DIMENSIONS]],
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

    /// The vector of a text: length 1, or all zeros if the text holds no known word. At most [`MAX_TOKENS`]
    /// tokens and [`MAX_BYTES`] bytes from its beginning are looked at.
    pub fn embed(&self, text: &str) -> Vec<f32> {
        self.embed_with_share(text).vector
    }

    /// The share of the text's letters and digits that stand in pieces which carry meaning, from 0 (nothing is
    /// understood, or there is nothing to understand) to 1. What is not in the Latin script is spelt letter by
    /// letter and not understood: English is near 1, Russian and Chinese are near 0. Other languages in Latin
    /// letters are near 1 too, because their words are cut into pieces that mean something somewhere; there the
    /// vector is weaker than in English but still helps.
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
                self.add_row(usize::from(id), &mut sum);
            }
            share.count(token, &self.senses);
            tokens += 1;
            tokens < MAX_TOKENS
        });
        Embedded { vector: normalised(&sum), known_share: share.value() }
    }

    fn add_row(&self, id: usize, sum: &mut [f32; DIMENSIONS]) {
        let (Some(&scale), Some(row)) = (self.scales.get(id), self.rows.get(id)) else { return };
        for (total, &value) in sum.iter_mut().zip(row) {
            *total += scale * f32::from(value as i8);
        }
    }

    /// Reads the embedded bytes. They are part of the program, so what is wrong with them is a wrong build.
    fn parse(vocabulary: &'static str, table: &'static [u8]) -> Self {
        let (header, body) = table.split_at(HEADER_BYTES);
        assert_eq!(&header[..8], MAGIC, "the embedded table must be of the format this code reads");
        let number = |at: usize| {
            u32::from_le_bytes(header[at..at + 4].try_into().expect("the slice is four bytes long")) as usize
        };
        let (rows, dimensions) = (number(8), number(12));
        assert_eq!(dimensions, DIMENSIONS, "the embedded table must have the width this code has");
        assert_eq!(body.len(), rows * (4 + dimensions), "the embedded table must be whole");
        let (scales, values) = body.split_at(rows * 4);
        let scales = scales.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
        let (values, rest) = values.as_chunks::<DIMENSIONS>();
        assert!(rest.is_empty(), "the embedded table must end with a whole row");
        let senses = vocabulary.lines().map(Sense::of).collect();
        Self { pieces: WordPiece::from_vocabulary(vocabulary), scales, rows: values, senses }
    }
}

/// How the characters of a piece count in the known share.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sense {
    /// Two or more Latin letters or digits: a word or a good part of one.
    Meaning,
    /// A letter of another script, alone or with others: the teacher was trained on English.
    Spelling,
    /// Punctuation, symbols, single Latin letters: they count neither way.
    Neither,
}

impl Sense {
    fn of(line: &str) -> Self {
        let piece = line.strip_prefix("##").unwrap_or(line);
        let is_latin =
            |character: char| character.is_ascii_alphanumeric() || ('ß'..='ɏ').contains(&character);
        if piece.chars().all(is_latin) {
            if piece.len() >= 2 { Self::Meaning } else { Self::Neither }
        } else if piece.chars().any(char::is_alphanumeric) {
            Self::Spelling
        } else {
            Self::Neither
        }
    }
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
            WordpieceToken::Known { id, chars } => match senses.get(usize::from(id)) {
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
    &text[..text.floor_char_boundary(MAX_BYTES)]
}

fn normalised(sum: &[f32; DIMENSIONS]) -> Vec<f32> {
    let length = sum.iter().map(|value| value * value).sum::<f32>().sqrt();
    if length <= f32::EPSILON {
        return vec![0.0; DIMENSIONS];
    }
    sum.iter().map(|value| value / length).collect()
}
