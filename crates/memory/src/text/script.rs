//! What kind of character is this? The analyser chooses by script, and this is where the scripts are told apart.
//!
//! The ranges are written by hand: a handful of blocks decide everything the analyser needs, and a Unicode script
//! table would be a dependency a hundred times the size of this file.

use unicode_normalization::char::is_combining_mark;

use crate::language::WordScript;

/// What the segmenter does with a character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CharacterClass {
    /// Part of a word that spaces or punctuation delimit.
    Word,
    /// Part of a run that is written without spaces, indexed by pairs of characters.
    Unspaced(Unspaced),
    /// A token by itself.
    Emoji,
    /// Half of a flag: two in a row are one emoji.
    FlagHalf,
    /// A combining mark: belongs to whatever it stands on.
    Mark,
    /// Invisible: neither part of a token nor a boundary.
    Invisible,
    /// Everything else ends a token.
    Boundary,
}

/// Scripts that are written without spaces between words, or (Hangul) whose words carry particles that a pair of
/// characters sees through. Han and kana are one, because Japanese writes single words across both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unspaced {
    HanAndKana,
    Hangul,
    Thai,
    Lao,
    Khmer,
    Myanmar,
}

pub(crate) fn classify(character: char) -> CharacterClass {
    if character.is_ascii() {
        return if character.is_ascii_alphanumeric() {
            CharacterClass::Word
        } else {
            CharacterClass::Boundary
        };
    }
    if is_invisible(character) {
        CharacterClass::Invisible
    } else if let 0x1F1E6..=0x1F1FF = character as u32 {
        CharacterClass::FlagHalf
    } else if is_emoji(character) {
        CharacterClass::Emoji
    } else if character.is_alphanumeric() {
        unspaced(character).map_or(CharacterClass::Word, CharacterClass::Unspaced)
    } else if is_combining_mark(character) {
        CharacterClass::Mark
    } else {
        CharacterClass::Boundary
    }
}

/// The script of a word is the script of its first letter; a word of digits alone counts as Latin, where the
/// stemmers leave it as it is.
pub(crate) fn script_of(word: &str) -> WordScript {
    if word.is_ascii() {
        return WordScript::Latin;
    }
    let first_letter = word.chars().find(|character| character.is_alphabetic());
    match first_letter.map_or(0, u32::from) {
        0x0000..=0x02AF | 0x1D00..=0x1DBF | 0x1E00..=0x1EFF | 0x2C60..=0x2C7F | 0xA720..=0xA7FF => {
            WordScript::Latin
        }
        0x0370..=0x03FF | 0x1F00..=0x1FFF => WordScript::Greek,
        0x0400..=0x052F | 0x1C80..=0x1C8F | 0x2DE0..=0x2DFF | 0xA640..=0xA69F => WordScript::Cyrillic,
        0x0600..=0x06FF | 0x0750..=0x077F | 0x08A0..=0x08FF => WordScript::Arabic,
        0x0B80..=0x0BFF => WordScript::Tamil,
        _ => WordScript::Other,
    }
}

/// Whether a character is a letter of Chinese, Japanese or Korean: no emoji and no mark, though those are as wide.
pub(crate) fn is_han_kana_or_hangul(character: char) -> bool {
    matches!(classify(character), CharacterClass::Unspaced(Unspaced::HanAndKana | Unspaced::Hangul))
}

fn unspaced(character: char) -> Option<Unspaced> {
    Some(match character as u32 {
        0x0E00..=0x0E7F => Unspaced::Thai,
        0x0E80..=0x0EFF => Unspaced::Lao,
        0x1000..=0x109F | 0xA9E0..=0xA9FF | 0xAA60..=0xAA7F => Unspaced::Myanmar,
        0x1780..=0x17FF => Unspaced::Khmer,
        0x1100..=0x11FF | 0x3130..=0x318F | 0xA960..=0xA97F | 0xAC00..=0xD7FF => Unspaced::Hangul,
        0x2E80..=0x2FDF | 0x3005..=0x312F | 0x31A0..=0x31FF | 0x3400..=0x4DBF | 0x4E00..=0x9FFF => {
            Unspaced::HanAndKana
        }
        0xF900..=0xFAFF | 0x1AFF0..=0x1B16F | 0x20000..=0x3FFFF => Unspaced::HanAndKana,
        _ => return None,
    })
}

/// Zero-width characters, direction marks, the byte order mark, variation selectors, skin tones and tag characters:
/// what a reader cannot see (or, for skin tones, would not search by) must not keep two tokens apart.
fn is_invisible(character: char) -> bool {
    matches!(
        character as u32,
        0x00AD | 0x034F | 0x061C | 0x115F..=0x1160 | 0x17B4..=0x17B5 | 0x180B..=0x180F | 0x200B..=0x200F
            | 0x202A..=0x202E | 0x2060..=0x206F | 0x3164 | 0xFE00..=0xFE0F | 0xFEFF | 0xFFA0 | 0x1F3FB..=0x1F3FF
            | 0xE0000..=0xE0FFF
    )
}

fn is_emoji(character: char) -> bool {
    matches!(
        character as u32,
        0x231A..=0x231B | 0x23E9..=0x23F3 | 0x23F8..=0x23FA | 0x2600..=0x27BF | 0x2B05..=0x2B07 | 0x2B1B..=0x2B1C
            | 0x2B50 | 0x2B55 | 0x1F000..=0x1F0FF | 0x1F300..=0x1F64F | 0x1F680..=0x1F6FF | 0x1F7E0..=0x1F7F0
            | 0x1F90C..=0x1F9FF | 0x1FA70..=0x1FAFF
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_classified_by_script() {
        let table = [
            ('a', CharacterClass::Word),
            ('7', CharacterClass::Word),
            ('é', CharacterClass::Word),
            ('ж', CharacterClass::Word),
            ('ह', CharacterClass::Word),
            ('\u{94D}', CharacterClass::Mark),
            ('\u{301}', CharacterClass::Mark),
            ('-', CharacterClass::Boundary),
            ('\0', CharacterClass::Boundary),
            ('\u{A0}', CharacterClass::Boundary),
            ('。', CharacterClass::Boundary),
            ('・', CharacterClass::Boundary),
            ('漢', CharacterClass::Unspaced(Unspaced::HanAndKana)),
            ('か', CharacterClass::Unspaced(Unspaced::HanAndKana)),
            ('ー', CharacterClass::Unspaced(Unspaced::HanAndKana)),
            ('한', CharacterClass::Unspaced(Unspaced::Hangul)),
            ('ก', CharacterClass::Unspaced(Unspaced::Thai)),
            ('ກ', CharacterClass::Unspaced(Unspaced::Lao)),
            ('ក', CharacterClass::Unspaced(Unspaced::Khmer)),
            ('က', CharacterClass::Unspaced(Unspaced::Myanmar)),
            ('🎸', CharacterClass::Emoji),
            ('❤', CharacterClass::Emoji),
            ('🇫', CharacterClass::FlagHalf),
            ('\u{FEFF}', CharacterClass::Invisible),
            ('\u{200D}', CharacterClass::Invisible),
            ('\u{1F3FD}', CharacterClass::Invisible),
        ];
        for (character, expected) in table {
            assert_eq!(classify(character), expected, "{character:?}");
        }
    }

    #[test]
    fn the_first_letter_gives_the_script() {
        let table = [
            ("word", WordScript::Latin),
            ("2023", WordScript::Latin),
            ("über", WordScript::Latin),
            ("слово", WordScript::Cyrillic),
            ("λογος", WordScript::Greek),
            ("كتاب", WordScript::Arabic),
            ("தமிழ்", WordScript::Tamil),
            ("हिन्दी", WordScript::Other),
        ];
        for (word, expected) in table {
            assert_eq!(script_of(word), expected, "{word}");
        }
    }
}
