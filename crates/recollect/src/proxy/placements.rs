//! What a refusal of a prompt with memory in it can mean. Where upstreams would not have memory is remembered by
//! [`chat::placement::refused`].
//!
//! A refusal is read as far as it tells, and can be passed on whole all the same. Only one that speaks of roles or templates is
//! about the place; most others are tried without memory too, and nothing is concluded from that.

use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::Bytes;
use axum::http::StatusCode;
use http_body::{Body, Frame};
use http_body_util::BodyExt;
use serde_json::Value;

use crate::limits;

/// What a refusal says where the prompt is too long, in the words of the usual servers.
const OF_LENGTH: [&str; 13] = [
    "context length",
    "context_length",
    "context window",
    "context size",
    "maximum context",
    "max_model_len",
    "too long",
    "too many tokens",
    "token limit",
    "exceeds the limit",
    "maximum number of tokens",
    "maximum prompt length",
    "max_new_tokens",
];

/// Words of refusals by chat templates, and by servers that take only some messages at some places.
const OF_THE_PLACE: [&str; 10] = [
    "role",
    "roles",
    "system",
    "developer",
    "template",
    "templates",
    "jinja",
    "alternate",
    "alternates",
    "alternating",
];

/// Codes of refusals of what was said or of what the model made of it: the same words come to the same end.
const OF_WHAT_IS_SAID: [&str; 3] = ["content_filter", "tool_use_failed", "json_validate_failed"];

/// Where the usual servers have their codes.
const CODES: [&str; 4] = ["/error/code", "/code", "/error/type", "/0/error/code"];

/// What a refusal is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RefusalSubject {
    Length,
    Place,
    /// What memory has no part in, or a refusal that says nothing in time.
    Elsewhere,
    /// It does not say.
    Unsaid,
}

/// A refusal that was read, and that can be passed on as it came.
pub struct PromptRefusal {
    pub answer: reqwest::Response,
    pub about: RefusalSubject,
}

/// Whether an answer can mean that the prompt is not as it must be. What is about keys, addresses, sizes, time and how often one asks is not.
pub fn may_be_refusal(status: StatusCode) -> bool {
    matches!(status, StatusCode::BAD_REQUEST | StatusCode::UNPROCESSABLE_ENTITY)
}

impl PromptRefusal {
    /// Reads as much of it as tells, and no longer than a moment.
    pub async fn read(answer: reqwest::Response) -> PromptRefusal {
        let (parts, mut rest) = axum::http::Response::<reqwest::Body>::from(answer).into_parts();
        let mut said = Vec::new();
        let reading = async {
            while said.len() < limits::REFUSAL_BYTES {
                let Some(Ok(frame)) = rest.frame().await else { return true };
                said.extend_from_slice(frame.data_ref().map_or(&[][..], |data| data));
            }
            false
        };
        let ended = tokio::time::timeout(limits::REFUSAL_WITHIN, reading).await;
        let about = match ended {
            Ok(_) => RefusalSubject::of(&said),
            Err(_) => RefusalSubject::Elsewhere,
        };
        let body = match ended {
            Ok(true) => reqwest::Body::from(said),
            Ok(false) | Err(_) => reqwest::Body::wrap(ResumedBody { read: Some(said.into()), rest }),
        };
        PromptRefusal { answer: axum::http::Response::from_parts(parts, body).into(), about }
    }
}

impl RefusalSubject {
    fn of(said: &[u8]) -> RefusalSubject {
        let json: Value = serde_json::from_slice(said).unwrap_or_default();
        let mut codes = CODES.iter().filter_map(|place| json.pointer(place)?.as_str());
        if codes.any(|code| OF_WHAT_IS_SAID.contains(&code)) {
            return RefusalSubject::Elsewhere;
        }
        let said = String::from_utf8_lossy(said).to_lowercase();
        if OF_LENGTH.iter().any(|words| said.contains(words)) {
            return RefusalSubject::Length;
        }
        let mut words = said.split(|character: char| !character.is_alphanumeric());
        match words.any(|word| OF_THE_PLACE.contains(&word)) {
            true => RefusalSubject::Place,
            false => RefusalSubject::Unsaid,
        }
    }
}

/// A body of which the beginning was read.
struct ResumedBody {
    read: Option<Bytes>,
    rest: reqwest::Body,
}

impl Body for ResumedBody {
    type Data = Bytes;
    type Error = reqwest::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, reqwest::Error>>> {
        match self.read.take().filter(|read| !read.is_empty()) {
            Some(read) => Poll::Ready(Some(Ok(Frame::data(read)))),
            None => Pin::new(&mut self.rest).poll_frame(context),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_roles_and_templates_are_about_the_place() {
        for (said, about) in [
            ("System message must be at the beginning.", RefusalSubject::Place),
            ("Conversation roles must alternate user/assistant/user/assistant/...", RefusalSubject::Place),
            (r#"{"error":{"code":500,"message":"Jinja Exception: only user turns"}}"#, RefusalSubject::Place),
            (r#"{"error":{"message":"Expected last role User or Tool"}}"#, RefusalSubject::Place),
            ("Failed to apply chat_template", RefusalSubject::Place),
            ("This model's maximum context length is 40 tokens", RefusalSubject::Length),
            (
                "The input token count (9) exceeds the maximum number of tokens allowed (8).",
                RefusalSubject::Length,
            ),
            ("This model's maximum prompt length is 8 but the request has 9", RefusalSubject::Length),
            ("`inputs` tokens + `max_new_tokens` must be <= 8. Given: 9", RefusalSubject::Length),
            (r#"{"error":{"code":"content_filter","message":"the role of ..."}}"#, RefusalSubject::Elsewhere),
            (r#"{"error":{"code":"tool_use_failed"}}"#, RefusalSubject::Elsewhere),
            (r#"[{"error":{"code":"json_validate_failed"}}]"#, RefusalSubject::Elsewhere),
            ("The content_filter parameter is unknown", RefusalSubject::Unsaid),
            ("Something went wrong. Please parole again, ecosystems included.", RefusalSubject::Unsaid),
            ("", RefusalSubject::Unsaid),
        ] {
            assert_eq!(RefusalSubject::of(said.as_bytes()), about, "{said}");
        }
    }
}
