//! What search sees of a record, and what is embedded of it.
//!
//! A record that is deleted is not to be found, so nothing of it is either.

use crate::types::{Corpus, Episode, Item, Memory, Origin, Record, Role, Status, Turn};

/// A memory is found by its sentence, its tags and the key that somebody gave it. One that the learner gave it says what the sentence says.
pub fn memory(memory: &Memory) -> String {
    let mut text = memory.content.clone();
    let key = memory.key.as_deref().filter(|_| !matches!(memory.origin, Origin::Heuristic | Origin::Model));
    for more in memory.tags.iter().map(String::as_str).chain(key) {
        text.push(if text.len() == memory.content.len() { '\n' } else { ' ' });
        text.push_str(more);
        // `home_city` is asked for as "home city".
        if more.contains(['_', '-', ':', '.']) {
            text.push(' ');
            text.push_str(&more.replace(['_', '-', ':', '.'], " "));
        }
    }
    text
}

/// The meaning of a memory is its sentence alone: tags are not part of what it says.
pub fn memory_meaning(memory: &Memory) -> String {
    memory.content.clone()
}

pub fn episode(episode: &Episode) -> String {
    episode.searchable_text()
}

/// A turn is found by who said it, where that is a name, and by what was said.
pub fn turn(turn: &Turn) -> String {
    spoken(turn.role, turn.speaker.as_deref(), &turn.text)
}

pub fn spoken(role: Role, speaker: Option<&str>, text: &str) -> String {
    match speaker.filter(|name| !name.eq_ignore_ascii_case(role.as_str())) {
        Some(name) => format!("{name}: {text}"),
        None => text.to_owned(),
    }
}

/// The corpus in which a record is searched and the text it is found by: no text where it is deleted, nothing at all for a
/// record that no search is about.
pub fn record(record: &Record) -> Option<(Corpus, Option<String>)> {
    match record {
        Record::Memory(found) => {
            Some((Corpus::Memories, (found.status != Status::Deleted).then(|| memory(found))))
        }
        Record::Episode(found) => {
            Some((Corpus::Episodes, (found.status != Status::Deleted).then(|| episode(found))))
        }
        _ => None,
    }
}

/// The text by which an item from another store is found, deleted or not: undoing may bring it back.
pub fn item(item: &Item) -> Option<String> {
    match item {
        Item::Record { value, .. } => match &**value {
            Record::Memory(found) => Some(memory(found)),
            Record::Episode(found) => Some(episode(found)),
            _ => None,
        },
        Item::Turn { value } => Some(turn(value)),
        _ => None,
    }
}

/// What of an item from another store is embedded.
pub fn item_meaning(item: &Item) -> Option<String> {
    match item {
        Item::Record { value, .. } => match &**value {
            Record::Memory(found) => (found.status != Status::Deleted).then(|| memory_meaning(found)),
            found => record(found).and_then(|(_, text)| text),
        },
        _ => self::item(item),
    }
}

/// The corpus and id of an item that can be searched.
pub fn item_place(item: &Item) -> Option<(Corpus, String)> {
    match item {
        Item::Record { value, .. } => record(value).map(|(corpus, _)| (corpus, value.id())),
        Item::Turn { value } => Some((Corpus::Turns, value.id.as_str().to_owned())),
        _ => None,
    }
}
