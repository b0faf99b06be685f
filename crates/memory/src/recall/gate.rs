//! The gate: does this message need memory, and which part of it?
//!
//! The first step of the read path, and on most turns the last: a message that stands by itself costs a prompt nothing. Two
//! opinions meet. The phrases of [`pattern`] know which section a message asks for, and where hardly anybody says a
//! phrase without meaning the past, also whether. A learned model ([`GateModel`], passed in) decides the rest, because
//! "my essay" and "my dog" look alike to a phrase. What memory holds moves the model's odds: a name it knows
//! ([`KnownNames`]), or a match that is strong already.
//!
//! Everything here is a function of its arguments and takes microseconds. The reason is written for people.

mod asked;
mod english;
mod languages;
mod names;
pub mod pattern;

use std::borrow::Cow;

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

pub use self::asked::{ask, is_settled};
pub use self::names::KnownNames;
use self::pattern::{MessageWords, PhraseGroup, PhraseMatch};
use super::{ScoreParts, bm25};
use crate::language::Language;
use crate::limits;
use crate::settings::GateMode;
use crate::text::time;

/// Which part of memory a message asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Section {
    None,
    /// Who the user is.
    Identity,
    /// What is remembered, sentence by sentence.
    Pinned,
    /// What earlier sessions came to.
    Episode,
    /// What was said, word by word.
    Transcript,
}

impl Section {
    pub fn as_str(self) -> &'static str {
        match self {
            Section::None => "none",
            Section::Identity => "identity",
            Section::Pinned => "pinned",
            Section::Episode => "episode",
            Section::Transcript => "transcript",
        }
    }
}

impl std::fmt::Display for Section {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.pad(self.as_str())
    }
}

/// What the gate says of a message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GateDecision {
    pub fire: bool,
    /// `None` exactly when it does not fire.
    pub section: Section,
    /// Why, for people.
    pub reason: String,
    /// How sure it is that the message needs memory, from 0 to 1.
    pub score: f64,
}

/// A model that was trained to tell which messages need memory.
pub trait GateModel: Send + Sync {
    /// How likely the message needs memory, from 0 to 1. The vector is the message's, where there is one.
    fn probability(&self, text: &str, vector: Option<&[f32]>) -> f64;

    /// The probability from which on it does.
    fn threshold(&self) -> f64;

    /// Whether vectors of this signature are what it was trained on; others are not given to it.
    fn reads(&self, _signature: &str) -> bool {
        true
    }
}

/// Everything the gate looks at beside the message.
pub struct Inputs<'a> {
    pub mode: GateMode,
    /// Without one, `GateMode::Judged` falls back on the phrases.
    pub learned: Option<&'a dyn GateModel>,
    pub vector: Option<&'a [f32]>,
    pub names: &'a KnownNames,
    /// The best [`match_strength`] among the memories, where they were searched.
    pub strongest: Option<f64>,
    /// The day that "yesterday" is counted from.
    pub reference: Date,
}

/// Characters below which a message says too little.
const MESSAGE_CHARACTERS: usize = 3;

/// What is added to the model's log-odds: for a known name (as if twenty times likelier), for a match that is strong
/// already, and for a phrase of a language that the model was not trained on (each seven times).
const NAME_ODDS: f64 = 3.0;
const MATCH_ODDS: f64 = 2.0;
const PHRASE_ODDS: f64 = 2.0;

/// From which [`match_strength`] on a match is strong.
const STRONG_MATCH: f64 = 0.8;

/// How well a memory matches a message, from 0 to 1, whatever weights the search was told to use: the share of the
/// message's telling words that it has, or how close it is in meaning. (BM25 gives a word that is found once in a text of
/// ordinary length 1 of the k1 + 1 that it could.)
pub fn match_strength(parts: &ScoreParts) -> f64 {
    (parts.text * (bm25::K1 + 1.0)).max(parts.dense).clamp(0.0, 1.0)
}

pub fn decide(message: &str, inputs: &Inputs<'_>) -> GateDecision {
    let seen = seen(message.trim());
    let words = MessageWords::of(&seen);
    let found = pattern::find(&words);
    let name = inputs.names.find(&words);
    if inputs.mode == GateMode::Off {
        let section = found.as_ref().map_or(Section::Pinned, |found| section_of(found.group));
        return fires(section, "the gate is off: every message gets memory".to_owned(), 1.0);
    }
    if seen.chars().count() < MESSAGE_CHARACTERS {
        return none("the message is too short to need anything".to_owned(), 0.0);
    }
    match inputs.learned.filter(|_| inputs.mode.is_learned()) {
        Some(model) => weigh(&seen, model, inputs, found.as_ref(), name),
        None => by_phrases(found.as_ref(), name),
    }
}

/// Whether a strong match could still turn a "no" into a "yes", so that looking for one is worth a search.
pub fn is_undecided(decision: &GateDecision, inputs: &Inputs<'_>) -> bool {
    let line = inputs.learned.filter(|_| inputs.mode.is_learned()).map(|model| log_odds(model.threshold()));
    let could = line.is_some_and(|line| log_odds(decision.score) + MATCH_ODDS >= line);
    !decision.fire && decision.score > 0.0 && inputs.strongest.is_none() && could
}

/// The phrases alone, in their order; a known name stands before the verbs of remembering.
fn by_phrases(found: Option<&PhraseMatch>, name: Option<&str>) -> GateDecision {
    match (found, name) {
        (Some(found), Some(name)) if found.group >= PhraseGroup::Recall => {
            fires(Section::Pinned, names_known(name), 1.0)
        }
        (Some(found), _) => fires(section_of(found.group), says(found), 1.0),
        (None, Some(name)) => fires(Section::Pinned, names_known(name), 1.0),
        (None, None) => none("nothing in it points at memory".to_owned(), 0.0),
    }
}

/// The model's opinion, moved by what memory holds.
fn weigh(
    text: &str,
    model: &dyn GateModel,
    inputs: &Inputs<'_>,
    found: Option<&PhraseMatch>,
    name: Option<&str>,
) -> GateDecision {
    let probability = model.probability(text, inputs.vector);
    let section = || chosen_section(text, found, inputs.reference);
    if let Some(found) = found.filter(|found| found.group.is_certain()) {
        return fires(section(), says(found), probability.max(model.threshold()));
    }
    let mut odds = log_odds(probability);
    let mut because = Vec::new();
    if let Some(name) = name {
        odds += NAME_ODDS;
        because.push(names_known(name));
    }
    if inputs.strongest.is_some_and(|strength| strength >= STRONG_MATCH) {
        odds += MATCH_ODDS;
        because.push("memory holds a strong match".to_owned());
    }
    if let Some(found) = found.filter(|found| found.language != Language::English) {
        odds += PHRASE_ODDS;
        because.push(says(found));
    }
    let percent = (probability * 100.0).round();
    let opinion = format!("the model gives it {percent} %");
    let reason = std::iter::once(opinion).chain(because).collect::<Vec<_>>().join("; ");
    let score = 1.0 / (1.0 + (-odds).exp());
    if odds >= log_odds(model.threshold()) { fires(section(), reason, score) } else { none(reason, score) }
}

/// The section of the phrase that was found; without one, a time means what happened then.
fn chosen_section(text: &str, found: Option<&PhraseMatch>, reference: Date) -> Section {
    match found {
        Some(found) => section_of(found.group),
        None if time::find(text, reference).is_empty() => Section::Pinned,
        None => Section::Episode,
    }
}

fn section_of(group: PhraseGroup) -> Section {
    match group {
        PhraseGroup::Identity => Section::Identity,
        PhraseGroup::Transcript => Section::Transcript,
        PhraseGroup::Time | PhraseGroup::Prior | PhraseGroup::Reminder => Section::Episode,
        PhraseGroup::Recall | PhraseGroup::Mine => Section::Pinned,
    }
}

fn log_odds(probability: f64) -> f64 {
    let probability = if probability.is_nan() { 0.0 } else { probability.clamp(1e-6, 1.0 - 1e-6) };
    (probability / (1.0 - probability)).ln()
}

fn says(found: &PhraseMatch) -> String {
    format!("it {}: “{}”", found.group.says(), found.words)
}

fn names_known(name: &str) -> String {
    format!("memory knows “{name}”")
}

fn fires(section: Section, reason: String, score: f64) -> GateDecision {
    GateDecision { fire: true, section, reason, score }
}

fn none(reason: String, score: f64) -> GateDecision {
    GateDecision { fire: false, section: Section::None, reason, score }
}

/// The part of a long message that is looked at: a question stands before what was pasted, or behind it.
fn seen(message: &str) -> Cow<'_, str> {
    if message.len() <= limits::GATE_BYTES {
        return Cow::Borrowed(message);
    }
    let half = limits::GATE_BYTES / 2;
    let head = message.floor_char_boundary(half);
    let tail = message.ceil_char_boundary(message.len() - half);
    Cow::Owned(format!("{}\n{}", &message[..head], &message[tail..]))
}

#[cfg(test)]
mod tests;
