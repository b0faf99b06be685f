//! `/api/audit/crisis`: records that somebody spoke of harm to themselves, for those who answer for safety.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use memory::types::{ClassifierPath, CrisisRecord, Time};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::extract::{Body, NoBody, PathId, QueryParams};
use super::page::Removed;
use super::schema::{ClassifierPathWord, MomentSchema};
use crate::app::AppState;
use crate::ops::Caller;
use crate::ops::crisis::{CrisisList, CrisisRemove, CrisisReport};
use crate::problem::Problem;
use crate::request::values::{
    CrisisLevel, GivenAgent, GivenSession, GivenUser, KeptDays, ListedRows, MomentOrDay, NamedScope,
};

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::default().routes(routes!(list, report)).routes(routes!(remove))
}

/// That somebody spoke of harm to themselves.
#[derive(Debug, Deserialize, ToSchema)]
pub struct CrisisBody {
    agent_id: Option<GivenAgent>,
    user_id: Option<GivenUser>,
    /// The conversation, of which only a keyed hash is kept.
    session_id: GivenSession,
    /// From 0, nothing, to 3, the gravest.
    level: CrisisLevel,
    /// Why, without what was said.
    #[schema(min_length = 1, max_length = 500)]
    reason: String,
    classifier_path: ClassifierPathWord,
    /// Now unless said.
    detected_at: Option<MomentOrDay>,
    /// How long the record is kept: 0 until somebody removes it; as the setting `crisisRetentionDays` says unless said.
    retention_days: Option<KeptDays>,
}

/// What was recorded.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CrisisKept {
    id: String,
    /// When the record goes by itself.
    #[schema(required, value_type = Option<MomentSchema>)]
    retained_until: Option<Time>,
}

/// A record: when, how grave and why, and nobody's name.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CrisisRow {
    id: String,
    /// The same for all records of a conversation.
    session_hash: String,
    #[schema(minimum = 0, maximum = 3)]
    level: u8,
    reason: String,
    #[schema(value_type = ClassifierPathWord)]
    classifier_path: ClassifierPath,
    #[schema(value_type = MomentSchema)]
    detected_at: Time,
    #[schema(required, value_type = Option<MomentSchema>)]
    retained_until: Option<Time>,
}

/// Which records.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub struct CrisisQuery {
    #[serde(default)]
    whose: NamedScope,
    /// How many; 20 unless said.
    limit: Option<ListedRows>,
}

/// Records, the latest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct CrisisRows {
    records: Vec<CrisisRow>,
}

/// Record that somebody spoke of harm to themselves
///
/// Apart from memory: it comes into no prompt, search or export of memories, and goes when its time is over.
#[utoipa::path(post, path = "/api/audit/crisis", tag = "audit", operation_id = "recordCrisis",
    request_body = CrisisBody, responses((status = 201, description = "It is recorded", body = CrisisKept)))]
async fn report(
    State(state): State<AppState>,
    caller: Caller,
    Body(body): Body<CrisisBody>,
) -> Result<(StatusCode, Json<CrisisKept>), Problem> {
    let request = CrisisReport {
        agent: body.agent_id.map(|agent| agent.0),
        user: body.user_id.map(|user| user.0),
        session: body.session_id.0,
        level: body.level.0 as u8,
        reason: body.reason,
        path: body.classifier_path.0,
        at: body.detected_at.map(Time::from),
        retention_days: body.retention_days.map(|days| days.0 as u32),
    };
    let kept = state.house.ask(&caller, request).await?;
    let answer = CrisisKept { id: kept.id.as_str().to_owned(), retained_until: kept.until };
    Ok((StatusCode::CREATED, Json(answer)))
}

/// List the records, the latest first
///
/// For admins. Those of one conversation where `session_id` names it.
#[utoipa::path(get, path = "/api/audit/crisis", tag = "audit", operation_id = "listCrises",
    params(QueryParams<CrisisQuery>), responses((status = 200, description = "The records", body = CrisisRows)))]
async fn list(
    State(state): State<AppState>,
    caller: Caller,
    QueryParams(asked): QueryParams<CrisisQuery>,
) -> Result<Json<CrisisRows>, Problem> {
    let request = CrisisList {
        agent: asked.whose.agent(),
        user: asked.whose.user(),
        session: asked.whose.session(),
        limit: asked.limit.map(|rows| rows.0),
    };
    let listed = state.house.ask(&caller, request).await?;
    Ok(Json(CrisisRows { records: listed.records.into_iter().map(CrisisRow::from).collect() }))
}

/// Remove a record for good
///
/// For admins. `deleted` is false the second time.
#[utoipa::path(delete, path = "/api/audit/crisis/{id}", tag = "audit", operation_id = "deleteCrisis",
    params(("id" = String, Path, description = "`cr_…`")),
    responses((status = 200, description = "Whether there was such a record", body = Removed)))]
async fn remove(
    State(state): State<AppState>,
    caller: Caller,
    id: PathId,
    _: NoBody,
) -> Result<Json<Removed>, Problem> {
    let removed = state.house.ask(&caller, CrisisRemove { id: id.of("crisis record")? }).await?;
    Ok(Json(Removed { deleted: removed.deleted }))
}

impl From<CrisisRecord> for CrisisRow {
    fn from(record: CrisisRecord) -> Self {
        Self {
            id: record.id.as_str().to_owned(),
            session_hash: record.session_hash,
            level: record.level,
            reason: record.reason,
            classifier_path: record.path,
            detected_at: record.at,
            retained_until: record.until,
        }
    }
}
