//! The tenant as it stood at one moment, page by page: what exports and backups read.
//!
//! A snapshot is a connection of its own with a read transaction that stays open until the snapshot is dropped; in the log ahead
//! of the database, writers go on meanwhile and nobody waits. A store in memory has no such log, so its snapshot is a copy.
//! `extent` says in SQL what belongs to it, `parts` how each part is read.

mod copy;
mod extent;
mod parts;

use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use memory::error::{StoreError, StoreResult};
use memory::ports::Snapshot;
use memory::types::{Corpus, Extent, Item, Part};
use rusqlite::limits::Limit;
use rusqlite::types::Value;
use rusqlite::{Connection, Statement};

use self::extent::ExtentTest;
use self::parts::PartQuery;
use super::{DatabasePlace, Tenant, TenantInner, connect, corpus_table, failed};
use crate::limits;
use crate::{WriteDurability, migrate};

pub use copy::tables;

/// A moment of a tenant, held.
pub struct TenantSnapshot {
    /// Out while a page is read. A copy in memory lives as long as this does.
    connection: Option<Connection>,
    within: Arc<ExtentTest>,
}

pub async fn take(tenant: &Tenant, extent: &Extent) -> StoreResult<Box<dyn Snapshot>> {
    let (inner, extent) = (Arc::clone(&tenant.inner), extent.clone());
    let taken = tokio::task::spawn_blocking(move || TenantSnapshot::hold(still(&inner)?, &extent));
    let moment = taken.await.map_err(|error| StoreError::Failed(error.to_string()))??;
    Ok(Box::new(moment))
}

/// Everything in a database file of ours, which is brought to this version's schema first: it must be a copy that nobody else uses.
pub async fn of_file(path: &Path, extent: &Extent) -> StoreResult<Box<dyn Snapshot>> {
    let (place, extent) = (DatabasePlace::File(path.to_owned()), extent.clone());
    let taken = tokio::task::spawn_blocking(move || {
        let mut connection = connect(&place, WriteDurability::Normal)?;
        // Whoever sent the file may have made it to do harm.
        connection
            .set_limit(Limit::SQLITE_LIMIT_LENGTH, limits::FOREIGN_VALUE_BYTES)
            .and_then(|_| connection.pragma_update(None, "trusted_schema", "OFF"))
            .map_err(failed)?;
        migrate::check_schema(&connection, migrate::TENANT)?;
        migrate::migrate(&mut connection, migrate::TENANT)?;
        TenantSnapshot::hold(connection, &extent)
    });
    let moment = taken.await.map_err(|error| StoreError::Failed(error.to_string()))??;
    Ok(Box::new(moment))
}

/// A connection whose reads nobody disturbs.
fn still(inner: &TenantInner) -> StoreResult<Connection> {
    if !inner.place.is_memory() {
        return connect(&inner.place, inner.durability);
    }
    let place = DatabasePlace::memory("snapshot");
    // Opened before it is filled: in memory, a database is gone when nobody has it open.
    let copy = connect(&place, inner.durability)?;
    let DatabasePlace::Memory(name) = &place else { unreachable!("made just above") };
    inner.writer.lock().execute("VACUUM INTO ?1", [name]).map_err(failed)?;
    Ok(copy)
}

impl TenantSnapshot {
    fn hold(connection: Connection, extent: &Extent) -> StoreResult<Self> {
        // The transaction begins with the first read, not with BEGIN.
        connection.execute_batch("BEGIN; SELECT count(*) FROM meta").map_err(failed)?;
        Ok(Self { connection: Some(connection), within: Arc::new(ExtentTest::new(extent)) })
    }

    async fn read<T: Send + 'static>(
        &mut self,
        work: impl FnOnce(&Connection, &ExtentTest) -> StoreResult<T> + Send + 'static,
    ) -> StoreResult<T> {
        let lost = || StoreError::Failed("an earlier read of the snapshot did not end".into());
        let connection = self.connection.take().ok_or_else(lost)?;
        let within = Arc::clone(&self.within);
        let done = tokio::task::spawn_blocking(move || {
            let result = work(&connection, &within);
            (connection, result)
        });
        let (connection, result) = done.await.map_err(|error| StoreError::Failed(error.to_string()))?;
        self.connection = Some(connection);
        result
    }
}

#[async_trait]
impl Snapshot for TenantSnapshot {
    async fn count(&mut self, part: Part) -> StoreResult<u64> {
        self.read(move |connection, within| {
            let mut counted = 0;
            for source in parts::sources(part, within) {
                let sql = format!("SELECT count(*) FROM {} WHERE {}", source.from, source.condition);
                let mut statement = connection.prepare_cached(&sql).map_err(failed)?;
                bind(&mut statement, &within.values())?;
                let mut rows = statement.raw_query();
                let row = rows.next().map_err(failed)?;
                counted += row.map_or(Ok(0), |row| row.get::<_, i64>(0)).map_err(failed)?;
            }
            Ok(counted.max(0) as u64)
        })
        .await
    }

    async fn page(
        &mut self,
        part: Part,
        after: Option<&str>,
        limit: usize,
    ) -> StoreResult<Option<(String, Vec<Item>)>> {
        let after = after.map(place_of).transpose()?;
        self.read(move |connection, within| {
            let sources = parts::sources(part, within);
            let (first, mut after) = match after {
                Some((source, keys)) => (source, Some(keys)),
                None => (0, None),
            };
            for (number, source) in sources.iter().enumerate().skip(first) {
                let page = read_page(connection, within, source, after.take(), limit)?;
                if let Some((keys, items)) = page {
                    return Ok(Some((written(number, &keys)?, items)));
                }
            }
            Ok(None)
        })
        .await
    }
}

/// The keys of a row: where in its source it stands.
type SnapshotKeys = Vec<serde_json::Value>;

fn place_of(text: &str) -> StoreResult<(usize, SnapshotKeys)> {
    serde_json::from_str(text)
        .map_err(|_| StoreError::Failed("a snapshot was asked to go on from a place it never gave".into()))
}

fn written(source: usize, keys: &SnapshotKeys) -> StoreResult<String> {
    serde_json::to_string(&(source, keys)).map_err(|error| StoreError::Failed(error.to_string()))
}

fn read_page(
    connection: &Connection,
    within: &ExtentTest,
    source: &PartQuery,
    after: Option<SnapshotKeys>,
    limit: usize,
) -> StoreResult<Option<(SnapshotKeys, Vec<Item>)>> {
    let names: Vec<String> = (0..source.keys.len()).map(|number| format!(":key{number}")).collect();
    let keys = source.keys.join(", ");
    let onward = match &after {
        Some(_) => format!("({keys}) > ({})", names.join(", ")),
        None => "1".to_owned(),
    };
    let sql = format!(
        "SELECT {keys}, {} FROM {} WHERE {onward} AND {} ORDER BY {keys} LIMIT :limit",
        source.columns, source.from, source.condition
    );
    let mut values = within.values();
    for (name, key) in names.into_iter().zip(after.unwrap_or_default()) {
        values.push((name, value_of(&key)));
    }
    values.push((":limit".to_owned(), Value::Integer(limit.clamp(1, memory::limits::READ_IDS) as i64)));
    let mut statement = connection.prepare_cached(&sql).map_err(failed)?;
    bind(&mut statement, &values)?;
    let mut rows = statement.raw_query();
    let (mut items, mut last, mut bytes) = (Vec::new(), None, 0);
    while let Some(row) = rows.next().map_err(failed)? {
        let read = parts::SnapshotRow { row, column: source.keys.len() };
        let (item, size) = (source.item)(&read)?;
        items.push(item);
        last = Some(keys_of(row, source.keys.len())?);
        bytes += size;
        if bytes >= limits::SNAPSHOT_PAGE_BYTES {
            break;
        }
    }
    Ok(last.map(|last| (last, items)))
}

fn keys_of(row: &rusqlite::Row<'_>, count: usize) -> StoreResult<SnapshotKeys> {
    let key = |column: usize| match row.get::<_, Value>(column).map_err(failed)? {
        Value::Integer(number) => Ok(number.into()),
        Value::Text(text) => Ok(text.into()),
        other => Err(StoreError::Failed(format!("a key of type {:?}", other.data_type()))),
    };
    (0..count).map(key).collect()
}

fn value_of(key: &serde_json::Value) -> Value {
    match key {
        serde_json::Value::Number(number) => Value::Integer(number.as_i64().unwrap_or_default()),
        serde_json::Value::String(text) => Value::Text(text.clone()),
        _ => Value::Null,
    }
}

/// Binds those of the values that the statement asks for.
fn bind(statement: &mut Statement<'_>, values: &[(String, Value)]) -> StoreResult<()> {
    for (name, value) in values {
        if let Some(index) = statement.parameter_index(name).map_err(failed)? {
            statement.raw_bind_parameter(index, value).map_err(failed)?;
        }
    }
    Ok(())
}

/// The corpora, in the order in which their vectors are read.
fn corpora() -> impl Iterator<Item = (Corpus, &'static str)> {
    Corpus::ALL.iter().map(|corpus| (*corpus, corpus_table(*corpus)))
}
