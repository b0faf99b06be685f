//! What goes wrong says what is wrong, what was expected and what to do; the exit code says whose mistake it was.

use super::support::{Home, ran};

fn check(arguments: &[&str], code: i32, parts: &[&str]) {
    let home = Home::new();
    let ran = home.run(arguments);
    assert_eq!(ran.code, Some(code), "{arguments:?}: {ran:?}");
    assert_eq!(ran.stdout, "", "{arguments:?}");
    for part in parts {
        assert!(ran.stderr.contains(part), "{arguments:?}: {part:?} is not in {}", ran.stderr);
    }
}

#[test]
fn asked_wrongly_is_exit_code_two() {
    check(&["add", ""], 2, &["error: the content is empty; expected a sentence"]);
    check(&["add", "x", "--kind", "opinion"], 2, &["`opinion` is not a kind", "fact, preference"]);
    check(&["add", "x", "--layer", "deep"], 2, &["semantic, episodic, procedural, prospective"]);
    check(&["add", "x", "--scope", "thread"], 2, &["no session is named", "hint: name the session"]);
    check(&["add", "x", "--metadata", "[1]"], 2, &["expected a JSON object"]);
    check(&["add", "x", "--expires-at", "soon"], 2, &["`soon` is not a time", "2026-05-01"]);
    check(&["add", "x", "--valid-from", "2026-02-01", "--valid-until", "2026-01-01"], 2, &["is before"]);
    check(&["add", "x", "--user", " "], 2, &["the user id is empty"]);
    check(&["add", &"x".repeat(17_000)], 2, &["17000 bytes; expected at most 16384"]);
    check(&["search", "  "], 2, &["the query is empty"]);
    check(&["search", "x", "--top-k", "0"], 2, &["expected from 1 to 200"]);
    check(&["list", "--limit", "100000"], 2, &["expected from 1 to 1000"]);
    check(&["list", "--tenant", "../etc"], 2, &["cannot name a tenant"]);
    check(&["show", "nonsense"], 2, &["is not a memory id; expected `mt_` and a UUID"]);
    check(&["update", "mt_01890a5d-ac96-774b-bcce-b302099a8057"], 2, &["nothing to change is named"]);
    let moved = ["update", "mt_01890a5d-ac96-774b-bcce-b302099a8057", "--user", "ada", "--pin"];
    check(&moved, 2, &["cannot be moved to another agent, user or session"]);
    check(&["frobnicate"], 2, &["unrecognized subcommand"]);
    check(&["serch", "x"], 2, &["search"]);
    check(&[], 2, &["Usage: recollect"]);
}

/// A program that reads errors as JSON reads its own mistakes so, too.
#[test]
fn mistakes_in_arguments_are_json_where_json_is_asked_for() {
    let home = Home::new();
    for (arguments, part) in [
        (["serch", "x", "--json"].as_slice(), "unrecognized subcommand 'serch'"),
        (&["--json", "add", "x", "--kind", "opinion"], "`opinion` is not a kind"),
        (&["list", "--limit", "many", "--json"], "'many'"),
        (&["--json"], "requires a subcommand"),
    ] {
        let ran = home.run(arguments);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{arguments:?}: {ran:?}");
        let said: serde_json::Value = serde_json::from_str(&ran.stderr)
            .unwrap_or_else(|error| panic!("{arguments:?}: {error}: {}", ran.stderr));
        assert_eq!(said["error"]["code"], "invalid_input", "{arguments:?}");
        let message = said["error"]["message"].as_str().expect("a message");
        assert!(message.contains(part), "{arguments:?}: {message}");
        assert!(said["error"]["hint"].is_string(), "{said}");
    }
    let help = home.run(["list", "--help", "--json"]);
    assert!(help.code == Some(0) && help.stdout.contains("Examples:"), "help is no mistake: {help:?}");
}

#[test]
fn only_adding_makes_a_tenant() {
    let home = Home::new();
    home.add("x");
    for arguments in
        [["list"].as_slice(), &["forget", "--all", "--yes"], &["settings", "reset", "enabled"], &["stats"]]
    {
        let ran = home.run(arguments.iter().chain(&["--tenant", "typo"]));
        assert_eq!(ran.code, Some(1), "{arguments:?}: {ran:?}");
        assert!(ran.stderr.contains("there is no tenant `typo`"), "{arguments:?}: {ran:?}");
    }
    assert_eq!(home.run(["settings", "set", "enabled", "off", "--tenant", "new"]).code, Some(0));
}

#[test]
fn what_is_not_there_is_exit_code_one() {
    for command in ["show", "history", "forget"] {
        check(
            &[command, "mt_01890a5d-ac96-774b-bcce-b302099a8057"],
            1,
            &["error: there is no memory mt_", "hint: "],
        );
    }
    check(&["update", "mt_01890a5d-ac96-774b-bcce-b302099a8057", "--pin"], 1, &["there is no memory"]);
}

#[test]
fn errors_are_json_where_json_is_wanted() {
    let home = Home::new();
    let ran = home.run(["show", "mt_01890a5d-ac96-774b-bcce-b302099a8057", "--json"]);
    let error: serde_json::Value = serde_json::from_str(&ran.stderr).expect("JSON on stderr");
    assert_eq!(error["error"]["code"], "not_found");
    assert!(error["error"]["hint"].is_string());
    assert_eq!(ran.stdout, "");
}

#[test]
fn a_folder_that_cannot_be_made_is_said_plainly() {
    let home = Home::new();
    let file = home.path().join("a-file");
    std::fs::write(&file, "").expect("written");
    let ran = home.run(["--data", &format!("{}/inside", file.display()), "list"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.stderr.contains("a-file/inside cannot be made"), "{ran:?}");
    assert!(ran.stderr.contains("hint: choose another one with --data DIR"), "{ran:?}");
}

#[test]
fn a_damaged_store_shows_an_id_and_logs_the_cause() {
    let home = Home::new();
    home.add("fine so far");
    let file = home.data().join("tenants").join("local.sqlite3");
    let mut bytes = std::fs::read(&file).expect("readable");
    bytes[4096..].fill(0x5A);
    std::fs::write(&file, bytes).expect("written");
    let ran = home.run(["list", "--json"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let last = ran.stderr.lines().last().expect("an error");
    let error: serde_json::Value = serde_json::from_str(last).expect("JSON");
    assert_eq!(error["error"]["code"], "internal");
    let message = error["error"]["message"].as_str().expect("a message");
    let id = message.split("error id ").nth(1).expect("an id").trim_end_matches(')');
    assert!(!message.contains("database"), "{message}");
    assert!(ran.stderr.lines().next().expect("a log line").contains(id), "{ran:?}");
}

#[test]
fn no_home_needs_a_data_folder() {
    let home = Home::new();
    let mut command = home.command();
    // Only where the platform knows no other home than the variable's does this come to an error.
    command.env_remove("HOME").env_remove("XDG_DATA_HOME").args(["--data", "here", "add", "x"]);
    let ran = ran(&mut command);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(home.path().join("here").is_dir(), "a relative folder starts where the command runs");
}
