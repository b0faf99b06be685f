//! Which of the memories that stood in a prompt its reply made use of, told by the words alone.
//!
//! Behind the write path, when a reply is stored. A memory's own words are those that the user's message does not have: a
//! reply that repeats the question repeats a memory about the same thing too, and has used nothing. Of those words the
//! rare ones count, names and numbers more than others, and they must stand close to each other in the reply: a long one
//! has some word of anything somewhere. Whether the reply agrees is no question here: "without chicken, because of the
//! allergy" is a use of the allergy.
//!
//! Words cannot tell everything. Where a memory says nothing that the question did not say, or where a little of it is in
//! the reply and no more, nothing is judged: a wrong judgement costs a memory its place, a missing one costs nothing.

pub mod doubt;
#[cfg(test)]
mod tests;
mod units;

use std::collections::{BTreeSet, HashMap, HashSet};

use crate::error::StoreResult;
use crate::limits;
use crate::ports::{ReadStore, Statistics};
use crate::text::Analyser;
use crate::text::similarity::inverse_frequency;
use crate::types::{Corpus, Judgement, Memory, MemoryId};

use units::{StatementUnit, UnitReader};

/// The share of a memory's own words, by weight, that one passage of a used memory's reply has: one word of three, two of six.
const USED_SHARE: f64 = 0.3;

/// The weight that is enough however long the memory is: four plain words in one passage are no accident.
const USED_WEIGHT: f64 = 4.0;

/// Up to this share, a word of seven, a reply went another way. Between the two nothing can be told.
const IGNORED_SHARE: f64 = 0.15;

/// A memory with less to know it by is not judged.
const LEAST_WEIGHT: f64 = 0.5;

/// Words of a passage: two or three sentences.
const PASSAGE_WORDS: usize = 40;

/// What is left of the evidence where the passage has numbers and none of the memory's: it speaks of another value.
const OTHER_NUMBER: f64 = 0.5;

/// The least that a word counts that all memories have.
const LEAST_RARITY: f64 = 0.15;

/// What the user said, and what was answered.
#[derive(Debug, Clone, Copy)]
pub struct Exchange<'a> {
    pub question: &'a str,
    pub reply: &'a str,
}

/// Judges the memories with these ids. What is gone, and what cannot be told, is left out.
pub async fn judged(
    store: &(impl ReadStore + ?Sized),
    analyser: &Analyser,
    exchange: Exchange<'_>,
    ids: &[MemoryId],
) -> StoreResult<Vec<(MemoryId, Judgement)>> {
    if exchange.reply.trim().is_empty() || ids.is_empty() {
        return Ok(Vec::new());
    }
    let memories = store.memories(ids).await?;
    let terms: BTreeSet<String> =
        memories.iter().flat_map(|memory| analyser.ranked_terms(&memory.content)).collect();
    let terms: Vec<String> = terms.into_iter().collect();
    let statistics = store.statistics(Corpus::Memories, &terms).await?;
    Ok(judge(&memories, exchange, &statistics, analyser))
}

/// The same of memories at hand. `statistics` says how common their words are.
pub fn judge(
    memories: &[Memory],
    exchange: Exchange<'_>,
    statistics: &Statistics,
    analyser: &Analyser,
) -> Vec<(MemoryId, Judgement)> {
    let reader = UnitReader::new(analyser);
    let asked = reader.forms(exchange.question);
    let reply = reader.sequence(clipped(exchange.reply));
    let judged = memories.iter().filter_map(|memory| {
        let own: Vec<StatementUnit> = reader.units(&memory.content);
        let own = own.into_iter().filter(|unit| unit.forms.iter().all(|form| !asked.contains(form)));
        let weighed: Vec<(StatementUnit, f64)> = own
            .map(|unit| {
                let weight = weight(&unit, statistics);
                (unit, weight)
            })
            .collect();
        let judgement = verdict(&weighed, &reply)?;
        Some((memory.id.clone(), judgement))
    });
    judged.collect()
}

/// The beginning of a reply that is too long to look through.
fn clipped(reply: &str) -> &str {
    &reply[..reply.floor_char_boundary(limits::JUDGED_REPLY_BYTES)]
}

/// What a word counts: its kind's share, less the more memories have it. One memory has it at least, this one.
fn weight(unit: &StatementUnit, statistics: &Statistics) -> f64 {
    let frequency =
        unit.terms.iter().filter_map(|term| statistics.frequencies.get(term)).max().copied().unwrap_or(0);
    let most = inverse_frequency(statistics.documents.max(1), 1);
    let rarity = inverse_frequency(statistics.documents.max(1), frequency.max(1)) / most;
    unit.worth * rarity.clamp(LEAST_RARITY, 1.0)
}

fn verdict(own: &[(StatementUnit, f64)], reply: &[String]) -> Option<Judgement> {
    let all: f64 = own.iter().map(|(_, weight)| weight).sum();
    if all < LEAST_WEIGHT {
        return None;
    }
    let best = best_passage(own, reply);
    let share = best / all;
    if share >= USED_SHARE || best >= USED_WEIGHT {
        Some(Judgement::Used)
    } else if share <= IGNORED_SHARE {
        Some(Judgement::Ignored)
    } else {
        None
    }
}

/// The weight of the memory's words that stand together in some passage of the reply, at most.
fn best_passage(own: &[(StatementUnit, f64)], reply: &[String]) -> f64 {
    let mut unit_of: HashMap<&str, Vec<usize>> = HashMap::new();
    for (place, (unit, _)) in own.iter().enumerate() {
        for form in &unit.forms {
            unit_of.entry(form.as_str()).or_default().push(place);
        }
    }
    let matches: Vec<(usize, &Vec<usize>)> = reply
        .iter()
        .enumerate()
        .filter_map(|(at, form)| unit_of.get(form.as_str()).map(|units| (at, units)))
        .collect();
    let has_number = own.iter().any(|(unit, _)| unit.number);
    let mut best = 0.0_f64;
    for (first, (start, _)) in matches.iter().enumerate() {
        let passage = matches[first..].iter().take_while(|(at, _)| at - start < PASSAGE_WORDS);
        let found: HashSet<usize> = passage.flat_map(|(_, units)| units.iter().copied()).collect();
        let mut weight: f64 = found.iter().map(|unit| own[*unit].1).sum();
        if has_number && !found.iter().any(|unit| own[*unit].0.number) {
            let around =
                &reply[start.saturating_sub(PASSAGE_WORDS / 2)..(start + PASSAGE_WORDS).min(reply.len())];
            if around.iter().any(|form| units::is_number(form)) {
                weight *= OTHER_NUMBER;
            }
        }
        best = best.max(weight);
    }
    best
}
