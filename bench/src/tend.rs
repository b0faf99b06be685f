//! `bench tend`: how long a pass of upkeep takes, how much memory, and what a search waits for it.
//!
//! The floor is the same search on the same store at rest, just before. The store is such that every step has something to
//! do: sentences that are repeated, old and young ones, long ones, all learned by a machine.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use memory::ports::{Clock, WriteStore};
use memory::recall::{Recaller, SearchRequest};
use memory::settings::Settings;
use memory::tend::Tender;
use memory::toolkit::Toolkit;
use memory::types::{Actor, Batch, Corpus, Filter, Kind, Memory, MemoryId, Origin, Owner, Run, RunState};
use models::Builtin;
use store::{SystemClock, Tenant, Tenants};
use testkit::{Random, folder};

use crate::recall::{WordSource, options, resident_mebibytes};
use crate::report::{BenchReport, Figure, ReportTable, percentile};
use crate::store::open;

const BATCH: usize = 500;
/// Searches at rest.
const QUESTIONS: usize = 200;
/// The least that the scheduler rests between two portions; else it rests as long as a portion took.
const PAUSE: Duration = Duration::from_millis(10);

#[derive(clap::Args)]
pub struct TendOptions {
    /// Memories in the store when it is tended.
    #[arg(long, default_value_t = 100_000)]
    memories: usize,
}

pub async fn run(options: &TendOptions) -> anyhow::Result<BenchReport> {
    let scratch = folder::scratch();
    fill(scratch.path(), options.memories).await?;
    let tenants = Tenants::open_folder(scratch.path(), crate::recall::options())?;
    let tenant = open(&tenants, "local").await?;
    tenant.load_vectors().await?;
    let mut words = WordSource::seeded(2);
    let mut idle = Vec::new();
    for _ in 0..QUESTIONS {
        idle.push(search(&tenant, words.sentence(6)).await?);
    }
    let before = resident_mebibytes()?;
    let over = Arc::new(AtomicBool::new(false));
    let pass = tokio::spawn(tend(tenant.clone(), Arc::clone(&over)));
    let (mut tending, mut most) = (Vec::new(), before);
    while !over.load(Ordering::Acquire) && !pass.is_finished() {
        tending.push(search(&tenant, words.sentence(6)).await?);
        most = most.max(resident_mebibytes()?);
        // A question now and then, not a load test.
        tokio::time::sleep(PAUSE).await;
    }
    let (run, took) = pass.await??;
    let columns = ["idle p50", "idle p95", "tending p50", "tending p95", "pass", "grew by", "did"];
    let mut table = ReportTable::new("tend", "a pass over", &columns);
    let pair =
        |times: &[Duration]| [percentile(times, 0.5), percentile(times, 0.95)].map(Figure::milliseconds);
    let did: u64 = run.counts.values().filter_map(serde_json::Value::as_u64).sum();
    let figures = [pair(&idle), pair(&tending)].concat();
    let rest = vec![Figure::milliseconds(took), Figure::Mebibytes(most - before), Figure::Count(did as f64)];
    table.row(format!("{} memories", options.memories), [figures, rest].concat());
    let slower = percentile(&idle, 0.95).as_secs_f64() / percentile(&tending, 0.95).as_secs_f64().max(1e-9);
    table.verdict("search p95 idle / while tending", slower, 0.5);
    let mut report = BenchReport::default();
    report.push(table);
    Ok(report)
}

async fn tend(tenant: Tenant, over: Arc<AtomicBool>) -> anyhow::Result<(Run, Duration)> {
    let started = Instant::now();
    let tender = Arc::new(Tender { tools: tools(&tenant) });
    let mut run = tender.begin(None).await?;
    while run.state == RunState::Running {
        let began = Instant::now();
        // As the scheduler does.
        let tender = Arc::clone(&tender);
        run = store::at_low_priority(async move { tender.advance(run).await }).await??;
        tokio::time::sleep(began.elapsed().max(PAUSE)).await;
    }
    over.store(true, Ordering::Release);
    Ok((run, started.elapsed()))
}

fn tools(tenant: &Tenant) -> Toolkit {
    let tools = tenant.tools(Settings::default(), Arc::new(SystemClock));
    Toolkit { embedder: Some(Arc::new(Builtin)), ..tools }
}

async fn search(tenant: &Tenant, question: String) -> anyhow::Result<Duration> {
    let (settings, now) = (Settings::default(), SystemClock.now());
    let recaller = Recaller { tools: tools(tenant) };
    let request = SearchRequest::new(question, vec![Corpus::Memories], Filter::current(now), &settings, now);
    let started = Instant::now();
    recaller.search(&request).await?;
    Ok(started.elapsed())
}

async fn fill(folder: &Path, size: usize) -> anyhow::Result<()> {
    let tenants = Tenants::open_folder(folder, options())?;
    let tenant = open(&tenants, "local").await?;
    let (mut words, mut random, clock) = (WordSource::seeded(1), Random::seeded(3), SystemClock);
    let (mut left, mut said) = (size, words.sentence(12));
    while left > 0 {
        let some = left.min(BATCH);
        let mut batch = Batch::new(Actor::Model, clock.now());
        for number in 0..some {
            // One in twenty says again what was said before; one in fifty is long.
            if number % 20 != 0 {
                said = words.sentence(if number % 50 == 1 { 80 } else { 12 });
            }
            let at = clock.now().plus_seconds(-86_400 * random.below(900) as i64);
            let id = MemoryId::from_uuid(clock.uuid());
            let owner = Owner::unnamed();
            let mut memory = Memory::new(id, tenant.id().clone(), &owner, Kind::Fact, said.clone(), at);
            memory.origin = Origin::Model;
            batch = batch.insert(memory);
        }
        tenant.apply(batch).await?;
        left -= some;
    }
    drop(tenant);
    tenants.close().await;
    Ok(())
}
