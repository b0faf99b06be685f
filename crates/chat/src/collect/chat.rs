//! An answer as a chat completion: of a stream, the pieces of the first choice's content and tool calls; of a whole answer,
//! its first message.

use serde_json::{Map, Value, json};

use super::{CollectedReply, grow, says};

#[derive(Debug, Default)]
pub struct CompletionPieces {
    content: Option<String>,
    refusal: Option<String>,
    calls: Vec<ToolCallPieces>,
    finish_reason: Option<String>,
}

#[derive(Debug, Default)]
struct ToolCallPieces {
    index: u64,
    id: String,
    kind: String,
    name: String,
    arguments: String,
}

/// The reply of a whole answer.
pub fn whole(mut answer: Value, partial: bool) -> Option<CollectedReply> {
    let message = answer.pointer_mut("/choices/0/message")?.take();
    says(&message).then_some(CollectedReply { message, id: None, partial })
}

impl CompletionPieces {
    /// Takes one event's piece of the first choice; gives the bytes that are kept of it.
    pub fn take(&mut self, event: &Value) -> usize {
        let choices = event["choices"].as_array().map(Vec::as_slice).unwrap_or_default();
        let first = |choice: &&Value| choice["index"].as_u64().unwrap_or(0) == 0;
        let mut kept = 0;
        for choice in choices.iter().filter(first) {
            if let Some(reason) = choice["finish_reason"].as_str() {
                self.finish_reason = Some(reason.to_owned());
            }
            let delta = &choice["delta"];
            kept += grow(&mut self.content, &delta["content"]) + grow(&mut self.refusal, &delta["refusal"]);
            let calls = delta["tool_calls"].as_array().map(Vec::as_slice).unwrap_or_default();
            kept += calls.iter().map(|call| self.take_call(call)).sum::<usize>();
        }
        kept
    }

    fn take_call(&mut self, piece: &Value) -> usize {
        let index = piece["index"].as_u64().unwrap_or(self.calls.len() as u64);
        let place = self.calls.iter().position(|call| call.index == index).unwrap_or_else(|| {
            self.calls.push(ToolCallPieces { index, ..ToolCallPieces::default() });
            self.calls.len() - 1
        });
        let call = &mut self.calls[place];
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let (id, kind) = (text(&piece["id"]), text(&piece["type"]));
        let (name, arguments) = (text(&piece["function"]["name"]), text(&piece["function"]["arguments"]));
        if !id.is_empty() {
            call.id = id;
        }
        if !kind.is_empty() {
            call.kind = kind;
        }
        call.name.push_str(&name);
        call.arguments.push_str(&arguments);
        // A call costs something even where it says nothing, so that a stream of empty ones ends too.
        name.len() + arguments.len() + 16
    }

    pub fn is_complete(&self) -> bool {
        self.finish_reason.is_some()
    }

    pub fn reply(self, partial: bool) -> Option<CollectedReply> {
        self.message().map(|message| CollectedReply { message, id: None, partial })
    }

    fn message(self) -> Option<Value> {
        if self.content.is_none() && self.calls.is_empty() {
            return None;
        }
        let mut message = Map::new();
        message.insert("role".to_owned(), Value::from("assistant"));
        message.insert("content".to_owned(), self.content.map_or(Value::Null, Value::from));
        if let Some(refusal) = self.refusal {
            message.insert("refusal".to_owned(), Value::from(refusal));
        }
        if !self.calls.is_empty() {
            message
                .insert("tool_calls".to_owned(), self.calls.into_iter().map(ToolCallPieces::whole).collect());
        }
        Some(Value::Object(message))
    }
}

impl ToolCallPieces {
    fn whole(self) -> Value {
        let kind = if self.kind.is_empty() { "function" } else { &self.kind };
        let function = json!({ "name": self.name, "arguments": self.arguments });
        json!({ "id": self.id, "type": kind, "function": function })
    }
}

#[cfg(test)]
mod tests {
    use crate::Dialect;

    use super::super::ReplyCollector;
    use super::*;

    fn collected(is_stream: bool, text: &str, piece: usize) -> Option<CollectedReply> {
        super::super::tests::collected(Dialect::Chat, is_stream, text, piece)
    }

    #[test]
    fn a_stream_becomes_the_message_that_comes_back() {
        let text = [
            r#"{"choices":[{"index":0,"delta":{"role":"assistant","content":""}}]}"#,
            r#"{"choices":[{"index":1,"delta":{"content":"not this"}},{"index":0,"delta":{"content":"Grüße"}}]}"#,
            r#"{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c1","type":"function","function":{"name":"look","arguments":""}}]}}]}"#,
            r#"{"choices":[{"index":0,"delta":{"tool_calls":[{"index":1,"id":"c2","function":{"name":"up","arguments":"{}"}},{"index":0,"function":{"arguments":"{\"a\":1}"}}]}}]}"#,
            r#"{"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}"#,
            r#"{"choices":[],"usage":{"total_tokens":3}}"#,
        ]
        .map(|data| format!("data: {data}\n\n"))
        .concat();
        let expected = json!({ "role": "assistant", "content": "Grüße", "tool_calls": [
            { "id": "c1", "type": "function", "function": { "name": "look", "arguments": "{\"a\":1}" } },
            { "id": "c2", "type": "function", "function": { "name": "up", "arguments": "{}" } } ] });
        for piece in [1, 7, 100, text.len()] {
            let reply = collected(true, &format!("{text}data: [DONE]\n\n"), piece).expect("a reply");
            assert_eq!(reply, CollectedReply { message: expected.clone(), id: None, partial: false });
        }
    }

    #[test]
    fn what_is_cut_off_is_partial() {
        let mut collector = ReplyCollector::new(Dialect::Chat, true);
        collector.feed(b"data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"half a\"}}]}\n\n");
        let reply = collector.reply().expect("something came");
        assert!(reply.partial && reply.message["content"] == "half a");
        let mut collector = ReplyCollector::new(Dialect::Chat, true);
        collector
            .feed(b"data: {\"choices\":[{\"delta\":{\"content\":\"all\"},\"finish_reason\":\"stop\"}]}\n\n");
        assert!(!collector.reply().expect("a reply").partial, "it said that it was finished");
        assert_eq!(ReplyCollector::new(Dialect::Chat, true).reply(), None);
    }

    #[test]
    fn a_whole_answer_is_its_first_message() {
        let answer =
            json!({ "choices": [{ "message": { "role": "assistant", "content": "Yes.", "x": 1 } }] });
        let reply = collected(false, &answer.to_string(), 5).expect("a reply");
        assert_eq!(reply.message, json!({ "role": "assistant", "content": "Yes.", "x": 1 }));
        assert_eq!(collected(false, r#"{"error":{"message":"no"}}"#, 5), None);
        assert_eq!(collected(false, "not json", 5), None);
    }
}
