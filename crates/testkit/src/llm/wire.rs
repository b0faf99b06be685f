//! From an answer to bytes: which wire was asked, and what its server would send.
//!
//! JSON is written by [`object!`], in the order in which real servers write it and with numbers and escapes that do
//! not survive being parsed and written again, so that a test can tell a proxy that forwards bytes from one that does
//! not.

mod chat;
mod completions;
mod embeddings;
mod errors;
mod json;
mod messages;
mod responses;

use hyper::Method;
use hyper::body::Bytes;

use super::reply::{ReplyContent, ScriptedAnswer, ToolCall};
use super::{ScriptedReply, SeenRequest};
use json::Json;

/// When everything here was made, in seconds since 1970: the first second of 2026, so that runs compare.
const CREATED_SECONDS: u64 = 1_767_225_600;

/// A field that no client knows, with a number, a large number and escapes that change when JSON is written anew.
const UNUSUAL: &str =
    r#"{"zeta":1.10,"alpha":1e2,"big":123456789012345678901234567890,"text":"\u0063af\u00e9 \/ ☃"}"#;

/// What is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Endpoint {
    Chat,
    Completions,
    Responses,
    Messages,
    CountTokens,
    Embeddings,
    Models,
    Unknown,
}

impl Endpoint {
    pub fn of(seen: &SeenRequest) -> Self {
        let get = seen.method == Method::GET;
        match seen.path.as_str() {
            "/v1/models" if get => Self::Models,
            path if get && path.starts_with("/v1/models/") => Self::Models,
            _ if seen.method != Method::POST => Self::Unknown,
            "/v1/chat/completions" => Self::Chat,
            "/v1/completions" => Self::Completions,
            "/v1/responses" => Self::Responses,
            "/v1/messages" => Self::Messages,
            "/v1/messages/count_tokens" => Self::CountTokens,
            "/v1/embeddings" => Self::Embeddings,
            _ => Self::Unknown,
        }
    }

    /// Whether the answer is text that a script can give.
    pub fn generates(self) -> bool {
        matches!(self, Self::Chat | Self::Completions | Self::Responses | Self::Messages)
    }
}

/// An answer, ready to be sent.
pub(super) struct Rendered {
    pub status: u16,
    pub content_type: String,
    pub pieces: Vec<Bytes>,
    pub streaming: bool,
}

impl Rendered {
    fn whole(status: u16, body: impl Into<Bytes>) -> Self {
        Self {
            status,
            content_type: "application/json".to_owned(),
            pieces: vec![body.into()],
            streaming: false,
        }
    }

    fn stream(pieces: Vec<Bytes>) -> Self {
        let content_type = "text/event-stream; charset=utf-8".to_owned();
        Self { status: 200, content_type, pieces, streaming: true }
    }
}

/// What a model says to a request, worked out, still in no wire's words.
struct WireAnswer<'a> {
    seen: &'a SeenRequest,
    model: &'a str,
    /// None when there are only tool calls.
    text: Option<String>,
    /// The text in the pieces in which it is streamed.
    pieces: Vec<String>,
    tool_calls: &'a [ToolCall],
    finish: String,
    input_tokens: u64,
    output_tokens: u64,
}

pub(super) fn render(reply: &ScriptedReply, seen: &SeenRequest, endpoint: Endpoint) -> Rendered {
    match &reply.content {
        ReplyContent::Raw { status, content_type, body } => raw(*status, content_type, body),
        ReplyContent::Error { status, message } => {
            Rendered::whole(*status, errors::body(*status, message, seen).0)
        }
        ReplyContent::WrongTypes => Rendered::whole(200, errors::wrong_types(endpoint)),
        ReplyContent::GarbageSse => Rendered::stream(errors::garbage()),
        ReplyContent::Echo => sound(&echo(seen), seen, endpoint),
        ReplyContent::Answer(answer) => sound(answer, seen, endpoint),
        ReplyContent::Hang | ReplyContent::Disconnect => unreachable!("these are never rendered"),
    }
}

fn raw(status: u16, content_type: &str, body: &Bytes) -> Rendered {
    let streaming = content_type.starts_with("text/event-stream");
    let pieces = if streaming { events_of(body) } else { vec![body.clone()] };
    Rendered { status, content_type: content_type.to_owned(), pieces, streaming }
}

/// Given bytes of a stream, an event a piece, so that delays and cuts are between events here too.
fn events_of(body: &Bytes) -> Vec<Bytes> {
    let mut pieces = Vec::new();
    let mut start = 0;
    for at in 1..body.len() {
        if body[at - 1] == b'\n' && body[at] == b'\n' {
            pieces.push(body.slice(start..=at));
            start = at + 1;
        }
    }
    if start < body.len() {
        pieces.push(body.slice(start..));
    }
    pieces
}

/// A well-formed answer, or the error that a real server has for a request that it cannot take.
fn sound(answer: &ScriptedAnswer, seen: &SeenRequest, endpoint: Endpoint) -> Rendered {
    if let Some((status, message)) = errors::of_request(seen, endpoint) {
        return Rendered::whole(status, errors::body(status, &message, seen).0);
    }
    match endpoint {
        Endpoint::Models => embeddings::models(seen),
        Endpoint::Embeddings => Rendered::whole(200, embeddings::whole(seen).0),
        Endpoint::CountTokens => Rendered::whole(200, json::object! { "input_tokens": input_tokens(seen) }.0),
        Endpoint::Chat => by_form(seen, &said(answer, seen), chat::whole, chat::stream),
        Endpoint::Completions => by_form(seen, &said(answer, seen), completions::whole, completions::stream),
        Endpoint::Responses => by_form(seen, &said(answer, seen), responses::whole, responses::stream),
        Endpoint::Messages => by_form(seen, &said(answer, seen), messages::whole, messages::stream),
        Endpoint::Unknown => unreachable!("a path that does not exist is an error of the request"),
    }
}

fn by_form(
    seen: &SeenRequest,
    said: &WireAnswer<'_>,
    whole: fn(&WireAnswer<'_>) -> Json,
    stream: fn(&WireAnswer<'_>) -> Vec<Bytes>,
) -> Rendered {
    if seen.wants_stream() { Rendered::stream(stream(said)) } else { Rendered::whole(200, whole(said).0) }
}

fn said<'a>(answer: &'a ScriptedAnswer, seen: &'a SeenRequest) -> WireAnswer<'a> {
    let text = answer.text.clone();
    let pieces = answer.pieces.clone().unwrap_or_else(|| split(text.as_deref().unwrap_or_default()));
    let called: usize = answer.tool_calls.iter().map(|call| call.arguments.len() / 4 + 1).sum();
    let (input_tokens, output_tokens) =
        answer.usage.unwrap_or_else(|| (input_tokens(seen), (pieces.len() + called) as u64));
    let stopped = if answer.tool_calls.is_empty() { "stop" } else { "tool_calls" };
    let finish = answer.finish.clone().unwrap_or_else(|| stopped.to_owned());
    let model = if seen.model().is_empty() { "scripted-1" } else { seen.model() };
    WireAnswer {
        seen,
        model,
        text,
        pieces,
        tool_calls: &answer.tool_calls,
        finish,
        input_tokens,
        output_tokens,
    }
}

/// Words with the space before them, which is how models speak.
fn split(text: &str) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    for character in text.chars() {
        match pieces.last_mut() {
            Some(piece) if character != ' ' => piece.push(character),
            _ => pieces.push(character.to_string()),
        }
    }
    pieces
}

/// Fragments in which a tool's arguments are streamed: cut anywhere, as real ones are, but not inside a character.
fn fragments(arguments: &str) -> Vec<String> {
    const FRAGMENT_CHARS: usize = 7;
    let characters: Vec<char> = arguments.chars().collect();
    characters.chunks(FRAGMENT_CHARS).map(|fragment| fragment.iter().collect()).collect()
}

/// About four bytes a token, which is all that a test can ask of it: more text, more tokens.
fn input_tokens(seen: &SeenRequest) -> u64 {
    let said: usize = seen.system_texts().iter().chain(&seen.user_texts()).map(String::len).sum();
    (said / 4 + seen.messages().len() * 4 + 1) as u64
}

fn echo(seen: &SeenRequest) -> ScriptedAnswer {
    if let Some(name) = demanded_tool(seen) {
        let call = ToolCall { name, arguments: "{}".to_owned() };
        return ScriptedAnswer { tool_calls: vec![call], ..ScriptedAnswer::default() };
    }
    let text = format!("You said: {}", seen.last_user_text());
    let format = &seen.json["response_format"]["type"];
    let wants_json = format == "json_object" || format == "json_schema";
    let text = if wants_json { json::object! { "echo": text }.0 } else { text };
    ScriptedAnswer { text: Some(text), ..ScriptedAnswer::default() }
}

/// The tool that `tool_choice` names, or the first one where any will do.
fn demanded_tool(seen: &SeenRequest) -> Option<String> {
    let choice = &seen.json["tool_choice"];
    let named = choice["function"]["name"].as_str().or(choice["name"].as_str());
    let any = choice == "required" || choice["type"] == "any";
    let first = &seen.json["tools"][0];
    let first = first["function"]["name"].as_str().or(first["name"].as_str()).filter(|_| any);
    named.or(first).map(str::to_owned)
}
