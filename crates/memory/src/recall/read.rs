//! Reading what a search needs of the documents themselves: before scoring, how memories and episodes stand today; after
//! it, what was chosen.

use std::collections::HashMap;
use std::sync::Arc;

use super::activation::Activation;
use super::fuse::{RecordSignals, Scored};
use super::request::{Hit, HitSource};
use super::retrieve::{Candidates, Question};
use super::search::Glance;
use super::weights::PartWeights;
use crate::error::StoreResult;
use crate::ports::{ReadStore, RowMaterial};
use crate::strength;
use crate::types::{Corpus, Counters, Filter, Memory, MemoryId, Record, Time};

impl Glance<'_> {
    /// Time, salience and strength of memories or episodes, as they are at the moment of the question.
    pub(super) async fn standing(
        &self,
        candidates: &Candidates,
        question: &Question,
        filter: &Filter,
    ) -> StoreResult<HashMap<i64, RecordSignals>> {
        let nominated = || candidates.nominated.iter().filter_map(|row| candidates.row(*row));
        let ids: Vec<MemoryId> = nominated()
            .filter_map(|known| match &known.record {
                Some(Record::Memory(memory)) => Some(memory.id.clone()),
                _ => None,
            })
            .collect();
        let counters = if ids.is_empty() { HashMap::new() } else { self.view.counters(&ids).await? };
        let awake =
            if ids.is_empty() { Activation::default() } else { self.activation(question, filter).await? };
        let now = question.reference;
        let standing = |known: &RowMaterial| match &known.record {
            Some(Record::Memory(memory)) => {
                let standing = standing_of(memory, counters.get(&memory.id), now);
                let (graph, emotion) = (awake.graph(memory), awake.emotion(memory));
                Some((known.row, RecordSignals { graph, emotion, ..standing }))
            }
            Some(Record::Episode(episode)) => {
                let salience = strength::episode_salience(episode, now);
                let none = RecordSignals::at(episode.ended_at);
                Some((known.row, RecordSignals { salience, ..none }))
            }
            _ => None,
        };
        Ok(nominated().filter_map(standing).collect())
    }

    /// Reads what was chosen, in its order; what came with the candidates is not read again.
    pub(super) async fn read(
        &self,
        corpus: Corpus,
        chosen: Vec<Scored>,
        weights: PartWeights,
        candidates: &Candidates,
    ) -> StoreResult<Vec<Hit>> {
        let rows: Vec<i64> = chosen.iter().map(|scored| scored.row).collect();
        let known = |row: &i64| Some((*row, HitSource::of(candidates.row(*row)?.record.clone()?)?));
        let mut sources: HashMap<i64, HitSource> = rows.iter().filter_map(known).collect();
        if corpus == Corpus::Turns {
            let turns = self.view.turns_at(&rows).await?;
            sources = turns.into_iter().map(|(row, turn)| (row, HitSource::Turn(Box::new(turn)))).collect();
        } else if sources.len() < rows.len() {
            let found = self.view.material(corpus, &rows, &[], None).await?.rows;
            let source = |found: &Arc<RowMaterial>| Some((found.row, HitSource::of(found.record.clone()?)?));
            sources = found.iter().filter_map(source).collect();
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
}

/// A memory's salience and strength today: functions of the time since it was last used, never rewritten.
fn standing_of(memory: &Memory, counters: Option<&Counters>, now: Time) -> RecordSignals {
    let salience = strength::salience(memory, counters, now);
    let strength = strength::strength(memory, counters, now);
    let feedback = strength::feedback(counters);
    RecordSignals { salience, strength, feedback, ..RecordSignals::at(memory.created_at) }
}
