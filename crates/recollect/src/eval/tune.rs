//! Choosing the weights: coordinate descent on the training conversations, measured on the conversation left out.
//!
//! The parts of every candidate are measured once; a set of weights is then judged by weighing them anew, which takes
//! microseconds a question. Nested: for each conversation, weights are chosen on all the others and judged on it, so the
//! figures printed are of conversations that the weights have not seen.

use std::collections::HashMap;
use std::sync::Arc;

use memory::ports::{Embedder, ReadStore};
use memory::recall::fuse::{TurnParts, combine, turn_parts};
use memory::recall::retrieve::{Candidates, Engines, Question, nomination};
use memory::settings::Settings;
use memory::text::{query, time};
use memory::types::{Corpus, Filter};

use super::data::LabelledConversation;
use super::metrics::{QuestionFigures, Ranked, figures};
use super::retrieval::{ScratchStore, ingest, wanted};

/// One question, measured.
struct MeasuredQuestion {
    parts: TurnParts,
    evidence: Vec<String>,
    /// What each row is called in the labels, and how long its line is.
    lines: HashMap<i64, (String, usize)>,
}

/// The measured questions of one conversation.
pub struct Fold {
    pub name: String,
    pub set: String,
    questions: Vec<MeasuredQuestion>,
}

/// Measures all parts of all questions of a conversation.
pub async fn fold(
    set: &str,
    conversation: &LabelledConversation,
    embedder: &Arc<dyn Embedder>,
    settings: &Settings,
) -> anyhow::Result<Fold> {
    let ingested = ingest(conversation, Arc::clone(embedder)).await?;
    let mut questions = Vec::new();
    for labelled in conversation.questions.iter().filter(|question| wanted(&[], &question.category)) {
        let question = question(&ingested, &labelled.question).await?;
        let filter = Filter::current(ingested.reference);
        let engines = Engines { words: true, meaning: true };
        let per_engine = settings.candidates_per_engine as usize;
        let signature = Some(embedder.signature());
        let asked = nomination(Corpus::Turns, &question, &filter, engines, signature, per_engine);
        let found = Candidates::of(&asked, ingested.tenant.nominated(asked.clone()).await?);
        let rows: Vec<i64> = found.turns().iter().map(|(place, _)| place.row).collect();
        let turns = ingested.tenant.turns_at(&rows).await?;
        let line = |turn: &memory::types::Turn| {
            let speaker = turn.speaker.as_deref().unwrap_or(turn.role.as_str());
            memory::text::tokens::estimate(&format!("{speaker}: {}", turn.text))
        };
        let lines = turns
            .into_iter()
            .map(|(row, turn)| (row, (turn.external_id.clone().unwrap_or_default(), line(&turn))))
            .collect();
        let parts = turn_parts(&found, &question);
        questions.push(MeasuredQuestion { parts, evidence: labelled.evidence.clone(), lines });
    }
    Ok(Fold { name: conversation.id.clone(), set: set.to_owned(), questions })
}

async fn question(ingested: &ScratchStore, text: &str) -> anyhow::Result<Question> {
    let vectors = ingested.embedder.embed(&[text.to_owned()]).await?;
    Ok(Question {
        text: text.to_owned(),
        query: query::plain(text, ingested.tenant.analyser()),
        vector: vectors.into_iter().next(),
        coverage: f64::from(ingested.embedder.coverage(text)),
        spans: time::find(text, ingested.reference.date()),
        reference: ingested.reference,
        zone: jiff::tz::TimeZone::UTC,
    })
}

impl Fold {
    pub fn figures(&self, settings: &Settings) -> Vec<QuestionFigures> {
        self.questions.iter().map(|measured| measured.figures(settings)).collect()
    }
}

impl MeasuredQuestion {
    fn figures(&self, settings: &Settings) -> QuestionFigures {
        let scored = combine(&self.parts, settings);
        let ranked: Vec<Ranked> = scored
            .iter()
            .take(120)
            .filter_map(|scored| {
                let (id, tokens) = self.lines.get(&scored.row)?;
                Some(Ranked { id: id.clone(), tokens: *tokens })
            })
            .collect();
        figures(&ranked, &self.evidence)
    }
}

/// What is maximised: the mean over sets of the mean over questions of R@1, R@5, R@10 and the 800-token block.
fn value(folds: &[&Fold], settings: &Settings) -> f64 {
    let mut by_set: HashMap<&str, (f64, usize)> = HashMap::new();
    for fold in folds {
        let entry = by_set.entry(fold.set.as_str()).or_default();
        for figures in fold.figures(settings) {
            entry.0 += 0.25 * figures.at[0] + figures.at[1] + figures.at[2] + figures.block[1];
            entry.1 += 1;
        }
    }
    by_set.values().map(|(sum, count)| sum / (*count).max(1) as f64).sum::<f64>() / by_set.len().max(1) as f64
}

type TunedWeight = (&'static str, fn(&mut Settings) -> &mut f64, &'static [f64]);

const WEIGHTS: &[TunedWeight] = &[
    ("weightWindow", |s| &mut s.weight_window, &[0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0]),
    ("weightDense", |s| &mut s.weight_dense, &[0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0]),
    ("weightDenseWindow", |s| &mut s.weight_dense_window, &[0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0]),
    ("weightNeighbours", |s| &mut s.weight_neighbours, &[0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4]),
    ("weightSession", |s| &mut s.weight_session, &[0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 1.0, 1.4]),
    ("weightSpeaker", |s| &mut s.weight_speaker, &[0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4]),
    ("weightRole", |s| &mut s.weight_role, &[0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6]),
    ("weightTime", |s| &mut s.weight_time, &[0.0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4]),
];

/// The best of the descents from several beginnings: one alone may end on a ledge.
pub fn choose(folds: &[&Fold], start: &Settings) -> Settings {
    let mut bold = start.clone();
    (bold.weight_role, bold.weight_session) = (0.5, 0.4);
    let mut narrow = start.clone();
    (narrow.weight_window, narrow.weight_dense) = (0.5, 0.5);
    let chosen = [start, &bold, &narrow].map(|start| descend(folds, start));
    let better = |a: &Settings, b: &Settings| value(folds, a).total_cmp(&value(folds, b));
    chosen.into_iter().max_by(better).expect("there are three")
}

/// Moves one weight at a time to its best value until nothing gets better.
fn descend(folds: &[&Fold], start: &Settings) -> Settings {
    let mut best = start.clone();
    let mut best_value = value(folds, &best);
    for _round in 0..5 {
        let before = best_value;
        for (_, weight, grid) in WEIGHTS {
            for &candidate in *grid {
                let mut settings = best.clone();
                *weight(&mut settings) = candidate;
                let value = value(folds, &settings);
                if value > best_value + 1e-6 {
                    (best, best_value) = (settings, value);
                }
            }
        }
        if best_value - before < 1e-4 {
            break;
        }
    }
    best
}

/// The weights by name, for the report.
pub fn weights(settings: &Settings) -> Vec<(&'static str, f64)> {
    let mut settings = settings.clone();
    WEIGHTS.iter().map(|(name, weight, _)| (*name, *weight(&mut settings))).collect()
}
