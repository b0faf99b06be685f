//! OpenAI's interface in front of any upstream that speaks it, with memory in between.
//!
//! [`path`] is the way of a chat request, from the gate to the capture of its reply; read it first. [`who`] says whose
//! request it is, [`forward`] takes it to the upstream and brings the answer back, [`tee`] passes the answer on and follows
//! it with [`sse`] and [`collect`]. [`known`] recognises the conversation, [`capture`] stores what was said, in the order of
//! [`writes`]. [`models`] and [`embeddings`] are the other routes,
//! [`recall_model`] is the model that answers from memory alone. [`answer`] is how errors look here.

pub mod answer;
mod capture;
mod collect;
mod embeddings;
mod forward;
mod known;
mod models;
mod path;
mod recall_model;
mod sse;
mod tee;
mod who;
mod writes;

pub use path::Patience;
pub use writes::all_stored;

use std::sync::Arc;

use ::models::Upstreams;
use axum::Router;
use axum::body::Bytes;
use axum::extract::DefaultBodyLimit;
use axum::extract::rejection::BytesRejection;
use axum::http::StatusCode;
use axum::routing::{get, post};

use crate::app::AppState;
use crate::limits;
use crate::ops::House;
use crate::problem::{Code, Problem};

pub const PREFIX: &str = "/v1/";
pub const CHAT: &str = "/v1/chat/completions";
pub const MODELS: &str = "/v1/models";
pub const MODEL: &str = "/v1/models/{*id}";
pub const EMBEDDINGS: &str = "/v1/embeddings";

/// What the names of our own models begin with, and the models.
pub const OWN_PREFIX: &str = "recollect/";
pub const RECALL_MODEL: &str = "recollect/recall";
pub const EMBED_MODEL: &str = "recollect/embed";

pub fn routes(patience: Patience) -> Router<AppState> {
    let shared = Arc::new(path::Shared { patience, ..path::Shared::default() });
    Router::new()
        .route(CHAT, post(path::chat))
        .route(MODELS, get(models::list))
        .route(MODEL, get(models::show))
        .route(EMBEDDINGS, post(embeddings::embeddings))
        .layer(DefaultBodyLimit::max(limits::CHAT_BODY_BYTES))
        .layer(axum::Extension(shared))
}

/// The servers that could answer.
fn upstreams(house: &House) -> &Upstreams {
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
