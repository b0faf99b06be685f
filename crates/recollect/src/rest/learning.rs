//! `POST /api/memory/sessions/{id}/end` and `POST /api/memory/sync`: learn now instead of when it is due.

use axum::Json;
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{Path, State};
use memory::types::SessionId;
use serde_json::{Value, json};

use super::body::{self, Fields};
use crate::app::AppState;
use crate::ops::Caller;
use crate::ops::pending::{Sync, Synced};
use crate::ops::sessions::{Passed, SessionEnd, Which};
use crate::problem::{Code, Problem};

/// The body may name the owner, `{agent_id?, user_id?}`, and may be left out.
pub async fn end(
    State(state): State<AppState>,
    caller: Caller,
    Path(id): Path<String>,
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<Passed>, Problem> {
    let body = optional(body)?;
    let body = Fields::of(&body)?;
    let unknown = |_| Problem::new(Code::NotFound, "no session can have this name");
    let session: SessionId = id.parse().map_err(unknown)?;
    let which = Which { session, agent: body.id("agent_id")?, user: body.id("user_id")? };
    super::ask(&state, &caller, SessionEnd { which }).await.map(Json)
}

pub async fn sync(State(state): State<AppState>, caller: Caller) -> Result<Json<Synced>, Problem> {
    super::ask(&state, &caller, Sync {}).await.map(Json)
}

fn optional(body: Result<Bytes, BytesRejection>) -> Result<Value, Problem> {
    match body {
        Ok(bytes) if bytes.iter().all(u8::is_ascii_whitespace) => Ok(json!({})),
        body => body::read(body),
    }
}
