//! The knowledge graph: who and what is spoken of, and how they hang together.
//!
//! Entities and relations are records like any other; this walks them. A walk follows only relations that hold at the moment
//! asked for, in both directions, to a bounded depth and a bounded size.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use crate::error::StoreResult;
use crate::limits;
use crate::ports::ReadStore;
use crate::types::{Entity, EntityId, Filter, Owner, PageRequest, Relation, Time};

/// A part of the graph.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Subgraph {
    pub entities: Vec<Entity>,
    pub relations: Vec<Relation>,
    /// How many relations away from the beginning each entity is.
    pub distances: BTreeMap<String, u32>,
    /// There was more than fits the bound.
    pub cut: bool,
}

/// Whose graph, and when.
#[derive(Debug, Clone)]
pub struct GraphView<'a> {
    pub owner: Option<&'a Owner>,
    pub now: Time,
}

impl GraphView<'_> {
    fn sees(&self, owner: &Owner) -> bool {
        self.owner.is_none_or(|mine| mine == owner)
    }
}

/// Entities with this name or alias, or whose name contains it.
pub async fn named(store: &dyn ReadStore, name: &str, view: &GraphView<'_>) -> StoreResult<Vec<Entity>> {
    let exact = store.entities_named(name).await?;
    let exact: Vec<Entity> = exact.into_iter().filter(|entity| view.sees(&entity.owner)).collect();
    if !exact.is_empty() {
        return Ok(exact);
    }
    let wanted = name.trim().to_lowercase();
    let all = everything(store, view).await?;
    let contains = |entity: &Entity| {
        let mut names = entity.aliases.iter().chain([&entity.name]);
        names.any(|name| name.to_lowercase().contains(&wanted))
    };
    Ok(all.into_iter().filter(contains).collect())
}

/// All entities of the view, bounded.
pub async fn everything(store: &dyn ReadStore, view: &GraphView<'_>) -> StoreResult<Vec<Entity>> {
    let mut filter = Filter::current(view.now);
    if let Some(owner) = view.owner {
        filter.agent = Some(owner.agent.clone());
        filter.user = Some(owner.user.clone());
    }
    Ok(store.list_entities(&filter, PageRequest::first(limits::PAGE_ROWS)).await?.items)
}

/// Relations with this predicate ("works at", `WORKS_AT`), with the entities they connect.
pub async fn by_relation(
    store: &dyn ReadStore,
    predicate: &str,
    view: &GraphView<'_>,
) -> StoreResult<Subgraph> {
    let wanted = predicate_form(predicate);
    let entities = everything(store, view).await?;
    let ids: Vec<String> = entities.iter().map(|entity| entity.id.as_str().to_owned()).collect();
    let relations = store.relations_of(&ids).await?;
    let relations: Vec<Relation> = relations
        .into_iter()
        .filter(|relation| holds(relation, view) && predicate_form(&relation.predicate).contains(&wanted))
        .collect();
    let touched: BTreeSet<&EntityId> =
        relations.iter().flat_map(|relation| [&relation.subject, &relation.object]).collect();
    let entities: Vec<Entity> = entities.into_iter().filter(|entity| touched.contains(&entity.id)).collect();
    let distances = entities.iter().map(|entity| (entity.id.as_str().to_owned(), 0)).collect();
    Ok(Subgraph { entities, relations, distances, cut: false })
}

/// "works at", "Works-At" and `WORKS_AT` are one.
fn predicate_form(predicate: &str) -> String {
    let words =
        predicate.split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_uppercase).collect::<Vec<_>>().join("_")
}

fn holds(relation: &Relation, view: &GraphView<'_>) -> bool {
    view.sees(&relation.owner)
        && relation.valid_from.is_none_or(|from| from <= view.now)
        && relation.valid_until.is_none_or(|until| until > view.now)
}

/// Everything within `depth` relations of the given entities.
pub async fn walk(
    store: &dyn ReadStore,
    from: &[Entity],
    depth: u32,
    view: &GraphView<'_>,
) -> StoreResult<Subgraph> {
    let mut graph = Subgraph::default();
    let mut known: HashMap<String, u32> = HashMap::new();
    let mut seen_relations = BTreeSet::new();
    let mut border: VecDeque<String> = VecDeque::new();
    for entity in from {
        known.insert(entity.id.as_str().to_owned(), 0);
        border.push_back(entity.id.as_str().to_owned());
    }
    for distance in 1..=depth.min(MAX_DEPTH) {
        let here: Vec<String> = border.drain(..).collect();
        for relation in store.relations_of(&here).await? {
            if !holds(&relation, view) || !seen_relations.insert(relation.id.clone()) {
                continue;
            }
            for end in [&relation.subject, &relation.object] {
                if !known.contains_key(end.as_str()) {
                    known.insert(end.as_str().to_owned(), distance);
                    border.push_back(end.as_str().to_owned());
                }
            }
            graph.relations.push(relation);
        }
        if known.len() > limits::PAGE_ROWS {
            graph.cut = true;
            break;
        }
    }
    let mut ids: Vec<String> = known.keys().cloned().collect();
    ids.sort_by_key(|id| (known[id], id.clone()));
    ids.truncate(limits::PAGE_ROWS);
    graph.entities = store.entities(&ids).await?;
    graph.distances = known.into_iter().collect();
    Ok(graph)
}

/// The furthest a walk goes; past it everything is connected to everything.
pub const MAX_DEPTH: u32 = 4;

impl Subgraph {
    fn name_of(&self, id: &EntityId) -> &str {
        let found = self.entities.iter().find(|entity| entity.id == *id);
        found.map_or("?", |entity| entity.name.as_str())
    }

    /// In Graphviz's language.
    pub fn to_dot(&self) -> String {
        let mut dot = String::from("digraph memory {\n  rankdir=LR;\n  node [shape=box, style=rounded];\n");
        for entity in &self.entities {
            let label = format!("{}\\n{}", quoted(&entity.name), entity.entity_type);
            dot.push_str(&format!("  \"{}\" [label=\"{label}\"];\n", entity.id));
        }
        for relation in &self.relations {
            let label = quoted(&relation.predicate);
            dot.push_str(&format!(
                "  \"{}\" -> \"{}\" [label=\"{label}\"];\n",
                relation.subject, relation.object
            ));
        }
        dot.push_str("}\n");
        dot
    }

    /// As a tree that a terminal can show: each entity with what leads away from it, nearest first.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        let mut entities: Vec<&Entity> = self.entities.iter().collect();
        entities.sort_by_key(|entity| {
            (self.distances.get(entity.id.as_str()).copied().unwrap_or(0), entity.name.clone())
        });
        for entity in entities {
            let leaving: Vec<&Relation> =
                self.relations.iter().filter(|relation| relation.subject == entity.id).collect();
            let alone = !self.relations.iter().any(|r| r.subject == entity.id || r.object == entity.id);
            if leaving.is_empty() && !alone {
                continue;
            }
            text.push_str(&format!("{} ({})\n", entity.name, entity.entity_type));
            for (place, relation) in leaving.iter().enumerate() {
                let branch = if place + 1 == leaving.len() { "└─" } else { "├─" };
                text.push_str(&format!(
                    "{branch} {} → {}\n",
                    relation.predicate,
                    self.name_of(&relation.object)
                ));
            }
        }
        text
    }
}

fn quoted(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', " ")
}
