//! Secrets that only this house knows: the patterns of the setting `secretPatterns`.
//!
//! A pattern is written like a file name with wildcards: `acme-*`, `EMP-\d{6}`, `acme-[0-9a-f]{32}`. It becomes a row of at
//! most 120 positions, each of which takes a byte, may be left out, or may repeat; a set of positions is then one
//! 128-bit number, and reading a byte a handful of instructions. One pass forward tells which positions can have taken a
//! byte given what came before, one pass backward given what comes after; a byte belongs to a match where both agree.
//! That marks exactly the bytes of all matches, also of those that overlap, in time that depends on neither the pattern nor
//! the text but on its length. An engine of regular expressions is linear for one search too, but gives matches that do not
//! overlap: of ten digits it would mask six under `\d{6}` and leave four, and asking it again from every place costs the square.

use std::fmt;

use super::{SecretKind, SecretSpan};
use crate::error::Invalid;
use crate::limits;

/// One place in a pattern.
#[derive(Clone)]
struct Position {
    takes: [bool; 256],
    may_be_left_out: bool,
    may_repeat: bool,
}

/// A pattern, ready to be looked for.
#[derive(Clone)]
pub(super) struct SecretPattern {
    written: String,
    positions: u32,
    forward: PatternReader,
    backward: PatternReader,
}

impl fmt::Debug for SecretPattern {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.written, out)
    }
}

/// Follows all ways through the positions at once, from the first to the last.
#[derive(Clone)]
struct PatternReader {
    /// For each byte, the positions that take it.
    taking: Box<[u128; 256]>,
    optional: u128,
    repeating: u128,
    /// The positions that can come first.
    first: u128,
}

impl PatternReader {
    fn new<'a>(positions: impl Iterator<Item = &'a Position>) -> Self {
        let mut reader = Self { taking: Box::new([0; 256]), optional: 0, repeating: 0, first: 0 };
        for (place, position) in positions.enumerate() {
            let bit = 1_u128 << place;
            for (taking, takes) in reader.taking.iter_mut().zip(position.takes) {
                *taking |= if takes { bit } else { 0 };
            }
            reader.optional |= if position.may_be_left_out { bit } else { 0 };
            reader.repeating |= if position.may_repeat { bit } else { 0 };
        }
        reader.first = reader.with_left_out(1);
        reader
    }

    /// Adds the positions that are reached by leaving out optional ones: an addition carries through a row of ones.
    fn with_left_out(&self, reached: u128) -> u128 {
        reached | ((reached & self.optional).wrapping_add(self.optional) ^ self.optional)
    }

    /// The positions that can have taken this byte, after those that took the byte before.
    fn step(&self, before: u128, byte: u8) -> u128 {
        let next = self.first | self.with_left_out(before << 1) | (before & self.repeating);
        next & self.taking[usize::from(byte)]
    }
}

impl SecretPattern {
    pub(super) fn parse(written: &str) -> Result<Self, Invalid> {
        let positions = SecretPatternParser { rest: written.chars(), written }.positions()?;
        let refuse = |message: String| Err(refusal(written, &message));
        if positions.len() > limits::SECRET_PATTERN_POSITIONS {
            return refuse(format!("it is longer than {} characters", limits::SECRET_PATTERN_POSITIONS));
        }
        let takes_few = |position: &&Position| position.takes.iter().filter(|takes| **takes).count() < 90;
        let sure = positions.iter().filter(|position| !position.may_be_left_out).filter(takes_few).count();
        if sure < limits::SECRET_PATTERN_SURE {
            return refuse(format!(
                "it would mask too much; expected at least {} characters besides `?` and `*`",
                limits::SECRET_PATTERN_SURE
            ));
        }
        Ok(Self {
            written: written.to_owned(),
            positions: positions.len() as u32,
            forward: PatternReader::new(positions.iter()),
            backward: PatternReader::new(positions.iter().rev()),
        })
    }

    pub(super) fn find(&self, text: &str, findings: &mut Vec<SecretSpan>) {
        let bytes = text.as_bytes();
        let mut before = 0;
        let forward: Vec<u128> = bytes
            .iter()
            .map(|byte| {
                before = self.forward.step(before, *byte);
                before
            })
            .collect();
        let last = self.turned(self.backward.first);
        if forward.iter().any(|reached| reached & last != 0) {
            self.find_backward(text, &forward, findings);
        }
    }

    /// Bytes that both directions agree on, from the end to the beginning.
    fn find_backward(&self, text: &str, forward: &[u128], findings: &mut Vec<SecretSpan>) {
        let bytes = text.as_bytes();
        let mut behind = 0;
        let mut end = None;
        for at in (0..bytes.len()).rev() {
            behind = self.backward.step(behind, bytes[at]);
            let agreed = forward[at] & self.turned(behind);
            match (agreed != 0, end) {
                (true, None) => end = Some(at + 1),
                (false, Some(found_end)) => {
                    findings.push(self.finding(text, at + 1, found_end));
                    end = None;
                }
                _ => {}
            }
        }
        findings.extend(end.map(|end| self.finding(text, 0, end)));
    }

    /// Positions counted from the end, counted from the beginning.
    fn turned(&self, positions: u128) -> u128 {
        positions.reverse_bits() >> (u128::BITS - self.positions)
    }

    /// Whole characters: a class may take the first byte of one and leave the rest.
    fn finding(&self, text: &str, start: usize, end: usize) -> SecretSpan {
        let at = text.floor_char_boundary(start)..text.ceil_char_boundary(end);
        SecretSpan { at, kind: SecretKind::Custom }
    }
}

fn refusal(written: &str, message: &str) -> Invalid {
    let shown = crate::error::shown(written);
    Invalid::field("value", format!("the secret pattern `{shown}` cannot be used: {message}")).hint(
        "write it like `acme-*`, `EMP-\\d{6}` or `acme-[0-9a-f]{32}`; `\\` before a sign takes it as it stands",
    )
}

struct SecretPatternParser<'a> {
    rest: std::str::Chars<'a>,
    written: &'a str,
}

impl SecretPatternParser<'_> {
    fn positions(mut self) -> Result<Vec<Position>, Invalid> {
        let mut positions = Vec::new();
        while let Some(sign) = self.rest.next() {
            let mut item = self.item(sign)?;
            match self.repetition()? {
                Some((least, most)) if item.len() == 1 => item = repeated(&item[0], least, most),
                Some(_) => return Err(refusal(self.written, "only one character or class can be repeated")),
                None => {}
            }
            positions.append(&mut item);
            // A repetition is bounded where it is read; here the sum of them.
            if positions.len() > 2 * limits::SECRET_PATTERN_POSITIONS {
                break;
            }
        }
        Ok(positions)
    }

    fn item(&mut self, sign: char) -> Result<Vec<Position>, Invalid> {
        let visible = |byte: u8| byte.is_ascii_graphic();
        Ok(match sign {
            // One character: its first byte, and those that follow in UTF-8.
            '?' => vec![
                Position::taking(|byte| visible(byte) || byte >= 0xc0),
                Position {
                    may_be_left_out: true,
                    may_repeat: true,
                    ..Position::taking(|byte| (0x80..0xc0).contains(&byte))
                },
            ],
            '*' => vec![Position {
                may_be_left_out: true,
                may_repeat: true,
                ..Position::taking(|byte| visible(byte) || byte >= 0x80)
            }],
            '[' => vec![self.class()?],
            '\\' => match self.rest.next() {
                Some('d') => vec![Position::taking(|byte| byte.is_ascii_digit())],
                Some('w') => vec![Position::taking(|byte| byte.is_ascii_alphanumeric() || byte == b'_')],
                Some(sign) if !sign.is_alphanumeric() => literal(sign),
                _ => {
                    return Err(refusal(
                        self.written,
                        "`\\` is followed by nothing it knows; expected `\\d`, `\\w` or a sign",
                    ));
                }
            },
            '+' | '(' | ')' | '|' | '^' | '$' | '{' | '}' | ']' => {
                let message =
                    format!("`{sign}` has no meaning here; expected `\\{sign}` for the sign itself");
                return Err(refusal(self.written, &message));
            }
            other => literal(other),
        })
    }

    /// `[a-z0-9_]` or, for everything visible but those, `[^…]`.
    fn class(&mut self) -> Result<Position, Invalid> {
        let refuse = |message: &str| refusal(self.written, message);
        let Some((inside, rest)) = self.rest.as_str().split_once(']') else {
            return Err(refuse("`[` is never closed"));
        };
        let (negated, listed) = match inside.strip_prefix(['^', '!']) {
            Some(listed) => (true, listed),
            None => (false, inside),
        };
        if listed.is_empty() || !listed.is_ascii() {
            return Err(refuse("expected ASCII characters between `[` and `]`"));
        }
        let listed = listed.as_bytes();
        let mut takes = [false; 256];
        let mut at = 0;
        while at < listed.len() {
            let is_range = listed.get(at + 1) == Some(&b'-') && at + 2 < listed.len();
            let last = if is_range { listed[at + 2] } else { listed[at] };
            if last < listed[at] {
                return Err(refuse("a range in `[…]` runs backward"));
            }
            takes[usize::from(listed[at])..=usize::from(last)].fill(true);
            at += if is_range { 3 } else { 1 };
        }
        self.rest = rest.chars();
        Ok(Position::taking(|byte| byte.is_ascii_graphic() && takes[usize::from(byte)] != negated))
    }

    /// `{n}`, `{n,m}` or `{n,}` behind an item. No upper bound is written as `None`.
    fn repetition(&mut self) -> Result<Option<(usize, Option<usize>)>, Invalid> {
        let Some(behind) = self.rest.as_str().strip_prefix('{') else { return Ok(None) };
        let wrong = || {
            let message = format!(
                "expected `{{n}}`, `{{n,m}}` or `{{n,}}` with numbers up to {}",
                limits::SECRET_PATTERN_POSITIONS
            );
            refusal(self.written, &message)
        };
        let number = |text: &str| {
            text.parse::<usize>().ok().filter(|n| *n <= limits::SECRET_PATTERN_POSITIONS).ok_or_else(wrong)
        };
        let (inside, rest) = behind.split_once('}').ok_or_else(wrong)?;
        let (least, most) = match inside.split_once(',') {
            None => (number(inside)?, Some(number(inside)?)),
            Some((least, "")) => (number(least)?, None),
            Some((least, most)) => (number(least)?, Some(number(most)?)),
        };
        if most.is_some_and(|most| most < least.max(1)) {
            return Err(wrong());
        }
        self.rest = rest.chars();
        Ok(Some((least, most)))
    }
}

fn literal(sign: char) -> Vec<Position> {
    let mut buffer = [0; 4];
    sign.encode_utf8(&mut buffer).bytes().map(|wanted| Position::taking(|byte| byte == wanted)).collect()
}

fn repeated(item: &Position, least: usize, most: Option<usize>) -> Vec<Position> {
    let mut positions = vec![item.clone(); least];
    let optional = Position { may_be_left_out: true, ..item.clone() };
    match most {
        Some(most) => positions.resize(most, optional),
        None => positions.push(Position { may_repeat: true, ..optional }),
    }
    positions
}

impl Position {
    fn taking(takes_byte: impl Fn(u8) -> bool) -> Self {
        let mut takes = [false; 256];
        for byte in 0..=u8::MAX {
            takes[usize::from(byte)] = takes_byte(byte);
        }
        Self { takes, may_be_left_out: false, may_repeat: false }
    }
}
