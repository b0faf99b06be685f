//! How much was purged, without what it was; and one portion of it that is about to be.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use serde_json::{Map, Value};

use super::copies::TellingTurn;
use crate::limits;
use crate::types::{Change, Erasure, Expect, Memory, Record, RecordKind, RecordRef, Traces, UserId, hex};

/// What a purge came to so far. Everything but the texts, which live as long as the process does, stands in its run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PurgeProgress {
    /// What went, by kind.
    pub removed: BTreeMap<String, u64>,
    /// What was written without it, by kind.
    pub rewritten: BTreeMap<String, u64>,
    /// The sum of the keyed hashes of all ids that went: it does not depend on their order, and can be taken up again.
    pub mark: [u8; 32],
    pub traces: Traces,
    traced_bytes: usize,
    /// The newest memories among what goes, the newest first.
    pub first: Vec<Memory>,
    /// Whose memories and turns went.
    pub(super) users: BTreeSet<UserId>,
    /// What a rehearsal has counted already.
    pub(super) noted: HashSet<String>,
}

const REMOVED: &str = "removed";
const REWRITTEN: &str = "rewritten";
const MARK: &str = "mark";

impl PurgeProgress {
    pub fn total(&self) -> u64 {
        self.removed.values().chain(self.rewritten.values()).sum()
    }

    /// What a run keeps of it.
    pub fn counts(&self) -> Map<String, Value> {
        let numbers = |of: &BTreeMap<String, u64>| {
            Value::Object(of.iter().map(|(kind, count)| (kind.clone(), (*count).into())).collect())
        };
        let mut counts = Map::new();
        counts.insert(REMOVED.into(), numbers(&self.removed));
        counts.insert(REWRITTEN.into(), numbers(&self.rewritten));
        counts.insert(MARK.into(), hex(&self.mark).into());
        counts
    }

    /// Where a run that was cut off had come to. What it purged is not known any more, so the files are written anew.
    pub fn taken_up(counts: &Map<String, Value>) -> Self {
        let numbers = |name: &str| -> BTreeMap<String, u64> {
            let of = counts.get(name).and_then(Value::as_object);
            let of = of.into_iter().flatten();
            of.filter_map(|(kind, count)| Some((kind.clone(), count.as_u64()?))).collect()
        };
        let mark = counts.get(MARK).and_then(Value::as_str).and_then(unhex).unwrap_or_default();
        let traces = Traces { many: true, ..Traces::default() };
        let (removed, rewritten) = (numbers(REMOVED), numbers(REWRITTEN));
        Self { removed, rewritten, mark, traces, ..Self::default() }
    }

    pub(super) fn with(&self, work: &PurgePortion, seal: &(dyn Fn(&str) -> [u8; 32] + Sync)) -> Self {
        let mut next = self.clone();
        for (kind, count) in &work.removed {
            *next.removed.entry((*kind).to_owned()).or_default() += count;
        }
        for (kind, count) in &work.rewritten {
            *next.rewritten.entry((*kind).to_owned()).or_default() += count;
        }
        for id in &work.ids {
            add(&mut next.mark, seal(id));
        }
        for text in &work.texts {
            next.trace(text);
        }
        next.users.extend(work.memories.iter().map(|memory| memory.user.clone()));
        next.first.extend(work.memories.iter().cloned());
        next.first.sort_by(|left, right| right.id.cmp(&left.id));
        next.first.truncate(limits::PURGE_NAMED);
        next
    }

    pub(super) fn note(&mut self, work: &PurgePortion) {
        self.noted.extend(work.ids.iter().cloned());
        for change in &work.changes {
            match change {
                Change::Erase { what: Erasure::Rewrite { record, .. } } => {
                    self.noted.insert(format!("{}:{}", record.kind(), record.id()));
                }
                Change::Erase { what: Erasure::Said { turn, .. } } => {
                    self.noted.insert(format!("cut:{turn}"));
                }
                Change::Erase { what: Erasure::Blocks { hashes } } => {
                    self.noted.extend(hashes.iter().map(|hash| format!("block:{hash}")));
                }
                _ => {}
            }
        }
    }

    pub fn trace(&mut self, text: &str) {
        self.traced_bytes += text.len();
        let fits =
            self.traces.texts.len() < limits::PURGE_TRACES && self.traced_bytes <= limits::PURGE_TRACED_BYTES;
        if fits {
            self.traces.texts.push(text.to_owned());
        } else {
            self.traces.many = true;
        }
    }
}

/// Addition of two 256-bit numbers, the lowest byte first.
fn add(to: &mut [u8; 32], other: [u8; 32]) {
    let mut carry = 0_u16;
    for (byte, more) in to.iter_mut().zip(other) {
        let sum = u16::from(*byte) + u16::from(more) + carry;
        *byte = sum as u8;
        carry = sum >> 8;
    }
}

fn unhex(text: &str) -> Option<[u8; 32]> {
    let mut bytes = [0; 32];
    if text.len() != 64 || !text.is_ascii() {
        return None;
    }
    for (place, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&text[place * 2..place * 2 + 2], 16).ok()?;
    }
    Some(bytes)
}

/// One portion, ready to be done: its changes and what they come to.
#[derive(Debug, Default)]
pub struct PurgePortion {
    pub changes: Vec<Change>,
    /// What goes, as it is hashed.
    pub ids: Vec<String>,
    pub removed: BTreeMap<&'static str, u64>,
    pub rewritten: BTreeMap<&'static str, u64>,
    pub texts: Vec<String>,
    /// The memories among what goes.
    pub memories: Vec<Memory>,
}

impl PurgePortion {
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty() && self.removed.is_empty() && self.rewritten.is_empty()
    }

    pub fn remove(&mut self, kind: &'static str, count: usize) {
        if count > 0 {
            *self.removed.entry(kind).or_default() += count as u64;
        }
    }

    /// Takes a record away for good.
    pub fn purge(&mut self, of: RecordRef) {
        self.remove(name(of.kind), 1);
        self.ids.push(format!("{}:{}", of.kind, of.id));
        self.changes.push(Change::Purge { of });
    }

    /// Writes a record that stays without what goes.
    pub fn rewrite(&mut self, record: Record) {
        *self.rewritten.entry(name(record.kind())).or_default() += 1;
        let expect = Expect::Version(record.version());
        self.erase(Erasure::Rewrite { record, expect });
    }

    /// Cuts out of a turn what tells it.
    pub fn cut(&mut self, told: TellingTurn) {
        *self.rewritten.entry("turns").or_default() += 1;
        let TellingTurn { turn, parts } = told;
        self.texts.extend(parts.iter().filter_map(|part| turn.text.get(part.clone())).map(str::to_owned));
        self.erase(Erasure::Said { turn: turn.id, parts });
    }

    pub fn erase(&mut self, what: Erasure) {
        self.changes.push(Change::Erase { what });
    }

    pub fn drop_blocks(&mut self, hashes: Vec<String>) {
        if !hashes.is_empty() {
            self.remove("blocks", hashes.len());
            self.erase(Erasure::Blocks { hashes });
        }
    }
}

/// How a kind of records is called in counts.
pub fn name(kind: RecordKind) -> &'static str {
    match kind {
        RecordKind::Memory => "memories",
        RecordKind::Episode => "episodes",
        RecordKind::Session => "sessions",
        RecordKind::Entity => "entities",
        RecordKind::Relation => "relations",
        RecordKind::Link => "links",
        RecordKind::Held => "held",
        RecordKind::Profile => "profiles",
        RecordKind::Override => "overrides",
        RecordKind::Agent => "agents",
        RecordKind::Run => "runs",
        RecordKind::Veil => "veils",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_do_not_depend_on_the_order_and_survive_being_stored() {
        let seal = |id: &str| -> [u8; 32] {
            let mut bytes = [0xF0; 32];
            bytes[0] = id.len() as u8;
            bytes
        };
        let work = |ids: &[&str]| PurgePortion {
            ids: ids.iter().map(|id| (*id).to_owned()).collect(),
            removed: BTreeMap::from([("memories", ids.len() as u64)]),
            ..PurgePortion::default()
        };
        let one = PurgeProgress::default().with(&work(&["a", "bb"]), &seal).with(&work(&["ccc"]), &seal);
        let other = PurgeProgress::default().with(&work(&["ccc"]), &seal);
        let other = PurgeProgress::taken_up(&other.counts()).with(&work(&["bb", "a"]), &seal);
        assert_eq!((&one.mark, &one.removed), (&other.mark, &other.removed));
        assert_ne!(one.mark, PurgeProgress::default().mark);
        assert!(other.traces.many, "what the first half purged is not known");
    }
}
