//! Databases of other systems, read row by row.
//!
//! An import knows their tables by name; columns come and go with their versions, so a row is given as what its columns happen to be. The
//! file is a stranger's: it is opened for reading only, views and functions in its schema are not trusted, and a thread of its own reads
//! a few rows ahead, so that memory is bounded however many there are.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags, Row};
use serde_json::{Map, Value};

/// Rows that wait to be read.
const ROWS_AHEAD: usize = 64;

/// Why a database cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ForeignError {
    #[error("it cannot be opened")]
    Unopened,
    #[error("it is no SQLite database")]
    NoDatabase,
    #[error("the database is damaged, or encrypted")]
    Damaged,
}

impl From<rusqlite::Error> for ForeignError {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(rusqlite::ErrorCode::NotADatabase) => ForeignError::NoDatabase,
            Some(rusqlite::ErrorCode::CannotOpen) => ForeignError::Unopened,
            _ => ForeignError::Damaged,
        }
    }
}

/// The tables of a database and their columns. Views and virtual tables are not among them.
pub fn tables(path: &Path) -> Result<BTreeMap<String, Vec<String>>, ForeignError> {
    let connection = open(path)?;
    let mut tables = BTreeMap::new();
    let mut names = connection.prepare(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' AND name NOT LIKE 'sqlite_%'",
    )?;
    let names: Vec<String> = names.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
    for name in names {
        let mut columns = connection.prepare(&format!("PRAGMA table_info({})", quoted(&name)))?;
        let columns: Vec<String> = columns.query_map([], |row| row.get("name"))?.collect::<Result<_, _>>()?;
        tables.insert(name, columns);
    }
    Ok(tables)
}

/// The rows of a table, in the order in which they were written.
pub fn rows(path: &Path, table: &str) -> Result<Rows, ForeignError> {
    let connection = open(path)?;
    let (sender, rows) = sync_channel(ROWS_AHEAD);
    let query = format!("SELECT * FROM {}", quoted(table));
    let reading = std::thread::Builder::new().name("foreign".to_owned());
    reading.spawn(move || read(&connection, &query, &sender)).map_err(|_| ForeignError::Unopened)?;
    Ok(Rows { rows, ended: false })
}

/// Takes what stands in the log beside a copied database into it, so that it can be read as one file.
pub fn settle(path: &Path) -> Result<(), ForeignError> {
    let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    connection.execute_batch(
        "PRAGMA trusted_schema = OFF; PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE;",
    )?;
    Ok(())
}

/// Rows as they come.
pub struct Rows {
    rows: Receiver<Option<Result<Map<String, Value>, ForeignError>>>,
    ended: bool,
}

impl Iterator for Rows {
    type Item = Result<Map<String, Value>, ForeignError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        // A thread that ends without saying so did not get to the end.
        let row = self.rows.recv().unwrap_or(Some(Err(ForeignError::Damaged)));
        self.ended = !matches!(row, Some(Ok(_)));
        row
    }
}

type Sender = SyncSender<Option<Result<Map<String, Value>, ForeignError>>>;

/// Sends the rows and then nothing more; ends early when nobody reads any more.
fn read(connection: &Connection, query: &str, sender: &Sender) {
    let sent = || -> rusqlite::Result<()> {
        let mut statement = connection.prepare(query)?;
        let names: Vec<String> = statement.column_names().map(str::to_owned).collect();
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            if sender.send(Some(Ok(map(row, &names)?))).is_err() {
                return Ok(());
            }
        }
        Ok(())
    };
    // Whoever stopped reading does not miss it.
    let _ = sender.send(sent().err().map(|error| Err(error.into())));
}

/// A row by its columns. Bytes that are no text, such as vectors and pictures, are left out.
fn map(row: &Row<'_>, names: &[String]) -> rusqlite::Result<Map<String, Value>> {
    let mut map = Map::new();
    for (place, name) in names.iter().enumerate() {
        let value = match row.get_ref(place)? {
            ValueRef::Null => continue,
            ValueRef::Integer(number) => Value::from(number),
            ValueRef::Real(number) => Value::from(number),
            ValueRef::Text(text) => Value::from(String::from_utf8_lossy(text)),
            ValueRef::Blob(bytes) => match std::str::from_utf8(bytes) {
                Ok(text) if !text.contains('\0') => Value::from(text),
                _ => continue,
            },
        };
        map.insert(name.clone(), value);
    }
    Ok(map)
}

/// Opens it so that nothing is written, neither into it nor beside it.
fn open(path: &Path) -> Result<Connection, ForeignError> {
    let path = path.to_str().ok_or(ForeignError::Unopened)?;
    let flags =
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(format!("file:{}?immutable=1", escaped(path)), flags)?;
    connection
        .execute_batch("PRAGMA trusted_schema = OFF; PRAGMA query_only = ON; PRAGMA cell_size_check = ON;")?;
    Ok(connection)
}

fn escaped(path: &str) -> String {
    path.replace('%', "%25").replace('?', "%3f").replace('#', "%23")
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn database(folder: &Path, sql: &str) -> std::path::PathBuf {
        let path = folder.join("odd ?#% name.sqlite");
        Connection::open(&path)
            .and_then(|connection| connection.execute_batch(sql))
            .expect("makes a database");
        path
    }

    #[test]
    fn rows_are_what_their_columns_are() {
        let folder = tempfile::tempdir().expect("a folder");
        let sql = "CREATE TABLE \"a\"\"b\" (id TEXT, n INTEGER, r REAL, t TEXT, e BLOB, z);
            INSERT INTO \"a\"\"b\" VALUES ('x', 1, 0.5, 'text', x'00ff', NULL), ('y', 2, 9e999, CAST(x'63ff' AS TEXT), x'6869', 3);
            CREATE VIEW v AS SELECT * FROM \"a\"\"b\"; CREATE VIRTUAL TABLE f USING fts5(t);";
        let path = database(folder.path(), sql);
        let before: Vec<_> = folder.path().read_dir().expect("lists").collect();
        let known = tables(&path).expect("tables");
        assert_eq!(known["a\"b"], ["id", "n", "r", "t", "e", "z"]);
        assert!(!known.contains_key("v") && !known.contains_key("f"));
        let read: Vec<Value> =
            rows(&path, "a\"b").expect("rows").map(|row| Value::Object(row.expect("a row"))).collect();
        assert_eq!(read[0], serde_json::json!({"id": "x", "n": 1, "r": 0.5, "t": "text"}));
        assert_eq!(
            read[1],
            serde_json::json!({"id": "y", "n": 2, "r": null, "t": "c\u{fffd}", "e": "hi", "z": 3})
        );
        assert_eq!(
            folder.path().read_dir().expect("lists").count(),
            before.len(),
            "nothing is written beside it"
        );
    }

    #[test]
    fn what_is_no_database_is_said() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("x");
        std::fs::write(&path, "not a database, but long enough to be looked at as one".repeat(40))
            .expect("writes");
        assert_eq!(tables(&path).expect_err("no database"), ForeignError::NoDatabase);
        assert_eq!(tables(&folder.path().join("none")).expect_err("no file"), ForeignError::Unopened);
        let path =
            database(folder.path(), "CREATE TABLE t (x); INSERT INTO t VALUES (zeroblob(100000)), ('a')");
        let mut bytes = std::fs::read(&path).expect("reads");
        bytes[4096..12_000].fill(0xff);
        std::fs::write(&path, bytes).expect("writes");
        let read: Vec<_> = rows(&path, "t").expect("rows").take(10).collect();
        assert_eq!(read.last(), Some(&Err(ForeignError::Damaged)));
        assert!(read.len() < 10, "it ends");
    }
}
