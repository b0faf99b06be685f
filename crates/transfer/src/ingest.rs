//! The lines that `recollect ingest` takes: a conversation each, as JSON.
//!
//! What stands in a line is read by what reads it there, which comes in as a [`LineReader`]: a file that was ingested before is found
//! known, and what is refused there is refused here.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use crate::limits::ROW_BYTES;
use serde_json::Value;

use super::import_model::{FilePiece, FilePieces, ImportedConversation, ImportedRecord, UnreadableFile};
use super::json_stream::DocumentShape;

/// Whether a document's beginning is such a line.
pub fn recognise(seen: &DocumentShape) -> bool {
    seen.has("conversation_id") && (seen.has("turns") || seen.has("messages"))
}

/// How a line is read: the conversation in it, or what is wrong.
pub type LineReader = fn(&Value) -> Result<ImportedConversation, String>;

pub fn read(path: &Path, line: LineReader) -> Result<FilePieces, UnreadableFile> {
    let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let unreadable =
        |error| UnreadableFile { place: name.clone(), message: format!("it cannot be read: {error}") };
    let lines = BufReader::new(File::open(path).map_err(unreadable)?);
    Ok(Box::new(IngestLines { name, lines, line, number: 0, ended: false }))
}

struct IngestLines<R> {
    name: String,
    lines: R,
    line: LineReader,
    number: u64,
    ended: bool,
}

impl<R: BufRead> IngestLines<R> {
    /// The next line that says something, or why it cannot be taken.
    fn next_line(&mut self) -> std::io::Result<Option<Result<Vec<u8>, String>>> {
        loop {
            let mut line = Vec::new();
            let most = ROW_BYTES as u64 + 1;
            if self.lines.by_ref().take(most).read_until(b'\n', &mut line)? == 0 {
                return Ok(None);
            }
            self.number += 1;
            if line.last() != Some(&b'\n') && line.len() as u64 == most {
                self.lines.skip_until(b'\n')?;
                return Ok(Some(Err(format!("the line is longer than {ROW_BYTES} bytes"))));
            }
            let start =
                if self.number == 1 { line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&line) } else { &line };
            if !start.trim_ascii().is_empty() {
                return Ok(Some(Ok(start.to_vec())));
            }
        }
    }
}

impl<R: BufRead> Iterator for IngestLines<R> {
    type Item = Result<FilePiece, UnreadableFile>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        match self.next_line() {
            Ok(None) => {
                self.ended = true;
                None
            }
            Ok(Some(line)) => {
                let what = line.and_then(|line| parsed(&line)).and_then(|line| (self.line)(&line));
                let what = what.map(|read| ImportedRecord::Conversation(Box::new(read)));
                Some(Ok(FilePiece { place: format!("line {}", self.number), what }))
            }
            Err(error) => {
                self.ended = true;
                let place = format!("{}, line {}", self.name, self.number + 1);
                Some(Err(UnreadableFile { place, message: format!("it cannot be read on: {error}") }))
            }
        }
    }
}

fn parsed(line: &[u8]) -> Result<Value, String> {
    serde_json::from_slice(line).map_err(|error| format!("the line is not JSON: {error}"))
}
