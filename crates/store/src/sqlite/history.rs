//! What happened: the change log that followers read, and the history that undo and "what was known then" read.

use memory::error::StoreResult;
use memory::types::{Actor, HistoryEvent, HybridTime, Record, RecordRef, RunId, Time};
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::{failed, table, unreadable};

/// The last number of the change log.
pub fn head(connection: &Connection) -> StoreResult<u64> {
    let mut statement = connection.prepare_cached("SELECT max(number) FROM change_log").map_err(failed)?;
    let number: Option<i64> = statement.query_row([], |row| row.get(0)).map_err(failed)?;
    Ok(number.unwrap_or(0) as u64)
}

/// Whether the log still has everything after this number.
pub fn reaches_back(connection: &Connection, number: u64) -> StoreResult<bool> {
    let mut statement = connection.prepare_cached("SELECT min(number) FROM change_log").map_err(failed)?;
    let oldest: Option<i64> = statement.query_row([], |row| row.get(0)).map_err(failed)?;
    Ok(oldest.is_none_or(|oldest| number as i64 >= oldest - 1))
}

/// One row of history, as the store writes it.
pub struct HistoryRow<'a> {
    pub number: u64,
    pub ordinal: u32,
    pub at: &'a str,
    pub by: Actor,
    pub run: Option<&'a RunId>,
    pub reason: Option<&'a str>,
    pub of: &'a RecordRef,
    pub before: Option<&'a str>,
}

pub fn write(connection: &Connection, event: &HistoryRow<'_>) -> StoreResult<()> {
    let sql = "INSERT INTO history (number, ordinal, at, by, run, reason, kind, id, before)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
    let mut statement = connection.prepare_cached(sql).map_err(failed)?;
    let row = params![
        event.number as i64,
        event.ordinal,
        event.at,
        event.by.to_string(),
        event.run.map(RunId::as_str),
        event.reason,
        event.of.kind.as_str(),
        event.of.id,
        event.before
    ];
    statement.execute(row).map(drop).map_err(failed)
}

/// A row of history as another store had it.
pub struct ForeignHistoryRow<'a> {
    pub at: &'a str,
    pub by: Actor,
    pub run: Option<&'a RunId>,
    pub reason: Option<&'a str>,
    pub of: &'a RecordRef,
    pub before: Option<String>,
    pub purged: bool,
}

pub fn write_past(
    connection: &Connection,
    number: u64,
    ordinal: u32,
    past: &ForeignHistoryRow<'_>,
) -> StoreResult<()> {
    let event = HistoryRow {
        number,
        ordinal,
        at: past.at,
        by: past.by,
        run: past.run,
        reason: past.reason,
        of: past.of,
        before: past.before.as_deref(),
    };
    write(connection, &event)?;
    if !past.purged {
        return Ok(());
    }
    let sql = "UPDATE history SET purged = 1 WHERE number = ?1 AND ordinal = ?2";
    let mut statement = connection.prepare_cached(sql).map_err(failed)?;
    statement.execute(params![number as i64, ordinal]).map(drop).map_err(failed)
}

/// Where a commit is made, and when: the installation's number in this database and the hybrid clock.
#[derive(Debug, Clone, Copy)]
pub struct Stamp {
    instance: i64,
    clock: HybridTime,
}

/// The stamp of the commit that comes next: later than the last one's, whatever the wall clock says.
pub fn stamp(connection: &Connection, instance: &str, now: Time) -> StoreResult<Stamp> {
    let insert = "INSERT OR IGNORE INTO instance (name) VALUES (?1)";
    connection.prepare_cached(insert).and_then(|mut made| made.execute([instance])).map_err(failed)?;
    let number = "SELECT id FROM instance WHERE name = ?1";
    let mut number = connection.prepare_cached(number).map_err(failed)?;
    let instance: i64 = number.query_row([instance], |row| row.get(0)).map_err(failed)?;
    let last = "SELECT clock FROM change_log ORDER BY number DESC, ordinal DESC LIMIT 1";
    let mut last = connection.prepare_cached(last).map_err(failed)?;
    let last: Option<Option<i64>> = last.query_row([], |row| row.get(0)).optional().map_err(failed)?;
    let last = HybridTime::from_number(last.flatten().unwrap_or(0) as u64);
    Ok(Stamp { instance, clock: last.next(now) })
}

/// One entry of the change log.
pub struct Logged<'a> {
    pub number: u64,
    pub ordinal: u32,
    pub kind: &'a str,
    pub id: &'a str,
    pub row: Option<i64>,
}

pub fn log(connection: &Connection, entry: &Logged<'_>, stamp: Option<Stamp>) -> StoreResult<()> {
    let sql = "INSERT INTO change_log (number, ordinal, kind, id, row, instance, clock)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    let mut statement = connection.prepare_cached(sql).map_err(failed)?;
    let (instance, clock) =
        (stamp.map(|stamp| stamp.instance), stamp.map(|stamp| stamp.clock.number() as i64));
    let Logged { number, ordinal, kind, id, row } = entry;
    statement
        .execute(params![*number as i64, ordinal, kind, id, row, instance, clock])
        .map(drop)
        .map_err(failed)
}

/// What was said of a record goes; that something happened, and when, stays.
pub fn purge(connection: &Connection, of: &RecordRef) -> StoreResult<()> {
    let sql = "UPDATE history SET before = NULL, reason = NULL, purged = 1 WHERE id = ?1 AND kind = ?2";
    let mut statement = connection.prepare_cached(sql).map_err(failed)?;
    statement.execute(params![of.id, of.kind.as_str()]).map(drop).map_err(failed)
}

const COLUMNS: &str = "number, ordinal, at, by, run, reason, kind, id, before, purged";

/// A row of history with its place, before the body is parsed.
struct RawHistoryRow {
    number: i64,
    ordinal: i64,
    event: HistoryEvent,
    before: Option<String>,
}

pub fn of_record(connection: &Connection, of: &RecordRef) -> StoreResult<Vec<HistoryEvent>> {
    let sql = format!("SELECT {COLUMNS} FROM history WHERE id = ?1 AND kind = ?2 ORDER BY number, ordinal");
    let mut statement = connection.prepare_cached(&sql).map_err(failed)?;
    let rows = statement.query_map(params![of.id, of.kind.as_str()], raw).map_err(failed)?;
    let rows = rows.collect::<rusqlite::Result<Vec<_>>>().map_err(failed)?;
    finish(connection, rows)
}

fn raw(row: &Row<'_>) -> rusqlite::Result<RawHistoryRow> {
    let text = |index: usize| row.get::<_, String>(index);
    let kind = text(6)?.parse().map_err(|error| unusable(6, error))?;
    let of = RecordRef { kind, id: text(7)? };
    let by = serde_json::from_value(text(3)?.into()).map_err(|error| unusable(3, error))?;
    let run = row
        .get::<_, Option<String>>(4)?
        .map(|run| run.parse())
        .transpose()
        .map_err(|error| unusable(4, error))?;
    let event = HistoryEvent {
        number: row.get::<_, i64>(0)? as u64,
        at: text(2)?.parse().map_err(|error| unusable(2, error))?,
        by,
        run,
        reason: row.get(5)?,
        of,
        before: None,
        after: None,
        purged: row.get(9)?,
    };
    Ok(RawHistoryRow { number: row.get(0)?, ordinal: row.get(1)?, event, before: row.get(8)? })
}

fn unusable(column: usize, error: impl std::error::Error + Send + Sync + 'static) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(column, rusqlite::types::Type::Text, Box::new(error))
}

/// Parses the bodies and finds what came after each: the next event's `before`, or the record as it is now.
fn finish(connection: &Connection, rows: Vec<RawHistoryRow>) -> StoreResult<Vec<HistoryEvent>> {
    let mut events = Vec::with_capacity(rows.len());
    for row in rows {
        let mut event = row.event;
        if !event.purged {
            event.before = row.before.map(|body| parse(&event.of, &body)).transpose()?;
            event.after = after(connection, &event.of, row.number, row.ordinal)?;
        }
        events.push(event);
    }
    Ok(events)
}

fn after(connection: &Connection, of: &RecordRef, number: i64, ordinal: i64) -> StoreResult<Option<Record>> {
    let sql = "SELECT before FROM history WHERE id = ?1 AND kind = ?2 AND (number, ordinal) > (?3, ?4)
               ORDER BY number, ordinal LIMIT 1";
    let mut statement = connection.prepare_cached(sql).map_err(failed)?;
    let next: Option<Option<String>> = statement
        .query_row(params![of.id, of.kind.as_str(), number, ordinal], |row| row.get(0))
        .optional()
        .map_err(failed)?;
    let body = match next {
        Some(before) => before,
        None => {
            let sql = format!("SELECT body FROM {} WHERE id = ?1", table(of.kind));
            let mut statement = connection.prepare_cached(&sql).map_err(failed)?;
            statement.query_row([&of.id], |row| row.get(0)).optional().map_err(failed)?
        }
    };
    body.map(|body: String| parse(of, &body)).transpose()
}

fn parse(of: &RecordRef, body: &str) -> StoreResult<Record> {
    Record::from_body(of.kind, body).map_err(|error| unreadable(of.kind.as_str(), &of.id, &error))
}
