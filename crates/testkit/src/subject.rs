//! A store under test, with the few verbs that cases are written in.
//!
//! A case knows only the contract, never the kind of store. What a kind can do besides (be opened a second time,
//! survive a restart, be looked at as a file) it says through [`Harness`], and a case that needs it asks first.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use memory::error::StoreError;
use memory::ports::{Clock, Nominee, Store};
use memory::settings::Settings;
use memory::text::{Analyser, query};
use memory::toolkit::Toolkit;
use memory::types::{
    Actor, Batch, Change, Corpus, Filter, Memory, MemoryId, Order, PageRequest, RecordRef, TenantId, Turn,
    Written, content_hash,
};
use store::{Credential, Tenants, TenantsOptions, WriteDurability};
use tempfile::TempDir;

use crate::{ManualClock, build, folder};

/// A kind of store, as one place that holds one tenant.
#[async_trait]
pub trait Harness: Send + Sync {
    /// The store as another process would open it now; nothing where no other process can.
    async fn second(&self) -> Option<Arc<dyn Store>>;

    /// Closes everything and opens it anew; nothing where a restart loses all.
    async fn restart(&mut self) -> Option<Arc<dyn Store>>;

    /// The database file, for looking where no method of the store leads.
    fn database(&self) -> Option<PathBuf>;
}

pub struct Subject {
    pub store: Arc<dyn Store>,
    pub clock: ManualClock,
    pub analyser: Arc<Analyser>,
    harness: Box<dyn Harness>,
}

/// SQLite in a file.
pub async fn sqlite_file() -> Subject {
    let folder = folder::scratch();
    let tenants = open_folder(folder.path());
    let store = local(&tenants).await;
    Subject::new(store, SqliteFile { folder, tenants })
}

/// SQLite in memory: incognito.
pub async fn sqlite_memory() -> Subject {
    let tenants = Tenants::in_memory(TenantsOptions::default()).expect("memory can be had");
    let store = local(&tenants).await;
    Subject::new(store, SqliteMemory { _tenants: tenants })
}

/// Tenants of a folder. The conformance cases are not about durability, and not waiting for the disk makes them quick.
pub fn open_folder(folder: &Path) -> Tenants {
    let options = TenantsOptions { durability: WriteDurability::Normal, ..TenantsOptions::default() };
    Tenants::open_folder(folder, options).expect("the folder can be opened")
}

pub async fn local(tenants: &Tenants) -> Arc<dyn Store> {
    Arc::new(open_tenant(tenants, "local").await)
}

pub async fn open_tenant(tenants: &Tenants, name: &str) -> store::Tenant {
    let tenant: TenantId = name.parse().expect("a tenant's name");
    let pass = tenants
        .authenticate(Credential::Operator { tenant })
        .await
        .expect("the operator may open any tenant");
    tenants.open(&pass).await.expect("the tenant opens")
}

struct SqliteFile {
    folder: TempDir,
    tenants: Tenants,
}

#[async_trait]
impl Harness for SqliteFile {
    async fn second(&self) -> Option<Arc<dyn Store>> {
        Some(local(&open_folder(self.folder.path())).await)
    }

    async fn restart(&mut self) -> Option<Arc<dyn Store>> {
        self.tenants.close().await;
        self.tenants = open_folder(self.folder.path());
        Some(local(&self.tenants).await)
    }

    fn database(&self) -> Option<PathBuf> {
        Some(self.folder.path().join("tenants/local.sqlite3"))
    }
}

struct SqliteMemory {
    /// The only copy of everything: what is in memory lives as long as this does.
    _tenants: Tenants,
}

#[async_trait]
impl Harness for SqliteMemory {
    async fn second(&self) -> Option<Arc<dyn Store>> {
        None
    }

    async fn restart(&mut self) -> Option<Arc<dyn Store>> {
        None
    }

    fn database(&self) -> Option<PathBuf> {
        None
    }
}

impl Subject {
    fn new(store: Arc<dyn Store>, harness: impl Harness + 'static) -> Self {
        let (clock, analyser) = (ManualClock::default(), Arc::new(Analyser::default()));
        Self { store, clock, analyser, harness: Box::new(harness) }
    }

    /// What learning, recall and upkeep work with, by a clock of its own.
    pub fn tools(&self, settings: Settings) -> Toolkit {
        Toolkit {
            tenant: TenantId::local(),
            store: Arc::clone(&self.store),
            embedder: None,
            judge: None,
            model: None,
            clock: Arc::new(ManualClock::seeded(7)),
            settings,
            analyser: Arc::clone(&self.analyser),
        }
    }

    pub async fn second(&self) -> Option<Arc<dyn Store>> {
        self.harness.second().await
    }

    /// Closes and opens the store; false where that would lose everything, and then nothing was done.
    pub async fn restart(&mut self) -> bool {
        match self.harness.restart().await {
            Some(store) => {
                self.store = store;
                true
            }
            None => false,
        }
    }

    pub fn database(&self) -> Option<PathBuf> {
        self.harness.database()
    }

    // ---- writing

    /// An empty batch by a person, one second after the one before.
    pub fn batch(&self) -> Batch {
        Batch::new(Actor::Person, self.clock.tick())
    }

    pub async fn apply(&self, batch: Batch) -> Written {
        self.store.apply(batch).await.expect("the batch is in order")
    }

    pub async fn write(&self, change: Change) -> Written {
        self.apply(self.batch().with(change)).await
    }

    /// Applies a batch that must be refused, and checks that it left nothing behind.
    pub async fn refuse(&self, batch: Batch) -> StoreError {
        let before = self.snapshot().await;
        let error = self.store.apply(batch).await.expect_err("the batch must be refused");
        assert_eq!(self.snapshot().await, before, "a refused batch changed something");
        error
    }

    /// A new memory of the unnamed owner, as it is stored.
    pub async fn add(&self, content: &str) -> Memory {
        self.clock.tick();
        self.insert(build::memory(&self.clock, content)).await
    }

    /// A new memory with something special about it.
    pub async fn add_with(&self, content: &str, edit: impl FnOnce(&mut Memory)) -> Memory {
        self.clock.tick();
        let mut memory = build::memory(&self.clock, content);
        edit(&mut memory);
        self.insert(memory).await
    }

    pub async fn insert(&self, memory: Memory) -> Memory {
        let id = memory.id.clone();
        self.apply(self.batch().insert(memory)).await;
        self.memory(&id).await.expect("what was inserted is there")
    }

    /// Replaces a memory by an edited one.
    pub async fn edit(&self, memory: &Memory, edit: impl FnOnce(&mut Memory)) -> Memory {
        let mut edited = memory.clone();
        edit(&mut edited);
        edited.content_hash = content_hash(&edited.content);
        edited.updated_at = self.clock.tick();
        self.apply(self.batch().replace(edited)).await;
        self.memory(&memory.id).await.expect("what was replaced is there")
    }

    /// A turn of the unnamed owner, as it is stored.
    pub async fn say(&self, session: &str, text: &str) -> Turn {
        self.clock.tick();
        self.append(vec![build::turn(&self.clock, session, text)]).await.pop().expect("one turn was appended")
    }

    pub async fn append(&self, turns: Vec<Turn>) -> Vec<Turn> {
        let written = self.write(Change::AppendTurns { turns, pending: false }).await;
        self.store.turns(&written.turns).await.expect("turns can be read")
    }

    pub async fn purge(&self, memory: &Memory) -> Written {
        self.write(Change::Purge { of: RecordRef::memory(&memory.id) }).await
    }

    // ---- reading

    /// What holds now.
    pub fn current(&self) -> Filter {
        Filter::current(self.clock.now())
    }

    pub async fn memory(&self, id: &MemoryId) -> Option<Memory> {
        self.store.memories(std::slice::from_ref(id)).await.expect("memories can be read").pop()
    }

    /// The contents of the memories that the filter lets through, in the order they were made.
    pub async fn listed(&self, filter: &Filter) -> Vec<String> {
        let page = PageRequest { limit: 1_000, offset: 0, order: Order::Oldest, counted: true };
        let page = self.store.list_memories(filter, page).await.expect("memories can be listed");
        assert_eq!(page.total, page.items.len() as u64, "the page holds everything");
        page.items.into_iter().map(|memory| memory.content).collect()
    }

    /// The contents of the memories that a search finds now, best first.
    pub async fn found(&self, text: &str) -> Vec<String> {
        self.found_by(text, &self.current(), 100).await
    }

    pub async fn found_by(&self, text: &str, filter: &Filter, limit: usize) -> Vec<String> {
        let nominees = self.nominate(Corpus::Memories, text, filter, limit).await;
        self.contents(&nominees).await
    }

    pub async fn nominate(&self, corpus: Corpus, text: &str, filter: &Filter, limit: usize) -> Vec<Nominee> {
        let query = query::parse(text, &self.analyser);
        self.store.nominate(corpus, &query, filter, limit).await.expect("any text may be searched for")
    }

    /// The texts of the turns that a search finds.
    pub async fn turns_found(&self, text: &str, filter: &Filter) -> Vec<String> {
        let nominees = self.nominate(Corpus::Turns, text, filter, 100).await;
        let ids: Vec<_> = nominees.iter().map(|nominee| nominee.id.parse().expect("a turn's id")).collect();
        let turns = self.store.turns(&ids).await.expect("turns can be read");
        turns.into_iter().map(|turn| turn.text).collect()
    }

    /// The contents of nominated memories, in the order of the nominees.
    pub async fn contents(&self, nominees: &[Nominee]) -> Vec<String> {
        let ids: Vec<MemoryId> =
            nominees.iter().map(|nominee| nominee.id.parse().expect("a memory's id")).collect();
        let memories = self.store.memories(&ids).await.expect("memories can be read");
        assert_eq!(memories.len(), ids.len(), "every nominee exists");
        memories.into_iter().map(|memory| memory.content).collect()
    }

    /// The row of a memory or turn in its corpus, found by a word of it.
    pub async fn row_of(&self, corpus: Corpus, word: &str) -> i64 {
        let nominees = self.nominate(corpus, word, &Filter::ever(), 2).await;
        assert_eq!(nominees.len(), 1, "`{word}` must be in one document");
        nominees[0].row
    }

    /// Everything that a batch could change, as text, for comparing before with after.
    async fn snapshot(&self) -> String {
        let page = PageRequest { limit: 1_000, offset: 0, order: Order::Oldest, counted: true };
        let memories = self.store.list_memories(&Filter::ever(), page).await.expect("memories can be listed");
        let sessions = self.store.list_sessions(&Filter::ever(), page).await.expect("sessions can be listed");
        let episodes = self.store.list_episodes(&Filter::ever(), page).await.expect("episodes can be listed");
        let entities = self.store.list_entities(&Filter::ever(), page).await.expect("entities can be listed");
        let settings = self.store.settings().await.expect("settings can be read");
        let mut census = self.store.census().await.expect("the census can be taken");
        // The file may grow by pages that a rolled back transaction touched.
        census.bytes_on_disk = 0;
        format!("{memories:#?} {sessions:#?} {episodes:#?} {entities:#?} {settings:#?} {census:#?}")
    }
}
