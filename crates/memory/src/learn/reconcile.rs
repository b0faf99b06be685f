//! What a new statement does to what stands: nothing, a bump, a replacement, or a place beside it.

use super::draft::Candidate;
use super::verify::{Relationship, Standing, compare};
use crate::settings::Settings;
use crate::text::Analyser;
use crate::types::{Memory, MemoryId, Origin, Status};

/// What happens, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It is new.
    Insert { reason: String },
    /// It is known; what is known gains a source.
    Bump { known: MemoryId, reason: String },
    /// It replaces what is known, which stays as the past.
    Supersede { replaced: Vec<MemoryId>, reason: String },
}

impl Outcome {
    pub fn reason(&self) -> &str {
        match self {
            Outcome::Insert { reason } | Outcome::Bump { reason, .. } | Outcome::Supersede { reason, .. } => {
                reason
            }
        }
    }
}

/// Compares a candidate with the memories that stand near it. Only active ones count, and only a person changes what a
/// person wrote or pinned: against those a contradiction stands beside, for the person to settle.
pub fn reconcile(
    candidate: &Candidate,
    standing: &[Standing<'_>],
    settings: &Settings,
    analyser: &Analyser,
) -> Outcome {
    if !settings.verification_enabled {
        return Outcome::Insert { reason: "verification is switched off".into() };
    }
    let mut replaced = Vec::new();
    let mut why = String::new();
    let mut beside_persons = false;
    for near in standing.iter().filter(|near| near.memory.status == Status::Active) {
        match compare(candidate, near, settings, analyser) {
            (Relationship::Duplicate, reason) => {
                return Outcome::Bump { known: near.memory.id.clone(), reason };
            }
            (Relationship::Contradicts, _) if is_persons(near.memory) => beside_persons = true,
            (Relationship::Contradicts, reason) => {
                replaced.push(near.memory.id.clone());
                why = reason;
            }
            (Relationship::Unrelated, _) => {}
        }
    }
    if !replaced.is_empty() {
        return Outcome::Supersede { replaced, reason: why };
    }
    let reason = if beside_persons { "says otherwise than what a person wrote, which stays" } else { "new" };
    Outcome::Insert { reason: reason.into() }
}

fn is_persons(memory: &Memory) -> bool {
    memory.pinned || memory.origin == Origin::Person
}
