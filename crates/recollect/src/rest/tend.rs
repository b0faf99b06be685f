//! `POST /api/memory/tend`, `/api/memory/runs` and what a shortened memory said: upkeep now, what it did, and taking it back.

use axum::Json;
use axum::extract::State;
use memory::types::{MemoryId, RunId, UserId};
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::extract::{AnyBody, Bare, PathId, QueryParams};
use super::forget::LatestQuery;
use super::schema::StepWord;
use crate::app::AppState;
use crate::ops::Caller;
use crate::ops::rehydrate::{Rehydrate, Rehydrated};
use crate::ops::relearn::{Relearn, Relearned};
use crate::ops::runs::{RunsList, RunsListed, Undo, UndoneRun};
use crate::ops::tend::{Tend, Tended};
use crate::problem::{Problem, ProblemBody};
use crate::request::values::GivenUser;

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::default()
        .routes(routes!(tend))
        .routes(routes!(relearn))
        .routes(routes!(runs))
        .routes(routes!(undo))
        .routes(routes!(verbatim))
}

/// What to keep up.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub struct TendBody {
    /// Only say what each step would do, and to which memories.
    #[serde(default)]
    dry_run: bool,
    /// This step alone.
    step: Option<StepWord>,
}

/// Keep memory up now
///
/// Merges what says the same, promotes what keeps coming up, links what is recalled together, archives what faded, deletes
/// what was kept long enough. Where a pass is under way, nothing is begun and the answer says so.
#[utoipa::path(post, path = "/api/memory/tend", tag = "engine", operation_id = "tend", request_body = Option<TendBody>,
    responses((status = 200, description = "What it came to", body = Tended)))]
async fn tend(
    State(state): State<AppState>,
    caller: Caller,
    AnyBody(body): AnyBody<TendBody>,
) -> Result<Json<Tended>, Problem> {
    let request = Tend { dry_run: body.dry_run, step: body.step.map(|word| word.0) };
    state.house.ask(&caller, request).await.map(|tended| Json(*tended))
}

/// What to read again.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub struct RelearnBody {
    /// Only say what would be changed.
    #[serde(default)]
    dry_run: bool,
    /// Only this user's conversations.
    user_id: Option<GivenUser>,
}

/// Read what was said once more
///
/// With today's learner and without a model. What a machine made is replaced, what people touched stays, what was forgotten stays forgotten; all of
/// it is one run that can be undone. Needs the role admin.
#[utoipa::path(post, path = "/api/memory/relearn", tag = "engine", operation_id = "relearn",
    request_body = Option<RelearnBody>,
    responses((status = 200, description = "What it came to", body = Relearned)))]
async fn relearn(
    State(state): State<AppState>,
    caller: Caller,
    AnyBody(body): AnyBody<RelearnBody>,
) -> Result<Json<Relearned>, Problem> {
    let request = Relearn { user: body.user_id.map(UserId::from), dry_run: body.dry_run };
    state.house.ask(&caller, request).await.map(Json)
}

/// What was done as a whole
///
/// By upkeep or by a person in bulk, the latest first.
#[utoipa::path(get, path = "/api/memory/runs", tag = "engine", operation_id = "listRuns",
    params(QueryParams<LatestQuery>),
    responses((status = 200, description = "The runs", body = RunsListed)))]
async fn runs(
    State(state): State<AppState>,
    caller: Caller,
    QueryParams(asked): QueryParams<LatestQuery>,
) -> Result<Json<RunsListed>, Problem> {
    let request = RunsList { limit: asked.limit.map(|rows| rows.0) };
    state.house.ask(&caller, request).await.map(Json)
}

/// Take back what a run did
///
/// What somebody changed since stays as they left it, and is named. What was purged or deleted for its age is gone.
#[utoipa::path(post, path = "/api/memory/runs/{id}/undo", tag = "engine", operation_id = "undoRun",
    params(("id" = String, Path, description = "The run's id.")),
    responses((status = 200, description = "What it came to", body = UndoneRun),
        (status = 409, description = "It cannot be undone, or no longer", body = ProblemBody)))]
async fn undo(
    State(state): State<AppState>,
    caller: Caller,
    run: PathId,
    _: Bare,
) -> Result<Json<UndoneRun>, Problem> {
    let run: RunId = run.of("run")?;
    state.house.ask(&caller, Undo { run }).await.map(Json)
}

/// What a memory said before it was shortened
///
/// Word for word, if it is what its hash says. That somebody asked is written down: how long it is kept counts from then.
#[utoipa::path(get, path = "/api/memory/{id}/verbatim", tag = "memories", operation_id = "rehydrateMemory",
    params(("id" = crate::request::values::MemoryName, Path, description = "The memory's id.")),
    responses((status = 200, description = "The text, or null", body = Rehydrated)))]
async fn verbatim(
    State(state): State<AppState>,
    caller: Caller,
    id: PathId,
    _: Bare,
) -> Result<Json<Rehydrated>, Problem> {
    let id: MemoryId = id.of("memory")?;
    state.house.ask(&caller, Rehydrate { id }).await.map(Json)
}
