//! Agents: what each of them has, and how much of a conversation waits.
//!
//! An agent needs no record to be used. Those that only appear through what they wrote are counted with the others, each
//! in one walk over an index.

use memory::error::StoreResult;
use memory::ports::AgentCount;
use memory::types::Owner;
use rusqlite::{Connection, OptionalExtension, Row};

use super::failed;
use super::read::{all, given};

pub fn counts(connection: &Connection) -> StoreResult<Vec<AgentCount>> {
    let sql = "SELECT agent, sum(memories), sum(sessions), min(first_at), max(last_at) FROM (
                   SELECT agent, sum(status = 'active') AS memories, 0 AS sessions,
                          min(created_at) AS first_at, max(created_at) AS last_at
                   FROM memory WHERE status <> 'deleted' GROUP BY agent
                   UNION ALL
                   SELECT agent, 0, count(*), min(started_at), max(coalesce(last_turn_at, started_at))
                   FROM session GROUP BY agent
                   UNION ALL
                   SELECT id, 0, 0, body ->> '$.created_at', body ->> '$.updated_at' FROM agent
               ) GROUP BY agent ORDER BY agent";
    let number = |row: &Row<'_>, column| row.get::<_, i64>(column).map(|number| number.max(0) as u64);
    all(connection, sql, [], |row| {
        Ok(AgentCount {
            agent: given(row, 0)?,
            memories: number(row, 1)?,
            sessions: number(row, 2)?,
            first_at: given(row, 3)?,
            last_at: given(row, 4)?,
        })
    })
}

pub fn pending_tokens(connection: &Connection, session: &str) -> StoreResult<u64> {
    let sql = "SELECT coalesce(sum(t.tokens), 0) FROM session s JOIN pending p ON p.session_row = s.row
               JOIN turn t ON t.row = p.turn_row WHERE s.id = ?1 AND NOT p.dead";
    let mut statement = connection.prepare_cached(sql).map_err(failed)?;
    let tokens: i64 = statement.query_row([session], |row| row.get(0)).map_err(failed)?;
    Ok(tokens.max(0) as u64)
}

pub fn active_memories(connection: &Connection, owner: &Owner) -> StoreResult<u64> {
    let sql = "SELECT active FROM memory_count WHERE agent = ?1 AND user = ?2";
    let mut statement = connection.prepare_cached(sql).map_err(failed)?;
    let active = statement.query_row([owner.agent.as_str(), owner.user.as_str()], |row| row.get(0));
    let active: Option<i64> = active.optional().map_err(failed)?;
    Ok(active.unwrap_or(0).max(0) as u64)
}
