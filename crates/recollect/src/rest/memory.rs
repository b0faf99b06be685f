//! `GET|PUT|DELETE /api/memory/{id}` and `GET /api/memory/{id}/history`: one memory.
//!
//! Two people may edit at once. Whoever names the version that was read, as `If-Match` or as `version` in the body, is
//! told with a 412 when it is no longer that one, and nothing is lost.

use axum::Json;
use axum::extract::State;
use axum::http::header::{ETAG, IF_MATCH};
use axum::http::{HeaderMap, HeaderValue};
use axum::response::{IntoResponse, Response};
use memory::types::{MemoryId, Status};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use transfer::compat::words::TypeFilter;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::extract::{Bare, Body, PathId, nothing};
use super::schema::{AnyObject, KindWord, LayerWord, ProvenanceWord, ScopeWord, TypeWord};
use crate::app::AppState;
use crate::compat::memory_view::MemoryView;
use crate::ops::Caller;
use crate::ops::forget::Forget;
use crate::ops::history::{History, MemoryHistory};
use crate::ops::show::Show;
use crate::ops::update::{TimeChange, Update};
use crate::problem::{Code, Problem, ProblemBody};
use crate::request::values::{self, GivenProject, MomentOrDay};
use crate::request::wrong;

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::default().routes(routes!(show, update, delete)).routes(routes!(history))
}

/// What to change; what is left out stays, and `null` takes away what can be absent.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub struct MemoryChange {
    /// The version that was read; another one is a 412.
    #[schema(minimum = 1)]
    version: Option<u64>,
    #[schema(min_length = 1, max_length = 4096, pattern = r"\S")]
    content: Option<String>,
    #[serde(default, deserialize_with = "values::change")]
    #[schema(max_length = 64, value_type = Option<String>)]
    key: Option<Option<String>>,
    r#type: Option<TypeWord>,
    kind: Option<KindWord>,
    layer: Option<LayerWord>,
    scope: Option<ScopeWord>,
    project_id: Option<GivenProject>,
    /// A word for the matter.
    #[serde(default, deserialize_with = "values::change")]
    #[schema(max_length = 128, value_type = Option<String>)]
    category: Option<Option<String>>,
    provenance: Option<ProvenanceWord>,
    sensitive: Option<bool>,
    /// Instead of the tags it has.
    #[serde(default, deserialize_with = "values::change")]
    #[schema(max_items = 64, value_type = Option<Vec<String>>)]
    tags: Option<Option<Vec<String>>>,
    /// Merged into what is there; a `null` inside takes its key away.
    #[schema(value_type = AnyObject)]
    #[serde(default)]
    metadata: Map<String, Value>,
    pinned: Option<bool>,
    #[serde(default, deserialize_with = "values::change")]
    #[schema(value_type = Option<MomentOrDay>)]
    valid_from: Option<Option<MomentOrDay>>,
    #[serde(default, deserialize_with = "values::change")]
    #[schema(value_type = Option<MomentOrDay>)]
    valid_until: Option<Option<MomentOrDay>>,
    #[serde(default, deserialize_with = "values::change")]
    #[schema(value_type = Option<MomentOrDay>)]
    expires_at: Option<Option<MomentOrDay>>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct UpdatedMemory {
    success: bool,
    memory: MemoryView,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct Deleted {
    success: bool,
    deleted: bool,
}

/// One memory
#[utoipa::path(get, path = "/api/memory/{id}", tag = "memories", operation_id = "getMemory",
    params(("id" = String, Path, description = "`mt_…`")),
    responses((status = 200, description = "The memory; `ETag` is its version", body = MemoryView,
        headers(("ETag" = String, description = "Its version, for `If-Match`")))))]
async fn show(
    State(state): State<AppState>,
    caller: Caller,
    name: PathId,
    _: Bare,
) -> Result<Response, Problem> {
    let row = row(&state, &caller, id(&name)?).await?;
    Ok(tagged(row.version(), Json(row)))
}

/// Change a memory
///
/// Whoever names a version, as `If-Match` or in the body, loses nothing to somebody who was faster.
#[utoipa::path(put, path = "/api/memory/{id}", tag = "memories", operation_id = "updateMemory",
    params(("id" = String, Path, description = "`mt_…`"),
        ("If-Match" = Option<String>, Header, description = "The `ETag` that was read, or `*`")),
    request_body = MemoryChange,
    responses((status = 200, description = "As it is now", body = UpdatedMemory,
            headers(("ETag" = String, description = "Its version, for `If-Match`"))),
        (status = 409, description = "Somebody was faster, and no version was named", body = ProblemBody),
        (status = 412, description = "It is at another version; nothing was changed", body = ProblemBody)))]
async fn update(
    State(state): State<AppState>,
    caller: Caller,
    name: PathId,
    headers: HeaderMap,
    Body(body): Body<MemoryChange>,
) -> Result<Response, Problem> {
    let id = id(&name)?;
    let mut request = body.request(id)?;
    request.expect_version = request.expect_version.or(matching(&headers)?);
    let named = request.expect_version;
    let updated =
        state.house.ask(&caller, Box::new(request)).await.map_err(|problem| lost(problem, named))?;
    let memory = MemoryView::from(*updated.memory);
    Ok(tagged(memory.version(), Json(UpdatedMemory { success: true, memory })))
}

/// Forget a memory
///
/// History keeps what it was, so that it can come back.
#[utoipa::path(delete, path = "/api/memory/{id}", tag = "memories", operation_id = "deleteMemory",
    params(("id" = String, Path, description = "`mt_…`"),
        ("If-Match" = Option<String>, Header, description = "The `ETag` that was read, or `*`")),
    responses((status = 200, description = "It is forgotten", body = Deleted),
        (status = 412, description = "It is at another version; nothing was changed", body = ProblemBody)))]
async fn delete(
    State(state): State<AppState>,
    caller: Caller,
    name: PathId,
    headers: HeaderMap,
    _: Bare,
) -> Result<Json<Deleted>, Problem> {
    let id = id(&name)?;
    let expect_version = matching(&headers)?;
    let request = Forget { ids: vec![id.clone()], expect_version, confirmed: true, ..Forget::default() };
    let forgotten =
        state.house.ask(&caller, request).await.map_err(|problem| lost(problem, expect_version))?;
    if forgotten.count == 0 {
        return Err(no_memory(id.as_str()));
    }
    Ok(Json(Deleted { success: true, deleted: true }))
}

/// What happened to a memory: when, by whom, and what it changed
#[utoipa::path(get, path = "/api/memory/{id}/history", tag = "memories", operation_id = "memoryHistory",
    params(("id" = String, Path, description = "`mt_…`")),
    responses((status = 200, description = "Oldest first", body = MemoryHistory)))]
async fn history(
    State(state): State<AppState>,
    caller: Caller,
    name: PathId,
    _: Bare,
) -> Result<Json<MemoryHistory>, Problem> {
    state.house.ask(&caller, History { id: id(&name)? }).await.map(Json)
}

impl MemoryChange {
    fn request(self, id: MemoryId) -> Result<Update, Problem> {
        if self.content.as_deref().is_some_and(|content| content.trim().is_empty()) {
            return Err(wrong("content", "it is empty; expected what is to be remembered"));
        }
        let sort = self.r#type.map(TypeFilter::from);
        let moment = |given: Option<Option<MomentOrDay>>| {
            given.map(|moment| moment.map_or(TimeChange::Never, |moment| TimeChange::At(moment.0)))
        };
        Ok(Update {
            expect_version: self.version,
            content: self.content,
            key: self.key.map(Option::unwrap_or_default),
            kind: self.kind.map(|word| word.0).or(sort.and_then(TypeFilter::kind)),
            layer: self.layer.map(|word| word.0).or(sort.and_then(TypeFilter::layer)),
            scope: self.scope.map(|word| word.0),
            project: self.project_id.map(|project| project.0),
            category: self.category.map(Option::unwrap_or_default),
            provenance: self.provenance.map(|word| word.0),
            sensitive: self.sensitive,
            tags: self.tags.map(Option::unwrap_or_default),
            metadata: self.metadata,
            pinned: self.pinned,
            valid_from: moment(self.valid_from),
            valid_until: moment(self.valid_until),
            expires_at: moment(self.expires_at),
            ..Update::of(id)
        })
    }
}

/// The version that `If-Match` names; `*` names any that is there.
pub(super) fn matching(headers: &HeaderMap) -> Result<Option<u64>, Problem> {
    let Some(value) = headers.get(IF_MATCH) else { return Ok(None) };
    let text = value.to_str().unwrap_or("?").trim();
    if text == "*" || text.is_empty() {
        return Ok(None);
    }
    let number = text.strip_prefix("W/").unwrap_or(text).trim_matches('"').parse();
    number.map(Some).map_err(|_| wrong("If-Match", "expected the ETag of a memory, such as \"3\""))
}

/// Who named a version that it no longer has is told so in HTTP's own way.
pub(super) fn lost(problem: Problem, named: Option<u64>) -> Problem {
    match (problem.code, named) {
        (Code::Conflict, Some(_)) => Problem { code: Code::PreconditionFailed, ..problem }
            .hint("somebody changed it in the meantime; GET it again, and decide anew"),
        _ => problem,
    }
}

pub(super) fn tagged(version: u64, answer: impl IntoResponse) -> Response {
    let tag = HeaderValue::from_str(&format!("\"{version}\"")).expect("digits are a sound header");
    ([(ETAG, tag)], answer).into_response()
}

/// A memory that is there. One that was deleted is not, over this route.
pub(super) async fn row(state: &AppState, caller: &Caller, id: MemoryId) -> Result<MemoryView, Problem> {
    let shown = state.house.ask(caller, Show { id }).await?;
    if shown.memory.status == Status::Deleted {
        return Err(no_memory(shown.memory.id.as_str()));
    }
    Ok(shown.memory.into())
}

fn id(name: &PathId) -> Result<MemoryId, Problem> {
    name.0.parse().map_err(|_| no_memory(&name.0))
}

fn no_memory(id: &str) -> Problem {
    nothing("memory", id).hint("GET /api/memory lists what there is")
}
