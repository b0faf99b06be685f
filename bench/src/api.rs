//! `bench api`: requests a second over HTTP at ten thousand memories, beside `/healthz`, which does nothing, in the same run.
//!
//! One connection shows what a call takes, thirty-two what the server can do. Each kind is counted in turn, several times, and
//! the median counts, so that a slow moment of the machine falls on all.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use http_body_util::Full;
use hyper::Request;
use hyper::body::Bytes;

use crate::proxy::fill;
use crate::proxy::load::Connection;
use crate::proxy::servers::BenchServer;
use crate::report::{BenchReport, Figure, ReportTable, median};

#[derive(clap::Args)]
pub struct ApiOptions {
    /// Memories in the store.
    #[arg(long, default_value_t = 10_000)]
    memories: usize,
    /// Seconds of each count.
    #[arg(long, default_value_t = 1.0)]
    seconds: f64,
    /// How often each is counted; the median counts.
    #[arg(long, default_value_t = 3)]
    repetitions: usize,
    /// The binary to measure.
    #[arg(long, default_value = "target/release/recollect")]
    binary: PathBuf,
}

/// What is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ApiCall {
    Healthz,
    Create,
    Get,
    Search,
}

const CALLS: [(ApiCall, &str); 4] = [
    (ApiCall::Healthz, "GET /healthz"),
    (ApiCall::Create, "POST /api/memory"),
    (ApiCall::Get, "GET /api/memory/{id}"),
    (ApiCall::Search, "POST /api/memory/search"),
];

pub async fn run(options: &ApiOptions) -> anyhow::Result<BenchReport> {
    let data = tempfile::tempdir()?;
    eprintln!("filling a store with {} memories …", options.memories);
    fill(data.path(), options.memories).await?;
    // Nobody is asked for a chat, so the upstream may be anything.
    let server = BenchServer::recollect(&options.binary, data.path(), SocketAddr::from(([127, 0, 0, 1], 9)))?;
    let id = made(server.address).await?;
    let mut report = BenchReport::default();
    for connections in [1, 32] {
        let title = format!("requests a second, {connections} connections");
        let name = if connections == 1 { "one" } else { "many" };
        let mut table = ReportTable::new(name, title, &["per second", "of /healthz"]);
        let mut rates = vec![Vec::new(); CALLS.len()];
        for repetition in 0..options.repetitions {
            for (place, (call, _)) in CALLS.iter().enumerate() {
                let base = ((connections * 100 + repetition) as u64) << 32;
                rates[place].push(rate(options, server.address, *call, &id, connections, base).await?);
            }
        }
        let floor = median(&rates[0]);
        for ((_, name), rates) in CALLS.iter().zip(&rates) {
            let rate = median(rates);
            table.row(*name, vec![Figure::Count(rate), Figure::Ratio(rate / floor)]);
        }
        report.push(table);
    }
    Ok(report)
}

/// A memory to get.
async fn made(address: SocketAddr) -> anyhow::Result<String> {
    let mut connection = Connection::open(address).await?;
    // By default ten thousand memories are as many as one owner may have.
    let unbounded = serde_json::json!({ "maxEntriesPerAgent": 0 });
    connection.send(put(address, "/api/settings/memory", &unbounded)?).await?;
    connection.send(request(ApiCall::Create, address, "", 0)?).await?;
    let listed = connection.text(get(address, "/api/memory?limit=1")?).await?;
    let listed: serde_json::Value = serde_json::from_str(&listed)?;
    let id = listed["data"][0]["id"].as_str();
    id.map(str::to_owned).ok_or_else(|| anyhow::anyhow!("no memory in {listed}"))
}

async fn rate(
    options: &ApiOptions,
    address: SocketAddr,
    call: ApiCall,
    id: &str,
    connections: usize,
    base: u64,
) -> anyhow::Result<f64> {
    let start = Instant::now();
    let until = start + Duration::from_secs_f64(options.seconds);
    let mut tasks = Vec::new();
    for place in 0..connections as u64 {
        let id = id.to_owned();
        tasks.push(tokio::spawn(async move {
            let mut connection = Connection::open(address).await?;
            let mut done = 0_u64;
            while Instant::now() < until {
                connection.send(request(call, address, &id, base + (place << 20) + done)?).await?;
                done += 1;
            }
            anyhow::Ok(done)
        }));
    }
    let mut done = 0;
    for task in tasks {
        done += task.await??;
    }
    Ok(done as f64 / start.elapsed().as_secs_f64())
}

fn request(
    call: ApiCall,
    address: SocketAddr,
    id: &str,
    number: u64,
) -> anyhow::Result<Request<Full<Bytes>>> {
    match call {
        ApiCall::Healthz => get(address, "/healthz"),
        ApiCall::Get => get(address, &format!("/api/memory/{id}")),
        ApiCall::Create => {
            let content = format!("Note number {number} was made by the benchmark.");
            post(address, "/api/memory", &serde_json::json!({ "content": content, "type": "factual" }))
        }
        ApiCall::Search => {
            let query = format!("favourite place number {}", number % 10_000);
            let body = serde_json::json!({ "query": query, "scope": "pinned", "top_k": 10 });
            post(address, "/api/memory/search", &body)
        }
    }
}

fn get(address: SocketAddr, path: &str) -> anyhow::Result<Request<Full<Bytes>>> {
    Ok(Request::get(path).header("host", address.to_string()).body(Full::default())?)
}

fn put(address: SocketAddr, path: &str, body: &serde_json::Value) -> anyhow::Result<Request<Full<Bytes>>> {
    let request = Request::put(path).header("host", address.to_string());
    Ok(request.header("content-type", "application/json").body(Full::from(body.to_string()))?)
}

fn post(address: SocketAddr, path: &str, body: &serde_json::Value) -> anyhow::Result<Request<Full<Bytes>>> {
    let request = Request::post(path).header("host", address.to_string());
    Ok(request.header("content-type", "application/json").body(Full::from(body.to_string()))?)
}
