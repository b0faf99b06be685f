//! What a file is, by what stands in it. Its name counts for nothing: people rename files, and many exports are called the same.
//!
//! Each format's own file says by what it is known. Here they are asked in turn, from the one that can be told most surely to the one
//! that could be mistaken for another.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::import_model::{Abandonment, FilePieces, FormatReader, UnreadableFile};
use super::ingest::LineReader;
use super::json_stream::{DocumentShape, glimpse};
use super::{
    TransferFormat, agentos, agentos_sqlite, archive, chatgpt, claude, csv, ingest, json, json_lines, mem0,
    sqlite, vault,
};
use crate::error::Error;
use crate::limits;

/// Opens a file of a format. `line` reads what stands in a line of the ingest format, which is the surfaces'.
pub fn open(
    path: &Path,
    format: TransferFormat,
    line: LineReader,
    abandonment: &Abandonment,
) -> Result<FilePieces, UnreadableFile> {
    let read: FormatReader = match format {
        TransferFormat::Json => json::read,
        TransferFormat::JsonLines => json_lines::read,
        TransferFormat::Sqlite => sqlite::read,
        TransferFormat::Markdown | TransferFormat::Obsidian => return vault::read(path, abandonment),
        TransferFormat::AgentosJson => agentos::read,
        TransferFormat::AgentosSqlite => return agentos_sqlite::read(path, abandonment),
        TransferFormat::Chatgpt => chatgpt::read,
        TransferFormat::Claude => claude::read,
        TransferFormat::Csv => csv::read,
        TransferFormat::Mem0 => mem0::read,
        TransferFormat::Ingest => return ingest::read(path, line),
    };
    read(path)
}

/// The format of the file or folder at this path.
pub fn detect(path: &Path) -> Result<TransferFormat, Error> {
    let unreadable = |error: std::io::Error| Error::Unreadable { path: path.to_owned(), error };
    let metadata = path.metadata().map_err(unreadable)?;
    if metadata.is_dir() || archive::is_archive(path).map_err(unreadable)? {
        return of_many(path).ok_or_else(|| unknown(path, "folder or archive", MANY));
    }
    let mut start = Vec::new();
    File::open(path)
        .and_then(|file| file.take(limits::DETECT_BYTES).read_to_end(&mut start))
        .map_err(unreadable)?;
    if start.is_empty() {
        return Err(Error::Empty(path.to_owned()));
    }
    if start.starts_with(b"SQLite format 3\0") {
        return of_database(path).ok_or_else(|| unknown(path, "database", DATABASES));
    }
    let text = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&start).trim_ascii_start();
    if matches!(text.first(), Some(b'{' | b'[')) {
        let seen = File::open(path).ok().and_then(glimpse);
        let known = seen.as_ref().and_then(of_document);
        // A note may begin with a link.
        return known.or_else(|| vault::recognise(path)).ok_or_else(|| unknown(path, "JSON", DOCUMENTS));
    }
    if csv::recognise(&start) {
        return Ok(TransferFormat::Csv);
    }
    vault::recognise(path).ok_or_else(|| unknown(path, "file", FILES))
}

const MANY: &str = "notes (*.md), or ChatGPT's or Claude's conversations.json";
const DATABASES: &str =
    "the tables of a Recollect database (memory, turn, history) or of an AgentOS brain (memory_traces)";
const DOCUMENTS: &str = "`recollect` and `items` (ours), `mapping` (ChatGPT), `chat_messages` (Claude), `conversation_id` \
     (ingest lines), AgentOS's `traces`, or mem0's `results` or `memories`";
const FILES: &str = "JSON, a SQLite database, a zip archive, CSV with a content column, or Markdown";

fn unknown(path: &Path, what: &'static str, looked_for: &'static str) -> Error {
    Error::UnknownFormat { path: path.to_owned(), what, looked_for }
}

fn of_many(path: &Path) -> Option<TransferFormat> {
    let named = |name: &str| {
        let base = archive::base(name);
        base.starts_with("conversations") && base.ends_with(".json")
    };
    let conversations = archive::first_glimpse(path, named).and_then(|seen| of_conversations(&seen));
    conversations.or_else(|| vault::recognise(path))
}

fn of_conversations(seen: &DocumentShape) -> Option<TransferFormat> {
    if chatgpt::recognise(seen) {
        return Some(TransferFormat::Chatgpt);
    }
    claude::recognise(seen).then_some(TransferFormat::Claude)
}

fn of_database(path: &Path) -> Option<TransferFormat> {
    let tables = store::tables_of_file(path).ok()?;
    if sqlite::recognise(&tables) {
        return Some(TransferFormat::Sqlite);
    }
    agentos_sqlite::recognise(path).then_some(TransferFormat::AgentosSqlite)
}

/// Whether a document's beginning is that of a format.
type Recognise = fn(&DocumentShape) -> bool;

fn of_document(seen: &DocumentShape) -> Option<TransferFormat> {
    let known: [(TransferFormat, Recognise); 7] = [
        (TransferFormat::Json, json::recognise),
        (TransferFormat::JsonLines, json_lines::recognise),
        (TransferFormat::Chatgpt, chatgpt::recognise),
        (TransferFormat::Claude, claude::recognise),
        (TransferFormat::Ingest, ingest::recognise),
        (TransferFormat::AgentosJson, agentos::recognise),
        (TransferFormat::Mem0, mem0::recognise),
    ];
    known.into_iter().find(|(_, recognise)| recognise(seen)).map(|(format, _)| format)
}
