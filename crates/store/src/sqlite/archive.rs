//! What memories said word for word, before upkeep shortened them.
//!
//! One text for each memory, with its hash: whoever asks for it later compares the two. Each time somebody does is written
//! down, because how long a text is kept counts from when it was last wanted. Who purges a memory purges this too.

use memory::error::StoreResult;
use memory::limits;
use memory::types::{ArchivedText, Item, MemoryId, RunId, content_hash};
use rusqlite::{Connection, Row, params};

use super::apply::Applying;
use super::read::{all, given, id_list};

pub fn put(applying: &Applying<'_>, memory: &MemoryId, text: &str) -> StoreResult<()> {
    let sql =
        "INSERT OR IGNORE INTO archive (memory, text, hash, archived_at, run) VALUES (?1, ?2, ?3, ?4, ?5)";
    let run = applying.batch.run.as_ref().map(RunId::as_str);
    applying.execute(sql, params![memory.as_str(), text, content_hash(text), applying.at, run]).map(drop)
}

pub fn log_access(applying: &Applying<'_>, memory: &MemoryId, intact: bool) -> StoreResult<()> {
    let sql = "INSERT INTO archive_access (memory, at, intact) VALUES (?1, ?2, ?3)";
    applying.execute(sql, params![memory.as_str(), applying.at, intact])?;
    let sql = "UPDATE archive SET last_access_at = ?2 WHERE memory = ?1";
    applying.execute(sql, params![memory.as_str(), applying.at]).map(drop)
}

/// Called when the memory is purged.
pub fn purge(applying: &Applying<'_>, memory: &str) -> StoreResult<()> {
    applying.execute("DELETE FROM archive WHERE memory = ?1", [memory])?;
    applying.execute("DELETE FROM archive_access WHERE memory = ?1", [memory])?;
    applying.execute("DELETE FROM counted WHERE memory = ?1", [memory]).map(drop)
}

const COLUMNS: &str = "a.memory, a.text, a.hash, a.archived_at, a.last_access_at, a.run";

pub fn of(connection: &Connection, memories: &[MemoryId]) -> StoreResult<Vec<Item>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM json_each(?1) j CROSS JOIN archive a ON a.memory = j.value ORDER BY j.key"
    );
    all(connection, &sql, [id_list(memories.iter().map(MemoryId::as_str))], item)
}

pub fn after(connection: &Connection, memory: &str, limit: usize) -> StoreResult<Vec<Item>> {
    let sql = format!("SELECT {COLUMNS} FROM archive a WHERE a.memory > ?1 ORDER BY a.memory LIMIT ?2");
    all(connection, &sql, params![memory, limit.min(limits::PAGE_ROWS) as i64], item)
}

fn item(row: &Row<'_>) -> rusqlite::Result<Item> {
    let (last, run): (Option<String>, Option<String>) = (row.get(4)?, row.get(5)?);
    let value = ArchivedText {
        memory: given(row, 0)?,
        text: row.get(1)?,
        hash: row.get(2)?,
        archived_at: given(row, 3)?,
        last_access_at: last.map(|_| given(row, 4)).transpose()?,
    };
    Ok(Item::Archive { value, run: run.map(|_| given(row, 5)).transpose()? })
}
