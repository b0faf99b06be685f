//! Secrets that are known by how they begin: the keys that services hand out, and JSON Web Tokens.
//!
//! A beginning alone is not enough: `sk-` also begins the name of a Python package. What follows must be long enough and
//! look like something a machine made ([`looks_made`]).

use super::{SecretKind, SecretSpan, begins_word, run};

/// Which bytes may follow the beginning.
#[derive(Debug, Clone, Copy)]
enum Alphabet {
    /// A-Z, 0-9.
    Capitals,
    /// Letters, digits, `_` and `-`.
    Word,
    /// The same and `.`.
    Dotted,
    /// The same as `Word`, and `/`.
    Path,
}

impl Alphabet {
    fn has(self, byte: u8) -> bool {
        match self {
            Alphabet::Capitals => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
            Alphabet::Word => is_word(byte),
            Alphabet::Dotted => is_word(byte) || byte == b'.',
            Alphabet::Path => is_word(byte) || byte == b'/',
        }
    }
}

/// A service's keys: how they begin, what follows, and how many bytes of it at least.
struct KeyShape(&'static str, Alphabet, usize);

/// `sk-` covers OpenAI (`sk-proj-…`), Anthropic (`sk-ant-…`) and those that copied them; `rk_` Stripe's restricted keys and
/// our own.
const SHAPES: &[KeyShape] = &[
    KeyShape("sk-", Alphabet::Word, 16),
    KeyShape("sk_live_", Alphabet::Word, 10),
    KeyShape("sk_test_", Alphabet::Word, 10),
    KeyShape("pk_live_", Alphabet::Word, 10),
    KeyShape("pk_test_", Alphabet::Word, 10),
    KeyShape("rk_", Alphabet::Word, 16),
    KeyShape("whsec_", Alphabet::Word, 16),
    KeyShape("ghp_", Alphabet::Word, 20),
    KeyShape("gho_", Alphabet::Word, 20),
    KeyShape("ghu_", Alphabet::Word, 20),
    KeyShape("ghs_", Alphabet::Word, 20),
    KeyShape("ghr_", Alphabet::Word, 20),
    KeyShape("github_pat_", Alphabet::Word, 20),
    KeyShape("glpat-", Alphabet::Word, 16),
    KeyShape("xoxa-", Alphabet::Word, 10),
    KeyShape("xoxb-", Alphabet::Word, 10),
    KeyShape("xoxo-", Alphabet::Word, 10),
    KeyShape("xoxp-", Alphabet::Word, 10),
    KeyShape("xoxr-", Alphabet::Word, 10),
    KeyShape("xoxs-", Alphabet::Word, 10),
    KeyShape("xapp-", Alphabet::Word, 10),
    KeyShape("hooks.slack.com/services/", Alphabet::Path, 16),
    KeyShape("discord.com/api/webhooks/", Alphabet::Path, 16),
    KeyShape("AKIA", Alphabet::Capitals, 16),
    KeyShape("ASIA", Alphabet::Capitals, 16),
    KeyShape("AIza", Alphabet::Word, 30),
    KeyShape("ya29.", Alphabet::Word, 20),
    KeyShape("hf_", Alphabet::Word, 20),
    KeyShape("gsk_", Alphabet::Word, 20),
    KeyShape("xai-", Alphabet::Word, 20),
    KeyShape("npm_", Alphabet::Word, 20),
    KeyShape("pypi-", Alphabet::Word, 20),
    KeyShape("SG.", Alphabet::Dotted, 30),
    KeyShape("dop_v1_", Alphabet::Word, 20),
    KeyShape("shpat_", Alphabet::Word, 20),
];

/// The bytes that some shape begins with: most bytes begin none.
const FIRST: [bool; 256] = first_bytes();

const fn first_bytes() -> [bool; 256] {
    let mut first = [false; 256];
    let mut at = 0;
    while at < SHAPES.len() {
        first[SHAPES[at].0.as_bytes()[0] as usize] = true;
        at += 1;
    }
    first
}

/// Bytes that are looked at to tell whether a machine made it.
const LOOKED_AT_BYTES: usize = 64;

/// Bytes of each part of a JSON Web Token, at least.
const JWT_PART_BYTES: usize = 8;

pub(super) fn find(text: &str, findings: &mut Vec<SecretSpan>) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let found = key_at(bytes, at).or_else(|| jwt_at(bytes, at));
        at = match found {
            Some(finding) => {
                let end = finding.at.end;
                findings.push(finding);
                end
            }
            None => at + 1,
        };
    }
}

fn key_at(bytes: &[u8], at: usize) -> Option<SecretSpan> {
    if !FIRST[usize::from(bytes[at])] || !begins_word(bytes, at) {
        return None;
    }
    let rest = &bytes[at..];
    SHAPES.iter().filter(|shape| rest.starts_with(shape.0.as_bytes())).find_map(
        |KeyShape(start, alphabet, least)| {
            let tail = at + start.len();
            // Judged by its beginning, so that what is refused costs little however long it is.
            let reach = bytes.len().min(tail + LOOKED_AT_BYTES);
            let looked_at = run(&bytes[..reach], tail, |byte| alphabet.has(byte));
            if looked_at < tail + least || !looks_made(&bytes[tail..looked_at]) {
                return None;
            }
            let end = run(bytes, looked_at, |byte| alphabet.has(byte));
            // A sentence may end right behind a key whose alphabet has the full stop.
            let end = if bytes[end - 1] == b'.' { end - 1 } else { end };
            Some(SecretSpan { at: at..end, kind: SecretKind::ApiKey })
        },
    )
}

/// Three parts of base64 with dots between, the first an encoded `{"`. It begins no part of a longer run, so that each run
/// is read once.
fn jwt_at(bytes: &[u8], at: usize) -> Option<SecretSpan> {
    let begins = bytes[at..].starts_with(b"eyJ") && (at == 0 || !is_word(bytes[at - 1]));
    if !begins {
        return None;
    }
    let mut start = at;
    let mut end = at;
    for part in 0..3 {
        end = run(bytes, start, is_word);
        if end - start < JWT_PART_BYTES || (part < 2 && bytes.get(end) != Some(&b'.')) {
            return None;
        }
        start = end + 1;
    }
    Some(SecretSpan { at: at..end, kind: SecretKind::Token })
}

/// A digit, a capital, or a stretch longer than any word: names of packages and variables have none of them.
fn looks_made(tail: &[u8]) -> bool {
    tail.iter().any(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase())
        || tail.split(|byte| matches!(byte, b'-' | b'_' | b'.' | b'/')).any(|stretch| stretch.len() >= 16)
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}
