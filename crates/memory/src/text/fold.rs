//! Folding: the one spelling under which different ways of typing the same word meet.
//!
//! Compatibility normalisation (NFKC) first, so that full-width letters, ligatures and decomposed accents are what
//! they look like. Then, character by character: lower case; diacritics off in Latin and Greek, where people leave
//! them out when they type; in Cyrillic only ё → е, because й is a letter of its own and not an и with an ornament;
//! vowel points off in Arabic and Hebrew, where running text does not write them. Marks of all other scripts stay:
//! in Devanagari or Thai they are the vowels of the word.

use std::borrow::Cow;

use unicode_normalization::char::{decompose_canonical, is_combining_mark};
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};

/// The folded form of a text. Folding what is folded changes nothing.
pub fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for character in normalise(text).chars() {
        fold_character(character, &mut folded);
    }
    folded
}

/// NFKC, which most text already is.
pub(crate) fn normalise(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || is_nfkc_quick(text.chars()) == IsNormalized::Yes {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(text.nfkc().collect())
    }
}

/// Appends the folded form of one character of normalised text: usually one character, sometimes none or two.
pub(crate) fn fold_character(character: char, folded: &mut String) {
    if character.is_ascii() {
        folded.push(character.to_ascii_lowercase());
        return;
    }
    for lower in character.to_lowercase() {
        match lower as u32 {
            // Latin and Greek with their extensions: the base letters without the marks.
            0x00C0..=0x024F | 0x0370..=0x03FF | 0x1E00..=0x1FFF => {
                decompose_canonical(lower, |part| fold_letter(part, folded));
            }
            _ => fold_letter(lower, folded),
        }
    }
}

fn fold_letter(letter: char, folded: &mut String) {
    match letter {
        'ß' => folded.push_str("ss"),
        'æ' => folded.push_str("ae"),
        'œ' => folded.push_str("oe"),
        'þ' => folded.push_str("th"),
        'ø' => folded.push('o'),
        'đ' | 'ð' => folded.push('d'),
        'ł' => folded.push('l'),
        'ħ' => folded.push('h'),
        'ŧ' => folded.push('t'),
        'ı' => folded.push('i'),
        'ς' => folded.push('σ'),
        'ё' => folded.push('е'),
        'آ' | 'أ' | 'إ' | 'ٱ' => folded.push('ا'),
        'ى' | 'ی' => folded.push('ي'),
        'ک' => folded.push('ك'),
        'ـ' => {}
        _ if is_optional_mark(letter) => {}
        _ => folded.push(letter),
    }
}

/// Marks that change how a word looks or is pronounced, but that people leave out when they write it.
fn is_optional_mark(letter: char) -> bool {
    let optional = matches!(
        letter as u32,
        0x0300..=0x036F | 0x0591..=0x05C7 | 0x0610..=0x061A | 0x064B..=0x065F | 0x0670 | 0x1AB0..=0x1AFF
            | 0x1DC0..=0x1DFF | 0x20D0..=0x20FF | 0xFE20..=0xFE2F
    );
    optional && is_combining_mark(letter)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn spellings_meet() {
        let table = [
            ("Café", "cafe"),
            ("Cafe\u{301}", "cafe"),
            ("ＡＢＣ１２", "abc12"),
            ("ﬁancée", "fiancee"),
            ("Straße", "strasse"),
            ("STRASSE", "strasse"),
            ("Ærø", "aero"),
            ("Łódź", "lodz"),
            ("İstanbul", "istanbul"),
            ("Việt", "viet"),
            ("Ἀθῆναι", "αθηναι"),
            ("Ὀδυσσεύς", "οδυσσευσ"),
            ("Ёлка", "елка"),
            ("Йога", "йога"),
            ("Иога", "иога"),
            ("за\u{301}мок", "замок"),
            ("Київ", "київ"),
            ("كِتَابٌ", "كتاب"),
            ("أحمد", "احمد"),
            ("שָׁלוֹם", "שלום"),
            ("हिन्दी", "हिन्दी"),
            ("ｶﾞ", "ガ"),
        ];
        for (text, expected) in table {
            assert_eq!(fold(text), expected, "{text}");
        }
    }

    proptest! {
        #[test]
        fn folding_twice_changes_nothing(text in any::<String>()) {
            let once = fold(&text);
            prop_assert_eq!(fold(&once), once);
        }
    }
}
