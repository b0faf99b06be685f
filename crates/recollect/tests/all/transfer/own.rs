//! Our own formats through the command line: what goes out comes in the same, once, and can be taken back.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::support::{CommandRun, Home};

/// A store with people's and machines' memories, a conversation, an agent, settings, and something forgotten.
pub fn filled() -> Home {
    let home = Home::new();
    let first = home.add("Uma drinks green tea in the morning");
    home.json(&[
        "add",
        "Uma lives in Oslo",
        "--key",
        "city",
        "--tag",
        "home",
        "--user",
        "uma",
        "--agent",
        "aster",
    ]);
    home.json(&["add", "Uma lives in Bergen", "--key", "city", "--user", "uma", "--agent", "aster"]);
    home.json(&["update", &first, "--content", "Uma drinks black tea in the morning"]);
    let gone = home.add("Something to be forgotten about xylophones");
    home.json(&["forget", &gone, "--yes"]);
    let talk = json!({"conversation_id": "talk", "user_id": "uma", "turns": [
        {"user": "I work at Acme Corp as a painter, and I love it.", "assistant": "Good to know."},
        {"user": "My sister Anna lives in Berlin.", "assistant": "I see."}]});
    let ran = home.feed(&["ingest", "-"], &format!("{talk}\n"));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    home.json(&["agents", "create", "aster", "--name", "Aster"]);
    home.json(&["settings", "set", "recallTopK", "7"]);
    home.json(&["identity", "override", "add", "Always answers in Norwegian", "--user", "uma"]);
    home
}

pub fn export(home: &Home, name: &str, more: &[&str]) -> PathBuf {
    let path = home.path().join(name);
    let mut arguments = vec!["export", path.to_str().expect("a path")];
    arguments.extend_from_slice(more);
    home.json(&arguments);
    path
}

pub fn import(home: &Home, path: &Path, more: &[&str]) -> Value {
    let mut arguments = vec!["import", path.to_str().expect("a path")];
    arguments.extend_from_slice(more);
    home.json(&arguments)
}

/// Everything that a home holds, item by item, without what the imports themselves left.
pub fn dump(home: &Home) -> Vec<String> {
    let ran = home.run(["export", "-", "--format", "jsonl", "--include-deleted", "--embeddings"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let items: Vec<Value> =
        ran.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let of_import = |item: &&Value| item["value"]["job"] == "import";
    let runs: BTreeSet<&str> =
        items.iter().filter(of_import).map(|item| item["value"]["id"].as_str().expect("an id")).collect();
    let ours = |item: &&Value| {
        let run = item["run"].as_str().or(item["value"]["id"].as_str()).unwrap_or_default();
        item.get("item").is_some()
            && !runs.contains(run)
            && !runs.contains(item["of"]["id"].as_str().unwrap_or_default())
    };
    items.iter().filter(ours).map(ToString::to_string).collect()
}

#[test]
fn what_goes_out_comes_in_the_same() {
    let home = filled();
    let before = dump(&home);
    let kinds = ["\"history\"", "\"setting\"", "\"turn\"", "\"vector\"", "\"memory\"", "\"override\""];
    for kind in kinds {
        assert!(before.iter().any(|line| line.contains(kind)), "the store has some {kind}");
    }
    for name in ["all.json", "all.jsonl", "all.db"] {
        let path = export(&home, name, &["--include-deleted", "--embeddings"]);
        let there = Home::new();
        let report = import(&there, &path, &[]);
        assert_eq!(report["errors"], json!([]), "{name}: {report}");
        assert!(report["imported"].as_u64() > Some(5), "{name}: {report}");
        let after = dump(&there);
        for (one, other) in before.iter().zip(&after) {
            assert_eq!(one, other, "{name}");
        }
        assert_eq!(before.len(), after.len(), "{name}");
        assert_eq!(
            there.search("painter Acme"),
            home.search("painter Acme"),
            "{name}: search finds the same"
        );

        let again = import(&there, &path, &[]);
        assert_eq!((&again["imported"], &again["errors"]), (&json!(0), &json!([])), "{name}: {again}");
        assert_eq!(again["skipped"], report["imported"], "{name}: a second import skips all");
        assert_eq!(again["run"], Value::Null, "{name}: and was no run");
        assert_eq!(dump(&there), after, "{name}: and changes nothing");
    }
}

#[test]
fn an_export_changes_nothing_in_its_own_store() {
    let home = filled();
    let runs = home.json(&["runs"]);
    let before = dump(&home);
    for name in ["own.json", "own.jsonl", "own.sqlite3"] {
        let path = export(&home, name, &["--include-deleted"]);
        let report = import(&home, &path, &[]);
        assert_eq!((&report["imported"], &report["errors"]), (&json!(0), &json!([])), "{name}: {report}");
    }
    assert_eq!(dump(&home), before);
    assert_eq!(home.json(&["runs"]), runs);
}

#[test]
fn deleted_memories_stay_unless_asked_for_and_a_part_is_a_part() {
    let home = filled();
    let text = |path: &Path| String::from_utf8_lossy(&std::fs::read(path).expect("read")).into_owned();
    for name in ["a.json", "a.jsonl", "a.db"] {
        assert!(!text(&export(&home, name, &[])).contains("xylophones"), "{name}");
        let whole = export(&home, &format!("whole-{name}"), &["--include-deleted"]);
        assert!(text(&whole).contains("xylophones"), "{name}");
    }
    let part = text(&export(&home, "part.jsonl", &["--agent", "aster"]));
    assert!(part.contains("Bergen") && !part.contains("black tea") && !part.contains("recallTopK"), "{part}");
    let quiet = text(&export(&home, "quiet.json", &["--no-conversations"]));
    assert!(quiet.contains("black tea") && !quiet.contains("\"item\":\"turn\""));
    let past = text(&export(&home, "past.json", &["--until", "2020-01-01"]));
    assert!(!past.contains("tea") && past.contains("\"counts\""), "{past}");
}

/// A command that must go wrong, and what it says.
fn refused(home: &Home, arguments: &[&str], code: i32) -> CommandRun {
    let ran = home.run(arguments);
    assert_eq!(ran.code, Some(code), "{arguments:?}: {ran:?}");
    ran
}

#[test]
fn a_broken_file_changes_nothing() {
    let home = filled();
    for name in ["whole.json", "whole.jsonl", "whole.db"] {
        let path = export(&home, name, &[]);
        let bytes = std::fs::read(&path).expect("read");
        let there = Home::new();
        there.add("something of its own");
        let before = dump(&there);
        let cut = there.path().join(name);
        std::fs::write(&cut, &bytes[..bytes.len() * 2 / 3]).expect("written");
        let ran = refused(&there, &["import", cut.to_str().expect("a path")], 2);
        assert!(ran.stderr.contains("hint:"), "{name}: {}", ran.stderr);
        assert_eq!(dump(&there), before, "{name}");
    }
    let newer = home.path().join("newer.jsonl");
    std::fs::write(&newer, "{\"recollect\":{\"format\":99}}\n{\"recollect_end\":{\"items\":0}}\n")
        .expect("written");
    let ran = refused(&home, &["import", newer.to_str().expect("a path")], 2);
    assert!(ran.stderr.contains("format 99"), "{}", ran.stderr);
}

/// What a stranger adds to a database of ours would be run when it is brought to this version's schema.
#[test]
fn m9_a_database_with_something_strange_in_its_schema_is_refused() {
    let home = Home::new();
    home.add("Uma drinks green tea");
    let path = export(&home, "own.sqlite3", &[]);
    let other = Home::new();
    let strange = [
        "CREATE TRIGGER t AFTER INSERT ON memory BEGIN DELETE FROM turn; END",
        "ALTER TABLE memory ADD COLUMN bomb AS (hex(zeroblob(200000000)))",
        "CREATE VIEW v AS SELECT hex(zeroblob(200000000))",
        "CREATE INDEX i ON memory (hex(zeroblob(200000000)))",
    ];
    for (number, sql) in strange.into_iter().enumerate() {
        let copy = home.path().join(format!("strange{number}.sqlite3"));
        std::fs::copy(&path, &copy).expect("copied");
        let connection = rusqlite::Connection::open(&copy).expect("opened");
        connection.execute_batch("DELETE FROM memory").expect("emptied, since an index is computed at once");
        connection.execute_batch(sql).expect(sql);
        drop(connection);
        let ran = refused(&other, &["import", copy.to_str().expect("a path")], 2);
        assert!(ran.stderr.contains("its tables are not those of a database of ours"), "{sql}: {ran:?}");
    }
    assert_eq!(import(&other, &path, &[])["errors"], json!([]), "without it the file comes in");
    assert_eq!(other.search("tea"), ["Uma drinks green tea"]);
}

#[test]
fn one_bad_record_is_told_with_its_place_and_the_others_come_in() {
    let home = filled();
    let text = std::fs::read_to_string(export(&home, "some.jsonl", &[])).expect("read");
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let bad = lines
        .iter()
        .position(|line| line.contains("black tea") && line.contains("\"item\":\"record\""))
        .expect("there");
    lines[bad] = lines[bad].replace("\"kind\":\"fact\"", "\"kind\":\"nonsense\"");
    let path = home.path().join("bad.jsonl");
    std::fs::write(&path, lines.join("\n") + "\n").expect("written");
    let there = Home::new();
    let report = import(&there, &path, &[]);
    let errors = report["errors"].as_array().expect("a list");
    // What stands beside the record that did not come is told of too.
    assert_eq!(errors[0]["where"], format!("line {}", bad + 1), "{report}");
    assert!(errors[0]["message"].as_str().expect("text").contains("nonsense"), "{report}");
    assert!(there.search("Bergen").iter().any(|found| found.contains("Bergen")));

    let document = std::fs::read_to_string(export(&home, "some.json", &[])).expect("read");
    std::fs::write(&path, document.replacen("\"item\":\"turn\"", "\"item\":\"burn\"", 1)).expect("written");
    let report = import(&Home::new(), &path, &[]);
    assert!(report["errors"][0]["where"].as_str().expect("text").starts_with("item "), "{report}");
    assert!(report["imported"].as_u64() > Some(3), "{report}");
}

#[test]
fn a_dry_run_says_what_would_come_and_changes_nothing() {
    let home = filled();
    let path = export(&home, "all.json", &[]);
    let there = Home::new();
    there.add("something of its own");
    let before = dump(&there);
    let would = import(&there, &path, &["--dry-run"]);
    assert_eq!(would["dry_run"], json!(true));
    assert_eq!(dump(&there), before);
    let did = import(&there, &path, &[]);
    assert_eq!(
        (&would["imported"], &would["skipped"]),
        (&did["imported"], &did["skipped"]),
        "{would}\n{did}"
    );
}

#[test]
fn an_import_can_be_taken_back() {
    let home = filled();
    let path = export(&home, "all.json", &[]);
    let there = Home::new();
    there.add("something of its own");
    let report = import(&there, &path, &[]);
    assert!(!there.search("Bergen").is_empty());
    there.json(&["undo", report["run"].as_str().expect("a run")]);
    let left: Vec<String> =
        dump(&there).into_iter().filter(|line| line.contains("\"item\":\"record\"")).collect();
    assert!(left.iter().any(|line| line.contains("something of its own")), "{left:?}");
    assert!(
        !left.iter().any(|line| line.contains("Bergen") || line.contains("\"record\":\"session\"")),
        "{left:?}"
    );
    let again = import(&there, &path, &[]);
    assert!(!there.search("Bergen").is_empty(), "and brought in again: {again}");
}

#[test]
fn equal_memories_become_one_with_both_tags() {
    let (home, there) = (Home::new(), Home::new());
    home.json(&["add", "Uma drinks tea", "--tag", "one"]);
    let standing = there.json(&["add", "Uma drinks tea", "--tag", "two"])["id"].clone();
    let path = export(&home, "tea.json", &[]);
    let report = import(&there, &path, &[]);
    assert_eq!((&report["imported"], &report["skipped"]), (&json!(0), &json!(1)), "{report}");
    let shown = there.json(&["show", standing.as_str().expect("an id")]);
    let tags = shown.to_string();
    assert!(tags.contains("\"one\"") && tags.contains("\"two\""), "{shown}");
    let both = import(&there, &path, &["--no-dedup"]);
    assert_eq!(both["imported"], json!(1), "{both}");
    assert_eq!(there.search("drinks tea").len(), 2);
}

#[test]
fn an_import_can_be_for_somebody_else() {
    let home = filled();
    let path = export(&home, "all.json", &[]);
    let there = Home::new();
    let report = import(&there, &path, &["--user", "vito", "--agent", "birch"]);
    assert_eq!(report["errors"], json!([]), "{report}");
    let all = dump(&there).join("\n");
    assert!(all.contains("\"user\":\"vito\"") && !all.contains("\"user\":\"uma\""), "{all}");
}

#[test]
fn a_file_that_is_there_stays_and_a_new_one_is_its_owners_alone() {
    use std::os::unix::fs::PermissionsExt;
    let home = filled();
    for name in ["a.json", "a.db"] {
        let path = home.path().join(name);
        std::fs::write(&path, "mine").expect("written");
        let ran = refused(&home, &["export", name], 2);
        assert!(ran.stderr.contains("--force"), "{}", ran.stderr);
        assert_eq!(std::fs::read_to_string(&path).expect("read"), "mine");
        export(&home, name, &["--force"]);
        let mode = std::fs::metadata(&path).expect("there").permissions().mode() & 0o777;
        assert_eq!(mode, 0o600, "{name}");
    }
    let left: Vec<_> = std::fs::read_dir(home.path()).expect("read").filter_map(Result::ok).collect();
    assert!(left.iter().all(|entry| !entry.file_name().to_string_lossy().starts_with(".tmp")), "{left:?}");
    refused(&home, &["export", "x", "--format", "chatgpt"], 2);
}

#[test]
fn streams_go_through_pipes() {
    let home = filled();
    let ran = home.run(["export", "-", "--format", "jsonl"]);
    let there = Home::new();
    let ran = there.feed(&["import", "-", "--json"], &ran.stdout);
    let report: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{ran:?}"));
    assert_eq!(report["format"], "jsonl");
    assert!(report["imported"].as_u64() > Some(3), "{report}");
    let ran = there.feed(&["import", "-"], "neither this nor that");
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.stderr.contains("cannot be told"), "{}", ran.stderr);
}

/// A file of many memories, made from one.
fn many(home: &Home, count: usize) -> PathBuf {
    home.add("Uma drinks tea");
    let text = std::fs::read_to_string(export(home, "one.jsonl", &[])).expect("read");
    let mut lines = text.lines();
    let head = lines.next().expect("a header");
    let record = lines.find(|line| line.contains("\"item\":\"record\"")).expect("a memory");
    let item: Value = serde_json::from_str(record).expect("JSON");
    let mut file = format!("{head}\n");
    for number in 0..count {
        let mut item = item.clone();
        item["value"]["id"] = format!("mt_01890a5d-ac96-774b-bcce-{number:012x}").into();
        item["value"]["content"] = format!("Uma drinks tea number {number}").into();
        file.push_str(&format!("{item}\n"));
    }
    file.push_str(&format!("{{\"recollect_end\":{{\"items\":{count}}}}}\n"));
    let path = home.path().join("many.jsonl");
    std::fs::write(&path, file).expect("written");
    path
}

#[test]
fn an_import_that_was_killed_is_finished_by_repeating_it() {
    let home = Home::new();
    let path = many(&home, 4_000);
    let (killed, whole) = (Home::new(), Home::new());
    let mut command = killed.command();
    command.args(["import", path.to_str().expect("a path")]).stdout(std::process::Stdio::null());
    let mut child = command.stderr(std::process::Stdio::null()).spawn().expect("the binary starts");
    let database = killed.data().join("tenants/local.sqlite3");
    let come = || {
        if !database.exists() {
            return 0;
        }
        let connection = rusqlite::Connection::open(&database).expect("opened");
        connection.query_row("SELECT count(*) FROM memory", [], |row| row.get::<_, i64>(0)).unwrap_or(0)
    };
    while come() < 500 && child.try_wait().expect("a child can be asked").is_none() {
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    child.kill().expect("killed");
    child.wait().expect("gone");
    let before = come();
    assert!((500..4_000).contains(&before), "killed in the middle, at {before}");
    let rest = import(&killed, &path, &[]);
    assert_eq!(rest["skipped"], json!(before), "{rest}");
    assert_eq!(rest["imported"], json!(4_000 - before), "{rest}");
    import(&whole, &path, &[]);
    assert_eq!(dump(&killed), dump(&whole), "as if it had never been killed");
}
