//! The control database: which tenants exist, the defaults of their settings, leases, keys (`keys.rs`), and the record of
//! access decisions (`audit.rs`).
//!
//! It is small and read quickly, so one connection behind a lock serves everybody. Other processes' writes are seen
//! because every read goes to the database.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use memory::error::{StoreError, StoreResult};
use memory::types::{TenantId, Time};
use parking_lot::Mutex;
use rusqlite::{Connection, OptionalExtension, params};
use serde_json::Value;

use crate::audit::{Book, Log};
use crate::blocking::is_on_blocking_thread;
use crate::door;
use crate::keys::Ring;
use crate::layout;
use crate::migrate;
use crate::sqlite::{DatabasePlace, connect, failed};

/// Cheap to clone.
#[derive(Clone)]
pub struct Control {
    /// Shared because SQLite allows one statement at a time on it anyway.
    connection: Arc<Mutex<Connection>>,
    /// The keys as last read: a follower, checked at every use. The lock is held to look and to replace.
    pub(crate) ring: Arc<Mutex<Arc<Ring>>>,
    pub(crate) log: Log,
    /// Settings that hold until something that is stored says otherwise.
    defaults: Arc<BTreeMap<String, Value>>,
}

impl Control {
    pub fn open(folder: Option<&Path>, now: Time) -> StoreResult<Self> {
        let place = match folder {
            Some(folder) => DatabasePlace::File(folder.join(layout::CONTROL)),
            None => DatabasePlace::memory("control"),
        };
        let shut = door::must_be_shut(folder);
        let is_new = folder.is_some_and(|folder| !folder.join(layout::CONTROL).exists());
        let mut connection = connect(&place, crate::WriteDurability::Full)?;
        migrate::migrate(&mut connection, migrate::CONTROL)?;
        door::settle(&connection, shut)?;
        if let Some(folder) = folder.filter(|_| is_new) {
            find_tenants(&connection, folder, now)?;
        }
        let connection = Arc::new(Mutex::new(connection));
        let book = match place {
            DatabasePlace::File(path) => Book::File(path),
            DatabasePlace::Memory(_) => Book::Shared(Arc::clone(&connection)),
        };
        Ok(Self { connection, ring: Arc::default(), log: Log::new(book), defaults: Arc::default() })
    }

    /// With settings that hold until something that is stored says otherwise.
    pub fn with_defaults(self, defaults: BTreeMap<String, Value>) -> Self {
        Self { defaults: Arc::new(defaults), ..self }
    }

    /// Runs `work` on the connection, away from the asynchronous threads.
    pub(crate) async fn with<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> StoreResult<T> {
        if is_on_blocking_thread() {
            return work(&self.connection.lock()).map_err(failed);
        }
        let connection = Arc::clone(&self.connection);
        let done = tokio::task::spawn_blocking(move || work(&connection.lock()));
        done.await.map_err(|error| StoreError::Failed(error.to_string()))?.map_err(failed)
    }

    /// Runs `work` right here, unless somebody holds the connection. For what takes microseconds and never writes.
    pub(crate) fn try_with<T>(&self, work: impl FnOnce(&Connection) -> T) -> Option<T> {
        self.connection.try_lock().map(|connection| work(&connection))
    }

    pub async fn tenants(&self) -> StoreResult<Vec<TenantId>> {
        self.with(|connection| {
            let mut statement = connection.prepare_cached("SELECT id FROM tenant ORDER BY id")?;
            let ids =
                statement.query_map([], |row| row.get::<_, String>(0))?.collect::<Result<Vec<_>, _>>()?;
            Ok(ids.iter().filter_map(|id| id.parse().ok()).collect())
        })
        .await
    }

    pub async fn knows(&self, tenant: &TenantId) -> StoreResult<bool> {
        let id = tenant.as_str().to_owned();
        self.with(move |connection| {
            connection.prepare_cached("SELECT 1 FROM tenant WHERE id = ?1")?.exists([id])
        })
        .await
    }

    pub async fn remember(&self, tenant: &TenantId, now: Time) -> StoreResult<()> {
        let id = tenant.as_str().to_owned();
        self.with(move |connection| remember(connection, &id, now)).await
    }

    pub async fn settings(&self) -> StoreResult<BTreeMap<String, Value>> {
        let mut settings = BTreeMap::clone(&self.defaults);
        settings.extend(self.with(read_settings).await?);
        Ok(settings)
    }

    pub async fn set_setting(&self, name: &str, value: Option<Value>) -> StoreResult<()> {
        let name = name.to_owned();
        self.with(move |connection| write_setting(connection, &name, value.as_ref())).await
    }

    /// Takes or renews a lease; false when somebody else holds it.
    pub async fn lease(&self, name: &str, holder: &str, until: Time, now: Time) -> StoreResult<bool> {
        let (name, holder) = (name.to_owned(), holder.to_owned());
        self.with(move |connection| {
            let taken = connection.prepare_cached(
                "INSERT INTO lease VALUES (?1, ?2, ?3) ON CONFLICT (name) DO UPDATE
                 SET holder = excluded.holder, until = excluded.until
                 WHERE lease.holder = excluded.holder OR lease.until <= ?4",
            )?;
            let mut taken = taken;
            Ok(taken.execute(params![name, holder, until.to_string(), now.to_string()])? == 1)
        })
        .await
    }

    pub async fn is_leased(&self, name: &str, now: Time) -> StoreResult<bool> {
        let (name, now) = (name.to_owned(), now.to_string());
        self.with(move |connection| {
            connection
                .prepare_cached("SELECT 1 FROM lease WHERE name = ?1 AND until > ?2")?
                .exists([name, now])
        })
        .await
    }

    /// The key of the hashes on receipts, made when it is first asked for.
    pub async fn receipt_key(&self) -> StoreResult<[u8; 32]> {
        let mut fresh = [0; 32];
        crate::secret::fill(&mut fresh)?;
        self.with(move |connection| {
            connection
                .prepare_cached("INSERT OR IGNORE INTO receipt_key VALUES (1, ?1)")?
                .execute([&fresh[..]])?;
            let mut statement = connection.prepare_cached("SELECT bytes FROM receipt_key")?;
            statement.query_row([], |row| row.get(0))
        })
        .await
    }

    /// This installation's name, made when it is first asked for.
    pub async fn instance(&self) -> StoreResult<String> {
        let fresh = format!("in_{}", uuid::Uuid::now_v7().hyphenated());
        self.with(move |connection| {
            connection.prepare_cached("INSERT OR IGNORE INTO instance VALUES (1, ?1)")?.execute([fresh])?;
            connection.prepare_cached("SELECT name FROM instance")?.query_row([], |row| row.get(0))
        })
        .await
    }

    pub async fn release(&self, name: &str, holder: &str) -> StoreResult<bool> {
        let (name, holder) = (name.to_owned(), holder.to_owned());
        self.with(move |connection| {
            let mut statement =
                connection.prepare_cached("DELETE FROM lease WHERE name = ?1 AND holder = ?2")?;
            Ok(statement.execute(params![name, holder])? == 1)
        })
        .await
    }
}

/// A control database that is made beside tenants takes the place of one that is lost: the tenants are still there.
fn find_tenants(connection: &Connection, folder: &Path, now: Time) -> StoreResult<()> {
    let found = layout::tenant_files(folder).map_err(|error| {
        StoreError::Failed(format!("{}: {error}", folder.join(layout::TENANTS).display()))
    })?;
    found.iter().try_for_each(|tenant| remember(connection, tenant.as_str(), now)).map_err(failed)
}

fn remember(connection: &Connection, tenant: &str, now: Time) -> rusqlite::Result<()> {
    let mut statement = connection.prepare_cached("INSERT OR IGNORE INTO tenant VALUES (?1, ?2)")?;
    statement.execute(params![tenant, now.to_string()]).map(drop)
}

/// The `setting` table, which tenants and the control database share the shape of.
pub fn read_settings(connection: &Connection) -> rusqlite::Result<BTreeMap<String, Value>> {
    let mut statement = connection.prepare_cached("SELECT name, value FROM setting")?;
    let rows = statement.query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)))?;
    let mut settings = BTreeMap::new();
    for row in rows {
        let (name, value) = row?;
        if let Ok(value) = serde_json::from_str(&value) {
            settings.insert(name, value);
        }
    }
    Ok(settings)
}

/// Sets a row of the `setting` table, or takes it away.
pub fn write_setting(connection: &Connection, name: &str, value: Option<&Value>) -> rusqlite::Result<()> {
    let Some(value) = value else {
        return connection.prepare_cached("DELETE FROM setting WHERE name = ?1")?.execute([name]).map(drop);
    };
    let known: Option<String> = connection
        .prepare_cached("SELECT value FROM setting WHERE name = ?1")?
        .query_row([name], |row| row.get(0))
        .optional()?;
    let value = value.to_string();
    if known.as_deref() == Some(value.as_str()) {
        return Ok(());
    }
    let mut statement = connection.prepare_cached("INSERT OR REPLACE INTO setting VALUES (?1, ?2)")?;
    statement.execute([name, value.as_str()]).map(drop)
}
