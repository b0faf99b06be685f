//! At a session's end: which held candidates have earned their place.
//!
//! Support is how many of the user's turns say it: those it was found in, and those that name its object or share two
//! meaningful words with it. Assistant turns never count, so that what was recalled and repeated cannot support itself.

use super::draft::Candidate;
use crate::text::similarity::word_set;
use crate::text::{Analyser, fold};
use crate::types::{HeldCandidate, Kind, Memory, Role, StatementDurability, Turn, TurnId, Verdict};

pub struct Promotion {
    pub promoted: bool,
    pub reason: String,
}

/// Words that two texts must share to speak of the same thing.
const SHARED_WORDS: usize = 2;

pub fn judge(
    held: &HeldCandidate,
    turns: &[Turn],
    summary: &str,
    earlier: &[HeldCandidate],
    analyser: &Analyser,
) -> Promotion {
    let support = support(held, turns, analyser);
    let seen_before =
        earlier.iter().any(|other| other.session != held.session && same(&other.memory, &held.memory));
    let in_summary = names(summary, held.memory.object.as_deref());
    let yes = |reason: String| Promotion { promoted: true, reason };
    if support >= 2 {
        return yes(format!("{support} of the user's turns support it"));
    }
    if support >= 1 && seen_before {
        return yes("said again in a later session".into());
    }
    let ordinary = held.verdict == Verdict::CommitAtSessionEnd && held.memory.kind != Kind::Rule;
    if ordinary && support >= 1 && in_summary {
        return yes("the session's digest names it".into());
    }
    Promotion { promoted: false, reason: "not supported enough".into() }
}

/// How many of the user's turns say it.
fn support(held: &HeldCandidate, turns: &[Turn], analyser: &Analyser) -> usize {
    let words: std::collections::BTreeSet<String> =
        word_set(&held.memory.content, analyser).into_iter().filter(|word| word != "user").collect();
    let users = turns.iter().filter(|turn| turn.role == Role::User);
    users
        .filter(|turn| {
            held.sources.contains(&turn.id)
                || names(&turn.text, held.memory.object.as_deref())
                || word_set(&turn.text, analyser).intersection(&words).count() >= SHARED_WORDS
        })
        .count()
}

fn names(text: &str, object: Option<&str>) -> bool {
    object.is_some_and(|object| object.chars().count() >= 3 && fold(text).contains(&fold(object)))
}

/// Whether two say the same: by key, by triple, or by their words.
pub fn same(left: &Memory, right: &Memory) -> bool {
    if left.key.is_some() && left.key == right.key {
        return true;
    }
    let triple = |memory: &Memory| {
        Some((fold(memory.subject.as_deref()?), memory.predicate.clone()?, fold(memory.object.as_deref()?)))
    };
    match (triple(left), triple(right)) {
        (Some(left), Some(right)) => left == right,
        _ => fold(&left.content) == fold(&right.content),
    }
}

/// A held memory as a candidate again, for the steps behind.
pub fn as_candidate(held: &HeldCandidate, reason: &str) -> Candidate {
    let rule = text_of(&held.memory, "rule");
    let made_by = format!("{rule}; held, then promoted: {reason}");
    Candidate {
        durability: StatementDurability::Session,
        ..of_memory(&held.memory, held.sources.clone(), made_by)
    }
}

fn text_of(memory: &Memory, name: &str) -> String {
    memory.metadata.get(name).and_then(|value| value.as_str()).unwrap_or_default().to_owned()
}

/// What a memory says, as a candidate.
pub(super) fn of_memory(memory: &Memory, sources: Vec<TurnId>, made_by: String) -> Candidate {
    Candidate {
        content: memory.content.clone(),
        kind: memory.kind,
        layer: memory.layer,
        key: memory.key.clone(),
        category: text_of(memory, "category"),
        subject: memory.subject.clone(),
        predicate: memory.predicate.clone(),
        object: memory.object.clone(),
        evidence: memory.evidence.clone().unwrap_or_default(),
        sources,
        confidence: memory.confidence,
        salience: memory.salience,
        tags: memory.tags.clone(),
        emotion: memory.emotion,
        valid_from: memory.valid_from,
        valid_until: memory.valid_until,
        durability: StatementDurability::Lasting,
        single_valued: false,
        made_by,
        // A model's opinion was heard when it was held.
        advice: None,
        matter: None,
        changes: false,
        changing: 0.0,
        core: None,
        dated: None,
        sensitive: memory.sensitive,
        put_right: memory.is_put_right(),
    }
}
