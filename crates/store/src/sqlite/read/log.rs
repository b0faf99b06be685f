//! The change log, which everything that is kept in memory follows, and the tenant's own settings, which follow it.

use std::collections::BTreeMap;

use memory::error::{StoreError, StoreResult};
use memory::limits;
use memory::ports::LogEntry;
use memory::types::HybridTime;
use rusqlite::{Connection, Row, params};

use super::rows::all;
use crate::control;
use crate::sqlite::connection::snapshot;
use crate::sqlite::{TenantInner, failed, history};

/// The changes after a number, or nothing when the log no longer reaches that far back.
pub(super) fn changes_since(
    connection: &Connection,
    number: u64,
    limit: usize,
) -> StoreResult<Option<Vec<LogEntry>>> {
    let limit = limit.min(limits::CHANGES_AT_ONCE) as i64;
    if !history::reaches_back(connection, number)? {
        return Ok(None);
    }
    // Whole commits only: a follower that stopped half-way through one would believe itself past it.
    let sql = "SELECT l.number, l.kind, l.id, i.name, l.clock
               FROM change_log l LEFT JOIN instance i ON i.id = l.instance WHERE l.number > ?1 AND l.number <=
                 coalesce((SELECT number FROM change_log WHERE number > ?1 ORDER BY number, ordinal LIMIT 1 OFFSET ?2), 9223372036854775807)
               ORDER BY l.number, l.ordinal";
    let entry = |row: &Row<'_>| {
        let clock: Option<i64> = row.get(4)?;
        Ok(LogEntry {
            number: row.get::<_, i64>(0)? as u64,
            kind: row.get(1)?,
            id: row.get(2)?,
            instance: row.get(3)?,
            clock: clock.map(|clock| HybridTime::from_number(clock as u64)),
        })
    };
    all(connection, sql, params![number as i64, (limit - 1).max(0)], entry).map(Some)
}

/// This tenant's own settings, read again only when the change log says that one changed.
pub(super) fn own_settings(
    connection: &Connection,
    inner: &TenantInner,
) -> StoreResult<BTreeMap<String, serde_json::Value>> {
    let _moment = snapshot(connection)?;
    let number = history::head(connection)?;
    let news = |after| Ok::<_, StoreError>((!setting_changed(connection, after)?).then_some(()));
    if !inner.settings.catch_up(number, news, |_, ()| ())? {
        let settings = control::read_settings(connection).map_err(failed)?;
        inner.settings.begin(number, settings);
    }
    Ok(inner.settings.look(Clone::clone).unwrap_or_default())
}

fn setting_changed(connection: &Connection, after: u64) -> StoreResult<bool> {
    if !history::reaches_back(connection, after)? {
        return Ok(true);
    }
    let sql = "SELECT 1 FROM change_log WHERE number > ?1 AND kind = 'setting'";
    connection.prepare_cached(sql).and_then(|mut statement| statement.exists([after as i64])).map_err(failed)
}
