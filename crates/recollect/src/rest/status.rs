//! `GET /api/memory/status`: how much is remembered, and how, for whoever shows it beside a chat.

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::extract::QueryParams;
use super::feedback::FeedbackCounts;
use crate::app::AppState;
use crate::ops::Caller;
use crate::ops::status::{LayerCounts, MemoryStatus, StorageMode};
use crate::problem::Problem;
use crate::request::values::NamedOwner;

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::default().routes(routes!(status))
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = MemoryStatus)]
pub struct StatusRow {
    mode: StorageMode,
    owner: OwnerRow,
    /// Whether memory works at all.
    enabled: bool,
    /// Whether it comes into chats by itself.
    proactive_recall: bool,
    counts: LayerCounts,
    /// Active memories of all layers.
    memories: u64,
    /// Access decisions about the tenant that are kept.
    audit_count: u64,
    /// Judgements of these memories' use that are kept.
    feedback_count: u64,
    feedback: FeedbackCounts,
}

/// Whose memory it is; `null` where nobody was named, and then it is everybody's.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = MemoryOwner)]
pub struct OwnerRow {
    tenant: String,
    #[schema(required)]
    agent_id: Option<String>,
    #[schema(required)]
    user_id: Option<String>,
}

/// Whose.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub struct StatusQuery {
    #[serde(default)]
    whose: NamedOwner,
}

/// How much is remembered, and how
#[utoipa::path(get, path = "/api/memory/status", tag = "engine", operation_id = "memoryStatus",
    params(QueryParams<StatusQuery>), responses((status = 200, description = "How it stands", body = StatusRow)))]
async fn status(
    State(state): State<AppState>,
    caller: Caller,
    QueryParams(asked): QueryParams<StatusQuery>,
) -> Result<Json<StatusRow>, Problem> {
    let request = MemoryStatus { agent: asked.whose.agent(), user: asked.whose.user() };
    let found = *state.house.ask(&caller, request).await?;
    Ok(Json(StatusRow {
        mode: found.mode,
        owner: OwnerRow {
            tenant: found.tenant.as_str().to_owned(),
            agent_id: found.agent.map(String::from),
            user_id: found.user.map(String::from),
        },
        enabled: found.enabled,
        proactive_recall: found.proactive_recall,
        counts: found.counts,
        memories: found.memories,
        audit_count: found.audit_count,
        feedback_count: found.feedback.total(),
        feedback: FeedbackCounts::of_judgements(&found.feedback),
    }))
}
