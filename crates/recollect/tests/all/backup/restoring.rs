//! Bringing back: whole or one tenant, what stands in the way, and what becomes of what was there.

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::Stdio;

use serde_json::json;

use super::{back_up, check_integrity, contents, names, refused, shelf, text, tree};
use crate::support::{Home, RunningServer};

fn moved_to(answer: &serde_json::Value) -> PathBuf {
    PathBuf::from(answer["moved_to"].as_str().unwrap_or_else(|| panic!("nothing was moved: {answer}")))
}

#[test]
fn what_is_there_is_replaced_only_when_told_and_then_kept() {
    let home = Home::new();
    home.add("in the backup");
    let taken = back_up(&home);
    home.add("written since");
    home.run(["add", "of a new tenant", "--tenant", "team-7"]);
    let before = tree(&home.data());
    insta::assert_snapshot!(home.run(["restore", text(&shelf(&home))]).transcript(&home), @"
    exit 1
    --- stdout
    --- stderr
    error: [home]/data/recollect holds memory already
    hint: --yes moves it aside and restores; --dry-run says what that would come to; --data DIR names another folder
    ");
    let foreseen = home.json(&["restore", text(&shelf(&home)), "--dry-run"]);
    assert_eq!((&foreseen["replaces"], &foreseen["tenants"]), (&true.into(), &json!(["local"])));
    assert_eq!(foreseen["name"], taken["name"]);
    let after: Vec<_> =
        tree(&home.data()).into_iter().filter(|(path, _)| !path.ends_with("serve.lock")).collect();
    assert_eq!(after, before.into_iter().collect::<Vec<_>>(), "nothing was touched so far");
    let restored = home.json(&["restore", text(&shelf(&home)), "--yes"]);
    assert_eq!(contents(&home, "local"), ["in the backup"]);
    assert_eq!(home.run(["list", "--tenant", "team-7"]).code, Some(1), "it was not there yet");
    let kept = moved_to(&restored);
    assert_eq!(home.json(&["list", "--data", text(&kept)])["total"], 2);
    assert_eq!(home.json(&["list", "--data", text(&kept), "--tenant", "team-7"])["total"], 1);
    home.add("life goes on");
    check_integrity(&home.data().join("tenants/local.sqlite3"));
}

#[test]
fn one_tenant_comes_back_and_the_others_stay() {
    let home = Home::new();
    home.add("mine");
    home.run(["add", "theirs", "--tenant", "team-7"]);
    back_up(&home);
    home.add("mine since");
    home.run(["add", "theirs since", "--tenant", "team-7"]);
    refused(&home.run(["restore", text(&shelf(&home)), "--tenant", "team-7"]), &["`team-7` is in", "--yes"]);
    refused(
        &home.run(["restore", text(&shelf(&home)), "--tenant", "team-8", "--yes"]),
        &["has no tenant `team-8`"],
    );
    let restored = home.json(&["restore", text(&shelf(&home)), "--tenant", "team-7", "--yes"]);
    assert_eq!(contents(&home, "team-7"), ["theirs"]);
    assert_eq!(contents(&home, "local"), ["mine", "mine since"]);
    let kept = moved_to(&restored);
    check_integrity(&kept);
    let connection = rusqlite::Connection::open(&kept).expect("opens");
    let count: i64 =
        connection.query_row("SELECT count(*) FROM memory", [], |row| row.get(0)).expect("counted");
    assert_eq!(count, 2);
    // Where the tenant was never known, it is from then on.
    let other = Home::new();
    other.add("somebody else's");
    other.json(&["restore", text(&shelf(&home)), "--tenant", "team-7"]);
    assert_eq!(
        (contents(&other, "team-7"), contents(&other, "local")),
        (vec!["theirs".to_owned()], vec!["somebody else's".to_owned()])
    );
    let beside = names(home.data().parent().expect("a folder"));
    assert!(!beside.iter().any(|name| name.contains(".restoring-")), "{beside:?}");
}

#[test]
fn times_choose_a_backup() {
    let home = Home::new();
    home.add("one");
    let first = back_up(&home);
    home.add("two");
    let second = back_up(&home);
    let total = |at: &str| {
        let other = Home::new();
        other.json(&["restore", text(&shelf(&home)), "--at", at]);
        contents(&other, "local").len()
    };
    assert_eq!(total(first["made_at"].as_str().expect("a time")), 1);
    assert_eq!(total(second["finished_at"].as_str().expect("a time")), 2);
    assert_eq!(total("2100-01-01T00:00:00Z"), 2);
    let other = Home::new();
    let at = |at: &str| other.run(["restore", text(&shelf(&home)), "--at", at]);
    refused(&at("2001-01-01T00:00:00Z"), &["no backup in", "is as old as"]);
    refused(&at("yesterday-ish"), &["is neither a backup's name"]);
}

#[test]
fn nobody_may_be_at_it_meanwhile() {
    let home = Home::new();
    home.add("mine");
    back_up(&home);
    let server = home.serve();
    let backups = shelf(&home);
    let arguments = ["restore", text(&backups), "--yes"];
    refused(&home.run(arguments), &["a server is already running on", "stop it first"]);
    assert_eq!(server.http("GET /readyz HTTP/1.1").status, 200);
    assert!(home.data().join("recollect.sock").exists(), "its socket is left alone");
    server.signal("TERM");
    server.wait();
    // A command that has the store open by itself, for as long as its input lasts.
    let mut command = home.command();
    command.args(["exec", "-"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().expect("starts");
    let mut input = child.stdin.take().expect("piped");
    writeln!(input, "{}", json!({ "operation": "stats" })).expect("sent");
    let mut said = String::new();
    BufReader::new(child.stdout.take().expect("piped")).read_line(&mut said).expect("answered");
    assert!(!said.is_empty());
    refused(&home.run(arguments), &["another process has the store in", "open"]);
    drop(input);
    child.wait().expect("ends");
    home.json(&arguments);
}

/// Keys come back with what they open; one that was revoked since stays so.
#[test]
fn keys_open_what_they_opened_unless_revoked() {
    let home = Home::new();
    home.add("of the local tenant");
    let make = |name: &str| home.json(&["keys", "create", "--role", "memory", "--name", name]);
    let (kept, revoked) = (make("kept"), make("revoked"));
    back_up(&home);
    let id = revoked["id"].as_str().unwrap_or_else(|| panic!("{revoked}"));
    assert_eq!(home.run(["keys", "revoke", id]).code, Some(0));
    let restored = home.json(&["restore", text(&shelf(&home)), "--yes"]);
    assert_eq!(restored["keys_revoked"], 1);
    let server = RunningServer::start(home.command().args(["serve", "--listen", "127.0.0.1:0"]));
    let ask = |key: &serde_json::Value| {
        let secret = key["key"].as_str().unwrap_or_else(|| panic!("{key}"));
        server.http(&format!("GET /api/memory HTTP/1.1\r\nAuthorization: Bearer {secret}")).status
    };
    assert_eq!((ask(&kept), ask(&revoked)), (200, 401));
}

/// Nor does it open again by way of a backup that is older than the key.
#[test]
fn a_key_stays_revoked_over_two_restores() {
    let home = Home::new();
    home.add("of the local tenant");
    let (before, after) = (home.path().join("before"), home.path().join("after"));
    let make = |name: &str| home.json(&["keys", "create", "--role", "memory", "--name", name]);
    let kept = make("kept");
    home.json(&["backup", text(&before)]);
    let (revoked, left) = (make("revoked"), make("left"));
    home.json(&["backup", text(&after)]);
    let id = revoked["id"].as_str().unwrap_or_else(|| panic!("{revoked}"));
    assert_eq!(home.run(["keys", "revoke", id]).code, Some(0));
    let restored = home.json(&["restore", text(&before), "--yes"]);
    assert_eq!(restored["keys_revoked"], 0, "that backup has no such key");
    let ask = || {
        let server = RunningServer::start(home.command().args(["serve", "--listen", "127.0.0.1:0"]));
        let statuses = [&kept, &revoked, &left].map(|key| {
            let secret = key["key"].as_str().unwrap_or_else(|| panic!("{key}"));
            server.http(&format!("GET /api/memory HTTP/1.1\r\nAuthorization: Bearer {secret}")).status
        });
        server.signal("TERM");
        server.wait();
        statuses
    };
    assert_eq!(ask(), [200, 401, 401], "what was not revoked is as the backup has it: not there");
    let restored = home.json(&["restore", text(&after), "--yes"]);
    assert_eq!(restored["keys_revoked"], 1);
    assert_eq!(ask(), [200, 401, 200]);
}
