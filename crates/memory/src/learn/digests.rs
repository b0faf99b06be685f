//! Digests tell no value that is over, and nothing that was to be forgotten.
//!
//! What was digested weeks ago said what held then. When a memory is replaced, the sentence of its conversation's digest that tells
//! the old value goes with it, unless the sentence tells the change itself; the memories and the transcript keep what was.
//! Sentences about anything else stay as they are.

use std::collections::{BTreeSet, HashSet};

use super::commit::{BatchBuilder, written_memories};
use super::draft::EpisodeDraft;
use super::heuristic;
use super::session_pass::Learner;
use super::upsert_candidate::RESTATED_MARK;
use super::verify::words;
use crate::error::StoreResult;
use crate::text::{Analyser, fold};
use crate::types::{Batch, Change, Episode, Expect, Memory, SessionKey, Status};

/// Share of a memory's words from which a sentence says what the memory says.
const TELLS: f64 = 0.6;

/// Words that a sentence with an old value must share with the memory, the value among them, to be about the same.
const SHARED: usize = 2;

/// A memory that a batch ends, ready to be looked for in digests.
struct EndedMemory {
    session: Option<SessionKey>,
    words: BTreeSet<String>,
    /// The words that what took its place does not have.
    gone: BTreeSet<String>,
    /// Numbers and names among what it said, and those of what took its place.
    values: BTreeSet<String>,
    new_values: BTreeSet<String>,
}

impl EndedMemory {
    fn new(past: &Memory, successor: Option<&Memory>, analyser: &Analyser) -> Self {
        let own = words(&past.content, analyser);
        let theirs = successor.map(|memory| words(&memory.content, analyser)).unwrap_or_default();
        let (mut values, mut new_values) =
            (values(&past.content), successor.map(|memory| values(&memory.content)).unwrap_or_default());
        let both: Vec<String> = values.intersection(&new_values).cloned().collect();
        both.iter().for_each(|value| {
            values.remove(value);
            new_values.remove(value);
        });
        Self {
            session: past.session.clone().map(|session| SessionKey::new(&past.owner(), session)),
            gone: own.difference(&theirs).cloned().collect(),
            words: own,
            values,
            new_values,
        }
    }

    fn is_told_by(&self, sentence: &str, analyser: &Analyser) -> bool {
        let said = words(sentence, analyser);
        let tokens = tokens(sentence);
        if self.new_values.iter().any(|value| tokens.contains(value)) || self.gone.is_disjoint(&said) {
            return false;
        }
        let shared = self.words.intersection(&said).count();
        let valued = self.values.iter().any(|value| tokens.contains(value));
        valued && shared >= SHARED || shared as f64 >= TELLS * self.words.len() as f64
    }
}

/// The memories that a batch ends.
pub(super) struct EndedMemories(Vec<EndedMemory>);

impl EndedMemories {
    pub fn of(batch: &Batch, analyser: &Analyser) -> Self {
        let written = written_memories(batch);
        let over = written.iter().filter(|memory| {
            matches!(memory.status, Status::Superseded | Status::Deleted)
                && !memory.metadata.contains_key(RESTATED_MARK)
        });
        let ended = over.map(|past| {
            let successor = written.iter().find(|memory| Some(&memory.id) == past.superseded_by.as_ref());
            EndedMemory::new(past, successor, analyser)
        });
        Self(ended.collect())
    }

    fn tell(&self, text: &str, analyser: &Analyser) -> bool {
        self.0.iter().any(|ended| ended.is_told_by(text, analyser))
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

/// The words of a text as they stand, folded, with their points: "4.50" is one.
fn tokens(text: &str) -> BTreeSet<String> {
    let words = text.split_whitespace().map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
    words.filter(|word| !word.is_empty()).map(fold).collect()
}

/// Numbers, and names but for the first word, which is always written large.
fn values(text: &str) -> BTreeSet<String> {
    let words = text.split_whitespace().map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
    let is_value = |(place, word): &(usize, &str)| {
        word.chars().any(|c| c.is_ascii_digit())
            || *place > 0 && !word.starts_with("User") && word.chars().next().is_some_and(char::is_uppercase)
    };
    words.enumerate().filter(is_value).map(|(_, word)| fold(word)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{Kind, MemoryId, Owner, TenantId, Time};

    fn memory(content: &str) -> Memory {
        let id = MemoryId::from_uuid(uuid::Uuid::nil());
        Memory::new(id, TenantId::local(), &Owner::unnamed(), Kind::Fact, content.into(), Time::MIN)
    }

    #[test]
    fn a_sentence_with_the_old_value_is_told_from_others() {
        let analyser = Analyser::default();
        let told = |old: &str, new: &str, sentence: &str| {
            EndedMemory::new(&memory(old), Some(&memory(new)), &analyser).is_told_by(sentence, &analyser)
        };
        let (old, new) =
            ("User charges 4.50 a crossing", "User charges 5.20 a crossing from 2 November 2026");
        assert!(told(old, new, "The crossing costs 4.50 in winter."));
        assert!(!told(old, new, "The crossing goes up from 4.50 to 5.20."));
        assert!(!told(old, new, "User asked for a notice for the pier."));
        assert!(!told(old, new, "User bought diesel for 4.50."));
        let (old, new) = ("User takes 5 mg of ramipril", "User takes 10 mg of ramipril");
        assert!(told(old, new, "User asked whether 5 mg of ramipril go with coffee."));
        assert!(!told(old, new, "User asked about ramipril and coffee."));
        assert!(told("User lives in Porto", "User lives in Lisbon", "User lives in Porto and likes it."));
        assert!(told("User is a vegetarian", "User eats fish again", "User is a vegetarian."));
    }
}
