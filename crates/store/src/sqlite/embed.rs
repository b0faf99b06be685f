//! Vectors for what is written: with the write where the embedder answers, and behind it where it did not.
//!
//! An embedder that fails never fails a write: the row is stored without a vector, found by its words meanwhile, and
//! filled in later. A record whose text did not change is not embedded again.

use std::collections::{HashMap, HashSet};

use memory::error::{StoreError, StoreResult};
use memory::limits;
use memory::ports::{ReadStore, WriteStore};
use memory::types::{Actor, Batch, Change, Corpus, Memory, MemoryId, Record, Time};
use memory::write::searchable;

use super::apply::Prepared;
use super::{Tenant, corpus_table};

impl Tenant {
    /// Gets the vectors of the batch's texts. On failure the batch goes on without.
    pub(super) async fn embed(&self, prepared: &mut Prepared) {
        let Some(embedder) = &self.inner.embedder else { return };
        let wanted = self.wanted(prepared.batch()).await;
        let (mut places, mut texts): (Vec<_>, Vec<_>) = wanted.into_iter().unzip();
        if texts.is_empty() {
            return;
        }
        let mut vectors = Vec::with_capacity(texts.len());
        for some in texts.chunks(limits::EMBED_TEXTS) {
            match embedder.embed(some).await {
                Ok(some) => vectors.extend(some),
                Err(error) => {
                    tracing::warn!(%error, "texts are stored without vectors for now");
                    break;
                }
            }
        }
        places.truncate(vectors.len());
        texts.clear();
        prepared.give_vectors(embedder.signature(), &places, vectors);
    }

    /// The places and texts of a batch that need a vector.
    async fn wanted(&self, batch: &Batch) -> Vec<((usize, usize), String)> {
        let standing = self.standing(batch).await;
        let known = self.known_items(batch).await;
        let mut wanted = Vec::new();
        for (place, change) in batch.changes.iter().enumerate() {
            match change {
                Change::Put { record: Record::Memory(memory), .. }
                | Change::Upsert { memory }
                | Change::AddNew { memory } => {
                    let same = standing
                        .get(&memory.id)
                        .is_some_and(|hash| *hash == memory::types::content_hash(&memory.content));
                    if !same {
                        wanted.push(((place, 0), searchable::memory_meaning(memory)));
                    }
                }
                Change::Put { record: Record::Episode(episode), .. } => {
                    wanted.push(((place, 0), searchable::episode(episode)));
                }
                Change::AppendTurns { turns, .. } => {
                    let texts =
                        turns.iter().enumerate().map(|(text, turn)| ((place, text), searchable::turn(turn)));
                    wanted.extend(texts);
                }
                Change::Restore { item, .. } if !known.contains(&place) => {
                    wanted.extend(searchable::item_meaning(item).map(|text| ((place, 0), text)));
                }
                _ => {}
            }
        }
        wanted
    }

    /// The content hashes of the memories that the batch replaces and that would keep their words: with the same words
    /// their vectors stay, so there is nothing to embed.
    async fn standing(&self, batch: &Batch) -> HashMap<MemoryId, String> {
        let replaced = batch.changes.iter().filter_map(|change| match change {
            Change::Put { record: Record::Memory(memory), expect }
                if *expect != memory::types::Expect::Absent =>
            {
                Some(&**memory)
            }
            _ => None,
        });
        let replaced: Vec<&Memory> = replaced.collect();
        if replaced.is_empty() {
            return HashMap::new();
        }
        let ids: Vec<MemoryId> = replaced.iter().map(|memory| memory.id.clone()).collect();
        let standing = self.memories(&ids).await.unwrap_or_default();
        let kept = standing.into_iter().filter(|old| {
            let new = replaced.iter().find(|new| new.id == old.id);
            new.is_some_and(|new| new.tags == old.tags && old.status != memory::types::Status::Deleted)
        });
        kept.map(|memory| (memory.id, memory.content_hash)).collect()
    }

    /// The places of items that are here already: nothing of them is written, so there is nothing to embed.
    async fn known_items(&self, batch: &Batch) -> HashSet<usize> {
        let mut asked: Vec<(usize, &'static str, String)> = Vec::new();
        for (place, change) in batch.changes.iter().enumerate() {
            if let Change::Restore { item, .. } = change
                && let Some((corpus, id)) = searchable::item_place(item)
            {
                asked.push((place, corpus_table(corpus), id));
            }
        }
        if asked.is_empty() {
            return HashSet::new();
        }
        let known = self.read(move |connection, _| {
            let mut known = HashSet::new();
            for (place, table, id) in asked {
                let sql = format!("SELECT 1 FROM {table} WHERE id = ?1");
                let mut statement = connection.prepare_cached(&sql).map_err(super::failed)?;
                if statement.exists([id]).map_err(super::failed)? {
                    known.insert(place);
                }
            }
            Ok(known)
        });
        // What cannot be looked up is embedded for nothing; the write itself says what is wrong.
        known.await.unwrap_or_default()
    }

    /// Embeds rows that have no vector of the current model yet; returns how many it did.
    pub async fn fill_vectors(&self, corpus: Corpus) -> StoreResult<usize> {
        let Some(embedder) = &self.inner.embedder else { return Ok(0) };
        let missing = self.without_vector(corpus, embedder.signature(), limits::EMBED_TEXTS).await?;
        if missing.is_empty() {
            return Ok(0);
        }
        let (ids, texts): (Vec<String>, Vec<String>) = missing.into_iter().unzip();
        let vectors = embedder.embed(&texts).await.map_err(|error| StoreError::Failed(error.to_string()))?;
        let mut batch = Batch::new(Actor::Tend, Time::MIN);
        for (id, vector) in ids.into_iter().zip(vectors) {
            let signature = embedder.signature().to_owned();
            batch = batch.with(Change::FillVector { corpus, id, signature, vector });
        }
        let count = batch.changes.len();
        self.apply(batch).await?;
        Ok(count)
    }

    /// Fills what is missing, behind everybody's back, until nothing is or the embedder fails.
    pub(crate) fn fill_in_background(&self) {
        if self.inner.embedder.is_none() {
            return;
        }
        let tenant = self.clone();
        tokio::spawn(async move {
            for corpus in Corpus::ALL {
                loop {
                    match tenant.fill_vectors(*corpus).await {
                        Ok(0) => break,
                        Ok(count) => tracing::debug!(count, %corpus, "vectors filled in"),
                        // A command that is done does not wait for this.
                        Err(StoreError::Busy(_)) => return,
                        Err(error) => {
                            tracing::warn!(%error, "filling in vectors stopped; the next opening goes on");
                            return;
                        }
                    }
                }
            }
        });
    }
}
