//! Whether what can be found has its words in the index, the right ones, and nothing else has; and whether the full-text index holds
//! exactly those words.
//!
//! FTS5 can compare itself with its table, but as a write. Here both sides are summed up instead: every occurrence of a word adds its
//! hash, and the two sums agree only where the words do. That needs no memory, locks nobody, and reads each row once.

use std::hash::{DefaultHasher, Hash, Hasher};

use memory::checkup::Finding;
use memory::error::StoreResult;
use memory::types::{Corpus, Episode, Memory, Role};
use memory::write::searchable;
use rusqlite::Connection;

use super::{CheckupContext, TABLES, count, rows};
use crate::sqlite::apply::Applying;
use crate::sqlite::index::IndexWords;
use crate::sqlite::{corpus_table, failed, scan};

/// Rows whose words are out of step, by what is wrong with them.
#[derive(Default)]
struct OutOfStep {
    missing: Vec<(i64, String)>,
    stray: Vec<i64>,
    wrong: Vec<(i64, String)>,
}

pub fn words(look: &CheckupContext<'_>) -> StoreResult<Vec<Finding>> {
    let mut total = 0;
    for table in TABLES {
        total += count(look.connection, table)?;
    }
    let finding = |code| Finding::new(code, total);
    let [mut missing, mut stray, mut wrong] =
        ["index.missing-words", "index.stray-words", "index.wrong-words"].map(finding);
    for table in TABLES {
        let found = out_of_step(look.connection, look.analyser, table)?;
        found.missing.into_iter().for_each(|(_, id)| missing.add(id));
        found.stray.into_iter().for_each(|row| stray.add(format!("{table} row {row}")));
        found.wrong.into_iter().for_each(|(_, id)| wrong.add(id));
    }
    Ok([missing, stray, wrong].into_iter().filter_map(Finding::found).collect())
}

fn out_of_step(
    connection: &Connection,
    analyser: &memory::text::Analyser,
    table: &str,
) -> StoreResult<OutOfStep> {
    let mut found = OutOfStep::default();
    let gone = if table == "turn" { "r.row IS NULL" } else { "(r.row IS NULL OR r.status = 'deleted')" };
    let sql = format!(
        "SELECT d.row FROM {table}_doc d LEFT JOIN {table} r ON r.row = d.row WHERE {gone} ORDER BY d.row"
    );
    found.stray = rows(connection, &sql, [], |row| row.get(0))?;
    let (columns, stands) = match table {
        "turn" => ("r.role, r.speaker, r.text", "1"),
        _ => ("r.body, NULL, NULL", "r.status <> 'deleted'"),
    };
    let sql = format!(
        "SELECT r.row, r.id, d.surface, d.stems, d.length, {columns} FROM {table} r
         LEFT JOIN {table}_doc d ON d.row = r.row WHERE {stands} ORDER BY r.row"
    );
    let mut statement = connection.prepare(&sql).map_err(failed)?;
    let mut all = statement.query([]).map_err(failed)?;
    while let Some(row) = all.next().map_err(failed)? {
        // What cannot be read is another check's.
        let Some(text) = text_of(table, row).map_err(failed)? else { continue };
        let place = (row.get(0).map_err(failed)?, row.get(1).map_err(failed)?);
        let Some(surface) = row.get::<_, Option<String>>(2).map_err(failed)? else {
            found.missing.push(place);
            continue;
        };
        let stored =
            IndexWords { surface, stems: row.get(3).map_err(failed)?, length: row.get(4).map_err(failed)? };
        if stored != IndexWords::of(&text, analyser) {
            found.wrong.push(place);
        }
    }
    Ok(found)
}

fn text_of(table: &str, row: &rusqlite::Row<'_>) -> rusqlite::Result<Option<String>> {
    let first: String = row.get(5)?;
    Ok(match table {
        "memory" => serde_json::from_str::<Memory>(&first).ok().map(|memory| searchable::memory(&memory)),
        "episode" => {
            serde_json::from_str::<Episode>(&first).ok().map(|episode| searchable::episode(&episode))
        }
        _ => {
            let (speaker, text): (Option<String>, String) = (row.get(6)?, row.get(7)?);
            let role = first.parse().unwrap_or(Role::User);
            Some(searchable::spoken(role, speaker.as_deref(), &text))
        }
    })
}

pub fn index(look: &CheckupContext<'_>) -> StoreResult<Vec<Finding>> {
    let mut finding = Finding::new("index.damaged", TABLES.len() as u64);
    for table in TABLES {
        if !is_in_step(look.connection, table) {
            finding.add(format!("{table}_fts"));
        }
    }
    Ok(finding.found().into_iter().collect())
}

/// Whether the full-text index holds the words of its documents and no others. One that cannot be read does not.
fn is_in_step(connection: &Connection, table: &str) -> bool {
    matches!((sum_of_index(connection, table), sum_of_documents(connection, table)), (Ok(left), Ok(right)) if left == right)
}

fn hashed(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Sums of the words' and of the rows' hashes.
fn sum_of_index(connection: &Connection, table: &str) -> StoreResult<(u64, u64)> {
    let (mut words, mut documents) = (0u64, 0u64);
    let mut statement =
        connection.prepare(&format!("SELECT term, col, cnt FROM {table}_vocab")).map_err(failed)?;
    let mut terms = statement.query([]).map_err(failed)?;
    while let Some(row) = terms.next().map_err(failed)? {
        let (term, column): (String, String) = (row.get(0).map_err(failed)?, row.get(1).map_err(failed)?);
        let times = row.get::<_, i64>(2).map_err(failed)? as u64;
        words = words.wrapping_add(hashed((term.as_str(), column.as_str())).wrapping_mul(times));
    }
    for row in
        rows(connection, &format!("SELECT id FROM {table}_fts_docsize"), [], |row| row.get::<_, i64>(0))?
    {
        documents = documents.wrapping_add(hashed(row));
    }
    Ok((words, documents))
}

fn sum_of_documents(connection: &Connection, table: &str) -> StoreResult<(u64, u64)> {
    let (mut words, mut documents) = (0u64, 0u64);
    let mut statement =
        connection.prepare(&format!("SELECT row, surface, stems FROM {table}_doc")).map_err(failed)?;
    let mut all = statement.query([]).map_err(failed)?;
    while let Some(row) = all.next().map_err(failed)? {
        documents = documents.wrapping_add(hashed(row.get::<_, i64>(0).map_err(failed)?));
        for (place, column) in [(1, "surface"), (2, "stems")] {
            let text: String = row.get(place).map_err(failed)?;
            for word in tokens(&text) {
                words = words.wrapping_add(hashed((word.as_str(), column)));
            }
        }
    }
    Ok((words, documents))
}

/// A text as FTS5's `ascii` tokenizer splits it: at everything in ASCII that is no letter or digit.
fn tokens(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|character: char| character.is_ascii() && !character.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_ascii_lowercase)
}

pub fn mend_words(applying: &mut Applying<'_>) -> StoreResult<()> {
    for corpus in Corpus::ALL {
        let found = out_of_step(applying.connection, &applying.tenant.analyser, corpus_table(*corpus))?;
        let readable = found.missing.into_iter().chain(found.wrong).map(|(row, _)| row);
        let rows: Vec<i64> = readable.chain(found.stray).collect();
        scan::reindex(applying, *corpus, &rows)?;
    }
    // Words were taken out of an index that may never have had them.
    mend_index(applying)
}

pub fn mend_index(applying: &mut Applying<'_>) -> StoreResult<()> {
    for table in TABLES {
        if is_in_step(applying.connection, table) {
            continue;
        }
        let sql = format!("INSERT INTO {table}_fts ({table}_fts) VALUES ('rebuild')");
        applying.connection.execute_batch(&sql).map_err(failed)?;
        applying.log("index", table)?;
    }
    Ok(())
}
