//! Secrets that are known by what they are called: `DB_PASSWORD=…`, `"token": "…"`, `--password …`, "my password is …".
//!
//! The scanner looks for a cue ([`super::words`]), reads on to the value, and asks whether the value can be one. Everything
//! it looks at is behind the cue and within a few dozen bytes, save the value itself, which it eats.

use std::ops::Range;

use super::words::{
    ATTACHED_VERBS, CHANGES, CONNECTIONS, Cue, FILLERS, Proof, VERBS, cues, is_code, is_harmless, is_one_of,
    is_placeholder,
};
use super::{SecretSpan, run, starts_with_ignoring_case};

/// Bytes of the shortest value: below it there is nothing to protect, and much that is meant otherwise.
const VALUE_BYTES: usize = 3;

/// Bytes within which a value without a digit is too short to be taken for a made one.
const MADE_WITHOUT_DIGIT_BYTES: usize = 20;

/// Bytes of a value that are looked at to judge it. What is refused costs no more than this, however long it is.
const JUDGED_BYTES: usize = 64;

/// Bytes of a quoted value, and of a phrase.
const QUOTED_BYTES: usize = 512;

/// Bytes and words between a cue and the verb that belongs to it.
const GAP_BYTES: usize = 64;
const GAP_WORDS: usize = 6;

/// Bytes of quotes, stars and spaces between a key and its value.
const DECORATION_BYTES: usize = 6;

/// Quotes as they open and close. The escaped one is JSON inside of JSON.
const QUOTES: &[(&str, &str)] = &[
    ("\\\"", "\\\""),
    ("\"", "\""),
    ("'", "'"),
    ("`", "`"),
    ("“", "”"),
    ("„", "“"),
    ("«", "»"),
    ("‘", "’"),
    ("「", "」"),
];

pub(super) fn find(text: &str, findings: &mut Vec<SecretSpan>) {
    let mut read = 0;
    for (at, byte) in text.bytes().enumerate() {
        let candidates = cues(byte);
        if at < read || candidates.is_empty() {
            continue;
        }
        let Some((cue, end)) = cue_at(text, at, candidates) else { continue };
        read = end;
        let value =
            named(text, end, cue).or_else(|| flagged(text, at, end, cue)).or_else(|| said(text, end, cue));
        if let Some(value) = value {
            read = value.end;
            findings.push(SecretSpan { at: value, kind: cue.kind });
        }
    }
}

/// Which of the candidates begins here, and where it ends.
fn cue_at(text: &str, at: usize, candidates: &'static [Cue]) -> Option<(&'static Cue, usize)> {
    // Long cues may end a longer word (`dbpassword`, `Benutzerpasswort`), short ones only a new hump (`dbPin`).
    let is_capital = text[at..].starts_with(char::is_uppercase);
    let joined = !is_capital && text[..at].ends_with(char::is_alphabetic);
    let begins = |cue: &&Cue| !joined || (cue.proof == Proof::Word && cue.word.len() >= 6);
    candidates.iter().filter(begins).find_map(|cue| {
        let end = at + matched_bytes(&text[at..], cue.word)?;
        ends_cue(&text[end..], cue.word).then_some((cue, end))
    })
}

/// How many bytes of the text are the cue, whatever the case. A space of the cue may be `_`, `-` or nothing.
fn matched_bytes(text: &str, cue: &str) -> Option<usize> {
    let mut rest = text.chars();
    for wanted in cue.chars() {
        let mut ahead = rest.clone();
        let next = ahead.next();
        if wanted == ' ' {
            if matches!(next, Some(' ' | '_' | '-')) {
                rest = ahead;
            }
        } else if next?.to_lowercase().eq(std::iter::once(wanted)) {
            rest = ahead;
        } else {
            return None;
        }
    }
    Some(text.len() - rest.as_str().len())
}

/// A cue ends where its word ends. Scripts without spaces go on at once.
fn ends_cue(rest: &str, cue: &str) -> bool {
    let is_spaceless = cue.starts_with(['密', 'パ', '비']);
    let mut next = rest.chars();
    let goes_on = match next.next() {
        Some('_' | '-') => next.next().is_some_and(char::is_alphanumeric),
        Some(letter) => letter.is_alphabetic(),
        None => false,
    };
    is_spaceless || !goes_on
}

/// `key=value`, `"key": "value"`, `**Key:** value`, `<key>value</key>`.
fn named(text: &str, cue_end: usize, cue: &Cue) -> Option<Range<usize>> {
    let at = run(text.as_bytes(), cue_end, |byte| byte.is_ascii_digit());
    let at = skip(text, at, |c| matches!(c, '"' | '\'' | '`' | '*' | '\\' | ']'));
    let at = skip(text, at, is_blank);
    let separators = ["=>", ":=", "==", "=", ":", "：", "＝"];
    let found = separators.into_iter().find(|separator| text[at..].starts_with(separator));
    let at = match found {
        Some(separator) => skip(text, at + separator.len(), |c| is_blank(c) || c == '*'),
        None if text[at..].starts_with('>') && !text[at + 1..].starts_with(is_blank) => at + 1,
        None => return None,
    };
    value(text, without_scheme(text, at, cue), cue)
}

/// `Authorization: Basic …` names how before it names what.
fn without_scheme(text: &str, at: usize, cue: &Cue) -> usize {
    let schemes = ["basic ", "bearer ", "token ", "digest ", "apikey "];
    let scheme = schemes.into_iter().find(|scheme| starts_with_ignoring_case(&text.as_bytes()[at..], scheme));
    match scheme {
        Some(scheme) if cue.word == "authorization" => at + scheme.len(),
        _ => at,
    }
}

/// `--db-password value`.
fn flagged(text: &str, cue_start: usize, cue_end: usize, cue: &Cue) -> Option<Range<usize>> {
    let is_name = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let name = text.as_bytes()[..cue_start].iter().rev().take(GAP_BYTES).take_while(is_name).count();
    let at = skip(text, cue_end, is_blank);
    let is_flag =
        text[cue_start..cue_end].is_ascii() && text.as_bytes()[cue_start - name..].starts_with(b"--");
    if !is_flag || at == cue_end || text[at..].starts_with('-') {
        return None;
    }
    value(text, at, cue)
}

/// "my password for the router is …", "I changed my password to …".
fn said(text: &str, cue_end: usize, cue: &Cue) -> Option<Range<usize>> {
    let rest = &text[cue_end..];
    let attached = ATTACHED_VERBS.iter().find(|verb| rest.starts_with(**verb));
    if let Some(verb) = attached {
        return value(text, skip(text, cue_end + verb.len(), is_blank), cue);
    }
    let mut at = cue_end;
    for place in 0..GAP_WORDS {
        let word = next_word(text, at).filter(|word| word.end <= cue_end + GAP_BYTES)?;
        let spoken = text[word.clone()].trim_end_matches([':', ',']);
        if is_one_of(&VERBS, spoken) {
            return value(text, after_fillers(text, word.end), cue);
        }
        if place == 0 && is_one_of(&CHANGES, spoken) {
            let start = skip(text, word.end, is_blank);
            let changed = value(text, start, &Cue { proof: Proof::Made(4), ..*cue });
            if changed.is_some() {
                return changed;
            }
        }
        let ends_sentence = text[word.clone()].ends_with(['.', '!', '?', ';', ',']);
        if ends_sentence || (place == 0 && !is_one_of(&CONNECTIONS, spoken)) {
            return None;
        }
        at = word.end;
    }
    None
}

/// The next word on the same line.
fn next_word(text: &str, at: usize) -> Option<Range<usize>> {
    let start = skip(text, at, is_blank);
    let ahead = window(text, start, GAP_BYTES);
    let length = ahead.find(char::is_whitespace).unwrap_or(ahead.len());
    (start > at && length > 0).then_some(start..start + length)
}

fn after_fillers(text: &str, at: usize) -> usize {
    match next_word(text, at) {
        Some(word) if is_one_of(&FILLERS, &text[word.clone()]) => {
            next_word(text, word.end).map_or(word.start, |value| value.start)
        }
        Some(word) => word.start,
        None => at,
    }
}

/// The value that begins here, if it can be a secret.
fn value(text: &str, at: usize, cue: &Cue) -> Option<Range<usize>> {
    if let Some(quoted) = quoted(text, at) {
        return can_be_secret(&text[quoted.clone()], true, cue).then_some(quoted);
    }
    let opening =
        QUOTES.iter().find(|(open, _)| text[at..].starts_with(open)).map_or(0, |(open, _)| open.len());
    let start = at + opening;
    if cue.proof == Proof::Phrase {
        let phrase = window(text, start, QUOTED_BYTES);
        let phrase = phrase.split(['\n', '.', '!', '?', ';', '"']).next().unwrap_or(phrase);
        return can_be_secret(phrase, false, cue).then(|| trimmed(text, start..start + phrase.len()));
    }
    let judged = window(text, start, JUDGED_BYTES);
    let judged = judged.split(ends_value).next().unwrap_or(judged);
    if !can_be_secret(judged, false, cue) {
        return None;
    }
    let end = start + judged.len();
    let rest = text[end..].find(ends_value).unwrap_or(text.len() - end);
    Some(trimmed(text, start..end + rest))
}

/// At most so many bytes from here on, in whole characters.
fn window(text: &str, start: usize, bytes: usize) -> &str {
    &text[start..text.floor_char_boundary(start + bytes)]
}

/// What stands in the quotes that open here and close on the same line.
fn quoted(text: &str, at: usize) -> Option<Range<usize>> {
    let (open, close) = QUOTES.iter().find(|(open, _)| text[at..].starts_with(open))?;
    let start = at + open.len();
    let line = window(text, start, QUOTED_BYTES).split('\n').next()?;
    let inside = &line[..line.find(close)?];
    let start = start + inside.len() - inside.trim_start().len();
    let inside = inside.trim();
    (!inside.is_empty()).then_some(start..start + inside.len())
}

fn ends_value(c: char) -> bool {
    c.is_whitespace() || matches!(c, '&' | ';' | '<' | '"' | '`' | '，' | '。' | '、' | '；' | '」')
}

/// Without the punctuation of the sentence around it.
fn trimmed(text: &str, at: Range<usize>) -> Range<usize> {
    let punctuation = ['.', ',', ':', '!', '?', ')', ']', '}', '\'', '*', '\\', '’', '”', ' '];
    let kept = text[at.clone()].trim_end_matches(punctuation).len();
    // A value made of punctuation alone is masked whole.
    if kept == 0 { at } else { at.start..at.start + kept }
}

fn can_be_secret(value: &str, is_quoted: bool, cue: &Cue) -> bool {
    let bare = value.trim_end_matches(['.', ',', ':', '!', '?', ')', ']', '}', '\'', '*']);
    let is_path = cue.word == "pwd" && value.starts_with(['/', '~', '.']);
    if value.len() < VALUE_BYTES || is_path || !proves(bare, cue.proof) {
        return false;
    }
    !is_placeholder(bare) && (is_quoted || !is_code(value))
}

fn proves(value: &str, proof: Proof) -> bool {
    match proof {
        Proof::Word => !is_harmless(value),
        Proof::Phrase => !is_harmless(value.split_whitespace().next().unwrap_or_default()),
        Proof::Digits(least) => value.len() >= least && value.bytes().all(|byte| byte.is_ascii_digit()),
        Proof::Made(least) => {
            let has_digit = value.bytes().any(|byte| byte.is_ascii_digit());
            let is_long = value.len() >= MADE_WITHOUT_DIGIT_BYTES && value.is_ascii() && !value.contains(' ');
            (has_digit && value.len() >= least) || is_long
        }
    }
}

fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\u{a0}' | '\u{202f}')
}

/// Past a few characters of one sort.
fn skip(text: &str, at: usize, belongs: impl Fn(char) -> bool) -> usize {
    let skipped = text[at..].chars().take(DECORATION_BYTES).take_while(|c| belongs(*c));
    at + skipped.map(char::len_utf8).sum::<usize>()
}
