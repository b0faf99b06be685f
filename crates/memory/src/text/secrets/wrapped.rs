//! Secrets that are known by what stands around them: private key blocks, Bearer tokens, passwords in addresses.

use super::words::is_placeholder;
use super::{SecretKind, SecretSpan, begins_word, run, starts_with_ignoring_case};

/// Bytes of a line of base64 in a key block whose end is missing, at least. What a shorter last line gives away opens nothing.
const BLOCK_WORD_BYTES: usize = 16;

/// Bytes of a Bearer token: with a digit in it, and without.
const BEARER_BYTES: usize = 16;
const BEARER_BYTES_WITHOUT_DIGIT: usize = 24;

/// Bytes between `-----BEGIN` and the dashes that close the line.
const BLOCK_TITLE_BYTES: usize = 64;

pub(super) fn find(text: &str, findings: &mut Vec<SecretSpan>) {
    private_keys(text, findings);
    bearers(text, findings);
    addresses(text, findings);
}

fn private_keys(text: &str, findings: &mut Vec<SecretSpan>) {
    let mut at = 0;
    while let Some(start) = text[at..].find("-----BEGIN").map(|found| at + found) {
        at = start + "-----BEGIN".len();
        let Some(body) = block_body(text, at) else { continue };
        // The next dashes close the block, or begin another one: then this one's end is missing.
        let dashes = text[body..].find("-----").map(|found| body + found);
        let end = match dashes.filter(|dashes| text[*dashes..].starts_with("-----END")) {
            Some(closing) => closing_end(text.as_bytes(), closing + "-----END".len()),
            None => unclosed_end(text.as_bytes(), body),
        };
        findings.push(SecretSpan { at: start..end, kind: SecretKind::PrivateKey });
        at = end;
    }
}

/// Where the key begins, if the block's title says that it is a private one.
fn block_body(text: &str, title_start: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let reach = bytes.len().min(title_start + BLOCK_TITLE_BYTES);
    let is_title = |byte: u8| byte.is_ascii_alphanumeric() || byte == b' ';
    let title_end = run(&bytes[..reach], title_start, is_title);
    let is_private = text[title_start..title_end].to_ascii_uppercase().contains("PRIVATE KEY");
    is_private.then(|| run(bytes, title_end, |byte| byte == b'-'))
}

fn closing_end(bytes: &[u8], title_start: usize) -> usize {
    let reach = bytes.len().min(title_start + BLOCK_TITLE_BYTES);
    let title_end = run(&bytes[..reach], title_start, |byte| byte.is_ascii_alphanumeric() || byte == b' ');
    if bytes.get(title_end) == Some(&b'-') { run(bytes, title_end, |byte| byte == b'-') } else { title_start }
}

/// A block that was cut off: the lines of base64 that follow.
fn unclosed_end(bytes: &[u8], body: usize) -> usize {
    let mut end = body;
    loop {
        let start = run(bytes, end, |byte| byte.is_ascii_whitespace());
        // In JSON a line break is written as two letters; both are taken as part of the word.
        let word_end = run(bytes, start, |byte| {
            byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'\\')
        });
        if word_end - start < BLOCK_WORD_BYTES {
            return end;
        }
        end = word_end;
    }
}

fn bearers(text: &str, findings: &mut Vec<SecretSpan>) {
    let bytes = text.as_bytes();
    for at in 0..bytes.len() {
        if !matches!(bytes[at], b'b' | b'B') || !begins_word(bytes, at) {
            continue;
        }
        if !starts_with_ignoring_case(&bytes[at..], "bearer") {
            continue;
        }
        let gap = at + "bearer".len();
        let start = run(&bytes[..bytes.len().min(gap + 4)], gap, |byte| matches!(byte, b' ' | b'\t' | b':'));
        let end = run(bytes, start, is_token);
        let token = &text[start..end].trim_end_matches('.');
        let has_digit = token.bytes().any(|byte| byte.is_ascii_digit());
        let least = if has_digit { BEARER_BYTES } else { BEARER_BYTES_WITHOUT_DIGIT };
        if start > gap && token.len() >= least {
            findings.push(SecretSpan { at: start..start + token.len(), kind: SecretKind::Token });
        }
    }
}

/// The characters of a token in an Authorization header.
fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~' | b'+' | b'/' | b'=')
}

/// `scheme://user:password@host`: only the password is masked.
fn addresses(text: &str, findings: &mut Vec<SecretSpan>) {
    let bytes = text.as_bytes();
    for (found, slashes) in text.match_indices("://") {
        let start = found + slashes.len();
        let end = run(bytes, start, |byte| {
            !byte.is_ascii_whitespace()
                && !matches!(byte, b'/' | b'?' | b'#' | b'"' | b'\'' | b'`' | b'<' | b'>')
        });
        let Some((credentials, _)) = text[start..end].rsplit_once('@') else { continue };
        let Some((user, password)) = credentials.split_once(':') else { continue };
        if !password.is_empty() && !is_placeholder(password) {
            let password_start = start + user.len() + 1;
            let at = password_start..password_start + password.len();
            findings.push(SecretSpan { at, kind: SecretKind::Password });
        }
    }
}
