//! What stands beside records: settings, what waits, counts, archived texts, judgements, blocks, derivations, logs.

use memory::error::StoreResult;
use memory::limits;
use memory::ports::ItemQuestion;
use memory::types::{Counters, Item, MemoryId, Node, ProcessingEntry};
use rusqlite::{Connection, Row};

use super::rows::{all, bodies, given, id_list};
use super::{log, waiting};
use crate::sqlite::{TenantInner, archive, blocks, feedback, receipts, scan};

pub(super) fn items(
    connection: &Connection,
    inner: &TenantInner,
    which: &ItemQuestion,
) -> StoreResult<Vec<Item>> {
    let pending = |value| Item::Pending { value };
    let judged = |value| Item::Feedback { value };
    let block = |value| Item::Block { value: Box::new(value) };
    Ok(match which {
        ItemQuestion::Settings => {
            let settings = log::own_settings(connection, inner)?;
            settings.into_iter().map(|(name, value)| Item::Setting { name, value }).collect()
        }
        ItemQuestion::Pending { limit } => each(waiting::pending(connection, *limit)?, pending),
        ItemQuestion::PendingOf { session } => {
            each(waiting::pending_of(connection, &session.to_string())?, pending)
        }
        ItemQuestion::Redo { limit } => {
            each(waiting::redo(connection, *limit)?, |value| Item::Redo { value })
        }
        ItemQuestion::Counters { memories } => counters(connection, memories)?,
        ItemQuestion::Archives { memories } => archive::of(connection, memories)?,
        ItemQuestion::ArchivesAfter { after, limit } => archive::after(connection, after, *limit)?,
        ItemQuestion::JudgementsOf { memories, since: None, limit } => {
            each(feedback::of(connection, memories, *limit)?, judged)
        }
        ItemQuestion::JudgementsOf { memories, since: Some(since), limit } => {
            each(feedback::since(connection, memories, *since, *limit)?, judged)
        }
        ItemQuestion::JudgementsIn { session, turn, limit } => {
            each(feedback::within(connection, session, turn.as_ref(), *limit)?, judged)
        }
        ItemQuestion::Blocks { hashes } => each(blocks::read(connection, hashes)?, block),
        ItemQuestion::BlocksAfter { at, hash, limit } => {
            each(scan::blocks_after(connection, *at, hash, *limit)?, block)
        }
        ItemQuestion::ParentsOf { children } => derivations(connection, children, "child", "parent")?,
        ItemQuestion::ChildrenOf { parents } => derivations(connection, parents, "parent", "child")?,
        ItemQuestion::Processing { limit } => {
            let sql = "SELECT body FROM processing ORDER BY row DESC LIMIT ?1";
            let limit = (*limit).min(limits::PAGE_ROWS) as i64;
            let entries: Vec<ProcessingEntry> = bodies(connection, sql, [limit])?;
            each(entries, |value| Item::Processing { value })
        }
        ItemQuestion::Receipts { limit } => {
            each(receipts::latest(connection, *limit)?, |value| Item::Receipt { value })
        }
    })
}

fn each<T>(values: Vec<T>, item: impl Fn(T) -> Item) -> Vec<Item> {
    values.into_iter().map(item).collect()
}

fn counters(connection: &Connection, memories: &[MemoryId]) -> StoreResult<Vec<Item>> {
    let sql = "SELECT c.memory, c.use_count, c.source_count, c.last_used_at, c.used, c.ignored, c.wrong
               FROM json_each(?1) j CROSS JOIN counter c ON c.memory = j.value";
    all(connection, sql, [id_list(memories.iter().map(MemoryId::as_str))], |row| {
        let last: Option<String> = row.get(3)?;
        let value = Counters {
            use_count: row.get::<_, i64>(1)? as u64,
            source_count: row.get::<_, i64>(2)? as u64,
            last_used_at: last.and_then(|last| last.parse().ok()),
            used: row.get::<_, i64>(4)? as u64,
            ignored: row.get::<_, i64>(5)? as u64,
            wrong: row.get::<_, i64>(6)? as u64,
        };
        Ok(Item::Counter { memory: given(row, 0)?, value })
    })
}

/// What says from what something was made: of these nodes at one end, ordered by the other.
fn derivations(connection: &Connection, nodes: &[Node], end: &str, other: &str) -> StoreResult<Vec<Item>> {
    let sql = format!(
        "SELECT d.child_kind, d.child, d.parent_kind, d.parent, d.run FROM json_each(?1) j
         CROSS JOIN derived d ON d.{end} = j.value ->> '$.id' AND d.{end}_kind = j.value ->> '$.kind'
         ORDER BY j.key, d.{other}"
    );
    let asked = serde_json::to_string(&nodes[..nodes.len().min(limits::READ_IDS)])
        .map_err(|error| memory::error::StoreError::Failed(error.to_string()))?;
    let rows = all(connection, &sql, [asked], |row: &Row<'_>| {
        let node = |at: usize| -> rusqlite::Result<Option<Node>> {
            Ok(Node::from_parts(&row.get::<_, String>(at)?, &row.get::<_, String>(at + 1)?))
        };
        let run = row.get::<_, Option<String>>(4)?.and_then(|run| run.parse().ok());
        Ok(node(0)?.zip(node(2)?).map(|(child, parent)| Item::Derivation { child, parent, run }))
    })?;
    Ok(rows.into_iter().flatten().collect())
}
