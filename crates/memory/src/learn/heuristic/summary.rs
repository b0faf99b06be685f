//! The digest of a session: one to three of the user's own sentences, and lists of what was decided and is to be done.
//!
//! Extractive, because without a model nothing that is not in the transcript may be claimed. A sentence is good if its
//! terms are the session's frequent ones and if it comes early; greetings, thanks and repetitions are left out.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use super::UserTurn;
use super::clauses::Sentence;
use super::phrases::Phrases;
use super::{dates, topics};
use crate::language::Language;
use crate::learn::draft::{Candidate, EntityDraft, EpisodeDraft};
use crate::limits;
use crate::text::Analyser;
use crate::types::Kind;

/// Sentences of a summary, and characters of each.
const SENTENCES_MAXIMUM: usize = 3;
const SENTENCE_CHARACTERS_MAXIMUM: usize = 240;

/// Shares of common terms from which two sentences say the same.
const REPEATS: f32 = 0.5;

/// What greetings and thanks begin with, in every language.
static GREETINGS: LazyLock<Phrases> = LazyLock::new(|| {
    let lists: Vec<&str> = Language::spoken().map(|(_, speech)| speech.greetings).collect();
    Phrases::new(&lists.join(" "))
});

/// The episode of what was heard; none where nothing was said.
pub(super) fn digest(
    heard: &[UserTurn],
    candidates: &[Candidate],
    entities: &[EntityDraft],
    analyser: &Analyser,
) -> Option<EpisodeDraft> {
    let summary = summarise(heard, analyser);
    if summary.is_empty() {
        return None;
    }
    let of_kind = |kinds: &[Kind]| {
        let chosen = candidates.iter().filter(|candidate| kinds.contains(&candidate.kind));
        chosen.map(|candidate| candidate.content.clone()).take(limits::DIGEST_ITEMS).collect::<Vec<_>>()
    };
    let mut key_dates: Vec<String> = Vec::new();
    for date in heard.iter().flat_map(|heard| &heard.sentences).flat_map(dates::key_dates) {
        if !key_dates.contains(&date) && key_dates.len() < limits::DIGEST_ITEMS {
            key_dates.push(date);
        }
    }
    Some(EpisodeDraft {
        summary,
        topics: topics::topics(heard, entities),
        decisions: of_kind(&[Kind::Decision]),
        key_dates,
        action_items: of_kind(&[Kind::Commitment]),
        salience: salience(candidates),
    })
}

/// As important as the most important thing said, and a little more for each further one.
fn salience(candidates: &[Candidate]) -> f32 {
    let best = candidates.iter().map(|candidate| candidate.salience).fold(0.2_f32, f32::max);
    let further = candidates.len().saturating_sub(1).min(10) as f32;
    (0.6 * best + 0.1 + 0.02 * further).min(0.9)
}

fn summarise(heard: &[UserTurn], analyser: &Analyser) -> String {
    let sentences: Vec<(&Sentence, Vec<String>)> = heard
        .iter()
        .flat_map(|heard| &heard.sentences)
        .map(|sentence| (sentence, analyser.ranked_terms(sentence.quote())))
        .filter(|(sentence, terms)| terms.len() >= 2 && !is_greeting(sentence))
        .collect();
    let mut frequencies: HashMap<&str, f32> = HashMap::new();
    for (_, terms) in &sentences {
        for term in terms.iter().collect::<HashSet<_>>() {
            *frequencies.entry(term).or_default() += 1.0;
        }
    }
    let mut ranked: Vec<(f32, usize)> = sentences
        .iter()
        .enumerate()
        .map(|(place, (sentence, terms))| {
            (score(sentence, terms, place, sentences.len(), &frequencies), place)
        })
        .collect();
    ranked.sort_by(|left, right| right.0.total_cmp(&left.0).then(left.1.cmp(&right.1)));
    let mut chosen: Vec<usize> = Vec::new();
    for (_, place) in ranked {
        let repeats = chosen.iter().any(|known| overlap(&sentences[*known].1, &sentences[place].1) > REPEATS);
        if !repeats {
            chosen.push(place);
        }
        if chosen.len() == SENTENCES_MAXIMUM {
            break;
        }
    }
    chosen.sort_unstable();
    let lines: Vec<String> = chosen.into_iter().map(|place| clean(sentences[place].0)).collect();
    lines.join(" ")
}

/// Mean frequency of the sentence's terms; early sentences say what it is about; very long ones say too much.
fn score(
    sentence: &Sentence,
    terms: &[String],
    place: usize,
    count: usize,
    frequencies: &HashMap<&str, f32>,
) -> f32 {
    let distinct: HashSet<&String> = terms.iter().collect();
    let sum: f32 = distinct.iter().filter_map(|term| frequencies.get(term.as_str())).map(|f| f.ln_1p()).sum();
    let length = (distinct.len() as f32).max(6.0);
    let early = 1.0 + 0.5 * (1.0 - place as f32 / count.max(1) as f32);
    let states = if sentence.asked.first().copied().unwrap_or(false) { 0.7 } else { 1.0 };
    let own = sentence.tokens.iter().any(|token| ["i", "my", "we", "our"].contains(&token.lower.as_str()));
    let states = if own { states } else { states * 0.6 };
    let long = if sentence.quote().len() > SENTENCE_CHARACTERS_MAXIMUM { 0.8 } else { 1.0 };
    sum / length * early * states * long
}

fn overlap(left: &[String], right: &[String]) -> f32 {
    let left: HashSet<&String> = left.iter().collect();
    let right: HashSet<&String> = right.iter().collect();
    let smaller = left.len().min(right.len()).max(1);
    left.intersection(&right).count() as f32 / smaller as f32
}

/// Greetings, thanks, and stage directions in brackets.
fn is_greeting(sentence: &Sentence) -> bool {
    GREETINGS.stands_at(&sentence.tokens, 0) && sentence.tokens.len() < 8
        || sentence.quote().starts_with(['[', '*'])
}

/// White space made single, a greeting and what follows too long cut off, a full stop at the end.
fn clean(sentence: &Sentence) -> String {
    let mut text = sentence.quote().split_whitespace().collect::<Vec<_>>().join(" ");
    if text.chars().count() > SENTENCE_CHARACTERS_MAXIMUM {
        let cut: String = text.chars().take(SENTENCE_CHARACTERS_MAXIMUM).collect();
        let whole = cut.rfind([',', ';', ' ']).unwrap_or(cut.len());
        text = format!("{}…", cut[..whole].trim_end_matches([',', ';']));
    } else if !text.ends_with(['.', '!', '?', '…', '。', '！', '？', '।', '؟', '۔']) {
        text.push('.');
    }
    text
}
