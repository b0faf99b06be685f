//! OpenAI's interfaces and Anthropic's in front of any upstream that speaks them, with memory in between.
//!
//! [`path`] is the way of a chat request, from the gate to the capture of its reply; read it first. [`identity_headers`] says
//! whose request it is, [`forward`] takes it to the upstream and brings the answer back, [`tee`] passes the answer on and
//! follows it with [`chat::collect`]. [`conversation`] recognises the conversation, also one that the upstream keeps
//! ([`upstream_state`]), [`capture`] stores what was said, in the order of [`writes`]. All of it is the same for each dialect
//! of chats; [`routing`] says what is not. [`models`], [`embeddings`] and [`passthrough`] are the other routes,
//! [`recall_model`] is the model that answers from memory alone. [`hops`] refuses what goes in circles, [`refusal`] is how
//! errors look here.

mod capture;
mod conversation;
mod embeddings;
mod feedback;
mod form;
mod forward;
pub(crate) mod hops;
pub mod identity_headers;
mod models;
mod passthrough;
mod path;
mod placements;
mod programs;
mod recall_model;
pub mod refusal;
mod routing;
mod tee;
mod upstream_state;
mod writes;

pub use path::Patience;

use std::sync::Arc;

use ::models::Upstreams;
use axum::Extension;
use axum::Router;
use axum::body::Bytes;
use axum::extract::DefaultBodyLimit;
use axum::extract::rejection::BytesRejection;
use axum::http::StatusCode;
use axum::routing::{any, get, post};
use chat::Dialect;

use crate::app::AppState;
use crate::limits;
use crate::ops::Services;
use crate::problem::{Code, Problem};

pub const PREFIX: &str = "/v1/";
pub const CHAT: &str = "/v1/chat/completions";
pub const RESPONSES: &str = "/v1/responses";
pub const BELOW_RESPONSES: &str = "/v1/responses/{*rest}";
pub const MESSAGES: &str = "/v1/messages";
/// What the addresses below it begin with.
pub const BELOW_MESSAGES: &str = "/v1/messages/";
pub const MODELS: &str = "/v1/models";
pub const MODEL: &str = "/v1/models/{*id}";
pub const EMBEDDINGS: &str = "/v1/embeddings";

/// What else servers of OpenAI's kind answer, and memory has no part in.
const BESIDE_CHATS: [&str; 8] = [
    "/v1/completions",
    "/v1/moderations",
    "/v1/images/{*rest}",
    "/v1/audio/{*rest}",
    "/v1/files",
    "/v1/files/{*rest}",
    "/v1/batches",
    "/v1/batches/{*rest}",
];

/// What the names of our own models begin with, and the models.
pub const OWN_PREFIX: &str = "recollect/";
pub const RECALL_MODEL: &str = "recollect/recall";
pub const EMBED_MODEL: &str = "recollect/embed";

pub fn routes(patience: Patience) -> Router<AppState> {
    let shared = Arc::new(path::ProxyState { patience, ..path::ProxyState::default() });
    let chat = |dialect: Dialect| post(path::chat).layer(Extension(dialect));
    let pass = |dialect: Dialect| any(passthrough::pass).layer(Extension(dialect));
    let beside =
        BESIDE_CHATS.into_iter().fold(Router::new(), |routes, path| routes.route(path, pass(Dialect::Chat)));
    beside
        .route(CHAT, chat(Dialect::Chat))
        .route(RESPONSES, chat(Dialect::Responses))
        .route(BELOW_RESPONSES, pass(Dialect::Responses))
        .route(MESSAGES, chat(Dialect::Messages))
        .route(&format!("{BELOW_MESSAGES}{{*rest}}"), pass(Dialect::Messages))
        .route(MODELS, get(models::list))
        .route(MODEL, get(models::show))
        .route(EMBEDDINGS, post(embeddings::embeddings))
        .layer(DefaultBodyLimit::max(limits::CHAT_BODY_BYTES))
        .layer(Extension(shared))
}

/// The servers that could answer.
fn upstreams(house: &Services) -> &Upstreams {
    house.models.upstreams()
}

/// The body as it was sent.
fn read(body: Result<Bytes, BytesRejection>) -> Result<Bytes, Problem> {
    body.map_err(|rejection| match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => {
            let message = format!("the request is larger than {} bytes", limits::CHAT_BODY_BYTES);
            Problem::new(Code::TooLarge, message)
        }
        _ => Problem::invalid("the request's body could not be read"),
    })
}
