//! Finding by meaning: the vectors in memory follow the change log, and the best of the scan are scored again exactly.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use memory::error::StoreResult;
use memory::follower::Follower;
use memory::ports::Nominee;
use memory::text::similarity;
use memory::types::{Corpus, Filter};
use rusqlite::{Connection, Row as SqlRow, params};

use super::connection::snapshot;
use super::deck::DeckRow;
use super::filter::{alias, source};
use super::read::all;
use super::{Tenant, TenantInner, corpus_table, failed, history, search};
use crate::limits;
use crate::vectors::{VectorIndex, VectorRow};

/// The vectors of each corpus.
#[derive(Default)]
pub struct VectorIndexes {
    memories: VectorSlot,
    episodes: VectorSlot,
    turns: VectorSlot,
}

#[derive(Default)]
struct VectorSlot {
    loaded: Follower<LoadedVectors>,
    /// Somebody is loading it in the background.
    loading: AtomicBool,
}

struct LoadedVectors {
    signature: String,
    index: VectorIndex,
}

impl VectorIndexes {
    fn slot(&self, corpus: Corpus) -> &VectorSlot {
        match corpus {
            Corpus::Memories => &self.memories,
            Corpus::Episodes => &self.episodes,
            Corpus::Turns => &self.turns,
        }
    }
}

/// How many more the scan brings than are asked for: rounding may have swapped neighbours, and the database may refuse some.
const SPARE: usize = 24;

pub fn nominate(
    connection: &Connection,
    inner: &Arc<TenantInner>,
    corpus: Corpus,
    signature: &str,
    question: &[f32],
    filter: &Filter,
    limit: usize,
) -> StoreResult<Option<Vec<(Nominee, f32)>>> {
    // One moment for the log's head, the changes and the rows.
    let _moment = snapshot(connection)?;
    let slot = inner.near.slot(corpus);
    if !catch_up(connection, slot, corpus, signature)?
        && !load(connection, inner, corpus, signature, question.len())?
    {
        return Ok(None);
    }
    let mut wanted = limit + limit / 4 + SPARE;
    loop {
        let near = slot.loaded.look(|loaded| {
            (loaded.signature == signature).then(|| loaded.index.nearest(question, filter, wanted))
        });
        let Some(near) = near.flatten() else { return Ok(None) };
        let exact = score_exactly(connection, inner, corpus, signature, question, filter, &near)?;
        if exact.len() >= limit || near.len() < wanted {
            return Ok(Some(exact.into_iter().take(limit).collect()));
        }
        wanted *= 4;
    }
}

/// Brings the index up to the log's head. False when there is none of this signature, or it fell too far behind.
fn catch_up(
    connection: &Connection,
    slot: &VectorSlot,
    corpus: Corpus,
    signature: &str,
) -> StoreResult<bool> {
    if slot.loaded.look(|loaded| loaded.signature == signature) != Some(true) {
        return Ok(false);
    }
    let head = history::head(connection)?;
    let news = |after| {
        let Some(changed) = changed_rows(connection, corpus, after, head)? else { return Ok(None) };
        let missing = match changed.is_empty() {
            true => Vec::new(),
            false => rows_with_vectors(connection, corpus, signature, &changed)?,
        };
        Ok(Some((changed, missing)))
    };
    slot.loaded.catch_up(head, news, |loaded, (changed, missing)| {
        changed.iter().for_each(|row| loaded.index.remove(*row));
        // Somebody may have loaded those of another model meanwhile: what changed is then only taken out.
        if loaded.signature == signature {
            missing.iter().for_each(|row| loaded.index.put(row));
        }
    })
}

/// The rows of a corpus that changed between two numbers of the log, removed ones among them. Nothing where the log does not
/// reach back that far.
pub fn changed_rows(
    connection: &Connection,
    corpus: Corpus,
    after: u64,
    head: u64,
) -> StoreResult<Option<Vec<i64>>> {
    if !history::reaches_back(connection, after)? {
        return Ok(None);
    }
    let sql = "SELECT DISTINCT row FROM change_log
               WHERE number > ?1 AND number <= ?2 AND kind = ?3 AND row IS NOT NULL";
    let parameters = params![after as i64, head as i64, corpus_table(corpus)];
    all(connection, sql, parameters, |row| row.get(0)).map(Some)
}

/// Loads the index: at once where it is small, in the background where it is large. True when it is there now.
fn load(
    connection: &Connection,
    inner: &Arc<TenantInner>,
    corpus: Corpus,
    signature: &str,
    dimensions: usize,
) -> StoreResult<bool> {
    let sql = "SELECT coalesce(sum(c.vectors), 0) FROM signature s
               JOIN vector_count c ON c.corpus = ?1 AND c.signature = s.id WHERE s.name = ?2";
    let mut statement = connection.prepare_cached(sql).map_err(failed)?;
    let count: i64 =
        statement.query_row(params![corpus_table(corpus), signature], |row| row.get(0)).map_err(failed)?;
    let count = count.max(0) as usize;
    if count > limits::INDEX_VECTORS {
        tracing::warn!(count, %corpus, "too many vectors to hold in memory; keywords answer alone");
        return Ok(false);
    }
    if count <= limits::INDEX_LOAD_INLINE {
        load_now(connection, inner.near.slot(corpus), corpus, signature, dimensions)?;
        return Ok(true);
    }
    if !inner.near.slot(corpus).loading.swap(true, Ordering::AcqRel) {
        let (inner, signature) = (Arc::clone(inner), signature.to_owned());
        tokio::task::spawn_blocking(move || {
            let slot = inner.near.slot(corpus);
            let done =
                inner.with_reader(|connection| load_now(connection, slot, corpus, &signature, dimensions));
            if let Err(error) = done {
                tracing::warn!(%error, %corpus, "the vectors could not be loaded; the next question tries again");
            }
            slot.loading.store(false, Ordering::Release);
        });
    }
    Ok(false)
}

fn load_now(
    connection: &Connection,
    slot: &VectorSlot,
    corpus: Corpus,
    signature: &str,
    dimensions: usize,
) -> StoreResult<()> {
    let _moment = snapshot(connection)?;
    let number = history::head(connection)?;
    let mut index = VectorIndex::new(corpus, dimensions);
    let sql = format!("{} ORDER BY {}.row", select(corpus), alias(corpus));
    let mut statement = connection.prepare_cached(&sql).map_err(failed)?;
    let mut rows = statement.query(params![signature]).map_err(failed)?;
    while let Some(found) = rows.next().map_err(failed)? {
        index.put(&row(found).map_err(failed)?);
    }
    tracing::debug!(vectors = index.len(), %corpus, "vectors loaded");
    slot.loaded.begin(number, LoadedVectors { signature: signature.to_owned(), index });
    Ok(())
}

/// Rows with their vectors of the signature `?1`, ready for a condition on `{alias}.row`.
fn select(corpus: Corpus) -> String {
    let marks = match corpus {
        Corpus::Memories => {
            "x.agent, x.user, x.session, x.project, x.scope, x.layer, x.kind, x.status, x.created_at"
        }
        Corpus::Episodes => "x.agent, x.user, x.session, NULL, NULL, NULL, NULL, x.status, x.ended_at",
        Corpus::Turns => "x.agent, x.user, x.session, NULL, NULL, NULL, NULL, NULL, t.at",
    };
    let (alias, table, from) = (alias(corpus), corpus_table(corpus), source(corpus));
    format!(
        "SELECT {alias}.row, {marks}, v.bytes FROM signature s CROSS JOIN {from}
         CROSS JOIN {table}_vector v ON v.place = {alias}.row * 256 + s.id WHERE s.name = ?1"
    )
}

fn row(row: &SqlRow<'_>) -> rusqlite::Result<VectorRow> {
    Ok(VectorRow {
        row: row.get(0)?,
        agent: row.get(1)?,
        user: row.get(2)?,
        session: row.get(3)?,
        project: row.get(4)?,
        scope: row.get(5)?,
        layer: row.get(6)?,
        kind: row.get(7)?,
        status: row.get(8)?,
        at: row.get(9)?,
        vector: numbers(row.get_ref(10)?.as_blob()?),
    })
}

pub fn numbers(bytes: &[u8]) -> Vec<f32> {
    bytes.chunks_exact(4).map(|four| f32::from_le_bytes([four[0], four[1], four[2], four[3]])).collect()
}

fn rows_with_vectors(
    connection: &Connection,
    corpus: Corpus,
    signature: &str,
    rows: &[i64],
) -> StoreResult<Vec<VectorRow>> {
    let sql = format!("{} AND {}.row IN (SELECT value FROM json_each(?2))", select(corpus), alias(corpus));
    let mut statement = connection.prepare_cached(&sql).map_err(failed)?;
    let found = statement.query_map(params![signature, search::json_list(rows)], row).map_err(failed)?;
    found.collect::<rusqlite::Result<_>>().map_err(failed)
}

/// Takes the stored numbers of the scan's best, leaves out what the filter refuses, and orders by the exact cosine.
fn score_exactly(
    connection: &Connection,
    inner: &TenantInner,
    corpus: Corpus,
    signature: &str,
    question: &[f32],
    filter: &Filter,
    near: &[(i64, f32)],
) -> StoreResult<Vec<(Nominee, f32)>> {
    let rows: Vec<i64> = near.iter().map(|(row, _)| *row).collect();
    let known = inner.decks.rows(connection, corpus, Some(signature), &rows)?;
    let admitted = known.iter().flatten().filter(|row| row.is_admitted(filter));
    let cosine = |row: &Arc<DeckRow>| {
        let vector = row.material.vector.as_ref()?;
        Some((row.nominee(), similarity::dot(vector, question)))
    };
    let mut scored: Vec<(Nominee, f32)> = admitted.filter_map(cosine).collect();
    scored.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.row.cmp(&b.0.row)));
    Ok(scored)
}

impl Tenant {
    /// Loads the vectors now and waits for it, for a program that asks once and ends.
    pub async fn load_vectors(&self) -> StoreResult<()> {
        let Some(embedder) = self.inner.embedder.clone() else { return Ok(()) };
        self.read(move |connection, inner| {
            for corpus in Corpus::ALL {
                let slot = inner.near.slot(*corpus);
                if !catch_up(connection, slot, *corpus, embedder.signature())? {
                    load_now(connection, slot, *corpus, embedder.signature(), embedder.dimensions())?;
                }
            }
            Ok(())
        })
        .await
    }
}
