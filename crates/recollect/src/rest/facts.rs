//! `/api/memory/facts` and `/api/memory/rules`: two layers of what is remembered, by the names that people know.
//!
//! Both are memories, as `/api/memory` has them; here each layer is alone, and what is not of that layer is not there.

use axum::Json;
use axum::extract::State;
use memory::types::{Layer, MemoryId, Status};
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::extract::{Bare, PathId, QueryParams};
use super::page::{PageBody, Removed};
use crate::app::AppState;
use crate::compat::memory_view::MemoryView;
use crate::ops::Caller;
use crate::ops::forget::Forget;
use crate::ops::list::ListMemories;
use crate::ops::select::Selection;
use crate::ops::show::Show;
use crate::problem::{Code, Problem};
use crate::request::values::{NamedScope, Pages};

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::default()
        .routes(routes!(facts))
        .routes(routes!(delete_fact))
        .routes(routes!(rules))
        .routes(routes!(delete_rule))
}

/// Which facts or rules.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub struct LayerQuery {
    /// Only what has one of these words, best first.
    q: Option<String>,
    #[serde(default)]
    whose: NamedScope,
    #[serde(default)]
    pages: Pages,
}

/// Page through facts
///
/// Memories of the layer `semantic`: newest first; with `q` only what has those words, best first.
#[utoipa::path(get, path = "/api/memory/facts", tag = "memories", operation_id = "listFacts", params(QueryParams<LayerQuery>),
    responses((status = 200, description = "A page", body = PageBody<MemoryView>)))]
async fn facts(
    State(state): State<AppState>,
    caller: Caller,
    QueryParams(asked): QueryParams<LayerQuery>,
) -> Result<Json<PageBody<MemoryView>>, Problem> {
    list(&state, &caller, asked, Layer::Semantic).await
}

/// Page through rules
///
/// Memories of the layer `procedural`: newest first; with `q` only what has those words, best first.
#[utoipa::path(get, path = "/api/memory/rules", tag = "memories", operation_id = "listRules", params(QueryParams<LayerQuery>),
    responses((status = 200, description = "A page", body = PageBody<MemoryView>)))]
async fn rules(
    State(state): State<AppState>,
    caller: Caller,
    QueryParams(asked): QueryParams<LayerQuery>,
) -> Result<Json<PageBody<MemoryView>>, Problem> {
    list(&state, &caller, asked, Layer::Procedural).await
}

/// Forget a fact
///
/// `deleted` is false the second time, and for what is no fact of the caller's.
#[utoipa::path(delete, path = "/api/memory/facts/{id}", tag = "memories", operation_id = "deleteFact",
    params(("id" = String, Path, description = "`mt_…`")),
    responses((status = 200, description = "Whether there was such a fact", body = Removed)))]
async fn delete_fact(
    State(state): State<AppState>,
    caller: Caller,
    name: PathId,
    _: Bare,
) -> Result<Json<Removed>, Problem> {
    delete(&state, &caller, &name, Layer::Semantic).await
}

/// Forget a rule
///
/// `deleted` is false the second time, and for what is no rule of the caller's.
#[utoipa::path(delete, path = "/api/memory/rules/{id}", tag = "memories", operation_id = "deleteRule",
    params(("id" = String, Path, description = "`mt_…`")),
    responses((status = 200, description = "Whether there was such a rule", body = Removed)))]
async fn delete_rule(
    State(state): State<AppState>,
    caller: Caller,
    name: PathId,
    _: Bare,
) -> Result<Json<Removed>, Problem> {
    delete(&state, &caller, &name, Layer::Procedural).await
}

async fn list(
    state: &AppState,
    caller: &Caller,
    asked: LayerQuery,
    layer: Layer,
) -> Result<Json<PageBody<MemoryView>>, Problem> {
    let pages = asked.pages;
    let request = ListMemories {
        filter: Selection { layers: vec![layer], ..asked.whose.selection() },
        matching: asked.q,
        limit: Some(pages.limit()),
        offset: pages.offset(),
        oldest_first: false,
        with_tally: false,
    };
    let listed = state.house.ask(caller, request).await?;
    let rows = listed.memories.into_iter().map(MemoryView::from).collect();
    Ok(Json(PageBody::new(pages, listed.total, rows)))
}

async fn delete(
    state: &AppState,
    caller: &Caller,
    name: &PathId,
    layer: Layer,
) -> Result<Json<Removed>, Problem> {
    let deleted = match name.0.parse() {
        Ok(id) => forget(state, caller, id, layer).await?,
        Err(_) => false,
    };
    Ok(Json(Removed { deleted }))
}

async fn forget(state: &AppState, caller: &Caller, id: MemoryId, layer: Layer) -> Result<bool, Problem> {
    let memory = match state.house.ask(caller, Show { id: id.clone() }).await {
        Ok(shown) => shown.memory,
        Err(problem) if problem.code == Code::NotFound => return Ok(false),
        Err(problem) => return Err(problem),
    };
    if memory.layer != layer || memory.status == Status::Deleted {
        return Ok(false);
    }
    let request = Forget { ids: vec![id], confirmed: true, ..Forget::default() };
    Ok(state.house.ask(caller, request).await?.count > 0)
}
