//! How much there is: of everything, of an agent, of what waits, of what is old.

use std::collections::BTreeMap;

use memory::error::StoreResult;
use memory::ports::{Census, Tallied, Totals};
use rusqlite::{Connection, OptionalExtension};

use super::rows::all;
use crate::sqlite::connection::snapshot;
use crate::sqlite::{agents, failed, feedback, history, jobs, lookup};

pub(super) fn totals(connection: &Connection, of: &Tallied) -> StoreResult<Totals> {
    Ok(match of {
        Tallied::Everything => Totals::Everything(Box::new(census(connection)?)),
        Tallied::Agents => Totals::Agents(agents::counts(connection)?),
        Tallied::Judgements { agent, user } => {
            Totals::Judgements(feedback::tally(connection, agent.as_ref(), user.as_ref())?)
        }
        Tallied::Usage { since } => Totals::Usage(lookup::usage_since(connection, *since)?),
        Tallied::OlderThan { what, before } => Totals::Number(jobs::older_than(connection, *what, *before)?),
        Tallied::PendingTokens { session } => {
            Totals::Number(agents::pending_tokens(connection, &session.to_string())?)
        }
        Tallied::ActiveOf { owner } => Totals::Number(agents::active_memories(connection, owner)?),
    })
}

/// Counted at one moment, so that the numbers belong together.
fn census(connection: &Connection) -> StoreResult<Census> {
    let _moment = snapshot(connection)?;
    let count = |sql: &str| -> StoreResult<u64> {
        let counted: Option<i64> =
            connection.query_row(sql, [], |row| row.get(0)).optional().map_err(failed)?;
        Ok(counted.unwrap_or(0).max(0) as u64)
    };
    let groups = |column: &str, condition: &str| -> StoreResult<BTreeMap<String, u64>> {
        let sql = format!("SELECT {column}, count(*) FROM memory WHERE {condition} GROUP BY 1");
        let rows = all(connection, &sql, [], |row| Ok((row.get(0)?, row.get::<_, i64>(1)? as u64)))?;
        Ok(rows.into_iter().collect())
    };
    Ok(Census {
        memories: groups("status", "1")?,
        memories_by_kind: groups("kind", "status = 'active'")?,
        memories_by_layer: groups("layer", "status = 'active'")?,
        turns: count("SELECT count(*) FROM turn")?,
        sessions: count("SELECT count(*) FROM session")?,
        episodes: count("SELECT count(*) FROM episode WHERE status = 'active'")?,
        entities: count("SELECT count(*) FROM entity WHERE status = 'active'")?,
        relations: count("SELECT count(*) FROM relation WHERE status = 'active'")?,
        links: count("SELECT count(*) FROM link")?,
        held: count("SELECT count(*) FROM held")?,
        archived_texts: count("SELECT count(*) FROM archive")?,
        pending: count("SELECT count(*) FROM pending WHERE NOT dead")?,
        dead_letters: count("SELECT count(*) FROM pending WHERE dead")?,
        vectors: count("SELECT coalesce(sum(vectors), 0) FROM vector_count")?,
        history_events: count("SELECT count(*) FROM history")?,
        change_number: history::head(connection)?,
        bytes_on_disk: count("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")?,
    })
}
