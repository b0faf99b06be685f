//! `DELETE /memories`, `POST /reset` and batches: many memories at once.
//!
//! Nothing is removed wholesale by accident: a scope must be named, one that narrows in a way that is not understood here
//! is refused rather than passed over, and a reset wants to be confirmed.

use axum::Json;
use axum::extract::State;
use memory::types::{MemoryId, Status};
use serde_json::{Map, Value};
use transfer::compat::mem0::filter::FilterTest;
use utoipa::ToSchema;

use super::asked::{Mem0AnyBody, Mem0Body, Parameters};
use super::memory::{change, id};
use super::row::Mem0Message;
use super::whose::Mem0Owner;
use crate::app::AppState;
use crate::compat::find::Finder;
use crate::compat::plan::Plan;
use crate::fields::Fields;
use crate::limits;
use crate::ops::Caller;
use crate::ops::clear::Clear;
use crate::ops::forget::Forget;
use crate::ops::select::Selection;
use crate::problem::{Problem, ProblemBody};

const NAMES: [&str; 4] = ["user_id", "agent_id", "run_id", "app_id"];

/// What clients send along that narrows nothing: a key opens one tenant.
const MEANT_FOR_OTHERS: [&str; 4] = ["org_id", "project_id", "version", "output_format"];

/// Memories by their ids; `text` and `metadata` to change them.
#[derive(ToSchema)]
#[schema(as = Mem0Batch)]
pub struct BatchBody {
    #[schema(min_items = 1, max_items = 1000)]
    pub memories: Vec<BatchItem>,
}

#[derive(ToSchema)]
#[schema(as = Mem0BatchItem)]
pub struct BatchItem {
    pub memory_id: String,
    #[schema(min_length = 1, max_length = 4096, pattern = r"\S")]
    pub text: Option<String>,
}

/// Forget all memories of somebody as mem0 does
///
/// At least one name is required. Also at `/v1/memories/`.
#[utoipa::path(delete, path = super::MEMORIES, tag = "mem0", operation_id = "mem0DeleteAll", params(
    ("user_id" = Option<String>, Query, description = "Of this user"),
    ("agent_id" = Option<String>, Query, description = "Of this agent"),
    ("run_id" = Option<String>, Query, description = "Of this conversation"),
    ("app_id" = Option<String>, Query, description = "Of this application"),
), responses((status = 200, description = "They are forgotten", body = Mem0Message),
    (status = 422, description = "There are too many memories to look through", body = ProblemBody)))]
pub async fn delete_all(
    State(state): State<AppState>,
    caller: Caller,
    Parameters(mut asked): Parameters,
    body: Mem0AnyBody,
) -> Result<Json<Mem0Message>, Problem> {
    // The body has what the query says of whose, and what only it says must not be passed over.
    asked.extend(body.into_object());
    let test = scope(&asked)?;
    forget(&state, &caller, &test).await?;
    Ok(Json(Mem0Message::new("Memories deleted successfully!")))
}

fn scope(asked: &Map<String, Value>) -> Result<FilterTest, Problem> {
    let expected = "expected at least one of user_id, agent_id, run_id and app_id";
    let known = |name: &&String| NAMES.contains(&name.as_str()) || MEANT_FOR_OTHERS.contains(&name.as_str());
    if let Some(unknown) = asked.keys().find(|name| !known(name)) {
        let message =
            format!("deleting cannot be narrowed by `{unknown}`, and without it more would go; {expected}");
        return Err(Problem::field(unknown.clone(), message).hint("delete single memories by their ids"));
    }
    if let Some(name) = NAMES.iter().find(|name| asked.get(**name).and_then(Value::as_str) == Some("*")) {
        let message = format!("`{name}`: `*` would delete what everybody has; {expected}, each by its name");
        return Err(Problem::field(*name, message).hint("DELETE /api/memory?confirm=all removes everything"));
    }
    let whole = Value::Object(asked.clone());
    let whose = Mem0Owner::named(&Fields::of(&whole)?)?;
    if whose.is_nobody() {
        let message = format!("no scope is named, which would delete everything; {expected}");
        return Err(
            Problem::field("user_id", message).hint("DELETE /api/memory?confirm=all removes everything")
        );
    }
    Ok(whose.test())
}

/// Forgets all that passes, what is superseded or archived too: none of it may come up again.
pub async fn forget(state: &AppState, caller: &Caller, test: &FilterTest) -> Result<(), Problem> {
    let plan = Plan::of(test);
    if let (true, [only]) = (plan.exact, plan.alternatives.as_slice()) {
        let request = Clear { filter: only.clone(), ..Clear::default() };
        return super::ask(state, caller, request).await.map(drop);
    }
    let statuses = Status::ALL.iter().copied().filter(|status| *status != Status::Deleted).collect();
    let all = Finder { asks: &(state, caller), test, statuses }.all().await?;
    let ids: Vec<MemoryId> = all.into_iter().map(|memory| memory.id).collect();
    for ids in ids.chunks(limits::FORGOTTEN_AT_ONCE) {
        let request = Forget { ids: ids.to_vec(), confirmed: true, ..Forget::default() };
        super::ask(state, caller, request).await?;
    }
    Ok(())
}

/// Forget everything, where it is confirmed
///
/// Only with `confirm=all`.
#[utoipa::path(post, path = "/reset", tag = "mem0", operation_id = "mem0Reset", params(
    ("confirm" = Option<String>, Query, description = "`all`: yes, everything"),
), responses((status = 200, description = "Everything is forgotten", body = Mem0Message)))]
pub async fn reset(
    State(state): State<AppState>,
    caller: Caller,
    asked: Parameters,
    body: Mem0AnyBody,
) -> Result<Json<Mem0Message>, Problem> {
    let said = body.fields().text("confirm")?.or(asked.text("confirm"));
    if said != Some("all") {
        let message = "a reset forgets everything; expected `confirm=all`";
        return Err(Problem::field("confirm", message).hint("DELETE /memories?user_id=… forgets one user's"));
    }
    let request = Clear { filter: Selection::default(), all: true, ..Clear::default() };
    super::ask(&state, &caller, request).await?;
    Ok(Json(Mem0Message::new("All memories reset")))
}

/// Change several memories as mem0 does
#[utoipa::path(put, path = "/v1/batch/", tag = "mem0", operation_id = "mem0BatchUpdate", request_body = BatchBody,
    responses((status = 200, description = "They are changed", body = Mem0Message),
        (status = 404, description = "One is not there; those before it are changed", body = ProblemBody),
        (status = 409, description = "Somebody was faster", body = ProblemBody)))]
pub async fn batch_update(
    State(state): State<AppState>,
    caller: Caller,
    body: Mem0Body,
) -> Result<Json<Mem0Message>, Problem> {
    let body = body.fields();
    let items = items(&body)?;
    for (id, item) in &items {
        change(&state, &caller, id.clone(), item).await?;
    }
    Ok(Json(Mem0Message::new(format!("Successfully updated {} memories", items.len()))))
}

/// Forget several memories as mem0 does
#[utoipa::path(delete, path = "/v1/batch/", tag = "mem0", operation_id = "mem0BatchDelete", request_body = BatchBody,
    responses((status = 200, description = "They are forgotten", body = Mem0Message),
        (status = 404, description = "One is not there; nothing is forgotten", body = ProblemBody)))]
pub async fn batch_delete(
    State(state): State<AppState>,
    caller: Caller,
    body: Mem0Body,
) -> Result<Json<Mem0Message>, Problem> {
    let body = body.fields();
    let ids: Vec<MemoryId> = items(&body)?.into_iter().map(|(id, _)| id).collect();
    let message = format!("Successfully deleted {} memories", ids.len());
    let request = Forget { ids, confirmed: true, ..Forget::default() };
    super::ask(&state, &caller, request).await?;
    Ok(Json(Mem0Message::new(message)))
}

fn items<'v>(body: &Fields<'v>) -> Result<Vec<(MemoryId, Fields<'v>)>, Problem> {
    let missing = || body.wrong("memories", "it is missing; expected a list of objects with a memory_id");
    let items = body.objects("memories")?.filter(|items| !items.is_empty()).ok_or_else(missing)?;
    if items.len() > limits::BATCH_MEMORIES {
        let message = format!("it has {} memories; expected at most {}", items.len(), limits::BATCH_MEMORIES);
        return Err(body.wrong("memories", message));
    }
    items.into_iter().map(|item| Ok((id(item.required("memory_id")?)?, item))).collect()
}
