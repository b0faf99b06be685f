//! Measures the analyser on XQuAD: for each question, is the paragraph with the answer the best by plain BM25?
//!
//! The data is for measuring only and stays outside the repository; where it is absent the test says so and passes.

use std::collections::HashMap;
use std::path::PathBuf;

use serde::Deserialize;

use super::{Analyser, Language};

#[derive(Deserialize)]
struct Conversation {
    sessions: Vec<Session>,
    questions: Vec<Question>,
}

#[derive(Deserialize)]
struct Session {
    turns: Vec<Turn>,
}

#[derive(Deserialize)]
struct Turn {
    id: String,
    text: String,
}

#[derive(Deserialize)]
struct Question {
    question: String,
    evidence: Vec<String>,
}

/// Documents by term frequency, and how many of them have each term.
struct Index {
    documents: Vec<(String, HashMap<String, f64>, f64)>,
    document_frequency: HashMap<String, f64>,
    mean_length: f64,
}

impl Index {
    fn new(conversation: &Conversation, analyser: &Analyser) -> Self {
        let mut document_frequency: HashMap<String, f64> = HashMap::new();
        let mut documents = Vec::new();
        for turn in conversation.sessions.iter().flat_map(|session| &session.turns) {
            let terms = analyser.ranked_terms(&turn.text);
            let length = terms.len() as f64;
            let mut frequency: HashMap<String, f64> = HashMap::new();
            for term in terms {
                *frequency.entry(term).or_default() += 1.0;
            }
            for term in frequency.keys() {
                *document_frequency.entry(term.clone()).or_default() += 1.0;
            }
            documents.push((turn.id.clone(), frequency, length));
        }
        let mean_length = documents.iter().map(|(_, _, length)| length).sum::<f64>() / documents.len() as f64;
        Self { documents, document_frequency, mean_length }
    }

    fn best(&self, query: &[String]) -> &str {
        let mut best = ("", f64::MIN);
        for (id, frequency, length) in &self.documents {
            let score = query.iter().map(|term| self.score(term, frequency, *length)).sum::<f64>();
            if score > best.1 {
                best = (id, score);
            }
        }
        best.0
    }

    fn score(&self, term: &str, frequency: &HashMap<String, f64>, length: f64) -> f64 {
        let (k1, b) = (1.2, 0.75);
        let Some(count) = frequency.get(term) else { return 0.0 };
        let with_term = self.document_frequency[term];
        let idf = (1.0 + (self.documents.len() as f64 - with_term + 0.5) / (with_term + 0.5)).ln();
        idf * count * (k1 + 1.0) / (count + k1 * (1.0 - b + b * length / self.mean_length))
    }
}

fn shared_data() -> PathBuf {
    std::env::var_os("RECOLLECT_SHARED")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared"), PathBuf::from)
        .join("data/multilingual")
}

/// The share of questions whose best paragraph is the evidence, in per cent.
fn hit_at_one(code: &str, languages: &[Language]) -> Option<f64> {
    let path = shared_data().join(format!("xquad-{code}.jsonl"));
    let Ok(content) = std::fs::read_to_string(&path) else {
        println!("skipped: no {}", path.display());
        return None;
    };
    let analyser = Analyser::new(languages);
    let (mut hits, mut questions) = (0, 0);
    for line in content.lines() {
        let conversation: Conversation = serde_json::from_str(line).expect("the data is in the known format");
        let index = Index::new(&conversation, &analyser);
        for question in &conversation.questions {
            let mut terms = analyser.query_terms(&question.question);
            terms.sort_unstable();
            terms.dedup();
            questions += 1;
            hits += usize::from(question.evidence.iter().any(|id| id == index.best(&terms)));
        }
    }
    Some(100.0 * hits as f64 / questions as f64)
}

#[test]
fn paragraphs_are_found() {
    use Language::{English, Russian, Spanish};
    let table: [(&str, &[Language], f64); 6] = [
        ("en", &[English], 90.0),
        ("zh", &[English], 90.0),
        ("ru", &[English], 78.0),
        ("es", &[English], 0.0),
        ("ru", &[English, Russian], 0.0),
        ("es", &[Spanish], 0.0),
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
