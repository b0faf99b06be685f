//! Forgetting for good, through the core: what goes, what is written without it, and what the files hold afterwards.

mod derived;
mod lookalikes;
mod wholes;

use std::sync::Arc;

use memory::forget::{JOB, Purge, PurgeProgress, PurgeTarget};
use memory::ports::Clock;
use memory::ports::Store;
use memory::text::query;
use memory::types::{
    AgentId, Block, Change, EpisodeId, FeedbackEntry, Filter, HeldCandidate, JudgedBy, Judgement, Memory,
    Node, Origin, Override, OverrideId, ProcessingEntry, ProcessingOutcome, ProfileId, ProfileVersion,
    Relation, RelationId, Role, Run, RunId, RunState, Session, SessionKey, Status, Traces, Turn, UserId,
};
use testkit::build;

use testkit::subject::Subject;

/// What a purge came to.
pub struct PurgeOutcome {
    pub progress: PurgeProgress,
}

impl PurgeOutcome {
    pub fn removed(&self, kind: &str) -> u64 {
        self.progress.removed.get(kind).copied().unwrap_or(0)
    }

    pub fn rewritten(&self, kind: &str) -> u64 {
        self.progress.rewritten.get(kind).copied().unwrap_or(0)
    }
}

/// Everything that says this, of anybody.
pub fn saying(subject: &Subject, text: &str) -> PurgeTarget {
    let mut query = query::parse(text, &subject.analyser);
    if let query::Expression::Any(words) = query.expression {
        query.expression = query::Expression::And(words.into_iter().map(query::Expression::Word).collect());
    }
    PurgeTarget { ids: Vec::new(), query: Some(query), filter: everything(), identity: true }
}

pub fn everything() -> Filter {
    Filter { statuses: Status::ALL.to_vec(), ..Filter::ever() }
}

/// Purges as a command does, or only counts.
pub async fn purge(subject: &Subject, target: &PurgeTarget, really: bool) -> PurgeOutcome {
    let run = Run {
        id: RunId::from_uuid(subject.clock.uuid()),
        version: 0,
        job: JOB.to_owned(),
        state: RunState::Running,
        cursor: None,
        counts: PurgeProgress::default().counts(),
        started_at: subject.clock.now(),
        finished_at: None,
    };
    let store: Arc<dyn Store> = Arc::clone(&subject.store);
    let mut purge = Purge {
        store: &*store,
        analyser: &subject.analyser,
        target,
        clock: &subject.clock,
        seal: &|id: &str| [id.len() as u8; 32],
        run: really.then_some(run),
        progress: PurgeProgress::default(),
    };
    purge.complete().await.expect("it comes to an end");
    let progress = purge.progress;
    if really {
        let traces: Traces = progress.traces.clone();
        subject.store.erase(&traces).await.expect("the files can be emptied");
    }
    PurgeOutcome { progress }
}

/// A conversation about something, with everything that a house makes of one. `odd` is a word that stands for it in what
/// was only derived.
pub struct ForgetScene {
    pub said: Memory,
    pub session: SessionKey,
}

pub async fn scene(subject: &Subject, term: &str, odd: &str, session: &str) -> ForgetScene {
    let key = build::session_key(session);
    let turns = said(subject, term, session).await;
    let memory = subject
        .add_with(&format!("User keeps {term} in the shed"), |memory| {
            memory.session = Some(key.session.clone());
            memory.origin = Origin::Model;
            memory.evidence = Some(format!("I keep {term} in the shed."));
        })
        .await;
    let insight =
        subject.add_with(&format!("User is fond of {odd}"), |memory| memory.origin = Origin::Model).await;
    let made = subject
        .batch()
        .with(Change::Derive {
            child: Node::Memory(memory.id.clone()),
            parents: vec![Node::Turn(turns[0].id.clone())],
        })
        .with(Change::Derive {
            child: Node::Memory(insight.id),
            parents: vec![Node::Memory(memory.id.clone())],
        });
    subject.apply(made).await;
    versions(subject, term, session).await;
    graph(subject, term, &memory).await;
    identity(subject, term, &memory).await;
    digest(subject, term, session, &turns).await;
    copies(subject, term, session, &memory, &turns).await;
    ForgetScene { said: memory, session: key }
}

async fn said(subject: &Subject, term: &str, session: &str) -> Vec<Turn> {
    let mut turns = Vec::new();
    for (role, text) in [
        (Role::User, format!("I keep {term} in the shed. It is warm there.")),
        (Role::Assistant, format!("How lovely, {term}!")),
        (Role::User, "My kettle is blue.".to_owned()),
    ] {
        subject.clock.tick();
        let turn = Turn { role, ..build::turn(&subject.clock, session, &text) };
        turns.push(turn);
    }
    let written = subject.write(Change::AppendTurns { turns, pending: true }).await;
    let turns = subject.store.turns(&written.turns).await.expect("turns can be read");
    let all: Vec<_> = turns.iter().map(|turn| turn.id.clone()).collect();
    subject.write(Change::FailPending { turns: all, error: format!("{term} does not parse"), cap: 9 }).await;
    let key = build::session_key(session);
    let session: Session = subject.store.session(&key).await.expect("readable").expect("there");
    let mut titled = session;
    titled.title = Some(format!("About {term}"));
    titled.metadata.insert("note".into(), format!("see {term}").into());
    titled.metadata.insert("place".into(), "Oslo".into());
    subject.apply(subject.batch().replace(titled)).await;
    turns
}

/// Memories that said it once, say it now, or were forgotten.
async fn versions(subject: &Subject, term: &str, session: &str) {
    let from = subject.add(&format!("User feeds {term} in {session}")).await;
    subject.edit(&from, |memory| memory.content = format!("User feeds nobody in {session}")).await;
    let to = subject.add(&format!("User walks nobody in {session}")).await;
    subject.edit(&to, |memory| memory.content = format!("User walks {term} daily in {session}")).await;
    let sold = subject.add(&format!("User once sold {term} in {session}")).await;
    subject.edit(&sold, |memory| memory.status = Status::Deleted).await;
    let noted = subject
        .add_with(&format!("User has a shed in {session}"), |memory| {
            memory.metadata.insert("seen".into(), format!("with {term}").into());
            memory.metadata.insert("colour".into(), "red".into());
        })
        .await;
    let batch = subject.batch().because(format!("because of {term}"));
    let pinned = Memory { salience: 0.9, ..noted };
    subject.apply(batch.replace(pinned)).await;
}

async fn graph(subject: &Subject, term: &str, memory: &Memory) {
    let named = build::entity(&subject.clock, term, &[]);
    let alias = build::entity(&subject.clock, &format!("Pet {}", memory.id), &[term, "the pet"]);
    let relation = Relation {
        id: RelationId::from_uuid(subject.clock.uuid()),
        version: 1,
        owner: named.owner.clone(),
        subject: alias.id.clone(),
        predicate: "IS".into(),
        object: named.id.clone(),
        confidence: 1.0,
        valid_from: None,
        valid_until: None,
        status: Status::Active,
        created_at: subject.clock.now(),
        updated_at: subject.clock.now(),
    };
    let other = subject.add(&format!("Hay is cheap, says {}", memory.id)).await;
    let link = build::link(&subject.clock, &memory.id, &other.id);
    subject.apply(subject.batch().insert(named).insert(alias).insert(relation).insert(link)).await;
}

async fn identity(subject: &Subject, term: &str, memory: &Memory) {
    let user = UserId::unnamed();
    let number = subject.store.profile_versions(&user).await.expect("readable").len() as u64 + 1;
    let mut profile = ProfileVersion {
        id: ProfileId::from_uuid(subject.clock.uuid()),
        version: 1,
        user: user.clone(),
        number,
        text: format!("User keeps {term} in the shed\nWrites about {term}\nLives in Oslo number {number}"),
        difference: format!("+User keeps {term} in the shed\n+Lives in Oslo number {number}"),
        sources: vec![vec![memory.id.clone()], Vec::new(), Vec::new()],
        edited: None,
        checked_at: None,
        origin: Origin::Model,
        created_at: subject.clock.now(),
    };
    let derive = Change::Derive {
        child: Node::Profile(profile.id.clone()),
        parents: vec![Node::Memory(memory.id.clone())],
    };
    subject.apply(subject.batch().insert(profile.clone()).with(derive)).await;
    // An earlier state of the same version, which history keeps.
    profile.checked_at = Some(subject.clock.now());
    subject.apply(subject.batch().replace(profile)).await;
    let line = |text: String| Override {
        id: OverrideId::from_uuid(subject.clock.uuid()),
        version: 1,
        user: user.clone(),
        text,
        memory: None,
        origin: Origin::Person,
        created_at: subject.clock.now(),
    };
    let (standing, taken_back) =
        (line(format!("Never mention {term}")), line(format!("Always mention {term}")));
    let of =
        memory::types::RecordRef { kind: memory::types::RecordKind::Override, id: taken_back.id.to_string() };
    subject.apply(subject.batch().insert(standing).insert(taken_back)).await;
    subject.write(Change::Remove { of, expect: memory::types::Expect::Any }).await;
}

async fn digest(subject: &Subject, term: &str, session: &str, turns: &[Turn]) {
    let summary = format!("The user keeps {term} in the shed. They live in Oslo near {session}.");
    let mut episode = build::episode(&subject.clock, session, &summary);
    episode.topics = vec![term.to_owned(), format!("oslo {session}")];
    episode.decisions = vec![format!("buy hay for {term}"), format!("paint the shed of {session}")];
    episode.key_dates = vec![format!("2026-05-01: {term} arrive"), "2026-06-01: holiday".into()];
    episode.action_items = vec![format!("weigh {term}")];
    let id: EpisodeId = episode.id.clone();
    let parents = turns.iter().map(|turn| Node::Turn(turn.id.clone())).collect();
    let derive = Change::Derive { child: Node::Episode(id), parents };
    subject.apply(subject.batch().insert(episode.clone()).with(derive)).await;
    episode.salience = 0.7;
    subject.apply(subject.batch().replace(episode)).await;
}

/// Candidates, archived texts, blocks, judgements and logs.
async fn copies(subject: &Subject, term: &str, session: &str, memory: &Memory, turns: &[Turn]) {
    let held: HeldCandidate = build::held(&subject.clock, session, &format!("User may breed {term}"));
    let letter = subject.add(&format!("User wrote a letter in {session}")).await;
    let text = format!("User wrote a letter in {session}. It was about {term} and the rain.");
    let block = |hash: String, text: String, memories: Vec<memory::types::MemoryId>| Block {
        hash,
        session: build::session_key(session),
        text,
        tokens: 9,
        memories,
        turns: Vec::new(),
        episodes: Vec::new(),
        at: subject.clock.now(),
        standing: Vec::new(),
        standing_tokens: 0,
        dropped: false,
    };
    let entry = FeedbackEntry {
        memory: memory.id.clone(),
        judgement: Judgement::Used,
        by: JudgedBy::Agent,
        session: Some(build::session_key(session)),
        turn: Some(turns[1].id.clone()),
        at: subject.clock.now(),
    };
    let log = ProcessingEntry {
        at: subject.clock.now(),
        task: "distil".into(),
        model: None,
        input_tokens: 1,
        output_tokens: 1,
        cost: 0.0,
        duration_ms: 1,
        outcome: ProcessingOutcome::Failed,
        detail: Some(format!("it said {term}")),
    };
    let batch = subject
        .batch()
        .insert(held)
        .with(Change::Archive { memory: letter.id, text })
        .with(Change::PutBlock {
            block: Box::new(block(format!("{session}-1"), format!("keeps {term}"), vec![memory.id.clone()])),
        })
        .with(Change::PutBlock {
            block: Box::new(block(format!("{session}-2"), format!("override: {term}"), Vec::new())),
        })
        .with(Change::PutBlock {
            block: Box::new(block(format!("{session}-3"), "the weather".into(), Vec::new())),
        })
        .with(Change::Judge { entry })
        .with(Change::Log { entry: log });
    subject.apply(batch).await;
}

/// Of another agent.
pub fn agent(name: &str) -> AgentId {
    name.parse().expect("an agent's name")
}
