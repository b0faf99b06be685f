//! Is it new? Three layers, all deterministic: words, contradiction, meaning.
//!
//! A statement with a triple is compared by its slot: the same object again is a duplicate, another object in a slot that
//! holds one value (home, name, employer) replaces it, the opposite of what was said of the same object replaces it, and
//! everything else stands beside it. Statements without a triple are compared by their words, where a changed number or a
//! changed polarity is a new value and never a duplicate. Closeness in meaning alone drops nothing: words must agree too.

use super::draft::Candidate;
use super::turn_mode::unless_contained;
use crate::outdated::words;
use crate::settings::Settings;
use crate::text::similarity::{jaccard, word_set};
use crate::text::{Analyser, fold};
use crate::types::{Kind, Memory};

/// What a candidate is to a memory that stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relationship {
    /// Says the same.
    Duplicate,
    /// Says otherwise about the same; the newer holds.
    Contradicts,
    /// Something else.
    Unrelated,
}

/// A memory that stands, with what it takes to compare.
pub struct ComparedMemory<'a> {
    pub memory: &'a Memory,
    /// Closeness in meaning to the candidate, where vectors are there.
    pub cosine: Option<f64>,
}

/// How much of the words must agree before closeness in meaning counts.
const WORDS_BESIDE_MEANING: f64 = 0.3;

/// Above this two statements of compatible kinds speak of the same thing.
const SAME_MATTER: f64 = 0.3;

pub fn compare(
    candidate: &Candidate,
    standing: &ComparedMemory<'_>,
    settings: &Settings,
    analyser: &Analyser,
) -> (Relationship, String) {
    let memory = standing.memory;
    if candidate.key.is_some() && candidate.key == memory.key && !about_others(candidate, memory) {
        return same_key(candidate, memory);
    }
    if fold(&candidate.content) == fold(&memory.content) {
        return (Relationship::Duplicate, "says the same in the same words".into());
    }
    if let Some(by_slot) = by_triple(candidate, memory) {
        return unless_contained(by_slot, candidate, standing, settings, analyser);
    }
    by_words(candidate, standing, settings, analyser)
}

/// Whether it says the same and nothing else: the same words, or the same of the same.
pub fn is_exact(candidate: &Candidate, memory: &Memory) -> bool {
    let triple = by_triple(candidate, memory).is_some_and(|(found, _)| found == Relationship::Duplicate);
    fold(&candidate.content) == fold(&memory.content) || triple
}

/// Whether a newer statement that names a memory can take its place: about the same, by whom they are about or by a word that
/// they share. An event ends a fact and a fact a plan, so that their kinds do not matter.
pub fn can_replace(candidate: &Candidate, memory: &Memory, analyser: &Analyser) -> bool {
    let share = || !word_set(&candidate.content, analyser).is_disjoint(&word_set(&memory.content, analyser));
    match (&candidate.subject, &memory.subject) {
        (Some(left), Some(right)) if normal(left) == normal(right) => true,
        // A name may be inside a longer one, and "User's wife" is about the wife.
        (Some(_), Some(_)) => {
            !words(&candidate.content, analyser).is_disjoint(&words(&memory.content, analyser))
        }
        _ => share(),
    }
}

/// Whether two statements are about different people or things, as far as both say whom they are about.
fn about_others(candidate: &Candidate, memory: &Memory) -> bool {
    let subjects = candidate.subject.as_deref().zip(memory.subject.as_deref());
    subjects.is_some_and(|(left, right)| normal(left) != normal(right))
}

fn same_key(candidate: &Candidate, memory: &Memory) -> (Relationship, String) {
    if same_text(candidate.object.as_deref(), memory.object.as_deref())
        && same_text(Some(&candidate.content), Some(&memory.content))
    {
        return (Relationship::Duplicate, "restates what is known under the same key".into());
    }
    (Relationship::Contradicts, "gives a new value for the same key".into())
}

fn same_text(left: Option<&str>, right: Option<&str>) -> bool {
    match (left, right) {
        (Some(left), Some(right)) => normal(left) == normal(right),
        (None, None) => true,
        _ => false,
    }
}

fn normal(text: &str) -> String {
    let folded = fold(text);
    let words = folded.split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty());
    words.filter(|word| !matches!(*word, "the" | "a" | "an")).collect::<Vec<_>>().join(" ")
}

/// Predicates that say the opposite of each other.
const OPPOSITES: &[(&str, &str)] = &[
    ("LIKES", "DISLIKES"),
    ("PREFERS", "DISLIKES"),
    ("LOVES", "HATES"),
    ("LIKES", "HATES"),
    ("LOVES", "DISLIKES"),
    ("PREFERS", "HATES"),
    ("ENJOYS", "DISLIKES"),
    ("USES", "DOES_NOT_USE"),
    ("WANTS", "DOES_NOT_WANT"),
];

fn opposite(left: &str, right: &str) -> bool {
    OPPOSITES.iter().any(|&(one, other)| (left, right) == (one, other) || (left, right) == (other, one))
}

fn by_triple(candidate: &Candidate, memory: &Memory) -> Option<(Relationship, String)> {
    let (subject, predicate, object) =
        (candidate.subject.as_deref()?, candidate.predicate.as_deref()?, candidate.object.as_deref()?);
    let known = (memory.subject.as_deref()?, memory.predicate.as_deref()?, memory.object.as_deref()?);
    if normal(subject) != normal(known.0) {
        return Some((Relationship::Unrelated, "is about somebody else".into()));
    }
    let same_object = normal(object) == normal(known.2);
    if predicate == known.1 {
        if same_object {
            return Some(of_the_same(candidate, memory));
        }
        if candidate.single_valued && is_of_one_respect(candidate, memory) {
            let reason = format!("{predicate} holds one value, and this is a newer one");
            return Some((Relationship::Contradicts, reason));
        }
        return Some((Relationship::Unrelated, "one of several".into()));
    }
    if same_object && opposite(predicate, known.1) {
        return Some((Relationship::Contradicts, format!("{predicate} is the opposite of {}", known.1)));
    }
    Some((Relationship::Unrelated, "says something else".into()))
}

/// What somebody is can be said in many respects, and each holds one value: a teacher may be diabetic.
fn is_of_one_respect(candidate: &Candidate, memory: &Memory) -> bool {
    let respect = |category: &str| match category {
        "work" | "identity" | "fact" | "" => "work".to_owned(),
        other => other.to_owned(),
    };
    let new = candidate.matter.as_deref().unwrap_or(&candidate.category);
    candidate.predicate.as_deref() != Some(SAYS_WHAT_SOMEBODY_IS)
        || respect(new) == respect(memory.category.as_deref().unwrap_or_default())
}

/// The predicate of a job and of a condition, of a diet and of a faith.
const SAYS_WHAT_SOMEBODY_IS: &str = "IS";

/// The same of the same, unless a number or the polarity is another: a dose, a date or a price that changed is news.
fn of_the_same(candidate: &Candidate, memory: &Memory) -> (Relationship, String) {
    if same_values(&candidate.content, &memory.content) {
        return (Relationship::Duplicate, "says the same of the same".into());
    }
    match candidate.kind {
        // What happened twice happened twice.
        Kind::Event => (Relationship::Unrelated, "another time".into()),
        _ => (Relationship::Contradicts, "gives a new value of the same".into()),
    }
}

fn by_words(
    candidate: &Candidate,
    standing: &ComparedMemory<'_>,
    settings: &Settings,
    analyser: &Analyser,
) -> (Relationship, String) {
    let memory = standing.memory;
    let (left, right) = (words(&candidate.content, analyser), words(&memory.content, analyser));
    let overlap = jaccard(&left, &right);
    let new_value = values(&candidate.content) != values(&memory.content);
    if candidate.kind == memory.kind && overlap > settings.verification_jaccard_dedup_threshold && !new_value
    {
        return (Relationship::Duplicate, format!("shares {:.0} % of its words", overlap * 100.0));
    }
    if let Some(cosine) = standing.cosine
        && cosine >= settings.verification_semantic_dedup_threshold
        && candidate.kind == memory.kind
        && overlap >= WORDS_BESIDE_MEANING
        && !new_value
    {
        return (
            Relationship::Duplicate,
            format!("means the same (cosine {cosine:.2}) in much the same words"),
        );
    }
    if compatible(candidate.kind, memory.kind) && overlap > SAME_MATTER && new_value {
        return (
            Relationship::Contradicts,
            format!("shares {:.0} % of its words and gives a new value", overlap * 100.0),
        );
    }
    if compatible(candidate.kind, memory.kind) && candidate.kind == Kind::Correction && overlap > SAME_MATTER
    {
        return (Relationship::Contradicts, "corrects it".into());
    }
    (Relationship::Unrelated, "says something else".into())
}

/// Kinds that can speak of the same thing.
fn compatible(left: Kind, right: Kind) -> bool {
    let loose = |kind| matches!(kind, Kind::Fact | Kind::Correction | Kind::Commitment);
    left == right || (loose(left) && loose(right))
}

/// Whether neither a number nor the polarity differs.
pub(crate) fn same_values(left: &str, right: &str) -> bool {
    values(left) == values(right)
}

/// Numbers and polarity: what makes a sentence a new value although its words stay.
fn values(text: &str) -> (Vec<String>, bool) {
    let folded = fold(text);
    let words =
        folded.split(|character: char| !character.is_alphanumeric() && character != '\'' && character != '·');
    let mut numbers = Vec::new();
    let mut negated = false;
    for word in words {
        if word.chars().any(|character| character.is_ascii_digit()) {
            numbers.push(word.to_owned());
        }
        negated ^= matches!(
            word,
            "not" | "no" | "never" | "without" | "doesn't" | "isn't" | "don't" | "can't" | "won't" | "didn't"
        );
    }
    numbers.sort();
    (numbers, negated)
}
