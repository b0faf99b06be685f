//! Whether every record can be read, is what its hash says, and belongs to this tenant; and the rows that are to be put aside.

use memory::checkup::{CheckSelection, Finding};
use memory::error::StoreResult;
use memory::limits;
use memory::types::{Aside, Block, Record, RecordKind, Role, Time, TurnId, content_hash};
use rusqlite::types::ValueRef;
use rusqlite::{Row, params};
use serde_json::json;

use super::{CheckupContext, count, named, row_name, rows};
use crate::sqlite::apply::Applying;
use crate::sqlite::{failed, table};

/// A row that does not belong where it is, whole, so that it can be put aside.
#[derive(Debug, Clone)]
pub struct Stray {
    pub code: &'static str,
    pub kind: Aside,
    pub row: i64,
    /// What the row holds, as far as it can be said in text.
    pub body: String,
}

/// Which rows are wrong in a table of records.
fn records(
    look: &CheckupContext<'_>,
    kind: RecordKind,
    found: &mut impl FnMut(i64, &str),
) -> StoreResult<u64> {
    let mut statement =
        look.connection.prepare(&format!("SELECT row, body FROM {}", table(kind))).map_err(failed)?;
    let mut rows = statement.query([]).map_err(failed)?;
    let mut looked_at = 0;
    while let Some(row) = rows.next().map_err(failed)? {
        looked_at += 1;
        let body = text(row, 1)?;
        if Record::from_body(kind, &body).is_err() {
            found(row.get(0).map_err(failed)?, &body);
        }
    }
    Ok(looked_at)
}

/// A column as text, whatever is in it.
fn text(row: &Row<'_>, column: usize) -> StoreResult<String> {
    Ok(match row.get_ref(column).map_err(failed)? {
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => String::from_utf8_lossy(bytes).into_owned(),
        ValueRef::Integer(number) => number.to_string(),
        ValueRef::Real(number) => number.to_string(),
        ValueRef::Null => String::new(),
    })
}

/// Everything that cannot be read.
fn each_unreadable(
    look: &CheckupContext<'_>,
    found: &mut impl FnMut(Aside, i64, String),
) -> StoreResult<u64> {
    let mut looked_at = 0;
    for kind in RecordKind::ALL {
        looked_at +=
            records(look, *kind, &mut |row, body| found(Aside::Record(*kind), row, body.to_owned()))?;
    }
    looked_at += turns(look, found)?;
    let mut statement =
        look.connection.prepare("SELECT body, hash FROM block WHERE body IS NOT NULL").map_err(failed)?;
    let mut blocks = statement.query([]).map_err(failed)?;
    let mut place = 0;
    while let Some(row) = blocks.next().map_err(failed)? {
        looked_at += 1;
        place += 1;
        let body = text(row, 0)?;
        if serde_json::from_str::<Block>(&body).is_err() {
            found(Aside::Block, place, body);
        }
    }
    let sql = "SELECT number, ordinal, kind, before FROM history WHERE before IS NOT NULL AND NOT purged";
    let mut statement = look.connection.prepare(sql).map_err(failed)?;
    let mut history = statement.query([]).map_err(failed)?;
    while let Some(row) = history.next().map_err(failed)? {
        looked_at += 1;
        let body = text(row, 3)?;
        let kind = text(row, 2)?.parse::<RecordKind>();
        if kind.map_or(true, |kind| Record::from_body(kind, &body).is_err()) {
            let (number, ordinal) = (row.get(0).map_err(failed)?, row.get(1).map_err(failed)?);
            found(Aside::History(ordinal), number, body);
        }
    }
    Ok(looked_at)
}

fn turns(look: &CheckupContext<'_>, found: &mut impl FnMut(Aside, i64, String)) -> StoreResult<u64> {
    let mut statement = look.connection.prepare("SELECT row, id, role, at FROM turn").map_err(failed)?;
    let mut turns = statement.query([]).map_err(failed)?;
    let (mut looked_at, mut wrong) = (0, Vec::new());
    while let Some(row) = turns.next().map_err(failed)? {
        looked_at += 1;
        let reads = text(row, 1)?.parse::<TurnId>().is_ok()
            && text(row, 2)?.parse::<Role>().is_ok()
            && text(row, 3)?.parse::<Time>().is_ok();
        if !reads {
            wrong.push(row.get(0).map_err(failed)?);
        }
    }
    for row in wrong {
        found(Aside::Turn, row, turn_body(look, row)?);
    }
    Ok(looked_at)
}

fn turn_body(look: &CheckupContext<'_>, row: i64) -> StoreResult<String> {
    let sql = "SELECT id, session_row, idx, role, speaker, text, at FROM turn WHERE row = ?1";
    let mut statement = look.connection.prepare(sql).map_err(failed)?;
    let mut found = statement.query([row]).map_err(failed)?;
    let Some(turn) = found.next().map_err(failed)? else { return Ok(String::new()) };
    let field = |column| text(turn, column);
    let body = json!({
        "id": field(0)?, "session_row": field(1)?, "index": field(2)?, "role": field(3)?, "speaker": field(4)?,
        "text": field(5)?, "at": field(6)?,
    });
    Ok(body.to_string())
}

pub fn unreadable(look: &CheckupContext<'_>) -> StoreResult<Vec<Finding>> {
    let mut finding = Finding::new("body.unreadable", 0);
    finding.of = each_unreadable(look, &mut |kind, row, _| finding.add(row_name(&kind, row)))?;
    Ok(finding.found().into_iter().collect())
}

pub fn hashes(look: &CheckupContext<'_>) -> StoreResult<Vec<Finding>> {
    let mut finding = Finding::new("hash.wrong", count(look.connection, "memory")?);
    for (_, id, _) in wrong_hashes(look.connection)? {
        finding.add(id);
    }
    Ok(finding.found().into_iter().collect())
}

/// Rows and ids of memories whose hash is not that of what they say, with the right one.
fn wrong_hashes(connection: &rusqlite::Connection) -> StoreResult<Vec<(i64, String, String)>> {
    let sql = "SELECT row, id, body ->> '$.content', content_hash FROM memory WHERE json_type(body, '$.content') = 'text'";
    let mut statement = connection.prepare(sql).map_err(failed)?;
    let mut memories = statement.query([]).map_err(failed)?;
    let mut wrong = Vec::new();
    while let Some(row) = memories.next().map_err(failed)? {
        let (right, stands) = (content_hash(&text(row, 2)?), text(row, 3)?);
        if right != stands {
            wrong.push((row.get(0).map_err(failed)?, text(row, 1)?, right));
        }
    }
    Ok(wrong)
}

pub fn mend_hashes(applying: &mut Applying<'_>) -> StoreResult<()> {
    for (row, id, right) in wrong_hashes(applying.connection)? {
        let sql = "UPDATE memory SET body = json_set(body, '$.content_hash', ?2) WHERE row = ?1";
        applying.execute(sql, params![row, right])?;
        applying.log_row("memory", &id, Some(row))?;
    }
    Ok(())
}

pub fn archives(look: &CheckupContext<'_>) -> StoreResult<Vec<Finding>> {
    let mut finding = Finding::new("archive.damaged", count(look.connection, "archive")?);
    for (memory, _, _) in damaged_archives(look.connection)? {
        finding.add(memory);
    }
    Ok(finding.found().into_iter().collect())
}

/// Memories whose archived words do not fit their hash, with the words and the hash.
fn damaged_archives(connection: &rusqlite::Connection) -> StoreResult<Vec<(String, String, String)>> {
    let sql = "SELECT memory, text, hash FROM archive ORDER BY memory";
    let all = rows(connection, sql, [], |row| {
        Ok((row.get(0)?, row.get::<_, String>(1)?, row.get::<_, String>(2)?))
    })?;
    Ok(all.into_iter().filter(|(_, text, hash)| content_hash(text) != *hash).collect())
}

/// What history still has of the words takes their place; what it has nothing of goes.
pub fn mend_archives(applying: &mut Applying<'_>) -> StoreResult<()> {
    for (memory, _, hash) in damaged_archives(applying.connection)? {
        let sql =
            "SELECT before ->> '$.content' FROM history WHERE id = ?1 AND kind = 'memory' AND NOT purged
                   AND json_valid(before) ORDER BY number DESC, ordinal DESC";
        let kept = rows(applying.connection, sql, [&memory], |row| row.get::<_, Option<String>>(0))?;
        match kept.into_iter().flatten().find(|content| content_hash(content) == hash) {
            Some(content) => {
                applying.execute("UPDATE archive SET text = ?2 WHERE memory = ?1", [&memory, &content])?
            }
            None => applying.execute("DELETE FROM archive WHERE memory = ?1", [&memory])?,
        };
    }
    Ok(())
}

const FOREIGN: &str = "json_valid(body) AND body ->> '$.tenant' <> ?1";

pub fn foreign(look: &CheckupContext<'_>) -> StoreResult<Vec<Finding>> {
    let sql = format!("SELECT id FROM memory WHERE {FOREIGN} ORDER BY row");
    let mut found = named(look, "isolation.rows", "memory", &sql, [look.tenant.as_str()])?;
    for finding in found.iter_mut().filter(|finding| is_renamed(finding.count, finding.of)) {
        finding.left_to_people = finding.count;
        finding.detail =
            Some("most records say so: the file was probably renamed, and is left as it is".to_owned());
    }
    Ok(found)
}

/// Whether it is the file that lies in the wrong place, and not the rows.
fn is_renamed(foreign: u64, of: u64) -> bool {
    foreign * 2 > of && of > 1
}

/// All rows that are to be put aside, as far as they are chosen.
pub fn strays(look: &CheckupContext<'_>, choice: &CheckSelection) -> StoreResult<Vec<Stray>> {
    let mut strays: Vec<Stray> = Vec::new();
    if choice.has("body.unreadable") {
        each_unreadable(look, &mut |kind, row, body| {
            strays.push(Stray { code: "body.unreadable", kind, row, body });
        })?;
    }
    if choice.has("orphans.turns") {
        for row in rows(look.connection, super::orphans::TURNS, [], |row| row.get::<_, i64>(0))? {
            let body = turn_body(look, row)?;
            strays.push(Stray { code: "orphans.turns", kind: Aside::Turn, row, body });
        }
    }
    if choice.has("isolation.rows") {
        let sql = format!("SELECT row, body FROM memory WHERE {FOREIGN} ORDER BY row");
        let all = rows(look.connection, &sql, [look.tenant.as_str()], |row| Ok((row.get(0)?, row.get(1)?)))?;
        if !is_renamed(all.len() as u64, count(look.connection, "memory")?) {
            let kind = Aside::Record(RecordKind::Memory);
            strays.extend(all.into_iter().map(|(row, body)| Stray {
                code: "isolation.rows",
                kind: kind.clone(),
                row,
                body,
            }));
        }
    }
    if choice.has("archive.damaged") {
        for (place, (memory, text, hash)) in damaged_archives(look.connection)?.into_iter().enumerate() {
            let body = json!({ "memory": memory, "text": text, "hash": hash }).to_string();
            strays.push(Stray { code: "archive.damaged", kind: Aside::Archive, row: place as i64 + 1, body });
        }
    }
    strays.dedup_by(|left, right| left.kind == right.kind && left.row == right.row);
    strays.truncate(limits::BATCH_CHANGES / 2);
    Ok(strays)
}
