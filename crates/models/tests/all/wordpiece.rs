//! The tokenizer against the one that the training had.
//!
//! `wordpiece_ids.json` was written by `xtask/python/pieces.py` from sentences made up for it: accents, Han, kana, Hangul, Cyrillic, emoji, ligatures, control characters, words over the bound.

use models::wordpiece::{WordPiece, WordpieceToken};

static VOCABULARY: &str = include_str!("../../../../assets/embedding/vocab.txt");
static CASES: &str = include_str!("wordpiece_ids.json");

#[derive(serde::Deserialize)]
struct WordpieceCase {
    text: String,
    ids: Vec<u32>,
}

fn ids(pieces: &WordPiece, text: &str) -> Vec<u32> {
    let mut ids = Vec::new();
    pieces.tokenize(text, |token| {
        if let WordpieceToken::Known { id, .. } = token {
            ids.push(id);
        }
        true
    });
    ids
}

#[test]
fn gives_the_reference_ids() {
    let pieces = WordPiece::from_vocabulary(VOCABULARY);
    let cases: Vec<WordpieceCase> = serde_json::from_str(CASES).expect("the fixture is JSON");
    for case in &cases {
        assert_eq!(ids(&pieces, &case.text), case.ids, "{:?}", case.text);
    }
}

#[test]
fn stops_when_told() {
    let pieces = WordPiece::from_vocabulary(VOCABULARY);
    let mut seen = 0;
    pieces.tokenize("one two three four", |_| {
        seen += 1;
        seen < 2
    });
    assert_eq!(seen, 2);
}

#[test]
fn pieces_cover_the_characters_of_a_word() {
    let pieces = WordPiece::from_vocabulary(VOCABULARY);
    let mut covered = 0;
    pieces.tokenize("unbelievably", |token| {
        if let WordpieceToken::Known { chars, .. } = token {
            covered += usize::from(chars);
        }
        true
    });
    assert_eq!(covered, "unbelievably".len());
}
