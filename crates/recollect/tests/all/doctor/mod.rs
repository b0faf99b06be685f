//! `recollect doctor`: nothing in a healthy store, each planted fault found, repaired and then gone.
//!
//! [`fault_tests`] plants, each alone into a copy of the same healthy store, by SQL, by surgery on files, or (junk, which is no fault of the
//! database) by a write that no distiller would make:
//!
//!  1. a setting out of its range             19. an archived text of a memory that is gone
//!  2. an index that lacks a row              20. a turn whose conversation is gone
//!  3. a trigger dropped                      21. marks of turns that are gone
//!  4. a record that cannot be read           22. turns that wait since days
//!  5. a hash of other words                  23. dead letters
//!  6. an archived text that was changed      24. a conversation given up by a model
//!  7. a memory without words                 25. upkeep that never came
//!  8. words without a memory                 26. a run that never ended
//!  9. words of another text                  27. another tenant's record
//! 10. a full-text index that lost a row      28. another user's memory in a prompt
//! 11. a memory without a vector              29. a memory that says what another says
//! 12. a vector without a memory              30. a memory learned from the assistant
//! 13. a vector cut short                     31. two homes at once
//! 14. two vectors exchanged                  32. a memory that nobody said
//! 15. vectors counted wrong                  33. a trail from nothing
//! 16. documents counted wrong                34. a link to nothing
//! 17. a conversation that forgot its place   35. a relation to nobody
//! 18. an entity without a name               36. uses of a memory that is gone
//!
//! then all of them together. [`machine`] plants eight more around the store: modes, a socket, a lease, a stray and a missing database, a
//! configuration that is refused, a database of a newer version and one that is none. [`surfaces`] is the command, the route, and people's
//! own memories; [`audit`] a mem0 export. [`described`] holds the documentation against the table.

mod audit;
mod described;
mod fault_tests;
mod faults;
mod machine;
mod surfaces;

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use memory::types::Role;
use recollect::ops::add::Add;
use recollect::ops::doctor::{Diagnosis, Doctor};
use recollect::ops::ingest::{Ingest, IngestMessage};
use recollect::ops::runs::Undo;
use recollect::ops::tend::Tend;
use recollect::ops::{OperationRequest, Services};
use recollect::problem::Problem;
use rusqlite::Connection;
use store::{Tenants, TenantsOptions, WriteDurability};
use tempfile::TempDir;

use crate::scene;
use crate::support::Home;

/// A data folder with a house on it, opened as the command opens it.
struct DoctorScene {
    house: Services,
    folder: TempDir,
}

impl DoctorScene {
    fn on(folder: TempDir) -> Self {
        let options = TenantsOptions { durability: WriteDurability::Normal, ..TenantsOptions::default() };
        let tenants = Tenants::open_folder(folder.path(), options).expect("the folder opens");
        let house =
            Services { waits_for_vectors: true, ..Services::new(tenants, Some(Arc::new(models::Builtin))) };
        Self { house, folder }
    }

    async fn ask<R: OperationRequest>(&self, request: R) -> Result<R::Answer, Problem> {
        scene::ask(&self.house, request).await
    }

    async fn examine(&self) -> Diagnosis {
        *self.ask(Doctor::default()).await.expect("examined")
    }

    async fn fix(&self) -> Diagnosis {
        *self.ask(Doctor { fix: true, checks: Vec::new() }).await.expect("repaired")
    }

    async fn undo(&self, run: &str) {
        let run = run.parse().expect("a run's id");
        self.ask(Undo { run }).await.expect("undone");
    }

    async fn close(self) -> TempDir {
        self.house.tenants.close().await;
        let DoctorScene { house, folder } = self;
        drop(house);
        closed(folder.path()).await;
        folder
    }

    fn database(&self) -> PathBuf {
        database(self.folder.path())
    }
}

/// Waits until nobody has a database of the folder open any more: the last one to close it takes its log away, on a thread of its own.
async fn closed(folder: &Path) {
    let patience = tokio::time::Instant::now() + Duration::from_secs(60);
    while files(folder, Path::new("")).iter().any(|(path, _)| path.to_string_lossy().ends_with("-wal")) {
        assert!(tokio::time::Instant::now() < patience, "a database is still open");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

fn database(folder: &Path) -> PathBuf {
    folder.join("tenants").join("local.sqlite3")
}

fn codes(diagnosis: &Diagnosis) -> Vec<&str> {
    diagnosis.findings.iter().map(|found| found.code.as_str()).collect()
}

fn said(session: &str, user: &str, lines: &[(Role, &str)]) -> Ingest {
    let message = |(role, text): &(Role, &str)| IngestMessage::of(*role, *text);
    Ingest {
        agent: None,
        user: Some(user.parse().expect("a user")),
        session: session.parse().expect("a session"),
        messages: lines.iter().map(message).collect(),
        skip_extraction: false,
        time_zone: None,
    }
}

/// The healthy store, made once the way stores come to be: conversations taken in and learned from, things added by a person, one of
/// them forgotten and brought back, and a pass of upkeep.
static HEALTHY: LazyLock<Vec<(PathBuf, Vec<u8>)>> = LazyLock::new(|| {
    // A thread of its own, because a test's own runtime cannot wait for it; futures of unoptimised builds are large.
    let made = std::thread::Builder::new().stack_size(64 << 20).spawn(|| {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
        runtime.expect("a runtime").block_on(healthy())
    });
    made.expect("a thread").join().expect("the healthy store is made")
});

/// A session, its user, and what was said in it.
type PlantedTalk = (&'static str, &'static str, &'static [(Role, &'static str)]);

async fn healthy() -> Vec<(PathBuf, Vec<u8>)> {
    let folder = testkit::folder::scratch();
    let options = TenantsOptions {
        durability: WriteDurability::Normal,
        embedder: Some(Arc::new(models::Builtin)),
        ..TenantsOptions::default()
    };
    let tenants = Tenants::open_folder(folder.path(), options).expect("the folder opens");
    let scene = DoctorScene { house: Services::new(tenants, Some(Arc::new(models::Builtin))), folder };
    use Role::{Assistant, User};
    let talks: [PlantedTalk; 5] = [
        (
            "first",
            "ada",
            &[
                (
                    User,
                    "My name is Ada Byron. I live in Lyon and I work at Analytical Engines as a programmer.",
                ),
                (Assistant, "Nice to meet you, Ada. Lyon is lovely in spring."),
                (User, "I prefer green tea to coffee. My sister Maria lives in Porto."),
                (Assistant, "I will remember that you like green tea."),
            ],
        ),
        (
            "second",
            "ada",
            &[
                (User, "I am allergic to peanuts. I have two cats called Boole and Babbage."),
                (Assistant, "Two cats! I shall never suggest peanuts."),
                (User, "From now on always answer in metric units."),
            ],
        ),
        (
            "third",
            "ada",
            &[
                (User, "I moved to Grenoble last month. I still work at Analytical Engines."),
                (Assistant, "Grenoble has fine mountains."),
            ],
        ),
        (
            "fourth",
            "ada",
            &[
                (User, "I speak Portuguese. I hate loud music."),
                (Assistant, "Quiet places then."),
                (User, "I love sailing on the lake. My brother Tom works at Harbour Press."),
                (User, "I prefer paper books to screens."),
            ],
        ),
        (
            "first",
            "bob",
            &[(User, "I live in Vienna. I hate early meetings and I love chess."), (Assistant, "Noted.")],
        ),
    ];
    for (session, user, lines) in talks {
        scene.ask(said(session, user, lines)).await.expect("taken in");
    }
    let add = |content: &str| Add {
        content: content.to_owned(),
        user: Some("ada".parse().expect("a user")),
        ..Add::default()
    };
    scene.ask(add("The garden needs water on Mondays")).await.expect("added");
    let gone = scene.ask(add("The spare key is under the blue pot")).await.expect("added").id;
    let forget = recollect::ops::forget::Forget { ids: vec![gone], confirmed: true, ..Default::default() };
    let run = scene.ask(forget).await.expect("forgotten").run.expect("a run");
    scene.undo(run.as_str()).await;
    scene.ask(Tend::default()).await.expect("tended");
    let folder = scene.close().await;
    files(folder.path(), Path::new(""))
}

/// A copy of the healthy store, with nobody at it.
fn copy() -> TempDir {
    let folder = testkit::folder::scratch();
    copy_into(folder.path());
    folder
}

fn copy_into(folder: &Path) {
    for (path, bytes) in HEALTHY.iter() {
        let path = folder.join(path);
        std::fs::create_dir_all(path.parent().expect("inside the folder")).expect("made");
        std::fs::write(&path, bytes).expect("written");
    }
}

/// A home whose data is the healthy store, closed to others.
fn home() -> Home {
    let home = Home::new();
    copy_into(&home.data());
    for folder in [home.data(), home.data().join("tenants")] {
        mode(&folder, 0o700);
    }
    home
}

fn mode(path: &Path, mode: u32) {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).expect("set");
}

/// All files of a folder, by their places in it.
fn files(folder: &Path, within: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder.join(within)).expect("a folder") {
        let place = within.join(entry.expect("an entry").file_name());
        let path = folder.join(&place);
        if path.is_dir() {
            found.extend(files(folder, &place));
        } else {
            match std::fs::read(&path) {
                Ok(bytes) => found.push((place, bytes)),
                // A log that was taken away since it was listed.
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
                Err(error) => panic!("{}: {error}", path.display()),
            }
        }
    }
    found
}

/// Everything that is remembered, but for what every change leaves behind: versions, runs, history and the log.
fn dump(database: &Path) -> String {
    let connection = Connection::open(database).expect("the database opens");
    let bodies = [
        "memory", "episode", "session", "entity", "relation", "link", "held", "profile", "override", "agent",
    ];
    let plain = [
        "SELECT memory, use_count, source_count, last_used_at FROM counter WHERE use_count + source_count > 0 ORDER BY 1",
        "SELECT child_kind, child, parent_kind, parent FROM derived ORDER BY 1, 2, 3, 4",
        "SELECT id, session_row, idx, role, text FROM turn ORDER BY row",
        "SELECT memory, text, hash FROM archive ORDER BY 1",
        "SELECT row, surface, stems FROM memory_doc ORDER BY row",
        "SELECT name, value FROM setting ORDER BY name",
    ];
    let mut lines = Vec::new();
    for table in bodies {
        let sql = format!("SELECT json_remove(body, '$.version') FROM {table} ORDER BY id");
        lines.extend(rows(&connection, &sql));
    }
    plain.iter().for_each(|sql| lines.extend(rows(&connection, sql)));
    lines.join("\n")
}

fn rows(connection: &Connection, sql: &str) -> Vec<String> {
    let mut statement = connection.prepare(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
    let columns = statement.column_count();
    let read = |row: &rusqlite::Row<'_>| {
        let cells: Result<Vec<String>, _> =
            (0..columns).map(|column| row.get_ref(column).map(|cell| format!("{cell:?}"))).collect();
        Ok(cells?.join(" | "))
    };
    let rows = statement.query_map([], read).expect("rows");
    rows.collect::<Result<_, _>>().expect("rows")
}
