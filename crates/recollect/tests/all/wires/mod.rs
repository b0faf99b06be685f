//! The other two dialects of chats over real HTTP: OpenAI's responses and Anthropic's messages, with the same memory.
//!
//! Each test runs for both. [`story`] is what it is for; [`faithful`] and [`prefix`] what must not change; [`kept`]
//! conversations that the upstream keeps itself; [`refused`] how errors look; [`cut`] answers that do not come to their end.

mod cut;
mod faithful;
mod kept;
mod prefix;
mod refused;
mod story;

use std::sync::Arc;

use chat::{Dialect, Envelope};
use models::{Upstream, Upstreams};
use recollect::core_model::Models;
use recollect::ops::Services;
use serde_json::{Value, json};

use super::proxy::{ProxyAnswer, Rig, answer};

const BOTH: [TestedWire; 2] = [TestedWire::Responses, TestedWire::Messages];

/// One of the two, as its clients write it.
#[derive(Debug, Clone, Copy, PartialEq)]
enum TestedWire {
    Responses,
    Messages,
}

impl TestedWire {
    fn path(self) -> &'static str {
        match self {
            TestedWire::Responses => "/v1/responses",
            TestedWire::Messages => "/v1/messages",
        }
    }

    fn dialect(self) -> Dialect {
        match self {
            TestedWire::Responses => Dialect::Responses,
            TestedWire::Messages => Dialect::Messages,
        }
    }

    fn body(self, messages: &[Value]) -> Value {
        match self {
            TestedWire::Responses => json!({ "model": "m", "input": messages }),
            TestedWire::Messages => json!({ "model": "m", "max_tokens": 1_000, "messages": messages }),
        }
    }

    /// A request with one message.
    fn user(self, text: &str) -> Value {
        self.body(&[json!({ "role": "user", "content": text })])
    }

    /// What a client keeps of an answer.
    fn kept(self, answer: &Value) -> Vec<Value> {
        match self {
            TestedWire::Responses => answer["output"].as_array().expect("items").clone(),
            TestedWire::Messages => vec![json!({ "role": "assistant", "content": answer["content"] })],
        }
    }

    /// What a client brings back for the tool that an answer calls.
    fn result(self, answer: &Value) -> Option<Value> {
        match self {
            TestedWire::Responses => {
                let items = answer["output"].as_array().expect("items");
                let call = items.iter().find(|item| item["type"] == "function_call")?;
                Some(json!({ "type": "function_call_output", "call_id": call["call_id"], "output": "found" }))
            }
            TestedWire::Messages => {
                let parts = answer["content"].as_array().expect("parts");
                let call = parts.iter().find(|part| part["type"] == "tool_use")?;
                let result = json!({ "type": "tool_result", "tool_use_id": call["id"], "content": "found" });
                Some(json!({ "role": "user", "content": [result] }))
            }
        }
    }

    /// An answer that was streamed, as its client puts it together.
    fn assembled(self, stream: &str) -> Value {
        let events: Vec<Value> = stream
            .lines()
            .filter_map(|line| serde_json::from_str(line.strip_prefix("data: ")?).ok())
            .collect();
        match self {
            TestedWire::Responses => events.last().expect("an end")["response"].clone(),
            TestedWire::Messages => json!({ "content": blocks(&events) }),
        }
    }

    /// What the upstream saw of the conversation, without the closing bracket.
    fn list(self, body: &[u8]) -> String {
        let span = Envelope::read_as(self.dialect(), body).expect("readable").messages.expect("a list");
        String::from_utf8(body[span.start..span.end - 1].to_vec()).expect("text")
    }
}

fn blocks(events: &[Value]) -> Vec<Value> {
    let mut blocks: Vec<Value> = Vec::new();
    let mut written = String::new();
    for event in events {
        match event["type"].as_str().expect("a type") {
            "content_block_start" => {
                written.clear();
                blocks.push(event["content_block"].clone());
            }
            "content_block_delta" => {
                let piece =
                    event["delta"]["text"].as_str().or_else(|| event["delta"]["partial_json"].as_str());
                written.push_str(piece.expect("a piece"));
            }
            "content_block_stop" => {
                let block = blocks.last_mut().expect("one began");
                if block["type"] == "text" {
                    block["text"] = json!(written);
                } else {
                    block["input"] = serde_json::from_str(&written).expect("JSON");
                }
            }
            _ => {}
        }
    }
    blocks
}

/// The scripted model on both wires: the same server under two names.
fn both(house: &mut Services) {
    let openai = house.models.upstreams().all()[0].clone();
    let anthropic = Upstream::new("claude", models::UpstreamWire::Anthropic, &openai.base_url);
    house.models = Arc::new(Models::new(Upstreams::new(vec![openai, anthropic], None)));
}

async fn rig() -> Rig {
    Rig::with(both).await
}

async fn post(rig: &Rig, wire: TestedWire, headers: &[(&str, &str)], body: impl ToString) -> ProxyAnswer {
    let request = rig.post(wire.path()).body(body.to_string());
    answer(headers.iter().fold(request, |request, (name, value)| request.header(*name, *value))).await
}

/// A conversation, streamed or not.
struct WireTalk<'r> {
    rig: &'r Rig,
    wire: TestedWire,
    stream: bool,
    messages: Vec<Value>,
}

impl<'r> WireTalk<'r> {
    fn new(rig: &'r Rig, wire: TestedWire, stream: bool) -> Self {
        Self { rig, wire, stream, messages: Vec::new() }
    }

    /// Sends the conversation as it is and takes the answer into it; gives what the client brings back for a tool.
    async fn send(&mut self, headers: &[(&str, &str)]) -> (ProxyAnswer, Option<Value>) {
        let mut body = self.wire.body(&self.messages);
        body["stream"] = json!(self.stream);
        let answer = post(self.rig, self.wire, headers, body).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        let whole = if self.stream { self.wire.assembled(&answer.text()) } else { answer.json() };
        self.messages.extend(self.wire.kept(&whole));
        (answer, self.wire.result(&whole))
    }

    async fn says(&mut self, headers: &[(&str, &str)], text: &str) -> (ProxyAnswer, Option<Value>) {
        self.messages.push(json!({ "role": "user", "content": text }));
        self.send(headers).await
    }
}
