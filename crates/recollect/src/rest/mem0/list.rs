//! `GET /memories` and the lists of later versions: everything that a filter lets through, page by page.

use axum::Json;
use axum::extract::State;
use axum::http::Uri;
use memory::limits::PAGE_ROWS;
use memory::types::Status;
use serde_json::{Map, Value};
use transfer::compat::mem0::row::Mem0Memory;
use utoipa::ToSchema;

use super::super::schema::AnyObject;
use super::asked::{Mem0Body, Parameters};
use super::row::Mem0Page;
use super::whose::narrowed;
use crate::app::AppState;
use crate::compat::find::Finder;
use crate::limits;
use crate::ops::Caller;
use crate::problem::{Problem, ProblemBody};
use crate::request::wrong;

/// Rows of a page when nobody says, as these clients expect.
const USUAL_ROWS: usize = 100;

/// What to list.
#[derive(ToSchema)]
#[schema(as = Mem0List)]
pub struct ListBody {
    /// Conditions on fields, joined by `AND`, `OR` and `NOT`.
    #[schema(value_type = Option<AnyObject>)]
    pub filters: Option<Value>,
    /// Also what has expired.
    pub show_expired: Option<bool>,
}

/// List memories as mem0 does
///
/// Also at `/v1/memories/`.
#[utoipa::path(get, path = super::MEMORIES, tag = "mem0", operation_id = "mem0GetAll", params(
    ("user_id" = Option<String>, Query, description = "Only of this user"),
    ("agent_id" = Option<String>, Query, description = "Only of this agent"),
    ("run_id" = Option<String>, Query, description = "Only of this conversation"),
    ("page" = Option<usize>, Query, description = "Which page, from 1", minimum = 1, maximum = 1000000),
    ("page_size" = Option<usize>, Query, description = "Rows of a page", minimum = 1, maximum = 1000),
), responses((status = 200, description = "A page, the newest first", body = Mem0Page),
    (status = 422, description = "The filter is too wide to look through", body = ProblemBody)))]
pub async fn get_all(
    State(state): State<AppState>,
    caller: Caller,
    uri: Uri,
    asked: Parameters,
) -> Result<Json<Mem0Page>, Problem> {
    page(&state, &caller, &uri, &asked, &asked.0).await.map(Json)
}

/// List memories by a filter as mem0 does
///
/// Also at `/v2/memories/`.
#[utoipa::path(post, path = "/v3/memories/", tag = "mem0", operation_id = "mem0List", request_body = ListBody, params(
    ("page" = Option<usize>, Query, description = "Which page, from 1", minimum = 1, maximum = 1000000),
    ("page_size" = Option<usize>, Query, description = "Rows of a page", minimum = 1, maximum = 1000),
), responses((status = 200, description = "A page, the newest first", body = Mem0Page),
    (status = 422, description = "The filter is too wide to look through", body = ProblemBody)))]
pub async fn get_some(
    State(state): State<AppState>,
    caller: Caller,
    uri: Uri,
    asked: Parameters,
    body: Mem0Body,
) -> Result<Json<Mem0Page>, Problem> {
    page(&state, &caller, &uri, &asked, &body.into_object()).await.map(Json)
}

async fn page(
    state: &AppState,
    caller: &Caller,
    uri: &Uri,
    asked: &Parameters,
    narrowing: &Map<String, Value>,
) -> Result<Mem0Page, Problem> {
    let number = |name: &str| match narrowing.get(name).and_then(Value::as_u64) {
        Some(number) => Ok(usize::try_from(number).ok()),
        None => asked.whole(name),
    };
    let page = number("page")?.unwrap_or(1);
    let rows = match number("page_size")? {
        Some(rows) => rows,
        None => number("top_k")?.or(number("limit")?).unwrap_or(USUAL_ROWS),
    };
    if !(1..=PAGE_ROWS).contains(&rows) {
        return Err(wrong("page_size", format!("it is {rows}; expected from 1 to {PAGE_ROWS}")));
    }
    if !(1..=limits::PAGE_FARTHEST / PAGE_ROWS).contains(&page) {
        let most = limits::PAGE_FARTHEST / PAGE_ROWS;
        return Err(wrong("page", format!("it is {page}; expected from 1 to {most}")));
    }
    let test = narrowed(narrowing)?;
    let finder = Finder { asks: &(state, caller), test: &test, statuses: statuses(narrowing) };
    let (memories, count) = finder.page(rows, (page - 1) * rows).await?;
    let results = memories.into_iter().map(|memory| Mem0Memory::of(memory, None).shown(&[])).collect();
    let at = |page: usize| Some(address(uri, page, rows));
    let next = if (page * rows) as u64 >= count { None } else { at(page + 1) };
    let previous = if page > 1 { at(page - 1) } else { None };
    Ok(Mem0Page { count, next, previous, results })
}

/// Where another page of the same list is.
fn address(uri: &Uri, page: usize, rows: usize) -> String {
    let paging = |part: &&str| part.starts_with("page=") || part.starts_with("page_size=");
    let kept = uri.query().unwrap_or_default().split('&').filter(|part| !part.is_empty() && !paging(part));
    let said = [format!("page={page}"), format!("page_size={rows}")];
    let query: Vec<&str> = kept.chain(said.iter().map(String::as_str)).collect();
    format!("{}?{}", uri.path(), query.join("&"))
}

/// What counts today, unless what has expired is wanted too.
pub fn statuses(asked: &Map<String, Value>) -> Vec<Status> {
    match asked.get("show_expired").and_then(Value::as_bool) {
        Some(true) => vec![Status::Active],
        _ => Vec::new(),
    }
}
