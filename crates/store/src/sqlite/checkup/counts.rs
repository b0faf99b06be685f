//! Whether what is counted as it comes and goes is right: documents, vectors, the turns of sessions, the names of entities.

use std::collections::{BTreeMap, BTreeSet};

use memory::checkup::Finding;
use memory::error::StoreResult;
use memory::types::{Entity, Status, Time};
use rusqlite::{Connection, params};

use super::{CheckupContext, TABLES, count, rows};
use crate::sqlite::apply::Applying;
use crate::sqlite::failed;

pub fn corpora(look: &CheckupContext<'_>) -> StoreResult<Vec<Finding>> {
    let mut finding = Finding::new("statistics.corpus", TABLES.len() as u64);
    for table in TABLES {
        if stored(look.connection, table)? != Some(counted(look.connection, table)?) {
            finding.add(table);
        }
    }
    Ok(finding.found().into_iter().collect())
}

fn counted(connection: &Connection, table: &str) -> StoreResult<(i64, i64)> {
    let sql = format!("SELECT count(*), coalesce(sum(length), 0) FROM {table}_doc");
    connection.query_row(&sql, [], |row| Ok((row.get(0)?, row.get(1)?))).map_err(failed)
}

fn stored(connection: &Connection, table: &str) -> StoreResult<Option<(i64, i64)>> {
    let sql = "SELECT documents, total_length FROM corpus WHERE name = ?1";
    Ok(rows(connection, sql, [table], |row| Ok((row.get(0)?, row.get(1)?)))?.pop())
}

pub fn mend_corpora(applying: &mut Applying<'_>) -> StoreResult<()> {
    for table in TABLES {
        let (documents, length) = counted(applying.connection, table)?;
        // The count of changes goes on: what others keep is judged by it.
        let sql = "INSERT INTO corpus (name, documents, total_length) VALUES (?1, ?2, ?3) ON CONFLICT (name)
                   DO UPDATE SET documents = ?2, total_length = ?3, changes = changes + 1";
        applying.execute(sql, params![table, documents, length])?;
    }
    applying.log("index", "corpus")
}

/// How many vectors there are of each signature.
fn vector_counts(connection: &Connection) -> StoreResult<BTreeMap<(String, i64), i64>> {
    let mut counts = BTreeMap::new();
    for table in TABLES {
        let sql = format!("SELECT place & 255, count(*) FROM {table}_vector GROUP BY 1");
        for (signature, vectors) in rows(connection, &sql, [], |row| Ok((row.get(0)?, row.get(1)?)))? {
            counts.insert((table.to_owned(), signature), vectors);
        }
    }
    Ok(counts)
}

pub fn vectors(look: &CheckupContext<'_>) -> StoreResult<Vec<Finding>> {
    let sql = "SELECT corpus, signature, vectors FROM vector_count WHERE vectors <> 0";
    let stored = rows(look.connection, sql, [], |row| Ok(((row.get(0)?, row.get(1)?), row.get(2)?)))?;
    let stored: BTreeMap<(String, i64), i64> = stored.into_iter().collect();
    let counted = vector_counts(look.connection)?;
    let places: BTreeSet<&(String, i64)> = stored.keys().chain(counted.keys()).collect();
    let mut finding = Finding::new("vectors.count", places.len() as u64);
    for place in &places {
        if stored.get(*place) != counted.get(*place) {
            finding.add(format!("{} vectors of model {}", place.0, place.1));
        }
    }
    Ok(finding.found().into_iter().collect())
}

pub fn mend_vector_counts(applying: &mut Applying<'_>) -> StoreResult<()> {
    applying.execute("DELETE FROM vector_count", [])?;
    for ((corpus, signature), vectors) in vector_counts(applying.connection)? {
        applying
            .execute("INSERT INTO vector_count VALUES (?1, ?2, ?3)", params![corpus, signature, vectors])?;
    }
    applying.log("index", "vector_count")
}

/// Sessions whose next turn would take a place that is taken, that spoke since they last spoke, or that last spoke in the future.
/// That the last turns are gone is no fault: places are not used twice.
const SESSIONS: &str = "SELECT s.row, s.id, t.top, t.last FROM session s
    JOIN (SELECT session_row, max(idx) + 1 AS top, max(at) AS last FROM turn GROUP BY session_row) t ON t.session_row = s.row
    WHERE s.next_index < t.top OR s.last_turn_at IS NULL OR s.last_turn_at < t.last
       OR (s.last_turn_at > t.last AND s.last_turn_at > ?1)";

/// A clock may be a day off.
fn latest(now: Time) -> String {
    now.plus_seconds(86_400).to_string()
}

pub fn sessions(look: &CheckupContext<'_>) -> StoreResult<Vec<Finding>> {
    let mut finding = Finding::new("statistics.sessions", count(look.connection, "session")?);
    let latest = latest(look.now);
    for id in rows(look.connection, SESSIONS, [&latest], |row| row.get::<_, String>(1))? {
        finding.add(id.replace('\u{1f}', "/"));
    }
    Ok(finding.found().into_iter().collect())
}

pub fn mend_sessions(applying: &mut Applying<'_>) -> StoreResult<()> {
    let latest = latest(applying.batch.at);
    let wrong = rows(applying.connection, SESSIONS, [&latest], |row| {
        Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?, row.get::<_, i64>(2)?, row.get::<_, String>(3)?))
    })?;
    for (row, id, top, last) in wrong {
        let sql = "UPDATE session SET next_index = max(next_index, ?2), last_turn_at = ?3 WHERE row = ?1";
        applying.execute(sql, params![row, top, last])?;
        applying.log_row("session", &id, Some(row))?;
    }
    Ok(())
}

/// Names of active entities, as they are and as they should be.
fn entity_names(connection: &Connection) -> StoreResult<BTreeSet<(String, String)>> {
    let mut names = BTreeSet::new();
    for body in rows(connection, "SELECT body FROM entity", [], |row| row.get::<_, String>(0))? {
        let Ok(entity) = serde_json::from_str::<Entity>(&body) else { continue };
        if entity.status == Status::Active {
            let all = entity.aliases.iter().chain([&entity.name]);
            names.extend(all.map(|name| (name.to_lowercase(), entity.id.as_str().to_owned())));
        }
    }
    Ok(names)
}

fn stored_names(connection: &Connection) -> StoreResult<BTreeSet<(String, String)>> {
    let sql = "SELECT folded, entity FROM entity_name";
    Ok(rows(connection, sql, [], |row| Ok((row.get(0)?, row.get(1)?)))?.into_iter().collect())
}

pub fn names(look: &CheckupContext<'_>) -> StoreResult<Vec<Finding>> {
    let (right, stored) = (entity_names(look.connection)?, stored_names(look.connection)?);
    let mut finding = Finding::new("statistics.names", count(look.connection, "entity")?);
    let wrong: BTreeSet<&String> = right.symmetric_difference(&stored).map(|(_, entity)| entity).collect();
    wrong.into_iter().for_each(|entity| finding.add(entity));
    Ok(finding.found().into_iter().collect())
}

pub fn mend_names(applying: &mut Applying<'_>) -> StoreResult<()> {
    let (right, stored) = (entity_names(applying.connection)?, stored_names(applying.connection)?);
    for (name, entity) in stored.difference(&right) {
        applying.execute("DELETE FROM entity_name WHERE folded = ?1 AND entity = ?2", [name, entity])?;
    }
    for (name, entity) in right.difference(&stored) {
        applying.execute("INSERT INTO entity_name (folded, entity) VALUES (?1, ?2)", [name, entity])?;
        applying.log("entity", entity)?;
    }
    applying.log("index", "entity_name")
}
