//! What a new statement does to what stands: nothing, a bump, a replacement, or a place beside it.

use std::collections::HashMap;

use super::decide::{SURE_ADVICE, says_model};
use super::draft::{Advice, Candidate};
use super::verify::{ComparedMemory, Relationship, can_replace, compare, is_exact};
use crate::settings::Settings;
use crate::text::{Analyser, fold};
use crate::types::{Memory, MemoryId, Origin, Status, Time};

/// What happens, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reconciled {
    /// It is new.
    Insert { reason: String },
    /// It is known; what is known gains a source.
    Bump { known: MemoryId, reason: String },
    /// It replaces what is known, which stays as the past; of what is only over in part the rest goes on.
    /// A statement that only corrects a value says it in the words of what it corrects.
    Supersede { replaced: Vec<MemoryId>, rests: Vec<Rest>, says: Option<String>, reason: String },
    /// It was said before what would have to make room for it: it is kept as the past of that.
    Past { by: MemoryId, reason: String },
}

/// What goes on of a memory of which a part is over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rest {
    pub of: MemoryId,
    pub content: String,
}

impl Reconciled {
    pub fn reason(&self) -> &str {
        match self {
            Reconciled::Insert { reason }
            | Reconciled::Bump { reason, .. }
            | Reconciled::Supersede { reason, .. }
            | Reconciled::Past { reason, .. } => reason,
        }
    }

    /// The same with a view to time: what was said at `said` takes the place of nothing that was said after it; `last_said` is when what would have to make room was. An import may be older than
    /// what is known, and two conversations may be read in another order than they were held.
    pub fn in_time(self, said: Time, last_said: &HashMap<MemoryId, Time>) -> Self {
        let later = last_said.iter().filter(|(_, last)| **last > said);
        match later.max_by_key(|(_, last)| **last) {
            Some((known, _)) => {
                Reconciled::Past { by: known.clone(), reason: "was said before what is known of it".into() }
            }
            None => self,
        }
    }

    /// What would have to make room.
    pub fn replaced(&self) -> &[MemoryId] {
        match self {
            Reconciled::Supersede { replaced, .. } => replaced,
            _ => &[],
        }
    }
}

/// Compares a candidate with the memories that stand near it. Only active ones count, and only a person changes what a
/// person wrote or pinned: against those a contradiction stands beside, for the person to settle.
pub fn reconcile(
    candidate: &Candidate,
    standing: &[ComparedMemory<'_>],
    settings: &Settings,
    analyser: &Analyser,
) -> Reconciled {
    if !settings.verification_enabled {
        return Reconciled::Insert { reason: "verification is switched off".into() };
    }
    let active = || standing.iter().filter(|near| near.memory.status == Status::Active);
    // First what a model says of it: a new value may look like the old one.
    if let Some(outcome) = replaces(candidate, standing, analyser) {
        return outcome;
    }
    if let Some(near) = active().find(|near| is_exact(candidate, near.memory)) {
        return Reconciled::Bump { known: near.memory.id.clone(), reason: "says the same".into() };
    }
    if let Some(outcome) = advised(candidate, standing, settings, analyser) {
        return outcome;
    }
    let mut replaced = Vec::new();
    let mut why = String::new();
    let mut beside_persons = false;
    for near in active() {
        match compare(candidate, near, settings, analyser) {
            (Relationship::Duplicate, reason) => {
                return Reconciled::Bump { known: near.memory.id.clone(), reason };
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
        return Reconciled::Supersede { replaced, rests: Vec::new(), says: None, reason: why };
    }
    let reason = if beside_persons { "says otherwise than what a person wrote, which stays" } else { "new" };
    Reconciled::Insert { reason: reason.into() }
}

/// A model's opinion, where it is sure of itself.
fn sure(candidate: &Candidate) -> Option<&Advice> {
    candidate.advice.as_ref().filter(|advice| advice.confidence >= SURE_ADVICE)
}

fn active_one<'a>(standing: &'a [ComparedMemory<'a>], id: &MemoryId) -> Option<&'a ComparedMemory<'a>> {
    standing.iter().find(|near| near.memory.id == *id && near.memory.status == Status::Active)
}

/// What a model says that a statement takes the place of. It can retire only what is about the same and what no person wrote
/// or pinned, and nothing that says the very same.
fn replaces(
    candidate: &Candidate,
    standing: &[ComparedMemory<'_>],
    analyser: &Analyser,
) -> Option<Reconciled> {
    let advice = sure(candidate)?;
    let named: Vec<&Memory> = advice
        .replaces
        .iter()
        .filter_map(|id| active_one(standing, id))
        .map(|near| near.memory)
        .filter(|memory| can_replace(candidate, memory, analyser))
        .collect();
    let same = |memory: &&&Memory| fold(&memory.content) == fold(&candidate.content);
    if let Some(same) = named.iter().find(same) {
        return Some(Reconciled::Bump { known: same.id.clone(), reason: "says the same".into() });
    }
    let replaced: Vec<MemoryId> =
        named.iter().filter(|memory| !is_persons(memory)).map(|memory| memory.id.clone()).collect();
    if !replaced.is_empty() {
        return Some(Reconciled::Supersede {
            replaced,
            rests: Vec::new(),
            says: None,
            reason: says_model(advice),
        });
    }
    let reason = "says otherwise than what a person wrote, which stays";
    (!named.is_empty()).then(|| Reconciled::Insert { reason: reason.into() })
}

/// What else a model thinks. It is not believed that two statements are the same where one gives a new value.
fn advised(
    candidate: &Candidate,
    standing: &[ComparedMemory<'_>],
    settings: &Settings,
    analyser: &Analyser,
) -> Option<Reconciled> {
    let advice = sure(candidate)?;
    if let Some(same) = advice.same_as.as_ref().and_then(|id| active_one(standing, id))
        && compare(candidate, same, settings, analyser).0 != Relationship::Contradicts
    {
        return Some(Reconciled::Bump { known: same.memory.id.clone(), reason: says_model(advice) });
    }
    let stands_beside = advice.coexists && advice.same_as.is_none() && advice.replaces.is_empty();
    stands_beside.then(|| Reconciled::Insert { reason: says_model(advice) })
}

fn is_persons(memory: &Memory) -> bool {
    memory.pinned || memory.origin == Origin::Person
}
