//! `/api/memory/identity`: who a user is, the versions of that, and what is always to be said.
//!
//! The profile's number is its version: whoever names the one that was read, as `If-Match` or in the body, is told with
//! a 412 when it is no longer that one.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use memory::types::{Identity, Override, OverrideId, ProfileVersion, Time};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::extract::{Body, NoBody, PathId, QueryParams};
use super::memory::{lost, matching, tagged};
use super::page::{PageBody, Removed};
use super::schema::{MomentSchema, OriginWord};
use crate::app::AppState;
use crate::ops::Caller;
use crate::ops::identity::{IdentityEdit, IdentityShow, IdentityVersions, OverrideAdd, OverrideRemove};
use crate::problem::{Code, Problem, ProblemBody};
use crate::request::values::{NamedUser, Pages};

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::default()
        .routes(routes!(show, edit))
        .routes(routes!(versions))
        .routes(routes!(overrides, add))
        .routes(routes!(remove))
}

/// Who a user is.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Identity)]
pub struct IdentityRow {
    user_id: String,
    /// The number of the profile that stands, which `If-Match` and `version` are compared with; 0 for none.
    version: u64,
    #[schema(required)]
    profile: Option<ProfileRow>,
    overrides: Vec<OverrideRow>,
}

/// One generation of a profile.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Profile)]
pub struct ProfileRow {
    /// 1 for the first, and so on.
    #[schema(minimum = 1)]
    number: u64,
    text: String,
    /// What changed against the one before, line by line.
    difference: String,
    /// For each line, the memories that it rests on; none for a line that a person wrote.
    sources: Vec<Vec<String>>,
    /// A person had a hand in it.
    edited: bool,
    #[schema(value_type = OriginWord)]
    origin: &'static str,
    #[schema(value_type = MomentSchema)]
    created_at: Time,
    #[schema(required, value_type = Option<MomentSchema>)]
    checked_at: Option<Time>,
}

/// What is always said.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Override)]
pub struct OverrideRow {
    id: String,
    user_id: String,
    text: String,
    /// The memory that it was made from, where a machine made it.
    #[schema(required)]
    memory_id: Option<String>,
    #[schema(value_type = OriginWord)]
    origin: &'static str,
    #[schema(value_type = MomentSchema)]
    created_at: Time,
}

/// Who is meant.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub struct UserQuery {
    #[serde(default)]
    whose: NamedUser,
}

/// Who is meant, and which part of the list.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub struct UserPageQuery {
    #[serde(default)]
    whose: NamedUser,
    #[serde(default)]
    pages: Pages,
}

/// The profile's text, or that it be generated again.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub struct IdentityChange {
    #[serde(default)]
    whose: NamedUser,
    /// The profile from now on.
    #[schema(min_length = 1, max_length = 4000, pattern = r"\S")]
    text: Option<String>,
    /// Hand it back: generate it from what is known, and keep nothing of what was written.
    #[serde(default)]
    generated: bool,
    /// The number of the profile that was read, 0 for none; another one is a 412.
    version: Option<u64>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct IdentityChanged {
    success: bool,
    /// False when it already said all of it.
    changed: bool,
    #[schema(required)]
    profile: Option<ProfileRow>,
}

#[derive(Debug, Deserialize, ToSchema)]
pub struct NewOverride {
    #[serde(default)]
    whose: NamedUser,
    #[schema(min_length = 1, max_length = 200, pattern = r"[a-zA-Z]")]
    text: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct OverrideKept {
    /// False when it was said already.
    added: bool,
    #[serde(rename = "override")]
    line: OverrideRow,
}

/// Who a user is: the profile and what is always said
#[utoipa::path(get, path = "/api/memory/identity", tag = "people", operation_id = "getIdentity",
    params(QueryParams<UserQuery>),
    responses((status = 200, description = "The identity; `ETag` is the profile's number", body = IdentityRow,
        headers(("ETag" = String, description = "The profile's number, for `If-Match`")))))]
async fn show(
    State(state): State<AppState>,
    caller: Caller,
    QueryParams(asked): QueryParams<UserQuery>,
) -> Result<Response, Problem> {
    let identity = state.house.ask(&caller, IdentityShow { user: asked.whose.user() }).await?;
    let row = IdentityRow::from(*identity);
    Ok(tagged(row.version, Json(row)))
}

/// Write the profile, or hand it back
///
/// What a person writes stays as it was written; what is learned later is added below it.
#[utoipa::path(put, path = "/api/memory/identity", tag = "people", operation_id = "editIdentity",
    params(("If-Match" = Option<String>, Header, description = "The `ETag` that was read, or `*`")),
    request_body = IdentityChange,
    responses((status = 200, description = "As it is now", body = IdentityChanged,
            headers(("ETag" = String, description = "The profile's number, for `If-Match`"))),
        (status = 409, description = "Somebody was faster, and no version was named", body = ProblemBody),
        (status = 412, description = "It is another one by now; nothing was changed", body = ProblemBody)))]
async fn edit(
    State(state): State<AppState>,
    caller: Caller,
    headers: HeaderMap,
    Body(body): Body<IdentityChange>,
) -> Result<Response, Problem> {
    let named = body.version.or(matching(&headers)?);
    let user = body.whose.user();
    let request = IdentityEdit { user, text: body.text, generated: body.generated, expect_number: named };
    let changed = state.house.ask(&caller, request).await.map_err(|problem| lost(problem, named))?;
    let number = changed.profile.as_ref().map_or(0, |profile| profile.number);
    let profile = changed.profile.map(ProfileRow::from);
    Ok(tagged(number, Json(IdentityChanged { success: true, changed: changed.changed, profile })))
}

/// How the profile came to be, the oldest version first
#[utoipa::path(get, path = "/api/memory/identity/versions", tag = "people", operation_id = "identityVersions",
    params(QueryParams<UserPageQuery>), responses((status = 200, description = "A page", body = PageBody<ProfileRow>)))]
async fn versions(
    State(state): State<AppState>,
    caller: Caller,
    QueryParams(asked): QueryParams<UserPageQuery>,
) -> Result<Json<PageBody<ProfileRow>>, Problem> {
    let request = IdentityVersions { user: asked.whose.user(), number: None };
    let listed = state.house.ask(&caller, request).await?;
    Ok(Json(PageBody::of(asked.pages, listed.versions.into_iter().map(ProfileRow::from).collect())))
}

/// What is always said about a user
#[utoipa::path(get, path = "/api/memory/identity/overrides", tag = "people", operation_id = "listOverrides",
    params(QueryParams<UserPageQuery>), responses((status = 200, description = "A page", body = PageBody<OverrideRow>)))]
async fn overrides(
    State(state): State<AppState>,
    caller: Caller,
    QueryParams(asked): QueryParams<UserPageQuery>,
) -> Result<Json<PageBody<OverrideRow>>, Problem> {
    let identity = state.house.ask(&caller, IdentityShow { user: asked.whose.user() }).await?;
    Ok(Json(PageBody::of(asked.pages, identity.overrides.into_iter().map(OverrideRow::from).collect())))
}

/// Say always that something is so
#[utoipa::path(post, path = "/api/memory/identity/overrides", tag = "people", operation_id = "addOverride",
    request_body = NewOverride,
    responses((status = 201, description = "It is said from now on", body = OverrideKept),
        (status = 200, description = "It was said already", body = OverrideKept),
        (status = 409, description = "Somebody was faster; look again and repeat", body = ProblemBody),
        (status = 422, description = "As many are said as there may be", body = ProblemBody)))]
async fn add(
    State(state): State<AppState>,
    caller: Caller,
    Body(body): Body<NewOverride>,
) -> Result<Response, Problem> {
    let request = OverrideAdd { user: body.whose.user(), text: body.text };
    let kept = state.house.ask(&caller, request).await?;
    let status = if kept.added { StatusCode::CREATED } else { StatusCode::OK };
    Ok((status, Json(OverrideKept { added: kept.added, line: kept.line.into() })).into_response())
}

/// Say something no longer
///
/// It does not come back by itself. `deleted` is false the second time, and for what is not said about this user.
#[utoipa::path(delete, path = "/api/memory/identity/overrides/{id}", tag = "people", operation_id = "deleteOverride",
    params(("id" = String, Path, description = "`ov_…`"), QueryParams<UserQuery>),
    responses((status = 200, description = "Whether it was said", body = Removed)))]
async fn remove(
    State(state): State<AppState>,
    caller: Caller,
    name: PathId,
    QueryParams(asked): QueryParams<UserQuery>,
    _: NoBody,
) -> Result<Json<Removed>, Problem> {
    let user = asked.whose.user();
    // By its id alone: a text in a path would be taken for one.
    let Ok(id) = name.0.parse::<OverrideId>() else { return Ok(Json(Removed { deleted: false })) };
    match state.house.ask(&caller, OverrideRemove { user, which: id.as_str().to_owned() }).await {
        Ok(_) => Ok(Json(Removed { deleted: true })),
        Err(problem) if problem.code == Code::NotFound => Ok(Json(Removed { deleted: false })),
        Err(problem) => Err(problem),
    }
}

impl From<Identity> for IdentityRow {
    fn from(identity: Identity) -> Self {
        Self {
            user_id: identity.user.as_str().to_owned(),
            version: identity.profile.as_ref().map_or(0, |profile| profile.number),
            profile: identity.profile.map(ProfileRow::from),
            overrides: identity.overrides.into_iter().map(OverrideRow::from).collect(),
        }
    }
}

impl From<ProfileVersion> for ProfileRow {
    fn from(version: ProfileVersion) -> Self {
        let ids = |line: Vec<memory::types::MemoryId>| line.iter().map(|id| id.as_str().to_owned()).collect();
        Self {
            number: version.number,
            text: version.text,
            difference: version.difference,
            sources: version.sources.into_iter().map(ids).collect(),
            edited: version.edited.is_some(),
            origin: version.origin.as_str(),
            created_at: version.created_at,
            checked_at: version.checked_at,
        }
    }
}

impl From<Override> for OverrideRow {
    fn from(line: Override) -> Self {
        Self {
            id: line.id.as_str().to_owned(),
            user_id: line.user.as_str().to_owned(),
            text: line.text,
            memory_id: line.memory.map(|id| id.as_str().to_owned()),
            origin: line.origin.as_str(),
            created_at: line.created_at,
        }
    }
}
