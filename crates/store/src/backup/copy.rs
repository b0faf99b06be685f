//! One database, copied while others write to it.
//!
//! `VACUUM INTO` reads at one moment, holds up no writer, and writes a new file with nothing in it but what the tables hold: no free
//! pages, no log, nothing that was purged. It walks every tree of the file while it does, so that a damaged database is noticed here and
//! not when it is needed. It writes the same bytes for the same content, by which a copy that says nothing new is
//! recognised. The page-by-page interface is a third faster and has none of that.
//!
//! Whether a database changed since the last backup is told from outside, without opening it: every write goes into the file
//! or its log and changes size or time of one of the two. A time of just now proves nothing, since a later write may
//! have the same one; then nothing is said and the next backup copies again.

use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::{Duration, SystemTime};

use memory::types::Time;
use rusqlite::{Connection, OpenFlags};

use super::{BackupError, BackupResult, files, sql_at};
use crate::limits;

/// File systems write down times as coarsely as this.
const TIME_GRAIN: Duration = Duration::from_secs(2);

/// What a copy says of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facts {
    pub schema_version: u32,
    /// Of a tenant's database.
    pub change_number: Option<u64>,
}

/// Copies the database as it stands at one moment.
pub fn copy(from: &Path, to: &Path) -> BackupResult<()> {
    vacuum(from, to).map_err(|error| match error {
        BackupError::Damaged(message) => BackupError::Broken(message),
        other => other,
    })
}

fn vacuum(from: &Path, to: &Path) -> BackupResult<()> {
    let connection = open(from, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    let target = to.to_str().ok_or_else(|| BackupError::Refused {
        message: format!("{} is no path in UTF-8, which SQLite needs", to.display()),
        hint: "name another folder",
    })?;
    // Made beforehand, so that it is never anybody else's to read.
    files::create(to)?;
    connection.execute("VACUUM INTO ?1", [target]).map_err(|error| match error.sqlite_error_code() {
        // What is read and what is written cannot be told apart here; the new one is the one that lacks room.
        Some(rusqlite::ErrorCode::DiskFull | rusqlite::ErrorCode::SystemIoFailure) => sql_at(to, error),
        _ => sql_at(from, error),
    })?;
    files::settle(to)
}

/// Opens a database that is there.
pub fn open(path: &Path, access: OpenFlags) -> BackupResult<Connection> {
    let flags = access | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).map_err(|error| sql_at(path, error))?;
    let patience = Duration::from_millis(limits::BUSY_TIMEOUT_MS);
    connection.busy_timeout(patience).map_err(|error| sql_at(path, error))?;
    Ok(connection)
}

/// Opens a copy, which nobody writes to, and writes nothing beside it.
pub fn open_copy(path: &Path) -> BackupResult<Connection> {
    open(path, OpenFlags::SQLITE_OPEN_READ_ONLY)
}

/// Reads what a database is.
pub fn facts(connection: &Connection, path: &Path) -> BackupResult<Facts> {
    let read = || {
        let version: i64 =
            connection.query_row("SELECT user_version FROM pragma_user_version", [], |row| row.get(0))?;
        let logged = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'change_log'";
        let number = match connection.prepare(logged)?.exists([])? {
            true => connection
                .query_row("SELECT max(number) FROM change_log", [], |row| row.get::<_, Option<i64>>(0))?
                .unwrap_or(0)
                .max(0)
                .into(),
            false => None,
        };
        Ok(Facts {
            schema_version: u32::try_from(version).unwrap_or(u32::MAX),
            change_number: number.map(i64::cast_unsigned),
        })
    };
    read().map_err(|error| sql_at(path, error))
}

/// How a database's files look from outside; `None` where that could not show a change.
pub fn look(path: &Path, now: Time) -> Option<String> {
    let (file, newest) = shape(path)?;
    let (log, newest) = match shape(&files::beside(path, "-wal")) {
        Some((log, time)) => (log, newest.max(time)),
        None => ("-".to_owned(), newest),
    };
    let now = SystemTime::from(now.timestamp());
    let settled = now.duration_since(newest).is_ok_and(|age| age > TIME_GRAIN);
    settled.then(|| format!("{file}/{log}"))
}

fn shape(path: &Path) -> Option<(String, SystemTime)> {
    let found = std::fs::metadata(path).ok()?;
    let time = found.modified().ok()?;
    let nanoseconds = i128::from(found.mtime()) * 1_000_000_000 + i128::from(found.mtime_nsec());
    Some((format!("{:x}:{:x}:{}:{nanoseconds}", found.dev(), found.ino(), found.len()), time))
}
