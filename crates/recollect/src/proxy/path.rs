//! The way of a chat request: gate → retrieve → fuse → assemble → inject → upstream → capture.
//!
//! [`served`] reads like that list, and is the same for every dialect: a [`ChatRequest`] is read once, its [`Conversation`] is
//! recognised, the [`Injection`] is what goes upstream, the [`Capture`] stores what was said, and the [`RecallAccount`] tells the client
//! what memory did. Everything that memory does on the way is optional: each of its steps gives nothing where it fails, is
//! late or has no part in the request, and the client's bytes go on as they came. Only two things are ever answered here
//! instead of upstream: what is wrong with our own headers, and that there is nobody to ask.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ::models::{MemoryShare, Upstream};
use axum::Extension;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::extract::rejection::BytesRejection;
use axum::http::Method;
use axum::http::header::{CONTENT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderValue};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use chat::continuity::{Answered, Recent};
use chat::placement::Placement;
use chat::placement::refused::RefusedPlacements;
use chat::wire::{self, Splice};
use chat::{Dialect, Injection, InjectionDecisions, RequestBody, Target};
use memory::forget::wishes::HeededWish;
use memory::recall::context::Context;
use tracing::{Instrument, Span};

use super::capture::Capture;
use super::conversation::Conversation;
use super::forward::{self, Outgoing};
use super::identity_headers::{self, ChatIdentity, MemoryMode};
use super::placements::{self, PromptRefusal, RefusalSubject};
use super::programs::AskingProgram;
use super::refusal::{Admitted, ProxyRefusal};
use super::tee::Tee;
use super::writes::{EarlierReplies, Writes};
use super::{OWN_PREFIX, recall_model, routing};
use crate::app::{AppState, IdWasMade, REQUEST_ID};
use crate::limits;
use crate::metrics::{self, UnderWay};
use crate::ops::errands::Leave;
use crate::ops::{Caller, Services};
use crate::problem::Problem;
use crate::telemetry;

/// Takes in where the client says that its user is. A name that there is not is counted and holds up no chat.
async fn note_zone(house: &Services, caller: &Caller, who: &ChatIdentity, headers: &HeaderMap) {
    match identity_headers::time_zone(headers) {
        Ok(Some(zone)) if who.mode.writes => {
            let told = house.told_zone(caller, who.user.clone(), zone);
            if let Ok(Err(problem)) = tokio::time::timeout(limits::ZONE_TOLD_WITHIN, told).await {
                tracing::debug!(%problem, "a client's time zone is not written down");
            }
        }
        Ok(_) => {}
        Err(_) => metrics::zone_refused(),
    }
}

/// How long memory may hold up a chat request.
#[derive(Debug, Clone, Copy)]
pub struct Patience {
    /// With the whole read path.
    pub read: Duration,
    /// The share of that in which the conversation is recognised and its blocks are found.
    pub replay: Duration,
}

impl Patience {
    /// A wait of so many milliseconds, two thirds of them for what stood in the prompt before.
    pub fn of(milliseconds: u64) -> Self {
        let read = Duration::from_millis(milliseconds);
        Self { read, replay: read * 2 / 3 }
    }
}

impl Default for Patience {
    fn default() -> Self {
        Self { read: limits::READ_WITHIN, replay: limits::REPLAY_WITHIN }
    }
}

/// What chat requests share.
#[derive(Default)]
pub struct ProxyState {
    pub patience: Patience,
    /// Replies just forwarded, by which the next request is recognised before they are stored.
    pub recent: Recent,
    /// What upstreams call the replies that they keep themselves.
    pub answered: Answered,
    /// Which messages were decided on.
    pub decisions: InjectionDecisions,
    /// What is being stored.
    pub writes: Writes,
    /// Where upstreams would not have memory.
    pub placements: RefusedPlacements,
}

/// A chat request as it came, with its body read.
pub struct ChatRequest {
    pub house: Services,
    pub shared: Arc<ProxyState>,
    pub leave: Leave,
    pub dialect: Dialect,
    pub who: ChatIdentity,
    pub headers: HeaderMap,
    /// What stands behind the address, question mark and all.
    pub query: String,
    pub bytes: Bytes,
    pub body: RequestBody,
    pub program: AskingProgram,
    /// How much of what is remembered whoever answers is told.
    pub share: MemoryShare,
    /// Replies that the client answers to and whose conversation was not recognised yet when this request came.
    pub earlier: EarlierReplies,
}

/// `POST /v1/chat/completions`, `/v1/responses` and `/v1/messages`.
pub async fn chat(
    State(state): State<AppState>,
    Extension(shared): Extension<Arc<ProxyState>>,
    Extension(dialect): Extension<Dialect>,
    Admitted(caller): Admitted,
    parts: Parts,
    body: Result<Bytes, BytesRejection>,
) -> Result<Response, ProxyRefusal> {
    let under_way = metrics::chat_begins();
    let served = match super::read(body) {
        Ok(bytes) => {
            let body = parsed(dialect, &bytes).await;
            match ChatRequest::of(state.house, shared, caller, dialect, parts, bytes, body) {
                Ok(request) => served(Arc::new(request), under_way).await,
                Err(problem) => Err(problem),
            }
        }
        Err(problem) => Err(problem),
    };
    served.map_err(|problem| ProxyRefusal::of(dialect, problem))
}

/// Reads the body; a long one on a thread of its own, because it takes longer than others should wait.
async fn parsed(dialect: Dialect, bytes: &Bytes) -> RequestBody {
    if bytes.len() <= limits::PARSED_AT_ONCE_BYTES {
        return RequestBody::read_as(dialect, bytes);
    }
    let bytes = bytes.clone();
    store::on_blocking_thread(async move { RequestBody::read_as(dialect, &bytes) }).await
}

async fn served(request: Arc<ChatRequest>, under_way: UnderWay) -> Result<Response, Problem> {
    note_zone(&request.house, request.leave.caller(), &request.who, &request.headers).await;
    if request.model().starts_with(OWN_PREFIX) {
        return recall_model::serve(request, under_way).await;
    }
    let route = request.route()?;
    let start = Instant::now();
    let conversation = Conversation::of(&request).await;
    let context = conversation.recall(&request, start).await;
    let injection = inject(&request, &route, &conversation, context.as_deref());
    if !request.who.mode.is_off() {
        metrics::recalled(start.elapsed());
    }
    let mut account = RecallAccount::of(&request, &conversation, injection.as_ref());
    let placement = injection.as_ref().and_then(|done| done.placement);
    let (body, block) = match injection {
        Some(injection) => (Bytes::from(injection.body), injection.block),
        None => (route.renamed(&request.bytes), None),
    };
    let mut capture = Capture::begin(&request, conversation, block);
    let span = telemetry::upstream(&route.upstream, request.model());
    let asking = route.ask(&request, body, placement, capture.is_some());
    let (answer, without) = asking.instrument(span.clone()).await;
    if without {
        account = account.without_memory();
    }
    // What fails without memory too keeps what it has: mended and asked again, it is as it was.
    if without && answer.as_ref().is_ok_and(|answer| answer.status().is_success()) {
        capture = capture.map(Capture::without_memory);
    }
    let mut response = match answer {
        Ok(answer) => followed(answer, request.dialect, capture, under_way, span),
        Err(problem) => {
            telemetry::trouble(&span, "unreachable");
            ProxyRefusal::of(request.dialect, problem).into_response()
        }
    };
    account.write(response.headers_mut());
    Ok(response)
}

/// Who answers, what the model is called there, and the change that calls it so where the client does not.
struct Route {
    upstream: Upstream,
    model: String,
    renaming: Option<Splice>,
}

impl Route {
    /// Sends the body and gives the answer as it begins. A body with memory in it that is refused is sent once more as the client
    /// wrote it: memory never breaks a chat. Says too whether the answer is to that.
    async fn ask(
        &self,
        request: &ChatRequest,
        body: Bytes,
        placement: Option<Placement>,
        readable: bool,
    ) -> (Result<reqwest::Response, Problem>, bool) {
        let path = format!("{}{}", routing::path(request.dialect), request.query);
        let send = |body: Bytes| {
            forward::send(Outgoing {
                upstream: &self.upstream,
                instance: &request.house.instance,
                method: Method::POST,
                path: &path,
                headers: &request.headers,
                body,
                readable,
            })
        };
        let (refused, placement) = match (send(body.clone()).await, placement) {
            (Ok(answer), Some(placement)) if placements::may_be_refusal(answer.status()) => {
                (answer, placement)
            }
            (answer, _) => return (answer, false),
        };
        // What memory put there earlier may be with the upstream and not in this request.
        let plain = self.renamed(&request.bytes);
        if plain == body {
            return (Ok(refused), false);
        }
        let refusal = PromptRefusal::read(refused).await;
        if refusal.about == RefusalSubject::Elsewhere {
            return (Ok(refusal.answer), false);
        }
        let again = send(plain).await;
        let status = again.as_ref().ok().map(reqwest::Response::status);
        let (outcome, is_told) = match (status, refusal.about) {
            (Some(status), _) if placements::may_be_refusal(status) => ("same", true),
            (Some(status), RefusalSubject::Length) if status.is_success() => ("too_long", true),
            (Some(status), RefusalSubject::Place) if status.is_success() => {
                self.remember(request, placement);
                ("remembered", true)
            }
            (Some(status), _) if status.is_success() => ("unsaid", true),
            _ => ("failed", false),
        };
        metrics::placement_refused(&self.upstream.name, outcome);
        tracing::warn!(
            upstream = self.upstream.name,
            model = self.model,
            outcome,
            "a prompt with memory was refused"
        );
        if is_told { (again, true) } else { (Ok(refusal.answer), false) }
    }

    /// That the upstream would not have memory there.
    fn remember(&self, request: &ChatRequest, placement: Placement) {
        let (tenant, now) = (request.leave.caller().tenant(), request.house.clock.now());
        request.shared.placements.refused(tenant, &self.upstream.name, &self.model, placement, now);
    }

    /// The client's bytes with the model's name as it is known there.
    fn renamed(&self, bytes: &Bytes) -> Bytes {
        match &self.renaming {
            Some(splice) => wire::apply(bytes, vec![splice.clone()]).into(),
            None => bytes.clone(),
        }
    }
}

impl ChatRequest {
    fn of(
        house: Services,
        shared: Arc<ProxyState>,
        caller: Caller,
        dialect: Dialect,
        parts: Parts,
        bytes: Bytes,
        body: RequestBody,
    ) -> Result<ChatRequest, Problem> {
        let mut headers = parts.headers;
        if parts.extensions.get::<IdWasMade>().is_some() {
            headers.remove(REQUEST_ID);
        }
        let query = parts.uri.query().map(|query| format!("?{query}")).unwrap_or_default();
        let (mut who, leave) =
            ChatIdentity::of_chat(&headers, body.envelope().user.as_deref())?.permitted(&house, &caller)?;
        let program = AskingProgram::of(&headers);
        if program.for_itself {
            // A model's words are nobody's: no evidence and no question.
            who.mode = MemoryMode::OFF;
            metrics::side_call();
        }
        let model = body.envelope().model_name();
        // Our own model is nobody else: it is told everything.
        let answers = (!model.starts_with(OWN_PREFIX))
            .then(|| routing::choose(super::upstreams(&house), dialect, model));
        let share = answers.and_then(Result::ok).map_or(MemoryShare::Full, |(upstream, _)| upstream.memory);
        who.mode.reads &= share != MemoryShare::Off;
        // Looked at before this request can have a reply of its own, so that none ever waits for itself.
        let earlier = match body.chat().and_then(|chat| chat.last_reply()) {
            Some(reply) => shared.writes.earlier(caller.tenant(), reply),
            None => EarlierReplies::default(),
        };
        Ok(ChatRequest {
            house,
            shared,
            leave,
            dialect,
            who,
            headers,
            query,
            bytes,
            body,
            program,
            share,
            earlier,
        })
    }

    pub fn model(&self) -> &str {
        self.body.envelope().model_name()
    }

    /// The session that the client names, or nothing.
    pub fn session_named(&self) -> String {
        self.who.session.as_ref().map(ToString::to_string).unwrap_or_default()
    }

    fn route(&self) -> Result<Route, Problem> {
        let upstreams = super::upstreams(&self.house);
        let (upstream, name) = routing::choose(upstreams, self.dialect, self.model())?;
        let name = match (name, upstream.default_model.as_deref()) {
            ("", Some(usual)) => usual,
            (name, _) => name,
        };
        let renaming = match &self.body.envelope().model {
            Some(written) if written.text != name => Some(wire::rename_model(written, name)),
            None if !name.is_empty() => model_field(&self.bytes, name),
            _ => None,
        };
        Ok(Route { upstream: upstream.clone(), model: name.to_owned(), renaming })
    }
}

/// Puts into the body what stood there before and what is new. Without either it is the client's, to the byte.
fn inject(
    request: &ChatRequest,
    route: &Route,
    conversation: &Conversation,
    context: Option<&Context>,
) -> Option<Injection> {
    let known = conversation.known().filter(|known| known.who.mode.reads)?;
    let now = request.house.clock.now();
    let tenant = known.tenant.id();
    let refused = request.shared.placements.of(tenant, &route.upstream.name, &route.model, now);
    let target = Target {
        body: &request.bytes,
        provider: Some(&route.upstream.name),
        model: &route.model,
        renamed: route.renaming.as_ref(),
        settings: &known.settings,
        placement: route.upstream.placement,
        refused: &refused,
    };
    let injection = known.replayed.inject(&target, context, now);
    let replayed = injection.tokens - injection.new_tokens;
    metrics::injected(injection.new_tokens, replayed, injection.memories as u64);
    metrics::lines_left_out(injection.left_out as u64);
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
pub struct RecallAccount {
    pub section: &'static str,
    pub tokens: u64,
    pub memories: usize,
    pub session: String,
    /// What was forgotten because the message asks for it.
    pub forgotten: Option<HeededWish>,
    /// The message asks that nothing of the conversation be kept.
    pub silenced: bool,
}

impl RecallAccount {
    fn of(
        request: &ChatRequest,
        conversation: &Conversation,
        injection: Option<&Injection>,
    ) -> RecallAccount {
        let known = conversation.known();
        let session = known.map_or_else(|| request.session_named(), |known| known.session());
        let forgotten = known.and_then(|known| known.forgotten.clone());
        let silenced = known.is_some_and(|known| known.silenced);
        let (Some(known), Some(injection)) = (known, injection) else {
            return RecallAccount { section: "none", tokens: 0, memories: 0, session, forgotten, silenced };
        };
        let new = injection.block.iter().flat_map(|block| &block.memories);
        let memories: BTreeSet<_> = known.replayed_memories().chain(new).collect();
        RecallAccount {
            section: injection.section.map_or("none", |section| section.as_str()),
            tokens: injection.tokens,
            memories: memories.len(),
            session,
            forgotten,
            silenced,
        }
    }

    /// The same where the upstream was asked without what memory had added.
    fn without_memory(self) -> RecallAccount {
        RecallAccount { section: "none", tokens: 0, memories: 0, ..self }
    }

    pub fn write(&self, headers: &mut HeaderMap) {
        headers.insert("x-recollect-section", HeaderValue::from_static(self.section));
        headers.insert("x-recollect-tokens", HeaderValue::from(self.tokens));
        headers.insert("x-recollect-memories", HeaderValue::from(self.memories));
        if let Ok(session) = HeaderValue::from_bytes(self.session.as_bytes()) {
            headers.insert("x-recollect-session", session);
        }
        if let Some(forgotten) = &self.forgotten {
            headers.insert("x-recollect-forgotten", HeaderValue::from(forgotten.count));
            if let Ok(run) = HeaderValue::from_str(forgotten.run.as_str()) {
                headers.insert("x-recollect-forget-run", run);
            }
        }
        if self.silenced {
            headers.insert("x-recollect-silenced", HeaderValue::from_static("true"));
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
