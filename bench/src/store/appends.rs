//! Durable appends of one turn each, from one caller, from many, and on many tenants, beside plain SQLite.
//!
//! Each way of writing has a folder of its own. They are measured in turn, again and again, so that a slow moment of
//! the machine falls on all of them.

use std::sync::Arc;
use std::time::{Duration, Instant};

use memory::ports::WriteStore;
use memory::types::{Actor, Batch, Change};
use store::{Tenant, Tenants, TenantsOptions};
use tempfile::TempDir;
use testkit::{ManualClock, build, folder, fsyncs};

use super::floor::StoreFloor;
use super::open;
use crate::report::{Figure, ReportTable, median};
use crate::text::Sentences;

const CALLERS: usize = 64;

/// The share of the batched floor that 64 callers must reach.
const TARGET: f64 = 0.5;

/// A way of writing.
enum AppendMethod {
    Floor { floor: Box<StoreFloor>, batch: usize },
    Store { tenants: Vec<Tenant>, callers: usize },
}

struct AppendContender {
    label: &'static str,
    way: AppendMethod,
    clock: Arc<ManualClock>,
    per_second: Vec<f64>,
    syncs: u64,
    acknowledged: u64,
    folder: TempDir,
}

pub async fn run(repetitions: usize, seconds: f64) -> anyhow::Result<ReportTable> {
    let mut contenders = vec![
        floor("plain SQLite, one transaction each", 1, 1).await?,
        floor("plain SQLite, 64 in a transaction", CALLERS, 2).await?,
        store("store, 1 caller", 1, 1, 3).await?,
        store("store, 64 callers", CALLERS, 1, 4).await?,
        store("store, 64 callers on 64 tenants", CALLERS, CALLERS, 5).await?,
    ];
    for _ in 0..repetitions {
        for contender in &mut contenders {
            contender.measure(Duration::from_secs_f64(seconds)).await?;
        }
    }
    StoreFloor::check_same_tables(&database(&contenders[1].folder), &database(&contenders[3].folder))?;
    Ok(table(&contenders))
}

fn database(folder: &TempDir) -> std::path::PathBuf {
    folder.path().join("tenants/tenant-0.sqlite3")
}

async fn floor(label: &'static str, batch: usize, seed: u16) -> anyhow::Result<AppendContender> {
    let folder = folder::scratch();
    let tenants = Tenants::open_folder(folder.path(), TenantsOptions::default())?;
    // The store makes the tables; then it leaves, and plain SQLite has the file for itself.
    drop(open(&tenants, "tenant-0").await?);
    tenants.close().await;
    let floor = Box::new(StoreFloor::open(&database(&folder))?);
    Ok(AppendContender::new(label, AppendMethod::Floor { floor, batch }, folder, seed))
}

async fn store(
    label: &'static str,
    callers: usize,
    count: usize,
    seed: u16,
) -> anyhow::Result<AppendContender> {
    let folder = folder::scratch();
    let all = Tenants::open_folder(folder.path(), TenantsOptions::default())?;
    let mut tenants = Vec::new();
    for number in 0..count {
        tenants.push(open(&all, &format!("tenant-{number}")).await?);
    }
    Ok(AppendContender::new(label, AppendMethod::Store { tenants, callers }, folder, seed))
}

impl AppendContender {
    fn new(label: &'static str, way: AppendMethod, folder: TempDir, seed: u16) -> Self {
        let clock = Arc::new(ManualClock::seeded(seed));
        Self { label, way, clock, per_second: Vec::new(), syncs: 0, acknowledged: 0, folder }
    }

    async fn measure(&mut self, time: Duration) -> anyhow::Result<()> {
        let syncs = fsyncs::count();
        let (acknowledged, spent) = match &mut self.way {
            AppendMethod::Floor { floor, batch } => floor.append_for(time, *batch, &self.clock)?,
            AppendMethod::Store { tenants, callers } => {
                append_for(time, tenants, *callers, &self.clock).await?
            }
        };
        self.per_second.push(acknowledged as f64 / spent.as_secs_f64());
        self.syncs += fsyncs::count() - syncs;
        self.acknowledged += acknowledged;
        Ok(())
    }

    /// How fast it is beside another: the median over the rounds, in each of which both met the same machine.
    fn share_of(&self, other: &AppendContender) -> f64 {
        let shares: Vec<f64> =
            self.per_second.iter().zip(&other.per_second).map(|(own, other)| own / other).collect();
        median(&shares)
    }
}

/// Lets the callers append, each to a session of its own, each waiting for its acknowledgement before the next.
async fn append_for(
    time: Duration,
    tenants: &[Tenant],
    callers: usize,
    clock: &Arc<ManualClock>,
) -> anyhow::Result<(u64, Duration)> {
    let start = Instant::now();
    let until = start + time;
    let mut tasks = Vec::new();
    for caller in 0..callers {
        let (tenant, clock) = (tenants[caller % tenants.len()].clone(), Arc::clone(clock));
        tasks.push(tokio::spawn(async move {
            let session = build::session_key(&format!("session {caller}"));
            let (mut sentences, mut acknowledged) = (Sentences::seeded(caller as u64), 0);
            while Instant::now() < until {
                let turn = build::turn_in(&clock, &session, &sentences.turn());
                let append = Change::AppendTurns { turns: vec![turn], pending: false };
                tenant.apply(Batch::new(Actor::Person, clock.tick()).with(append)).await?;
                acknowledged += 1;
            }
            anyhow::Ok(acknowledged)
        }));
    }
    let mut acknowledged = 0;
    for task in tasks {
        acknowledged += task.await??;
    }
    Ok((acknowledged, start.elapsed()))
}

fn table(contenders: &[AppendContender]) -> ReportTable {
    let columns = ["per second", "slowest", "fastest", "of 64 floor", "syncs per ack"];
    let mut table = ReportTable::new("appends", "durable appends, one turn each", &columns);
    for contender in contenders {
        let slowest = contender.per_second.iter().copied().fold(f64::MAX, f64::min);
        let fastest = contender.per_second.iter().copied().fold(0.0, f64::max);
        let syncs = contender.syncs as f64 / contender.acknowledged.max(1) as f64;
        let figures = vec![
            Figure::Count(median(&contender.per_second)),
            Figure::Count(slowest),
            Figure::Count(fastest),
            Figure::Ratio(contender.share_of(&contenders[1])),
            Figure::Ratio(syncs),
        ];
        table.row(contender.label, figures);
    }
    let reached = contenders[3].share_of(&contenders[1]);
    table.verdict("64 callers / floor of 64 in a transaction", reached, TARGET);
    table
}
