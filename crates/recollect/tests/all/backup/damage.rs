//! Backups that are not as they were made: refused, with a word that says why, before anything is touched.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use serde_json::Value;
use sha2::{Digest, Sha256};

use super::{back_up, contents, folder_of, refused, shelf, text, tree};
use crate::support::Home;

const TENANT: &str = "tenants/local.sqlite3";

/// A way to spoil a backup, and what is said then.
type Damage = (&'static str, fn(&Path), &'static str);

#[test]
fn whatever_is_wrong_is_refused_and_nothing_is_touched() {
    let damages: [Damage; 10] = [
        ("a byte", |folder| flip(&folder.join(TENANT)), "does not have the bytes it had"),
        ("an end", |folder| cut(&folder.join(TENANT)), "bytes instead of"),
        ("a file", |folder| remove(&folder.join(TENANT)), "tenants/local.sqlite3 is missing"),
        (
            "the control database",
            |folder| flip(&folder.join("control.sqlite3")),
            "does not have the bytes it had",
        ),
        (
            "the manifest",
            |folder| flip(&folder.join("manifest.json")),
            "its manifest is not as it was written",
        ),
        ("no manifest", |folder| remove(&folder.join("manifest.json")), "its manifest is missing"),
        ("no hash", |folder| remove(&folder.join("manifest.sha256")), "the hash of its manifest is missing"),
        ("another path", lead_out, "names a file that no backup has"),
        ("a newer version", come_from_later, "knows versions up to 1"),
        ("a damaged database with the right hash", forge, "damaged"),
    ];
    let home = Home::new();
    for content in ["Ada lives in Irvine", "Bob lives in Oslo"] {
        home.add(content);
    }
    let taken = folder_of(&back_up(&home));
    home.add("written since");
    // Closed, so that what is compared are whole files.
    let before = tree(&home.data());
    for (what, damage, words) in damages {
        let spoiled = copy(&home, &taken);
        damage(&spoiled.join(taken.file_name().expect("a name")));
        let ran = home.run(["restore", text(&spoiled), "--yes"]);
        refused(&ran, &[words]);
        assert_eq!(tree(&home.data()), before, "{what}: the data was touched");
        let fresh = Home::new();
        refused(&fresh.run(["restore", text(&spoiled)]), &[words]);
        assert!(!fresh.data().exists(), "{what}: something was made");
        let verified = home.run(["backup", text(&spoiled), "--verify"]);
        assert_eq!(verified.code, Some(1), "{what}: {verified:?}");
        assert!(verified.stdout.contains(words), "{what}: {verified:?}");
        assert!(!names_beside(&home).iter().any(|name| name.contains("restor")), "{what}: a trace is left");
    }
    assert_eq!(home.json(&["backup", text(&shelf(&home)), "--verify"])["damaged"], 0);
    assert_eq!(contents(&home, "local").len(), 3);
}

/// A damaged backup among whole ones: `--verify` says which, and another one can be named.
#[test]
fn a_whole_one_is_found_among_damaged_ones() {
    let home = Home::new();
    home.add("one");
    let first = back_up(&home);
    home.add("two");
    let second = back_up(&home);
    flip(&folder_of(&second).join(TENANT));
    let verified = home.run(["backup", text(&shelf(&home)), "--verify", "--json"]);
    assert_eq!(verified.code, Some(1));
    let verified: Value = serde_json::from_str(&verified.stdout).expect("JSON");
    let oks: Vec<&Value> =
        verified["backups"].as_array().expect("a list").iter().map(|it| &it["ok"]).collect();
    assert_eq!(oks, [true, false]);
    let other = Home::new();
    refused(&other.run(["restore", text(&shelf(&home))]), &["does not have the bytes it had", "--verify"]);
    other.json(&["restore", text(&shelf(&home)), "--at", first["name"].as_str().expect("a name")]);
    assert_eq!(contents(&other, "local"), ["one"]);
}

// ---- ways to spoil a backup

fn copy(home: &Home, taken: &Path) -> PathBuf {
    let spoiled = home.path().join("spoiled");
    let _ = std::fs::remove_dir_all(&spoiled);
    let target = spoiled.join(taken.file_name().expect("a name"));
    for (path, bytes) in tree(taken) {
        let to = target.join(path.strip_prefix(taken).expect("inside"));
        std::fs::create_dir_all(to.parent().expect("a folder")).expect("made");
        std::fs::write(to, bytes).expect("written");
    }
    spoiled
}

fn names_beside(home: &Home) -> Vec<String> {
    super::names(home.data().parent().expect("a folder"))
}

fn flip(path: &Path) {
    let file = File::options().read(true).write(true).open(path).expect("opens");
    let (mut byte, place) = ([0], file.metadata().expect("there").len() / 2);
    file.read_exact_at(&mut byte, place).expect("read");
    file.write_all_at(&[byte[0] ^ 1], place).expect("written");
}

fn cut(path: &Path) {
    let file = File::options().write(true).open(path).expect("opens");
    file.set_len(file.metadata().expect("there").len() - 1).expect("cut");
}

fn remove(path: &Path) {
    std::fs::remove_file(path).expect("removed");
}

/// Changes the manifest, and its hash with it.
fn change(folder: &Path, change: impl FnOnce(&mut Value)) {
    let path = folder.join("manifest.json");
    let mut manifest: Value = serde_json::from_slice(&std::fs::read(&path).expect("there")).expect("JSON");
    change(&mut manifest);
    std::fs::write(&path, manifest.to_string()).expect("written");
    let line = format!("{}  manifest.json\n", hash(manifest.to_string().as_bytes()));
    std::fs::write(folder.join("manifest.sha256"), line).expect("written");
}

fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn lead_out(folder: &Path) {
    change(folder, |manifest| {
        manifest["files"][0]["path"] = "../../../data/recollect/control.sqlite3".into()
    });
}

fn come_from_later(folder: &Path) {
    change(folder, |manifest| manifest["version"] = 2.into());
}

/// A page in the middle is emptied, and everything that could tell is made to fit.
fn forge(folder: &Path) {
    let path = folder.join(TENANT);
    let mut bytes = std::fs::read(&path).expect("there");
    let page = bytes.len() / 4_096 / 3 * 4_096;
    bytes[page..page + 4_096].fill(0);
    std::fs::write(&path, &bytes).expect("written");
    change(folder, |manifest| {
        for entry in manifest["files"].as_array_mut().expect("files") {
            if entry["path"] == TENANT {
                entry["sha256"] = hash(&bytes).into();
            }
        }
    });
}
