//! Candidates: who might answer the question.
//!
//! Engines only nominate: the best by words, the best by meaning, and, where the question speaks of a time, the best by
//! words of that time. For turns, the neighbours of the nominated come along, because an answer often stands next to the
//! words of its question. Nothing is scored here.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use jiff::tz::TimeZone;

use super::request::HitSource;
use crate::ports::{
    IndexedDocument, Nominated, Nomination, Proposer, RowVector, ScoringMaterial, ScoringNeeds, Statistics,
    TurnPlace,
};
use crate::text::query::Expression;
use crate::text::time::TimeSpan;
use crate::text::{IndexColumn, Query};
use crate::types::{Corpus, Filter, SessionKey, Time};

/// The question, as every step needs it.
#[derive(Debug, Clone)]
pub struct Question {
    pub text: String,
    pub query: Query,
    /// Unit length; `None` where there is no embedder, it failed, or it knows no word of the question.
    pub vector: Option<Vec<f32>>,
    /// How far the vector can be trusted.
    pub coverage: f64,
    pub spans: Vec<TimeSpan>,
    pub reference: Time,
    /// Where the user is.
    pub zone: TimeZone,
}

impl Question {
    /// Whether operators select what may answer. Plain words only rank.
    pub fn selects(&self) -> bool {
        !matches!(self.query.expression, Expression::Any(_))
    }
}

/// What the engines proposed for one corpus, with everything that scoring needs.
#[derive(Debug, Default)]
pub struct Candidates {
    pub nominated: BTreeSet<i64>,
    pub statistics: Statistics,
    pub documents: HashMap<i64, Arc<IndexedDocument>>,
    pub vectors: HashMap<i64, Arc<[f32]>>,
    /// Turns only: of the places, the rows that the filter lets through. Neighbours come along without being asked.
    pub admitted: BTreeSet<i64>,
    /// Turns only: where each stands, by row.
    pub places: BTreeMap<i64, Arc<TurnPlace>>,
    /// Memories and episodes themselves, once they were read to be scored.
    pub sources: HashMap<i64, HitSource>,
    /// The vectors answered.
    pub by_meaning: bool,
}

/// Whether words, meaning, or both nominate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Engines {
    pub words: bool,
    pub meaning: bool,
}

/// What the store is asked for one corpus: the engines' proposals, and all that scoring needs of them.
pub fn nomination(
    corpus: Corpus,
    question: &Question,
    filter: &Filter,
    engines: Engines,
    signature: Option<&str>,
    per_engine: usize,
) -> Nomination {
    let query = || question.query.clone();
    let mut proposers = Vec::new();
    if engines.words {
        proposers.push(Proposer::Words { query: query(), limit: per_engine });
        proposers.extend(question.spans.iter().map(|span| Proposer::WordsWithin {
            query: query(),
            since: Time::from_date_in(span.start, &question.zone),
            until: Time::from_date_in(span.end, &question.zone),
            limit: per_engine / 4,
        }));
    }
    let near = question.vector.as_ref().zip(signature).filter(|_| engines.meaning);
    if let Some((vector, signature)) = near {
        let signature = signature.to_owned();
        proposers.push(Proposer::Near { signature, question: vector.clone(), limit: per_engine });
    }
    let scoring = ScoringNeeds {
        terms: question.query.terms.clone(),
        signature: near.map(|(_, signature)| signature.to_owned()),
        neighbours: true,
        rows: Vec::new(),
    };
    Nomination { corpus, filter: filter.clone(), proposers, scoring: Some(scoring) }
}

impl Candidates {
    /// What the store answered to a [`nomination`].
    pub fn of(asked: &Nomination, nominated: Nominated) -> Self {
        let mut candidates = Candidates::default();
        for (proposer, proposed) in asked.proposers.iter().zip(nominated.proposed) {
            candidates.by_meaning |= matches!(proposer, Proposer::Near { .. }) && proposed.is_some();
            let rows = proposed.into_iter().flatten().map(|(nominee, _)| nominee.row);
            candidates.nominated.extend(rows);
        }
        let ScoringMaterial { statistics, documents, vectors } = nominated.material;
        candidates.statistics = statistics;
        candidates.admitted = nominated.admitted.into_iter().collect();
        candidates.places = nominated.places.into_iter().map(|place| (place.row, place)).collect();
        candidates.documents = documents.into_iter().map(|document| (document.row, document)).collect();
        candidates.vectors = vectors.into_iter().map(|RowVector { row, vector }| (row, vector)).collect();
        candidates
    }
    /// The words of a document that the query's terms are counted in.
    pub fn words(&self, row: i64, column: IndexColumn) -> Option<(&str, u32)> {
        let document = self.documents.get(&row)?;
        let words = match column {
            IndexColumn::Stems => &document.terms,
            IndexColumn::Surface => &document.surface,
        };
        Some((words, document.length))
    }

    /// The rows of the turns by session, in their order.
    pub fn by_session(&self) -> HashMap<&SessionKey, BTreeMap<u64, i64>> {
        let mut sessions: HashMap<&SessionKey, BTreeMap<u64, i64>> = HashMap::new();
        for place in self.places.values() {
            sessions.entry(&place.session).or_default().insert(place.index, place.row);
        }
        sessions
    }
}
