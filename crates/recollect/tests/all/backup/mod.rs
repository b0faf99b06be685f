//! `recollect backup` and `recollect restore`: what was acknowledged comes back, whatever happens meanwhile, and what is
//! damaged is refused before anything is touched.

mod damage;
mod erasing;
mod killed;
mod load;
mod making;
mod recorded;
mod restoring;
mod versions;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rusqlite::Connection;
use serde_json::Value;

use crate::support::{CommandRun, Home};

/// Where a home's backups go.
fn shelf(home: &Home) -> PathBuf {
    home.path().join("backups")
}

/// Makes a backup that must go well.
fn back_up(home: &Home) -> Value {
    home.json(&["backup", text(&shelf(home))])
}

fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

/// The folder of the backup that an answer is about.
fn folder_of(taken: &Value) -> PathBuf {
    PathBuf::from(taken["folder"].as_str().expect("a folder"))
}

/// Restores the newest backup of `from` into a home that has nothing yet.
fn elsewhere(from: &Home) -> Home {
    let other = Home::new();
    other.json(&["restore", text(&shelf(from))]);
    other
}

/// Everything that a tenant's memories say.
fn contents(home: &Home, tenant: &str) -> Vec<String> {
    let listed = home.json(&["list", "--limit", "200", "--tenant", tenant]);
    let mut contents = crate::support::contents(&listed["memories"]);
    contents.sort();
    contents
}

/// Every file below a folder with its bytes.
fn tree(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            files.extend(tree(&path));
        } else if path.is_file() {
            files.insert(path.clone(), std::fs::read(&path).expect("readable"));
        }
    }
    files
}

/// The names in a folder.
fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> =
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// SQLite finds nothing wrong with a database.
fn check_integrity(database: &Path) {
    let connection = Connection::open(database).expect("opens");
    let said: String = connection.query_row("PRAGMA integrity_check", [], |row| row.get(0)).expect("asked");
    assert_eq!(said, "ok", "{}", database.display());
}

/// Makes a tenant's database larger by a table that nobody reads, so that copying it takes a moment.
fn pad(home: &Home, tenant: &str, mebibytes: usize) {
    let connection = Connection::open(home.data().join(format!("tenants/{tenant}.sqlite3")))
        .expect("the file can be opened");
    connection.execute_batch("CREATE TABLE IF NOT EXISTS padding (bytes BLOB)").expect("made");
    for _ in 0..mebibytes {
        connection.execute("INSERT INTO padding VALUES (randomblob(1048576))", []).expect("filled");
    }
}

/// A refusal: exit code 1 or 2, and these words.
fn refused(ran: &CommandRun, words: &[&str]) {
    assert!(matches!(ran.code, Some(1 | 2)), "{ran:?}");
    assert_eq!(ran.stdout, "", "{ran:?}");
    for word in words {
        assert!(ran.stderr.contains(word), "{word:?} is not in {}", ran.stderr);
    }
    assert!(ran.stderr.contains("hint:"), "{}", ran.stderr);
}
