//! Secrets that are known by what they are called: `DB_PASSWORD=…`, `"token": "…"`, `--password …`, "my password is …".
//!
//! The scanner looks for a cue ([`super::words`]), reads on to the value, and asks whether the value can be one. Everything
//! it looks at is behind the cue and within a few dozen bytes, save the value itself, which it eats.

use std::ops::Range;

use super::words::{
    ATTACHED_VERBS, CHANGES, CONNECTIONS, CUES, Cue, FILLERS, Proof, VERBS, is_code, is_harmless, is_placeholder,
};
use super::{Finding, run, starts_with_ignoring_case};

/// Bytes of the shortest value: below it there is nothing to protect, and much that is meant otherwise.
const VALUE_BYTES: usize = 3;

/// Bytes within which a value without a digit is too short to be taken for a made one.
const MADE_WITHOUT_DIGIT_BYTES: usize = 20;

/// Bytes of a quoted value, and of a phrase.
const QUOTED_BYTES: usize = 512;

/// Bytes and words between a cue and the verb that belongs to it.
const GAP_BYTES: usize = 64;
const GAP_WORDS: usize = 6;

/// Bytes of quotes, stars and spaces between a key and its value.
const DECORATION_BYTES: usize = 6;

/// Quotes as they open and close. The escaped one is JSON inside of JSON.
const QUOTES: &[(&str, &str)] =
    &[("\\\"", "\\\""), ("\"", "\""), ("'", "'"), ("`", "`"), ("“", "”"), ("„", "“"), ("«", "»"), ("‘", "’"), ("「", "」")];

pub(super) fn find(text: &str, findings: &mut Vec<Finding>) {
    let mut read = 0;
    for (at, first) in text.char_indices() {
        if at < read {
            continue;
        }
        let Some((cue, end)) = cue_at(text, at, first) else { continue };
        read = end;
        let value = named(text, end, cue).or_else(|| flagged(text, at, end, cue)).or_else(|| said(text, end, cue));
        if let Some(value) = value {
            read = value.end;
            findings.push(Finding { at: value, kind: cue.kind });
        }
    }
}

/// The cue that begins here, and where it ends.
fn cue_at(text: &str, at: usize, first: char) -> Option<(&'static Cue, usize)> {
    let first_lower = first.to_lowercase().next()?;
    let before = text[..at].chars().next_back();
    CUES.iter().filter(|cue| cue.word.starts_with(first_lower)).find_map(|cue| {
        let end = at + matched_bytes(&text[at..], cue.word)?;
        // Long cues may end a longer word (`dbpassword`, `Benutzerpasswort`), short ones only a new hump (`dbPin`).
        let joined = before.is_some_and(char::is_alphabetic);
        let begins = !joined || (cue.proof == Proof::Word && cue.word.len() >= 6) || first.is_uppercase();
        (begins && ends_cue(&text[end..], cue.word)).then_some((cue, end))
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
    let is_flag = text[cue_start..cue_end].is_ascii() && text.as_bytes()[cue_start - name..].starts_with(b"--");
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
        let spoken = text[word.clone()].trim_end_matches([':', ',']).to_lowercase();
        if VERBS.contains(&spoken.as_str()) {
            return value(text, after_fillers(text, word.end), cue);
        }
        if place == 0 && CHANGES.contains(&spoken.as_str()) {
            let start = skip(text, word.end, is_blank);
            let changed = value(text, start, &Cue { proof: Proof::Made(4), ..*cue });
            if changed.is_some() {
                return changed;
            }
        }
        let ends_sentence = text[word.clone()].ends_with(['.', '!', '?', ';', ',']);
        if ends_sentence || (place == 0 && !CONNECTIONS.contains(&spoken.as_str())) {
            return None;
        }
        at = word.end;
    }
    None
}

/// The next word on the same line.
fn next_word(text: &str, at: usize) -> Option<Range<usize>> {
    let start = skip(text, at, is_blank);
    let length = text[start..].find(char::is_whitespace).unwrap_or(text.len() - start).min(GAP_BYTES + 1);
    let mut end = start + length;
    while !text.is_char_boundary(end) {
        end += 1;
    }
    (start > at && length > 0).then_some(start..end)
}

fn after_fillers(text: &str, at: usize) -> usize {
    match next_word(text, at) {
        Some(word) if FILLERS.contains(&text[word.clone()].to_lowercase().as_str()) => {
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
    let opening = QUOTES.iter().find(|(open, _)| text[at..].starts_with(open)).map_or(0, |(open, _)| open.len());
    let start = at + opening;
    let plain = match cue.proof {
        Proof::Phrase => start..sentence_end(text, start),
        Proof::Word | Proof::Made(_) => start..word_end(text, start),
    };
    can_be_secret(&text[plain.clone()], false, cue).then(|| trimmed(text, plain))
}

/// What stands in the quotes that open here and close on the same line.
fn quoted(text: &str, at: usize) -> Option<Range<usize>> {
    let (open, close) = QUOTES.iter().find(|(open, _)| text[at..].starts_with(open))?;
    let start = at + open.len();
    let mut reach = text.len().min(start + QUOTED_BYTES);
    while !text.is_char_boundary(reach) {
        reach -= 1;
    }
    let line = text[start..reach].split('\n').next()?;
    let length = line.find(close)?;
    (length > 0).then_some(start..start + length)
}

fn word_end(text: &str, start: usize) -> usize {
    let stops = |c: char| c.is_whitespace() || matches!(c, '&' | ';' | '<' | '"' | '`' | '，' | '。' | '、' | '；' | '」');
    text[start..].find(stops).map_or(text.len(), |found| start + found)
}

fn sentence_end(text: &str, start: usize) -> usize {
    let mut reach = text.len().min(start + QUOTED_BYTES);
    while !text.is_char_boundary(reach) {
        reach -= 1;
    }
    let phrase = &text[start..reach];
    let stop = phrase.find(['\n', '.', '!', '?', ';', '"']).unwrap_or(phrase.len());
    start + stop
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
    if value.len() < VALUE_BYTES || is_placeholder(bare) {
        return false;
    }
    let is_path = cue.word == "pwd" && value.starts_with(['/', '~', '.']);
    if is_path || (!is_quoted && is_code(value)) {
        return false;
    }
    match cue.proof {
        Proof::Word => !is_harmless(bare),
        Proof::Phrase => !is_harmless(bare.split_whitespace().next().unwrap_or_default()),
        Proof::Made(least) => {
            let has_digit = bare.bytes().any(|byte| byte.is_ascii_digit());
            let is_long = bare.len() >= MADE_WITHOUT_DIGIT_BYTES && bare.is_ascii() && !bare.contains(' ');
            (has_digit && bare.len() >= least) || is_long
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
