//! `POST /v1/messages`: Anthropic's wire, whole and as its named events.

use hyper::body::Bytes;

use super::json::{Json, object};
use super::{UNUSUAL, WireAnswer, fragments};
use crate::llm::reply::ToolCall;

pub(super) fn whole(said: &WireAnswer<'_>) -> Json {
    let text = said.text.iter().map(|text| object! { "type": "text", "text": text });
    let calls = (0..)
        .zip(said.tool_calls)
        .map(|(place, call)| tool_use(said, call, place, Json(call.arguments.clone())));
    message(said, &text.chain(calls).collect::<Vec<_>>(), Some(stop_reason(said)), said.output_tokens)
}

pub(super) fn stream(said: &WireAnswer<'_>) -> Vec<Bytes> {
    let opening = message(said, &[], None, 1);
    let mut events = vec![event("message_start", object! { "type": "message_start", "message": opening })];
    let mut blocks = 0;
    if said.text.is_some() {
        let empty = object! { "type": "text", "text": "" };
        let deltas = said.pieces.iter().map(|piece| object! { "type": "text_delta", "text": piece });
        block(&mut events, blocks, empty, deltas);
        blocks += 1;
    }
    for (place, call) in said.tool_calls.iter().enumerate() {
        let empty = tool_use(said, call, place, Json::empty_object());
        let parts = std::iter::once(String::new()).chain(fragments(&call.arguments));
        let deltas = parts.map(|part| object! { "type": "input_json_delta", "partial_json": part });
        block(&mut events, blocks, empty, deltas);
        blocks += 1;
    }
    // Anthropic's servers send a ping after the first block has begun.
    events.insert(events.len().min(2), event("ping", object! { "type": "ping" }));
    let delta = object! { "stop_reason": stop_reason(said), "stop_sequence": Json::null() };
    let usage = object! { "output_tokens": said.output_tokens };
    events.push(event("message_delta", object! { "type": "message_delta", "delta": delta, "usage": usage }));
    events.push(event("message_stop", object! { "type": "message_stop" }));
    events
}

fn block(events: &mut Vec<Bytes>, index: usize, empty: Json, deltas: impl Iterator<Item = Json>) {
    let start = object! { "type": "content_block_start", "index": index, "content_block": empty };
    events.push(event("content_block_start", start));
    events.extend(deltas.map(|delta| {
        event(
            "content_block_delta",
            object! { "type": "content_block_delta", "index": index, "delta": delta },
        )
    }));
    events.push(event("content_block_stop", object! { "type": "content_block_stop", "index": index }));
}

fn event(name: &str, data: Json) -> Bytes {
    Bytes::from(format!("event: {name}\ndata: {}\n\n", data.0))
}

fn message(said: &WireAnswer<'_>, content: &[Json], stop_reason: Option<&str>, output_tokens: u64) -> Json {
    object! {
        "id": format!("msg_{:06}", said.seen.number),
        "type": "message",
        "role": "assistant",
        "model": said.model,
        "content": content,
        "stop_reason": stop_reason,
        "stop_sequence": Json::null(),
        "usage": object! {
            "input_tokens": said.input_tokens,
            "cache_creation_input_tokens": 0_u64,
            "cache_read_input_tokens": 0_u64,
            "output_tokens": output_tokens,
            "service_tier": "standard",
        },
        "x_unusual": Json(UNUSUAL.to_owned()),
    }
}

fn tool_use(said: &WireAnswer<'_>, call: &ToolCall, place: usize, input: Json) -> Json {
    let id = format!("toolu_{:06}_{place}", said.seen.number);
    object! { "type": "tool_use", "id": id, "name": call.name, "input": input }
}

fn stop_reason<'a>(said: &'a WireAnswer<'_>) -> &'a str {
    match said.finish.as_str() {
        "stop" => "end_turn",
        "length" => "max_tokens",
        "tool_calls" => "tool_use",
        "content_filter" => "refusal",
        other => other,
    }
}
