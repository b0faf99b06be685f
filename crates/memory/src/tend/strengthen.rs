//! What is used together belongs together: memories of one block that its reply made use of become linked, and the more
//! often they do, the stronger.
//!
//! Which they were is told by judgements ([`crate::learn::feedback`]). A memory that the reply passed over, or that was called
//! wrong, is linked with nothing by that block. Where nobody judged the reply, to have stood side by side counts a little.
//!
//! Each block counts once. How far the step has come is kept apart from the run, because a run that failed has counted too.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::merge::linked;
use super::{Proposal, StepSlice, TendContext, Tender};
use crate::error::StoreResult;
use crate::limits;
use crate::types::{
    Block, Change, FeedbackEntry, Job, Judgement, Link, LinkKind, MemoryId, SessionKey, Status, Time,
};

/// The mark of this step in the table of jobs.
const MARK: &str = "tend strengthen";

/// What a pair begins with, and which share of what is missing to 1 each further time adds: where the reply used both, and
/// where it is only known that both were shown.
const FIRST: f32 = 0.2;
const SHARE: f32 = 0.1;
const FIRST_SHOWN: f32 = 0.05;
const SHARE_SHOWN: f32 = 0.02;

/// How often two came together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Together {
    used: u32,
    shown: u32,
}

pub(super) async fn plan(tender: &Tender, cursor: &str, look: &TendContext<'_>) -> StoreResult<StepSlice> {
    let known = tender.store().job(MARK).await?.and_then(|job| job.mark);
    let from = if look.rehearsing && !cursor.is_empty() { Some(cursor.to_owned()) } else { known };
    let (at, hash) = from.as_deref().and_then(read).unwrap_or((Time::MIN, String::new()));
    let blocks = tender.store().blocks_after(at, &hash, limits::TEND_ROWS).await?;
    let Some(last) = blocks.last() else { return Ok(StepSlice::default()) };
    let mark = format!("{} {}", last.at, last.hash);
    let next = (blocks.len() == limits::TEND_ROWS).then(|| mark.clone());
    let said = judgements(tender, &blocks).await?;
    let mut proposed = links(tender, pairs(&blocks, &said), look).await?;
    let job = Job { name: MARK.to_owned(), due_at: look.now, last_run_at: Some(look.now), mark: Some(mark) };
    let moved = Proposal { weight: 0, ..Proposal::about(&[], "how far it came") };
    proposed.push(moved.with(Change::PutJob { job }));
    Ok(StepSlice { proposed, next, skipped: None })
}

fn read(mark: &str) -> Option<(Time, String)> {
    let (at, hash) = mark.split_once(' ')?;
    Some((at.parse().ok()?, hash.to_owned()))
}

/// What was said of each memory in each conversation, with when.
type SessionJudgements = HashMap<(SessionKey, MemoryId), Vec<(Time, Judgement)>>;

async fn judgements(tender: &Tender, blocks: &[Block]) -> StoreResult<SessionJudgements> {
    let Some(first) = blocks.iter().map(|block| block.at).min() else { return Ok(SessionJudgements::new()) };
    let ids: HashSet<&MemoryId> = blocks.iter().flat_map(|block| &block.memories).collect();
    let ids: Vec<MemoryId> = ids.into_iter().cloned().collect();
    let entries = tender.store().feedback_since(&ids, first, limits::JUDGEMENTS_READ).await?;
    let mut said = SessionJudgements::new();
    for FeedbackEntry { memory, judgement, session, at, .. } in entries {
        if let Some(session) = session {
            said.entry((session, memory)).or_default().push((at, judgement));
        }
    }
    Ok(said)
}

/// What became of a memory in a block. A conversation shows it once, so what was said since is about this block. Who calls
/// it wrong outweighs everybody, and one reply that used it those that did not.
fn became(block: &Block, memory: &MemoryId, said: &SessionJudgements) -> Option<Judgement> {
    let said = said.get(&(block.session.clone(), memory.clone()))?;
    let since = || said.iter().filter(|(at, _)| *at >= block.at).map(|(_, judgement)| *judgement);
    [Judgement::Wrong, Judgement::Used, Judgement::Ignored]
        .into_iter()
        .find(|judgement| since().any(|other| other == *judgement))
}

/// How often each two came together in one block, the smaller id first.
fn pairs(blocks: &[Block], said: &SessionJudgements) -> BTreeMap<(MemoryId, MemoryId), Together> {
    let mut pairs: BTreeMap<(MemoryId, MemoryId), Together> = BTreeMap::new();
    for block in blocks {
        let mut shown = block.memories.clone();
        shown.truncate(limits::CO_ACTIVATED);
        shown.sort();
        shown.dedup();
        let became: Vec<Option<Judgement>> = shown.iter().map(|memory| became(block, memory, said)).collect();
        for (place, one) in shown.iter().enumerate() {
            for (behind, other) in shown.iter().enumerate().skip(place + 1) {
                let together = match (became[place], became[behind]) {
                    (Some(Judgement::Used), Some(Judgement::Used)) => Together { used: 1, shown: 0 },
                    // Of what is not judged in a reply that is, nothing could be told.
                    (Some(Judgement::Used) | None, None) | (None, Some(Judgement::Used)) => {
                        Together { used: 0, shown: 1 }
                    }
                    _ => continue,
                };
                let known = pairs.entry((one.clone(), other.clone())).or_default();
                known.used += together.used;
                known.shown += together.shown;
            }
        }
    }
    pairs
}

async fn links(
    tender: &Tender,
    pairs: BTreeMap<(MemoryId, MemoryId), Together>,
    look: &TendContext<'_>,
) -> StoreResult<Vec<Proposal>> {
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
    for (pair, together) in pairs {
        let (one, other) = &pair;
        if !active.contains(one) || !active.contains(other) {
            continue;
        }
        let Together { used, shown } = together;
        let reason = format!("used together {used} times, shown together {shown} times more");
        let about = Proposal::about(&[one, other], reason);
        proposed.push(match known.remove(&pair) {
            Some(link) => {
                let weight = grown(link.weight, together);
                about.replace(Link { weight, updated_at: look.now, ..link })
            }
            None => {
                let weight = begun(together);
                let clock = &*tender.tools.clock;
                about.insert(linked(clock, one, other, LinkKind::CoActivated, weight, look.now))
            }
        });
    }
    Ok(proposed)
}

fn begun(together: Together) -> f32 {
    match together {
        Together { used: 0, shown } => {
            grown(FIRST_SHOWN, Together { used: 0, shown: shown.saturating_sub(1) })
        }
        Together { used, shown } => grown(FIRST, Together { used: used - 1, shown }),
    }
}

fn grown(weight: f32, together: Together) -> f32 {
    let grow = |weight: f32, times: u32, share: f32| {
        (0..times).fold(weight, |weight, _| weight + share * (1.0 - weight))
    };
    grow(grow(weight, together.used, SHARE), together.shown, SHARE_SHOWN)
}
