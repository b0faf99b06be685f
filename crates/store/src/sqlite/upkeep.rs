//! What upkeep asks of a store besides reading and writing: a rehearsal, vectors anew, and a tally.
//!
//! The rehearsal is a write and a search for it in one transaction that is then rolled back: it goes the way of every
//! write, and nothing of it stays, not even a number in the change log.

use std::collections::BTreeMap;
use std::sync::Arc;

use memory::error::{StoreError, StoreResult};
use memory::limits;
use memory::ports::WriteStore;
use memory::text::Query;
use memory::types::{Actor, AgentId, Batch, Change, Corpus, Filter, Memory, Time};
use rusqlite::{Connection, params};

use super::apply::{Prepared, apply};
use super::{Tenant, TenantInner, corpus_table, failed, read, search};

/// How many active memories a layer has, and how many tokens they are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LayerTally {
    pub memories: u64,
    pub tokens: u64,
}

impl Tenant {
    /// Writes the memory, looks for it by its words, and takes it all back; says whether it was found.
    pub async fn rehearse(&self, memory: Memory, query: Query, filter: Filter) -> StoreResult<bool> {
        let id = memory.id.as_str().to_owned();
        let batch = Batch::new(Actor::Tool, memory.created_at).insert(memory);
        memory::validate::batch(&batch)?;
        let mut prepared = Prepared::new(batch, &self.inner.analyser);
        self.embed(&mut prepared).await;
        let inner = Arc::clone(&self.inner);
        let done = tokio::task::spawn_blocking(move || {
            let connection = inner.writer.lock();
            let found = try_out(&inner, &connection, &prepared, &query, &filter)?;
            Ok(found.iter().any(|nominee| nominee.id == id))
        });
        done.await.map_err(|error| StoreError::Failed(error.to_string()))?
    }

    /// Rows that have no vector of the current model, or `None` without a model.
    pub async fn missing_vectors(&self) -> StoreResult<Option<u64>> {
        let Some(embedder) = &self.inner.embedder else { return Ok(None) };
        let signature = embedder.signature().to_owned();
        let counted = self.read(move |connection, _| {
            let missing = |corpus: &Corpus| {
                let table = corpus_table(*corpus);
                let sql = format!(
                    "SELECT count(*) FROM {table} r JOIN {table}_doc d ON d.row = r.row
                     WHERE NOT EXISTS (SELECT 1 FROM signature s JOIN {table}_vector v
                         ON v.place = r.row * 256 + s.id WHERE s.name = ?1)"
                );
                connection.query_row(&sql, [&signature], |row| row.get::<_, i64>(0)).map_err(failed)
            };
            Corpus::ALL.iter().map(missing).sum::<StoreResult<i64>>()
        });
        Ok(Some(counted.await?.max(0) as u64))
    }

    /// Everything that has, or should have, a vector.
    pub async fn embeddable(&self) -> StoreResult<u64> {
        let counted = self.read(move |connection, _| {
            let all = |corpus: &Corpus| {
                let sql = format!("SELECT count(*) FROM {}_doc", corpus_table(*corpus));
                connection.query_row(&sql, [], |row| row.get::<_, i64>(0)).map_err(failed)
            };
            Corpus::ALL.iter().map(all).sum::<StoreResult<i64>>()
        });
        Ok(counted.await?.max(0) as u64)
    }

    /// Embeds anew the next rows after this one, whether they have vectors or not; gives the last row that it did, or
    /// nothing at the end. The old vectors answer until the new ones stand in their place.
    pub async fn embed_again(&self, corpus: Corpus, after: i64) -> StoreResult<Option<(i64, usize)>> {
        let Some(embedder) = &self.inner.embedder else { return Ok(None) };
        let rows = self
            .read(move |connection, _| read::embeddable_after(connection, corpus, after, limits::EMBED_TEXTS))
            .await?;
        let Some((last, _, _)) = rows.last() else { return Ok(None) };
        let done = (*last, rows.len());
        let texts: Vec<String> = rows.iter().map(|(_, _, text)| text.clone()).collect();
        let vectors = embedder.embed(&texts).await.map_err(|error| StoreError::Failed(error.to_string()))?;
        let mut batch = Batch::new(Actor::Tend, Time::MIN);
        for ((_, id, _), vector) in rows.into_iter().zip(vectors) {
            let signature = embedder.signature().to_owned();
            batch = batch.with(Change::PutVector { corpus, id, signature, vector });
        }
        match self.apply(batch).await {
            // One of them was purged in the meantime; whoever reads on comes past the others again at the next rebuild.
            Err(StoreError::Invalid(_)) | Ok(_) => Ok(Some(done)),
            Err(error) => Err(error),
        }
    }

    /// Active memories and their tokens by layer, of one agent or of all.
    pub async fn tally(&self, agent: Option<AgentId>) -> StoreResult<BTreeMap<String, LayerTally>> {
        self.read(move |connection, _| {
            let sql = "SELECT layer, count(*), sum((length(body ->> '$.content') + 3) / 4) FROM memory
                       WHERE status = 'active' AND (?1 IS NULL OR agent = ?1) GROUP BY layer";
            let mut statement = connection.prepare_cached(sql).map_err(failed)?;
            let agent = agent.as_ref().map(AgentId::as_str);
            let rows = statement.query_map(params![agent], |row| {
                let number = |column| row.get::<_, i64>(column).map(|number| number.max(0) as u64);
                Ok((row.get(0)?, LayerTally { memories: number(1)?, tokens: number(2)? }))
            });
            rows.and_then(Iterator::collect).map_err(failed)
        })
        .await
    }
}

fn try_out(
    inner: &TenantInner,
    connection: &Connection,
    prepared: &Prepared,
    query: &Query,
    filter: &Filter,
) -> StoreResult<Vec<memory::ports::Nominee>> {
    connection.execute_batch("BEGIN IMMEDIATE").map_err(failed)?;
    let found = apply(inner, connection, prepared)
        .and_then(|_| search::nominate(connection, &inner.analyser, Corpus::Memories, query, filter, 1));
    connection.execute_batch("ROLLBACK").map_err(failed)?;
    found
}
