//! The bytes below a walk: where values begin and end, and what one of them is.
//!
//! The end of a value is found without parsing it, by counting brackets outside of quotes. What is between is parsed only then, so that what is wrong
//! inside a value cannot break the walk.

use std::io::{BufRead, BufReader, Read};

use serde_json::Value;

use crate::import_model::UnreadableFile;
use crate::limits;

/// Bytes that are read from the file at once.
const BUFFER_BYTES: usize = 256 * 1024;

/// The file's bytes, and where in them one is.
pub struct JsonBytes<R> {
    name: String,
    bytes: BufReader<R>,
    pub line: u64,
    pub offset: u64,
}

impl<R: Read> JsonBytes<R> {
    pub fn new(name: &str, input: R) -> Self {
        let bytes = BufReader::with_capacity(BUFFER_BYTES, input);
        Self { name: name.to_owned(), bytes, line: 1, offset: 0 }
    }

    pub fn broken(&self, message: impl Into<String>) -> UnreadableFile {
        UnreadableFile { place: format!("{}, line {}", self.name, self.line), message: message.into() }
    }

    fn unreadable(&self, error: &std::io::Error) -> UnreadableFile {
        self.broken(format!("it cannot be read on: {error}"))
    }

    fn consume(&mut self, count: usize) {
        let buffer = self.bytes.buffer();
        let taken = &buffer[..count.min(buffer.len())];
        self.line += taken.iter().filter(|byte| **byte == b'\n').count() as u64;
        self.offset += count as u64;
        self.bytes.consume(count);
    }

    pub fn skip(&mut self) {
        self.consume(1);
    }

    pub fn skip_byte_order_mark(&mut self) -> Result<(), UnreadableFile> {
        let begins = match self.bytes.fill_buf() {
            Ok(buffer) => buffer.starts_with(b"\xef\xbb\xbf"),
            Err(error) => return Err(self.unreadable(&error)),
        };
        if begins {
            self.consume(3);
        }
        Ok(())
    }

    /// The next byte that is no white space; it is not taken.
    pub fn next_sign(&mut self) -> Result<Option<u8>, UnreadableFile> {
        loop {
            let found = match self.bytes.fill_buf() {
                Ok([]) => return Ok(None),
                Ok(buffer) => {
                    let blank = buffer.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
                    (blank, buffer.get(blank).copied())
                }
                Err(error) => return Err(self.unreadable(&error)),
            };
            self.consume(found.0);
            if found.1.is_some() {
                return Ok(found.1);
            }
        }
    }

    /// Whether another element follows, or the closing bracket, which is taken.
    pub fn another(&mut self, closing: u8, first: bool) -> Result<bool, UnreadableFile> {
        match self.next_sign()? {
            None => Err(self.broken("the file breaks off; expected the rest of its JSON")),
            Some(sign) if sign == closing => {
                self.skip();
                Ok(false)
            }
            Some(_) if first => Ok(true),
            Some(b',') => {
                self.skip();
                match self.next_sign()? {
                    Some(sign) if sign != closing => Ok(true),
                    _ => Err(self.broken("nothing follows a comma; expected another value")),
                }
            }
            Some(sign) => {
                let message =
                    format!("`{}` stands where a comma was expected", char::from(sign).escape_default());
                Err(self.broken(message))
            }
        }
    }

    pub fn key(&mut self) -> Result<String, UnreadableFile> {
        let broken = "the JSON is broken; expected a name in quotes and a colon";
        if self.next_sign()? != Some(b'"') {
            return Err(self.broken(broken));
        }
        let bytes = self.value()?.map_err(|_| self.broken(broken))?;
        let Ok(Value::String(key)) = parsed(&bytes) else { return Err(self.broken(broken)) };
        if self.next_sign()? != Some(b':') {
            return Err(self.broken(broken));
        }
        self.skip();
        Ok(key)
    }

    /// The bytes of the next value. One that is too large is read over, and that is said instead.
    pub fn value(&mut self) -> Result<Result<Vec<u8>, String>, UnreadableFile> {
        self.next_sign()?;
        let mut bytes = Vec::new();
        let mut scan = Scan::default();
        let mut large = false;
        loop {
            let (used, done) = match self.bytes.fill_buf() {
                Ok([]) => return Err(self.broken("the file breaks off in the middle of a value")),
                Ok(buffer) => {
                    let (used, done) = scan.over(buffer);
                    large |= bytes.len() + used > limits::ELEMENT_BYTES;
                    if large {
                        bytes = Vec::new();
                    } else {
                        bytes.extend_from_slice(&buffer[..used]);
                    }
                    (used, done)
                }
                Err(error) => return Err(self.unreadable(&error)),
            };
            self.consume(used);
            if done {
                return Ok(if large { Err(too_large()) } else { Ok(bytes) });
            }
        }
    }
}

/// How far into a value one is.
#[derive(Default)]
struct Scan {
    depth: usize,
    quoted: bool,
    escaped: bool,
}

impl Scan {
    /// How many of these bytes belong to the value, and whether it ends with them.
    fn over(&mut self, buffer: &[u8]) -> (usize, bool) {
        let mut used = 0;
        while let Some(&byte) = buffer.get(used) {
            if self.escaped {
                self.escaped = false;
            } else if self.quoted {
                let run = buffer[used..].iter().position(|byte| matches!(byte, b'"' | b'\\'));
                let Some(run) = run else { return (buffer.len(), false) };
                used += run;
                self.escaped = buffer[used] == b'\\';
                self.quoted = self.escaped;
                if !self.quoted && self.depth == 0 {
                    return (used + 1, true);
                }
            } else {
                match byte {
                    b'"' => self.quoted = true,
                    b'{' | b'[' => self.depth += 1,
                    b'}' | b']' if self.depth == 0 => return (used, true),
                    b'}' | b']' => {
                        self.depth -= 1;
                        if self.depth == 0 {
                            return (used + 1, true);
                        }
                    }
                    b',' | b':' | b' ' | b'\t' | b'\r' | b'\n' if self.depth == 0 => return (used, true),
                    _ => {}
                }
            }
            used += 1;
        }
        (used, false)
    }
}

pub fn too_large() -> String {
    format!("it is larger than {} MiB", limits::ELEMENT_BYTES / (1024 * 1024))
}

/// A record's value. Exports contain halves of characters where a text was cut; such a half is replaced, and not the record refused.
pub fn parsed(bytes: &[u8]) -> Result<Value, String> {
    let first = match serde_json::from_slice(bytes) {
        Ok(value) => return Ok(value),
        Err(error) => error,
    };
    let mended = mended(bytes);
    serde_json::from_str(&mended).map_err(|_| {
        let message = first.to_string();
        let what = message.split(" at line ").next().unwrap_or("it cannot be parsed");
        format!("it is no valid JSON: {what}")
    })
}

/// The text with everything replaced that is no character: bytes that are not UTF-8, and escaped surrogates without their other half.
fn mended(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let mut mended = String::with_capacity(text.len());
    let mut rest = text.as_ref();
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        mended.push_str(before);
        let length = match (unit(escape), escape.get(6..).and_then(unit)) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => 12,
            (Some(0xD800..=0xDFFF), _) => {
                mended.push_str("\\ufffd");
                rest = &escape[6..];
                continue;
            }
            // The backslash and what it escapes, so that `\\u` is not taken for an escape of `u`.
            _ => 1 + escape[1..].chars().next().map_or(0, char::len_utf8),
        };
        mended.push_str(&escape[..length]);
        rest = &escape[length..];
    }
    mended.push_str(rest);
    mended
}

/// The UTF-16 unit of an escape such as `\ud83d` at the beginning of the text.
fn unit(text: &str) -> Option<u16> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    digits.bytes().all(|byte| byte.is_ascii_hexdigit()).then(|| u16::from_str_radix(digits, 16).ok())?
}
