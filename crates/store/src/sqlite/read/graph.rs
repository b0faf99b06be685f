//! The graph: entities by name and by id, how they relate, links between memories, what was derived from what.

use memory::error::StoreResult;
use memory::types::{Entity, Filter, Link, Node, Page, PageRequest, Relation};
use rusqlite::Connection;
use rusqlite::types::Value;

use super::rows::{all, bodies, page};
use crate::sqlite::filter::Condition;

pub(super) fn list_entities(
    connection: &Connection,
    filter: &Filter,
    request: PageRequest,
) -> StoreResult<Page<Entity>> {
    let mut condition = Condition::default();
    condition.and("x.status = 'active'", []);
    let viewer = filter.viewer.as_ref();
    if let Some(agent) = filter.agent.as_ref().or(viewer.map(|viewer| &viewer.owner.agent)) {
        condition.and("x.agent = ?", [Value::Text(agent.to_string())]);
    }
    if let Some(user) = filter.user.as_ref().or(viewer.map(|viewer| &viewer.owner.user)) {
        condition.and("x.user = ?", [Value::Text(user.to_string())]);
    }
    page(connection, "entity x", "x.created_at", condition, request)
}

pub(super) fn entities_named(connection: &Connection, folded: &str) -> StoreResult<Vec<Entity>> {
    let sql = "SELECT e.body FROM entity_name n JOIN entity e ON e.id = n.entity WHERE n.folded = ?1 ORDER BY e.row";
    bodies(connection, sql, [folded])
}

pub(super) fn relations_of(connection: &Connection, entities: &str) -> StoreResult<Vec<Relation>> {
    let sql = "SELECT body FROM relation WHERE status = 'active' AND row IN (
                   SELECT r.row FROM json_each(?1) j JOIN relation r ON r.subject = j.value
                   UNION SELECT r.row FROM json_each(?1) j JOIN relation r ON r.object = j.value) ORDER BY row";
    bodies(connection, sql, [entities])
}

pub(super) fn links_of(connection: &Connection, memories: &str) -> StoreResult<Vec<Link>> {
    let sql = "SELECT body FROM link WHERE row IN (
                   SELECT l.row FROM json_each(?1) j JOIN link l ON l.source = j.value
                   UNION SELECT l.row FROM json_each(?1) j JOIN link l ON l.target = j.value) ORDER BY row";
    bodies(connection, sql, [memories])
}

pub(super) fn parents(connection: &Connection, child: &Node) -> StoreResult<Vec<Node>> {
    let sql = "SELECT parent_kind, parent FROM derived WHERE child = ?1 AND child_kind = ?2 ORDER BY parent";
    nodes(connection, sql, child)
}

pub(super) fn children(connection: &Connection, parent: &Node) -> StoreResult<Vec<Node>> {
    let sql = "SELECT child_kind, child FROM derived WHERE parent = ?1 AND parent_kind = ?2 ORDER BY child";
    nodes(connection, sql, parent)
}

fn nodes(connection: &Connection, sql: &str, of: &Node) -> StoreResult<Vec<Node>> {
    let rows = all(connection, sql, [of.id(), of.kind()], |row| {
        Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?))
    })?;
    Ok(rows.iter().filter_map(|(kind, id)| Node::from_parts(kind, id)).collect())
}
