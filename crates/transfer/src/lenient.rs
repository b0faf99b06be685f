//! Values as other systems write them: missing, `null`, numbers as text, text as numbers, lists as text, times in four units.
//!
//! The readers of foreign formats ask here and never fail over a field: one that cannot be understood counts as missing, and
//! readers keep it as metadata where it says something.

use memory::types::{Time, content_hash};
use serde_json::{Map, Value};

/// What a value is, for people.
pub fn what(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// The first of these fields that is there and not `null`.
pub fn field<'v>(object: &'v Map<String, Value>, names: &[&str]) -> Option<&'v Value> {
    names.iter().find_map(|name| object.get(*name).filter(|value| !value.is_null()))
}

/// The same, taken out of the object; the others of these names stay.
pub fn take(object: &mut Map<String, Value>, names: &[&str]) -> Option<Value> {
    let name = names.iter().find(|name| object.get(**name).is_some_and(|value| !value.is_null()))?;
    object.remove(*name)
}

/// Text, or a number as text. Nothing where it is blank.
pub fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if !text.trim().is_empty() => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

pub fn text_of(object: &Map<String, Value>, names: &[&str]) -> Option<String> {
    names.iter().find_map(|name| object.get(*name).and_then(text))
}

/// A text as what it names, where it names one.
pub fn word<T: std::str::FromStr>(object: &Map<String, Value>, names: &[&str]) -> Option<T> {
    text_of(object, names)?.parse().ok()
}

pub fn number(value: &Value) -> Option<f64> {
    let number = match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    };
    number.filter(|number| number.is_finite())
}

/// A number from 0 to 1; what is beyond is taken as the nearest.
pub fn share(value: &Value) -> Option<f32> {
    number(value).map(|number| number.clamp(0.0, 1.0) as f32)
}

pub fn whole(value: &Value) -> Option<u64> {
    number(value).filter(|number| (0.0..=9e15).contains(number)).map(|number| number as u64)
}

/// Whether it says yes: `true`, 1, "true", "yes".
pub fn yes(value: Option<&Value>) -> bool {
    match value {
        Some(Value::Bool(yes)) => *yes,
        Some(Value::Number(number)) => number.as_f64().is_some_and(|number| number != 0.0),
        Some(Value::String(text)) => {
            matches!(text.trim().to_ascii_lowercase().as_str(), "true" | "yes" | "1")
        }
        _ => false,
    }
}

/// The earliest and the latest moment that count, in microseconds: the years 1 and 9998.
const TIMES: std::ops::RangeInclusive<f64> = -62_135_596_800e6..=253_370_764_800e6;

/// A moment: RFC 3339, a date, or seconds, milli-, micro- or nanoseconds since 1970, told apart by their size. Zero is how many
/// programs write "unknown".
pub fn time(value: &Value) -> Option<Time> {
    if let Some(number) = number(value) {
        let microseconds = match number.abs() {
            0.0 => return None,
            seconds if seconds < 1e11 => number * 1e6,
            milliseconds if milliseconds < 1e14 => number * 1e3,
            microseconds if microseconds < 1e17 => number,
            _ => number / 1e3,
        };
        return TIMES.contains(&microseconds).then(|| Time::from_microseconds(microseconds.round() as i64));
    }
    let text = value.as_str()?.trim();
    let zoned = text.strip_suffix(" UTC").or_else(|| text.strip_suffix(" Z")).unwrap_or(text);
    zoned.parse().ok().filter(|time: &Time| TIMES.contains(&(time.microseconds() as f64)))
}

pub fn time_of(object: &Map<String, Value>, names: &[&str]) -> Option<Time> {
    names.iter().find_map(|name| object.get(*name).and_then(time))
}

/// A list that may be a list, a list written as JSON text, or words with `;`, `|` or `,` between them. The first of these that occurs
/// counts, so that a tag in a list by `;` may have a comma.
pub fn tags(value: &Value) -> Vec<String> {
    let words: Vec<String> = match embedded(value) {
        Value::Array(items) => items.iter().filter_map(text).collect(),
        Value::String(all) => {
            let separator = [';', '|', ','].into_iter().find(|sign| all.contains(*sign)).unwrap_or(',');
            all.split(separator).map(str::to_owned).collect()
        }
        other => text(&other).into_iter().collect(),
    };
    let mut tags: Vec<String> = Vec::new();
    for word in words {
        let tag = cut(word.trim(), memory::limits::TAG_BYTES).to_owned();
        if !tag.is_empty() && !tags.contains(&tag) && tags.len() < memory::limits::TAGS {
            tags.push(tag);
        }
    }
    tags
}

/// A value that may be written as JSON inside a text, as databases keep lists and objects.
pub fn embedded(value: &Value) -> Value {
    let inside = value.as_str().map(str::trim).filter(|text| text.starts_with(['[', '{']));
    inside.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_else(|| value.clone())
}

/// An object that may be written as JSON inside a text.
pub fn object(value: Option<&Value>) -> Map<String, Value> {
    match value.map(embedded) {
        Some(Value::Object(object)) => object,
        _ => Map::new(),
    }
}

/// A name that can be an id here: as it is where it can, else a hash of it, which is the same every time.
pub fn id(name: &str) -> String {
    let name = name.trim();
    let fits = name.len() <= LONGEST_ID && !name.is_empty() && !name.chars().any(char::is_control);
    if fits { name.to_owned() } else { hashed(name) }
}

/// Leaves room for what is appended to tell branches and parts from their whole.
const LONGEST_ID: usize = memory::limits::GIVEN_ID_BYTES - 40;

/// A short name made from a text, the same every time.
pub fn hashed(text: &str) -> String {
    content_hash(text).chars().take(32).collect()
}

/// The text up to so many bytes, never in the middle of a character.
pub fn cut(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes)]
}

/// One line for a place: what a person would call the record.
pub fn named(what: &str, number: u64, name: Option<&str>) -> String {
    match name.map(str::trim).filter(|name| !name.is_empty()) {
        Some(name) => {
            let line = name.split_whitespace().collect::<Vec<_>>().join(" ");
            format!("{what} {number} ({})", cut(&line, 60))
        }
        None => format!("{what} {number}"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn times_in_every_unit_are_the_same_moment() {
        let same = "2023-11-14T22:13:20.5Z".parse().ok();
        for value in [
            json!(1_700_000_000.5),
            json!("1700000000.5"),
            json!(1_700_000_000_500_i64),
            json!(1_700_000_000_500_000_i64),
            json!(1_700_000_000_500_000_000_i64),
            json!("2023-11-14T22:13:20.5Z"),
            json!("2023-11-14 22:13:20.500 UTC"),
            json!("2023-11-14T23:13:20.5+01:00"),
        ] {
            assert_eq!(time(&value), same, "{value}");
        }
        for value in [
            json!(null),
            json!(0),
            json!("soon"),
            json!({}),
            json!(1e300),
            json!(""),
            json!("NaN"),
            json!(-9e20),
        ] {
            assert_eq!(time(&value), None, "{value}");
        }
    }

    #[test]
    fn tags_come_in_every_shape() {
        for value in
            [json!(["a, b", "c"]), json!("[\"a, b\", \"c\"]"), json!("a, b; c"), json!(" a, b | c|c")]
        {
            assert_eq!(tags(&value), ["a, b", "c"], "{value}");
        }
        assert_eq!(tags(&json!("one,two")), ["one", "two"]);
        assert_eq!(tags(&json!([1, null, {"x": 1}, "  "])), ["1"]);
        assert_eq!(tags(&json!("ä".repeat(100)))[0].chars().count(), 64);
    }

    #[test]
    fn ids_that_cannot_be_are_hashed_and_others_left() {
        assert_eq!(id(" a-1 "), "a-1");
        assert_eq!(id("a\nb"), id("a\nb"));
        assert_ne!(id("a\nb"), id("a\nc"));
        assert_eq!(id(&"x".repeat(500)).len(), 32);
    }
}
