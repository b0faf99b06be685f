//! A thousand tenants, all of them active: what they hold and how long their callers wait.
//!
//! More tenants than may be open at once, asked for in random order, so that most calls must open one and close
//! another: the worst that a server with many small customers can meet.

use std::sync::Arc;
use std::time::{Duration, Instant};

use memory::ports::{ReadStore, WriteStore};
use memory::text::query;
use memory::types::{Actor, Batch, Change, Corpus, Filter};
use store::{Tenants, TenantsOptions};
use testkit::{ManualClock, Random, build, folder, process};

use super::open;
use crate::report::{Figure, ReportTable, percentile};
use crate::text::Sentences;

const CALLERS: usize = 64;
const CALLS_PER_CALLER: usize = 60;
const TURNS_PER_TENANT: usize = 50;

pub async fn run(count: usize) -> anyhow::Result<ReportTable> {
    let folder = folder::scratch();
    let tenants = Tenants::open_folder(folder.path(), TenantsOptions::default())?;
    let clock = Arc::new(ManualClock::default());
    fill(&tenants, &clock, count).await?;
    let mut calls = Vec::new();
    for caller in 0..CALLERS {
        let (tenants, clock) = (tenants.clone(), Arc::clone(&clock));
        calls.push(tokio::spawn(async move { call(&tenants, &clock, count, caller as u64).await }));
    }
    let (mut appends, mut searches) = (Vec::new(), Vec::new());
    let start = Instant::now();
    for task in calls {
        let (own_appends, own_searches) = task.await??;
        appends.extend(own_appends);
        searches.extend(own_searches);
    }
    let per_second = (appends.len() + searches.len()) as f64 / start.elapsed().as_secs_f64();
    Ok(table(count, &tenants, per_second, &appends, &searches))
}

async fn fill(tenants: &Tenants, clock: &ManualClock, count: usize) -> anyhow::Result<()> {
    let mut sentences = Sentences::seeded(4);
    for number in 0..count {
        let tenant = open(tenants, &format!("tenant-{number}")).await?;
        let turns = (0..TURNS_PER_TENANT).map(|_| build::turn(clock, "talk", &sentences.turn())).collect();
        let append = Change::AppendTurns { turns, pending: false };
        tenant.apply(Batch::new(Actor::Import, clock.tick()).with(append)).await?;
    }
    Ok(())
}

/// One caller: an append and a search on a random tenant, opened for the call as a server would.
async fn call(
    tenants: &Tenants,
    clock: &ManualClock,
    count: usize,
    seed: u64,
) -> anyhow::Result<(Vec<Duration>, Vec<Duration>)> {
    let (mut random, mut sentences) = (Random::seeded(seed), Sentences::seeded(seed));
    let (mut appends, mut searches) = (Vec::new(), Vec::new());
    for _ in 0..CALLS_PER_CALLER {
        let start = Instant::now();
        let tenant = open(tenants, &format!("tenant-{}", random.below(count))).await?;
        let turns = vec![build::turn(clock, "talk", &sentences.turn())];
        let append = Change::AppendTurns { turns, pending: false };
        tenant.apply(Batch::new(Actor::Person, clock.tick()).with(append)).await?;
        drop(tenant);
        appends.push(start.elapsed());
        let start = Instant::now();
        let tenant = open(tenants, &format!("tenant-{}", random.below(count))).await?;
        let query = query::plain(&sentences.question(), tenant.analyser());
        tenant.nominate(Corpus::Turns, &query, &Filter::ever(), 10).await?;
        searches.push(start.elapsed());
    }
    Ok((appends, searches))
}

fn table(
    count: usize,
    tenants: &Tenants,
    per_second: f64,
    appends: &[Duration],
    searches: &[Duration],
) -> ReportTable {
    let mut table =
        ReportTable::new("tenants", format!("{count} active tenants, {CALLERS} callers"), &["measured"]);
    let mut row = |label: &str, figure| table.row(label, vec![figure]);
    row("calls per second", Figure::Count(per_second));
    for (what, times) in [("append", appends), ("search", searches)] {
        for (name, share) in [("p50", 0.5), ("p95", 0.95)] {
            row(&format!("open and {what}, {name}"), Figure::milliseconds(percentile(times, share)));
        }
    }
    row("tenants open", Figure::Count(tenants.gauges().open_tenants as f64));
    row("descriptors", Figure::Count(process::descriptors().unwrap_or(0) as f64));
    row("threads", Figure::Count(process::threads().unwrap_or(0) as f64));
    row("resident memory", Figure::Mebibytes(process::resident_bytes().unwrap_or(0) as f64 / 1_048_576.0));
    table
}
