//! An answer from memory in Anthropic's words.

use serde_json::{Value, json};

use super::AnswerFormat;
use crate::proxy::RECALL_MODEL;

pub fn whole(text: &str, form: &AnswerFormat) -> Value {
    let mut message = message(form);
    message["content"] = json!([{ "type": "text", "text": text }]);
    message["stop_reason"] = json!("end_turn");
    message["usage"] = used(text, form);
    message
}

pub fn streamed(text: &str, form: &AnswerFormat) -> String {
    let event = |mut data: Value, name: &str| {
        data["type"] = Value::from(name);
        format!("event: {name}\ndata: {data}\n\n")
    };
    let mut body = event(json!({ "message": message(form) }), "message_start");
    let begun = json!({ "index": 0, "content_block": { "type": "text", "text": "" } });
    body.push_str(&event(begun, "content_block_start"));
    for line in text.split_inclusive('\n') {
        let delta = json!({ "index": 0, "delta": { "type": "text_delta", "text": line } });
        body.push_str(&event(delta, "content_block_delta"));
    }
    body.push_str(&event(json!({ "index": 0 }), "content_block_stop"));
    let delta = json!({ "stop_reason": "end_turn", "stop_sequence": null });
    let usage = json!({ "output_tokens": used(text, form)["output_tokens"] });
    body.push_str(&event(json!({ "delta": delta, "usage": usage }), "message_delta"));
    body.push_str(&event(json!({}), "message_stop"));
    body
}

fn message(form: &AnswerFormat) -> Value {
    json!({
        "id": form.id,
        "type": "message",
        "role": "assistant",
        "model": RECALL_MODEL,
        "content": [],
        "stop_reason": null,
        "stop_sequence": null,
        "usage": used("", form),
    })
}

fn used(text: &str, form: &AnswerFormat) -> Value {
    json!({ "input_tokens": form.prompt_tokens, "output_tokens": memory::text::tokens::estimate(text) })
}
