//! Files that other versions of this program wrote.
//!
//! For each schema version that was ever released there is a dump of a small database in `tests/fixtures`. A new
//! version must open every one of them, find what is in it, and end up with the schema that it makes itself. A file
//! of a newer version must be refused and left exactly as it is.
//!
//! A change of the schema comes with the dump of what it makes: `RECOLLECT_WRITE_FIXTURE=1 cargo test -p store --test
//! all migrations` writes the dump of the current version. That of a released version is never written again.

mod scopes;

use std::path::{Path, PathBuf};

use memory::error::StoreError;
use memory::language::Language;
use memory::ports::{Clock, ReadStore, WriteStore};
use memory::text::query;
use memory::types::{
    Actor, Batch, Change, ClassifierPath, Corpus, CrisisId, CrisisNote, FeedbackEntry, Filter, JudgedBy,
    Judgement, MemoryId, TenantId, Time, TurnId,
};
use rusqlite::Connection;
use store::{Credential, Tenants, TenantsOptions};
use testkit::{ManualClock, build, folder};

use crate::dump::{dump, texts, user_version};
use testkit::{integrity, subject};

/// Writes the dump of the current schema version.
const WRITE_VARIABLE: &str = "RECOLLECT_WRITE_FIXTURE";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_released_version_is_opened_and_brought_up_to_date() {
    let (current_version, current_schema) = current().await;
    for version in 1..=current_version {
        let folder = folder::scratch();
        let database = place_fixture(folder.path(), version);
        let tenant = subject::open_tenant(&subject::open_folder(folder.path()), "local").await;
        check_content(&tenant).await;
        check_feedback(&tenant, version).await;
        check_crises(&tenant, version).await;
        drop(tenant);
        let connection = Connection::open(&database).expect("the file can be opened");
        assert_eq!(user_version(&connection), current_version, "from version {version}");
        check_schema(version, &schema(&connection), &current_schema);
        integrity::check(&database);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_newer_version_is_refused_and_left_as_it_is() {
    let folder = folder::scratch();
    let tenants = subject::open_folder(folder.path());
    fill(&subject::open_tenant(&tenants, "local").await).await;
    tenants.close().await;
    let database = folder.path().join("tenants/local.sqlite3");
    {
        let connection = Connection::open(&database).expect("the file can be opened");
        let newer = user_version(&connection) + 1;
        let change = format!(
            "PRAGMA user_version = {newer}; CREATE TABLE of_the_future (x); PRAGMA wal_checkpoint(TRUNCATE);"
        );
        connection.execute_batch(&change).expect("the file can be made newer");
    }
    let before = std::fs::read(&database).expect("the file can be read");
    let tenants = subject::open_folder(folder.path());
    let credential = Credential::Operator { tenant: TenantId::local() };
    let pass = tenants.authenticate(credential).await.expect("the operator may open any tenant");
    let refused = tenants.open(&pass).await.err().expect("a newer file must be refused");
    assert!(matches!(refused, StoreError::Locked(_)), "{refused:?}");
    tenants.close().await;
    assert!(std::fs::read(&database).expect("the file can be read") == before, "the newer file was changed");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_no_database_is_refused_and_left_as_it_is() {
    let folder = folder::scratch();
    let tenants = subject::open_folder(folder.path());
    let database = folder.path().join("tenants/local.sqlite3");
    let content = b"these are somebody's notes and not a database\n".repeat(200);
    std::fs::write(&database, &content).expect("the file can be written");
    let credential = Credential::Operator { tenant: TenantId::local() };
    let pass = tenants.authenticate(credential).await.expect("the operator may open any tenant");
    let refused = tenants.open(&pass).await.err().expect("it is no database");
    assert!(matches!(refused, StoreError::Locked(_)), "{refused:?}");
    assert!(std::fs::read(&database).expect("the file can be read") == content, "the file was changed");
}

/// Other languages, or another version of the analyser, split the same texts otherwise.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_analyser_indexes_everything_anew() {
    let folder = folder::scratch();
    let tenants = subject::open_folder(folder.path());
    let tenant = subject::open_tenant(&tenants, "local").await;
    let clock = ManualClock::default();
    let memory = build::memory(&clock, "Die Katzen schliefen in den Häusern");
    let turns = vec![build::turn(&clock, "s1", "wir kauften Häuser")];
    let append = Change::AppendTurns { turns, pending: false };
    tenant
        .apply(Batch::new(Actor::Person, clock.tick()).insert(memory).with(append))
        .await
        .expect("in order");
    let head = tenant.head().await.expect("a head");
    let find = async |tenant: &store::Tenant, corpus, text| {
        let query = query::parse(text, tenant.analyser());
        tenant.nominate(corpus, &query, &Filter::ever(), 10).await.expect("searchable").len()
    };
    assert_eq!(find(&tenant, Corpus::Memories, "haus").await, 0, "English does not know the plural");
    drop(tenant);
    tenants.close().await;

    let options = TenantsOptions { languages: vec![Language::German], ..TenantsOptions::default() };
    let tenants = Tenants::open_folder(folder.path(), options).expect("the folder opens");
    let tenant = subject::open_tenant(&tenants, "local").await;
    assert_eq!(find(&tenant, Corpus::Memories, "haus").await, 1);
    assert_eq!(find(&tenant, Corpus::Turns, "haus").await, 1);
    assert_eq!(tenant.head().await.expect("a head"), head, "an index is no change");
    let statistics = tenant.statistics(Corpus::Memories, &["haus".to_owned()]).await.expect("readable");
    assert_eq!((statistics.documents, statistics.frequencies["haus"]), (1, 1));
    integrity::check(&folder.path().join("tenants/local.sqlite3"));
}

/// Says what differs, and what to do: a released migration was edited, or the one being worked on has an old fixture.
fn check_schema(version: i64, upgraded: &[String], current: &[String]) {
    let missing: Vec<&String> = current.iter().filter(|statement| !upgraded.contains(statement)).collect();
    let surplus: Vec<&String> = upgraded.iter().filter(|statement| !current.contains(statement)).collect();
    assert!(
        missing.is_empty() && surplus.is_empty(),
        "version {version} brought up to date differs from a new database.\nmissing: {missing:#?}\nsurplus: {surplus:#?}\n\
         hint: add a migration; while version {version} is unreleased, {WRITE_VARIABLE}=1 writes its fixture anew"
    );
}

// ---- what is in a fixture

async fn fill(tenant: &store::Tenant) {
    let clock = ManualClock::default();
    let mut memory = build::memory(&clock, "Ada moved to Irvine in May");
    (memory.key, memory.tags) = (Some("home".into()), vec!["place".into()]);
    let turns =
        vec![build::turn(&clock, "s1", "I moved to Irvine in May"), build::turn(&clock, "s1", "我喜欢咖啡")];
    let batch = Batch::new(Actor::Person, clock.tick())
        .with(Change::AppendTurns { turns: turns.clone(), pending: true })
        .insert(memory.clone())
        .insert(build::episode(&clock, "s1", "talked about the move"))
        .insert(build::held(&clock, "s1", "may like coffee"))
        .insert(build::entity(&clock, "Ada", &["Countess"]))
        .with(Change::PutVector {
            corpus: Corpus::Memories,
            id: memory.id.to_string(),
            signature: "test:model:2".into(),
            vector: vec![0.6, 0.8],
        })
        .with(Change::Derive {
            child: memory::types::Node::Memory(memory.id.clone()),
            parents: vec![memory::types::Node::Turn(turns[0].id.clone())],
        })
        .with(Change::SetSetting { name: "recallTopK".into(), value: Some(7.into()) })
        .with(Change::Touch { memories: vec![memory.id.clone()], at: clock.tick() });
    tenant.apply(batch).await.expect("in order");
    let judged = Change::Judge { entry: judgement(&memory.id, &turns[0].id, Judgement::Used, clock.tick()) };
    tenant.apply(Batch::new(Actor::Tool, clock.tick()).with(judged)).await.expect("in order");
    let note = Change::NoteCrisis { note: Box::new(crisis(&clock, "s1")) };
    tenant.apply(Batch::new(Actor::Tool, clock.tick()).with(note)).await.expect("in order");
    memory.content = "Ada moved to Irvine in June".into();
    tenant.apply(Batch::new(Actor::Person, clock.tick()).replace(memory)).await.expect("in order");
}

fn judgement(memory: &MemoryId, turn: &TurnId, judgement: Judgement, at: Time) -> FeedbackEntry {
    let session = Some(build::session_key("s1"));
    FeedbackEntry {
        memory: memory.clone(),
        judgement,
        by: JudgedBy::Overlap,
        session,
        turn: Some(turn.clone()),
        at,
    }
}

/// What became of recalled memories is kept since version 4; what was counted before stays, and judging goes on.
async fn check_feedback(tenant: &store::Tenant, version: i64) {
    let known = u64::from(version >= 4);
    let query = query::parse("irvine june", tenant.analyser());
    let found = tenant.nominate(Corpus::Memories, &query, &Filter::ever(), 1).await.expect("searchable");
    let id: MemoryId = found[0].id.parse().expect("an id");
    let counters = async || tenant.counters(std::slice::from_ref(&id)).await.expect("readable")[&id].clone();
    let before = counters().await;
    assert_eq!((before.use_count, before.used, before.ignored, before.wrong), (1, known, 0, 0), "{version}");
    assert_eq!(tenant.feedback_tally(None, None).await.expect("readable").total(), known);
    let clock = ManualClock::seeded(2);
    let turn = TurnId::from_uuid(clock.uuid());
    let entry = judgement(&id, &turn, Judgement::Wrong, clock.tick());
    let batch = Batch::new(Actor::Tool, clock.tick()).with(Change::Judge { entry: entry.clone() });
    tenant.apply(batch).await.expect("an upgraded file takes judgements");
    assert_eq!(counters().await.wrong, 1);
    assert_eq!(tenant.feedback_of(&[id], 1).await.expect("readable"), [entry]);
}

/// Records of crises are kept since version 8, apart from everything else; an older file takes them from now on.
async fn check_crises(tenant: &store::Tenant, version: i64) {
    let clock = ManualClock::seeded(3);
    let listed = async || tenant.crises(None, clock.tick(), 10).await.expect("readable");
    assert_eq!(listed().await.len(), usize::from(version >= 8), "{version}");
    let head = tenant.head().await.expect("a head");
    let note = Change::NoteCrisis { note: Box::new(crisis(&clock, "s2")) };
    tenant.apply(Batch::new(Actor::Tool, clock.tick()).with(note)).await.expect("an upgraded file takes it");
    assert_eq!(listed().await.len(), usize::from(version >= 8) + 1, "{version}");
    assert_eq!(tenant.head().await.expect("a head"), head, "it is no change of memory");
    let of = Some(build::session_key("s2"));
    let found = tenant.crises(of, clock.tick(), 10).await.expect("readable").remove(0);
    assert_eq!((found.level, found.session_hash.len()), (2, 64));
    tenant
        .apply(Batch::new(Actor::Person, clock.tick()).with(Change::RemoveCrises { ids: vec![found.id] }))
        .await
        .expect("it goes");
    assert_eq!(listed().await.len(), usize::from(version >= 8), "{version}");
}

fn crisis(clock: &ManualClock, session: &str) -> CrisisNote {
    CrisisNote {
        id: CrisisId::from_uuid(clock.uuid()),
        session: build::session_key(session),
        turn: None,
        level: 2,
        reason: "a classifier was sure".into(),
        path: ClassifierPath::LlmPrimary,
        at: clock.tick(),
        until: None,
    }
}

async fn check_content(tenant: &store::Tenant) {
    let find = async |corpus, text| {
        let query = query::parse(text, tenant.analyser());
        tenant.nominate(corpus, &query, &Filter::ever(), 10).await.expect("searchable")
    };
    let found = find(Corpus::Memories, "irvine june").await;
    let memory = tenant.memories(&[found[0].id.parse().expect("an id")]).await.expect("readable").remove(0);
    assert_eq!((memory.content.as_str(), memory.version), ("Ada moved to Irvine in June", 2));
    assert_eq!(find(Corpus::Turns, "咖啡").await.len(), 1);
    assert_eq!(find(Corpus::Episodes, "move").await.len(), 1);
    let census = tenant.census().await.expect("a census");
    assert_eq!((census.turns, census.pending, census.held, census.entities), (2, 2, 1, 1));
    let events = tenant.history(&memory::types::RecordRef::memory(&memory.id)).await.expect("readable");
    assert_eq!(events.len(), 2);
    let clock = ManualClock::seeded(1);
    let batch =
        Batch::new(Actor::Person, clock.tick()).insert(build::memory(&clock, "written by the new version"));
    tenant.apply(batch).await.expect("an upgraded file can be written");
    assert_eq!(find(Corpus::Memories, "written").await.len(), 1);
}

// ---- fixtures as files

fn fixture(version: i64) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/fixtures/schema_v{version}.sql"))
}

/// Makes the database of that version where the store will look for it.
fn place_fixture(folder: &Path, version: i64) -> PathBuf {
    let path = fixture(version);
    let sql = std::fs::read_to_string(&path);
    let sql = sql.unwrap_or_else(|error| {
        panic!("{}: {error}; the top of this file says how to make it", path.display())
    });
    std::fs::create_dir_all(folder.join("tenants")).expect("a folder can be made");
    let database = folder.join("tenants/local.sqlite3");
    let connection = Connection::open(&database).expect("a file can be made");
    connection.execute_batch(&sql).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert_eq!(user_version(&connection), version);
    database
}

/// The version and schema that this program makes. Writes their fixture if it was asked to.
async fn current() -> (i64, Vec<String>) {
    let folder = folder::scratch();
    let tenants = subject::open_folder(folder.path());
    fill(&subject::open_tenant(&tenants, "local").await).await;
    tenants.close().await;
    let connection =
        Connection::open(folder.path().join("tenants/local.sqlite3")).expect("the file can be opened");
    let version = user_version(&connection);
    let path = fixture(version);
    if std::env::var_os(WRITE_VARIABLE).is_some() {
        std::fs::write(&path, dump(&connection)).expect("the fixture can be written");
        println!("wrote {}", path.display());
    }
    (version, schema(&connection))
}

fn schema(connection: &Connection) -> Vec<String> {
    texts(connection, "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type, name")
}
