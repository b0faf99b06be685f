//! Coming in: the pieces of a file, taken into a store.
//!
//! Twice over the file. The first time nothing is written: what is broken is found while nothing has changed, and how much there is
//! becomes known. The second time pieces are written in bounded batches under one run, which can be undone as a whole. Everything is known
//! again by its id, its source's id or its content, so an import that was killed is finished by repeating it, and one that is
//! repeated changes nothing.
//!
//! `items` takes in what an export of ours holds, `conversations` conversations, `memories` memories (`keys`: which of them speaks for a key), `graph` a foreign graph; `owner` says
//! whose each of them is, and `report` what came of it.

mod conversations;
mod graph;
mod items;
mod keys;
mod memories;
mod owner;
mod report;

use std::collections::HashSet;
use std::path::Path;

use async_trait::async_trait;
use memory::ports::{Clock, WriteStore};
use memory::settings::Settings;
use memory::text::secrets::Masker;
use memory::types::{Actor, AgentId, Batch, Run, RunId, RunState, SessionKey, UserId, Written};
use store::{Role, Tenant};
use tokio::sync::mpsc;

use super::TransferFormat;
use super::detect;
use super::import_model::{Abandonment, FilePiece, ImportedRecord, UnreadableFile};
use super::ingest::LineReader;
use crate::error::Error;
use crate::limits;

pub use owner::ImportOwner;
pub use report::{ImportReport, KindCounts, Trouble};

/// What the runs of imports are called.
pub const JOB: &str = "import";

/// How a file is to be taken in.
#[derive(Debug, Clone, Default)]
pub struct ImportOptions {
    /// Say what it would come to, and change nothing.
    pub dry_run: bool,
    /// Take in memories whose like is here too.
    pub no_dedup: bool,
    /// Each question with its answer becomes a memory, and no conversation is kept.
    pub as_memories: bool,
    /// Learn from conversations.
    pub distil: bool,
    /// Whose everything becomes, whatever the file says.
    pub agent: Option<AgentId>,
    pub user: Option<UserId>,
}

/// How far an import has come: pieces of the file so far, and of how many once that is known.
#[derive(Debug, Clone, Copy)]
pub struct ImportProgress {
    pub pieces: u64,
    pub total: Option<u64>,
}

/// What is told of while an import goes on.
pub type ImportObserver<'a> = &'a mut (dyn FnMut(ImportProgress) + Send);

/// Learns from a conversation that was taken in. The binary does it as from one that is held here.
#[async_trait]
pub trait Distiller: Send + Sync {
    async fn distil(
        &self,
        tenant: &Tenant,
        key: &SessionKey,
    ) -> Result<LearnedFrom, Box<dyn std::error::Error + Send + Sync>>;
}

/// What came of learning from a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LearnedFrom {
    /// So many memories are new.
    Memories(u64),
    /// Nothing was learned, and why.
    Nothing(String),
}

/// Who imports, what they may, and what an import needs of the process it runs in.
pub struct Importer<'a> {
    pub clock: &'a dyn Clock,
    pub distiller: &'a dyn Distiller,
    /// Reads a line of the ingest format.
    pub line: LineReader,
    pub tenant: &'a Tenant,
    pub role: Role,
    /// The only agents whose memory the caller may write.
    pub agents: Option<&'a [AgentId]>,
    /// The caller is bound to agents and does not share the user.
    pub agent_only: bool,
}

/// Takes in the file or folder at a path.
pub async fn import(
    importer: Importer<'_>,
    path: &Path,
    format: Option<TransferFormat>,
    options: ImportOptions,
    telling: ImportObserver<'_>,
) -> Result<ImportReport, Error> {
    let format = match format {
        Some(format) => format,
        None => {
            let path = path.to_owned();
            tokio::task::spawn_blocking(move || detect::detect(&path)).await??
        }
    };
    let settings = importer.tenant.settings().await?;
    let masker = Masker::new(&settings.secret_patterns)?;
    let mut taking = ImportRun::new(&importer, options, &settings, masker, format);
    let total = taking.look(path, format, telling).await?;
    taking.report = ImportReport::new(format, taking.options.dry_run);
    taking.take(path, format, total, telling).await?;
    taking.finish().await
}

/// An import under way.
struct ImportRun<'a> {
    clock: &'a dyn Clock,
    distiller: &'a dyn Distiller,
    line: LineReader,
    tenant: &'a Tenant,
    options: ImportOptions,
    masker: Masker,
    whose: ImportOwner,
    role: Role,
    format: TransferFormat,
    report: ImportReport,
    run: Run,
    /// Whether the run stands in the store: it does once it has done something.
    has_run: bool,
    items: items::ItemIntake,
    keys: keys::ImportedKeys,
    notes: memories::MemoryIntake,
    things: graph::Things,
    /// What a dry run would have written already, by short hashes.
    seen: HashSet<u64>,
}

impl<'a> ImportRun<'a> {
    fn new(
        importer: &Importer<'a>,
        options: ImportOptions,
        settings: &Settings,
        masker: Masker,
        format: TransferFormat,
    ) -> Self {
        let clock = importer.clock;
        let run = Run {
            id: RunId::from_uuid(clock.uuid()),
            version: 1,
            job: JOB.to_owned(),
            state: RunState::Running,
            cursor: None,
            counts: serde_json::Map::new(),
            started_at: clock.now(),
            finished_at: None,
        };
        let whose = ImportOwner {
            agent: options.agent.clone(),
            user: options.user.clone(),
            allowed: importer.agents.map(<[AgentId]>::to_vec),
            agent_only: importer.agent_only,
            requires_user: settings.require_owner,
        };
        ImportRun {
            clock,
            distiller: importer.distiller,
            line: importer.line,
            tenant: importer.tenant,
            role: importer.role,
            report: ImportReport::new(format, options.dry_run),
            options,
            masker,
            whose,
            format,
            run,
            has_run: false,
            items: items::ItemIntake::default(),
            keys: keys::ImportedKeys::default(),
            notes: memories::MemoryIntake::default(),
            things: graph::Things::default(),
            seen: HashSet::new(),
        }
    }

    /// Once over the file without writing: how many pieces it has, or that it is broken.
    async fn look(
        &mut self,
        path: &Path,
        format: TransferFormat,
        telling: ImportObserver<'_>,
    ) -> Result<u64, Error> {
        let mut pieces = read(path, format, self.line);
        let mut total = 0;
        while let Some(piece) = pieces.recv().await {
            let piece = piece?;
            total += 1;
            match &piece.what {
                Ok(ImportedRecord::Item(item)) => self.look_at_item(item).await?,
                Ok(ImportedRecord::Memory(note)) => {
                    self.notes.announce(note);
                    self.announce_key(total, note)?;
                }
                _ => {}
            }
            if total % TOLD_EVERY == 0 {
                telling(ImportProgress { pieces: total, total: None });
            }
        }
        self.looked().await?;
        Ok(total)
    }

    async fn take(
        &mut self,
        path: &Path,
        format: TransferFormat,
        total: u64,
        telling: ImportObserver<'_>,
    ) -> Result<(), Error> {
        let mut pieces = read(path, format, self.line);
        let mut done = 0;
        while let Some(piece) = pieces.recv().await {
            let FilePiece { place, what } = piece?;
            done += 1;
            if done % TOLD_EVERY == 0 {
                telling(ImportProgress { pieces: done, total: Some(total) });
            }
            match what {
                Err(message) => self.report.trouble(place, message),
                Ok(ImportedRecord::Item(item)) => self.item(place, *item).await?,
                Ok(ImportedRecord::Memory(note)) if self.is_restated(done, &note) => {
                    self.report.count("memory", false);
                }
                Ok(ImportedRecord::Memory(note)) => self.note(place, *note).await?,
                Ok(ImportedRecord::Conversation(talk)) => self.conversation(place, *talk).await?,
                Ok(ImportedRecord::Entity(thing)) => self.thing(place, *thing).await?,
                Ok(ImportedRecord::Relation(tie)) => self.tie(place, *tie),
                Ok(ImportedRecord::LeftOut(_)) => self.report.count("left_out", false),
            }
        }
        self.flush_items().await?;
        self.flush_notes().await?;
        self.link_notes().await?;
        self.flush_ties().await?;
        telling(ImportProgress { pieces: done, total: Some(total) });
        Ok(())
    }

    async fn finish(mut self) -> Result<ImportReport, Error> {
        if self.has_run {
            self.run.state = RunState::Done;
            self.run.finished_at = Some(self.clock.now());
            self.run.counts.insert("imported".to_owned(), self.report.imported.into());
            self.run.counts.insert("skipped".to_owned(), self.report.skipped.into());
            self.run.counts.insert("errors".to_owned(), self.report.all_errors().into());
            let batch = Batch::new(Actor::Import, self.clock.now()).replace(self.run.clone());
            self.tenant.apply(batch).await?;
            self.report.run = Some(self.run.id.clone());
        }
        Ok(self.report)
    }

    fn batch(&self) -> Batch {
        Batch::new(Actor::Import, self.clock.now()).in_run(self.run.id.clone()).because("imported")
    }

    /// Writes, or, in a dry run, says what writing would come to.
    async fn apply(&mut self, batch: Batch) -> Result<Written, memory::error::StoreError> {
        if self.options.dry_run {
            return self.tenant.try_out(batch).await;
        }
        let head = memory::ports::ReadStore::head(self.tenant).await?;
        let written = self.tenant.apply(batch).await?;
        // A run stands in the books from the first thing that it changed; one that changed nothing never was.
        if !self.has_run && written.number > head {
            self.tenant.apply(Batch::new(Actor::Import, self.clock.now()).insert(self.run.clone())).await?;
            self.has_run = true;
        }
        Ok(written)
    }
}

/// Pieces after which somebody who watches is told.
const TOLD_EVERY: u64 = 64;

/// The pieces of a file, read by a thread of its own.
fn read(
    path: &Path,
    format: TransferFormat,
    line: LineReader,
) -> mpsc::Receiver<Result<FilePiece, UnreadableFile>> {
    let (sender, receiver) = mpsc::channel(limits::PIECES_AHEAD);
    let path = path.to_owned();
    let (name, fallen) = (super::file_name(&path), sender.clone());
    let watched = sender.clone();
    let reading = tokio::task::spawn_blocking(move || {
        let abandonment = Abandonment::when(move || watched.is_closed());
        let pieces = match detect::open(&path, format, line, &abandonment) {
            Ok(pieces) => pieces,
            Err(broken) => return drop(sender.blocking_send(Err(broken))),
        };
        for piece in pieces {
            let is_broken = piece.is_err();
            if sender.blocking_send(piece).is_err() || is_broken {
                return;
            }
        }
    });
    // A reader that falls over must not look like the end of the file.
    tokio::spawn(async move {
        if reading.await.is_err() {
            let message = "it could not be read to its end, for a fault of ours".to_owned();
            let _ = fallen.send(Err(UnreadableFile { place: name, message })).await;
        }
    });
    receiver
}
