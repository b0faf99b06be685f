//! Sessions and their turns.

use memory::error::StoreResult;
use memory::ports::TurnPlace;
use memory::types::{Filter, Page, PageRequest, Role, Session, Turn};
use rusqlite::types::Value;
use rusqlite::{Connection, Row, params};

use super::rows::{all, at_most, body, given, page, session_key};
use crate::sqlite::filter::Condition;

pub(in crate::sqlite) const TURN_COLUMNS: &str = "t.row, t.id, t.external_id, s.agent, s.user, s.session, t.idx, t.role, t.speaker, t.text, t.tokens, t.at, t.partial";

/// Sessions carry the moment of their last turn beside the body.
const SESSION_BODY: &str =
    "json_set(x.body, '$.last_turn_at', coalesce(x.last_turn_at, x.body ->> '$.last_turn_at'))";

/// A turn out of [`TURN_COLUMNS`], with its row.
pub(in crate::sqlite) fn turn(row: &Row<'_>) -> rusqlite::Result<(i64, Turn)> {
    let turn = Turn {
        id: given(row, 1)?,
        external_id: row.get(2)?,
        session: session_key(row, 3)?,
        index: row.get::<_, i64>(6)? as u64,
        role: row.get::<_, String>(7)?.parse().unwrap_or(Role::User),
        speaker: row.get(8)?,
        text: row.get(9)?,
        tokens: row.get(10)?,
        at: given(row, 11)?,
        partial: row.get(12)?,
    };
    Ok((row.get(0)?, turn))
}

/// The turns whose column has one of these values, in the order of the values.
pub(super) fn turns_by(connection: &Connection, column: &str, values: &str) -> StoreResult<Vec<(i64, Turn)>> {
    let sql = format!(
        "SELECT {TURN_COLUMNS} FROM json_each(?1) j CROSS JOIN turn t ON t.{column} = j.value
         CROSS JOIN session s ON s.row = t.session_row ORDER BY j.key"
    );
    all(connection, &sql, [values], turn)
}

pub(super) fn neighbours(connection: &Connection, rows: &str, radius: u64) -> StoreResult<Vec<TurnPlace>> {
    let sql = "SELECT DISTINCT n.id, n.row, s.agent, s.user, s.session, n.idx, n.role, n.speaker, n.at
               FROM json_each(?1) j CROSS JOIN turn t ON t.row = j.value
               CROSS JOIN turn n ON n.session_row = t.session_row AND n.idx BETWEEN t.idx - ?2 AND t.idx + ?2
               CROSS JOIN session s ON s.row = n.session_row ORDER BY n.row";
    all(connection, sql, params![rows, radius as i64], |row| {
        Ok(TurnPlace {
            id: given(row, 0)?,
            row: row.get(1)?,
            session: session_key(row, 2)?,
            index: row.get::<_, i64>(5)? as u64,
            role: row.get::<_, String>(6)?.parse().unwrap_or(Role::User),
            speaker: row.get(7)?,
            at: given(row, 8)?,
        })
    })
}

pub(super) fn session(connection: &Connection, key: &str) -> StoreResult<Option<Session>> {
    body(connection, &format!("SELECT {SESSION_BODY} FROM session x WHERE x.id = ?1"), [key])
}

pub(super) fn list_sessions(
    connection: &Connection,
    filter: &Filter,
    request: PageRequest,
) -> StoreResult<Page<Session>> {
    let from =
        format!("(SELECT row, {SESSION_BODY} AS body, agent, user, session, last_turn_at FROM session x) x");
    let mut condition = Condition::default();
    condition.and("1", []);
    let viewer = filter.viewer.as_ref();
    let agent = filter.agent.as_ref().or(viewer.map(|viewer| &viewer.owner.agent));
    let user = filter.user.as_ref().or(viewer.map(|viewer| &viewer.owner.user));
    let names = [
        ("agent", agent.map(ToString::to_string)),
        ("user", user.map(ToString::to_string)),
        ("session", filter.session.as_ref().map(ToString::to_string)),
    ];
    for (column, value) in names {
        if let Some(value) = value {
            condition.and(&format!("x.{column} = ?"), [Value::Text(value)]);
        }
    }
    if let Some(since) = filter.since {
        condition.and("x.last_turn_at >= ?", [Value::Text(since.to_string())]);
    }
    if let Some(until) = filter.until {
        condition.and("x.last_turn_at < ?", [Value::Text(until.to_string())]);
    }
    page(connection, &from, "x.last_turn_at", condition, request)
}

pub(super) fn session_turns(
    connection: &Connection,
    key: &str,
    from_index: u64,
    limit: usize,
) -> StoreResult<Vec<Turn>> {
    let sql = format!(
        "SELECT {TURN_COLUMNS} FROM session s JOIN turn t ON t.session_row = s.row
         WHERE s.id = ?1 AND t.idx >= ?2 ORDER BY t.idx LIMIT ?3"
    );
    let found = all(connection, &sql, params![key, from_index as i64, at_most(limit)], turn)?;
    Ok(found.into_iter().map(|(_, turn)| turn).collect())
}
