//! The bounds of one record, checked where it enters the store's one door, so that no surface can forget to.

use crate::error::Invalid;
use crate::limits;
use crate::types::{Batch, Change, Item, Memory, Record, RecordKind, Turn};

/// Checks a whole batch; the first thing wrong refuses all of it.
pub fn batch(batch: &Batch) -> Result<(), Invalid> {
    if batch.changes.len() > limits::BATCH_CHANGES {
        let message =
            format!("a batch of {} changes; expected at most {}", batch.changes.len(), limits::BATCH_CHANGES);
        return Err(Invalid::new(message));
    }
    batch.changes.iter().try_for_each(change)
}

fn change(change: &Change) -> Result<(), Invalid> {
    match change {
        Change::Put { record: Record::Memory(memory), .. } => self::memory(memory),
        Change::Put { record: Record::Held(held), .. } => self::memory(&held.memory),
        Change::Upsert { memory } if memory.key.is_none() => {
            Err(Invalid::field("key", "an upsert needs a key; expected one of 1 to 256 bytes"))
        }
        Change::Upsert { memory } | Change::AddNew { memory } => self::memory(memory),
        Change::AppendTurns { turns, .. } => turns.iter().try_for_each(turn),
        Change::PutVector { vector, .. } | Change::FillVector { vector, .. }
            if vector.iter().any(|number| !number.is_finite()) =>
        {
            Err(Invalid::field("vector", "a vector contains a number that is not finite"))
        }
        Change::Restore { item, .. } => self::item(item),
        _ => Ok(()),
    }
}

/// What comes from another store is held to the same bounds as what is written here.
pub fn item(item: &Item) -> Result<(), Invalid> {
    match item {
        Item::Record { value, .. } => record(value),
        Item::Turn { value } => turn(value),
        Item::History { of, before: Some(before), .. } if before.reference() != *of => {
            let message = format!("it says of {of} what {} was before", before.reference());
            Err(Invalid::field("before", message))
        }
        Item::History { before: Some(before), .. } => record(before),
        Item::Vector { vector, .. } if vector.iter().any(|number| !number.is_finite()) => {
            Err(Invalid::field("vector", "a vector contains a number that is not finite"))
        }
        Item::Archive { value, .. } => bytes("text", &value.text, limits::MEMORY_CONTENT_BYTES),
        Item::Block { value } => bytes("text", &value.text, limits::TURN_TEXT_BYTES),
        Item::Setting { name, value } => crate::settings::find(name)?.check(value).map(drop),
        _ => Ok(()),
    }
}

fn record(record: &Record) -> Result<(), Invalid> {
    if record.version() == 0 {
        return Err(Invalid::field("version", "the version is 0; expected 1 or more"));
    }
    let body = record.body();
    let most = match record.kind() {
        RecordKind::Profile => limits::PROFILE_BYTES + limits::RECORD_BYTES,
        _ => limits::RECORD_BYTES,
    };
    bytes("record", &body, most)?;
    match record {
        Record::Memory(memory) => self::memory(memory),
        Record::Held(held) => self::memory(&held.memory),
        _ => Ok(()),
    }
}

pub fn memory(memory: &Memory) -> Result<(), Invalid> {
    if memory.content.trim().is_empty() {
        return Err(Invalid::field("content", "the content is empty; expected a sentence"));
    }
    bytes("content", &memory.content, limits::MEMORY_CONTENT_BYTES)?;
    let parts = [("subject", &memory.subject), ("predicate", &memory.predicate), ("object", &memory.object)];
    for (name, part) in parts {
        bytes(name, part.as_deref().unwrap_or_default(), limits::TRIPLE_PART_BYTES)?;
    }
    bytes("category", memory.category.as_deref().unwrap_or_default(), limits::TAG_BYTES)?;
    bytes("evidence", memory.evidence.as_deref().unwrap_or_default(), limits::EVIDENCE_BYTES)?;
    if let Some(key) = &memory.key {
        if key.trim().is_empty() {
            return Err(Invalid::field("key", "the key is empty; leave it out or give 1 to 256 bytes"));
        }
        bytes("key", key, limits::KEY_BYTES)?;
    }
    if memory.tags.len() > limits::TAGS {
        let message = format!("{} tags; expected at most {}", memory.tags.len(), limits::TAGS);
        return Err(Invalid::field("tags", message));
    }
    for tag in &memory.tags {
        bytes("tags", tag, limits::TAG_BYTES)?;
    }
    if !memory.metadata.is_empty() {
        let written =
            serde_json::to_string(&memory.metadata).map_err(|error| Invalid::new(error.to_string()))?;
        bytes("metadata", &written, limits::METADATA_BYTES)?;
    }
    if let (Some(from), Some(until)) = (memory.valid_from, memory.valid_until)
        && from > until
    {
        return Err(Invalid::field("validUntil", format!("validUntil {until} is before validFrom {from}")));
    }
    Ok(())
}

pub fn turn(turn: &Turn) -> Result<(), Invalid> {
    bytes("text", &turn.text, limits::TURN_TEXT_BYTES)?;
    bytes("name", turn.speaker.as_deref().unwrap_or_default(), limits::GIVEN_ID_BYTES)?;
    bytes("id", turn.external_id.as_deref().unwrap_or_default(), limits::GIVEN_ID_BYTES)
}

fn bytes(field: &'static str, text: &str, max: usize) -> Result<(), Invalid> {
    if text.len() <= max {
        return Ok(());
    }
    Err(Invalid::field(field, format!("the {field} has {} bytes; expected at most {max}", text.len())))
}
