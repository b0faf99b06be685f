//! Cuts a text into the words that time expressions are made of, and notes what stands between them.

use std::ops::Range;

use jiff::civil::Date;

#[derive(Debug, Clone, PartialEq)]
pub(super) struct TimeToken {
    /// In lower case, without a possessive ending.
    pub(super) word: String,
    /// An ISO date or month, which is one token.
    pub(super) iso: Option<Iso>,
    pub(super) is_capitalised: bool,
    pub(super) is_possessive: bool,
    /// What stands between this token and the one before it.
    pub(super) gap: Gap,
    pub(super) range: Range<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Iso {
    Day(Date),
    Month(Date),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Gap {
    /// White space, a hyphen, or nothing: the phrase goes on.
    Open,
    /// A comma, or the point of an abbreviation: the phrase may go on.
    Comma,
    /// Anything else ends a phrase.
    Break,
}

pub(super) fn lex(text: &str) -> Vec<TimeToken> {
    let mut tokens: Vec<TimeToken> = Vec::new();
    let mut position = 0;
    let mut gap_start = 0;
    while let Some(next) = text[position..].chars().next() {
        if !next.is_alphanumeric() {
            position += next.len_utf8();
            continue;
        }
        let gap = gap_between(&text[gap_start..position], tokens.last());
        let (token, end) = iso_token(text, position, gap).unwrap_or_else(|| word_token(text, position, gap));
        tokens.push(token);
        position = end;
        gap_start = end;
    }
    tokens
}

fn gap_between(between: &str, before: Option<&TimeToken>) -> Gap {
    let marks: String =
        between.chars().filter(|character| !matches!(character, ' ' | '\t' | '\u{A0}')).collect();
    match marks.as_str() {
        "" | "-" | "\n" => Gap::Open,
        "," => Gap::Comma,
        // "Sept. 7" goes on, "in September. 7 people" does not.
        "." if before.is_some_and(|token| token.word.len() <= 4 && token.word.parse::<u32>().is_err()) => {
            Gap::Comma
        }
        _ => Gap::Break,
    }
}

fn word_token(text: &str, start: usize, gap: Gap) -> (TimeToken, usize) {
    let rest = &text[start..];
    let length = rest.find(|character: char| !character.is_alphanumeric()).unwrap_or(rest.len());
    let word = &rest[..length];
    let tail = possessive_length(&rest[length..]);
    let token = TimeToken {
        word: word.to_lowercase(),
        iso: None,
        is_capitalised: word.starts_with(char::is_uppercase),
        is_possessive: tail > 0,
        gap,
        range: start..start + length,
    };
    (token, start + length + tail)
}

/// The length of `'s` or of the apostrophe of a plural in front of the next word.
fn possessive_length(rest: &str) -> usize {
    let Some(apostrophe) = rest.chars().next().filter(|character| matches!(character, '\'' | '’')) else {
        return 0;
    };
    let after = &rest[apostrophe.len_utf8()..];
    let tail = usize::from(after.starts_with(['s', 'S']));
    if after[tail..].starts_with(char::is_alphanumeric) { 0 } else { apostrophe.len_utf8() + tail }
}

/// `2023-05-07`, `2023/05/07` and `2023-05`: year first is never ambiguous. A time of day may follow.
fn iso_token(text: &str, start: usize, gap: Gap) -> Option<(TimeToken, usize)> {
    let bytes = &text.as_bytes()[start..];
    let separator = *bytes.get(4).filter(|separator| matches!(separator, b'-' | b'/'))?;
    let year: i16 = digits(bytes, 0, 4)?;
    let month: i8 = digits(bytes, 5, 2)?.try_into().ok()?;
    let (iso, length) = match (bytes.get(7), digits(bytes, 8, 2)) {
        (Some(second), Some(day)) if *second == separator && !is_digit(bytes.get(10)) => {
            (Iso::Day(Date::new(year, month, day.try_into().ok()?).ok()?), 10)
        }
        (next, _) if separator == b'-' && !is_digit(next) => (Iso::Month(Date::new(year, month, 1).ok()?), 7),
        _ => return None,
    };
    let mut end = start + length;
    if bytes.get(length).is_some_and(|next| matches!(next, b'T' | b't')) {
        end = text[end..].find(char::is_whitespace).map_or(text.len(), |position| end + position);
    }
    let token = TimeToken {
        word: String::new(),
        iso: Some(iso),
        is_capitalised: false,
        is_possessive: false,
        gap,
        range: start..start + length,
    };
    Some((token, end))
}

fn digits(bytes: &[u8], start: usize, length: usize) -> Option<i16> {
    let digits = bytes.get(start..start + length)?;
    digits
        .iter()
        .try_fold(0, |number, &byte| byte.is_ascii_digit().then(|| number * 10 + i16::from(byte - b'0')))
}

fn is_digit(byte: Option<&u8>) -> bool {
    byte.is_some_and(u8::is_ascii_digit)
}
