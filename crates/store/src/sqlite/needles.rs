//! Many texts searched for in bytes at once, whatever the case of ASCII letters.
//!
//! Only a purge needs this, to read a database file as it lies on the disk. A filter of the texts' first four bytes passes over
//! almost every place; what it lets through is compared.

use std::collections::HashMap;

/// Bits of the filter: at a few thousand texts it lets through one place in a hundred.
const BITS: u32 = 1 << 19;
const START: usize = 4;

pub struct Needles {
    filter: Vec<u64>,
    by_start: HashMap<[u8; START], Vec<Vec<u8>>>,
    longest: usize,
}

impl Needles {
    /// Texts shorter than four bytes are left out.
    pub fn new<'a>(texts: impl IntoIterator<Item = &'a String>) -> Self {
        let mut needles =
            Self { filter: vec![0; (BITS / 64) as usize], by_start: HashMap::new(), longest: 0 };
        for text in texts {
            let bytes = text.as_bytes().to_ascii_lowercase();
            let Some(start) = bytes.first_chunk::<START>().copied() else { continue };
            let place = place(start);
            needles.filter[(place / 64) as usize] |= 1 << (place % 64);
            needles.longest = needles.longest.max(bytes.len());
            needles.by_start.entry(start).or_default().push(bytes);
        }
        needles
    }

    pub fn is_empty(&self) -> bool {
        self.by_start.is_empty()
    }

    /// Bytes of the longest one.
    pub fn longest(&self) -> usize {
        self.longest
    }

    pub fn is_in(&self, bytes: &[u8]) -> bool {
        bytes.windows(START).enumerate().any(|(at, window)| {
            let start = [window[0], window[1], window[2], window[3]].map(|byte| byte.to_ascii_lowercase());
            let place = place(start);
            let may_be = self.filter[(place / 64) as usize] & (1 << (place % 64)) != 0;
            may_be && self.begins(&bytes[at..], start)
        })
    }

    fn begins(&self, bytes: &[u8], start: [u8; START]) -> bool {
        let Some(needles) = self.by_start.get(&start) else { return false };
        needles
            .iter()
            .any(|needle| bytes.get(..needle.len()).is_some_and(|bytes| bytes.eq_ignore_ascii_case(needle)))
    }
}

fn place(start: [u8; START]) -> u32 {
    u32::from_le_bytes(start).wrapping_mul(0x9E37_79B1) >> (32 - BITS.trailing_zeros())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_found_in_any_case_and_nowhere_else() {
        let texts = ["quokkas9172".to_owned(), "häuser".to_owned(), "xy".to_owned()];
        let needles = Needles::new(&texts);
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
        assert!(Needles::new(&["xy".to_owned()]).is_empty());
        assert_eq!(needles.longest(), 11);
    }
}
