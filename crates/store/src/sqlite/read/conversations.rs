//! Turns: by id, by row, of a session, around others.

use memory::error::StoreResult;
use memory::ports::{TurnPlace, Turns};
use memory::types::{Role, Turn, TurnId};
use rusqlite::{Connection, Row, params};

use super::rows::{all, at_most, given, id_list, session_key};
use crate::sqlite::search::json_list;

pub(in crate::sqlite) const TURN_COLUMNS: &str = "t.row, t.id, t.external_id, s.agent, s.user, s.session, t.idx, t.role, t.speaker, t.text, t.tokens, t.at, t.partial";

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

pub(super) fn turns(connection: &Connection, which: &Turns) -> StoreResult<Vec<(i64, Turn)>> {
    match which {
        Turns::ByIds { ids } => {
            turns_by(connection, TURN_COLUMNS, "id", &id_list(ids.iter().map(TurnId::as_str)))
        }
        Turns::AsSaid { ids } => {
            let columns = TURN_COLUMNS.replace("t.text", "coalesce(t.said, t.text)");
            turns_by(connection, &columns, "id", &id_list(ids.iter().map(TurnId::as_str)))
        }
        Turns::AtRows { rows } => turns_by(connection, TURN_COLUMNS, "row", &json_list(rows)),
        Turns::OfSession { session, from_index, limit } => {
            let sql = format!(
                "SELECT {TURN_COLUMNS} FROM session s JOIN turn t ON t.session_row = s.row
                 WHERE s.id = ?1 AND t.idx >= ?2 ORDER BY t.idx LIMIT ?3"
            );
            let parameters = params![session.to_string(), *from_index as i64, at_most(*limit)];
            all(connection, &sql, parameters, turn)
        }
        Turns::Before { before, limit } => {
            let sql = format!(
                "SELECT {TURN_COLUMNS} FROM turn t JOIN session s ON s.row = t.session_row
                 WHERE t.at < ?1 ORDER BY t.at, t.row LIMIT ?2"
            );
            all(connection, &sql, params![before.to_string(), at_most(*limit)], turn)
        }
    }
}

/// The turns whose column has one of these values, in the order of the values.
fn turns_by(
    connection: &Connection,
    columns: &str,
    column: &str,
    values: &str,
) -> StoreResult<Vec<(i64, Turn)>> {
    let sql = format!(
        "SELECT {columns} FROM json_each(?1) j CROSS JOIN turn t ON t.{column} = j.value
         CROSS JOIN session s ON s.row = t.session_row ORDER BY j.key"
    );
    all(connection, &sql, [values], turn)
}

pub(super) fn neighbours(connection: &Connection, rows: &str, radius: u64) -> StoreResult<Vec<TurnPlace>> {
    let sql = "SELECT DISTINCT n.id, n.row, s.agent, s.user, s.session, n.idx, n.role, n.speaker, n.at,
                      n.session_row
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
            session_row: row.get(9)?,
        })
    })
}
