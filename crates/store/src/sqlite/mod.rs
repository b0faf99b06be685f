//! A tenant's store in SQLite.
//!
//! `connection` opens files the way we need them, `writer` commits for many callers at once, `apply` does the changes of
//! one batch, `history` writes and reads what was before, `filter` turns a filter into SQL, `search` nominates and
//! counts words, `vector_search` finds by meaning, `keyword_cache` keeps plain words in memory, `view` holds a request's moment and
//! `read` answers what it is asked. `index` keeps the words of documents in step with
//! the rows; `embed` gets the vectors of what is written; `upkeep` is what only upkeep asks; `blocks` are what was put into prompts, `lookup` finds again what
//! clients send twice.

mod agents;
mod apply;
mod archive;
mod blocks;
mod byte_search;
mod cascade;
mod checkup;
mod connection;
mod crises;
mod deck;
mod embed;
mod erase;
mod feedback;
mod filter;
mod history;
mod index;
mod jobs;
mod keyword_cache;
mod lookup;
mod purge;
mod read;
mod receipts;
mod restore;
mod scan;
mod search;
mod snapshot;
mod transcript;
mod turns;
mod upkeep;
mod vector_search;
mod veils;
mod view;
mod writer;

use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;
use memory::error::{StoreError, StoreResult};
use memory::follower::Follower;
use memory::ports::{Clock, Embedder, ReadStore, WriteStore};
use memory::settings::Settings;
use memory::text::Analyser;
use memory::toolkit::Toolkit;
use memory::trace;
use memory::types::{Batch, Corpus, Erased, RecordKind, TenantId, Traces, Written};
use parking_lot::Mutex;
use rusqlite::Connection;
use serde_json::Value;
use tokio::sync::Semaphore;
use tokio::task::JoinError;
use tracing::Instrument;

pub use checkup::{Stray, control as checkup_control, cut_log, examine, free_bytes, mend_control};
pub use connection::{DatabasePlace, connect};
pub use deck::DeckBudget;
pub use snapshot::{of_file as read_file, tables as tables_of_file};
pub use upkeep::LayerTally;
pub use writer::Writers;

use crate::blocking::{is_on_blocking_thread, is_still_wanted};
use crate::control::Control;
use crate::limits;
use crate::{WriteDurability, migrate};

/// What is needed to open a tenant.
pub struct Opening {
    pub id: TenantId,
    /// The installation's name.
    pub instance: String,
    pub place: DatabasePlace,
    pub durability: WriteDurability,
    pub analyser: Arc<Analyser>,
    pub control: Control,
    pub writers: Writers,
    pub embedder: Option<Arc<dyn Embedder>>,
    pub deck_budget: Arc<DeckBudget>,
}

/// One tenant's store. Cheap to clone; the files close when the last clone is gone.
#[derive(Clone)]
pub struct Tenant {
    inner: Arc<TenantInner>,
    writers: Writers,
}

pub struct TenantInner {
    id: TenantId,
    /// The installation whose commits are written here.
    instance: String,
    place: DatabasePlace,
    durability: WriteDurability,
    analyser: Arc<Analyser>,
    control: Control,
    embedder: Option<Arc<dyn Embedder>>,
    /// Guards the one connection that writes; held by the thread that commits a group.
    writer: Mutex<Connection>,
    queue: writer::Queue,
    /// Connections that rest; a read takes one out and puts it back.
    readers: Mutex<Vec<Connection>>,
    /// As many permits as readers may be out at once.
    reading: Arc<Semaphore>,
    /// What this tenant has set. Follows the log.
    settings: Follower<BTreeMap<String, Value>>,
    /// Document frequencies. Checked at every use against how much changed since they were counted.
    frequencies: Mutex<search::Frequencies>,
    /// The vectors in memory, by corpus. They follow the log.
    near: vector_search::VectorIndexes,
    /// The words in memory, by corpus. They follow the log.
    words: keyword_cache::WordIndexes,
    /// The rows that searches looked at lately, by corpus. They follow the log.
    decks: deck::Decks,
}

/// Opens or makes the tenant's database and brings it up to date, away from the asynchronous threads.
pub async fn open(opening: Opening) -> StoreResult<Tenant> {
    let opened = tokio::task::spawn_blocking(move || open_blocking(opening));
    opened.await.map_err(|error| StoreError::Failed(error.to_string()))?
}

fn open_blocking(opening: Opening) -> StoreResult<Tenant> {
    let mut writer = connect(&opening.place, opening.durability)?;
    let is_new = migrate::is_new(&writer)?;
    migrate::migrate(&mut writer, migrate::TENANT)?;
    if is_new {
        jobs::mark_learner(&writer)?;
    }
    index::bring_up_to_date(&mut writer, &opening.analyser)?;
    let readers = if opening.place.is_memory() { 1 } else { limits::READERS_PER_TENANT };
    let inner = TenantInner {
        id: opening.id,
        instance: opening.instance,
        place: opening.place,
        durability: opening.durability,
        analyser: opening.analyser,
        control: opening.control,
        embedder: opening.embedder,
        writer: Mutex::new(writer),
        queue: writer::Queue::new(),
        readers: Mutex::new(Vec::new()),
        reading: Arc::new(Semaphore::new(readers)),
        settings: Follower::default(),
        frequencies: Mutex::new(search::Frequencies::default()),
        near: vector_search::VectorIndexes::default(),
        words: keyword_cache::WordIndexes::default(),
        decks: deck::Decks::within(&opening.deck_budget),
    };
    Ok(Tenant { inner: Arc::new(inner), writers: opening.writers })
}

impl Tenant {
    pub fn id(&self) -> &TenantId {
        &self.inner.id
    }

    /// The analyser that split this store's words: queries must be split by the same.
    pub fn analyser(&self) -> &Arc<Analyser> {
        &self.inner.analyser
    }

    /// What works on this store by rules alone; an embedder and a model are the caller's to add.
    pub fn tools(&self, settings: Settings, clock: Arc<dyn Clock>) -> Toolkit {
        Toolkit {
            tenant: self.id().clone(),
            store: Arc::new(self.clone()),
            embedder: None,
            judge: None,
            model: None,
            clock,
            settings,
            analyser: Arc::clone(self.analyser()),
        }
    }

    /// The settings in force: defaults, then those of all tenants, then this tenant's. Another process's change is seen
    /// by the next call.
    pub async fn settings(&self) -> StoreResult<Settings> {
        let everywhere = self.inner.control.settings().await?;
        let own = ReadStore::settings(self).await?;
        Ok(Settings::from_stored([&everywhere, &own]))
    }

    /// Nobody but the board holds it, and nothing waits to be written.
    pub(crate) fn is_idle(&self) -> bool {
        Arc::strong_count(&self.inner) == 1 && self.inner.queue.is_empty()
    }

    /// Runs a read on a connection of its own, away from the asynchronous threads: right here, if this is none of them.
    async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection, &Arc<TenantInner>) -> StoreResult<T> + Send + 'static,
    ) -> StoreResult<T> {
        let permit = self
            .inner
            .reading
            .acquire()
            .await
            .map_err(|_| StoreError::Failed("the tenant is closed".into()))?;
        let inner = Arc::clone(&self.inner);
        if is_on_blocking_thread() {
            is_still_wanted().await;
            return inner.with_reader(|connection| work(connection, &inner));
        }
        let done =
            tokio::task::spawn_blocking(move || inner.with_reader(|connection| work(connection, &inner)));
        let result = done.await.map_err(|error| stopped(&error))?;
        drop(permit);
        result
    }
}

impl TenantInner {
    /// The model whose vectors are kept at hand.
    fn signature(&self) -> Option<&str> {
        self.embedder.as_ref().map(|embedder| embedder.signature())
    }

    fn with_reader<T>(&self, work: impl FnOnce(&Connection) -> StoreResult<T>) -> StoreResult<T> {
        if self.place.is_memory() {
            // The in-memory engine has no log, so a reader of its own would wait for the writer anyway.
            return work(&self.writer.lock());
        }
        let resting = self.readers.lock().pop();
        let connection = match resting {
            Some(connection) => connection,
            None => connect(&self.place, self.durability)?,
        };
        let result = work(&connection);
        if connection.is_autocommit() {
            self.readers.lock().push(connection);
        }
        result
    }
}

#[async_trait]
impl WriteStore for Tenant {
    async fn apply(&self, batch: Batch) -> StoreResult<Written> {
        memory::validate::batch(&batch)?;
        let changes = batch.changes.len();
        let mut prepared = apply::Prepared::new(batch, &self.inner.analyser);
        let span = tracing::info_span!(target: trace::TARGET, "commit", recollect.changes = changes);
        let writing = async {
            self.embed(&mut prepared).await;
            self.writers.write(&self.inner, prepared).await
        };
        writing.instrument(span).await
    }

    async fn scrub(&self) -> StoreResult<()> {
        if self.inner.place.is_memory() {
            return Ok(());
        }
        // A resting reader may still hold an old end of the log.
        self.inner.readers.lock().clear();
        self.writers.scrub(&self.inner).await
    }

    async fn erase(&self, traces: &Traces) -> StoreResult<Erased> {
        let (inner, traces) = (Arc::clone(&self.inner), traces.clone());
        let done = tokio::task::spawn_blocking(move || erase::erase(&inner, &traces));
        done.await.map_err(|error| StoreError::Failed(error.to_string()))?
    }
}

/// Why work on another thread has no result.
fn stopped(error: &JoinError) -> StoreError {
    match error.is_cancelled() {
        true => StoreError::Busy("the program is ending".into()),
        false => StoreError::Failed(error.to_string()),
    }
}

/// The table of a record kind.
fn table(kind: RecordKind) -> &'static str {
    match kind {
        RecordKind::Memory => "memory",
        RecordKind::Episode => "episode",
        RecordKind::Session => "session",
        RecordKind::Entity => "entity",
        RecordKind::Relation => "relation",
        RecordKind::Link => "link",
        RecordKind::Held => "held",
        RecordKind::Profile => "profile",
        RecordKind::Override => "override",
        RecordKind::Agent => "agent",
        RecordKind::Run => "run",
        RecordKind::Veil => "veil",
    }
}

/// The table whose rows a corpus is made of; its index tables carry the same name and a suffix.
fn corpus_table(corpus: Corpus) -> &'static str {
    match corpus {
        Corpus::Memories => "memory",
        Corpus::Episodes => "episode",
        Corpus::Turns => "turn",
    }
}

/// What an error of SQLite means for the caller.
#[expect(clippy::needless_pass_by_value, reason = "used as map_err(failed)")]
pub fn failed(error: rusqlite::Error) -> StoreError {
    use rusqlite::ErrorCode;
    match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            StoreError::Busy("another process holds the database".into())
        }
        Some(ErrorCode::NotADatabase) => StoreError::Locked("it is encrypted, or not a database".into()),
        _ => StoreError::Failed(error.to_string()),
    }
}

/// A stored body that does not read: ours, and never silently skipped.
fn unreadable(what: &str, id: &str, error: &serde_json::Error) -> StoreError {
    StoreError::Failed(format!("the {what} {id} cannot be read: {error}"))
}
