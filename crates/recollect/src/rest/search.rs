//! `POST /api/memory/search`: agent, user and session are filters here.

use axum::Json;
use axum::extract::State;
use memory::types::{Kind, Layer, Scope, Time};
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::extract::Body;
use super::schema::{FusionWord, KindWord, LayerWord, PlaceWord, ScopeWord, StrategyWord};
use crate::app::AppState;
use crate::ops::Caller;
use crate::ops::search::{Search, SearchResults};
use crate::ops::select::Selection;
use crate::problem::Problem;
use crate::request::values::{GivenProject, MomentOrDay, NamedScope, TopK};
use crate::request::wrong;

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::default().routes(routes!(search))
}

/// What to look for.
#[derive(Debug, Deserialize, ToSchema)]
pub struct SearchBody {
    #[schema(min_length = 1, pattern = r"\S")]
    query: String,
    /// Where to look.
    scope: Option<PlaceWord>,
    /// The setting `recallTopK` unless said.
    top_k: Option<TopK>,
    strategy: Option<StrategyWord>,
    fusion: Option<FusionWord>,
    #[serde(default)]
    whose: NamedScope,
    #[serde(default)]
    filters: SearchFilters,
    /// What was true then.
    as_of: Option<MomentOrDay>,
    /// What was known then; not beside `as_of`.
    known_at: Option<MomentOrDay>,
    /// Say what each score is made of.
    #[serde(default)]
    explain: bool,
    /// Whether found memories count as used, which keeps them from fading: true unless said. Say false where a person only looks.
    counts_use: Option<bool>,
}

/// Only what all of these let through. Whose they are and the two clocks may stand here or outside.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub struct SearchFilters {
    #[serde(default)]
    whose: NamedScope,
    #[serde(default)]
    scope: Vec<ScopeWord>,
    #[serde(default)]
    layer: Vec<LayerWord>,
    #[serde(default)]
    kind: Vec<KindWord>,
    /// One of these.
    #[serde(default)]
    category: Vec<String>,
    project_id: Option<GivenProject>,
    /// All of these.
    #[serde(default)]
    tags: Vec<String>,
    since: Option<MomentOrDay>,
    until: Option<MomentOrDay>,
    as_of: Option<MomentOrDay>,
    known_at: Option<MomentOrDay>,
}

/// Find what is remembered about something
///
/// Memories, episodes and what was said, by words and by meaning, best first. Found memories count as used unless `counts_use` is false or the
/// key may only read.
#[utoipa::path(post, path = super::SEARCH, tag = "recall", operation_id = "search",
    request_body(content = SearchBody, example = json!({ "query": "where I live" })),
    responses((status = 200, description = "The best matches", body = SearchResults)))]
async fn search(
    State(state): State<AppState>,
    caller: Caller,
    Body(body): Body<SearchBody>,
) -> Result<Json<SearchResults>, Problem> {
    state.house.ask(&caller, body.request()?).await.map(Json)
}

impl SearchBody {
    fn request(self) -> Result<Search, Problem> {
        let filter = self.selection()?;
        Ok(Search {
            query: self.query,
            place: self.scope.map(|word| word.0).unwrap_or_default(),
            top_k: self.top_k.map(|number| number.0),
            strategy: self.strategy.map(|word| word.0),
            fusion: self.fusion.map(|word| word.0),
            filter,
            explain: self.explain,
            with_records: false,
            only_own: false,
            counts_use: self.counts_use.unwrap_or(true),
        })
    }

    fn selection(&self) -> Result<Selection, Problem> {
        let (outside, inside) = (self.whose.selection(), self.filters.whose.selection());
        let inner = &self.filters;
        Ok(Selection {
            agent: one(outside.agent, inside.agent, "agent_id")?,
            user: one(outside.user, inside.user, "user_id")?,
            session: one(outside.session, inside.session, "session_id")?,
            scopes: inner.scope.iter().copied().map(Scope::from).collect(),
            layers: inner.layer.iter().copied().map(Layer::from).collect(),
            kinds: inner.kind.iter().copied().map(Kind::from).collect(),
            categories: inner.category.clone(),
            project: inner.project_id.clone().map(|project| project.0),
            tags: inner.tags.clone(),
            since: inner.since.map(Time::from),
            until: inner.until.map(Time::from),
            as_of: one(self.as_of, inner.as_of, "as_of")?.map(Time::from),
            known_at: one(self.known_at, inner.known_at, "known_at")?.map(Time::from),
            ..Selection::default()
        })
    }
}

/// What is said outside and inside `filters`, which must not be two things.
fn one<T: PartialEq>(outside: Option<T>, inside: Option<T>, name: &str) -> Result<Option<T>, Problem> {
    match (&outside, &inside) {
        (Some(one), Some(other)) if one != other => {
            let path = format!("filters.{name}");
            Err(wrong(&path, format!("it says another thing than `{name}`; expected one of them")))
        }
        _ => Ok(inside.or(outside)),
    }
}
