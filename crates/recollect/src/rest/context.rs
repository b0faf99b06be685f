//! `POST /api/memory/context`: agent, user and session are the viewer here.

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::extract::rejection::BytesRejection;

use super::body::{self, Fields};
use crate::app::AppState;
use crate::ops::Caller;
use crate::ops::context::{Context, Contextual};
use crate::problem::Problem;

pub async fn context(
    State(state): State<AppState>,
    caller: Caller,
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<Contextual>, Problem> {
    let body = body::read(body)?;
    let fields = Fields::of(&body)?;
    let request = Context {
        message: fields.required("message")?.to_owned(),
        agent: fields.id("agent_id")?,
        user: fields.id("user_id")?,
        session: fields.id("session_id")?,
    };
    super::ask(&state, &caller, request).await.map(Json)
}
