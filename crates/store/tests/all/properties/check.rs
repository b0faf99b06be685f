//! Comparing a store with the model: everything that is listed, found, counted and told of the past.

use std::collections::BTreeSet;

use memory::ports::{Clock, Store};
use memory::text::{Query, query};
use memory::types::{Corpus, Filter, Memory, Order, PageRequest, RecordRef, Status, Viewer};
use memory::write::searchable;

use super::WORDS;
use super::model::{Model, owner};

const QUERIES: [&str; 12] = [
    "cat",
    "dog tea",
    "run",
    "the",
    "\"green tea\"",
    "cat AND dog",
    "cat NOT dog",
    "gre*",
    "кофе OR 咖啡",
    "🎉 7",
    "arger",
    "foo bar",
];

impl Model {
    pub async fn check(&self, store: &dyn Store, step: usize) {
        assert_eq!(store.head().await.expect("a head"), self.head, "head at step {step}");
        let page = PageRequest { limit: 1_000, offset: 0, order: Order::Oldest, counted: true };
        let all = store.list_memories(&Filter::ever(), page).await.expect("readable");
        assert_eq!(all.items, self.memories, "memories at step {step}");
        let text = QUERIES[step % QUERIES.len()];
        let query = query::parse(text, &self.analyser);
        self.check_memories_found(store, &query, step).await;
        self.check_turns(store, &query, step).await;
        let live: Vec<String> = self.searchable().map(searchable::memory).collect();
        let live: Vec<&str> = live.iter().map(String::as_str).collect();
        self.check_statistics(store, Corpus::Memories, &live, step).await;
        let said: Vec<&str> = self.sessions.values().flatten().map(|turn| turn.text.as_str()).collect();
        self.check_statistics(store, Corpus::Turns, &said, step).await;
    }

    fn searchable(&self) -> impl Iterator<Item = &Memory> {
        self.memories.iter().filter(|memory| memory.status == Status::Active)
    }

    async fn check_memories_found(&self, store: &dyn Store, query: &Query, step: usize) {
        let viewer = owner(step % 3);
        let mut filter = Filter::current(self.clock.now());
        filter.viewer = Some(Viewer::new(viewer.clone(), None));
        let nominees = store.nominate(Corpus::Memories, query, &filter, 1_000).await.expect("searchable");
        let found: BTreeSet<&str> = nominees.iter().map(|nominee| nominee.id.as_str()).collect();
        let expected: BTreeSet<&str> = self
            .searchable()
            .filter(|memory| {
                memory.owner() == viewer && query.matches(&self.analyser.analyse(&searchable::memory(memory)))
            })
            .map(|memory| memory.id.as_str())
            .collect();
        assert_eq!(found, expected, "found for {query:?} at step {step}");
        assert_eq!(nominees.len(), found.len(), "each once");
        let few = store.nominate(Corpus::Memories, query, &filter, 3).await.expect("searchable");
        assert_eq!(few, nominees[..nominees.len().min(3)], "fewer are the first of more");
    }

    async fn check_turns(&self, store: &dyn Store, query: &Query, step: usize) {
        for (key, turns) in &self.sessions {
            let stored = store.session_turns(key, 0, 10_000).await.expect("readable");
            assert_eq!(stored, *turns, "turns at step {step}");
        }
        let nominees =
            store.nominate(Corpus::Turns, query, &Filter::ever(), 10_000).await.expect("searchable");
        let found: BTreeSet<String> = nominees.into_iter().map(|nominee| nominee.id).collect();
        let turns = self.sessions.values().flatten();
        let expected: BTreeSet<String> = turns
            .filter(|turn| query.matches(&self.analyser.analyse(&turn.text)))
            .map(|turn| turn.id.to_string())
            .collect();
        assert_eq!(found, expected, "turns found for {query:?} at step {step}");
    }

    async fn check_statistics(&self, store: &dyn Store, corpus: Corpus, texts: &[&str], step: usize) {
        let documents: Vec<Vec<String>> = texts.iter().map(|text| self.analyser.ranked_terms(text)).collect();
        let terms: Vec<String> = WORDS.iter().flat_map(|word| self.analyser.ranked_terms(word)).collect();
        let statistics = store.statistics(corpus, &terms).await.expect("readable");
        assert_eq!(statistics.documents, documents.len() as u64, "{corpus} at step {step}");
        let total: usize = documents.iter().map(Vec::len).sum();
        assert!(
            (statistics.mean_length * documents.len() as f64 - total as f64).abs() < 1e-6,
            "{corpus} at step {step}"
        );
        for term in &terms {
            let having = documents.iter().filter(|document| document.contains(term)).count() as u64;
            let counted = statistics.frequencies.get(term).copied().unwrap_or(0);
            assert_eq!(counted, having, "{corpus} with `{term}` at step {step}");
        }
    }

    /// Each event begins where the one before ended, and the last one ends where the record stands.
    pub async fn check_history(&self, store: &dyn Store) {
        let standing =
            self.memories.iter().map(|memory| (RecordRef::memory(&memory.id), Some(memory.clone().into())));
        let removed = self.removed.iter().map(|of| (of.clone(), None));
        for (of, now) in standing.chain(removed) {
            let events = store.history(&of).await.expect("readable");
            assert_eq!(events.first().and_then(|event| event.before.clone()), None, "{of}");
            for pair in events.windows(2) {
                assert_eq!(pair[0].after, pair[1].before, "{of}");
                assert!(pair[0].number < pair[1].number && pair[0].at <= pair[1].at, "{of}");
            }
            assert_eq!(events.last().expect("it was made").after, now, "{of}");
        }
        for of in &self.purged {
            let events = store.history(of).await.expect("readable");
            assert!(events.iter().all(|event| event.before.is_none() && event.after.is_none()), "{of}");
        }
    }
}
