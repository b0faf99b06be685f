//! Stored vectors, and the rows that an index lacks.

use memory::error::StoreResult;
use memory::ports::{Unindexed, UnindexedRow};
use memory::types::{Corpus, Episode, Memory, Role};
use memory::write::searchable;
use rusqlite::{Connection, params};

use super::rows::all;
use crate::sqlite::{corpus_table, scan, unreadable};

pub(super) fn unindexed(connection: &Connection, what: &Unindexed) -> StoreResult<Vec<UnindexedRow>> {
    match what {
        Unindexed::Words { corpus, after, limit } => {
            let rows = scan::out_of_step(connection, *corpus, *after, *limit)?;
            let bare = |row| UnindexedRow { row, id: String::new(), text: String::new() };
            Ok(rows.into_iter().map(bare).collect())
        }
        Unindexed::Vectors { corpus, signature, limit } => {
            let table = corpus_table(*corpus);
            let condition = format!(
                "NOT EXISTS (SELECT 1 FROM signature s JOIN {table}_vector v
                     ON v.place = r.row * 256 + s.id WHERE s.name = ?1)"
            );
            let rows = embeddable_rows(connection, *corpus, &condition, params![signature, *limit as i64])?;
            Ok(rows.into_iter().map(|(row, id, text)| UnindexedRow { row, id, text }).collect())
        }
    }
}

/// The rows after this one that have or should have vectors, with their ids and texts.
pub fn embeddable_after(
    connection: &Connection,
    corpus: Corpus,
    after: i64,
    limit: usize,
) -> StoreResult<Vec<(i64, String, String)>> {
    embeddable_rows(connection, corpus, "r.row > ?1", params![after, limit as i64])
}

fn embeddable_rows(
    connection: &Connection,
    corpus: Corpus,
    condition: &str,
    parameters: impl rusqlite::Params,
) -> StoreResult<Vec<(i64, String, String)>> {
    let table = corpus_table(corpus);
    let columns = if corpus == Corpus::Turns { "r.role, r.speaker, r.text" } else { "r.body, NULL, NULL" };
    let sql = format!(
        "SELECT r.row, r.id, {columns} FROM {table} r JOIN {table}_doc d ON d.row = r.row
         WHERE {condition} ORDER BY r.row LIMIT ?2"
    );
    let rows = all(connection, &sql, parameters, |row| {
        let text = |column| row.get::<_, Option<String>>(column);
        Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?, row.get::<_, String>(2)?, text(3)?, text(4)?))
    })?;
    let texts = rows.into_iter().map(|(row, id, first, speaker, text)| {
        embeddable(corpus, id, &first, speaker, text).map(|(id, text)| (row, id, text))
    });
    texts.collect()
}

/// The id and the text of a row that wants a vector.
fn embeddable(
    corpus: Corpus,
    id: String,
    first: &str,
    speaker: Option<String>,
    text: Option<String>,
) -> StoreResult<(String, String)> {
    let text = match corpus {
        Corpus::Turns => {
            let role = first.parse().unwrap_or(Role::User);
            searchable::spoken(role, speaker.as_deref(), &text.unwrap_or_default())
        }
        Corpus::Memories => {
            let memory: Memory =
                serde_json::from_str(first).map_err(|error| unreadable("memory", &id, &error))?;
            searchable::memory_meaning(&memory)
        }
        Corpus::Episodes => {
            let episode: Episode =
                serde_json::from_str(first).map_err(|error| unreadable("episode", &id, &error))?;
            searchable::episode(&episode)
        }
    };
    Ok((id, text))
}
