//! Cuts a text into the words that time expressions are made of, and notes what stands between them.
//!
//! A number is a token of its own, also inside a word ("7th", 5月), and so is each character of a script that puts no spaces between words:
//! a phrase is then a row of tokens in every script.

use std::ops::Range;

use unicode_normalization::char::is_combining_mark;

use crate::text::fold;

#[derive(Debug, Clone, PartialEq)]
pub(super) struct TimeToken {
    /// As the tables write it: folded, without a possessive ending.
    pub(super) word: String,
    /// The value of a number in figures, and how many there are.
    pub(super) number: Option<(i32, usize)>,
    pub(super) is_capitalised: bool,
    pub(super) is_possessive: bool,
    /// What stands between this token and the one before it.
    pub(super) gap: Gap,
    pub(super) range: Range<usize>,
}

impl TimeToken {
    /// Whether a token has the form of `20170302`. Eight figures are no number to anybody who speaks of time.
    pub(super) fn is_compact_date(&self) -> bool {
        self.word.len() == 8 && self.word.bytes().all(|byte| byte.is_ascii_digit())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Gap {
    /// Nothing at all.
    None,
    /// White space.
    Space,
    /// One mark, with or without white space.
    Mark(char),
    /// Anything else ends a phrase.
    Break,
}

pub(super) fn lex(text: &str) -> Vec<TimeToken> {
    let mut tokens: Vec<TimeToken> = Vec::new();
    let mut position = 0;
    let mut gap_start = 0;
    while let Some(next) = text[position..].chars().next() {
        if !is_word(next) {
            position += next.len_utf8();
            continue;
        }
        let end = position + token_length(&text[position..]);
        let word = &text[position..end];
        let gap = gap_between(&text[gap_start..position]);
        // "week's": the ending is no word.
        let ends_possessive = matches!(gap, Gap::Mark('\'' | '’')) && word.eq_ignore_ascii_case("s");
        if let Some(last) = tokens.last_mut().filter(|_| ends_possessive && gap_start + 3 >= position) {
            last.is_possessive = true;
        } else {
            tokens.push(token(word, position..end, gap));
        }
        position = end;
        gap_start = end;
    }
    tokens
}

fn token(word: &str, range: Range<usize>, gap: Gap) -> TimeToken {
    TimeToken {
        word: spelling(word),
        number: figures(word),
        is_capitalised: word.starts_with(char::is_uppercase),
        is_possessive: false,
        gap,
        range,
    }
}

/// A word as the tables and the texts are compared.
pub(super) fn spelling(word: &str) -> String {
    if word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()) {
        return word.to_owned();
    }
    let folded = fold(word);
    if !folded.starts_with(|first: char| ('\u{0600}'..='\u{06FF}').contains(&first)) {
        return folded;
    }
    // Writers of Arabic leave out the signs on these letters, and the article changes nothing of a time.
    let letter = |letter: char| match letter {
        'أ' | 'إ' | 'آ' | 'ٱ' => Some('ا'),
        'ة' => Some('ه'),
        'ى' => Some('ي'),
        'ـ' => None,
        other => Some(other),
    };
    let plain: String = folded.chars().filter_map(letter).collect();
    match plain.strip_prefix("ال") {
        // With it, a day is today, a night tonight and a one a Sunday.
        Some("يوم" | "ليله" | "ان" | "احد") => plain,
        Some(bare) if bare.chars().count() >= 2 => bare.to_owned(),
        _ => plain,
    }
}

fn token_length(rest: &str) -> usize {
    let mut characters = rest.char_indices();
    let Some((_, first)) = characters.next() else { return 0 };
    let kind = sort(first);
    if kind == TimeCharacter::Single {
        return first.len_utf8();
    }
    let same =
        |character: char| is_word(character) && (sort(character) == kind || is_combining_mark(character));
    characters.find(|(_, character)| !same(*character)).map_or(rest.len(), |(at, _)| at)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum TimeCharacter {
    Figure,
    Letter,
    /// Stands for itself: Han, kana, Hangul.
    Single,
}

fn sort(character: char) -> TimeCharacter {
    match character as u32 {
        0x3040..=0x30FF | 0x3400..=0x9FFF | 0xAC00..=0xD7AF | 0x3005..=0x3007 => TimeCharacter::Single,
        _ if digit(character).is_some() => TimeCharacter::Figure,
        _ => TimeCharacter::Letter,
    }
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric() || !character.is_ascii() && is_combining_mark(character)
}

/// The value of a figure in any of the scripts that people write dates in.
fn digit(character: char) -> Option<u32> {
    let zero = match character as u32 {
        0x30..=0x39 => 0x30,
        0x0660..=0x0669 => 0x0660,
        0x06F0..=0x06F9 => 0x06F0,
        0x0966..=0x096F => 0x0966,
        0xFF10..=0xFF19 => 0xFF10,
        _ => return None,
    };
    Some(character as u32 - zero)
}

/// Seven figures at most: nobody dates by more.
fn figures(word: &str) -> Option<(i32, usize)> {
    let digits: Vec<u32> = word.chars().map(digit).collect::<Option<_>>()?;
    if digits.is_empty() || digits.len() > 7 {
        return None;
    }
    let value = digits.iter().fold(0, |value, digit| value * 10 + i32::try_from(*digit).unwrap_or_default());
    Some((value, digits.len()))
}

fn gap_between(between: &str) -> Gap {
    if between.is_empty() {
        return Gap::None;
    }
    let mut marks = between.chars().filter(|character| !character.is_whitespace());
    match (marks.next(), marks.next()) {
        (None, _) => Gap::Space,
        // A dash with space around it stands between two expressions and not inside of one.
        (Some(mark), None) if plain_mark(mark) == '-' && is_spaced(between) => Gap::Mark('–'),
        (Some(mark), None) => Gap::Mark(plain_mark(mark)),
        _ => Gap::Break,
    }
}

fn is_spaced(between: &str) -> bool {
    between.starts_with(char::is_whitespace) && between.ends_with(char::is_whitespace)
}

/// One form for the marks that mean the same.
fn plain_mark(mark: char) -> char {
    match mark {
        '–' | '—' | '−' | '~' | '〜' | '～' | '－' => '-',
        '，' | '、' | '،' => ',',
        '／' => '/',
        '．' => '.',
        '’' | '‘' | '´' | '`' => '\'',
        '：' => ':',
        other => other,
    }
}
