//! Measures the analyser on XQuAD: for each question, is the paragraph with the answer the best by plain BM25?
//!
//! Each floor is a point or so under what was reached, so that a change that costs more is seen. The data is for
//! measuring only and stays outside the repository; where it is absent the test says so and passes.

use std::collections::HashMap;

use testkit::xquad::{self, XquadConversation};

use super::Analyser;
use crate::language::Language;

struct TestIndex {
    /// Identity and length of each document.
    documents: Vec<(String, f64)>,
    /// For each term the documents that have it, and how often.
    postings: HashMap<String, HashMap<usize, f64>>,
    mean_length: f64,
}

impl TestIndex {
    fn new(conversation: &XquadConversation, analyser: &Analyser) -> Self {
        let mut postings: HashMap<String, HashMap<usize, f64>> = HashMap::new();
        let mut documents = Vec::new();
        for turn in conversation.sessions.iter().flat_map(|session| &session.turns) {
            let terms = analyser.ranked_terms(&turn.text);
            let length = terms.len() as f64;
            for term in terms {
                *postings.entry(term).or_default().entry(documents.len()).or_default() += 1.0;
            }
            documents.push((turn.id.clone(), length));
        }
        let mean_length = documents.iter().map(|(_, length)| length).sum::<f64>() / documents.len() as f64;
        Self { documents, postings, mean_length }
    }

    /// The best document by BM25 with k1 = 1.2 and b = .75.
    fn best(&self, terms: &[String]) -> Option<&str> {
        let (k1, b) = (1.2, 0.75);
        let mut scores = vec![0.0; self.documents.len()];
        for postings in terms.iter().filter_map(|term| self.postings.get(term)) {
            let with_term = postings.len() as f64;
            let idf = (1.0 + (self.documents.len() as f64 - with_term + 0.5) / (with_term + 0.5)).ln();
            for (&document, count) in postings {
                let relative_length = self.documents[document].1 / self.mean_length;
                scores[document] += idf * count * (k1 + 1.0) / (count + k1 * (1.0 - b + b * relative_length));
            }
        }
        let best = (0..scores.len()).max_by(|&left, &right| scores[left].total_cmp(&scores[right]))?;
        Some(&self.documents[best].0)
    }
}

/// The share of questions whose best paragraph is the evidence, in per cent.
fn hit_at_one(code: &str, languages: &[Language]) -> Option<f64> {
    let conversations = xquad::read(code)?;
    let analyser = Analyser::new(languages);
    let (mut hits, mut questions) = (0, 0);
    for conversation in conversations {
        let index = TestIndex::new(&conversation, &analyser);
        for question in &conversation.questions {
            let mut terms = analyser.query_terms(&question.question);
            terms.sort_unstable();
            terms.dedup();
            questions += 1;
            hits += usize::from(
                index.best(&terms).is_some_and(|best| question.evidence.iter().any(|id| id == best)),
            );
        }
    }
    Some(100.0 * hits as f64 / questions as f64)
}

#[test]
fn paragraphs_are_found() {
    use Language::{English, Russian, Spanish};
    let table: [(&str, &[Language], f64); 6] = [
        ("en", &[English], 92.0),
        ("zh", &[English], 92.0),
        ("ru", &[English], 78.0),
        ("es", &[English], 90.0),
        ("ru", &[English, Russian], 89.0),
        ("es", &[English, Spanish], 91.0),
    ];
    for (code, languages, at_least_percent) in table {
        if let Some(found) = hit_at_one(code, languages) {
            println!("xquad {code} as {languages:?}: hit@1 {found:.1} %");
            assert!(
                found >= at_least_percent,
                "{code} as {languages:?}: {found:.1} % under {at_least_percent}"
            );
        }
    }
}
