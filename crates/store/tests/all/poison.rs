//! One caller's bad batch fails that caller alone, also when it shares its commit with sixty-three others.

use std::sync::Arc;

use memory::error::StoreError;
use memory::ports::{ReadStore, WriteStore};
use memory::types::{Actor, Batch, Change, Corpus, Expect, Memory};
use testkit::{ManualClock, build, folder};
use tokio::sync::Barrier;

use testkit::{integrity, subject};

const CALLERS: usize = 64;
const POISONED: usize = 31;
const ROUNDS: usize = 5;

/// Ways to fail: a rule of ours, a missing document, a uniqueness rule of the database. Each does some work before.
fn poison(kind: usize, clock: &ManualClock, taken: &Memory, batch: Batch) -> Batch {
    let batch = batch.insert(build::memory(clock, "written before the poison"));
    match kind {
        0 => batch.with(Change::Put { record: taken.clone().into(), expect: Expect::Version(99) }),
        1 => batch.with(Change::PutVector {
            corpus: Corpus::Memories,
            id: build::memory(clock, "nowhere").id.to_string(),
            signature: "test:model:1".into(),
            vector: vec![1.0],
        }),
        _ => {
            let mut twice = build::memory(clock, "the same key");
            twice.key.clone_from(&taken.key);
            batch.insert(twice)
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_poisoned_batch_among_many_fails_alone() {
    let folder = folder::scratch();
    let tenants = store::Tenants::open_folder(folder.path(), store::TenantsOptions::default())
        .expect("the folder opens");
    let tenant = subject::open_tenant(&tenants, "local").await;
    let clock = Arc::new(ManualClock::default());
    let mut taken = build::memory(&clock, "has a key");
    taken.key = Some("taken".into());
    tenant.apply(Batch::new(Actor::Person, clock.tick()).insert(taken.clone())).await.expect("in order");
    for round in 0..ROUNDS {
        let start = tenant.head().await.expect("a head");
        let commits = tenants.gauges().commits;
        let mut numbers = run_round(&tenant, &clock, &taken, round).await;
        numbers.sort_unstable();
        let expected: Vec<u64> = (start + 1..start + CALLERS as u64).collect();
        assert_eq!(numbers, expected, "63 commits with 63 numbers in a row, round {round}");
        assert_eq!(tenant.head().await.expect("a head"), start + CALLERS as u64 - 1);
        let commits = tenants.gauges().commits - commits;
        assert!(commits < CALLERS as u64, "{commits} commits: nobody shared one, so nothing was shown");
    }
    let census = tenant.census().await.expect("a census");
    assert_eq!(
        census.memories["active"],
        1 + (ROUNDS * (CALLERS - 1)) as u64,
        "nothing of the poisoned batches"
    );
    integrity::check(&folder.path().join("tenants/local.sqlite3"));
}

/// All callers at once, one of them poisoned. Gives the numbers of those that were written.
async fn run_round(
    tenant: &store::Tenant,
    clock: &Arc<ManualClock>,
    taken: &Memory,
    round: usize,
) -> Vec<u64> {
    let barrier = Arc::new(Barrier::new(CALLERS));
    let mut tasks = Vec::new();
    for caller in 0..CALLERS {
        let (tenant, clock, barrier, taken) =
            (tenant.clone(), Arc::clone(clock), Arc::clone(&barrier), taken.clone());
        tasks.push(tokio::spawn(async move {
            let batch = Batch::new(Actor::Person, clock.tick());
            let batch = if caller == POISONED {
                poison(round % 3, &clock, &taken, batch)
            } else {
                batch.insert(build::memory(&clock, &format!("caller {caller} in round {round}")))
            };
            barrier.wait().await;
            (caller, tenant.apply(batch).await)
        }));
    }
    let mut numbers = Vec::new();
    for task in tasks {
        match task.await.expect("no caller panics") {
            (POISONED, Ok(_)) => panic!("the poisoned batch was written"),
            (POISONED, Err(error)) => {
                assert!(!matches!(error, StoreError::Failed(_)), "not our failure: {error:?}")
            }
            (caller, Err(error)) => panic!("caller {caller} failed for another's mistake: {error:?}"),
            (_, Ok(written)) => numbers.push(written.number),
        }
    }
    numbers
}
