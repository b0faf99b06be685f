//! What waits: turns for a pass, and sessions to be learned anew.

use memory::error::StoreResult;
use memory::limits;
use memory::ports::WaitingSession;
use memory::types::{PendingTurn, RedoEntry};
use rusqlite::{Connection, Row, params};

use super::rows::{all, at_most, given, session_key};

const PENDING: &str = "SELECT t.id, s.agent, s.user, s.session, p.since, p.failures, p.last_error, p.dead
    FROM pending p JOIN turn t ON t.row = p.turn_row JOIN session s ON s.row = p.session_row";

fn pending_turn(row: &Row<'_>) -> rusqlite::Result<PendingTurn> {
    Ok(PendingTurn {
        turn: given(row, 0)?,
        session: session_key(row, 1)?,
        since: given(row, 4)?,
        failures: row.get(5)?,
        last_error: row.get(6)?,
        dead: row.get(7)?,
    })
}

pub(super) fn pending(connection: &Connection, limit: usize) -> StoreResult<Vec<PendingTurn>> {
    let sql = format!("{PENDING} ORDER BY p.dead, p.turn_row LIMIT ?1");
    all(connection, &sql, [at_most(limit)], pending_turn)
}

pub(super) fn pending_of(connection: &Connection, key: &str) -> StoreResult<Vec<PendingTurn>> {
    let sql = format!("{PENDING} WHERE s.id = ?1 ORDER BY p.turn_row LIMIT ?2");
    all(connection, &sql, params![key, limits::READ_IDS as i64], pending_turn)
}

pub(super) fn waiting_sessions(connection: &Connection, limit: usize) -> StoreResult<Vec<WaitingSession>> {
    let sql =
        "SELECT s.agent, s.user, s.session, min(p.since), coalesce(s.last_turn_at, s.started_at), count(*)
               FROM pending p JOIN session s ON s.row = p.session_row WHERE NOT p.dead
               GROUP BY p.session_row ORDER BY min(p.since), p.session_row LIMIT ?1";
    all(connection, sql, [at_most(limit)], |row| {
        Ok(WaitingSession {
            session: session_key(row, 0)?,
            since: given(row, 3)?,
            last_turn_at: given(row, 4)?,
            turns: row.get::<_, i64>(5)? as u64,
        })
    })
}

pub(super) fn redo(connection: &Connection, limit: usize) -> StoreResult<Vec<RedoEntry>> {
    let sql = "SELECT s.agent, s.user, s.session, r.since, r.failures, r.last_error, r.dead
               FROM redo r JOIN session s ON s.row = r.session_row
               ORDER BY r.since, r.session_row LIMIT ?1";
    all(connection, sql, [at_most(limit)], |row| {
        Ok(RedoEntry {
            session: session_key(row, 0)?,
            since: given(row, 3)?,
            failures: row.get(4)?,
            last_error: row.get(5)?,
            dead: row.get(6)?,
        })
    })
}
