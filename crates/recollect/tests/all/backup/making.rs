//! Making backups: what is in one, what is copied again, whose it is, and what goes.

use std::fs::{File, FileTimes};
use std::os::unix::fs::{FileExt, MetadataExt, PermissionsExt};
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, SystemTime};

use rusqlite::Connection;
use serde_json::Value;

use super::{back_up, contents, elsewhere, folder_of, names, pad, refused, shelf, text, tree};
use crate::support::{Home, ran};

fn entry<'a>(taken: &'a Value, path: &str) -> &'a Value {
    let files = taken["files"].as_array().expect("files");
    files.iter().find(|entry| entry["path"] == path).unwrap_or_else(|| panic!("{path} is not in {taken}"))
}

fn inode(taken: &Value, path: &str) -> u64 {
    std::fs::metadata(folder_of(taken).join(path)).expect("there").ino()
}

#[test]
fn a_backup_has_everything_and_says_what() {
    let home = Home::new();
    home.add("Ada lives in Irvine");
    home.run(["add", "theirs", "--tenant", "team-7"]);
    std::fs::write(home.data().join("receipt.key"), "a secret of the house").expect("written");
    std::fs::create_dir_all(home.path().join("config/recollect")).expect("made");
    let config = home.path().join("config/recollect/recollect.toml");
    std::fs::write(&config, "[log]\nlevel = \"warn\"\n").expect("written");
    let taken = back_up(&home);
    assert_eq!((&taken["format"], &taken["version"]), (&"recollect-backup".into(), &1.into()));
    let local = entry(&taken, "tenants/local.sqlite3");
    assert_eq!((&local["tenant"], &local["change_number"]), (&"local".into(), &1.into()));
    assert!(local["schema_version"].as_u64().expect("a number") >= 4);
    assert_eq!(entry(&taken, "recollect.toml")["from"], text(&config));
    for path in ["control.sqlite3", "tenants/team-7.sqlite3", "other/receipt.key"] {
        let bytes = std::fs::metadata(folder_of(&taken).join(path)).expect("there").len();
        assert_eq!(entry(&taken, path)["bytes"], bytes, "{path}");
    }
    let left_out: Vec<String> = names(&folder_of(&taken));
    assert_eq!(
        left_out,
        ["control.sqlite3", "manifest.json", "manifest.sha256", "other", "recollect.toml", "tenants"]
    );
    let other = elsewhere(&home);
    assert_eq!(contents(&other, "local"), ["Ada lives in Irvine"]);
    assert_eq!(contents(&other, "team-7"), ["theirs"]);
    assert_eq!(std::fs::read(other.data().join("receipt.key")).expect("there"), b"a secret of the house");
    assert_eq!(other.search("irvine"), ["Ada lives in Irvine"]);
}

#[test]
fn what_did_not_change_is_not_copied_again() {
    let home = Home::new();
    home.add("mine");
    home.run(["add", "theirs", "--tenant", "team-7"]);
    let first = back_up(&home);
    home.run(["add", "more of theirs", "--tenant", "team-7"]);
    let second = back_up(&home);
    let (local, team) = ("tenants/local.sqlite3", "tenants/team-7.sqlite3");
    assert_eq!(inode(&first, local), inode(&second, local));
    assert_ne!(inode(&first, team), inode(&second, team));
    assert_eq!(
        (&entry(&second, local)["copied"], &entry(&second, team)["copied"]),
        (&false.into(), &true.into())
    );
    assert_eq!(entry(&second, local)["copied_at"], entry(&first, local)["copied_at"]);
    // What is in no change log is a change all the same.
    let connection = Connection::open(home.data().join(local)).expect("opens");
    connection.execute("INSERT INTO job VALUES ('x', 'never', NULL, NULL)", []).expect("written");
    drop(connection);
    let third = back_up(&home);
    assert_eq!(entry(&third, local)["copied"], true);
    assert_eq!(entry(&third, local)["change_number"], entry(&second, local)["change_number"]);
    // The backups before are as they were.
    let other = Home::new();
    other.json(&["restore", text(&shelf(&home)), "--at", first["name"].as_str().expect("a name")]);
    assert_eq!(contents(&other, "team-7"), ["theirs"]);
    assert_eq!(home.json(&["backup", text(&shelf(&home)), "--verify"])["damaged"], 0);
}

/// A database whose files have not been touched for a while is not even opened: here it is garbage behind the same face.
#[test]
fn what_was_not_touched_is_not_read() {
    let home = Home::new();
    home.add("mine");
    let database = home.data().join("tenants/local.sqlite3");
    let back_then = SystemTime::now() - Duration::from_secs(3_600);
    let rest = |path: &Path| {
        let file = File::options().write(true).open(path).expect("opens");
        file.set_times(FileTimes::new().set_modified(back_then)).expect("set");
    };
    rest(&database);
    back_up(&home);
    let file = File::options().write(true).open(&database).expect("opens");
    file.write_all_at(&[0xff; 100], 0).expect("written over");
    drop(file);
    rest(&database);
    let second = back_up(&home);
    assert_eq!(entry(&second, "tenants/local.sqlite3")["copied"], false);
    assert_eq!(contents(&elsewhere(&home), "local"), ["mine"]);
    // With another face it is read, and found to be no database; what was made before stays.
    File::options()
        .write(true)
        .open(&database)
        .and_then(|file| file.set_modified(SystemTime::now()))
        .expect("set");
    refused(&home.run(["backup", text(&shelf(&home))]), &["is damaged, or not a database"]);
    assert_eq!(contents(&elsewhere(&home), "local"), ["mine"]);
}

#[test]
fn backups_are_their_owners_alone() {
    let home = Home::new();
    home.add("mine");
    std::fs::write(home.data().join("receipt.key"), "secret").expect("written");
    back_up(&home);
    back_up(&home);
    let other = elsewhere(&home);
    let mode = |path: &Path| std::fs::metadata(path).expect("there").permissions().mode() & 0o777;
    for root in [shelf(&home), other.data()] {
        assert_eq!(mode(&root), 0o700, "{}", root.display());
        // The lock is empty.
        for path in tree(&root).keys().filter(|path| !path.ends_with("serve.lock")) {
            assert_eq!(mode(path), 0o600, "{}", path.display());
            assert_eq!(mode(path.parent().expect("a folder")), 0o700, "{}", path.display());
        }
    }
}

#[test]
fn old_ones_go_when_asked() {
    let home = Home::new();
    home.add("mine");
    let made: Vec<String> =
        (0..4).map(|_| back_up(&home)["name"].as_str().expect("a name").to_owned()).collect();
    let kept = home.json(&["backup", text(&shelf(&home)), "--keep", "2"]);
    assert_eq!(kept["pruned"], serde_json::json!(made[..4 - 1]));
    let listed = home.json(&["backup", text(&shelf(&home)), "--list"]);
    let listed: Vec<&str> = listed["backups"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|it| it["name"].as_str().expect("a name"))
        .collect();
    assert_eq!(listed, [&made[3], kept["name"].as_str().expect("a name")]);
    assert_eq!(contents(&elsewhere(&home), "local"), ["mine"]);
}

#[test]
fn two_at_once_are_one_after_the_other() {
    let home = Home::new();
    home.add("mine");
    pad(&home, "local", 4);
    std::fs::create_dir(shelf(&home)).expect("made");
    let lock = File::create(shelf(&home).join(".lock")).expect("made");
    lock.lock().expect("free");
    refused(&home.run(["backup", text(&shelf(&home))]), &["another backup into", "is under way"]);
    assert_eq!(names(&shelf(&home)), [".lock"]);
    drop(lock);
    let children: Vec<_> = (0..3)
        .map(|_| {
            let mut command = home.command();
            command.args(["backup", text(&shelf(&home))]).stdout(Stdio::piped()).stderr(Stdio::piped());
            command.spawn().expect("starts")
        })
        .collect();
    let mut well = 0;
    for child in children {
        let output = child.wait_with_output().expect("ends");
        well += usize::from(output.status.success());
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success() || said.contains("is under way"), "{said}");
    }
    assert!(well >= 1);
    let verified = home.json(&["backup", text(&shelf(&home)), "--verify"]);
    assert_eq!(verified["backups"].as_array().expect("a list").len(), well);
}

#[test]
fn a_full_disk_leaves_what_was_there() {
    let home = Home::new();
    home.add("mine");
    let first = back_up(&home);
    home.add("more");
    pad(&home, "local", 2);
    // Files may have 1 MiB and no more; the signal for it is ignored, so that writing fails as on a full disk.
    let script = format!("trap '' XFSZ; ulimit -f 2048; exec \"$0\" backup '{}'", text(&shelf(&home)));
    let program = env!("CARGO_BIN_EXE_recollect");
    let mut command = home.command();
    let environment: Vec<_> =
        command.get_envs().map(|(name, value)| (name.to_owned(), value.map(ToOwned::to_owned))).collect();
    command = std::process::Command::new("sh");
    for (name, value) in environment {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    let failed = ran(command.args(["-c", &script, program]).current_dir(home.path()));
    refused(&failed, &["tenants/local.sqlite3 cannot be read or written"]);
    let listed = names(&shelf(&home));
    assert_eq!(listed, [".lock", first["name"].as_str().expect("a name")], "nothing by half is left");
    assert_eq!(contents(&elsewhere(&home), "local"), ["mine"]);
    back_up(&home);
    assert_eq!(contents(&elsewhere(&home), "local"), ["mine", "more"]);
}

#[test]
fn a_backup_into_its_own_data_is_refused() {
    let home = Home::new();
    refused(&home.run(["backup", text(&shelf(&home))]), &["there is nothing to back up"]);
    assert!(!shelf(&home).exists());
    home.add("mine");
    let inside = home.data().join("tenants/backups");
    refused(&home.run(["backup", text(&inside)]), &["lies inside the data folder"]);
    assert!(!inside.exists());
    refused(&home.run(["backup", text(&shelf(&home)), "--tenant", "local"]), &["a backup is of all tenants"]);
    refused(&home.run(["restore", text(&shelf(&home))]), &["there is no backup in"]);
}
