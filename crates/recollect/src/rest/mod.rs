//! What HTTP clients may ask: one file a route, each with the request as it comes over the wire.
//!
//! Thin: a body is read ([`body`]), becomes an operation, and the operation's answer goes back as it is. Names and
//! spellings of the wire stay in here. Fields that a route does not know are passed over, because clients send their
//! own beside ours; a field that it knows and that is wrong is a 400 that names it.

mod body;
mod context;
mod ingest;
mod learning;
mod memories;
mod search;

use axum::Router;
use axum::http::header::ORIGIN;
use axum::http::{HeaderMap, Uri};
use axum::routing::{get, post};

use crate::app::AppState;
use crate::ops::{self, Caller, Request};
use crate::problem::{Code, Problem};

pub const INGEST: &str = "/memory/ingest";
pub const SEARCH: &str = "/api/memory/search";
pub const CONTEXT: &str = "/api/memory/context";
pub const MEMORIES: &str = "/api/memory";
pub const MEMORY: &str = "/api/memory/{id}";
pub const SESSION_END: &str = "/api/memory/sessions/{id}/end";
pub const SYNC: &str = "/api/memory/sync";

pub fn routes() -> Router<AppState> {
    Router::new()
        .route(INGEST, post(ingest::ingest))
        .route(SEARCH, post(search::search))
        .route(CONTEXT, post(context::context))
        .route(MEMORIES, get(memories::list))
        .route(MEMORY, get(memories::show).put(memories::update).delete(memories::delete))
        .route(SESSION_END, post(learning::end))
        .route(SYNC, post(learning::sync))
}

/// Does the operation for a caller who was let in, and gives the answer that belongs to it.
async fn ask<R: Request>(state: &AppState, caller: &Caller, request: R) -> Result<R::Answer, Problem> {
    let outcome = ops::execute(&state.house, caller, request.into()).await?;
    R::answer(outcome).ok_or_else(|| Problem::ours("the answer is not one to the question"))
}

/// A page from elsewhere, open in a browser on this machine, can reach this address too. Browsers say where a page comes
/// from.
fn refuse_foreign_pages(headers: &HeaderMap) -> Result<(), Problem> {
    let Some(origin) = headers.get(ORIGIN) else { return Ok(()) };
    let host = origin.to_str().ok().and_then(|origin| origin.parse::<Uri>().ok());
    let host = host.as_ref().and_then(Uri::host).unwrap_or_default().trim_matches(['[', ']']);
    let here = host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|ip| ip.is_loopback());
    if here {
        return Ok(());
    }
    let message = "a web page from elsewhere may not use this machine's memory";
    Err(Problem::new(Code::Denied, message)
        .hint("call from a program, or from a page served by this machine"))
}
