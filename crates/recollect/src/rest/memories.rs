//! `GET|POST|DELETE /api/memory`: what is remembered, as rows.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use memory::types::Time;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};
use transfer::compat::words::TypeFilter;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::extract::{Body, NoBody, QueryParams};
use super::page::PageBody;
use super::schema::{AnyObject, KindWord, LayerWord, ProvenanceWord, ScopeWord, TypeWord};
use crate::app::AppState;
use crate::compat;
use crate::compat::api_key_id;
use crate::compat::memory_view::MemoryView;
use crate::ops::Caller;
use crate::ops::add::Add;
use crate::ops::clear::Clear;
use crate::ops::list::ListMemories;
use crate::ops::select::Selection;
use crate::ops::tally::TallyReport;
use crate::problem::{Problem, ProblemBody};
use crate::request::values::{GivenProject, MomentOrDay, NamedScope, Pages};

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::default().routes(routes!(list, create, clear))
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemoryPage {
    #[serde(flatten)]
    page: PageBody<MemoryView>,
    stats: TallyReport,
}

/// Something to remember.
#[derive(Debug, Deserialize, ToSchema)]
pub struct NewMemory {
    #[schema(min_length = 1, max_length = 4096, pattern = r"\S")]
    content: String,
    /// A stable name: writing under it again changes the same memory.
    #[schema(min_length = 1, max_length = 64, pattern = r"\S")]
    key: Option<String>,
    r#type: Option<TypeWord>,
    kind: Option<KindWord>,
    layer: Option<LayerWord>,
    /// `thread` wants a `session_id` too, `project` a `project_id`.
    scope: Option<ScopeWord>,
    #[serde(default)]
    whose: NamedScope,
    project_id: Option<GivenProject>,
    /// A word for the matter.
    #[schema(max_length = 128)]
    category: Option<String>,
    provenance: Option<ProvenanceWord>,
    /// Not to be shown unasked.
    #[serde(default)]
    sensitive: Option<bool>,
    /// One of the caller's own keys, or none: whose memory it is, where the key speaks for one user.
    api_key_id: Option<String>,
    #[serde(default)]
    #[schema(max_items = 64)]
    tags: Vec<String>,
    #[serde(default)]
    #[schema(value_type = AnyObject)]
    metadata: Map<String, Value>,
    #[serde(default)]
    pinned: bool,
    #[schema(max_length = 256)]
    subject: Option<String>,
    #[schema(max_length = 256)]
    predicate: Option<String>,
    #[schema(max_length = 256)]
    object: Option<String>,
    #[schema(max_length = 1024)]
    evidence: Option<String>,
    valid_from: Option<MomentOrDay>,
    valid_until: Option<MomentOrDay>,
    expires_at: Option<MomentOrDay>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct Created {
    success: bool,
    id: String,
    memory: MemoryView,
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

/// Which memories.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub struct ListQuery {
    /// Only what has one of these words, best first.
    q: Option<String>,
    /// Only this layer or kind.
    r#type: Option<TypeWord>,
    #[serde(default)]
    whose: NamedScope,
    /// Only of this project.
    project_id: Option<GivenProject>,
    /// Only of this category.
    category: Option<String>,
    /// Only of the user for whom this key speaks: one of the caller's own keys.
    api_key_id: Option<String>,
    #[serde(default)]
    pages: Pages,
}

/// Page through what is remembered
///
/// Newest first; with `q` only what has those words, best first.
#[utoipa::path(get, path = "/api/memory", tag = "memories", operation_id = "listMemories", params(QueryParams<ListQuery>),
    responses((status = 200, description = "A page", body = MemoryPage)))]
async fn list(
    State(state): State<AppState>,
    caller: Caller,
    QueryParams(asked): QueryParams<ListQuery>,
) -> Result<Json<MemoryPage>, Problem> {
    let pages = asked.pages;
    let mut filter = narrowed(&asked.whose, asked.r#type);
    filter.project = asked.project_id.map(|project| project.0);
    filter.categories.extend(asked.category);
    api_key_id::narrow(&state.house, &caller, asked.api_key_id.as_deref(), &mut filter.user).await?;
    let request = ListMemories {
        filter,
        matching: asked.q,
        limit: Some(pages.limit()),
        offset: pages.offset(),
        oldest_first: false,
        with_tally: true,
    };
    let listed = state.house.ask(&caller, request).await?;
    let stats = listed.tally.ok_or_else(|| Problem::ours("a list was to come with its tally"))?;
    let memories = listed.memories.into_iter().map(MemoryView::from).collect();
    Ok(Json(MemoryPage { page: PageBody::new(pages, listed.total, memories), stats }))
}

/// Remember something
///
/// Under a key that is known it changes that memory: metadata is merged, id and `createdAt` stay. Without a key, saying
/// the same again is no second memory.
#[utoipa::path(post, path = "/api/memory", tag = "memories", operation_id = "createMemory",
    request_body(content = NewMemory, example = json!({ "content": "I moved to Irvine in May" })),
    responses((status = 201, description = "A new memory", body = Created),
        (status = 200, description = "It was known, and is now as said", body = Created),
        (status = 409, description = "Somebody was faster", body = ProblemBody),
        (status = 422, description = "A bound that a setting draws is reached", body = ProblemBody)))]
async fn create(
    State(state): State<AppState>,
    caller: Caller,
    Body(body): Body<NewMemory>,
) -> Result<(StatusCode, Json<Created>), Problem> {
    let key = body.api_key_id.clone();
    let mut request = Add::from(body);
    api_key_id::narrow(&state.house, &caller, key.as_deref(), &mut request.user).await?;
    let added = state.house.ask(&caller, request).await?;
    let status = if added.created { StatusCode::CREATED } else { StatusCode::OK };
    let id = added.id.as_str().to_owned();
    Ok((status, Json(Created { success: true, id, memory: MemoryView::from(*added.memory) })))
}

/// What to forget, and whether to.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub struct ClearQuery {
    /// Only what has all of these words.
    q: Option<String>,
    /// Only this layer or kind.
    r#type: Option<TypeWord>,
    #[serde(default)]
    whose: NamedScope,
    /// Only of the user for whom this key speaks: one of the caller's own keys.
    api_key_id: Option<String>,
    /// Only what was written before: a day, a moment, or days ago.
    #[schema(value_type = Option<String>)]
    older_than: Option<Before>,
    /// Only count.
    #[serde(default)]
    dry_run: bool,
    /// `all`: yes, everything.
    confirm: Option<String>,
}

/// Forget everything that matches
///
/// Without a filter it wants `confirm=all`. With `dry_run=true` it only counts. What is superseded or archived is
/// forgotten too. Each batch can be undone by its run.
#[utoipa::path(delete, path = "/api/memory", tag = "memories", operation_id = "clearMemories", params(QueryParams<ClearQuery>),
    responses((status = 200, description = "How many", body = ClearedRows)))]
async fn clear(
    State(state): State<AppState>,
    caller: Caller,
    QueryParams(asked): QueryParams<ClearQuery>,
    _: NoBody,
) -> Result<Json<ClearedRows>, Problem> {
    let now = state.house.clock.now();
    let until = asked.older_than.map(|before| before.at(now));
    let mut filter = Selection { until, ..narrowed(&asked.whose, asked.r#type) };
    api_key_id::narrow(&state.house, &caller, asked.api_key_id.as_deref(), &mut filter.user).await?;
    let everything = filter == Selection::default() && asked.q.is_none();
    let dry_run = asked.dry_run;
    if everything && !dry_run && asked.confirm.as_deref() != Some("all") {
        let message = "no filter is given, which means everything; expected `confirm=all`";
        return Err(Problem::field("confirm", message).hint(
            "filters are type, session_id, q, older_than, agent_id, user_id and apiKeyId; dry_run=true only counts",
        ));
    }
    let request = Clear { filter, matching: asked.q, all: everything, dry_run };
    let cleared = state.house.ask(&caller, request).await?;
    let run_ids = cleared.runs.iter().map(|run| run.as_str().to_owned()).collect();
    Ok(Json(ClearedRows { success: true, deleted: cleared.count, dry_run, run_ids }))
}

/// What is older than it: a day, a moment, or a number of days before now.
#[derive(Debug, Clone, Copy)]
enum Before {
    Days(u32),
    Moment(Time),
}

impl Before {
    fn at(self, now: Time) -> Time {
        match self {
            Before::Days(days) => now.plus_seconds(-86_400 * i64::from(days)),
            Before::Moment(moment) => moment,
        }
    }
}

impl<'de> Deserialize<'de> for Before {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        let text = String::deserialize(reader)?;
        if let Ok(days) = text.trim().trim_end_matches('d').parse() {
            return Ok(Before::Days(days));
        }
        let moment = text.parse().map(Before::Moment);
        moment.map_err(|error| serde::de::Error::custom(format!("{error}, or a number of days")))
    }
}

/// Whose memories, of which layer or kind.
pub(super) fn narrowed(whose: &NamedScope, sort: Option<TypeWord>) -> Selection {
    let mut selection = whose.selection();
    if let Some(TypeWord(sort)) = sort {
        compat::narrow(&mut selection, sort);
    }
    selection
}

impl From<NewMemory> for Add {
    fn from(body: NewMemory) -> Add {
        let sort = body.r#type.map(TypeFilter::from);
        Add {
            content: body.content,
            agent: body.whose.agent(),
            user: body.whose.user(),
            session: body.whose.session(),
            kind: body.kind.map(|word| word.0).or(sort.and_then(TypeFilter::kind)),
            layer: body.layer.map(|word| word.0).or(sort.and_then(TypeFilter::layer)),
            scope: body.scope.map(|word| word.0),
            project: body.project_id.map(|project| project.0),
            category: body.category,
            provenance: body.provenance.map(|word| word.0),
            sensitive: body.sensitive,
            key: body.key,
            tags: body.tags,
            metadata: body.metadata,
            subject: body.subject,
            predicate: body.predicate,
            object: body.object,
            evidence: body.evidence,
            pinned: body.pinned,
            valid_from: body.valid_from.map(Time::from),
            valid_until: body.valid_until.map(Time::from),
            expires_at: body.expires_at.map(Time::from),
            ..Add::default()
        }
    }
}
