//! What keeps coming up matters more: a memory that several recent digests speak of gains salience.
//!
//! A digest counts when most of the memory's words are in it. At least one of them must be new since the last pass, so that
//! the same conversations do not promote a memory every day.

use super::{Proposal, StepSlice, TendContext, Tender};
use crate::error::StoreResult;
use crate::limits;
use crate::text::query;
use crate::text::similarity::word_set;
use crate::types::{Corpus, Episode, Filter, Memory, PageRequest, Status};

const RECENT_SECONDS: i64 = 60 * 86_400;
const EPISODES: usize = 3;
const OVERLAP: f64 = 0.4;
const GAIN: f32 = 0.05;

pub(super) async fn plan(tender: &Tender, cursor: &str, look: &TendContext<'_>) -> StoreResult<StepSlice> {
    if !anything_new(tender, look).await? {
        return Ok(StepSlice::default());
    }
    let page = tender.ours_after(cursor).await?;
    let mut proposed = Vec::new();
    for (_, memory) in page.memories.into_iter().filter(|(_, memory)| memory.salience < 1.0) {
        let speaking = speaking_of(tender, &memory, look).await?;
        let is_new = |episode: &Episode| look.since.is_none_or(|since| episode.updated_at >= since);
        if speaking.len() >= EPISODES && speaking.iter().any(is_new) {
            let reason = format!("{} conversations of the last 60 days speak of it", speaking.len());
            let salience = (memory.salience + GAIN).min(1.0);
            let promoted = Memory { salience, updated_at: look.now, ..memory };
            proposed.push(Proposal::about(&[&promoted.id.clone()], reason).replace(promoted));
        }
    }
    Ok(StepSlice { proposed, next: page.next, skipped: None })
}

fn recent(look: &TendContext<'_>) -> Filter {
    let since = Some(look.now.plus_seconds(-RECENT_SECONDS));
    Filter { since, statuses: vec![Status::Active], ..Filter::current(look.now) }
}

async fn anything_new(tender: &Tender, look: &TendContext<'_>) -> StoreResult<bool> {
    let newest = tender.store().list_episodes(&recent(look), PageRequest::first(limits::ALIKE)).await?;
    Ok(newest.items.iter().any(|episode| look.since.is_none_or(|since| episode.updated_at >= since)))
}

/// The recent digests of the same owner that most of the memory's words are in.
async fn speaking_of(tender: &Tender, memory: &Memory, look: &TendContext<'_>) -> StoreResult<Vec<Episode>> {
    let filter =
        Filter { agent: Some(memory.agent.clone()), user: Some(memory.user.clone()), ..recent(look) };
    let words = word_set(&memory.content, look.analyser);
    let query = query::plain(&memory.content, look.analyser);
    if query.is_empty() || words.is_empty() {
        return Ok(Vec::new());
    }
    let nominees = tender.store().nominate(Corpus::Episodes, &query, &filter, limits::ALIKE).await?;
    if nominees.len() < EPISODES {
        return Ok(Vec::new());
    }
    let ids: Vec<String> = nominees.into_iter().map(|nominee| nominee.id).collect();
    let mut episodes = tender.store().episodes(&ids).await?;
    episodes.retain(|episode| {
        let said = word_set(&episode.searchable_text(), look.analyser);
        words.intersection(&said).count() as f64 / words.len() as f64 >= OVERLAP
    });
    Ok(episodes)
}
