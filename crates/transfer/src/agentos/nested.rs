//! Parts that stand inside what they belong to: a conversation's messages, a document's chunks.
//!
//! Some brains nest them instead of listing them apart. They are taken out of the head, so that what is kept in memory of a conversation
//! stays small, and go the way of all parts.

use serde_json::{Map, Value};

use super::{AgentosTable, records};
use crate::import_model::FilePiece;
use crate::lenient;
use crate::lenient::what;

/// The lists of parts in a conversation or a document, taken out of it; as lists, or as JSON inside a text.
pub fn take(list: AgentosTable, fields: &mut Map<String, Value>) -> Vec<(AgentosTable, Vec<Value>)> {
    let belongs = |name: &str| match (list, AgentosTable::named(name)) {
        (AgentosTable::Conversations, Some(AgentosTable::Messages)) => Some(AgentosTable::Messages),
        (AgentosTable::Documents, Some(part @ (AgentosTable::Chunks | AgentosTable::Images))) => Some(part),
        _ => None,
    };
    let names: Vec<(String, AgentosTable)> =
        fields.keys().filter_map(|name| belongs(name).map(|part| (name.clone(), part))).collect();
    let mut taken = Vec::new();
    for (name, part) in names {
        if let Some(Value::Array(values)) = fields.get(&name).map(lenient::embedded) {
            fields.remove(&name);
            taken.push((part, values));
        }
    }
    taken
}

/// A part's fields. One that is only a text is its content.
pub fn fields(value: Value) -> Result<Map<String, Value>, String> {
    match value {
        Value::Object(fields) => Ok(fields),
        Value::String(text) => Ok(Map::from_iter([("content".to_owned(), Value::from(text))])),
        other => Err(format!("it is {}; expected an object", what(&other))),
    }
}

/// What is wrong with the parts of a conversation or a document.
pub fn errors(list: AgentosTable, place: &str, mut head: Map<String, Value>) -> Vec<FilePiece> {
    let mut errors = Vec::new();
    for (part, values) in take(list, &mut head) {
        for (index, value) in values.into_iter().enumerate() {
            let wrong = match fields(value) {
                Ok(fields) if part == AgentosTable::Images || records::text(&fields).is_some() => continue,
                Ok(_) => "it says nothing; expected `content`".to_owned(),
                Err(message) => message,
            };
            errors.push(FilePiece {
                place: format!("{place}, {} {}", part.one(), index + 1),
                what: Err(wrong),
            });
        }
    }
    errors
}
