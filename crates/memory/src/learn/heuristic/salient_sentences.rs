//! The most telling sentences of the user's own speech: what one would write down who listens without understanding.
//!
//! For the observer, which must make notes of a long conversation where no model does it. A sentence counts for more if it
//! is about the speaker, names a time, a name or a number, or feels like something; a question counts for nothing.

use super::clauses::Sentence;
use super::{SessionBackground, emotion, listen};
use crate::types::{Time, Turn, TurnId};

/// A sentence that somebody said.
#[derive(Debug, Clone, PartialEq)]
pub struct SalientSentence {
    pub turn: TurnId,
    pub at: Time,
    pub quote: String,
    /// From 0 to 1.
    pub weight: f32,
}

/// Characters of a sentence that can be a note: less says nothing, more is not one sentence.
const CHARACTERS: std::ops::RangeInclusive<usize> = 8..=400;

/// How a sentence about the speaker begins or goes on, in the languages that are read.
const SPEAKERS: [&str; 28] = [
    "i", "my", "we", "our", "me", "ich", "mein", "meine", "wir", "yo", "mi", "je", "mon", "ma", "j'", "eu",
    "meu", "minha", "estoy", "tengo", "estou", "tenho", "я", "мой", "моя", "мы", "我", "私",
];

/// The sentences that are stated, with what each weighs, in the order in which they were said.
pub fn find(turns: &[Turn]) -> Vec<SalientSentence> {
    let mut telling = Vec::new();
    for heard in listen(turns, SessionBackground::default()) {
        for sentence in heard.sentences.iter().filter(|sentence| states(sentence)) {
            let quote = sentence.quote().to_owned();
            let (turn, at) = (heard.turn.id.clone(), heard.turn.at);
            telling.push(SalientSentence { turn, at, quote, weight: weight(sentence) });
        }
    }
    telling
}

fn states(sentence: &Sentence<'_>) -> bool {
    let words = || sentence.tokens.iter().enumerate().filter(|(_, token)| token.is_word);
    let asked = words().any(|(at, _)| sentence.asked[at]) || sentence.quote().ends_with(['?', '？']);
    let length = sentence.quote().chars().count();
    // A script without spaces says as much in a third of the characters.
    let dense = sentence.tokens.iter().any(|token| token.lower.starts_with(super::lexer::is_unspaced));
    !asked && CHARACTERS.contains(&(if dense { length * 3 } else { length }))
}

fn weight(sentence: &Sentence<'_>) -> f32 {
    let tokens = &sentence.tokens;
    let own = tokens.iter().any(|token| SPEAKERS.contains(&token.lower.as_str()));
    let named = tokens
        .iter()
        .skip(1)
        .any(|token| token.has_digit() || token.lower != "i" && token.is_capitalised(sentence.text));
    let dated = !sentence.times.is_empty();
    let felt = emotion::of(tokens).is_some();
    let parts = [(own, 0.3), (dated, 0.2), (named, 0.15), (felt, 0.15), (tokens.len() >= 8, 0.1)];
    parts.iter().filter(|(holds, _)| *holds).map(|(_, weight)| weight).sum::<f32>() + 0.1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::heuristic::tests::said;

    #[test]
    fn what_is_about_the_speaker_and_specific_weighs_most() {
        let turn = said("The weather is nice. On 3 May I drove to Oslo and I loved it. Can you help me? Ok.");
        let found = find(std::slice::from_ref(&turn));
        let best = found.iter().max_by(|a, b| a.weight.total_cmp(&b.weight)).expect("something is said");
        assert_eq!(best.quote, "On 3 May I drove to Oslo and I loved it.");
        assert!(best.weight > 0.8, "{best:?}");
        assert!(found.iter().all(|telling| !telling.quote.contains('?')), "{found:?}");
        assert_eq!(found.len(), 2, "{found:?}");
    }
}
