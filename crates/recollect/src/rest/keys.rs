//! `/api/keys` and `/api/audit`: who may ask, and who did. For those who administer the caller's tenant.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use memory::types::Time;
use serde::Serialize;
use store::{AuditRow, KeyId, Role};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::asked::{Asked, Named, nothing};
use super::body::Body;
use super::page::Page;
use super::schema::{Moment, MomentOrDay};
use crate::app::AppState;
use crate::ops::Caller;
use crate::ops::audit::AuditList;
use crate::ops::keys::{self, KeyCreate, KeyRevoke, KeyStatus, KeysList};
use crate::problem::Problem;

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::default().routes(routes!(list, create)).routes(routes!(revoke)).routes(routes!(audit))
}

/// A key: all of it but the secret.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Key)]
pub struct KeyRow {
    id: String,
    /// The secret's first characters.
    prefix: String,
    tenant: String,
    #[schema(value_type = RoleName)]
    role: &'static str,
    /// What it is for.
    name: String,
    /// The only agents it may speak for; none means all.
    #[schema(required)]
    agents: Option<Vec<String>>,
    #[schema(value_type = KeyState)]
    status: KeyStatus,
    #[schema(value_type = Moment)]
    created_at: Time,
    #[schema(required, value_type = Option<Moment>)]
    expires_at: Option<Time>,
    #[schema(required, value_type = Option<Moment>)]
    revoked_at: Option<Time>,
    #[schema(required, value_type = Option<Moment>)]
    last_used_at: Option<Time>,
}

/// What its holder may do; each may what those before it may.
#[derive(ToSchema)]
#[schema(rename_all = "snake_case")]
pub enum RoleName {
    Read,
    Memory,
    Admin,
}

#[derive(ToSchema)]
#[schema(rename_all = "snake_case")]
pub enum KeyState {
    Active,
    Expired,
    Revoked,
}

/// A key that is to be made.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct NewKey {
    /// `memory` when nobody says.
    pub role: Option<RoleName>,
    /// What it is for, for people.
    #[schema(max_length = 50)]
    pub name: Option<String>,
    /// The only agents that it may speak for; none means all. Not for the role `admin`.
    pub agents: Option<Vec<String>>,
    #[schema(value_type = Option<MomentOrDay>)]
    pub expires_at: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct KeyMade {
    /// The secret, which is shown this once.
    key: String,
    #[serde(flatten)]
    row: KeyRow,
    /// Until now requests needed no key; from now on they do.
    first: bool,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct KeyGone {
    #[serde(flatten)]
    row: KeyRow,
    /// No key is left: from now on requests from this machine need none.
    last: bool,
}

/// A decision about a request. Never what it was about.
#[derive(Debug, Serialize, ToSchema)]
pub struct DecisionRow {
    number: i64,
    #[schema(value_type = Moment)]
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
pub struct Decisions {
    data: Vec<DecisionRow>,
    limit: usize,
}

/// The tenant's keys, the newest first
#[utoipa::path(get, path = "/api/keys", tag = "keys", operation_id = "listKeys", params(
    ("limit" = Option<usize>, Query, description = "Rows of a page", minimum = 1, maximum = 200),
    ("page" = Option<usize>, Query, description = "Which page, from 1", minimum = 1, maximum = 1000000000),
    ("offset" = Option<usize>, Query, description = "Rows to pass over, instead of `page`", maximum = 1000000000),
), responses((status = 200, description = "A page", body = Page<KeyRow>)))]
async fn list(
    State(state): State<AppState>,
    caller: Caller,
    asked: Asked,
) -> Result<Json<Page<KeyRow>>, Problem> {
    let pages = asked.pages()?;
    let listed = super::ask(&state, &caller, KeysList { everywhere: false }).await?;
    Ok(Json(Page::of(pages, listed.keys.into_iter().map(KeyRow::from).collect())))
}

/// Make a key; its secret is shown this once
///
/// It opens the tenant of whoever makes it.
#[utoipa::path(post, path = "/api/keys", tag = "keys", operation_id = "createKey", request_body = NewKey,
    responses((status = 201, description = "The key", body = KeyMade)))]
async fn create(
    State(state): State<AppState>,
    caller: Caller,
    body: Body,
) -> Result<(StatusCode, Json<KeyMade>), Problem> {
    let body = body.fields();
    let request = KeyCreate {
        role: body.parsed("role")?.unwrap_or(Role::Memory),
        name: body.text("name")?.map(str::to_owned),
        agents: body.words("agents")?,
        expires_at: body.parsed("expiresAt")?,
    };
    let made = super::ask(&state, &caller, request).await?;
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
    name: Named,
) -> Result<Json<KeyGone>, Problem> {
    // What is no id may be a secret, which no answer repeats.
    let id: KeyId =
        name.0.parse().map_err(|_| nothing("key", "of this id").hint("GET /api/keys lists them"))?;
    let revoked = super::ask(&state, &caller, KeyRevoke { id }).await?;
    Ok(Json(KeyGone { row: revoked.row.into(), last: revoked.last }))
}

/// Who was let in to what, and who was not: the newest decisions about the tenant
#[utoipa::path(get, path = "/api/audit", tag = "keys", operation_id = "audit",
    params(("limit" = Option<usize>, Query, description = "How many", minimum = 1, maximum = 200)),
    responses((status = 200, description = "The newest first", body = Decisions)))]
async fn audit(
    State(state): State<AppState>,
    caller: Caller,
    asked: Asked,
) -> Result<Json<Decisions>, Problem> {
    let limit = asked.pages()?.limit;
    let listed = super::ask(&state, &caller, AuditList { limit: Some(limit), everywhere: false }).await?;
    Ok(Json(Decisions { data: listed.decisions.into_iter().map(DecisionRow::from).collect(), limit }))
}

impl From<keys::KeyRow> for KeyRow {
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
