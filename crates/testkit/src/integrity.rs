//! Whether a tenant's file is whole, asked of SQLite itself and not of our code.

use std::path::Path;

use rusqlite::Connection;

/// The full-text indexes of a tenant's database.
const INDEXES: [&str; 3] = ["memory_fts", "episode_fts", "turn_fts"];

/// Fails where the file is damaged, an index disagrees with its table, or a row points nowhere.
pub fn check(database: &Path) {
    let connection = Connection::open(database).expect("the file can be opened");
    let verdict: String =
        connection.query_row("PRAGMA integrity_check", [], |row| row.get(0)).expect("the check can run");
    assert_eq!(verdict, "ok", "{}", database.display());
    let dangling: i64 = connection
        .query_row("SELECT count(*) FROM pragma_foreign_key_check", [], |row| row.get(0))
        .expect("the check can run");
    assert_eq!(dangling, 0, "{}: rows point nowhere", database.display());
    for index in INDEXES {
        // With rank 1 the index is also compared with the table that it indexes.
        let question = format!("INSERT INTO {index} ({index}, rank) VALUES ('integrity-check', 1)");
        if let Err(error) = connection.execute(&question, []) {
            panic!("{}: {index} disagrees with its table: {error}", database.display());
        }
    }
}

/// Whether a word is anywhere in a full-text index, deleted entries that were not erased included.
pub fn index_holds(database: &Path, index: &str, word: &str) -> bool {
    let connection = Connection::open(database).expect("the file can be opened");
    let make = format!("CREATE VIRTUAL TABLE temp.words USING fts5vocab (main, {index}, 'row')");
    connection.execute_batch(&make).expect("the index's words can be listed");
    connection
        .query_row("SELECT count(*) > 0 FROM temp.words WHERE term = ?1", [word], |row| row.get(0))
        .expect("the index's words can be read")
}

/// Whether the bytes of a word are anywhere in the tenant's files.
pub fn files_hold(database: &Path, word: &str) -> bool {
    let folder = database.parent().expect("a database lies in a folder");
    let name = database.file_name().expect("a database has a name").to_string_lossy().into_owned();
    let entries = std::fs::read_dir(folder).expect("the folder can be read");
    entries.filter_map(Result::ok).filter(|entry| entry.file_name().to_string_lossy().starts_with(&name)).any(
        |entry| {
            let bytes = std::fs::read(entry.path()).expect("the file can be read");
            bytes.windows(word.len()).any(|window| window == word.as_bytes())
        },
    )
}
