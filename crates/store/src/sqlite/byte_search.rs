//! Many texts searched for in bytes at once, whatever the case of ASCII letters. Only a purge needs this, to read a database
//! file as it lies on the disk.

use aho_corasick::{AhoCorasick, BuildError};

/// Shorter texts are left out: they stand in any file by chance.
const SHORTEST: usize = 4;

pub struct Needles(AhoCorasick);

impl Needles {
    pub fn new<'a>(texts: impl IntoIterator<Item = &'a String>) -> Result<Self, BuildError> {
        let texts = texts.into_iter().filter(|text| text.len() >= SHORTEST);
        AhoCorasick::builder().ascii_case_insensitive(true).build(texts).map(Self)
    }

    pub fn is_empty(&self) -> bool {
        self.0.patterns_len() == 0
    }

    /// Bytes of the longest one.
    pub fn longest(&self) -> usize {
        self.0.max_pattern_len()
    }

    pub fn is_in(&self, bytes: &[u8]) -> bool {
        self.0.is_match(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_found_in_any_case_and_nowhere_else() {
        let texts = ["quokkas9172".to_owned(), "häuser".to_owned(), "xy".to_owned()];
        let needles = Needles::new(&texts).expect("few texts");
        for (bytes, expected) in [
            (&b"\0\x01QUOKKAS9172 and more"[..], true),
            (b"quokkas9172", true),
            (b"quokkas9173 quokkas917", false),
            ("viele häuser".as_bytes(), true),
            (b"xyxy", false),
            (b"", false),
        ] {
            assert_eq!(needles.is_in(bytes), expected, "{bytes:?}");
        }
        assert!(Needles::new(&["xy".to_owned()]).expect("no texts").is_empty());
        assert_eq!(needles.longest(), 11);
    }
}
