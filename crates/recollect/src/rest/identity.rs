//! `/api/memory/identity`: who a user is, the versions of that, and what is always to be said.
//!
//! The profile's number is its version: whoever names the one that was read, as `If-Match` or in the body, is told with
//! a 412 when it is no longer that one.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use memory::types::{Identity, Override, OverrideId, ProfileVersion, Time, UserId};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::asked::{Asked, Named};
use super::body::Body;
use super::memory::{lost, matching, tagged};
use super::page::{Page, Removed};
use super::schema::{Moment, OriginWord};
use crate::app::AppState;
use crate::ops::Caller;
use crate::ops::identity::{IdentityEdit, IdentityShow, IdentityVersions, OverrideAdd, OverrideRemove};
use crate::problem::{Code, Problem, ProblemBody};

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
    #[schema(value_type = Moment)]
    created_at: Time,
    #[schema(required, value_type = Option<Moment>)]
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
    #[schema(value_type = Moment)]
    created_at: Time,
}

/// The profile's text, or that it be generated again.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
pub enum IdentityChange {
    Written(WrittenProfile),
    Generated(GeneratedProfile),
}

#[derive(Serialize, ToSchema)]
pub struct WrittenProfile {
    /// The profile from now on.
    #[schema(min_length = 1, max_length = 4000, pattern = r"\S")]
    pub text: String,
    /// The number of the profile that was read, 0 for none; another one is a 412.
    pub version: Option<u64>,
}

#[derive(Serialize, ToSchema)]
pub struct GeneratedProfile {
    /// Hand it back: generate it from what is known, and keep nothing of what was written.
    pub generated: bool,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct IdentityChanged {
    success: bool,
    /// False when it already said all of it.
    changed: bool,
    #[schema(required)]
    profile: Option<ProfileRow>,
}

#[derive(ToSchema)]
pub struct NewOverride {
    #[schema(min_length = 1, max_length = 200, pattern = r"[a-zA-Z]")]
    pub text: String,
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
    params(("userId" = Option<String>, Query, description = "Whose; `default` when nobody is named")),
    responses((status = 200, description = "The identity; `ETag` is the profile's number", body = IdentityRow,
        headers(("ETag" = String, description = "The profile's number, for `If-Match`")))))]
async fn show(State(state): State<AppState>, caller: Caller, asked: Asked) -> Result<Response, Problem> {
    let identity = super::ask(&state, &caller, IdentityShow { user: asked.parsed("userId")? }).await?;
    let row = IdentityRow::from(*identity);
    Ok(tagged(row.version, Json(row)))
}

/// Write the profile, or hand it back
///
/// What a person writes stays as it was written; what is learned later is added below it.
#[utoipa::path(put, path = "/api/memory/identity", tag = "people", operation_id = "editIdentity",
    params(("userId" = Option<String>, Query, description = "Whose; `default` when nobody is named"),
        ("If-Match" = Option<String>, Header, description = "The `ETag` that was read, or `*`")),
    request_body = IdentityChange,
    responses((status = 200, description = "As it is now", body = IdentityChanged,
            headers(("ETag" = String, description = "The profile's number, for `If-Match`"))),
        (status = 409, description = "Somebody was faster, and no version was named", body = ProblemBody),
        (status = 412, description = "It is another one by now; nothing was changed", body = ProblemBody)))]
async fn edit(
    State(state): State<AppState>,
    caller: Caller,
    asked: Asked,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Problem> {
    let body = body.fields();
    let named = body.whole("version")?.map(|version| version as u64).or(matching(&headers)?);
    let request = IdentityEdit {
        user: asked.parsed("userId")?,
        text: body.text("text")?.map(str::to_owned),
        generated: body.switch("generated")?.unwrap_or(false),
        expect_number: named,
    };
    let changed = super::ask(&state, &caller, request).await.map_err(|problem| lost(problem, named))?;
    let number = changed.profile.as_ref().map_or(0, |profile| profile.number);
    let profile = changed.profile.map(ProfileRow::from);
    Ok(tagged(number, Json(IdentityChanged { success: true, changed: changed.changed, profile })))
}

/// How the profile came to be, the oldest version first
#[utoipa::path(get, path = "/api/memory/identity/versions", tag = "people", operation_id = "identityVersions", params(
    ("userId" = Option<String>, Query, description = "Whose; `default` when nobody is named"),
    ("limit" = Option<usize>, Query, description = "Rows of a page", minimum = 1, maximum = 200),
    ("page" = Option<usize>, Query, description = "Which page, from 1", minimum = 1, maximum = 1000000000),
    ("offset" = Option<usize>, Query, description = "Rows to pass over, instead of `page`", maximum = 1000000000),
), responses((status = 200, description = "A page", body = Page<ProfileRow>)))]
async fn versions(
    State(state): State<AppState>,
    caller: Caller,
    asked: Asked,
) -> Result<Json<Page<ProfileRow>>, Problem> {
    let pages = asked.pages()?;
    let request = IdentityVersions { user: asked.parsed("userId")?, number: None };
    let listed = super::ask(&state, &caller, request).await?;
    Ok(Json(Page::of(pages, listed.versions.into_iter().map(ProfileRow::from).collect())))
}

/// What is always said about a user
#[utoipa::path(get, path = "/api/memory/identity/overrides", tag = "people", operation_id = "listOverrides", params(
    ("userId" = Option<String>, Query, description = "Whose; `default` when nobody is named"),
    ("limit" = Option<usize>, Query, description = "Rows of a page", minimum = 1, maximum = 200),
    ("page" = Option<usize>, Query, description = "Which page, from 1", minimum = 1, maximum = 1000000000),
    ("offset" = Option<usize>, Query, description = "Rows to pass over, instead of `page`", maximum = 1000000000),
), responses((status = 200, description = "A page", body = Page<OverrideRow>)))]
async fn overrides(
    State(state): State<AppState>,
    caller: Caller,
    asked: Asked,
) -> Result<Json<Page<OverrideRow>>, Problem> {
    let pages = asked.pages()?;
    let identity = super::ask(&state, &caller, IdentityShow { user: asked.parsed("userId")? }).await?;
    Ok(Json(Page::of(pages, identity.overrides.into_iter().map(OverrideRow::from).collect())))
}

/// Say always that something is so
#[utoipa::path(post, path = "/api/memory/identity/overrides", tag = "people", operation_id = "addOverride",
    params(("userId" = Option<String>, Query, description = "About whom; `default` when nobody is named")),
    request_body = NewOverride,
    responses((status = 201, description = "It is said from now on", body = OverrideKept),
        (status = 200, description = "It was said already", body = OverrideKept),
        (status = 409, description = "Somebody was faster; look again and repeat", body = ProblemBody),
        (status = 422, description = "As many are said as there may be", body = ProblemBody)))]
async fn add(
    State(state): State<AppState>,
    caller: Caller,
    asked: Asked,
    body: Body,
) -> Result<Response, Problem> {
    let text = body.fields().required("text")?.to_owned();
    let kept = super::ask(&state, &caller, OverrideAdd { user: asked.parsed("userId")?, text }).await?;
    let status = if kept.added { StatusCode::CREATED } else { StatusCode::OK };
    Ok((status, Json(OverrideKept { added: kept.added, line: kept.line.into() })).into_response())
}

/// Say something no longer
///
/// It does not come back by itself. `deleted` is false the second time, and for what is not said about this user.
#[utoipa::path(delete, path = "/api/memory/identity/overrides/{id}", tag = "people", operation_id = "deleteOverride",
    params(("id" = String, Path, description = "`ov_…`"),
        ("userId" = Option<String>, Query, description = "About whom; `default` when nobody is named")),
    responses((status = 200, description = "Whether it was said", body = Removed)))]
async fn remove(
    State(state): State<AppState>,
    caller: Caller,
    name: Named,
    asked: Asked,
) -> Result<Json<Removed>, Problem> {
    let user: Option<UserId> = asked.parsed("userId")?;
    // By its id alone: a text in a path would be taken for one.
    let Ok(id) = name.0.parse::<OverrideId>() else { return Ok(Json(Removed { deleted: false })) };
    match super::ask(&state, &caller, OverrideRemove { user, which: id.as_str().to_owned() }).await {
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
