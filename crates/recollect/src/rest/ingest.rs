//! `POST /memory/ingest`: a conversation, kept and learned from before the answer goes out.

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::extract::rejection::BytesRejection;

use super::body::{self, Fields};
use crate::app::AppState;
use crate::ops::Caller;
use crate::conversation;
use crate::ops::ingest::Ingested;
use crate::problem::Problem;

pub async fn ingest(
    State(state): State<AppState>,
    caller: Caller,
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<Ingested>, Problem> {
    let body = body::read(body)?;
    let request = conversation::request(&Fields::of(&body)?)?;
    super::ask(&state, &caller, request).await.map(Json)
}
