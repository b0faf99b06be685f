//! `POST /api/memory/search`: agent, user and session are filters here.

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::extract::rejection::BytesRejection;

use super::body::{self, Fields};
use crate::app::AppState;
use crate::ops::Caller;
use crate::ops::search::{Found, Place, Search};
use crate::ops::select::Selection;
use crate::problem::Problem;

pub async fn search(
    State(state): State<AppState>,
    caller: Caller,
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<Found>, Problem> {
    let body = body::read(body)?;
    let request = request(&Fields::of(&body)?)?;
    super::ask(&state, &caller, request).await.map(Json)
}

fn request(body: &Fields<'_>) -> Result<Search, Problem> {
    Ok(Search {
        query: body.required("query")?.to_owned(),
        place: place(body)?,
        top_k: body.whole("top_k")?,
        strategy: body.parsed("strategy")?,
        fusion: body.parsed("fusion")?,
        filter: selection(body)?,
        explain: body.switch("explain")?.unwrap_or(false),
    })
}

fn place(body: &Fields<'_>) -> Result<Place, Problem> {
    body.parsed("scope").map(Option::unwrap_or_default)
}

/// `filters` as an object; the two clocks stand beside it, and are taken inside too.
fn selection(body: &Fields<'_>) -> Result<Selection, Problem> {
    let empty = serde_json::Value::Object(serde_json::Map::new());
    let inside = match body.object("filters")? {
        Some(filters) => filters,
        None => Fields::of(&empty)?,
    };
    let session = match inside.id("session")? {
        Some(session) => Some(session),
        None => body.id("session_id")?,
    };
    Ok(Selection {
        agent: body.id("agent_id")?,
        user: body.id("user_id")?,
        session,
        scopes: inside.words("scope")?,
        layers: inside.words("layer")?,
        kinds: inside.words("kind")?,
        tags: inside.words("tags")?,
        since: inside.parsed("since")?,
        until: inside.parsed("until")?,
        as_of: either(body, &inside, "as_of")?,
        known_at: either(body, &inside, "known_at")?,
        statuses: Vec::new(),
    })
}

fn either(
    outside: &Fields<'_>,
    inside: &Fields<'_>,
    name: &str,
) -> Result<Option<memory::types::Time>, Problem> {
    match outside.parsed(name)? {
        Some(time) => Ok(Some(time)),
        None => inside.parsed(name),
    }
}
