//! The way to the proxy: over the socket of the server that runs on the data folder, else through one in this process.
//!
//! Both are the same router and take the same requests, so a conversation cannot tell them apart, and goes on where a server
//! stops or starts between two messages. In this process memory has more time than beside a busy server: one person waits.

use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::{Request, Response};
use hyper_util::rt::TokioIo;
use tokio::net::UnixStream;
use tokio::sync::OnceCell;
use tower::ServiceExt;

use crate::app::{AppState, operator_app_with};
use crate::backend::Backend;
use crate::problem::{Code, Problem};
use crate::proxy::Patience;

/// Opening a store takes longer than looking something up, and happens once.
const PATIENT: Patience = Patience { read: Duration::from_secs(3), replay: Duration::from_secs(2) };

#[derive(Default)]
pub struct ChatTransport {
    /// Made when the first request finds no server.
    own: OnceCell<Router>,
}

impl ChatTransport {
    /// Sends a request; the answer's body comes as it is made. Dropping the answer cancels it.
    pub async fn send(&self, link: &Backend, request: Request<Body>) -> Result<Response<Body>, Problem> {
        if self.own.get().is_none()
            && let Some(stream) = link.server().await
        {
            return through(stream, request).await;
        }
        let make = || async {
            Ok::<_, Problem>(operator_app_with(AppState::new(link.own().await?.clone()), PATIENT))
        };
        let router = self.own.get_or_try_init(make).await?.clone();
        Ok(router.oneshot(request).await.unwrap_or_else(|never| match never {}))
    }
}

async fn through(stream: UnixStream, request: Request<Body>) -> Result<Response<Body>, Problem> {
    let broken = |error: hyper::Error| {
        tracing::debug!(%error, "the connection to the server broke");
        Problem::new(Code::Unavailable, "the server went away before it answered").hint("say it again")
    };
    let (mut sender, connection) =
        hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.map_err(broken)?;
    tokio::spawn(connection);
    let response = sender.send_request(request).await.map_err(broken)?;
    Ok(response.map(Body::new))
}
