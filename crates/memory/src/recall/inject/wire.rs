//! A chat request as the client wrote it, seen and not touched.
//!
//! What goes upstream must be the client's bytes with ours between them: a body that is parsed and written again loses
//! duplicate keys, the order of keys, long numbers and the white space that a prompt cache counts. So a body is only
//! *read* here: every part that matters has its value and its place in the bytes, and changes are [`Splice`]s.
//!
//! Reading is forgiving, because whoever answers the request decides what is wrong with it: an unknown role, a content of
//! an unknown kind, half a surrogate pair in a string are all let through. Of a key that stands twice the last one
//! counts, as it does for the servers behind us.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use serde::Deserializer;
use serde::de::{MapAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::learn::capture::chain;
use crate::types::Role;

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

/// What stands around the messages. Cheap to read, however long they are.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Envelope {
    pub model: Option<Spanned>,
    /// Whose request it is, where the client says.
    pub user: Option<String>,
    pub stream: bool,
    /// The longest answer that the client wants, under either of its names.
    pub max_tokens: Option<u64>,
    /// The list of messages, brackets and all.
    pub messages: Option<Range<usize>>,
    /// A mark for the prompt cache stands outside the messages.
    has_cache_control: bool,
}

/// A chat request.
#[derive(Debug, Clone, PartialEq)]
pub struct ChatBody {
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
}

impl Envelope {
    pub fn read(body: &[u8]) -> Result<Self, WireError> {
        let text = text_of(body)?;
        let fields = fields(&text).ok_or(WireError::NotAnObject)?;
        Ok(Self::of(&text, &fields))
    }

    fn of(body: &str, fields: &[(String, &RawValue)]) -> Self {
        let mut envelope = Self::default();
        for (name, value) in fields {
            match name.as_str() {
                "model" => {
                    envelope.model = string(value).map(|text| Spanned { text, span: span(body, value) });
                }
                "user" => envelope.user = string(value),
                "stream" => envelope.stream = value.get() == "true",
                "max_tokens" | "max_completion_tokens" => {
                    envelope.max_tokens = value.get().parse().ok().or(envelope.max_tokens);
                }
                "messages" => {
                    envelope.messages = value.get().starts_with('[').then(|| span(body, value));
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
    pub fn read(body: &[u8]) -> Result<Self, WireError> {
        let text = text_of(body)?;
        let envelope = Envelope::of(&text, &fields(&text).ok_or(WireError::NotAnObject)?);
        let span = envelope.messages.clone().ok_or(WireError::NoMessages)?;
        let items: Vec<&RawValue> =
            serde_json::from_str(&text[span.clone()]).map_err(|_| WireError::NoMessages)?;
        let mut has_cache_control = envelope.has_cache_control;
        let mut messages = Vec::with_capacity(items.len());
        for item in items {
            let (message, cached) = WireMessage::read(&text, item).ok_or(WireError::NotAMessage)?;
            has_cache_control |= cached;
            messages.push(message);
        }
        Ok(Self { envelope, span, messages, has_cache_control })
    }

    /// The model's name, or nothing where the client names none.
    pub fn model(&self) -> &str {
        self.envelope.model.as_ref().map_or("", |model| model.text.as_str())
    }

    /// The user's latest message, by its place among the messages.
    pub fn last_user(&self) -> Option<usize> {
        self.messages.iter().rposition(|message| message.role == Role::User)
    }
}

impl WireMessage {
    /// The message, and whether it has a mark for the prompt cache.
    fn read(body: &str, item: &RawValue) -> Option<(Self, bool)> {
        let mut message = Self {
            span: span(body, item),
            role: Role::System,
            role_name: String::new(),
            content: Value::Null,
            content_span: None,
            tool_calls: None,
            tool_call_id: None,
            name: None,
        };
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
        message.role = message.role_name.to_ascii_lowercase().parse().unwrap_or(Role::System);
        (!message.role_name.is_empty()).then_some((message, cached))
    }

    /// The message as the chain sees it.
    pub fn as_message(&self) -> chain::Message<'_> {
        chain::Message { role: self.role, content: &self.content, tool_calls: self.tool_calls.as_ref() }
    }

    pub fn calls_tools(&self) -> bool {
        self.tool_calls.as_ref().and_then(Value::as_array).is_some_and(|calls| !calls.is_empty())
    }

    /// The text of the message, without images and whatever else it has.
    pub fn text(&self) -> String {
        let part = |part: &Value| part.as_str().or_else(|| part.get("text")?.as_str()).map(str::to_owned);
        match &self.content {
            Value::String(text) => text.clone(),
            Value::Array(parts) => parts.iter().filter_map(part).collect::<Vec<_>>().join("\n"),
            _ => String::new(),
        }
    }
}

/// A change of the bytes: at this offset so many are taken away and these put in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Splice {
    pub at: usize,
    pub remove: usize,
    pub insert: Vec<u8>,
}

impl Splice {
    pub fn insert(at: usize, insert: impl Into<Vec<u8>>) -> Self {
        Self { at, remove: 0, insert: insert.into() }
    }

    pub fn replace(span: Range<usize>, insert: impl Into<Vec<u8>>) -> Self {
        Self { at: span.start, remove: span.len(), insert: insert.into() }
    }
}

/// The bytes with the changes made, those at one place in the order given. A change that lies outside or within what an
/// earlier one took away is left out: a request is never lost over it.
pub fn apply(body: &[u8], mut splices: Vec<Splice>) -> Vec<u8> {
    splices.sort_by_key(|splice| splice.at);
    let added: usize = splices.iter().map(|splice| splice.insert.len()).sum();
    let mut spliced = Vec::with_capacity(body.len() + added);
    let mut copied = 0;
    for splice in splices {
        let end = splice.at.saturating_add(splice.remove);
        if splice.at < copied || end > body.len() {
            debug_assert!(false, "a splice lies outside or in another one");
            continue;
        }
        spliced.extend_from_slice(&body[copied..splice.at]);
        spliced.extend_from_slice(&splice.insert);
        copied = end;
    }
    spliced.extend_from_slice(&body[copied..]);
    spliced
}

/// The change that names another model, such as the one without its provider's prefix.
pub fn rename_model(model: &Spanned, name: &str) -> Splice {
    Splice::replace(model.span.clone(), quoted(name))
}

/// The text as a JSON string.
pub fn quoted(text: &str) -> String {
    Value::String(text.to_owned()).to_string()
}

/// The body as text in which every string can be read. Half a surrogate pair, which clients send when they cut a text
/// inside an emoji, becomes the replacement character: as many bytes long, so that places stay the same.
fn text_of(body: &[u8]) -> Result<Cow<'_, str>, WireError> {
    let text = std::str::from_utf8(body).map_err(|_| WireError::NotAnObject)?;
    let halves = lone_surrogates(body);
    if halves.is_empty() {
        return Ok(Cow::Borrowed(text));
    }
    let mut text = text.to_owned();
    for half in halves {
        text.replace_range(half..half + ESCAPE_BYTES, "\\ufffd");
    }
    Ok(Cow::Owned(text))
}

/// Bytes of `\uXXXX`.
const ESCAPE_BYTES: usize = 6;

/// Where halves of surrogate pairs stand without their other half.
fn lone_surrogates(body: &[u8]) -> Vec<usize> {
    let unit = |at: usize| -> Option<u32> {
        let escape = body.get(at..at + ESCAPE_BYTES).filter(|escape| escape.starts_with(b"\\u"))?;
        u32::from_str_radix(std::str::from_utf8(&escape[2..]).ok()?, 16).ok()
    };
    let mut lone = Vec::new();
    let mut at = 0;
    while let Some(found) = body[at..].iter().position(|byte| *byte == b'\\') {
        at += found;
        at += match (unit(at), unit(at + ESCAPE_BYTES)) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => 2 * ESCAPE_BYTES,
            (Some(0xd800..=0xdfff), _) => {
                lone.push(at);
                ESCAPE_BYTES
            }
            _ => 2,
        };
        if at >= body.len() {
            break;
        }
    }
    lone
}

/// The fields of an object in their order, each as it is written; nothing where it is no object.
fn fields(object: &str) -> Option<Vec<(String, &RawValue)>> {
    struct Fields;

    impl<'a> Visitor<'a> for Fields {
        type Value = Vec<(String, &'a RawValue)>;

        fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
            out.write_str("an object")
        }

        fn visit_map<A: MapAccess<'a>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut fields = Vec::new();
            while let Some(field) = map.next_entry()? {
                fields.push(field);
            }
            Ok(fields)
        }
    }

    let mut reader = serde_json::Deserializer::from_str(object);
    let fields = reader.deserialize_map(Fields).ok()?;
    reader.end().ok()?;
    Some(fields)
}

/// Where a part of a text stands in it.
fn span(body: &str, part: &RawValue) -> Range<usize> {
    let start = part.get().as_ptr() as usize - body.as_ptr() as usize;
    start..start + part.get().len()
}

fn string(value: &RawValue) -> Option<String> {
    serde_json::from_str(value.get()).ok()
}

/// The value, or its bytes as text where it cannot be had: numbers may be too large, lists nested too deeply.
fn content(value: &RawValue) -> Value {
    serde_json::from_str(value.get()).unwrap_or_else(|_| Value::String(value.get().to_owned()))
}

fn is_list(value: &Value) -> bool {
    value.as_array().is_some_and(|items| !items.is_empty())
}

#[cfg(test)]
pub(super) mod tests;
