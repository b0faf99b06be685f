//! Keys: who is let in, as whom, and for how long; and the record of it. The same in a file and in memory.
//!
//! [`migrating`] is about control databases that other versions wrote.

mod migrating;

use std::io::Read;
use std::path::Path;

use memory::error::StoreError;
use memory::ports::Clock;
use memory::types::{AgentId, TenantId, Time};
use store::{
    AccessDecision, ApiKey, Credential, Denied, Holder, KeySecret, NewKey, Pass, Role, Tenants,
    TenantsOptions,
};
use testkit::{ManualClock, folder};

use testkit::{child, subject};

/// Runs a case on every kind of store.
async fn everywhere(case: impl AsyncFn(Tenants)) {
    let folder = folder::scratch();
    case(subject::open_folder(folder.path())).await;
    case(Tenants::in_memory(TenantsOptions::default()).expect("memory can be had")).await;
}

fn tenant(name: &str) -> TenantId {
    name.parse().expect("a tenant's name")
}

fn agent(name: &str) -> AgentId {
    name.parse().expect("an agent's name")
}

fn new(role: Role) -> NewKey {
    NewKey {
        tenant: tenant("acme"),
        role,
        name: "for tests".into(),
        agents: None,
        user: None,
        shares_user: false,
        expires_at: None,
    }
}

async fn make(tenants: &Tenants, clock: &ManualClock, new: NewKey) -> (KeySecret, ApiKey) {
    tenants.create_key(new, clock.uuid(), clock.now()).await.expect("a key can be made")
}

async fn show(tenants: &Tenants, secret: &KeySecret, now: Time) -> Result<Pass, Denied> {
    tenants.authenticate_at(Credential::Key(secret.clone()), now).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_opens_its_tenant_with_its_rights() {
    everywhere(async |tenants| {
        let clock = ManualClock::default();
        for role in [Role::Read, Role::Memory, Role::Admin] {
            let (secret, key) = make(&tenants, &clock, new(role)).await;
            let pass = show(&tenants, &secret, clock.now()).await.expect("let in");
            assert_eq!((pass.tenant(), pass.role(), pass.agents()), (&tenant("acme"), role, None));
            assert_eq!(pass.holder(), &Holder::Key(key.id));
        }
        let bound = NewKey { agents: Some(vec![agent("b"), agent("a"), agent("b")]), ..new(Role::Memory) };
        let (secret, _) = make(&tenants, &clock, bound).await;
        let pass = show(&tenants, &secret, clock.now()).await.expect("let in");
        assert_eq!(pass.agents(), Some(&[agent("a"), agent("b")][..]));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn this_machine_is_let_in_only_while_no_key_stands() {
    everywhere(async |tenants| {
        let clock = ManualClock::default();
        let loopback = async || tenants.authenticate_at(Credential::Loopback, clock.now()).await;
        let pass = loopback().await.expect("no key exists");
        assert_eq!((pass.tenant(), pass.role()), (&TenantId::local(), Role::Admin));
        let ends = clock.now().plus_seconds(60);
        let (_, first) = make(&tenants, &clock, NewKey { expires_at: Some(ends), ..new(Role::Read) }).await;
        let (_, second) = make(&tenants, &clock, new(Role::Read)).await;
        assert!(matches!(loopback().await, Err(Denied::NoKey)));
        tenants.revoke_key(&second.id, None, clock.now()).await.expect("revoked");
        clock.advance_seconds(3_600);
        assert!(matches!(loopback().await, Err(Denied::NoKey)), "an expired key opens nothing to others");
        tenants.revoke_key(&first.id, None, clock.now()).await.expect("revoked");
        assert!(matches!(loopback().await, Err(Denied::NoKey)), "revoking the last one opens nothing");
        tenants.open_door().await.expect("no key stands");
        assert!(loopback().await.is_ok(), "the operator said so");
        let operator = tenants.authenticate(Credential::Operator { tenant: tenant("acme") }).await;
        assert_eq!(operator.expect("always").role(), Role::Operator);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn keys_expire_and_are_revoked() {
    everywhere(async |tenants| {
        let clock = ManualClock::default();
        let ends = clock.now().plus_seconds(60);
        let (secret, key) =
            make(&tenants, &clock, NewKey { expires_at: Some(ends), ..new(Role::Memory) }).await;
        assert!(show(&tenants, &secret, ends.plus_seconds(-1)).await.is_ok());
        let denied = show(&tenants, &secret, ends).await.expect_err("expired");
        assert!(matches!(&denied, Denied::Expired { id, .. } if *id == key.id), "{denied:?}");
        let (secret, key) = make(&tenants, &clock, new(Role::Memory)).await;
        assert!(show(&tenants, &secret, clock.now()).await.is_ok());
        let other =
            tenants.revoke_key(&key.id, Some(&tenant("other")), clock.now()).await.expect("looked up");
        assert_eq!(other, None, "another tenant's");
        assert!(show(&tenants, &secret, clock.now()).await.is_ok(), "still good");
        let first = clock.tick();
        let revoked = tenants.revoke_key(&key.id, Some(&tenant("acme")), first).await.expect("revoked");
        assert_eq!(revoked.expect("known").revoked_at, Some(first));
        let denied = show(&tenants, &secret, clock.now()).await.expect_err("revoked");
        assert_eq!((denied.reason(), denied.key().expect("named").0), ("revoked_key", &key.id));
        let again = tenants.revoke_key(&key.id, None, clock.tick()).await.expect("again").expect("known");
        assert_eq!(again.revoked_at, Some(first), "once revoked, always revoked");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_no_key_is_told_apart_from_what_is_not_known() {
    everywhere(async |tenants| {
        let clock = ManualClock::default();
        let (secret, _) = make(&tenants, &clock, new(Role::Memory)).await;
        let text = secret.reveal();
        for typo in ["rk_", "sk-1", "", &text[..text.len() - 1], &text.to_uppercase(), &format!("{text}x")] {
            let denied = show(&tenants, &KeySecret::new(typo), clock.now()).await.expect_err(typo);
            assert_eq!(denied.reason(), "malformed_key", "{typo}");
        }
        let elsewhere = Tenants::in_memory(TenantsOptions::default()).expect("memory can be had");
        let (stranger, _) = make(&elsewhere, &clock, new(Role::Admin)).await;
        let denied = show(&tenants, &stranger, clock.now()).await.expect_err("made elsewhere");
        assert_eq!(denied.reason(), "unknown_key");
    })
    .await;
}

/// The readable beginning finds the row; it must not be enough, nor must the right secret of the wrong row.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn keys_that_begin_alike_are_told_apart_by_their_hashes() {
    let folder = folder::scratch();
    let tenants = subject::open_folder(folder.path());
    let clock = ManualClock::default();
    let (first, first_key) = make(&tenants, &clock, new(Role::Read)).await;
    let (second, second_key) = make(&tenants, &clock, new(Role::Admin)).await;
    let database = rusqlite::Connection::open(folder.path().join("control.sqlite3")).expect("opened");
    let alike = "UPDATE api_key SET prefix = ?1";
    database.execute(alike, [&first_key.prefix]).expect("changed");
    let pass = show(&tenants, &first, clock.now()).await.expect("let in");
    assert_eq!(pass.holder(), &Holder::Key(first_key.id), "not the other one");
    let denied = show(&tenants, &second, clock.now()).await.expect_err("its row says another beginning");
    assert_eq!(denied.reason(), "unknown_key");
    database.execute(alike, [&second_key.prefix]).expect("changed");
    let pass = show(&tenants, &second, clock.now()).await.expect("let in");
    assert_eq!(pass.holder(), &Holder::Key(second_key.id));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_secret_is_on_the_disk() {
    let folder = folder::scratch();
    let tenants = subject::open_folder(folder.path());
    let (secret, key) = make(&tenants, &ManualClock::default(), new(Role::Memory)).await;
    assert!(secret.reveal().starts_with(&key.prefix));
    tenants.close().await;
    drop(tenants);
    let hidden = &secret.reveal().as_bytes()[key.prefix.len()..];
    for file in std::fs::read_dir(folder.path()).expect("readable").map(|file| file.expect("readable").path())
    {
        let bytes = if file.is_file() { std::fs::read(&file).expect("readable") } else { Vec::new() };
        assert!(!bytes.windows(hidden.len()).any(|window| window == hidden), "{}", file.display());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn keys_that_make_no_sense_are_refused() {
    let tenants = Tenants::in_memory(TenantsOptions::default()).expect("memory can be had");
    let clock = ManualClock::default();
    let refused = async |new: NewKey| {
        let refused = tenants.create_key(new, clock.uuid(), clock.now()).await.expect_err("refused");
        assert!(matches!(refused, StoreError::Invalid(_)), "{refused:?}");
        refused.to_string()
    };
    assert!(
        refused(NewKey { expires_at: Some(clock.now()), ..new(Role::Read) })
            .await
            .contains("expired at once")
    );
    assert!(refused(new(Role::Operator)).await.contains("no key makes an operator"));
    let bound = NewKey { agents: Some(vec![agent("a")]), ..new(Role::Admin) };
    assert!(refused(bound).await.contains("admin"));
    refused(NewKey { agents: Some(Vec::new()), ..new(Role::Read) }).await;
    refused(NewKey { name: "x".repeat(store::limits::KEY_NAME_BYTES + 1), ..new(Role::Read) }).await;
    refused(NewKey { name: "a\nb".into(), ..new(Role::Read) }).await;
    assert!(!tenants.needs_key().await.expect("readable"), "none was made");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lists_are_by_tenant_and_newest_first() {
    everywhere(async |tenants| {
        let clock = ManualClock::default();
        let mut made = Vec::new();
        for name in ["acme", "other", "acme"] {
            made.push(make(&tenants, &clock, NewKey { tenant: tenant(name), ..new(Role::Read) }).await.1);
            clock.tick();
        }
        let ids = |keys: Vec<ApiKey>| keys.into_iter().map(|key| key.id).collect::<Vec<_>>();
        let all = ids(tenants.keys(None).await.expect("listed"));
        assert_eq!(all, [made[2].id.clone(), made[1].id.clone(), made[0].id.clone()]);
        let acme = ids(tenants.keys(Some(&tenant("acme"))).await.expect("listed"));
        assert_eq!(acme, [made[2].id.clone(), made[0].id.clone()]);
    })
    .await;
}

// ---- two processes

#[test]
fn another_process_makes_and_revokes_keys() {
    const NAME: &str = "keys::another_process_makes_and_revokes_keys";
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = runtime.expect("a runtime");
    if let Some(message) = child::role() {
        let (order, folder) = message.split_once(' ').expect("order and folder");
        return runtime.block_on(obey(order, Path::new(folder)));
    }
    let folder = folder::scratch();
    let ask = |order: &str| {
        let message = format!("{order} {}", folder.path().display());
        let mut child = child::command(NAME, &message).spawn().expect("a child starts");
        let mut printed = String::new();
        child.stdout.take().expect("piped").read_to_string(&mut printed).expect("text");
        assert!(child.wait().expect("ended").success(), "{printed}");
        let answer =
            printed.lines().find_map(|line| line.split_once("answer:")).map(|(_, answer)| answer.to_owned());
        answer.expect("an answer")
    };
    runtime.block_on(async {
        let tenants = subject::open_folder(folder.path());
        assert!(tenants.authenticate(Credential::Loopback).await.is_ok());
        let secret = KeySecret::new(ask("make"));
        let denied = tenants.authenticate(Credential::Loopback).await.expect_err("a key exists");
        assert!(matches!(denied, Denied::NoKey));
        assert!(tenants.authenticate(Credential::Key(secret.clone())).await.is_ok(), "known at once");
        assert_eq!(ask("revoke"), "1");
        let denied = tenants.authenticate(Credential::Key(secret)).await.expect_err("revoked elsewhere");
        assert_eq!(denied.reason(), "revoked_key");
        let denied = tenants.authenticate(Credential::Loopback).await.expect_err("none is left");
        assert!(matches!(denied, Denied::NoKey), "and the door stays shut");
    });
}

async fn obey(order: &str, folder: &Path) {
    let tenants = subject::open_folder(folder);
    let clock = ManualClock::default();
    if order == "make" {
        println!("answer:{}", make(&tenants, &clock, new(Role::Memory)).await.0.reveal());
        return;
    }
    let keys = tenants.keys(None).await.expect("listed");
    for key in &keys {
        tenants.revoke_key(&key.id, None, clock.now()).await.expect("revoked");
    }
    println!("answer:{}", keys.len());
}

// ---- the record

fn decision(clock: &ManualClock, caller: &str, number: usize) -> AccessDecision {
    AccessDecision {
        at: clock.now(),
        request: Some(format!("request-{number}")),
        caller: caller.to_owned(),
        tenant: Some(tenant(if number.is_multiple_of(2) { "even" } else { "odd" })),
        operation: "Search".to_owned(),
        allowed: true,
        reason: None,
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn decisions_are_kept_in_order_and_by_tenant() {
    everywhere(async |tenants| {
        let clock = ManualClock::default();
        for number in 0..10 {
            tenants.audit(decision(&clock, "operator", number));
        }
        let refused = AccessDecision {
            tenant: None,
            allowed: false,
            reason: Some("no_key".into()),
            ..decision(&clock, "unknown", 10)
        };
        tenants.audit(refused.clone());
        let all = tenants.decisions(None, 100).await.expect("readable");
        assert_eq!((all.len(), &all[0].decision), (11, &refused));
        let odd = tenants.decisions(Some(&tenant("odd")), 2).await.expect("readable");
        let requests: Vec<_> = odd.into_iter().filter_map(|row| row.decision.request).collect();
        assert_eq!(requests, ["request-9", "request-7"]);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn decisions_survive_the_process_and_show_when_keys_were_used() {
    let folder = folder::scratch();
    let clock = ManualClock::default();
    let tenants = subject::open_folder(folder.path());
    let (secret, key) = make(&tenants, &clock, new(Role::Memory)).await;
    let first = clock.now();
    tenants.audit(decision(&clock, key.id.as_str(), 1));
    clock.advance_seconds(store::limits::KEY_USE_SECONDS / 2);
    tenants.decisions(None, 1).await.expect("written");
    tenants.audit(decision(&clock, key.id.as_str(), 2));
    tenants.close().await;
    drop(tenants);
    let tenants = subject::open_folder(folder.path());
    assert_eq!(tenants.decisions(None, 100).await.expect("readable").len(), 2);
    let used = tenants.keys(None).await.expect("listed")[0].last_used_at;
    assert_eq!(used, Some(first), "not written again within the minute");
    assert!(show(&tenants, &secret, clock.now()).await.is_ok());
    clock.advance_seconds(store::limits::KEY_USE_SECONDS);
    tenants.audit(decision(&clock, key.id.as_str(), 3));
    tenants.decisions(None, 1).await.expect("written");
    assert_eq!(tenants.keys(None).await.expect("listed")[0].last_used_at, Some(clock.now()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_the_newest_decisions_are_kept() {
    let folder = folder::scratch();
    let tenants = subject::open_folder(folder.path());
    let clock = ManualClock::default();
    tenants.audit(decision(&clock, "operator", 0));
    tenants.decisions(None, 1).await.expect("written");
    let database = rusqlite::Connection::open(folder.path().join("control.sqlite3")).expect("opened");
    let last = store::limits::AUDIT_ROWS;
    database
        .execute("UPDATE sqlite_sequence SET seq = ?1 WHERE name = 'audit'", [last - 1])
        .expect("changed");
    tenants.audit(decision(&clock, "operator", 1));
    assert_eq!(tenants.decisions(None, 10).await.expect("readable").len(), 2, "as many as may be");
    tenants.audit(decision(&clock, "operator", 2));
    let kept = tenants.decisions(None, 10).await.expect("readable");
    assert_eq!(kept.iter().map(|row| row.number).collect::<Vec<_>>(), [last + 1, last], "the first is gone");
}

/// Somebody holds the control database, or it is broken: requests go on.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_record_that_cannot_be_written_breaks_nothing() {
    let folder = folder::scratch();
    let tenants = subject::open_folder(folder.path());
    let clock = ManualClock::default();
    let database = rusqlite::Connection::open(folder.path().join("control.sqlite3")).expect("opened");
    database.execute_batch("ALTER TABLE audit RENAME TO elsewhere").expect("renamed");
    let start = std::time::Instant::now();
    for number in 0..3 * store::limits::AUDIT_QUEUE {
        tenants.audit(decision(&clock, "operator", number));
    }
    assert!(start.elapsed() < std::time::Duration::from_secs(10), "{:?}", start.elapsed());
    assert!(tenants.authenticate(Credential::Loopback).await.is_ok());
    assert!(tenants.decisions(None, 1).await.is_err(), "there is no such table");
    database.execute_batch("ALTER TABLE elsewhere RENAME TO audit").expect("renamed");
    tenants.audit(decision(&clock, "operator", 7));
    let kept = tenants.decisions(None, 10).await.expect("readable again");
    assert!(kept.iter().any(|row| row.decision.request.as_deref() == Some("request-7")), "{kept:?}");
}

/// The one key that leaked is revoked: nobody gets in without one for that.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn m2_revoking_the_last_key_opens_no_door() {
    everywhere(async |tenants| {
        let clock = ManualClock::default();
        let (_, key) = make(&tenants, &clock, new(Role::Memory)).await;
        assert!(tenants.open_door().await.is_err(), "a key stands");
        tenants.revoke_key(&key.id, None, clock.now()).await.expect("revoked");
        let loopback = tenants.authenticate_at(Credential::Loopback, clock.now()).await;
        assert!(matches!(loopback, Err(Denied::NoKey)));
        assert!(!tenants.lost_its_keys().await.expect("readable"), "it is known that there was one");
    })
    .await;
}

/// Whoever takes the control database away, or puts one back from before the first key, is not let in for it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn m2_a_lost_control_database_opens_no_door() {
    let (folder, clock) = (folder::scratch(), ManualClock::default());
    let remove = || {
        for file in ["control.sqlite3", "control.sqlite3-wal", "control.sqlite3-shm"] {
            let _ = std::fs::remove_file(folder.path().join(file));
        }
    };
    let tenants = subject::open_folder(folder.path());
    drop(subject::open_tenant(&tenants, "local").await);
    let loopback = async |tenants: &Tenants| tenants.authenticate_at(Credential::Loopback, clock.now()).await;
    assert!(loopback(&tenants).await.is_ok(), "there was no key yet");
    tenants.close().await;
    drop(tenants);
    remove();
    let tenants = subject::open_folder(folder.path());
    assert!(matches!(loopback(&tenants).await, Err(Denied::NoKey)), "who had keys is not known any more");
    assert!(tenants.lost_its_keys().await.expect("readable"));
    tenants.open_door().await.expect("no key stands");
    assert!(loopback(&tenants).await.is_ok(), "the operator said so");
    make(&tenants, &clock, new(Role::Memory)).await;
    tenants.close().await;
    drop(tenants);
    remove();
    std::fs::remove_file(folder.path().join("tenants/local.sqlite3")).expect("it was there");
    let tenants = subject::open_folder(folder.path());
    assert!(matches!(loopback(&tenants).await, Err(Denied::NoKey)), "the marker remembers the key");
    tenants.close().await;
    drop(tenants);
    let tenants = subject::open_folder(folder.path());
    assert!(matches!(loopback(&tenants).await, Err(Denied::NoKey)), "and goes on remembering");
}
