//! Candidates: who might answer the question.
//!
//! Engines only nominate: the best by words, the best by meaning, and, where the question speaks of a time, the best by
//! words of that time. For turns, the neighbours of the nominated come along, because an answer often stands next to the
//! words of its question. Nothing is scored here.

use std::sync::Arc;

use jiff::tz::TimeZone;

use crate::ports::{
    Nominated, Nomination, Proposer, RowMaterial, ScoringMaterial, ScoringNeeds, Statistics, TurnPlace,
};
use crate::text::Query;
use crate::text::query::Expression;
use crate::text::time::TimeSpan;
use crate::types::{Corpus, Filter, Time};

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
    /// Each once, in order.
    pub nominated: Vec<i64>,
    pub statistics: Statistics,
    /// What is known of them, and of turns beside them, in the order of their rows.
    rows: Vec<Arc<RowMaterial>>,
    /// Turns only: the rows that the filter lets through, in order. Neighbours come along without being asked.
    admitted: Vec<i64>,
    /// The rows' vectors may be compared with the question's.
    compares: bool,
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
        candidates.nominated.sort_unstable();
        candidates.nominated.dedup();
        let ScoringMaterial { statistics, rows, by_meaning } = nominated.material;
        Candidates { statistics, rows, compares: by_meaning, admitted: nominated.admitted, ..candidates }
    }

    /// What is known of a row.
    pub fn row(&self, row: i64) -> Option<&RowMaterial> {
        let place = self.rows.binary_search_by_key(&row, |known| known.row).ok()?;
        Some(&self.rows[place])
    }

    /// A row's vector, where it may be compared with the question's.
    pub fn vector<'a>(&self, of: &'a RowMaterial) -> Option<&'a [f32]> {
        of.vector.as_deref().filter(|_| self.compares)
    }

    pub fn is_nominated(&self, row: i64) -> bool {
        self.nominated.binary_search(&row).is_ok()
    }

    pub fn is_admitted(&self, row: i64) -> bool {
        self.admitted.binary_search(&row).is_ok()
    }

    /// The turns with their places, session by session in their order.
    pub fn turns(&self) -> Vec<(&TurnPlace, &RowMaterial)> {
        let mut turns: Vec<(&TurnPlace, &RowMaterial)> =
            self.rows.iter().filter_map(|known| Some((known.place.as_ref()?, &**known))).collect();
        turns.sort_unstable_by_key(|(place, _)| (place.session_row, place.index));
        turns
    }
}
