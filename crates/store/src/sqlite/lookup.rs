//! What is looked up on behalf of models and clients: turns that are sent again, what models took.

use memory::error::StoreResult;
use memory::limits;
use memory::ports::{KnownBy, KnownTurn, Usage};
use memory::types::{Role, Time};
use rusqlite::{Connection, Row, params};

use super::failed;
use super::read::{all, given, id_list, session_key};

const COLUMNS: &str = "t.external_id, t.reply_hash, s.agent, s.user, s.session, t.idx, t.role, t.at,
    t.idx + 1 = s.next_index, t.idx < coalesce(s.body ->> '$.brought', 0) FROM json_each(?1) j CROSS JOIN turn t";

pub fn turns(connection: &Connection, by: &KnownBy) -> StoreResult<Vec<KnownTurn>> {
    match by {
        KnownBy::ExternalIds(ids) => {
            let sql = format!(
                "SELECT {COLUMNS} ON t.external_id = j.value JOIN session s ON s.row = t.session_row
                 ORDER BY t.row DESC LIMIT ?2"
            );
            let ids = id_list(ids.iter().map(String::as_str));
            all(connection, &sql, params![ids, limits::READ_IDS as i64], |row| known(row, false))
        }
        KnownBy::ReplyHashes { hashes, limit } => {
            let sql = format!(
                "SELECT {COLUMNS} ON t.reply_hash = j.value JOIN session s ON s.row = t.session_row
                 WHERE t.external_id IS NOT NULL ORDER BY t.row DESC LIMIT ?2"
            );
            let hashes = id_list(hashes.iter().map(String::as_str));
            let limit = (*limit).min(limits::READ_IDS) as i64;
            all(connection, &sql, params![hashes, limit], |row| known(row, true))
        }
    }
}

fn known(row: &Row<'_>, by_text: bool) -> rusqlite::Result<KnownTurn> {
    let text_hash: Option<String> = row.get(1)?;
    Ok(KnownTurn {
        external_id: row.get(0)?,
        text_hash: text_hash.filter(|_| by_text),
        session: session_key(row, 2)?,
        index: row.get::<_, i64>(5)? as u64,
        role: row.get::<_, String>(6)?.parse().unwrap_or(Role::User),
        at: given(row, 7)?,
        is_last: row.get(8)?,
        brought: row.get(9)?,
    })
}

/// Sums over entries that name a model; passes without one took nothing.
pub fn usage_since(connection: &Connection, since: Time) -> StoreResult<Usage> {
    let sql = "SELECT count(*), coalesce(sum(body ->> '$.outcome' = 'failed'), 0),
                      coalesce(sum(body ->> '$.input_tokens'), 0), coalesce(sum(body ->> '$.output_tokens'), 0),
                      coalesce(sum(body ->> '$.cost'), 0.0)
               FROM processing
               WHERE at >= ?1 AND body ->> '$.model' IS NOT NULL AND body ->> '$.outcome' <> 'skipped'";
    let number = |row: &Row<'_>, column| row.get::<_, i64>(column).map(|number| number.max(0) as u64);
    let usage = |row: &Row<'_>| {
        Ok(Usage {
            calls: number(row, 0)?,
            failed_calls: number(row, 1)?,
            input_tokens: number(row, 2)?,
            output_tokens: number(row, 3)?,
            cost: row.get(4)?,
        })
    };
    let mut statement = connection.prepare_cached(sql).map_err(failed)?;
    statement.query_row([since.to_string()], usage).map_err(failed)
}
