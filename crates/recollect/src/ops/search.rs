//! Find what is remembered about something, by its words.
//!
//! The store nominates, the core scores: BM25 over the tenant's own statistics. Where the words find nothing, the last
//! tier looks for them as they stand in the text. The answer says which way it was found.

use std::collections::HashMap;

use memory::limits::{QUERY_BYTES, SEARCH_RESULTS};
use memory::ports::{Nominee, ReadStore, Statistics};
use memory::recall::bm25::Scorer;
use memory::text::query::{self, Column, Expression, Query};
use memory::types::{Corpus, Filter, Memory, MemoryId, Record, RecordRef, Status, Time, Validity};
use serde::{Deserialize, Serialize};

use super::Visit;
use super::select::Selection;
use crate::limits;
use crate::problem::Problem;

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Search {
    pub query: String,
    /// How many results at most; the setting `recallTopK` unless said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub top_k: Option<usize>,
    pub filter: Selection,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Found {
    /// Best first.
    pub results: Vec<Hit>,
    pub path: Way,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Hit {
    #[serde(flatten)]
    pub memory: Memory,
    /// From 0 to 1, the same scale for every query.
    pub score: f64,
}

/// How the results were found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Way {
    /// By their words, in the index.
    Keyword,
    /// By the text containing the words as they stand.
    Like,
    /// There was nothing to search in.
    SkippedEmptyStore,
}

pub(super) async fn search(visit: &Visit<'_>, request: Search) -> Result<Found, Problem> {
    let text = looked_at(&request.query)?;
    let wanted = how_many(visit, request.top_k).await?;
    let filter = request.filter.filter(visit.now)?;
    let query = query::parse(text, visit.tenant.analyser());
    let statistics = visit.tenant.statistics(Corpus::Memories, &query.terms).await?;
    if statistics.documents == 0 && !matches!(filter.validity, Validity::KnownAt { .. }) {
        return Ok(Found { results: Vec::new(), path: Way::SkippedEmptyStore });
    }
    let limit = limits::NOMINEES.max(wanted);
    let nominees = visit.tenant.nominate(Corpus::Memories, &query, &filter, limit).await?;
    // Operators were meant; letters that happen to be there would answer another question.
    let plain = matches!(query.expression, Expression::Any(_));
    let (scored, path) = if nominees.is_empty() && plain {
        let words: Vec<String> =
            text.split_whitespace().take(limits::LIKE_WORDS).map(str::to_owned).collect();
        let nominees = visit.tenant.nominate_like(Corpus::Memories, &words, &filter, limit).await?;
        (by_share(visit, nominees, &words, &filter).await?, Way::Like)
    } else if matches!(filter.validity, Validity::KnownAt { .. }) {
        // Today's index knows nothing of how they stood then.
        (by_share(visit, nominees, &query.terms, &filter).await?, Way::Keyword)
    } else {
        (by_words(visit, nominees, &query, &statistics, &filter).await?, Way::Keyword)
    };
    Ok(Found { results: best(scored, wanted), path })
}

/// The part of a query that is looked at.
pub(super) fn looked_at(query: &str) -> Result<&str, Problem> {
    let query = query.trim();
    if query.is_empty() {
        return Err(Problem::invalid("the query is empty; expected words to look for"));
    }
    let end = (0..=QUERY_BYTES.min(query.len())).rev().find(|end| query.is_char_boundary(*end));
    Ok(&query[..end.unwrap_or(0)])
}

async fn how_many(visit: &Visit<'_>, asked: Option<usize>) -> Result<usize, Problem> {
    match asked {
        None => Ok(usize::try_from(visit.tenant.settings().await?.recall_top_k).unwrap_or(1)),
        Some(wanted) if (1..=SEARCH_RESULTS).contains(&wanted) => Ok(wanted),
        Some(wanted) => {
            let message = format!("{wanted} results are asked for; expected from 1 to {}", SEARCH_RESULTS);
            Err(Problem::invalid(message))
        }
    }
}

struct Scored {
    hit: Hit,
    row: i64,
}

/// BM25 of each nominee's words.
async fn by_words(
    visit: &Visit<'_>,
    nominees: Vec<Nominee>,
    query: &Query,
    statistics: &Statistics,
    filter: &Filter,
) -> Result<Vec<Scored>, Problem> {
    let rows: Vec<i64> = nominees.iter().map(|nominee| nominee.row).collect();
    let documents = visit.tenant.documents(Corpus::Memories, &rows).await?;
    let scorer = Scorer::new(&query.terms, statistics);
    let scores: HashMap<i64, f64> = documents
        .iter()
        .map(|document| {
            let terms = match query.column {
                Column::Stems => &document.terms,
                Column::Surface => &document.surface,
            };
            (document.row, scorer.score_terms(terms, document.length))
        })
        .collect();
    let memories = read(visit, nominees, filter).await?;
    let scored = memories.into_iter().filter_map(|(row, memory)| {
        let score = *scores.get(&row)?;
        Some(Scored { hit: Hit { memory, score }, row })
    });
    Ok(scored.collect())
}

/// The share of the words that each nominee's text contains, where there is no index to weigh them by.
async fn by_share(
    visit: &Visit<'_>,
    nominees: Vec<Nominee>,
    words: &[String],
    filter: &Filter,
) -> Result<Vec<Scored>, Problem> {
    let memories = read(visit, nominees, filter).await?;
    let scored = memories.into_iter().map(|(row, memory)| {
        let text = memory::text::fold(&memory.content);
        let contained = words.iter().filter(|word| text.contains(memory::text::fold(word).as_str())).count();
        let score = contained as f64 / words.len().max(1) as f64;
        Scored { hit: Hit { memory, score }, row }
    });
    Ok(scored.collect())
}

/// The nominees' memories with their rows, as the filter's clock wants them.
async fn read(
    visit: &Visit<'_>,
    nominees: Vec<Nominee>,
    filter: &Filter,
) -> Result<Vec<(i64, Memory)>, Problem> {
    let rows: HashMap<&str, i64> =
        nominees.iter().map(|nominee| (nominee.id.as_str(), nominee.row)).collect();
    let ids: Vec<MemoryId> = nominees.iter().filter_map(|nominee| nominee.id.parse().ok()).collect();
    let memories = match filter.validity {
        Validity::KnownAt { then } => as_known(visit, &ids, then).await?,
        Validity::Current { .. } => {
            // Between nominating and reading, somebody may have forgotten one.
            let mut memories = visit.tenant.memories(&ids).await?;
            memories.retain(|memory| memory.status == Status::Active);
            memories
        }
        Validity::AsOf { .. } | Validity::Ever => visit.tenant.memories(&ids).await?,
    };
    Ok(memories.into_iter().filter_map(|memory| Some((*rows.get(memory.id.as_str())?, memory))).collect())
}

/// The memories as they stood in the books at that moment.
async fn as_known(visit: &Visit<'_>, ids: &[MemoryId], then: Time) -> Result<Vec<Memory>, Problem> {
    let mut memories = Vec::with_capacity(ids.len());
    for id in ids {
        let events = visit.tenant.history(&RecordRef::memory(id)).await?;
        let last = events.into_iter().rev().find(|event| event.at <= then);
        if let Some(Record::Memory(memory)) = last.and_then(|event| event.after) {
            memories.push(*memory);
        }
    }
    Ok(memories)
}

/// Best first; equal scores keep the order in which they were written.
fn best(mut scored: Vec<Scored>, wanted: usize) -> Vec<Hit> {
    scored.sort_by(|left, right| right.hit.score.total_cmp(&left.hit.score).then(left.row.cmp(&right.row)));
    scored.truncate(wanted);
    scored.into_iter().map(|scored| scored.hit).collect()
}
