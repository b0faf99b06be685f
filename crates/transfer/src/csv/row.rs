//! A row of a table as a memory: which column is which field, and what becomes of the others.

use serde_json::{Map, Value};

use crate::compat::words;
use crate::incoming::Note;
use crate::loose;

/// What a column is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Column {
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
pub fn columns(names: &[String]) -> Vec<Column> {
    let mut columns: Vec<Column> = Vec::with_capacity(names.len());
    for (place, name) in names.iter().enumerate() {
        let mut column = column(name);
        if column != Column::Unnamed && columns.contains(&column) {
            column = Column::Other(format!("{name}_{}", place + 1));
        }
        columns.push(column);
    }
    // Where no column is named for it, another that usually has the text is the content.
    if !columns.contains(&Column::Content) {
        let place = ["text", "memory", "fact"]
            .iter()
            .find_map(|alias| names.iter().position(|name| plain(name) == *alias));
        if let Some(place) = place {
            columns[place] = Column::Content;
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

fn column(name: &str) -> Column {
    match plain(name).as_str() {
        "" => Column::Unnamed,
        "content" => Column::Content,
        "type" => Column::Type,
        "layer" => Column::Layer,
        "kind" => Column::Kind,
        "scope" => Column::Scope,
        "tags" => Column::Tags,
        "key" => Column::Key,
        "agent" | "agent_id" => Column::Agent,
        "user" | "user_id" => Column::User,
        "session" | "session_id" => Column::Session,
        "created_at" | "created" | "timestamp" => Column::CreatedAt,
        "updated_at" | "updated" => Column::UpdatedAt,
        "expires_at" => Column::ExpiresAt,
        "valid_from" => Column::ValidFrom,
        "valid_until" => Column::ValidUntil,
        "salience" => Column::Salience,
        "confidence" => Column::Confidence,
        "strength" => Column::Strength,
        "use_count" | "retrieval_count" => Column::UseCount,
        "id" => Column::Id,
        "metadata" => Column::Metadata,
        _ => Column::Other(name.trim().to_owned()),
    }
}

pub fn note(columns: &[Column], fields: &[&str]) -> Result<Note, String> {
    if fields.len() != columns.len() {
        let (found, expected) = (fields.len(), columns.len());
        return Err(format!("the row has {found} fields; expected {expected}, as many as the first line"));
    }
    let mut note = Note::default();
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
fn set(note: &mut Note, column: &Column, field: &str) -> bool {
    let value = Value::from(field);
    let trimmed = field.trim();
    match column {
        Column::Content => note.content = field.to_owned(),
        Column::Type => {
            let (layer, kind) = words::layer_and_kind(trimmed);
            note.layer = note.layer.or(layer);
            note.kind = note.kind.or(kind);
            return layer.is_some() || kind.is_some();
        }
        Column::Layer => return put(&mut note.layer, trimmed.parse().ok()),
        Column::Kind => return put(&mut note.kind, trimmed.parse().ok()),
        Column::Scope => return put(&mut note.scope, words::scope(trimmed)),
        Column::Tags => note.tags = loose::tags(&value),
        Column::Key if trimmed.len() <= memory::limits::KEY_BYTES => note.key = Some(trimmed.to_owned()),
        Column::Agent => return put(&mut note.agent, trimmed.parse().ok()),
        Column::User => return put(&mut note.user, trimmed.parse().ok()),
        Column::Session => return put(&mut note.session, trimmed.parse().ok()),
        Column::CreatedAt => return put(&mut note.created_at, loose::time(&value)),
        Column::UpdatedAt => return put(&mut note.updated_at, loose::time(&value)),
        Column::ExpiresAt => return put(&mut note.expires_at, loose::time(&value)),
        Column::ValidFrom => return put(&mut note.valid_from, loose::time(&value)),
        Column::ValidUntil => return put(&mut note.valid_until, loose::time(&value)),
        Column::Salience => return put(&mut note.salience, loose::share(&value)),
        Column::Confidence => return put(&mut note.confidence, loose::share(&value)),
        Column::Strength => return put(&mut note.strength, loose::share(&value)),
        Column::UseCount => return put(&mut note.use_count, loose::whole(&value)),
        Column::Id => {
            note.name = Some(trimmed.to_owned());
            note.metadata.insert("id".to_owned(), Value::from(trimmed));
        }
        Column::Metadata => {
            let object: Map<String, Value> = loose::object(Some(&value));
            let is_object = !object.is_empty();
            note.metadata.extend(object);
            return is_object;
        }
        Column::Key | Column::Other(_) => return false,
        Column::Unnamed => {}
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
fn name(column: &Column) -> String {
    match column {
        Column::Other(name) => name.clone(),
        known => plain(&format!("{known:?}")),
    }
}
