//! `POST /v1/completions`: the old wire, text in, text out.

use hyper::body::Bytes;

use super::json::{Json, object};
use super::{CREATED_SECONDS, WireAnswer};

pub(super) fn whole(said: &WireAnswer<'_>) -> Json {
    let usage = object! {
        "prompt_tokens": said.input_tokens,
        "completion_tokens": said.output_tokens,
        "total_tokens": said.input_tokens + said.output_tokens,
    };
    completion(said, said.text.as_deref().unwrap_or_default(), Some(&said.finish), Some(usage))
}

pub(super) fn stream(said: &WireAnswer<'_>) -> Vec<Bytes> {
    let event = |json: Json| Bytes::from(format!("data: {}\n\n", json.0));
    let pieces = said.pieces.iter().map(|piece| event(completion(said, piece, None, None)));
    let last = event(completion(said, "", Some(&said.finish), None));
    pieces.chain([last, Bytes::from_static(b"data: [DONE]\n\n")]).collect()
}

fn completion(said: &WireAnswer<'_>, text: &str, finish: Option<&String>, usage: Option<Json>) -> Json {
    let choice = object! {
        "text": text, "index": 0_u64, "logprobs": Json::null(), "finish_reason": finish,
    };
    object! {
        "id": format!("cmpl-{:06}", said.seen.number),
        "object": "text_completion",
        "created": CREATED_SECONDS,
        "model": said.model,
        "choices": vec![choice],
        "usage": usage,
    }
}
