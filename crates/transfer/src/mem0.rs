//! mem0's export: memories as a list, or as `results` or `memories` of an object, by pages or not, and the graph's relations.
//!
//! A memory's categories become its tags, its run its session, and what has no place of its own stays in its metadata. Memories
//! that mem0 itself marks as deleted stay out.

use std::path::Path;

use memory::types::LinkKind;
use serde_json::{Map, Value};

use super::archive;
use super::import_model::{
    FilePiece, FilePieces, ImportedMemory, ImportedRecord, Pointer, Tie, UnreadableFile,
};
use super::json_stream::{DocumentShape, Met, Opened};
use super::lenient;
use crate::compat::words;
use crate::lenient::what;

/// Names under which memories and relations stand, and the objects around them.
const LISTS: &[&str] = &["results", "memories", "data", "items", "relations"];

/// Names that mem0 and its wrappers have for a memory's text.
const TEXTS: &[&str] = &["memory", "text", "data", "content", "value"];

/// Whether a document's beginning is that of such an export.
pub fn recognise(seen: &DocumentShape) -> bool {
    let marks = ["hash", "user_id", "agent_id", "run_id", "categories", "event", "score"];
    let marked = marks.iter().any(|name| seen.records_have(name));
    let texts = TEXTS[1..].iter().any(|name| seen.records_have(name));
    let wrapped = ["results", "memories"].iter().any(|name| seen.has(name) || seen.records_have(name));
    let relation = seen.records_have("source") && seen.records_have("relationship");
    seen.records_have("memory") || seen.has("memory") || wrapped || relation || (texts && marked)
}

pub fn read(path: &Path) -> Result<FilePieces, UnreadableFile> {
    let mut found = archive::parts(path)?;
    if !found.single {
        found.parts.retain(|part| part.name.ends_with(".json") || part.name.ends_with(".jsonl"));
    }
    Ok(archive::walk(found.parts, found.aside, Opened::Named(LISTS), move |_, met| match met {
        Met::Element { list, number, value, .. } => {
            let what = if list.ends_with("relations") { "relation" } else { "memory" };
            pieces(&format!("{what} {number}"), value, is_relations(&list), 0)
        }
        // An object by itself is a memory, as JSON lines have them, or what stands around the lists.
        Met::Rest { line, fields, .. } => {
            let said = TEXTS.iter().any(|name| fields.get(*name).is_some_and(Value::is_string));
            if said {
                pieces(&format!("line {line}"), Ok(Value::Object(fields)), false, 0)
            } else {
                Vec::new()
            }
        }
    }))
}

fn is_relations(list: &str) -> bool {
    list.rsplit('.').next() == Some("relations")
}

/// Pages within pages that are looked into.
const DEPTH: usize = 4;

/// A record, or a page of them.
fn pieces(place: &str, value: Result<Value, String>, relation: bool, depth: usize) -> Vec<FilePiece> {
    let piece = |what| vec![FilePiece { place: place.to_owned(), what }];
    match value {
        Err(message) => piece(Err(message)),
        Ok(Value::Array(page)) if depth < DEPTH => inner(place, page, relation, depth),
        Ok(Value::Object(mut fields)) => {
            let page =
                ["results", "memories"].iter().find(|name| fields.get(**name).is_some_and(Value::is_array));
            match page {
                Some(name) if depth < DEPTH => match fields.remove(*name) {
                    Some(Value::Array(page)) => inner(place, page, relation, depth),
                    _ => Vec::new(),
                },
                _ if relation || is_tie(&fields) => {
                    piece(tie(&fields).map(|tie| ImportedRecord::Relation(Box::new(tie))))
                }
                _ => piece(note(fields)),
            }
        }
        Ok(other) => piece(Err(format!("it is {}; expected a memory, which is an object", what(&other)))),
    }
}

fn inner(place: &str, page: Vec<Value>, relation: bool, depth: usize) -> Vec<FilePiece> {
    let one =
        |(number, value)| pieces(&format!("{place}, number {}", number + 1), Ok(value), relation, depth + 1);
    page.into_iter().enumerate().flat_map(one).collect()
}

fn is_tie(fields: &Map<String, Value>) -> bool {
    fields.contains_key("source") && (fields.contains_key("relationship") || fields.contains_key("relation"))
}

fn tie(fields: &Map<String, Value>) -> Result<Tie, String> {
    let part = |names: &[&str]| {
        let missing = || format!("it has no `{}`; expected source, relationship and target", names[0]);
        lenient::text_of(fields, names).ok_or_else(missing)
    };
    Ok(Tie {
        subject: part(&["source", "source_node"])?,
        predicate: part(&["relationship", "relation", "type"])?,
        object: part(&["target", "destination", "target_node"])?,
        confidence: lenient::field(fields, &["confidence", "score"]).and_then(lenient::share),
        at: lenient::time_of(fields, &["created_at", "created"]),
    })
}

fn note(mut fields: Map<String, Value>) -> Result<ImportedRecord, String> {
    let event = lenient::text_of(&fields, &["event"]).unwrap_or_default();
    if event.eq_ignore_ascii_case("delete") || lenient::yes(fields.get("deleted")) {
        return Ok(ImportedRecord::LeftOut("it is marked as deleted".to_owned()));
    }
    let Some(content) =
        TEXTS.iter().find_map(|name| lenient::text(fields.get(*name)?).map(|text| (*name, text)))
    else {
        return Err("it has no `memory`; expected its text".to_owned());
    };
    fields.remove(content.0);
    let mut metadata = lenient::object(fields.remove("metadata").as_ref());
    let mut note = ImportedMemory { content: content.1, ..ImportedMemory::default() };
    note.name = lenient::text_of(&fields, &["id", "memory_id"]);
    note.agent = lenient::word(&fields, &["agent_id"]);
    note.user = lenient::word(&fields, &["user_id"]);
    note.session = lenient::word(&fields, &["run_id", "session_id"]);
    note.created_at = lenient::time_of(&fields, &["created_at"]);
    note.updated_at = lenient::time_of(&fields, &["updated_at"]);
    note.expires_at = lenient::time_of(&fields, &["expiration_date", "expires_at"]);
    for list in ["categories", "tags"] {
        note.tags.extend(fields.get(list).map(lenient::tags).unwrap_or_default());
    }
    if let Some(word) = lenient::text_of(&fields, &["memory_type", "type"]) {
        (note.layer, note.kind) = words::layer_and_kind(&word);
    }
    note.scope = lenient::text_of(&fields, &["scope"]).and_then(|word| words::scope(&word));
    note.links = links(&fields);
    kept(&mut metadata, fields, &note);
    note.metadata = metadata;
    Ok(ImportedRecord::Memory(Box::new(note)))
}

/// Memories that name others of the file.
fn links(fields: &Map<String, Value>) -> Vec<Pointer> {
    let listed = lenient::field(fields, &["linked_memories", "links"]).and_then(Value::as_array);
    let pointer =
        |value: &Value| Some(Pointer { to: lenient::text(value)?, kind: LinkKind::Related, weight: 1.0 });
    listed.into_iter().flatten().filter_map(pointer).collect()
}

/// What has no field of ours, or could not be read as one, stays beside the memory.
fn kept(metadata: &mut Map<String, Value>, fields: Map<String, Value>, note: &ImportedMemory) {
    for (name, value) in fields {
        let taken = match name.as_str() {
            "id" | "memory_id" | "categories" | "tags" | "event" | "score" | "linked_memories" | "links" => {
                true
            }
            "agent_id" => note.agent.is_some(),
            "user_id" => note.user.is_some(),
            "run_id" | "session_id" => note.session.is_some(),
            "created_at" => note.created_at.is_some(),
            "updated_at" => note.updated_at.is_some(),
            "expiration_date" | "expires_at" => note.expires_at.is_some(),
            "memory_type" | "type" => note.layer.is_some() || note.kind.is_some(),
            "scope" => note.scope.is_some(),
            _ => false,
        };
        if !taken && !value.is_null() {
            metadata.entry(name).or_insert(value);
        }
    }
    if let Some(id) = &note.name {
        metadata.entry("mem0_id").or_insert_with(|| Value::from(id.clone()));
    }
    metadata.entry("source").or_insert_with(|| Value::from("mem0"));
}
