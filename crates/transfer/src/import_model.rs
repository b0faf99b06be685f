//! What a file comes to, piece by piece, whatever its format.
//!
//! A reader of a format yields [`FilePiece`]s. It reports one bad record as a piece that says what is wrong and where, and goes on; when
//! the file itself cannot be read on (its JSON breaks off, its archive is damaged) it yields [`UnreadableFile`] and ends.
//!
//! Every reader is a [`FormatReader`]: `pub fn read(path: &Path) -> Result<Pieces, Broken>` in its format's file. It is called twice for one
//! import, once to look and once to take in, and must say the same both times.

use std::path::Path;
use std::sync::Arc;

use memory::types::{AgentId, EntityType, Item, Kind, Layer, LinkKind, Role, Scope, SessionId, Time, UserId};
use serde_json::{Map, Value};

/// A file being read.
pub type FilePieces = Box<dyn Iterator<Item = Result<FilePiece, UnreadableFile>> + Send>;

/// How a format is read: the file or folder at this path, from its beginning.
pub type FormatReader = fn(&Path) -> Result<FilePieces, UnreadableFile>;

/// Tells whether nobody waits for a file's pieces any more. Readers that may work long before their next piece ask it in between;
/// the others learn of it when they hand a piece over.
#[derive(Clone)]
pub struct Abandonment(Arc<dyn Fn() -> bool + Send + Sync>);

impl Abandonment {
    pub fn when(is_abandoned: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self(Arc::new(is_abandoned))
    }

    /// Somebody waits to the end.
    pub fn never() -> Self {
        Self::when(|| false)
    }

    pub fn has_happened(&self) -> bool {
        (self.0)()
    }
}

/// One record of a file.
#[derive(Debug)]
pub struct FilePiece {
    /// Where in the file, as a person would look for it: `line 12`, `conversation 3 (title)`, `notes/a.md`.
    pub place: String,
    pub what: Result<ImportedRecord, String>,
}

/// The file cannot be read on, and nothing of it may be taken in.
#[derive(Debug, thiserror::Error)]
#[error("{place}: {message}")]
pub struct UnreadableFile {
    pub place: String,
    pub message: String,
}

/// What a record is.
#[derive(Debug)]
pub enum ImportedRecord {
    /// From an export of ours: comes in as it was.
    Item(Box<Item>),
    Conversation(Box<ImportedConversation>),
    Memory(Box<ImportedMemory>),
    Entity(Box<Thing>),
    Relation(Box<Tie>),
    /// Left out on purpose, and why: counted as skipped, and no error.
    LeftOut(String),
}

/// A conversation that was held elsewhere, or a document, which is a conversation nobody answered.
#[derive(Debug, Default)]
pub struct ImportedConversation {
    /// The name under which its source knows it: the same on every import, so that a second one finds it.
    pub id: String,
    pub title: Option<String>,
    pub started_at: Option<Time>,
    pub agent: Option<AgentId>,
    pub user: Option<UserId>,
    /// Besides the title.
    pub tags: Vec<String>,
    pub metadata: Map<String, Value>,
    pub turns: Vec<ImportedMessage>,
    /// A document: its turns are its parts, and nothing is learned from them unless asked for.
    pub document: bool,
}

/// One message.
#[derive(Debug)]
pub struct ImportedMessage {
    /// Known by its source under this; unique within the conversation and the same on every import.
    pub id: String,
    pub role: Role,
    pub speaker: Option<String>,
    pub text: String,
    pub at: Option<Time>,
}

/// A memory that was written elsewhere. What its source does not say is left to the defaults.
#[derive(Debug, Default)]
pub struct ImportedMemory {
    pub content: String,
    pub layer: Option<Layer>,
    pub kind: Option<Kind>,
    pub scope: Option<Scope>,
    pub tags: Vec<String>,
    pub key: Option<String>,
    pub metadata: Map<String, Value>,
    pub agent: Option<AgentId>,
    pub user: Option<UserId>,
    pub session: Option<SessionId>,
    pub created_at: Option<Time>,
    pub updated_at: Option<Time>,
    pub expires_at: Option<Time>,
    pub valid_from: Option<Time>,
    pub valid_until: Option<Time>,
    pub salience: Option<f32>,
    pub confidence: Option<f32>,
    pub strength: Option<f32>,
    pub use_count: Option<u64>,
    /// Under which other records of the same file name it.
    pub name: Option<String>,
    /// What it points to, by those names; names that never come are kept in its metadata.
    pub links: Vec<Pointer>,
}

#[derive(Debug)]
pub struct Pointer {
    pub to: String,
    pub kind: LinkKind,
    pub weight: f32,
}

/// Somebody or something of a foreign graph.
#[derive(Debug)]
pub struct Thing {
    pub name: String,
    pub entity_type: EntityType,
    pub aliases: Vec<String>,
    pub at: Option<Time>,
}

/// Two things of a foreign graph, by their names.
#[derive(Debug)]
pub struct Tie {
    pub subject: String,
    pub predicate: String,
    pub object: String,
    pub confidence: Option<f32>,
    pub at: Option<Time>,
}
