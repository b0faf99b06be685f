//! Appending to conversations, and what waits to be distilled from them.

use memory::error::{StoreError, StoreResult};
use memory::types::{Expect, RecordRef, Role, Session, SessionKey, Time, Turn, TurnId, content_hash};
use memory::write;
use rusqlite::{OptionalExtension, params};

use super::apply::{Applying, PreparedText};
use super::{cascade, failed, index, unreadable};

/// A session as an append needs it.
struct SessionPlace {
    row: i64,
    next_index: i64,
    last_turn_at: String,
    /// The session had ended: the first turn that is really new reopens it.
    ended: bool,
}

pub fn append(
    applying: &mut Applying<'_>,
    turns: &[Turn],
    texts: &[PreparedText],
    pending: bool,
) -> StoreResult<()> {
    let mut at: Option<(&SessionKey, SessionPlace)> = None;
    for (place, (turn, text)) in turns.iter().zip(texts).enumerate() {
        let same = at.as_ref().is_some_and(|(key, _)| **key == turn.session);
        if !same {
            save_place(applying, at.take())?;
            at = Some((&turn.session, open_session(applying, &turns[place..])?));
        }
        let (_, place) = at.as_mut().expect("set just above");
        append_one(applying, turn, text, place, pending)?;
    }
    save_place(applying, at)
}

fn append_one(
    applying: &mut Applying<'_>,
    turn: &Turn,
    text: &PreparedText,
    place: &mut SessionPlace,
    pending: bool,
) -> StoreResult<()> {
    if let Some(external_id) = &turn.external_id {
        let sql = "SELECT 1 FROM turn WHERE session_row = ?1 AND external_id = ?2";
        let mut statement = applying.connection.prepare_cached(sql).map_err(failed)?;
        if statement.exists(params![place.row, external_id]).map_err(failed)? {
            applying.written.known_turns += 1;
            return Ok(());
        }
    }
    if place.ended && write::reopens(applying.batch.by) {
        reopen(applying, &turn.session.to_string())?;
        place.ended = false;
    }
    let index = place.next_index;
    let row = insert(applying, turn, place.row, index, Some(text))?;
    if pending {
        let sql = "INSERT INTO pending (turn_row, session_row, since) VALUES (?1, ?2, ?3)";
        applying.execute(sql, params![row, place.row, applying.at])?;
    }
    place.next_index += 1;
    place.last_turn_at = turn.at.to_string().max(std::mem::take(&mut place.last_turn_at));
    Ok(())
}

/// Writes a turn at its place in its session, with its words and its vector, and notes it in the log.
pub fn insert(
    applying: &mut Applying<'_>,
    turn: &Turn,
    session_row: i64,
    index: i64,
    text: Option<&PreparedText>,
) -> StoreResult<i64> {
    let sql = "INSERT INTO turn (id, session_row, idx, external_id, role, speaker, text, tokens, at, partial, reply_hash)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)";
    let reply_hash = (turn.role == Role::Assistant).then(|| content_hash(&turn.text));
    let parameters = params![
        turn.id.as_str(),
        session_row,
        index,
        turn.external_id,
        turn.role.as_str(),
        turn.speaker,
        turn.text,
        turn.tokens,
        turn.at.to_string(),
        turn.partial,
        reply_hash
    ];
    let mut statement = applying.connection.prepare_cached(sql).map_err(failed)?;
    let row = statement.insert(parameters).map_err(|error| known_id(&turn.id, error))?;
    if let Some(text) = text {
        index::insert(applying.connection, "turn", row, &text.words)?;
        if let Some(vector) = &text.vector {
            applying.keep_vector("turn", row, vector)?;
        }
    }
    applying.log_row("turn", turn.id.as_str(), Some(row))?;
    applying.written.turns.push(turn.id.clone());
    Ok(row)
}

fn known_id(id: &TurnId, error: rusqlite::Error) -> StoreError {
    if error.sqlite_error_code() != Some(rusqlite::ErrorCode::ConstraintViolation) {
        return failed(error);
    }
    memory::error::Invalid::field("id", format!("the turn {id} is already there; expected a new id")).into()
}

/// Finds the session of the first of these turns, or makes it where it is new.
fn open_session(applying: &mut Applying<'_>, turns: &[Turn]) -> StoreResult<SessionPlace> {
    let turn = &turns[0];
    let key = turn.session.to_string();
    let sql =
        "SELECT row, next_index, coalesce(last_turn_at, ''), ended_at IS NOT NULL FROM session WHERE id = ?1";
    let find = |applying: &Applying<'_>| {
        let mut statement = applying.connection.prepare_cached(sql).map_err(failed)?;
        let place = |row: &rusqlite::Row<'_>| {
            Ok(SessionPlace {
                row: row.get(0)?,
                next_index: row.get(1)?,
                last_turn_at: row.get(2)?,
                ended: row.get(3)?,
            })
        };
        statement.query_row([&key], place).optional().map_err(failed)
    };
    if let Some(place) = find(applying)? {
        return Ok(place);
    }
    let beginning = turns.iter().take_while(|other| other.session == turn.session).count();
    let session = Session {
        brought: write::brought(&turns[..beginning]),
        ..Session::new(&turn.session.owner(), turn.session.session.clone(), turn.at)
    };
    applying.put(session.into(), Expect::Absent, None)?;
    find(applying)?.ok_or_else(|| StoreError::Failed("the session just made is not there".into()))
}

fn reopen(applying: &mut Applying<'_>, key: &str) -> StoreResult<()> {
    let mut statement =
        applying.connection.prepare_cached("SELECT body FROM session WHERE id = ?1").map_err(failed)?;
    let body: String = statement.query_row([key], |row| row.get(0)).map_err(failed)?;
    let mut session: Session =
        serde_json::from_str(&body).map_err(|error| unreadable("session", key, &error))?;
    session.ended_at = None;
    let expect = Expect::Version(session.version);
    applying.put(session.into(), expect, None)
}

/// What is said in the session teaches its agent alone, from now on.
pub fn bind_session(applying: &mut Applying<'_>, key: &SessionKey) -> StoreResult<()> {
    let Some(standing) = applying.standing(&RecordRef::session(key))? else { return Ok(()) };
    let mut session: Session = serde_json::from_str(&standing.body)
        .map_err(|error| unreadable("session", &key.to_string(), &error))?;
    if session.agent_only {
        return Ok(());
    }
    session.agent_only = true;
    applying.put(session.into(), Expect::Version(standing.version), None)
}

fn save_place(applying: &Applying<'_>, at: Option<(&SessionKey, SessionPlace)>) -> StoreResult<()> {
    let Some((_, place)) = at else { return Ok(()) };
    let sql = "UPDATE session SET next_index = ?2, last_turn_at = ?3 WHERE row = ?1";
    applying.execute(sql, params![place.row, place.next_index, place.last_turn_at]).map(drop)
}

/// The rows of turns, by their ids.
fn turn_row(applying: &Applying<'_>, id: &TurnId) -> StoreResult<Option<i64>> {
    let mut statement =
        applying.connection.prepare_cached("SELECT row FROM turn WHERE id = ?1").map_err(failed)?;
    statement.query_row([id.as_str()], |row| row.get(0)).optional().map_err(failed)
}

/// One that is not here is noted all the same, as with records: a backup may still have it.
pub fn purge(applying: &mut Applying<'_>, turns: &[TurnId]) -> StoreResult<()> {
    for id in turns {
        match turn_row(applying, id)? {
            Some(row) => cascade::purge_turn(applying, row, id.as_str())?,
            None => applying.log("turn", id.as_str())?,
        }
    }
    Ok(())
}

pub fn clear_pending(applying: &mut Applying<'_>, turns: &[TurnId]) -> StoreResult<()> {
    for id in turns {
        if let Some(row) = turn_row(applying, id)? {
            let cleared = applying.execute("DELETE FROM pending WHERE turn_row = ?1", [row])?;
            if cleared > 0 {
                applying.log("pending", id.as_str())?;
            }
        }
    }
    Ok(())
}

pub fn fail_pending(applying: &mut Applying<'_>, turns: &[TurnId], error: &str, cap: u32) -> StoreResult<()> {
    let sql = "UPDATE pending SET failures = failures + 1, last_error = ?2, dead = (failures + 1 >= ?3) WHERE turn_row = ?1";
    for id in turns {
        if let Some(row) = turn_row(applying, id)? {
            applying.execute(sql, params![row, error, cap])?;
            applying.log("pending", id.as_str())?;
        }
    }
    Ok(())
}

pub fn revive_pending(applying: &mut Applying<'_>, session: &SessionKey) -> StoreResult<()> {
    let sql = "UPDATE pending SET failures = 0, dead = 0
               WHERE dead AND session_row = (SELECT row FROM session WHERE id = ?1)";
    if applying.execute(sql, [session.to_string()])? > 0 {
        applying.log("pending", &session.to_string())?;
    }
    let sql = "UPDATE redo SET failures = 0, dead = 0
               WHERE dead AND session_row = (SELECT row FROM session WHERE id = ?1)";
    applying.execute(sql, [session.to_string()]).map(drop)
}

pub fn put_redo(
    applying: &mut Applying<'_>,
    session: &SessionKey,
    since: Time,
    error: Option<&str>,
) -> StoreResult<()> {
    let sql = "INSERT INTO redo (session_row, since, last_error) SELECT row, ?2, ?3 FROM session WHERE id = ?1
               ON CONFLICT (session_row) DO UPDATE SET last_error = coalesce(excluded.last_error, last_error)";
    applying.execute(sql, params![session.to_string(), since.to_string(), error]).map(drop)
}

pub fn fail_redo(
    applying: &mut Applying<'_>,
    session: &SessionKey,
    error: &str,
    cap: u32,
) -> StoreResult<()> {
    let sql = "UPDATE redo SET failures = failures + 1, last_error = ?2, dead = (failures + 1 >= ?3)
               WHERE session_row = (SELECT row FROM session WHERE id = ?1)";
    applying.execute(sql, params![session.to_string(), error, cap]).map(drop)
}

pub fn clear_redo(applying: &mut Applying<'_>, session: &SessionKey) -> StoreResult<()> {
    let sql = "DELETE FROM redo WHERE session_row = (SELECT row FROM session WHERE id = ?1)";
    applying.execute(sql, [session.to_string()]).map(drop)
}
