//! Memories and episodes: by id, by key, as pages, and what counts their use.

use std::collections::HashMap;

use memory::error::StoreResult;
use memory::types::{
    Corpus, Counters, Episode, Filter, Memory, MemoryId, Owner, Page, PageRequest, SessionKey, Validity,
};
use rusqlite::{Connection, params};

use super::rows::{all, bodies, body, given, page};
use crate::sqlite::filter::condition;
use crate::sqlite::search;

pub(super) fn list_memories(
    connection: &Connection,
    filter: &Filter,
    request: PageRequest,
) -> StoreResult<Page<Memory>> {
    if let Validity::KnownAt { then } = filter.validity {
        return search::page_known_at(connection, then, filter, request);
    }
    page(connection, "memory x", "x.created_at", condition(Corpus::Memories, filter), request)
}

pub(super) fn memories_by_key(
    connection: &Connection,
    owner: &Owner,
    keys: &str,
) -> StoreResult<Vec<Memory>> {
    let sql = "SELECT m.body FROM json_each(?3) j CROSS JOIN memory m
               ON m.agent = ?1 AND m.user = ?2 AND m.key = j.value AND m.key IS NOT NULL AND m.status = 'active'
               ORDER BY m.row";
    bodies(connection, sql, params![owner.agent.as_str(), owner.user.as_str(), keys])
}

pub(super) fn counters(connection: &Connection, ids: &str) -> StoreResult<HashMap<MemoryId, Counters>> {
    let sql = "SELECT c.memory, c.use_count, c.source_count, c.last_used_at, c.used, c.ignored, c.wrong
               FROM json_each(?1) j CROSS JOIN counter c ON c.memory = j.value";
    let counters = all(connection, sql, [ids], |row| {
        let last: Option<String> = row.get(3)?;
        let counters = Counters {
            use_count: row.get::<_, i64>(1)? as u64,
            source_count: row.get::<_, i64>(2)? as u64,
            last_used_at: last.and_then(|last| last.parse().ok()),
            used: row.get::<_, i64>(4)? as u64,
            ignored: row.get::<_, i64>(5)? as u64,
            wrong: row.get::<_, i64>(6)? as u64,
        };
        Ok((given(row, 0)?, counters))
    })?;
    Ok(counters.into_iter().collect())
}

pub(super) fn episode_of(connection: &Connection, key: &SessionKey) -> StoreResult<Option<Episode>> {
    let sql =
        "SELECT body FROM episode WHERE agent = ?1 AND user = ?2 AND session = ?3 AND status = 'active'";
    body(connection, sql, [key.agent.as_str(), key.user.as_str(), key.session.as_str()])
}

pub(super) fn list_episodes(
    connection: &Connection,
    filter: &Filter,
    request: PageRequest,
) -> StoreResult<Page<Episode>> {
    page(connection, "episode x", "x.ended_at", condition(Corpus::Episodes, filter), request)
}
