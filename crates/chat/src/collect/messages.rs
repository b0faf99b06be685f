//! An answer in Anthropic's words: the parts of one message, whole or block by block.

use crate::wire::messages;
use serde_json::{Value, json};

use super::{CollectedReply, grow};

/// The event behind which nothing comes.
pub const ENDS: &[&str] = &["message_stop"];

/// What a block costs even where it says nothing, so that a stream of empty ones ends too.
const BLOCK_BYTES: usize = 16;

#[derive(Debug, Default)]
pub struct MessagesPieces {
    blocks: Vec<MessagesBlock>,
    complete: bool,
}

#[derive(Debug)]
struct MessagesBlock {
    index: u64,
    /// As it began.
    part: Value,
    text: Option<String>,
    /// The arguments of a tool, in pieces of JSON.
    input: Option<String>,
}

impl MessagesPieces {
    /// Takes an event's piece; gives the bytes that are kept of it.
    pub fn take(&mut self, event: &Value) -> usize {
        let index = event["index"].as_u64().unwrap_or(0);
        match event["type"].as_str().unwrap_or_default() {
            "content_block_start" => self.begin(index, &event["content_block"]),
            "content_block_delta" => {
                let Some(block) = self.blocks.iter_mut().find(|block| block.index == index) else { return 0 };
                let delta = &event["delta"];
                match delta["type"].as_str().unwrap_or_default() {
                    "text_delta" => grow(&mut block.text, &delta["text"]),
                    "input_json_delta" => grow(&mut block.input, &delta["partial_json"]),
                    _ => 0,
                }
            }
            "message_delta" => {
                self.complete |= event["delta"]["stop_reason"].is_string();
                0
            }
            _ => 0,
        }
    }

    /// Only text and calls of the client's tools are kept.
    fn begin(&mut self, index: u64, part: &Value) -> usize {
        let mut block = MessagesBlock { index, part: Value::Null, text: None, input: None };
        let kept = match part["type"].as_str().unwrap_or_default() {
            "text" => grow(&mut block.text, &part["text"]),
            "tool_use" => {
                block.part = json!({ "id": part["id"], "name": part["name"], "input": part["input"] });
                block.part.to_string().len()
            }
            _ => return 0,
        };
        self.blocks.push(block);
        kept + BLOCK_BYTES
    }

    pub fn is_complete(&self) -> bool {
        self.complete
    }

    pub fn reply(mut self, partial: bool) -> Option<CollectedReply> {
        self.blocks.sort_by_key(|block| block.index);
        let parts: Vec<Value> = self.blocks.into_iter().map(MessagesBlock::whole).collect();
        CollectedReply::said(messages::said(&parts), None, partial)
    }
}

impl MessagesBlock {
    fn whole(self) -> Value {
        let Some(text) = self.text else {
            let mut part = self.part;
            part["type"] = Value::from("tool_use");
            if let Some(written) = self.input.filter(|written| !written.is_empty()) {
                // Cut off in the middle, it is kept as it was written.
                part["input"] = serde_json::from_str(&written).unwrap_or(Value::String(written));
            }
            return part;
        };
        json!({ "type": "text", "text": text })
    }
}

/// The reply of a whole answer.
pub fn whole(answer: &Value, partial: bool) -> Option<CollectedReply> {
    let parts = answer["content"].as_array().filter(|_| answer["role"] == "assistant")?;
    CollectedReply::said(messages::said(parts), None, partial)
}

#[cfg(test)]
mod tests {
    use crate::Dialect;

    use super::super::tests::collected;
    use super::*;

    const STREAM: &str = "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"id\":\"msg_1\",\"content\":[]}}\n\n\
        event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"thinking\",\"thinking\":\"\"}}\n\n\
        event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"thinking_delta\",\"thinking\":\"hm\"}}\n\n\
        event: ping\ndata: {\"type\": \"ping\"}\n\n\
        event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":1,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\n\
        event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":1,\"delta\":{\"type\":\"text_delta\",\"text\":\"Gr\u{fc}\"}}\n\n\
        event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":1,\"delta\":{\"type\":\"text_delta\",\"text\":\"\u{df}e\"}}\n\n\
        event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":2,\"content_block\":{\"type\":\"tool_use\",\"id\":\"t1\",\"name\":\"look\",\"input\":{}}}\n\n\
        event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":2,\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":\"{\\\"a\\\":\"}}\n\n\
        event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":2,\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":\" 1}\"}}\n\n\
        event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"tool_use\"}}\n\n";

    #[test]
    fn a_stream_says_what_a_whole_answer_says() {
        let answer = json!({ "type": "message", "role": "assistant", "content": [
            { "type": "thinking", "thinking": "hm", "signature": "x" },
            { "type": "text", "text": "Grüße" },
            { "type": "tool_use", "id": "t1", "name": "look", "input": { "a": 1 } },
        ] });
        let whole = collected(Dialect::Messages, false, &answer.to_string(), 7).expect("a reply");
        assert_eq!(
            whole.message["tool_calls"],
            json!([{ "id": "t1", "name": "look", "arguments": { "a": 1 } }])
        );
        for piece in [1, 7, 100, 10_000] {
            let text = format!("{STREAM}event: message_stop\ndata: {{\"type\":\"message_stop\"}}\n\n");
            assert_eq!(collected(Dialect::Messages, true, &text, piece).as_ref(), Some(&whole));
        }
        assert!(!whole.partial);
    }

    #[test]
    fn what_is_cut_off_is_partial() {
        let cut = STREAM.split("event: message_delta").next().expect("a beginning");
        assert!(collected(Dialect::Messages, true, cut, 50).expect("a reply").partial);
        assert!(
            !collected(Dialect::Messages, true, STREAM, 50).expect("a reply").partial,
            "it said why it stopped"
        );
        assert_eq!(
            collected(Dialect::Messages, false, r#"{"type":"error","error":{"message":"no"}}"#, 5),
            None
        );
        assert_eq!(
            collected(Dialect::Messages, true, "event: error\ndata: {\"type\":\"error\"}\n\n", 5),
            None
        );
    }
}
