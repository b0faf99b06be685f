//! What is recalled together belongs together: memories that stood in the same block become linked, and the more often they
//! do, the stronger.
//!
//! Each block counts once. How far the step has come is kept apart from the run, because a run that failed has counted too.

use std::collections::{BTreeMap, HashSet};

use super::merge::linked;
use super::{Look, Portion, Proposed, Tender};
use crate::error::StoreResult;
use crate::limits;
use crate::types::{Block, Change, Job, Link, LinkKind, MemoryId, Status, Time};

/// The mark of this step in the table of jobs.
const MARK: &str = "tend strengthen";

/// What a pair begins with, and which share of what is missing to 1 each further time adds.
const FIRST: f32 = 0.2;
const SHARE: f32 = 0.1;

pub(super) async fn plan(tender: &Tender, cursor: &str, look: &Look<'_>) -> StoreResult<Portion> {
    let known = tender.store().job(MARK).await?.and_then(|job| job.mark);
    let from = if look.rehearsing && !cursor.is_empty() { Some(cursor.to_owned()) } else { known };
    let (at, hash) = from.as_deref().and_then(read).unwrap_or((Time::MIN, String::new()));
    let blocks = tender.store().blocks_after(at, &hash, limits::TEND_ROWS).await?;
    let Some(last) = blocks.last() else { return Ok(Portion::default()) };
    let mark = format!("{} {}", last.at, last.hash);
    let next = (blocks.len() == limits::TEND_ROWS).then(|| mark.clone());
    let mut proposed = links(tender, pairs(&blocks), look).await?;
    let job = Job { name: MARK.to_owned(), due_at: look.now, last_run_at: Some(look.now), mark: Some(mark) };
    let moved = Proposed { weight: 0, ..Proposed::about(&[], "how far it came") };
    proposed.push(moved.with(Change::PutJob { job }));
    Ok(Portion { proposed, next, skipped: None })
}

fn read(mark: &str) -> Option<(Time, String)> {
    let (at, hash) = mark.split_once(' ')?;
    Some((at.parse().ok()?, hash.to_owned()))
}

/// How often each two stood in one block, the smaller id first.
fn pairs(blocks: &[Block]) -> BTreeMap<(MemoryId, MemoryId), u32> {
    let mut pairs = BTreeMap::new();
    for block in blocks {
        let mut shown = block.memories.clone();
        shown.truncate(limits::CO_ACTIVATED);
        shown.sort();
        shown.dedup();
        for (place, one) in shown.iter().enumerate() {
            for other in &shown[place + 1..] {
                *pairs.entry((one.clone(), other.clone())).or_insert(0) += 1;
            }
        }
    }
    pairs
}

async fn links(
    tender: &Tender,
    pairs: BTreeMap<(MemoryId, MemoryId), u32>,
    look: &Look<'_>,
) -> StoreResult<Vec<Proposed>> {
    let ids: HashSet<MemoryId> = pairs.keys().flat_map(|(one, other)| [one.clone(), other.clone()]).collect();
    let ids: Vec<MemoryId> = ids.into_iter().collect();
    let memories = tender.store().memories(&ids).await?;
    let active: HashSet<MemoryId> = memories
        .into_iter()
        .filter(|memory| memory.status == Status::Active)
        .map(|memory| memory.id)
        .collect();
    let mut known: BTreeMap<(MemoryId, MemoryId), Link> = BTreeMap::new();
    for link in tender.store().links_of(&ids).await? {
        if link.kind == LinkKind::CoActivated {
            let (one, other) =
                (link.from.clone().min(link.to.clone()), link.from.clone().max(link.to.clone()));
            known.insert((one, other), link);
        }
    }
    let mut proposed = Vec::new();
    for (pair, times) in pairs {
        let (one, other) = &pair;
        if !active.contains(one) || !active.contains(other) {
            continue;
        }
        let about = Proposed::about(&[one, other], format!("recalled together {times} times"));
        proposed.push(match known.remove(&pair) {
            Some(link) => {
                let weight = grown(link.weight, times);
                about.replace(Link { weight, updated_at: look.now, ..link })
            }
            None => {
                let weight = grown(FIRST, times - 1);
                let clock = &*tender.tools.clock;
                about.insert(linked(clock, one, other, LinkKind::CoActivated, weight, look.now))
            }
        });
    }
    Ok(proposed)
}

fn grown(weight: f32, times: u32) -> f32 {
    (0..times).fold(weight, |weight, _| weight + SHARE * (1.0 - weight))
}
