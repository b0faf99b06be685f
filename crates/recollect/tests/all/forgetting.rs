//! `forget`: says first, does then, and leaves no trace when asked to.
//!
//! [`running`] purges beside a running server, [`killed`] is cut off in the middle, [`undone`] takes back what is not for good,
//! [`answers`] is what the surfaces say.

mod answers;
mod killed;
mod neighbours;
mod running;
mod undone;

use super::support::{Home, ran};

fn filled() -> Home {
    let home = Home::new();
    home.run(["add", "my phone number is 555-0100", "--user", "ada", "--session", "s1"]);
    home.run(["add", "my house number is 7", "--user", "ada", "--session", "s2"]);
    home.run(["add", "the phone is black", "--user", "bob", "--session", "s1"]);
    home
}

#[test]
fn without_yes_nothing_happens() {
    let home = filled();
    insta::assert_snapshot!(home.run(["forget", "--match", "phone number"]).transcript(&home), @"
    exit 0
    --- stdout
    [id]  my phone number is 555-0100
    --- stderr
    would forget 1 memory; --yes does it
    ");
    assert_eq!(home.json(&["list"])["total"], 3);
    let said = home.json(&["forget", "--match", "phone number"]);
    assert_eq!((&said["done"], &said["count"]), (&false.into(), &1.into()));
}

#[test]
fn with_yes_it_is_gone_from_searches_and_kept_in_history() {
    let home = filled();
    insta::assert_snapshot!(home.run(["forget", "--match", "phone number", "--yes"]).transcript(&home), @"
    exit 0
    --- stdout
    [id]  my phone number is 555-0100
    --- stderr
    forgot 1 memory
    not reached: backups that were made before; exports that were made before; what upstream providers of models were sent and keep; what clients keep themselves: their histories and logs
    `recollect undo [run]` brings it back
    ");
    assert_eq!(home.search("555"), [] as [&str; 0]);
    let deleted = home.json(&["list", "--status", "deleted"]);
    assert_eq!(deleted["total"], 1);
    let id = deleted["memories"][0]["id"].as_str().expect("an id");
    let history = home.json(&["history", id]);
    assert!(history["events"][1]["run"].as_str().expect("a run").starts_with("ru_"));
}

#[test]
fn sessions_users_and_everything() {
    let home = filled();
    assert_eq!(home.json(&["forget", "--session", "s1"])["count"], 2);
    assert_eq!(home.json(&["forget", "--session", "s1", "--user", "bob", "--yes"])["count"], 1);
    assert_eq!(home.json(&["forget", "--user", "ada"])["count"], 2);
    assert_eq!(home.json(&["forget", "--all", "--yes"])["count"], 2);
    assert_eq!(home.json(&["list"])["total"], 0);
}

#[test]
fn nothing_matched_is_exit_code_one() {
    let home = filled();
    insta::assert_snapshot!(home.run(["forget", "--match", "zebra", "--yes"]).transcript(&home), @"
    exit 1
    --- stdout
    --- stderr
    nothing matches
    ");
    let unknown = home.run(["forget", "mt_01890a5d-ac96-774b-bcce-b302099a8057", "--yes"]);
    assert_eq!(unknown.code, Some(1));
    assert!(unknown.stderr.contains("there is no memory"), "{unknown:?}");
}

#[test]
fn something_must_be_named_and_a_variable_does_not_name_it() {
    let home = filled();
    assert_eq!(home.run(["forget", "--yes"]).code, Some(2));
    let by_variable = ran(home.command().env("RECOLLECT_USER", "ada").args(["forget", "--yes"]));
    assert_eq!(by_variable.code, Some(2), "{by_variable:?}");
    assert_eq!(home.json(&["list"])["total"], 3);
    let narrowed =
        ran(home.command().env("RECOLLECT_USER", "ada").args(["forget", "--all", "--yes", "--json"]));
    assert_eq!(narrowed.code, Some(0));
    assert_eq!(home.json(&["list"])["total"], 1, "but it narrows");
    assert_eq!(home.run(["forget", "mt_01890a5d-ac96-774b-bcce-b302099a8057", "--all"]).code, Some(2));
}

#[test]
fn purging_leaves_no_byte_behind() {
    let home = Home::new();
    let secret = "xyzzyplugh";
    let id = home.add(&format!("the password is {secret}"));
    home.json(&["update", &id, "--content", &format!("the password was {secret}")]);
    home.add("an innocent bystander");
    home.run(["forget", &id, "--yes"]);
    let purged = home.json(&["forget", "--match", secret, "--purge", "--yes"]);
    assert_eq!((&purged["purged"], &purged["count"]), (&true.into(), &1.into()));
    assert_eq!(home.json(&["list", "--status", "deleted"])["total"], 0);
    let history = home.run(["history", &id]);
    assert!(!history.stdout.contains(secret), "{history:?}");
    for file in files(&home.data()) {
        let bytes = std::fs::read(&file).expect("readable");
        let found = bytes.windows(secret.len()).any(|window| window.eq_ignore_ascii_case(secret.as_bytes()));
        assert!(!found, "{} still has it", file.display());
    }
    assert_eq!(home.search("innocent"), ["an innocent bystander"]);
}

fn files(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found
}

#[test]
fn a_purge_beside_a_running_server_is_clean_too() {
    let home = Home::new();
    let server = home.serve();
    let id = home.add("the password is xyzzyplugh");
    assert_eq!(home.run(["forget", &id, "--purge", "--yes"]).code, Some(0));
    let files = files(&home.data().join("tenants"));
    let found = files.iter().any(|file| {
        let bytes = std::fs::read(file).expect("readable");
        bytes.windows(10).any(|window| window == b"xyzzyplugh")
    });
    assert!(!found, "not in the files of a running server either");
    drop(server);
}

#[test]
fn many_at_once_are_counted_and_the_first_are_named() {
    let home = Home::new();
    let lines: String = (0..300)
        .map(|number| format!("{{\"operation\":\"add\",\"content\":\"weed number {number}\"}}\n"))
        .collect();
    assert_eq!(home.feed(&["exec"], &lines).code, Some(0));
    let said = home.run(["forget", "--match", "weed"]);
    assert!(said.stdout.ends_with("… and 290 more\n"), "{said:?}");
    assert_eq!(said.stderr, "would forget 300 memories; --yes does it\n");
    assert_eq!(home.json(&["forget", "--match", "weed", "--yes"])["count"], 300);
    assert_eq!(home.search("weed"), [] as [&str; 0]);
}
