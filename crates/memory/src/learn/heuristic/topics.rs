//! What a session was about: a few words that matter, in the user's own language.
//!
//! A word counts by how often it was said and by how few people use it every day ([`words`]); names count a little more. Words are taken singly, as they were written. Two that were said side by side
//! more than once are one topic ("kitchen cabinets"). Dates and numbers are told elsewhere in the digest.

mod words;

use std::collections::HashMap;

use self::words::{SpokenWord, Vocabulary};
use super::UserTurn;
use crate::learn::draft::EntityDraft;

/// Topics of one episode.
const TOPICS_MAXIMUM: usize = 6;

/// Below this score a word was said once and in passing; so many are taken nevertheless.
const WORTH: f32 = 1.2;
const TOPICS_MINIMUM: usize = 3;

/// Below this score nothing is a topic, however little else was said.
const NOTHING: f32 = 0.5;

/// What a name counts for more.
const NAMED: f32 = 1.3;

/// How often two words must be said side by side to be one topic, and what they count for more then.
const TOGETHER: usize = 2;
const PAIRED: f32 = 1.6;

#[derive(Default)]
struct Topic {
    written: String,
    score: f32,
    count: usize,
    first: usize,
}

/// At most six topics, most telling first.
pub(super) fn topics(heard: &[UserTurn], entities: &[EntityDraft]) -> Vec<String> {
    let sentences = || heard.iter().flat_map(|heard| &heard.sentences);
    let vocabulary = Vocabulary::of(sentences());
    let named = |word: &str| entities.iter().any(|entity| entity.name.split(' ').any(|part| part == word));
    let mut single = TopicCounter::default();
    let mut pairs = TopicCounter::default();
    for sentence in sentences() {
        let mut before: Option<SpokenWord> = None;
        for word in vocabulary.words_of(sentence) {
            let name = if named(&word.written) { NAMED } else { 1.0 };
            single.count(&word.written, word.weight * name);
            if let Some(before) = before.filter(|before| before.place + 1 == word.place && before.may_pair) {
                let weight = before.weight.max(word.weight) * PAIRED;
                pairs.count(&format!("{} {}", before.written, word.written), weight);
            }
            before = Some(word);
        }
    }
    let pairs = pairs.topics.into_iter().filter(|pair| pair.count >= TOGETHER);
    let mut ranked: Vec<Topic> = single.topics.into_iter().chain(pairs).collect();
    ranked.sort_by(|left, right| right.score.total_cmp(&left.score).then(left.first.cmp(&right.first)));
    choose(ranked)
}

/// Words counted by what they have in common with their other forms.
#[derive(Default)]
struct TopicCounter {
    topics: Vec<Topic>,
    /// Places in `topics` by how the words begin.
    by_beginning: HashMap<String, Vec<usize>>,
}

impl TopicCounter {
    fn count(&mut self, written: &str, weight: f32) {
        let places = self.by_beginning.entry(words::beginning(written)).or_default();
        let known = places.iter().copied().find(|at| words::is_form_of(&self.topics[*at].written, written));
        let at = known.unwrap_or_else(|| {
            let first = self.topics.len();
            self.topics.push(Topic { written: written.to_owned(), first, ..Topic::default() });
            places.push(first);
            first
        });
        let topic = &mut self.topics[at];
        topic.count += 1;
        // The tenth time says less than the second.
        topic.score += weight / (topic.count as f32).sqrt();
    }
}

fn choose(ranked: Vec<Topic>) -> Vec<String> {
    let mut chosen: Vec<String> = Vec::new();
    for topic in ranked {
        if topic.score < NOTHING || topic.score < WORTH && chosen.len() >= TOPICS_MINIMUM {
            break;
        }
        let overlaps = |known: &String| {
            known.contains(&topic.written)
                || topic.written.contains(known.as_str())
                || known.split(' ').any(|part| words::is_form_of(part, &topic.written))
        };
        if !chosen.iter().any(overlaps) {
            chosen.push(topic.written);
        }
        if chosen.len() == TOPICS_MAXIMUM {
            break;
        }
    }
    chosen
}
