//! Changes of a body's bytes: what is not changed stays as it was.

use std::ops::Range;

use serde_json::Value;

use super::Spanned;

/// A change of the bytes: at this offset so many are taken away and these put in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Splice {
    pub at: usize,
    pub remove: usize,
    pub insert: Vec<u8>,
}

impl Splice {
    pub fn insert(at: usize, insert: impl Into<Vec<u8>>) -> Self {
        Self { at, remove: 0, insert: insert.into() }
    }

    pub fn replace(span: Range<usize>, insert: impl Into<Vec<u8>>) -> Self {
        Self { at: span.start, remove: span.len(), insert: insert.into() }
    }
}

/// The bytes with the changes made, those at one place in the order given. A change that lies outside or within what an
/// earlier one took away is left out: a request is never lost over it.
pub fn apply(body: &[u8], mut splices: Vec<Splice>) -> Vec<u8> {
    splices.sort_by_key(|splice| splice.at);
    let added: usize = splices.iter().map(|splice| splice.insert.len()).sum();
    let mut spliced = Vec::with_capacity(body.len() + added);
    let mut copied = 0;
    for splice in splices {
        let end = splice.at.saturating_add(splice.remove);
        if splice.at < copied || end > body.len() {
            debug_assert!(false, "a splice lies outside or in another one");
            continue;
        }
        spliced.extend_from_slice(&body[copied..splice.at]);
        spliced.extend_from_slice(&splice.insert);
        copied = end;
    }
    spliced.extend_from_slice(&body[copied..]);
    spliced
}

/// The change that names another model, such as the one without its provider's prefix.
pub fn rename_model(model: &Spanned, name: &str) -> Splice {
    Splice::replace(model.span.clone(), quoted(name))
}

/// The text as a JSON string.
pub fn quoted(text: &str) -> String {
    Value::String(text.to_owned()).to_string()
}
