//! BM25 from the tenant's own statistics, normalised so that it compares across queries and engines.
//!
//! Engines have a BM25 of their own, but each counts differently (SQLite's gives a term that is in more than half of
//! the rows almost no weight, so small stores barely rank). So engines only nominate, and this scores what they nominate.
//! The score is divided by the most that the query could get, Σ idf·(k1+1), and so lies between 0 and 1.

use crate::ports::{IndexedDocument, Statistics};
use crate::text::similarity::inverse_frequency;
use crate::text::{IndexColumn, term_number};

/// How fast repeating a term stops paying, and how much long documents are held back.
pub const K1: f64 = 1.2;
pub const B: f64 = 0.75;

/// A query's terms with their weights in one corpus.
#[derive(Debug, Clone)]
pub struct Scorer<'a> {
    /// The distinct terms, each with its weight.
    terms: Vec<(&'a str, f64)>,
    /// The same as numbers.
    numbers: Vec<u64>,
    mean_length: f64,
    most: f64,
}

impl<'a> Scorer<'a> {
    pub fn new(terms: &'a [String], statistics: &Statistics) -> Self {
        let mut weighed: Vec<(&str, f64)> = Vec::with_capacity(terms.len());
        for term in terms {
            if !weighed.iter().any(|(known, _)| known == term) {
                let frequency = statistics.frequencies.get(term).copied().unwrap_or(0);
                weighed.push((term.as_str(), inverse_frequency(statistics.documents, frequency)));
            }
        }
        let most = weighed.iter().map(|(_, weight)| weight).sum::<f64>() * (K1 + 1.0);
        let numbers = weighed.iter().map(|(term, _)| term_number(term)).collect();
        Self { terms: weighed, numbers, mean_length: statistics.mean_length.max(1.0), most }
    }

    /// How often a document's space-separated terms are each of the query's.
    pub fn counts(&self, terms: &str) -> Vec<f64> {
        let mut counts = vec![0.0; self.terms.len()];
        for term in terms.split_ascii_whitespace() {
            if let Some(place) = self.terms.iter().position(|(known, _)| *known == term) {
                counts[place] += 1.0;
            }
        }
        counts
    }

    /// How many distinct terms the query has.
    pub fn term_count(&self) -> usize {
        self.terms.len()
    }

    /// Puts down how often the column of a document has each of the query's terms.
    pub fn count(&self, document: &IndexedDocument, column: IndexColumn, counts: &mut [f64]) {
        if column == IndexColumn::Surface {
            counts.copy_from_slice(&self.counts(&document.surface));
            return;
        }
        for (count, number) in counts.iter_mut().zip(&self.numbers) {
            *count = document.numbers.iter().filter(|own| *own == number).count() as f64;
        }
    }

    /// The score of a document with these counts and this length, between 0 and 1.
    pub fn score(&self, counts: &[f64], length: f64) -> f64 {
        if self.most <= 0.0 {
            return 0.0;
        }
        let norm = K1 * (1.0 - B + B * length / self.mean_length);
        let counted = self.terms.iter().zip(counts).filter(|(_, count)| **count > 0.0);
        let sum: f64 = counted.map(|((_, weight), count)| weight * count * (K1 + 1.0) / (count + norm)).sum();
        sum / self.most
    }

    /// The score of a document by itself.
    pub fn score_terms(&self, terms: &str, length: u32) -> f64 {
        self.score(&self.counts(terms), f64::from(length))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn statistics(documents: u64, mean_length: f64, frequencies: &[(&str, u64)]) -> Statistics {
        let frequencies = frequencies.iter().map(|(term, count)| ((*term).to_owned(), *count)).collect();
        Statistics { documents, mean_length, frequencies }
    }

    #[test]
    fn a_rare_term_outweighs_a_common_one() {
        let statistics = statistics(100, 4.0, &[("cat", 60), ("quokka", 1)]);
        let terms = ["cat".to_owned(), "quokka".to_owned()];
        let scorer = Scorer::new(&terms, &statistics);
        assert!(scorer.score_terms("quokka sat mat hat", 4) > scorer.score_terms("cat cat mat hat", 4));
    }

    #[test]
    fn even_a_term_in_every_document_ranks() {
        let statistics = statistics(2, 4.0, &[("cat", 2)]);
        let terms = ["cat".to_owned()];
        let scorer = Scorer::new(&terms, &statistics);
        assert!(scorer.score_terms("cat cat cat dog", 4) > scorer.score_terms("cat dog dog dog", 4));
    }

    #[test]
    fn scores_lie_between_zero_and_one() {
        let statistics = statistics(10, 3.0, &[("a", 1), ("b", 2)]);
        let terms = ["a".to_owned(), "b".to_owned()];
        let scorer = Scorer::new(&terms, &statistics);
        let best = scorer.score_terms(&"a b ".repeat(500), 1);
        assert!(best > 0.9 && best <= 1.0, "{best}");
        assert_eq!(scorer.score_terms("c d", 2), 0.0);
        assert_eq!(Scorer::new(&[], &statistics).score_terms("a", 1), 0.0);
    }
}
