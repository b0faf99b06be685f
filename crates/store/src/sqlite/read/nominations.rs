//! All that search asks of a corpus before it scores: who proposes what, and what scoring needs of it.

use std::collections::BTreeSet;
use std::sync::Arc;

use memory::error::StoreResult;
use memory::ports::{Nominated, Nomination, Nominee, Proposer, ScoringMaterial, ScoringNeeds};
use memory::text::Query;
use memory::types::{Corpus, Filter};
use rusqlite::Connection;

use super::{conversations, vectors};
use crate::sqlite::connection::snapshot;
use crate::sqlite::{TenantInner, keyword_cache, search, vector_search};

pub(super) fn nominated(
    connection: &Connection,
    inner: &Arc<TenantInner>,
    asked: &Nomination,
) -> StoreResult<Nominated> {
    // One moment for the engines, the places and the material, also where no view holds one.
    let _moment = snapshot(connection)?;
    let mut nominated = Nominated::default();
    for proposer in &asked.proposers {
        nominated.proposed.push(propose(connection, inner, asked, proposer)?);
    }
    if let Some(needs) = &asked.scoring {
        bring_along(connection, inner, asked, needs, &mut nominated)?;
    }
    Ok(nominated)
}

fn propose(
    connection: &Connection,
    inner: &Arc<TenantInner>,
    asked: &Nomination,
    proposer: &Proposer,
) -> StoreResult<Option<Vec<(Nominee, f32)>>> {
    let (corpus, filter) = (asked.corpus, &asked.filter);
    let nominees = match proposer {
        Proposer::Near { signature, question, limit } => {
            return vector_search::nominate(connection, inner, corpus, signature, question, filter, *limit);
        }
        Proposer::Words { query, limit } => by_words(connection, inner, corpus, query, filter, *limit)?,
        Proposer::WordsWithin { query, since, until, limit } => {
            let narrowed = Filter {
                since: Some(filter.since.map_or(*since, |given| given.max(*since))),
                until: Some(filter.until.map_or(*until, |given| given.min(*until))),
                ..filter.clone()
            };
            by_words(connection, inner, corpus, query, &narrowed, *limit)?
        }
        Proposer::Containing { words, limit } => {
            search::nominate_like(connection, corpus, words, filter, *limit)?
        }
        Proposer::Newest { limit } => search::nominate_recent(connection, corpus, filter, *limit)?,
        Proposer::Rows(rows) => search::admit(connection, corpus, rows, filter)?,
    };
    Ok(Some(nominees.into_iter().map(|nominee| (nominee, 0.0)).collect()))
}

/// From memory where the words are there, by FTS5 otherwise.
fn by_words(
    connection: &Connection,
    inner: &Arc<TenantInner>,
    corpus: Corpus,
    query: &Query,
    filter: &Filter,
    limit: usize,
) -> StoreResult<Vec<Nominee>> {
    if let Some(nominees) = keyword_cache::nominate(connection, inner, corpus, query, filter, limit)? {
        return Ok(nominees);
    }
    search::nominate(connection, &inner.analyser, corpus, query, filter, limit)
}

fn bring_along(
    connection: &Connection,
    inner: &TenantInner,
    asked: &Nomination,
    needs: &ScoringNeeds,
    nominated: &mut Nominated,
) -> StoreResult<()> {
    let proposed = nominated.proposed.iter().flatten().flatten().map(|(nominee, _)| nominee.row);
    let proposed: BTreeSet<i64> = proposed.collect();
    if proposed.is_empty() && !asked.proposers.is_empty() && needs.rows.is_empty() {
        return Ok(());
    }
    let mut rows: Vec<i64> = proposed
        .iter()
        .copied()
        .chain(needs.rows.iter().copied().filter(|row| !proposed.contains(row)))
        .collect();
    if let (Corpus::Turns, Some(radius)) = (asked.corpus, needs.neighbours) {
        nominated.places = conversations::neighbours(connection, &search::json_list(&rows), radius)?;
        rows = nominated.places.iter().map(|place| place.row).collect();
        let others: Vec<i64> = rows.iter().copied().filter(|row| !proposed.contains(row)).collect();
        let admitted = search::admit(connection, Corpus::Turns, &others, &asked.filter)?;
        nominated.admitted = admitted.into_iter().map(|nominee| nominee.row).chain(proposed).collect();
    }
    // Vectors are of no use where the nearest could not be found.
    let is_lacking = asked
        .proposers
        .iter()
        .zip(&nominated.proposed)
        .any(|(proposer, found)| matches!(proposer, Proposer::Near { .. }) && found.is_none());
    let signature = needs.signature.as_deref().filter(|_| !is_lacking);
    nominated.material = ScoringMaterial {
        statistics: search::statistics(connection, inner, asked.corpus, &needs.terms)?,
        documents: search::documents(connection, asked.corpus, &rows)?,
        vectors: match signature {
            Some(signature) => vectors::vectors_at(connection, asked.corpus, signature, &rows)?,
            None => Vec::new(),
        },
    };
    Ok(())
}
