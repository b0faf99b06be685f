//! `/api/keys` and `/api/audit`: who may ask, and who did. For those who administer the caller's tenant.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use memory::types::Time;
use serde::{Deserialize, Serialize};
use store::{AuditRow, KeyId, KeyUser, Role};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::extract::{Bare, Body, PathId, QueryParams, nothing};
use super::page::PageBody;
use super::schema::{KeyRoleWord, MomentSchema};
use crate::app::AppState;
use crate::limits;
use crate::ops::Caller;
use crate::ops::audit::AuditList;
use crate::ops::keys::{self, KeyCreate, KeyRevoke, KeyStatus, KeysList};
use crate::problem::Problem;
use crate::request::values::{GivenAgent, GivenName, MomentOrDay, PageRows, Pages};
use crate::request::wrong;

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::default().routes(routes!(list, create)).routes(routes!(revoke)).routes(routes!(audit))
}

/// A key: all of it but the secret.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Key)]
pub struct KeyView {
    id: String,
    /// The secret's first characters.
    prefix: String,
    tenant: String,
    #[schema(value_type = KeyRoleWord)]
    role: &'static str,
    /// What it is for.
    name: String,
    /// The only agents it may speak for; none means all.
    #[schema(required)]
    agents: Option<Vec<String>>,
    /// Whose memory it speaks for; `*` means anybody's.
    user: String,
    /// Where it has agents: whether it sees what its user has with any agent.
    shares_user: bool,
    #[schema(value_type = KeyState)]
    status: KeyStatus,
    #[schema(value_type = MomentSchema)]
    created_at: Time,
    #[schema(required, value_type = Option<MomentSchema>)]
    expires_at: Option<Time>,
    #[schema(required, value_type = Option<MomentSchema>)]
    revoked_at: Option<Time>,
    #[schema(required, value_type = Option<MomentSchema>)]
    last_used_at: Option<Time>,
}

#[derive(ToSchema)]
#[schema(rename_all = "snake_case")]
pub enum KeyState {
    Active,
    Expired,
    Revoked,
}

/// A key that is to be made.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub struct KeyBody {
    /// `memory` when nobody says.
    role: Option<KeyRoleWord>,
    /// What it is for, for people.
    #[schema(max_length = 50)]
    name: Option<String>,
    /// The only agents that it may speak for; none means all. Not for the role `admin`.
    #[serde(default)]
    agents: Vec<GivenAgent>,
    /// Whose memory it speaks for: one user's id, or `*` for anybody. A user of its own when nobody says; with the role `admin`
    /// anybody.
    user: Option<GivenName>,
    /// Where agents are named: it sees what its user has with any agent, too.
    #[serde(default)]
    shares_user: bool,
    expires_at: Option<MomentOrDay>,
}

/// Which part of the list.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub struct KeysQuery {
    #[serde(default)]
    pages: Pages,
}

/// How many decisions.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub struct AuditQuery {
    /// How many; 50 unless said.
    limit: Option<PageRows>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct KeyMade {
    /// The secret, which is shown this once.
    key: String,
    #[serde(flatten)]
    row: KeyView,
    /// Until now requests needed no key; from now on they do.
    first: bool,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct KeyGone {
    #[serde(flatten)]
    row: KeyView,
    /// No key is left, and requests still need one until the operator says otherwise.
    last: bool,
}

/// A decision about a request. Never what it was about.
#[derive(Debug, Serialize, ToSchema)]
pub struct DecisionRow {
    number: i64,
    #[schema(value_type = MomentSchema)]
    at: Time,
    /// The request's id, which its log lines carry too.
    #[schema(required)]
    request: Option<String>,
    /// A key's id, `loopback`, `operator`, or `unknown`.
    caller: String,
    operation: String,
    allowed: bool,
    /// Why not.
    #[schema(required)]
    reason: Option<String>,
}

/// The newest decisions.
#[derive(Debug, Serialize, ToSchema)]
pub struct AuditPage {
    data: Vec<DecisionRow>,
    limit: usize,
}

/// The tenant's keys, the newest first
#[utoipa::path(get, path = "/api/keys", tag = "keys", operation_id = "listKeys", params(QueryParams<KeysQuery>),
    responses((status = 200, description = "A page", body = PageBody<KeyView>)))]
async fn list(
    State(state): State<AppState>,
    caller: Caller,
    QueryParams(asked): QueryParams<KeysQuery>,
) -> Result<Json<PageBody<KeyView>>, Problem> {
    let listed = state.house.ask(&caller, KeysList { everywhere: false }).await?;
    Ok(Json(PageBody::of(asked.pages, listed.keys.into_iter().map(KeyView::from).collect())))
}

/// Make a key; its secret is shown this once
///
/// It opens the tenant of whoever makes it.
#[utoipa::path(post, path = "/api/keys", tag = "keys", operation_id = "createKey", request_body = KeyBody,
    responses((status = 201, description = "The key", body = KeyMade)))]
async fn create(
    State(state): State<AppState>,
    caller: Caller,
    Body(body): Body<KeyBody>,
) -> Result<(StatusCode, Json<KeyMade>), Problem> {
    let user = body.user.map(|name| name.0.parse::<KeyUser>()).transpose();
    let request = KeyCreate {
        role: body.role.map_or(Role::Memory, |word| word.0),
        name: body.name,
        agents: body.agents.into_iter().map(|agent| agent.0).collect(),
        user: user.map_err(|error| wrong("user", error))?,
        shares_user: body.shares_user,
        expires_at: body.expires_at.map(Time::from),
    };
    let made = state.house.ask(&caller, request).await?;
    let key = made.key.reveal().to_owned();
    Ok((StatusCode::CREATED, Json(KeyMade { key, row: made.row.into(), first: made.first })))
}

/// Revoke a key, at once and for good
#[utoipa::path(delete, path = "/api/keys/{id}", tag = "keys", operation_id = "revokeKey",
    params(("id" = String, Path, description = "`key_…`")),
    responses((status = 200, description = "It opens nothing any more", body = KeyGone)))]
async fn revoke(
    State(state): State<AppState>,
    caller: Caller,
    name: PathId,
    _: Bare,
) -> Result<Json<KeyGone>, Problem> {
    // What is no id may be a secret, which no answer repeats.
    let id: KeyId =
        name.0.parse().map_err(|_| nothing("key", "of this id").hint("GET /api/keys lists them"))?;
    let revoked = state.house.ask(&caller, KeyRevoke { id }).await?;
    Ok(Json(KeyGone { row: revoked.row.into(), last: revoked.last }))
}

/// Who was let in to what, and who was not: the newest decisions about the tenant
#[utoipa::path(get, path = "/api/audit", tag = "keys", operation_id = "audit",
    params(QueryParams<AuditQuery>),
    responses((status = 200, description = "The newest first", body = AuditPage)))]
async fn audit(
    State(state): State<AppState>,
    caller: Caller,
    QueryParams(asked): QueryParams<AuditQuery>,
) -> Result<Json<AuditPage>, Problem> {
    let limit = asked.limit.map_or(limits::PAGE_USUAL_ROWS, |rows| rows.0);
    let listed = state.house.ask(&caller, AuditList { limit: Some(limit), everywhere: false }).await?;
    Ok(Json(AuditPage { data: listed.decisions.into_iter().map(DecisionRow::from).collect(), limit }))
}

impl From<keys::KeyRow> for KeyView {
    fn from(row: keys::KeyRow) -> Self {
        let keys::KeyRow { key, status } = row;
        let names = |agents: Vec<memory::types::AgentId>| agents.into_iter().map(String::from).collect();
        Self {
            id: key.id.as_str().to_owned(),
            prefix: key.prefix,
            tenant: key.tenant.as_str().to_owned(),
            role: key.role.as_str(),
            name: key.name,
            agents: key.agents.map(names),
            user: key.user.to_string(),
            shares_user: key.shares_user,
            status,
            created_at: key.created_at,
            expires_at: key.expires_at,
            revoked_at: key.revoked_at,
            last_used_at: key.last_used_at,
        }
    }
}

impl From<AuditRow> for DecisionRow {
    fn from(row: AuditRow) -> Self {
        let decision = row.decision;
        Self {
            number: row.number,
            at: decision.at,
            request: decision.request,
            caller: decision.caller,
            operation: decision.operation,
            allowed: decision.allowed,
            reason: decision.reason,
        }
    }
}
