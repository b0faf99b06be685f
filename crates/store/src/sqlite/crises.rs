//! Records of crises: beside memory, of a conversation and a turn only hashes that this file's salt is part of.

use memory::error::StoreResult;
use memory::types::{CrisisId, CrisisNote, CrisisRecord, SessionKey, Time, hex};
use rusqlite::{Connection, Row, params};
use sha2::{Digest, Sha256};

use super::apply::Applying;
use super::read::{all, given, id_list};
use super::{Tenant, failed};

impl Tenant {
    /// Records whose time is not over, the latest first: of one conversation where it is named.
    pub async fn crises(
        &self,
        of: Option<SessionKey>,
        now: Time,
        limit: usize,
    ) -> StoreResult<Vec<CrisisRecord>> {
        self.read(move |connection, _| {
            let hash = of.map(|key| hashed(connection, &key.to_string())).transpose()?;
            let sql = "SELECT id, session_hash, level, reason, path, at, retained_until FROM crisis
                       WHERE (?1 IS NULL OR session_hash = ?1) AND (retained_until IS NULL OR retained_until > ?2)
                       ORDER BY at DESC, row DESC LIMIT ?3";
            all(connection, sql, params![hash, now.to_string(), limit as i64], record)
        })
        .await
    }
}

/// A turn that is recorded already stays as it is, and one whose record was removed is not recorded again.
pub fn put(applying: &Applying<'_>, note: &CrisisNote) -> StoreResult<()> {
    let session = hashed(applying.connection, &note.session.to_string())?;
    let turn = note.turn.as_ref().map(|turn| hashed(applying.connection, turn.as_str())).transpose()?;
    let sql =
        "INSERT OR IGNORE INTO crisis (id, session_hash, turn_hash, level, reason, path, at, retained_until)
               SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8
               WHERE NOT EXISTS (SELECT 1 FROM crisis_removed WHERE turn_hash = ?3)";
    let parameters = params![
        note.id.as_str(),
        session,
        turn,
        note.level,
        note.reason,
        note.path.as_str(),
        note.at.to_string(),
        note.until.map(|until| until.to_string())
    ];
    applying.execute(sql, parameters).map(drop)
}

pub fn remove(applying: &mut Applying<'_>, ids: &[CrisisId]) -> StoreResult<()> {
    let ids = id_list(ids.iter().map(CrisisId::as_str));
    let sql = "INSERT OR IGNORE INTO crisis_removed (turn_hash)
               SELECT turn_hash FROM crisis
               WHERE turn_hash IS NOT NULL AND id IN (SELECT value FROM json_each(?1))";
    applying.execute(sql, [&ids])?;
    let sql = "DELETE FROM crisis WHERE id IN (SELECT value FROM json_each(?1))";
    let gone = applying.execute(sql, [&ids])?;
    applying.written.removed += gone as u64;
    Ok(())
}

fn hashed(connection: &Connection, name: &str) -> StoreResult<String> {
    let mut statement = connection.prepare_cached("SELECT bytes FROM crisis_salt").map_err(failed)?;
    let salt: Vec<u8> = statement.query_row([], |row| row.get(0)).map_err(failed)?;
    Ok(hex(&Sha256::new().chain_update(salt).chain_update(name).finalize()))
}

fn record(row: &Row<'_>) -> rusqlite::Result<CrisisRecord> {
    let until: Option<String> = row.get(6)?;
    Ok(CrisisRecord {
        id: given(row, 0)?,
        session_hash: row.get(1)?,
        level: row.get(2)?,
        reason: row.get(3)?,
        path: given(row, 4)?,
        at: given(row, 5)?,
        until: until.and_then(|until| until.parse().ok()),
    })
}
