//! `GET|POST|DELETE /api/memory`: what is remembered, as rows.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use memory::types::Time;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::asked::{Asked, wrong};
use super::body::{Body, Fields};
use super::owner::must_own;
use super::row::{Row, Sort, selection, sort};
use super::schema::{AnyObject, GivenId, KindWord, LayerWord, MomentOrDay, ScopeWord, TypeWord};
use crate::app::AppState;
use crate::ops::Caller;
use crate::ops::add::Add;
use crate::ops::clear::Clear;
use crate::ops::list::List;
use crate::ops::select::Selection;
use crate::ops::tally::{Tallied, Tally};
use crate::problem::{Problem, ProblemBody};

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::default().routes(routes!(list, create, clear))
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Rows {
    data: Vec<Row>,
    /// How many there are on all pages.
    total: u64,
    limit: usize,
    offset: usize,
    /// From 1.
    #[schema(minimum = 1)]
    page: usize,
    total_pages: u64,
    stats: Tallied,
}

/// Something to remember.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct NewMemory {
    #[schema(min_length = 1, max_length = 4096, pattern = r"\S")]
    pub content: String,
    /// A stable name: writing under it again changes the same memory.
    #[schema(min_length = 1, max_length = 64, pattern = r"\S")]
    pub key: Option<String>,
    #[schema(value_type = Option<TypeWord>)]
    pub r#type: Option<String>,
    #[schema(value_type = Option<KindWord>)]
    pub kind: Option<String>,
    #[schema(value_type = Option<LayerWord>)]
    pub layer: Option<String>,
    /// `thread` wants a `sessionId` too.
    #[schema(value_type = Option<ScopeWord>)]
    pub scope: Option<String>,
    #[schema(value_type = Option<GivenId>)]
    pub session_id: Option<String>,
    #[schema(value_type = Option<GivenId>)]
    pub agent_id: Option<String>,
    #[schema(value_type = Option<GivenId>)]
    pub user_id: Option<String>,
    /// One of the caller's own keys, or none: the key that is sent with the request decides.
    pub api_key_id: Option<String>,
    #[schema(max_items = 64)]
    pub tags: Option<Vec<String>>,
    #[schema(value_type = Option<AnyObject>)]
    pub metadata: Option<serde_json::Value>,
    pub pinned: Option<bool>,
    #[schema(max_length = 256)]
    pub subject: Option<String>,
    #[schema(max_length = 256)]
    pub predicate: Option<String>,
    #[schema(max_length = 256)]
    pub object: Option<String>,
    #[schema(max_length = 1024)]
    pub evidence: Option<String>,
    #[schema(value_type = Option<MomentOrDay>)]
    pub valid_from: Option<String>,
    #[schema(value_type = Option<MomentOrDay>)]
    pub valid_until: Option<String>,
    #[schema(value_type = Option<MomentOrDay>)]
    pub expires_at: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct Created {
    success: bool,
    id: String,
    memory: Row,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClearedRows {
    success: bool,
    /// How many were, or in a dry run would be, forgotten.
    deleted: u64,
    dry_run: bool,
    /// What can be undone, batch by batch.
    run_ids: Vec<String>,
}

/// Page through what is remembered
///
/// Newest first; with `q` only what has those words, best first.
#[utoipa::path(get, path = "/api/memory", tag = "memories", operation_id = "listMemories", params(
    ("q" = Option<String>, Query, description = "Only what has one of these words, best first"),
    ("type" = Option<TypeWord>, Query, description = "Only this layer or kind"),
    ("sessionId" = Option<String>, Query, description = "Only of this conversation"),
    ("agentId" = Option<String>, Query, description = "Only of this agent"),
    ("userId" = Option<String>, Query, description = "Only of this user"),
    ("apiKeyId" = Option<String>, Query, description = "One of the caller's own keys, or none"),
    ("limit" = Option<usize>, Query, description = "Rows of a page", minimum = 1, maximum = 200),
    ("page" = Option<usize>, Query, description = "Which page, from 1", minimum = 1, maximum = 1000000000),
    ("offset" = Option<usize>, Query, description = "Rows to pass over, instead of `page`", maximum = 1000000000),
), responses((status = 200, description = "A page", body = Rows)))]
async fn list(State(state): State<AppState>, caller: Caller, asked: Asked) -> Result<Json<Rows>, Problem> {
    let pages = asked.pages()?;
    let filter = selection(&asked)?;
    must_own(&state, &caller, asked.text("apiKeyId")).await?;
    let agent = filter.agent.clone();
    let request = List {
        filter,
        matching: asked.text("q").map(str::to_owned),
        limit: Some(pages.limit),
        offset: pages.offset,
        oldest_first: false,
    };
    let listed = super::ask(&state, &caller, request).await?;
    let stats = super::ask(&state, &caller, Tally { agent }).await?;
    Ok(Json(Rows {
        data: listed.memories.into_iter().map(Row::from).collect(),
        total: listed.total,
        limit: pages.limit,
        offset: pages.offset,
        page: pages.page(),
        total_pages: pages.count(listed.total),
        stats,
    }))
}

/// Remember something
///
/// Under a key that is known it changes that memory: metadata is merged, id and `createdAt` stay. Without a key, saying
/// the same again is no second memory.
#[utoipa::path(post, path = "/api/memory", tag = "memories", operation_id = "createMemory",
    request_body = NewMemory,
    responses((status = 201, description = "A new memory", body = Created),
        (status = 200, description = "It was known, and is now as said", body = Created),
        (status = 409, description = "Somebody was faster", body = ProblemBody),
        (status = 422, description = "A bound that a setting draws is reached", body = ProblemBody)))]
async fn create(
    State(state): State<AppState>,
    caller: Caller,
    body: Body,
) -> Result<(StatusCode, Json<Created>), Problem> {
    let body = body.fields();
    let request = addition(&body)?;
    must_own(&state, &caller, body.text("apiKeyId")?).await?;
    let added = super::ask(&state, &caller, request).await?;
    let status = if added.created { StatusCode::CREATED } else { StatusCode::OK };
    let memory = super::memory::row(&state, &caller, added.id.clone()).await?;
    Ok((status, Json(Created { success: true, id: added.id.as_str().to_owned(), memory })))
}

/// Forget everything that matches
///
/// Without a filter it wants `confirm=all`. With `dryRun=true` it only counts. What is superseded or archived is
/// forgotten too. Each batch can be undone by its run.
#[utoipa::path(delete, path = "/api/memory", tag = "memories", operation_id = "clearMemories", params(
    ("q" = Option<String>, Query, description = "Only what has all of these words"),
    ("type" = Option<TypeWord>, Query, description = "Only this layer or kind"),
    ("sessionId" = Option<String>, Query, description = "Only of this conversation"),
    ("agentId" = Option<String>, Query, description = "Only of this agent"),
    ("userId" = Option<String>, Query, description = "Only of this user"),
    ("apiKeyId" = Option<String>, Query, description = "One of the caller's own keys, or none"),
    ("olderThan" = Option<String>, Query, description = "Only what was written before: a day, a moment, or days ago"),
    ("dryRun" = Option<bool>, Query, description = "Only count"),
    ("confirm" = Option<String>, Query, description = "`all`: yes, everything"),
), responses((status = 200, description = "How many", body = ClearedRows)))]
async fn clear(
    State(state): State<AppState>,
    caller: Caller,
    asked: Asked,
) -> Result<Json<ClearedRows>, Problem> {
    let now = state.house.clock.now();
    let filter = Selection { until: older_than(&asked, now)?, ..selection(&asked)? };
    let matching = asked.text("q").map(str::to_owned);
    must_own(&state, &caller, asked.text("apiKeyId")).await?;
    let everything = filter == Selection::default() && matching.is_none();
    let dry_run = asked.switch("dryRun")?.unwrap_or(false);
    if everything && !dry_run && asked.text("confirm") != Some("all") {
        let message = "no filter is given, which means everything; expected `confirm=all`";
        return Err(Problem::field("confirm", message)
            .hint("filters are type, sessionId, q, olderThan, agentId and userId; dryRun=true only counts"));
    }
    let request = Clear { filter, matching, all: everything, dry_run };
    let cleared = super::ask(&state, &caller, request).await?;
    let run_ids = cleared.runs.iter().map(|run| run.as_str().to_owned()).collect();
    Ok(Json(ClearedRows { success: true, deleted: cleared.count, dry_run, run_ids }))
}

/// A day, a moment, or a number of days before now.
fn older_than(asked: &Asked, now: Time) -> Result<Option<Time>, Problem> {
    let Some(text) = asked.text("olderThan") else { return Ok(None) };
    let days = text.trim().trim_end_matches('d').parse::<u32>().ok();
    match days {
        Some(days) => Ok(Some(now.plus_seconds(-86_400 * i64::from(days)))),
        None => text
            .parse()
            .map(Some)
            .map_err(|error| wrong("olderThan", format!("{error}, or a number of days"))),
    }
}

fn addition(body: &Fields<'_>) -> Result<Add, Problem> {
    let text = |name: &str| body.text(name).map(|text| text.map(str::to_owned));
    let mut add = Add {
        content: body.required("content")?.to_owned(),
        agent: body.id("agentId")?,
        user: body.id("userId")?,
        session: body.id("sessionId")?,
        kind: body.parsed("kind")?,
        layer: body.parsed("layer")?,
        scope: body.parsed("scope")?,
        key: text("key")?,
        tags: body.words("tags")?,
        subject: text("subject")?,
        predicate: text("predicate")?,
        object: text("object")?,
        evidence: text("evidence")?,
        pinned: body.switch("pinned")?.unwrap_or(false),
        valid_from: body.parsed("validFrom")?,
        valid_until: body.parsed("validUntil")?,
        expires_at: body.parsed("expiresAt")?,
        ..Add::default()
    };
    match body.text("type")?.map(sort).transpose()? {
        Some(Sort::Layer(layer)) => add.layer = add.layer.or(Some(layer)),
        Some(Sort::Kind(kind)) => add.kind = add.kind.or(Some(kind)),
        None => {}
    }
    if let Some(metadata) = body.get("metadata") {
        let object = metadata.as_object();
        add.metadata = object.ok_or_else(|| body.wrong("metadata", "expected an object"))?.clone();
    }
    Ok(add)
}
