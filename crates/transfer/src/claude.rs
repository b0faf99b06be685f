//! Claude's export: `conversations.json`, by itself or in the archive it comes in, with its projects and what it remembers.
//!
//! A conversation is a list of messages, which name the one they answer where it forks: then the line to the last one shown is the
//! conversation and the others are branches of it. Documents of a project become documents. What was attached to a message is kept beside
//! it as a tool's turn: it is a text that somebody handed over, and not what they say of themselves.

mod content;

use std::collections::HashMap;
use std::path::Path;

use memory::types::Role;
use serde_json::{Map, Value};

use super::archive::{self, ArchiveFile};
use super::branches::Knot;
use super::import_model::{FilePiece, FilePieces, ImportedConversation, UnreadableFile};
use super::json_stream::{DocumentShape, Met, Opened};
use super::lenient;
use super::turns::{self, SeenConversations, SourceMessage};
use crate::lenient::what;

/// Names under which a list may stand in an outer object.
const LISTS: &[&str] = &["conversations", "projects", "data"];

/// Whether a document's beginning is that of such an export.
pub fn recognise(seen: &DocumentShape) -> bool {
    let has = |key: &str| seen.records_have(key) || seen.has(key);
    has("chat_messages") || (has("docs") && has("prompt_template")) || has("conversations_memory")
}

/// Files of the export that are read; the others are about the account.
pub fn is_read(name: &str) -> bool {
    let name = archive::base(name).to_ascii_lowercase();
    super::chatgpt::is_conversations(&name) || matches!(name.as_str(), "projects.json" | "memories.json")
}

pub fn read(path: &Path) -> Result<FilePieces, UnreadableFile> {
    let found = archive::parts(path)?;
    let single = found.single;
    let parts: Vec<ArchiveFile> =
        found.parts.into_iter().filter(|part| single || is_read(&part.name)).collect();
    if !single && !parts.iter().any(|part| super::chatgpt::is_conversations(&part.name)) {
        return Err(UnreadableFile {
            place: path.display().to_string(),
            message: "there is no conversations.json in it; expected Claude's export as it was downloaded"
                .to_owned(),
        });
    }
    let mut seen = SeenConversations::default();
    Ok(archive::walk(parts, found.aside, Opened::Named(LISTS), move |_, met| {
        let (number, value) = match met {
            Met::Element { number, value, .. } => (number, value),
            Met::Rest { fields, .. } if is_record(&fields) => (1, Ok(Value::Object(fields))),
            Met::Rest { .. } => return Vec::new(),
        };
        let name = value.as_ref().ok().and_then(|value| value.get("name")?.as_str());
        let place = lenient::named("conversation", number, name);
        match value.and_then(|value| record(&value, number)) {
            Ok((place, lines)) => {
                let piece = |line| FilePiece { place: place.clone(), what: Ok(seen.incoming(line)) };
                lines.into_iter().map(piece).collect()
            }
            Err(message) => vec![FilePiece { place, what: Err(message) }],
        }
    }))
}

fn is_record(fields: &Map<String, Value>) -> bool {
    ["chat_messages", "docs", "conversations_memory"].iter().any(|key| fields.contains_key(*key))
}

/// What a record comes to, and what a person would call it.
fn record(value: &Value, number: u64) -> Result<(String, Vec<ImportedConversation>), String> {
    let Some(fields) = value.as_object() else {
        return Err(format!("it is {}; expected a conversation, which is an object", what(value)));
    };
    let name = lenient::text_of(fields, &["name"]);
    let place = |what: &str| lenient::named(what, number, name.as_deref());
    if lenient::field(fields, &["chat_messages"]).is_some() {
        return Ok((place("conversation"), conversation(fields)?));
    }
    if fields.contains_key("docs") || fields.contains_key("prompt_template") {
        return Ok((place("project"), project(fields)));
    }
    if fields.contains_key("conversations_memory") || fields.contains_key("project_memories") {
        return Ok((place("memory"), remembered(fields)));
    }
    Err("it has no `chat_messages`; expected a list of messages".to_owned())
}

fn source() -> Map<String, Value> {
    let mut metadata = Map::new();
    metadata.insert("source".to_owned(), Value::from("claude"));
    metadata
}

fn conversation(fields: &Map<String, Value>) -> Result<Vec<ImportedConversation>, String> {
    let messages: Vec<&Map<String, Value>> = match fields.get("chat_messages") {
        Some(Value::Array(list)) => list.iter().filter_map(Value::as_object).collect(),
        Some(other) => {
            return Err(format!("its `chat_messages` is {}; expected a list of messages", what(other)));
        }
        None => Vec::new(),
    };
    let started_at = lenient::time_of(fields, &["created_at"]);
    let title = lenient::text_of(fields, &["name", "title"]);
    let id = lenient::text_of(fields, &["uuid", "id"]).map_or_else(
        || {
            format!(
                "claude-{}",
                lenient::hashed(&format!(
                    "{title:?}{started_at:?}{:?}",
                    messages.first().map(|first| name(first))
                ))
            )
        },
        |id| lenient::id(&id),
    );
    let mut metadata = source();
    for key in ["summary", "model"] {
        if let Some(text) = lenient::text_of(fields, &[key]) {
            metadata.insert(key.to_owned(), Value::from(lenient::cut(&text, 4_000)));
        }
    }
    if let Some(time) = lenient::time_of(fields, &["updated_at"]) {
        metadata.insert("updated_at".to_owned(), Value::from(time.to_string()));
    }
    let main = ImportedConversation { id, title, started_at, metadata, ..ImportedConversation::default() };
    let names: Vec<String> = messages.iter().map(|message| name(message)).collect();
    let said: Vec<Vec<SourceMessage>> = messages.iter().map(|message| turns(message)).collect();
    let current = lenient::text_of(fields, &["current_leaf_message_uuid"]);
    let current = current.and_then(|current| names.iter().position(|name| *name == current));
    Ok(turns::branches(main, &knots(&messages, &names), &names, &said, current))
}

fn name(message: &Map<String, Value>) -> String {
    lenient::text_of(message, &["uuid", "id"]).unwrap_or_default()
}

/// Who answers whom. A message that does not say so answers the one before it in the list; one that names a message
/// which is not there is a beginning.
fn knots(messages: &[&Map<String, Value>], names: &[String]) -> Vec<Knot> {
    let mut places: HashMap<&str, usize> = HashMap::new();
    for (place, name) in names.iter().enumerate() {
        places.entry(name).or_insert(place);
    }
    let knot = |(place, message): (usize, &&Map<String, Value>)| {
        let parent = match lenient::text_of(message, &["parent_message_uuid"]) {
            Some(parent) => places.get(parent.as_str()).copied(),
            None => place.checked_sub(1),
        };
        Knot { parent, at: lenient::time_of(message, &["created_at", "updated_at"]) }
    };
    messages.iter().enumerate().map(knot).collect()
}

/// A message and, as turns of their own beside it, what tools and attachments say.
fn turns(message: &Map<String, Value>) -> Vec<SourceMessage> {
    let sender = lenient::text_of(message, &["sender", "role"]);
    let role = sender.as_deref().and_then(|sender| sender.parse().ok());
    let at = lenient::time_of(message, &["created_at", "updated_at"]);
    let read = content::read(message);
    // Only what has an id of its own can give its companions one.
    let id = Some(name(message)).filter(|name| !name.is_empty());
    let aside = |(number, (speaker, text)): (usize, (String, String))| SourceMessage {
        id: id.as_ref().map(|id| format!("{}#{}", lenient::id(id), number + 1)),
        role: Some(Role::Tool),
        speaker: Some(speaker),
        text,
        at,
    };
    let mut all: Vec<SourceMessage> = Vec::new();
    let own = SourceMessage {
        id: id.clone(),
        role,
        speaker: if role.is_none() { sender } else { None },
        text: read.text,
        at,
    };
    let tools = read.aside.into_iter().enumerate().map(aside);
    if role == Some(Role::Assistant) {
        // Thoughts and tools come before the answer that rests on them.
        all.extend(tools);
        all.push(own);
    } else {
        all.push(own);
        all.extend(tools);
    }
    all
}

/// A project: its instructions and each of its documents.
fn project(fields: &Map<String, Value>) -> Vec<ImportedConversation> {
    let project = name(fields);
    let title = lenient::text_of(fields, &["name"]);
    let at = lenient::time_of(fields, &["created_at"]);
    let document = |id: &str, title: Option<String>, text: String, at| {
        let mut metadata = source();
        if !project.is_empty() {
            metadata.insert("project".to_owned(), Value::from(project.clone()));
        }
        let message = SourceMessage {
            id: Some("text".to_owned()),
            role: Some(Role::System),
            text,
            at,
            ..SourceMessage::default()
        };
        let turns = turns::turns(vec![message], at);
        ImportedConversation {
            id: lenient::id(id),
            title,
            started_at: at,
            metadata,
            turns,
            document: true,
            ..ImportedConversation::default()
        }
    };
    let mut all = Vec::new();
    let about = [lenient::text_of(fields, &["description"]), lenient::text_of(fields, &["prompt_template"])];
    let about: Vec<String> = about.into_iter().flatten().collect();
    if !about.is_empty() {
        all.push(document(&format!("project-{project}"), title.clone(), about.join("\n\n"), at));
    }
    for doc in fields.get("docs").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_object)
    {
        let Some(text) = lenient::text_of(doc, &["content", "text"]) else { continue };
        let id = lenient::text_of(doc, &["uuid", "id"]).unwrap_or_else(|| lenient::hashed(&text));
        let mut one = document(
            &format!("document-{id}"),
            lenient::text_of(doc, &["filename", "file_name", "name"]),
            text,
            lenient::time_of(doc, &["created_at"]).or(at),
        );
        one.tags
            .extend(title.as_deref().map(|title| lenient::cut(title, memory::limits::TAG_BYTES).to_owned()));
        all.push(one);
    }
    all
}

/// What Claude noted of its user, in general and by project: a document each, because they are pages and not sentences.
fn remembered(fields: &Map<String, Value>) -> Vec<ImportedConversation> {
    let general = lenient::text_of(fields, &["conversations_memory"]).map(|text| ("memory".to_owned(), text));
    let projects = fields.get("project_memories").and_then(Value::as_object).into_iter().flatten();
    let projects = projects.filter_map(|(id, text)| Some((format!("memory-{id}"), lenient::text(text)?)));
    let document = |(id, text): (String, String)| {
        let message = SourceMessage { role: Some(Role::System), text, ..SourceMessage::default() };
        let turns = turns::turns(vec![message], None);
        let id = lenient::id(&format!("claude-{id}"));
        ImportedConversation {
            id,
            metadata: source(),
            turns,
            document: true,
            ..ImportedConversation::default()
        }
    };
    general.into_iter().chain(projects).map(document).collect()
}
