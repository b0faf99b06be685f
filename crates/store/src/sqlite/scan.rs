//! How upkeep goes through a tenant: row by row and a bounded number at a time, so that what it changes on the way shifts
//! nothing that it has not seen yet.

use memory::error::StoreResult;
use memory::limits;
use memory::ports::References;
use memory::types::{Block, Corpus, RecordKind, RecordRef, Time, UserId};
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::apply::Applying;
use super::index;
use super::read::{all, bodies, given, id_list};
use super::{corpus_table, failed};

fn bounded(limit: usize) -> i64 {
    limit.min(limits::PAGE_ROWS) as i64
}

pub fn users_after(
    connection: &Connection,
    after: Option<&UserId>,
    limit: usize,
) -> StoreResult<Vec<UserId>> {
    let sql = "SELECT DISTINCT user FROM memory WHERE user > ?1 ORDER BY user LIMIT ?2";
    let after = after.map_or("", UserId::as_str);
    all(connection, sql, params![after, bounded(limit)], |row| given(row, 0))
}

pub fn references(connection: &Connection, which: &References) -> StoreResult<Vec<RecordRef>> {
    match which {
        References::EpisodesBefore { before, limit } => {
            let sql = "SELECT id FROM episode WHERE ended_at < ?1 ORDER BY ended_at LIMIT ?2";
            all(connection, sql, params![before.to_string(), bounded(*limit)], |row| {
                Ok(RecordRef { kind: RecordKind::Episode, id: row.get(0)? })
            })
        }
        References::ForgottenBefore { before, limit } => {
            let deleted = |table: &str| {
                format!(
                    "SELECT '{table}', id FROM {table} WHERE status = 'deleted'
                     AND coalesce(body ->> '$.updated_at', body ->> '$.created_at') < ?1"
                )
            };
            let deleted = ["memory", "episode", "relation", "entity"].map(deleted).join(" UNION ALL ");
            let sql =
                format!("SELECT 'veil', id FROM veil WHERE created_at < ?1 UNION ALL {deleted} LIMIT ?2");
            all(connection, &sql, params![before.to_string(), bounded(*limit)], |row| {
                Ok(RecordRef { kind: given(row, 0)?, id: row.get(1)? })
            })
        }
        References::IdleSessions { before, limit } => {
            let sql = "SELECT id FROM session
                       WHERE ended_at IS NULL AND last_turn_at IS NOT NULL AND last_turn_at < ?1
                       ORDER BY last_turn_at, row LIMIT ?2";
            sessions(connection, sql, *before, *limit)
        }
        References::EmptySessions { before, limit } => {
            let sql = "SELECT id FROM session s WHERE coalesce(last_turn_at, started_at) < ?1
                       AND NOT EXISTS (SELECT 1 FROM turn t WHERE t.session_row = s.row) ORDER BY row LIMIT ?2";
            sessions(connection, sql, *before, *limit)
        }
        References::OfRun { run, after, limit } => {
            let sql = "SELECT DISTINCT kind, id FROM history WHERE run = ?1 AND (kind, id) > (?2, ?3)
                       ORDER BY kind, id LIMIT ?4";
            let (kind, id) = after.as_ref().map_or(("", ""), |of| (of.kind.as_str(), of.id.as_str()));
            all(connection, sql, params![run.as_str(), kind, id, bounded(*limit)], |row| {
                Ok(RecordRef { kind: given(row, 0)?, id: row.get(1)? })
            })
        }
        References::TouchedByPeople { kind, ids } => by_people(connection, *kind, ids, ""),
        References::ChangedByPeople { kind, ids } => {
            by_people(connection, *kind, ids, "AND h.before IS NOT NULL")
        }
    }
}

/// Of these records, those with a change by a person that meets the condition.
fn by_people(
    connection: &Connection,
    kind: RecordKind,
    ids: &[String],
    condition: &str,
) -> StoreResult<Vec<RecordRef>> {
    let sql = format!(
        "SELECT j.value FROM json_each(?1) j WHERE EXISTS
         (SELECT 1 FROM history h WHERE h.id = j.value AND h.kind = ?2 AND h.by = 'person' {condition})"
    );
    let ids = id_list(ids.iter().map(String::as_str));
    let of = |row: &Row<'_>| Ok(RecordRef { kind, id: row.get(0)? });
    all(connection, &sql, params![ids, kind.as_str()], of)
}

fn sessions(connection: &Connection, sql: &str, before: Time, limit: usize) -> StoreResult<Vec<RecordRef>> {
    all(connection, sql, params![before.to_string(), bounded(limit)], |row| {
        Ok(RecordRef { kind: RecordKind::Session, id: row.get(0)? })
    })
}

pub fn blocks_after(connection: &Connection, at: Time, hash: &str, limit: usize) -> StoreResult<Vec<Block>> {
    let sql =
        "SELECT body FROM block WHERE (at, hash) > (?1, ?2) AND body IS NOT NULL ORDER BY at, hash LIMIT ?3";
    bodies(connection, sql, params![at.to_string(), hash, bounded(limit)])
}

/// What can be found has its words in the index, and nothing else has.
pub fn out_of_step(
    connection: &Connection,
    corpus: Corpus,
    after: i64,
    limit: usize,
) -> StoreResult<Vec<i64>> {
    let table = corpus_table(corpus);
    let found = if corpus == Corpus::Turns { "1" } else { "r.status <> 'deleted'" };
    let sql = format!(
        "SELECT row FROM (
             SELECT r.row FROM {table} r LEFT JOIN {table}_doc d ON d.row = r.row
             WHERE r.row > ?1 AND (d.row IS NULL) = ({found})
             UNION ALL
             SELECT d.row FROM {table}_doc d LEFT JOIN {table} r ON r.row = d.row WHERE d.row > ?1 AND r.row IS NULL)
         ORDER BY row LIMIT ?2"
    );
    all(connection, &sql, params![after, bounded(limit)], |row| row.get(0))
}

/// Brings the words of these rows in step, whichever way they are out of it.
pub fn reindex(applying: &mut Applying<'_>, corpus: Corpus, rows: &[i64]) -> StoreResult<()> {
    let table = corpus_table(corpus);
    for row in rows {
        let text = index::text_at(applying.connection, table, *row)?;
        let changed = match text {
            Some(text) => {
                let words = index::IndexWords::of(&text, &applying.tenant.analyser);
                index::put(applying.connection, table, *row, &words)?
            }
            None => index::remove(applying.connection, table, *row)?,
        };
        let sql = format!("SELECT id FROM {table} WHERE row = ?1");
        let mut statement = applying.connection.prepare_cached(&sql).map_err(failed)?;
        let id: Option<String> = statement.query_row([row], |row| row.get(0)).optional().map_err(failed)?;
        if changed {
            applying.drop_vectors(table, *row)?;
            applying.log_row(table, id.as_deref().unwrap_or_default(), Some(*row))?;
        }
    }
    Ok(())
}
