//! A store with some of everything, by chance: what people, models, upkeep and clients leave behind over time.

use std::sync::Arc;

use memory::ports::{Clock, Store};
use memory::types::*;
use serde_json::json;
use testkit::{ManualClock, Random, build};

pub const AGENTS: [&str; 3] = ["aster", "birch", "cedar"];
const USERS: [&str; 2] = ["uma", "vito"];
const WORDS: [&str; 10] =
    ["tea", "green", "running", "Ärger", "кофе", "咖啡", "🎉", "foo-bar", "it's", "\"quoted\"\n\\"];

pub struct World {
    pub store: Arc<dyn Store>,
    pub clock: ManualClock,
    random: Random,
    memories: Vec<MemoryId>,
    turns: Vec<Turn>,
    sessions: Vec<SessionKey>,
    entities: Vec<Entity>,
    runs: u64,
    profiles: u64,
}

/// Fills the store; the same seed gives the same store.
pub async fn fill(store: Arc<dyn Store>, seed: u64, steps: usize) -> World {
    let clock = ManualClock::seeded(seed as u16);
    let random = Random::seeded(seed);
    let mut world = World {
        store,
        clock,
        random,
        memories: Vec::new(),
        turns: Vec::new(),
        sessions: Vec::new(),
        entities: Vec::new(),
        runs: 0,
        profiles: 0,
    };
    // Each kind of step once, then by chance.
    for step in 0..STEPS {
        world.step(step).await;
    }
    for _ in 0..steps {
        let step = world.random.below(STEPS);
        world.step(step).await;
    }
    world
}

const STEPS: usize = 26;

impl World {
    async fn step(&mut self, step: usize) {
        self.clock.tick();
        let batch = match step {
            0 | 1 => self.add(),
            2 | 3 => self.say(),
            4 => self.edit().await,
            5 => self.supersede().await,
            6 => self.mark_deleted().await,
            7 => self.remove(),
            8 => self.purge(),
            9 => self.upsert(),
            10 => self.purge_turn(),
            11 => self.fail(),
            12 => self.redo(),
            13 => self.end().await,
            14 => self.hold(),
            15 => self.digest().await,
            16 => self.know(),
            17 => self.relate(),
            18 => self.link(),
            19 => self.profile(),
            20 => self.agent(),
            21 => self.tend().await,
            22 => self.use_and_judge(),
            23 => self.block(),
            24 => self.logs(),
            _ => self.vectors().await,
        };
        if let Some(batch) = batch {
            match self.store.apply(batch).await {
                Ok(_)
                | Err(memory::error::StoreError::Conflict { .. } | memory::error::StoreError::NotFound(_)) => {
                }
                Err(error) => panic!("step {step}: {error}"),
            }
        }
    }

    fn batch(&mut self) -> Batch {
        let by = *self.random.choose(&[Actor::Person, Actor::Model, Actor::Heuristic, Actor::Tool]);
        let batch = Batch::new(by, self.clock.now());
        if self.random.below(2) == 0 { batch.because("since it was said") } else { batch }
    }

    fn owner(&mut self) -> Owner {
        build::owner(self.random.choose::<&str>(&AGENTS), self.random.choose::<&str>(&USERS))
    }

    fn text(&mut self, owner: &Owner) -> String {
        let words: Vec<&str> = (0..1 + self.random.below(5)).map(|_| *self.random.choose(&WORDS)).collect();
        // Each agent's texts can be told from the others'.
        format!("mark-{} {} {}", owner.agent, words.join(" "), self.random.below(40))
    }

    fn some_memory(&mut self) -> Option<MemoryId> {
        (!self.memories.is_empty()).then(|| self.random.choose(&self.memories).clone())
    }

    async fn standing(&mut self) -> Option<Memory> {
        let id = self.some_memory()?;
        self.store.memories(&[id]).await.expect("read").pop()
    }

    fn memory(&mut self) -> Memory {
        let owner = self.owner();
        let text = self.text(&owner);
        let mut memory = build::memory_of(&self.clock, &owner, &text);
        let now = self.clock.now();
        memory.kind = *self.random.choose(Kind::ALL);
        memory.layer = *self.random.choose(Layer::ALL);
        memory.origin = *self.random.choose(Origin::ALL);
        memory.scope = *self.random.choose(Scope::ALL);
        memory.session = (self.random.below(3) == 0).then(|| build::session_id("one"));
        memory.salience = self.random.share() as f32;
        memory.strength = self.random.share() as f32;
        memory.stability_days = 1.0 + self.random.share() as f32 * 300.0;
        memory.pinned = self.random.below(5) == 0;
        if self.random.below(3) == 0 {
            memory.tags = vec!["tag one".into(), format!("tag {}", self.random.below(9))];
            memory.metadata = json!({"a": 1.5, "b": [null, "x"]}).as_object().expect("an object").clone();
            memory.emotion = Some(Emotion { valence: -0.3, arousal: 0.7 });
            memory.evidence = Some("my own words".into());
            memory.expires_at = Some(now.plus_seconds(1_000_000));
            memory.valid_from = Some(now.plus_seconds(-50));
        }
        if self.random.below(4) == 0 {
            memory.status = *self.random.choose(&[Status::Held, Status::Archived]);
        }
        memory
    }

    fn add(&mut self) -> Option<Batch> {
        let memory = self.memory();
        self.memories.push(memory.id.clone());
        Some(self.batch().insert(memory))
    }

    fn upsert(&mut self) -> Option<Batch> {
        let mut memory = self.memory();
        memory.status = Status::Active;
        memory.key = Some(format!("key-{}", self.random.below(4)));
        self.memories.push(memory.id.clone());
        Some(self.batch().with(Change::Upsert { memory: Box::new(memory) }))
    }

    async fn edit(&mut self) -> Option<Batch> {
        let mut memory = self.standing().await?;
        memory.content = self.text(&memory.owner());
        memory.updated_at = self.clock.now();
        Some(self.batch().replace(memory))
    }

    async fn supersede(&mut self) -> Option<Batch> {
        let (mut old, new) = (self.standing().await?, self.memory());
        old.status = Status::Superseded;
        old.superseded_by = Some(new.id.clone());
        self.memories.push(new.id.clone());
        let parents = vec![Node::Memory(old.id.clone())];
        let derive = Change::Derive { child: Node::Memory(new.id.clone()), parents };
        Some(self.batch().replace(old).insert(new).with(derive))
    }

    async fn mark_deleted(&mut self) -> Option<Batch> {
        let mut memory = self.standing().await?;
        memory.status = Status::Deleted;
        memory.content = format!("{} forgotten-{}", memory.content, memory.agent);
        Some(self.batch().replace(memory))
    }

    fn remove(&mut self) -> Option<Batch> {
        let of = RecordRef::memory(&self.some_memory()?);
        Some(self.batch().with(Change::Remove { of, expect: Expect::Any }))
    }

    fn purge(&mut self) -> Option<Batch> {
        let of = RecordRef::memory(&self.some_memory()?);
        Some(self.batch().with(Change::Purge { of }))
    }

    fn say(&mut self) -> Option<Batch> {
        let owner = self.owner();
        let key = SessionKey::new(&owner, build::session_id(*self.random.choose(&["one", "two"])));
        let mut turns = Vec::new();
        for _ in 0..1 + self.random.below(4) {
            let text = self.text(&owner);
            let mut turn = build::turn_in(&self.clock, &key, &text);
            turn.role = *self.random.choose(Role::ALL);
            turn.partial = self.random.below(6) == 0;
            turn.speaker = (self.random.below(4) == 0).then(|| "Ada".to_owned());
            turn.external_id = (self.random.below(2) == 0).then(|| format!("e{}", self.random.below(50)));
            turns.push(turn);
        }
        self.turns.extend(turns.iter().cloned());
        if !self.sessions.contains(&key) {
            self.sessions.push(key);
        }
        let pending = self.random.below(2) == 0;
        Some(self.batch().with(Change::AppendTurns { turns, pending }))
    }

    fn some_turn(&mut self) -> Option<Turn> {
        (!self.turns.is_empty()).then(|| self.random.choose(&self.turns).clone())
    }

    fn purge_turn(&mut self) -> Option<Batch> {
        // The last one too: the place of the next must not move back.
        let turn = if self.random.below(2) == 0 { self.turns.pop() } else { self.some_turn() }?;
        Some(self.batch().with(Change::PurgeTurns { turns: vec![turn.id] }))
    }

    fn fail(&mut self) -> Option<Batch> {
        let turns = vec![self.some_turn()?.id];
        if self.random.below(4) == 0 {
            return Some(self.batch().with(Change::ClearPending { turns }));
        }
        let cap = 1 + self.random.below(2) as u32;
        Some(self.batch().with(Change::FailPending { turns, error: "it failed".into(), cap }))
    }

    fn redo(&mut self) -> Option<Batch> {
        let session = self.random.choose(&self.sessions).clone();
        let since = self.clock.now();
        let batch = self.batch().with(Change::PutRedo { session: session.clone(), since });
        Some(batch.with(Change::FailRedo { session, error: "no model".into(), cap: 2 }))
    }

    async fn end(&mut self) -> Option<Batch> {
        let key = self.random.choose(&self.sessions).clone();
        let mut session = self.store.session(&key).await.expect("read")?;
        session.ended_at = Some(self.clock.now());
        session.title = Some("A title".into());
        session.metadata.insert("color".into(), "green".into());
        Some(self.batch().replace(session))
    }

    fn hold(&mut self) -> Option<Batch> {
        let owner = self.owner();
        let text = self.text(&owner);
        let mut held = build::held(&self.clock, "one", &text);
        held.session = SessionKey::new(&owner, build::session_id("one"));
        held.memory = build::memory_of(&self.clock, &owner, &text);
        held.sources = self.some_turn().map(|turn| turn.id).into_iter().collect();
        Some(self.batch().insert(held))
    }

    async fn digest(&mut self) -> Option<Batch> {
        let key = self.random.choose(&self.sessions).clone();
        let text = self.text(&key.owner());
        if let Some(mut standing) = self.store.episode_of(&key).await.expect("read") {
            standing.summary = text;
            standing.status = *self.random.choose(&[Status::Active, Status::Superseded, Status::Deleted]);
            return Some(self.batch().replace(standing));
        }
        let mut episode = build::episode(&self.clock, "one", &text);
        episode.session = key;
        episode.topics = vec!["a topic".into()];
        let derive = Change::Derive {
            child: Node::Episode(episode.id.clone()),
            parents: self.some_turn().map(|turn| Node::Turn(turn.id)).into_iter().collect(),
        };
        Some(self.batch().insert(episode).with(derive))
    }

    fn know(&mut self) -> Option<Batch> {
        let mut entity = build::entity(&self.clock, "Anna", &["Annie"]);
        entity.owner = self.owner();
        entity.name = format!("Anna-{}", self.random.below(5));
        self.entities.push(entity.clone());
        Some(self.batch().insert(entity))
    }

    fn relate(&mut self) -> Option<Batch> {
        let (one, other) =
            (self.random.choose(&self.entities).clone(), self.random.choose(&self.entities).clone());
        let now = self.clock.now();
        let relation = Relation {
            id: RelationId::from_uuid(self.clock.uuid()),
            version: 1,
            owner: one.owner.clone(),
            subject: one.id,
            predicate: "knows".into(),
            object: other.id,
            confidence: 0.25,
            valid_from: Some(now),
            valid_until: None,
            status: *self.random.choose(&[Status::Active, Status::Superseded]),
            created_at: now,
            updated_at: now,
        };
        Some(self.batch().insert(relation))
    }

    fn link(&mut self) -> Option<Batch> {
        let (from, to) = (self.some_memory()?, self.some_memory()?);
        let mut link = build::link(&self.clock, &from, &to);
        link.kind = *self.random.choose(LinkKind::ALL);
        Some(self.batch().insert(link))
    }

    fn profile(&mut self) -> Option<Batch> {
        self.profiles += 1;
        let user: UserId = USERS[0].parse().expect("a name");
        let now = self.clock.now();
        let profile = ProfileVersion {
            id: ProfileId::from_uuid(self.clock.uuid()),
            version: 1,
            user: user.clone(),
            number: self.profiles,
            text: "Likes tea.\nRuns.".into(),
            difference: "+Runs.".into(),
            sources: vec![self.some_memory().into_iter().collect(), Vec::new()],
            edited: None,
            checked_at: Some(now),
            origin: Origin::Model,
            created_at: now,
        };
        let derive = Change::Derive {
            child: Node::Profile(profile.id.clone()),
            parents: self.some_memory().map(Node::Memory).into_iter().collect(),
        };
        let said = Override {
            id: OverrideId::from_uuid(self.clock.uuid()),
            version: 1,
            user,
            text: format!("Always say {}", self.profiles),
            memory: None,
            origin: Origin::Person,
            created_at: now,
        };
        let taken_back = RecordRef { kind: RecordKind::Override, id: said.id.as_str().to_owned() };
        let batch = self.batch().insert(profile).with(derive).insert(said);
        if self.random.below(2) == 0 {
            return Some(batch);
        }
        Some(batch.with(Change::Remove { of: taken_back, expect: Expect::Any }))
    }

    fn agent(&mut self) -> Option<Batch> {
        let now = self.clock.now();
        let agent = Agent {
            id: self.random.choose(&AGENTS).parse().expect("a name"),
            version: 1,
            name: format!("Agent {}", self.random.below(100)),
            description: String::new(),
            personality: json!({"openness": 0.5}).as_object().expect("an object").clone(),
            created_at: now,
            updated_at: now,
        };
        let value = Some(json!(1 + self.random.below(50)));
        let batch = self.batch().with(Change::Put { record: agent.into(), expect: Expect::Any });
        Some(batch.with(Change::SetSetting { name: "recallTopK".into(), value }))
    }

    /// What upkeep leaves: a run, counts that one memory took over from another, an archived text, derivations.
    async fn tend(&mut self) -> Option<Batch> {
        self.runs += 1;
        let now = self.clock.now();
        let run = Run {
            id: RunId::from_uuid(self.clock.uuid()),
            version: 1,
            job: "tend".into(),
            state: RunState::Done,
            cursor: None,
            counts: json!({"merged": self.runs}).as_object().expect("an object").clone(),
            started_at: now,
            finished_at: Some(now),
        };
        let mut memory = self.standing().await?;
        let whole = memory.content.clone();
        memory.content = format!("mark-{} gist {}", memory.agent, self.runs);
        let id = memory.id.clone();
        let counts =
            Counters { use_count: 3, source_count: 1, last_used_at: Some(now), ..Counters::default() };
        let derive = Change::Derive {
            child: Node::Memory(id.clone()),
            parents: self.some_memory().map(Node::Memory).into_iter().collect(),
        };
        let batch = Batch::new(Actor::Tend, now).in_run(run.id.clone()).insert(run).replace(memory);
        let batch = batch.with(Change::Archive { memory: id.clone(), text: whole }).with(derive);
        Some(batch.with(Change::AddCounts { memory: id, counts }))
    }

    fn use_and_judge(&mut self) -> Option<Batch> {
        let (memory, now) = (self.some_memory()?, self.clock.now());
        let entry = FeedbackEntry {
            memory: memory.clone(),
            judgement: *self.random.choose(Judgement::ALL),
            by: *self.random.choose(JudgedBy::ALL),
            session: self.sessions.first().cloned(),
            turn: self.some_turn().map(|turn| turn.id),
            at: now,
        };
        let batch = self.batch().with(Change::Touch { memories: vec![memory.clone()], at: now });
        let batch = batch.with(Change::LogAccess { memory: memory.clone(), intact: true });
        Some(batch.with(Change::CountSource { memory }).with(Change::Judge { entry }))
    }

    fn block(&mut self) -> Option<Batch> {
        let session = self.random.choose(&self.sessions).clone();
        let (memory, turn) = (self.some_memory()?, self.some_turn()?);
        let block = Block {
            hash: format!("hash{}", self.random.below(1_000)),
            text: format!("<memory>mark-{}</memory>", session.agent),
            session,
            tokens: 4,
            memories: vec![memory],
            turns: vec![turn.id],
            episodes: Vec::new(),
            at: self.clock.now(),
            dropped: false,
        };
        Some(self.batch().with(Change::PutBlock { block: Box::new(block) }))
    }

    fn logs(&mut self) -> Option<Batch> {
        let at = self.clock.now();
        let entry = ProcessingEntry {
            at,
            task: "distil".into(),
            model: Some("house/model".into()),
            input_tokens: 10,
            output_tokens: 2,
            cost: 0.125,
            duration_ms: 7,
            outcome: ProcessingOutcome::Succeeded,
            detail: None,
        };
        let receipt = Receipt {
            id: RunId::from_uuid(self.clock.uuid()),
            at,
            removed: [("memory".to_owned(), 2)].into(),
            rewritten: Default::default(),
            hash: "abc".into(),
            beyond: vec!["backups".into()],
        };
        Some(self.batch().with(Change::Log { entry }).with(Change::PutReceipt { receipt }))
    }

    async fn vectors(&mut self) -> Option<Batch> {
        let memory = self.standing().await?;
        if memory.status == Status::Deleted {
            return None;
        }
        let vector = vec![0.6, -0.8, self.random.share() as f32];
        let signature = format!("test:model-{}:3", self.random.below(2));
        let id = memory.id.as_str().to_owned();
        let put = Change::PutVector { corpus: Corpus::Memories, id, signature: signature.clone(), vector };
        let Some(turn) = self.some_turn() else { return Some(self.batch().with(put)) };
        if self.store.turns(std::slice::from_ref(&turn.id)).await.expect("read").is_empty() {
            return Some(self.batch().with(put));
        }
        let id = turn.id.as_str().to_owned();
        let said = Change::PutVector { corpus: Corpus::Turns, id, signature, vector: vec![1.0, 0.0, 0.0] };
        Some(self.batch().with(put).with(said))
    }
}
