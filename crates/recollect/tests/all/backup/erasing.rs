//! Purges and backups: what was purged is in no backup made afterwards, and does not come back with one made before,
//! unless that is wanted.

use super::{back_up, contents, elsewhere, shelf, text, tree};
use crate::support::Home;

const WORD: &str = "heliotrope";

fn has_word(folder: &std::path::Path) -> bool {
    let holds = |bytes: &Vec<u8>| {
        bytes.windows(WORD.len()).any(|window| window.eq_ignore_ascii_case(WORD.as_bytes()))
    };
    tree(folder).values().any(holds)
}

#[test]
fn what_was_purged_is_in_no_later_backup() {
    let home = Home::new();
    home.add("the sky is blue");
    let id = home.add("heliotrope is my favourite colour");
    home.run(["update", &id, "--content", "heliotrope was my favourite colour"]);
    home.run(["forget", &id, "--yes", "--purge"]);
    back_up(&home);
    assert!(!has_word(&shelf(&home)));
    assert_eq!(contents(&elsewhere(&home), "local"), ["the sky is blue"]);
}

#[test]
fn what_was_purged_since_stays_purged_unless_wanted() {
    let home = Home::new();
    home.add("the sky is blue");
    let id = home.add("heliotrope is my favourite colour");
    back_up(&home);
    assert_eq!(home.run(["forget", &id, "--yes", "--purge"]).code, Some(0));
    home.add("written since");
    let foreseen = home.run(["restore", text(&shelf(&home)), "--dry-run"]);
    assert!(foreseen.stderr.contains("this backup is older than 1 purge"), "{foreseen:?}");
    let restored = home.run(["restore", text(&shelf(&home)), "--yes"]);
    assert_eq!(restored.code, Some(0), "{restored:?}");
    assert!(restored.stderr.contains("this backup is older than 1 purge"), "{restored:?}");
    assert!(restored.stderr.contains("stay purged"), "{restored:?}");
    assert_eq!(contents(&home, "local"), ["the sky is blue"]);
    assert_eq!(home.search(WORD), [] as [&str; 0]);
    assert!(!has_word(&home.data()), "in no file of the data folder");
    // Elsewhere nobody knows of the purge.
    let other = elsewhere(&home);
    assert_eq!(contents(&other, "local").len(), 2);
    // Whoever purged by mistake can have it back.
    let back = home.json(&["restore", text(&shelf(&home)), "--yes", "--with-purged"]);
    assert_eq!(back["purged"]["again"], false);
    assert_eq!(contents(&home, "local"), ["heliotrope is my favourite colour", "the sky is blue"]);
}

/// The second restore replaces what the first one made, and must not forget what that one knew.
#[test]
fn a_second_restore_still_knows() {
    let home = Home::new();
    home.add("the sky is blue");
    let id = home.add("heliotrope is my favourite colour");
    back_up(&home);
    assert_eq!(home.run(["forget", &id, "--yes", "--purge"]).code, Some(0));
    for _ in 0..2 {
        let restored = home.json(&["restore", text(&shelf(&home)), "--yes"]);
        assert_eq!(restored["purged"]["again"], true, "{restored}");
        assert_eq!(contents(&home, "local"), ["the sky is blue"]);
        assert!(!has_word(&home.data()));
    }
}

/// A backup that never had it says nothing of its purge: that must come along all the same, or the next restore, of a backup that
/// has it, brings it back.
#[test]
fn a_restore_in_between_forgets_no_purge() {
    let home = Home::new();
    let (without, with) = (home.path().join("without"), home.path().join("with"));
    home.add("the sky is blue");
    home.json(&["backup", text(&without)]);
    let id = home.add("heliotrope is my favourite colour");
    home.json(&["backup", text(&with)]);
    assert_eq!(home.run(["forget", &id, "--yes", "--purge"]).code, Some(0));
    let receipts = home.json(&["receipts"]);
    for _ in 0..2 {
        home.json(&["restore", text(&without), "--yes"]);
        assert_eq!(contents(&home, "local"), ["the sky is blue"]);
        assert_eq!(home.json(&["receipts"]), receipts);
    }
    let foreseen = home.run(["restore", text(&with), "--dry-run"]);
    assert!(foreseen.stderr.contains("this backup is older than 1 purge"), "{foreseen:?}");
    let restored = home.json(&["restore", text(&with), "--yes"]);
    assert_eq!(restored["purged"]["records"], 1, "{restored}");
    assert_eq!(restored["purged"]["again"], true, "{restored}");
    assert_eq!(contents(&home, "local"), ["the sky is blue"]);
    assert_eq!(home.json(&["receipts"]), receipts);
    assert!(!has_word(&home.data()), "in no file of the data folder");
    home.json(&["restore", text(&with), "--yes", "--with-purged"]);
    assert_eq!(contents(&home, "local"), ["heliotrope is my favourite colour", "the sky is blue"]);
}
