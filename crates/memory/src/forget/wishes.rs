//! What somebody asks in a chat to be forgotten: which memories, candidates and sentences a wish means, and forgetting them in
//! one run that can be undone.
//!
//! The judge of speech says what a wish means among what is known and what was said before it. What the wish and that share is its
//! matter ("Clara"): everything of the user that is about it goes, in earlier conversations and with other agents too, as far as
//! the conversation reaches. A wish that names nothing points at what was said just before it. The wish itself is hidden with it.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::PurgeTarget;
use super::copies::{self, TellingTurn};
use super::named;
use super::reversible::{self, ForgetRun, Reversible};
use crate::error::{StoreError, StoreResult};
use crate::learn::draft::ForgetWish;
use crate::learn::{judged, rest, told, wish};
use crate::limits;
use crate::ports::{SpeechJudge, Store};
use crate::text::query::{Expression, IndexColumn, Query};
use crate::text::similarity::word_set;
use crate::text::{Analyser, QueryWord, fold};
use crate::toolkit::Toolkit;
use crate::types::{
    Actor, Batch, Change, Episode, Expect, Filter, HeldCandidate, Kind, Memory, MemoryId, Node, Origin,
    PageRequest, Role, Run, RunId, RunState, Session, SessionKey, Status, Turn, TurnId, VeilId, content_hash,
};

/// What a run says of the wish that it heeds, by hash, and of the conversation it was said in.
pub const ASKED: &str = "asked";
pub const ASKED_IN: &str = "asked_in";

/// What a run that silences a conversation says of the last turn that it looked at: whoever undoes it is not silenced again.
const SILENCED_TO: &str = "silenced_to";

/// Sentences before a wish that it may mean, though nothing was learned from them.
const SENTENCES: usize = 60;

/// Statements that have a word, at most, for the word to name them.
const NAMED_BY_A_WORD: usize = 3;

/// What came of a wish.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeededWish {
    pub run: RunId,
    /// Memories, candidates and turns that are told no more.
    pub count: u64,
}

/// The wishes of a message, as the judge hears them; only one that has the words for it is looked at.
pub fn heard(judge: &dyn SpeechJudge, message: &str) -> Vec<String> {
    told::wishes_of(judge, message)
}

/// Whether a message asks that nothing at all of its conversation be kept.
pub fn silences(judge: &dyn SpeechJudge, message: &str) -> bool {
    told::silences(judge, message)
}

/// Hides what was said in a conversation that is to leave nothing, and forgets what was learned from it before that was said, in a run that can be
/// undone. The order itself stays, so that what comes after it is heard under it too; no block tells an order.
pub async fn silence(tools: &Toolkit, key: &SessionKey) -> StoreResult<u64> {
    let Some(judge) = tools.judge.clone() else { return Ok(0) };
    let mut turns: Vec<Turn> = Vec::new();
    loop {
        let from = turns.last().map_or(0, |turn| turn.index + 1);
        let some = tools.store.session_turns(key, from, limits::READ_IDS).await?;
        if some.is_empty() {
            break;
        }
        turns.extend(some);
    }
    let orders = |turn: &Turn| turn.role == Role::User && silences(&*judge, &turn.text);
    if !turns.iter().any(orders) {
        return Ok(0);
    }
    let runs = tools.store.runs(limits::RUNS_LOOKED_AT).await?;
    let of_it = runs.iter().filter(|run| run.counts.get(ASKED_IN).is_some_and(|of| *of == key.to_string()));
    let done = of_it.filter_map(|run| run.counts.get(SILENCED_TO)?.as_u64()).max();
    let last = turns.last().map_or(0, |turn| turn.index);
    turns.retain(|turn| done.is_none_or(|done| turn.index > done) && !turn.text.trim().is_empty());
    let ids: Vec<TurnId> = turns.into_iter().map(|turn| turn.id).collect();
    let mut said: Vec<TellingTurn> = Vec::new();
    for some in ids.chunks(limits::PAGE_ROWS) {
        said.extend(tools.store.turns_as_said(some).await?.into_iter().map(|turn| {
            let parts = beside_the_order(&*judge, &turn);
            TellingTurn { turn, parts }
        }));
    }
    said.retain(|told| !told.parts.is_empty());
    if said.is_empty() {
        return Ok(0);
    }
    let now = tools.clock.now();
    let id = RunId::from_uuid(tools.clock.uuid());
    let mut counts = serde_json::Map::new();
    counts.insert("turns".to_owned(), said.len().into());
    counts.insert(ASKED_IN.to_owned(), key.to_string().into());
    counts.insert(SILENCED_TO.to_owned(), last.into());
    let run = Run {
        id: id.clone(),
        version: 1,
        job: reversible::JOB.to_owned(),
        state: RunState::Done,
        cursor: None,
        counts,
        started_at: now,
        finished_at: Some(now),
    };
    let mut batch = Batch::new(Actor::Person, now).in_run(id).insert(run);
    batch.reason = Some("asked in a chat that nothing be kept".to_owned());
    for memory in learned_in(tools, key).await? {
        batch = batch.replace(Memory { status: Status::Deleted, updated_at: now, ..memory });
    }
    if let Some(episode) = tools.store.episode_of(key).await? {
        batch = batch.replace(Episode { status: Status::Deleted, updated_at: now, ..episode });
    }
    for veil in copies::veils(&said, now, || VeilId::from_uuid(tools.clock.uuid())) {
        batch = batch.insert(veil);
    }
    tools.store.apply(batch).await?;
    Ok(said.len() as u64)
}

/// The parts of a turn that are no order of silence: all of it, where it has none.
fn beside_the_order(judge: &dyn SpeechJudge, turn: &Turn) -> Vec<Range<usize>> {
    let whole = 0..turn.text.len();
    if turn.role != Role::User || !silences(judge, &turn.text) {
        return vec![whole];
    }
    let orders = told::all_sentences_of(&turn.text).into_iter();
    complement(orders.filter(|part| silences(judge, &turn.text[part.clone()])), turn.text.len())
}

/// What is left of a text of this length without these parts, which stand in their order: what is no sentence (code, a list) too.
fn complement(parts: impl Iterator<Item = Range<usize>>, length: usize) -> Vec<Range<usize>> {
    let (mut left, mut from) = (Vec::new(), 0);
    for part in parts {
        left.push(from..part.start.max(from));
        from = part.end.max(from);
    }
    left.push(from..length.max(from));
    left.retain(|part| !part.is_empty());
    left
}

/// What a machine learned from a conversation alone, as far as nobody pinned it.
async fn learned_in(tools: &Toolkit, key: &SessionKey) -> StoreResult<Vec<Memory>> {
    let filter = Filter {
        agent: Some(key.agent.clone()),
        user: Some(key.user.clone()),
        session: Some(key.session.clone()),
        ..Filter::current(tools.clock.now())
    };
    let mut known = tools.store.list_memories(&filter, PageRequest::newest(limits::PAGE_ROWS)).await?.items;
    known.retain(|memory| !memory.pinned && memory.origin != Origin::Person);
    Ok(known)
}

/// Heeds a wish of a conversation. `before` is what was said in it up to the wish.
pub async fn heed(
    tools: &Toolkit,
    key: &SessionKey,
    said: &str,
    before: &[Turn],
) -> StoreResult<Option<HeededWish>> {
    if was_heeded(tools, key, said).await? {
        return Ok(None);
    }
    heed_naming(tools, key, said, &[], before).await
}

/// The same, with the memories that are meant where a model names them.
async fn heed_naming(
    tools: &Toolkit,
    key: &SessionKey,
    said: &str,
    named: &[MemoryId],
    before: &[Turn],
) -> StoreResult<Option<HeededWish>> {
    let Some(judge) = tools.judge.clone() else { return Ok(None) };
    for _ in 0..limits::TEND_RACES {
        match attempt(tools, &*judge, key, said, named, before).await {
            Err(StoreError::Conflict { .. }) => {}
            other => return other,
        }
    }
    attempt(tools, &*judge, key, said, named, before).await
}

/// Heeds the wishes that a pass over a conversation came upon. One that was heeded when it was said is hidden, and no more: it may
/// have been undone since.
pub async fn heed_all(tools: &Toolkit, key: &SessionKey, wishes: &[ForgetWish]) -> StoreResult<u64> {
    let turns = tools.store.session_turns(key, 0, limits::READ_IDS).await?;
    let mut count = 0;
    for wish in wishes {
        let end = turns.iter().position(|turn| turn.id == wish.turn).map_or(turns.len(), |at| at + 1);
        match was_heeded(tools, key, &wish.said).await? {
            true => hide(tools, key, &wish.said).await?,
            false => {
                match heed_naming(tools, key, &wish.said, &wish.known, &turns[..end]).await? {
                    Some(heeded) => count += heeded.count,
                    // Nothing is known of it; the request does not come back all the same.
                    None => hide(tools, key, &wish.said).await?,
                }
            }
        }
    }
    Ok(count)
}

async fn was_heeded(tools: &Toolkit, key: &SessionKey, said: &str) -> StoreResult<bool> {
    let (asked, asked_in) = (mark(key, said), key.to_string());
    let runs = tools.store.runs(limits::RUNS_LOOKED_AT).await?;
    Ok(runs.iter().any(|run| {
        let says = |name: &str, value: &str| run.counts.get(name).is_some_and(|note| note == value);
        says(ASKED, &asked) && says(ASKED_IN, &asked_in)
    }))
}

/// A wish by its hash, so that a run does not repeat it.
fn mark(key: &SessionKey, said: &str) -> String {
    content_hash(&format!("{key}\n{}", said.trim()))
}

/// What a wish means.
struct MeantToBeForgotten {
    memories: Vec<Memory>,
    held: Vec<HeldCandidate>,
    /// Sentences from which nothing was learned.
    sentences: Vec<String>,
    /// What goes on of what is meant in part: the memory, and what is left of it.
    rests: Vec<(Memory, String)>,
    /// What was said beside what is meant, in the same sentence, and stays as it was said.
    spared: Vec<String>,
    /// What it is about.
    matter: Option<Query>,
}

async fn attempt(
    tools: &Toolkit,
    judge: &dyn SpeechJudge,
    key: &SessionKey,
    said: &str,
    named: &[MemoryId],
    before: &[Turn],
) -> StoreResult<Option<HeededWish>> {
    let session = tools.store.session(key).await?;
    let reach = reach(key, session.as_ref());
    let meant = meant(tools, judge, key, &reach, said, before).await?;
    let mut asides: Vec<Memory> =
        meant.sentences.iter().chain([&said.to_owned()]).map(|text| aside(tools, key, text)).collect();
    // What a pass forgot already may still be told by others.
    let owner = key.owner();
    let known = tools.store.memories(named).await?.into_iter();
    asides
        .extend(known.filter(|memory| memory.status == Status::Deleted && memory.is_within_reach_of(&owner)));
    let ids = match &meant.matter {
        Some(_) => Vec::new(),
        None => meant.memories.iter().chain(&asides).map(|memory| memory.id.clone()).collect(),
    };
    let target = PurgeTarget { ids, query: meant.matter, filter: reach, identity: true };
    let store: &dyn Store = &*tools.store;
    let mut memories = meant.memories;
    memories.extend(reversible::twins(store, &tools.analyser, &target, &memories).await?);
    let plan = Reversible {
        store,
        analyser: &tools.analyser,
        target: &target,
        memories: &memories,
        asides: &asides,
        spared: &meant.spared,
        clock: &*tools.clock,
        now: tools.clock.now(),
    };
    let mut notes = serde_json::Map::new();
    notes.insert(ASKED.to_owned(), mark(key, said).into());
    notes.insert(ASKED_IN.to_owned(), key.to_string().into());
    let held = meant.held.iter().map(|held| Change::Remove {
        of: crate::types::Record::from(held.clone()).reference(),
        expect: Expect::Version(held.version),
    });
    let mut also: Vec<Change> = held.collect();
    for (memory, rest) in &meant.rests {
        also.extend(goes_on(tools, memory, rest).await?);
    }
    let nothing = memories.is_empty() && also.is_empty() && asides.len() == 1;
    if nothing && target.query.is_none() {
        return Ok(None);
    }
    let run = ForgetRun { by: Actor::Person, reason: Some("asked for in a chat".to_owned()), notes, also };
    let many = (memories.len() + meant.held.len()) as u64;
    let (run, besides) = reversible::carry_out(&plan, limits::BATCH_CHANGES - 1, run).await?;
    let besides: u64 = besides.kinds.values().sum();
    Ok(run.map(|run| HeededWish { run, count: many + besides }))
}

/// What is left of a memory of which a part is forgotten, with the turns that it rests on.
async fn goes_on(tools: &Toolkit, memory: &Memory, content: &str) -> StoreResult<[Change; 2]> {
    let id = MemoryId::from_uuid(tools.clock.uuid());
    let why = "what is left of a statement of which a part was to be forgotten";
    let rest = rest::memory(memory, id.clone(), content, why, tools.clock.now());
    let mut parents = tools.store.parents(&Node::Memory(memory.id.clone())).await?;
    parents.retain(|parent| matches!(parent, Node::Turn(_)));
    Ok([
        Change::Put { record: rest.into(), expect: Expect::Absent },
        Change::Derive { child: Node::Memory(id), parents },
    ])
}

/// Hides a wish that was heeded before it was stored, wherever it stands; not in a run, because no undo should bring it back.
async fn hide(tools: &Toolkit, key: &SessionKey, said: &str) -> StoreResult<()> {
    let session = tools.store.session(key).await?;
    let asides = [aside(tools, key, said)];
    let ids = vec![asides[0].id.clone()];
    let target = PurgeTarget { ids, query: None, filter: reach(key, session.as_ref()), identity: true };
    let now = tools.clock.now();
    let plan = Reversible {
        store: &*tools.store,
        analyser: &tools.analyser,
        target: &target,
        memories: &[],
        asides: &asides,
        spared: &[],
        clock: &*tools.clock,
        now,
    };
    let changes = plan.besides(limits::BATCH_CHANGES).await?.changes;
    if !changes.is_empty() {
        tools.store.apply(Batch { changes, ..Batch::new(Actor::Person, now) }).await?;
    }
    Ok(())
}

/// How far a wish goes: to the user with any agent, or, from a conversation that teaches its agent alone, with that one.
fn reach(key: &SessionKey, session: Option<&Session>) -> Filter {
    let bound = session.is_some_and(|session| session.agent_only);
    Filter { user: Some(key.user.clone()), agent: bound.then(|| key.agent.clone()), ..Filter::ever() }
}

/// Something that was said and is no memory, as far as it can be told again.
fn aside(tools: &Toolkit, key: &SessionKey, text: &str) -> Memory {
    let id = MemoryId::from_uuid(tools.clock.uuid());
    let (tenant, now) = (tools.tenant.clone(), tools.clock.now());
    let mut aside = Memory::new(id, tenant, &key.owner(), Kind::Fact, text.to_owned(), now);
    aside.evidence = Some(text.to_owned());
    aside
}

async fn meant(
    tools: &Toolkit,
    judge: &dyn SpeechJudge,
    key: &SessionKey,
    reach: &Filter,
    said: &str,
    before: &[Turn],
) -> StoreResult<MeantToBeForgotten> {
    let (mut known, mut older) = known(tools, key, reach, said).await?;
    let held = tools.store.held_of(&key.owner(), limits::PAGE_ROWS).await?;
    let sentences = sentences(before, said);
    let texts_of = |known: &[Memory]| -> Vec<String> {
        let held = held.iter().map(|held| &held.memory);
        let learned = known.iter().chain(held).map(judged::spoken);
        learned.chain(sentences.iter().map(|(_, text)| text.as_str())).map(str::to_owned).collect()
    };
    let meant_of = |texts: &[String]| {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        judged::meant_by(judge, said, &texts)
    };
    let mut texts = texts_of(&known);
    let mut places = meant_of(&texts);
    // What is new is meant more likely than what is old; where nothing of it is, all that shares a word may be.
    if places.is_empty() && !older.is_empty() {
        let rest = older.split_off(older.len().min(judged::KNOWN));
        known.extend(std::mem::replace(&mut older, rest));
        texts = texts_of(&known);
        places = meant_of(&texts);
    }
    // What the judge chose by its sense and shares no word with the wish is not what the wish names, where anything is.
    let named = named::matters(said, &texts);
    let wished = word_set(said, &tools.analyser);
    let shares = |place: &usize| {
        let told = known.get(*place).map_or("", |memory| memory.content.as_str());
        named.iter().any(|matter| matter.texts.contains(place) || matter.is_in(told))
            || !word_set(&texts[*place], &tools.analyser).is_disjoint(&wished)
    };
    if !named.is_empty() {
        places.retain(shares);
    }
    let mut matter: BTreeSet<String> = BTreeSet::new();
    for place in &places {
        matter.extend(word_set(&texts[*place], &tools.analyser).intersection(&wished).cloned());
    }
    let mut by_name = match places.is_empty() {
        // Whom it names, several statements may be about, and none of them more than the others.
        true => named.clone(),
        false => {
            let chosen: Vec<&str> = places.iter().map(|place| texts[*place].as_str()).collect();
            named::beside(&named, &chosen)
        }
    };
    let also = named::query(&by_name, &tools.analyser);
    if also.is_none() {
        by_name.clear();
    }
    if matter.is_empty() && also.is_none() {
        // What it ends with names its matter, where little else has that word.
        let last = telling(said, &tools.analyser).pop().and_then(|word| word.stem);
        let having = |word: &String| {
            texts.iter().filter(|text| word_set(text, &tools.analyser).contains(word)).count()
        };
        matter.extend(last.filter(|word| (1..=NAMED_BY_A_WORD).contains(&having(word))));
    }
    let names = names_in(said).chain(places.iter().flat_map(|place| names_in(&texts[*place]))).collect();
    let query = either(matter_of(said, &matter, &names, &tools.analyser), also);
    let about = |memory: &Memory| {
        let text = format!("{}\n{}", memory.content, judged::spoken(memory));
        query.as_ref().is_some_and(|query| query.matches(&tools.analyser.analyse(&text)))
    };
    let wished: BTreeSet<String> = parts_of_words(said).map(fold).collect();
    let own_words = |text: &str| {
        let words = word_set(text, &tools.analyser);
        let is_named = |word: &str| word.starts_with(char::is_uppercase) && wished.contains(&fold(word));
        matter.iter().any(|word| words.contains(word))
            || by_name.iter().any(|matter| matter.is_in(text))
            || parts_of_words(text).skip(1).any(is_named)
    };
    // Of a sentence that says several things, what the wish means of it; by its words, where the judge hears no difference.
    let unmeant: BTreeMap<&str, Vec<&str>> = match by_name.is_empty() {
        true => places
            .iter()
            .map(|place| (texts[*place].as_str(), unmeant_parts(judge, said, &texts[*place])))
            .collect(),
        false => BTreeMap::new(),
    };
    let goes = |whole: &str, part: &str| {
        let stays = |unmeant: &&str| unmeant.contains(part) || part.contains(*unmeant);
        own_words(part) && !unmeant.get(whole).is_some_and(|unmeant| unmeant.iter().any(stays))
    };
    // Of several things that patterns read in one sentence, those that a wish names.
    let beside_it = |memory: &Memory| {
        let spoken = judged::spoken(memory);
        let of_unmeant = || {
            let words = word_set(&memory.content, &tools.analyser);
            let shared = |part: &&str| word_set(part, &tools.analyser).intersection(&words).count();
            let most = rest::parts(judge, spoken).into_iter().max_by_key(shared);
            most.is_some_and(|part| !goes(spoken, part))
        };
        !memory.is_verbatim()
            && own_words(spoken)
            && (!own_words(&memory.content)
                || unmeant.get(spoken).is_some_and(|parts| !parts.is_empty()) && of_unmeant())
    };
    let chosen = |place: usize, memory: &Memory| {
        places.contains(&place) && !beside_it(memory) || about(memory) && !beside_it(memory)
    };
    let many = known.len();
    let memories = known.iter().enumerate().filter(|(at, memory)| chosen(*at, memory));
    let waiting = held.iter().enumerate().filter(|(at, held)| chosen(many + at, &held.memory));
    let first = many + held.len();
    let is_meant = |at: usize, text: &str| {
        places.contains(&(first + at))
            || !by_name.is_empty() && by_name.iter().any(|matter| matter.is_in(text))
    };
    let meant = sentences.iter().enumerate().filter(|(at, (_, text))| is_meant(*at, text));
    let mut memories: Vec<Memory> = memories.map(|(_, memory)| memory.clone()).collect();
    memories.extend(older.into_iter().filter(about));
    let sentences: Vec<String> = match places.is_empty() && by_name.is_empty() {
        true => pointed_at(said, &sentences),
        false => meant.map(|(_, (_, text))| text.clone()).collect(),
    };
    // Whoever asks for one thing to be forgotten keeps what they said beside it.
    let left_of = |text: &str| -> Vec<String> {
        rest::without(judge, text, |part| goes(text, part)).into_iter().map(str::to_owned).collect()
    };
    let rests = memories.iter().map(|memory| (memory.clone(), left_of(&memory.content)));
    let mut rests: Vec<(Memory, Vec<String>)> = rests.filter(|(_, left)| !left.is_empty()).collect();
    // What is kept with the sentence before it tells that sentence too, and goes on without it.
    let gone = memories.iter().map(judged::spoken).chain(sentences.iter().map(String::as_str));
    let gone: Vec<&str> = gone.collect();
    let stays = known
        .iter()
        .filter(|memory| memory.origin != Origin::Person && memories.iter().all(|gone| gone.id != memory.id));
    let repeating = stays.filter_map(|memory| {
        let rest = gone.iter().find_map(|gone| rest::behind(&memory.content, gone))?;
        Some((memory.clone(), vec![rest.to_owned()]))
    });
    let repeating: Vec<(Memory, Vec<String>)> = repeating.collect();
    memories.extend(repeating.iter().map(|(memory, _)| memory.clone()));
    rests.extend(repeating);
    let spared = rests.iter().flat_map(|(_, left)| left.clone());
    let spared = spared.chain(sentences.iter().flat_map(|text| left_of(text))).collect();
    Ok(MeantToBeForgotten {
        memories,
        held: waiting.map(|(_, held)| held.clone()).collect(),
        sentences,
        rests: rests.into_iter().map(|(memory, left)| (memory, left.join(", "))).collect(),
        spared,
        matter: query.clone(),
    })
}

/// How much less than the part of a sentence that a wish means most its other parts are meant, to stay.
const MEANT_LESS: f32 = 0.34;

/// The parts of a sentence that a wish does not mean, where it means another one of it: "forget that I'm behind on the rent" leaves what the rent is.
fn unmeant_parts<'a>(judge: &dyn SpeechJudge, wish: &str, sentence: &'a str) -> Vec<&'a str> {
    let parts = rest::parts(judge, sentence);
    if parts.len() < 2 {
        return Vec::new();
    }
    let chances: Vec<f32> = judge.heed(wish, &parts).iter().map(|reading| reading.forgets).collect();
    let most = chances.iter().copied().fold(0.0, f32::max);
    parts
        .into_iter()
        .zip(chances)
        .filter(|(_, chance)| *chance < most * MEANT_LESS)
        .map(|(part, _)| part)
        .collect()
}

/// What is known of the user that the conversation reaches: the newest of it, and what of the rest shares a word with the wish, most words
/// first. What is pinned is not taken by a wish.
async fn known(
    tools: &Toolkit,
    key: &SessionKey,
    reach: &Filter,
    said: &str,
) -> StoreResult<(Vec<Memory>, Vec<Memory>)> {
    let filter = reached(key, reach);
    let mut page = PageRequest::newest(judged::KNOWN);
    let mut known = tools.store.list_memories(&filter, page).await?.items;
    let told: BTreeSet<String> =
        telling(said, &tools.analyser).into_iter().filter_map(|word| word.stem).collect();
    let mut sharing = Vec::new();
    let mut read = known.len();
    // A wish that names nothing points at what was just said.
    while read == page.limit && !told.is_empty() {
        page = PageRequest { offset: page.offset + read, ..PageRequest::newest(limits::PAGE_ROWS) };
        let items = tools.store.list_memories(&filter, page).await?.items;
        read = items.len();
        sharing.extend(items.into_iter().filter(|memory| !memory.pinned).filter_map(|memory| {
            let text = format!("{}\n{}", memory.content, judged::spoken(&memory));
            let shared = word_set(&text, &tools.analyser).intersection(&told).count();
            (shared > 0).then_some((shared, memory))
        }));
    }
    sharing.sort_by_key(|(shared, _)| Reverse(*shared));
    known.retain(|memory| !memory.pinned);
    Ok((known, sharing.into_iter().map(|(_, memory)| memory).collect()))
}

fn reached(key: &SessionKey, reach: &Filter) -> Filter {
    Filter {
        in_reach_of: Some(key.owner()),
        agent: reach.agent.clone(),
        statuses: vec![Status::Active],
        ..Filter::ever()
    }
}

/// The user's sentences up to the wish, the latest last, with the turn each stands in.
fn sentences(before: &[Turn], wish: &str) -> Vec<(usize, String)> {
    let users = before.iter().filter(|turn| turn.role == Role::User).enumerate();
    let all = users
        .flat_map(|(at, turn)| told::spoken_sentences(&turn.text).into_iter().map(move |text| (at, text)));
    // A wish may have the sentence before it, which says what it points at.
    let begins = |text: &str| {
        let rest = wish.trim().strip_prefix(text.trim());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace))
    };
    let mut all: Vec<(usize, String)> = all.take_while(|(_, text)| !begins(text)).collect();
    let over = all.len().saturating_sub(SENTENCES);
    all.drain(..over);
    all
}

/// "Don't keep that" points at what was just said. A longer wish names what it means, and that is not known.
fn pointed_at(wish: &str, sentences: &[(usize, String)]) -> Vec<String> {
    let Some((last, _)) = sentences.last().filter(|_| judged::points_back(wish)) else { return Vec::new() };
    sentences.iter().filter(|(turn, _)| turn == last).map(|(_, text)| text.clone()).collect()
}

/// The words of a text, cut at apostrophes too: "Elif'le" names Elif.
fn parts_of_words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|character: char| !character.is_alphanumeric()).filter(|part| !part.is_empty())
}

/// The words that a text writes as names, folded; its first one is written so in any case.
fn names_in(text: &str) -> impl Iterator<Item = String> {
    let parts = parts_of_words(text).skip(1);
    parts.filter(|part| part.chars().next().is_some_and(char::is_uppercase)).map(fold)
}

/// What wishes say of telling and forgetting, folded: it is nobody's matter.
const OF_WISHING: &[&str] = &[
    "forget",
    "told",
    "tell",
    "said",
    "say",
    "mentioned",
    "everything",
    "stuff",
    "thing",
    "things",
    "business",
    "please",
    "vergiss",
    "vergessen",
    "habe",
    "hab",
    "haben",
    "hast",
    "hat",
    "hatte",
    "bin",
    "ist",
    "war",
    "heb",
    "hebt",
    "heeft",
    "gezegd",
    "verteld",
    "vergeet",
    "erzahlt",
    "gesagt",
    "alles",
    "sache",
    "sachen",
    "bitte",
    "olvida",
    "olvidalo",
    "dije",
    "conte",
    "cosa",
    "cosas",
    "favor",
    "oublie",
    "dit",
    "raconte",
    "truc",
    "trucs",
    "tout",
    "esquece",
    "esqueca",
    "falei",
    "contei",
    "tudo",
    "coisa",
    "coisas",
    "dimentica",
    "detto",
    "raccontato",
    "tutto",
    "zapomnij",
    "mowilam",
    "mowilem",
    "wszystko",
    "забудь",
    "забудьте",
    "сказал",
    "сказала",
    "рассказал",
    "рассказала",
    "unut",
    "soyledigim",
    "anlattigim",
    "sey",
    "seyi",
];

/// The words of a wish that may name its matter.
fn telling(said: &str, analyser: &Analyser) -> Vec<QueryWord> {
    let words = analyser.words(said).into_iter();
    let of_wishing = |word: &str| OF_WISHING.contains(&word) || wish::is_word_of_wishing(word);
    words.filter(|word| word.stem.is_some() && !of_wishing(&word.surface)).collect()
}

/// Everything that one of two searches finds.
fn either(one: Option<Query>, other: Option<Query>) -> Option<Query> {
    let (one, other) = match (one, other) {
        (Some(one), Some(other)) => (one, other),
        (one, other) => return one.or(other),
    };
    let terms = one.terms.into_iter().chain(other.terms).collect();
    Some(Query {
        terms,
        column: one.column,
        expression: Expression::Or(vec![one.expression, other.expression]),
    })
}

/// What a wish is about, by the words that it shares with what it means. One word is enough if it is a name, here or in what is meant, or what the
/// wish ends with: "the new address" is not about everything new.
fn matter_of(
    wish: &str,
    shared: &BTreeSet<String>,
    names: &BTreeSet<String>,
    analyser: &Analyser,
) -> Option<Query> {
    let telling = telling(wish, analyser);
    let is_shared = |word: &&QueryWord| word.stem.as_ref().is_some_and(|stem| shared.contains(stem));
    let mut words: Vec<QueryWord> = Vec::new();
    for word in telling.iter().filter(is_shared) {
        if words.iter().all(|known| known.stem != word.stem) {
            words.push(word.clone());
        }
    }
    let ends_with = |word: &QueryWord| telling.last().is_some_and(|last| last.stem == word.stem);
    let is_name = |word: &QueryWord| names.contains(&word.surface);
    match words.as_slice() {
        [] => return None,
        [one] if !ends_with(one) && !is_name(one) => return None,
        _ => {}
    }
    let terms = words.iter().filter_map(|word| word.stem.clone()).collect();
    let expression = Expression::And(words.into_iter().map(Expression::Word).collect());
    Some(Query { terms, column: IndexColumn::Stems, expression })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[expect(clippy::single_range_in_vec_init, reason = "one part is what is left")]
    fn what_is_beside_some_parts_is_all_the_rest() {
        assert_eq!(complement([4..7, 9..12].into_iter(), 15), [0..4, 7..9, 12..15]);
        assert!(complement([0..5, 3..8].into_iter(), 8).is_empty());
        assert_eq!(complement(std::iter::empty(), 3), [0..3]);
    }
}
