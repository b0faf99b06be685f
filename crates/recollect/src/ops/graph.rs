//! The knowledge graph: around a name, or by a relation.

use memory::graph::{self, GraphView, MAX_DEPTH, Subgraph};
use memory::recall::Path;
use memory::types::{AgentId, Entity, EntityId, Owner, Relation, UserId};
use serde::{Deserialize, Serialize};

use super::OpContext;
use super::search::{SearchHit, SearchPlace, SearchResults};
use super::select::Selection;
use crate::problem::{Code, Problem};

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GraphShow {
    /// Around this; everything when left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<AgentId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<UserId>,
}

pub(super) async fn show(visit: &OpContext<'_>, request: GraphShow) -> Result<Subgraph, Problem> {
    let owner = owner(request.agent, request.user);
    let view = GraphView { owner: owner.as_ref(), now: visit.now };
    let settings = visit.tenant.settings().await?;
    let depth = request.depth.unwrap_or(settings.graph_depth.max(1) as u32);
    if !(1..=MAX_DEPTH).contains(&depth) {
        return Err(Problem::invalid(format!(
            "a depth of {depth} is asked for; expected from 1 to {MAX_DEPTH}"
        )));
    }
    let from = match &request.name {
        Some(name) => graph::named(&visit.tenant, name, &view).await?,
        None => graph::everything(&visit.tenant, &view).await?,
    };
    if let (Some(name), true) = (&request.name, from.is_empty()) {
        let problem = Problem::new(Code::NotFound, format!("nobody and nothing called `{name}` is known"));
        return Err(problem.hint("`recollect graph show` without a name shows everything"));
    }
    Ok(graph::walk(&visit.tenant, &from, depth, &view).await?)
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GraphSearch {
    pub relation: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<AgentId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<UserId>,
}

pub(super) async fn search(visit: &OpContext<'_>, request: GraphSearch) -> Result<Subgraph, Problem> {
    if request.relation.trim().is_empty() {
        return Err(Problem::invalid("the relation is empty; expected one such as `works at`"));
    }
    let owner = owner(request.agent, request.user);
    let view = GraphView { owner: owner.as_ref(), now: visit.now };
    Ok(graph::by_relation(&visit.tenant, &request.relation, &view).await?)
}

/// What is connected to the names in a text, nearest first, as results of a search.
pub(super) async fn find(
    visit: &OpContext<'_>,
    text: &str,
    selection: &Selection,
    top_k: usize,
) -> Result<SearchResults, Problem> {
    let owner = owner(selection.agent_meant(), selection.user_meant());
    let view = GraphView { owner: owner.as_ref(), now: selection.as_of.unwrap_or(visit.now) };
    let folded = memory::text::fold(text);
    let named: Vec<Entity> = graph::everything(&visit.tenant, &view)
        .await?
        .into_iter()
        .filter(|entity| entity.aliases.iter().chain([&entity.name]).any(|name| names(&folded, name)))
        .collect();
    let depth = visit.tenant.settings().await?.graph_depth.max(1) as u32;
    let around = graph::walk(&visit.tenant, &named, depth, &view).await?;
    let mut results: Vec<SearchHit> =
        around.relations.iter().map(|relation| hit(&around, relation)).collect();
    results.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.id.cmp(&b.id)));
    results.truncate(top_k);
    Ok(SearchResults { results, path: Path::Keyword })
}

fn names(folded: &str, name: &str) -> bool {
    let name = memory::text::fold(name);
    let words = |text: &str| {
        format!(" {} ", text.split(|c: char| !c.is_alphanumeric()).collect::<Vec<_>>().join(" "))
    };
    name.chars().count() >= 2 && words(folded).contains(&words(&name))
}

/// A relation as a result: the nearer to what was named, the better.
fn hit(around: &Subgraph, relation: &Relation) -> SearchHit {
    let far = |id: &EntityId| around.distances.get(id.as_str()).copied().unwrap_or(MAX_DEPTH);
    let distance = far(&relation.subject).min(far(&relation.object));
    let name = |id: &EntityId| {
        around.entities.iter().find(|entity| entity.id == *id).map_or("?", |e| e.name.as_str())
    };
    let id = relation.id.to_string();
    let content = format!("{} {} {}", name(&relation.subject), relation.predicate, name(&relation.object));
    let score = f64::from(relation.confidence) / f64::from(1 + distance);
    let bare = SearchHit::bare(id, SearchPlace::Graph, content, relation.created_at, relation.owner.clone());
    SearchHit { score, ..bare }
}

/// One owner's graph when either is named; the tenant's when neither is.
fn owner(agent: Option<AgentId>, user: Option<UserId>) -> Option<Owner> {
    (agent.is_some() || user.is_some()).then(|| Owner {
        agent: agent.unwrap_or_else(AgentId::unnamed),
        user: user.unwrap_or_else(UserId::unnamed),
    })
}
