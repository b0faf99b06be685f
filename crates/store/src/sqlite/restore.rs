//! Takes in what another store held, as it was there: ids, versions, times and places are kept.
//!
//! What is here already stays as it is and the item counts as known, so that taking the same things in again, after a crash or
//! by mistake, changes nothing. Each item says what became of it in [`memory::types::Written`]; only the store's own failures stop
//! the batch. `beside` takes in what stands beside records.
//!
//! A record that comes in under a run leaves an event of that run, by which the run can be undone. Where the record brought its
//! history with it, that event says that it was before what it is now: nothing happened to it but the move, and what was known
//! when is still told from the events before. Without a run nothing is left: the store is as the other one was.

mod beside;

use std::sync::Arc;

use memory::error::{StoreError, StoreResult};
use memory::types::{Actor, Batch, Item, Memory, Record, RecordRef, RestoredItem, Status, Written};
use memory::write::{self, LastEvent};
use rusqlite::{OptionalExtension, params};

use super::apply::{Applying, Prepared, PreparedText, apply};
use super::{Tenant, failed, table};

impl Tenant {
    /// What a batch would come to: it is done and rolled back. Vectors are not made for it.
    pub async fn try_out(&self, batch: Batch) -> StoreResult<Written> {
        memory::validate::batch(&batch)?;
        let (inner, prepared) = (Arc::clone(&self.inner), Prepared::new(batch, &self.inner.analyser));
        let tried = tokio::task::spawn_blocking(move || {
            let connection = inner.writer.lock();
            connection.execute_batch("BEGIN IMMEDIATE").map_err(failed)?;
            let written = apply(&inner, &connection, &prepared);
            connection.execute_batch("ROLLBACK").map_err(failed)?;
            written
        });
        tried.await.map_err(|error| StoreError::Failed(error.to_string()))?
    }
}

pub fn restore(
    applying: &mut Applying<'_>,
    item: &Item,
    unite: bool,
    text: Option<&PreparedText>,
) -> StoreResult<()> {
    let restored = match item {
        Item::Record { value, next_index } => record(applying, value, *next_index, unite, text)?,
        Item::History { .. } => history(applying, item)?,
        other => beside::restore(applying, other, text)?,
    };
    applying.written.restored.push(restored);
    Ok(())
}

fn record(
    applying: &mut Applying<'_>,
    record: &Record,
    next_index: Option<u64>,
    unite: bool,
    text: Option<&PreparedText>,
) -> StoreResult<RestoredItem> {
    let of = record.reference();
    if applying.standing(&of)?.is_some() {
        return Ok(RestoredItem::Known);
    }
    if let Record::Memory(memory) = record
        && unite
        && memory.status == Status::Active
        && let Some(standing) = applying.like(memory)?
    {
        return united(applying, standing, memory, text);
    }
    if let Some(what) = missing(applying, record)? {
        return Ok(RestoredItem::Missing { what });
    }
    let mut record = record.clone();
    write::settle(&mut record, &applying.tenant.id);
    let body = record.body();
    let row = match applying.write_body(&of, None, &body) {
        Ok(row) => row,
        Err(StoreError::Conflict { .. }) => {
            return Ok(RestoredItem::Taken { what: write::why_taken(&record) });
        }
        Err(error) => return Err(error),
    };
    applying.keep_index(&record, row, text)?;
    applying.keep_names(&record)?;
    super::veils::keep(applying, &record)?;
    if let Record::Session(session) = &record {
        let next = next_index.unwrap_or(0) as i64;
        let last = (next > 0).then(|| session.last_turn_at.to_string());
        let sql = "UPDATE session SET next_index = ?2, last_turn_at = ?3 WHERE row = ?1";
        applying.execute(sql, params![row, next, last])?;
    }
    arrive(applying, &of, row, record.version(), &body)?;
    applying.written.records.push((of, record.version()));
    Ok(RestoredItem::New)
}

/// Writes down that a record came in: for those who follow the log and, under a run, for whoever takes the run back.
fn arrive(
    applying: &mut Applying<'_>,
    of: &RecordRef,
    row: i64,
    version: u64,
    body: &str,
) -> StoreResult<()> {
    if applying.batch.run.is_none() {
        return applying.log_row(of.kind.as_str(), &of.id, Some(row));
    }
    let before = leads_here(applying, of, version)?.then_some(body);
    applying.record(of, Some(row), before)
}

/// Whether the last thing that is known to have happened to the record made it this version.
fn leads_here(applying: &Applying<'_>, of: &RecordRef, version: u64) -> StoreResult<bool> {
    let sql = "SELECT by, before ->> '$.version', purged FROM history WHERE id = ?1 AND kind = ?2
               ORDER BY number DESC, ordinal DESC LIMIT 1";
    let mut statement = applying.connection.prepare_cached(sql).map_err(failed)?;
    let last = statement.query_row(params![of.id, of.kind.as_str()], |row| {
        Ok((row.get::<_, String>(0)?, row.get::<_, Option<i64>>(1)?, row.get::<_, bool>(2)?))
    });
    let Some((by, before, purged)) = last.optional().map_err(failed)? else { return Ok(false) };
    let by_import = by == Actor::Import.to_string();
    let before = before.map(|before| before.max(0) as u64);
    Ok(write::leads_to(LastEvent { by_import, before, purged }, version))
}

/// Gives the memory that is here the other's tags.
fn united(
    applying: &mut Applying<'_>,
    standing: Memory,
    other: &Memory,
    text: Option<&PreparedText>,
) -> StoreResult<RestoredItem> {
    let id = standing.id.clone();
    if let Some(wider) = write::unite(&standing, other, applying.batch.at) {
        // Same content, same meaning.
        applying.put_merged(wider, text.and_then(|text| text.vector.clone()))?;
    }
    Ok(RestoredItem::SameAs { id })
}

/// What the record cannot be without.
fn missing(applying: &Applying<'_>, record: &Record) -> StoreResult<Option<String>> {
    for of in write::ends(record) {
        if !is_known(applying, &of)? {
            return Ok(Some(of.to_string()));
        }
    }
    Ok(None)
}

/// Whether the record is here, or was and could come back.
pub fn is_known(applying: &Applying<'_>, of: &RecordRef) -> StoreResult<bool> {
    let sql = format!(
        "SELECT 1 FROM {} WHERE id = ?1 UNION ALL SELECT 1 FROM history WHERE id = ?1 AND kind = ?2 LIMIT 1",
        table(of.kind)
    );
    let mut statement = applying.connection.prepare_cached(&sql).map_err(failed)?;
    statement.exists(params![of.id, of.kind.as_str()]).map_err(failed)
}

/// What happened to a record elsewhere. It comes before the record; once that is here, what happened to it is known.
fn history(applying: &mut Applying<'_>, item: &Item) -> StoreResult<RestoredItem> {
    let Item::History { place, at, by, run, reason, of, before, purged } = item else {
        return Err(StoreError::Failed("only a piece of history is taken in as one".into()));
    };
    let sql = "SELECT count(*) FROM history WHERE id = ?1 AND kind = ?2";
    let mut statement = applying.connection.prepare_cached(sql).map_err(failed)?;
    let here: i64 =
        statement.query_row(params![of.id, of.kind.as_str()], |row| row.get(0)).map_err(failed)?;
    if here as u64 != *place || applying.standing(of)?.is_some() {
        return Ok(RestoredItem::Known);
    }
    let mut before = before.clone();
    if let Some(Record::Memory(memory)) = before.as_deref_mut() {
        memory.tenant = applying.tenant.id.clone();
    }
    let event = super::history::ForeignHistoryRow {
        at: &at.to_string(),
        by: *by,
        run: run.as_ref(),
        reason: reason.as_deref(),
        of,
        before: before.map(|before| before.body()),
        purged: *purged,
    };
    applying.past(&event)?;
    Ok(RestoredItem::New)
}
