//! Masks secrets, so that nothing that opens a door ever reaches the disk.
//!
//! Five scanners read a text and name what they find; what they found is replaced by `[masked:KIND]`, and every
//! other byte stays. The scanners are written by hand instead of as regular expressions: each looks a bounded number of
//! bytes ahead or eats what it has read, so that a megabyte made to be slow takes as long as any other. Where a secret
//! and an ordinary word look alike, a word too many is masked: a lost word can be said again.
//!
//! ```text
//! keys      known by their beginning: sk-…, ghp_…, AKIA…, eyJ….….…
//! wrapped   known by what stands around them: private key blocks, Bearer tokens, https://user:password@host
//! numbers   known by their check digits: cards, IBANs; by a word before them: social security numbers
//! spoken    known by what they are called: password=…, "my password is …", in several languages
//! pattern   what a person added in the setting `secretPatterns`
//! ```
//!
//! What is reported is how many of which kind, never what.

mod keys;
mod numbers;
mod pattern;
mod spoken;
mod words;
mod wrapped;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

use serde::Serialize;

use crate::error::Invalid;
use crate::limits;
use pattern::SecretPattern;

/// What a masked secret was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SecretKind {
    ApiKey,
    Token,
    PrivateKey,
    Password,
    Card,
    Iban,
    Ssn,
    Custom,
}

impl SecretKind {
    const ALL: [SecretKind; 8] = [
        SecretKind::ApiKey,
        SecretKind::Token,
        SecretKind::PrivateKey,
        SecretKind::Password,
        SecretKind::Card,
        SecretKind::Iban,
        SecretKind::Ssn,
        SecretKind::Custom,
    ];

    /// What stands in the text where the secret was.
    pub fn mask(self) -> &'static str {
        match self {
            SecretKind::ApiKey => "[masked:api_key]",
            SecretKind::Token => "[masked:token]",
            SecretKind::PrivateKey => "[masked:private_key]",
            SecretKind::Password => "[masked:password]",
            SecretKind::Card => "[masked:card]",
            SecretKind::Iban => "[masked:iban]",
            SecretKind::Ssn => "[masked:ssn]",
            SecretKind::Custom => "[masked:custom]",
        }
    }
}

impl fmt::Display for SecretKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mask = self.mask();
        out.pad(&mask["[masked:".len()..mask.len() - 1])
    }
}

/// How many secrets of which kind.
pub type MaskCounts = BTreeMap<SecretKind, usize>;

/// A text without its secrets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Masked {
    pub text: String,
    pub counts: MaskCounts,
}

/// A place in the text that must not be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
struct SecretSpan {
    at: Range<usize>,
    kind: SecretKind,
}

/// Masks secrets: those that are known everywhere, and those that a person added.
#[derive(Debug, Clone, Default)]
pub struct Masker {
    patterns: Vec<SecretPattern>,
}

impl Masker {
    /// Reads the setting `secretPatterns`: patterns on lines of their own or separated by `;`.
    pub fn new(extra_patterns: &str) -> Result<Self, Invalid> {
        let written = extra_patterns.split(['\n', ';']).map(str::trim).filter(|pattern| !pattern.is_empty());
        let patterns = written.map(SecretPattern::parse).collect::<Result<Vec<_>, _>>()?;
        if patterns.len() > limits::SECRET_PATTERNS {
            let message =
                format!("{} secret patterns; expected at most {}", patterns.len(), limits::SECRET_PATTERNS);
            return Err(Invalid::field("value", message));
        }
        Ok(Self { patterns })
    }

    /// The text with every secret masked. Masking what is masked changes nothing.
    pub fn mask(&self, text: &str) -> Masked {
        let mut masked = Masked { text: text.to_owned(), counts: MaskCounts::new() };
        // What is left beside a mask can now look like a secret of its own, so we look again until nothing is found.
        for _ in 0..limits::MASK_ROUNDS {
            let findings = self.find(&masked.text);
            if findings.is_empty() {
                break;
            }
            masked.replace(&findings);
        }
        masked
    }

    /// Everything to mask, in order and apart from each other.
    fn find(&self, text: &str) -> Vec<SecretSpan> {
        let mut findings = Vec::new();
        keys::find(text, &mut findings);
        wrapped::find(text, &mut findings);
        numbers::find(text, &mut findings);
        spoken::find(text, &mut findings);
        for pattern in &self.patterns {
            pattern.find(text, &mut findings);
        }
        if findings.is_empty() {
            return findings;
        }
        let masks = masks(text);
        findings.retain(|finding| !is_inside(&finding.at, &masks));
        merged(findings)
    }
}

/// Says what is wrong with the setting `secretPatterns`, naming the pattern.
pub fn validate(extra_patterns: &str) -> Result<(), Invalid> {
    Masker::new(extra_patterns).map(drop)
}

impl Masked {
    fn replace(&mut self, findings: &[SecretSpan]) {
        let mut text = String::with_capacity(self.text.len());
        let mut copied = 0;
        for finding in findings {
            text.push_str(&self.text[copied..finding.at.start]);
            text.push_str(finding.kind.mask());
            copied = finding.at.end;
            *self.counts.entry(finding.kind).or_default() += 1;
        }
        text.push_str(&self.text[copied..]);
        self.text = text;
    }
}

/// Where masks already stand.
fn masks(text: &str) -> Vec<Range<usize>> {
    let kind_at = |at: usize| SecretKind::ALL.into_iter().find(|kind| text[at..].starts_with(kind.mask()));
    let found = text.match_indices("[masked:");
    found.filter_map(|(at, _)| kind_at(at).map(|kind| at..at + kind.mask().len())).collect()
}

/// Whether one of the ranges, which are in order, holds all of this one.
fn is_inside(at: &Range<usize>, ranges: &[Range<usize>]) -> bool {
    let next = ranges.partition_point(|range| range.start <= at.start);
    next > 0 && ranges[next - 1].end >= at.end
}

/// Findings that overlap become one, of the kind of the first.
fn merged(mut findings: Vec<SecretSpan>) -> Vec<SecretSpan> {
    findings.sort_by_key(|finding| finding.at.start);
    let mut merged: Vec<SecretSpan> = Vec::with_capacity(findings.len());
    for finding in findings {
        match merged.last_mut() {
            Some(last) if finding.at.start < last.at.end => last.at.end = last.at.end.max(finding.at.end),
            _ => merged.push(finding),
        }
    }
    merged
}

/// Where a run of bytes of one sort, beginning here, ends.
fn run(bytes: &[u8], start: usize, belongs: impl Fn(u8) -> bool) -> usize {
    let rest = bytes.get(start..).unwrap_or_default();
    start + rest.iter().take_while(|byte| belongs(**byte)).count()
}

/// Whether no letter or digit stands right before this place.
fn begins_word(bytes: &[u8], at: usize) -> bool {
    at == 0 || !bytes[at - 1].is_ascii_alphanumeric()
}

fn starts_with_ignoring_case(bytes: &[u8], wanted: &str) -> bool {
    bytes.get(..wanted.len()).is_some_and(|start| start.eq_ignore_ascii_case(wanted.as_bytes()))
}
