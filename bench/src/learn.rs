//! `bench learn`: what capture costs beside the bare append, and how long a session takes to distil.
//!
//! Both ways append one turn a call, durably, with the mark that it waits; capture also strips recalled text, masks secrets and
//! gives the turn its identity. They are measured in turn on folders of their own, so that a slow moment of the machine
//! falls on both.

use std::sync::Arc;
use std::time::{Duration, Instant};

use memory::learn::capture::{self, IncomingMessage};
use memory::learn::heuristic;
use memory::ports::{Clock, WriteStore};
use memory::text::Analyser;
use memory::text::secrets::Masker;
use memory::types::{Actor, Batch, Change, Role};
use store::{Tenant, Tenants, TenantsOptions as StoreOptions};
use testkit::{ManualClock, build, folder};

use crate::report::{BenchReport, Figure, ReportTable, median, percentile};
use crate::store::open;
use crate::text::Sentences;

/// The share of the store's own figure that capture must reach.
const TARGET: f64 = 0.8;

/// What somebody says in a session that is worth distilling, beside sentences that say nothing.
const SAID: &[&str] = &[
    "I prefer tea over coffee in the morning.",
    "I live in Oslo and I work as a nurse.",
    "My sister Ana keeps bees.",
    "I decided to use Postgres for the new project.",
    "I always commit before pushing.",
    "I can't stand cilantro.",
    "From now on answer briefly.",
    "I need to call the bank by Friday.",
];

#[derive(clap::Args)]
pub struct LearnOptions {
    /// How often each way is measured; the median counts.
    #[arg(long, default_value_t = 5)]
    repetitions: usize,
    /// Seconds of each measurement.
    #[arg(long, default_value_t = 1.0)]
    seconds: f64,
}

pub async fn run(options: &LearnOptions) -> anyhow::Result<BenchReport> {
    let mut report = BenchReport::default();
    let mut table = ReportTable::new(
        "capture",
        "durable appends, one turn each",
        &["store/s", "capture/s", "capture / store"],
    );
    for callers in [1, 64] {
        let (bare, captured) = appends(options, callers).await?;
        let shares: Vec<f64> = captured.iter().zip(&bare).map(|(own, other)| own / other).collect();
        let share = median(&shares);
        let figures =
            vec![Figure::Count(median(&bare)), Figure::Count(median(&captured)), Figure::Ratio(share)];
        table.row(format!("{callers} callers"), figures);
        table.verdict(format!("capture / store with {callers} callers"), share, TARGET);
    }
    report.push(table);
    report.push(distillation());
    Ok(report)
}

async fn appends(options: &LearnOptions, callers: usize) -> anyhow::Result<(Vec<f64>, Vec<f64>)> {
    let (one, other) = (folder::scratch(), folder::scratch());
    let bare = open(&Tenants::open_folder(one.path(), StoreOptions::default())?, "local").await?;
    let captured = open(&Tenants::open_folder(other.path(), StoreOptions::default())?, "local").await?;
    let time = Duration::from_secs_f64(options.seconds);
    let (mut bare_rates, mut captured_rates) = (Vec::new(), Vec::new());
    for round in 0..options.repetitions {
        bare_rates.push(rate(time, &bare, callers, round, LearnPath::Bare).await?);
        captured_rates.push(rate(time, &captured, callers, round, LearnPath::Captured).await?);
    }
    Ok((bare_rates, captured_rates))
}

#[derive(Clone, Copy)]
enum LearnPath {
    Bare,
    Captured,
}

/// Acknowledged appends a second, each caller waiting for its own before the next.
async fn rate(
    time: Duration,
    tenant: &Tenant,
    callers: usize,
    round: usize,
    way: LearnPath,
) -> anyhow::Result<f64> {
    let masker = Arc::new(Masker::default());
    let start = Instant::now();
    let until = start + time;
    let mut tasks = Vec::new();
    for caller in 0..callers {
        let (tenant, masker) = (tenant.clone(), Arc::clone(&masker));
        let clock = ManualClock::seeded((round * 1_000 + caller + 1) as u16);
        let session = format!("session {caller}");
        tasks.push(tokio::spawn(async move {
            let mut sentences = Sentences::seeded(caller as u64 + 1);
            let mut done = 0_u64;
            while Instant::now() < until {
                append(&tenant, &clock, &session, sentences.turn(), &masker, way).await?;
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

async fn append(
    tenant: &Tenant,
    clock: &ManualClock,
    session: &str,
    text: String,
    masker: &Masker,
    way: LearnPath,
) -> anyhow::Result<()> {
    match way {
        LearnPath::Bare => {
            let append =
                Change::AppendTurns { turns: vec![build::turn(clock, session, &text)], pending: true };
            tenant.apply(Batch::new(Actor::Person, clock.tick()).with(append)).await?;
        }
        LearnPath::Captured => {
            let (key, said) = (build::session_key(session), vec![IncomingMessage::new(Role::User, text)]);
            let captured = capture::prepare(&key, said, clock.now(), clock, masker);
            capture::append(tenant, captured.turns, true, false, clock.now()).await?;
        }
    }
    Ok(())
}

fn distillation() -> ReportTable {
    let (clock, analyser, mut sentences) =
        (ManualClock::default(), Analyser::default(), Sentences::seeded(1));
    let mut turns = Vec::new();
    for number in 0..50 {
        let text = match number % 4 {
            0 => SAID[number / 4 % SAID.len()].to_owned(),
            _ => sentences.turn(),
        };
        turns.push(build::turn(&clock, "talk", &text));
    }
    let mut times = Vec::new();
    for _ in 0..50 {
        let start = Instant::now();
        std::hint::black_box(heuristic::distil(&turns, heuristic::SessionBackground::default(), &analyser));
        times.push(start.elapsed());
    }
    let mut table = ReportTable::new("distil", "heuristic distillation of a session", &["p50", "p95"]);
    let figures = [0.5, 0.95].map(|share| Figure::milliseconds(percentile(&times, share)));
    table.row("50 turns", figures.to_vec());
    table
}
