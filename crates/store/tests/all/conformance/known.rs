//! What is looked up on behalf of models and clients: blocks in prompts, turns that are sent again, what models took.

use memory::ports::{Clock, KnownTurn, Usage};
use memory::types::{
    Block, Change, Episode, EpisodeId, Expect, Memory, MemoryId, Origin, Override, OverrideId,
    ProcessingEntry, ProcessingOutcome, RecordKind, RecordRef, Role, Status, Turn, TurnId, content_hash,
};
use testkit::build;

use testkit::subject::Subject;

const HASH: &str = "00112233445566778899aabbccddeeff";

fn block(subject: &Subject, hash: &str) -> Block {
    Block {
        hash: hash.to_owned(),
        session: build::session_key("s1"),
        text: "<recollect-memory id=\"1\">\nlikes tea\n</recollect-memory>".to_owned(),
        tokens: 12,
        memories: Vec::new(),
        turns: Vec::new(),
        episodes: Vec::new(),
        at: subject.clock.now(),
        standing: Vec::new(),
        standing_tokens: 0,
        dropped: false,
    }
}

async fn put(subject: &Subject, block: Block) {
    subject.write(Change::PutBlock { block: Box::new(block) }).await;
}

async fn blocks(subject: &Subject, hashes: &[&str]) -> Vec<Block> {
    let hashes: Vec<String> = hashes.iter().map(|hash| (*hash).to_owned()).collect();
    subject.store.blocks(&hashes).await.expect("blocks can be read")
}

pub async fn a_block_comes_back_as_it_was(mut subject: Subject) {
    let memory = subject.add("likes tea").await;
    let (one, two) = (block(&subject, HASH), block(&subject, "another"));
    let one = Block { memories: vec![memory.id.clone()], ..one };
    put(&subject, one.clone()).await;
    put(&subject, two.clone()).await;
    let mut read = blocks(&subject, &["another", HASH, "unknown"]).await;
    read.sort_by(|left, right| left.hash.cmp(&right.hash));
    assert_eq!(read, [one.clone(), two.clone()]);
    let changed = Block { text: "other text".into(), ..two };
    put(&subject, changed.clone()).await;
    assert_eq!(blocks(&subject, &["another"]).await, [changed], "the last one counts");
    if subject.restart().await {
        assert_eq!(blocks(&subject, &[HASH]).await, [one]);
    }
    assert_eq!(blocks(&subject, &[]).await, []);
}

/// A store with a block that rests on one of each, and on a memory that stays.
struct Rested {
    memory: Memory,
    episode: Episode,
    turn: Turn,
    other: MemoryId,
}

async fn rested(subject: &Subject) -> Rested {
    let memory = subject.add("likes tea").await;
    let other = subject.add("has a cat").await;
    let turn = subject.say("s0", "I like tea").await;
    let episode = build::episode(&subject.clock, "s0", "They spoke of tea.");
    subject.apply(subject.batch().insert(episode.clone())).await;
    let on = |memories: &[&MemoryId], turns: &[&TurnId], episodes: &[&EpisodeId], hash: &str| Block {
        memories: memories.iter().map(|id| (*id).clone()).collect(),
        turns: turns.iter().map(|id| (*id).clone()).collect(),
        episodes: episodes.iter().map(|id| (*id).clone()).collect(),
        ..block(subject, hash)
    };
    put(subject, on(&[&memory.id, &other.id], &[], &[], "memory")).await;
    put(subject, on(&[], &[&turn.id], &[], "turn")).await;
    put(subject, on(&[], &[], &[&episode.id], "episode")).await;
    put(subject, on(&[&other.id], &[], &[], "other")).await;
    Rested { memory, episode, turn, other: other.id }
}

/// Which of the blocks have lost their text; a lost one says nothing of what it was.
async fn dropped(subject: &Subject) -> Vec<String> {
    let read = blocks(subject, &["memory", "turn", "episode", "other"]).await;
    assert_eq!(read.len(), 4, "the place of a dropped block is still known");
    for block in read.iter().filter(|block| block.dropped) {
        assert_eq!((block.text.as_str(), block.tokens, block.memories.len()), ("", 0, 0));
        assert_eq!(block.session, build::session_key("s1"));
    }
    let mut hashes: Vec<String> =
        read.into_iter().filter(|block| block.dropped).map(|block| block.hash).collect();
    hashes.sort();
    hashes
}

pub async fn a_block_goes_with_what_it_rests_on(subject: Subject) {
    let Rested { memory, episode, turn, other } = rested(&subject).await;
    assert_eq!(dropped(&subject).await, [""; 0]);
    subject.edit(&memory, |memory| memory.tags = vec!["drink".into()]).await;
    assert_eq!(dropped(&subject).await, [""; 0], "an edit takes nothing away");
    subject
        .edit(&subject.memory(&memory.id).await.expect("there"), |memory| memory.status = Status::Deleted)
        .await;
    assert_eq!(dropped(&subject).await, ["memory"]);
    let of = RecordRef { kind: memory::types::RecordKind::Episode, id: episode.id.to_string() };
    subject.write(Change::Remove { of, expect: Expect::Any }).await;
    assert_eq!(dropped(&subject).await, ["episode", "memory"]);
    subject.write(Change::PurgeTurns { turns: vec![turn.id] }).await;
    assert_eq!(dropped(&subject).await, ["episode", "memory", "turn"]);
    subject.write(Change::Purge { of: RecordRef::memory(&other) }).await;
    assert_eq!(dropped(&subject).await, ["episode", "memory", "other", "turn"]);
}

pub async fn a_block_comes_too_late_for_what_was_forgotten(subject: Subject) {
    let memory = subject.add("likes tea").await;
    subject.write(Change::Purge { of: RecordRef::memory(&memory.id) }).await;
    put(&subject, Block { memories: vec![memory.id], ..block(&subject, HASH) }).await;
    let [late] = &blocks(&subject, &[HASH]).await[..] else { panic!("the block keeps its place") };
    assert!(late.dropped && late.text.is_empty(), "{late:?}");
}

pub async fn a_block_goes_with_an_override_it_says(subject: Subject) {
    let kept = Override {
        id: OverrideId::from_uuid(subject.clock.uuid()),
        version: 1,
        user: build::session_key("s1").user,
        text: "likes tea".into(),
        origin: Origin::Person,
        created_at: subject.clock.now(),
        memory: None,
    };
    subject.apply(subject.batch().insert(kept.clone())).await;
    put(&subject, block(&subject, HASH)).await;
    let of = RecordRef { kind: RecordKind::Override, id: kept.id.as_str().to_owned() };
    subject.write(Change::Remove { of, expect: Expect::Any }).await;
    assert!(blocks(&subject, &[HASH]).await[0].dropped);
}

pub async fn a_block_goes_with_a_purged_session(subject: Subject) {
    rested(&subject).await;
    subject.say("s1", "hello").await;
    let of = |session: &str| RecordRef {
        kind: memory::types::RecordKind::Session,
        id: build::session_key(session).to_string(),
    };
    subject.write(Change::Purge { of: of("s0") }).await;
    assert_eq!(
        dropped(&subject).await,
        ["episode", "turn"],
        "what rested on the session's turns and episode"
    );
    subject.write(Change::Purge { of: of("s1") }).await;
    assert_eq!(blocks(&subject, &["memory", "turn", "episode", "other"]).await, [], "its own are gone");
}

pub async fn a_refused_batch_leaves_the_block(subject: Subject) {
    let Rested { memory, .. } = rested(&subject).await;
    let stale = Memory { version: 99, status: Status::Deleted, ..memory.clone() };
    let batch = subject.batch().with(Change::Purge { of: RecordRef::memory(&memory.id) }).replace(stale);
    subject.refuse(batch).await;
    assert_eq!(dropped(&subject).await, [""; 0], "all or nothing");
}

fn named(subject: &Subject, session: &str, id: &str, role: Role, text: &str) -> Turn {
    subject.clock.tick();
    Turn { external_id: Some(id.into()), role, ..build::turn(&subject.clock, session, text) }
}

fn shown(known: &[KnownTurn]) -> Vec<(String, String, u64, bool)> {
    let turn = |turn: &KnownTurn| {
        (turn.external_id.clone(), turn.session.session.to_string(), turn.index, turn.is_last)
    };
    known.iter().map(turn).collect()
}

pub async fn turns_are_known_by_their_external_ids(subject: Subject) {
    let turns = vec![
        named(&subject, "s1", "m1", Role::User, "hi"),
        named(&subject, "s1", "m2", Role::Assistant, "hello"),
        named(&subject, "s2", "m1", Role::User, "hi"),
    ];
    let stored = subject.append(turns).await;
    subject.say("s3", "without an id").await;
    let ids = ["m2", "m1", "m9"].map(str::to_owned);
    let known = subject.store.places_of(&ids).await.expect("readable");
    let expected = [("m1", "s2", 0, true), ("m2", "s1", 1, true), ("m1", "s1", 0, false)];
    let expected: Vec<_> = expected
        .iter()
        .map(|(id, session, index, last)| (id.to_string(), session.to_string(), *index, *last))
        .collect();
    assert_eq!(shown(&known), expected, "in whichever session, the latest first");
    assert_eq!((known[1].role, known[1].at, &known[1].text_hash), (Role::Assistant, stored[1].at, &None));
    assert_eq!(subject.store.places_of(&[]).await.expect("readable"), []);
    subject.write(Change::PurgeTurns { turns: vec![stored[1].id.clone()] }).await;
    assert_eq!(subject.store.places_of(&ids[..1]).await.expect("readable"), [], "what is purged is unknown");
}

pub async fn replies_are_known_by_their_text(subject: Subject) {
    let turns = vec![
        named(&subject, "s1", "m1", Role::Assistant, " The answer is forty-two.\n"),
        named(&subject, "s1", "m2", Role::User, "The answer is forty-two."),
        named(&subject, "s2", "m3", Role::Assistant, "The answer is forty-two."),
        named(&subject, "s2", "m4", Role::Assistant, "The answer is forty-three."),
    ];
    subject.append(turns).await;
    let nameless =
        Turn { role: Role::Assistant, ..build::turn(&subject.clock, "s3", "The answer is forty-two.") };
    subject.append(vec![nameless]).await;
    let hash = content_hash("The answer is forty-two.");
    let wanted = [hash.clone(), content_hash("never said")];
    let known = subject.store.replies_like(&wanted, 10).await.expect("readable");
    let ids: Vec<&str> = known.iter().map(|turn| turn.external_id.as_str()).collect();
    assert_eq!(ids, ["m3", "m1"], "of the assistant alone, with an id, the latest first");
    assert!(known.iter().all(|turn| turn.text_hash.as_ref() == Some(&hash)));
    assert_eq!((known[0].is_last, known[1].is_last), (false, false));
    assert_eq!(subject.store.replies_like(&wanted, 1).await.expect("readable").len(), 1);
}

pub async fn what_models_took_is_summed(subject: Subject) {
    let since = subject.clock.now();
    let entry = |model: Option<&str>, outcome: ProcessingOutcome| ProcessingEntry {
        at: subject.clock.tick(),
        task: "distil".into(),
        model: model.map(str::to_owned),
        input_tokens: 100,
        output_tokens: 10,
        cost: 0.25,
        duration_ms: 5,
        outcome,
        detail: None,
    };
    assert_eq!(subject.store.usage_since(since).await.expect("readable"), Usage::default());
    for entry in [
        entry(Some("m"), ProcessingOutcome::Succeeded),
        entry(Some("m"), ProcessingOutcome::Failed),
        entry(Some("m"), ProcessingOutcome::Skipped),
        entry(None, ProcessingOutcome::Succeeded),
    ] {
        subject.write(Change::Log { entry }).await;
    }
    let expected = Usage { calls: 2, failed_calls: 1, input_tokens: 200, output_tokens: 20, cost: 0.5 };
    assert_eq!(subject.store.usage_since(since).await.expect("readable"), expected);
    let later = subject.clock.tick();
    assert_eq!(subject.store.usage_since(later).await.expect("readable"), Usage::default());
}

pub async fn what_was_learned_of_a_user(subject: Subject) {
    let ada = build::owner("one", "ada");
    let of = |owner: &memory::types::Owner, content: &str| {
        subject.clock.tick();
        build::memory_of(&subject.clock, owner, content)
    };
    let old = subject.insert(of(&ada, "old")).await;
    let since = subject.clock.tick();
    subject.insert(of(&ada, "with one agent")).await;
    subject.insert(of(&build::owner("two", "ada"), "with another agent")).await;
    subject.insert(of(&build::owner("one", "eve"), "of somebody else")).await;
    let gone = subject.insert(of(&ada, "gone")).await;
    subject.edit(&gone, |memory| memory.status = Status::Deleted).await;
    let learned = async |limit: usize| -> Vec<String> {
        let memories = subject.store.learned_of(&ada.user, since, limit).await.expect("readable");
        memories.into_iter().map(|memory| memory.content).collect()
    };
    assert_eq!(
        learned(10).await,
        ["with another agent", "with one agent"],
        "over all agents, the newest first"
    );
    subject.edit(&old, |memory| memory.content = "old, and changed".into()).await;
    assert_eq!(learned(10).await, ["old, and changed", "with another agent", "with one agent"]);
    assert_eq!(learned(1).await, ["old, and changed"]);
}

pub async fn a_redo_that_fails_dies_at_the_cap(subject: Subject) {
    subject.say("s1", "hello").await;
    let (session, since) = (build::session_key("s1"), subject.clock.now());
    subject.write(Change::PutRedo { session: session.clone(), since, error: None }).await;
    let fail = |error: &str| Change::FailRedo { session: session.clone(), error: error.into(), cap: 2 };
    let entry = async || subject.store.redo(10).await.expect("readable").pop().expect("it is listed");
    assert_eq!((entry().await.failures, entry().await.dead), (0, false));
    subject.write(fail("late")).await;
    let once = entry().await;
    assert_eq!((once.failures, once.dead, once.last_error.as_deref()), (1, false, Some("late")));
    subject.write(fail("refused")).await;
    let twice = entry().await;
    assert_eq!((twice.failures, twice.dead, twice.last_error.as_deref()), (2, true, Some("refused")));
    subject.write(Change::ClearRedo { session: session.clone() }).await;
    assert_eq!(subject.store.redo(10).await.expect("readable"), []);
    let other = build::session_key("unknown");
    subject.write(Change::FailRedo { session: other, error: "x".into(), cap: 1 }).await;
    assert_eq!(subject.store.redo(10).await.expect("readable"), [], "what does not wait cannot fail");
}
