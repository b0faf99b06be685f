//! Puts right what is computed, inside the batch that asks for it.

use memory::error::{Invalid, StoreResult};
use memory::forget::cascade::{Leaving, with_record};
use memory::types::{Aside, Block, Mend, RecordKind, Session, SessionKey, Time};
use rusqlite::{OptionalExtension, params};

use super::{blocks, bodies, counts, integrity, orphans, rows, vectors, words};
use crate::sqlite::apply::Applying;
use crate::sqlite::cascade::{self, LeavingRecord};
use crate::sqlite::{failed, table};

pub fn mend(applying: &mut Applying<'_>, what: &Mend) -> StoreResult<()> {
    match what {
        Mend::Schema => integrity::mend_objects(applying),
        Mend::Indexes => integrity::mend_indexes(applying),
        Mend::Words => words::mend_words(applying),
        Mend::WordIndex => words::mend_index(applying),
        Mend::Vectors => vectors::mend_vectors(applying),
        Mend::DropVectors { table, rows } => vectors::drop_vectors(applying, table, rows),
        Mend::VectorCounts => counts::mend_vector_counts(applying),
        Mend::Corpora => counts::mend_corpora(applying),
        Mend::Sessions => counts::mend_sessions(applying),
        Mend::EntityNames => counts::mend_names(applying),
        Mend::Hashes => bodies::mend_hashes(applying),
        Mend::Derivations => orphans::mend_derived(applying),
        Mend::Counters => orphans::mend_counters(applying),
        Mend::Archives => orphans::mend_archive(applying),
        Mend::DamagedArchives => bodies::mend_archives(applying),
        Mend::Waiting => orphans::mend_waiting(applying),
        Mend::Blocks => blocks::mend_blocks(applying),
        Mend::Discard { kind, row } => discard(applying, kind, *row),
    }
}

fn discard(applying: &mut Applying<'_>, kind: &Aside, row: i64) -> StoreResult<()> {
    match kind {
        Aside::Record(RecordKind::Session) => rewrite_session(applying, row),
        Aside::Record(kind) => discard_record(applying, *kind, row),
        Aside::Turn => discard_turn(applying, row),
        Aside::Block => discard_blocks(applying),
        // These are mended in their place.
        Aside::Archive => bodies::mend_archives(applying),
        Aside::History(ordinal) => {
            let sql = "UPDATE history SET before = NULL, purged = 1 WHERE number = ?1 AND ordinal = ?2";
            applying.execute(sql, params![row, ordinal]).map(drop)
        }
    }
}

/// The row and everything that hangs on it. Its history stays as far as it can be read, and says that it is gone.
fn discard_record(applying: &mut Applying<'_>, kind: RecordKind, row: i64) -> StoreResult<()> {
    let name = table(kind);
    let id = rows(applying.connection, &format!("SELECT id FROM {name} WHERE row = ?1"), [row], |row| {
        row.get::<_, String>(0)
    })?;
    let Some(id) = id.into_iter().next() else { return Ok(()) };
    let gone = LeavingRecord { kind: name, id: &id, row: Some(row), body: None };
    cascade::carry_out(applying, &gone, &with_record(kind, Leaving::Discarded))?;
    applying.log_row(name, &id, Some(row))
}

fn discard_turn(applying: &mut Applying<'_>, row: i64) -> StoreResult<()> {
    let id: Option<String> = applying
        .connection
        .query_row("SELECT id FROM turn WHERE row = ?1", [row], |row| row.get(0))
        .optional()
        .map_err(failed)?;
    let Some(id) = id else { return Ok(()) };
    cascade::purge_turn(applying, row, &id)
}

/// Turns stand on a session's row, so it is written anew from what its columns still say.
fn rewrite_session(applying: &mut Applying<'_>, row: i64) -> StoreResult<()> {
    let sql = "SELECT agent, user, session, coalesce((SELECT min(at) FROM turn WHERE session_row = ?1), '') FROM session WHERE row = ?1";
    let read =
        |row: &rusqlite::Row<'_>| Ok([row.get::<_, String>(0)?, row.get(1)?, row.get(2)?, row.get(3)?]);
    let [agent, user, session, since]: [String; 4] =
        applying.connection.query_row(sql, [row], read).map_err(failed)?;
    let unnamed = |error: memory::types::IdError| Invalid::new(error.to_string());
    let key = SessionKey {
        agent: agent.parse().map_err(unnamed)?,
        user: user.parse().map_err(unnamed)?,
        session: session.parse().map_err(unnamed)?,
    };
    let since: Time = since.parse().unwrap_or(applying.batch.at);
    let session = Session::new(&key.owner(), key.session.clone(), since);
    let body = memory::types::Record::from(session).body();
    applying.execute("UPDATE session SET body = ?2 WHERE row = ?1", params![row, body])?;
    applying.log_row("session", &key.to_string(), Some(row))
}

fn discard_blocks(applying: &Applying<'_>) -> StoreResult<()> {
    let sql = "SELECT hash, body FROM block WHERE body IS NOT NULL";
    let all =
        rows(applying.connection, sql, [], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)))?;
    for (hash, _) in all.iter().filter(|(_, body)| serde_json::from_str::<Block>(body).is_err()) {
        applying.execute("UPDATE block SET body = NULL WHERE hash = ?1", [hash])?;
    }
    Ok(())
}
