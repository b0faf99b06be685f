//! A store with some of everything, by chance: what people, models, upkeep and clients leave behind over time.

mod beside;

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
    for _ in 0..VEILS {
        world.step(STEPS).await;
    }
    world
}

const STEPS: usize = 26;

/// What is done at the end, so that something is hidden of what is still there.
const VEILS: usize = 3;

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
            25 => self.vectors().await,
            _ => self.veil().await,
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

    /// The beginning of a turn is forgotten.
    async fn veil(&mut self) -> Option<Batch> {
        let turn = (!self.turns.is_empty()).then(|| self.random.choose(&self.turns).clone())?;
        let turn = self.store.turns_as_said(&[turn.id]).await.expect("read").pop()?;
        let end = turn.text.len().min(1 + self.random.below(30));
        let hidden = vec![HiddenText::new(&turn.id, &(0..end))];
        let (id, created_at) = (VeilId::from_uuid(self.clock.uuid()), self.clock.now());
        let veil = Veil { id, version: 1, session: turn.session, hidden, created_at };
        Some(self.batch().insert(veil))
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
        let key = SessionKey::new(&owner, build::session_id(self.random.choose::<&str>(&["one", "two"])));
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
        let batch = self.batch().with(Change::PutRedo { session: session.clone(), since, error: None });
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
}
