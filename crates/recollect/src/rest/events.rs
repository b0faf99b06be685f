//! `GET /api/events`: what changes in the caller's tenant, as it happens, as server-sent events.
//!
//! Each event is one commit of the change log and has its number as its id, so that a client that comes back with
//! `Last-Event-ID` misses nothing. It names records by their sort and id, and never says what they hold. The log is
//! looked at every so often, because other processes write too; no more is read than the client takes. Whoever's key
//! is revoked hears no more, and neither does anybody once the server stops.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::Extension;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::HeaderMap;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use http_body::Frame;
use serde::Deserialize;
use serde_json::json;
use tokio::sync::{OwnedSemaphorePermit, mpsc, watch};
use tokio::time::Instant;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::extract::QueryParams;
use crate::app::AppState;
use crate::ops::Caller;
use crate::ops::changes::{self, Changes, ChangesListed, Commit};
use crate::problem::{Code, Problem};
use crate::request::wrong;
use crate::{auth, limits};

pub const PATH: &str = "/api/events";

/// Says when the server stops, so that nobody listens on.
#[derive(Clone)]
pub struct Stopping(pub watch::Receiver<bool>);

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::default().routes(routes!(events))
}

/// Since when.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub struct EventsQuery {
    /// From after this number on; without one, only what is new.
    after: Option<u64>,
}

/// What changes, as it happens
///
/// Server-sent events: `change` for every commit, with the sort and id of what it touched; `reset` when the log no
/// longer knows what came after the number that was given, and everything is to be looked at anew.
#[utoipa::path(get, path = "/api/events", tag = "engine", operation_id = "events", params(
    QueryParams<EventsQuery>,
    ("Last-Event-ID" = Option<String>, Header, description = "The same, as browsers send it when they come back"),
), responses((status = 200, description = "A stream that goes on; the data of a `change` is a commit",
    body = Commit, content_type = "text/event-stream")))]
async fn events(
    State(state): State<AppState>,
    caller: Caller,
    QueryParams(asked): QueryParams<EventsQuery>,
    headers: HeaderMap,
    stopping: Option<Extension<Stopping>>,
) -> Result<Response, Problem> {
    let after = number(&asked, &headers)?;
    let first = state.house.ask(&caller, Changes { after }).await?;
    let seat = Arc::clone(&state.house.listeners).try_acquire_owned().map_err(|_| {
        Problem::new(Code::Busy, "too many listen to changes already").hint("try again in a while")
    })?;
    let (sender, receiver) = mpsc::channel(limits::EVENTS_WAITING);
    let stopping = stopping.map(|Extension(Stopping(stopping))| stopping);
    let at = after.unwrap_or(first.head);
    let follower = EventListener { state, caller, headers, at, sender, _seat: seat };
    tokio::spawn(follower.follow(first, stopping));
    let head = [(CONTENT_TYPE, "text/event-stream"), (CACHE_CONTROL, "no-store")];
    Ok((head, Body::new(EventStream(receiver))).into_response())
}

/// A browser that comes back says where it was; that counts for more than the address it came by first.
fn number(asked: &EventsQuery, headers: &HeaderMap) -> Result<Option<u64>, Problem> {
    let Some(value) = headers.get("last-event-id") else {
        return Ok(asked.after);
    };
    let text = value.to_str().unwrap_or("?").trim();
    if text.is_empty() {
        return Ok(None);
    }
    text.parse().map(Some).map_err(|_| wrong("Last-Event-ID", "expected the id of an event, a whole number"))
}

/// One client that listens.
struct EventListener {
    state: AppState,
    caller: Caller,
    /// What it showed at the door, which it is asked for again.
    headers: HeaderMap,
    /// The last commit it was told of.
    at: u64,
    sender: mpsc::Sender<Bytes>,
    _seat: OwnedSemaphorePermit,
}

impl EventListener {
    /// Until the client goes, may no longer listen, or the server stops.
    async fn follow(mut self, first: ChangesListed, stopping: Option<watch::Receiver<bool>>) {
        let sender = self.sender.clone();
        let stopped = async {
            match stopping {
                Some(mut stopping) => drop(stopping.wait_for(|stop| *stop).await),
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            told = self.tell(first) => tracing::debug!(?told, "a follower is gone"),
            () = sender.closed() => {}
            () = stopped => {}
        }
    }

    async fn tell(&mut self, mut listed: ChangesListed) -> Option<()> {
        // Whoever loses the connection before the first event comes back with this number.
        self.send(format!("retry: 1000\nid: {}\n\n", self.at)).await?;
        let mut heartbeat = Instant::now() + limits::FOLLOW_HEARTBEAT;
        loop {
            let news = self.pass_on(listed).await?;
            let now = Instant::now();
            if now >= heartbeat {
                heartbeat = now + limits::FOLLOW_HEARTBEAT;
                auth::caller(&self.headers, &self.state, &format!("GET {PATH}")).await.ok()?;
                self.send(": still here\n\n".to_owned()).await?;
            }
            if !news {
                tokio::time::sleep(limits::FOLLOW_AGAIN_AFTER).await;
            }
            listed =
                self.look().await.map_err(|problem| tracing::warn!(%problem, "a follower is left")).ok()?;
        }
    }

    /// Whether there was anything.
    async fn pass_on(&mut self, listed: ChangesListed) -> Option<bool> {
        let news = listed.reset || !listed.commits.is_empty();
        if listed.reset {
            let data = json!({ "number": listed.head });
            self.send(format!("id: {}\nevent: reset\ndata: {data}\n\n", listed.head)).await?;
        }
        for commit in &listed.commits {
            self.send(event(commit)).await?;
        }
        self.at = listed.head;
        Some(news)
    }

    /// Opened each time: a tenant that nobody but a listener uses need not be kept open.
    async fn look(&self) -> Result<ChangesListed, Problem> {
        changes::again(&self.state.house, &self.caller, self.at).await
    }

    async fn send(&self, text: String) -> Option<()> {
        self.sender.send(text.into()).await.ok()
    }
}

fn event(commit: &Commit) -> String {
    let data = serde_json::to_string(commit).expect("a commit is plain data");
    format!("id: {}\nevent: change\ndata: {data}\n\n", commit.number)
}

/// What the follower sends, as the body of the answer.
struct EventStream(mpsc::Receiver<Bytes>);

impl http_body::Body for EventStream {
    type Data = Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        self.0.poll_recv(context).map(|bytes| bytes.map(|bytes| Ok(Frame::data(bytes))))
    }
}
