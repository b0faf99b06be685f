//! `DELETE /memories`, `POST /reset` and batches: many memories at once.
//!
//! Nothing is removed wholesale by accident: a scope must be named, one that narrows in a way that is not understood here
//! is refused rather than passed over, and a reset wants to be confirmed.

use axum::Json;
use axum::extract::State;
use memory::types::{MemoryId, Status};
use serde::Deserialize;
use transfer::compat::mem0::filter::FilterTest;
use utoipa::ToSchema;

use super::super::extract::{AnyBody, Body, QueryParams};
use super::memory::{Mem0Change, asked, id};
use super::row::Mem0Message;
use crate::app::AppState;
use crate::compat::find::Finder;
use crate::compat::mem0_names::Mem0Names;
use crate::compat::plan::Plan;
use crate::limits;
use crate::ops::Caller;
use crate::ops::clear::Clear;
use crate::ops::forget::Forget;
use crate::ops::select::Selection;
use crate::ops::update::UpdateMany;
use crate::problem::{Code, Problem, ProblemBody};
use crate::request::values::GivenName;
use crate::request::wrong;

/// What a removal of all that somebody has must say.
const EXPECTED: &str = "expected at least one of user_id, agent_id, run_id and app_id";

/// Whose memories go. Nothing else narrows what is removed here, so nothing else is taken.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(as = Mem0DeleteAll)]
#[expect(dead_code, reason = "what these clients send along narrows nothing: a key opens one tenant")]
pub struct Mem0DeleteAllBody {
    #[serde(default)]
    whose: Mem0Names,
    /// Passed over.
    org_id: Option<GivenName>,
    /// Passed over.
    project_id: Option<GivenName>,
    /// Passed over.
    version: Option<GivenName>,
    /// Passed over.
    output_format: Option<GivenName>,
}

/// A word without which nothing goes.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(as = Mem0Reset)]
pub struct Mem0ResetBody {
    /// `all`: yes, everything.
    confirm: Option<String>,
}

/// Memories by their ids; `text` and `metadata` to change them.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(as = Mem0Batch)]
pub struct BatchBody {
    #[schema(min_items = 1, max_items = 1000)]
    memories: Vec<BatchItem>,
}

#[derive(Debug, Deserialize, ToSchema)]
#[schema(as = Mem0BatchItem)]
pub struct BatchItem {
    memory_id: String,
    #[serde(default)]
    change: Mem0Change,
}

/// Forget all memories of somebody as mem0 does
///
/// At least one name is required. Also at `/v1/memories/`.
#[utoipa::path(delete, path = super::MEMORIES, tag = "mem0", operation_id = "mem0DeleteAll",
    params(QueryParams<Mem0DeleteAllBody>), responses((status = 200, description = "They are forgotten", body = Mem0Message),
    (status = 422, description = "There are too many memories to look through", body = ProblemBody)))]
pub async fn delete_all(
    State(state): State<AppState>,
    caller: Caller,
    asked: Result<AnyBody<Mem0DeleteAllBody>, Problem>,
) -> Result<Json<Mem0Message>, Problem> {
    let AnyBody(asked) = asked.map_err(|problem| match problem.hint {
        Some(_) => problem,
        None => problem.hint(format!("nothing else narrows a removal, and more would go; {EXPECTED}")),
    })?;
    let test = scope(asked)?;
    forget(&state, &caller, &test).await?;
    Ok(Json(Mem0Message::new("Memories deleted successfully!")))
}

fn scope(asked: Mem0DeleteAllBody) -> Result<FilterTest, Problem> {
    let hint = "DELETE /api/memory?confirm=all removes everything";
    let whose = asked.whose.owner();
    if let Some((name, ..)) = whose.named().find(|(.., said)| *said == "*") {
        let message = format!("`{name}`: `*` would delete what everybody has; {EXPECTED}, each by its name");
        return Err(Problem::field(name, message).hint(hint));
    }
    if whose.is_nobody() {
        let message = format!("no scope is named, which would delete everything; {EXPECTED}");
        return Err(Problem::field("user_id", message).hint(hint));
    }
    Ok(whose.test())
}

/// Forgets all that passes, what is superseded or archived too: none of it may come up again.
pub async fn forget(state: &AppState, caller: &Caller, test: &FilterTest) -> Result<(), Problem> {
    let plan = Plan::of(test);
    if let (true, [only]) = (plan.exact, plan.alternatives.as_slice()) {
        let request = Clear { filter: only.clone(), ..Clear::default() };
        return state.house.ask(caller, request).await.map(drop);
    }
    let statuses = Status::ALL.iter().copied().filter(|status| *status != Status::Deleted).collect();
    let all = Finder { asks: &(&state.house, caller), test, statuses }.all().await?;
    let ids: Vec<MemoryId> = all.into_iter().map(|memory| memory.id).collect();
    for ids in ids.chunks(limits::FORGOTTEN_AT_ONCE) {
        let request = Forget { ids: ids.to_vec(), confirmed: true, ..Forget::default() };
        state.house.ask(caller, request).await?;
    }
    Ok(())
}

/// Forget everything, where it is confirmed
///
/// Only with `confirm=all`.
#[utoipa::path(post, path = "/reset", tag = "mem0", operation_id = "mem0Reset", params(QueryParams<Mem0ResetBody>),
    responses((status = 200, description = "Everything is forgotten", body = Mem0Message)))]
pub async fn reset(
    State(state): State<AppState>,
    caller: Caller,
    AnyBody(asked): AnyBody<Mem0ResetBody>,
) -> Result<Json<Mem0Message>, Problem> {
    if asked.confirm.as_deref() != Some("all") {
        let message = "a reset forgets everything; expected `confirm=all`";
        return Err(Problem::field("confirm", message).hint("DELETE /memories?user_id=… forgets one user's"));
    }
    let request = Clear { filter: Selection::default(), all: true, ..Clear::default() };
    state.house.ask(&caller, request).await?;
    Ok(Json(Mem0Message::new("All memories reset")))
}

/// Change several memories as mem0 does
///
/// All of them or none.
#[utoipa::path(put, path = "/v1/batch/", tag = "mem0", operation_id = "mem0BatchUpdate", request_body = BatchBody,
    responses((status = 200, description = "They are changed", body = Mem0Message),
        (status = 404, description = "One is not there; nothing is changed", body = ProblemBody),
        (status = 409, description = "Somebody was faster; nothing is changed", body = ProblemBody)))]
pub async fn batch_update(
    State(state): State<AppState>,
    caller: Caller,
    Body(body): Body<BatchBody>,
) -> Result<Json<Mem0Message>, Problem> {
    let items = items(body)?;
    let message = format!("Successfully updated {} memories", items.len());
    let update = |(number, (id, item)): (usize, (MemoryId, Mem0Change))| {
        asked(id, item, &format!("memories[{number}]."))
    };
    let updates = items.into_iter().enumerate().map(update).collect::<Result<Vec<_>, Problem>>()?;
    state.house.ask(&caller, UpdateMany { updates }).await.map_err(as_a_whole)?;
    Ok(Json(Mem0Message::new(message)))
}

/// Forget several memories as mem0 does
///
/// All of them or none.
#[utoipa::path(delete, path = "/v1/batch/", tag = "mem0", operation_id = "mem0BatchDelete", request_body = BatchBody,
    responses((status = 200, description = "They are forgotten", body = Mem0Message),
        (status = 404, description = "One is not there; nothing is forgotten", body = ProblemBody)))]
pub async fn batch_delete(
    State(state): State<AppState>,
    caller: Caller,
    Body(body): Body<BatchBody>,
) -> Result<Json<Mem0Message>, Problem> {
    let ids: Vec<MemoryId> = items(body)?.into_iter().map(|(id, _)| id).collect();
    let message = format!("Successfully deleted {} memories", ids.len());
    let request = Forget { ids, confirmed: true, ..Forget::default() };
    state.house.ask(&caller, request).await.map_err(as_a_whole)?;
    Ok(Json(Mem0Message::new(message)))
}

/// One memory that is not there refuses the batch, which says so.
fn as_a_whole(problem: Problem) -> Problem {
    match problem.code {
        Code::NotFound => problem.hint("nothing is changed: a batch is done as a whole or not at all"),
        _ => problem,
    }
}

fn items(body: BatchBody) -> Result<Vec<(MemoryId, Mem0Change)>, Problem> {
    let count = body.memories.len();
    if count == 0 {
        return Err(wrong("memories", "it is empty; expected a list of objects with a memory_id"));
    }
    if count > limits::BATCH_MEMORIES {
        let message = format!("it has {count} memories; expected at most {}", limits::BATCH_MEMORIES);
        return Err(wrong("memories", message));
    }
    body.memories.into_iter().map(|item| Ok((id(&item.memory_id)?, item.change))).collect()
}
