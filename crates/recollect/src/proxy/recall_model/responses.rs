//! An answer from memory as a response of items.

use memory::text::tokens;
use serde_json::{Value, json};

use super::AnswerFormat;
use crate::proxy::RECALL_MODEL;

pub fn whole(text: &str, form: &AnswerFormat) -> Value {
    let mut response = response(form, "completed", json!([message(form, Some(text))]));
    let (input, output) = (form.prompt_tokens, tokens::estimate(text));
    response["usage"] = json!({
        "input_tokens": input,
        "input_tokens_details": { "cached_tokens": 0 },
        "output_tokens": output,
        "output_tokens_details": { "reasoning_tokens": 0 },
        "total_tokens": input + output,
    });
    response
}

pub fn streamed(text: &str, form: &AnswerFormat) -> String {
    let mut events = ResponseEvents::default();
    let begun = response(form, "in_progress", json!([]));
    events.push("response.created", json!({ "response": begun }));
    events.push("response.in_progress", json!({ "response": begun }));
    let place = |mut data: Value| {
        (data["item_id"], data["output_index"], data["content_index"]) =
            (json!(item_id(form)), json!(0), json!(0));
        data
    };
    events.push("response.output_item.added", json!({ "output_index": 0, "item": message(form, None) }));
    events.push("response.content_part.added", place(json!({ "part": part("") })));
    for line in text.split_inclusive('\n') {
        events.push("response.output_text.delta", place(json!({ "delta": line, "logprobs": [] })));
    }
    events.push("response.output_text.done", place(json!({ "text": text, "logprobs": [] })));
    events.push("response.content_part.done", place(json!({ "part": part(text) })));
    events.push("response.output_item.done", json!({ "output_index": 0, "item": message(form, Some(text)) }));
    events.push("response.completed", json!({ "response": whole(text, form) }));
    events.body
}

/// Numbers the events as they are added.
#[derive(Default)]
struct ResponseEvents {
    body: String,
    count: usize,
}

impl ResponseEvents {
    fn push(&mut self, name: &str, mut data: Value) {
        (data["type"], data["sequence_number"]) = (json!(name), json!(self.count));
        self.count += 1;
        self.body.push_str(&format!("event: {name}\ndata: {data}\n\n"));
    }
}

fn response(form: &AnswerFormat, status: &str, output: Value) -> Value {
    json!({
        "id": form.id,
        "object": "response",
        "created_at": form.created,
        "status": status,
        "error": null,
        "incomplete_details": null,
        "instructions": null,
        "metadata": {},
        "model": RECALL_MODEL,
        "output": output,
        "parallel_tool_calls": true,
        "temperature": null,
        "tool_choice": "auto",
        "tools": [],
        "top_p": null,
        "usage": null,
    })
}

fn item_id(form: &AnswerFormat) -> String {
    form.id.replacen("resp_", "msg_", 1)
}

/// The message, or how it begins.
fn message(form: &AnswerFormat, text: Option<&str>) -> Value {
    let status = if text.is_some() { "completed" } else { "in_progress" };
    let content: Vec<Value> = text.map(part).into_iter().collect();
    json!({ "id": item_id(form), "type": "message", "status": status, "role": "assistant", "content": content })
}

fn part(text: &str) -> Value {
    json!({ "type": "output_text", "text": text, "annotations": [], "logprobs": [] })
}
