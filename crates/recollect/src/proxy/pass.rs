//! What stands beside chats in their interfaces and has nothing to do with memory: it goes upstream as it is.
//!
//! A response that the upstream keeps, asked for or deleted; tokens that are counted before a message is sent; batches.
//! What memory learned from a response stays when the upstream deletes it: forgetting is asked for here, not there.

use axum::Extension;
use axum::body::Bytes;
use axum::extract::State;
use axum::extract::rejection::BytesRejection;
use axum::http::request::Parts;
use axum::response::Response;
use chat::Envelope;
use chat::wire::{self, Dialect};

use super::answer::{Admitted, Refusal};
use super::forward::{self, Outgoing};
use super::{tee, wires};
use crate::app::{AppState, IdWasMade, REQUEST_ID};
use crate::ops::House;
use crate::problem::Problem;

pub async fn pass(
    State(state): State<AppState>,
    Extension(dialect): Extension<Dialect>,
    Admitted(_): Admitted,
    parts: Parts,
    body: Result<Bytes, BytesRejection>,
) -> Result<Response, Refusal> {
    let passed = match super::read(body) {
        Ok(body) => send(&state.house, dialect, parts, body).await,
        Err(problem) => Err(problem),
    };
    passed.map_err(|problem| Refusal::of(dialect, problem))
}

async fn send(house: &House, dialect: Dialect, mut parts: Parts, body: Bytes) -> Result<Response, Problem> {
    if parts.extensions.get::<IdWasMade>().is_some() {
        parts.headers.remove(REQUEST_ID);
    }
    let model = Envelope::read_as(dialect, &body).unwrap_or_default().model;
    let name = model.as_ref().map_or("", |model| model.text.as_str());
    let (upstream, name) = wires::choose(super::upstreams(house), dialect, name)?;
    let body = match &model {
        Some(model) if model.text != name => wire::apply(&body, vec![wire::rename_model(model, name)]).into(),
        _ => body,
    };
    let written = parts.uri.path_and_query().map_or("", |path| path.as_str());
    let path = written.strip_prefix(super::PREFIX).unwrap_or(written);
    let outgoing =
        Outgoing { upstream, method: parts.method, path, headers: &parts.headers, body, readable: false };
    let (response, body) = forward::response(forward::send(outgoing).await?);
    Ok(response.map(|()| tee::plain(body)))
}
