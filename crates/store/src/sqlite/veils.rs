//! What is forgotten of turns: kept beside them, so that every read of a turn gives what is left of it and an undo all of it.
//!
//! A veil's body says which parts of which turns it hides. Several veils may hide parts of one turn; the turn's text is what none
//! of them hides, and its words and vectors are those of that text. What is left is the core's to say ([`memory::write::veiled`]).

use std::collections::BTreeSet;
use std::ops::Range;

use memory::error::StoreResult;
use memory::types::{HiddenText, Record, RecordKind, RecordRef, Role, Veil};
use memory::write::{searchable, veiled};
use rusqlite::{OptionalExtension, params};

use super::apply::Applying;
use super::index::IndexWords;
use super::read::{all, given};
use super::{blocks, failed, index, unreadable};

/// Hides what a veil that was written says, and what it no longer says is told again.
pub fn keep(applying: &mut Applying<'_>, record: &Record) -> StoreResult<()> {
    let Record::Veil(veil) = record else { return Ok(()) };
    let id = veil.id.as_str();
    let mut turns = turns_under(applying, id)?;
    applying.execute("DELETE FROM veiled WHERE veil = ?1", [id])?;
    let sql = "INSERT OR REPLACE INTO veiled VALUES (?1, ?2, ?3, ?4)";
    for part in &veil.hidden {
        applying.execute(sql, params![part.turn.as_str(), id, part.start as i64, part.end as i64])?;
        turns.insert(part.turn.as_str().to_owned());
    }
    turns.iter().try_for_each(|turn| settle(applying, turn))
}

/// What a veil hid is told again.
pub fn lift(applying: &mut Applying<'_>, veil: &str) -> StoreResult<()> {
    let turns = turns_under(applying, veil)?;
    applying.execute("DELETE FROM veiled WHERE veil = ?1", [veil])?;
    turns.iter().try_for_each(|turn| settle(applying, turn))
}

/// What a veil hides goes out of the turns for good.
pub fn cut_hidden(applying: &mut Applying<'_>, veil: &str) -> StoreResult<()> {
    for turn in turns_under(applying, veil)? {
        let sql = "SELECT \"begin\", \"end\" FROM veiled WHERE turn = ?1 AND veil = ?2";
        let parts = all(applying.connection, sql, [turn.as_str(), veil], part)?;
        applying.execute("DELETE FROM veiled WHERE turn = ?1 AND veil = ?2", [turn.as_str(), veil])?;
        cut(applying, &turn, &parts)?;
    }
    Ok(())
}

/// Takes parts of what was said in a turn away for good. What other veils hide of it stays hidden.
pub fn cut(applying: &mut Applying<'_>, turn: &str, parts: &[Range<usize>]) -> StoreResult<()> {
    let Some(row) = turn_row(applying, turn)? else { return Ok(()) };
    let said = row.said.as_ref().unwrap_or(&row.text);
    let left = veiled::cut(said, parts);
    let sql = "SELECT veil, \"begin\", \"end\" FROM veiled WHERE turn = ?1";
    let others: Vec<(String, Range<usize>)> = all(applying.connection, sql, [turn], |row| {
        Ok((row.get(0)?, row.get::<_, i64>(1)? as usize..row.get::<_, i64>(2)? as usize))
    })?;
    applying.execute("DELETE FROM veiled WHERE turn = ?1", [turn])?;
    for (veil, hidden) in &others {
        let moved = veiled::moved(said, hidden, parts);
        if moved.is_empty() {
            continue;
        }
        let sql = "INSERT OR REPLACE INTO veiled VALUES (?1, ?2, ?3, ?4)";
        applying.execute(sql, params![turn, veil, moved.start as i64, moved.end as i64])?;
    }
    let named: BTreeSet<&String> = others.iter().map(|(veil, _)| veil).collect();
    named.into_iter().try_for_each(|veil| restate(applying, veil))?;
    // Of what was said nothing is left by which it could be known again.
    let sql = "UPDATE turn SET said = ?2, reply_hash = NULL WHERE row = ?1";
    applying.execute(sql, params![row.row, left])?;
    settle(applying, turn)?;
    others.into_iter().map(|(veil, _)| veil).try_for_each(|veil| purge_if_empty(applying, veil))
}

/// A turn goes for good, and with it what veils hid of it.
pub fn part_from(applying: &mut Applying<'_>, turn: &str) -> StoreResult<()> {
    let veils: Vec<String> =
        all(applying.connection, "SELECT DISTINCT veil FROM veiled WHERE turn = ?1", [turn], |row| {
            row.get(0)
        })?;
    applying.execute("DELETE FROM veiled WHERE turn = ?1", [turn])?;
    veils.into_iter().try_for_each(|veil| purge_if_empty(applying, veil))
}

/// A veil that hides nothing is none.
fn purge_if_empty(applying: &mut Applying<'_>, id: String) -> StoreResult<()> {
    let of = RecordRef { kind: RecordKind::Veil, id };
    let hides = {
        let mut statement =
            applying.connection.prepare_cached("SELECT 1 FROM veiled WHERE veil = ?1").map_err(failed)?;
        statement.exists([&of.id]).map_err(failed)?
    };
    if hides || applying.standing(&of)?.is_none() { Ok(()) } else { applying.purge(&of) }
}

/// A veil's body says what it hides as it lies now.
fn restate(applying: &Applying<'_>, id: &str) -> StoreResult<()> {
    let of = RecordRef { kind: RecordKind::Veil, id: id.to_owned() };
    let Some(standing) = applying.standing(&of)? else { return Ok(()) };
    let mut veil: Veil =
        serde_json::from_str(&standing.body).map_err(|error| unreadable("veil", id, &error))?;
    let sql = "SELECT \"begin\", \"end\", turn FROM veiled WHERE veil = ?1";
    veil.hidden = all(applying.connection, sql, [id], |row| {
        let part = part(row)?;
        Ok(HiddenText { turn: given(row, 2)?, start: part.start, end: part.end })
    })?;
    applying.write_body(&of, Some(&standing), &Record::from(veil).body()).map(drop)
}

/// A turn's row, as far as its text goes.
struct SpokenRow {
    row: i64,
    role: Role,
    speaker: Option<String>,
    text: String,
    said: Option<String>,
}

fn turn_row(applying: &Applying<'_>, turn: &str) -> StoreResult<Option<SpokenRow>> {
    let sql = "SELECT row, role, speaker, text, said FROM turn WHERE id = ?1";
    let mut statement = applying.connection.prepare_cached(sql).map_err(failed)?;
    let read = |row: &rusqlite::Row<'_>| {
        Ok(SpokenRow {
            row: row.get(0)?,
            role: row.get::<_, String>(1)?.parse().unwrap_or(Role::User),
            speaker: row.get(2)?,
            text: row.get(3)?,
            said: row.get(4)?,
        })
    };
    statement.query_row([turn], read).optional().map_err(failed)
}

/// Brings a turn's text, words and vectors in step with what is hidden of it.
fn settle(applying: &mut Applying<'_>, turn: &str) -> StoreResult<()> {
    let Some(SpokenRow { row, role, speaker, text, said }) = turn_row(applying, turn)? else { return Ok(()) };
    let sql = "SELECT \"begin\", \"end\" FROM veiled WHERE turn = ?1";
    let hidden = all(applying.connection, sql, [turn], part)?;
    let whole = said.clone().unwrap_or_else(|| text.clone());
    let told = veiled::cut(&whole, &hidden);
    let kept = (!hidden.is_empty()).then_some(&whole);
    if told == text && said.as_ref() == kept {
        return Ok(());
    }
    applying.execute("UPDATE turn SET text = ?2, said = ?3 WHERE row = ?1", params![row, told, kept])?;
    if told == text {
        return Ok(());
    }
    let spoken =
        if told.is_empty() { String::new() } else { searchable::spoken(role, speaker.as_deref(), &told) };
    index::put(applying.connection, "turn", row, &IndexWords::of(&spoken, &applying.tenant.analyser))?;
    applying.drop_vectors("turn", row)?;
    blocks::drop_made_from(applying, "turn", turn)?;
    applying.log_row("turn", turn, Some(row))
}

fn turns_under(applying: &Applying<'_>, veil: &str) -> StoreResult<BTreeSet<String>> {
    let found =
        all(applying.connection, "SELECT turn FROM veiled WHERE veil = ?1", [veil], |row| row.get(0))?;
    Ok(found.into_iter().collect())
}

fn part(row: &rusqlite::Row<'_>) -> rusqlite::Result<Range<usize>> {
    Ok(row.get::<_, i64>(0)? as usize..row.get::<_, i64>(1)? as usize)
}
