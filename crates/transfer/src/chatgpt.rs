//! ChatGPT's export: `conversations.json`, whole or in numbered parts, by itself, in its folder, or in the archive it comes in.
//!
//! A conversation there is a tree of messages with a mark on the last one shown. The line to that mark becomes the conversation;
//! what was asked or answered another way becomes a branch beside it. Every message that says something is kept. Whose it is decides what
//! may be learned from it later: what a person typed is the user's; instructions and what is hidden from the screen are the
//! system's; calls of tools, what tools answer, and thoughts are a tool's.

mod content;

use std::collections::HashMap;
use std::path::Path;

use memory::types::Role;
use serde_json::{Map, Value};

use super::archive::{self, ArchiveFile};
use super::branches::Knot;
use super::import_model::{FilePiece, FilePieces, ImportedConversation, ImportedRecord, UnreadableFile};
use super::json_stream::{DocumentShape, Met, Opened, parsed};
use super::turns::{self, SeenConversations, SourceMessage};
use crate::lenient;
use crate::lenient::what;

/// Names under which a list of conversations may stand in an outer object.
const LISTS: &[&str] = &["conversations", "items", "data"];

/// Whether a document's beginning is that of such an export.
pub fn recognise(seen: &DocumentShape) -> bool {
    seen.records_have("mapping") || seen.has("mapping")
}

/// Whether a file of an archive or a folder is one of those with the conversations.
pub fn is_conversations(name: &str) -> bool {
    let name = archive::base(name).to_ascii_lowercase();
    let number = name.strip_prefix("conversations").and_then(|rest| rest.strip_suffix(".json"));
    number.is_some_and(|number| number.chars().all(|sign| matches!(sign, '-' | '_') || sign.is_ascii_digit()))
}

/// Documents of the canvas, a file each.
fn is_document(name: &str) -> bool {
    name.ends_with(".json") && name.rsplit('/').nth(1) == Some("textdocs")
}

pub fn read(path: &Path) -> Result<FilePieces, UnreadableFile> {
    let found = archive::parts(path)?;
    let single = found.single;
    let (conversations, others): (Vec<ArchiveFile>, Vec<ArchiveFile>) =
        found.parts.into_iter().partition(|part| single || is_conversations(&part.name));
    if conversations.is_empty() {
        return Err(UnreadableFile {
            place: path.display().to_string(),
            message: "there is no conversations.json in it; expected ChatGPT's export as it was downloaded"
                .to_owned(),
        });
    }
    let mut seen = SeenConversations::default();
    let several = conversations.len() > 1;
    let pieces = archive::walk(conversations, found.aside, Opened::Named(LISTS), move |file, met| {
        let (number, value) = match met {
            Met::Element { number, value, .. } => (number, value),
            Met::Rest { fields, .. } if is_conversation(&fields) => (1, Ok(Value::Object(fields))),
            // What stands around the list says nothing.
            Met::Rest { .. } => return Vec::new(),
        };
        let title = value.as_ref().ok().and_then(|value| value.get("title")?.as_str());
        let mut place = lenient::named("conversation", number, title);
        if several {
            place = format!("{file}, {place}");
        }
        match value.and_then(|value| conversation(&value)) {
            Ok(ChatgptBranches::LeftOut(why)) => {
                vec![FilePiece { place, what: Ok(ImportedRecord::LeftOut(why)) }]
            }
            Ok(ChatgptBranches::Lines(lines)) => {
                let piece = |line| FilePiece { place: place.clone(), what: Ok(seen.incoming(line)) };
                lines.into_iter().map(piece).collect()
            }
            Err(message) => vec![FilePiece { place, what: Err(message) }],
        }
    });
    let documents = others.into_iter().filter(|part| is_document(&part.name)).map(document);
    Ok(Box::new(pieces.chain(documents)))
}

enum ChatgptBranches {
    Lines(Vec<ImportedConversation>),
    LeftOut(String),
}

fn is_conversation(fields: &Map<String, Value>) -> bool {
    fields.contains_key("mapping") || fields.contains_key("messages")
}

fn conversation(value: &Value) -> Result<ChatgptBranches, String> {
    let Some(fields) = value.as_object() else {
        return Err(format!("it is {}; expected a conversation, which is an object", what(value)));
    };
    if lenient::yes(fields.get("is_do_not_remember")) {
        return Ok(ChatgptBranches::LeftOut("it is marked as not to be remembered".to_owned()));
    }
    let nodes = nodes(fields)?;
    let title = lenient::text_of(fields, &["title"]);
    let mut main = ImportedConversation {
        id: lenient::text_of(fields, &["conversation_id", "id"])
            .map(|id| lenient::id(&id))
            .unwrap_or_default(),
        started_at: lenient::time_of(fields, &["create_time", "created_at"]),
        title,
        metadata: metadata(fields),
        ..ImportedConversation::default()
    };
    if main.id.is_empty() {
        main.id = made_id(&main, &nodes);
    }
    let current = lenient::text_of(fields, &["current_node"]);
    let current = current.and_then(|name| nodes.iter().position(|node| node.name == name));
    let knots = knots(&nodes);
    let names: Vec<String> = nodes.iter().map(ChatgptNode::id).collect();
    let messages: Vec<Vec<SourceMessage>> = nodes.iter().map(ChatgptNode::messages).collect();
    Ok(ChatgptBranches::Lines(turns::branches(main, &knots, &names, &messages, current)))
}

/// One node of the tree.
struct ChatgptNode<'v> {
    name: &'v str,
    fields: &'v Map<String, Value>,
    message: Option<&'v Map<String, Value>>,
}

/// The nodes, whether they stand under their names or in a list.
fn nodes(conversation: &Map<String, Value>) -> Result<Vec<ChatgptNode<'_>>, String> {
    match lenient::field(conversation, &["mapping", "messages"]) {
        Some(Value::Object(mapping)) => {
            Ok(mapping.iter().filter_map(|(name, node)| ChatgptNode::of(name, node)).collect())
        }
        Some(Value::Array(list)) => {
            let named = |node| {
                ChatgptNode::of(Value::get(node, "id").and_then(Value::as_str).unwrap_or_default(), node)
            };
            Ok(list.iter().filter_map(named).collect())
        }
        Some(other) => Err(format!("its `mapping` is {}; expected the messages by their names", what(other))),
        None => Err("it has no `mapping`; expected the messages by their names".to_owned()),
    }
}

impl<'v> ChatgptNode<'v> {
    fn of(name: &'v str, node: &'v Value) -> Option<Self> {
        let fields = node.as_object()?;
        let message = match fields.get("message") {
            Some(Value::Object(message)) => Some(message),
            // Files that were made by hand leave the outer object out.
            _ if fields.contains_key("content") || fields.contains_key("author") => Some(fields),
            _ => None,
        };
        Some(Self { name, fields, message })
    }

    /// The message's own id, else the node's.
    fn id(&self) -> String {
        let own = self.message.and_then(|message| lenient::text_of(message, &["id"]));
        own.unwrap_or_else(|| self.name.to_owned())
    }

    fn at(&self) -> Option<memory::types::Time> {
        let message = self.message?;
        lenient::time_of(message, &["create_time", "created_at", "update_time"])
    }

    fn messages(&self) -> Vec<SourceMessage> {
        let Some(message) = self.message else { return Vec::new() };
        let (role, speaker) = role(message);
        let id = Some(self.id()).filter(|id| !id.is_empty());
        vec![SourceMessage { id, role, speaker, text: content::text(message), at: self.at() }]
    }
}

/// Who follows whom. A parent that is not told is who names the node as a child; where nobody tells anything, times do.
fn knots(nodes: &[ChatgptNode<'_>]) -> Vec<Knot> {
    let mut places: HashMap<&str, usize> = HashMap::new();
    for (place, node) in nodes.iter().enumerate() {
        places.entry(node.name).or_insert(place);
    }
    let place_of = |value: &Value| places.get(lenient::text(value)?.as_str()).copied();
    let mut parents: Vec<Option<usize>> =
        nodes.iter().map(|node| node.fields.get("parent").and_then(place_of)).collect();
    for (place, node) in nodes.iter().enumerate() {
        let children = node.fields.get("children").and_then(Value::as_array);
        for child in children.into_iter().flatten().filter_map(place_of) {
            let untold = nodes[child].fields.get("parent").is_none_or(Value::is_null);
            if untold && child != place && parents[child].is_none() {
                parents[child] = Some(place);
            }
        }
    }
    if parents.iter().all(Option::is_none) {
        let mut order: Vec<usize> = (0..nodes.len()).collect();
        order.sort_by_key(|place| (nodes[*place].at(), *place));
        for pair in order.windows(2) {
            parents[pair[1]] = Some(pair[0]);
        }
    }
    nodes.iter().zip(parents).map(|(node, parent)| Knot { parent, at: node.at() }).collect()
}

/// What is a person's, what is the system's, and what is a tool's; and the name it goes by.
fn role(message: &Map<String, Value>) -> (Option<Role>, Option<String>) {
    let author = message.get("author");
    let said = match author {
        Some(Value::Object(author)) => lenient::text_of(author, &["role"]),
        Some(other) => lenient::text(other),
        None => lenient::text_of(message, &["role", "sender"]),
    };
    let role: Option<Role> = said.as_deref().and_then(|role| role.parse().ok());
    let name = author.and_then(|author| lenient::text(author.get("name")?));
    let marks = message.get("metadata").and_then(Value::as_object);
    let marked = |mark: &str| lenient::yes(marks.and_then(|marks| marks.get(mark)));
    let hidden = marked("is_visually_hidden_from_conversation") || marked("is_user_system_message");
    let kind =
        message.get("content").and_then(|content| content.get("content_type")?.as_str()).unwrap_or_default();
    let recipient = lenient::text_of(message, &["recipient"]).filter(|recipient| recipient != "all");
    match role {
        Some(Role::User) if hidden || kind == "user_editable_context" => (Some(Role::System), name),
        Some(Role::Assistant) => match (kind, recipient) {
            ("thoughts" | "reasoning_recap" | "tether_browsing_display" | "execution_output", _) => {
                (Some(Role::Tool), name.or_else(|| Some(kind.to_owned())))
            }
            (_, Some(recipient)) => (Some(Role::Tool), Some(recipient)),
            _ if hidden => (Some(Role::Tool), name),
            _ => (Some(Role::Assistant), name),
        },
        // A role that nobody knows is kept as a name.
        None => (Some(Role::Tool), name.or(said)),
        known => (known, name),
    }
}

/// What the export says of the conversation besides what was said in it.
fn metadata(fields: &Map<String, Value>) -> Map<String, Value> {
    let mut kept = Map::new();
    kept.insert("source".to_owned(), Value::from("chatgpt"));
    if let Some(model) = lenient::text_of(fields, &["model_slug", "default_model_slug"]) {
        kept.insert("model".to_owned(), Value::from(model));
    }
    for name in ["gizmo_id", "gizmo_type", "voice", "conversation_origin", "memory_scope"] {
        if let Some(text) = lenient::text_of(fields, &[name]) {
            kept.insert(name.to_owned(), Value::from(lenient::cut(&text, 500)));
        }
    }
    for name in ["is_archived", "is_starred", "is_study_mode"] {
        if lenient::yes(fields.get(name)) {
            kept.insert(name.to_owned(), Value::Bool(true));
        }
    }
    if let Some(time) = lenient::time_of(fields, &["update_time", "updated_at"]) {
        kept.insert("updated_at".to_owned(), Value::from(time.to_string()));
    }
    kept
}

/// A name for a conversation that has none: from how it begins, so that it keeps it when it grows.
fn made_id(conversation: &ImportedConversation, nodes: &[ChatgptNode<'_>]) -> String {
    let first = nodes.iter().filter(|node| node.message.is_some()).min_by_key(|node| (node.at(), node.name));
    let begins = first.map(|node| (node.id(), node.at()));
    format!(
        "chatgpt-{}",
        lenient::hashed(&format!("{:?}{:?}{begins:?}", conversation.title, conversation.started_at))
    )
}

/// A document of the canvas.
fn document(part: ArchiveFile) -> Result<FilePiece, UnreadableFile> {
    let name = archive::base(&part.name).trim_end_matches(".json").to_owned();
    let read = |bytes: Vec<u8>| -> Result<ImportedRecord, String> {
        let value = parsed(&bytes)?;
        let fields =
            value.as_object().ok_or_else(|| format!("it is {}; expected a document", what(&value)))?;
        let text = lenient::text_of(fields, &["content", "text", "markdown"]);
        let text = text.ok_or("it has no `content`; expected the document's text")?;
        let at = lenient::time_of(fields, &["updated_at", "update_time", "created_at", "create_time"]);
        let id = lenient::text_of(fields, &["id", "textdoc_id"]).unwrap_or_else(|| name.clone());
        let message = SourceMessage {
            id: Some(id.clone()),
            role: Some(Role::System),
            text,
            at,
            ..SourceMessage::default()
        };
        let mut metadata = Map::new();
        metadata.insert("source".to_owned(), Value::from("chatgpt"));
        Ok(ImportedRecord::Conversation(Box::new(ImportedConversation {
            id: lenient::id(&format!("document-{id}")),
            title: lenient::text_of(fields, &["title", "name"]),
            started_at: lenient::time_of(fields, &["created_at", "create_time"]).or(at),
            turns: turns::turns(vec![message], at),
            metadata,
            document: true,
            ..ImportedConversation::default()
        })))
    };
    let what = part.whole()?.and_then(read);
    Ok(FilePiece { place: part.name, what })
}
