//! The records of an AgentOS brain, one by one. Columns are named in two ways (`created_at`, `createdAt`) and lists and objects stand
//! as such or as JSON inside a text, by the version that wrote them.

use std::collections::HashMap;

use memory::types::{EntityType, Kind, Layer, Role};
use serde_json::{Map, Value};

use crate::compat::words;
use crate::incoming::{Conversation, Incoming, Note, Piece, Thing, Tie};
use crate::loose;
use crate::talk::{self, Message};

const CREATED: &[&str] = &["created_at", "createdAt", "timestamp", "ingested_at", "ingestedAt"];

const TEXT: &[&str] = &["content", "text", "message"];

pub fn text(fields: &Map<String, Value>) -> Option<String> {
    loose::text_of(fields, TEXT)
}

/// The same, and the record is without it then.
pub fn take_text(fields: &mut Map<String, Value>) -> Option<String> {
    let text = text(fields);
    TEXT.iter().for_each(|name| drop(fields.remove(*name)));
    text
}

/// Which conversation a message belongs to.
pub fn conversation_of(fields: &Map<String, Value>) -> Option<String> {
    loose::text_of(
        fields,
        &["conversation_id", "conversationId", "session_id", "sessionId", "thread_id", "episode_id"],
    )
}

fn source(id: Option<&str>) -> Map<String, Value> {
    let mut metadata = Map::new();
    metadata.insert("source".to_owned(), Value::from("agentos"));
    if let Some(id) = id {
        metadata.insert("agentos_id".to_owned(), Value::from(loose::cut(id, 500)));
    }
    metadata
}

pub fn trace(mut fields: Map<String, Value>) -> Result<Incoming, String> {
    if loose::yes(fields.get("deleted")) || loose::yes(fields.get("isDeleted")) {
        return Ok(Incoming::LeftOut("it is marked as deleted".to_owned()));
    }
    let content = text(&fields).ok_or("it has no `content`; expected its text")?;
    let name = loose::text_of(&fields, &["id"]);
    let mut note = Note { content, ..Note::default() };
    note.metadata = source(name.as_deref());
    for (key, value) in loose::object(fields.get("metadata")) {
        note.metadata.entry(key).or_insert(value);
    }
    note.name = name;
    if let Some(word) = loose::text_of(&fields, &["type"]) {
        (note.layer, note.kind) = words::layer_and_kind(&word);
        if note.layer.is_none() && note.kind.is_none() {
            note.metadata.insert("type".to_owned(), Value::from(word));
        }
    }
    if let Some(word) = loose::text_of(&fields, &["scope"]) {
        note.scope = words::scope(&word);
        if note.scope.is_none() {
            note.metadata.insert("scope".to_owned(), Value::from(word));
        }
    }
    note.tags = fields.get("tags").map(loose::tags).unwrap_or_default();
    note.created_at = loose::time_of(&fields, CREATED);
    note.updated_at = loose::time_of(&fields, &["updated_at", "updatedAt"]);
    note.strength = loose::field(&fields, &["strength", "encodingStrength"]).and_then(loose::share);
    note.salience = loose::field(&fields, &["importance", "salience"]).and_then(loose::share);
    note.confidence = loose::field(&fields, &["confidence"]).and_then(loose::share);
    note.use_count = loose::field(&fields, &["retrieval_count", "retrievalCount"]).and_then(loose::whole);
    note.agent = loose::word(&fields, &["agent_id", "agentId"]);
    note.user = loose::word(&fields, &["user_id", "userId"]);
    if let Some(used) = loose::time_of(&fields, &["last_accessed", "lastAccessed", "lastAccessedAt"]) {
        note.metadata.insert("last_accessed".to_owned(), Value::from(used.to_string()));
    }
    let emotions =
        loose::take(&mut fields, &["emotions", "emotionalContext"]).map(|value| loose::object(Some(&value)));
    if let Some(emotions) = emotions.filter(|emotions| !emotions.is_empty()) {
        note.metadata.insert("emotions".to_owned(), Value::Object(emotions));
    }
    Ok(Incoming::Memory(Box::new(note)))
}

pub fn label(fields: &Map<String, Value>) -> Option<String> {
    loose::text_of(fields, &["label", "name"])
}

pub fn node(fields: &Map<String, Value>) -> Result<Incoming, String> {
    let name = label(fields).ok_or("it has no `label`; expected its name")?;
    let properties = loose::object(fields.get("properties"));
    let aliases = loose::field(&properties, &["aliases"]).or_else(|| fields.get("aliases"));
    Ok(Incoming::Entity(Box::new(Thing {
        name,
        // Most of what a graph names is an idea.
        entity_type: loose::word(fields, &["type", "entityType"]).unwrap_or(EntityType::Concept),
        aliases: aliases.map(loose::tags).unwrap_or_default(),
        at: loose::time_of(fields, CREATED),
    })))
}

/// From where an edge leads where.
pub fn ends(fields: &Map<String, Value>) -> Option<(String, String)> {
    let from = loose::text_of(fields, &["source_id", "sourceId", "source", "from"])?;
    Some((from, loose::text_of(fields, &["target_id", "targetId", "target", "to"])?))
}

pub fn edge(
    fields: &Map<String, Value>,
    ends: Option<(String, String)>,
    labels: &HashMap<String, String>,
) -> Result<Incoming, String> {
    let (from, to) = ends.ok_or("it has no `source_id` or no `target_id`; expected both")?;
    let name = |id: &str| labels.get(id).cloned().ok_or("it joins a node that is not in the file");
    Ok(Incoming::Relation(Box::new(Tie {
        subject: name(&from)?,
        predicate: loose::text_of(fields, &["type", "relation", "label"])
            .unwrap_or_else(|| "related_to".to_owned()),
        object: name(&to)?,
        confidence: loose::field(fields, &["confidence", "weight"]).and_then(loose::share),
        at: loose::time_of(fields, CREATED),
    })))
}

pub fn episode(fields: Map<String, Value>) -> Result<Incoming, String> {
    let summary = loose::text_of(&fields, &["summary", "content", "text"]);
    let name = loose::text_of(&fields, &["id"]);
    let mut metadata = source(name.as_deref());
    if let Some(title) = loose::text_of(&fields, &["title"]) {
        metadata.insert("title".to_owned(), Value::from(title));
    }
    Ok(Incoming::Memory(Box::new(Note {
        content: summary.ok_or("it has no `summary`; expected its text")?,
        layer: Some(Layer::Episodic),
        kind: Some(Kind::Event),
        tags: loose::field(&fields, &["tags", "topics"]).map(loose::tags).unwrap_or_default(),
        salience: loose::field(&fields, &["salience", "importance"]).and_then(loose::share),
        created_at: loose::time_of(&fields, &["ended_at", "endedAt"])
            .or_else(|| loose::time_of(&fields, CREATED)),
        metadata,
        name,
        ..Note::default()
    })))
}

/// What is known of the user: a memory for each thing that is said.
pub fn identity(place: &str, fields: &Map<String, Value>) -> Vec<Piece> {
    let said = |(key, value): (&String, &Value)| -> Vec<String> {
        match value {
            Value::Array(items) => {
                items.iter().filter_map(loose::text).map(|item| format!("{key}: {item}")).collect()
            }
            other => {
                let text = loose::text(other);
                let whole = matches!(key.as_str(), "content" | "text" | "profile" | "summary");
                text.map(|text| if whole { text } else { format!("{key}: {text}") }).into_iter().collect()
            }
        }
    };
    let is_about =
        |key: &str| matches!(key, "id" | "version" | "created_at" | "updated_at" | "createdAt" | "updatedAt");
    let created_at = loose::time_of(fields, CREATED);
    let piece = |content: String| {
        let tags = vec!["identity".to_owned()];
        let note = Note {
            content,
            kind: Some(Kind::Fact),
            tags,
            metadata: source(None),
            created_at,
            ..Note::default()
        };
        Piece { place: place.to_owned(), what: Ok(Incoming::Memory(Box::new(note))) }
    };
    fields.iter().filter(|(key, _)| !is_about(key)).flat_map(said).map(piece).collect()
}

pub fn conversation(id: &str, head: &Map<String, Value>, messages: &[Map<String, Value>]) -> Conversation {
    let started_at = loose::time_of(head, CREATED);
    let mut metadata = source(None);
    for (key, value) in loose::object(head.get("metadata")) {
        metadata.entry(key).or_insert(value);
    }
    let message = |fields: &Map<String, Value>| {
        let said = loose::text_of(fields, &["role", "speaker", "sender"]);
        let role: Option<Role> = said.as_deref().and_then(|role| role.parse().ok());
        Message {
            id: loose::text_of(fields, &["id"]),
            speaker: if role.is_none() { said } else { loose::text_of(fields, &["name"]) },
            role,
            text: text(fields).unwrap_or_default(),
            at: loose::time_of(fields, CREATED),
        }
    };
    Conversation {
        id: loose::id(id),
        title: loose::text_of(head, &["title", "name"]),
        started_at,
        agent: loose::word(head, &["agent_id", "agentId"]),
        user: loose::word(head, &["user_id", "userId"]),
        turns: talk::turns(messages.iter().map(message).collect(), started_at),
        metadata,
        ..Conversation::default()
    }
}

/// Where in its document a chunk stands.
pub fn chunk_index(fields: &Map<String, Value>) -> Option<f64> {
    loose::field(fields, &["chunk_index", "chunkIndex", "page_number", "pageNumber"]).and_then(loose::number)
}

pub fn document(id: &str, head: &Map<String, Value>, chunks: &[Map<String, Value>]) -> Conversation {
    let at = loose::time_of(head, CREATED);
    let mut metadata = source(Some(id));
    for key in ["path", "format"] {
        if let Some(text) = loose::text_of(head, &[key]) {
            metadata.insert(key.to_owned(), Value::from(text));
        }
    }
    for (key, value) in loose::object(head.get("metadata")) {
        metadata.entry(key).or_insert(value);
    }
    let chunk = |fields: &Map<String, Value>| {
        let caption = || loose::text_of(fields, &["caption"]).map(|caption| format!("[image: {caption}]"));
        let text = text(fields).or_else(caption).unwrap_or_default();
        Message {
            id: loose::text_of(fields, &["id"]),
            role: Some(Role::System),
            text,
            at,
            ..Message::default()
        }
    };
    let path = || loose::text_of(head, &["path"]);
    Conversation {
        id: loose::id(&format!("document-{id}")),
        title: loose::text_of(head, &["title"]).or_else(path),
        started_at: at,
        turns: talk::turns(chunks.iter().map(chunk).collect(), at),
        metadata,
        document: true,
        ..Conversation::default()
    }
}
