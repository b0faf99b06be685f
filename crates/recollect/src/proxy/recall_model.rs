//! `recollect/recall`: a model that answers with what is remembered, and with nothing else.
//!
//! So that everything can be tried with no model at all: point a chat client here, tell it something, ask for it later.
//! It says what answers the question, or that it does not know; each line names what it rests on. The answer is not written into the
//! transcript, only that there was one: it would be found again as if it had been said, and would outlive a forget.

mod messages;
mod responses;

use std::collections::BTreeSet;
use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderMap, HeaderValue};
use axum::response::Response;
use chat::Dialect;
use http_body_util::Full;
use jiff::tz::TimeZone;
use memory::error::StoreResult;
use memory::ports::ReadStore;
use memory::recall::assemble::Line;
use memory::recall::assemble::lines::ANSWERED_FROM_MEMORY;
use memory::recall::context::{Aids, ContextRequest};
use memory::recall::gate::Section;
use memory::text::tokens;
use memory::types::{MemoryId, Time};
use serde_json::{Value, json};

use super::capture::Capture;
use super::conversation::{self, Conversation, KnownChat};
use super::path::{ChatRequest, RecallAccount};
use super::tee::Tee;
use super::{EMBED_MODEL, RECALL_MODEL};
use crate::limits;
use crate::metrics::UnderWay;
use crate::problem::{Code, Problem};

const NOTHING: &str = "I remember nothing about that.";
const OFF: &str = "Memory is off for this request, so there is nothing I could tell.";

/// Answers a chat request that names one of our own models.
pub async fn serve(request: Arc<ChatRequest>, under_way: UnderWay) -> Result<Response, Problem> {
    if request.model() != RECALL_MODEL {
        let message = format!("there is no model `{}` that could chat", request.model());
        let hint = format!("ours is {RECALL_MODEL}; {EMBED_MODEL} makes embeddings");
        return Err(Problem::new(Code::NotFound, message).hint(hint));
    }
    let answering = store::on_blocking_thread(answered(Arc::clone(&request)));
    let late =
        |_| Problem::new(Code::Unavailable, "memory did not answer in time").hint("try again in a moment");
    let answer = tokio::time::timeout(limits::RECALL_WITHIN, answering).await.map_err(late)??;
    let form = AnswerFormat::of(&request);
    let account = RecallAccount {
        section: answer.section,
        tokens: 0,
        memories: answer.used.len(),
        session: answer.known.as_ref().map_or_else(|| request.session_named(), |known| known.session()),
        forgotten: answer.known.as_ref().and_then(|known| known.forgotten.clone()),
        silenced: answer.known.as_ref().is_some_and(|known| known.silenced),
    };
    let conversation = answer.known.map_or(Conversation::None, Conversation::Known);
    let capture = Capture::begin(&request, conversation, None).map(|mut capture| {
        (capture.used, capture.stored_as) = (answer.used, Some(ANSWERED_FROM_MEMORY));
        capture
    });
    let body = Full::new(Bytes::from(form.written(&answer.text)));
    let mut response =
        Response::new(Body::new(Tee::new(body, form.dialect, form.stream, capture, under_way)));
    form.write(response.headers_mut());
    account.write(response.headers_mut());
    Ok(response)
}

/// An answer from memory.
struct RecallAnswer {
    text: String,
    used: Vec<MemoryId>,
    section: &'static str,
    known: Option<Arc<KnownChat>>,
}

impl RecallAnswer {
    fn of(text: &str) -> RecallAnswer {
        RecallAnswer { text: text.to_owned(), used: Vec::new(), section: "none", known: None }
    }
}

/// Recognises the conversation and answers in it.
async fn answered(request: Arc<ChatRequest>) -> Result<RecallAnswer, Problem> {
    let known = match request.who.mode.is_off() {
        true => None,
        false => conversation::recognise(request).await?,
    };
    match known {
        Some(known) => answer(known).await,
        None => Ok(RecallAnswer::of(OFF)),
    }
}

/// Looks for what answers a message. Where it asks for what was said or who somebody is, that is told.
async fn answer(known: Arc<KnownChat>) -> Result<RecallAnswer, Problem> {
    let reads = known.who.mode.reads;
    let Some(request) = known.context_request().filter(|_| reads) else {
        return Ok(RecallAnswer {
            known: Some(known),
            ..RecallAnswer::of(if reads { NOTHING } else { OFF })
        });
    };
    // There is no prompt: what was said in this conversation is as good an answer as any.
    let request = ContextRequest { first_turn: false, in_view_from: None, ..request };
    let recaller = known.recaller();
    let mut lines = recaller.answer(&request).await?;
    let mut section = if lines.is_empty() { Section::None } else { Section::Pinned };
    if lines.is_empty() {
        let aids = Aids { learned: known.house().gate.as_deref(), ..Aids::default() };
        let context = recaller.context(&request, aids).await?;
        if matches!(context.gate.section, Section::Identity | Section::Episode | Section::Transcript) {
            section = context.gate.section;
            lines = context.lines.iter().filter(|line| !line.standing).cloned().collect();
        }
    }
    let zone = recaller.tools.settings.zone_of(&request.viewer.owner.user);
    let text = written(&known.tenant, &lines, &zone).await?;
    let used = ids(&lines);
    Ok(RecallAnswer { text, used, section: section.as_str(), known: Some(known) })
}

/// The memories behind the lines, each once.
fn ids(lines: &[Line]) -> Vec<MemoryId> {
    let ids: BTreeSet<&MemoryId> = lines.iter().flat_map(|line| &line.memory_ids).collect();
    ids.into_iter().cloned().collect()
}

async fn written(store: &dyn ReadStore, lines: &[Line], zone: &TimeZone) -> StoreResult<String> {
    let said: Vec<&Line> = lines.iter().filter(|line| !line.text.trim().is_empty()).collect();
    if said.is_empty() {
        return Ok(NOTHING.to_owned());
    }
    let memories = store.memories(&ids(lines)).await?;
    let learned =
        |id: &MemoryId| memories.iter().find(|memory| memory.id == *id).map(|memory| memory.created_at);
    let mut text = "What I remember:".to_owned();
    for line in said {
        text.push('\n');
        text.push_str(line.text.trim());
        let sources = sources(line, learned, zone);
        if !sources.is_empty() {
            text.push_str(&format!("\n  source: {}", sources.join("; ")));
        }
    }
    Ok(text)
}

/// What a line rests on, for people: ids, and for memories the day they were learned.
fn sources(line: &Line, learned: impl Fn(&MemoryId) -> Option<Time>, zone: &TimeZone) -> Vec<String> {
    let memory = |id: &MemoryId| match learned(id) {
        Some(at) => format!("{id}, {}", at.date_in(zone)),
        None => id.to_string(),
    };
    let memories = line.memory_ids.iter().map(memory);
    let episodes = line.episode_ids.iter().map(ToString::to_string);
    let turns = line.turn_ids.iter().map(ToString::to_string);
    memories.chain(episodes).chain(turns).collect()
}

/// How the client wants its answer.
struct AnswerFormat {
    dialect: Dialect,
    id: String,
    created: i64,
    stream: bool,
    /// In a stream: with the number of tokens at its end.
    usage: bool,
    /// Tokens of the question.
    prompt_tokens: usize,
}

impl AnswerFormat {
    fn of(request: &ChatRequest) -> AnswerFormat {
        let envelope = request.body.envelope();
        let messages = envelope.messages.clone().and_then(|span| request.bytes.get(span)).unwrap_or_default();
        let mark = match request.dialect {
            Dialect::Chat => "chatcmpl-",
            Dialect::Responses => "resp_",
            Dialect::Messages => "msg_",
        };
        AnswerFormat {
            dialect: request.dialect,
            id: format!("{mark}{}", request.house.clock.uuid().simple()),
            created: request.house.clock.now().microseconds().div_euclid(1_000_000),
            stream: envelope.stream,
            usage: envelope.stream_usage,
            prompt_tokens: tokens::estimate(&String::from_utf8_lossy(messages)),
        }
    }

    /// The answer in the client's dialect.
    fn written(&self, text: &str) -> String {
        match (self.dialect, self.stream) {
            (Dialect::Chat, true) => streamed(text, self),
            (Dialect::Chat, false) => whole(text, self).to_string(),
            (Dialect::Responses, true) => responses::streamed(text, self),
            (Dialect::Responses, false) => responses::whole(text, self).to_string(),
            (Dialect::Messages, true) => messages::streamed(text, self),
            (Dialect::Messages, false) => messages::whole(text, self).to_string(),
        }
    }

    fn write(&self, headers: &mut HeaderMap) {
        let kind = if self.stream { "text/event-stream; charset=utf-8" } else { "application/json" };
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
        if self.stream {
            headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        }
    }
}

fn used(text: &str, form: &AnswerFormat) -> Value {
    let (prompt, completion) = (form.prompt_tokens, tokens::estimate(text));
    json!({ "prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion })
}

fn whole(text: &str, form: &AnswerFormat) -> Value {
    let message = json!({ "role": "assistant", "content": text, "refusal": null });
    json!({
        "id": form.id,
        "object": "chat.completion",
        "created": form.created,
        "model": RECALL_MODEL,
        "choices": [{ "index": 0, "message": message, "logprobs": null, "finish_reason": "stop" }],
        "usage": used(text, form),
    })
}

fn streamed(text: &str, form: &AnswerFormat) -> String {
    let event = |choices: Value, usage: Option<Value>| {
        let mut chunk = json!({
            "id": form.id,
            "object": "chat.completion.chunk",
            "created": form.created,
            "model": RECALL_MODEL,
            "choices": choices,
        });
        if form.usage {
            chunk["usage"] = usage.unwrap_or(Value::Null);
        }
        format!("data: {chunk}\n\n")
    };
    let delta = |delta: Value, finish: Option<&str>| {
        event(json!([{ "index": 0, "delta": delta, "logprobs": null, "finish_reason": finish }]), None)
    };
    let mut body = delta(json!({ "role": "assistant", "content": "" }), None);
    for line in text.split_inclusive('\n') {
        body.push_str(&delta(json!({ "content": line }), None));
    }
    body.push_str(&delta(json!({}), Some("stop")));
    if form.usage {
        body.push_str(&event(json!([]), Some(used(text, form))));
    }
    body.push_str("data: [DONE]\n\n");
    body
}

#[cfg(test)]
mod tests {
    use super::*;
    use chat::collect::ReplyCollector;

    fn form(dialect: Dialect, stream: bool, usage: bool) -> AnswerFormat {
        AnswerFormat { dialect, id: "resp_1".into(), created: 7, stream, usage, prompt_tokens: 3 }
    }

    #[test]
    fn a_stream_says_what_a_whole_answer_says() {
        let text = "What I remember:\n- tea\n  source: mt_1";
        for dialect in [Dialect::Chat, Dialect::Responses, Dialect::Messages] {
            for stream in [true, false] {
                let mut collector = ReplyCollector::new(dialect, stream);
                collector.feed(form(dialect, stream, true).written(text).as_bytes());
                collector.end();
                let reply = collector.reply().expect("a reply");
                let said = chat::chain::canonical(&reply.message["content"], None);
                assert_eq!((said.as_str(), reply.partial), (text, false), "{dialect:?}");
            }
        }
    }

    #[test]
    fn the_tokens_of_a_stream_come_when_they_are_asked_for() {
        let asked = streamed("abcd", &form(Dialect::Chat, true, true));
        assert!(asked.contains(r#""choices":[]"#) && asked.contains(r#""completion_tokens":1"#), "{asked}");
        assert!(!streamed("abcd", &form(Dialect::Chat, true, false)).contains("usage"));
    }
}
