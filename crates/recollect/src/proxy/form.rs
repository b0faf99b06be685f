//! The model that a form names. Sound and pictures come as forms, each of whose fields is a part of the body.
//!
//! No more of a form is read than leads to that field; whatever is not as it should be is the upstream's to judge.

use std::ops::Range;

use axum::http::HeaderMap;
use axum::http::header::CONTENT_TYPE;

use crate::limits;

/// Where in the body the name of the model stands.
pub fn model(headers: &HeaderMap, body: &[u8]) -> Option<Range<usize>> {
    let between = boundary(headers.get(CONTENT_TYPE)?.to_str().ok()?)?;
    let mut at = find(body, between.as_bytes())? + between.len();
    let end_mark = format!("\r\n{between}");
    for _ in 0..limits::FORM_PARTS {
        let window = &body[at..body.len().min(at + limits::FORM_HEAD_BYTES)];
        let head = &window[..find(window, b"\r\n\r\n")?];
        let start = at + head.len() + 4;
        let end = start + find(&body[start..], end_mark.as_bytes())?;
        if is_model(head) {
            return (end - start <= limits::MODEL_NAME_BYTES).then_some(start..end);
        }
        at = end + end_mark.len();
    }
    None
}

/// What stands between the parts of a form; nothing where the body is none.
fn boundary(kind: &str) -> Option<String> {
    let mut parameters = kind.split(';').map(str::trim);
    let is_form = parameters.next()?.eq_ignore_ascii_case("multipart/form-data");
    let mut pairs = parameters.filter_map(|parameter| parameter.split_once('='));
    let (_, value) = pairs.find(|(name, _)| is_form && name.eq_ignore_ascii_case("boundary"))?;
    Some(value.trim_matches('"')).filter(|value| !value.is_empty()).map(|value| format!("--{value}"))
}

/// Whether a part with this head is the field.
fn is_model(head: &[u8]) -> bool {
    let head = String::from_utf8_lossy(head);
    let mut lines = head.lines().filter_map(|line| line.split_once(':'));
    let field = lines.find(|(name, _)| name.trim().eq_ignore_ascii_case("content-disposition"));
    let mut parameters = field.into_iter().flat_map(|(_, value)| value.split(';').map(str::trim));
    parameters.any(|parameter| matches!(parameter, "name=\"model\"" | "name=model"))
}

fn find(body: &[u8], wanted: &[u8]) -> Option<usize> {
    let mut from = 0;
    while let Some(next) = body[from..].iter().position(|byte| Some(byte) == wanted.first()) {
        if body[from + next..].starts_with(wanted) {
            return Some(from + next);
        }
        from += next + 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn the_model_is_found_in_its_part_and_nowhere_else() {
        let named = |kind: &'static str, body: &str| {
            let headers = HeaderMap::from_iter([(CONTENT_TYPE, HeaderValue::from_static(kind))]);
            model(&headers, body.as_bytes()).map(|range| body[range].to_owned())
        };
        let sound = "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"model\"\r\n\r\nname=\"model\"--x\r\n";
        let part =
            "--x\r\ncontent-disposition: form-data; name=\"model\"\r\nX: y\r\n\r\ngroq/whisper\r\n--x--";
        let both = format!("{sound}{part}");
        for kind in ["multipart/form-data; boundary=x", "Multipart/Form-Data; charset=utf-8; Boundary=\"x\""]
        {
            assert_eq!(named(kind, &both).as_deref(), Some("groq/whisper"));
            assert_eq!(named(kind, part).as_deref(), Some("groq/whisper"));
        }
        let kind = "multipart/form-data; boundary=x";
        let (cut, empty) = (&part[..part.len() - 6], "multipart/form-data; boundary=");
        assert_eq!(named(kind, &format!("{sound}--x--")), None);
        assert_eq!((named(kind, cut), named(kind, ""), named(empty, part)), (None, None, None));
        assert_eq!(named("application/json", part), None);
        let long = part.replace("whisper", &"w".repeat(limits::MODEL_NAME_BYTES));
        assert_eq!(named(kind, &long), None);
    }
}
