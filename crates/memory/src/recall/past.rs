//! Searching what was known at a moment of the past.
//!
//! Indexes know only the present, so the memories are read from history as they stood then, and matched and scored here.
//! Slower than a search of today, bounded by `limits::KNOWN_AT_ROWS`, and right.

use std::collections::HashMap;

use super::bm25::Scorer;
use super::fuse::{Scored, best_first};
use super::request::{Hit, HitSource, ScoreParts, SearchRequest};
use super::retrieve::Question;
use super::search::SELECTED;
use super::weights::PartWeights;
use crate::error::StoreResult;
use crate::limits;
use crate::ports::{ReadStore, Statistics};
use crate::text::{Analysed, Analyser, IndexColumn};
use crate::types::{Memory, PageRequest};

pub async fn search(
    store: &dyn ReadStore,
    analyser: &Analyser,
    question: &Question,
    request: &SearchRequest,
    top_k: usize,
) -> StoreResult<Vec<Hit>> {
    let page = PageRequest::newest(limits::KNOWN_AT_ROWS);
    let known = store.list_memories(&request.filter, page).await?.items;
    let analysed: Vec<(Memory, Analysed)> = known
        .into_iter()
        .map(|memory| {
            let analysed = analyser.analyse(&memory.content);
            (memory, analysed)
        })
        .collect();
    let statistics = statistics(&analysed, &question.query.terms);
    let scorer = Scorer::new(&question.query.terms, &statistics);
    let matching = analysed.iter().enumerate().filter(|(_, (_, words))| question.query.matches(words));
    let weights = PartWeights::words();
    let scored = matching.map(|(place, (_, words))| {
        let column = if question.query.column == IndexColumn::Stems { &words.stems } else { &words.surface };
        let weighed = scorer.score_terms(&column.join(" "), words.stems.len() as u32);
        let text = if question.selects() { weighed.max(SELECTED) } else { weighed };
        Scored::new(place as i64, ScoreParts { text, ..ScoreParts::default() }, &weights)
    });
    let best = best_first(scored.collect()).into_iter().take(top_k);
    Ok(best.map(|scored| hit(analysed[scored.row as usize].0.clone(), &scored, weights)).collect())
}

/// The newest of what was known then, as it stood; the caller scores them.
pub async fn recent(store: &dyn ReadStore, request: &SearchRequest, top_k: usize) -> StoreResult<Vec<Hit>> {
    let known = store.list_memories(&request.filter, PageRequest::newest(top_k)).await?.items;
    let none = PartWeights::default();
    let unscored = |place: usize| Scored::new(-(place as i64), ScoreParts::default(), &none);
    Ok(known.into_iter().enumerate().map(|(place, memory)| hit(memory, &unscored(place), none)).collect())
}

fn hit(memory: Memory, scored: &Scored, weights: PartWeights) -> Hit {
    let source = HitSource::Memory(Box::new(memory));
    Hit { row: scored.row, score: scored.score, parts: scored.parts, weights, source, window: Vec::new() }
}

fn statistics(analysed: &[(Memory, Analysed)], terms: &[String]) -> Statistics {
    let total: usize = analysed.iter().map(|(_, words)| words.stems.len()).sum();
    let mut frequencies: HashMap<String, u64> = terms.iter().map(|term| (term.clone(), 0)).collect();
    for (term, count) in &mut frequencies {
        let has = |words: &Analysed| words.stems.contains(term) || words.surface.contains(term);
        *count = analysed.iter().filter(|(_, words)| has(words)).count() as u64;
    }
    let documents = analysed.len() as u64;
    Statistics { documents, mean_length: total as f64 / documents.max(1) as f64, frequencies }
}
