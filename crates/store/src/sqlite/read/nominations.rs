//! All that search asks of a corpus before it scores: who proposes what, and what scoring needs of it.

use std::sync::Arc;

use memory::error::StoreResult;
use memory::ports::{Nominated, Nomination, Nominee, Proposer, ScoringMaterial, ScoringNeeds};
use memory::text::Query;
use memory::types::{Corpus, Filter};
use rusqlite::Connection;

use crate::sqlite::connection::snapshot;
use crate::sqlite::deck;
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
    let mut proposed: Vec<i64> = proposed.collect();
    proposed.sort_unstable();
    proposed.dedup();
    if asked.proposers.is_empty() {
        nominated.material = as_stored(connection, inner, asked.corpus, needs)?;
        return Ok(());
    }
    if proposed.is_empty() && needs.rows.is_empty() {
        return Ok(());
    }
    // Vectors are of no use where the nearest could not be found.
    let is_lacking = asked
        .proposers
        .iter()
        .zip(&nominated.proposed)
        .any(|(proposer, found)| matches!(proposer, Proposer::Near { .. }) && found.is_none());
    let signature = needs.signature.as_deref().or(inner.signature());
    let more = needs.rows.iter().copied().filter(|row| proposed.binary_search(row).is_err());
    let mut rows: Vec<i64> = proposed.iter().copied().chain(more).collect();
    rows.sort_unstable();
    let mut known = inner.decks.rows(connection, asked.corpus, signature, &rows)?;
    if asked.corpus == Corpus::Turns && needs.neighbours {
        known = inner.decks.rows(connection, asked.corpus, signature, &deck::neighbourhood(&known))?;
        let admitted = known.iter().flatten().filter(|turn| {
            let row = turn.material.row;
            proposed.binary_search(&row).is_ok() || turn.is_admitted(&asked.filter)
        });
        nominated.admitted = admitted.map(|turn| turn.material.row).collect();
    }
    nominated.material = ScoringMaterial {
        statistics: search::statistics(connection, inner, asked.corpus, &needs.terms)?,
        rows: known.iter().flatten().map(|row| Arc::clone(&row.material)).collect(),
        by_meaning: needs.signature.is_some() && !is_lacking,
    };
    Ok(())
}

/// What stands in the database of rows that nobody searched for: who looks after them wants to see that and nothing else.
fn as_stored(
    connection: &Connection,
    inner: &TenantInner,
    corpus: Corpus,
    needs: &ScoringNeeds,
) -> StoreResult<ScoringMaterial> {
    let rows = deck::stored(connection, corpus, needs.signature.as_deref(), &needs.rows)?;
    Ok(ScoringMaterial {
        statistics: search::statistics(connection, inner, corpus, &needs.terms)?,
        rows: rows.into_iter().flatten().map(|row| Arc::clone(&row.material)).collect(),
        by_meaning: needs.signature.is_some(),
    })
}
