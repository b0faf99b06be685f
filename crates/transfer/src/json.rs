//! Our own export as one document: `{"recollect": {…}, "items": [ … ]}`, the header first.
//!
//! It is written page by page and read item by item, so neither takes more memory the larger it is. An item that cannot be read is
//! told with its number and left out; brackets that do not close break the document.

use std::fs::File;
use std::path::Path;

use memory::types::Item;
use serde_json::Value;

use super::elements::{Glimpse, Met, Opened, Walk};
use super::header;
use super::incoming::{Broken, Incoming, Piece, Pieces};
use super::loose;

/// Whether a document's beginning is ours.
pub fn recognise(seen: &Glimpse) -> bool {
    seen.has("recollect") && seen.has("items")
}

pub fn read(path: &Path) -> Result<Pieces, Broken> {
    let name = super::file_name(path);
    let unreadable = |error| Broken { place: name.clone(), message: format!("it cannot be read: {error}") };
    let file = File::open(path).map_err(unreadable)?;
    let walk = Walk::new(&name, file, Opened::Named(&["recollect", "items"]));
    Ok(Box::new(Reading { name, walk: Some(walk), format: None }))
}

struct Reading {
    name: String,
    /// Gone once the document has ended or broken.
    walk: Option<Walk<File>>,
    /// Known once the header was read.
    format: Option<u64>,
}

impl Iterator for Reading {
    type Item = Result<Piece, Broken>;

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

impl Reading {
    fn met(&mut self, met: Met) -> Result<Option<Piece>, Broken> {
        match met {
            Met::Rest { object, fields, .. } if object == "recollect" => {
                let format = header::check(&Value::Object(fields)).map_err(|message| self.broken(message))?;
                self.format = Some(format);
                Ok(None)
            }
            Met::Element { list, number, value, .. } if list == "items" => {
                let format = self.format.unwrap_or(header::FORMAT);
                Ok(Some(piece(loose::named("item", number, None), value, format)))
            }
            Met::Rest { .. } | Met::Element { .. } => Ok(None),
        }
    }

    fn broken(&self, message: String) -> Broken {
        Broken { place: self.name.clone(), message }
    }
}

/// An item of ours, or what is wrong with it.
pub fn piece(place: String, value: Result<Value, String>, format: u64) -> Piece {
    let item = value.and_then(|value| {
        serde_json::from_value::<Item>(value).map_err(|error| format!("it is no item of an export: {error}"))
    });
    Piece { place, what: item.map(|item| Incoming::Item(Box::new(header::in_todays_words(item, format)))) }
}
