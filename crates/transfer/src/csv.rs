//! Memories in a table: one a row, the columns named in the first line, in any order.
//!
//! RFC 4180 with what spreadsheets add to it: a byte order mark, `;` or tabs instead of commas, lines that end in any way. Only the content
//! is required. Columns that are fields of a memory become these; all others are kept as its metadata, and so is what a field's
//! column says where it cannot be read as one. A row that does not fit is reported with its line.

mod row;

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

use crate::limits::ROW_BYTES;
use ::csv::{ByteRecord, Reader, ReaderBuilder};

use self::row::CsvColumn;
use super::import_model::{FilePiece, FilePieces, ImportedRecord, UnreadableFile};

/// Bytes of the first line that are looked at.
const HEADER_BYTES: usize = 64 * 1024;

/// Whether a file's beginning is a first line that names a column for the content.
pub fn recognise(start: &[u8]) -> bool {
    let Ok(head) = CsvHeader::of(start) else { return false };
    head.columns.contains(&CsvColumn::Content)
}

pub fn read(path: &Path) -> Result<FilePieces, UnreadableFile> {
    let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let broken = |message: String| UnreadableFile { place: name.clone(), message };
    let unreadable = |error: io::Error| broken(format!("it cannot be read: {error}"));
    let mut input = BufReader::with_capacity(HEADER_BYTES, File::open(path).map_err(unreadable)?);
    let start = beginning(&mut input).map_err(unreadable)?;
    let head = CsvHeader::of(&start).map_err(&broken)?;
    if !head.columns.contains(&CsvColumn::Content) {
        let names = head.names.join(", ");
        let found = super::lenient::cut(&names, 200);
        return Err(broken(format!(
            "no column is named `content`; expected it in the first line, which names: {found}"
        )));
    }
    let rest = io::Cursor::new(start[head.bytes..].to_vec()).chain(input);
    let mut rows = ReaderBuilder::new()
        .delimiter(head.delimiter)
        .has_headers(false)
        .flexible(true)
        .from_reader(BoundedRows { input: rest, since: 0, quotes: 0, ended: false });
    let mut record = ByteRecord::new();
    rows.read_byte_record(&mut record).map_err(|_| broken("its first line cannot be read".to_owned()))?;
    Ok(Box::new(CsvRows { name, rows, head, record, ended: false }))
}

/// Up to so many bytes from the beginning; fewer only where the file is shorter.
fn beginning(input: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut start = Vec::new();
    input.take(HEADER_BYTES as u64).read_to_end(&mut start)?;
    Ok(start)
}

/// The first line.
struct CsvHeader {
    delimiter: u8,
    /// As they are written.
    names: Vec<String>,
    columns: Vec<CsvColumn>,
    /// Bytes and lines that stand before it.
    bytes: usize,
    lines: u64,
    /// Whether lines end with a carriage return and a line feed.
    ends_with_both: bool,
}

impl CsvHeader {
    fn of(start: &[u8]) -> Result<Self, String> {
        if start.starts_with(b"\xff\xfe") || start.starts_with(b"\xfe\xff") {
            return Err("the file is UTF-16; save it as UTF-8".to_owned());
        }
        let marked = if start.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        let (mut bytes, mut lines) = (marked, 0);
        // Spreadsheets write their separator into a line before the first.
        let said = start[bytes..].strip_prefix(b"sep=").and_then(|rest| rest.first().copied());
        while lines == 0 && said.is_some() || blank(&start[bytes..]) {
            let end = start[bytes..].iter().position(|byte| *byte == b'\n');
            let Some(end) = end else {
                return Err("the file is empty; expected a first line with the columns' names".to_owned());
            };
            bytes += end + 1;
            lines += 1;
        }
        let rest = &start[bytes..];
        if rest.is_empty() {
            return Err("the file is empty; expected a first line with the columns' names".to_owned());
        }
        let heads = said.map_or(vec![b',', b';', b'\t'], |said| vec![said]).into_iter();
        let heads: Vec<Self> =
            heads.map(|delimiter| Self::split(rest, delimiter)).collect::<Result<_, _>>()?;
        let best = heads.into_iter().max_by_key(|head| {
            let named = head.columns.contains(&CsvColumn::Content);
            // Of equals the first is meant, and `max_by_key` takes the last.
            (named, head.names.len(), std::cmp::Reverse(head.delimiter != b','))
        });
        let head = best.ok_or("the file is empty")?;
        let line = rest.split(|byte| *byte == b'\n').next().unwrap_or_default();
        Ok(Self { bytes, lines, ends_with_both: line.ends_with(b"\r"), ..head })
    }

    fn split(rest: &[u8], delimiter: u8) -> Result<Self, String> {
        let mut reader =
            ReaderBuilder::new().delimiter(delimiter).has_headers(false).flexible(true).from_reader(rest);
        let mut record = ByteRecord::new();
        reader.read_byte_record(&mut record).map_err(|_| "its first line cannot be read")?;
        let text = |field: &[u8]| {
            let text = std::str::from_utf8(field).map_err(|_| "the file is not UTF-8; save it as UTF-8")?;
            Ok(text.trim().to_owned())
        };
        let names: Vec<String> = record.iter().map(text).collect::<Result<_, &str>>()?;
        let columns = row::columns(&names);
        Ok(Self { delimiter, names, columns, bytes: 0, lines: 0, ends_with_both: false })
    }
}

/// Whether the line that begins here is blank; the end of the file is none.
fn blank(rest: &[u8]) -> bool {
    let line = rest.split(|byte| *byte == b'\n').next().unwrap_or_default();
    !rest.is_empty() && line.trim_ascii().is_empty()
}

struct CsvRows<R> {
    name: String,
    rows: Reader<BoundedRows<R>>,
    head: CsvHeader,
    record: ByteRecord,
    ended: bool,
}

impl<R: Read> CsvRows<R> {
    /// The line on which the row that was just read begins: counted back from where it ends, because blank lines may stand before it.
    fn begins(&self) -> u64 {
        let inside = self.record.as_slice().iter().filter(|byte| **byte == b'\n').count() as u64;
        // Of a line that ends with both, the second byte is read with the next row.
        let ending = u64::from(!self.head.ends_with_both && !self.rows.get_ref().ended);
        (self.rows.position().line() + self.head.lines).saturating_sub(inside + ending)
    }

    fn advance(&mut self) -> Result<Option<FilePiece>, UnreadableFile> {
        self.rows.get_mut().since = 0;
        let line = self.rows.position().line() + self.head.lines;
        let broken = |line: u64, message: &str| UnreadableFile {
            place: format!("{}, line {line}", self.name),
            message: message.to_owned(),
        };
        match self.rows.read_byte_record(&mut self.record) {
            Ok(true) => {}
            Ok(false) => return Ok(None),
            Err(_) if self.rows.get_ref().since > ROW_BYTES => {
                return Err(broken(line, "a row has no end; is a quote opened here that is never closed?"));
            }
            Err(_) => return Err(broken(line, "it cannot be read on")),
        }
        let line = self.begins();
        let mut fields = Vec::with_capacity(self.record.len());
        for field in &self.record {
            match std::str::from_utf8(field) {
                Ok(text) => fields.push(text),
                Err(_) => return Err(broken(line, "the file is not UTF-8; save it as UTF-8")),
            }
        }
        let open = self.rows.get_ref().ended
            && self.rows.get_ref().quotes % 2 == 1
            && fields.iter().any(|field| field.contains('\n'));
        let what = if open {
            Err("a quote is opened in it and never closed".to_owned())
        } else {
            row::note(&self.head.columns, &fields).map(|note| ImportedRecord::Memory(Box::new(note)))
        };
        Ok(Some(FilePiece { place: format!("line {line}"), what }))
    }
}

impl<R: Read> Iterator for CsvRows<R> {
    type Item = Result<FilePiece, UnreadableFile>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let piece = self.advance().transpose();
        self.ended = !matches!(piece, Some(Ok(_)));
        piece
    }
}

/// Refuses to go on when a row does not end, and counts quotes, of which a whole file has an even number.
struct BoundedRows<R> {
    input: R,
    since: usize,
    quotes: u64,
    ended: bool,
}

impl<R: Read> Read for BoundedRows<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.since > ROW_BYTES {
            return Err(io::Error::other("a row has no end"));
        }
        let read = self.input.read(into)?;
        self.since += read;
        self.ended |= read == 0 && !into.is_empty();
        self.quotes += into[..read].iter().filter(|byte| **byte == b'"').count() as u64;
        Ok(read)
    }
}
