//! Memories that say the same become one: the one that says more stays, and takes over what hung on the other.
//!
//! Two say the same when their contents are equal, or when they mean the same and the words of one are all in the other, in the
//! same order, with the same numbers and the same polarity: then nothing is lost with the one that goes. The one that goes is
//! superseded, not deleted. Tags are united, links re-pointed, counts summed. A person's memory may be what stays, and is left
//! as it is; it never goes.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use super::ownership::is_unclaimed;
use super::{Proposal, StepSlice, TendContext, Tender};
use crate::error::StoreResult;
use crate::learn::verify::same_values;
use crate::limits;
use crate::ports::{Clock, ReadStore};
use crate::types::{
    Change, Corpus, Expect, Filter, Link, LinkId, LinkKind, Memory, MemoryId, Node, RecordKind, RecordRef,
    Status, Time,
};

/// How close in meaning two memories must be.
const COSINE: f32 = 0.95;

pub(crate) async fn plan(tender: &Tender, cursor: &str, look: &TendContext<'_>) -> StoreResult<StepSlice> {
    let mut page = tender.ours_after(cursor).await?;
    // A pair is looked at when the later of the two is new.
    page.memories.retain(|(_, memory)| look.since.is_none_or(|since| memory.updated_at >= since));
    let mut unions = Unions::default();
    for pair in alike(tender, &page.memories, look).await? {
        unions.add(pair);
    }
    let mut proposed = Vec::new();
    for (_, Union { stays, goes }) in unions.by_stayer {
        proposed.push(united(tender, stays, goes, look).await?);
    }
    Ok(StepSlice { proposed, next: page.next, skipped: None })
}

/// Two that say the same, and which of them stays.
struct MergePair {
    stays: Memory,
    goes: Memory,
}

struct Union {
    stays: Memory,
    goes: Vec<Memory>,
}

/// What becomes of what, each memory on one side of one union only: a chain of three is finished by the next pass.
#[derive(Default)]
struct Unions {
    by_stayer: std::collections::BTreeMap<MemoryId, Union>,
    gone: HashSet<MemoryId>,
}

impl Unions {
    fn add(&mut self, pair: MergePair) {
        let MergePair { stays, goes } = pair;
        if self.gone.contains(&goes.id)
            || self.gone.contains(&stays.id)
            || self.by_stayer.contains_key(&goes.id)
        {
            return;
        }
        self.gone.insert(goes.id.clone());
        let union =
            self.by_stayer.entry(stays.id.clone()).or_insert_with(|| Union { stays, goes: Vec::new() });
        union.goes.push(goes);
    }
}

/// The pairs that these memories are part of.
async fn alike(
    tender: &Tender,
    memories: &[(i64, Memory)],
    look: &TendContext<'_>,
) -> StoreResult<Vec<MergePair>> {
    let hashes: BTreeSet<String> = memories.iter().map(|(_, memory)| memory.content_hash.clone()).collect();
    let hashes: Vec<String> = hashes.into_iter().collect();
    let mut by_hash: HashMap<String, Vec<Memory>> = HashMap::new();
    for (_, memory) in tender.store().memories_by_hash(&hashes).await? {
        by_hash.entry(memory.content_hash.clone()).or_default().push(memory);
    }
    let vectors = vectors_of(tender, memories).await?;
    let mut pairs = Vec::new();
    for (row, memory) in memories {
        let mut others = by_hash.get(&memory.content_hash).cloned().unwrap_or_default();
        if let Some(vector) = vectors.get(row) {
            others.extend(near(tender, memory, vector, look).await?);
        }
        let mut known = HashSet::from([memory.id.clone()]);
        others.retain(|other| known.insert(other.id.clone()));
        let touched = tender.touched(others.iter()).await?;
        for other in others {
            let theirs = !is_unclaimed(&other) || touched.contains(other.id.as_str());
            pairs.extend(judged(memory, &other, theirs, look));
        }
    }
    Ok(pairs)
}

async fn vectors_of(tender: &Tender, memories: &[(i64, Memory)]) -> StoreResult<HashMap<i64, Arc<[f32]>>> {
    let Some(embedder) = &tender.tools.embedder else { return Ok(HashMap::new()) };
    let rows: Vec<i64> = memories.iter().map(|(row, _)| *row).collect();
    let vectors = tender.store().vectors_at(Corpus::Memories, embedder.signature(), &rows).await?;
    // A vector of zeros says that the model knows none of the words, and so nothing of what they mean.
    let told = |vector: &[f32]| vector.iter().any(|number| *number != 0.0);
    Ok(vectors
        .into_iter()
        .filter(|stored| told(&stored.vector))
        .map(|stored| (stored.row, stored.vector))
        .collect())
}

async fn near(
    tender: &Tender,
    memory: &Memory,
    vector: &[f32],
    look: &TendContext<'_>,
) -> StoreResult<Vec<Memory>> {
    let Some(embedder) = &tender.tools.embedder else { return Ok(Vec::new()) };
    let filter = Filter { kinds: vec![memory.kind], ..Filter::beside(memory, look.now) };
    let signature = embedder.signature();
    let found =
        tender.store().nominate_near(Corpus::Memories, signature, vector, &filter, limits::ALIKE).await?;
    let close = found.unwrap_or_default().into_iter().filter(|(_, cosine)| *cosine >= COSINE);
    let ids: Vec<MemoryId> = close.filter_map(|(nominee, _)| nominee.id.parse().ok()).collect();
    tender.store().memories(&ids).await
}

/// Whether one of two can go, and which. `theirs` says that the other one is a person's.
fn judged(memory: &Memory, other: &Memory, theirs: bool, look: &TendContext<'_>) -> Option<MergePair> {
    if !same_place(memory, other) {
        return None;
    }
    let terms = |memory: &Memory| look.analyser.ranked_terms(&memory.content);
    let (mine, its) = (terms(memory), terms(other));
    let values = same_values(&memory.content, &other.content);
    let equal = memory.content_hash == other.content_hash;
    let (says_less, says_more) =
        (equal || values && is_within(&mine, &its), equal || values && is_within(&its, &mine));
    let goes = match (says_less, says_more) {
        (true, true) if theirs => memory,
        // Of two that say the same the older stays.
        (true, true) => {
            if (memory.created_at, &memory.id) > (other.created_at, &other.id) {
                memory
            } else {
                other
            }
        }
        (true, false) => memory,
        (false, true) if !theirs => other,
        _ => return None,
    };
    // A key is somebody's name for it.
    if goes.key.is_some() || goes.status != Status::Active {
        return None;
    }
    let stays = if goes.id == memory.id { other } else { memory };
    Some(MergePair { stays: stays.clone(), goes: goes.clone() })
}

/// Whether they can stand for each other at all: the same owner and viewers, the same sort, the same time.
fn same_place(left: &Memory, right: &Memory) -> bool {
    let place = |memory: &Memory| (memory.belonging(), memory.layer, memory.kind);
    let time = |memory: &Memory| (memory.valid_from, memory.valid_until, memory.expires_at);
    let triple = |memory: &Memory| (memory.subject.clone(), memory.predicate.clone(), memory.object.clone());
    let none = (None, None, None);
    let same_triple = triple(left) == triple(right) || triple(left) == none || triple(right) == none;
    left.id != right.id && place(left) == place(right) && time(left) == time(right) && same_triple
}

/// Whether all words of one are in the other, in this order. Who did what to whom is told by the order alone.
fn is_within(part: &[String], whole: &[String]) -> bool {
    let mut whole = whole.iter();
    !part.is_empty() && part.iter().all(|word| whole.any(|other| other == word))
}

async fn united(
    tender: &Tender,
    stays: Memory,
    goes: Vec<Memory>,
    look: &TendContext<'_>,
) -> StoreResult<Proposal> {
    let ids: Vec<MemoryId> = goes.iter().map(|memory| memory.id.clone()).collect();
    let about: Vec<&MemoryId> = ids.iter().chain([&stays.id]).collect();
    let mut proposed = Proposal::about(&about, format!("says nothing that {} does not say", stays.id));
    proposed.weight = goes.len() as u64;
    let into = stays.id.clone();
    let touched = tender.touched(std::iter::once(&stays)).await?;
    let wider = widened(&stays, &goes, look.now);
    if wider != stays && is_unclaimed(&stays) && touched.is_empty() {
        proposed = proposed.replace(wider);
    }
    for memory in goes {
        let superseded_by = Some(into.clone());
        let gone = Memory { status: Status::Superseded, superseded_by, updated_at: look.now, ..memory };
        proposed = proposed.replace(gone);
    }
    let clock = &*tender.tools.clock;
    proposed.changes.extend(taken_over(tender.store(), &into, &ids, look.now, clock).await?);
    Ok(proposed)
}

/// The one that stays with the tags of those that go, and the best that any of them had.
fn widened(stays: &Memory, goes: &[Memory], now: Time) -> Memory {
    let mut wider = stays.clone();
    for memory in goes {
        for tag in &memory.tags {
            if !wider.tags.contains(tag) && wider.tags.len() < limits::TAGS {
                wider.tags.push(tag.clone());
            }
        }
        wider.confidence = wider.confidence.max(memory.confidence);
        wider.salience = wider.salience.max(memory.salience);
        wider.strength = wider.strength.max(memory.strength);
        wider.stability_days = wider.stability_days.max(memory.stability_days);
        wider.evidence = wider.evidence.or_else(|| memory.evidence.clone());
    }
    if wider != *stays {
        wider.updated_at = now;
    }
    wider
}

/// What `into` takes over from the memories that it replaces: what they were made from and what was made from them, their
/// links, and how often they were used.
pub async fn taken_over(
    store: &(impl ReadStore + ?Sized),
    into: &MemoryId,
    from: &[MemoryId],
    now: Time,
    clock: &dyn Clock,
) -> StoreResult<Vec<Change>> {
    let mut changes = derivations(store, into, from).await?;
    changes.extend(re_pointed(store, into, from, now, clock).await?);
    let counters = store.counters(from).await?;
    for id in from {
        if let Some(counts) = counters.get(id) {
            changes.push(Change::AddCounts { memory: into.clone(), counts: counts.clone() });
        }
    }
    Ok(changes)
}

/// It was made from them and from what they were made from; what was made from them is made from it too.
async fn derivations(
    store: &(impl ReadStore + ?Sized),
    into: &MemoryId,
    from: &[MemoryId],
) -> StoreResult<Vec<Change>> {
    let mut parents: BTreeSet<Node> = from.iter().cloned().map(Node::Memory).collect();
    let mut children = BTreeSet::new();
    for id in from {
        let node = Node::Memory(id.clone());
        parents.extend(store.parents(&node).await?);
        children.extend(store.children(&node).await?);
    }
    let merged = Node::Memory(into.clone());
    parents.remove(&merged);
    children.remove(&merged);
    let made = Change::Derive { child: merged.clone(), parents: parents.into_iter().collect() };
    let making = |child| Change::Derive { child, parents: vec![merged.clone()] };
    Ok(std::iter::once(made).chain(children.into_iter().map(making)).collect())
}

/// Links to and from them go to and from `into`; of several to the same place the strongest stays.
async fn re_pointed(
    store: &(impl ReadStore + ?Sized),
    into: &MemoryId,
    from: &[MemoryId],
    now: Time,
    clock: &dyn Clock,
) -> StoreResult<Vec<Change>> {
    let ends: Vec<MemoryId> = from.iter().chain([into]).cloned().collect();
    let mut kept: HashMap<(MemoryId, MemoryId, LinkKind), (Link, bool)> = HashMap::new();
    let mut dropped = Vec::new();
    let mut links = store.links_of(&ends).await?;
    links.sort_by(|left, right| left.id.cmp(&right.id));
    for link in links {
        let end = |id: &MemoryId| if from.contains(id) { into.clone() } else { id.clone() };
        let (source, target) = (end(&link.from), end(&link.to));
        let is_moved = (&source, &target) != (&link.from, &link.to);
        if source == target {
            dropped.push(link);
            continue;
        }
        let updated_at = if is_moved { now } else { link.updated_at };
        let moved = Link { from: source, to: target, updated_at, ..link };
        let place = (moved.from.clone(), moved.to.clone(), moved.kind);
        match kept.get(&place) {
            Some((known, _)) if known.weight >= moved.weight => dropped.push(moved),
            _ => dropped.extend(kept.insert(place, (moved, is_moved)).map(|(weaker, _)| weaker)),
        }
    }
    let remove = |link: Link| {
        let of = RecordRef { kind: RecordKind::Link, id: link.id.as_str().to_owned() };
        Change::Remove { of, expect: Expect::Version(link.version) }
    };
    let mut changes: Vec<Change> = dropped.into_iter().map(remove).collect();
    let mut moved: Vec<Link> =
        kept.into_values().filter(|(_, is_moved)| *is_moved).map(|(link, _)| link).collect();
    moved.sort_by(|left, right| left.id.cmp(&right.id));
    changes.extend(moved.into_iter().map(|link| {
        let expect = Expect::Version(link.version);
        Change::Put { record: link.into(), expect }
    }));
    let merged = from.iter().map(|id| linked(clock, into, id, LinkKind::MergedFrom, 1.0, now));
    changes.extend(merged.map(|link| Change::Put { record: link.into(), expect: Expect::Absent }));
    Ok(changes)
}

/// A new link.
pub(super) fn linked(
    clock: &dyn Clock,
    from: &MemoryId,
    to: &MemoryId,
    kind: LinkKind,
    weight: f32,
    now: Time,
) -> Link {
    let id = LinkId::from_uuid(clock.uuid());
    Link {
        id,
        version: 1,
        from: from.clone(),
        to: to.clone(),
        kind,
        weight,
        created_at: now,
        updated_at: now,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Analyser;
    use crate::types::{Kind, Origin, Owner, TenantId};

    /// Which of two goes: `first`, `second` or none.
    fn check(first: &str, second: &str, expected: &str) {
        let make = |number: u32, content: &str| {
            let id = format!("mt_01890a5d-ac96-774b-bcce-b302099a805{number}").parse().expect("an id");
            let at = Time::MIN.plus_seconds(i64::from(number));
            let mut memory =
                Memory::new(id, TenantId::local(), &Owner::unnamed(), Kind::Fact, content.into(), at);
            memory.origin = Origin::Model;
            memory
        };
        let (one, two) = (make(1, first), make(2, second));
        let analyser = Analyser::default();
        let look = TendContext { now: Time::MIN, since: None, analyser: &analyser, rehearsing: true };
        let found = judged(&one, &two, false, &look);
        let goes = found.map_or("none", |pair| if pair.goes.id == one.id { "first" } else { "second" });
        assert_eq!(goes, expected, "{first} / {second}");
        let turned = judged(&two, &one, false, &look);
        let goes = turned.map_or("none", |pair| if pair.goes.id == one.id { "first" } else { "second" });
        assert_eq!(goes, expected, "turned round: {first} / {second}");
    }

    #[test]
    fn the_one_goes_that_says_nothing_more() {
        check("Ada likes green tea", "Ada likes green tea", "second");
        check("Ada likes green tea", "Ada likes green tea a lot.", "first");
        check("Ada likes tea", "Ada likes green tea", "first");
        check("Ada manages Bo", "Bo manages Ada", "none");
        check("Ada likes tea", "Ada doesn't like tea", "none");
        check("Ada has 2 cats", "Ada has 3 cats", "none");
        check("Ada likes green tea", "Ada likes black tea", "none");
    }
}
