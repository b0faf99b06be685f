//! A small database as SQL, as the fixtures of old schema versions are kept: readable in a review, and made into a
//! database again by any SQLite.

use rusqlite::Connection;
use rusqlite::types::ValueRef;

/// Everything that makes the database again. Virtual tables make their own shadow tables, which are then emptied and
/// filled with the rows that were there.
pub fn dump(connection: &Connection) -> String {
    let mut lines = vec![
        "-- A database of this schema version, written once by crates/store/tests/all/migrations.rs."
            .to_owned(),
        "PRAGMA foreign_keys = OFF;".to_owned(),
        "BEGIN;".to_owned(),
    ];
    let shadow = "(SELECT name FROM pragma_table_list WHERE type = 'shadow' OR name LIKE 'sqlite_%')";
    let made = |which: &str| {
        let sql = "SELECT sql || ';' FROM sqlite_schema WHERE sql IS NOT NULL";
        texts(connection, &format!("{sql} AND {which} AND name NOT IN {shadow} ORDER BY rowid"))
    };
    lines.extend(made("type <> 'trigger'"));
    let filled = "SELECT name FROM pragma_table_list WHERE type IN ('table', 'shadow') AND schema = 'main'
                  AND name <> 'sqlite_schema' ORDER BY name";
    for table in texts(connection, filled) {
        lines.push(format!("DELETE FROM {table};"));
        lines.extend(rows(connection, &table));
    }
    // After the rows, whose consequences are among the rows already.
    lines.extend(made("type = 'trigger'"));
    lines.push(format!("PRAGMA user_version = {};", user_version(connection)));
    lines.push("COMMIT;\n".to_owned());
    lines.join("\n")
}

pub fn user_version(connection: &Connection) -> i64 {
    connection.query_row("PRAGMA user_version", [], |row| row.get(0)).expect("every database has a version")
}

/// The first column of a query.
pub fn texts(connection: &Connection, sql: &str) -> Vec<String> {
    let mut statement = connection.prepare(sql).expect("the schema can be read");
    let rows = statement.query_map([], |row| row.get(0)).expect("the schema can be read");
    rows.collect::<Result<_, _>>().expect("the schema can be read")
}

fn rows(connection: &Connection, table: &str) -> Vec<String> {
    // Generated columns cannot be written.
    let columns = format!("SELECT name FROM pragma_table_xinfo('{table}') WHERE hidden = 0");
    let columns = texts(connection, &columns).join(", ");
    let select = format!("SELECT {columns} FROM {table}");
    let mut statement = connection.prepare(&select).expect("the table can be read");
    let count = statement.column_count();
    let insert = |row: &rusqlite::Row<'_>| {
        let values: Vec<String> =
            (0..count).map(|place| row.get_ref(place).map(literal)).collect::<Result<_, _>>()?;
        Ok(format!("INSERT INTO {table} ({columns}) VALUES ({});", values.join(", ")))
    };
    let rows = statement.query_map([], insert).expect("the table can be read");
    rows.collect::<Result<_, _>>().expect("the table can be read")
}

fn literal(value: ValueRef<'_>) -> String {
    match value {
        ValueRef::Null => "NULL".to_owned(),
        ValueRef::Integer(number) => number.to_string(),
        ValueRef::Real(number) => format!("{number:?}"),
        ValueRef::Text(text) => {
            // The separator in a session's name is a control character, which a file for people should not contain.
            let text =
                String::from_utf8_lossy(text).replace('\'', "''").replace('\u{1f}', "' || char(31) || '");
            format!("'{text}'")
        }
        ValueRef::Blob(bytes) => {
            format!("X'{}'", bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>())
        }
    }
}
