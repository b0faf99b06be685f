//! Overrides that a machine makes: who the user is, said to be kept, and therefore said always.
//!
//! Such an override is never more than its memory: it is renewed when the memory is replaced, and goes when the memory goes.
//! What a person wrote as an override is theirs; a machine neither changes it, nor takes it away, nor says it twice.

use std::collections::{HashMap, HashSet};

use crate::error::{Invalid, StoreResult};
use crate::limits;
use crate::ports::{ReadStore, Store};
use crate::profile::grade::{is_always_said, stands};
use crate::profile::template::{self, says_the_same};
use crate::text::{Analyser, marks, tokens};
use crate::types::{
    Actor, Batch, Change, Expect, Memory, MemoryId, Origin, Override, OverrideId, RecordKind, RecordRef,
    Status, Time, UserId,
};

/// What became of the overrides.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct OverrideTally {
    pub added: usize,
    pub changed: usize,
    pub removed: usize,
}

/// How often a replaced memory is followed to what replaced it.
const REPLACEMENTS: usize = 16;

/// One user's overrides, while they are brought up to date.
struct OverrideUpdate<'a> {
    standing: Vec<Override>,
    /// The memories behind the machine's overrides.
    memories: HashMap<MemoryId, Memory>,
    batch: Batch,
    tally: OverrideTally,
    analyser: &'a Analyser,
}

/// Brings the machine's overrides in step with what is known. `recent` are the user's memories, the latest changed first.
pub async fn refresh(
    store: &dyn Store,
    user: &UserId,
    recent: &[Memory],
    now: Time,
    analyser: &Analyser,
) -> StoreResult<OverrideTally> {
    let standing = store.overrides(user).await?;
    let ids: Vec<MemoryId> = standing.iter().filter_map(|line| line.memory.clone()).collect();
    let memories = behind(store, ids).await?;
    let batch = Batch::new(Actor::Heuristic, now).because("overrides follow their memories");
    let mut desk = OverrideUpdate { standing, memories, batch, tally: OverrideTally::default(), analyser };
    desk.follow(now);
    for memory in recent.iter().rev().filter(|memory| stands(memory, now) && is_always_said(memory)) {
        desk.say_always(user, memory, now);
    }
    if !desk.batch.changes.is_empty() {
        store.apply(desk.batch).await?;
    }
    Ok(desk.tally)
}

/// The memories with these ids, and those that replaced them.
async fn behind(store: &dyn Store, mut ids: Vec<MemoryId>) -> StoreResult<HashMap<MemoryId, Memory>> {
    let mut found: HashMap<MemoryId, Memory> = HashMap::new();
    for _ in 0..REPLACEMENTS {
        ids.retain(|id| !found.contains_key(id));
        if ids.is_empty() {
            break;
        }
        let memories = ReadStore::memories(store, &ids).await?;
        ids = memories.iter().filter_map(|memory| memory.superseded_by.clone()).collect();
        found.extend(memories.into_iter().map(|memory| (memory.id.clone(), memory)));
    }
    Ok(found)
}

/// What a memory became, among those that were read.
fn latest<'m>(memories: &'m HashMap<MemoryId, Memory>, id: &MemoryId) -> Option<&'m Memory> {
    let mut memory = memories.get(id)?;
    for _ in 0..REPLACEMENTS {
        match memory.superseded_by.as_ref().filter(|_| memory.status == Status::Superseded) {
            Some(next) => memory = memories.get(next)?,
            None => break,
        }
    }
    Some(memory)
}

impl OverrideUpdate<'_> {
    /// The machine's overrides say what their memories say now, or go with them.
    fn follow(&mut self, now: Time) {
        for line in std::mem::take(&mut self.standing) {
            let Some(id) = line.memory.clone().filter(|_| line.origin != Origin::Person) else {
                self.standing.push(line);
                continue;
            };
            let memory = latest(&self.memories, &id).filter(|memory| stands(memory, now)).cloned();
            let taken = memory.as_ref().is_some_and(|memory| self.said_by(&memory.id).is_some());
            match memory.filter(|_| !taken) {
                None => self.take_away(&line),
                Some(memory) => {
                    let line = self.renewed(line, &memory);
                    self.standing.push(line);
                }
            }
        }
    }

    fn said_by(&self, memory: &MemoryId) -> Option<usize> {
        self.standing.iter().position(|line| line.memory.as_ref() == Some(memory))
    }

    /// It stays the machine's, even where a person rewrote the memory: it is still no more than that.
    fn renewed(&mut self, line: Override, memory: &Memory) -> Override {
        let text = statement(&memory.content);
        if line.text == text && line.memory.as_ref() == Some(&memory.id) {
            return line;
        }
        self.tally.changed += 1;
        let renewed = Override { text, memory: Some(memory.id.clone()), ..line };
        let expect = Expect::Version(renewed.version);
        self.batch.changes.push(Change::Put { record: renewed.clone().into(), expect });
        renewed
    }

    fn take_away(&mut self, line: &Override) {
        self.tally.removed += 1;
        let change = Change::Remove { of: reference(&line.id), expect: Expect::Version(line.version) };
        self.batch.changes.push(change);
    }

    /// Says a memory always, unless that is said already; in place of an older value, and at the cost of the oldest.
    fn say_always(&mut self, user: &UserId, memory: &Memory, now: Time) {
        let text = statement(&memory.content);
        let said = self.standing.iter().any(|line| says_the_same(&line.text, &text, self.analyser));
        if said || self.said_by(&memory.id).is_some() {
            return;
        }
        self.memories.insert(memory.id.clone(), memory.clone());
        if let Some(place) = self.same_slot(memory) {
            let older = self.standing.remove(place);
            if self.slot_is_newer(&older, memory) {
                self.standing.insert(place, older);
            } else {
                let renewed = self.renewed(older, memory);
                self.standing.insert(place, renewed);
            }
            return;
        }
        if self.standing.len() >= limits::OVERRIDES {
            let Some(oldest) = self.standing.iter().position(|line| line.origin != Origin::Person) else {
                return;
            };
            let oldest = self.standing.remove(oldest);
            self.take_away(&oldest);
        }
        let new = of_memory(user, memory, text, now);
        // Its first override may say by now what replaced it.
        if self.standing.iter().any(|line| line.id == new.id) {
            return;
        }
        self.tally.added += 1;
        self.batch.changes.push(Change::Put { record: new.clone().into(), expect: Expect::Absent });
        self.standing.push(new);
    }

    /// The machine's override for the same key.
    fn same_slot(&self, memory: &Memory) -> Option<usize> {
        let key = memory.key.as_ref()?;
        self.standing.iter().position(|line| {
            let behind = line.memory.as_ref().and_then(|id| self.memories.get(id));
            line.origin != Origin::Person && behind.is_some_and(|behind| behind.key.as_ref() == Some(key))
        })
    }

    fn slot_is_newer(&self, line: &Override, memory: &Memory) -> bool {
        let behind = line.memory.as_ref().and_then(|id| self.memories.get(id));
        behind.is_some_and(|behind| behind.updated_at > memory.updated_at)
    }
}

/// The override of a memory. Its id is the memory's own, so that two processes that make it at once make one.
fn of_memory(user: &UserId, memory: &Memory, text: String, now: Time) -> Override {
    let uuid = memory.id.as_str().trim_start_matches(MemoryId::PREFIX);
    let id = format!("{}{uuid}", OverrideId::PREFIX).parse().expect("a memory's id ends with a UUID");
    Override {
        id,
        version: 1,
        user: user.clone(),
        text,
        memory: Some(memory.id.clone()),
        origin: memory.origin,
        created_at: now,
    }
}

/// A memory as an override: one line, not too long.
fn statement(content: &str) -> String {
    let line = template::line(content);
    tokens::cut_to_tokens(&line, limits::OVERRIDE_BYTES / 4 / tokens::CHARACTERS_PER_TOKEN).to_owned()
}

/// A person's statement as it is stored, or what is wrong with it.
pub fn checked(text: &str) -> Result<String, Invalid> {
    let text = marks::escape_line(text);
    if text.is_empty() {
        return Err(Invalid::field("text", "the override is empty; expected a statement"));
    }
    if text.len() > limits::OVERRIDE_BYTES {
        let message =
            format!("the override has {} bytes; expected at most {}", text.len(), limits::OVERRIDE_BYTES);
        return Err(Invalid::field("text", message)
            .hint("an override goes into every prompt; a longer text is better added as a memory"));
    }
    Ok(text)
}

pub fn reference(id: &OverrideId) -> RecordRef {
    RecordRef { kind: RecordKind::Override, id: id.as_str().to_owned() }
}

/// The overrides that rest on memories which go.
pub fn resting_on(standing: Vec<Override>, gone: &HashSet<MemoryId>) -> Vec<Override> {
    let rests = |line: &Override| {
        line.origin != Origin::Person && line.memory.as_ref().is_some_and(|id| gone.contains(id))
    };
    standing.into_iter().filter(rests).collect()
}
