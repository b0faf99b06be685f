//! The records of an AgentOS brain, one by one. Columns are named in two ways (`created_at`, `createdAt`) and lists and objects stand
//! as such or as JSON inside a text, by the version that wrote them.

use std::collections::HashMap;

use memory::types::{EntityType, Kind, Layer, Role};
use serde_json::{Map, Value};

use crate::compat::words;
use crate::import_model::{FilePiece, ImportedConversation, ImportedMemory, ImportedRecord, Thing, Tie};
use crate::lenient;
use crate::turns::{self, SourceMessage};

const CREATED: &[&str] = &["created_at", "createdAt", "timestamp", "ingested_at", "ingestedAt"];

const TEXT: &[&str] = &["content", "text", "message"];

pub fn text(fields: &Map<String, Value>) -> Option<String> {
    lenient::text_of(fields, TEXT)
}

/// The same, and the record is without it then.
pub fn take_text(fields: &mut Map<String, Value>) -> Option<String> {
    let text = text(fields);
    TEXT.iter().for_each(|name| drop(fields.remove(*name)));
    text
}

/// Which conversation a message belongs to.
pub fn conversation_of(fields: &Map<String, Value>) -> Option<String> {
    lenient::text_of(
        fields,
        &["conversation_id", "conversationId", "session_id", "sessionId", "thread_id", "episode_id"],
    )
}

fn source(id: Option<&str>) -> Map<String, Value> {
    let mut metadata = Map::new();
    metadata.insert("source".to_owned(), Value::from("agentos"));
    if let Some(id) = id {
        metadata.insert("agentos_id".to_owned(), Value::from(lenient::cut(id, 500)));
    }
    metadata
}

pub fn trace(mut fields: Map<String, Value>) -> Result<ImportedRecord, String> {
    if lenient::yes(fields.get("deleted")) || lenient::yes(fields.get("isDeleted")) {
        return Ok(ImportedRecord::LeftOut("it is marked as deleted".to_owned()));
    }
    let content = text(&fields).ok_or("it has no `content`; expected its text")?;
    let name = lenient::text_of(&fields, &["id"]);
    let mut note = ImportedMemory { content, ..ImportedMemory::default() };
    note.metadata = source(name.as_deref());
    for (key, value) in lenient::object(fields.get("metadata")) {
        note.metadata.entry(key).or_insert(value);
    }
    note.name = name;
    if let Some(word) = lenient::text_of(&fields, &["type"]) {
        (note.layer, note.kind) = words::layer_and_kind(&word);
        if note.layer.is_none() && note.kind.is_none() {
            note.metadata.insert("type".to_owned(), Value::from(word));
        }
    }
    if let Some(word) = lenient::text_of(&fields, &["scope"]) {
        note.scope = words::scope(&word);
        if note.scope.is_none() {
            note.metadata.insert("scope".to_owned(), Value::from(word));
        }
    }
    note.tags = fields.get("tags").map(lenient::tags).unwrap_or_default();
    note.created_at = lenient::time_of(&fields, CREATED);
    note.updated_at = lenient::time_of(&fields, &["updated_at", "updatedAt"]);
    note.strength = lenient::field(&fields, &["strength", "encodingStrength"]).and_then(lenient::share);
    note.salience = lenient::field(&fields, &["importance", "salience"]).and_then(lenient::share);
    note.confidence = lenient::field(&fields, &["confidence"]).and_then(lenient::share);
    note.use_count = lenient::field(&fields, &["retrieval_count", "retrievalCount"]).and_then(lenient::whole);
    note.agent = lenient::word(&fields, &["agent_id", "agentId"]);
    note.user = lenient::word(&fields, &["user_id", "userId"]);
    if let Some(used) = lenient::time_of(&fields, &["last_accessed", "lastAccessed", "lastAccessedAt"]) {
        note.metadata.insert("last_accessed".to_owned(), Value::from(used.to_string()));
    }
    let emotions = lenient::take(&mut fields, &["emotions", "emotionalContext"])
        .map(|value| lenient::object(Some(&value)));
    if let Some(emotions) = emotions.filter(|emotions| !emotions.is_empty()) {
        note.metadata.insert("emotions".to_owned(), Value::Object(emotions));
    }
    Ok(ImportedRecord::Memory(Box::new(note)))
}

pub fn label(fields: &Map<String, Value>) -> Option<String> {
    lenient::text_of(fields, &["label", "name"])
}

pub fn node(fields: &Map<String, Value>) -> Result<ImportedRecord, String> {
    let name = label(fields).ok_or("it has no `label`; expected its name")?;
    let properties = lenient::object(fields.get("properties"));
    let aliases = lenient::field(&properties, &["aliases"]).or_else(|| fields.get("aliases"));
    Ok(ImportedRecord::Entity(Box::new(Thing {
        name,
        // Most of what a graph names is an idea.
        entity_type: lenient::word(fields, &["type", "entityType"]).unwrap_or(EntityType::Concept),
        aliases: aliases.map(lenient::tags).unwrap_or_default(),
        at: lenient::time_of(fields, CREATED),
    })))
}

/// From where an edge leads where.
pub fn ends(fields: &Map<String, Value>) -> Option<(String, String)> {
    let from = lenient::text_of(fields, &["source_id", "sourceId", "source", "from"])?;
    Some((from, lenient::text_of(fields, &["target_id", "targetId", "target", "to"])?))
}

pub fn edge(
    fields: &Map<String, Value>,
    ends: Option<(String, String)>,
    labels: &HashMap<String, String>,
) -> Result<ImportedRecord, String> {
    let (from, to) = ends.ok_or("it has no `source_id` or no `target_id`; expected both")?;
    let name = |id: &str| labels.get(id).cloned().ok_or("it joins a node that is not in the file");
    Ok(ImportedRecord::Relation(Box::new(Tie {
        subject: name(&from)?,
        predicate: lenient::text_of(fields, &["type", "relation", "label"])
            .unwrap_or_else(|| "related_to".to_owned()),
        object: name(&to)?,
        confidence: lenient::field(fields, &["confidence", "weight"]).and_then(lenient::share),
        at: lenient::time_of(fields, CREATED),
    })))
}

pub fn episode(fields: Map<String, Value>) -> Result<ImportedRecord, String> {
    let summary = lenient::text_of(&fields, &["summary", "content", "text"]);
    let name = lenient::text_of(&fields, &["id"]);
    let mut metadata = source(name.as_deref());
    if let Some(title) = lenient::text_of(&fields, &["title"]) {
        metadata.insert("title".to_owned(), Value::from(title));
    }
    Ok(ImportedRecord::Memory(Box::new(ImportedMemory {
        content: summary.ok_or("it has no `summary`; expected its text")?,
        layer: Some(Layer::Episodic),
        kind: Some(Kind::Event),
        tags: lenient::field(&fields, &["tags", "topics"]).map(lenient::tags).unwrap_or_default(),
        salience: lenient::field(&fields, &["salience", "importance"]).and_then(lenient::share),
        created_at: lenient::time_of(&fields, &["ended_at", "endedAt"])
            .or_else(|| lenient::time_of(&fields, CREATED)),
        metadata,
        name,
        ..ImportedMemory::default()
    })))
}

/// What is known of the user: a memory for each thing that is said.
pub fn identity(place: &str, fields: &Map<String, Value>) -> Vec<FilePiece> {
    let said = |(key, value): (&String, &Value)| -> Vec<String> {
        match value {
            Value::Array(items) => {
                items.iter().filter_map(lenient::text).map(|item| format!("{key}: {item}")).collect()
            }
            other => {
                let text = lenient::text(other);
                let whole = matches!(key.as_str(), "content" | "text" | "profile" | "summary");
                text.map(|text| if whole { text } else { format!("{key}: {text}") }).into_iter().collect()
            }
        }
    };
    let is_about =
        |key: &str| matches!(key, "id" | "version" | "created_at" | "updated_at" | "createdAt" | "updatedAt");
    let created_at = lenient::time_of(fields, CREATED);
    let piece = |content: String| {
        let tags = vec!["identity".to_owned()];
        let note = ImportedMemory {
            content,
            kind: Some(Kind::Fact),
            tags,
            metadata: source(None),
            created_at,
            ..ImportedMemory::default()
        };
        FilePiece { place: place.to_owned(), what: Ok(ImportedRecord::Memory(Box::new(note))) }
    };
    fields.iter().filter(|(key, _)| !is_about(key)).flat_map(said).map(piece).collect()
}

pub fn conversation(
    id: &str,
    head: &Map<String, Value>,
    messages: &[Map<String, Value>],
) -> ImportedConversation {
    let started_at = lenient::time_of(head, CREATED);
    let mut metadata = source(None);
    for (key, value) in lenient::object(head.get("metadata")) {
        metadata.entry(key).or_insert(value);
    }
    let message = |fields: &Map<String, Value>| {
        let said = lenient::text_of(fields, &["role", "speaker", "sender"]);
        let role: Option<Role> = said.as_deref().and_then(|role| role.parse().ok());
        SourceMessage {
            id: lenient::text_of(fields, &["id"]),
            speaker: if role.is_none() { said } else { lenient::text_of(fields, &["name"]) },
            role,
            text: text(fields).unwrap_or_default(),
            at: lenient::time_of(fields, CREATED),
        }
    };
    ImportedConversation {
        id: lenient::id(id),
        title: lenient::text_of(head, &["title", "name"]),
        started_at,
        agent: lenient::word(head, &["agent_id", "agentId"]),
        user: lenient::word(head, &["user_id", "userId"]),
        turns: turns::turns(messages.iter().map(message).collect(), started_at),
        metadata,
        ..ImportedConversation::default()
    }
}

/// Where in its document a chunk stands.
pub fn chunk_index(fields: &Map<String, Value>) -> Option<f64> {
    lenient::field(fields, &["chunk_index", "chunkIndex", "page_number", "pageNumber"])
        .and_then(lenient::number)
}

pub fn document(id: &str, head: &Map<String, Value>, chunks: &[Map<String, Value>]) -> ImportedConversation {
    let at = lenient::time_of(head, CREATED);
    let mut metadata = source(Some(id));
    for key in ["path", "format"] {
        if let Some(text) = lenient::text_of(head, &[key]) {
            metadata.insert(key.to_owned(), Value::from(text));
        }
    }
    for (key, value) in lenient::object(head.get("metadata")) {
        metadata.entry(key).or_insert(value);
    }
    let chunk = |fields: &Map<String, Value>| {
        let caption = || lenient::text_of(fields, &["caption"]).map(|caption| format!("[image: {caption}]"));
        let text = text(fields).or_else(caption).unwrap_or_default();
        SourceMessage {
            id: lenient::text_of(fields, &["id"]),
            role: Some(Role::System),
            text,
            at,
            ..SourceMessage::default()
        }
    };
    let path = || lenient::text_of(head, &["path"]);
    ImportedConversation {
        id: lenient::id(&format!("document-{id}")),
        title: lenient::text_of(head, &["title"]).or_else(path),
        started_at: at,
        turns: turns::turns(chunks.iter().map(chunk).collect(), at),
        metadata,
        document: true,
        ..ImportedConversation::default()
    }
}
