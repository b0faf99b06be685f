//! Our own export, an item a line: the header first, and last a line that says how many there were.
//!
//! Made for streams and for tools that work on lines. A line may be taken out or changed by hand; one that cannot be read is told with
//! its number. A file with a header and no end broke off on its way, and is refused.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use serde_json::Value;

use super::header;
use super::import_model::{FilePiece, FilePieces, UnreadableFile};
use super::json::piece;
use super::json_stream::{DocumentShape, parsed};
use crate::limits;

/// Whether a document's beginning is ours: a header by itself, or an item.
pub fn recognise(seen: &DocumentShape) -> bool {
    seen.has("item") && (seen.has("value") || seen.has("of") || seen.has("memory") || seen.has("child"))
        || (seen.outer.first().is_some_and(|key| key == "recollect") && !seen.has("items"))
}

pub fn read(path: &Path) -> Result<FilePieces, UnreadableFile> {
    let name = super::file_name(path);
    let unreadable =
        |error| UnreadableFile { place: name.clone(), message: format!("it cannot be read: {error}") };
    let lines = BufReader::with_capacity(256 * 1024, File::open(path).map_err(unreadable)?);
    Ok(Box::new(JsonLines { name, lines, number: 0, headed: false, format: header::FORMAT, is_over: false }))
}

struct JsonLines {
    name: String,
    lines: BufReader<File>,
    number: u64,
    /// A header came, and no end yet.
    headed: bool,
    format: u64,
    is_over: bool,
}

impl Iterator for JsonLines {
    type Item = Result<FilePiece, UnreadableFile>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.is_over {
            match self.step() {
                Ok(None) => {}
                Ok(Some(piece)) => return Some(Ok(piece)),
                Err(message) => {
                    self.is_over = true;
                    let place = format!("{} line {}", self.name, self.number);
                    return Some(Err(UnreadableFile { place, message }));
                }
            }
        }
        None
    }
}

impl JsonLines {
    fn step(&mut self) -> Result<Option<FilePiece>, String> {
        let Some(line) = self.line()? else {
            self.is_over = true;
            return match self.headed {
                true => Err("the file breaks off: its last line is missing; expected `recollect_end`".into()),
                false => Ok(None),
            };
        };
        let place = format!("line {}", self.number);
        let line = match line {
            Ok(line) if line.trim_ascii().is_empty() => return Ok(None),
            Ok(line) => line,
            Err(message) => return Ok(Some(piece(place, Err(message), self.format))),
        };
        let value = parsed(&line);
        if let Ok(Value::Object(fields)) = &value {
            if let Some(said) = fields.get("recollect") {
                self.format = header::check(said)?;
                self.headed = true;
                return Ok(None);
            }
            if fields.contains_key("recollect_end") {
                self.headed = false;
                return Ok(None);
            }
        }
        Ok(Some(piece(place, value, self.format)))
    }

    /// The next line without its end, or why it cannot be taken; nothing at the end of the file.
    fn line(&mut self) -> Result<Option<Result<Vec<u8>, String>>, String> {
        let unreadable = |error| format!("it cannot be read on: {error}");
        let mut line = Vec::new();
        let most = limits::ELEMENT_BYTES as u64 + 1;
        if self.lines.by_ref().take(most).read_until(b'\n', &mut line).map_err(unreadable)? == 0 {
            return Ok(None);
        }
        self.number += 1;
        if line.last() == Some(&b'\n') {
            line.pop();
        } else if line.len() as u64 == most {
            self.lines.skip_until(b'\n').map_err(unreadable)?;
            return Ok(Some(Err(format!("the line has more than {} bytes", limits::ELEMENT_BYTES))));
        }
        if self.number == 1 && line.starts_with(b"\xef\xbb\xbf") {
            line.drain(..3);
        }
        Ok(Some(Ok(line)))
    }
}
