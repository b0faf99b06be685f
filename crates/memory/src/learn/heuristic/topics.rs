//! What a session was about, as a few key phrases.
//!
//! Runs of one to three words between stop words and marks, counted by their stems, longer ones a little better; names
//! count as written. A phrase inside a better one is left out.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use super::UserTurn;
use crate::learn::draft::EntityDraft;
use crate::text::Analyser;

/// Topics of one episode.
const TOPICS_MAXIMUM: usize = 6;

/// Below this score a phrase was said once and in passing; so many are taken nevertheless.
const WORTH: f32 = 1.0;
const TOPICS_MINIMUM: usize = 3;

/// Words of one phrase.
const PHRASE_WORDS_MAXIMUM: usize = 3;

/// Words that every conversation is full of.
const COMMON: &str = "thanks thank help want need like really know think going sure great make work things thing lot good time
    try trying use using way day days get feel feeling kinda got best better new well look looking ensure please also still
    want maybe tips advice start question something anything hmm consider considering wondering worried curious much many
    able today tomorrow yesterday week month year hey hello hi okay yeah would could should i'm i've don't let come take
    help helping keep give show tell one two three first next last it's that's what's there's can't i'll i'd you're we're wow awesome cool love loved amazing happy people made making
    share shares shared photo loving effectively improve improving improved specific different sounds taking january
    february march april may june july august september october november december monday tuesday wednesday thursday
    friday saturday sunday since definitely stuck having trouble able worth tough fun nice";

static COMMON_WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| COMMON.split_whitespace().collect());

#[derive(Default)]
struct TopicPhrase {
    written: String,
    count: f32,
    first: usize,
}

/// At most six phrases, most telling first.
pub(super) fn topics(heard: &[UserTurn], entities: &[EntityDraft], analyser: &Analyser) -> Vec<String> {
    let mut phrases: HashMap<String, TopicPhrase> = HashMap::new();
    for sentence in heard.iter().flat_map(|heard| &heard.sentences) {
        let mut run: Vec<usize> = Vec::new();
        for (at, token) in sentence.tokens.iter().enumerate() {
            let whole = !token.source(sentence.text).starts_with(['\'', '’']);
            let carries = token.is_word && whole && carries_meaning(&token.lower, analyser);
            if carries {
                run.push(at);
            }
            if !carries || at + 1 == sentence.tokens.len() {
                count_run(sentence, &run, analyser, &mut phrases);
                run.clear();
            }
        }
    }
    let named = |phrase: &str| entities.iter().any(|entity| entity.name == phrase);
    let mut ranked: Vec<(f32, TopicPhrase)> = phrases
        .into_values()
        .map(|phrase| {
            let words = phrase.written.split(' ').count() as f32;
            let bonus = if named(&phrase.written) { 1.5 } else { 1.0 };
            ((phrase.count - 0.5) * words.powf(0.8) * bonus, phrase)
        })
        .collect();
    ranked.sort_by(|left, right| right.0.total_cmp(&left.0).then(left.1.first.cmp(&right.1.first)));
    choose(ranked)
}

fn choose(ranked: Vec<(f32, TopicPhrase)>) -> Vec<String> {
    let mut chosen: Vec<String> = Vec::new();
    for (score, phrase) in ranked {
        if score < WORTH && chosen.len() >= TOPICS_MINIMUM {
            break;
        }
        let lower = phrase.written.to_lowercase();
        let overlaps = chosen.iter().any(|known| {
            let known = known.to_lowercase();
            known.contains(&lower) || lower.contains(&known)
        });
        if !overlaps {
            chosen.push(phrase.written);
        }
        if chosen.len() == TOPICS_MAXIMUM {
            break;
        }
    }
    chosen
}

fn carries_meaning(word: &str, analyser: &Analyser) -> bool {
    let letters = word.chars().filter(|c| c.is_alphabetic()).count();
    let is_stop = |part: &str| analyser.is_stop_word(part) || COMMON_WORDS.contains(part);
    (letters >= 3 || letters >= 1 && !word.is_ascii())
        && !is_stop(word)
        && !word.split('\'').next().is_some_and(is_stop)
}

fn count_run(
    sentence: &super::Sentence,
    run: &[usize],
    analyser: &Analyser,
    phrases: &mut HashMap<String, TopicPhrase>,
) {
    let stem = |at: &usize| analyser.ranked_terms(sentence.tokens[*at].source(sentence.text)).join(" ");
    let stems: Vec<String> = run.iter().map(stem).collect();
    for length in 1..=PHRASE_WORDS_MAXIMUM.min(run.len()) {
        for (window, stems) in run.windows(length).zip(stems.windows(length)) {
            let key = stems.join(" ");
            if key.trim().is_empty() {
                continue;
            }
            let next = phrases.len();
            let phrase = phrases.entry(key).or_insert_with(|| {
                let span = sentence.span(window[0]..window[length - 1] + 1);
                let written = sentence.text[span].split_whitespace().collect::<Vec<_>>().join(" ");
                TopicPhrase { written, count: 0.0, first: next }
            });
            phrase.count += 1.0;
        }
    }
}
