//! One answer: what is said, how it comes, and how it goes wrong.
//!
//! What is said is independent of the wire: [`ScriptedReply::text`] becomes a chat completion, a response or a message,
//! whole or streamed, by what the request asked for.

use std::time::Duration;

use hyper::body::Bytes;
use serde_json::Value;

/// An answer. Cheap to make; `with_…` says more about it.
#[derive(Debug, Clone)]
pub struct ScriptedReply {
    pub(super) content: ReplyContent,
    pub(super) headers: Vec<(String, String)>,
    pub(super) delay: Duration,
    pub(super) chunk_delay: Duration,
    pub(super) byte_delay: Option<Duration>,
    pub(super) end: BodyEnd,
}

#[derive(Debug, Clone)]
pub(super) enum ReplyContent {
    Echo,
    Answer(ScriptedAnswer),
    /// The body as given, whatever was asked for.
    Raw {
        status: u16,
        content_type: String,
        body: Bytes,
    },
    /// An error in the words of the wire that was asked.
    Error {
        status: u16,
        message: String,
    },
    WrongTypes,
    GarbageSse,
    Hang,
    Disconnect,
}

/// What a model says, in no wire's words.
#[derive(Debug, Clone, Default)]
pub(super) struct ScriptedAnswer {
    pub text: Option<String>,
    pub pieces: Option<Vec<String>>,
    pub tool_calls: Vec<ToolCall>,
    pub finish: Option<String>,
    pub usage: Option<(u64, u64)>,
}

#[derive(Debug, Clone)]
pub(super) struct ToolCall {
    pub name: String,
    pub arguments: String,
}

/// How the body ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BodyEnd {
    Complete,
    /// After so many pieces of the body the connection breaks.
    CutAfter(usize),
    /// After so many pieces nothing more comes, and the connection stays.
    HangAfter(usize),
    /// The body is cut in half, and claims to be whole.
    Half,
    /// The headers promise the whole body, and the connection breaks half-way.
    Broken,
}

impl ScriptedReply {
    /// "You said: …", from the last user message; a call with no arguments where the request demands a tool.
    pub fn echo() -> Self {
        Self::new(ReplyContent::Echo)
    }

    pub fn text(text: impl Into<String>) -> Self {
        Self::answer(ScriptedAnswer { text: Some(text.into()), ..ScriptedAnswer::default() })
    }

    /// The text that these pieces make; streamed, each piece is a chunk of its own.
    pub fn pieces<Piece: Into<String>>(pieces: impl IntoIterator<Item = Piece>) -> Self {
        let pieces: Vec<String> = pieces.into_iter().map(Into::into).collect();
        Self::answer(ScriptedAnswer {
            text: Some(pieces.concat()),
            pieces: Some(pieces),
            ..ScriptedAnswer::default()
        })
    }

    /// What a distiller is expected to say: this JSON as the text of the answer.
    pub fn distilled(value: Value) -> Self {
        Self::text(value.to_string())
    }

    /// The first half of this JSON as the text of the answer, as if the model had stopped at its limit.
    pub fn half_distilled(value: Value) -> Self {
        let text = value.to_string();
        let half = text.chars().take(text.chars().count() / 2).collect::<String>();
        Self::text(half).with_finish("length")
    }

    /// Friendly prose where JSON was asked for.
    pub fn prose() -> Self {
        Self::text("Certainly! I would be happy to help. There is nothing here that I could put into JSON.")
    }

    /// A call of a tool; `arguments` is what the tool gets.
    pub fn tool_call(name: &str, arguments: Value) -> Self {
        Self::answer(ScriptedAnswer::default()).and_tool_call(name, arguments)
    }

    /// This body with status 200, whatever was asked for.
    pub fn json(body: Value) -> Self {
        Self::status(200, body)
    }

    /// This status and body, whatever was asked for.
    pub fn status(status: u16, body: Value) -> Self {
        Self::raw(status, "application/json", body.to_string())
    }

    /// These bytes as the body, whatever was asked for.
    pub fn raw(status: u16, content_type: &str, body: impl Into<Bytes>) -> Self {
        Self::new(ReplyContent::Raw { status, content_type: content_type.to_owned(), body: body.into() })
    }

    /// An error as the wire that was asked would word it.
    pub fn error(status: u16, message: &str) -> Self {
        Self::new(ReplyContent::Error { status, message: message.to_owned() })
    }

    pub fn unauthorized() -> Self {
        Self::error(401, "Incorrect API key provided.")
    }

    pub fn rate_limited(retry_after_seconds: u64) -> Self {
        Self::error(429, "Rate limit reached for requests.")
            .with_header("retry-after", &retry_after_seconds.to_string())
    }

    pub fn server_error() -> Self {
        Self::error(500, "The server had an error while processing your request.")
    }

    pub fn unavailable() -> Self {
        Self::error(503, "The engine is currently overloaded, please try again later.")
    }

    /// Takes the request and never answers.
    pub fn hang() -> Self {
        Self::new(ReplyContent::Hang)
    }

    /// Takes the request and hangs up before any header.
    pub fn disconnect() -> Self {
        Self::new(ReplyContent::Disconnect)
    }

    /// JSON of the right shape with a wrong type in every place.
    pub fn wrong_types() -> Self {
        Self::new(ReplyContent::WrongTypes)
    }

    /// A stream of what is not server-sent events: broken JSON, lines without fields, bytes that are not UTF-8.
    pub fn garbage_sse() -> Self {
        Self::new(ReplyContent::GarbageSse)
    }

    /// An answer that is right in form and whose text has so many bytes.
    pub fn huge(bytes: usize) -> Self {
        const PIECE_BYTES: usize = 16 * 1024;
        let full = std::iter::repeat_n("a".repeat(PIECE_BYTES), bytes / PIECE_BYTES);
        Self::pieces(full.chain([String::from("a").repeat(bytes % PIECE_BYTES)]))
    }

    pub fn and_tool_call(mut self, name: &str, arguments: Value) -> Self {
        let call = ToolCall { name: name.to_owned(), arguments: arguments.to_string() };
        self.answer_mut().tool_calls.push(call);
        self
    }

    /// Why the model stopped, in OpenAI's words (`stop`, `length`, `content_filter`); translated for other wires.
    pub fn with_finish(mut self, finish: &str) -> Self {
        self.answer_mut().finish = Some(finish.to_owned());
        self
    }

    pub fn with_usage(mut self, input_tokens: u64, output_tokens: u64) -> Self {
        self.answer_mut().usage = Some((input_tokens, output_tokens));
        self
    }

    /// One more response header.
    pub fn with_header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Before the status and the headers.
    pub fn with_delay(mut self, delay: Duration) -> Self {
        self.delay = delay;
        self
    }

    /// Between two events of a stream, each of which is then sent by itself.
    pub fn with_chunk_delay(mut self, delay: Duration) -> Self {
        self.chunk_delay = delay;
        self
    }

    /// The body drips: a byte at a time.
    pub fn with_byte_delay(mut self, delay: Duration) -> Self {
        self.byte_delay = Some(delay);
        self
    }

    /// After so many events of a stream the connection breaks. A body that is not streamed is one event.
    pub fn cut_after(mut self, events: usize) -> Self {
        self.end = BodyEnd::CutAfter(events);
        self
    }

    /// After so many events of a stream nothing more comes, and the connection stays open.
    pub fn hang_after(mut self, events: usize) -> Self {
        self.end = BodyEnd::HangAfter(events);
        self
    }

    /// Only the first half of the body comes, and looks complete to HTTP: half a JSON.
    pub fn half(mut self) -> Self {
        self.end = BodyEnd::Half;
        self
    }

    /// `content-length` promises the whole body, and the connection breaks after half of it.
    pub fn broken(mut self) -> Self {
        self.end = BodyEnd::Broken;
        self
    }

    fn new(content: ReplyContent) -> Self {
        Self {
            content,
            headers: Vec::new(),
            delay: Duration::ZERO,
            chunk_delay: Duration::ZERO,
            byte_delay: None,
            end: BodyEnd::Complete,
        }
    }

    fn answer(answer: ScriptedAnswer) -> Self {
        Self::new(ReplyContent::Answer(answer))
    }

    fn answer_mut(&mut self) -> &mut ScriptedAnswer {
        match &mut self.content {
            ReplyContent::Answer(answer) => answer,
            other => panic!("only an answer with text or tool calls has this, not {other:?}"),
        }
    }
}
