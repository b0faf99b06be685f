//! Keyword search at growing sizes: what a caller waits for, beside the bare query to the index.
//!
//! A search is everything that makes an answer: nominate a hundred, count the words, read the candidates' words, score
//! them. It is measured in a store that rests, and right after a write, when nothing that was counted may be reused:
//! that is how a conversation searches.

use std::time::{Duration, Instant};

use memory::ports::{ReadStore, WriteStore};
use memory::recall::bm25::Scorer;
use memory::text::{Query, query};
use memory::types::{Actor, Batch, Change, Corpus, Filter};
use rusqlite::Connection;
use store::{Tenant, Tenants, TenantsOptions};
use testkit::{ManualClock, build, folder};

use super::open;
use crate::report::{Figure, ReportTable, percentile};
use crate::text::Sentences;

const QUESTIONS: usize = 300;
const NOMINEES: usize = 100;
const TURNS_PER_SESSION: usize = 200;

pub async fn run(sizes: &[usize]) -> anyhow::Result<ReportTable> {
    let columns = ["p50", "p95", "after write p50", "after write p95", "bare index p50", "bare index p95"];
    let mut table = ReportTable::new("search", "keyword search among", &columns);
    for &size in sizes {
        let folder = folder::scratch();
        let tenants = Tenants::open_folder(folder.path(), TenantsOptions::default())?;
        let tenant = open(&tenants, "local").await?;
        let clock = ManualClock::default();
        fill(&tenant, &clock, size).await?;
        let index = Connection::open(folder.path().join("tenants/local.sqlite3"))?;
        let [resting, writing, bare] = measure(&tenant, &clock, &index).await?;
        let measured = [&resting, &writing, &bare];
        let figures =
            measured.into_iter().flat_map(|times| [percentile(times, 0.5), percentile(times, 0.95)]);
        table.row(format!("{size} turns"), figures.map(Figure::milliseconds).collect());
    }
    Ok(table)
}

async fn fill(tenant: &Tenant, clock: &ManualClock, size: usize) -> anyhow::Result<()> {
    let mut sentences = Sentences::seeded(1);
    let all: Vec<usize> = (0..size).collect();
    for numbers in all.chunks(1_000) {
        let mut turns = Vec::new();
        for number in numbers {
            let session = format!("session {}", number / TURNS_PER_SESSION);
            turns.push(build::turn(clock, &session, &sentences.turn()));
        }
        let append = Change::AppendTurns { turns, pending: false };
        tenant.apply(Batch::new(Actor::Import, clock.tick()).with(append)).await?;
    }
    Ok(())
}

/// The times of a search in a resting store, right after a write, and of the bare index; in turn for each question.
async fn measure(
    tenant: &Tenant,
    clock: &ManualClock,
    index: &Connection,
) -> anyhow::Result<[Vec<Duration>; 3]> {
    let (mut questions, mut sentences) = (Sentences::seeded(2), Sentences::seeded(3));
    let mut times = [Vec::new(), Vec::new(), Vec::new()];
    // The first ones warm up and do not count.
    for number in 0..QUESTIONS + 20 {
        let query = query::plain(&questions.question(), tenant.analyser());
        let append = Change::AppendTurns {
            turns: vec![build::turn(clock, "talk", &sentences.turn())],
            pending: false,
        };
        tenant.apply(Batch::new(Actor::Person, clock.tick()).with(append)).await?;
        let after_write = time(search(tenant, &query)).await?;
        let resting = time(search(tenant, &query)).await?;
        let start = Instant::now();
        bare(index, &query)?;
        let bare = start.elapsed();
        if number >= 20 {
            for (times, measured) in times.iter_mut().zip([resting, after_write, bare]) {
                times.push(measured);
            }
        }
    }
    Ok(times)
}

async fn time<T>(work: impl Future<Output = anyhow::Result<T>>) -> anyhow::Result<Duration> {
    let start = Instant::now();
    work.await?;
    Ok(start.elapsed())
}

/// The best ten, as the core would give them.
async fn search(tenant: &Tenant, query: &Query) -> anyhow::Result<Vec<(f64, String)>> {
    let nominees = tenant.nominate(Corpus::Turns, query, &Filter::ever(), NOMINEES).await?;
    let rows: Vec<i64> = nominees.iter().map(|nominee| nominee.row).collect();
    let statistics = tenant.statistics(Corpus::Turns, &query.terms).await?;
    let documents = tenant.documents(Corpus::Turns, &rows).await?;
    let scorer = Scorer::new(&query.terms, &statistics);
    let mut scored: Vec<(f64, String)> = documents
        .into_iter()
        .map(|document| (scorer.score_terms(&document.terms, document.length), document.id.clone()))
        .collect();
    scored.sort_by(|left, right| right.0.total_cmp(&left.0));
    scored.truncate(10);
    Ok(scored)
}

fn bare(index: &Connection, query: &Query) -> anyhow::Result<Vec<i64>> {
    let Some(expression) = query.to_fts5() else { return Ok(Vec::new()) };
    let sql = "SELECT rowid FROM turn_fts WHERE turn_fts MATCH ?1 ORDER BY rank LIMIT ?2";
    let mut statement = index.prepare_cached(sql)?;
    let rows = statement.query_map((expression, NOMINEES as i64), |row| row.get(0))?;
    Ok(rows.collect::<Result<_, _>>()?)
}
