//! JSON as it is written: the pieces of a body and where they stand in it.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use serde::Deserializer;
use serde::de::{MapAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

use super::WireError;

/// The body as text in which every string can be read. Half a surrogate pair, which clients send when they cut a text
/// inside an emoji, becomes the replacement character: as many bytes long, so that places stay the same.
pub(super) fn text_of(body: &[u8]) -> Result<Cow<'_, str>, WireError> {
    let text = std::str::from_utf8(body).map_err(|_| WireError::NotAnObject)?;
    let halves = lone_surrogates(body);
    if halves.is_empty() {
        return Ok(Cow::Borrowed(text));
    }
    let mut text = text.to_owned();
    for half in halves {
        text.replace_range(half..half + ESCAPE_BYTES, "\\ufffd");
    }
    Ok(Cow::Owned(text))
}

/// Bytes of `\uXXXX`.
const ESCAPE_BYTES: usize = 6;

/// Where halves of surrogate pairs stand without their other half.
fn lone_surrogates(body: &[u8]) -> Vec<usize> {
    let unit = |at: usize| -> Option<u32> {
        let escape = body.get(at..at + ESCAPE_BYTES).filter(|escape| escape.starts_with(b"\\u"))?;
        u32::from_str_radix(std::str::from_utf8(&escape[2..]).ok()?, 16).ok()
    };
    let mut lone = Vec::new();
    let mut at = 0;
    while let Some(found) = body[at..].iter().position(|byte| *byte == b'\\') {
        at += found;
        at += match (unit(at), unit(at + ESCAPE_BYTES)) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => 2 * ESCAPE_BYTES,
            (Some(0xd800..=0xdfff), _) => {
                lone.push(at);
                ESCAPE_BYTES
            }
            _ => 2,
        };
        if at >= body.len() {
            break;
        }
    }
    lone
}

/// The fields of an object in their order, each as it is written; nothing where it is no object.
pub(super) fn fields(object: &str) -> Option<Vec<(String, &RawValue)>> {
    struct Fields;

    impl<'a> Visitor<'a> for Fields {
        type Value = Vec<(String, &'a RawValue)>;

        fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
            out.write_str("an object")
        }

        fn visit_map<A: MapAccess<'a>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut fields = Vec::new();
            while let Some(field) = map.next_entry()? {
                fields.push(field);
            }
            Ok(fields)
        }
    }

    let mut reader = serde_json::Deserializer::from_str(object);
    let fields = reader.deserialize_map(Fields).ok()?;
    reader.end().ok()?;
    Some(fields)
}

/// The items of a list, each as it is written.
pub(super) fn items<'t>(text: &'t str, list: &Range<usize>) -> Result<Vec<&'t RawValue>, WireError> {
    serde_json::from_str(&text[list.clone()]).map_err(|_| WireError::NoMessages)
}

/// Of a field that stands twice the last one.
pub(super) fn field<'t>(fields: &[(String, &'t RawValue)], name: &str) -> Option<&'t RawValue> {
    fields.iter().rev().find(|(other, _)| other == name).map(|(_, value)| *value)
}

/// Where a part of a text stands in it.
pub(super) fn span(body: &str, part: &RawValue) -> Range<usize> {
    let start = part.get().as_ptr() as usize - body.as_ptr() as usize;
    start..start + part.get().len()
}

pub(super) fn string(value: &RawValue) -> Option<String> {
    serde_json::from_str(value.get()).ok()
}

/// The value, or its bytes as text where it cannot be had: numbers may be too large, lists nested too deeply.
pub(super) fn content(value: &RawValue) -> Value {
    serde_json::from_str(value.get()).unwrap_or_else(|_| Value::String(value.get().to_owned()))
}

pub(super) fn is_list(value: &Value) -> bool {
    value.as_array().is_some_and(|items| !items.is_empty())
}
