//! Secrets that are numbers: cards and IBANs, known by their check digits, and US social security numbers, known by the
//! words before them.
//!
//! Long numbers are everywhere (orders, times, telephones), and one in ten passes the check of a card by chance. So a card
//! also has to begin as cards do, and be grouped as they are printed or not at all.

use std::ops::Range;

use super::{SecretKind, SecretSpan, begins_word};

/// Digits of a card, written without gaps.
const CARD_DIGITS: Range<usize> = 13..20;

/// How cards are printed, in groups of digits.
const CARD_GROUPS: [&[usize]; 6] =
    [&[4, 4, 4, 4, 3], &[4, 4, 4, 4], &[4, 6, 5], &[4, 6, 4], &[4, 4, 4, 1], &[6, 13]];

/// Characters of an IBAN.
const IBAN_CHARACTERS: Range<usize> = 15..35;

/// Bytes before a social security number in which it must be called one.
const SSN_CUE_BYTES: usize = 48;

pub(super) fn find(text: &str, findings: &mut Vec<SecretSpan>) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at].is_ascii_digit() {
            let groups = groups(bytes, at);
            cards(bytes, &groups, findings);
            social_security(bytes, &groups, findings);
            at = groups.last().map_or(at + 1, |group| group.end);
        } else {
            let iban = iban_at(bytes, at);
            at = iban.as_ref().map_or(at + 1, |found| found.end);
            findings.extend(iban.map(|at| SecretSpan { at, kind: SecretKind::Iban }));
        }
    }
}

/// Groups of digits with one space or dash between each.
fn groups(bytes: &[u8], start: usize) -> Vec<Range<usize>> {
    let mut groups = Vec::new();
    let mut at = start;
    loop {
        let end = super::run(bytes, at, |byte| byte.is_ascii_digit());
        groups.push(at..end);
        let goes_on =
            matches!(bytes.get(end), Some(b' ' | b'-')) && bytes.get(end + 1).is_some_and(u8::is_ascii_digit);
        if !goes_on {
            return groups;
        }
        at = end + 1;
    }
}

fn cards(bytes: &[u8], groups: &[Range<usize>], findings: &mut Vec<SecretSpan>) {
    let mut first = 0;
    while first < groups.len() {
        let taken = card_groups(bytes, &groups[first..]);
        if taken > 0 {
            let at = groups[first].start..groups[first + taken - 1].end;
            findings.push(SecretSpan { at, kind: SecretKind::Card });
        }
        first += taken.max(1);
    }
}

/// How many of the first groups are a card; 0 where they are none.
fn card_groups(bytes: &[u8], groups: &[Range<usize>]) -> usize {
    let fits = |sizes: &[usize]| {
        groups.len() >= sizes.len() && sizes.iter().zip(groups).all(|(size, group)| group.len() == *size)
    };
    let is_card = |taken: usize| {
        let at = groups[0].start..groups[taken - 1].end;
        stands_alone(bytes, &at) && begins_as_a_card(&bytes[at.clone()]) && passes_luhn(&bytes[at])
    };
    if CARD_DIGITS.contains(&groups[0].len()) && is_card(1) {
        return 1;
    }
    let printed = CARD_GROUPS.into_iter().filter(|sizes| fits(sizes)).map(<[usize]>::len);
    printed.into_iter().find(|taken| is_card(*taken)).unwrap_or(0)
}

/// Not the rest of a word, of a telephone number or of a decimal.
fn stands_alone(bytes: &[u8], at: &Range<usize>) -> bool {
    let before = at.start.checked_sub(1).map(|before| bytes[before]);
    let after = bytes.get(at.end).copied();
    let is_decimal =
        matches!(after, Some(b'.' | b',')) && bytes.get(at.end + 1).is_some_and(u8::is_ascii_digit);
    let glued = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    !before.is_some_and(|byte| glued(byte) || matches!(byte, b'.' | b'+'))
        && !after.is_some_and(glued)
        && !is_decimal
}

/// The first digits that issuers use: 3 to 6, and Mastercard's 2221 to 2720.
fn begins_as_a_card(written: &[u8]) -> bool {
    matches!(written[0], b'3'..=b'6') || (b"2221".as_slice()..=b"2720".as_slice()).contains(&&written[..4])
}

fn passes_luhn(written: &[u8]) -> bool {
    let digits = written.iter().rev().filter(|byte| byte.is_ascii_digit()).map(|byte| u32::from(byte - b'0'));
    let sum: u32 = digits
        .enumerate()
        .map(|(place, digit)| match place % 2 {
            0 => digit,
            _ => digit * 2 / 10 + digit * 2 % 10,
        })
        .sum();
    sum.is_multiple_of(10)
}

/// Two capitals, two digits, then letters and digits, in fours or without gaps; the longest whose check digits are right.
fn iban_at(bytes: &[u8], at: usize) -> Option<Range<usize>> {
    let begins = bytes[at].is_ascii_uppercase()
        && bytes.len() >= at + IBAN_CHARACTERS.start
        && begins_word(bytes, at)
        && bytes[at..at + 2].iter().all(u8::is_ascii_uppercase)
        && bytes[at + 2..at + 4].iter().all(u8::is_ascii_digit);
    if !begins {
        return None;
    }
    let is_part = |byte: &u8| byte.is_ascii_uppercase() || byte.is_ascii_digit();
    let mut compact = Vec::with_capacity(IBAN_CHARACTERS.end);
    let mut end = at;
    let mut longest = None;
    while compact.len() + 1 < IBAN_CHARACTERS.end && bytes.get(end).is_some_and(is_part) {
        compact.push(bytes[end]);
        end += 1;
        let ends_here = !bytes.get(end).is_some_and(u8::is_ascii_alphanumeric);
        if ends_here && IBAN_CHARACTERS.contains(&compact.len()) && passes_97(&compact) {
            longest = Some(at..end);
        }
        if compact.len() % 4 == 0 && bytes.get(end) == Some(&b' ') {
            end += 1;
        }
    }
    longest
}

/// ISO 7064: country and check digits go to the end, letters count from 10, and the number leaves 1 when divided by 97.
fn passes_97(compact: &[u8]) -> bool {
    let moved = compact[4..].iter().chain(&compact[..4]);
    let rest = moved.fold(0_u32, |rest, byte| match byte {
        b'0'..=b'9' => (rest * 10 + u32::from(byte - b'0')) % 97,
        letter => (rest * 100 + u32::from(letter - b'A') + 10) % 97,
    });
    rest == 1
}

fn social_security(bytes: &[u8], groups: &[Range<usize>], findings: &mut Vec<SecretSpan>) {
    for three in groups.windows(3) {
        let sizes = [three[0].len(), three[1].len(), three[2].len()];
        let at = three[0].start..three[2].end;
        if sizes == [3, 2, 4] && stands_alone(bytes, &at) && is_called_social_security(bytes, at.start) {
            findings.push(SecretSpan { at, kind: SecretKind::Ssn });
        }
    }
}

fn is_called_social_security(bytes: &[u8], number: usize) -> bool {
    let before = bytes[number.saturating_sub(SSN_CUE_BYTES)..number].to_ascii_lowercase();
    let has = |cue: &[u8]| before.windows(cue.len()).any(|window| window == cue);
    has(b"ssn") || has(b"social security") || has(b"social-security")
}
