//! Memory that moves: out of a store into files that people and other systems read, and from those into a store.
//!
//! Going in, every format is an [`import_model::FilePieces`]: an iterator over what the file says, read as it goes, so that a file may be larger than
//! memory. It knows nothing of stores. `intake` takes the pieces into a store: once over the whole file without writing, so that a
//! broken file changes nothing and the length is known, then again for good. Going out, the store's
//! [`memory::ports::Snapshot`] gives [`memory::types::Item`]s, and each format writes them.

pub mod agentos;
pub mod agentos_sqlite;
pub mod archive;
pub mod branches;
pub mod chatgpt;
pub mod claude;
pub mod compat;
pub mod csv;
pub mod detect;
pub mod error;
pub mod export;
pub mod header;
pub mod import_model;
pub mod ingest;
pub mod intake;
pub mod json;
pub mod json_lines;
pub mod json_stream;
pub mod lenient;
pub mod limits;
pub mod mem0;
pub mod schema;
pub mod sqlite;
pub mod turns;
pub mod vault;

use std::fmt;
use std::path::Path;
use std::str::FromStr;

pub use error::Error;

/// What errors call a file.
pub(crate) fn file_name(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

/// What a file can be. Which it is, is told by its content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TransferFormat {
    /// Our own, as one document.
    Json,
    /// Our own, an item a line.
    JsonLines,
    /// Our own database.
    Sqlite,
    /// A folder of notes with front-matter.
    Markdown,
    /// The same with wikilinks and tags in the text.
    Obsidian,
    /// An AgentOS brain as JSON.
    AgentosJson,
    /// An AgentOS brain as its database.
    AgentosSqlite,
    /// ChatGPT's `conversations.json`, or the archive it comes in.
    Chatgpt,
    /// Claude's `conversations.json`, or the archive it comes in.
    Claude,
    Csv,
    /// mem0's export: a list of memories, or an object with `results` or `memories`.
    Mem0,
    /// What `recollect ingest` reads: a conversation a line.
    Ingest,
}

impl TransferFormat {
    pub const ALL: &[TransferFormat] = &[
        TransferFormat::Json,
        TransferFormat::JsonLines,
        TransferFormat::Sqlite,
        TransferFormat::Markdown,
        TransferFormat::Obsidian,
        TransferFormat::AgentosJson,
        TransferFormat::AgentosSqlite,
        TransferFormat::Chatgpt,
        TransferFormat::Claude,
        TransferFormat::Csv,
        TransferFormat::Mem0,
        TransferFormat::Ingest,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            TransferFormat::Json => "json",
            TransferFormat::JsonLines => "jsonl",
            TransferFormat::Sqlite => "sqlite",
            TransferFormat::Markdown => "markdown",
            TransferFormat::Obsidian => "obsidian",
            TransferFormat::AgentosJson => "agentos",
            TransferFormat::AgentosSqlite => "agentos-sqlite",
            TransferFormat::Chatgpt => "chatgpt",
            TransferFormat::Claude => "claude",
            TransferFormat::Csv => "csv",
            TransferFormat::Mem0 => "mem0",
            TransferFormat::Ingest => "ingest",
        }
    }

    /// Whether we write it too.
    pub fn is_exported(self) -> bool {
        matches!(
            self,
            TransferFormat::Json
                | TransferFormat::JsonLines
                | TransferFormat::Sqlite
                | TransferFormat::Markdown
                | TransferFormat::Obsidian
        )
    }
}

impl fmt::Display for TransferFormat {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.as_str())
    }
}

impl FromStr for TransferFormat {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let known =
            TransferFormat::ALL.iter().copied().find(|format| format.as_str().eq_ignore_ascii_case(name));
        known
            .or(match name.to_ascii_lowercase().as_str() {
                "json-lines" | "ndjson" => Some(TransferFormat::JsonLines),
                "md" => Some(TransferFormat::Markdown),
                "db" => Some(TransferFormat::Sqlite),
                _ => None,
            })
            .ok_or_else(|| {
                let names: Vec<&str> = TransferFormat::ALL.iter().map(|format| format.as_str()).collect();
                format!("`{name}` is no format; expected one of {}", names.join(", "))
            })
    }
}
