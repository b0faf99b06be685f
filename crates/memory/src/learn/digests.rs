//! Digests tell no value that is over, and nothing that was to be forgotten.
//!
//! What was digested weeks ago said what held then. When a memory is replaced, the sentence of its conversation's digest that tells
//! the old value goes with it, unless the sentence tells the change itself; the memories and the transcript keep what was.
//! Sentences about anything else stay as they are.

use std::collections::HashSet;

use super::commit::{BatchBuilder, written_memories};
use super::draft::EpisodeDraft;
use super::heuristic;
use super::session_pass::Learner;
use crate::error::StoreResult;
use crate::outdated::{OutdatedStatement, SaidSentence};
use crate::text::Analyser;
use crate::types::{Batch, Change, Episode, Expect, Memory, SessionKey, Status};

/// A memory that a batch ends, ready to be looked for in digests.
struct EndedMemory {
    session: Option<SessionKey>,
    statement: OutdatedStatement,
}

impl EndedMemory {
    fn new(past: &Memory, successor: Option<&Memory>, analyser: &Analyser) -> Self {
        Self {
            session: past.session.clone().map(|session| SessionKey::new(&past.owner(), session)),
            statement: OutdatedStatement::new(past, successor, analyser),
        }
    }
}

/// The memories that a batch ends.
pub(super) struct EndedMemories(Vec<EndedMemory>);

impl EndedMemories {
    pub fn of(batch: &Batch, analyser: &Analyser) -> Self {
        let written = written_memories(batch);
        let over = written.iter().filter(|memory| {
            matches!(memory.status, Status::Superseded | Status::Deleted)
                && !memory.metadata.contains_key(Memory::RESTATED)
        });
        let ended = over.map(|past| {
            let successor = written.iter().find(|memory| Some(&memory.id) == past.superseded_by.as_ref());
            EndedMemory::new(past, successor, analyser)
        });
        Self(ended.collect())
    }

    fn tell(&self, text: &str, analyser: &Analyser) -> bool {
        let said = SaidSentence::new(text, analyser);
        self.0.iter().any(|ended| ended.statement.is_told_by(&said))
    }

    /// A text without the sentences that tell one of them.
    fn clean_text(&self, text: &str, analyser: &Analyser) -> String {
        let sentences: Vec<&str> = heuristic::sentences_of(text, 0..text.len())
            .into_iter()
            .filter_map(|range| text.get(range))
            .map(str::trim)
            .collect();
        let kept: Vec<&str> =
            sentences.iter().copied().filter(|sentence| !self.tell(sentence, analyser)).collect();
        if kept.len() == sentences.len() { text.to_owned() } else { kept.join(" ") }
    }

    /// A digest that is about to be written, without them.
    pub fn clean_draft(&self, draft: &mut EpisodeDraft, analyser: &Analyser) {
        // A digest that would say nothing at all says at least what it was about.
        let summary = self.clean_text(&draft.summary, analyser);
        if !summary.is_empty() {
            draft.summary = summary;
        }
        for list in [&mut draft.decisions, &mut draft.key_dates, &mut draft.action_items] {
            list.retain(|item| !self.tell(item, analyser));
        }
    }

    /// A digest that stands, without them. One that has nothing else to say is over itself.
    fn clean_episode(&self, episode: &Episode, analyser: &Analyser) -> Episode {
        let mut clean = episode.clone();
        clean.summary = self.clean_text(&episode.summary, analyser);
        for list in [&mut clean.decisions, &mut clean.key_dates, &mut clean.action_items] {
            list.retain(|item| !self.tell(item, analyser));
        }
        if clean.summary.is_empty() {
            clean.summary = clean.topics.join(", ");
        }
        if clean.summary.is_empty() {
            clean.status = Status::Superseded;
        }
        clean
    }
}

impl Learner {
    /// Takes what ends now out of the digests of the conversations it was told in, but for the one that the batch writes anyway.
    pub(super) async fn correct_digests(
        &self,
        writing: &mut BatchBuilder<'_>,
        ended: &EndedMemories,
    ) -> StoreResult<()> {
        let told_in = ended.0.iter().filter_map(|memory| memory.session.as_ref());
        let sessions: HashSet<&SessionKey> = told_in.filter(|key| *key != writing.session).collect();
        for key in sessions {
            let Some(episode) = self.tools.store.episode_of(key).await? else { continue };
            let clean = ended.clean_episode(&episode, &self.tools.analyser);
            if clean != episode {
                let clean = Episode { updated_at: writing.now, ..clean };
                let expect = Expect::Version(episode.version);
                writing.change(Change::Put { record: clean.into(), expect });
            }
        }
        Ok(())
    }
}
