//! The steps that leave something beside memories and conversations: who the user is, agents, upkeep, uses, prompts, logs, vectors.

use memory::ports::Clock;
use memory::types::*;
use serde_json::json;

use super::{AGENTS, USERS, World};

impl World {
    pub(super) fn profile(&mut self) -> Option<Batch> {
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

    pub(super) fn agent(&mut self) -> Option<Batch> {
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
    pub(super) async fn tend(&mut self) -> Option<Batch> {
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

    pub(super) fn use_and_judge(&mut self) -> Option<Batch> {
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

    pub(super) fn block(&mut self) -> Option<Batch> {
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
            standing: Vec::new(),
            standing_tokens: 0,
            dropped: false,
        };
        Some(self.batch().with(Change::PutBlock { block: Box::new(block) }))
    }

    pub(super) fn logs(&mut self) -> Option<Batch> {
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

    pub(super) async fn vectors(&mut self) -> Option<Batch> {
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
