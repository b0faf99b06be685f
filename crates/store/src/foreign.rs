//! Databases of other systems, read row by row.
//!
//! An import knows their tables by name; columns come and go with their versions, so a row is given as what its columns happen to be. The
//! file is a stranger's: it is opened for reading only, views and functions in its schema are not trusted, and a thread of its own reads
//! a few rows ahead, so that memory is bounded however many there are.
//!
//! A few kilobytes can hold expressions that compute gigabytes, and pages that lead round in circles. So only columns that are stored
//! are read, a value has a bound, and so have all rows together and the steps they take, by the length of the file. Reading ends
//! early when nobody waits for it.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use rusqlite::limits::Limit;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags, Row};
use serde_json::{Map, Value};

use crate::limits;

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
        let columns = stored_columns(&connection, &name)?;
        tables.insert(name, columns);
    }
    Ok(tables)
}

/// The columns whose values stand in the file: those that are computed may compute anything.
fn stored_columns(connection: &Connection, table: &str) -> Result<Vec<String>, ForeignError> {
    let mut columns = connection.prepare("SELECT name FROM pragma_table_xinfo(?1) WHERE hidden = 0")?;
    Ok(columns.query_map([table], |row| row.get(0))?.collect::<Result<_, _>>()?)
}

/// The rows of a table, in the order in which they were written. `is_abandoned` is asked again and again whether nobody waits for
/// them any more.
pub fn rows(
    path: &Path,
    table: &str,
    mut is_abandoned: impl FnMut() -> bool + Send + 'static,
) -> Result<ForeignRows, ForeignError> {
    let mut connection = open(path)?;
    let columns = stored_columns(&connection, table)?;
    if columns.is_empty() {
        return Err(ForeignError::Damaged);
    }
    let length = path.metadata().map_err(|_| ForeignError::Unopened)?.len();
    let mut steps = limits::FOREIGN_STEPS.saturating_add(length.saturating_mul(limits::FOREIGN_STEPS_A_BYTE));
    let between = limits::FOREIGN_STEPS_BETWEEN;
    let watch = move || {
        steps = steps.saturating_sub(between.into());
        steps == 0 || is_abandoned()
    };
    connection.progress_handler(between.into(), Some(watch))?;
    let columns: Vec<String> = columns.iter().map(|name| quoted(name)).collect();
    let query = format!("SELECT {} FROM {}", columns.join(", "), quoted(table));
    // Twice, because text of two bytes a letter may take three when it is read.
    let room = length.saturating_mul(2);
    let (sender, rows) = sync_channel(ROWS_AHEAD);
    let reading = std::thread::Builder::new().name("foreign".to_owned());
    reading.spawn(move || read(&connection, &query, room, &sender)).map_err(|_| ForeignError::Unopened)?;
    Ok(ForeignRows { rows, ended: false })
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
pub struct ForeignRows {
    rows: Receiver<Option<Result<Map<String, Value>, ForeignError>>>,
    ended: bool,
}

impl Iterator for ForeignRows {
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

type RowSender = SyncSender<Option<Result<Map<String, Value>, ForeignError>>>;

/// Bytes that any row takes in its file, whatever is in it.
const ROW_BYTES: u64 = 4;

/// Sends the rows and then nothing more; ends early when nobody reads any more, or when they come to more than there is room for.
fn read(connection: &Connection, query: &str, mut room: u64, sender: &RowSender) {
    let mut sent = || -> Result<(), ForeignError> {
        let mut statement = connection.prepare(query)?;
        let names: Vec<String> = statement.column_names().map(str::to_owned).collect();
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let bytes = ROW_BYTES + stored_bytes(row, names.len())?;
            room = room.checked_sub(bytes).ok_or(ForeignError::Damaged)?;
            if sender.send(Some(Ok(map(row, &names)?))).is_err() {
                return Ok(());
            }
        }
        Ok(())
    };
    // Whoever stopped reading does not miss it.
    let _ = sender.send(sent().err().map(Err));
}

/// Bytes of a row's texts and blobs.
fn stored_bytes(row: &Row<'_>, columns: usize) -> rusqlite::Result<u64> {
    let mut bytes = 0;
    for place in 0..columns {
        if let ValueRef::Text(value) | ValueRef::Blob(value) = row.get_ref(place)? {
            bytes += value.len() as u64;
        }
    }
    Ok(bytes)
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
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, limits::FOREIGN_VALUE_BYTES)?;
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
        let read: Vec<Value> = rows(&path, "a\"b", || false)
            .expect("rows")
            .map(|row| Value::Object(row.expect("a row")))
            .collect();
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
        let read: Vec<_> = rows(&path, "t", || false).expect("rows").take(10).collect();
        assert_eq!(read.last(), Some(&Err(ForeignError::Damaged)));
        assert!(read.len() < 10, "it ends");
    }
    fn count(path: &Path, table: &str) -> (usize, Option<ForeignError>) {
        let mut read = rows(path, table, || false).expect("rows");
        let whole = read.by_ref().take_while(Result::is_ok).count();
        (whole, rows(path, table, || false).expect("rows").find_map(Result::err))
    }

    #[test]
    fn m9_columns_that_compute_are_not_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let sql = "CREATE TABLE t (id TEXT, bomb AS (hex(zeroblob(200000000))), kept TEXT);
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
            INSERT INTO t (id, kept) SELECT i, 'x' FROM n;";
        let path = database(folder.path(), sql);
        assert_eq!(tables(&path).expect("tables")["t"], ["id", "kept"]);
        let read: Vec<_> =
            rows(&path, "t", || false).expect("rows").collect::<Result<_, _>>().expect("whole");
        assert_eq!(read.len(), 500);
        assert_eq!(Value::Object(read[0].clone()), serde_json::json!({"id": "1", "kept": "x"}));
    }

    #[test]
    fn m9_a_value_has_a_bound() {
        let folder = tempfile::tempdir().expect("a folder");
        let connection = open(&database(folder.path(), "CREATE TABLE t (x)")).expect("opens");
        let computed = connection.query_row("SELECT length(hex(zeroblob(200000000)))", [], |_| Ok(()));
        let code = computed.expect_err("too long").sqlite_error_code();
        assert_eq!(code, Some(rusqlite::ErrorCode::TooBig));
    }

    /// Pages of a table whose upper page leads to the same lower one again and again.
    #[test]
    fn m9_pages_that_lead_round_in_circles_end() {
        let folder = tempfile::tempdir().expect("a folder");
        let sql = "PRAGMA page_size = 4096; CREATE TABLE t (x TEXT);
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
            INSERT INTO t SELECT printf('%0500d', i) FROM n;";
        let path = database(folder.path(), sql);
        assert_eq!(count(&path, "t"), (300, None));
        let mut bytes = std::fs::read(&path).expect("reads");
        let root = &mut bytes[4096..8192];
        assert_eq!(root[0], 5, "the table's first page leads to others");
        // As many pointers as fit on the page, all to one page of rows.
        let most = (4096 - 12) / 7;
        root[3..5].copy_from_slice(&(most as u16).to_be_bytes());
        let last: [u8; 4] = root[8..12].try_into().expect("four bytes");
        for cell in 0..most {
            let at = 4096 - 5 * (cell + 1);
            root[at..at + 4].copy_from_slice(&last);
            root[at + 4] = 1;
            root[12 + 2 * cell..14 + 2 * cell].copy_from_slice(&(at as u16).to_be_bytes());
        }
        std::fs::write(&path, bytes).expect("writes");
        let (read, ended) = count(&path, "t");
        assert_eq!(ended, Some(ForeignError::Damaged));
        assert!(read < 1_000, "{read} rows of a file that has room for 300");
    }

    #[test]
    fn m9_reading_ends_when_nobody_waits() {
        let folder = tempfile::tempdir().expect("a folder");
        let sql = "CREATE TABLE t (x INTEGER);
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
            INSERT INTO t SELECT i FROM n;";
        let path = database(folder.path(), sql);
        let mut looks = 0;
        let is_abandoned = move || {
            looks += 1;
            looks > 2
        };
        let read = rows(&path, "t", is_abandoned).expect("rows").take_while(Result::is_ok).count();
        assert!(read < 30_000, "{read} of 100000 rows were read");
        assert_eq!(count(&path, "t"), (100_000, None));
    }
}
