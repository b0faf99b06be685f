//! A JSON document record by record, however large it is.
//!
//! Exports are one document: a list, or an object with lists in it. A parser of whole documents would hold all of it, so this walks
//! over the outer levels itself and hands only one record at a time to the parser. That has a second use: the outer levels decide
//! where a record begins and ends, so one that cannot be parsed costs that record and not the file. What breaks the outer
//! levels (the file breaks off, a bracket never closes) breaks the file.

mod scan;

use std::collections::BTreeSet;
use std::io::Read;

use serde_json::{Map, Value};

use self::scan::{JsonBytes, too_large};
use super::import_model::UnreadableFile;
use crate::limits;

pub use scan::parsed;

/// What the walk comes upon.
#[derive(Debug)]
pub enum Met {
    /// An element of a list.
    Element {
        /// The list's name: empty for the outermost, else the keys on the way to it, such as `results` or `data.memories`.
        list: String,
        /// Its place in the list, from 1.
        number: u64,
        /// The line of the file on which it begins.
        line: u64,
        /// What it is, or what is wrong with it.
        value: Result<Value, String>,
    },
    /// The fields of an object that was walked through, but for the lists and objects that were opened.
    Rest { object: String, line: u64, fields: Map<String, Value> },
}

/// Which values of the outer objects are walked through; the others are fields.
#[derive(Debug, Clone, Copy)]
pub enum Opened {
    /// Lists and objects under these keys.
    Named(&'static [&'static str]),
    /// Every list of the outermost object.
    Lists,
}

/// Walks a document, or several one after another, as JSON lines are.
pub struct JsonWalk<R> {
    input: JsonBytes<R>,
    opened: Opened,
    levels: Vec<Level>,
    /// Keys of the outermost object so far.
    outer: Vec<String>,
    begun: bool,
    ended: bool,
}

enum Level {
    List { name: String, number: u64 },
    Object { name: String, line: u64, keys: u64, fields: Map<String, Value>, bytes: usize },
}

impl<R: Read> JsonWalk<R> {
    /// `name` is what errors call the file.
    pub fn new(name: &str, input: R, opened: Opened) -> Self {
        let input = JsonBytes::new(name, input);
        Self { input, opened, levels: Vec::new(), outer: Vec::new(), begun: false, ended: false }
    }

    fn advance(&mut self) -> Result<Option<Met>, UnreadableFile> {
        loop {
            let met = match self.levels.pop() {
                None if !self.outermost()? => return Ok(None),
                None => None,
                Some(Level::List { name, number }) => self.list(name, number)?,
                Some(Level::Object { name, line, keys, fields, bytes }) => {
                    self.object(name, line, keys, fields, bytes)?
                }
            };
            if met.is_some() {
                return Ok(met);
            }
        }
    }

    /// Begins the next document; false at the end of the file.
    fn outermost(&mut self) -> Result<bool, UnreadableFile> {
        if !self.begun {
            self.input.skip_byte_order_mark()?;
        }
        match self.input.next_sign()? {
            None if self.begun => return Ok(false),
            None => return Err(self.input.broken("the file is empty; expected JSON")),
            Some(b'[') => self.levels.push(Level::List { name: String::new(), number: 0 }),
            Some(b'{') => self.levels.push(Level::object(String::new(), self.input.line)),
            Some(_) if self.begun => {
                return Err(self.input.broken("something that is no JSON follows the end of the document"));
            }
            Some(_) => {
                return Err(self.input.broken("the file is no JSON; expected it to begin with `[` or `{`"));
            }
        }
        self.input.skip();
        self.begun = true;
        Ok(true)
    }

    fn list(&mut self, name: String, number: u64) -> Result<Option<Met>, UnreadableFile> {
        if !self.input.another(b']', number == 0)? {
            return Ok(None);
        }
        let (line, number) = (self.input.line, number + 1);
        let value = self.input.value()?.and_then(|bytes| parsed(&bytes));
        self.levels.push(Level::List { name: name.clone(), number });
        Ok(Some(Met::Element { list: name, number, line, value }))
    }

    fn object(
        &mut self,
        name: String,
        line: u64,
        keys: u64,
        mut fields: Map<String, Value>,
        mut bytes: usize,
    ) -> Result<Option<Met>, UnreadableFile> {
        if !self.input.another(b'}', keys == 0)? {
            return Ok((!fields.is_empty()).then_some(Met::Rest { object: name, line, fields }));
        }
        let key = self.input.key()?;
        let path = if name.is_empty() { key.clone() } else { format!("{name}.{key}") };
        if name.is_empty() && self.outer.len() < limits::OUTER_FIELDS {
            self.outer.push(key.clone());
        }
        let sign = self.input.next_sign()?;
        let opens = match self.opened {
            Opened::Named(names) => names.contains(&key.as_str()) && matches!(sign, Some(b'[' | b'{')),
            Opened::Lists => name.is_empty() && sign == Some(b'['),
        };
        if opens {
            self.levels.push(Level::Object { name, line, keys: keys + 1, fields, bytes });
            self.levels.push(match sign {
                Some(b'[') => Level::List { name: path, number: 0 },
                _ => Level::object(path, self.input.line),
            });
            self.input.skip();
            return Ok(None);
        }
        let begins = self.input.line;
        let value = self.input.value()?;
        bytes += value.as_ref().map_or(0, Vec::len);
        let value = match value.and_then(|bytes| parsed(&bytes)) {
            // An outermost object with more than a record's worth of fields is no record.
            Ok(_) if bytes > limits::ELEMENT_BYTES => Err(too_large()),
            Ok(value) => {
                fields.insert(key, value);
                self.levels.push(Level::Object { name, line, keys: keys + 1, fields, bytes });
                return Ok(None);
            }
            Err(message) => Err(message),
        };
        self.levels.push(Level::Object { name, line, keys: keys + 1, fields, bytes });
        Ok(Some(Met::Element { list: path, number: 1, line: begins, value }))
    }
}

impl Level {
    fn object(name: String, line: u64) -> Self {
        Level::Object { name, line, keys: 0, fields: Map::new(), bytes: 0 }
    }
}

impl<R: Read> Iterator for JsonWalk<R> {
    type Item = Result<Met, UnreadableFile>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let met = self.advance().transpose();
        self.ended = !matches!(met, Some(Ok(_)));
        met
    }
}

/// What the beginning of a document shows of its shape.
#[derive(Debug, Default)]
pub struct DocumentShape {
    /// Keys of the outermost object; none where it is a list.
    pub outer: Vec<String>,
    /// Keys that the first records have, of whichever list.
    pub records: BTreeSet<String>,
    /// The lists that the first records stand in; an empty name is the outermost.
    pub lists: BTreeSet<String>,
}

impl DocumentShape {
    /// Whether the outermost object has a key.
    pub fn has(&self, key: &str) -> bool {
        self.outer.iter().any(|outer| outer == key)
    }

    pub fn records_have(&self, key: &str) -> bool {
        self.records.contains(key)
    }
}

/// Looks at the beginning. Nothing where it is no JSON; what could be seen where it breaks off.
pub fn glimpse(input: impl Read) -> Option<DocumentShape> {
    let mut walk = JsonWalk::new("", input, Opened::Lists);
    let mut seen = DocumentShape::default();
    for _ in 0..limits::GLIMPSE_RECORDS {
        match walk.next() {
            Some(Ok(Met::Element { list, value, .. })) => {
                if let Ok(Value::Object(fields)) = value {
                    seen.records.extend(fields.into_iter().map(|(key, _)| key));
                }
                seen.lists.insert(list);
            }
            Some(Ok(Met::Rest { .. })) => {}
            Some(Err(_)) | None => break,
        }
        if walk.input.offset > limits::GLIMPSE_BYTES {
            break;
        }
    }
    let begun = walk.begun;
    seen.outer = walk.outer;
    begun.then_some(seen)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn met(json: &str) -> Vec<String> {
        let walk = JsonWalk::new("f", json.as_bytes(), Opened::Named(&["list", "deep"]));
        let said = |met: Result<Met, UnreadableFile>| match met {
            Ok(Met::Element { list, number, line, value }) => match value {
                Ok(value) => format!("{list}#{number}@{line} {value}"),
                Err(message) => format!("{list}#{number}@{line} wrong: {message}"),
            },
            Ok(Met::Rest { object, fields, .. }) => format!("rest of {object:?} {}", Value::Object(fields)),
            Err(broken) => format!("broken: {broken}"),
        };
        walk.map(said).collect()
    }

    #[test]
    fn records_come_one_by_one_with_their_places() {
        assert_eq!(
            met("\u{feff}[1,\n{\"a\":[\"}\\\"]\"]} , \"x\"]"),
            ["#1@1 1", "#2@2 {\"a\":[\"}\\\"]\"]}", "#3@2 \"x\""]
        );
        assert_eq!(
            met(r#"{"v":1,"list":[true],"deep":{"list":[null],"w":2},"other":[3]}"#),
            [
                "list#1@1 true",
                "deep.list#1@1 null",
                "rest of \"deep\" {\"w\":2}",
                "rest of \"\" {\"other\":[3],\"v\":1}"
            ]
        );
        assert_eq!(met("{\"a\":1}\n{\"a\":2}\n"), ["rest of \"\" {\"a\":1}", "rest of \"\" {\"a\":2}"]);
        assert_eq!(met("[]"), Vec::<String>::new());
    }

    #[test]
    fn a_bad_record_costs_itself_and_a_broken_document_everything() {
        let seen = met(r#"[{"a":1},{bad},{"a":nan},{"a":3}]"#);
        assert_eq!(seen.len(), 4, "{seen:?}");
        assert!(seen[1].contains("wrong: it is no valid JSON"), "{seen:?}");
        assert!(seen[3].ends_with("{\"a\":3}"));
        for broken in
            ["", "  \n", "[1,2", "[{\"a\":", "[1 2]", "[1,]", "{\"list\":[1]", "hello", "[1] x", "{\"a\" 1}"]
        {
            let seen = met(broken);
            assert!(
                seen.last().is_some_and(|last| last.starts_with("broken: f, line ")),
                "{broken:?}: {seen:?}"
            );
        }
    }

    #[test]
    fn halves_of_characters_are_replaced() {
        let value = parsed(br#"{"a":"x\ud83d y \\ud83d \ud83d\ude00 \udc00\n"}"#).expect("mended");
        assert_eq!(value["a"], "x\u{fffd} y \\ud83d 😀 \u{fffd}\n");
        assert_eq!(parsed(b"\"caf\xe9\"").expect("mended"), "caf\u{fffd}");
        assert!(parsed(br#"{"a":"\ud8"}"#).is_err());
    }

    #[test]
    fn a_record_across_many_buffers_is_whole() {
        let long = "ä\\\"]}".repeat(200_000);
        let json = format!("[{{\"a\":\"{long}\"}},2]");
        let all: Vec<Met> =
            JsonWalk::new("f", json.as_bytes(), Opened::Lists).collect::<Result<_, _>>().expect("reads");
        assert_eq!(all.len(), 2);
        let Met::Element { value: Ok(value), .. } = &all[0] else { panic!("{:?}", all.len()) };
        assert_eq!(value["a"].as_str().map(str::len), Some("ä\"]}".len() * 200_000));
    }

    #[test]
    fn a_glimpse_tells_keys() {
        let seen =
            glimpse(br#"{"meta":{},"traces":[{"id":1},{"content":"x"}],"rest":"#.as_slice()).expect("JSON");
        assert!(
            seen.has("meta") && seen.has("traces") && seen.records_have("id") && seen.records_have("content")
        );
        assert!(glimpse(b"id,content".as_slice()).is_none());
    }
}
