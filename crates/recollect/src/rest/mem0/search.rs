//! `POST /search`: the best memories for a question, among those that a filter lets through.

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use transfer::compat::mem0::row::Mem0Memory;
use utoipa::ToSchema;

use super::super::extract::Body;
use super::list::statuses;
use super::whose::Mem0Narrowing;
use crate::app::AppState;
use crate::compat::find::{Finder, Mem0Hit};
use crate::ops::Caller;
use crate::problem::Problem;
use crate::request::values::TopK;

/// Results when nobody says, as these clients expect.
const USUAL_RESULTS: usize = 10;

/// What to look for.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(as = Mem0Search)]
pub struct Mem0SearchBody {
    #[schema(min_length = 1, pattern = r"\S")]
    query: String,
    #[serde(default)]
    narrowing: Mem0Narrowing,
    /// How many results.
    top_k: Option<TopK>,
    /// The same, as earlier versions called it.
    limit: Option<TopK>,
    /// Only what fits at least this well. Scores are not those of mem0.
    threshold: Option<f64>,
    /// Only these fields of each memory.
    #[serde(default)]
    fields: Vec<String>,
    /// Also what has expired.
    #[serde(default)]
    show_expired: bool,
}

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Mem0Found)]
pub struct FoundBody {
    /// The best first.
    #[schema(value_type = Vec<Mem0Memory>)]
    results: Vec<Value>,
}

/// Search as mem0 does
///
/// Also at `/v1/memories/search/`, `/v2/memories/search/` and `/v3/memories/search/`.
#[utoipa::path(post, path = "/search", tag = "mem0", operation_id = "mem0Search", request_body = Mem0SearchBody,
    responses((status = 200, description = "The best first", body = FoundBody)))]
pub async fn search(
    State(state): State<AppState>,
    caller: Caller,
    Body(asked): Body<Mem0SearchBody>,
) -> Result<Json<FoundBody>, Problem> {
    let test = asked.narrowing.test()?;
    let wanted = asked.top_k.or(asked.limit).map_or(USUAL_RESULTS, |wanted| wanted.0);
    let finder =
        Finder { asks: &(&state.house, &caller), test: &test, statuses: statuses(asked.show_expired) };
    let mut found = finder.best(&asked.query, wanted).await?;
    found.retain(|found| asked.threshold.is_none_or(|least| found.score >= least));
    state.house.count_uses(&caller, found.iter().map(|found| found.memory.id.clone()).collect());
    let row = |found: Mem0Hit| Mem0Memory::of(found.memory, Some(found.score)).shown(&asked.fields);
    Ok(Json(FoundBody { results: found.into_iter().map(row).collect() }))
}
