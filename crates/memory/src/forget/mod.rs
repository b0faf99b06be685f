//! Forgetting for good: what must go, what must be written without it, in which order.
//!
//! ```text
//! target → memories, turns ─ closure: all that was made from them ─┐
//!        → digests, candidates, graph, profiles, overrides ────────┤→ batches (leaves first) → a pass that finds nothing more
//!        → archived texts, blocks, history, errors ────────────────┘
//! ```
//!
//! [`Purge`] goes through a tenant in bounded portions. What was made from something goes before it, so that a purge which is
//! killed can still find by the derivations what is left: whoever repeats it finishes it. How far it came stands in its run,
//! numbers only. After a pass that changed something comes another: what somebody wrote meanwhile is found by it. In a rehearsal
//! (no run) everything is counted and nothing is written.
//!
//! [`cascade`] says what goes along with each thing that goes. [`reversible`] is the other way of forgetting, which can be undone. What the files still hold is [`crate::ports::WriteStore::erase`]'s.

pub mod cascade;
mod closure;
pub mod copies;
mod decision;
mod digests;
mod named;
mod neighbours;
mod progress;
mod redact;
mod retold;
pub mod reversible;
mod scan;
mod secondary_copies;
mod statements;
mod target;
pub mod wishes;

pub use progress::PurgeProgress;
pub use target::PurgeTarget;

use progress::PurgePortion;
use redact::ForgetWords;

use crate::error::{StoreError, StoreResult};
use crate::limits;
use crate::ports::{Clock, Store};
use crate::text::Analyser;
use crate::types::{Actor, Batch, RecordKind, Run};

/// The job's name in the list of runs.
pub const JOB: &str = "purge";

/// A purge at work.
pub struct Purge<'a> {
    pub store: &'a dyn Store,
    pub analyser: &'a Analyser,
    pub target: &'a PurgeTarget,
    pub clock: &'a dyn Clock,
    /// A keyed hash of one id.
    pub seal: &'a (dyn Fn(&str) -> [u8; 32] + Sync),
    /// Under which everything is done, at version 0 where it is not written yet; nothing in a rehearsal.
    pub run: Option<Run>,
    pub progress: PurgeProgress,
}

impl Purge<'_> {
    /// Goes on until there is nothing left of it.
    pub async fn complete(&mut self) -> StoreResult<()> {
        for _ in 0..limits::PURGE_PASSES {
            let before = self.progress.total();
            self.pass().await?;
            if self.run.is_none() || self.progress.total() == before {
                return Ok(());
            }
        }
        Err(StoreError::Busy("others keep writing what is being purged".into()))
    }

    async fn pass(&mut self) -> StoreResult<()> {
        let more = self.target.is_about_more_than_memories();
        if more {
            // Before the memories, by which it is known whether an agent has anything to do with a user.
            self.records(RecordKind::Profile).await?;
            self.records(RecordKind::Override).await?;
        }
        self.memories().await?;
        if !more {
            self.neighbours().await?;
            return self.details().await;
        }
        self.turns().await?;
        for kind in [
            RecordKind::Episode,
            RecordKind::Held,
            RecordKind::Relation,
            RecordKind::Entity,
            RecordKind::Session,
        ] {
            self.records(kind).await?;
        }
        self.archives().await?;
        self.blocks().await?;
        self.past().await?;
        self.neighbours().await?;
        self.details().await
    }

    fn words(&self) -> ForgetWords<'_> {
        ForgetWords { analyser: self.analyser, query: self.target.query.as_ref(), said: None }
    }

    /// Does what was planned, or notes it where nothing is to be done. What is refused because somebody was faster is to be
    /// planned again.
    async fn commit(&mut self, work: PurgePortion) -> StoreResult<()> {
        if work.is_empty() {
            return Ok(());
        }
        let progress = self.progress.with(&work, self.seal);
        let Some(run) = &mut self.run else {
            self.progress = progress;
            self.progress.note(&work);
            return Ok(());
        };
        let mut chunks = work.changes.chunks(limits::PURGE_CHANGES).peekable();
        while let Some(chunk) = chunks.next() {
            let mut batch = Batch::new(Actor::Person, self.clock.now()).in_run(run.id.clone());
            batch.changes = chunk.to_vec();
            let is_last = chunks.peek().is_none();
            if is_last {
                run.counts = progress.counts();
            }
            // It is written with the first thing that goes, and says how much went with the last.
            let is_written = run.version > 0;
            if !is_written {
                batch = batch.insert(run.clone());
            } else if is_last {
                batch = batch.replace(run.clone());
            }
            self.store.apply(batch).await?;
            run.version += u64::from(is_last || !is_written);
        }
        self.progress = progress;
        Ok(())
    }

    /// In a rehearsal nothing goes, and the same thing comes by again: it is counted once.
    fn is_noted(&self, kind: &str, id: &str) -> bool {
        self.progress.noted.contains(&format!("{kind}:{id}"))
    }
}

/// Somebody was faster, and what was planned does not fit any more.
fn is_late(error: &StoreError) -> bool {
    matches!(error, StoreError::Conflict { .. } | StoreError::NotFound(_))
}
