//! Keyword search alone on real text: for each question of XQuAD, is the paragraph with the answer the best?
//!
//! Everything is the real path: paragraphs appended as turns, nominated by the store, scored by the core from the
//! store's own statistics. The data is for measuring only and no part of the repository; without it the test says so.

use memory::ports::{ReadStore, WriteStore};
use memory::recall::bm25::Scorer;
use memory::text::query;
use memory::types::{Actor, Batch, Change, Corpus, Filter};
use testkit::xquad::{self, XquadConversation};
use testkit::{ManualClock, build, folder, subject};

/// Candidates that the store is asked for.
const NOMINEES: usize = 100;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn english_paragraphs_are_found() {
    check("en", 90.0).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn chinese_paragraphs_are_found() {
    check("zh", 90.0).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn russian_paragraphs_are_found() {
    check("ru", 78.0).await;
}

async fn check(language: &str, at_least_percent: f64) {
    let Some(conversations) = xquad::read(language) else { return };
    let (mut hits, mut questions) = (0, 0);
    for conversation in conversations {
        hits += hits_at_one(&conversation).await;
        questions += conversation.questions.len();
    }
    let percent = 100.0 * hits as f64 / questions as f64;
    println!("xquad {language}: hit@1 {percent:.1} % of {questions} questions");
    assert!(percent >= at_least_percent, "{language}: {percent:.1} % is under {at_least_percent}");
}

async fn hits_at_one(conversation: &XquadConversation) -> usize {
    let folder = folder::scratch();
    let tenant = subject::open_tenant(&subject::open_folder(folder.path()), "local").await;
    let clock = ManualClock::default();
    let mut turns = Vec::new();
    for session in &conversation.sessions {
        for paragraph in &session.turns {
            let mut turn = build::turn(&clock, &session.id, &paragraph.text);
            turn.external_id = Some(paragraph.id.clone());
            turns.push(turn);
        }
    }
    let append = Change::AppendTurns { turns, pending: false };
    tenant.apply(Batch::new(Actor::Import, clock.tick()).with(append)).await.expect("in order");
    let mut hits = 0;
    for question in &conversation.questions {
        let best = best(&tenant, &question.question).await;
        hits += usize::from(best.is_some_and(|best| question.evidence.contains(&best)));
    }
    hits
}

/// The external id of the turn that answers best.
async fn best(tenant: &store::Tenant, question: &str) -> Option<String> {
    let query = query::plain(question, tenant.analyser());
    let nominees =
        tenant.nominate(Corpus::Turns, &query, &Filter::ever(), NOMINEES).await.expect("searchable");
    let rows: Vec<i64> = nominees.iter().map(|nominee| nominee.row).collect();
    let statistics = tenant.statistics(Corpus::Turns, &query.terms).await.expect("readable");
    let scorer = Scorer::new(&query.terms, &statistics);
    let documents = tenant.documents(Corpus::Turns, &rows).await.expect("readable");
    let mut best: Option<(f64, i64)> = None;
    for document in documents {
        let score = scorer.score_terms(&document.terms, document.length);
        if best.is_none_or(|(highest, _)| score > highest) {
            best = Some((score, document.row));
        }
    }
    let turns = tenant.turns_at(&[best?.1]).await.expect("readable");
    turns.into_iter().next().and_then(|(_, turn)| turn.external_id)
}
