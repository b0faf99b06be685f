//! A row of a table as a memory: which column is which field, and what becomes of the others.

use serde_json::{Map, Value};

use crate::compat::words;
use crate::import_model::ImportedMemory;
use crate::lenient;

/// What a column is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CsvColumn {
    Content,
    Type,
    Layer,
    Kind,
    Scope,
    Tags,
    Key,
    Agent,
    User,
    Session,
    CreatedAt,
    UpdatedAt,
    ExpiresAt,
    ValidFrom,
    ValidUntil,
    Salience,
    Confidence,
    Strength,
    UseCount,
    Id,
    /// An object whose fields are metadata.
    Metadata,
    /// Kept as metadata under its name.
    Other(String),
    Unnamed,
}

/// The columns by their names. A name that comes twice is metadata the second time, under a name of its own.
pub fn columns(names: &[String]) -> Vec<CsvColumn> {
    let mut columns: Vec<CsvColumn> = Vec::with_capacity(names.len());
    for (place, name) in names.iter().enumerate() {
        let mut column = column(name);
        if column != CsvColumn::Unnamed && columns.contains(&column) {
            column = CsvColumn::Other(format!("{name}_{}", place + 1));
        }
        columns.push(column);
    }
    // Where no column is named for it, another that usually has the text is the content.
    if !columns.contains(&CsvColumn::Content) {
        let place = ["text", "memory", "fact"]
            .iter()
            .find_map(|alias| names.iter().position(|name| plain(name) == *alias));
        if let Some(place) = place {
            columns[place] = CsvColumn::Content;
        }
    }
    columns
}

fn plain(name: &str) -> String {
    let mut plain = String::new();
    let mut before = ' ';
    for sign in name.trim().chars() {
        if sign.is_uppercase() && before.is_lowercase() {
            plain.push('_');
        }
        match sign {
            ' ' | '-' | '.' => plain.push('_'),
            sign => plain.extend(sign.to_lowercase()),
        }
        before = sign;
    }
    plain
}

fn column(name: &str) -> CsvColumn {
    match plain(name).as_str() {
        "" => CsvColumn::Unnamed,
        "content" => CsvColumn::Content,
        "type" => CsvColumn::Type,
        "layer" => CsvColumn::Layer,
        "kind" => CsvColumn::Kind,
        "scope" => CsvColumn::Scope,
        "tags" => CsvColumn::Tags,
        "key" => CsvColumn::Key,
        "agent" | "agent_id" => CsvColumn::Agent,
        "user" | "user_id" => CsvColumn::User,
        "session" | "session_id" => CsvColumn::Session,
        "created_at" | "created" | "timestamp" => CsvColumn::CreatedAt,
        "updated_at" | "updated" => CsvColumn::UpdatedAt,
        "expires_at" => CsvColumn::ExpiresAt,
        "valid_from" => CsvColumn::ValidFrom,
        "valid_until" => CsvColumn::ValidUntil,
        "salience" => CsvColumn::Salience,
        "confidence" => CsvColumn::Confidence,
        "strength" => CsvColumn::Strength,
        "use_count" | "retrieval_count" => CsvColumn::UseCount,
        "id" => CsvColumn::Id,
        "metadata" => CsvColumn::Metadata,
        _ => CsvColumn::Other(name.trim().to_owned()),
    }
}

pub fn note(columns: &[CsvColumn], fields: &[&str]) -> Result<ImportedMemory, String> {
    if fields.len() != columns.len() {
        let (found, expected) = (fields.len(), columns.len());
        return Err(format!("the row has {found} fields; expected {expected}, as many as the first line"));
    }
    let mut note = ImportedMemory::default();
    for (column, field) in columns.iter().zip(fields) {
        if !field.trim().is_empty() && !set(&mut note, column, field) {
            // Nothing is lost over a word that we do not know.
            note.metadata.insert(name(column), Value::from(*field));
        }
    }
    if note.content.is_empty() {
        return Err("the row's content is empty; expected text".to_owned());
    }
    Ok(note)
}

/// Puts a field where it belongs; false where it cannot be read as what its column is.
fn set(note: &mut ImportedMemory, column: &CsvColumn, field: &str) -> bool {
    let value = Value::from(field);
    let trimmed = field.trim();
    match column {
        CsvColumn::Content => note.content = field.to_owned(),
        CsvColumn::Type => {
            let (layer, kind) = words::layer_and_kind(trimmed);
            note.layer = note.layer.or(layer);
            note.kind = note.kind.or(kind);
            return layer.is_some() || kind.is_some();
        }
        CsvColumn::Layer => return put(&mut note.layer, trimmed.parse().ok()),
        CsvColumn::Kind => return put(&mut note.kind, trimmed.parse().ok()),
        CsvColumn::Scope => return put(&mut note.scope, words::scope(trimmed)),
        CsvColumn::Tags => note.tags = lenient::tags(&value),
        CsvColumn::Key if trimmed.len() <= memory::limits::KEY_BYTES => note.key = Some(trimmed.to_owned()),
        CsvColumn::Agent => return put(&mut note.agent, trimmed.parse().ok()),
        CsvColumn::User => return put(&mut note.user, trimmed.parse().ok()),
        CsvColumn::Session => return put(&mut note.session, trimmed.parse().ok()),
        CsvColumn::CreatedAt => return put(&mut note.created_at, lenient::time(&value)),
        CsvColumn::UpdatedAt => return put(&mut note.updated_at, lenient::time(&value)),
        CsvColumn::ExpiresAt => return put(&mut note.expires_at, lenient::time(&value)),
        CsvColumn::ValidFrom => return put(&mut note.valid_from, lenient::time(&value)),
        CsvColumn::ValidUntil => return put(&mut note.valid_until, lenient::time(&value)),
        CsvColumn::Salience => return put(&mut note.salience, lenient::share(&value)),
        CsvColumn::Confidence => return put(&mut note.confidence, lenient::share(&value)),
        CsvColumn::Strength => return put(&mut note.strength, lenient::share(&value)),
        CsvColumn::UseCount => return put(&mut note.use_count, lenient::whole(&value)),
        CsvColumn::Id => {
            note.name = Some(trimmed.to_owned());
            note.metadata.insert("id".to_owned(), Value::from(trimmed));
        }
        CsvColumn::Metadata => {
            let object: Map<String, Value> = lenient::object(Some(&value));
            let is_object = !object.is_empty();
            note.metadata.extend(object);
            return is_object;
        }
        CsvColumn::Key | CsvColumn::Other(_) => return false,
        CsvColumn::Unnamed => {}
    }
    true
}

fn put<T>(place: &mut Option<T>, value: Option<T>) -> bool {
    let read = value.is_some();
    if read {
        *place = value;
    }
    read
}

/// Under which name a field is kept that could not be read.
fn name(column: &CsvColumn) -> String {
    match column {
        CsvColumn::Other(name) => name.clone(),
        known => plain(&format!("{known:?}")),
    }
}
