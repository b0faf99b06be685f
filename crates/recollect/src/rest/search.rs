//! `POST /api/memory/search`: agent, user and session are filters here.

use axum::Json;
use axum::extract::State;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::body::{Body, Fields};
use super::schema::{FusionWord, GivenId, KindWord, LayerWord, MomentOrDay, ScopeWord, StrategyWord};
use crate::app::AppState;
use crate::ops::Caller;
use crate::ops::search::{Found, Place, Search};
use crate::ops::select::Selection;
use crate::problem::Problem;

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::default().routes(routes!(search))
}

/// What to look for.
#[derive(ToSchema)]
pub struct SearchBody {
    #[schema(min_length = 1, pattern = r"\S")]
    pub query: String,
    /// Where to look.
    pub scope: Option<Place>,
    /// The setting `recallTopK` unless said.
    #[schema(minimum = 1, maximum = 200)]
    pub top_k: Option<usize>,
    #[schema(value_type = Option<StrategyWord>)]
    pub strategy: Option<String>,
    #[schema(value_type = Option<FusionWord>)]
    pub fusion: Option<String>,
    #[schema(value_type = Option<GivenId>)]
    pub agent_id: Option<String>,
    #[schema(value_type = Option<GivenId>)]
    pub user_id: Option<String>,
    #[schema(value_type = Option<GivenId>)]
    pub session_id: Option<String>,
    pub filters: Option<Filters>,
    /// What was true then.
    #[schema(value_type = Option<MomentOrDay>)]
    pub as_of: Option<String>,
    /// What was known then; not beside `as_of`.
    #[schema(value_type = Option<MomentOrDay>)]
    pub known_at: Option<String>,
    /// Say what each score is made of.
    pub explain: Option<bool>,
}

/// Only what all of these let through.
#[derive(ToSchema)]
pub struct Filters {
    #[schema(value_type = Option<GivenId>)]
    pub session: Option<String>,
    #[schema(value_type = Option<Vec<ScopeWord>>)]
    pub scope: Option<Vec<String>>,
    #[schema(value_type = Option<Vec<LayerWord>>)]
    pub layer: Option<Vec<String>>,
    #[schema(value_type = Option<Vec<KindWord>>)]
    pub kind: Option<Vec<String>>,
    /// All of these.
    pub tags: Option<Vec<String>>,
    #[schema(value_type = Option<MomentOrDay>)]
    pub since: Option<String>,
    #[schema(value_type = Option<MomentOrDay>)]
    pub until: Option<String>,
}

/// Find what is remembered about something
///
/// Memories, episodes and what was said, by words and by meaning, best first.
#[utoipa::path(post, path = super::SEARCH, tag = "recall", operation_id = "search", request_body = SearchBody,
    responses((status = 200, description = "The best matches", body = Found)))]
async fn search(State(state): State<AppState>, caller: Caller, body: Body) -> Result<Json<Found>, Problem> {
    let request = request(&body.fields())?;
    super::ask(&state, &caller, request).await.map(Json)
}

fn request(body: &Fields<'_>) -> Result<Search, Problem> {
    Ok(Search {
        query: body.required("query")?.to_owned(),
        place: place(body)?,
        top_k: body.whole("top_k")?,
        strategy: body.parsed("strategy")?,
        fusion: body.parsed("fusion")?,
        filter: selection(body)?,
        explain: body.switch("explain")?.unwrap_or(false),
    })
}

fn place(body: &Fields<'_>) -> Result<Place, Problem> {
    body.parsed("scope").map(Option::unwrap_or_default)
}

/// `filters` as an object; the two clocks stand beside it, and are taken inside too.
fn selection(body: &Fields<'_>) -> Result<Selection, Problem> {
    let empty = serde_json::Value::Object(serde_json::Map::new());
    let inside = match body.object("filters")? {
        Some(filters) => filters,
        None => Fields::of(&empty)?,
    };
    let session = match inside.id("session")? {
        Some(session) => Some(session),
        None => body.id("session_id")?,
    };
    Ok(Selection {
        agent: body.id("agent_id")?,
        user: body.id("user_id")?,
        session,
        scopes: inside.words("scope")?,
        layers: inside.words("layer")?,
        kinds: inside.words("kind")?,
        tags: inside.words("tags")?,
        since: inside.parsed("since")?,
        until: inside.parsed("until")?,
        as_of: either(body, &inside, "as_of")?,
        known_at: either(body, &inside, "known_at")?,
        statuses: Vec::new(),
    })
}

fn either(
    outside: &Fields<'_>,
    inside: &Fields<'_>,
    name: &str,
) -> Result<Option<memory::types::Time>, Problem> {
    match outside.parsed(name)? {
        Some(time) => Ok(Some(time)),
        None => inside.parsed(name),
    }
}
