//! Accepts connections, records each request, and gives the answer that the script chose.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use http_body_util::{BodyExt, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::header::{CONTENT_LENGTH, CONTENT_TYPE, HeaderName, HeaderValue};
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use parking_lot::{Mutex, MutexGuard};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

use super::body::{BrokenConnection, Last, RequestWatch, ScriptedBody};
use super::reply::{BodyEnd, ReplyContent};
use super::script::{LlmScript, ScriptChoice};
use super::wire::{self, Endpoint, Rendered};
use super::{ScriptedReply, SeenRequest};

/// More than any test sends, and less than the machine has.
const REQUEST_BODY_MAX_BYTES: usize = 256 * 1024 * 1024;

/// What the handle and all connections share.
#[derive(Debug, Default)]
pub(super) struct ServerState {
    /// Held only to choose an answer, never while answering.
    script: Mutex<LlmScript>,
    /// Held only to add a request or to copy the list.
    seen: Mutex<Vec<Arc<SeenRequest>>>,
    arrived: AtomicU64,
    pub counters: ServerCounters,
}

impl ServerState {
    pub fn script(&self) -> MutexGuard<'_, LlmScript> {
        self.script.lock()
    }

    pub fn seen(&self) -> MutexGuard<'_, Vec<Arc<SeenRequest>>> {
        self.seen.lock()
    }
}

/// What is going on right now.
#[derive(Debug, Default)]
pub(super) struct ServerCounters {
    connections: AtomicUsize,
    open_requests: AtomicUsize,
    open_streams: AtomicUsize,
    most_open_streams: AtomicUsize,
}

impl ServerCounters {
    pub fn request_begins(&self) {
        self.open_requests.fetch_add(1, Ordering::AcqRel);
    }

    pub fn request_ends(&self) {
        self.open_requests.fetch_sub(1, Ordering::AcqRel);
    }

    pub fn stream_begins(&self) {
        let open = self.open_streams.fetch_add(1, Ordering::AcqRel) + 1;
        self.most_open_streams.fetch_max(open, Ordering::AcqRel);
    }

    pub fn stream_ends(&self) {
        self.open_streams.fetch_sub(1, Ordering::AcqRel);
    }

    pub fn open_requests(&self) -> usize {
        self.open_requests.load(Ordering::Acquire)
    }

    pub fn open_streams(&self) -> usize {
        self.open_streams.load(Ordering::Acquire)
    }

    pub fn most_open_streams(&self) -> usize {
        self.most_open_streams.load(Ordering::Acquire)
    }

    pub fn connections(&self) -> usize {
        self.connections.load(Ordering::Acquire)
    }
}

/// Serves until it is aborted; the connections live in it and break with it.
pub(super) async fn accept(listener: TcpListener, shared: Arc<ServerState>) {
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => {
                let Ok((stream, _)) = accepted else { continue };
                shared.counters.connections.fetch_add(1, Ordering::AcqRel);
                // Each event of a stream is to leave when it is written.
                let _ = stream.set_nodelay(true);
                connections.spawn(serve_connection(TokioIo::new(stream), Arc::clone(&shared)));
            }
            Some(_) = connections.join_next() => {}
        }
    }
}

async fn serve_connection(io: TokioIo<TcpStream>, shared: Arc<ServerState>) {
    let service = service_fn(|request| answer(request, Arc::clone(&shared)));
    // A broken connection is either what the script wanted or recorded by the watch; there is nobody to tell.
    let _ = hyper::server::conn::http1::Builder::new().serve_connection(io, service).await;
}

/// An error here makes hyper hang up without a word.
async fn answer(
    request: Request<Incoming>,
    shared: Arc<ServerState>,
) -> Result<Response<ScriptedBody>, BrokenConnection> {
    let (head, body) = request.into_parts();
    let body =
        Limited::new(body, REQUEST_BODY_MAX_BYTES).collect().await.map_err(|_| BrokenConnection)?.to_bytes();
    let (seen, mut watch) = record(head, body, &shared);
    let endpoint = Endpoint::of(&seen);
    let reply = choose(&seen, endpoint, &shared);
    if !reply.delay.is_zero() {
        tokio::time::sleep(reply.delay).await;
    }
    match reply.content {
        ReplyContent::Hang => std::future::pending().await,
        ReplyContent::Disconnect => {
            watch.finish();
            Err(BrokenConnection)
        }
        _ => Ok(respond(wire::render(&reply, &seen, endpoint), &reply, &seen, watch)),
    }
}

fn record(
    head: hyper::http::request::Parts,
    body: Bytes,
    shared: &Arc<ServerState>,
) -> (Arc<SeenRequest>, RequestWatch) {
    let number = shared.arrived.fetch_add(1, Ordering::AcqRel) + 1;
    let seen = Arc::new(SeenRequest::new(number, head, body));
    // Counted as open before it is listed: who waits for it and then for the server to be idle waits for its end.
    let watch = RequestWatch::new(Arc::clone(&seen), Arc::clone(shared));
    shared.seen().push(Arc::clone(&seen));
    (seen, watch)
}

fn choose(seen: &SeenRequest, endpoint: Endpoint, shared: &ServerState) -> ScriptedReply {
    let (choice, observer) = {
        let mut script = shared.script();
        (script.choose(seen, endpoint.generates()), script.observer.clone())
    };
    if let Some(observe) = observer {
        observe(seen);
    }
    match choice {
        ScriptChoice::Reply(reply) => *reply,
        ScriptChoice::Ask(respond) => respond(seen),
    }
}

fn respond(
    rendered: Rendered,
    reply: &ScriptedReply,
    seen: &SeenRequest,
    mut watch: RequestWatch,
) -> Response<ScriptedBody> {
    let Rendered { status, content_type, mut pieces, streaming } = rendered;
    let length: usize = pieces.iter().map(Bytes::len).sum();
    let last = shorten(&mut pieces, reply.end, length);
    let between = match reply.byte_delay {
        Some(delay) => {
            pieces =
                pieces.iter().flat_map(|piece| (0..piece.len()).map(|at| piece.slice(at..=at))).collect();
            delay
        }
        None => reply.chunk_delay,
    };
    if streaming {
        watch.streams();
    }
    let mut response = Response::new(ScriptedBody::new(pieces, between, last, watch));
    *response.status_mut() = StatusCode::from_u16(status).expect("a script gives statuses that exist");
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, content_type.parse().expect("a script gives content types that exist"));
    for (name, value) in marks(seen) {
        headers.insert(name, value);
    }
    if reply.end == BodyEnd::Broken {
        headers.insert(CONTENT_LENGTH, HeaderValue::from(length));
    }
    for (name, value) in &reply.headers {
        let name: HeaderName = name.parse().expect("a script gives header names that exist");
        headers.append(name, value.parse().expect("a script gives header values that exist"));
    }
    response
}

/// Takes off what the client is not to get.
fn shorten(pieces: &mut Vec<Bytes>, end: BodyEnd, length: usize) -> Last {
    match end {
        BodyEnd::Complete => Last::Complete,
        BodyEnd::CutAfter(count) => {
            pieces.truncate(count);
            Last::Break
        }
        BodyEnd::HangAfter(count) => {
            pieces.truncate(count);
            Last::Hang
        }
        BodyEnd::Half | BodyEnd::Broken => {
            let whole: Bytes = pieces.concat().into();
            *pieces = vec![whole.slice(..length / 2)];
            if end == BodyEnd::Half { Last::Complete } else { Last::Break }
        }
    }
}

/// Headers that a proxy has to hand through, and that nobody else would set.
fn marks(seen: &SeenRequest) -> [(&'static str, HeaderValue); 5] {
    let request_id = HeaderValue::from_str(&format!("req_{:06}", seen.number)).expect("digits and letters");
    [
        ("x-upstream-marker", HeaderValue::from_static("scripted")),
        ("x-ratelimit-remaining-requests", HeaderValue::from_static("4999")),
        ("openai-processing-ms", HeaderValue::from_static("7")),
        ("request-id", request_id.clone()),
        ("x-request-id", request_id),
    ]
}
