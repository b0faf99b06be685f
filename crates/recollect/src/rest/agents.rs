//! `/agents`: which assistants there are, what each is like and how much it has.
//!
//! Names are those that clients of this route know: snake case, unlike the rest of the interface.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use memory::personality::{AutoIngest, PORTRAIT_CATEGORIES};
use memory::types::{AgentId, Time};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::extract::{Bare, Body, PathId, nothing};
use super::memory::{lost, matching, tagged};
use super::schema::{AnyObject, MomentSchema, PortraitCategory};
use crate::app::AppState;
use crate::ops::Caller;
use crate::ops::agents::{
    About, AgentCreate, AgentDelete, AgentEdit, AgentLine, AgentShow, AgentShown, AgentsList, config,
};
use crate::problem::{Problem, ProblemBody};
use crate::request::values::GivenAgent;

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::default().routes(routes!(list, create)).routes(routes!(show, replace, edit, delete))
}

/// An assistant with what it has.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Agent)]
pub struct AgentRow {
    id: String,
    name: String,
    description: String,
    /// Active memories, of all users.
    memory_entry_count: u64,
    session_count: u64,
    #[schema(value_type = MomentSchema)]
    created_at: Time,
    #[schema(value_type = MomentSchema)]
    updated_at: Time,
    /// False for an agent that only appears through what was written under its name.
    recorded: bool,
    /// What `If-Match` and `version` are compared with; none without a record.
    #[schema(required)]
    version: Option<u64>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct Agents {
    agents: Vec<AgentRow>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct AgentWhole {
    #[serde(flatten)]
    agent: AgentRow,
    /// What was said about it: traits from 0 to 1, and `autoIngest`.
    #[schema(value_type = AnyObject)]
    personality: Map<String, Value>,
    /// What that comes to, with the settings in force.
    #[schema(value_type = AnyObject)]
    tuning: Value,
}

/// What to say about an assistant; what is left out stays, or is as it usually is.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub struct AgentChange {
    /// The version that was read; another one is a 412.
    #[schema(minimum = 1)]
    version: Option<u64>,
    #[schema(min_length = 1, max_length = 200, pattern = r"\S")]
    name: Option<String>,
    #[schema(max_length = 4096)]
    description: Option<String>,
    /// Traits by name, each from 0 to 1.
    #[serde(default)]
    personality: Personality,
    auto_ingest: Option<AutoIngestBody>,
    /// The only categories of the portrait that this agent's conversations begin with; none of them where the list is empty.
    portrait_categories: Option<Vec<PortraitCategory>>,
}

/// A new assistant: what can be said about it, and its id, which follows from the name where it is left out.
#[derive(Debug, Deserialize, ToSchema)]
pub struct NewAgent {
    id: Option<GivenAgent>,
    #[schema(min_length = 1, max_length = 200, pattern = r"[a-zA-Z0-9]")]
    name: String,
    #[schema(max_length = 4096)]
    description: Option<String>,
    /// Traits by name, each from 0 to 1.
    #[serde(default)]
    personality: Personality,
    auto_ingest: Option<AutoIngestBody>,
    /// The only categories of the portrait that this agent's conversations begin with; none of them where the list is empty.
    portrait_categories: Option<Vec<PortraitCategory>>,
}

/// The six traits; what is not said is neutral.
#[derive(Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct Personality {
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0, maximum = 1)]
    honesty: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0, maximum = 1)]
    emotionality: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0, maximum = 1)]
    extraversion: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0, maximum = 1)]
    agreeableness: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0, maximum = 1)]
    conscientiousness: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0, maximum = 1)]
    openness: Option<f64>,
}

/// What of its conversations is learned by itself.
#[derive(Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AutoIngestBody {
    #[serde(skip_serializing_if = "Option::is_none")]
    enabled: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0, maximum = 1)]
    importance_threshold: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0, maximum = 100)]
    max_per_turn: Option<u32>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct AgentGone {
    deleted: bool,
    /// What the agent has stays: its active memories and its sessions.
    memories_kept: u64,
    sessions_kept: u64,
}

/// Which assistants there are
#[utoipa::path(get, path = "/agents", tag = "people", operation_id = "listAgents",
    responses((status = 200, description = "All of them, by id", body = Agents)))]
async fn list(State(state): State<AppState>, caller: Caller, _: Bare) -> Result<Json<Agents>, Problem> {
    let listed = state.house.ask(&caller, AgentsList {}).await?;
    Ok(Json(Agents { agents: listed.agents.into_iter().map(AgentRow::from).collect() }))
}

/// Say who an assistant is
#[utoipa::path(post, path = "/agents", tag = "people", operation_id = "createAgent", request_body = NewAgent,
    responses((status = 201, description = "It has a record now", body = AgentWhole,
            headers(("ETag" = String, description = "Its version, for `If-Match`"))),
        (status = 409, description = "It has a record already", body = ProblemBody)))]
async fn create(
    State(state): State<AppState>,
    caller: Caller,
    Body(body): Body<NewAgent>,
) -> Result<Response, Problem> {
    let id = body.id.map(AgentId::from);
    let id = config::read(&json!({ "id": id, "name": body.name }), id)?.id;
    let learning = body.auto_ingest.as_ref();
    let about =
        about(Some(body.name), body.description, &body.personality, learning, body.portrait_categories)?;
    let shown = state.house.ask(&caller, AgentCreate { id, about }).await?;
    Ok((StatusCode::CREATED, whole(*shown)).into_response())
}

/// One assistant, its character and what follows from it
#[utoipa::path(get, path = "/agents/{id}", tag = "people", operation_id = "getAgent",
    params(("id" = String, Path, description = "The agent's id")),
    responses((status = 200, description = "The agent; `ETag` is its record's version", body = AgentWhole,
        headers(("ETag" = String, description = "Its version, for `If-Match`")))))]
async fn show(
    State(state): State<AppState>,
    caller: Caller,
    name: PathId,
    _: Bare,
) -> Result<Response, Problem> {
    let shown = state.house.ask(&caller, AgentShow { id: id(&name)? }).await?;
    Ok(whole(*shown))
}

/// Change what is said about an assistant
#[utoipa::path(put, path = "/agents/{id}", tag = "people", operation_id = "updateAgent",
    params(("id" = String, Path, description = "The agent's id"),
        ("If-Match" = Option<String>, Header, description = "The `ETag` that was read, or `*`")),
    request_body = AgentChange,
    responses((status = 200, description = "As it is now", body = AgentWhole,
            headers(("ETag" = String, description = "Its version, for `If-Match`"))),
        (status = 409, description = "Somebody was faster, and no version was named", body = ProblemBody),
        (status = 412, description = "It is at another version; nothing was changed", body = ProblemBody)))]
async fn replace(
    state: State<AppState>,
    caller: Caller,
    name: PathId,
    headers: HeaderMap,
    body: Body<AgentChange>,
) -> Result<Response, Problem> {
    change(state, caller, name, headers, body).await
}

/// Change what is said about an assistant, as `PUT` does
#[utoipa::path(patch, path = "/agents/{id}", tag = "people", operation_id = "editAgent",
    params(("id" = String, Path, description = "The agent's id"),
        ("If-Match" = Option<String>, Header, description = "The `ETag` that was read, or `*`")),
    request_body = AgentChange,
    responses((status = 200, description = "As it is now", body = AgentWhole,
            headers(("ETag" = String, description = "Its version, for `If-Match`"))),
        (status = 409, description = "Somebody was faster, and no version was named", body = ProblemBody),
        (status = 412, description = "It is at another version; nothing was changed", body = ProblemBody)))]
async fn edit(
    state: State<AppState>,
    caller: Caller,
    name: PathId,
    headers: HeaderMap,
    body: Body<AgentChange>,
) -> Result<Response, Problem> {
    change(state, caller, name, headers, body).await
}

async fn change(
    State(state): State<AppState>,
    caller: Caller,
    name: PathId,
    headers: HeaderMap,
    Body(body): Body<AgentChange>,
) -> Result<Response, Problem> {
    let named = body.version.or(matching(&headers)?);
    let learning = body.auto_ingest.as_ref();
    let about = about(body.name, body.description, &body.personality, learning, body.portrait_categories)?;
    let request = AgentEdit { id: id(&name)?, about, expect_version: named };
    let shown = state.house.ask(&caller, request).await.map_err(|problem| lost(problem, named))?;
    Ok(whole(*shown))
}

/// Take away what is said about an assistant, and nothing else
#[utoipa::path(delete, path = "/agents/{id}", tag = "people", operation_id = "deleteAgent",
    params(("id" = String, Path, description = "The agent's id"),
        ("If-Match" = Option<String>, Header, description = "The `ETag` that was read, or `*`")),
    responses((status = 200, description = "Its record is gone; what it knows stays", body = AgentGone),
        (status = 409, description = "Somebody was faster, and no version was named", body = ProblemBody),
        (status = 412, description = "It is at another version; nothing was changed", body = ProblemBody)))]
async fn delete(
    State(state): State<AppState>,
    caller: Caller,
    name: PathId,
    headers: HeaderMap,
    _: Bare,
) -> Result<Json<AgentGone>, Problem> {
    let named = matching(&headers)?;
    let request = AgentDelete { id: id(&name)?, expect_version: named };
    let deleted = state.house.ask(&caller, request).await.map_err(|problem| lost(problem, named))?;
    let (memories_kept, sessions_kept) = (deleted.memories_kept, deleted.sessions_kept);
    Ok(Json(AgentGone { deleted: true, memories_kept, sessions_kept }))
}

/// What is said about learning and portraits is kept among the traits.
fn about(
    name: Option<String>,
    description: Option<String>,
    traits: &Personality,
    learning: Option<&AutoIngestBody>,
    portrait: Option<Vec<PortraitCategory>>,
) -> Result<About, Problem> {
    let mut personality = match serde_json::to_value(traits).map_err(Problem::ours)? {
        Value::Object(traits) => traits,
        _ => Map::new(),
    };
    if let Some(learning) = learning {
        let block = serde_json::to_value(learning).map_err(Problem::ours)?;
        personality.insert(AutoIngest::KEY.to_owned(), block);
    }
    if let Some(categories) = portrait {
        let words = categories.into_iter().map(|category| Value::from(category.0));
        personality.insert(PORTRAIT_CATEGORIES.to_owned(), words.collect());
    }
    Ok(About { name, description, personality })
}

fn whole(shown: AgentShown) -> Response {
    let tuning = serde_json::to_value(shown.tuning).expect("tuning is plain data");
    let version = shown.line.version;
    let whole = AgentWhole { agent: shown.line.into(), personality: shown.personality, tuning };
    match version {
        Some(version) => tagged(version, Json(whole)),
        None => Json(whole).into_response(),
    }
}

fn id(name: &PathId) -> Result<AgentId, Problem> {
    name.0.parse().map_err(|_| nothing("agent", &name.0).hint("GET /agents lists them"))
}

impl From<AgentLine> for AgentRow {
    fn from(line: AgentLine) -> Self {
        Self {
            id: line.id.as_str().to_owned(),
            name: line.name,
            description: line.description,
            memory_entry_count: line.memory_entry_count,
            session_count: line.session_count,
            created_at: line.created_at,
            updated_at: line.updated_at,
            recorded: line.recorded,
            version: line.version,
        }
    }
}
