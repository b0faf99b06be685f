//! Opening a database the way every part of the house relies on: log ahead of writing, foreign keys, deleted bytes
//! overwritten, a bounded wait for other processes.

use std::path::PathBuf;
use std::time::Duration;

use memory::error::StoreResult;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags, Transaction};

use super::failed;
use crate::WriteDurability;
use crate::limits;

/// Prepared statements kept per connection; the store has about this many.
const STATEMENTS: usize = 128;

/// KiB of page cache per connection. Small, because there may be hundreds; the operating system caches the rest.
const CACHE_KIB: i64 = 4_096;

/// How often switching to write-ahead logging is tried, and how long is waited in between: two seconds in all, far longer than
/// another process takes to make a database.
const LOG_TRIES: u32 = 200;
const LOG_PAUSE: Duration = Duration::from_millis(10);

/// Where a database lives.
#[derive(Debug, Clone)]
pub enum DatabasePlace {
    File(PathBuf),
    /// SQLite's own memory file system, under a name that nobody else has.
    Memory(String),
}

impl DatabasePlace {
    pub fn memory(name: &str) -> Self {
        DatabasePlace::Memory(format!("file:/recollect-{}-{name}?vfs=memdb", uuid::Uuid::now_v7()))
    }

    pub fn is_memory(&self) -> bool {
        matches!(self, DatabasePlace::Memory(_))
    }
}

/// Opens the database, making it where it is missing.
pub fn connect(place: &DatabasePlace, durability: WriteDurability) -> StoreResult<Connection> {
    let flags =
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = match place {
        DatabasePlace::File(path) => Connection::open_with_flags(path, flags),
        DatabasePlace::Memory(name) => Connection::open_with_flags(name, flags | OpenFlags::SQLITE_OPEN_URI),
    }
    .map_err(failed)?;
    connection.busy_timeout(Duration::from_millis(limits::BUSY_TIMEOUT_MS)).map_err(failed)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    // Otherwise every statement whose plan could depend on a value is planned anew whenever it is given one. Ours are written
    // so that it does not.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true).map_err(failed)?;
    let pragma = |name: &str, value: &str| connection.pragma_update(None, name, value).map_err(failed);
    pragma("secure_delete", "ON")?;
    if !place.is_memory() {
        log_ahead(&connection)?;
    }
    pragma("synchronous", if durability == WriteDurability::Full { "FULL" } else { "NORMAL" })?;
    pragma("foreign_keys", "ON")?;
    pragma("temp_store", "MEMORY")?;
    pragma("cache_size", &(-CACHE_KIB).to_string())?;
    // A log that once grew large (a bulk import) is cut back instead of staying on the disk.
    pragma("journal_size_limit", "67108864")?;
    Ok(connection)
}

/// One moment for several reads: the one that a view holds already, or one until this is dropped.
pub fn snapshot(connection: &Connection) -> StoreResult<Option<Transaction<'_>>> {
    let begun = connection.is_autocommit().then(|| connection.unchecked_transaction());
    begun.transpose().map_err(failed)
}

/// Switches to write-ahead logging. Two processes that make the same database at the same moment may refuse each other
/// at once, whatever the busy timeout; that passes.
fn log_ahead(connection: &Connection) -> StoreResult<()> {
    let mut tries = 0;
    loop {
        match connection.pragma_update(None, "journal_mode", "WAL") {
            Ok(()) => return Ok(()),
            Err(error) if busy(&error) && tries < LOG_TRIES => {
                tries += 1;
                std::thread::sleep(LOG_PAUSE);
            }
            Err(error) => return Err(failed(error)),
        }
    }
}

fn busy(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
}
