//! The HTTP surface as a function from state to router, so that tests need no socket.
//!
//! Two routers from the same parts: [`app`] for the network, and [`operator_app`] for the Unix socket, which also takes
//! operations (`/rpc`). Around every route stands the same middleware: a request id that is accepted, or made, and sent
//! back; one log line a request; a look at where it comes from ([`crate::auth`]); a bound on bodies; and every error in
//! the one shape of [`crate::problem`].

use std::sync::Arc;
use std::time::Instant;

use axum::Router;
use axum::extract::{DefaultBodyLimit, MatchedPath, Request, State};
use axum::http::{HeaderName, HeaderValue, Uri};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use tracing::Instrument;

use crate::auth::origin_policy::Door;
use crate::limits;
use crate::ops::Services;
use crate::problem::{Code, Problem};
use crate::proxy::Patience;
use crate::proxy::refusal::ProxyRefusal;
use crate::{auth, mcp, metrics, proxy, rest, rpc, telemetry};

pub const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The request came without an id and was given one, which is nobody else's business.
#[derive(Clone, Copy)]
pub struct IdWasMade;

/// What handlers share.
#[derive(Clone)]
pub struct AppState {
    pub house: Services,
    /// What is asked of requests where these come in.
    pub door: Arc<Door>,
}

impl AppState {
    /// Requests come from this machine, and nothing is configured.
    pub fn new(house: Services) -> Self {
        Self { house, door: Arc::new(Door::plain()) }
    }
}

/// What the network sees.
pub fn app(state: AppState) -> Router {
    with_middleware(routes(Patience::default()), state)
}

/// The same with more or less patience with memory, for tests on a machine that is busy with other things.
pub fn app_with(state: AppState, patience: Patience) -> Router {
    with_middleware(routes(patience), state)
}

/// What the owner of the data folder sees.
pub fn operator_app(state: AppState) -> Router {
    operator_app_with(state, Patience::default())
}

/// The same with another patience with memory.
pub fn operator_app_with(state: AppState, patience: Patience) -> Router {
    let state = AppState { door: Arc::new(Door::socket()), ..state };
    with_middleware(routes(patience).route(rpc::PATH, post(rpc::answer)), state)
}

fn routes(patience: Patience) -> Router<AppState> {
    metrics::recorder();
    rest::routes().merge(proxy::routes(patience)).merge(mcp::http::routes())
}

fn with_middleware(routes: Router<AppState>, state: AppState) -> Router {
    routes
        .fallback(no_route)
        .method_not_allowed_fallback(no_method)
        .layer(DefaultBodyLimit::max(crate::limits::BODY_BYTES))
        .layer(middleware::from_fn_with_state(state.clone(), auth::guard))
        .layer(middleware::from_fn_with_state(state.clone(), with_request_id))
        .with_state(state)
}

async fn no_route(uri: Uri) -> Response {
    let problem = Problem::new(Code::NotFound, "there is nothing at this address");
    if uri.path().starts_with(proxy::PREFIX) {
        let chats = format!("{}, {}, {}", proxy::CHAT, proxy::RESPONSES, proxy::MESSAGES);
        let hint = format!("{chats}, {} and {} answer here", proxy::MODELS, proxy::EMBEDDINGS);
        return ProxyRefusal::at(uri.path(), problem.hint(hint)).into_response();
    }
    problem.hint(format!("GET {} shows everything that answers here", rest::openapi::PAGE)).into_response()
}

async fn no_method(uri: Uri) -> Response {
    let problem = Problem::new(Code::MethodNotAllowed, "this address does not take this method");
    match uri.path().starts_with(proxy::PREFIX) {
        true => ProxyRefusal::at(uri.path(), problem).into_response(),
        false => problem.into_response(),
    }
}

/// Gives each request an id, and a log line when it is done. The line holds the route and not the path: an address
/// that somebody made up may contain anything.
async fn with_request_id(State(state): State<AppState>, mut request: Request, next: Next) -> Response {
    let given = request.headers().get(REQUEST_ID).filter(|id| is_sane(id)).cloned();
    if given.is_none() {
        request.extensions_mut().insert(IdWasMade);
    }
    let id = given.unwrap_or_else(|| {
        let made = state.house.clock.uuid().hyphenated().to_string();
        HeaderValue::from_str(&made).expect("a UUID is a sound header")
    });
    request.headers_mut().insert(REQUEST_ID, id.clone());
    let method = request.method().clone();
    let route = request.extensions().get::<MatchedPath>().map_or("-", MatchedPath::as_str).to_owned();
    let trace = telemetry::request(&method, &route, request.headers());
    let span = tracing::info_span!(parent: &trace, "request", id = id.to_str().unwrap_or_default());
    let start = Instant::now();
    let mut response = next.run(request).instrument(span.clone()).instrument(trace.clone()).await;
    let (status, took) = (response.status().as_u16(), start.elapsed());
    metrics::request(method.as_str(), &route, status, took);
    telemetry::answered(&trace, status);
    let duration_us = took.as_micros() as u64;
    span.in_scope(|| tracing::info!(%method, route, status, duration_us, "request"));
    // An answer that was forwarded has its upstream's id, by which the upstream is asked about it.
    response.headers_mut().entry(REQUEST_ID).or_insert(id);
    response
}

fn is_sane(id: &HeaderValue) -> bool {
    let allowed = |byte: &u8| byte.is_ascii_alphanumeric() || b"._:-/+=".contains(byte);
    (1..=limits::REQUEST_ID_BYTES).contains(&id.len()) && id.as_bytes().iter().all(allowed)
}
