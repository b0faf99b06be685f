//! What an assistant answered, put together from the copy of its bytes.
//!
//! Of a stream, the pieces of the first choice's content and tool calls; of a whole answer, its first message. The result
//! is the message as the client will send it back with its next request, because that is how it is known again. Bounded:
//! past [`limits::COLLECTED_BYTES`] nothing more is kept and the reply counts as partial.

use serde_json::{Map, Value, json};

use super::sse::{Event, Events};
use crate::limits;

/// A reply, as far as it came.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Reply {
    /// The message in the shape in which clients send it back.
    pub message: Value,
    /// It did not come to its end, or was too long to keep.
    pub partial: bool,
}

/// Follows one answer.
#[derive(Debug)]
pub struct Collector {
    form: Form,
    /// Bytes kept so far.
    kept_bytes: usize,
    overflowed: bool,
    ended: bool,
}

#[derive(Debug)]
enum Form {
    Stream(Box<Stream>),
    Whole(Vec<u8>),
}

#[derive(Debug, Default)]
struct Stream {
    events: Events,
    content: Option<String>,
    refusal: Option<String>,
    calls: Vec<Call>,
    finish_reason: Option<String>,
}

#[derive(Debug, Default)]
struct Call {
    index: u64,
    id: String,
    kind: String,
    name: String,
    arguments: String,
}

impl Collector {
    pub fn new(is_stream: bool) -> Self {
        let form = if is_stream { Form::Stream(Box::default()) } else { Form::Whole(Vec::new()) };
        Self { form, kept_bytes: 0, overflowed: false, ended: false }
    }

    /// Takes note of a chunk. Where it holds the line that ends the stream, says where in the chunk that line begins.
    pub fn feed(&mut self, chunk: &[u8]) -> Option<usize> {
        if self.overflowed {
            return None;
        }
        let mut done = None;
        match &mut self.form {
            Form::Whole(bytes) => {
                bytes.extend_from_slice(chunk);
                self.kept_bytes = bytes.len();
            }
            Form::Stream(stream) => {
                let mut pieces = Vec::new();
                stream.events.feed(chunk, |event| match event {
                    Event::Data(data) => pieces.push(data),
                    Event::Done { at } => done = Some(at),
                });
                self.kept_bytes += pieces.iter().map(|data| stream.take(data)).sum::<usize>();
                if self.kept_bytes + stream.events.held_bytes() > limits::COLLECTED_BYTES {
                    stream.events = Events::default();
                    self.overflowed = true;
                }
            }
        }
        self.overflowed |= self.kept_bytes > limits::COLLECTED_BYTES;
        if let (true, Form::Whole(bytes)) = (self.overflowed, &mut self.form) {
            *bytes = Vec::new();
        }
        self.ended |= done.is_some();
        done
    }

    /// The body came to its proper end.
    pub fn end(&mut self) {
        self.ended = true;
    }

    pub fn has_ended(&self) -> bool {
        self.ended
    }

    /// The reply, where there is one: an answer without a message of the assistant's has none.
    pub fn reply(self) -> Option<Reply> {
        match self.form {
            Form::Stream(stream) => {
                let complete = stream.finish_reason.is_some() || self.ended;
                let partial = self.overflowed || !complete;
                stream.message().map(|message| Reply { message, partial })
            }
            Form::Whole(bytes) => {
                let mut answer: Value = serde_json::from_slice(&bytes).ok()?;
                let message = answer.pointer_mut("/choices/0/message")?.take();
                let says = message.is_object() && (has(&message, "content") || has(&message, "tool_calls"));
                says.then_some(Reply { message, partial: !self.ended })
            }
        }
    }
}

fn has(message: &Value, name: &str) -> bool {
    message.get(name).is_some_and(|value| !value.is_null())
}

impl Stream {
    /// Takes one event's piece of the first choice; gives the bytes that are kept of it.
    fn take(&mut self, data: &[u8]) -> usize {
        let Ok(event) = serde_json::from_slice::<Value>(data) else { return 0 };
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
            self.calls.push(Call { index, ..Call::default() });
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
            message.insert("tool_calls".to_owned(), self.calls.into_iter().map(Call::whole).collect());
        }
        Some(Value::Object(message))
    }
}

impl Call {
    fn whole(self) -> Value {
        let kind = if self.kind.is_empty() { "function" } else { &self.kind };
        let function = json!({ "name": self.name, "arguments": self.arguments });
        json!({ "id": self.id, "type": kind, "function": function })
    }
}

/// Appends a piece of text, where it is one; an empty one still says that there is a text.
fn grow(text: &mut Option<String>, piece: &Value) -> usize {
    let Some(piece) = piece.as_str() else { return 0 };
    text.get_or_insert_default().push_str(piece);
    piece.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn collected(is_stream: bool, text: &str, piece: usize) -> Option<Reply> {
        let mut collector = Collector::new(is_stream);
        for chunk in text.as_bytes().chunks(piece) {
            collector.feed(chunk);
        }
        collector.end();
        collector.reply()
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
            assert_eq!(reply, Reply { message: expected.clone(), partial: false });
        }
    }

    #[test]
    fn what_is_cut_off_is_partial() {
        let mut collector = Collector::new(true);
        collector.feed(b"data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"half a\"}}]}\n\n");
        let reply = collector.reply().expect("something came");
        assert!(reply.partial && reply.message["content"] == "half a");
        let mut collector = Collector::new(true);
        collector
            .feed(b"data: {\"choices\":[{\"delta\":{\"content\":\"all\"},\"finish_reason\":\"stop\"}]}\n\n");
        assert!(!collector.reply().expect("a reply").partial, "it said that it was finished");
        assert_eq!(Collector::new(true).reply(), None);
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

    #[test]
    fn no_more_is_kept_than_the_bound() {
        let mut collector = Collector::new(true);
        let piece = json!({ "choices": [{ "index": 0, "delta": { "content": "x".repeat(100_000) } }] });
        let event = format!("data: {piece}\n\n");
        for _ in 0..60 {
            collector.feed(event.as_bytes());
        }
        let reply = collector.reply().expect("the beginning was kept");
        let kept = reply.message["content"].as_str().expect("text").len();
        assert!(reply.partial && kept <= limits::COLLECTED_BYTES + 100_000, "{kept}");
        let mut endless = Collector::new(true);
        endless.feed(b"data: ");
        for _ in 0..60 {
            endless.feed(&[b'x'; 100_000]);
        }
        assert_eq!(endless.reply(), None);
    }
}
