//! Memory that moves: out of a store into files that people and other systems read, and from those into a store.
//!
//! Going in, every format is an [`incoming::Pieces`]: an iterator over what the file says, read as it goes, so that a file may be larger than
//! memory. It knows nothing of stores. `intake` takes the pieces into a store: once over the whole file without writing, so that a
//! broken file changes nothing and the length is known, then again for good. Going out, the store's
//! [`memory::ports::Snapshot`] gives [`memory::types::Item`]s, and each format writes them.

pub mod agentos;
pub mod agentos_sqlite;
pub mod archive;
pub mod chatgpt;
pub mod claude;
pub mod compat;
pub mod csv;
pub mod detect;
pub mod elements;
pub mod error;
pub mod export;
pub mod header;
pub mod incoming;
pub mod ingest;
pub mod intake;
pub mod json;
pub mod limits;
pub mod lines;
pub mod loose;
pub mod mem0;
pub mod schema;
pub mod sqlite;
pub mod talk;
pub mod tree;
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
pub enum Format {
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

impl Format {
    pub const ALL: &[Format] = &[
        Format::Json,
        Format::JsonLines,
        Format::Sqlite,
        Format::Markdown,
        Format::Obsidian,
        Format::AgentosJson,
        Format::AgentosSqlite,
        Format::Chatgpt,
        Format::Claude,
        Format::Csv,
        Format::Mem0,
        Format::Ingest,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Format::Json => "json",
            Format::JsonLines => "jsonl",
            Format::Sqlite => "sqlite",
            Format::Markdown => "markdown",
            Format::Obsidian => "obsidian",
            Format::AgentosJson => "agentos",
            Format::AgentosSqlite => "agentos-sqlite",
            Format::Chatgpt => "chatgpt",
            Format::Claude => "claude",
            Format::Csv => "csv",
            Format::Mem0 => "mem0",
            Format::Ingest => "ingest",
        }
    }

    /// Whether we write it too.
    pub fn is_exported(self) -> bool {
        matches!(
            self,
            Format::Json | Format::JsonLines | Format::Sqlite | Format::Markdown | Format::Obsidian
        )
    }
}

impl fmt::Display for Format {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.as_str())
    }
}

impl FromStr for Format {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let known = Format::ALL.iter().copied().find(|format| format.as_str().eq_ignore_ascii_case(name));
        known
            .or(match name.to_ascii_lowercase().as_str() {
                "json-lines" | "ndjson" => Some(Format::JsonLines),
                "md" => Some(Format::Markdown),
                "db" => Some(Format::Sqlite),
                _ => None,
            })
            .ok_or_else(|| {
                let names: Vec<&str> = Format::ALL.iter().map(|format| format.as_str()).collect();
                format!("`{name}` is no format; expected one of {}", names.join(", "))
            })
    }
}
