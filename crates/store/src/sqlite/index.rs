//! The words of documents, in step with the rows: what FTS5 indexes, how long each document is, and how many there are.
//!
//! A document is in the index while its record can be found (anything but `deleted`). Writing the same words again
//! touches nothing, so a change of metadata or of a counter never rewrites the index.

use memory::error::StoreResult;
use memory::text::{Analysed, Analyser};
use memory::types::Role;
use memory::write::searchable;
use rusqlite::{Connection, OptionalExtension, TransactionBehavior, params};

use super::failed;

/// A document's words, ready to be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexWords {
    pub surface: String,
    pub stems: String,
    pub length: i64,
}

impl IndexWords {
    pub fn of(text: &str, analyser: &Analyser) -> Self {
        let Analysed { surface, stems } = analyser.analyse(text);
        Self { surface: surface.join(" "), length: stems.len() as i64, stems: stems.join(" ") }
    }
}

/// Puts a document into the index, or replaces its words. Says whether anything changed.
pub fn put(connection: &Connection, table: &str, row: i64, words: &IndexWords) -> StoreResult<bool> {
    if let Some(old) = stored(connection, table, row)? {
        if old == *words {
            return Ok(false);
        }
        remove_words(connection, table, row, &old)?;
    }
    insert(connection, table, row, words)?;
    Ok(true)
}

/// Puts a document into the index that is known not to be there.
pub fn insert(connection: &Connection, table: &str, row: i64, words: &IndexWords) -> StoreResult<()> {
    let sql = format!("INSERT INTO {table}_doc (row, surface, stems, length) VALUES (?1, ?2, ?3, ?4)");
    let mut statement = connection.prepare_cached(&sql).map_err(failed)?;
    statement.execute(params![row, words.surface, words.stems, words.length]).map_err(failed)?;
    let sql = format!("INSERT INTO {table}_fts (rowid, surface, stems) VALUES (?1, ?2, ?3)");
    let mut statement = connection.prepare_cached(&sql).map_err(failed)?;
    statement.execute(params![row, words.surface, words.stems]).map_err(failed)?;
    count(connection, table, 1, words.length)
}

/// Takes a document out of the index; nothing happens if it is not there.
pub fn remove(connection: &Connection, table: &str, row: i64) -> StoreResult<bool> {
    let Some(words) = stored(connection, table, row)? else { return Ok(false) };
    remove_words(connection, table, row, &words)?;
    Ok(true)
}

fn remove_words(connection: &Connection, table: &str, row: i64, words: &IndexWords) -> StoreResult<()> {
    let sql =
        format!("INSERT INTO {table}_fts ({table}_fts, rowid, surface, stems) VALUES ('delete', ?1, ?2, ?3)");
    let mut statement = connection.prepare_cached(&sql).map_err(failed)?;
    statement.execute(params![row, words.surface, words.stems]).map_err(failed)?;
    let sql = format!("DELETE FROM {table}_doc WHERE row = ?1");
    connection.prepare_cached(&sql).and_then(|mut statement| statement.execute([row])).map_err(failed)?;
    count(connection, table, -1, -words.length)
}

fn stored(connection: &Connection, table: &str, row: i64) -> StoreResult<Option<IndexWords>> {
    let sql = format!("SELECT surface, stems, length FROM {table}_doc WHERE row = ?1");
    let mut statement = connection.prepare_cached(&sql).map_err(failed)?;
    let words = |row: &rusqlite::Row<'_>| {
        Ok(IndexWords { surface: row.get(0)?, stems: row.get(1)?, length: row.get(2)? })
    };
    statement.query_row([row], words).optional().map_err(failed)
}

fn count(connection: &Connection, table: &str, documents: i64, length: i64) -> StoreResult<()> {
    let sql = "UPDATE corpus SET documents = documents + ?2, total_length = total_length + ?3, changes = changes + 1
               WHERE name = ?1";
    let mut statement = connection.prepare_cached(sql).map_err(failed)?;
    statement.execute(params![table, documents, length]).map(drop).map_err(failed)
}

/// If the store was indexed by another analyser (an older version, other languages), splits every text anew, in one
/// transaction: whoever reads meanwhile sees the old index, and a crash leaves it.
pub fn bring_up_to_date(connection: &mut Connection, analyser: &Analyser) -> StoreResult<()> {
    let signature = analyser.signature();
    if indexed_by(connection)?.as_deref() == Some(signature.as_str()) {
        return Ok(());
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(failed)?;
    if indexed_by(&transaction)?.as_deref() != Some(signature.as_str()) {
        for table in ["memory", "episode", "turn"] {
            reindex(&transaction, table, analyser)?;
        }
        let sql = "INSERT OR REPLACE INTO meta VALUES ('analyser', ?1)";
        transaction.execute(sql, [&signature]).map_err(failed)?;
        tracing::info!(analyser = signature, "the words of all documents are indexed");
    }
    transaction.commit().map_err(failed)
}

fn indexed_by(connection: &Connection) -> StoreResult<Option<String>> {
    let sql = "SELECT value FROM meta WHERE name = 'analyser'";
    connection.query_row(sql, [], |row| row.get(0)).optional().map_err(failed)
}

fn reindex(connection: &Connection, table: &str, analyser: &Analyser) -> StoreResult<()> {
    let clear = format!(
        "INSERT INTO {table}_fts ({table}_fts) VALUES ('delete-all');
         DELETE FROM {table}_doc;
         UPDATE corpus SET documents = 0, total_length = 0 WHERE name = '{table}';"
    );
    connection.execute_batch(&clear).map_err(failed)?;
    let mut after = i64::MIN;
    loop {
        let texts = texts_after(connection, table, after, 500)?;
        let Some((last, _)) = texts.last() else { return Ok(()) };
        after = *last;
        for (row, text) in &texts {
            if let Some(text) = text {
                insert(connection, table, *row, &IndexWords::of(text, analyser))?;
            }
        }
    }
}

/// The searchable texts of the rows after `after`; `None` for a row that is not to be found.
fn texts_after(
    connection: &Connection,
    table: &str,
    after: i64,
    limit: i64,
) -> StoreResult<Vec<(i64, Option<String>)>> {
    if table == "turn" {
        let sql = "SELECT row, role, speaker, text FROM turn WHERE row > ?1 ORDER BY row LIMIT ?2";
        let mut statement = connection.prepare_cached(sql).map_err(failed)?;
        let rows = statement.query_map(params![after, limit], |row| {
            let role = row.get::<_, String>(1)?.parse().unwrap_or(Role::User);
            let speaker: Option<String> = row.get(2)?;
            let text: String = row.get(3)?;
            Ok((row.get(0)?, Some(searchable::spoken(role, speaker.as_deref(), &text))))
        });
        return rows.and_then(Iterator::collect).map_err(failed);
    }
    let sql = format!("SELECT row, body, status, id FROM {table} WHERE row > ?1 ORDER BY row LIMIT ?2");
    let mut statement = connection.prepare_cached(&sql).map_err(failed)?;
    let mut rows = statement.query(params![after, limit]).map_err(failed)?;
    let mut texts = Vec::new();
    while let Some(row) = rows.next().map_err(failed)? {
        let body: String = row.get(1).map_err(failed)?;
        let id: String = row.get(3).map_err(failed)?;
        let deleted = row.get::<_, String>(2).map_err(failed)? == "deleted";
        let text = match (deleted, table) {
            (true, _) => None,
            (false, "memory") => Some(searchable::memory(&parse(&body, "memory", &id)?)),
            (false, _) => Some(searchable::episode(&parse(&body, "episode", &id)?)),
        };
        texts.push((row.get(0).map_err(failed)?, text));
    }
    Ok(texts)
}

/// The searchable text of one row; `None` where it is not to be found.
pub fn text_at(connection: &Connection, table: &str, row: i64) -> StoreResult<Option<String>> {
    let found = texts_after(connection, table, row - 1, 1)?;
    Ok(found.into_iter().find(|(at, _)| *at == row).and_then(|(_, text)| text))
}

fn parse<T: serde::de::DeserializeOwned>(body: &str, what: &str, id: &str) -> StoreResult<T> {
    serde_json::from_str(body).map_err(|error| super::unreadable(what, id, &error))
}
