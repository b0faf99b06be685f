//! What becomes of one record that may say what is purged: it stays, it goes, or it is written without it.
//!
//! Pure: a record and the words in, a fate out. Memories that were made from others are `closure`'s.

use super::redact::ForgetWords;
use super::statements::ForgottenStatements;
use crate::learn::identity::forget::without_lines;
use crate::types::{Entity, Episode, HeldCandidate, Memory, Origin, ProfileVersion, Record, Session, Time};

#[derive(Debug, Clone, PartialEq)]
pub enum Fate {
    Stays,
    Goes,
    Rewritten(Record),
}

/// What the query makes of any record but a memory.
pub fn of(record: &Record, words: &ForgetWords<'_>, now: Time) -> Fate {
    match record {
        Record::Memory(memory) => of_memory(memory, words),
        Record::Episode(episode) => of_episode(episode, words, &ForgottenStatements::default(), now),
        Record::Session(session) => of_session(session, words),
        Record::Entity(entity) => of_entity(entity, words, now),
        Record::Relation(relation) => goes_if(words.match_text(&relation.predicate)),
        Record::Held(held) => goes_if(held_says(held, words)),
        Record::Profile(profile) => of_profile(profile, words),
        Record::Override(line) => goes_if(words.match_text(&line.text)),
        Record::Link(_) | Record::Agent(_) | Record::Run(_) | Record::Veil(_) => Fate::Stays,
    }
}

fn goes_if(says: bool) -> Fate {
    if says { Fate::Goes } else { Fate::Stays }
}

/// Whether a record, as it once was, says it anywhere.
pub fn says(record: &Record, words: &ForgetWords<'_>) -> bool {
    of(record, words, Time::MIN) != Fate::Stays
}

/// What a memory says is its sentence, its tags and its triple. What it rests on is the quote; a machine's memory that rests on
/// it was made from it. The rest was put beside it.
pub fn of_memory(memory: &Memory, words: &ForgetWords<'_>) -> Fate {
    if memory_says(memory, words) {
        return Fate::Goes;
    }
    let quoted = memory.evidence.as_deref().is_some_and(|quote| words.match_text(quote));
    if quoted && !is_theirs(memory) {
        return Fate::Goes;
    }
    let clean = bare(memory, words);
    if clean == *memory { Fate::Stays } else { Fate::Rewritten(clean.into()) }
}

pub fn memory_says(memory: &Memory, words: &ForgetWords<'_>) -> bool {
    let triple = [&memory.subject, &memory.predicate, &memory.object];
    let triple: Vec<&str> = triple.into_iter().flatten().map(String::as_str).collect();
    let tagged = format!("{}\n{}", memory.content, memory.tags.join(" "));
    words.match_text(&tagged) || words.match_text(&triple.join(" "))
}

/// A person wrote or pinned it.
pub fn is_theirs(memory: &Memory) -> bool {
    memory.pinned || memory.origin == Origin::Person
}

/// The memory without quote, key and metadata that say it.
pub fn bare(memory: &Memory, words: &ForgetWords<'_>) -> Memory {
    let mut bare = memory.clone();
    bare.evidence = bare.evidence.filter(|quote| !words.match_text(quote));
    bare.key = bare.key.filter(|key| !words.match_text(key));
    bare.metadata.retain(|name, value| !words.match_value(name, value));
    bare
}

fn held_says(held: &HeldCandidate, words: &ForgetWords<'_>) -> bool {
    of_memory(&held.memory, words) != Fate::Stays || words.match_text(&held.reason)
}

pub fn of_episode(episode: &Episode, words: &ForgetWords<'_>, said: &ForgottenStatements, now: Time) -> Fate {
    let mut clean = episode.clone();
    let mut changed = false;
    if let Some(summary) = words.without(&episode.summary, said) {
        clean.summary = summary;
        changed = true;
    }
    for items in [&mut clean.topics, &mut clean.decisions, &mut clean.key_dates, &mut clean.action_items] {
        changed |= words.thin(items, said);
    }
    if !changed && !words.match_text(&clean.searchable_text()) {
        return Fate::Stays;
    }
    if clean.summary.is_empty() {
        let lists = [&clean.decisions, &clean.action_items, &clean.topics];
        clean.summary = lists.into_iter().flatten().cloned().collect::<Vec<_>>().join("; ");
    }
    if clean.summary.is_empty() || words.match_text(&clean.searchable_text()) {
        return Fate::Goes;
    }
    clean.updated_at = now;
    Fate::Rewritten(clean.into())
}

fn of_session(session: &Session, words: &ForgetWords<'_>) -> Fate {
    let mut clean = session.clone();
    clean.title = clean.title.filter(|title| !words.match_text(title));
    clean.metadata.retain(|name, value| !words.match_value(name, value));
    if clean == *session { Fate::Stays } else { Fate::Rewritten(clean.into()) }
}

fn of_entity(entity: &Entity, words: &ForgetWords<'_>, now: Time) -> Fate {
    if words.match_text(&entity.name) {
        return Fate::Goes;
    }
    let mut clean = entity.clone();
    clean.aliases.retain(|alias| !words.match_text(alias));
    if clean.aliases.len() == entity.aliases.len() {
        return Fate::Stays;
    }
    clean.updated_at = now;
    Fate::Rewritten(clean.into())
}

fn of_profile(profile: &ProfileVersion, words: &ForgetWords<'_>) -> Fate {
    let clean = without_lines(profile, |line| words.match_text(line));
    if clean == *profile { Fate::Stays } else { Fate::Rewritten(clean.into()) }
}
