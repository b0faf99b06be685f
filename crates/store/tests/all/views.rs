//! A view is one moment: what it reads belongs together, whatever is written meanwhile, and it gives back what it held.

use std::sync::Arc;
use std::time::Duration;

use memory::ports::ReadStore;
use memory::text::query;
use memory::types::{Corpus, Filter};
use testkit::subject::{Subject, sqlite_file, sqlite_memory};

async fn found(store: &dyn ReadStore, subject: &Subject, word: &str) -> usize {
    let query = query::plain(word, &subject.analyser);
    store.nominate(Corpus::Memories, &query, &Filter::ever(), 10).await.expect("searchable").len()
}

#[tokio::test]
async fn a_view_stays_at_its_moment_while_others_write() {
    let subject = sqlite_file().await;
    subject.add("Ann likes tea").await;
    // Asked often enough that words are answered from memory, which is newer than the view below.
    for _ in 0..20 {
        found(&subject.store.view(), &subject, "tea").await;
    }
    let view = subject.store.view();
    let head = view.head().await.expect("readable");
    subject.add("Bob likes coffee").await;
    assert_eq!(found(&subject.store.view(), &subject, "coffee").await, 1);
    assert_eq!(found(&view, &subject, "coffee").await, 0, "it was not there then");
    assert_eq!(view.memories_after(0, 10).await.expect("readable").len(), 1);
    assert_eq!(view.census().await.expect("readable").memories["active"], 1);
    assert_eq!(view.head().await.expect("readable"), head);
    let later = subject.store.view();
    assert_eq!(later.memories_after(0, 10).await.expect("readable").len(), 2);
    assert!(later.head().await.expect("readable") > head);
}

#[tokio::test]
async fn a_view_of_a_store_in_memory_keeps_nobody_from_writing() {
    let subject = sqlite_memory().await;
    let view = subject.store.view();
    assert_eq!(view.memories_after(0, 10).await.expect("readable").len(), 0);
    let added = tokio::time::timeout(Duration::from_secs(20), subject.add("Ann likes tea")).await;
    added.expect("the writer is let in");
    assert_eq!(view.memories_after(0, 10).await.expect("readable").len(), 1, "each read sees the newest");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn more_views_than_readers_wait_their_turn_and_all_are_answered() {
    let subject = sqlite_file().await;
    subject.add("Ann likes tea").await;
    let views = (0..64).map(|_| {
        let store = Arc::clone(&subject.store);
        tokio::spawn(async move {
            let view = store.view();
            let mut seen = 0;
            for _ in 0..5 {
                seen += view.memories_after(0, 10).await.expect("readable").len();
                tokio::task::yield_now().await;
            }
            seen
        })
    });
    for view in views.collect::<Vec<_>>() {
        let seen = tokio::time::timeout(Duration::from_secs(60), view).await.expect("it is answered");
        assert_eq!(seen.expect("it does not panic"), 5);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_view_that_nobody_waits_for_gives_its_place_back() {
    let subject = sqlite_file().await;
    for _ in 0..50 {
        let view = subject.store.view();
        // Dropped while the read is on its way.
        let _ = tokio::time::timeout(Duration::ZERO, view.census()).await;
    }
    let after = tokio::time::timeout(Duration::from_secs(20), subject.store.census()).await;
    after.expect("there is room to read").expect("readable");
    subject.add("Ann likes tea").await;
    subject.store.scrub().await.expect("no view holds the log");
}
