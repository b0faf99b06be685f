//! Notes between stores, through the commands: what goes out as notes and comes in elsewhere is the same there.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;

use memory::types::{Item, RecordKind};
use serde_json::Value;

use crate::support::Home;
use testkit::tenant::tenant;
use testkit::vault::{below_properties, notes_on_disk, sample, written_links};

/// Takes items into a home's store, as they are.
fn fill(home: &Home, items: &[Item]) {
    let lines: Vec<String> = items.iter().map(|item| serde_json::to_string(item).expect("JSON")).collect();
    fs::write(home.path().join("items.jsonl"), lines.join("\n")).expect("written");
    let report = home.json(&["import", "items.jsonl", "--format", "jsonl"]);
    assert_eq!(report["errors"], serde_json::json!([]), "{report}");
}

/// What notes carry of a home's store, whatever its order.
fn carried(home: &Home) -> BTreeSet<String> {
    let ran = home.run(["export", "dump.jsonl", "--format", "jsonl", "--force"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let lines = fs::read_to_string(home.path().join("dump.jsonl")).expect("an export");
    let carried = lines.lines().filter(|line| {
        let Ok(item) = serde_json::from_str::<Item>(line) else { return false };
        match item {
            Item::Record { value, .. } => value.kind() != RecordKind::Run,
            Item::Turn { .. } | Item::Counter { .. } | Item::Archive { .. } | Item::Derivation { .. } => true,
            _ => false,
        }
    });
    carried.map(str::to_owned).collect()
}

fn export(home: &Home, format: &str) {
    let ran = home.run(["export", "vault", "--format", format, "--force"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

fn import(home: &Home, path: &std::path::Path) -> Value {
    home.json(&["import", path.to_str().expect("a path")])
}

#[test]
fn notes_make_an_equal_store_and_change_nothing_twice() {
    for (seed, format) in [(1_001, "markdown"), (1_002, "obsidian"), (1_003, "obsidian"), (1_004, "markdown")]
    {
        let (one, other) = (Home::new(), Home::new());
        fill(&one, &tenant(seed, 12));
        let before = carried(&one);
        assert!(before.len() > 12, "seed {seed}");
        export(&one, format);
        let vault = one.path().join("vault");

        let report = import(&other, &vault);
        assert_eq!(report["errors"], serde_json::json!([]), "seed {seed}: {report}");
        let after = carried(&other);
        let lost: Vec<_> = before.difference(&after).collect();
        let new: Vec<_> = after.difference(&before).collect();
        assert!(lost.is_empty() && new.is_empty(), "seed {seed}: lost {lost:#?}, new {new:#?}");

        for home in [&one, &other] {
            let report = import(home, &vault);
            assert_eq!(
                (&report["imported"], &report["errors"]),
                (&0.into(), &serde_json::json!([])),
                "{report}"
            );
        }
        assert_eq!(carried(&one), before, "seed {seed}: an export into its own store changes nothing");
        assert_eq!(carried(&other), before, "seed {seed}: a second import changes nothing");
    }
}

#[test]
fn a_vault_comes_in_whole_and_goes_out_with_its_links() {
    let Some(path) = sample() else { return };
    let (home, other) = (Home::new(), Home::new());
    let on_disk = notes_on_disk(&path);
    let report = import(&home, &path);
    assert_eq!(
        (&report["imported"], &report["errors"]),
        (&on_disk.len().into(), &serde_json::json!([])),
        "{report}"
    );
    assert_eq!(report["format"], "obsidian");
    let again = import(&home, &path);
    assert_eq!((&again["imported"], &again["skipped"]), (&0.into(), &on_disk.len().into()), "{again}");

    export(&home, "obsidian");
    let vault = home.path().join("vault");
    let exported = notes_on_disk(&vault);
    for (name, text) in &on_disk {
        let note = exported.iter().find(|(exported, note)| {
            exported.starts_with(name.as_str()) && note.contains(below_properties(text))
        });
        let (_, note) = note.unwrap_or_else(|| panic!("{name} is not there"));
        for link in written_links(text) {
            assert!(note.contains(&format!("[[{link}]]")), "{name} lost [[{link}]]");
        }
    }
    let report = import(&other, &vault);
    assert_eq!(report["errors"], serde_json::json!([]), "{report}");
    assert_eq!(carried(&home), carried(&other));
}

#[test]
fn links_between_notes_become_links_between_memories() {
    let home = Home::new();
    let vault = home.path().join("mine");
    fs::create_dir_all(vault.join("Trips")).expect("made");
    fs::write(vault.join("Trips/Japan.md"), "We flew to [[Kyoto]] and met [[Nobody]]. #travel")
        .expect("written");
    fs::write(vault.join("Kyoto.md"), "---\ntags: city\n---\nA city of temples.").expect("written");
    fs::write(vault.join("Broken.md"), "---\na: [\n---\nStill here.").expect("written");
    let report = import(&home, &vault);
    assert_eq!(report["imported"], 3, "{report}");
    assert_eq!(report["errors"][0]["where"], "Broken.md, line 2", "{report}");
    assert_eq!(report["kinds"]["link"]["imported"], 1, "{report}");
    export(&home, "obsidian");
    let japan = fs::read_to_string(home.path().join("vault/semantic/Japan.md")).expect("it keeps its name");
    for expected in
        ["- [[Kyoto]] — related 1", "- [[Nobody]] — named", "\n#Trips #travel\n", "We flew to [[Kyoto]]"]
    {
        assert!(japan.contains(expected), "{expected} in {japan}");
    }
    assert!(home.search("temples").iter().any(|content| content.contains("A city of temples.")));
}

#[test]
fn notes_are_their_owners_alone() {
    let home = Home::new();
    home.add("I live in Lisbon");
    home.run(["export", "vault", "--format", "obsidian"]);
    let mut folders = vec![home.path().join("vault")];
    let mut files = 0;
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder") {
            let entry = entry.expect("an entry");
            let mode = entry.metadata().expect("known").permissions().mode() & 0o777;
            let is_folder = entry.path().is_dir();
            assert_eq!(mode, if is_folder { 0o700 } else { 0o600 }, "{}", entry.path().display());
            files += usize::from(!is_folder);
            folders.extend(is_folder.then(|| entry.path()));
        }
    }
    assert!(files > 0);
}
