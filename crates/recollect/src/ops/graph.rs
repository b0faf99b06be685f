//! The knowledge graph: around a name, or by a relation.

use memory::graph::{self, MAX_DEPTH, Subgraph, View};
use memory::types::{AgentId, Owner, UserId};
use serde::{Deserialize, Serialize};

use super::Visit;
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

pub(super) async fn show(visit: &Visit<'_>, request: GraphShow) -> Result<Subgraph, Problem> {
    let owner = owner(request.agent, request.user);
    let view = View { owner: owner.as_ref(), now: visit.now };
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

pub(super) async fn search(visit: &Visit<'_>, request: GraphSearch) -> Result<Subgraph, Problem> {
    if request.relation.trim().is_empty() {
        return Err(Problem::invalid("the relation is empty; expected one such as `works at`"));
    }
    let owner = owner(request.agent, request.user);
    let view = View { owner: owner.as_ref(), now: visit.now };
    Ok(graph::by_relation(&visit.tenant, &request.relation, &view).await?)
}

/// One owner's graph when either is named; the tenant's when neither is.
fn owner(agent: Option<AgentId>, user: Option<UserId>) -> Option<Owner> {
    (agent.is_some() || user.is_some()).then(|| Owner {
        agent: agent.unwrap_or_else(AgentId::unnamed),
        user: user.unwrap_or_else(UserId::unnamed),
    })
}
