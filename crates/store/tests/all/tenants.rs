//! Many tenants: what they hold is bounded, and nothing crosses from one to another.

use std::slice::from_ref;
use std::sync::Arc;

use memory::error::StoreError;
use memory::ports::{Clock, ReadStore, WriteStore};
use memory::types::{Actor, Batch, Change, Corpus, Filter, Node, PageRequest, RecordRef};
use store::{Credential, Tenants, TenantsOptions, WriteDurability};
use testkit::{ManualClock, build, folder, process};

use testkit::{child, subject};

const TENANTS: usize = 600;
const OPEN_TENANTS: usize = 64;
/// Threads that the runtime may use for reads.
const BLOCKING_THREADS: usize = 16;

/// Descriptors and threads are counted per process, and other tests have some too: so, a process of its own.
#[test]
fn hundreds_of_tenants_stay_within_their_bounds() {
    if child::role().is_none() {
        return child::run("tenants::hundreds_of_tenants_stay_within_their_bounds");
    }
    let folder = folder::scratch();
    let options = TenantsOptions {
        durability: WriteDurability::Normal,
        open_tenants: OPEN_TENANTS,
        ..TenantsOptions::default()
    };
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    let runtime = runtime.worker_threads(2).max_blocking_threads(BLOCKING_THREADS).enable_all().build();
    runtime.expect("a runtime").block_on(async {
        let tenants = Tenants::open_folder(folder.path(), options).expect("the folder opens");
        let clock = Arc::new(ManualClock::default());
        let mut most = (0, 0);
        for number in 0..TENANTS {
            let tenant = subject::open_tenant(&tenants, &format!("tenant-{number}")).await;
            let memory = build::memory(&clock, &format!("secret {number}"));
            tenant.apply(Batch::new(Actor::Person, clock.tick()).insert(memory)).await.expect("in order");
            most =
                (most.0.max(tenants.gauges().open_tenants), most.1.max(process::descriptors().unwrap_or(0)));
            assert!(most.0 <= OPEN_TENANTS, "{most:?} after {number}");
        }
        all_at_once(&tenants, &clock).await;
        let threads = process::threads().unwrap_or(0);
        println!("{TENANTS} tenants: at most {} open, {} descriptors, {threads} threads", most.0, most.1);
        let bound = OPEN_TENANTS * store::limits::DESCRIPTORS_PER_TENANT + 64;
        assert!(most.1 <= bound, "{} descriptors, at most {bound} expected", most.1);
        assert!(threads <= store::limits::WRITER_THREADS + BLOCKING_THREADS + 8, "{threads} threads");
    });
}

/// Every tenant is active at the same time, more of them than may be open.
async fn all_at_once(tenants: &Tenants, clock: &Arc<ManualClock>) {
    let mut tasks = Vec::new();
    for number in 0..TENANTS {
        let (tenants, clock) = (tenants.clone(), Arc::clone(clock));
        tasks.push(tokio::spawn(async move {
            let tenant = subject::open_tenant(&tenants, &format!("tenant-{number}")).await;
            let memory = build::memory(&clock, &format!("another secret {number}"));
            tenant.apply(Batch::new(Actor::Person, clock.tick()).insert(memory)).await.expect("in order");
            let page = tenant.list_memories(&Filter::ever(), PageRequest::first(10)).await.expect("readable");
            let mut contents: Vec<String> = page.items.into_iter().map(|memory| memory.content).collect();
            contents.sort();
            assert_eq!(contents, [format!("another secret {number}"), format!("secret {number}")]);
            assert!(tenants.gauges().open_tenants <= OPEN_TENANTS);
        }));
    }
    for task in tasks {
        task.await.expect("every tenant was served");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_tenants_ids_open_nothing() {
    let folder = folder::scratch();
    for tenants in
        [subject::open_folder(folder.path()), Tenants::in_memory(TenantsOptions::default()).expect("memory")]
    {
        let (mine, other) =
            (subject::open_tenant(&tenants, "mine").await, subject::open_tenant(&tenants, "other").await);
        let clock = ManualClock::default();
        let (memory, turn) =
            (build::memory(&clock, "a secret of mine"), build::turn(&clock, "s1", "a secret said"));
        let batch = Batch::new(Actor::Person, clock.tick())
            .insert(memory.clone())
            .with(Change::AppendTurns { turns: vec![turn.clone()], pending: true })
            .with(Change::Derive {
                child: Node::Memory(memory.id.clone()),
                parents: vec![Node::Turn(turn.id.clone())],
            });
        mine.apply(batch).await.expect("in order");
        assert_eq!(mine.memories(from_ref(&memory.id)).await.expect("readable")[0].tenant.as_str(), "mine");

        let of = RecordRef::memory(&memory.id);
        assert_eq!(other.memories(from_ref(&memory.id)).await.expect("readable"), []);
        assert_eq!(other.turns(from_ref(&turn.id)).await.expect("readable"), []);
        assert_eq!(other.history(&of).await.expect("readable"), []);
        assert_eq!(other.parents(&Node::Memory(memory.id.clone())).await.expect("readable"), []);
        assert_eq!(other.session_turns(&turn.session, 0, 10).await.expect("readable"), []);
        assert_eq!(other.pending(10).await.expect("readable"), []);
        assert_eq!(other.admit(Corpus::Memories, &[1, 2, 3], &Filter::ever()).await.expect("readable"), []);
        assert_eq!((other.head().await.expect("a head"), mine.head().await.expect("a head")), (0, 1));
        let purge = Batch::new(Actor::Person, clock.tick()).with(Change::Purge { of });
        assert_eq!(other.apply(purge).await.expect("in order").removed, 0);
        assert_eq!(mine.memories(from_ref(&memory.id)).await.expect("readable").len(), 1);
        tenants.close().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_tenant_is_made_when_it_is_first_opened_and_listed_then() {
    let folder = folder::scratch();
    let tenants = subject::open_folder(folder.path());
    assert_eq!(tenants.list().await.expect("readable"), []);
    subject::open_tenant(&tenants, "team-7").await;
    let second = subject::open_folder(folder.path());
    assert_eq!(second.list().await.expect("readable"), ["team-7".parse().expect("a name")]);
    assert!(second.exists(&"team-7".parse().expect("a name")).await.expect("readable"));
    assert!(folder.path().join("tenants/team-7.sqlite3").exists());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn loopback_opens_the_tenant_of_this_machine() {
    let tenants = Tenants::in_memory(TenantsOptions::default()).expect("memory");
    let pass = tenants.authenticate(Credential::Loopback).await.expect("no key exists");
    assert_eq!(pass.tenant().as_str(), "local");
    assert_eq!(tenants.open(&pass).await.expect("it opens").id().as_str(), "local");
}

/// More held handles than may be open is too much at once, and is said so.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_held_tenant_is_never_closed_under_its_holder() {
    let folder = folder::scratch();
    let options =
        TenantsOptions { durability: WriteDurability::Normal, open_tenants: 2, ..TenantsOptions::default() };
    let tenants = Tenants::open_folder(folder.path(), options).expect("the folder opens");
    let (one, two) =
        (subject::open_tenant(&tenants, "one").await, subject::open_tenant(&tenants, "two").await);
    let credential = Credential::Operator { tenant: "three".parse().expect("a name") };
    let pass = tenants.authenticate(credential).await.expect("the operator may open any tenant");
    let refused = tenants.open(&pass).await.err().expect("both seats are held");
    assert!(matches!(refused, StoreError::Busy(_)), "{refused:?}");
    drop(two);
    tenants.open(&pass).await.expect("a seat is free");
    let clock = ManualClock::default();
    one.apply(Batch::new(Actor::Person, clock.tick()).insert(build::memory(&clock, "still here")))
        .await
        .expect("open");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_holder_at_a_time_has_a_lease() {
    let folder = folder::scratch();
    let (tenants, second) = (subject::open_folder(folder.path()), subject::open_folder(folder.path()));
    let clock = ManualClock::default();
    let now = clock.now();
    assert!(tenants.lease("tend", "a", 60, now).await.expect("a lease"));
    assert!(!second.lease("tend", "b", 60, now).await.expect("a lease"), "another process has it");
    assert!(second.lease("other", "b", 60, now).await.expect("a lease"), "another name is another lease");
    assert!(
        tenants.lease("tend", "a", 60, now.plus_seconds(50)).await.expect("a lease"),
        "its holder renews it"
    );
    assert!(
        !second.lease("tend", "b", 60, now.plus_seconds(70)).await.expect("a lease"),
        "renewed until 110"
    );
    assert!(second.lease("tend", "b", 60, now.plus_seconds(110)).await.expect("a lease"), "it ran out");
    assert!(!tenants.release_lease("tend", "a").await.expect("a lease"), "not a's any more");
    assert!(second.release_lease("tend", "b").await.expect("a lease"));
    assert!(
        tenants.lease("tend", "a", 60, now.plus_seconds(111)).await.expect("a lease"),
        "it was given back"
    );
}
