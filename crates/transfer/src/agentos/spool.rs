//! Messages and chunks, put aside on the disk until all of their conversation or document are there.
//!
//! A brain lists them without any order. Kept in memory is where each one stands, a few numbers; the records themselves go
//! through a file that has no name and ends with the import.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};

use serde_json::{Map, Value};

use super::records;
use crate::import_model::{ImportedConversation, UnreadableFile};
use crate::lenient;

/// What parts are gathered into.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Bin {
    Conversation,
    Document,
}

pub struct AgentosSpool {
    file: BufWriter<File>,
    end: u64,
    bins: Vec<(Bin, String, Map<String, Value>)>,
    places: HashMap<(Bin, String), usize>,
    parts: Vec<SpooledPart>,
}

/// Where a part is, and where it belongs.
struct SpooledPart {
    bin: usize,
    /// Its time, or its number within the document.
    order: f64,
    from: u64,
    bytes: u32,
    /// Whether it is the document's whole text, which counts where the document has no chunks.
    is_whole: bool,
}

fn failed(error: &io::Error) -> UnreadableFile {
    UnreadableFile {
        place: "the temporary folder".to_owned(),
        message: format!("a file in it cannot be written or read: {error}"),
    }
}

impl AgentosSpool {
    pub fn new() -> Result<Self, UnreadableFile> {
        let file = BufWriter::new(tempfile::tempfile().map_err(|error| failed(&error))?);
        Ok(Self { file, end: 0, bins: Vec::new(), places: HashMap::new(), parts: Vec::new() })
    }

    fn bin(&mut self, bin: Bin, id: Option<String>) -> usize {
        // Parts that do not say where they belong belong together.
        let id = id.unwrap_or_else(|| "unnamed".to_owned());
        *self.places.entry((bin, id.clone())).or_insert_with(|| {
            self.bins.push((bin, id, Map::new()));
            self.bins.len() - 1
        })
    }

    /// What is known of a conversation or document as a whole.
    pub fn head(&mut self, bin: Bin, id: Option<String>, fields: Map<String, Value>) {
        let place = self.bin(bin, id);
        self.bins[place].2 = fields;
    }

    pub fn part(
        &mut self,
        bin: Bin,
        id: Option<String>,
        fields: Map<String, Value>,
    ) -> Result<(), UnreadableFile> {
        let at = |fields| lenient::time_of(fields, &["created_at", "createdAt", "timestamp"]);
        let order = match bin {
            Bin::Conversation => at(&fields).map(|at| at.microseconds() as f64),
            Bin::Document => records::chunk_index(&fields),
        };
        let place = self.bin(bin, id);
        self.write(place, order.unwrap_or(f64::NAN), &fields, false)
    }

    /// The text of a document that is not cut into chunks, or is so elsewhere in the brain.
    pub fn own_text(&mut self, bin: Bin, id: Option<String>, text: String) -> Result<(), UnreadableFile> {
        let place = self.bin(bin, id);
        self.write(
            place,
            f64::NEG_INFINITY,
            &Map::from_iter([("content".to_owned(), Value::from(text))]),
            true,
        )
    }

    fn write(
        &mut self,
        bin: usize,
        order: f64,
        fields: &Map<String, Value>,
        is_whole: bool,
    ) -> Result<(), UnreadableFile> {
        let written = serde_json::to_vec(fields).unwrap_or_default();
        self.file.write_all(&written).map_err(|error| failed(&error))?;
        let bytes = u32::try_from(written.len()).unwrap_or(u32::MAX);
        self.parts.push(SpooledPart { bin, order, from: self.end, bytes, is_whole });
        self.end += written.len() as u64;
        Ok(())
    }

    /// The conversations and documents, whole, in the order in which they were met; and what to call each.
    pub fn gathered(
        mut self,
    ) -> impl Iterator<Item = Result<(String, ImportedConversation), UnreadableFile>> + Send {
        // What does not say when it was said stands where it stood: after the one before it.
        let mut last: HashMap<usize, f64> = HashMap::new();
        for part in self.parts.iter_mut().filter(|part| !part.is_whole) {
            let before = last.entry(part.bin).or_insert(f64::MIN);
            if part.order.is_nan() {
                part.order = *before;
            }
            *before = part.order;
        }
        self.parts.sort_by(|one, other| {
            one.bin.cmp(&other.bin).then(one.order.total_cmp(&other.order)).then(one.from.cmp(&other.from))
        });
        let flushed = self.file.into_inner().map_err(|error| failed(error.error()));
        let mut reading = SpoolReader { file: flushed, bins: self.bins, parts: self.parts, bin: 0, part: 0 };
        std::iter::from_fn(move || reading.next())
    }
}

struct SpoolReader {
    file: Result<File, UnreadableFile>,
    bins: Vec<(Bin, String, Map<String, Value>)>,
    parts: Vec<SpooledPart>,
    bin: usize,
    part: usize,
}

impl SpoolReader {
    fn next(&mut self) -> Option<Result<(String, ImportedConversation), UnreadableFile>> {
        let (bin, id, head) = self.bins.get_mut(self.bin)?;
        let (bin, id, head) = (*bin, std::mem::take(id), std::mem::take(head));
        let first = self.part;
        while self.parts.get(self.part).is_some_and(|part| part.bin == self.bin) {
            self.part += 1;
        }
        self.bin += 1;
        let parts = match self.load(first) {
            Ok(parts) => parts,
            Err(broken) => {
                self.bin = self.bins.len();
                return Some(Err(broken));
            }
        };
        let title = lenient::text_of(&head, &["title", "name", "path"]);
        let (what, read) = match bin {
            Bin::Conversation => ("conversation", records::conversation(&id, &head, &parts)),
            Bin::Document => ("document", records::document(&id, &head, &parts)),
        };
        Some(Ok((format!("{what} {}", lenient::cut(title.as_deref().unwrap_or(&id), 60)), read)))
    }

    fn load(&mut self, first: usize) -> Result<Vec<Map<String, Value>>, UnreadableFile> {
        let file = match &mut self.file {
            Ok(file) => file,
            Err(broken) => {
                return Err(UnreadableFile { place: broken.place.clone(), message: broken.message.clone() });
            }
        };
        let mut read = |part: &SpooledPart| -> io::Result<Map<String, Value>> {
            let mut bytes = vec![0; part.bytes as usize];
            file.seek(SeekFrom::Start(part.from))?;
            file.read_exact(&mut bytes)?;
            Ok(serde_json::from_slice(&bytes)?)
        };
        let mut parts = Vec::new();
        for part in &self.parts[first..self.part] {
            parts.push((part.is_whole, read(part).map_err(|error| failed(&error))?));
        }
        Ok(told_once(parts))
    }
}

/// Without what is there twice: a document's whole text where its chunks say it, and parts that stand both inside and apart.
fn told_once(parts: Vec<(bool, Map<String, Value>)>) -> Vec<Map<String, Value>> {
    let has_chunks = parts.iter().any(|(is_whole, fields)| !is_whole && records::text(fields).is_some());
    let mut known: HashSet<(String, Option<String>)> = HashSet::new();
    let new = |(is_whole, fields): (bool, Map<String, Value>)| {
        let id = lenient::text_of(&fields, &["id"]);
        let is_new = id.is_none_or(|id| known.insert((id, records::text(&fields))));
        (is_new && !(is_whole && has_chunks)).then_some(fields)
    };
    parts.into_iter().filter_map(new).collect()
}
