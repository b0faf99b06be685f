//! What only a purge does to a tenant's tables: text goes out of what stays, and every corner is looked into.
//!
//! `apply` takes whole records away; this file does the changes of [`Erasure`], and reads what no other read shows: the
//! bodies that history keeps of records that may be long gone. What the files themselves still hold after that is `erase`'s.

use memory::error::{StoreError, StoreResult};
use memory::types::{Erasure, Expect, Node, PastChange, Record, RecordKind, RecordRef};
use memory::write;
use rusqlite::{Connection, params};

use super::apply::Applying;
use super::read::{all, given, id_list};
use super::{archive, blocks, failed, history, table, unreadable, veils};

pub fn erase(applying: &mut Applying<'_>, what: &Erasure) -> StoreResult<()> {
    match what {
        Erasure::Rewrite { record, expect } => rewrite(applying, record.clone(), *expect),
        Erasure::Past { events } => past(applying, events),
        Erasure::Archive { memory } => archive::purge(applying, memory.as_str()),
        Erasure::Blocks { hashes } => drop_blocks(applying, hashes),
        Erasure::Said { turn, parts } => veils::cut(applying, turn.as_str(), parts),
        Erasure::Details { containing } => blank_details(applying, containing),
    }
}

/// Written like any record, and then its history says no more than that it was written.
fn rewrite(applying: &mut Applying<'_>, record: Record, expect: Expect) -> StoreResult<()> {
    let of = record.reference();
    applying.put(record, expect, None)?;
    if matches!(of.kind, RecordKind::Memory | RecordKind::Episode) {
        blocks::drop_made_from(applying, table(of.kind), &of.id)?;
    }
    history::purge(applying.connection, &of)
}

fn past(applying: &mut Applying<'_>, events: &[(u64, u32)]) -> StoreResult<()> {
    let sql =
        "UPDATE history SET before = NULL, reason = NULL, purged = 1 WHERE number = ?1 AND ordinal = ?2";
    for (number, ordinal) in events {
        let gone = applying.execute(sql, params![*number as i64, ordinal])?;
        applying.written.removed += gone as u64;
    }
    Ok(())
}

fn drop_blocks(applying: &mut Applying<'_>, hashes: &[String]) -> StoreResult<()> {
    let sql = "UPDATE block SET body = NULL WHERE hash IN (SELECT value FROM json_each(?1))";
    let dropped = applying.execute(sql, [id_list(hashes.iter().map(String::as_str))])?;
    applying.written.removed += dropped as u64;
    Ok(())
}

/// Errors and logs are written by others, in words that nobody checked. What says too much is taken back whole.
fn blank_details(applying: &mut Applying<'_>, containing: &[String]) -> StoreResult<()> {
    for text in containing.iter().filter(|text| !text.is_empty()) {
        for sql in [
            "UPDATE pending SET last_error = NULL WHERE instr(lower(last_error), lower(?1)) > 0",
            "UPDATE redo SET last_error = NULL WHERE instr(lower(last_error), lower(?1)) > 0",
            "UPDATE processing SET body = json_remove(body, '$.detail')
             WHERE instr(lower(body ->> '$.detail'), lower(?1)) > 0",
            "UPDATE history SET reason = NULL WHERE instr(lower(reason), lower(?1)) > 0",
        ] {
            applying.execute(sql, [text])?;
        }
    }
    Ok(())
}

/// What is made from something that was purged meanwhile is not taken in: who made it read it before, and must look again.
pub fn must_stand(applying: &Applying<'_>, parents: &[Node]) -> StoreResult<()> {
    for parent in parents {
        let Some(of) = write::must_stand(parent) else { continue };
        let sql = format!("SELECT 1 FROM {} WHERE id = ?1", parent.kind());
        let mut statement = applying.connection.prepare_cached(&sql).map_err(failed)?;
        if !statement.exists([parent.id()]).map_err(failed)? {
            let expected = format!("the {} that it was made from", parent.kind());
            return Err(StoreError::Conflict { of, expected, found: "nothing".to_owned() });
        }
    }
    Ok(())
}

/// Events that still say something, after this one.
pub fn past_after(connection: &Connection, after: (u64, u32), limit: usize) -> StoreResult<Vec<PastChange>> {
    let sql = "SELECT number, ordinal, kind, id, before, reason FROM history
               WHERE (number, ordinal) > (?1, ?2) AND (before IS NOT NULL OR reason IS NOT NULL)
               ORDER BY number, ordinal LIMIT ?3";
    let rows = all(connection, sql, params![after.0 as i64, after.1, limit as i64], |row| {
        let of = RecordRef { kind: given(row, 2)?, id: row.get(3)? };
        let number = row.get::<_, i64>(0)? as u64;
        Ok((number, row.get(1)?, of, row.get::<_, Option<String>>(4)?, row.get(5)?))
    })?;
    let read = |(number, ordinal, of, before, reason): (u64, u32, RecordRef, Option<String>, _)| {
        let body = |body: String| {
            Record::from_body(of.kind, &body).map_err(|error| unreadable(of.kind.as_str(), &of.id, &error))
        };
        Ok(PastChange { number, ordinal, before: before.map(body).transpose()?, of, reason })
    };
    rows.into_iter().map(read).collect()
}
