//! What memories said word for word, before upkeep shortened them.
//!
//! One text for each memory, with its hash: whoever asks for it later compares the two. Each time somebody does is written
//! down, because how long a text is kept counts from when it was last wanted. Who purges a memory purges this too.

use memory::error::StoreResult;
use memory::types::{ArchiveAccess, ArchivedText, MemoryId, RunId, content_hash};
use rusqlite::{Connection, params};

use super::apply::Applying;
use super::read::{all, given};

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

pub fn read(connection: &Connection, memory: &MemoryId) -> StoreResult<Option<ArchivedText>> {
    let sql = "SELECT memory, text, hash, archived_at, last_access_at FROM archive WHERE memory = ?1";
    let found = all(connection, sql, [memory.as_str()], |row| {
        let last: Option<String> = row.get(4)?;
        Ok(ArchivedText {
            memory: given(row, 0)?,
            text: row.get(1)?,
            hash: row.get(2)?,
            archived_at: given(row, 3)?,
            last_access_at: last.map(|_| given(row, 4)).transpose()?,
        })
    })?;
    Ok(found.into_iter().next())
}

pub fn accesses(connection: &Connection, memory: &MemoryId) -> StoreResult<Vec<ArchiveAccess>> {
    let sql = "SELECT memory, at, intact FROM archive_access WHERE memory = ?1 ORDER BY row";
    all(connection, sql, [memory.as_str()], |row| {
        Ok(ArchiveAccess { memory: given(row, 0)?, at: given(row, 1)?, intact: row.get(2)? })
    })
}
