//! What a score is made of: each part with its value, what it was weighed by, and what it so contributed.
//!
//! The contributions of a result add up to its score; a test holds search to it.

use std::collections::BTreeMap;

use memory::recall::{Fusion, Hit, Parts, Path};
use memory::settings::Settings;
use memory::types::Corpus;
use serde::{Deserialize, Serialize};

/// The parts of one score, by name.
pub type Scores = BTreeMap<String, PartScore>;

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct PartScore {
    pub value: f64,
    /// 0 where the part does not count for this kind of result.
    pub weight: f64,
    pub contribution: f64,
}

/// How a search scored.
pub(super) struct How<'s> {
    pub settings: &'s Settings,
    pub path: Path,
    pub fusion: Fusion,
    /// How far the question's vector was trusted.
    pub coverage: f64,
    /// Memories were read as they stood once.
    pub past: bool,
}

pub(super) fn scores(hit: &Hit, how: &How<'_>) -> Scores {
    let weights = weights(hit.corpus(), how);
    let part = |(name, of): &(&str, fn(&Parts) -> f64)| {
        // Nothing can come as minus zero, which reads badly.
        let (value, weight) = (of(&hit.parts) + 0.0, of(&weights));
        ((*name).to_owned(), PartScore { value, weight, contribution: value * weight + 0.0 })
    };
    PARTS.iter().map(part).collect()
}

type Part = (&'static str, fn(&Parts) -> f64);

const PARTS: &[Part] = &[
    ("text", |parts| parts.text),
    ("window", |parts| parts.window),
    ("dense", |parts| parts.dense),
    ("dense_window", |parts| parts.dense_window),
    ("neighbours", |parts| parts.neighbours),
    ("session", |parts| parts.session),
    ("speaker", |parts| parts.speaker),
    ("role", |parts| parts.role),
    ("time", |parts| parts.time),
    ("recency", |parts| parts.recency),
    ("salience", |parts| parts.salience),
    ("strength", |parts| parts.strength),
    ("graph", |parts| parts.graph),
    ("emotion", |parts| parts.emotion),
    ("feedback", |parts| parts.feedback),
    ("words_rank", |parts| parts.words_rank),
    ("meaning_rank", |parts| parts.meaning_rank),
];

/// What each part was weighed by, written as parts.
fn weights(corpus: Corpus, how: &How<'_>) -> Parts {
    let none = Parts::default();
    match how.path {
        Path::Recent => Parts { recency: 1.0, ..none },
        Path::Like => Parts { text: 1.0, ..none },
        _ if how.past && corpus == Corpus::Memories => Parts { text: 1.0, ..none },
        Path::Semantic => Parts { dense: 1.0, ..none },
        _ if how.fusion == Fusion::Rrf => Parts { words_rank: 1.0, meaning_rank: 1.0, ..none },
        _ if corpus == Corpus::Turns => of_turns(how),
        _ => of_records(corpus, how),
    }
}

fn of_turns(how: &How<'_>) -> Parts {
    let settings = how.settings;
    Parts {
        text: settings.weight_text,
        window: settings.weight_window,
        dense: how.coverage * settings.weight_dense,
        dense_window: how.coverage * settings.weight_dense_window,
        neighbours: settings.weight_neighbours,
        session: settings.weight_session,
        speaker: settings.weight_speaker,
        role: settings.weight_role,
        time: settings.weight_time,
        ..Parts::default()
    }
}

/// Memories and episodes have no window, so what it would count goes to their own text and meaning.
fn of_records(corpus: Corpus, how: &How<'_>) -> Parts {
    let settings = how.settings;
    Parts {
        text: settings.weight_text + settings.weight_window,
        dense: how.coverage * (settings.weight_dense + settings.weight_dense_window),
        time: settings.weight_time,
        recency: settings.weight_recency,
        salience: settings.weight_salience,
        strength: settings.weight_strength,
        graph: if corpus == Corpus::Memories { settings.weight_graph } else { 0.0 },
        emotion: if corpus == Corpus::Memories { settings.weight_emotion } else { 0.0 },
        feedback: if corpus == Corpus::Memories { settings.weight_feedback } else { 0.0 },
        ..Parts::default()
    }
}
