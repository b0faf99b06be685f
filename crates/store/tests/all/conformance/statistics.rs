//! What BM25 counts with, against a count by hand.

use std::collections::{BTreeSet, HashMap};

use memory::types::{Change, Corpus, Expect, Filter, RecordRef, Status};

use testkit::subject::Subject;

/// Compares the store's statistics with those of the texts that should be in the corpus.
async fn check(subject: &Subject, corpus: Corpus, texts: &[&str], step: &str) {
    let documents: Vec<Vec<String>> = texts.iter().map(|text| subject.analyser.ranked_terms(text)).collect();
    let ranked = documents_with(&documents);
    let words: Vec<Vec<String>> = texts.iter().map(|text| subject.analyser.surface(text)).collect();
    let plain = documents_with(&words);
    let words = ["cat", "dog", "mat", "milk", "elephant", "the"];
    let terms: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
    let statistics = subject.store.statistics(corpus, &terms).await.expect("statistics can be read");
    assert_eq!(statistics.documents, documents.len() as u64, "documents after {step}");
    let total: usize = documents.iter().map(Vec::len).sum();
    let mean = if documents.is_empty() { 0.0 } else { total as f64 / documents.len() as f64 };
    assert!(
        (statistics.mean_length - mean).abs() < 1e-9,
        "{} for {mean} after {step}",
        statistics.mean_length
    );
    for term in &terms {
        let counted = statistics.frequencies.get(term).copied().unwrap_or(0);
        let expected = ranked.get(term).or(plain.get(term)).copied().unwrap_or(0);
        assert_eq!(counted, expected, "documents with `{term}` after {step}");
    }
}

/// For each word, how many of the documents have it.
fn documents_with(documents: &[Vec<String>]) -> HashMap<String, u64> {
    let mut counts = HashMap::new();
    for word in documents.iter().flat_map(|words| words.iter().collect::<BTreeSet<_>>()) {
        *counts.entry(word.clone()).or_default() += 1;
    }
    counts
}

pub async fn they_equal_a_count_by_hand(subject: Subject) {
    check(&subject, Corpus::Memories, &[], "nothing").await;
    let first = subject.add("the cats sat on the mat with a cat").await;
    let second = subject.add("a dog drinks milk").await;
    let third = subject.add("the cat drinks milk").await;
    let texts = ["the cats sat on the mat with a cat", "a dog drinks milk", "the cat drinks milk"];
    check(&subject, Corpus::Memories, &texts, "inserts").await;
    let second = subject.edit(&second, |memory| memory.content = "a dog drinks water".into()).await;
    check(&subject, Corpus::Memories, &[texts[0], "a dog drinks water", texts[2]], "an edit").await;
    subject.edit(&third, |memory| memory.status = Status::Deleted).await;
    check(&subject, Corpus::Memories, &[texts[0], "a dog drinks water"], "a soft delete").await;
    let remove = Change::Remove { of: RecordRef::memory(&second.id), expect: Expect::Any };
    subject.write(remove).await;
    check(&subject, Corpus::Memories, &[texts[0]], "a remove").await;
    subject.purge(&third).await;
    subject.purge(&first).await;
    check(&subject, Corpus::Memories, &[], "purges").await;

    let turn = subject.say("s1", "my cat likes milk").await;
    subject.say("s2", "my dog likes cats").await;
    check(&subject, Corpus::Turns, &["my cat likes milk", "my dog likes cats"], "turns").await;
    subject.write(Change::PurgeTurns { turns: vec![turn.id] }).await;
    check(&subject, Corpus::Turns, &["my dog likes cats"], "a purged turn").await;
    check(&subject, Corpus::Memories, &[], "turns, which are no memories").await;
}

pub async fn documents_are_as_indexed(subject: Subject) {
    subject.add("Running cats, running!").await;
    subject.add("我喜欢咖啡").await;
    let rows = [
        subject.row_of(Corpus::Memories, "cats").await,
        999_999,
        subject.row_of(Corpus::Memories, "咖啡").await,
    ];
    let documents = subject.store.documents(Corpus::Memories, &rows).await.expect("documents can be read");
    assert_eq!(documents.len(), 2, "rows that are not there are left out");
    for document in &documents {
        let memory = subject.memory(&document.id.parse().expect("a memory's id")).await.expect("it is there");
        let terms = subject.analyser.ranked_terms(&memory.content);
        assert_eq!(document.terms, terms.join(" "));
        assert_eq!(document.length as usize, terms.len());
        assert_eq!(document.surface, subject.analyser.surface(&memory.content).join(" "));
        assert!(rows.contains(&document.row));
    }
    assert_eq!(subject.listed(&Filter::ever()).await.len(), 2);
}
