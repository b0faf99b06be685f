//! What a server says when it cannot answer, and what it should never say.

use hyper::body::Bytes;

use super::Endpoint;
use super::json::{Json, object};
use crate::llm::SeenRequest;

/// Anthropic's clients always say which version of the wire they speak.
pub(super) fn is_anthropic(seen: &SeenRequest) -> bool {
    seen.path.starts_with("/v1/messages") || seen.headers.contains_key("anthropic-version")
}

pub(super) fn body(status: u16, message: &str, seen: &SeenRequest) -> Json {
    if is_anthropic(seen) {
        return object! {
            "type": "error",
            "error": object! { "type": anthropic_type(status), "message": message },
            "request_id": format!("req_{:06}", seen.number),
        };
    }
    let (kind, code) = openai_type(status, seen);
    object! { "error": object! { "message": message, "type": kind, "param": Json::null(), "code": code } }
}

fn openai_type(status: u16, seen: &SeenRequest) -> (&'static str, Option<&'static str>) {
    match status {
        401 => ("invalid_request_error", Some("invalid_api_key")),
        404 if seen.path.starts_with("/v1/models/") => ("invalid_request_error", Some("model_not_found")),
        429 => ("requests", Some("rate_limit_exceeded")),
        500.. => ("server_error", None),
        _ => ("invalid_request_error", None),
    }
}

fn anthropic_type(status: u16) -> &'static str {
    match status {
        401 => "authentication_error",
        403 => "permission_error",
        404 => "not_found_error",
        413 => "request_too_large",
        429 => "rate_limit_error",
        503 | 529 => "overloaded_error",
        500.. => "api_error",
        _ => "invalid_request_error",
    }
}

/// What a real server refuses before it thinks.
pub(super) fn of_request(seen: &SeenRequest, endpoint: Endpoint) -> Option<(u16, String)> {
    let needed = match endpoint {
        Endpoint::Models => return None,
        Endpoint::Unknown => return Some((404, format!("Invalid URL ({} {})", seen.method, seen.path))),
        Endpoint::Chat | Endpoint::Messages | Endpoint::CountTokens => "messages",
        Endpoint::Completions => "prompt",
        Endpoint::Responses | Endpoint::Embeddings => "input",
    };
    if !seen.json.is_object() {
        return Some((400, "We could not parse the JSON body of your request.".to_owned()));
    }
    if seen.json[needed].is_null() {
        return Some((400, format!("Missing required parameter: '{needed}'.")));
    }
    if seen.json[needed].as_array().is_some_and(Vec::is_empty) {
        return Some((400, format!("Invalid '{needed}': empty array. Expected at least one element.")));
    }
    None
}

/// The right fields with wrong types in them.
pub(super) fn wrong_types(endpoint: Endpoint) -> &'static str {
    match endpoint {
        Endpoint::Messages => {
            r#"{"id":7,"type":"message","role":[],"content":{"text":12},"stop_reason":false,"usage":"many"}"#
        }
        Endpoint::Responses => {
            r#"{"id":7,"object":"response","status":[],"output":{"text":12},"usage":"many"}"#
        }
        Endpoint::Embeddings => {
            r#"{"object":"list","data":[{"index":"first","embedding":{"x":1}}],"usage":"many"}"#
        }
        Endpoint::Models => r#"{"object":"list","data":{"id":12}}"#,
        _ => {
            r#"{"id":7,"object":"chat.completion","choices":{"message":12},"created":"today","usage":"many"}"#
        }
    }
}

pub(super) fn garbage() -> Vec<Bytes> {
    [
        &b"data: {\"choices\":[{\"delta\":{\"content\":\n\n"[..],
        b"this line has no field\n\n",
        b"\xff\xfe\x00 data\xc3\x28: {}\n",
        b"event\n\n\n\ndata:data:data: ]]]]\n\n",
        b"data: 42\n\n",
    ]
    .map(Bytes::from_static)
    .to_vec()
}
