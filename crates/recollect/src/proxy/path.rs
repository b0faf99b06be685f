//! The way of a chat request: gate → retrieve → fuse → assemble → inject → upstream → capture.
//!
//! [`served`] reads like that list, and is the same for every dialect. Everything that memory does on it is optional: each of its steps gives nothing where it
//! fails, is late or has no part in the request, and the client's bytes go on as they came. Only two things are ever
//! answered here instead of upstream: what is wrong with our own headers, and that there is nobody to ask.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ::models::Upstream;
use axum::Extension;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::extract::rejection::BytesRejection;
use axum::http::Method;
use axum::http::header::{CONTENT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderValue};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use chat::continuity::{Answered, Recent};
use chat::wire::{self, Splice};
use chat::{Decisions, Dialect, Envelope, Injection};
use memory::recall::context::Context;
use tokio::task::JoinHandle;
use tracing::{Instrument, Span};

use super::answer::{Admitted, Refusal};
use super::capture::{Capture, Source};
use super::forward::{self, Outgoing};
use super::known::{self, Known, Question};
use super::tee::Tee;
use super::who::Who;
use super::writes::Writes;
use super::{OWN_PREFIX, recall_model, wires};
use crate::app::{AppState, IdWasMade, REQUEST_ID};
use crate::limits;
use crate::metrics::{self, UnderWay};
use crate::ops::{Caller, House};
use crate::problem::Problem;
use crate::telemetry;

/// How long memory may hold up a chat request.
#[derive(Debug, Clone, Copy)]
pub struct Patience {
    /// With the whole read path.
    pub read: Duration,
    /// The share of that in which the conversation is recognised and its blocks are found.
    pub replay: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self { read: limits::READ_WITHIN, replay: limits::REPLAY_WITHIN }
    }
}

/// What chat requests share.
#[derive(Default)]
pub struct Shared {
    pub patience: Patience,
    /// Replies just forwarded, by which the next request is recognised before they are stored.
    pub recent: Recent,
    /// What upstreams call the replies that they keep themselves.
    pub answered: Answered,
    /// Which messages were decided on.
    pub decisions: Decisions,
    /// What is being stored.
    pub writes: Writes,
}

/// A chat request as it came.
pub struct Chat {
    pub house: House,
    pub shared: Arc<Shared>,
    pub caller: Caller,
    pub dialect: Dialect,
    pub who: Who,
    pub headers: HeaderMap,
    /// What stands behind the address, question mark and all.
    pub query: String,
    pub body: Bytes,
    pub envelope: Envelope,
}

/// `POST /v1/chat/completions`, `/v1/responses` and `/v1/messages`.
pub async fn chat(
    State(state): State<AppState>,
    Extension(shared): Extension<Arc<Shared>>,
    Extension(dialect): Extension<Dialect>,
    Admitted(caller): Admitted,
    parts: Parts,
    body: Result<Bytes, BytesRejection>,
) -> Result<Response, Refusal> {
    let under_way = metrics::chat_begins();
    let chat =
        super::read(body).and_then(|body| Chat::read(state.house, shared, caller, dialect, parts, body));
    let served = match chat {
        Ok(chat) => served(chat, under_way).await,
        Err(problem) => Err(problem),
    };
    served.map_err(|problem| Refusal::of(dialect, problem))
}

async fn served(chat: Chat, under_way: UnderWay) -> Result<Response, Problem> {
    if chat.model().starts_with(OWN_PREFIX) {
        return recall_model::serve(chat, under_way).await;
    }
    let (upstream, body) = chat.route()?;
    let start = Instant::now();
    let known = chat.known(&body, &upstream.name).await;
    let context = chat.recall(&known, start).await;
    let injection = inject(&known, context.as_deref(), &chat.house);
    if !chat.who.mode.is_off() {
        metrics::recalled(start.elapsed());
    }
    let account = Account::of(&chat, &known, injection.as_ref());
    let (body, block) = match injection {
        Some(injection) => (Bytes::from(injection.body), injection.block),
        None => (body, None),
    };
    let capture = known.into_source().map(|source| Capture::begin(&chat.house, &chat.shared, source, block));
    let path = format!("{}{}", wires::path(chat.dialect), chat.query);
    let outgoing = Outgoing {
        upstream: &upstream,
        method: Method::POST,
        path: &path,
        headers: &chat.headers,
        body,
        readable: capture.is_some(),
    };
    let span = telemetry::upstream(&upstream, chat.model());
    let mut response = match forward::send(outgoing).instrument(span.clone()).await {
        Ok(answer) => followed(answer, chat.dialect, capture, under_way, span),
        Err(problem) => {
            telemetry::trouble(&span, "unreachable");
            Refusal::of(chat.dialect, problem).into_response()
        }
    };
    account.write(response.headers_mut());
    Ok(response)
}

impl Chat {
    fn read(
        house: House,
        shared: Arc<Shared>,
        caller: Caller,
        dialect: Dialect,
        parts: Parts,
        body: Bytes,
    ) -> Result<Chat, Problem> {
        let mut headers = parts.headers;
        if parts.extensions.get::<IdWasMade>().is_some() {
            headers.remove(REQUEST_ID);
        }
        let query = parts.uri.query().map(|query| format!("?{query}")).unwrap_or_default();
        // A body that is no JSON is the upstream's to judge; nothing of it is known here.
        let envelope = Envelope::read_as(dialect, &body).unwrap_or_default();
        let who = Who::of(&headers, envelope.user.as_deref())?.permitted(&house, &caller)?;
        Ok(Chat { house, shared, caller, dialect, who, headers, query, body, envelope })
    }

    pub fn model(&self) -> &str {
        self.envelope.model.as_ref().map_or("", |model| model.text.as_str())
    }

    /// The session that the client names, or nothing.
    pub fn session_named(&self) -> String {
        self.who.session.as_ref().map(ToString::to_string).unwrap_or_default()
    }

    /// Who answers, and the body with the model's name as it is known there.
    fn route(&self) -> Result<(Upstream, Bytes), Problem> {
        let upstreams = super::upstreams(&self.house);
        let (upstream, name) = wires::choose(upstreams, self.dialect, self.model())?;
        let name = match (name, upstream.default_model.as_deref()) {
            ("", Some(usual)) => usual,
            (name, _) => name,
        };
        let splice = match &self.envelope.model {
            Some(written) if written.text != name => Some(wire::rename_model(written, name)),
            None if !name.is_empty() => model_field(&self.body, name),
            _ => None,
        };
        let body =
            splice.map_or_else(|| self.body.clone(), |splice| wire::apply(&self.body, vec![splice]).into());
        Ok((upstream.clone(), body))
    }

    /// Which conversation it is and what stood in its prompt. In a share of the time, and as a task of its own: where it
    /// is late, only this request goes on without it.
    async fn known(&self, body: &Bytes, provider: &str) -> Finding {
        if self.who.mode.is_off() {
            return Finding::Nothing;
        }
        let finding = store::aside(found(self.question(body.clone(), Some(provider.to_owned()))));
        let mut finding = tokio::spawn(finding.instrument(telemetry::recognise()));
        match tokio::time::timeout(self.shared.patience.replay, &mut finding).await {
            Ok(Ok(Some(known))) => Finding::Found(known),
            Ok(_) => Finding::Nothing,
            Err(_) => {
                missed("replay", "late");
                Finding::Late(finding)
            }
        }
    }

    pub fn question(&self, body: Bytes, provider: Option<String>) -> Question {
        Question {
            house: self.house.clone(),
            shared: Arc::clone(&self.shared),
            caller: self.caller.clone(),
            dialect: self.dialect,
            who: self.who.clone(),
            provider,
            body,
        }
    }

    /// Gate → retrieve → fuse → assemble, in what is left of the time.
    async fn recall(&self, finding: &Finding, start: Instant) -> Option<Arc<Context>> {
        let known = finding.found().filter(|_| self.who.mode.reads)?;
        let left = self.shared.patience.read.saturating_sub(start.elapsed());
        // A task of its own, because a step that does not pause would hold up the deadline too.
        let (house, shared, asked) = (self.house.clone(), Arc::clone(&self.shared), Arc::clone(known));
        let recalling = store::aside(async move { asked.context(&house, &shared).await });
        let recalling = tokio::spawn(recalling.instrument(telemetry::recall()));
        let context = match tokio::time::timeout(left, Aborting(recalling)).await {
            Ok(Ok(context)) => context?,
            Ok(Err(problem)) => {
                tracing::warn!(%problem, "what is remembered could not be looked up");
                missed("context", "failed");
                return None;
            }
            Err(_) => {
                missed("context", "late");
                return None;
            }
        };
        metrics::gate(context.gate.section.as_str());
        Some(context)
    }
}

/// The conversation, as far as it is known when the request must go on.
enum Finding {
    Found(Arc<Known>),
    /// It is still being looked for; what was said is stored when it is found.
    Late(JoinHandle<Option<Arc<Known>>>),
    /// Memory has no part in this request.
    Nothing,
}

impl Finding {
    fn found(&self) -> Option<&Arc<Known>> {
        match self {
            Finding::Found(known) => Some(known),
            Finding::Late(_) | Finding::Nothing => None,
        }
    }

    fn into_source(self) -> Option<Source> {
        match self {
            Finding::Found(known) => Some(Source::Ready(known)),
            Finding::Late(finding) => Some(Source::Late(finding)),
            Finding::Nothing => None,
        }
    }
}

/// A task that ends when nobody waits for it any longer.
struct Aborting<T>(JoinHandle<T>);

impl<T> Future for Aborting<Result<T, Problem>> {
    type Output = Result<T, Problem>;

    fn poll(
        mut self: std::pin::Pin<&mut Self>,
        context: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Self::Output> {
        std::pin::Pin::new(&mut self.0)
            .poll(context)
            .map(|done| done.unwrap_or_else(|gone| Err(Problem::ours(gone))))
    }
}

impl<T> Drop for Aborting<T> {
    fn drop(&mut self) {
        self.0.abort();
    }
}

async fn found(question: Question) -> Option<Arc<Known>> {
    known::recognise(question).await.unwrap_or_else(|problem| {
        tracing::warn!(%problem, "a conversation could not be recognised");
        metrics::read_missed("replay", "failed");
        metrics::capture_lost("failed");
        None
    })
}

fn missed(stage: &'static str, reason: &'static str) {
    metrics::read_missed(stage, reason);
    tracing::warn!(stage, reason, "a chat goes on without what memory would have added");
}

/// Puts into the body what stood there before and what is new. Without either it is the client's, to the byte.
fn inject(finding: &Finding, context: Option<&Context>, house: &House) -> Option<Injection> {
    let known = finding.found().filter(|known| known.who.mode.reads)?;
    let injection = chat::inject(&known.asked(), &known.replay, context, house.clock.now());
    let replayed = injection.tokens - injection.new_tokens;
    metrics::injected(injection.new_tokens, replayed, injection.memories as u64);
    if injection.prefix_hits + injection.prefix_misses > 0 {
        metrics::prefix(injection.prefix_misses == 0);
    }
    Some(injection)
}

/// The answer on its way back, followed by whoever captures it.
fn followed(
    answer: reqwest::Response,
    dialect: Dialect,
    capture: Option<Capture>,
    under_way: UnderWay,
    span: Span,
) -> Response {
    telemetry::answered(&span, answer.status().as_u16());
    let (response, body) = forward::response(answer);
    let starts = |start: &str| {
        let kind = response.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
        kind.is_some_and(|kind| kind.trim_start().to_ascii_lowercase().starts_with(start))
    };
    let is_stream = starts("text/event-stream");
    let packed = response.headers().get(CONTENT_ENCODING).is_some_and(|coding| coding != "identity");
    let capture = capture.filter(|_| response.status().is_success());
    if packed && capture.is_some() {
        metrics::capture_lost("unreadable");
    }
    let tee = Tee::new(body, dialect, is_stream, capture.filter(|_| !packed), under_way);
    response.map(|()| Body::new(tee.watched(span)))
}

/// What memory did, for the answer's headers.
pub struct Account {
    pub section: &'static str,
    pub tokens: u64,
    pub memories: usize,
    pub session: String,
}

impl Account {
    fn of(chat: &Chat, finding: &Finding, injection: Option<&Injection>) -> Account {
        let session = finding.found().map_or_else(|| chat.session_named(), |known| known.session());
        let (Some(known), Some(injection)) = (finding.found(), injection) else {
            return Account { section: "none", tokens: 0, memories: 0, session };
        };
        let new = injection.block.iter().flat_map(|block| &block.memories);
        let memories: BTreeSet<_> = known.replayed_memories().chain(new).collect();
        Account {
            section: injection.section.map_or("none", |section| section.as_str()),
            tokens: injection.tokens,
            memories: memories.len(),
            session,
        }
    }

    pub fn write(&self, headers: &mut HeaderMap) {
        headers.insert("x-recollect-section", HeaderValue::from_static(self.section));
        headers.insert("x-recollect-tokens", HeaderValue::from(self.tokens));
        headers.insert("x-recollect-memories", HeaderValue::from(self.memories));
        if let Ok(session) = HeaderValue::from_bytes(self.session.as_bytes()) {
            headers.insert("x-recollect-session", session);
        }
    }
}

/// The field that a body without a model lacks.
fn model_field(body: &[u8], name: &str) -> Option<Splice> {
    let brace = body.iter().position(|byte| *byte == b'{')?;
    let rest = body[brace + 1..].trim_ascii_start();
    let comma = if rest.starts_with(b"}") { "" } else { "," };
    Some(Splice::insert(brace + 1, format!("\"model\":{}{comma}", wire::quoted(name))))
}
