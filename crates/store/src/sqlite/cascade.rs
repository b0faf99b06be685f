//! Carries out what the core says goes along with something that goes ([`memory::forget::cascade`]): one statement or two for
//! each entry of the list. Nothing is decided here.

use memory::error::StoreResult;
use memory::forget::cascade::{self, Along};
use memory::types::{Override, RecordKind, RecordRef};

use super::apply::Applying;
use super::read::all;
use super::{archive, blocks, failed, feedback, history, index, table, unreadable, veils};

/// A record or a turn on its way out.
pub struct LeavingRecord<'a> {
    /// The name of its kind, which is its table's.
    pub kind: &'static str,
    pub id: &'a str,
    /// Nothing where it is not here; what hangs on it may be all the same.
    pub row: Option<i64>,
    /// The record as it stands.
    pub body: Option<&'a str>,
}

pub fn carry_out(applying: &mut Applying<'_>, gone: &LeavingRecord<'_>, list: &[Along]) -> StoreResult<()> {
    list.iter().try_for_each(|along| take(applying, gone, *along))
}

/// Takes a turn away with everything that hangs on it.
pub fn purge_turn(applying: &mut Applying<'_>, row: i64, id: &str) -> StoreResult<()> {
    let gone = LeavingRecord { kind: "turn", id, row: Some(row), body: None };
    carry_out(applying, &gone, cascade::WITH_TURN)?;
    applying.log_row("turn", id, Some(row))
}

fn take(applying: &mut Applying<'_>, gone: &LeavingRecord<'_>, along: Along) -> StoreResult<()> {
    let LeavingRecord { kind, id, row, body } = *gone;
    let delete = |sql: &str| applying.execute(sql, [id]).map(drop);
    match along {
        Along::Turns => turns(applying, id),
        Along::Blocks => {
            delete(
                "DELETE FROM derived WHERE child_kind = 'block' AND child IN (SELECT hash FROM block WHERE session = ?1)",
            )?;
            delete("DELETE FROM block WHERE session = ?1")
        }
        Along::JudgedWhere => feedback::purge_session(applying, id),
        Along::Records(kind) => records(applying, kind, id),
        Along::RepeatedText => repeated_text(applying, id, body),
        Along::BlockTexts => blocks::drop_made_from(applying, kind, id),
        Along::Counters => delete("DELETE FROM counter WHERE memory = ?1"),
        Along::Names => delete("DELETE FROM entity_name WHERE entity = ?1"),
        Along::Derivations => {
            applying.execute("DELETE FROM derived WHERE child = ?1 AND child_kind = ?2", [id, kind])?;
            applying
                .execute("DELETE FROM derived WHERE parent = ?1 AND parent_kind = ?2", [id, kind])
                .map(drop)
        }
        Along::ToldAgain => veils::lift(applying, id),
        Along::HiddenText => veils::cut_hidden(applying, id),
        Along::HiddenParts => veils::part_from(applying, id),
        Along::Archive => archive::purge(applying, id),
        Along::Judgements => feedback::purge(applying, id),
        Along::History => silence(applying, kind, id, row),
        Along::Words | Along::Vectors | Along::PendingMark | Along::RedoMark | Along::Row => {
            row.map_or(Ok(()), |row| at_row(applying, kind, row, along))
        }
    }
}

/// What is found by the thing's row.
fn at_row(applying: &mut Applying<'_>, kind: &str, row: i64, along: Along) -> StoreResult<()> {
    match along {
        Along::Words => index::remove(applying.connection, kind, row).map(drop),
        Along::Vectors => applying.drop_vectors(kind, row),
        Along::PendingMark => applying.execute("DELETE FROM pending WHERE turn_row = ?1", [row]).map(drop),
        Along::RedoMark => applying.execute("DELETE FROM redo WHERE session_row = ?1", [row]).map(drop),
        _ => {
            applying.execute(&format!("DELETE FROM {kind} WHERE row = ?1"), [row])?;
            applying.written.removed += 1;
            Ok(())
        }
    }
}

fn turns(applying: &mut Applying<'_>, session: &str) -> StoreResult<()> {
    let sql = "SELECT t.row, t.id FROM turn t JOIN session s ON s.row = t.session_row WHERE s.id = ?1";
    let found: Vec<(i64, String)> =
        all(applying.connection, sql, [session], |row| Ok((row.get(0)?, row.get(1)?)))?;
    found.iter().try_for_each(|(row, id)| purge_turn(applying, *row, id))
}

/// Purges the records of a kind that name the thing.
fn records(applying: &mut Applying<'_>, kind: RecordKind, of: &str) -> StoreResult<()> {
    let names_it = match kind {
        RecordKind::Link => "source = ?1 OR target = ?1",
        RecordKind::Relation => "subject = ?1 OR object = ?1",
        _ => "agent || char(31) || user || char(31) || session = ?1",
    };
    let sql = format!("SELECT id FROM {} WHERE {names_it}", table(kind));
    let ids: Vec<String> = all(applying.connection, &sql, [of], |row| row.get(0))?;
    ids.into_iter().try_for_each(|id| applying.purge(&RecordRef { kind, id }))
}

fn repeated_text(applying: &Applying<'_>, id: &str, body: Option<&str>) -> StoreResult<()> {
    let Some(body) = body else { return Ok(()) };
    let line: Override = serde_json::from_str(body).map_err(|error| unreadable("override", id, &error))?;
    blocks::drop_saying(applying, line.user.as_str(), &line.text)
}

/// History says that it went, and nothing of what it was.
fn silence(applying: &mut Applying<'_>, kind: &str, id: &str, row: Option<i64>) -> StoreResult<()> {
    let kind =
        kind.parse().map_err(|_| memory::error::StoreError::Failed(format!("{kind} has no history")))?;
    let of = RecordRef { kind, id: id.to_owned() };
    applying.record(&of, row, None)?;
    history::purge(applying.connection, &of)
}

/// Whether turns stand on a session's row.
pub fn has_turns(applying: &Applying<'_>, row: i64) -> StoreResult<bool> {
    let sql = "SELECT 1 FROM turn WHERE session_row = ?1";
    let mut statement = applying.connection.prepare_cached(sql).map_err(failed)?;
    statement.exists([row]).map_err(failed)
}
