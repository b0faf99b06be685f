//! Control databases that other versions wrote: opened, brought up to date, nothing lost. Their dumps are in
//! `tests/fixtures/control_v*.sql`, written as the top of `migrations.rs` says.

use std::path::{Path, PathBuf};

use memory::ports::Clock;
use memory::types::Time;
use rusqlite::Connection;
use store::{Credential, Role, Tenants};
use testkit::{ManualClock, folder};

use super::{decision, make, new, tenant};
use crate::dump::{dump, texts, user_version};
use testkit::subject;

const WRITE_VARIABLE: &str = "RECOLLECT_WRITE_FIXTURE";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_released_control_database_is_brought_up_to_date() {
    let (newest, schema) = current().await;
    assert!(newest >= 2);
    for version in 1..=newest {
        let folder = folder::scratch();
        let path = fixture(version);
        let sql =
            std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let database = folder.path().join("control.sqlite3");
        let connection = Connection::open(&database).expect("a file can be made");
        connection.execute_batch(&sql).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_eq!(user_version(&connection), version);
        drop(connection);
        let tenants = subject::open_folder(folder.path());
        check(&tenants, version).await;
        let connection = Connection::open(&database).expect("opened");
        assert_eq!(
            (user_version(&connection), schema_of(&connection)),
            (newest, schema.clone()),
            "from {version}"
        );
    }
}

async fn check(tenants: &Tenants, version: i64) {
    assert_eq!(tenants.list().await.expect("listed"), [tenant("acme"), tenant("local")]);
    assert_eq!(tenants.default_settings().await.expect("settings")["recallTopK"], 7);
    let now: Time = "2026-01-01T00:00:10Z".parse().expect("a time");
    assert!(!tenants.lease("tend", "another", 5, now).await.expect("asked"), "still held");
    let keys = tenants.keys(None).await.expect("listed");
    assert_eq!(keys.len(), if version == 1 { 0 } else { 1 });
    assert_eq!(tenants.authenticate(Credential::Loopback).await.is_ok(), version == 1);
    let (secret, _) = make(tenants, &ManualClock::seeded(1), new(Role::Admin)).await;
    assert!(super::show(tenants, &secret, now).await.is_ok(), "keys work from here on");
    tenants.audit(decision(&ManualClock::default(), "operator", 1));
    assert!(!tenants.decisions(None, 10).await.expect("readable").is_empty());
}

/// The version and schema that this program makes. Writes their fixture if it was asked to.
async fn current() -> (i64, Vec<String>) {
    let folder = folder::scratch();
    let tenants = subject::open_folder(folder.path());
    let clock = ManualClock::default();
    for name in ["acme", "local"] {
        subject::open_tenant(&tenants, name).await;
    }
    tenants.set_default_setting("recallTopK", Some(7.into())).await.expect("set");
    assert!(tenants.lease("tend", "somebody", 3_600, clock.now()).await.expect("taken"));
    make(&tenants, &clock, new(Role::Memory)).await;
    tenants.audit(decision(&clock, "operator", 1));
    tenants.close().await;
    let connection = Connection::open(folder.path().join("control.sqlite3")).expect("opened");
    let version = user_version(&connection);
    if std::env::var_os(WRITE_VARIABLE).is_some() {
        std::fs::write(fixture(version), dump(&connection)).expect("the fixture can be written");
    }
    (version, schema_of(&connection))
}

fn fixture(version: i64) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/fixtures/control_v{version}.sql"))
}

fn schema_of(connection: &Connection) -> Vec<String> {
    texts(connection, "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type, name")
}
