//! What answers a question, where no model is there to answer it: the memory that does, or nothing.
//!
//! Everything that is known is weighed for the question, and what the user said in so many words where nothing that is known
//! is answer enough: what was told a minute ago is not learned yet. A question that was asked before answers none.

use std::collections::HashMap;
use std::sync::Arc;

use jiff::tz::TimeZone;

use super::gather::turn_ids;
use super::judged::as_known;
use super::said::{is_question, sentences};
use super::{ContextRequest, viewed};
use crate::error::StoreResult;
use crate::ports::{KnownText, MemoryWorth, SpeechJudge};
use crate::recall::assemble::{Line, lines};
use crate::recall::{Hit, HitSource, Recaller, gate};
use crate::types::{Corpus, Memory, Role, Turn};

/// The chance that the best must have to help, before it is given as an answer.
const ANSWERS: f32 = 0.2;

/// The chance from which on what is known is answer enough.
const ENOUGH: f32 = 0.5;

/// How near to the best another line must come to stand beside it, and how many may.
const BESIDE: f32 = 0.3;
const LINES: usize = 3;

/// Memories and turns that a search nominates, and sentences of one turn that are weighed.
const HITS: usize = 20;
const SENTENCES: usize = 30;

/// Characters of a sentence that is repeated.
const CHARACTERS: usize = 240;

/// From which [`gate::match_strength`] on a match of words or meaning is an answer by itself, and what it counts for.
const STRONG: f64 = 0.7;
const STRONG_COUNTS: f64 = 0.6;

impl Recaller {
    /// What answers a message, the best first; nothing where nothing does.
    pub async fn answer(&self, request: &ContextRequest) -> StoreResult<Vec<Line>> {
        let Some(judge) = self.tools.judge.clone() else { return Ok(Vec::new()) };
        let request = &request.located(&self.tools.settings);
        let asking = self.asking();
        asking.embed_ahead(&request.message).await;
        let known = asking.now().known(request).await?;
        let (hits, _) = asking.now().find(request, Corpus::Memories, viewed(request), HITS).await?;
        let strengths: HashMap<String, f32> =
            hits.iter().map(|hit| (hit.id().to_owned(), strength(hit))).collect();
        let mut answers = of_memories(&*judge, &request.message, &known, &strengths);
        if answers.iter().all(|(worth, _)| *worth < ENOUGH) {
            let (hits, _) = asking.now().find(request, Corpus::Turns, viewed(request), HITS).await?;
            let outdated = asking.now().outdated(request, &turn_ids(&hits)).await?;
            let holds = |said: &str, turn: &Turn| !outdated.is_told_by(said, turn.at, &self.tools.analyser);
            answers.extend(of_turns(&*judge, request, &hits, holds));
        }
        answers.sort_by(|a, b| b.0.total_cmp(&a.0));
        let best = answers.first().map_or(0.0, |(worth, _)| *worth);
        if best < ANSWERS {
            return Ok(Vec::new());
        }
        answers.retain(|(worth, _)| *worth >= best * BESIDE);
        answers.truncate(LINES);
        Ok(answers.into_iter().map(|(_, line)| line).collect())
    }
}

/// What a match counts for by itself.
fn strength(hit: &Hit) -> f32 {
    let strength = gate::match_strength(&hit.parts);
    if strength >= STRONG { (strength * STRONG_COUNTS) as f32 } else { 0.0 }
}

fn of_memories(
    judge: &dyn SpeechJudge,
    message: &str,
    known: &[Arc<Memory>],
    strengths: &HashMap<String, f32>,
) -> Vec<(f32, Line)> {
    let weighed = judge.weigh(message, &as_known(known)).memories;
    let line = |memory: &Memory| Line { memory_ids: vec![memory.id.clone()], ..Line::plain(&memory.content) };
    let worth = |memory: &Memory, by: &MemoryWorth| {
        let strength = strengths.get(memory.id.as_str()).copied().unwrap_or_default();
        by.helps.max(by.relates).max(strength)
    };
    known.iter().zip(weighed).map(|(memory, by)| (worth(memory, &by), line(memory))).collect()
}

/// What was said and holds, sentence by sentence. That a turn matches counts for the sentence of it that helps most.
fn of_turns(
    judge: &dyn SpeechJudge,
    request: &ContextRequest,
    hits: &[Hit],
    holds: impl Fn(&str, &Turn) -> bool,
) -> Vec<(f32, Line)> {
    let mut answers = Vec::new();
    for hit in hits {
        let HitSource::Turn(turn) = &hit.source else { continue };
        if turn.role != Role::User || turn.text.trim() == request.message.trim() {
            continue;
        }
        let said = sentences(&turn.text).into_iter().map(|part| &turn.text[part]);
        let told = said.filter(|sentence| !is_question(sentence) && holds(sentence, turn));
        let said: Vec<&str> = told.take(SENTENCES).collect();
        let texts: Vec<KnownText<'_>> = said.iter().map(|sentence| KnownText::of(sentence)).collect();
        let weighed = judge.weigh(&request.message, &texts).memories;
        let best = said.iter().zip(weighed).max_by(|a, b| a.1.relates.total_cmp(&b.1.relates));
        if let Some((sentence, worth)) = best {
            answers.push((worth.relates.max(strength(hit)), of_sentence(turn, sentence, &request.zone)));
        }
    }
    answers
}

fn of_sentence(turn: &Turn, sentence: &str, zone: &TimeZone) -> Line {
    let text = lines::clipped(sentence.trim_end_matches('.'), CHARACTERS);
    let text = format!("User said on {}: \"{text}\"", turn.at.date_in(zone));
    Line { turn_ids: vec![turn.id.clone()], ..Line::plain(&text) }
}
