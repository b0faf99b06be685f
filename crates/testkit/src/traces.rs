//! Where a text still stands in a database, asked of the file itself: every column of every table, every word of the full-text
//! indexes, and every byte of the file and its log. For tests of what must be gone.

use std::path::{Path, PathBuf};

use rusqlite::Connection;
use rusqlite::types::ValueRef;

/// Every place that holds the text, whatever its case; nothing if it is nowhere.
pub fn of(database: &Path, text: &str) -> Vec<String> {
    let mut found = in_bytes(database, text);
    let connection = Connection::open(database).expect("the file can be opened");
    found.extend(in_tables(&connection, text));
    found.extend(in_words(&connection, text));
    found
}

/// The database, its log and whatever else lies beside it under its name, byte by byte. Read before anybody opens it.
pub fn in_bytes(database: &Path, text: &str) -> Vec<String> {
    let files = beside(database).into_iter();
    let holds = |file: &PathBuf| has(&std::fs::read(file).expect("the file can be read"), text);
    files.filter(holds).map(|file| format!("bytes of {}", file.display())).collect()
}

fn beside(database: &Path) -> Vec<PathBuf> {
    let folder = database.parent().expect("a database lies in a folder");
    let name = database.file_name().expect("it has a name").to_string_lossy().into_owned();
    let entries = std::fs::read_dir(folder).expect("the folder can be read").filter_map(Result::ok);
    entries.map(|entry| entry.path()).filter(|path| path.to_string_lossy().contains(&name)).collect()
}

fn in_tables(connection: &Connection, text: &str) -> Vec<String> {
    let sql = "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'shadow')";
    let mut statement = connection.prepare(sql).expect("the schema can be read");
    let tables = statement.query_map([], |row| row.get::<_, String>(0)).expect("readable");
    let tables: Vec<String> = tables.collect::<Result<_, _>>().expect("readable");
    tables.iter().flat_map(|table| in_table(connection, table, text)).collect()
}

fn in_table(connection: &Connection, table: &str, text: &str) -> Vec<String> {
    let mut statement = connection.prepare(&format!("SELECT * FROM {table}")).expect("the table can be read");
    let names: Vec<String> = statement.column_names().map(str::to_owned).collect();
    let mut found = Vec::new();
    let mut rows = statement.query([]).expect("readable");
    while let Some(row) = rows.next().expect("readable") {
        for (place, name) in names.iter().enumerate() {
            let bytes = match row.get_ref(place).expect("a value") {
                ValueRef::Text(bytes) | ValueRef::Blob(bytes) => bytes,
                _ => continue,
            };
            if has(bytes, text) {
                found.push(format!("{table}.{name}: {}", String::from_utf8_lossy(bytes)));
            }
        }
    }
    found
}

/// Words of the full-text indexes that have the text in them.
fn in_words(connection: &Connection, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for index in ["memory_fts", "episode_fts", "turn_fts"] {
        let make = format!(
            "DROP TABLE IF EXISTS temp.words; CREATE VIRTUAL TABLE temp.words USING fts5vocab (main, {index}, 'instance')"
        );
        connection.execute_batch(&make).expect("the index's words can be listed");
        let sql = "SELECT term FROM temp.words WHERE instr(lower(term), lower(?1)) > 0";
        let mut statement = connection.prepare(sql).expect("readable");
        let words = statement.query_map([text], |row| row.get::<_, String>(0)).expect("readable");
        found.extend(words.map(|word| format!("{index}: {}", word.expect("a word"))));
    }
    found
}

fn has(bytes: &[u8], text: &str) -> bool {
    if text.is_empty() {
        return true;
    }
    bytes.windows(text.len()).any(|window| window.eq_ignore_ascii_case(text.as_bytes()))
}
