//! What stands beside chats in their interfaces and has nothing to do with memory: it goes upstream as it is.
//!
//! A response that the upstream keeps, asked for or deleted; tokens that are counted before a message is sent; batches; and what else
//! clients of the same address ask for: plain completions, moderations, pictures, speech, files.
//! What memory learned from a response stays when the upstream deletes it: forgetting is asked for here, not there.
//!
//! Where the upstream has a key of its own, everybody here shares it. So only what names a single thing passes there: a
//! list would show what all others sent. Where clients bring their own key, everything below the interface passes. Whoever
//! changes something or causes costs needs to be more than a reader, and each decision is in the record.

use axum::Extension;
use axum::body::Bytes;
use axum::extract::State;
use axum::extract::rejection::BytesRejection;
use axum::http::Method;
use axum::http::request::Parts;
use axum::response::Response;
use chat::Envelope;
use chat::wire::{self, Dialect};
use models::Upstream;

use super::forward::{self, Outgoing};
use super::identity_headers::ChatIdentity;
use super::refusal::{Admitted, ProxyRefusal};
use super::{form, routing, tee};
use crate::app::{AppState, IdWasMade, REQUEST_ID};
use crate::ops::errands::Errand;
use crate::ops::{Caller, Services};
use crate::problem::{Code, Problem};

pub async fn pass(
    State(state): State<AppState>,
    Extension(dialect): Extension<Dialect>,
    Admitted(caller): Admitted,
    parts: Parts,
    body: Result<Bytes, BytesRejection>,
) -> Result<Response, ProxyRefusal> {
    let passed = match super::read(body) {
        Ok(body) => send(&state.house, &caller, dialect, parts, body).await,
        Err(problem) => Err(problem),
    };
    passed.map_err(|problem| ProxyRefusal::of(dialect, problem))
}

async fn send(
    house: &Services,
    caller: &Caller,
    dialect: Dialect,
    mut parts: Parts,
    body: Bytes,
) -> Result<Response, Problem> {
    if parts.extensions.get::<IdWasMade>().is_some() {
        parts.headers.remove(REQUEST_ID);
    }
    let written = parts.uri.path_and_query().map_or("", |path| path.as_str());
    let path = written.strip_prefix(super::PREFIX).unwrap_or(written);
    let kind = PassthroughKind::of(&parts.method, path);
    let ChatIdentity { agent, user, .. } = ChatIdentity::of(&parts.headers)?;
    let errand = kind.errand(&parts.method);
    house.leave(caller, errand, agent, user)?;
    let model = Envelope::read_as(dialect, &body).unwrap_or_default().model;
    let field = if model.is_none() { form::model(&parts.headers, &body) } else { None };
    let written = match (&model, &field) {
        (Some(model), _) => model.text.clone(),
        (None, Some(field)) => String::from_utf8_lossy(&body[field.clone()]).into_owned(),
        (None, None) => String::new(),
    };
    let (upstream, name) = routing::choose(super::upstreams(house), dialect, &written)?;
    if kind == PassthroughKind::Other && is_shared(upstream) {
        house.record(caller, errand.name(), Some("shared"));
        let message = "this address is not passed on, because all who ask here share the upstream's key";
        let hint = "with an upstream without a key of its own, clients bring theirs and everything passes";
        return Err(Problem::new(Code::Denied, message).hint(hint));
    }
    let body = match (&model, field) {
        _ if name == written => body,
        (Some(model), _) => wire::apply(&body, vec![wire::rename_model(model, name)]).into(),
        (None, Some(field)) => [&body[..field.start], name.as_bytes(), &body[field.end..]].concat().into(),
        (None, None) => body,
    };
    let outgoing = Outgoing {
        upstream,
        instance: &house.instance,
        method: parts.method,
        path,
        headers: &parts.headers,
        body,
        readable: false,
    };
    let (response, body) = forward::response(forward::send(outgoing).await?);
    Ok(response.map(|()| tee::plain(body)))
}

/// What is asked of the upstream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PassthroughKind {
    /// Tokens are counted; nothing is kept and nothing paid.
    Count,
    /// One response, by its id.
    One,
    /// An answer by itself, of which the upstream keeps nothing that could be asked for.
    Call,
    /// Anything else: lists, batches, what is not known here.
    Other,
}

impl PassthroughKind {
    fn of(method: &Method, path: &str) -> PassthroughKind {
        let path = path.split('?').next().unwrap_or_default();
        let segments: Vec<&str> = path.split('/').collect();
        match (method.as_str(), segments.as_slice()) {
            ("POST", ["messages", "count_tokens"] | ["responses", "input_tokens"]) => PassthroughKind::Count,
            ("POST", ["completions" | "moderations"])
            | ("POST", ["images", "generations" | "edits" | "variations"])
            | ("POST", ["audio", "speech" | "transcriptions" | "translations"]) => PassthroughKind::Call,
            ("GET" | "DELETE", ["responses", id])
            | ("POST", ["responses", id, "cancel"])
            | ("GET", ["responses", id, "input_items"])
                if !id.is_empty() =>
            {
                PassthroughKind::One
            }
            _ => PassthroughKind::Other,
        }
    }

    fn errand(self, method: &Method) -> Errand {
        if self == PassthroughKind::Count || method == Method::GET {
            Errand::PassRead
        } else {
            Errand::PassWrite
        }
    }
}

/// Whether the upstream knows all who ask here as one.
fn is_shared(upstream: &Upstream) -> bool {
    upstream.key.is_some() || !upstream.pass_key || !upstream.headers.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_names_one_thing_is_known() {
        let kind = |method: &str, path: &str| PassthroughKind::of(&method.parse().expect("a method"), path);
        for (method, path) in [
            ("GET", "responses/resp_1?include=x"),
            ("DELETE", "responses/resp_1"),
            ("POST", "responses/resp_1/cancel"),
            ("GET", "responses/resp_1/input_items?limit=2"),
        ] {
            assert_eq!(kind(method, path), PassthroughKind::One, "{method} {path}");
        }
        assert_eq!(kind("POST", "messages/count_tokens"), PassthroughKind::Count);
        for path in ["completions", "moderations", "images/generations", "audio/transcriptions"] {
            assert_eq!(kind("POST", path), PassthroughKind::Call, "{path}");
        }
        for (method, path) in [
            ("GET", "messages/batches"),
            ("GET", "files"),
            ("POST", "files"),
            ("GET", "files/file-1/content"),
            ("POST", "batches"),
            ("DELETE", "images/generations"),
            ("GET", "messages/batches/b1/results"),
            ("POST", "messages/batches"),
            ("POST", "responses/resp_1"),
            ("GET", "responses/"),
            ("DELETE", "messages/count_tokens"),
        ] {
            assert_eq!(kind(method, path), PassthroughKind::Other, "{method} {path}");
        }
        assert_eq!(kind("POST", "messages/batches").errand(&Method::POST), Errand::PassWrite);
        assert_eq!(kind("GET", "messages/batches").errand(&Method::GET), Errand::PassRead);
    }
}
