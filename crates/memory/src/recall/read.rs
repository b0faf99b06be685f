//! Reading what a search needs of the documents themselves: before scoring, how memories and episodes stand today; after
//! it, what was chosen.

use std::collections::HashMap;

use super::activation::Activation;
use super::fuse::{RecordSignals, Scored};
use super::request::{Hit, HitSource};
use super::retrieve::{Candidates, Question};
use super::search::Glance;
use super::weights::PartWeights;
use crate::error::StoreResult;
use crate::ports::ReadStore;
use crate::strength;
use crate::types::{Corpus, Counters, Filter, Memory, MemoryId, Time};

impl Glance<'_> {
    /// Time, salience and strength of memories or episodes, as they are at the moment of the question. What was read for
    /// it stays with the candidates, because the chosen among them are wanted again.
    pub(super) async fn standing(
        &self,
        corpus: Corpus,
        candidates: &mut Candidates,
        question: &Question,
        filter: &Filter,
    ) -> StoreResult<HashMap<i64, RecordSignals>> {
        let row_of: HashMap<String, i64> =
            candidates.documents.values().map(|document| (document.id.clone(), document.row)).collect();
        candidates.sources = self.records(corpus, &row_of).await?;
        let ids: Vec<MemoryId> = row_of.keys().filter_map(|id| id.parse().ok()).collect();
        let counters = if ids.is_empty() { HashMap::new() } else { self.view.counters(&ids).await? };
        let awake =
            if ids.is_empty() { Activation::default() } else { self.activation(question, filter).await? };
        let now = question.reference;
        let standing = candidates.sources.iter().filter_map(|(row, source)| match source {
            HitSource::Memory(memory) => {
                let standing = standing_of(memory, counters.get(&memory.id), now);
                Some((
                    *row,
                    RecordSignals { graph: awake.graph(memory), emotion: awake.emotion(memory), ..standing },
                ))
            }
            HitSource::Episode(episode) => {
                let salience = strength::episode_salience(episode, now);
                Some((
                    *row,
                    RecordSignals {
                        at: episode.ended_at,
                        salience,
                        strength: 0.0,
                        graph: 0.0,
                        emotion: 0.0,
                        feedback: 0.0,
                    },
                ))
            }
            HitSource::Turn(_) => None,
        });
        Ok(standing.collect())
    }

    /// Reads what was chosen, in its order; what is known already is not read again.
    pub(super) async fn read(
        &self,
        corpus: Corpus,
        chosen: Vec<Scored>,
        weights: PartWeights,
        known: HashMap<i64, HitSource>,
    ) -> StoreResult<Vec<Hit>> {
        let rows: Vec<i64> = chosen.iter().map(|scored| scored.row).collect();
        let mut sources = known;
        if corpus == Corpus::Turns {
            let turns = self.view.turns_at(&rows).await?;
            sources = turns.into_iter().map(|(row, turn)| (row, HitSource::Turn(Box::new(turn)))).collect();
        } else if rows.iter().any(|row| !sources.contains_key(row)) {
            let documents = self.view.documents(corpus, &rows).await?;
            let row_of = documents.into_iter().map(|document| (document.id.clone(), document.row)).collect();
            sources = self.records(corpus, &row_of).await?;
        }
        let hit = |scored: Scored| {
            let source = sources.remove(&scored.row)?;
            Some(Hit {
                row: scored.row,
                score: scored.score,
                parts: scored.parts,
                weights,
                source,
                window: Vec::new(),
            })
        };
        Ok(chosen.into_iter().filter_map(hit).collect())
    }

    /// Memories or episodes by their ids, under their rows.
    async fn records(
        &self,
        corpus: Corpus,
        row_of: &HashMap<String, i64>,
    ) -> StoreResult<HashMap<i64, HitSource>> {
        let ids: Vec<String> = row_of.keys().cloned().collect();
        if corpus == Corpus::Episodes {
            let episodes = self.view.episodes(&ids).await?;
            let sources = episodes.into_iter().filter_map(|episode| {
                Some((*row_of.get(episode.id.as_str())?, HitSource::Episode(Box::new(episode))))
            });
            return Ok(sources.collect());
        }
        let ids: Vec<MemoryId> = ids.iter().filter_map(|id| id.parse().ok()).collect();
        let memories = self.view.memories(&ids).await?;
        let sources = memories.into_iter().filter_map(|memory| {
            Some((*row_of.get(memory.id.as_str())?, HitSource::Memory(Box::new(memory))))
        });
        Ok(sources.collect())
    }
}

/// A memory's salience and strength today: functions of the time since it was last used, never rewritten.
fn standing_of(memory: &Memory, counters: Option<&Counters>, now: Time) -> RecordSignals {
    let salience = strength::salience(memory, counters, now);
    let strength = strength::strength(memory, counters, now);
    let feedback = strength::feedback(counters);
    RecordSignals { at: memory.created_at, salience, strength, graph: 0.0, emotion: 0.0, feedback }
}
