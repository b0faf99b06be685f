//! Reads a model's answer into a draft.
//!
//! Tolerant in form: text around the JSON, numbers as text, one value for a list, other systems' words for ours. Strict in
//! substance: what no turn of the user's says is left out and counted, numbers are put back into their ranges, texts and
//! lists are cut to their bounds. An answer that is none, because nothing in it can be read, is an error that says so and
//! never quotes it.

use std::collections::HashSet;

use serde_json::Value;

use super::evidence::Evidence;
use crate::learn::decide::{contains_words, plain};
use crate::learn::draft::{Draft, EntityDraft, EpisodeDraft, ForgetWish, RelationDraft};
use crate::limits;
use crate::text::{clip, json};
use crate::types::{EntityType, Memory, MemoryId, Origin, Time, Turn, TurnId};

/// What an answer is read against.
pub struct AnswerContext<'a> {
    /// Who answered.
    pub model: &'a str,
    /// The turns that the prompt gave handles, t1 first.
    pub speech: &'a [&'a Turn],
    /// Which of them may give something.
    pub new: &'a HashSet<TurnId>,
    /// The memories that the prompt gave handles, m1 first.
    pub known: &'a [Memory],
}

/// How we call the user in a triple.
pub(super) const USER: &str = "User";

/// The fields of an answer, by the names that models use for them.
const EPISODE: &[&str] = &["episode", "summary", "digest"];
const MEMORIES: &[&str] = &["memories", "pinned", "pinned_candidates", "candidates", "facts"];
const RULES: &[&str] = &["rules", "procedural"];
const ENTITIES: &[&str] = &["names", "entities"];
const RELATIONS: &[&str] = &["relations", "relationships"];
const FORGET: &[&str] = &["forget", "forgotten"];

pub fn read(answer: &str, reading: &AnswerContext<'_>) -> Result<Draft, String> {
    let answer = json::parse(answer)?;
    check(&answer)?;
    let evidence = Evidence::of(reading.speech, reading.new);
    let mut draft = Draft {
        origin: Origin::Model,
        episode: episode(&answer),
        candidates: Vec::new(),
        entities: Vec::new(),
        relations: Vec::new(),
        wishes: Vec::new(),
        unsupported: 0,
    };
    wishes(&answer, reading, &evidence, &mut draft);
    for (names, is_rule) in [(MEMORIES, false), (RULES, true)] {
        for item in items(&answer, names, limits::ANSWER_MEMORIES) {
            match reading.candidate(item, is_rule, &evidence) {
                Ok(candidate) => draft.candidates.push(candidate),
                Err(refused) => draft.unsupported += u64::from(refused.unsupported),
            }
        }
    }
    draft.candidates.truncate(limits::ANSWER_MEMORIES);
    carried_over(&answer, reading, &mut draft);
    relations(&answer, reading, &evidence, &mut draft);
    entities(&answer, &evidence, &mut draft);
    name_triples(&mut draft);
    Ok(draft)
}

/// Whether it is an answer at all. A field that is there and cannot be what it should be means that none can be trusted.
fn check(answer: &Value) -> Result<(), String> {
    if !answer.is_object() {
        return Err("expected an object".to_owned());
    }
    let all = [EPISODE, MEMORIES, RULES, ENTITIES, RELATIONS, FORGET];
    if all.iter().all(|names| names.iter().all(|name| answer.get(name).is_none())) {
        return Err("none of the expected fields is in it".to_owned());
    }
    let episode = field(answer, EPISODE);
    if !(episode.is_null() || episode.is_object() || episode.is_string()) {
        return Err("`episode` is not an object".to_owned());
    }
    for names in [MEMORIES, RULES] {
        let list = field(answer, names);
        let sound = match list {
            Value::Null => true,
            Value::Array(items) => items.is_empty() || items.iter().any(Value::is_object),
            // One memory, as itself; anything else that is an object is a list in disguise.
            Value::Object(one) => one.contains_key("content") || one.contains_key("text"),
            _ => false,
        };
        if !sound {
            return Err(format!("`{}` is not a list of objects", names[0]));
        }
    }
    Ok(())
}

/// The first of these fields that is there.
pub(super) fn field<'v>(value: &'v Value, names: &[&str]) -> &'v Value {
    names.iter().find_map(|name| value.get(name).filter(|found| !found.is_null())).unwrap_or(&Value::Null)
}

fn items<'v>(answer: &'v Value, names: &[&str], most: usize) -> Vec<&'v Value> {
    let mut items = json::list(field(answer, names));
    items.truncate(most);
    items
}

/// A text of one line, within its bound.
pub(super) fn line(value: &Value, characters: usize) -> Option<String> {
    let text = json::text(value)?;
    let line: Vec<&str> = text.split_whitespace().collect();
    let line = line.join(" ").replace(char::is_control, "");
    (!line.is_empty()).then(|| clip(&line, characters))
}

pub(super) fn lines(value: &Value, most: usize, characters: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for line in json::list(value).into_iter().filter_map(|value| line(value, characters)) {
        if lines.len() < most && !lines.contains(&line) {
            lines.push(line);
        }
    }
    lines
}

/// A share, put back into its range.
pub(super) fn share(value: &Value) -> Option<f32> {
    json::number(value).map(|number| number.clamp(0.0, 1.0) as f32)
}

pub(super) fn time(value: &Value) -> Option<Time> {
    json::text(value)?.parse().ok()
}

/// From and until, where the end is not before the beginning. What was told is known from then on, also where it will only
/// begin: what is coming is no secret. Without a day it holds from when it was said.
pub(super) fn validity(item: &Value, said: Time) -> (Time, Option<Time>) {
    let begins = time(field(item, &["valid_from"]));
    let until = last_day(field(item, &["until"])).or_else(|| time(field(item, &["valid_until"])));
    let until = until.filter(|until| said < *until && begins.is_none_or(|from| from <= *until));
    (begins.map_or(said, |from| from.min(said)), until)
}

/// The end of a day that is the last on which something matters.
fn last_day(value: &Value) -> Option<Time> {
    let text = json::text(value)?;
    let day: Time = text.get(..10).unwrap_or(&text).parse().ok()?;
    Some(day.plus_seconds(24 * 60 * 60))
}

/// `works at` is `WORKS_AT`.
pub(super) fn predicate(value: &Value) -> Option<String> {
    let text = line(value, limits::ANSWER_NAME_CHARACTERS)?;
    let words: Vec<&str> =
        text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    (!words.is_empty()).then(|| words.join("_").to_uppercase())
}

/// A name; whoever says "I" is the user.
pub(super) fn name(value: &Value) -> Option<String> {
    let name = line(value, limits::ANSWER_NAME_CHARACTERS)?;
    let user = ["user", "the user", "i", "me", "myself", "self"];
    Some(if user.contains(&name.to_lowercase().as_str()) { USER.to_owned() } else { name })
}

/// The number in a handle: `t3`, `[t3]` and `3` are all the third.
pub(super) fn place(value: &Value) -> Option<usize> {
    let text = json::text(value)?;
    let digits: String = text.chars().filter(char::is_ascii_digit).take(6).collect();
    digits.parse::<usize>().ok()?.checked_sub(1)
}

/// The digest: an object of its own, or a sentence with its lists beside it.
fn episode(answer: &Value) -> Option<EpisodeDraft> {
    let found = field(answer, EPISODE);
    let (value, summary) = match found {
        Value::String(_) => (answer, found),
        _ => (found, field(found, &["summary", "text"])),
    };
    let list = |names: &[&str]| {
        lines(field(value, names), limits::ANSWER_LIST_ITEMS, limits::ANSWER_ITEM_CHARACTERS)
    };
    Some(EpisodeDraft {
        summary: line(summary, limits::ANSWER_SUMMARY_CHARACTERS)?,
        topics: list(&["topics"]),
        decisions: list(&["decisions"]),
        key_dates: list(&["key_dates", "dates"]),
        action_items: list(&["action_items", "actions"]),
        salience: share(field(value, &["salience"])).unwrap_or(0.5),
    })
}

/// Relations whose quote, or else whose two ends, stand in a new turn of the user's.
fn relations(answer: &Value, reading: &AnswerContext<'_>, evidence: &Evidence<'_>, draft: &mut Draft) {
    for item in items(answer, RELATIONS, limits::ANSWER_RELATIONS) {
        let part = |place: usize, names: &[&str]| item.get(place).unwrap_or(field(item, names)).clone();
        let (Some(subject), Some(predicate), Some(object)) = (
            name(&part(0, &["subject", "from", "source"])),
            predicate(&part(1, &["predicate", "relation", "type"])),
            name(&part(2, &["object", "to", "target"])),
        ) else {
            continue;
        };
        let ends: Vec<&str> =
            [&subject, &object].into_iter().filter(|end| *end != USER).map(String::as_str).collect();
        let quote = json::text(field(item, &["quote", "evidence"])).unwrap_or_default();
        let handle = place(field(item, &["turn"])).filter(|at| *at < reading.speech.len());
        let quoted = evidence.of_quote(&quote, handle);
        let spoken_of = ends.iter().all(|end| evidence.naming(end).is_some());
        let turn = quoted.filter(|_| spoken_of).or_else(|| evidence.naming_all(&ends));
        let (Some(turn), false) = (turn, ends.is_empty()) else {
            draft.unsupported += 1;
            continue;
        };
        let (valid_from, valid_until) = validity(item, turn.at);
        draft.relations.push(RelationDraft {
            subject,
            predicate,
            object,
            confidence: share(field(item, &["confidence"])).unwrap_or(0.7),
            valid_from: Some(valid_from),
            valid_until,
            sources: vec![turn.id.clone()],
        });
    }
}

/// A memory whose sentence has both ends of a relation says that relation: its slot and its place in the graph are known by it.
fn name_triples(draft: &mut Draft) {
    for candidate in draft.candidates.iter_mut().filter(|candidate| candidate.predicate.is_none()) {
        let said = plain(&candidate.content);
        let tells = |relation: &&RelationDraft| {
            let ends = [&relation.subject, &relation.object];
            relation.sources.first() == candidate.sources.first()
                && ends.iter().all(|end| contains_words(&said, &plain(end)))
                && candidate.subject.as_ref().is_none_or(|subject| *subject == relation.subject)
        };
        let mut telling = draft.relations.iter().filter(tells);
        // Of several that it might say nobody knows which.
        if let (Some(relation), None) = (telling.next(), telling.next()) {
            candidate.take_triple(relation);
        }
    }
}

/// Names with their sorts, as a list or by name.
fn named(value: &Value) -> Vec<Value> {
    match value {
        Value::Object(names) if !names.contains_key("name") => {
            names.iter().map(|(name, sort)| serde_json::json!({ "name": name, "type": sort })).collect()
        }
        _ => json::list(value).into_iter().cloned().collect(),
    }
}

/// Entities that the user named. What relations speak of is one too, whether or not the model lists it.
fn entities(answer: &Value, evidence: &Evidence<'_>, draft: &mut Draft) {
    for item in named(field(answer, ENTITIES)).iter().take(limits::ANSWER_ENTITIES) {
        let named = if item.is_string() { item } else { field(item, &["name"]) };
        let Some(name) = name(named).filter(|name| name != USER) else { continue };
        let Some(turn) = evidence.naming(&name) else {
            draft.unsupported += 1;
            continue;
        };
        let aliases =
            lines(field(item, &["aliases"]), limits::ANSWER_LIST_ITEMS, limits::ANSWER_NAME_CHARACTERS);
        let aliases = aliases.into_iter().filter(|alias| *alias != name && evidence.naming(alias).is_some());
        let entity_type = json::text(field(item, &["type", "entity_type"]));
        draft.entities.push(EntityDraft {
            entity_type: entity_type.and_then(|word| word.parse().ok()).unwrap_or(EntityType::Concept),
            aliases: aliases.collect(),
            sources: vec![turn.id.clone()],
            name,
        });
    }
    let mut missing = Vec::new();
    for relation in &draft.relations {
        for end in [&relation.subject, &relation.object] {
            let same = |entity: &EntityDraft| entity.name.to_lowercase() == end.to_lowercase();
            if end != USER && !draft.entities.iter().chain(&missing).any(same) {
                missing.push(EntityDraft {
                    name: end.clone(),
                    entity_type: EntityType::Concept,
                    aliases: Vec::new(),
                    sources: relation.sources.clone(),
                });
            }
        }
    }
    draft.entities.extend(missing);
}

/// What the user asked to be forgotten, in words that stand in a new turn of theirs, with the known memories that are meant.
fn wishes(answer: &Value, reading: &AnswerContext<'_>, evidence: &Evidence<'_>, draft: &mut Draft) {
    for item in items(answer, FORGET, limits::ANSWER_LIST_ITEMS) {
        let quote = json::text(field(item, &["quote", "evidence"])).unwrap_or_default();
        let handle = place(field(item, &["turn"])).filter(|at| *at < reading.speech.len());
        let Some(turn) = evidence.of_quote(&quote, handle) else {
            draft.unsupported += 1;
            continue;
        };
        let known = reading.known_ids(field(item, &["known", "memories", "ids"]));
        draft.wishes.push(ForgetWish { turn: turn.id.clone(), said: quote, known });
    }
}

/// Share of the words of what is carried over that the memory which it is from must have.
const CARRIED: f64 = 0.7;

/// What still holds of a memory that is replaced or forgotten, said anew: by its words, since nobody said it again.
fn carried_over(answer: &Value, reading: &AnswerContext<'_>, draft: &mut Draft) {
    for item in items(answer, MEMORIES, limits::ANSWER_MEMORIES) {
        let known = reading.known_ids(field(item, &["from"])).into_iter().next();
        let known = known.and_then(|id| reading.known.iter().find(|memory| memory.id == id));
        let text = line(field(item, &["text", "content"]), limits::ANSWER_CONTENT_CHARACTERS);
        let (Some(known), Some(text)) = (known, text) else { continue };
        let replacing = draft.candidates.iter().find(|candidate| {
            candidate.advice.as_ref().is_some_and(|advice| advice.replaces.contains(&known.id))
        });
        let wish = draft.wishes.iter().find(|wish| wish.known.contains(&known.id));
        let turn = replacing.and_then(|by| by.sources.first()).or(wish.map(|wish| &wish.turn));
        let (has, said) = (plain(&known.content), plain(&text));
        let words: Vec<&str> = said.split_whitespace().collect();
        let kept = words.iter().filter(|word| has.split_whitespace().any(|known| known == **word)).count();
        let (Some(turn), true) = (turn, kept as f64 >= CARRIED * words.len() as f64) else {
            draft.unsupported += 1;
            continue;
        };
        let candidate = reading.carried(known, text, turn, wish.is_some());
        draft.candidates.push(candidate);
    }
}

impl AnswerContext<'_> {
    /// The known memories that handles name. A handle has a letter, so that a bare number cannot be one by accident.
    pub(super) fn known_ids(&self, handles: &Value) -> Vec<MemoryId> {
        let mut ids: Vec<MemoryId> = Vec::new();
        for handle in json::list(handles) {
            let named = json::text(handle).filter(|text| text.contains(['m', 'M']));
            let at = named.and_then(|named| place(&Value::String(named)));
            let known = at.filter(|at| *at < limits::DISTIL_KNOWN).and_then(|at| self.known.get(at));
            if let Some(memory) = known.filter(|memory| !ids.contains(&memory.id)) {
                ids.push(memory.id.clone());
            }
        }
        ids
    }
}

#[cfg(test)]
mod tests;
