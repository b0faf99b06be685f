//! What became of memories that were recalled: one row for each reply and source, and a tally beside the other counts.

use memory::error::StoreResult;
use memory::types::{FeedbackEntry, MemoryId};
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::apply::Applying;
use super::failed;
use super::read::{all, given, id_list};

/// Notes the judgement and counts it. The same source judging the same reply again changes its mind.
pub fn judge(applying: &mut Applying<'_>, entry: &FeedbackEntry) -> StoreResult<()> {
    if let Some(before) = take_before(applying, entry)? {
        count(applying, entry.memory.as_str(), &before, -1)?;
    }
    let sql = "INSERT INTO feedback (memory, judgement, by, session, turn, at)
               SELECT id, ?2, ?3, ?4, ?5, ?6 FROM memory WHERE id = ?1";
    let parameters = params![
        entry.memory.as_str(),
        entry.judgement.as_str(),
        entry.by.as_str(),
        entry.session.as_ref().map(ToString::to_string),
        entry.turn.as_ref().map(|turn| turn.as_str()),
        entry.at.to_string()
    ];
    match applying.execute(sql, parameters)? {
        0 => Ok(()),
        _ => count(applying, entry.memory.as_str(), entry.judgement.as_str(), 1),
    }
}

/// What the same source said of the same reply, taken away.
fn take_before(applying: &Applying<'_>, entry: &FeedbackEntry) -> StoreResult<Option<String>> {
    let Some(turn) = &entry.turn else { return Ok(None) };
    let sql = "DELETE FROM feedback WHERE turn = ?1 AND memory = ?2 AND by = ?3 RETURNING judgement";
    let mut statement = applying.connection.prepare_cached(sql).map_err(failed)?;
    let parameters = [turn.as_str(), entry.memory.as_str(), entry.by.as_str()];
    statement.query_row(parameters, |row| row.get(0)).optional().map_err(failed)
}

fn count(applying: &Applying<'_>, memory: &str, judgement: &str, by: i64) -> StoreResult<()> {
    let sql = format!(
        "INSERT INTO counter (memory, {judgement}) VALUES (?1, max(?2, 0))
         ON CONFLICT (memory) DO UPDATE SET {judgement} = max({judgement} + ?2, 0)"
    );
    applying.execute(&sql, params![memory, by]).map(drop)
}

pub fn of(connection: &Connection, memories: &[MemoryId], limit: usize) -> StoreResult<Vec<FeedbackEntry>> {
    let sql = "SELECT memory, judgement, by, session, turn, at FROM feedback
               WHERE memory IN (SELECT value FROM json_each(?1)) ORDER BY row DESC LIMIT ?2";
    let ids = id_list(memories.iter().map(|id| id.as_str()));
    all(connection, sql, params![ids, limit as i64], entry)
}

pub fn entry(row: &Row<'_>) -> rusqlite::Result<FeedbackEntry> {
    let known = |index: usize| row.get_ref(index).map(|value| value != rusqlite::types::ValueRef::Null);
    Ok(FeedbackEntry {
        memory: given(row, 0)?,
        judgement: given(row, 1)?,
        by: given(row, 2)?,
        session: if known(3)? { Some(given(row, 3)?) } else { None },
        turn: if known(4)? { Some(given(row, 4)?) } else { None },
        at: given(row, 5)?,
    })
}
