//! A tenant as a database file of its own.
//!
//! SQLite itself writes the copy, consistent and without the holes that deleted rows leave. Where less is wanted than all, the
//! copy is cut down by the same conditions by which a snapshot reads, its words are counted anew, and it is written out
//! once more, so that what was cut is not in the file.

use std::path::Path;
use std::sync::Arc;

use memory::error::{StoreError, StoreResult};
use memory::types::{Extent, Part};
use rusqlite::{Connection, OpenFlags};

use super::extent::ExtentTest;
use super::{bind, parts};
use crate::WriteDurability;
use crate::sqlite::{DatabasePlace, Tenant, connect, failed};

impl Tenant {
    /// Writes the tenant, as far as the extent goes, into a new file. Vectors are always with it.
    pub async fn copy_into(&self, path: &Path, extent: &Extent) -> StoreResult<()> {
        let (inner, path, extent) = (Arc::clone(&self.inner), path.to_owned(), extent.clone());
        let done = tokio::task::spawn_blocking(move || {
            if inner.place.is_memory() {
                let name = on_disk(&path)?;
                inner.writer.lock().execute("VACUUM INTO ?1", [name]).map_err(failed)?;
            } else {
                let name = text(&path)?;
                connect(&inner.place, inner.durability)?.execute("VACUUM INTO ?1", [name]).map_err(failed)?;
            }
            let connection = connect(&DatabasePlace::File(path), WriteDurability::Normal)?;
            if !extent.is_everything() {
                cut(&connection, &ExtentTest::new(&extent))?;
            }
            // One file, which a reader may open wherever it lies.
            connection.pragma_update(None, "journal_mode", "DELETE").map_err(failed)
        });
        done.await.map_err(|error| StoreError::Failed(error.to_string()))?
    }
}

fn text(path: &Path) -> StoreResult<&str> {
    path.to_str().ok_or_else(|| StoreError::Failed("the path is not valid text".into()))
}

/// The path as a store in memory must name it, which would otherwise write into memory too.
fn on_disk(path: &Path) -> StoreResult<String> {
    let path = std::path::absolute(path).map_err(|error| StoreError::Failed(error.to_string()))?;
    let escaped = text(&path)?.replace('%', "%25").replace('?', "%3f").replace('#', "%23");
    let system = if cfg!(windows) { "win32" } else { "unix" };
    Ok(format!("file:{escaped}?vfs={system}"))
}

/// In this order what refers to something goes before it.
const PARTS: [Part; 24] = [
    Part::Derivation,
    Part::History,
    Part::Block,
    Part::Feedback,
    Part::Access,
    Part::Archive,
    Part::Counted,
    Part::Counter,
    Part::Link,
    Part::Relation,
    Part::Held,
    Part::Pending,
    Part::Redo,
    Part::Profile,
    Part::Override,
    Part::Setting,
    Part::Agent,
    Part::Run,
    Part::Processing,
    Part::Receipt,
    Part::Entity,
    Part::Episode,
    Part::Veil,
    Part::Turn,
];

fn cut(connection: &Connection, within: &ExtentTest) -> StoreResult<()> {
    connection.execute_batch("BEGIN IMMEDIATE").map_err(failed)?;
    for part in PARTS.into_iter().chain([Part::Memory, Part::Session]) {
        for source in parts::sources(part, within) {
            let own: Vec<&str> = source.keys.iter().filter_map(|key| key.split('.').nth(1)).collect();
            let table = source.from.split(' ').next().unwrap_or_default();
            let sql = format!(
                "DELETE FROM {table} WHERE ({}) IN (SELECT {} FROM {} WHERE ({}) IS NOT TRUE)",
                own.join(", "),
                source.keys.join(", "),
                source.from,
                source.condition
            );
            let mut statement = connection.prepare(&sql).map_err(failed)?;
            bind(&mut statement, &within.values())?;
            statement.raw_execute().map_err(failed)?;
        }
    }
    connection.execute_batch(FOLLOW).map_err(failed)?;
    for table in ["memory", "episode", "turn"] {
        let sql = format!(
            "DELETE FROM {table}_vector WHERE place >> 8 NOT IN (SELECT row FROM {table});
             DELETE FROM {table}_doc WHERE row NOT IN (SELECT row FROM {table});
             INSERT INTO {table}_fts ({table}_fts) VALUES ('rebuild');
             UPDATE corpus SET documents = (SELECT count(*) FROM {table}_doc),
                 total_length = (SELECT coalesce(sum(length), 0) FROM {table}_doc) WHERE name = '{table}';"
        );
        connection.execute_batch(&sql).map_err(failed)?;
    }
    connection.execute_batch("COMMIT; VACUUM").map_err(failed)
}

/// What only follows from rows. Of the change log the last number stays, from which the copy would count on.
const FOLLOW: &str = "
    DELETE FROM veiled WHERE veil NOT IN (SELECT id FROM veil) OR turn NOT IN (SELECT id FROM turn);
    UPDATE turn SET said = NULL WHERE said IS NOT NULL AND id NOT IN (SELECT turn FROM veiled);
    DELETE FROM entity_name WHERE entity NOT IN (SELECT id FROM entity);
    DELETE FROM job;
    DELETE FROM change_log WHERE number < (SELECT max(number) FROM change_log);
    UPDATE change_log SET kind = 'setting', id = '', row = NULL;";

/// The names of the tables in a database file; an error where it is none.
pub fn tables(path: &Path) -> StoreResult<Vec<String>> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).map_err(failed)?;
    let sql = "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name";
    let mut statement = connection.prepare(sql).map_err(failed)?;
    let names = statement.query_map([], |row| row.get(0)).map_err(failed)?;
    names.collect::<rusqlite::Result<_>>().map_err(failed)
}
