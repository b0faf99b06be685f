//! `POST /v1/chat/completions`: OpenAI's chat, whole and as `chat.completion.chunk` events up to `[DONE]`.

use hyper::body::Bytes;
use serde_json::Value;

use super::json::{Json, object, quoted};
use super::{CREATED_SECONDS, UNUSUAL, WireAnswer, fragments};
use crate::llm::reply::ToolCall;

const FINGERPRINT: &str = "fp_scripted";

pub(super) fn whole(said: &WireAnswer<'_>) -> Json {
    let choices: Vec<Json> = (0..choice_count(said)).map(|index| choice(said, index)).collect();
    object! {
        "id": id(said),
        "object": "chat.completion",
        "created": CREATED_SECONDS,
        "model": said.model,
        "choices": choices,
        "usage": usage(said),
        "service_tier": "default",
        "system_fingerprint": FINGERPRINT,
        "x_unusual": Json(UNUSUAL.to_owned()),
    }
}

pub(super) fn stream(said: &WireAnswer<'_>) -> Vec<Bytes> {
    let chunk = Chunk::new(said);
    let choices = choice_count(said);
    let mut events = Vec::with_capacity((said.pieces.len() + 2) * choices + 2);
    for index in 0..choices {
        let opening = r#"{"role":"assistant","content":"","refusal":null}"#;
        events.push(chunk.event(index, opening, "null", "null", &format!(r#","x_unusual":{UNUSUAL}"#)));
    }
    for piece in &said.pieces {
        let delta = format!(r#"{{"content":{}}}"#, quoted(piece));
        let logprobs = logprobs(said, std::slice::from_ref(piece)).0;
        events.extend((0..choices).map(|index| chunk.event(index, &delta, &logprobs, "null", "")));
    }
    for index in 0..choices {
        for (place, call) in said.tool_calls.iter().enumerate() {
            let deltas = tool_call_deltas(said, call, index, place);
            events.extend(deltas.iter().map(|delta| chunk.event(index, delta, "null", "null", "")));
        }
        events.push(chunk.event(index, "{}", "null", &quoted(&said.finish), ""));
    }
    if chunk.include_usage {
        events.push(chunk.usage_event(&usage(said)));
    }
    events.push(Bytes::from_static(b"data: [DONE]\n\n"));
    events
}

/// What all chunks of one stream have in common, written once.
struct Chunk {
    head: String,
    include_usage: bool,
}

impl Chunk {
    fn new(said: &WireAnswer<'_>) -> Self {
        let head = format!(
            r#"data: {{"id":{},"object":"chat.completion.chunk","created":{CREATED_SECONDS},"model":{},"service_tier":"default","system_fingerprint":"{FINGERPRINT}","choices":["#,
            quoted(&id(said)),
            quoted(said.model),
        );
        let include_usage = said.seen.json["stream_options"]["include_usage"].as_bool().unwrap_or(false);
        Self { head, include_usage }
    }

    /// All but the index are JSON already; `extra` comes last and begins with a comma, or is empty.
    fn event(&self, index: usize, delta: &str, logprobs: &str, finish: &str, extra: &str) -> Bytes {
        let usage = if self.include_usage { r#","usage":null"# } else { "" };
        Bytes::from(format!(
            "{}{{\"index\":{index},\"delta\":{delta},\"logprobs\":{logprobs},\"finish_reason\":{finish}}}]{usage}{extra}}}\n\n",
            self.head,
        ))
    }

    fn usage_event(&self, usage: &Json) -> Bytes {
        Bytes::from(format!("{}],\"usage\":{}}}\n\n", self.head, usage.0))
    }
}

fn id(said: &WireAnswer<'_>) -> String {
    format!("chatcmpl-{:06}", said.seen.number)
}

fn choice_count(said: &WireAnswer<'_>) -> usize {
    said.seen.json["n"].as_u64().unwrap_or(1).clamp(1, 128) as usize
}

fn choice(said: &WireAnswer<'_>, index: usize) -> Json {
    let calls: Vec<Json> =
        (0..).zip(said.tool_calls).map(|(place, call)| tool_call(said, call, index, place)).collect();
    let message = if calls.is_empty() {
        object! {
            "role": "assistant", "content": said.text, "refusal": Json::null(), "annotations": Json::empty_list(),
        }
    } else {
        object! { "role": "assistant", "content": said.text, "tool_calls": calls, "refusal": Json::null() }
    };
    object! {
        "index": index,
        "message": message,
        "logprobs": logprobs(said, &said.pieces),
        "finish_reason": said.finish,
    }
}

fn tool_call_id(said: &WireAnswer<'_>, index: usize, place: usize) -> String {
    format!("call_{:06}_{index}_{place}", said.seen.number)
}

fn tool_call(said: &WireAnswer<'_>, call: &ToolCall, index: usize, place: usize) -> Json {
    object! {
        "id": tool_call_id(said, index, place),
        "type": "function",
        "function": object! { "name": call.name, "arguments": call.arguments },
    }
}

/// First who is called, then the arguments in fragments that are not JSON by themselves.
fn tool_call_deltas(said: &WireAnswer<'_>, call: &ToolCall, index: usize, place: usize) -> Vec<String> {
    let opening = object! {
        "index": place,
        "id": tool_call_id(said, index, place),
        "type": "function",
        "function": object! { "name": call.name, "arguments": "" },
    };
    let rest = fragments(&call.arguments).into_iter().map(|fragment| {
        object! { "index": place, "function": object! { "arguments": fragment } }
    });
    std::iter::once(opening).chain(rest).map(|call| object! { "tool_calls": vec![call] }.0).collect()
}

fn logprobs(said: &WireAnswer<'_>, pieces: &[String]) -> Json {
    if said.seen.json["logprobs"] != Value::Bool(true) {
        return Json::null();
    }
    let alternatives = said.seen.json["top_logprobs"].as_u64().unwrap_or(0).min(20);
    let tokens: Vec<Json> = pieces.iter().map(|piece| token(piece, alternatives)).collect();
    object! { "content": tokens, "refusal": Json::null() }
}

fn token(piece: &str, alternatives: u64) -> Json {
    let bytes = |text: &str| text.bytes().map(usize::from).collect::<Vec<_>>();
    let top: Vec<Json> = (0..alternatives)
        .map(|rank| {
            let text = if rank == 0 { piece.to_owned() } else { format!("{piece}{rank}") };
            object! { "token": text, "logprob": -0.25 - rank as f64, "bytes": bytes(&text) }
        })
        .collect();
    object! { "token": piece, "logprob": -0.25, "bytes": bytes(piece), "top_logprobs": top }
}

fn usage(said: &WireAnswer<'_>) -> Json {
    object! {
        "prompt_tokens": said.input_tokens,
        "completion_tokens": said.output_tokens,
        "total_tokens": said.input_tokens + said.output_tokens,
        "prompt_tokens_details": object! { "cached_tokens": 0_u64, "audio_tokens": 0_u64 },
        "completion_tokens_details": object! { "reasoning_tokens": 0_u64, "audio_tokens": 0_u64 },
    }
}
