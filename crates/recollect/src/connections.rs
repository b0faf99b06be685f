//! Accepts connections and answers on them: HTTP/1.1 alone, with a bound on how many are open and on how long a client may
//! take over its part.
//!
//! `axum::serve` makes the table of routes anew for every connection, knows no timer and takes any number, so that whoever
//! can reach the address fills the memory and the table of files without a key. Here the routes are made once; a head must be
//! whole within [`ListenerBounds::head_within`], counted from when the connection is free, which also closes idle ones; a body must
//! not stop for longer than [`ListenerBounds::body_stalls`]. Where all slots are taken, the next connection waits in the system's own queue.
//! The network and the Unix socket have slots of their own: the operator gets in when the network is full.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::serve::Listener;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use rustix::process::{Resource, getrlimit};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tower::Service;
use tower_http::timeout::TimeoutBody;

use crate::limits;

/// What one listener grants.
#[derive(Debug, Clone, Copy)]
pub struct ListenerBounds {
    /// Connections that are open at once.
    pub connections: usize,
    /// How long the head of a request may take, from when the connection is free for it.
    pub head_within: Duration,
    /// How long nothing may come of a body that is being read.
    pub body_stalls: Duration,
}

impl ListenerBounds {
    fn with(connections: usize) -> Self {
        let (head_within, body_stalls) = (limits::HEAD_WITHIN, limits::BODY_STALLS);
        Self { connections, head_within, body_stalls }
    }

    /// For the network: a third of the files that the process may open, since a chat opens another to its upstream and the
    /// store has files too.
    pub fn of_network() -> Self {
        Self::with((open_files() / 3).clamp(1, limits::CONNECTIONS))
    }

    /// For the Unix socket: a share that the network cannot take.
    pub fn of_socket() -> Self {
        Self::with((open_files() / 8).clamp(1, limits::SOCKET_CONNECTIONS))
    }
}

/// Files that this process may have open. The store has raised it as far as the system allows.
fn open_files() -> usize {
    getrlimit(Resource::Nofile)
        .current
        .map_or(usize::MAX, |files| usize::try_from(files).unwrap_or(usize::MAX))
}

/// Serves a listener's connections until told to stop; then waits for the requests that are under way.
pub async fn accept<L: Listener>(
    mut listener: L,
    router: Router,
    bounds: ListenerBounds,
    mut stopped: watch::Receiver<bool>,
) {
    // Routes are turned into services here, once, and not at every request.
    let router = router.with_state(());
    let slots = Arc::new(Semaphore::new(bounds.connections));
    let open = GracefulShutdown::new();
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(bounds.head_within);
    loop {
        let next = async {
            let slot = free(&slots).await;
            (listener.accept().await.0, slot)
        };
        let (stream, slot) = tokio::select! {
            next = next => next,
            // An error means that the sender is gone, and then it is time to stop as well.
            _ = stopped.wait_for(|stop| *stop) => break,
        };
        let router = router.clone();
        let answer = service_fn(move |request: Request<Incoming>| {
            let request = request.map(|body| Body::new(TimeoutBody::new(bounds.body_stalls, body)));
            router.clone().call(request)
        });
        let connection = open.watch(http.serve_connection(TokioIo::new(stream), answer));
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a connection broke off");
            }
            drop(slot);
        });
    }
    // Nobody else is let in while those that are here finish.
    drop(listener);
    open.shutdown().await;
}

/// The next free slot. That there is none is said once, not for each who waits.
async fn free(slots: &Arc<Semaphore>) -> OwnedSemaphorePermit {
    if let Ok(slot) = slots.clone().try_acquire_owned() {
        return slot;
    }
    tracing::warn!("all connections are taken; the next waits for one to end");
    slots.clone().acquire_owned().await.expect("nobody closes the slots")
}
