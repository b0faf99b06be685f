//! Front-matter: the properties that stand above a note's text, between two lines of `---`, in YAML.
//!
//! Ours is a record's own fields in the seeds' spelling (`createdAt`), so that a field that a record gains is carried without a word
//! here. Anybody else's may be any YAML: maps with maps as keys, as templates have them, dates, numbers, nothing at all. What cannot
//! be read as YAML is left to the caller as text, since a slip in a property must not cost the note.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value};

use crate::limits;

/// Properties in the order in which they are written.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Front(Vec<(String, Value)>);

impl Front {
    /// Begins with what kind of note of ours it is.
    pub fn of(kind: &str) -> Self {
        Self(vec![(super::MARK.to_owned(), Value::from(format!("{kind} {}", super::VERSION)))])
    }

    pub fn put(&mut self, name: &str, value: impl Into<Value>) {
        self.0.push((name.to_owned(), value.into()));
    }

    /// A record's fields, as [`entry`] gives them.
    pub fn put_fields(&mut self, record: Value, without: &[&str]) {
        if let Value::Object(fields) = record {
            self.0.extend(fields.into_iter().filter(|(name, _)| !without.contains(&name.as_str())));
        }
    }

    /// The block as it stands in a file, with both of its lines.
    pub fn write(&self) -> String {
        let options = serde_saphyr::ser_options! { prefer_block_scalars: false, compact_list_indent: false };
        let written = serde_saphyr::to_string_with_options(self, options);
        format!("---\n{}---\n", written.expect("JSON values and text keys are always YAML"))
    }
}

impl Serialize for Front {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

/// A record as a list of its fields, its numbers as short as they can be said: 0.87 and not 0.8700000047683716.
fn fields_of(record: impl Serialize) -> Map<String, Value> {
    let value = serde_json::to_value(record).expect("records contain nothing that JSON cannot hold");
    let Value::Object(mut fields) = value else { return Map::new() };
    for (name, value) in &mut fields {
        if name != "metadata" && name != "personality" {
            shorten(value);
        }
    }
    fields
}

/// A record's fields in our spelling, without some.
pub fn entry(record: impl Serialize, without: &[&str]) -> Value {
    let fields = fields_of(record).into_iter().filter(|(name, _)| !without.contains(&name.as_str()));
    Value::Object(fields.map(|(name, value)| (camel(&name), value)).collect())
}

fn shorten(value: &mut Value) {
    match value {
        Value::Number(number) if number.is_f64() => {
            let wide = number.as_f64().unwrap_or_default();
            let narrow = wide as f32;
            if f64::from(narrow) == wide
                && let Ok(short) = narrow.to_string().parse::<f64>()
                && let Some(short) = serde_json::Number::from_f64(short)
            {
                *number = short;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(shorten),
        Value::Object(fields) => fields.values_mut().for_each(shorten),
        _ => {}
    }
}

/// `created_at` as `createdAt`.
pub fn camel(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    let mut raised = false;
    for character in name.chars() {
        match character {
            '_' => raised = true,
            _ if raised => {
                out.extend(character.to_uppercase());
                raised = false;
            }
            _ => out.push(character),
        }
    }
    out
}

/// `createdAt` as `created_at`.
pub fn snake(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 4);
    for character in name.chars() {
        if character.is_uppercase() {
            out.push('_');
        }
        out.extend(character.to_lowercase());
    }
    out
}

/// Properties of ours back in the records' spelling.
pub fn record_fields(front: Map<String, Value>) -> Map<String, Value> {
    front.into_iter().map(|(name, value)| (snake(&name), value)).collect()
}

/// A file, cut into what is above the text and the text.
#[derive(Debug, PartialEq, Eq)]
pub struct SplitNote<'a> {
    pub front: Option<&'a str>,
    pub body: &'a str,
}

/// Cuts a file. A first line of `---` that no other one answers is a rule across the page, and belongs to the text.
pub fn cut(text: &str) -> SplitNote<'_> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let none = SplitNote { front: None, body: text };
    let Some((first, rest)) = text.split_once('\n') else { return none };
    if first.trim_end() != "---" {
        return none;
    }
    let mut at = 0;
    for line in rest.split_inclusive('\n') {
        if matches!(line.trim_end(), "---" | "...") {
            return SplitNote { front: Some(&rest[..at]), body: &rest[at + line.len()..] };
        }
        at += line.len();
    }
    none
}

/// What is wrong with front-matter, in words for whoever wrote it.
#[derive(Debug, PartialEq, Eq)]
pub enum Unread {
    /// Not YAML; the line within the file, where it can be told.
    NoYaml(Option<u64>),
    /// YAML, but no list of names and values.
    NoProperties,
    /// More than anybody writes by hand, or so deep that reading it would take long.
    TooMuch,
}

/// Reads the front-matter of a note that somebody wrote.
pub fn parse_foreign(yaml: &str) -> Result<Map<String, Value>, Unread> {
    if yaml.len() > limits::FRONT_MATTER_BYTES {
        return Err(Unread::TooMuch);
    }
    parse(yaml)
}

/// Reads front-matter. Nothing at all is no properties.
pub fn parse(yaml: &str) -> Result<Map<String, Value>, Unread> {
    if yaml.trim().is_empty() {
        return Ok(Map::new());
    }
    if nesting_at_most(yaml) > limits::FRONT_MATTER_NESTING {
        return Err(Unread::TooMuch);
    }
    let options = serde_saphyr::options! {
        with_snippet: false,
        non_finite_float_policy: serde_saphyr::options::NonFiniteFloatPolicy::AsString,
        reject_unsupported_tags: false,
        // `n: 5` is a property called n, and `answer: no` a word, as in Obsidian.
        strict_booleans: true,
        duplicate_keys: serde_saphyr::options::DuplicateKeyPolicy::LastWins,
    };
    let read: Result<Any, _> = serde_saphyr::from_str_with_options(yaml, options);
    match read {
        Ok(Any(Value::Object(properties))) => Ok(properties),
        Ok(Any(Value::Null)) => Ok(Map::new()),
        Ok(Any(_)) => Err(Unread::NoProperties),
        // One more, because the file's first line is the one of dashes.
        Err(error) => Err(Unread::NoYaml(error.location().map(|place| place.line() + 1))),
    }
}

/// A bound on how many `[` and `{` are open at once, never too low. For each of its tokens the reader goes through all that are open,
/// so that `[[[[…` costs the square of its length, and it does so before it gives anything that could be counted.
///
/// Where a text is quoted, only the reader knows, and a `]` inside of one closes nothing. But a stretch without a quote, comment or
/// tag in it is all inside or all outside. So what is opened and not closed within one stretch is taken as open to the end.
fn nesting_at_most(yaml: &str) -> usize {
    let (mut left_open, mut open, mut deepest) = (0, 0_usize, 0);
    let (mut backslashes, mut is_comment) = (0, false);
    for byte in yaml.bytes() {
        let ends_stretch = match byte {
            // After one backslash a quote neither begins nor ends anything, whether inside of a text or not.
            b'"' => backslashes % 2 == 0,
            b'\'' | b'#' | b'!' => true,
            b'\n' => is_comment,
            _ => false,
        };
        match byte {
            b'[' | b'{' => open += 1,
            b']' | b'}' => open = open.saturating_sub(1),
            b'#' => is_comment = true,
            b'\n' => is_comment = false,
            _ => {}
        }
        if ends_stretch {
            left_open += std::mem::take(&mut open);
        }
        deepest = deepest.max(left_open + open);
        backslashes = if byte == b'\\' { backslashes + 1 } else { 0 };
    }
    deepest
}

/// Any YAML as JSON. Keys that are no text become text; `{{date}}`, which is a map with a map as its key, is what templates mean
/// by it.
struct Any(Value);

impl<'de> Deserialize<'de> for Any {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(FrontMatterBudget).map(Any)
    }
}

struct FrontMatterBudget;

impl<'de> Visitor<'de> for FrontMatterBudget {
    type Value = Value;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("any YAML")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_i128<E>(self, value: i128) -> Result<Value, E> {
        Ok(Value::from(value.to_string()))
    }

    fn visit_u128<E>(self, value: u128) -> Result<Value, E> {
        Ok(Value::from(value.to_string()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        let number = serde_json::Number::from_f64(value);
        Ok(number.map_or_else(|| Value::from(value.to_string()), Value::Number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_bytes<E>(self, value: &[u8]) -> Result<Value, E> {
        Ok(Value::from(String::from_utf8_lossy(value)))
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_none<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(FrontMatterBudget)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(FrontMatterBudget)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(Any(item)) = items.next_element()? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        let mut placeholder = None;
        while let Some((Any(key), Any(value))) = entries.next_entry()? {
            placeholder = placeholder_of(&key, &value);
            map.insert(key_text(key), value);
        }
        Ok(match placeholder {
            Some(placeholder) if map.len() == 1 => Value::from(placeholder),
            _ => Value::Object(map),
        })
    }
}

/// `{{name}}`, where a map's only key is a map of one name and nothing.
fn placeholder_of(key: &Value, value: &Value) -> Option<String> {
    let inner = key.as_object().filter(|inner| inner.len() == 1 && value.is_null())?;
    let (name, nothing) = inner.iter().next()?;
    nothing.is_null().then(|| format!("{{{{{name}}}}}"))
}

fn key_text(key: Value) -> String {
    match key {
        Value::String(text) => text,
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        let nasty: &[&str] = &[
            "---",
            "...",
            "",
            " ",
            " leading",
            "trailing ",
            "a: b",
            "# no comment",
            "yes",
            "null",
            "~",
            "1",
            "1.0",
            "0x1f",
            "2024-01-01",
            "- item",
            "[x]",
            "{y}",
            "'",
            "\"",
            "\\",
            "\\n",
            "a\nb",
            "a\r\nb",
            "\r",
            "\n",
            "a\n\n",
            "\t",
            "tab\there",
            "\u{0}",
            "\u{1}",
            "\u{7f}",
            "\u{85}",
            "\u{2028}",
            "\u{feff}x",
            "🦀",
            "日本語",
            "עברית",
            "&anchor",
            "*alias",
            "!tag",
            "%",
            "@x",
            "`x`",
            "|",
            ">",
            "?",
            ": ",
            "a #b",
            "<<",
            "1e3",
            ".inf",
            "-",
            "--- x",
            "1_000",
            "12:30:45",
            "0o17",
            "=",
            "off",
        ];
        let mut front = Front::of("memory");
        front.put("list", json!(nasty));
        front.put("map", nasty.iter().map(|text| ((*text).to_owned(), json!(text))).collect::<Map<_, _>>());
        front.put("long", "word ".repeat(4_000));
        front.put(
            "numbers",
            json!([1, -1, 1.0, 0.1, 1e300, 5e-324, u64::MAX, i64::MIN, 0, -0.5, 1e16, 123456789.0]),
        );
        front.put("other", json!([null, true, false, [], {}, [[]], [{}], {"a": {"b": [{"c": null}]}}]));
        let written = format!("{}the text", front.write());
        let cut = cut(&written);
        assert_eq!(cut.body, "the text");
        let read = parse(cut.front.expect("front-matter")).expect("YAML");
        for (name, value) in &front.0 {
            assert_eq!(read.get(name), Some(value), "{name} in\n{written}");
        }
        assert_eq!(read.len(), front.0.len());
    }

    #[test]
    fn properties_of_others_are_read_whatever_they_are() {
        let check = |yaml: &str, expected: Value| {
            assert_eq!(parse(yaml).map(Value::Object), Ok(expected), "{yaml}");
        };
        check("", json!({}));
        check("# only a comment\n", json!({}));
        check("created: {{date}}\nlast:\n", json!({"created": "{{date}}", "last": null}));
        check("topics:\n  - \"[[Emergence]]\"\n", json!({"topics": ["[[Emergence]]"]}));
        check("date: 2023-09-12\n1: one\nnull: x\n", json!({"date": "2023-09-12", "1": "one", "null": "x"}));
        check("a: 1\na: 2\n", json!({"a": 2}));
        check("n: 17\ny: no\non: off\nsure: true\n", json!({"n": 17, "y": "no", "on": "off", "sure": true}));
        check("a: .nan\r\nb: ''\r\n", json!({"a": ".nan", "b": ""}));
    }

    #[test]
    fn what_is_no_yaml_is_said_with_its_line() {
        assert_eq!(parse("a: 1\nb: [\n"), Err(Unread::NoYaml(Some(3))));
        assert!(matches!(parse("a: b: c\n"), Err(Unread::NoYaml(Some(_)))));
        assert_eq!(parse("just words\n"), Err(Unread::NoProperties));
    }

    #[test]
    fn m8_deep_nesting_is_refused_before_it_is_read() {
        let deep = 100_000;
        let attacks = [
            "[".repeat(deep),
            format!("a: {}", "{b: ".repeat(deep)),
            "[ \"]\" ".repeat(deep),
            "[ ']' ".repeat(deep),
            "[ # ]\n".repeat(deep),
            "[ !<]> ".repeat(deep),
            "[ \"\\\\\", ']' ".repeat(deep),
            format!("a: b\n  \"x\nc: {}", "[".repeat(deep)),
            format!("a: don't\nc: {}", "[\n".repeat(deep)),
            format!("{{\"a\": {}", "[\"x\", ".repeat(deep)),
        ];
        for yaml in attacks {
            assert_eq!(parse(&yaml), Err(Unread::TooMuch), "{:.60}", yaml);
            assert!(nesting_at_most(&yaml) >= deep, "{:.60}", yaml);
        }
    }

    #[test]
    fn m8_what_people_write_is_not_taken_for_deep() {
        let links: String = (0..2_000).map(|link| format!("- \"[[Note {link}]]\"\n")).collect();
        let check = |yaml: &str, most: usize| {
            assert!(nesting_at_most(yaml) <= most, "{} in {yaml:.60}", nesting_at_most(yaml));
        };
        check(&format!("topics:\n{links}"), 2);
        check(&"- [a, b, [c], {d: e}]\n".repeat(2_000), 2);
        check(&"- \"{\\\"a\\\": [1, 2], \\\"b\\\": {}}\"\n".repeat(2_000), 2);
        check(&"- see [this] and {that}, don't they?\n".repeat(2_000), 1);
        check("tags: [\"a b\", 'c', d]\nother: {x: \"y\"}\n", 2);
    }

    #[test]
    fn m8_a_strangers_front_matter_has_a_length() {
        let fits = format!("a: {}\n", "x".repeat(limits::FRONT_MATTER_BYTES - 10));
        assert!(parse_foreign(&fits).is_ok());
        let long = format!("a: {}\n", "x".repeat(limits::FRONT_MATTER_BYTES));
        assert_eq!(parse_foreign(&long), Err(Unread::TooMuch));
        assert!(parse(&long).is_ok(), "ours have as many links as a memory has");
    }

    #[test]
    fn a_rule_across_the_page_is_no_front_matter() {
        assert_eq!(cut("---\nno end"), SplitNote { front: None, body: "---\nno end" });
        assert_eq!(cut("text\n---\nmore\n---\n").front, None);
        assert_eq!(
            cut("\u{feff}---\r\na: 1\r\n---\r\nbody"),
            SplitNote { front: Some("a: 1\r\n"), body: "body" }
        );
        assert_eq!(cut("---\n---\n"), SplitNote { front: Some(""), body: "" });
        assert_eq!(cut("---\na: 1\n---"), SplitNote { front: Some("a: 1\n"), body: "" });
    }

    #[test]
    fn fields_keep_their_names() {
        for name in ["created_at", "id", "stability_days", "superseded_by"] {
            assert_eq!(snake(&camel(name)), name);
        }
        assert_eq!(camel("created_at"), "createdAt");
    }
}
