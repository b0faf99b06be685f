//! Files of other systems through `recollect import`: told by their content, taken in, found, and known the second time.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::mcp::StdioClient;
use crate::support::Home;
use testkit::folder::{shared_data, zipped};

fn import(home: &Home, path: &Path, more: &[&str]) -> Value {
    let path = path.to_str().expect("a path");
    let arguments: Vec<&str> = ["import", path, "--json"].into_iter().chain(more.iter().copied()).collect();
    let ran = home.run(&arguments);
    serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{ran:?}"))
}

fn write(home: &Home, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
    let path = home.path().join(name);
    std::fs::write(&path, bytes).expect("a file is written");
    path
}

/// Imports it twice: the first time something is new, the second time nothing.
fn twice(home: &Home, path: &Path, format: &str) -> Value {
    let first = import(home, path, &[]);
    assert_eq!(first["format"], format, "{}: {first}", path.display());
    assert!(first["imported"].as_u64() > Some(0), "{}: {first}", path.display());
    let second = import(home, path, &[]);
    assert_eq!(
        (&second["imported"], &second["errors"]),
        (&json!(0), &first["errors"]),
        "{}: {second}",
        path.display()
    );
    assert!(second["skipped"].as_u64() > Some(0), "{second}");
    first
}

fn found(home: &Home, words: &str, place: &str) -> Vec<String> {
    let answer = home.json(&["search", "--scope", place, words]);
    let results = answer["results"].as_array().or_else(|| answer.as_array()).expect("results").clone();
    results
        .iter()
        .map(|result| {
            result["content"].as_str().or_else(|| result["text"].as_str()).unwrap_or_default().to_owned()
        })
        .collect()
}

/// The longest text of a sample, and where it is a message.
fn sentence(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Array(items) => items.iter().filter_map(sentence).max_by_key(String::len),
        Value::Object(fields) => {
            let said = fields.iter().filter(|(name, _)| {
                !matches!(
                    name.as_str(),
                    "title"
                        | "name"
                        | "metadata"
                        | "id"
                        | "uuid"
                        | "experimental_tag"
                        | "extra_msg_field"
                        | "future_metadata"
                )
            });
            said.filter_map(|(_, value)| sentence(value)).max_by_key(String::len)
        }
        _ => None,
    }
}

#[test]
fn every_sample_comes_in_is_found_and_is_known_the_second_time() {
    for (folder, format) in [("chatgpt", "chatgpt"), ("claude", "claude")] {
        let Some(samples) = shared_data(&format!("exports/{folder}")) else { continue };
        let listed = samples.read_dir().expect("a folder");
        for path in listed.map(|entry| entry.expect("an entry").path()) {
            let bytes = std::fs::read(&path).expect("a sample");
            let home = Home::new();
            let first = twice(&home, &path, format);
            assert_eq!(first["errors"], json!([]), "{}", path.display());
            let wanted = sentence(&serde_json::from_slice(&bytes).expect("JSON")).expect("a sentence");
            let hits = found(&home, &wanted, "transcript");
            assert!(hits.iter().any(|hit| hit.contains(&wanted)), "{}: {wanted}: {hits:?}", path.display());
            // The same conversations out of an archive are known too.
            let archive = write(
                &home,
                "download.zip",
                zipped(&[("x/conversations.json", &bytes), ("x/user.json", b"{}")]),
            );
            let again = import(&home, &archive, &[]);
            assert_eq!((&again["imported"], &again["format"]), (&json!(0), &json!(format)), "{again}");
        }
    }
}

#[test]
fn tables_and_lists_come_in_by_what_they_contain() {
    let home = Home::new();
    let table = write(
        &home,
        "a.txt",
        "content,type,tags,room\n\"Ada waters the ficus on Mondays\",semantic,\"plants;home\",study\n,x,y,z\n",
    );
    let first = twice(&home, &table, "csv");
    assert_eq!(
        first["errors"],
        json!([{"where": "line 3", "message": "the row's content is empty; expected text"}])
    );
    assert_eq!(found(&home, "ficus", "pinned"), ["Ada waters the ficus on Mondays"]);

    let memories = json!({"results": [{"id": "1", "memory": "Ada drinks oolong", "user_id": "ada", "categories": ["tea"]}]});
    twice(&home, &write(&home, "b.txt", memories.to_string()), "mem0");
    let ran = home.json(&["search", "--user", "ada", "--scope", "pinned", "oolong"]);
    assert!(ran.to_string().contains("Ada drinks oolong"), "{ran}");

    let lines = "{\"conversation_id\": \"c1\", \"turns\": [{\"user\": \"The marmot sleeps all winter\", \"assistant\": \"It does\"}]}\n";
    twice(&home, &write(&home, "c.txt", lines), "ingest");
    assert!(found(&home, "marmot", "transcript").iter().any(|hit| hit.contains("marmot")));

    let brain = json!({"meta": {}, "traces": [{"id": "t", "type": "semantic", "scope": "user", "content": "The kiln fires at noon"}],
        "nodes": [{"id": "n1", "label": "Ada", "type": "person"}, {"id": "n2", "label": "Kiln", "type": "tool"}],
        "edges": [{"source_id": "n1", "target_id": "n2", "type": "OWNS"}],
        "documents": [{"id": "d", "title": "Manual"}], "chunks": [{"document_id": "d", "content": "Open the damper slowly", "chunk_index": 0}]});
    twice(&home, &write(&home, "d.txt", brain.to_string()), "agentos");
    assert_eq!(found(&home, "kiln fires", "pinned"), ["The kiln fires at noon"]);
    assert!(found(&home, "damper", "transcript").iter().any(|hit| hit == "Open the damper slowly"));
}

#[test]
fn ingested_lines_are_known_when_they_are_imported() {
    let home = Home::new();
    let lines = write(
        &home,
        "talk.jsonl",
        "{\"conversation_id\": \"c1\", \"turns\": [{\"user\": \"The heron came back\", \"assistant\": \"Good\"}]}\n",
    );
    let ran = home.run(["ingest", lines.to_str().expect("a path")]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let imported = import(&home, &lines, &[]);
    assert_eq!(
        (&imported["imported"], &imported["kinds"]["turn"]),
        (&json!(0), &json!({"imported": 0, "skipped": 2})),
        "{imported}"
    );
}

#[test]
fn a_broken_file_changes_nothing() {
    let home = Home::new();
    let good = json!({"id": "c", "title": "T", "mapping": {"q": {"message": {"author": {"role": "user"}, "content": {"parts": ["The otter sang"]}}}}});
    let whole = json!([good, {"id": "d", "mapping": {"q": {"message": {"author": {"role": "user"}, "content": {"parts": ["x"]}}}}}]).to_string();
    let path = write(&home, "cut.json", &whole[..whole.len() - 20]);
    let ran = home.run(["import", path.to_str().expect("a path"), "--json"]);
    assert_ne!(ran.code, Some(0), "{ran:?}");
    assert!(found(&home, "otter", "transcript").is_empty());
    let dry = import(&home, &write(&home, "whole.json", whole), &["--dry-run"]);
    assert_eq!((&dry["imported"], &dry["dry_run"]), (&json!(2), &json!(true)), "{dry}");
    assert!(found(&home, "otter", "transcript").is_empty());
}

#[test]
fn questions_with_their_answers_become_memories_under_the_title() {
    let home = Home::new();
    let message = |parent: Value, role: &str, text: &str| json!({"parent": parent, "message": {"author": {"role": role}, "create_time": 1_700_000_000, "content": {"content_type": "text", "parts": [text]}}});
    let document = json!([{"id": "c", "title": "Garden", "current_node": "a", "mapping": {
        "q": message(json!(null), "user", "When do tulips bloom?"),
        "t": message(json!("q"), "tool", "spring table"),
        "a": message(json!("t"), "assistant", "In April."),
    }}]);
    let path = write(&home, "c.json", document.to_string());
    let first = import(&home, &path, &["--as", "memories"]);
    assert_eq!((&first["imported"], &first["errors"]), (&json!(1), &json!([])), "{first}");
    let listed = home.json(&["list"]);
    let text = listed.to_string();
    assert!(
        text.contains("When do tulips bloom?") && text.contains("In April.") && text.contains("Garden"),
        "{text}"
    );
    assert!(text.contains("2023-11-14"), "its time is kept: {text}");
    assert_eq!(import(&home, &path, &["--as", "memories"])["imported"], 0);
}

/// The memories under a key: user, content, tags and version.
type Keyed = (String, String, Vec<String>, u64);

/// Everything that the home holds, with its history and its runs; not the line that says when it went out.
fn whole(home: &Home) -> Vec<Value> {
    let ran = home.run(["export", "-", "--format", "jsonl", "--include-deleted", "--embeddings"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let items = ran.stdout.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    items.filter(|item| item.get("item").is_some()).collect()
}

fn live(home: &Home, key: &str) -> Vec<Value> {
    let values =
        whole(home).into_iter().filter(|item| item["item"] == "record").map(|item| item["value"].clone());
    values.filter(|value| value["key"] == key && value["status"] == "active").collect()
}

fn keyed(home: &Home, key: &str) -> Vec<Keyed> {
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let found = live(home, key).into_iter().map(|value| {
        let tags = value["tags"].as_array().into_iter().flatten().map(word).collect();
        let version = value["version"].as_u64().expect("a version");
        (word(&value["user"]), word(&value["content"]), tags, version)
    });
    let mut found: Vec<Keyed> = found.collect();
    found.sort();
    found
}

/// Imports it two times more: all is skipped, no run is left, and nothing changes.
fn again_and_again(home: &Home, path: &Path, rows: u64) {
    let (before, runs) = (whole(home), home.json(&["runs"]));
    for time in ["second", "third"] {
        let report = import(home, path, &[]);
        assert_eq!(
            (&report["imported"], &report["skipped"], &report["run"]),
            (&json!(0), &json!(rows), &Value::Null),
            "{time}: {report}"
        );
        assert_eq!(whole(home), before, "{time}");
        assert_eq!(home.json(&["runs"]), runs, "{time}");
    }
}

fn tallied(report: &Value) -> (u64, u64, usize) {
    let number = |name: &str| report[name].as_u64().expect("a number");
    (number("imported"), number("skipped"), report["errors"].as_array().map_or(0, Vec::len))
}

fn row(user: &str, content: &str, tags: &[&str], version: u64) -> Keyed {
    (user.to_owned(), content.to_owned(), tags.iter().map(|tag| (*tag).to_owned()).collect(), version)
}

#[test]
fn the_last_row_of_a_key_comes_in_and_stays() {
    let home = Home::new();
    // The very last row of ada's cannot be taken in, so it does not speak for the key.
    let table = write(
        &home,
        "editors.csv",
        "key,content,user,tags,valid_from,valid_until\n\
         editor,vim,ada,old,,\n\
         editor,nano,bert,,,\n\
         editor,emacs,ada,new,,\n\
         shell,fish,ada,,,\n\
         editor,ed,ada,,2026-02-01,2026-01-01\n",
    );
    let dry = import(&home, &table, &["--dry-run"]);
    assert_eq!(tallied(&dry), (3, 1, 1), "{dry}");
    assert!(keyed(&home, "editor").is_empty());
    let first = import(&home, &table, &[]);
    assert_eq!(tallied(&first), (3, 1, 1), "{first}");
    let expected = [row("ada", "emacs", &["new"], 1), row("bert", "nano", &[], 1)];
    assert_eq!(keyed(&home, "editor"), expected);
    again_and_again(&home, &table, 4);
    assert_eq!(keyed(&home, "editor"), expected);
    assert_eq!(keyed(&home, "shell"), [row("ada", "fish", &[], 1)]);
}

#[test]
fn rows_far_apart_restate_their_key_too() {
    let home = Home::new();
    // More rows than are written at once, so that the first and the last of a key never meet in one batch.
    let mut text = "key,content\n".to_owned();
    for number in 0..600 {
        text.push_str(&format!("k{},value {number}\n", number % 300));
    }
    let table = write(&home, "many.csv", text);
    let first = import(&home, &table, &[]);
    assert_eq!(tallied(&first), (300, 300, 0), "{first}");
    for (key, content) in [("k0", "value 300"), ("k299", "value 599")] {
        assert!(matches!(&keyed(&home, key)[..], [(_, found, _, 1)] if found == content), "{key}");
    }
    again_and_again(&home, &table, 600);
}

#[test]
fn what_was_changed_since_stays_as_it_is() {
    let home = Home::new();
    let text = "key,content,user\ncity,Oslo,ada\ntea,green,ada\ncar,none,ada\n";
    let table = write(&home, "facts.csv", text);
    assert_eq!(tallied(&import(&home, &table, &[])), (3, 0, 0));
    // An assistant changes one of them by a tool, a person another.
    let id = |key: &str| live(&home, key)[0]["id"].as_str().expect("an id").to_owned();
    let (city, car) = (id("city"), id("car"));
    let mut client = StdioClient::start(&home, &["--user", "ada"]);
    let updated = client.call("memory_update", json!({"traceId": city, "content": "Bergen"}));
    assert_eq!(updated, json!({"updated": true}));
    client.end();
    home.json(&["add", "black", "--key", "tea", "--user", "ada"]);
    let expected = |key: &str, content: &str| assert_eq!(keyed(&home, key), [row("ada", content, &[], 2)]);
    expected("city", "Bergen");
    expected("tea", "black");
    again_and_again(&home, &table, 3);
    expected("city", "Bergen");
    expected("tea", "black");

    // What is gone comes in again, for nothing stands under its key.
    home.json(&["forget", &car, "--yes"]);
    assert_eq!(tallied(&import(&home, &table, &[])), (1, 2, 0));
    assert_eq!(keyed(&home, "car"), [row("ada", "none", &[], 1)]);

    // New tags are gained once, and nothing else.
    let tagged =
        write(&home, "tagged.csv", "key,content,user,tags\ncity,Oslo,ada,home\ntea,green,ada,drink\n");
    assert_eq!(tallied(&import(&home, &tagged, &[])), (0, 2, 0));
    assert_eq!(keyed(&home, "city"), [row("ada", "Bergen", &["home"], 3)]);
    assert_eq!(keyed(&home, "tea"), [row("ada", "black", &["drink"], 3)]);
    again_and_again(&home, &tagged, 2);
}

#[test]
fn a_long_row_under_a_key_that_is_taken_stays_out_with_all_of_its_parts() {
    let home = Home::new();
    home.json(&["add", "short", "--key", "essay"]);
    let long = "word ".repeat(memory::limits::MEMORY_CONTENT_BYTES / 2);
    let table = write(&home, "long.csv", format!("key,content\nessay,{long}\n"));
    let before = whole(&home);
    let report = import(&home, &table, &[]);
    assert_eq!((&report["imported"], &report["errors"]), (&json!(0), &json!([])), "{report}");
    assert!(report["skipped"].as_u64() > Some(1), "{report}");
    assert_eq!(whole(&home), before);
}
