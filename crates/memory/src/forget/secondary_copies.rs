//! Where copies of what was said lie: texts archived before they were shortened, blocks that were put into prompts, what history
//! keeps, and what errors say.

use super::decision;
use super::progress::PurgePortion;
use super::{Purge, is_late};
use crate::error::StoreResult;
use crate::limits;
use crate::types::{Erasure, MemoryId, PastChange, Record, RecordKind, Time};

impl Purge<'_> {
    /// Archived texts of memories that stay: what was cut off said it.
    pub(super) async fn archives(&mut self) -> StoreResult<()> {
        if self.target.query.is_none() {
            return Ok(());
        }
        let mut after = String::new();
        loop {
            let texts = self.store.archives_after(&after, limits::PURGE_ROWS).await?;
            let Some(last) = texts.last() else { return Ok(()) };
            after = last.memory.as_str().to_owned();
            let mut work = PurgePortion::default();
            for archived in texts.iter().filter(|archived| self.words().match_text(&archived.text)) {
                if self.is_noted("memory", archived.memory.as_str()) {
                    continue;
                }
                let of = self.store.memories(std::slice::from_ref(&archived.memory)).await?;
                // Whose a text was whose memory is gone nobody can say: only who may reach everything reaches it.
                let orphan = of.is_empty() && self.target.identity;
                if orphan || of.first().is_some_and(|memory| self.target.admits(memory)) {
                    work.remove("archives", 1);
                    work.texts.push(archived.text.clone());
                    work.erase(Erasure::Archive { memory: archived.memory.clone() });
                }
            }
            self.commit(work).await?;
        }
    }

    /// Blocks tell what has no memory behind it too: a person's line, an override.
    pub(super) async fn blocks(&mut self) -> StoreResult<()> {
        let (mut at, mut hash) = (Time::MIN, String::new());
        loop {
            let blocks = self.store.blocks_after(at, &hash, limits::PURGE_ROWS).await?;
            let Some(last) = blocks.last() else { return Ok(()) };
            (at, hash) = (last.at, last.hash.clone());
            let whole = self.target.is_whole();
            let chosen = blocks.into_iter().filter(|block| {
                !self.is_noted("block", &block.hash)
                    && self.target.admits_key(&block.session)
                    && (whole || self.words().match_text(&block.text))
            });
            let mut work = PurgePortion::default();
            work.drop_blocks(chosen.map(|block| block.hash).collect());
            self.commit(work).await?;
        }
    }

    /// What records said before they were changed or taken away.
    pub(super) async fn past(&mut self) -> StoreResult<()> {
        let mut after = (0, 0);
        loop {
            let events = self.store.past_after(after, limits::PURGE_ROWS).await?;
            let Some(last) = events.last() else { return Ok(()) };
            after = (last.number, last.ordinal);
            let mut work = PurgePortion::default();
            let (mut gone, mut reasons) = (Vec::new(), Vec::new());
            for event in events {
                if self.is_noted(event.of.kind.as_str(), &event.of.id) {
                    continue;
                }
                if event.before.as_ref().is_some_and(|before| self.is_past(before)) {
                    gone.push((event.number, event.ordinal));
                    self.archive_left_behind(&event, &mut work).await?;
                    work.texts.extend(event.before.iter().flat_map(super::scan::said_by));
                } else if let Some(reason) = self.told_reason(event) {
                    reasons.push(reason);
                }
            }
            work.remove("history", gone.len());
            if !gone.is_empty() {
                work.erase(Erasure::Past { events: gone });
            }
            blank(&mut work, reasons);
            match self.commit(work).await {
                Err(error) if is_late(&error) => {}
                other => other?,
            }
        }
    }

    fn is_past(&self, before: &Record) -> bool {
        if !self.target.reaches(before) {
            return false;
        }
        if !self.target.is_whole() {
            return decision::says(before, &self.words());
        }
        match before.kind() {
            RecordKind::Profile | RecordKind::Override => self.target.is_whole_identity(),
            RecordKind::Entity | RecordKind::Relation => self.target.filter.session.is_none(),
            _ => true,
        }
    }

    /// A memory that was removed, not purged, may have left the text behind that was archived before it was shortened.
    async fn archive_left_behind(&self, event: &PastChange, work: &mut PurgePortion) -> StoreResult<()> {
        let Some(Record::Memory(memory)) = &event.before else { return Ok(()) };
        let stands = !self.store.memories(std::slice::from_ref(&memory.id)).await?.is_empty();
        let Some(archived) = self.store.archived_text(&memory.id).await?.filter(|_| !stands) else {
            return Ok(());
        };
        work.remove("archives", 1);
        work.texts.push(archived.text);
        work.erase(Erasure::Archive { memory: memory.id.clone() });
        Ok(())
    }

    /// Why something was done, where it may be reached: by its record, or by who reaches everything.
    fn told_reason(&self, event: PastChange) -> Option<String> {
        let reached = match &event.before {
            Some(before) => self.target.reaches(before),
            None => self.target.identity,
        };
        event.reason.filter(|reason| reached && self.words().match_text(reason))
    }

    /// What errors and logs say of it.
    pub(super) async fn details(&mut self) -> StoreResult<()> {
        // They do not say whose they are, so who is bound to some agents does not reach them.
        if !self.target.identity {
            return Ok(());
        }
        let log = self.store.processing_log(limits::READ_IDS).await?;
        let waiting = self.store.pending(limits::READ_IDS).await?;
        let redo = self.store.redo(limits::READ_IDS).await?;
        let details = log.into_iter().filter_map(|entry| entry.detail);
        let errors = waiting.into_iter().filter_map(|turn| turn.last_error);
        let errors = errors.chain(redo.into_iter().filter_map(|entry| entry.last_error));
        let said: Vec<String> = details
            .chain(errors)
            .filter(|text| self.words().match_text(text) || self.repeats_what_went(text))
            .collect();
        let mut work = PurgePortion::default();
        blank(&mut work, said);
        self.commit(work).await
    }

    /// Whether a text has the whole sentence of something that went in it.
    fn repeats_what_went(&self, text: &str) -> bool {
        self.progress.traces.texts.iter().any(|gone| !gone.is_empty() && text.contains(gone.as_str()))
    }

    /// The blocks that something stands in and that still have their text.
    pub(super) async fn blocks_made_from(&self, node: &crate::types::Node) -> StoreResult<Vec<String>> {
        let children = self.store.children(node).await?;
        let hashes = children.into_iter().filter_map(|child| match child {
            crate::types::Node::Block(hash) => Some(hash),
            _ => None,
        });
        let hashes: Vec<String> = hashes.collect();
        if hashes.is_empty() {
            return Ok(hashes);
        }
        let blocks = self.store.blocks(&hashes).await?;
        Ok(blocks
            .into_iter()
            .filter(|block| !block.dropped && !self.is_noted("block", &block.hash))
            .map(|block| block.hash)
            .collect())
    }

    pub(super) async fn has_archive(&self, memory: &MemoryId) -> StoreResult<bool> {
        Ok(self.store.archived_text(memory).await?.is_some())
    }
}

fn blank(work: &mut PurgePortion, mut texts: Vec<String>) {
    texts.sort();
    texts.dedup();
    if !texts.is_empty() {
        work.remove("details", texts.len());
        work.erase(Erasure::Details { containing: texts });
    }
}
