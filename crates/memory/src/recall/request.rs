//! What is asked of a search, and what it answers.

use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};

use super::weights::PartWeights;
use crate::settings::Settings;
pub use crate::settings::{Fusion, Strategy};
use crate::types::{Corpus, Episode, Filter, Memory, Record, Time, Turn, UserId};

/// A search.
#[derive(Debug, Clone)]
pub struct SearchRequest {
    pub text: String,
    pub corpora: Vec<Corpus>,
    pub filter: Filter,
    pub top_k: usize,
    pub strategy: Strategy,
    pub fusion: Fusion,
    /// The moment that "last week" is counted from.
    pub reference: Time,
    /// Where the user is: by that calendar days are read.
    pub zone: TimeZone,
    /// Read `"…"`, AND, OR, NOT and `*` as operators; a chat message's quotes are not meant so.
    pub operators: bool,
    /// Turns around each found turn that come along.
    pub window: u64,
}

impl SearchRequest {
    /// A search with everything as the settings say.
    pub fn new(
        text: impl Into<String>,
        corpora: Vec<Corpus>,
        filter: Filter,
        settings: &Settings,
        reference: Time,
    ) -> Self {
        let viewing = filter.viewer.as_ref().map(|viewer| &viewer.owner.user);
        let user = viewing.or(filter.user.as_ref()).cloned().unwrap_or_else(UserId::unnamed);
        Self {
            zone: settings.zone_of(&user),
            text: text.into(),
            corpora,
            filter,
            top_k: settings.recall_top_k.max(1) as usize,
            strategy: settings.search_strategy,
            fusion: settings.fusion,
            reference,
            operators: true,
            window: settings.window_turns.max(0) as u64,
        }
    }
}

/// Which way the answer came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Path {
    Hybrid,
    Semantic,
    Recent,
    /// Words alone: there are no vectors, or they are still being loaded.
    Keyword,
    /// Words alone, because the embedder failed.
    KeywordAfterEmbedError,
    /// No word was in the index; the texts themselves were looked through.
    Like,
    SkippedEmptyStore,
}

/// What a score is made of. Each part lies between 0 and 1 before its weight, but for `role`, which holds back, and
/// `feedback`, which can do both.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct ScoreParts {
    /// BM25 of the text.
    pub text: f64,
    /// BM25 of the text with its neighbours.
    pub window: f64,
    /// Cosine with the question.
    pub dense: f64,
    /// Cosine of the text with its neighbours.
    pub dense_window: f64,
    /// Sum of the two neighbours' own scores.
    pub neighbours: f64,
    /// Mean of the session's five best.
    pub session: f64,
    pub speaker: f64,
    /// -1 for the assistant's words where the question does not ask for them, else 0: whatever the user said, and
    /// whatever is not of a conversation, then stands on the same footing.
    pub role: f64,
    pub time: f64,
    pub recency: f64,
    pub salience: f64,
    pub strength: f64,
    /// Closeness in the knowledge graph.
    pub graph: f64,
    /// Agreement in feeling.
    pub emotion: f64,
    /// What became of it where it was recalled: from -1, passed over or wrong, to 1, of use.
    pub feedback: f64,
    /// Reciprocal ranks by words and by meaning, where they are what is summed.
    pub words_rank: f64,
    pub meaning_rank: f64,
}

/// What was found.
#[derive(Debug, Clone, PartialEq)]
pub enum HitSource {
    Memory(Box<Memory>),
    Episode(Box<Episode>),
    Turn(Box<Turn>),
}

impl HitSource {
    /// The record that was found, where it is one that is searched for.
    pub fn of(record: Record) -> Option<Self> {
        match record {
            Record::Memory(memory) => Some(HitSource::Memory(memory)),
            Record::Episode(episode) => Some(HitSource::Episode(episode)),
            _ => None,
        }
    }
}

/// One result.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    pub row: i64,
    pub score: f64,
    pub parts: ScoreParts,
    /// What the parts were weighed by: their sum of products is the score.
    pub weights: PartWeights,
    pub source: HitSource,
    /// The turns around a found turn, in order, itself among them.
    pub window: Vec<Turn>,
}

impl Hit {
    pub fn corpus(&self) -> Corpus {
        match self.source {
            HitSource::Memory(_) => Corpus::Memories,
            HitSource::Episode(_) => Corpus::Episodes,
            HitSource::Turn(_) => Corpus::Turns,
        }
    }

    pub fn id(&self) -> &str {
        match &self.source {
            HitSource::Memory(memory) => memory.id.as_str(),
            HitSource::Episode(episode) => episode.id.as_str(),
            HitSource::Turn(turn) => turn.id.as_str(),
        }
    }

    pub fn content(&self) -> &str {
        match &self.source {
            HitSource::Memory(memory) => &memory.content,
            HitSource::Episode(episode) => &episode.summary,
            HitSource::Turn(turn) => &turn.text,
        }
    }

    /// When it was created, ended, or said.
    pub fn at(&self) -> Time {
        match &self.source {
            HitSource::Memory(memory) => memory.created_at,
            HitSource::Episode(episode) => episode.ended_at,
            HitSource::Turn(turn) => turn.at,
        }
    }
}
