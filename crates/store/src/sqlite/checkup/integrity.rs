//! Whether the database is whole, asked of SQLite itself; and whether it has every table, index and trigger that it should have.

use memory::checkup::Finding;
use memory::error::StoreResult;
use rusqlite::Connection;

use super::{CheckupContext, rows};
use crate::migrate;
use crate::sqlite::apply::Applying;
use crate::sqlite::failed;

/// Complaints that are looked at: the first hundred say enough.
const COMPLAINTS: &str = "PRAGMA integrity_check(100)";

pub fn whole(look: &CheckupContext<'_>) -> StoreResult<Vec<Finding>> {
    let pages: i64 = look.connection.query_row("PRAGMA page_count", [], |row| row.get(0)).map_err(failed)?;
    let mut database = Finding::new("db.integrity", pages.max(1) as u64);
    let mut index = Finding::new("index.damaged", 3);
    for complaint in complaints(look.connection)? {
        // FTS5 checks its own tables in the same breath.
        if complaint.to_lowercase().contains("fts5") { index.add(complaint) } else { database.add(complaint) }
    }
    Ok([database, index].into_iter().filter_map(Finding::found).collect())
}

pub fn complaints(connection: &Connection) -> StoreResult<Vec<String>> {
    let said = rows(connection, COMPLAINTS, [], |row| row.get::<_, String>(0))?;
    Ok(said.into_iter().filter(|line| line != "ok").collect())
}

/// A thing of the schema: its type, name, table and how it is made.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Object {
    sort: String,
    name: String,
    sql: String,
}

pub fn objects(look: &CheckupContext<'_>) -> StoreResult<Vec<Finding>> {
    let expected = expected()?;
    let standing = standing(look.connection)?;
    let mut finding = Finding::new("schema.objects", expected.len() as u64);
    for object in &expected {
        if !standing.contains(object) {
            finding.add(format!("{} {}", object.sort, object.name));
        }
    }
    Ok(finding.found().into_iter().collect())
}

/// What a new database has.
fn expected() -> StoreResult<Vec<Object>> {
    let mut fresh = Connection::open_in_memory().map_err(failed)?;
    migrate::migrate(&mut fresh, migrate::TENANT)?;
    standing(&fresh)
}

fn standing(connection: &Connection) -> StoreResult<Vec<Object>> {
    let sql = "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY rowid";
    rows(connection, sql, [], |row| Ok(Object { sort: row.get(0)?, name: row.get(1)?, sql: row.get(2)? }))
}

/// Makes what is missing and replaces indexes and triggers. A table that has other columns is left to a person.
pub fn mend_objects(applying: &Applying<'_>) -> StoreResult<()> {
    let standing = standing(applying.connection)?;
    let mut missing: Vec<Object> =
        expected()?.into_iter().filter(|object| !standing.contains(object)).collect();
    missing.sort_by_key(|object| object.sort != "table");
    for object in missing {
        let stands = standing.iter().any(|other| other.name == object.name);
        match (object.sort.as_str(), stands) {
            ("table", true) => continue,
            (sort @ ("index" | "trigger"), true) => {
                applying.connection.execute_batch(&format!("DROP {sort} {}", object.name)).map_err(failed)?;
            }
            _ => {}
        }
        applying.connection.execute_batch(&object.sql).map_err(failed)?;
    }
    Ok(())
}

pub fn mend_indexes(applying: &Applying<'_>) -> StoreResult<()> {
    applying.connection.execute_batch("REINDEX").map_err(failed)
}
