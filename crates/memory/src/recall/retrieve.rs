//! Candidates: who might answer the question.
//!
//! Engines only nominate: the best by words, the best by meaning, and, where the question speaks of a time, the best by
//! words of that time. For turns, the neighbours of the nominated come along, because an answer often stands next to the
//! words of its question. Nothing is scored here.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::task::Poll;

use super::request::Source;
use crate::error::StoreResult;
use crate::ports::{Document, Nominee, Statistics, Store, StoredVector, TurnPlace};
use crate::text::query::Expression;
use crate::text::time::TimeSpan;
use crate::text::{Column, Query};
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
    pub documents: HashMap<i64, Document>,
    pub vectors: HashMap<i64, Vec<f32>>,
    /// Turns only: where each stands, by row.
    pub places: BTreeMap<i64, TurnPlace>,
    /// Memories and episodes themselves, once they were read to be scored.
    pub sources: HashMap<i64, Source>,
    /// The vectors answered.
    pub by_meaning: bool,
}

/// How far around a nominated turn turns are looked at: one as a candidate itself, one more as that candidate's neighbour.
const CONTEXT_TURNS: u64 = 2;

/// Nominees by each engine, before anything is read of them.
struct Nominations {
    rows: BTreeSet<i64>,
    by_meaning: bool,
}

/// Whether words, meaning, or both nominate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Engines {
    pub words: bool,
    pub meaning: bool,
}

pub async fn candidates(
    store: &dyn Store,
    corpus: Corpus,
    question: &Question,
    filter: &Filter,
    engines: Engines,
    signature: Option<&str>,
    per_engine: usize,
) -> StoreResult<Candidates> {
    let nominations = nominate(store, corpus, question, filter, engines, signature, per_engine).await?;
    let mut candidates = Candidates {
        nominated: nominations.rows,
        by_meaning: nominations.by_meaning,
        ..Candidates::default()
    };
    let mut rows: Vec<i64> = candidates.nominated.iter().copied().collect();
    if rows.is_empty() {
        return Ok(candidates);
    }
    if corpus == Corpus::Turns {
        let places = store.neighbours(&rows, CONTEXT_TURNS).await?;
        candidates.places = places.into_iter().map(|place| (place.row, place)).collect();
        rows = candidates.places.keys().copied().collect();
    }
    let signature = signature.filter(|_| candidates.by_meaning);
    let material = store.material(corpus, &rows, &question.query.terms, signature).await?;
    candidates.statistics = material.statistics;
    candidates.documents = material.documents.into_iter().map(|document| (document.row, document)).collect();
    candidates.vectors =
        material.vectors.into_iter().map(|StoredVector { row, vector, .. }| (row, vector)).collect();
    Ok(candidates)
}

async fn nominate(
    store: &dyn Store,
    corpus: Corpus,
    question: &Question,
    filter: &Filter,
    engines: Engines,
    signature: Option<&str>,
    per_engine: usize,
) -> StoreResult<Nominations> {
    let (by_words, near) = both(
        words(store, corpus, question, filter, engines, per_engine),
        meaning(store, corpus, question, filter, engines, signature, per_engine),
    )
    .await;
    let (by_words, near) = (by_words?, near?);
    let by_meaning = near.is_some();
    let near = near.into_iter().flatten().map(|(nominee, _)| nominee);
    let rows = by_words.into_iter().chain(near).map(|nominee| nominee.row).collect();
    Ok(Nominations { rows, by_meaning })
}

async fn words(
    store: &dyn Store,
    corpus: Corpus,
    question: &Question,
    filter: &Filter,
    engines: Engines,
    per_engine: usize,
) -> StoreResult<Vec<Nominee>> {
    if !engines.words {
        return Ok(Vec::new());
    }
    let mut nominees = store.nominate(corpus, &question.query, filter, per_engine).await?;
    for span in &question.spans {
        let narrowed = within(filter, span);
        nominees.extend(store.nominate(corpus, &question.query, &narrowed, per_engine / 4).await?);
    }
    Ok(nominees)
}

/// `None` where vectors do not answer.
async fn meaning(
    store: &dyn Store,
    corpus: Corpus,
    question: &Question,
    filter: &Filter,
    engines: Engines,
    signature: Option<&str>,
    per_engine: usize,
) -> StoreResult<Option<Vec<(Nominee, f32)>>> {
    let (true, Some(vector), Some(signature)) = (engines.meaning, &question.vector, signature) else {
        return Ok(None);
    };
    store.nominate_near(corpus, signature, vector, filter, per_engine).await
}

/// Waits for both at once: engines work on threads of their own.
async fn both<A, B>(first: impl Future<Output = A>, second: impl Future<Output = B>) -> (A, B) {
    let (mut first, mut second) = (std::pin::pin!(first), std::pin::pin!(second));
    let (mut one, mut other) = (None, None);
    std::future::poll_fn(|context| {
        if one.is_none()
            && let Poll::Ready(done) = first.as_mut().poll(context)
        {
            one = Some(done);
        }
        if other.is_none()
            && let Poll::Ready(done) = second.as_mut().poll(context)
        {
            other = Some(done);
        }
        if one.is_some() && other.is_some() { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
    (one.expect("polled until both were done"), other.expect("polled until both were done"))
}

/// The filter, narrowed to a span of days.
fn within(filter: &Filter, span: &TimeSpan) -> Filter {
    let mut narrowed = filter.clone();
    let (start, end) = (Time::from_date(span.start), Time::from_date(span.end));
    narrowed.since = Some(filter.since.map_or(start, |since| since.max(start)));
    narrowed.until = Some(filter.until.map_or(end, |until| until.min(end)));
    narrowed
}

impl Candidates {
    /// The words of a document that the query's terms are counted in.
    pub fn words(&self, row: i64, column: Column) -> Option<(&str, u32)> {
        let document = self.documents.get(&row)?;
        let words = match column {
            Column::Stems => &document.terms,
            Column::Surface => &document.surface,
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
