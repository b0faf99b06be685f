//! Nothing is acknowledged before the disk was told, shown by counting.
//!
//! The counter belongs to the process and other tests write too, so each measurement runs in a process of its own.

use std::sync::Arc;

use memory::ports::WriteStore;
use memory::types::{Actor, Batch, Change};
use store::{Tenants, TenantsOptions, WriteDurability};
use testkit::{ManualClock, build, folder, fsyncs};

use testkit::{child, subject};

const CALLERS: u16 = 64;
const WRITES_PER_CALLER: u64 = 10;

/// What was counted while writing.
struct WriteCounts {
    acknowledged: u64,
    syncs: u64,
    commits: u64,
}

#[test]
fn a_lone_caller_pays_a_sync_for_each_write() {
    if child::role().is_none() {
        return child::run("durability::a_lone_caller_pays_a_sync_for_each_write");
    }
    let measured = measure(WriteDurability::Full, 1, 50, true);
    assert_eq!(measured.commits, measured.acknowledged, "nobody to share a commit with");
    assert!(measured.syncs >= measured.acknowledged);
}

#[test]
fn many_callers_share_syncs_and_each_waits_for_one() {
    if child::role().is_none() {
        return child::run("durability::many_callers_share_syncs_and_each_waits_for_one");
    }
    let measured = measure(WriteDurability::Full, CALLERS, WRITES_PER_CALLER, true);
    assert!(measured.syncs >= measured.commits, "every commit is synced");
    assert!(measured.syncs < measured.acknowledged, "callers share commits");
}

/// The counter tells the two durabilities apart, so the tests above show something.
#[test]
fn with_less_durability_there_are_hardly_any_syncs() {
    if child::role().is_none() {
        return child::run("durability::with_less_durability_there_are_hardly_any_syncs");
    }
    let measured = measure(WriteDurability::Normal, 1, 50, false);
    assert!(measured.syncs < measured.acknowledged / 5);
}

/// Lets the callers write at once. Where `each_waits`, every single write must see a sync end between being handed in
/// and being acknowledged.
fn measure(durability: WriteDurability, callers: u16, writes: u64, each_waits: bool) -> WriteCounts {
    fsyncs::install();
    let folder = folder::scratch();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let measured = runtime.expect("a runtime").block_on(async {
        let options = TenantsOptions { durability, ..TenantsOptions::default() };
        let tenants = Tenants::open_folder(folder.path(), options).expect("the folder opens");
        let tenant = subject::open_tenant(&tenants, "local").await;
        let (syncs, commits) = (fsyncs::count(), tenants.gauges().commits);
        let mut tasks = Vec::new();
        for caller in 0..callers {
            let clock = Arc::new(ManualClock::seeded(caller));
            tasks.push(tokio::spawn(write(tenant.clone(), clock, writes, each_waits)));
        }
        for task in tasks {
            task.await.expect("no write failed");
        }
        let acknowledged = u64::from(callers) * writes;
        WriteCounts {
            acknowledged,
            syncs: fsyncs::count() - syncs,
            commits: tenants.gauges().commits - commits,
        }
    });
    let WriteCounts { acknowledged, syncs, commits } = measured;
    println!(
        "{durability:?}, {callers} callers: {acknowledged} acknowledged, {commits} commits, {syncs} syncs"
    );
    measured
}

async fn write(tenant: store::Tenant, clock: Arc<ManualClock>, writes: u64, each_waits: bool) {
    for number in 0..writes {
        let turn = build::turn(&clock, "session", &format!("turn {number}"));
        let append = Change::AppendTurns { turns: vec![turn], pending: false };
        let before = fsyncs::count();
        tenant
            .apply(Batch::new(Actor::Person, clock.tick()).with(append))
            .await
            .expect("the batch is in order");
        assert!(!each_waits || fsyncs::count() > before, "write {number} was acknowledged before any sync");
    }
}
