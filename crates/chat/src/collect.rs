//! What an assistant answered, put together from the copy of its bytes.
//!
//! Each dialect has its own pieces: [`chat`], [`responses`], [`messages`]. The result is the message as the client will
//! send it back with its next request, because that is how it is known again. Bounded: past [`limits::COLLECTED_BYTES`]
//! nothing more is kept and the reply counts as partial.

mod chat;
mod messages;
mod responses;

use crate::Dialect;
use serde_json::{Value, json};

use super::sse::{SseEvent, SseParser};
use crate::limits;

/// A reply, as far as it came.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CollectedReply {
    /// The message in the shape in which clients send it back, or in the one in which it counts.
    pub message: Value,
    /// The server's name for it, where the next request may go on from that.
    pub id: Option<String>,
    /// It did not come to its end, or was too long to keep.
    pub partial: bool,
}

impl CollectedReply {
    /// How many bytes of text it holds.
    pub fn bytes(&self) -> usize {
        fn of(value: &Value) -> usize {
            match value {
                Value::String(text) => text.len(),
                Value::Array(items) => items.iter().map(of).sum(),
                Value::Object(fields) => fields.values().map(of).sum(),
                Value::Null | Value::Bool(_) | Value::Number(_) => 0,
            }
        }
        of(&self.message)
    }

    /// Whether it was cut off, or goes on when its tools have answered.
    pub fn is_unfinished(&self) -> bool {
        let calls = self.message.get("tool_calls").and_then(Value::as_array);
        self.partial || calls.is_some_and(|calls| !calls.is_empty())
    }

    /// What it says and the tools it calls, in the shape in which the client sends it back.
    pub fn said_parts(&self) -> (&Value, Option<&Value>) {
        (&self.message["content"], self.message.get("tool_calls"))
    }

    /// Of what counts in a message; nothing where it says nothing.
    fn said(said: (Value, Option<Value>), id: Option<String>, partial: bool) -> Option<CollectedReply> {
        let (content, calls) = said;
        let mut message = json!({ "role": "assistant", "content": content });
        if let Some(calls) = calls {
            message["tool_calls"] = calls;
        }
        says(&message).then_some(CollectedReply { message, id, partial })
    }
}

fn says(message: &Value) -> bool {
    let has = |name: &str| message.get(name).is_some_and(|value| !value.is_null());
    message.is_object() && (has("content") || has("tool_calls"))
}

/// Follows one answer.
#[derive(Debug)]
pub struct ReplyCollector {
    dialect: Dialect,
    form: AnswerForm,
    /// Bytes kept so far.
    kept_bytes: usize,
    overflowed: bool,
    /// The stream said that it is over.
    done: bool,
    /// The body is over.
    ended: bool,
}

#[derive(Debug)]
enum AnswerForm {
    Stream(Box<StreamForm>),
    Whole(Vec<u8>),
}

#[derive(Debug)]
struct StreamForm {
    events: SseParser,
    pieces: ReplyPieces,
}

#[derive(Debug)]
enum ReplyPieces {
    Chat(chat::CompletionPieces),
    Responses(responses::ResponsesPieces),
    Messages(messages::MessagesPieces),
}

impl ReplyPieces {
    fn of(dialect: Dialect) -> (SseParser, ReplyPieces) {
        match dialect {
            Dialect::Chat => (SseParser::default(), ReplyPieces::Chat(chat::CompletionPieces::default())),
            Dialect::Responses => (
                SseParser::ending_with(responses::ENDS),
                ReplyPieces::Responses(responses::ResponsesPieces::default()),
            ),
            Dialect::Messages => (
                SseParser::ending_with(messages::ENDS),
                ReplyPieces::Messages(messages::MessagesPieces::default()),
            ),
        }
    }

    /// Takes an event's piece; gives the bytes that are kept of it.
    fn take(&mut self, data: &[u8]) -> usize {
        let Ok(event) = serde_json::from_slice::<Value>(data) else { return 0 };
        match self {
            ReplyPieces::Chat(pieces) => pieces.take(&event),
            ReplyPieces::Responses(pieces) => pieces.take(&event),
            ReplyPieces::Messages(pieces) => pieces.take(&event),
        }
    }

    fn is_complete(&self) -> bool {
        match self {
            ReplyPieces::Chat(pieces) => pieces.is_complete(),
            ReplyPieces::Responses(pieces) => pieces.is_complete(),
            ReplyPieces::Messages(pieces) => pieces.is_complete(),
        }
    }

    fn reply(self, partial: bool) -> Option<CollectedReply> {
        match self {
            ReplyPieces::Chat(pieces) => pieces.reply(partial),
            ReplyPieces::Responses(pieces) => pieces.reply(partial),
            ReplyPieces::Messages(pieces) => pieces.reply(partial),
        }
    }
}

impl ReplyCollector {
    pub fn new(dialect: Dialect, is_stream: bool) -> Self {
        let form = match is_stream {
            true => {
                let (events, pieces) = ReplyPieces::of(dialect);
                AnswerForm::Stream(Box::new(StreamForm { events, pieces }))
            }
            false => AnswerForm::Whole(Vec::new()),
        };
        Self { dialect, form, kept_bytes: 0, overflowed: false, done: false, ended: false }
    }

    /// Takes note of a chunk. Where it holds the line that ends the stream, says where in the chunk that line begins.
    pub fn feed(&mut self, chunk: &[u8]) -> Option<usize> {
        if self.overflowed {
            return None;
        }
        let mut done = None;
        match &mut self.form {
            AnswerForm::Whole(bytes) => {
                bytes.extend_from_slice(chunk);
                self.kept_bytes = bytes.len();
            }
            AnswerForm::Stream(stream) => {
                let mut pieces = Vec::new();
                stream.events.feed(chunk, |event| match event {
                    SseEvent::Data(data) => pieces.push(data),
                    SseEvent::Done { at } => done = done.or(Some(at)),
                });
                self.kept_bytes += pieces.iter().map(|data| stream.pieces.take(data)).sum::<usize>();
                if self.kept_bytes + stream.events.held_bytes() > limits::COLLECTED_BYTES {
                    stream.events = SseParser::default();
                    self.overflowed = true;
                }
            }
        }
        self.overflowed |= self.kept_bytes > limits::COLLECTED_BYTES;
        if let (true, AnswerForm::Whole(bytes)) = (self.overflowed, &mut self.form) {
            *bytes = Vec::new();
        }
        self.done |= done.is_some();
        done
    }

    /// The body came to its proper end.
    pub fn end(&mut self) {
        self.ended = true;
    }

    pub fn has_ended(&self) -> bool {
        self.done || self.ended
    }

    /// The reply, where there is one: an answer without a message of the assistant's has none.
    pub fn reply(self) -> Option<CollectedReply> {
        match self.form {
            AnswerForm::Stream(stream) => {
                // Some servers end a stream by ending it, but all say before why the reply is over.
                let partial = self.overflowed || !(self.done || stream.pieces.is_complete());
                stream.pieces.reply(partial)
            }
            AnswerForm::Whole(bytes) => {
                let answer: Value = serde_json::from_slice(&bytes).ok()?;
                match self.dialect {
                    Dialect::Chat => chat::whole(answer, !self.ended),
                    Dialect::Responses => responses::whole(&answer, !self.ended),
                    Dialect::Messages => messages::whole(&answer, !self.ended),
                }
            }
        }
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

    pub fn collected(dialect: Dialect, is_stream: bool, text: &str, piece: usize) -> Option<CollectedReply> {
        let mut collector = ReplyCollector::new(dialect, is_stream);
        for chunk in text.as_bytes().chunks(piece) {
            collector.feed(chunk);
        }
        collector.end();
        collector.reply()
    }

    #[test]
    fn no_more_is_kept_than_the_bound() {
        let mut collector = ReplyCollector::new(Dialect::Chat, true);
        let piece = json!({ "choices": [{ "index": 0, "delta": { "content": "x".repeat(100_000) } }] });
        let event = format!("data: {piece}\n\n");
        for _ in 0..60 {
            collector.feed(event.as_bytes());
        }
        let reply = collector.reply().expect("the beginning was kept");
        let kept = reply.message["content"].as_str().expect("text").len();
        assert!(reply.partial && kept <= limits::COLLECTED_BYTES + 100_000, "{kept}");
        let mut endless = ReplyCollector::new(Dialect::Chat, true);
        endless.feed(b"data: ");
        for _ in 0..60 {
            endless.feed(&[b'x'; 100_000]);
        }
        assert_eq!(endless.reply(), None);
    }
}
