//! What became of memories that were recalled: one row for each reply and source, and a tally beside the other counts.

use memory::error::StoreResult;
use memory::types::{
    AgentId, FeedbackEntry, Judgement, Judgements, MemoryId, SessionKey, Time, TurnId, UserId,
};
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::apply::Applying;
use super::failed;
use super::read::{all, given, id_list};

/// Notes the judgement and counts it. The same source judging the same reply again changes its mind.
pub fn judge(applying: &mut Applying<'_>, entry: &FeedbackEntry) -> StoreResult<()> {
    if let Some(before) = take_before(applying, entry)? {
        count(applying, entry.memory.as_str(), &before, -1)?;
    }
    let sql = "INSERT INTO feedback (memory, judgement, by, session, turn, at)
               SELECT id, ?2, ?3, ?4, ?5, ?6 FROM memory WHERE id = ?1";
    let parameters = params![
        entry.memory.as_str(),
        entry.judgement.as_str(),
        entry.by.as_str(),
        entry.session.as_ref().map(ToString::to_string),
        entry.turn.as_ref().map(|turn| turn.as_str()),
        entry.at.to_string()
    ];
    match applying.execute(sql, parameters)? {
        0 => Ok(()),
        _ => count(applying, entry.memory.as_str(), entry.judgement.as_str(), 1),
    }
}

/// What the same source said of the same reply, taken away.
fn take_before(applying: &Applying<'_>, entry: &FeedbackEntry) -> StoreResult<Option<String>> {
    let Some(turn) = &entry.turn else { return Ok(None) };
    let sql = "DELETE FROM feedback WHERE turn = ?1 AND memory = ?2 AND by = ?3 RETURNING judgement";
    let mut statement = applying.connection.prepare_cached(sql).map_err(failed)?;
    let parameters = [turn.as_str(), entry.memory.as_str(), entry.by.as_str()];
    statement.query_row(parameters, |row| row.get(0)).optional().map_err(failed)
}

fn count(applying: &Applying<'_>, memory: &str, judgement: &str, by: i64) -> StoreResult<()> {
    let sql = format!(
        "INSERT INTO counter (memory, {judgement}) VALUES (?1, max(?2, 0))
         ON CONFLICT (memory) DO UPDATE SET {judgement} = max({judgement} + ?2, 0)"
    );
    applying.execute(&sql, params![memory, by]).map(drop)
}

pub fn of(connection: &Connection, memories: &[MemoryId], limit: usize) -> StoreResult<Vec<FeedbackEntry>> {
    let sql = "SELECT memory, judgement, by, session, turn, at FROM feedback
               WHERE memory IN (SELECT value FROM json_each(?1)) ORDER BY row DESC LIMIT ?2";
    let ids = id_list(memories.iter().map(|id| id.as_str()));
    all(connection, sql, params![ids, limit as i64], entry)
}

/// What was said since a moment, the oldest first: with a bound, what is nearest to the moment comes.
pub fn since(
    connection: &Connection,
    memories: &[MemoryId],
    since: Time,
    limit: usize,
) -> StoreResult<Vec<FeedbackEntry>> {
    let sql = "SELECT memory, judgement, by, session, turn, at FROM feedback
               WHERE memory IN (SELECT value FROM json_each(?1)) AND at >= ?2 ORDER BY at, row LIMIT ?3";
    let ids = id_list(memories.iter().map(|id| id.as_str()));
    all(connection, sql, params![ids, since.to_string(), limit as i64], entry)
}

/// What was said in a session, of one of its replies or of all, the latest first.
pub fn within(
    connection: &Connection,
    session: &SessionKey,
    turn: Option<&TurnId>,
    limit: usize,
) -> StoreResult<Vec<FeedbackEntry>> {
    let sql = "SELECT memory, judgement, by, session, turn, at FROM feedback
               WHERE session = ?1 AND (?2 IS NULL OR turn = ?2) ORDER BY row DESC LIMIT ?3";
    let turn = turn.map(|turn| turn.as_str());
    all(connection, sql, params![session.to_string(), turn, limit as i64], entry)
}

/// How much was said of memories of this agent and this user; of all where none is named.
pub fn tally(
    connection: &Connection,
    agent: Option<&AgentId>,
    user: Option<&UserId>,
) -> StoreResult<Judgements> {
    let sql = "SELECT f.judgement, count(*) FROM feedback f CROSS JOIN memory m ON m.id = f.memory
               WHERE (?1 IS NULL OR m.agent = ?1) AND (?2 IS NULL OR m.user = ?2) GROUP BY f.judgement";
    let parameters = params![agent.map(|agent| agent.as_str()), user.map(|user| user.as_str())];
    let counts = all(connection, sql, parameters, |row| Ok((given(row, 0)?, row.get::<_, i64>(1)?)))?;
    let mut tally = Judgements::default();
    for (judgement, count) in counts {
        match judgement {
            Judgement::Used => tally.used = count as u64,
            Judgement::Ignored => tally.ignored = count as u64,
            Judgement::Wrong => tally.wrong = count as u64,
        }
    }
    Ok(tally)
}

/// Takes away what was said of a memory that is purged.
pub fn purge(applying: &Applying<'_>, memory: &str) -> StoreResult<()> {
    applying.execute("DELETE FROM feedback WHERE memory = ?1", [memory]).map(drop)
}

/// What was said stays; in which conversation, a purge of that conversation takes away.
pub fn purge_session(applying: &Applying<'_>, session: &str) -> StoreResult<()> {
    applying
        .execute("UPDATE feedback SET session = NULL, turn = NULL WHERE session = ?1", [session])
        .map(drop)
}

pub fn entry(row: &Row<'_>) -> rusqlite::Result<FeedbackEntry> {
    let known = |index: usize| row.get_ref(index).map(|value| value != rusqlite::types::ValueRef::Null);
    Ok(FeedbackEntry {
        memory: given(row, 0)?,
        judgement: given(row, 1)?,
        by: given(row, 2)?,
        session: if known(3)? { Some(given(row, 3)?) } else { None },
        turn: if known(4)? { Some(given(row, 4)?) } else { None },
        at: given(row, 5)?,
    })
}
