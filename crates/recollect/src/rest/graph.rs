//! `GET /api/memory/graph`: who and what is connected to what.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use memory::graph::Subgraph;
use memory::types::{Entity, EntityType, Relation, Time};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::extract::QueryParams;
use super::schema::MomentSchema;
use crate::app::AppState;
use crate::ops::Caller;
use crate::ops::graph::{GraphSearch, GraphShow};
use crate::problem::{Problem, ProblemBody};
use crate::request::values::{GraphDepth, NamedOwner};
use crate::request::wrong;

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::default().routes(routes!(graph))
}

/// A part of the graph.
#[derive(Debug, Serialize, ToSchema)]
pub struct Graph {
    entities: Vec<EntityRow>,
    relations: Vec<RelationRow>,
    /// There was more than fits the bound.
    cut: bool,
}

/// Somebody or something that conversations name.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Entity)]
pub struct EntityRow {
    id: String,
    name: String,
    r#type: &'static str,
    aliases: Vec<String>,
    agent_id: String,
    user_id: String,
    /// How many relations it is away from what was named.
    distance: u32,
    #[schema(value_type = MomentSchema)]
    created_at: Time,
    #[schema(value_type = MomentSchema)]
    updated_at: Time,
}

/// What holds between two of them, while it holds.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Relation)]
pub struct RelationRow {
    id: String,
    /// The id of an entity, as is `object`.
    subject: String,
    predicate: String,
    object: String,
    #[schema(minimum = 0, maximum = 1)]
    confidence: f32,
    #[schema(required, value_type = Option<MomentSchema>)]
    valid_from: Option<Time>,
    #[schema(required, value_type = Option<MomentSchema>)]
    valid_until: Option<Time>,
    #[schema(value_type = MomentSchema)]
    created_at: Time,
}

/// Which part of the graph.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub struct GraphQuery {
    /// Around this name.
    entity: Option<String>,
    /// By this relation, instead of around a name.
    relation: Option<String>,
    /// How many relations away.
    depth: Option<GraphDepth>,
    #[serde(default)]
    whose: NamedOwner,
}

/// Who and what is connected to what
///
/// Around a name, by a relation, or everything.
#[utoipa::path(get, path = "/api/memory/graph", tag = "graph", operation_id = "graph", params(QueryParams<GraphQuery>),
    responses((status = 200, description = "That part of the graph", body = Graph),
    (status = 404, description = "Nobody and nothing of this name is known", body = ProblemBody)))]
async fn graph(
    State(state): State<AppState>,
    caller: Caller,
    QueryParams(asked): QueryParams<GraphQuery>,
) -> Result<Json<Graph>, Problem> {
    let (agent, user) = (asked.whose.agent(), asked.whose.user());
    let name = asked.entity;
    let depth = asked.depth.map(|depth| depth.0 as u32);
    let found = match asked.relation {
        Some(_) if name.is_some() => {
            return Err(wrong("relation", "it is given beside `entity`; expected one of them"));
        }
        Some(relation) => state.house.ask(&caller, GraphSearch { relation, agent, user }).await?,
        None => state.house.ask(&caller, GraphShow { name, depth, agent, user }).await?,
    };
    Ok(Json(found.into()))
}

impl From<Subgraph> for Graph {
    fn from(part: Subgraph) -> Self {
        let distances = part.distances;
        Self {
            entities: part.entities.into_iter().map(|entity| row(entity, &distances)).collect(),
            relations: part.relations.into_iter().map(RelationRow::from).collect(),
            cut: part.cut,
        }
    }
}

fn row(entity: Entity, distances: &BTreeMap<String, u32>) -> EntityRow {
    EntityRow {
        distance: distances.get(entity.id.as_str()).copied().unwrap_or(0),
        id: entity.id.as_str().to_owned(),
        name: entity.name,
        r#type: EntityType::as_str(entity.entity_type),
        aliases: entity.aliases,
        agent_id: entity.owner.agent.as_str().to_owned(),
        user_id: entity.owner.user.as_str().to_owned(),
        created_at: entity.created_at,
        updated_at: entity.updated_at,
    }
}

impl From<Relation> for RelationRow {
    fn from(relation: Relation) -> Self {
        Self {
            id: relation.id.as_str().to_owned(),
            subject: relation.subject.as_str().to_owned(),
            predicate: relation.predicate,
            object: relation.object.as_str().to_owned(),
            confidence: relation.confidence,
            valid_from: relation.valid_from,
            valid_until: relation.valid_until,
            created_at: relation.created_at,
        }
    }
}
