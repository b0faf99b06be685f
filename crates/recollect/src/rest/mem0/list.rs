//! `GET /memories` and the lists of later versions: everything that a filter lets through, page by page.

use axum::Json;
use axum::extract::State;
use axum::http::Uri;
use memory::types::Status;
use serde::Deserialize;
use transfer::compat::mem0::row::Mem0Memory;
use utoipa::ToSchema;

use super::super::extract::{Body, QueryParams};
use super::row::Mem0Page;
use super::whose::Mem0Narrowing;
use crate::app::AppState;
use crate::compat::find::Finder;
use crate::ops::Caller;
use crate::problem::{Problem, ProblemBody};
use crate::request::values::{ListedRows, Mem0PageNumber};

/// Rows of a page when nobody says, as these clients expect.
const USUAL_ROWS: usize = 100;

/// What to list.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(as = Mem0List)]
pub struct Mem0ListBody {
    #[serde(default)]
    narrowing: Mem0Narrowing,
    #[serde(default)]
    pages: Mem0Pages,
    /// Also what has expired.
    #[serde(default)]
    show_expired: bool,
}

/// A part of a list.
#[derive(Debug, Clone, Copy, Default, Deserialize, ToSchema)]
pub struct Mem0Pages {
    /// Which page, from 1.
    page: Option<Mem0PageNumber>,
    /// Rows of a page.
    page_size: Option<ListedRows>,
    /// The same, as searches call it.
    top_k: Option<ListedRows>,
    /// The same, as earlier versions called it.
    limit: Option<ListedRows>,
}

/// List memories as mem0 does
///
/// Also at `/v1/memories/`.
#[utoipa::path(get, path = super::MEMORIES, tag = "mem0", operation_id = "mem0GetAll", params(QueryParams<Mem0ListBody>),
    responses((status = 200, description = "A page, the newest first", body = Mem0Page),
    (status = 422, description = "The filter is too wide to look through", body = ProblemBody)))]
pub async fn get_all(
    State(state): State<AppState>,
    caller: Caller,
    uri: Uri,
    QueryParams(asked): QueryParams<Mem0ListBody>,
) -> Result<Json<Mem0Page>, Problem> {
    page(&state, &caller, &uri, asked).await.map(Json)
}

/// List memories by a filter as mem0 does
///
/// Also at `/v2/memories/`.
#[utoipa::path(post, path = "/v3/memories/", tag = "mem0", operation_id = "mem0List", request_body = Mem0ListBody,
    params(QueryParams<Mem0Pages>), responses((status = 200, description = "A page, the newest first", body = Mem0Page),
    (status = 422, description = "The filter is too wide to look through", body = ProblemBody)))]
pub async fn get_some(
    State(state): State<AppState>,
    caller: Caller,
    uri: Uri,
    Body(asked): Body<Mem0ListBody>,
) -> Result<Json<Mem0Page>, Problem> {
    page(&state, &caller, &uri, asked).await.map(Json)
}

async fn page(
    state: &AppState,
    caller: &Caller,
    uri: &Uri,
    asked: Mem0ListBody,
) -> Result<Mem0Page, Problem> {
    let pages = asked.pages;
    let page = pages.page.map_or(1, |page| page.0);
    let rows = pages.page_size.or(pages.top_k).or(pages.limit).map_or(USUAL_ROWS, |rows| rows.0);
    let test = asked.narrowing.test()?;
    let finder =
        Finder { asks: &(&state.house, caller), test: &test, statuses: statuses(asked.show_expired) };
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
pub fn statuses(show_expired: bool) -> Vec<Status> {
    if show_expired { vec![Status::Active] } else { Vec::new() }
}
