//! The change log, which everything that is kept in memory follows, and the tenant's own settings, which follow it.

use std::collections::BTreeMap;

use memory::error::StoreResult;
use memory::limits;
use memory::ports::LogEntry;
use rusqlite::{Connection, Row, params};

use super::rows::all;
use crate::control;
use crate::sqlite::{Inner, failed, history, locked};

/// The changes after a number, or nothing when the log no longer reaches that far back.
pub(super) fn changes_since(
    connection: &Connection,
    number: u64,
    limit: usize,
) -> StoreResult<Option<Vec<LogEntry>>> {
    let limit = limit.min(limits::CHANGES_AT_ONCE) as i64;
    let oldest: Option<i64> =
        connection.query_row("SELECT min(number) FROM change_log", [], |row| row.get(0)).map_err(failed)?;
    if oldest.is_some_and(|oldest| (number as i64) < oldest - 1) {
        return Ok(None);
    }
    // Whole commits only: a follower that stopped half-way through one would believe itself past it.
    let sql = "SELECT number, kind, id FROM change_log WHERE number > ?1 AND number <=
                 coalesce((SELECT number FROM change_log WHERE number > ?1 ORDER BY number, ordinal LIMIT 1 OFFSET ?2), 9223372036854775807)
               ORDER BY number, ordinal";
    let entry = |row: &Row<'_>| {
        Ok(LogEntry { number: row.get::<_, i64>(0)? as u64, kind: row.get(1)?, id: row.get(2)? })
    };
    all(connection, sql, params![number as i64, (limit - 1).max(0)], entry).map(Some)
}

/// This tenant's own settings, read again only when the change log says that one changed.
pub(super) fn own_settings(
    connection: &Connection,
    inner: &Inner,
) -> StoreResult<BTreeMap<String, serde_json::Value>> {
    let number = history::head(connection)?;
    let mut kept = locked(&inner.settings);
    if let Some((at, settings)) = kept.as_mut()
        && (*at == number || !setting_changed(connection, *at)?)
    {
        *at = number;
        return Ok(settings.clone());
    }
    let settings = control::read_settings(connection).map_err(failed)?;
    *kept = Some((number, settings.clone()));
    Ok(settings)
}

fn setting_changed(connection: &Connection, after: u64) -> StoreResult<bool> {
    let sql = "SELECT 1 FROM change_log WHERE number > ?1 AND kind = 'setting'";
    connection.prepare_cached(sql).and_then(|mut statement| statement.exists([after as i64])).map_err(failed)
}
