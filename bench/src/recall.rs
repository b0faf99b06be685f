//! `bench recall`: how long a search, a gate decision and a context take, at growing numbers of memories.
//!
//! The floor of a hybrid search is the least that an exact answer costs: one pass over the same int8 bytes with the same
//! kernel, and the bare query to the index. Both are measured in turn with the search, question by question, on the same
//! file. The sentences are made of words of the embedding's own vocabulary, so that vectors differ as those of texts do.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use memory::limits;
use memory::ports::{Clock, Embedder, ReadStore, WriteStore};
use memory::recall::context::{Aids, ContextRequest};
use memory::recall::{Recaller, SearchRequest};
use memory::settings::Settings;
use memory::text::query;
use memory::toolkit::Toolkit;
use memory::types::{Actor, Batch, Corpus, Filter, Kind, Memory, MemoryId, Owner, Time, Viewer};
use models::Builtin;
use rusqlite::Connection;
use store::{SystemClock, Tenant, Tenants, WriteDurability, kernel};
use testkit::{Random, folder};

use crate::report::{BenchReport, Figure, ReportTable, percentile};
use crate::store::open;

const QUESTIONS: usize = 100;
const WARM_UP: usize = 10;
const BATCH: usize = 500;

#[derive(clap::Args)]
pub struct RecallOptions {
    /// Memories in the store when it is searched.
    #[arg(long, value_delimiter = ',', default_values_t = [1_000, 10_000, 100_000, 1_000_000])]
    memories: Vec<usize>,
}

pub async fn run(options: &RecallOptions) -> anyhow::Result<BenchReport> {
    let mut report = BenchReport::default();
    let columns = ["search p50", "search p95", "floor p50", "floor p95", "floor / search", "embedding p50"];
    let mut searches = ReportTable::new("recall", "hybrid search among", &columns);
    let columns = ["context p50", "context p95", "no need p50", "open to answer", "to meaning", "resident"];
    let mut contexts = ReportTable::new("context", "context among", &columns);
    let mut exact = ReportTable::new("exact", "vectors against all in 32 bits", &["recall at 100"]);
    for &size in &options.memories {
        let scratch = folder::scratch();
        fill(scratch.path(), size).await?;
        let measured = measure(scratch.path()).await?;
        let pair =
            |times: &[Duration]| [percentile(times, 0.5), percentile(times, 0.95)].map(Figure::milliseconds);
        let ratio = ratio(&measured.floor, &measured.search);
        let label = format!("{size} memories");
        let embedding = Figure::milliseconds(percentile(&measured.embedding, 0.5));
        let figures = [pair(&measured.search), pair(&measured.floor)].concat();
        searches.row(&label, [figures, vec![Figure::Ratio(ratio), embedding]].concat());
        if size == 100_000 {
            searches.verdict("floor / search at 100,000 memories", ratio, 1.0 / 3.0);
        }
        let no_need = Figure::milliseconds(percentile(&measured.no_need, 0.5));
        let starts = [measured.first_answer, measured.first_meaning].map(Figure::milliseconds);
        let resident = Figure::Mebibytes(measured.resident_mebibytes);
        contexts.row(
            &label,
            [pair(&measured.context).to_vec(), vec![no_need], starts.to_vec(), vec![resident]].concat(),
        );
        exact.row(&label, vec![Figure::Ratio(measured.exactness)]);
        exact.verdict(format!("recall against 32-bit numbers at {size}"), measured.exactness, 1.0);
    }
    for table in [searches, contexts, exact] {
        report.push(table);
    }
    Ok(report)
}

fn ratio(floor: &[Duration], search: &[Duration]) -> f64 {
    percentile(floor, 0.5).as_secs_f64() / percentile(search, 0.5).as_secs_f64().max(1e-9)
}

/// Sentences of real words, the frequent ones often.
pub struct WordSource {
    list: Vec<&'static str>,
    random: Random,
}

impl WordSource {
    pub fn seeded(seed: u64) -> Self {
        let vocabulary = include_str!("../../assets/embedding/vocab.txt");
        let list = vocabulary
            .lines()
            .filter(|word| word.len() > 3 && word.bytes().all(|byte| byte.is_ascii_lowercase()));
        Self { list: list.collect(), random: Random::seeded(seed) }
    }

    pub fn sentence(&mut self, words: usize) -> String {
        let word = |_| {
            let share = self.random.share();
            self.list[((share * share * share) * self.list.len() as f64) as usize]
        };
        (0..words).map(word).collect::<Vec<_>>().join(" ")
    }
}

pub fn options() -> store::TenantsOptions {
    let embedder: Arc<dyn Embedder> = Arc::new(Builtin);
    // What is measured is reading; the filling need not wait for the disk.
    store::TenantsOptions {
        durability: WriteDurability::Normal,
        embedder: Some(embedder),
        ..store::TenantsOptions::default()
    }
}

async fn fill(folder: &Path, size: usize) -> anyhow::Result<()> {
    let tenants = Tenants::open_folder(folder, options())?;
    let tenant = open(&tenants, "local").await?;
    let (mut words, clock) = (WordSource::seeded(1), SystemClock);
    let mut left = size;
    while left > 0 {
        let some = left.min(BATCH);
        let mut batch = Batch::new(Actor::Import, clock.now());
        for _ in 0..some {
            let id = MemoryId::from_uuid(clock.uuid());
            let content = words.sentence(12);
            let owner = Owner::unnamed();
            batch =
                batch.insert(Memory::new(id, tenant.id().clone(), &owner, Kind::Fact, content, clock.now()));
        }
        tenant.apply(batch).await?;
        left -= some;
    }
    drop(tenant);
    tenants.close().await;
    Ok(())
}

#[derive(Default)]
struct RecallTimes {
    search: Vec<Duration>,
    floor: Vec<Duration>,
    embedding: Vec<Duration>,
    context: Vec<Duration>,
    no_need: Vec<Duration>,
    first_answer: Duration,
    first_meaning: Duration,
    resident_mebibytes: f64,
    exactness: f64,
}

async fn measure(folder: &Path) -> anyhow::Result<RecallTimes> {
    let mut measured = RecallTimes::default();
    let opened = Instant::now();
    let tenants = Tenants::open_folder(folder, options())?;
    let tenant = open(&tenants, "local").await?;
    let (settings, now) = (Settings::default(), SystemClock.now());
    let embedder: Arc<dyn Embedder> = Arc::new(Builtin);
    let tools = tenant.tools(settings.clone(), Arc::new(SystemClock));
    let recaller = Recaller { tools: Toolkit { embedder: Some(Arc::clone(&embedder)), ..tools } };
    let mut words = WordSource::seeded(2);
    let request =
        |text: String| SearchRequest::new(text, vec![Corpus::Memories], Filter::current(now), &settings, now);
    recaller.search(&request(words.sentence(6))).await?;
    measured.first_answer = opened.elapsed();
    tenant.load_vectors().await?;
    recaller.search(&request(words.sentence(6))).await?;
    measured.first_meaning = opened.elapsed();
    let floor = RecallFloor::read(folder, &tenant).await?;
    for number in 0..WARM_UP + QUESTIONS {
        let question = words.sentence(6);
        let (vector, embedding) = timed(embedder.embed(std::slice::from_ref(&question))).await;
        let vector = vector?.remove(0);
        let (found, search) = timed(recaller.search(&request(question.clone()))).await;
        found?;
        let least = floor.time(&question, &vector, &tenant)?;
        let (context, no_need) = contexts(&recaller, &tenant, &question, now).await?;
        if number >= WARM_UP {
            measured.search.push(search);
            measured.floor.push(least);
            measured.embedding.push(embedding);
            measured.context.push(context);
            measured.no_need.push(no_need);
        }
        if number % 10 == 0 {
            measured.exactness += floor.recall(&tenant, &*embedder, &vector, now).await? / 11.0;
        }
    }
    measured.resident_mebibytes = resident_mebibytes()? - floor.mebibytes();
    Ok(measured)
}

async fn timed<T>(work: impl Future<Output = T>) -> (T, Duration) {
    let started = Instant::now();
    let done = work.await;
    (done, started.elapsed())
}

/// A context for a message that needs memory, and for one that does not.
async fn contexts(
    recaller: &Recaller,
    tenant: &Tenant,
    question: &str,
    now: Time,
) -> anyhow::Result<(Duration, Duration)> {
    let viewer = Viewer::new(Owner::unnamed(), None);
    let request = |message: String| ContextRequest::new(tenant.id().clone(), message, viewer.clone(), now);
    let asking = request(format!("do you remember my {question}?"));
    let (context, needed) = timed(recaller.context(&asking, Aids::default())).await;
    anyhow::ensure!(context?.gate.fire, "a message that asks for a memory must get one");
    let idle = request("Reply exactly OK".to_owned());
    let (context, not_needed) = timed(recaller.context(&idle, Aids::default())).await;
    anyhow::ensure!(!context?.gate.fire, "a message that needs nothing must get nothing");
    Ok((needed, not_needed))
}

/// The same bytes and the same index, with nothing around them.
struct RecallFloor {
    index: Connection,
    rows: Vec<i64>,
    exact: Vec<Arc<[f32]>>,
    bytes: Vec<i8>,
    scales: Vec<f32>,
}

impl RecallFloor {
    async fn read(folder: &Path, tenant: &Tenant) -> anyhow::Result<Self> {
        let index = Connection::open(folder.join("tenants/local.sqlite3"))?;
        let (mut rows, mut exact, mut bytes, mut scales) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut after = 0;
        loop {
            let some = tenant.memories_after(after, limits::PAGE_ROWS).await?;
            let Some((last, _)) = some.last() else { break };
            after = *last;
            let some: Vec<i64> = some.iter().map(|(row, _)| *row).collect();
            for stored in tenant.vectors_at(Corpus::Memories, Builtin.signature(), &some).await? {
                scales.push(kernel::quantise(&stored.vector, &mut bytes));
                rows.push(stored.row);
                exact.push(stored.vector);
            }
        }
        Ok(Self { index, rows, exact, bytes, scales })
    }

    fn time(&self, question: &str, vector: &[f32], tenant: &Tenant) -> anyhow::Result<Duration> {
        let expression = query::plain(question, tenant.analyser()).to_fts5().unwrap_or_default();
        let started = Instant::now();
        let mut rounded = Vec::new();
        kernel::quantise(vector, &mut rounded);
        let dot = kernel::fastest();
        let scores = self.bytes.chunks_exact(rounded.len()).zip(&self.scales);
        let best =
            scores.map(|(vector, scale)| dot(vector, &rounded) as f32 * scale).fold(f32::MIN, f32::max);
        std::hint::black_box(best);
        let sql = "SELECT rowid FROM memory_fts WHERE memory_fts MATCH ?1 ORDER BY rank LIMIT 100";
        let mut statement = self.index.prepare_cached(sql)?;
        let found = statement.query_map([expression], |row| row.get::<_, i64>(0))?;
        std::hint::black_box(found.count());
        Ok(started.elapsed())
    }

    /// Which share of the true nearest hundred, by 32-bit numbers over everything, the store brings.
    async fn recall(
        &self,
        tenant: &Tenant,
        embedder: &dyn Embedder,
        vector: &[f32],
        now: Time,
    ) -> anyhow::Result<f64> {
        let near = tenant
            .nominate_near(Corpus::Memories, embedder.signature(), vector, &Filter::current(now), 100)
            .await?
            .unwrap_or_default();
        let dot = |stored: &Arc<[f32]>| stored.iter().zip(vector).map(|(a, b)| a * b).sum::<f32>();
        let mut scored: Vec<(f32, i64)> = self.exact.iter().map(dot).zip(self.rows.iter().copied()).collect();
        scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        scored.truncate(100);
        let there =
            scored.iter().filter(|(_, row)| near.iter().any(|(nominee, _)| nominee.row == *row)).count();
        Ok(there as f64 / scored.len().max(1) as f64)
    }

    /// What the floor's own copies take, which is not the store's.
    fn mebibytes(&self) -> f64 {
        let bytes = self.bytes.len() * 5 + self.rows.len() * 36;
        bytes as f64 / 1_048_576.0
    }
}

pub fn resident_mebibytes() -> anyhow::Result<f64> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kibibytes = line.and_then(|line| line.trim().split(' ').next()?.parse::<f64>().ok());
    Ok(kibibytes.unwrap_or(0.0) / 1_024.0)
}
