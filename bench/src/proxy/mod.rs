//! `bench proxy`: what a chat costs more when it goes through memory.
//!
//! The same requests go straight to an upstream that answers at once, through a pass-through that does nothing, through
//! Recollect with memory off, with memory on where the gate says that none is needed, and with recall among ten thousand
//! memories, and through LiteLLM's proxy. One request each in turn, so that a slow moment falls on all of them.

pub mod load;
pub mod servers;

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use memory::ports::{Clock, WriteStore};
use memory::types::{Actor, Batch, Kind, Memory, MemoryId, Owner};
use store::{SystemClock, Tenants};

use self::load::{AnswerTimes, Connection, LoadRequest, rate};
use self::servers::BenchServer;
use crate::recall::options as store_options;
use crate::report::{BenchReport, Figure, ReportTable, percentile};
use crate::store::open;
use crate::text::Sentences;

pub use servers::serve;

/// Memory off may take at most this times the bare pass-through.
const OFF_AT_MOST: f64 = 1.2;

/// What recall adds may be at most this share of what LiteLLM adds.
const ADDED_AT_MOST: f64 = 0.1;

/// Requests before anything is timed: connections open, pages come into memory.
const WARM_UP: usize = 20;

#[derive(clap::Args)]
pub struct ProxyOptions {
    /// Requests timed of each kind.
    #[arg(long, default_value_t = 300)]
    requests: usize,
    /// Memories in the store.
    #[arg(long, default_value_t = 10_000)]
    memories: usize,
    /// Connections when requests a second are counted.
    #[arg(long, default_value_t = 32)]
    connections: usize,
    /// Seconds of each count.
    #[arg(long, default_value_t = 3.0)]
    seconds: f64,
    /// The binary to measure.
    #[arg(long, default_value = "target/release/recollect")]
    binary: PathBuf,
    /// The Python that has LiteLLM's proxy; without it that row is left out.
    #[arg(long)]
    litellm_python: Option<PathBuf>,
}

/// One way to the upstream.
struct ProxyRoute {
    name: &'static str,
    asked: LoadRequest,
}

pub async fn run(options: &ProxyOptions) -> anyhow::Result<BenchReport> {
    let data = tempfile::tempdir()?;
    eprintln!("filling a store with {} memories …", options.memories);
    fill(data.path(), options.memories).await?;
    let upstream = BenchServer::own("upstream", None)?;
    let bare = BenchServer::own("bare", Some(upstream.address))?;
    let recollect = BenchServer::recollect(&options.binary, data.path(), upstream.address)?;
    let litellm = match &options.litellm_python {
        Some(python) => {
            eprintln!("starting LiteLLM's proxy …");
            Some(BenchServer::litellm(python, data.path(), upstream.address)?)
        }
        None => None,
    };
    let litellm = litellm.as_ref().map(|server| server.address);
    let ways = ways(upstream.address, bare.address, recollect.address, litellm);
    let mut report = BenchReport::default();
    for (name, title, stream) in
        [("streamed", "a streamed answer of 20 events", true), ("whole", "an answer in one piece", false)]
    {
        report.push(latencies(options, &ways, name, title, stream).await?);
    }
    report.push(rates(options, &ways).await?);
    Ok(report)
}

fn ways(
    upstream: SocketAddr,
    bare: SocketAddr,
    recollect: SocketAddr,
    litellm: Option<SocketAddr>,
) -> Vec<ProxyRoute> {
    let plain = "Write a haiku about rain, number {n}.";
    let question = "What did I tell you about my favourite place number {n}?";
    let way = |name, address, message, mode: Option<&str>| {
        let headers = mode.map(|mode| ("x-recollect-memory", mode.to_owned())).into_iter().collect();
        ProxyRoute { name, asked: LoadRequest { address, headers, message, stream: true } }
    };
    let mut ways = vec![
        way("direct", upstream, plain, None),
        way("bare pass-through", bare, plain, None),
        way("memory off", recollect, plain, Some("off")),
        way("memory on, none needed", recollect, plain, None),
        way("memory on, recall", recollect, question, None),
    ];
    ways.extend(litellm.map(|address| way("LiteLLM's proxy", address, plain, None)));
    ways
}

async fn latencies(
    options: &ProxyOptions,
    ways: &[ProxyRoute],
    name: &'static str,
    title: &str,
    stream: bool,
) -> anyhow::Result<ReportTable> {
    let mut connections = Vec::new();
    for way in ways {
        connections.push(Connection::open(way.asked.address).await?);
    }
    let mut taken: Vec<Vec<AnswerTimes>> = vec![Vec::new(); ways.len()];
    for round in 0..WARM_UP + options.requests {
        for (place, way) in ways.iter().enumerate() {
            let asked = LoadRequest { stream, ..way.asked.clone() };
            let number = (usize::from(stream) * 1_000_000 + round * ways.len() + place) as u64;
            let time = connections[place].ask(&asked, number).await?;
            if round >= WARM_UP {
                taken[place].push(time);
            }
        }
    }
    let columns = ["first p50", "first p95", "whole p50", "whole p95", "added p50"];
    let mut table = ReportTable::new(name, title, &columns);
    let middle = |place: usize| middle(&taken[place]);
    for (place, way) in ways.iter().enumerate() {
        let first: Vec<Duration> = taken[place].iter().map(|taken| taken.first_byte).collect();
        let whole: Vec<Duration> = taken[place].iter().map(|taken| taken.whole).collect();
        let mut figures: Vec<Figure> = [(&first, 0.5), (&first, 0.95), (&whole, 0.5), (&whole, 0.95)]
            .map(|(measured, share)| Figure::milliseconds(percentile(measured, share)))
            .to_vec();
        figures.push(Figure::Milliseconds((middle(place) - middle(0)) * 1_000.0));
        table.row(way.name, figures);
    }
    table.verdict("bare pass-through × 1.2 / memory off", middle(1) * OFF_AT_MOST / middle(2), 1.0);
    if ways.len() > 5 {
        let (recall, litellm) = (middle(4) - middle(0), middle(5) - middle(0));
        table.verdict(
            "a tenth of what LiteLLM adds / what recall adds",
            litellm * ADDED_AT_MOST / recall,
            1.0,
        );
    }
    Ok(table)
}

/// The middle of the whole answers, in seconds.
fn middle(taken: &[AnswerTimes]) -> f64 {
    let whole: Vec<Duration> = taken.iter().map(|taken| taken.whole).collect();
    percentile(&whole, 0.5).as_secs_f64()
}

async fn rates(options: &ProxyOptions, ways: &[ProxyRoute]) -> anyhow::Result<ReportTable> {
    let title = format!("whole answers a second, {} connections", options.connections);
    let mut table = ReportTable::new("rates", title, &["per second", "of bare"]);
    let mut bare = 0.0;
    for (place, way) in ways.iter().enumerate() {
        let asked = LoadRequest { stream: false, ..way.asked.clone() };
        let time = Duration::from_secs_f64(options.seconds);
        let base = (place as u64 + 10) * 1_000_000_000;
        let rate = rate(&asked, options.connections, time, base).await?;
        if place == 1 {
            bare = rate;
        }
        table.row(
            way.name,
            vec![Figure::Count(rate), Figure::Ratio(if bare > 0.0 { rate / bare } else { 0.0 })],
        );
    }
    Ok(table)
}

/// Memories among which the questions find something: each speaks of a favourite place.
pub async fn fill(folder: &Path, memories: usize) -> anyhow::Result<()> {
    let tenants = Tenants::open_folder(folder, store_options())?;
    let tenant = open(&tenants, "local").await?;
    let (mut sentences, clock) = (Sentences::seeded(1), SystemClock);
    let mut made = 0;
    while made < memories {
        let mut batch = Batch::new(Actor::Import, clock.now());
        for _ in 0..1_000.min(memories - made) {
            let content = match made % 10 {
                0 => format!("User's favourite place number {made} is {}", sentences.turn()),
                _ => sentences.turn(),
            };
            let id = MemoryId::from_uuid(clock.uuid());
            let memory =
                Memory::new(id, tenant.id().clone(), &Owner::unnamed(), Kind::Fact, content, clock.now());
            batch = batch.insert(memory);
            made += 1;
        }
        tenant.apply(batch).await?;
    }
    drop(tenant);
    tenants.close().await;
    Ok(())
}
