//! Scores: one number for each candidate, made of parts that `explain` can name and weighed by [`PartWeights`].
//!
//! Every part is normalised without looking at the other candidates (BM25 by the most the query could get, cosines as
//! they are), so a score means the same whichever engine nominated and however many were asked for. The shape was found
//! by measuring: a turn's own words, its words with its neighbours', the same two for meaning, then a share of the
//! neighbours' scores and of the session's best, because conversations spread an answer over turns.

use std::collections::HashMap;

use super::bm25::Scorer;
use super::request::ScoreParts;
use super::retrieve::{Candidates, Question};
use super::weights::PartWeights;
use crate::ports::{RowMaterial, TurnPlace};
use crate::settings::Settings;
use crate::text::similarity;
use crate::text::time::TimeSpan;
use crate::types::{Corpus, Role, Time};

/// A candidate with its score.
#[derive(Debug, Clone)]
pub struct Scored {
    pub row: i64,
    pub score: f64,
    pub parts: ScoreParts,
}

impl Scored {
    pub fn new(row: i64, parts: ScoreParts, weights: &PartWeights) -> Self {
        Self { row, score: parts.weighed_by(weights), parts }
    }
}

/// Turns of a session whose mean lifts all of its turns.
const SESSION_BEST: usize = 5;

/// How often a turn's own words count in its window, beside once for each neighbour.
const OWN_IN_WINDOW: f64 = 2.0;

/// Scores turns.
pub fn turns(candidates: &Candidates, question: &Question, settings: &Settings) -> Vec<Scored> {
    combine(&turn_parts(candidates, question), settings)
}

/// Everything about the candidate turns of one question that no weight changes.
#[derive(Debug, Clone)]
pub struct TurnParts {
    turns: Vec<TurnPart>,
    sessions: usize,
    coverage: f64,
}

#[derive(Debug, Clone)]
struct TurnPart {
    row: i64,
    parts: ScoreParts,
    /// Places in the list of the turns before and after.
    beside: [Option<usize>; 2],
    session: usize,
    /// Turns further out only serve as neighbours.
    candidate: bool,
}

/// Measures every part of every turn.
pub fn turn_parts(candidates: &Candidates, question: &Question) -> TurnParts {
    let scorer = Scorer::new(&question.query.terms, &candidates.statistics);
    let found = candidates.turns();
    let speaker = named_speaker(&found, &question.text);
    let either_side = asks_for_the_assistants_words(&question.text);
    let mut counts = vec![0.0; found.len() * scorer.term_count()];
    let own = signals(candidates, question, &scorer, &found, &mut counts);
    let mut window = vec![0.0; scorer.term_count()];
    let mut turns = Vec::with_capacity(found.len());
    let mut session = 0;
    for (at, (place, _)) in found.iter().enumerate() {
        let is_next = |before: usize, after: usize| {
            let (before, after) = (found[before].0, found[after].0);
            before.session_row == after.session_row && before.index + 1 == after.index
        };
        let before = at.checked_sub(1).filter(|&before| is_next(before, at));
        let after = Some(at + 1).filter(|&after| after < found.len() && is_next(at, after));
        if at > 0 && found[at - 1].0.session_row != place.session_row {
            session += 1;
        }
        let beside = [before, after];
        let mut parts = own[at].parts(beside.map(|near| near.map(|near| &own[near])), &scorer, &mut window);
        parts.speaker = f64::from(speaker.is_some() && place.speaker.as_deref() == speaker);
        parts.role = if either_side || !is_assistants(place) { 0.0 } else { -1.0 };
        parts.time = in_time(place.at, question);
        // Those further out only serve as neighbours.
        let candidate = [Some(at), before, after]
            .into_iter()
            .flatten()
            .any(|near| candidates.is_nominated(found[near].0.row));
        turns.push(TurnPart { row: place.row, parts, beside, session, candidate });
    }
    let sessions = if turns.is_empty() { 0 } else { session + 1 };
    TurnParts { turns, sessions, coverage: question.coverage }
}

/// What each of these turns has by itself.
fn signals<'a>(
    candidates: &Candidates,
    question: &Question,
    scorer: &Scorer<'_>,
    found: &[(&'a TurnPlace, &'a RowMaterial)],
    counts: &'a mut [f64],
) -> Vec<OwnSignals<'a>> {
    let mut left = counts;
    let mut signals: Vec<OwnSignals<'a>> = Vec::with_capacity(found.len());
    for (_, known) in found {
        let (own, rest) = left.split_at_mut(scorer.term_count());
        left = rest;
        let document = known.document.as_ref();
        if let Some(document) = document {
            scorer.count(document, question.query.column, own);
        }
        let asked = question.vector.as_deref();
        let vector = asked.and_then(|_| candidates.vector(known));
        signals.push(OwnSignals {
            counts: own,
            length: document.map_or(0.0, |document| f64::from(document.length)),
            vector,
            near: vector.zip(asked).map_or(0.0, |(own, asked)| dot(own, asked)),
            square: vector.map_or(0.0, |own| dot(own, own)),
        });
    }
    signals
}

/// Weighs the parts.
pub fn combine(measured: &TurnParts, settings: &Settings) -> Vec<Scored> {
    let alone = PartWeights::of_turn_alone(settings, measured.coverage);
    let weights = PartWeights::of(Corpus::Turns, settings, measured.coverage);
    let own: Vec<f64> = measured.turns.iter().map(|turn| turn.parts.weighed_by(&alone)).collect();
    let lifts = session_lifts(measured, &own);
    let mut scored = Vec::with_capacity(measured.turns.len());
    for turn in measured.turns.iter().filter(|turn| turn.candidate) {
        let mut parts = turn.parts;
        parts.neighbours = turn.beside.iter().flatten().map(|&beside| own[beside]).sum();
        parts.session = lifts[turn.session];
        scored.push(Scored::new(turn.row, parts, &weights));
    }
    best_first(scored)
}

/// What a turn has by itself of a question.
struct OwnSignals<'a> {
    /// How often it has each of the question's terms, and how long it is.
    counts: &'a [f64],
    length: f64,
    /// Its vector, and the product of that with the question's.
    vector: Option<&'a [f32]>,
    near: f64,
    /// The product of the vector with itself.
    square: f64,
}

impl OwnSignals<'_> {
    /// What its words and meaning say, alone and with its neighbours'. The window is there to be written over.
    fn parts(
        &self,
        around: [Option<&OwnSignals<'_>>; 2],
        scorer: &Scorer<'_>,
        window: &mut [f64],
    ) -> ScoreParts {
        let mut parts = ScoreParts { text: scorer.score(self.counts, self.length), ..ScoreParts::default() };
        window.iter_mut().zip(self.counts).for_each(|(sum, count)| *sum = count * OWN_IN_WINDOW);
        let mut length = OWN_IN_WINDOW * self.length;
        for near in around.into_iter().flatten() {
            window.iter_mut().zip(near.counts).for_each(|(sum, count)| *sum += count);
            length += near.length;
        }
        // A window is about four turns long: its own twice, and both neighbours.
        parts.window = scorer.score(window, length / (OWN_IN_WINDOW + 2.0));
        (parts.dense, parts.dense_window) = self.closeness(around);
        parts
    }

    /// Cosines with the question: of the turn, and of the sum of it and its neighbours.
    fn closeness(&self, around: [Option<&OwnSignals<'_>>; 2]) -> (f64, f64) {
        let Some(own) = self.vector else { return (0.0, 0.0) };
        let beside = around.map(|near| near.and_then(|near| Some((near.vector?, near))));
        // The length of a sum by the products of what is summed.
        let (mut near, mut square) = (OWN_IN_WINDOW * self.near, OWN_IN_WINDOW * OWN_IN_WINDOW * self.square);
        for (vector, theirs) in beside.into_iter().flatten() {
            near += theirs.near;
            square += theirs.square + 2.0 * OWN_IN_WINDOW * dot(own, vector);
        }
        if let [Some((before, _)), Some((after, _))] = beside {
            square += 2.0 * dot(before, after);
        }
        let window = if square > 0.0 { near / square.sqrt() } else { 0.0 };
        (self.near.max(0.0), window.max(0.0))
    }
}

fn dot(left: &[f32], right: &[f32]) -> f64 {
    f64::from(similarity::dot(left, right))
}

/// For each session, the mean of its five best turns' own scores.
fn session_lifts(measured: &TurnParts, own: &[f64]) -> Vec<f64> {
    let mut scores: Vec<Vec<f64>> = vec![Vec::new(); measured.sessions];
    for (turn, score) in measured.turns.iter().zip(own) {
        scores[turn.session].push(*score);
    }
    let lift = |mut scores: Vec<f64>| {
        scores.sort_by(|a, b| b.total_cmp(a));
        scores.iter().take(SESSION_BEST).sum::<f64>() / SESSION_BEST as f64
    };
    scores.into_iter().map(lift).collect()
}

/// The one speaker that the question names, if it names exactly one of those who speak in the candidates.
fn named_speaker<'a>(turns: &[(&'a TurnPlace, &RowMaterial)], question: &str) -> Option<&'a str> {
    let question = question.to_lowercase();
    let mut speakers: Vec<&str> = Vec::new();
    for (place, _) in turns {
        let Some(speaker) = place.speaker.as_deref() else { continue };
        if !speakers.contains(&speaker) && has_a_name(place) {
            speakers.push(speaker);
        }
    }
    let named: Vec<&str> =
        speakers.into_iter().filter(|speaker| names(&question, &speaker.to_lowercase())).collect();
    match named.as_slice() {
        [speaker] => Some(*speaker),
        _ => None,
    }
}

/// Whether a text contains a name as a word of its own.
fn names(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, found)| {
        let before = text[..at].chars().next_back();
        let after = text[at + found.len()..].chars().next();
        [before, after].into_iter().flatten().all(|character| !character.is_alphanumeric())
    })
}

/// A speaker called "user" or "assistant" has no name.
fn has_a_name(place: &TurnPlace) -> bool {
    place.speaker.as_deref().is_some_and(|name| !name.eq_ignore_ascii_case(place.role.as_str()))
}

/// Not said by the user, in a conversation with an assistant. Where both sides have names, two people speak, and neither's
/// words are worth less.
fn is_assistants(place: &TurnPlace) -> bool {
    place.role != Role::User && !has_a_name(place)
}

/// How a question speaks of what the assistant once did. "Would you suggest" and "can you list" are requests, and not here.
const ASSISTANT_DID: &[&str] = &[
    "did you",
    "you said",
    "you told",
    "you suggested",
    "you recommended",
    "you mentioned",
    "you gave",
    "you explained",
    "you provided",
    "you listed",
    "you advised",
    "you wrote",
    "you described",
    "you proposed",
    "you offered",
    "you showed",
    "your recommendation",
    "your suggestion",
    "your advice",
    "your answer",
    "your earlier",
    "your previous",
];

/// Whether the question may be answered by the assistant's words as well as by the user's.
fn asks_for_the_assistants_words(question: &str) -> bool {
    let question = question.to_lowercase();
    ASSISTANT_DID.iter().any(|phrase| question.contains(phrase))
}

/// 1 for a moment inside a span that the question names, less the further away it is, nothing a month away.
pub fn in_time(at: Time, question: &Question) -> f64 {
    if question.spans.is_empty() {
        return 0.0;
    }
    let date = at.date_in(&question.zone);
    let closeness = |span: &TimeSpan| {
        if span.contains(date) {
            return 1.0;
        }
        let edge = if date < span.start { span.start } else { span.end };
        let days = at.days_since(Time::from_date_in(edge, &question.zone)).abs();
        (1.0 - days / 30.0).max(0.0) * 0.5
    };
    question.spans.iter().map(closeness).fold(0.0, f64::max)
}

/// What is known of a memory or an episode beside its words.
#[derive(Debug, Clone, Copy)]
pub struct RecordSignals {
    pub at: Time,
    pub salience: f64,
    pub strength: f64,
    /// How awake the names are that it speaks of.
    pub graph: f64,
    /// How far it felt like the question feels.
    pub emotion: f64,
    /// What became of it where it was recalled: of use above zero, passed over or wrong below.
    pub feedback: f64,
}

impl RecordSignals {
    /// One of this time that has nothing to be lifted by.
    pub fn at(at: Time) -> Self {
        Self { at, salience: 0.0, strength: 0.0, graph: 0.0, emotion: 0.0, feedback: 0.0 }
    }
}

/// Scores memories or episodes: single sentences, without neighbours.
pub fn records(
    candidates: &Candidates,
    question: &Question,
    settings: &Settings,
    standing: &HashMap<i64, RecordSignals>,
    weights: &PartWeights,
) -> Vec<Scored> {
    let scorer = Scorer::new(&question.query.terms, &candidates.statistics);
    let mut counts = vec![0.0; scorer.term_count()];
    let mut scored = Vec::with_capacity(candidates.nominated.len());
    for &row in &candidates.nominated {
        let (Some(known), Some(standing)) = (candidates.row(row), standing.get(&row)) else { continue };
        let mut parts = ScoreParts::default();
        if let Some(document) = &known.document {
            scorer.count(document, question.query.column, &mut counts);
            parts.text = scorer.score(&counts, f64::from(document.length));
        }
        if let (Some(vector), Some(question)) = (candidates.vector(known), &question.vector) {
            parts.dense = dot(vector, question).max(0.0);
        }
        let age_days = question.reference.days_since(standing.at).max(0.0);
        parts.recency = 0.5_f64.powf(age_days / settings.temporal_decay_half_life_days.max(1) as f64);
        parts.salience = standing.salience;
        parts.strength = standing.strength;
        parts.graph = standing.graph;
        parts.emotion = standing.emotion;
        parts.feedback = standing.feedback;
        parts.time = in_time(standing.at, question);
        scored.push(Scored::new(row, parts, weights));
    }
    best_first(scored)
}

/// Scores anew what another table weighs; what comes to nothing by it was not found.
pub fn reweighed(scored: Vec<Scored>, weights: &PartWeights) -> Vec<Scored> {
    let anew = scored.into_iter().map(|scored| Scored::new(scored.row, scored.parts, weights));
    best_first(anew.filter(|scored| scored.score > 0.0).collect())
}

/// The parts of reciprocal rank fusion: the shares of the order by words and of the order by meaning.
pub fn with_ranks(scored: &[Scored], k: f64) -> Vec<Scored> {
    let ranks = |part: fn(&ScoreParts) -> f64| {
        let mut order: Vec<(usize, f64)> =
            scored.iter().enumerate().map(|(place, scored)| (place, part(&scored.parts))).collect();
        order.retain(|(_, value)| *value > 0.0);
        order.sort_by(|a, b| b.1.total_cmp(&a.1).then(scored[a.0].row.cmp(&scored[b.0].row)));
        order.into_iter().enumerate().map(|(rank, (place, _))| (place, rank + 1)).collect::<HashMap<_, _>>()
    };
    let (by_words, by_meaning) = (ranks(|parts| parts.text), ranks(|parts| parts.dense));
    let share = |rank: Option<&usize>| rank.map_or(0.0, |rank| 1.0 / (k + *rank as f64));
    let fused = scored.iter().enumerate().map(|(place, scored)| {
        let (words_rank, meaning_rank) = (share(by_words.get(&place)), share(by_meaning.get(&place)));
        let parts = ScoreParts { words_rank, meaning_rank, ..scored.parts };
        Scored { parts, ..*scored }
    });
    fused.collect()
}

/// By score; equal scores in the order of insertion.
pub fn best_first(mut scored: Vec<Scored>) -> Vec<Scored> {
    scored.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.row.cmp(&b.row)));
    scored
}
