//! What was put into prompts, by the message it stands before.
//!
//! A block is not a record: it has no versions and no history, because it is a copy of what memories said and must go
//! when they go. In the commit that forgets one of its sources its body is taken away; the empty row stays, so that the next
//! request can tell a prompt that changed from one that never had a block.

use memory::error::{StoreError, StoreResult};
use memory::types::{Block, Node};
use rusqlite::{Connection, Row, params};

use super::apply::Applying;
use super::failed;
use super::read::{all, given, id_list};

pub fn put(applying: &mut Applying<'_>, block: &Block) -> StoreResult<()> {
    let body = serde_json::to_string(block).map_err(|error| StoreError::Failed(error.to_string()))?;
    // What was forgotten while the block was on its way must not come in with it.
    let body = all_stand(applying, block)?.then_some(body);
    let sql = "INSERT INTO block (hash, session, body, at) VALUES (?1, ?2, ?3, ?4)
               ON CONFLICT (hash) DO UPDATE SET body = excluded.body, at = excluded.at";
    let session = block.session.to_string();
    applying.execute(sql, params![block.hash, session, body, block.at.to_string()])?;
    applying.derive(&Node::Block(block.hash.clone()), &sources(block))
}

/// What the block was made from.
pub fn sources(block: &Block) -> Vec<Node> {
    let memories = block.memories.iter().cloned().map(Node::Memory);
    let turns = block.turns.iter().cloned().map(Node::Turn);
    let episodes = block.episodes.iter().cloned().map(Node::Episode);
    memories.chain(turns).chain(episodes).collect()
}

/// Whether everything that the block rests on is still there.
pub fn all_stand(applying: &Applying<'_>, block: &Block) -> StoreResult<bool> {
    let stands = |sql: &str, ids: Vec<&str>| -> StoreResult<bool> {
        let mut statement = applying.connection.prepare_cached(sql).map_err(failed)?;
        Ok(!statement.exists([id_list(ids)]).map_err(failed)?)
    };
    let gone = |table: &str| {
        format!(
            "SELECT 1 FROM json_each(?1) j LEFT JOIN {table} x ON x.id = j.value
             WHERE x.id IS NULL OR x.status = 'deleted'"
        )
    };
    let no_turn = "SELECT 1 FROM json_each(?1) j LEFT JOIN turn x ON x.id = j.value WHERE x.id IS NULL";
    Ok(stands(&gone("memory"), block.memories.iter().map(|id| id.as_str()).collect())?
        && stands(&gone("episode"), block.episodes.iter().map(|id| id.as_str()).collect())?
        && stands(no_turn, block.turns.iter().map(|id| id.as_str()).collect())?)
}

/// Empties the blocks of a user that say this, for what has no memory behind it: an override that a person took back.
pub fn drop_saying(applying: &Applying<'_>, user: &str, text: &str) -> StoreResult<()> {
    let sql = "UPDATE block SET body = NULL WHERE body IS NOT NULL
               AND body ->> '$.session.user' = ?1 AND instr(body ->> '$.text', ?2) > 0";
    applying.execute(sql, [user, text]).map(drop)
}

/// Empties the blocks that a thing stood in. Called in the commit that forgets the thing.
pub fn drop_made_from(applying: &Applying<'_>, kind: &str, id: &str) -> StoreResult<()> {
    let sql = "UPDATE block SET body = NULL WHERE body IS NOT NULL AND hash IN
               (SELECT child FROM derived WHERE parent = ?1 AND parent_kind = ?2 AND child_kind = 'block')";
    applying.execute(sql, [id, kind]).map(drop)
}

pub fn read(connection: &Connection, hashes: &[String]) -> StoreResult<Vec<Block>> {
    let sql = "SELECT body, hash, session, at FROM block WHERE hash IN (SELECT value FROM json_each(?1))";
    let rows = all(connection, sql, [id_list(hashes.iter().map(String::as_str))], row)?;
    rows.into_iter().collect()
}

fn row(row: &Row<'_>) -> rusqlite::Result<StoreResult<Block>> {
    let (body, hash): (Option<String>, String) = (row.get(0)?, row.get(1)?);
    if let Some(body) = body {
        let block = serde_json::from_str(&body);
        return Ok(block.map_err(|error| StoreError::Failed(format!("block {hash}: {error}"))));
    }
    Ok(Ok(Block {
        hash,
        session: given(row, 2)?,
        text: String::new(),
        tokens: 0,
        memories: Vec::new(),
        turns: Vec::new(),
        episodes: Vec::new(),
        at: given(row, 3)?,
        standing: Vec::new(),
        standing_tokens: 0,
        dropped: true,
    }))
}
