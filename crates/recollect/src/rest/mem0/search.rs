//! `POST /search`: the best memories for a question, among those that a filter lets through.

use axum::Json;
use axum::extract::State;
use memory::limits::SEARCH_RESULTS;
use serde::Serialize;
use serde_json::Value;
use transfer::compat::mem0::row::Mem0Memory;
use utoipa::ToSchema;

use super::super::schema::AnyObject;
use super::asked::Mem0Body;
use super::list::statuses;
use super::whose::narrowed;
use crate::app::AppState;
use crate::compat::find::Finder;
use crate::fields::Fields;
use crate::ops::Caller;
use crate::problem::Problem;

/// Results when nobody says, as these clients expect.
const USUAL_RESULTS: usize = 10;

/// What to look for.
#[derive(ToSchema)]
#[schema(as = Mem0Search)]
pub struct Mem0SearchBody {
    #[schema(min_length = 1, pattern = r"\S")]
    pub query: String,
    /// Conditions on fields, joined by `AND`, `OR` and `NOT`.
    #[schema(value_type = Option<AnyObject>)]
    pub filters: Option<Value>,
    #[schema(min_length = 1, max_length = 200)]
    pub user_id: Option<String>,
    #[schema(min_length = 1, max_length = 200)]
    pub agent_id: Option<String>,
    #[schema(min_length = 1, max_length = 200)]
    pub run_id: Option<String>,
    #[schema(minimum = 1, maximum = 200)]
    pub top_k: Option<usize>,
    /// Only what fits at least this well. Scores are not those of mem0.
    pub threshold: Option<f64>,
    /// Only these fields of each memory.
    pub fields: Option<Vec<String>>,
    /// Also what has expired.
    pub show_expired: Option<bool>,
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
    body: Mem0Body,
) -> Result<Json<FoundBody>, Problem> {
    let object = body.into_object();
    let test = narrowed(&object)?;
    let statuses = statuses(&object);
    let body = Value::Object(object);
    let asked = Fields::of(&body)?;
    let query = asked.required("query")?;
    let wanted = wanted(&asked)?;
    let least = threshold(&asked)?;
    let fields: Vec<String> = asked.words("fields")?;
    let finder = Finder { asks: &(&state, &caller), test: &test, statuses };
    let found = finder.best(query, wanted).await?;
    let good = found.into_iter().filter(|found| least.is_none_or(|least| found.score >= least));
    let shown = good.map(|found| Mem0Memory::of(found.memory, Some(found.score)).shown(&fields));
    Ok(Json(FoundBody { results: shown.collect() }))
}

fn wanted(asked: &Fields<'_>) -> Result<usize, Problem> {
    let wanted = match asked.whole("top_k")? {
        Some(wanted) => wanted,
        None => asked.whole("limit")?.unwrap_or(USUAL_RESULTS),
    };
    match wanted {
        1..=SEARCH_RESULTS => Ok(wanted),
        _ => Err(asked.wrong("top_k", format!("it is {wanted}; expected from 1 to {SEARCH_RESULTS}"))),
    }
}

fn threshold(asked: &Fields<'_>) -> Result<Option<f64>, Problem> {
    let number = |value: &Value| value.as_f64().ok_or_else(|| asked.wrong("threshold", "expected a number"));
    asked.get("threshold").map(number).transpose()
}
