//! Data of every released version, in the hands of the binary: it is used, backed up before and after, and restored. Data of a
//! version to come is refused and left as it is.

use std::path::{Path, PathBuf};

use rusqlite::Connection;

use super::{back_up, contents, elsewhere, names, refused, shelf, text, tree};
use crate::support::Home;

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../store/tests/fixtures")
}

/// The released versions of a kind of database, by the dumps that there are.
fn versions(kind: &str) -> Vec<u32> {
    let names = names(&fixtures()).into_iter();
    let mut versions: Vec<u32> = names
        .filter_map(|name| name.strip_prefix(&format!("{kind}_v"))?.strip_suffix(".sql")?.parse().ok())
        .collect();
    versions.sort_unstable();
    versions
}

fn place(dump: &str, database: &Path) {
    let sql = std::fs::read_to_string(fixtures().join(dump)).expect("a fixture");
    let connection = Connection::open(database).expect("made");
    connection.execute_batch(&sql).unwrap_or_else(|error| panic!("{dump}: {error}"));
}

/// A data folder as that version left it.
fn data_of(schema: u32, control: u32) -> Home {
    let home = Home::new();
    std::fs::create_dir_all(home.data().join("tenants")).expect("made");
    place(&format!("schema_v{schema}.sql"), &home.data().join("tenants/local.sqlite3"));
    place(&format!("control_v{control}.sql"), &home.data().join("control.sqlite3"));
    home
}

fn version(database: &Path) -> i64 {
    let connection = Connection::open(database).expect("opens");
    connection.query_row("SELECT user_version FROM pragma_user_version", [], |row| row.get(0)).expect("read")
}

fn check(home: &Home) {
    assert_eq!(contents(home, "local"), ["Ada moved to Irvine in June"]);
    let found = home.search("irvine");
    assert!(found.contains(&"Ada moved to Irvine in June".to_owned()), "{found:?}");
    assert!(found.contains(&"I moved to Irvine in May".to_owned()), "what was said: {found:?}");
    let stats = home.json(&["stats"]);
    assert_eq!((&stats["memories"]["active"], &stats["settings"]["recallTopK"]), (&1.into(), &7.into()));
}

#[test]
fn every_released_version_is_used_backed_up_and_restored() {
    let (schemas, controls) = (versions("schema"), versions("control"));
    assert!(schemas.len() >= 3 && controls.len() >= 2, "{schemas:?} {controls:?}");
    let newest_control = *controls.last().expect("some");
    let pairs = schemas
        .iter()
        .map(|schema| (*schema, newest_control))
        .chain(controls.iter().map(|it| (schemas[0], *it)));
    for (schema, control) in pairs {
        println!("schema {schema}, control {control}");
        // Backed up as it is, by a program that is newer, and restored by it.
        let untouched = data_of(schema, control);
        let taken = back_up(&untouched);
        assert_eq!(version(&untouched.data().join("tenants/local.sqlite3")), i64::from(schema), "only read");
        let entry = taken["files"].as_array().expect("files").iter().find(|entry| entry["tenant"] == "local");
        assert_eq!(entry.expect("there")["schema_version"], schema);
        let restored = elsewhere(&untouched);
        check(&restored);
        // Used, which brings it up to date, and then backed up.
        check(&untouched);
        assert!(version(&untouched.data().join("tenants/local.sqlite3")) >= i64::from(schema));
        untouched.add("written by the new version");
        back_up(&untouched);
        assert_eq!(contents(&elsewhere(&untouched), "local").len(), 2);
    }
}

#[test]
fn what_a_newer_version_made_is_refused_and_left_as_it_is() {
    let home = Home::new();
    home.add("mine");
    let database = home.data().join("tenants/local.sqlite3");
    let newer = version(&database) + 1;
    let connection = Connection::open(&database).expect("opens");
    connection
        .execute_batch(&format!("PRAGMA user_version = {newer}; CREATE TABLE of_the_future (x)"))
        .expect("made newer");
    drop(connection);
    let before = std::fs::read(&database).expect("there");
    let words = format!("it has schema version {newer}, and this program knows versions up to {}", newer - 1);
    for arguments in [["list"].as_slice(), &["search", "mine"], &["stats"], &["add", "more"]] {
        let ran = home.run(arguments);
        assert_eq!(ran.code, Some(1), "{ran:?}");
        assert!(ran.stderr.contains(&words) && ran.stderr.contains("use a newer one"), "{ran:?}");
        assert!(std::fs::read(&database).expect("there") == before, "{arguments:?} changed it");
    }
    // A backup only copies; bringing it back is for a program that understands it.
    back_up(&home);
    assert!(std::fs::read(&database).expect("there") == before);
    let other = Home::new();
    let words = format!("has schema version {newer}, and this program knows versions up to {}", newer - 1);
    refused(&other.run(["restore", text(&shelf(&home))]), &[&words, "a newer version of this program"]);
    assert!(tree(&other.data()).is_empty());
}
