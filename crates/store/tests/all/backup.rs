//! A backup holds what the store holds, row for row, and a restore puts exactly that in place.

use std::path::Path;
use std::sync::Arc;

use memory::ports::WriteStore;
use memory::types::{Actor, Batch, Change, RecordRef, TenantId};
use rusqlite::Connection;
use store::backup::{
    self, BackupError, BackupResult, BackupSource, BackupTaken, Checked, Manifest, RestoredBackup, Shelf,
    Wanted,
};
use store::{SystemClock, TenantsOptions};
use testkit::{ManualClock, build, folder};

use crate::dump::dump;
use testkit::subject;

fn take(data: &Path, shelf: &Path) -> BackupTaken {
    let source = BackupSource {
        data: data.to_owned(),
        config: None,
        program: "test".into(),
        clock: Arc::new(SystemClock),
    };
    backup::take(&source, shelf, 0, &mut |_, _| ()).expect("a backup")
}

fn verified(shelf: &Path) -> (backup::Generation, Manifest) {
    let generation = Shelf::at(shelf).choose(None).expect("one is there");
    let manifest = backup::verify(&generation, &mut Checked::default(), &mut |_, _| ()).expect("whole");
    (generation, manifest)
}

async fn restore(shelf: &Path, data: &Path, with_purged: bool) -> BackupResult<RestoredBackup> {
    let (generation, manifest) = verified(shelf);
    let options = TenantsOptions::default();
    let wanted =
        Wanted { generation: &generation, manifest: &manifest, data, tenant: None, options, with_purged };
    backup::stage(wanted, &mut |_, _| ()).await?.install()
}

/// Everything in a tenant's database; in which order the schema was made says nothing.
fn dumped(data: &Path, tenant: &str) -> String {
    let path = data.join(format!("tenants/{tenant}.sqlite3"));
    let dumped = dump(&Connection::open(path).expect("opens"));
    // When a change was committed by the machine's clock differs from restore to restore.
    let mut lines: Vec<&str> =
        dumped.lines().filter(|line| !line.starts_with("INSERT INTO change_log ")).collect();
    lines.sort_unstable();
    lines.join("\n")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn row_for_row_the_same() {
    let (home, shelf, clock) = (folder::scratch(), folder::scratch(), ManualClock::default());
    let data = home.path().join("data");
    let tenants = subject::open_folder(&data);
    for name in ["local", "team-7"] {
        let tenant = subject::open_tenant(&tenants, name).await;
        let turns = vec![
            build::turn(&clock, "s1", "I moved to Irvine in May"),
            build::turn(&clock, "s1", "我喜欢咖啡"),
        ];
        let batch = Batch::new(Actor::Person, clock.tick())
            .with(Change::AppendTurns { turns, pending: true })
            .insert(build::memory(&clock, "Ada moved to Irvine in May"))
            .insert(build::episode(&clock, "s1", "talked about the move"))
            .insert(build::entity(&clock, "Ada", &["Countess"]));
        tenant.apply(batch).await.expect("in order");
    }
    // While the store is open, with everything still in the log.
    let taken = take(&data, shelf.path());
    assert_eq!(taken.manifest.files.len(), 3);
    let (before, other) = (dumped(&data, "team-7"), home.path().join("other"));
    restore(shelf.path(), &other, false).await.expect("restored");
    assert_eq!(dumped(&other, "team-7"), before);
    assert_eq!(dumped(&other, "local"), dumped(&data, "local"));
    // Held open, it is not replaced.
    let refused = restore(shelf.path(), &data, false).await.expect_err("in use");
    assert!(matches!(refused, BackupError::Busy(_)), "{refused:?}");
    tenants.close().await;
    drop(tenants);
    let again = take(&data, shelf.path());
    assert!(again.manifest.files.iter().all(|entry| !entry.copied), "{:#?}", again.manifest);
    let restored = restore(shelf.path(), &data, false).await.expect("restored");
    assert_eq!(dumped(&data, "team-7"), before);
    let aside = restored.moved_to.expect("moved aside");
    assert_eq!(dumped(&aside, "team-7"), before);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn purged_records_turns_and_sessions_stay_away() {
    let (home, shelf, clock) = (folder::scratch(), folder::scratch(), ManualClock::default());
    let data = home.path().join("data");
    let tenants = subject::open_folder(&data);
    let tenant = subject::open_tenant(&tenants, "local").await;
    let (gone, stays) = (build::memory(&clock, "heliotrope"), build::memory(&clock, "the sky is blue"));
    let turns = vec![
        build::turn(&clock, "s1", "heliotrope it is"),
        build::turn(&clock, "s1", "and the sky"),
        build::turn(&clock, "s2", "more heliotrope"),
    ];
    let batch = Batch::new(Actor::Person, clock.tick())
        .insert(gone.clone())
        .insert(stays)
        .insert(build::episode(&clock, "s2", "talked about heliotrope"))
        .with(Change::AppendTurns { turns: turns.clone(), pending: false });
    tenant.apply(batch).await.expect("in order");
    take(&data, shelf.path());
    let batch = Batch::new(Actor::Person, clock.tick())
        .with(Change::Purge { of: RecordRef::memory(&gone.id) })
        .with(Change::PurgeTurns { turns: vec![turns[0].id.clone()] })
        .with(Change::Purge { of: RecordRef::session(&turns[2].session) });
    tenant.apply(batch).await.expect("in order");
    drop(tenant);
    tenants.close().await;
    drop(tenants);
    let restored = restore(shelf.path(), &data, false).await.expect("restored");
    assert!(restored.purged.again, "{restored:?}");
    let bytes = std::fs::read(data.join("tenants/local.sqlite3")).expect("there");
    let holds = |word: &[u8]| bytes.windows(word.len()).any(|window| window.eq_ignore_ascii_case(word));
    assert!(!holds(b"heliotrope"), "it came back");
    assert!(holds(b"the sky is blue"));
    testkit::integrity::check(&data.join("tenants/local.sqlite3"));
    let back = restore(shelf.path(), &data, true).await.expect("restored");
    assert_eq!(back.tenants, [TenantId::local()]);
    assert!(dumped(&data, "local").contains("heliotrope"));
}

/// Over a restore of a backup that had none of it, and in more than one batch; what only history still says is gone too.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn purges_are_remembered_over_a_backup_that_knows_nothing_of_them() {
    let (home, clock) = (folder::scratch(), ManualClock::default());
    let (data, without, with) =
        (home.path().join("data"), home.path().join("without"), home.path().join("with"));
    let tenants = subject::open_folder(&data);
    let tenant = subject::open_tenant(&tenants, "local").await;
    let opening = vec![build::turn(&clock, "s1", "the sky is blue")];
    let batch =
        Batch::new(Actor::Person, clock.tick()).with(Change::AppendTurns { turns: opening, pending: false });
    tenant.apply(batch).await.expect("in order");
    take(&data, &without);
    let count = store::limits::RESTORE_PURGES + 1;
    let memories: Vec<_> =
        (0..count).map(|number| build::memory(&clock, &format!("heliotrope {number}"))).collect();
    let turns =
        vec![build::turn(&clock, "s1", "heliotrope it is"), build::turn(&clock, "s2", "more heliotrope")];
    let mut batch = Batch::new(Actor::Person, clock.tick())
        .with(Change::AppendTurns { turns: turns.clone(), pending: false });
    for memory in &memories {
        batch = batch.insert(memory.clone());
    }
    tenant.apply(batch).await.expect("in order");
    // Taken away so that it could come back: the backup has it in its history alone.
    let removed = RecordRef::memory(&memories[0].id);
    let batch = Batch::new(Actor::Person, clock.tick())
        .with(Change::Remove { of: removed, expect: memory::types::Expect::Any });
    tenant.apply(batch).await.expect("in order");
    take(&data, &with);
    let mut batch = Batch::new(Actor::Person, clock.tick())
        .with(Change::PurgeTurns { turns: vec![turns[0].id.clone()] })
        .with(Change::Purge { of: RecordRef::session(&turns[1].session) });
    for memory in &memories {
        batch = batch.with(Change::Purge { of: RecordRef::memory(&memory.id) });
    }
    tenant.apply(batch).await.expect("in order");
    drop(tenant);
    tenants.close().await;
    drop(tenants);
    let first = restore(&without, &data, false).await.expect("restored");
    assert!(!first.purged.again && first.purged.records == 0, "{first:?}");
    let once = dumped(&data, "local");
    restore(&without, &data, false).await.expect("restored");
    assert_eq!(dumped(&data, "local"), once, "what is remembered is remembered as it was");
    let second = restore(&with, &data, false).await.expect("restored");
    assert!(second.purged.again, "{second:?}");
    // The memories, two turns and a session.
    assert_eq!(second.purged.records, count + 3, "{second:?}");
    let bytes = std::fs::read(data.join("tenants/local.sqlite3")).expect("there");
    let holds = |word: &[u8]| bytes.windows(word.len()).any(|window| window.eq_ignore_ascii_case(word));
    assert!(!holds(b"heliotrope"), "it came back");
    assert!(holds(b"the sky is blue"));
    testkit::integrity::check(&data.join("tenants/local.sqlite3"));
    restore(&with, &data, true).await.expect("restored");
    assert!(dumped(&data, "local").contains("heliotrope"));
}
