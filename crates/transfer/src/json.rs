//! Our own export as one document: `{"recollect": {…}, "items": [ … ]}`, the header first.
//!
//! It is written page by page and read item by item, so neither takes more memory the larger it is. An item that cannot be read is
//! told with its number and left out; brackets that do not close break the document.

use std::fs::File;
use std::path::Path;

use memory::types::Item;
use serde_json::Value;

use super::header;
use super::import_model::{FilePiece, FilePieces, ImportedRecord, UnreadableFile};
use super::json_stream::{DocumentShape, JsonWalk, Met, Opened};
use super::lenient;

/// Whether a document's beginning is ours.
pub fn recognise(seen: &DocumentShape) -> bool {
    seen.has("recollect") && seen.has("items")
}

pub fn read(path: &Path) -> Result<FilePieces, UnreadableFile> {
    let name = super::file_name(path);
    let unreadable =
        |error| UnreadableFile { place: name.clone(), message: format!("it cannot be read: {error}") };
    let file = File::open(path).map_err(unreadable)?;
    let walk = JsonWalk::new(&name, file, Opened::Named(&["recollect", "items"]));
    Ok(Box::new(JsonReader { name, walk: Some(walk), format: None }))
}

struct JsonReader {
    name: String,
    /// Gone once the document has ended or broken.
    walk: Option<JsonWalk<File>>,
    /// Known once the header was read.
    format: Option<u64>,
}

impl Iterator for JsonReader {
    type Item = Result<FilePiece, UnreadableFile>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let met = self.walk.as_mut()?.next();
            let step = match met {
                None => {
                    self.walk = None;
                    let message = "there is no `recollect` in it; expected an export of ours";
                    return self.format.is_none().then(|| Err(self.broken(message.into())));
                }
                Some(Ok(met)) => self.met(met),
                Some(Err(broken)) => Err(broken),
            };
            match step {
                Ok(None) => {}
                Ok(Some(piece)) => return Some(Ok(piece)),
                Err(broken) => {
                    self.walk = None;
                    return Some(Err(broken));
                }
            }
        }
    }
}

impl JsonReader {
    fn met(&mut self, met: Met) -> Result<Option<FilePiece>, UnreadableFile> {
        match met {
            Met::Rest { object, fields, .. } if object == "recollect" => {
                let format = header::check(&Value::Object(fields)).map_err(|message| self.broken(message))?;
                self.format = Some(format);
                Ok(None)
            }
            Met::Element { list, number, value, .. } if list == "items" => {
                let format = self.format.unwrap_or(header::FORMAT);
                Ok(Some(piece(lenient::named("item", number, None), value, format)))
            }
            Met::Rest { .. } | Met::Element { .. } => Ok(None),
        }
    }

    fn broken(&self, message: String) -> UnreadableFile {
        UnreadableFile { place: self.name.clone(), message }
    }
}

/// An item of ours, or what is wrong with it.
pub fn piece(place: String, value: Result<Value, String>, format: u64) -> FilePiece {
    let item = value.and_then(|value| {
        serde_json::from_value::<Item>(value).map_err(|error| format!("it is no item of an export: {error}"))
    });
    FilePiece {
        place,
        what: item.map(|item| ImportedRecord::Item(Box::new(header::in_todays_words(item, format)))),
    }
}
