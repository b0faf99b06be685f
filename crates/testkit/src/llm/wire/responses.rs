//! `POST /v1/responses`: OpenAI's newer wire, whole and as its numbered, named events.

use hyper::body::Bytes;
use serde_json::Value;

use super::json::{Json, object, quoted};
use super::{CREATED_SECONDS, UNUSUAL, WireAnswer, fragments};
use crate::llm::reply::ToolCall;

pub(super) fn whole(said: &WireAnswer<'_>) -> Json {
    response(said, final_status(said), &output(said), true)
}

pub(super) fn stream(said: &WireAnswer<'_>) -> Vec<Bytes> {
    let mut events = ScriptedEvents::default();
    let opening = response(said, "in_progress", &[], false);
    events.push("response.created", &[("response", &opening.0)]);
    events.push("response.in_progress", &[("response", &opening.0)]);
    let mut place = 0;
    if said.text.is_some() {
        text_events(said, &mut events);
        place += 1;
    }
    for call in said.tool_calls {
        call_events(said, call, place, &mut events);
        place += 1;
    }
    let status = final_status(said);
    let closing = response(said, status, &output(said), true);
    events.push(&format!("response.{status}"), &[("response", &closing.0)]);
    events.list
}

/// Numbers the events as they are added.
#[derive(Default)]
struct ScriptedEvents {
    list: Vec<Bytes>,
}

impl ScriptedEvents {
    /// The fields' values are JSON already.
    fn push(&mut self, name: &str, fields: &[(&str, &str)]) {
        self.push_at(&[], name, fields);
    }

    /// `place` is what the events of one part have in common.
    fn push_at(&mut self, place: &[(&str, &str)], name: &str, fields: &[(&str, &str)]) {
        let mut event =
            format!("event: {name}\ndata: {{\"type\":\"{name}\",\"sequence_number\":{}", self.list.len());
        for (field, value) in place.iter().chain(fields) {
            event.extend([",\"", field, "\":", value]);
        }
        event.push_str("}\n\n");
        self.list.push(Bytes::from(event));
    }
}

fn text_events(said: &WireAnswer<'_>, events: &mut ScriptedEvents) {
    let text = said.text.as_deref().unwrap_or_default();
    let item_id = quoted(&message_id(said));
    let place = [("item_id", item_id.as_str()), ("output_index", "0"), ("content_index", "0")];
    let begun = message(said, "in_progress", Json::empty_list());
    events.push("response.output_item.added", &[("output_index", "0"), ("item", &begun.0)]);
    events.push_at(&place, "response.content_part.added", &[("part", &part("").0)]);
    for piece in &said.pieces {
        let delta = quoted(piece);
        events.push_at(&place, "response.output_text.delta", &[("delta", &delta), ("logprobs", "[]")]);
    }
    let whole = quoted(text);
    events.push_at(&place, "response.output_text.done", &[("text", &whole), ("logprobs", "[]")]);
    events.push_at(&place, "response.content_part.done", &[("part", &part(text).0)]);
    let done = finished_message(said, text);
    events.push("response.output_item.done", &[("output_index", "0"), ("item", &done.0)]);
}

fn call_events(said: &WireAnswer<'_>, call: &ToolCall, place: usize, events: &mut ScriptedEvents) {
    let index = place.to_string();
    let item_id = quoted(&call_item_id(said, place));
    let begun = function_call(said, call, place, "in_progress", "");
    events.push("response.output_item.added", &[("output_index", &index), ("item", &begun.0)]);
    for fragment in fragments(&call.arguments) {
        let delta = quoted(&fragment);
        let fields = [("item_id", item_id.as_str()), ("output_index", &index), ("delta", &delta)];
        events.push("response.function_call_arguments.delta", &fields);
    }
    let arguments = quoted(&call.arguments);
    let name = quoted(&call.name);
    let fields =
        [("item_id", item_id.as_str()), ("output_index", &index), ("name", &name), ("arguments", &arguments)];
    events.push("response.function_call_arguments.done", &fields);
    let done = function_call(said, call, place, "completed", &call.arguments);
    events.push("response.output_item.done", &[("output_index", &index), ("item", &done.0)]);
}

fn output(said: &WireAnswer<'_>) -> Vec<Json> {
    let message = said.text.iter().map(|text| finished_message(said, text));
    let first = usize::from(said.text.is_some());
    let calls = (first..).zip(said.tool_calls);
    let calls = calls.map(|(place, call)| function_call(said, call, place, "completed", &call.arguments));
    message.chain(calls).collect()
}

fn response(said: &WireAnswer<'_>, status: &str, output: &[Json], with_usage: bool) -> Json {
    let request = &said.seen.json;
    let or =
        |field: &str, default: Value| if request[field].is_null() { default } else { request[field].clone() };
    let incomplete = (status == "incomplete").then(|| object! { "reason": "max_output_tokens" });
    object! {
        "id": format!("resp_{:06}", said.seen.number),
        "object": "response",
        "created_at": CREATED_SECONDS,
        "status": status,
        "error": Json::null(),
        "incomplete_details": incomplete,
        "instructions": request["instructions"],
        "metadata": or("metadata", serde_json::json!({})),
        "model": said.model,
        "output": output,
        "parallel_tool_calls": or("parallel_tool_calls", true.into()),
        "previous_response_id": request["previous_response_id"],
        "store": or("store", true.into()),
        "temperature": or("temperature", 1.0.into()),
        "tool_choice": or("tool_choice", "auto".into()),
        "tools": or("tools", serde_json::json!([])),
        "top_p": or("top_p", 1.0.into()),
        "truncation": "disabled",
        "usage": with_usage.then(|| usage(said)),
        "x_unusual": Json(UNUSUAL.to_owned()),
    }
}

fn final_status(said: &WireAnswer<'_>) -> &'static str {
    if said.finish == "length" { "incomplete" } else { "completed" }
}

fn message_id(said: &WireAnswer<'_>) -> String {
    format!("msg_{:06}", said.seen.number)
}

fn message(said: &WireAnswer<'_>, status: &str, content: Json) -> Json {
    object! {
        "id": message_id(said), "type": "message", "status": status, "role": "assistant", "content": content,
    }
}

fn finished_message(said: &WireAnswer<'_>, text: &str) -> Json {
    message(said, final_status(said), Json(format!("[{}]", part(text).0)))
}

fn part(text: &str) -> Json {
    object! { "type": "output_text", "text": text, "annotations": Json::empty_list(), "logprobs": Json::empty_list() }
}

fn call_item_id(said: &WireAnswer<'_>, place: usize) -> String {
    format!("fc_{:06}_{place}", said.seen.number)
}

fn function_call(
    said: &WireAnswer<'_>,
    call: &ToolCall,
    place: usize,
    status: &str,
    arguments: &str,
) -> Json {
    object! {
        "id": call_item_id(said, place),
        "type": "function_call",
        "status": status,
        "call_id": format!("call_{:06}_{place}", said.seen.number),
        "name": call.name,
        "arguments": arguments,
    }
}

fn usage(said: &WireAnswer<'_>) -> Json {
    object! {
        "input_tokens": said.input_tokens,
        "input_tokens_details": object! { "cached_tokens": 0_u64 },
        "output_tokens": said.output_tokens,
        "output_tokens_details": object! { "reasoning_tokens": 0_u64 },
        "total_tokens": said.input_tokens + said.output_tokens,
    }
}
