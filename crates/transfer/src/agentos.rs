//! An AgentOS brain: as its JSON document here, as its database in `agentos_sqlite`.
//!
//! Traces become memories, nodes and edges the graph, conversations with their messages conversations, documents with their chunks
//! documents. A brain keeps the parts of a thing apart (messages from conversations, chunks from documents, edges from what they join) or
//! inside it, and in no order that could be relied on. So it is gone through twice: once for what belongs together, with messages and chunks put
//! aside on the disk, and once more for the records themselves.

mod nested;
mod records;
mod spool;

use std::collections::{HashMap, HashSet};
use std::path::Path;

use memory::types::LinkKind;
use serde_json::{Map, Value};

use self::spool::{AgentosSpool, Bin};
use super::archive::{self, ArchiveFiles};
use super::import_model::{FilePiece, FilePieces, ImportedRecord, Pointer, UnreadableFile};
use super::json_stream::{DocumentShape, JsonWalk, Met, Opened};
use super::lenient;
use super::turns::SeenConversations;
use crate::lenient::what;

/// A record: the list or table it stands in, its place there, and what it is.
pub struct AgentosRecord {
    pub list: AgentosTable,
    pub place: String,
    pub fields: Result<Map<String, Value>, String>,
}

pub type AgentosRecords = Box<dyn Iterator<Item = Result<AgentosRecord, UnreadableFile>> + Send>;

/// What the lists and tables of a brain contain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AgentosTable {
    Traces,
    Nodes,
    Edges,
    Conversations,
    Messages,
    Documents,
    Chunks,
    Images,
    Episodes,
    Identity,
}

impl AgentosTable {
    /// By the name of a list in the document or of a table in the database.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "traces" | "memory_traces" => AgentosTable::Traces,
            "nodes" | "knowledge_nodes" => AgentosTable::Nodes,
            "edges" | "knowledge_edges" => AgentosTable::Edges,
            "conversations" => AgentosTable::Conversations,
            "messages" | "turns" => AgentosTable::Messages,
            "documents" => AgentosTable::Documents,
            "chunks" | "document_chunks" => AgentosTable::Chunks,
            "images" | "document_images" => AgentosTable::Images,
            "episodes" => AgentosTable::Episodes,
            "identity" => AgentosTable::Identity,
            _ => return None,
        })
    }

    /// What a person calls one of them.
    pub fn one(self) -> &'static str {
        match self {
            AgentosTable::Traces => "trace",
            AgentosTable::Nodes => "node",
            AgentosTable::Edges => "edge",
            AgentosTable::Conversations => "conversation",
            AgentosTable::Messages => "message",
            AgentosTable::Documents => "document",
            AgentosTable::Chunks => "chunk",
            AgentosTable::Images => "image",
            AgentosTable::Episodes => "episode",
            AgentosTable::Identity => "identity",
        }
    }
}

const LISTS: &[&str] = &[
    "traces",
    "memory_traces",
    "nodes",
    "knowledge_nodes",
    "edges",
    "knowledge_edges",
    "conversations",
    "messages",
    "turns",
    "documents",
    "chunks",
    "document_chunks",
    "images",
    "document_images",
    "episodes",
    "identity",
    "brain",
    "data",
];

/// Whether a document's beginning is that of a brain.
pub fn recognise(seen: &DocumentShape) -> bool {
    let parts =
        ["meta", "nodes", "edges", "conversations", "messages", "documents", "chunks", "episodes", "turns"];
    let traces = seen.has("traces") || seen.has("memory_traces");
    traces || (seen.has("meta") && parts[1..].iter().filter(|part| seen.has(part)).count() >= 2)
}

pub fn read(path: &Path) -> Result<FilePieces, UnreadableFile> {
    let path = path.to_owned();
    brain(move || {
        let ArchiveFiles { parts, single, .. } = archive::parts(&path)?;
        let part = parts.into_iter().find(|part| single || part.name.ends_with(".json"));
        let part = part.ok_or_else(|| UnreadableFile {
            place: path.display().to_string(),
            message: "there is no JSON document in it; expected an AgentOS brain".to_owned(),
        })?;
        let walk = JsonWalk::new(&part.name, part.open()?, Opened::Named(LISTS));
        Ok(Box::new(walk.flat_map(|met| met.map_or_else(|broken| vec![Err(broken)], rows))))
    })
}

/// The records of a document. Fields that are no lists count where they are the identity.
fn rows(met: Met) -> Vec<Result<AgentosRecord, UnreadableFile>> {
    let row = |list: AgentosTable, place: String, value: Result<Value, String>| {
        let fields = value.and_then(|value| match value {
            Value::Object(fields) => Ok(fields),
            Value::String(text) if list == AgentosTable::Identity => {
                Ok(Map::from_iter([("content".to_owned(), Value::from(text))]))
            }
            other => Err(format!("it is {}; expected an object", what(&other))),
        });
        Ok(AgentosRecord { list, place, fields })
    };
    match met {
        Met::Element { list, number, value, .. } => {
            let kind = AgentosTable::named(list.rsplit('.').next().unwrap_or_default());
            kind.map(|kind| row(kind, format!("{} {number}", kind.one()), value)).into_iter().collect()
        }
        Met::Rest { object, mut fields, .. } if object.rsplit('.').next() == Some("identity") => {
            fields.remove("id");
            vec![row(AgentosTable::Identity, "identity".to_owned(), Ok(Value::Object(fields)))]
        }
        Met::Rest { mut fields, .. } => {
            let identity = fields.remove("identity").filter(Value::is_string);
            identity
                .map(|text| row(AgentosTable::Identity, "identity".to_owned(), Ok(text)))
                .into_iter()
                .collect()
        }
    }
}

/// The pieces of a brain whose rows can be gone through twice.
pub fn brain(
    rows: impl Fn() -> Result<AgentosRecords, UnreadableFile>,
) -> Result<FilePieces, UnreadableFile> {
    let survey = Survey::of(rows()?)?;
    let Survey { labels, links, traces, spool } = survey;
    let mut links = links;
    let singles = rows()?.flat_map(move |row| match row {
        Err(broken) => vec![Err(broken)],
        Ok(row) => single(row, &labels, &traces, &mut links).into_iter().map(Ok).collect(),
    });
    let mut seen = SeenConversations::default();
    let gathered = spool.gathered().map(move |gathered| {
        let (place, conversation) = gathered?;
        Ok(FilePiece { place, what: Ok(seen.incoming(conversation)) })
    });
    Ok(Box::new(singles.chain(gathered)))
}

/// What belongs together.
struct Survey {
    /// Nodes' names by their ids.
    labels: HashMap<String, String>,
    traces: HashSet<String>,
    /// Edges between traces, by the one they leave from.
    links: HashMap<String, Vec<Pointer>>,
    spool: AgentosSpool,
}

impl Survey {
    fn of(rows: AgentosRecords) -> Result<Self, UnreadableFile> {
        let mut survey = Self {
            labels: HashMap::new(),
            traces: HashSet::new(),
            links: HashMap::new(),
            spool: AgentosSpool::new()?,
        };
        for row in rows {
            let AgentosRecord { list, fields: Ok(fields), .. } = row? else { continue };
            survey.take(list, fields)?;
        }
        let traces = &survey.traces;
        survey.links.retain(|from, _| traces.contains(from));
        survey.links.values_mut().for_each(|links| links.retain(|link| traces.contains(&link.to)));
        Ok(survey)
    }

    fn take(&mut self, list: AgentosTable, fields: Map<String, Value>) -> Result<(), UnreadableFile> {
        let id = lenient::text_of(&fields, &["id"]);
        match list {
            AgentosTable::Nodes => {
                let label = records::label(&fields);
                self.labels.extend(id.zip(label));
            }
            AgentosTable::Traces => self.traces.extend(id),
            AgentosTable::Edges => {
                if let Some((from, to)) = records::ends(&fields)
                    && !(self.labels.contains_key(&from) && self.labels.contains_key(&to))
                {
                    let weight = lenient::field(&fields, &["weight", "strength"])
                        .and_then(lenient::share)
                        .unwrap_or(1.0);
                    let kind = match lenient::text_of(&fields, &["type", "relation"])
                        .unwrap_or_default()
                        .to_ascii_lowercase()
                    {
                        kind if kind.contains("co_activ") || kind.contains("coactiv") => {
                            LinkKind::CoActivated
                        }
                        kind => kind.parse().unwrap_or(LinkKind::Related),
                    };
                    self.links.entry(from).or_default().push(Pointer { to, kind, weight });
                }
            }
            AgentosTable::Conversations => self.whole(list, Bin::Conversation, id, fields)?,
            AgentosTable::Documents => self.whole(list, Bin::Document, id, fields)?,
            AgentosTable::Messages => {
                self.spool.part(Bin::Conversation, records::conversation_of(&fields), fields)?
            }
            AgentosTable::Chunks | AgentosTable::Images => {
                self.spool.part(
                    Bin::Document,
                    lenient::text_of(&fields, &["document_id", "documentId"]),
                    fields,
                )?;
            }
            AgentosTable::Episodes | AgentosTable::Identity => {}
        }
        Ok(())
    }

    /// A conversation or a document, with the parts that stand inside it.
    fn whole(
        &mut self,
        list: AgentosTable,
        bin: Bin,
        id: Option<String>,
        mut fields: Map<String, Value>,
    ) -> Result<(), UnreadableFile> {
        // Nothing apart can belong to one without an id, and its parts do not belong to those of another such.
        let made_up =
            id.is_none().then(|| lenient::hashed(&serde_json::to_string(&fields).unwrap_or_default()));
        let nested = nested::take(list, &mut fields);
        let own = if bin == Bin::Document { records::take_text(&mut fields) } else { None };
        let has_parts = own.is_some() || nested.iter().any(|(_, values)| !values.is_empty());
        let id = id.or(made_up.filter(|_| has_parts));
        let parts = nested.into_iter().flat_map(|(_, values)| values);
        for part in parts.filter_map(|value| nested::fields(value).ok()) {
            self.spool.part(bin, id.clone(), part)?;
        }
        if let Some(text) = own {
            self.spool.own_text(bin, id.clone(), text)?;
        }
        self.spool.head(bin, id, fields);
        Ok(())
    }
}

/// What a record is by itself. Those that are parts of something come with it.
fn single(
    row: AgentosRecord,
    labels: &HashMap<String, String>,
    traces: &HashSet<String>,
    links: &mut HashMap<String, Vec<Pointer>>,
) -> Vec<FilePiece> {
    let AgentosRecord { list, place, fields } = row;
    let fields = match fields {
        Ok(fields) => fields,
        Err(message) => return vec![FilePiece { place, what: Err(message) }],
    };
    let read = match list {
        AgentosTable::Traces => records::trace(fields).map(|read| match read {
            ImportedRecord::Memory(mut note) => {
                note.links = note.name.as_ref().and_then(|name| links.remove(name)).unwrap_or_default();
                ImportedRecord::Memory(note)
            }
            other => other,
        }),
        AgentosTable::Nodes => records::node(&fields),
        AgentosTable::Edges => match records::ends(&fields) {
            Some((from, to)) if traces.contains(&from) && traces.contains(&to) => return Vec::new(),
            ends => records::edge(&fields, ends, labels),
        },
        AgentosTable::Episodes => records::episode(fields),
        AgentosTable::Identity => return records::identity(&place, &fields),
        AgentosTable::Messages if records::text(&fields).is_none() => {
            Err("it says nothing; expected `content`".to_owned())
        }
        AgentosTable::Chunks if records::text(&fields).is_none() => {
            Err("it says nothing; expected `content`".to_owned())
        }
        AgentosTable::Conversations | AgentosTable::Documents => return nested::errors(list, &place, fields),
        AgentosTable::Messages | AgentosTable::Chunks | AgentosTable::Images => return Vec::new(),
    };
    vec![FilePiece { place, what: read }]
}
