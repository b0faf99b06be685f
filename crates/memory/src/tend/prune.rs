//! What was kept long enough goes for good: what was forgotten and can be undone until then, digests, what was said, texts that were archived, blocks and logs. This cannot
//! be undone, and is declared so. What was learned from it stays.

use super::{Proposal, StepSlice, TendContext, Tender};
use crate::error::StoreResult;
use crate::limits;
use crate::types::{Change, Kept, RecordKind, RecordRef, Time};

/// What goes, in this order: sessions only when nothing that was said in them is left.
const PARTS: [&str; 8] =
    ["forgotten", "episodes", "turns", "sessions", "blocks", "archives", "logs", "crises"];

pub(super) async fn plan(tender: &Tender, cursor: &str, look: &TendContext<'_>) -> StoreResult<StepSlice> {
    let part = PARTS.iter().position(|part| *part == cursor).unwrap_or(0);
    let settings = &tender.tools.settings;
    if PARTS[part] == "crises" {
        return crises(tender, look).await;
    }
    let days = match PARTS[part] {
        "forgotten" => settings.forgotten_retention_days,
        "archives" => settings.archive_retention_days,
        "logs" => settings.log_retention_days,
        _ => settings.episode_retention_days,
    };
    let following = PARTS.get(part + 1).map(|part| (*part).to_owned());
    if days == 0 {
        return Ok(StepSlice { next: following, ..StepSlice::default() });
    }
    let before = look.now.plus_seconds(-86_400 * days);
    let (proposed, more) = match PARTS[part] {
        "forgotten" => forgotten(tender, before, days).await?,
        "episodes" => episodes(tender, before, days).await?,
        "turns" => turns(tender, before, days).await?,
        "sessions" => sessions(tender, before, days).await?,
        "blocks" => rows(tender, Kept::Blocks, before, days).await?,
        "archives" => rows(tender, Kept::Archives, before, days).await?,
        _ => rows(tender, Kept::Logs, before, days).await?,
    };
    // In a rehearsal nothing goes, and the same rows would come for ever.
    let next = if more && !look.rehearsing { Some(PARTS[part].to_owned()) } else { following };
    Ok(StepSlice { proposed: proposed.into_iter().collect(), next, skipped: None })
}

type PruneStep = (Option<Proposal>, bool);

fn older(what: &str, count: usize, days: i64) -> Proposal {
    let reason = format!("{count} {what} older than {days} days, for good");
    Proposal { weight: count as u64, ..Proposal::about(&[], reason) }
}

/// What is marked deleted, and what veils hide: after this no undo brings it back.
async fn forgotten(tender: &Tender, before: Time, days: i64) -> StoreResult<PruneStep> {
    let gone = tender.store().forgotten_before(before, limits::TEND_ROWS).await?;
    let more = gone.len() == limits::TEND_ROWS;
    let mut proposed = older("forgotten records", gone.len(), days);
    for of in gone {
        proposed.of.push(of.clone());
        proposed = proposed.with(Change::Purge { of });
    }
    Ok(((!proposed.changes.is_empty()).then_some(proposed), more))
}

async fn episodes(tender: &Tender, before: Time, days: i64) -> StoreResult<PruneStep> {
    let ids = tender.store().episodes_before(before, limits::TEND_ROWS).await?;
    let more = ids.len() == limits::TEND_ROWS;
    let mut proposed = older("digests", ids.len(), days);
    for id in ids {
        let of = RecordRef { kind: RecordKind::Episode, id };
        proposed.of.push(of.clone());
        proposed = proposed.with(Change::Purge { of });
    }
    Ok(((!proposed.changes.is_empty()).then_some(proposed), more))
}

async fn turns(tender: &Tender, before: Time, days: i64) -> StoreResult<PruneStep> {
    let turns = tender.store().turns_before(before, limits::TEND_ROWS).await?;
    let more = turns.len() == limits::TEND_ROWS;
    if turns.is_empty() {
        return Ok((None, false));
    }
    Ok((Some(older("messages", turns.len(), days).with(Change::PurgeTurns { turns })), more))
}

async fn sessions(tender: &Tender, before: Time, days: i64) -> StoreResult<PruneStep> {
    let keys = tender.store().empty_sessions(before, limits::TEND_ROWS).await?;
    let more = keys.len() == limits::TEND_ROWS;
    let mut proposed = older("conversations", keys.len(), days);
    for key in keys {
        proposed = proposed.with(Change::Purge { of: RecordRef::session(&key) });
    }
    Ok(((!proposed.changes.is_empty()).then_some(proposed), more))
}

/// Records of crises whose time is over: each says itself how long it is kept.
async fn crises(tender: &Tender, look: &TendContext<'_>) -> StoreResult<StepSlice> {
    let (what, before, limit) = (Kept::Crises, look.now, limits::PAGE_ROWS as u64);
    let over = tender.store().older_than(what, before).await?;
    if over == 0 {
        return Ok(StepSlice::default());
    }
    let count = over.min(limit);
    let reason = format!("{count} {what} whose time is over, for good");
    let proposed = Proposal { weight: count, ..Proposal::about(&[], reason) };
    let next = (over > limit && !look.rehearsing).then(|| "crises".to_owned());
    let proposed = vec![proposed.with(Change::Prune { what, before, limit })];
    Ok(StepSlice { proposed, next, skipped: None })
}

async fn rows(tender: &Tender, what: Kept, before: Time, days: i64) -> StoreResult<PruneStep> {
    let there = tender.store().older_than(what, before).await?;
    if there == 0 {
        return Ok((None, false));
    }
    let limit = limits::PAGE_ROWS as u64;
    let now = there.min(limit);
    let proposed = older(what.as_str(), now as usize, days).with(Change::Prune { what, before, limit });
    Ok((Some(proposed), there > limit))
}
