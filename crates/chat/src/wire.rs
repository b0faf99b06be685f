//! A chat request as the client wrote it, seen and not touched.
//!
//! What goes upstream must be the client's bytes with ours between them: a body that is parsed and written again loses
//! duplicate keys, the order of keys, long numbers and the white space that a prompt cache counts. So a body is only
//! *read* here: every part that matters has its value and its place in the bytes, and changes are [`Splice`]s.
//!
//! Reading is forgiving, because whoever answers the request decides what is wrong with it: an unknown role, a content of
//! an unknown kind, half a surrogate pair in a string are all let through. Of a key that stands twice the last one
//! counts, as it does for the servers behind us.
//!
//! Three [`Dialect`]s are read into the same view: [`messages`] and [`responses`] say what is different in theirs.

pub mod messages;
mod raw;
pub mod responses;
mod splice;

use std::ops::Range;
use std::sync::Arc;

use serde_json::Value;
use serde_json::value::RawValue;

use crate::chain;
use memory::types::Role;

use raw::{content, fields, is_list, items, span, string, text_of};
pub use splice::{Splice, apply, quoted, rename_model};

/// Why a body cannot be read. It may be fine all the same: it goes upstream as it is, without memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum WireError {
    #[error("the body is not a JSON object")]
    NotAnObject,
    #[error("the body has no list of messages")]
    NoMessages,
    #[error("a message is not an object with a role")]
    NotAMessage,
}

/// A text and where it stands, quotation marks and all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spanned {
    pub text: String,
    pub span: Range<usize>,
}

/// How a request is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Dialect {
    /// OpenAI's `chat/completions`.
    #[default]
    Chat,
    /// OpenAI's `responses`.
    Responses,
    /// Anthropic's `messages`.
    Messages,
}

impl Dialect {
    /// The field in which the conversation stands.
    fn list(self) -> &'static str {
        match self {
            Dialect::Chat | Dialect::Messages => "messages",
            Dialect::Responses => "input",
        }
    }
}

/// What stands around the messages. Cheap to read, however long they are.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Envelope {
    pub model: Option<Spanned>,
    /// Whose request it is, where the client says.
    pub user: Option<String>,
    pub stream: bool,
    /// A stream is to end with the number of tokens.
    pub stream_usage: bool,
    /// The longest answer that the client wants, under either of its names.
    pub max_tokens: Option<u64>,
    /// The list of messages, brackets and all; in the dialect that takes one, the text in its place.
    pub messages: Option<Range<usize>>,
    /// The conversation before this request is kept by the server, behind this response of its.
    pub previous_response: Option<String>,
    /// The same, under a name of the conversation's own.
    pub conversation: Option<String>,
    /// A mark for the prompt cache stands outside the messages.
    has_cache_control: bool,
}

/// The body of a request, read once: as a chat, or as far as it could be read.
#[derive(Debug, Clone, PartialEq)]
pub enum RequestBody {
    Chat(Arc<ChatBody>),
    /// No list of messages that can be read; it is the upstream's to judge.
    Other(Envelope),
}

/// A chat request.
#[derive(Debug, Clone, PartialEq)]
pub struct ChatBody {
    pub dialect: Dialect,
    pub envelope: Envelope,
    /// Where the list of messages stands, brackets and all.
    pub span: Range<usize>,
    pub messages: Vec<WireMessage>,
    /// The client says what the provider shall keep of the prompt.
    pub has_cache_control: bool,
}

/// One of the client's messages.
#[derive(Debug, Clone, PartialEq)]
pub struct WireMessage {
    pub span: Range<usize>,
    /// What the role means here; one that nobody knows counts as `system`: nothing hangs on it and nothing is learned.
    pub role: Role,
    pub role_name: String,
    /// A string, a list of parts, or null.
    pub content: Value,
    pub content_span: Option<Range<usize>>,
    pub tool_calls: Option<Value>,
    pub tool_call_id: Option<String>,
    pub name: Option<String>,
    /// Where a part of ours can stand, where not every place in the message will do.
    pub room: Option<PartPlaces>,
}

/// The places for another part in a list of parts some of which must stay first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PartPlaces {
    /// Where the parts begin that need not be first, if there are any.
    pub before: Option<usize>,
    /// Where the last part ends, if there is one.
    pub after: Option<usize>,
}

/// The messages of a request, and whether one has a mark for the prompt cache.
#[derive(Default)]
struct WireMessages {
    messages: Vec<WireMessage>,
    cached: bool,
}

impl RequestBody {
    pub fn read_as(dialect: Dialect, body: &[u8]) -> Self {
        let Ok(text) = text_of(body) else { return Self::Other(Envelope::default()) };
        let Some(fields) = fields(&text) else { return Self::Other(Envelope::default()) };
        let envelope = Envelope::of(dialect, &text, &fields);
        match ChatBody::of(dialect, &text, &fields, envelope) {
            Ok(chat) => Self::Chat(Arc::new(chat)),
            Err(unread) => Self::Other(unread.0),
        }
    }

    pub fn envelope(&self) -> &Envelope {
        match self {
            Self::Chat(chat) => &chat.envelope,
            Self::Other(envelope) => envelope,
        }
    }

    pub fn chat(&self) -> Option<&Arc<ChatBody>> {
        match self {
            Self::Chat(chat) => Some(chat),
            Self::Other(_) => None,
        }
    }
}

impl Envelope {
    /// The model's name, or nothing where the client names none.
    pub fn model_name(&self) -> &str {
        self.model.as_ref().map_or("", |model| model.text.as_str())
    }

    /// Of a chat completion.
    pub fn read(body: &[u8]) -> Result<Self, WireError> {
        Self::read_as(Dialect::Chat, body)
    }

    pub fn read_as(dialect: Dialect, body: &[u8]) -> Result<Self, WireError> {
        let text = text_of(body)?;
        let fields = fields(&text).ok_or(WireError::NotAnObject)?;
        Ok(Self::of(dialect, &text, &fields))
    }

    fn of(dialect: Dialect, body: &str, fields: &[(String, &RawValue)]) -> Self {
        let mut envelope = Self::default();
        for (name, value) in fields {
            let may_be_text = dialect == Dialect::Responses && value.get().starts_with('"');
            match name.as_str() {
                "model" => {
                    envelope.model = string(value).map(|text| Spanned { text, span: span(body, value) });
                }
                "user" => envelope.user = string(value),
                "stream" => envelope.stream = value.get() == "true",
                "stream_options" => {
                    let options: Value = serde_json::from_str(value.get()).unwrap_or_default();
                    envelope.stream_usage = options["include_usage"] == Value::Bool(true);
                }
                "max_tokens" | "max_completion_tokens" | "max_output_tokens" => {
                    envelope.max_tokens = value.get().parse().ok().or(envelope.max_tokens);
                }
                list if list == dialect.list() => {
                    let readable = value.get().starts_with('[') || may_be_text;
                    envelope.messages = readable.then(|| span(body, value));
                }
                "metadata" if dialect == Dialect::Messages => envelope.user = messages::user(value),
                "previous_response_id" if dialect == Dialect::Responses => {
                    envelope.previous_response = string(value);
                }
                "conversation" if dialect == Dialect::Responses => {
                    envelope.conversation = responses::conversation(value);
                }
                "cache_control" => envelope.has_cache_control = value.get() != "null",
                "tools" => envelope.has_cache_control |= value.get().contains("\"cache_control\""),
                _ => {}
            }
        }
        envelope
    }
}

impl ChatBody {
    /// Of a chat completion.
    pub fn read(body: &[u8]) -> Result<Self, WireError> {
        Self::read_as(Dialect::Chat, body)
    }

    pub fn read_as(dialect: Dialect, body: &[u8]) -> Result<Self, WireError> {
        let text = text_of(body)?;
        let fields = fields(&text).ok_or(WireError::NotAnObject)?;
        let envelope = Envelope::of(dialect, &text, &fields);
        Self::of(dialect, &text, &fields, envelope).map_err(|unread| unread.1)
    }

    /// The chat, or its envelope back and what is wrong with the rest.
    fn of(
        dialect: Dialect,
        text: &str,
        fields: &[(String, &RawValue)],
        envelope: Envelope,
    ) -> Result<Self, Box<(Envelope, WireError)>> {
        let Some(span) = envelope.messages.clone() else {
            return Err(Box::new((envelope, WireError::NoMessages)));
        };
        let listed = match dialect {
            Dialect::Chat => Self::chat(text, &span),
            Dialect::Responses => responses::read(text, &span, fields),
            Dialect::Messages => messages::read(text, &span, fields),
        };
        match listed {
            Ok(WireMessages { messages, cached }) => {
                let has_cache_control = envelope.has_cache_control || cached;
                Ok(Self { dialect, envelope, span, messages, has_cache_control })
            }
            Err(error) => Err(Box::new((envelope, error))),
        }
    }

    fn chat(text: &str, span: &Range<usize>) -> Result<WireMessages, WireError> {
        let mut listed = WireMessages::default();
        for item in items(text, span)? {
            let (message, cached) = WireMessage::read(text, item).ok_or(WireError::NotAMessage)?;
            listed.cached |= cached;
            listed.messages.push(message);
        }
        Ok(listed)
    }

    /// The first message of the list itself: some dialects have a system message beside it.
    pub fn first_listed(&self) -> Option<&WireMessage> {
        self.messages.iter().find(|message| self.span.contains(&message.span.start))
    }

    /// The assistant's latest message.
    pub fn last_reply(&self) -> Option<&WireMessage> {
        self.messages.iter().rfind(|message| message.role == Role::Assistant)
    }

    /// The user's latest message, by its place among the messages.
    pub fn last_user(&self) -> Option<usize> {
        self.messages.iter().rposition(|message| message.role == Role::User)
    }
}

impl WireMessage {
    /// A message that says nothing yet.
    fn silent(role: Role, role_name: &str, span: Range<usize>) -> Self {
        Self {
            span,
            role,
            role_name: role_name.to_owned(),
            content: Value::Null,
            content_span: None,
            tool_calls: None,
            tool_call_id: None,
            name: None,
            room: None,
        }
    }

    /// The message, and whether it has a mark for the prompt cache.
    fn read(body: &str, item: &RawValue) -> Option<(Self, bool)> {
        let mut message = Self::silent(Role::System, "", span(body, item));
        let mut cached = false;
        for (name, value) in fields(item.get())? {
            match name.as_str() {
                "role" => message.role_name = string(value)?,
                "content" => {
                    message.content = content(value);
                    message.content_span = Some(span(body, value));
                }
                "tool_calls" => message.tool_calls = Some(content(value)).filter(is_list),
                // How tools were called before there was a list of calls.
                "function_call" if value.get() != "null" => {
                    message.tool_calls.get_or_insert_with(|| Value::Array(vec![content(value)]));
                }
                "tool_call_id" => message.tool_call_id = string(value),
                "name" => message.name = string(value),
                "cache_control" => cached |= value.get() != "null",
                _ => {}
            }
        }
        let parts = message.content.as_array().into_iter().flatten();
        cached |= parts.into_iter().any(|part| part.get("cache_control").is_some_and(|mark| !mark.is_null()));
        message.role = role(&message.role_name);
        (!message.role_name.is_empty()).then_some((message, cached))
    }

    /// The message as the chain sees it.
    pub fn as_message(&self) -> chain::ChainMessage<'_> {
        chain::ChainMessage { role: self.role, content: &self.content, tool_calls: self.tool_calls.as_ref() }
    }

    pub fn calls_tools(&self) -> bool {
        self.tool_calls.as_ref().and_then(Value::as_array).is_some_and(|calls| !calls.is_empty())
    }

    /// The text of the message, without images and whatever else it has.
    pub fn text(&self) -> String {
        text_in(&self.content)
    }

    /// The same without what a program wrote into it in the user's name.
    pub fn own_text(&self) -> String {
        text_in(&chain::own_content(self.role, &self.content).0)
    }
}

fn text_in(content: &Value) -> String {
    let part = |part: &Value| part.as_str().or_else(|| part.get("text")?.as_str()).map(str::to_owned);
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().filter_map(part).collect::<Vec<_>>().join("\n"),
        _ => String::new(),
    }
}

fn role(name: &str) -> Role {
    name.to_ascii_lowercase().parse().unwrap_or(Role::System)
}

#[cfg(test)]
pub(super) mod tests;
