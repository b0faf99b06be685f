//! Taking a run back: upkeep's, or a bulk change by a person.
//!
//! By inverse batches from history, a bounded number of records at a time. For each record, field by field and from the run's
//! last change to its first: what still is as the run left it becomes what it was before; what somebody changed since stays
//! as they left it, and is told. So an edit survives and what it was not about comes back. A record that the run made goes,
//! unless a person took it in hand; what an import brought goes again. What was purged is gone: pruning and purging cannot be undone.
//!
//! The undo is a run of its own, by a person, so upkeep leaves alone from then on what was brought back.

use serde_json::{Map, Value};

use crate::error::{StoreError, StoreResult};
use crate::limits;
use crate::ports::{Clock, Store};
use crate::types::{
    Actor, Batch, Change, Expect, HistoryEvent, Memory, Record, RecordKind, RecordRef, Run, RunId, RunState,
    content_hash,
};

/// What the runs of undoing are called.
pub const JOB: &str = "undo";

/// What an undo came to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Undone {
    /// Records that are as they were before.
    pub restored: u64,
    /// Records that somebody changed since, and whose change stays.
    pub changed_since: u64,
    /// Records that cannot come back.
    pub gone: u64,
    /// The first of those that are not as before, and why.
    pub left: Vec<(RecordRef, &'static str)>,
}

/// Why a record is not as it was before the run.
const CHANGED: &str = "somebody changed it since; that stays";
const THEIRS: &str = "the run made it and a person changed it since; it is theirs";
const SPOKEN: &str = "the conversation went on since; it stays";
const PURGED: &str = "it was purged, which cannot be undone";
const TAKEN: &str = "its place was taken since";

/// Takes a run back. The caller has made sure that nobody is at it.
pub async fn undo(store: &dyn Store, run: Run, clock: &dyn Clock) -> StoreResult<(RunId, Undone)> {
    let id = RunId::from_uuid(clock.uuid());
    let now = clock.now();
    let mut record = Run {
        id: id.clone(),
        version: 1,
        job: JOB.to_owned(),
        state: RunState::Running,
        cursor: None,
        counts: Map::from_iter([("run".to_owned(), run.id.as_str().into())]),
        started_at: now,
        finished_at: None,
    };
    store.apply(Batch::new(Actor::Person, now).insert(record.clone())).await?;
    let mut undone = Undone::default();
    let mut after: Option<RecordRef> = None;
    loop {
        let records = store.records_of_run(&run.id, after.as_ref(), limits::UNDO_RECORDS).await?;
        let Some(last) = records.last().cloned() else { break };
        let some: Vec<&RecordRef> = records.iter().filter(|of| of.kind != RecordKind::Run).collect();
        portion(store, &run, &id, &some, clock, &mut undone).await?;
        after = Some(last);
    }
    record.state = RunState::Done;
    record.finished_at = Some(clock.now());
    record.counts.insert("restored".to_owned(), undone.restored.into());
    record.counts.insert("left".to_owned(), (undone.changed_since + undone.gone).into());
    let batch = batch(clock, &id).with(Change::TakeBack { run: run.id.clone() }).replace(record);
    store.apply(batch.replace(Run { state: RunState::Undone, cursor: None, ..run })).await?;
    Ok((id, undone))
}

fn batch(clock: &dyn Clock, id: &RunId) -> Batch {
    Batch::new(Actor::Person, clock.now()).in_run(id.clone()).because("undone")
}

/// What is to be done about one record.
enum Inverse {
    /// Changes, and whether something of it stays as somebody left it.
    Change(Change, bool),
    Nothing(Option<&'static str>),
}

async fn portion(
    store: &dyn Store,
    run: &Run,
    undo: &RunId,
    records: &[&RecordRef],
    clock: &dyn Clock,
    undone: &mut Undone,
) -> StoreResult<()> {
    let mut changes = Vec::new();
    for of in records {
        match looked_up(store, run, of).await? {
            Inverse::Change(change, in_part) => changes.push(((*of).clone(), change, in_part)),
            Inverse::Nothing(None) => undone.restored += 1,
            Inverse::Nothing(Some(why)) => undone.leave(of, why),
        }
    }
    // What takes a place away goes before what needs it: a key, or being a session's only digest.
    changes.sort_by_key(|(_, change, _)| frees(change));
    let mut whole = batch(clock, undo);
    whole.changes = changes.iter().map(|(_, change, _)| change.clone()).collect();
    match store.apply(whole).await {
        Ok(_) => changes.iter().for_each(|(of, _, in_part)| undone.restore(of, *in_part)),
        Err(StoreError::Conflict { .. } | StoreError::NotFound(_)) => {
            for (of, _, _) in changes {
                one(store, run, undo, &of, clock, undone).await?;
            }
        }
        Err(error) => return Err(error),
    }
    Ok(())
}

/// One record by itself, because together they did not go through: somebody writes meanwhile, or a place is taken.
async fn one(
    store: &dyn Store,
    run: &Run,
    undo: &RunId,
    of: &RecordRef,
    clock: &dyn Clock,
    undone: &mut Undone,
) -> StoreResult<()> {
    for _ in 0..limits::TEND_RACES {
        let (change, in_part) = match looked_up(store, run, of).await? {
            Inverse::Change(change, in_part) => (change, in_part),
            Inverse::Nothing(why) => {
                match why {
                    None => undone.restored += 1,
                    Some(why) => undone.leave(of, why),
                }
                return Ok(());
            }
        };
        match store.apply(batch(clock, undo).with(change)).await {
            Ok(_) => {
                undone.restore(of, in_part);
                return Ok(());
            }
            Err(StoreError::Conflict { .. } | StoreError::NotFound(_)) => {}
            Err(error) => return Err(error),
        }
    }
    undone.leave(of, TAKEN);
    Ok(())
}

/// What brings a record back, as the store has it now. A session that the run made takes what was said in it along, for good,
/// unless somebody went on with it.
async fn looked_up(store: &dyn Store, run: &Run, of: &RecordRef) -> StoreResult<Inverse> {
    let inverse = inverse(&run.id, of, &store.history(of).await?);
    if of.kind != RecordKind::Session || !matches!(inverse, Inverse::Change(Change::Remove { .. }, _)) {
        return Ok(inverse);
    }
    let Ok(key) = of.id.parse() else { return Ok(inverse) };
    let session = store.session(&key).await?;
    Ok(match session.is_some_and(|session| session.last_turn_at > run.started_at) {
        true => Inverse::Nothing(Some(SPOKEN)),
        false => Inverse::Change(Change::Purge { of: of.clone() }, false),
    })
}

fn frees(change: &Change) -> bool {
    let needs = |record: &Record| match record {
        Record::Memory(memory) => memory.status == crate::types::Status::Active,
        Record::Episode(episode) => episode.status == crate::types::Status::Active,
        _ => false,
    };
    matches!(change, Change::Put { record, .. } if needs(record))
}

/// What brings a record back to before the run.
fn inverse(run: &RunId, of: &RecordRef, events: &[HistoryEvent]) -> Inverse {
    let Some(first) = events.iter().position(|event| event.run.as_ref() == Some(run)) else {
        return Inverse::Nothing(None);
    };
    // What was purged before the run began is no more than its past.
    if events[first..].iter().any(|event| event.purged) {
        return Inverse::Nothing(Some(PURGED));
    }
    let now = events.last().and_then(|event| event.after.as_ref());
    let later = || events[first..].iter().filter(|event| event.run.as_ref() != Some(run));
    let Some(before) = events[first].before.as_ref().filter(|_| !came_in(&events[first])) else {
        return match now {
            None => Inverse::Nothing(None),
            Some(_) if later().any(|event| event.by == Actor::Person) => Inverse::Nothing(Some(THEIRS)),
            Some(now) => {
                let expect = Expect::Version(now.version());
                Inverse::Change(Change::Remove { of: of.clone(), expect }, false)
            }
        };
    };
    let Some(now) = now else {
        // The run took it away, or somebody did since.
        return match later().next() {
            Some(_) => Inverse::Nothing(Some(CHANGED)),
            None => Inverse::Change(Change::Put { record: before.clone(), expect: Expect::Absent }, false),
        };
    };
    let ours = events.iter().filter(|event| event.run.as_ref() == Some(run));
    let (fields, in_part) = restored(fields(now), ours);
    let Ok(mut record) = Record::from_body(of.kind, &Value::Object(fields).to_string()) else {
        return Inverse::Nothing(Some(CHANGED));
    };
    if let Record::Memory(memory) = &mut record {
        settle(memory);
    }
    record.set_version(now.version());
    if record == *now {
        return Inverse::Nothing(in_part.then_some(CHANGED));
    }
    Inverse::Change(Change::Put { expect: Expect::Version(now.version()), record }, in_part)
}

/// Whether the record came in from elsewhere with its history: then nothing about it changed, not even its version.
fn came_in(event: &HistoryEvent) -> bool {
    let version = |record: &Option<Record>| record.as_ref().map(Record::version);
    event.by == Actor::Import && version(&event.before) == version(&event.after)
}

fn settle(memory: &mut Memory) {
    memory.content_hash = content_hash(&memory.content);
}

fn fields(record: &Record) -> Map<String, Value> {
    match serde_json::from_str(&record.body()) {
        Ok(Value::Object(fields)) => fields,
        _ => Map::new(),
    }
}

/// The fields with the run's changes taken back from the last to the first, and whether some were changed since.
fn restored<'a>(
    mut now: Map<String, Value>,
    ours: impl DoubleEndedIterator<Item = &'a HistoryEvent>,
) -> (Map<String, Value>, bool) {
    let mut in_part = false;
    for event in ours.rev() {
        let before = event.before.as_ref().map(fields).unwrap_or_default();
        let after = event.after.as_ref().map(fields).unwrap_or_default();
        let names: std::collections::BTreeSet<&String> = before.keys().chain(after.keys()).collect();
        for name in names {
            // What only follows from the rest goes with it, and no run says what a memory is about: that comes behind everybody's back.
            let follows = matches!(name.as_str(), "version" | "content_hash" | "category" | "sensitive");
            if follows || before.get(name) == after.get(name) {
                continue;
            }
            if now.get(name) == before.get(name) {
                continue;
            }
            if now.get(name) != after.get(name) {
                in_part |= name != "updated_at";
                continue;
            }
            match before.get(name) {
                Some(value) => now.insert(name.clone(), value.clone()),
                None => now.remove(name),
            };
        }
    }
    (now, in_part)
}

impl Undone {
    fn restore(&mut self, of: &RecordRef, in_part: bool) {
        self.restored += 1;
        if in_part {
            self.leave(of, CHANGED);
        }
    }

    fn leave(&mut self, of: &RecordRef, why: &'static str) {
        match why {
            PURGED => self.gone += 1,
            _ => self.changed_since += 1,
        }
        if self.left.len() < limits::UNDO_NAMED {
            self.left.push((of.clone(), why));
        }
    }
}
