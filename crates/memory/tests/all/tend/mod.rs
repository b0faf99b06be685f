//! Upkeep over a real store: what each step does and leaves alone, taking a pass back, and what a kill in the middle leaves.
//!
//! [`steps`] is what each step is held to and [`bounds`] where it begins, [`undoing`] compares random edits with and without
//! a pass that was taken back, [`crash`] kills a pass inside every step, [`judged`] is what feedback changes.

mod bounds;
mod crash;
mod judged;
mod steps;
mod undoing;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use memory::error::ModelError;
use memory::ports::{ChatModel, Clock, Completion, Embedder, Prompt, ReadStore, WriteStore};
use memory::settings::Settings;
use memory::tend::Tender;
use memory::text::fold;
use memory::toolkit::Toolkit;
use memory::types::{
    Actor, Batch, Block, Change, Filter, Kind, Memory, MemoryId, Node, Order, Origin, PageRequest, Run,
    RunState, Status, Step, Time,
};
use serde_json::Value;
use store::{Tenant, Tenants, TenantsOptions, WriteDurability};
use tempfile::TempDir;
use testkit::{ManualClock, Random, build, folder};

use testkit::subject;

const DAY: i64 = 86_400;

/// Embeds by the longer words of a text: what differs in the short ones alone means the same to it.
struct LongWords;

#[async_trait]
impl Embedder for LongWords {
    fn signature(&self) -> &str {
        "test:words:64"
    }

    fn dimensions(&self) -> usize {
        64
    }

    async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, ModelError> {
        Ok(texts.iter().map(|text| embedded(text)).collect())
    }
}

fn embedded(text: &str) -> Vec<f32> {
    let mut vector = vec![0.0_f32; 64];
    let folded = fold(text);
    for word in folded.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() > 4) {
        let place = word.bytes().fold(7_usize, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
        vector[place % 64] += 1.0;
    }
    let length = vector.iter().map(|number| number * number).sum::<f32>().sqrt();
    vector.iter().map(|number| if length > 0.0 { number / length } else { 0.0 }).collect()
}

/// A model that always answers the same.
struct Says(&'static str);

#[async_trait]
impl ChatModel for Says {
    fn name(&self) -> &str {
        "test/says"
    }

    async fn complete(&self, _: Prompt<'_>) -> Result<Completion, ModelError> {
        Ok(Completion { text: self.0.to_owned(), ..Completion::default() })
    }
}

/// A tenant and what its upkeep needs.
struct TendScene {
    folder: TempDir,
    tenants: Tenants,
    tenant: Tenant,
    clock: Arc<ManualClock>,
    settings: Settings,
    model: Option<Arc<dyn ChatModel>>,
}

fn options() -> TenantsOptions {
    TenantsOptions {
        durability: WriteDurability::Normal,
        embedder: Some(Arc::new(LongWords)),
        ..TenantsOptions::default()
    }
}

async fn opened(folder: &Path) -> (Tenants, Tenant) {
    let tenants = Tenants::open_folder(folder, options()).expect("the folder opens");
    let tenant = subject::open_tenant(&tenants, "local").await;
    tenant.load_vectors().await.expect("loaded");
    (tenants, tenant)
}

impl TendScene {
    async fn new() -> Self {
        Self::at(folder::scratch()).await
    }

    async fn at(folder: TempDir) -> Self {
        let (tenants, tenant) = opened(folder.path()).await;
        let (clock, settings) = (Arc::new(ManualClock::default()), Settings::default());
        Self { folder, tenants, tenant, clock, settings, model: None }
    }

    fn tender(&self) -> Tender {
        Tender {
            tools: Toolkit {
                embedder: Some(Arc::new(LongWords)),
                model: self.model.clone(),
                ..self.tenant.tools(self.settings.clone(), Arc::clone(&self.clock) as Arc<dyn Clock>)
            },
        }
    }

    /// A whole pass, or one step of it.
    async fn tend(&self, only: Option<Step>) -> Run {
        let tender = self.tender();
        self.clock.tick();
        let mut run = match tender.unfinished().await.expect("read") {
            Some(run) => run,
            None => tender.begin(only).await.expect("begun"),
        };
        while run.state == RunState::Running {
            run = tender.advance(run).await.expect("advanced");
        }
        run
    }

    fn days_ago(&self, days: i64) -> Time {
        self.clock.now().plus_seconds(-days * DAY)
    }

    /// A memory that a model learned, made some days ago.
    async fn learned(&self, content: &str, days: i64, edit: impl FnOnce(&mut Memory)) -> Memory {
        let mut memory = build::memory(&self.clock, content);
        memory.origin = Origin::Model;
        (memory.created_at, memory.updated_at) = (self.days_ago(days), self.days_ago(days));
        edit(&mut memory);
        self.write_by(Actor::Model, |batch| batch.insert(memory.clone())).await;
        self.read(&memory.id).await
    }

    async fn write_by(&self, by: Actor, fill: impl FnOnce(Batch) -> Batch) {
        self.clock.tick();
        self.tenant.apply(fill(Batch::new(by, self.clock.now()))).await.expect("in order");
    }

    async fn read(&self, id: &MemoryId) -> Memory {
        self.tenant.memories(std::slice::from_ref(id)).await.expect("readable").remove(0)
    }

    async fn status(&self, memory: &Memory) -> Status {
        self.read(&memory.id).await.status
    }

    async fn used(&self, memory: &Memory, times: usize, days: i64) {
        let at = self.days_ago(days);
        for _ in 0..times {
            let touch = Change::Touch { memories: vec![memory.id.clone()], at };
            self.write_by(Actor::Tool, |batch| batch.with(touch)).await;
        }
    }

    /// A person changes a memory.
    async fn edited(&self, memory: &Memory, edit: impl FnOnce(&mut Memory)) {
        let mut edited = self.read(&memory.id).await;
        edit(&mut edited);
        edited.updated_at = self.clock.tick();
        self.write_by(Actor::Person, |batch| batch.replace(edited)).await;
    }

    async fn episode(&self, session: &str, summary: &str, days: i64) -> memory::types::Episode {
        let mut episode = build::episode(&self.clock, session, summary);
        (episode.started_at, episode.ended_at) = (self.days_ago(days), self.days_ago(days));
        self.write_by(Actor::Model, |batch| batch.insert(episode.clone())).await;
        episode
    }

    /// These stood together in a prompt.
    async fn shown(&self, hash: &str, memories: &[&Memory]) {
        let block = Block {
            hash: hash.to_owned(),
            session: build::session_key("shown"),
            text: "shown".to_owned(),
            tokens: 1,
            memories: memories.iter().map(|memory| memory.id.clone()).collect(),
            turns: Vec::new(),
            episodes: Vec::new(),
            at: self.clock.tick(),
            standing: Vec::new(),
            standing_tokens: 0,
            dropped: false,
        };
        self.write_by(Actor::Tool, |batch| batch.with(Change::PutBlock { block: Box::new(block) })).await;
    }

    /// Everything that an undo is held to, as text: records without their versions, counts, links, derivations.
    async fn dump(&self) -> String {
        let page = PageRequest { limit: 1_000, offset: 0, order: Order::Oldest, counted: true };
        let memories = self.tenant.list_memories(&Filter::ever(), page).await.expect("listed").items;
        let episodes = self.tenant.list_episodes(&Filter::ever(), page).await.expect("listed").items;
        let ids: Vec<MemoryId> = memories.iter().map(|memory| memory.id.clone()).collect();
        let counters = self.tenant.counters(&ids).await.expect("read");
        let mut lines = BTreeMap::new();
        for memory in memories {
            let node = Node::Memory(memory.id.clone());
            let parents = self.tenant.parents(&node).await.expect("read");
            let counts = counters.get(&memory.id).cloned().unwrap_or_default();
            let archived = self.tenant.archived_text(&memory.id).await.expect("read").is_some();
            let line = format!("{} {counts:?} {parents:?} archived {archived}", unversioned(&memory));
            lines.insert(memory.id.to_string(), line);
        }
        for episode in episodes {
            lines.insert(episode.id.to_string(), unversioned(&episode));
        }
        for link in self.tenant.links_of(&ids).await.expect("read") {
            let ends = format!("{} {} {}", link.from, link.to, link.kind);
            lines.insert(ends, format!("{:.4}", link.weight));
        }
        lines.into_iter().map(|(id, line)| format!("{id} {line}\n")).collect()
    }
}

fn unversioned(record: &impl serde::Serialize) -> String {
    let mut value = serde_json::to_value(record).expect("plain data");
    if let Value::Object(fields) = &mut value {
        fields.remove("version");
    }
    value.to_string()
}

/// A store with something for every step, and beside it what is a person's and must not be touched.
async fn fill(scene: &TendScene, seed: u64) -> Vec<Memory> {
    let mut random = Random::seeded(seed);
    let mut all = Vec::new();
    let topics = ["garden", "orchestra", "bicycle", "library", "telescope", "kitchen"];
    for number in 0..40 {
        let topic = random.choose(&topics);
        let content = format!("Ada talks about the {topic} in sentence {}", random.below(4));
        let days = random.below(900) as i64;
        let theirs = random.below(4) == 0;
        let kind = *random.choose(&[Kind::Fact, Kind::Event]);
        let tag = format!("tag{}", random.below(5));
        let memory = scene
            .learned(&content, days, |memory| {
                memory.kind = kind;
                memory.layer = kind.usual_layer();
                memory.tags = vec![tag];
                if theirs {
                    memory.origin = Origin::Person;
                }
                if number % 9 == 0 {
                    memory.expires_at = Some(Time::MIN.plus_seconds(DAY));
                }
                if number % 7 == 0 {
                    memory.content = format!("{content}. {}", "She says so at length. ".repeat(30));
                }
            })
            .await;
        let (times, since) = (random.below(5), random.below(100) as i64);
        scene.used(&memory, times, since).await;
        all.push(memory);
    }
    for number in 0..10 {
        let (one, other) = (random.choose(&all).clone(), random.choose(&all).clone());
        let link = build::link(&scene.clock, &one.id, &other.id);
        if one.id != other.id {
            scene.write_by(Actor::Model, |batch| batch.insert(link)).await;
            scene.shown(&format!("hash {number}"), &[&one, &other]).await;
        }
    }
    for number in 0..6 {
        let topic = topics[number % 2];
        let summary = format!("Ada talks about the {topic} in sentence one, and about the weather");
        scene.episode(&format!("s{number}"), &summary, 3 + number as i64).await;
    }
    all
}
