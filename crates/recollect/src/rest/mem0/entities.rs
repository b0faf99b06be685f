//! `GET /v1/entities/` and `DELETE /v2/entities/{type}/{name}/`: of whom there are memories.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use memory::types::{Memory, Time};
use serde::Serialize;
use serde_json::Value;
use transfer::compat::mem0::filter::{FilterTest, Mem0Field};
use transfer::compat::mem0::row::{self, APP, UNNAMED};
use utoipa::ToSchema;

use super::super::schema::MomentSchema;
use super::remove::forget;
use super::row::Mem0Message;
use crate::app::AppState;
use crate::compat::find::Finder;
use crate::ops::Caller;
use crate::problem::{Problem, ProblemBody};
use crate::request::wrong;

/// Users, agents, applications and runs.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Mem0Entities)]
pub struct Entities {
    count: usize,
    /// Always none: all of them come at once.
    #[schema(required)]
    next: Option<String>,
    #[schema(required)]
    previous: Option<String>,
    results: Vec<Mem0Entity>,
}

/// Somebody or something of which there are memories.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Mem0Entity)]
pub struct Mem0Entity {
    id: String,
    name: String,
    r#type: &'static str,
    total_memories: u64,
    #[schema(value_type = MomentSchema)]
    created_at: Time,
    #[schema(value_type = MomentSchema)]
    updated_at: Time,
    /// The tenant.
    owner: String,
    organization: String,
}

/// Of whom there are memories, as mem0 lists them
#[utoipa::path(get, path = "/v1/entities/", tag = "mem0", operation_id = "mem0Entities",
    responses((status = 200, description = "All of them, by type and name", body = Entities),
        (status = 422, description = "There are too many memories to look through", body = ProblemBody)))]
pub async fn list(State(state): State<AppState>, caller: Caller) -> Result<Json<Entities>, Problem> {
    let test = FilterTest::none();
    let memories = Finder { asks: &(&state.house, &caller), test: &test, statuses: Vec::new() }.all().await?;
    let mut entities: BTreeMap<(&'static str, String), Mem0Entity> = BTreeMap::new();
    for memory in &memories {
        for (sort, name) in of(memory) {
            let key = (sort, name.to_owned());
            let entity = entities.entry(key).or_insert_with(|| new(&caller, sort, name, memory));
            entity.total_memories += 1;
            entity.created_at = entity.created_at.min(memory.created_at);
            entity.updated_at = entity.updated_at.max(memory.updated_at);
        }
    }
    let results: Vec<Mem0Entity> = entities.into_values().collect();
    Ok(Json(Entities { count: results.len(), next: None, previous: None, results }))
}

/// Whose a memory is. What nobody is named for is the unnamed user's, so that everything is somebody's.
fn of(memory: &Memory) -> Vec<(&'static str, &str)> {
    let (user, agent) = (memory.user.as_str(), memory.agent.as_str());
    let app = memory.metadata.get(APP).and_then(Value::as_str);
    let all = [
        ("user", Some(user).filter(|user| *user != UNNAMED || agent == UNNAMED)),
        ("agent", Some(agent).filter(|agent| *agent != UNNAMED)),
        ("app", app),
        ("run", row::run(memory)),
    ];
    all.into_iter().filter_map(|(sort, name)| name.map(|name| (sort, name))).collect()
}

fn new(caller: &Caller, sort: &'static str, name: &str, memory: &Memory) -> Mem0Entity {
    let tenant = caller.tenant().as_str().to_owned();
    Mem0Entity {
        id: name.to_owned(),
        name: name.to_owned(),
        r#type: sort,
        total_memories: 0,
        created_at: memory.created_at,
        updated_at: memory.updated_at,
        owner: tenant.clone(),
        organization: tenant,
    }
}

/// Forget all memories of somebody as mem0 does
///
/// Whoever has none is answered the same. Also at `/v1/entities/{type}/{name}/`.
#[utoipa::path(delete, path = "/v2/entities/{type}/{name}/", tag = "mem0", operation_id = "mem0DeleteEntity", params(
    ("type" = String, Path, description = "`user`, `agent`, `app` or `run`"),
    ("name" = String, Path, description = "Its id"),
), responses((status = 200, description = "They are forgotten", body = Mem0Message),
    (status = 400, description = "There is no such type, or nothing can have this name", body = ProblemBody),
    (status = 422, description = "There are too many memories to look through", body = ProblemBody)))]
pub async fn delete(
    State(state): State<AppState>,
    caller: Caller,
    path: Result<Path<(String, String)>, PathRejection>,
) -> Result<Json<Mem0Message>, Problem> {
    let Path((sort, name)) = path.map_err(|_| wrong("name", "nothing can have this name"))?;
    let field = match sort.as_str() {
        "user" => Mem0Field::User,
        "agent" => Mem0Field::Agent,
        "app" => Mem0Field::App,
        "run" => Mem0Field::Run,
        _ => return Err(wrong("type", "expected user, agent, app or run")),
    };
    forget(&state, &caller, &FilterTest::equals(field, name)).await?;
    Ok(Json(Mem0Message::new("Entity deleted successfully!")))
}
