//! What can be found is in the index, and nothing else is: words that are missing are split anew, words of what is gone are
//! taken away, and vectors that are missing are made.

use super::{Proposal, StepSlice, TendContext, Tender};
use crate::error::StoreResult;
use crate::limits;
use crate::types::{Change, Corpus};

pub(super) async fn plan(tender: &Tender, cursor: &str, look: &TendContext<'_>) -> StoreResult<StepSlice> {
    let (corpus, after) = read(cursor);
    let rows = tender.store().out_of_step(corpus, after, limits::TEND_ROWS).await?;
    if let Some(last) = rows.last().copied() {
        let reason = format!("{} rows of {corpus} whose words are out of step", rows.len());
        let proposed = Proposal { weight: rows.len() as u64, ..Proposal::about(&[], reason) };
        let proposed = vec![proposed.with(Change::Reindex { corpus, rows })];
        return Ok(StepSlice { proposed, next: Some(format!("{corpus} {last}")), skipped: None });
    }
    let (proposed, more) = vectors(tender, corpus, look).await?;
    let following = Corpus::ALL.iter().find(|other| **other > corpus).map(|other| format!("{other} 0"));
    let next = if more && !look.rehearsing { Some(cursor.to_owned()) } else { following };
    Ok(StepSlice { proposed: proposed.into_iter().collect(), next, skipped: None })
}

fn read(cursor: &str) -> (Corpus, i64) {
    let parts =
        cursor.split_once(' ').and_then(|(corpus, row)| Some((corpus.parse().ok()?, row.parse().ok()?)));
    parts.unwrap_or((Corpus::ALL[0], 0))
}

async fn vectors(
    tender: &Tender,
    corpus: Corpus,
    look: &TendContext<'_>,
) -> StoreResult<(Option<Proposal>, bool)> {
    let Some(embedder) = &tender.tools.embedder else { return Ok((None, false)) };
    let missing = tender.store().without_vector(corpus, embedder.signature(), limits::EMBED_TEXTS).await?;
    if missing.is_empty() {
        return Ok((None, false));
    }
    let more = missing.len() == limits::EMBED_TEXTS;
    let reason = format!("{} rows of {corpus} without a vector", missing.len());
    let mut proposed = Proposal { weight: missing.len() as u64, ..Proposal::about(&[], reason) };
    if look.rehearsing {
        return Ok((Some(proposed), more));
    }
    let texts: Vec<String> = missing.iter().map(|(_, text)| text.clone()).collect();
    let Ok(vectors) = embedder.embed(&texts).await else {
        // The model is away. Keywords answer meanwhile, and whoever writes or opens the store next tries again.
        return Ok((None, false));
    };
    for ((id, _), vector) in missing.into_iter().zip(vectors) {
        let signature = embedder.signature().to_owned();
        proposed = proposed.with(Change::FillVector { corpus, id, signature, vector });
    }
    Ok((Some(proposed), more))
}
