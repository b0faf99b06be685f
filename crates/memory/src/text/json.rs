//! Reading the JSON that a model answered, which is often almost JSON.
//!
//! A model that cannot be held to a schema wraps its object in a fence, talks before and after it, thinks aloud, leaves
//! commas behind the last element, writes numbers as text and a single value where a list was asked for. All of that has
//! one meaning and is read. What has none, such as an answer that was cut off in the middle, is an error: guessing
//! would store what nobody said. Errors say where and why and never quote the answer, since they go to logs.

use serde_json::Value;

/// Bytes of an answer that are looked at; a longer one is refused. As much as a client of a model accepts.
pub const ANSWER_BYTES: usize = 1024 * 1024;

/// Fenced blocks that are tried. An answer with more of them is an essay.
const FENCES: usize = 8;

/// The object or list in an answer: as it stands, else in a fenced block, else from the first brace to the last. Each is
/// read strictly first, then without comments and trailing commas.
pub fn parse(answer: &str) -> Result<Value, String> {
    if answer.len() > ANSWER_BYTES {
        return Err(format!("the answer has {} bytes; expected at most {ANSWER_BYTES}", answer.len()));
    }
    let places = places(answer);
    let strict = places.iter().find_map(|place| structure(place).ok());
    let read = strict.or_else(|| places.iter().find_map(|place| structure(&repaired(place)).ok()));
    read.ok_or_else(|| match places.last().map(|place| structure(&repaired(place))) {
        Some(Err(why)) if places.len() > 1 => format!("not JSON: {why}"),
        _ => "there is no JSON object in it".to_owned(),
    })
}

/// A value that stands for text. Nothing in it is nothing.
pub fn text(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) => text.trim().to_owned(),
        Value::Number(number) => number.to_string(),
        Value::Bool(flag) => flag.to_string(),
        Value::Null | Value::Array(_) | Value::Object(_) => return None,
    };
    (!text.is_empty()).then_some(text)
}

/// A value that stands for a number: `1`, `"0.8"`, `"80%"` (which is 0.8).
pub fn number(value: &Value) -> Option<f64> {
    let number = match value {
        Value::Number(number) => number.as_f64()?,
        Value::String(text) => match text.trim().strip_suffix('%') {
            Some(percent) => percent.trim().parse::<f64>().ok()? / 100.0,
            None => text.trim().parse().ok()?,
        },
        _ => return None,
    };
    number.is_finite().then_some(number)
}

/// A value that stands for a list: a single value is a list of one, and nothing is none.
pub fn list(value: &Value) -> Vec<&Value> {
    match value {
        Value::Null => Vec::new(),
        Value::Array(items) => items.iter().collect(),
        single => vec![single],
    }
}

/// A value that stands for yes or no.
pub fn flag(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(flag) => Some(*flag),
        Value::Number(number) => match number.as_f64() {
            Some(1.0) => Some(true),
            Some(0.0) => Some(false),
            _ => None,
        },
        Value::String(text) => match text.trim().to_ascii_lowercase().as_str() {
            "true" | "yes" | "1" => Some(true),
            "false" | "no" | "0" => Some(false),
            _ => None,
        },
        _ => None,
    }
}

/// Where the JSON may be, the likeliest first. What a reasoning model thought aloud is passed over.
fn places(answer: &str) -> Vec<&str> {
    let said = answer.rsplit_once("</think>").map_or(answer, |(_, said)| said);
    let said = said.trim_start_matches('\u{feff}').trim();
    let mut places = vec![said];
    places.extend(fenced(said));
    let braces = span(said, '{', '}');
    let brackets = span(said, '[', ']');
    // A list is meant only where it is around everything: prose has brackets of its own.
    if let Some((start, end)) = brackets
        && braces.is_none_or(|(first, last)| start < first && last < end)
    {
        places.push(&said[start..end]);
    }
    places.extend(braces.map(|(start, end)| &said[start..end]));
    places
}

fn span(text: &str, open: char, close: char) -> Option<(usize, usize)> {
    let (start, end) = (text.find(open)?, text.rfind(close)? + close.len_utf8());
    (start < end).then_some((start, end))
}

/// The insides of fenced blocks, without the word behind the opening fence.
fn fenced(text: &str) -> impl Iterator<Item = &str> {
    let inside = text.split("```").skip(1).step_by(2).take(FENCES);
    inside.map(|block| block.trim_start_matches(|c: char| c.is_alphanumeric()).trim())
}

/// Strictly JSON, and an object or a list: a bare word or number is no structured answer.
fn structure(text: &str) -> Result<Value, String> {
    match serde_json::from_str::<Value>(text) {
        Ok(value) if value.is_object() || value.is_array() => Ok(value),
        Ok(_) => Err("expected an object".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

/// The text without comments and without commas before a closing bracket, strings left as they are.
fn repaired(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let taken = match first {
            '"' => {
                let length = string_length(rest);
                out.push_str(&rest[..length]);
                length
            }
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            '}' | ']' => {
                let kept = out.trim_end();
                let kept = kept.strip_suffix(',').unwrap_or(kept).len();
                out.truncate(kept);
                out.push(first);
                1
            }
            other => {
                out.push(other);
                other.len_utf8()
            }
        };
        rest = &rest[taken..];
    }
    out
}

/// How many bytes the string literal at the beginning takes, quotes included; all of the text where it does not end.
fn string_length(text: &str) -> usize {
    let mut escaped = false;
    for (position, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return position + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn what_has_one_meaning_is_read() {
        let expected = json!({"a": [1, 2], "b": "x, }"});
        for answer in [
            r#"{"a":[1,2],"b":"x, }"}"#,
            "\u{feff} {\"a\":[1,2],\"b\":\"x, }\"}\n",
            "```json\n{\"a\":[1,2],\"b\":\"x, }\"}\n```",
            "Sure!\n```\n{\"a\":[1,2],\"b\":\"x, }\"}\n```\nAnything else [maybe]?",
            r#"Here it is: {"a":[1,2],"b":"x, }"} I hope it helps."#,
            r#"As [1] says: {"a":[1,2],"b":"x, }"}"#,
            r#"<think>{"a": 3} or so</think>{"a":[1,2],"b":"x, }"}"#,
            "{\"a\":[1,2, ],\"b\":\"x, }\" ,\n}",
            "{\"a\":[1, // one\n2],/* b */\"b\":\"x, }\",}",
        ] {
            assert_eq!(parse(answer).as_ref(), Ok(&expected), "{answer}");
        }
        assert_eq!(parse(r#"The list: [{"a": 1}, {"a": 2},]"#), Ok(json!([{"a": 1}, {"a": 2}])));
        assert_eq!(parse(r#"{"u": "http://x//y", }"#), Ok(json!({"u": "http://x//y"})));
        assert_eq!(parse(r#"{"q": "a \" , } b",}"#), Ok(json!({"q": "a \" , } b"})));
    }

    #[test]
    fn what_has_none_is_an_error_that_quotes_nothing() {
        let half = r#"{"memories": [{"content": "secretive"}, {"cont"#;
        for answer in
            ["", "secretive prose", "42", "\"secretive\"", half, "{secretive}", "}{", "```", "[1, 2"]
        {
            let error = parse(answer).expect_err(answer);
            assert!(!error.contains("secretive"), "{error}");
        }
        assert_eq!(parse("prose").expect_err("prose"), "there is no JSON object in it");
        assert!(parse(&"{".repeat(100_000)).is_err(), "depth is bounded");
        assert!(parse(&" ".repeat(ANSWER_BYTES + 1)).expect_err("too long").contains("expected at most"));
    }

    #[test]
    fn values_are_read_for_what_they_stand_for() {
        for (value, expected) in [
            (json!(1), Some(1.0)),
            (json!("0.8"), Some(0.8)),
            (json!(" 80 % "), Some(0.8)),
            (json!("high"), None),
            (json!("NaN"), None),
            (json!("inf"), None),
            (json!(null), None),
            (json!([1]), None),
        ] {
            assert_eq!(number(&value), expected, "{value}");
        }
        assert_eq!(list(&json!("one")), [&json!("one")]);
        assert_eq!(list(&json!(["a", "b"])).len(), 2);
        assert!(list(&json!(null)).is_empty());
        assert_eq!((text(&json!(" a ")), text(&json!(3))), (Some("a".into()), Some("3".into())));
        assert_eq!((text(&json!("  ")), text(&json!({})), text(&json!(null))), (None, None, None));
        assert_eq!(
            (flag(&json!("Yes")), flag(&json!(0)), flag(&json!(false))),
            (Some(true), Some(false), Some(false))
        );
        assert_eq!((flag(&json!("maybe")), flag(&json!(2)), flag(&json!([]))), (None, None, None));
    }

    proptest! {
        #[test]
        fn nothing_makes_it_panic(answer in r#"([{}\[\]",:/*\\`a1é\n ]|</think>|```){0,60}"#) {
            let _ = parse(&answer);
            let _ = repaired(&answer);
        }

        #[test]
        fn any_text_is_looked_at_without_panic(answer in any::<String>()) {
            let _ = parse(&answer);
        }

        #[test]
        fn what_is_sound_is_read_as_it_is(texts in prop::collection::vec(any::<String>(), 0..4)) {
            let value = json!({ "texts": texts });
            prop_assert_eq!(parse(&value.to_string()), Ok(value.clone()));
            let wrapped = format!("Here:\n{}\nDone.", serde_json::to_string_pretty(&value).expect("JSON"));
            prop_assert_eq!(parse(&wrapped), Ok(value.clone()));
            let repaired = repaired(&value.to_string());
            prop_assert_eq!(serde_json::from_str::<Value>(&repaired).ok(), Some(value));
        }
    }
}
