//! `GET|PUT|DELETE /memories/{id}` and `GET /memories/{id}/history`: one memory.

use axum::Json;
use axum::extract::State;
use memory::types::{Memory, MemoryId, Status, Time};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use transfer::compat::mem0::filter::{FilterTest, Mem0Field};
use transfer::compat::mem0::row::Mem0Memory;
use utoipa::ToSchema;

use super::super::extract::{Body, PathId, QueryParams, nothing};
use super::super::schema::{AnyObject, MomentSchema as MomentText};
use super::row::Mem0Message;
use super::values::Mem0Moment;
use crate::app::AppState;
use crate::compat::find::Finder;
use crate::ops::Caller;
use crate::ops::forget::Forget;
use crate::ops::history::{self, EventKind, History};
use crate::ops::show::Show;
use crate::ops::update::{TimeChange, Update};
use crate::problem::{Problem, ProblemBody};
use crate::request::{values, wrong};

/// What to change: at least one of them.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(as = Mem0Update)]
pub struct Mem0UpdateBody {
    #[serde(default)]
    change: Mem0Change,
}

/// What a memory is to say, and how long.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
pub struct Mem0Change {
    #[schema(min_length = 1, max_length = 4096, pattern = r"\S")]
    text: Option<String>,
    /// The text, as earlier versions called it.
    #[schema(min_length = 1, max_length = 4096, pattern = r"\S")]
    data: Option<String>,
    /// The text, as rows call it.
    #[schema(min_length = 1, max_length = 4096, pattern = r"\S")]
    memory: Option<String>,
    /// Instead of the metadata it has.
    #[schema(value_type = Option<AnyObject>)]
    metadata: Option<Map<String, Value>>,
    /// From when on it holds.
    timestamp: Option<Mem0Moment>,
    /// From when on it is not to be shown; `null` means never.
    #[serde(default, deserialize_with = "values::change")]
    #[schema(value_type = Option<Mem0Moment>)]
    expiration_date: Option<Option<Mem0Moment>>,
}

/// What goes with a memory.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(as = Mem0Delete)]
pub struct Mem0DeleteQuery {
    /// Also those that it took the place of.
    #[serde(default)]
    delete_linked: bool,
}

/// A memory as it is now.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Mem0Updated)]
pub struct Mem0Updated {
    message: &'static str,
    text: String,
    #[serde(flatten)]
    memory: Mem0Memory,
}

/// Something that happened to a memory.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Mem0HistoryEvent)]
pub struct Mem0HistoryRow {
    id: String,
    memory_id: String,
    #[schema(required)]
    old_memory: Option<String>,
    #[schema(required)]
    new_memory: Option<String>,
    /// `ADD`, `UPDATE` or `DELETE`.
    event: &'static str,
    #[schema(value_type = MomentText)]
    created_at: Time,
    #[schema(value_type = MomentText)]
    updated_at: Time,
    is_deleted: bool,
}

/// One memory as mem0 shows it
///
/// Also at `/v1/memories/{id}/`.
#[utoipa::path(get, path = "/memories/{id}", tag = "mem0", operation_id = "mem0Get",
    params(("id" = String, Path, description = "`mt_…`")),
    responses((status = 200, description = "The memory", body = Mem0Memory)))]
pub async fn get(
    State(state): State<AppState>,
    caller: Caller,
    name: PathId,
) -> Result<Json<Mem0Memory>, Problem> {
    let memory = live(&state, &caller, id(&name.0)?).await?;
    Ok(Json(Mem0Memory::of(memory, None)))
}

/// Change a memory as mem0 does
///
/// Also at `/v1/memories/{id}/`.
#[utoipa::path(put, path = "/memories/{id}", tag = "mem0", operation_id = "mem0Update", request_body = Mem0UpdateBody,
    params(("id" = String, Path, description = "`mt_…`")),
    responses((status = 200, description = "As it is now", body = Mem0Updated),
        (status = 409, description = "Somebody was faster", body = ProblemBody)))]
pub async fn update(
    State(state): State<AppState>,
    caller: Caller,
    name: PathId,
    Body(body): Body<Mem0UpdateBody>,
) -> Result<Json<Mem0Updated>, Problem> {
    let request = asked(id(&name.0)?, body.change, "")?;
    let memory = *state.house.ask(&caller, Box::new(request)).await?.memory;
    let (message, text) = ("Memory updated successfully!", memory.content.clone());
    Ok(Json(Mem0Updated { message, text, memory: Mem0Memory::of(memory, None) }))
}

/// Forget a memory as mem0 does
///
/// History keeps what it was, so that it can come back. Also at `/v1/memories/{id}/`.
#[utoipa::path(delete, path = "/memories/{id}", tag = "mem0", operation_id = "mem0Delete",
    params(("id" = String, Path, description = "`mt_…`"), QueryParams<Mem0DeleteQuery>),
    responses((status = 200, description = "It is forgotten", body = Mem0Message)))]
pub async fn delete(
    State(state): State<AppState>,
    caller: Caller,
    name: PathId,
    QueryParams(asked): QueryParams<Mem0DeleteQuery>,
) -> Result<Json<Mem0Message>, Problem> {
    let memory = live(&state, &caller, id(&name.0)?).await?;
    let mut ids = vec![memory.id.clone()];
    if asked.delete_linked {
        ids.extend(replaced_by(&state, &caller, &memory).await?);
    }
    let request = Forget { ids, confirmed: true, ..Forget::default() };
    state.house.ask(&caller, request).await?;
    Ok(Json(Mem0Message::new("Memory deleted successfully!")))
}

/// What happened to a memory, as mem0 tells it
///
/// Also at `/v1/memories/{id}/history/`.
#[utoipa::path(get, path = "/memories/{id}/history", tag = "mem0", operation_id = "mem0History",
    params(("id" = String, Path, description = "`mt_…`")),
    responses((status = 200, description = "Oldest first", body = Vec<Mem0HistoryRow>)))]
pub async fn history(
    State(state): State<AppState>,
    caller: Caller,
    name: PathId,
) -> Result<Json<Vec<Mem0HistoryRow>>, Problem> {
    let id = id(&name.0)?;
    let shown = state.house.ask(&caller, Show { id: id.clone() }).await?;
    let successor = match shown.memory.superseded_by.clone() {
        Some(id) => state.house.ask(&caller, Show { id }).await.ok().map(|shown| shown.memory.content),
        None => None,
    };
    let told = state.house.ask(&caller, History { id }).await?;
    Ok(Json(tell(&shown.memory, successor, told.events)))
}

/// An event says what it changed. What stood before and after is found by going back from what stands now.
fn tell(
    memory: &Memory,
    successor: Option<String>,
    events: Vec<history::MemoryEvent>,
) -> Vec<Mem0HistoryRow> {
    let mut now = memory.content.clone();
    let mut told: Vec<Mem0HistoryRow> = Vec::with_capacity(events.len());
    for event in events.into_iter().rev() {
        let changed = |field: &str| event.changes.iter().find(|change| change.field == field);
        let became = changed("status").and_then(|change| change.after.as_str()).unwrap_or_default();
        let before = changed("content").and_then(|change| change.before.as_str()).map(str::to_owned);
        let old = before.unwrap_or_else(|| now.clone());
        let deleted = matches!(event.what, EventKind::Removed | EventKind::Purged)
            || became == Status::Deleted.as_str();
        let (word, old_memory, new_memory) = match event.what {
            EventKind::Created => ("ADD", None, Some(now.clone())),
            _ if deleted => ("DELETE", Some(old.clone()), None),
            _ if became == Status::Superseded.as_str() => {
                ("UPDATE", Some(old.clone()), successor.clone().or_else(|| Some(now.clone())))
            }
            _ => ("UPDATE", Some(old.clone()), Some(now.clone())),
        };
        now = old;
        told.push(Mem0HistoryRow {
            id: format!("{}:{}", memory.id, event.number),
            memory_id: memory.id.as_str().to_owned(),
            old_memory,
            new_memory,
            event: word,
            created_at: memory.created_at,
            updated_at: event.at,
            is_deleted: deleted,
        });
    }
    told.reverse();
    told
}

/// The change that a client asks for. Metadata takes the place of what was there. `place` is where the change stands in the
/// request, for messages.
pub fn asked(id: MemoryId, change: Mem0Change, place: &str) -> Result<Update, Problem> {
    let mut update = Update::of(id.clone());
    for (name, text) in [("text", change.text), ("data", change.data), ("memory", change.memory)] {
        if text.as_deref().is_some_and(|text| text.trim().is_empty()) {
            return Err(wrong(&format!("{place}{name}"), "it is empty; expected what is to be remembered"));
        }
        update.content = update.content.or(text);
    }
    update.replaces_metadata = change.metadata.is_some();
    update.metadata = change.metadata.unwrap_or_default();
    update.valid_from = change.timestamp.map(|at| TimeChange::At(at.0));
    update.expires_at =
        change.expiration_date.map(|ends| ends.map_or(TimeChange::Never, |at| TimeChange::At(at.0)));
    if update == Update::of(id) {
        let message = "nothing to change is named; expected text, metadata, timestamp or expiration_date";
        return Err(Problem::field(format!("{place}text"), message));
    }
    Ok(update)
}

/// Those that this one took the place of, and those that they did.
async fn replaced_by(state: &AppState, caller: &Caller, memory: &Memory) -> Result<Vec<MemoryId>, Problem> {
    let owner = vec![
        FilterTest::equals(Mem0Field::User, memory.user.as_str()),
        FilterTest::equals(Mem0Field::Agent, memory.agent.as_str()),
    ];
    let test = FilterTest::All(owner);
    let past = Finder { asks: &(&state.house, caller), test: &test, statuses: vec![Status::Superseded] }
        .all()
        .await?;
    let mut linked = vec![memory.id.clone()];
    let mut place = 0;
    while let Some(by) = linked.get(place).cloned() {
        let older = past.iter().filter(|past| past.superseded_by.as_ref() == Some(&by));
        let fresh: Vec<MemoryId> =
            older.map(|past| past.id.clone()).filter(|id| !linked.contains(id)).collect();
        linked.extend(fresh);
        place += 1;
    }
    Ok(linked.split_off(1))
}

/// A memory that is there. One that was deleted is not, over these routes.
pub async fn live(state: &AppState, caller: &Caller, id: MemoryId) -> Result<Memory, Problem> {
    let shown = state.house.ask(caller, Show { id }).await?;
    match shown.memory.status {
        Status::Deleted => Err(no_memory(shown.memory.id.as_str())),
        _ => Ok(shown.memory),
    }
}

pub fn id(name: &str) -> Result<MemoryId, Problem> {
    name.parse().map_err(|_| no_memory(name))
}

fn no_memory(id: &str) -> Problem {
    nothing("memory", id)
}
