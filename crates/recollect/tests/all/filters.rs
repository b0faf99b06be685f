//! Filters: whose, what kind, which tags, when.

use super::support::{Home, contents, ran};

fn filled() -> Home {
    let home = Home::new();
    let rows: [&[&str]; 5] = [
        &["tea in the morning", "--user", "ada", "--kind", "preference", "--tag", "drink", "--tag", "hot"],
        &["tea with the queen", "--user", "ada", "--kind", "event", "--session", "s1", "--tag", "drink"],
        &["tea ceremony", "--user", "bob", "--agent", "coach", "--scope", "organization"],
        &["tea is a leaf", "--layer", "episodic", "--scope", "persona"],
        &["buy tea", "--kind", "commitment"],
    ];
    for row in rows {
        let ran = home.run(["add"].iter().chain(row));
        assert_eq!(ran.code, Some(0), "{ran:?}");
    }
    home
}

#[test]
fn search_and_list_take_the_same_filters() {
    let home = filled();
    let check = |filters: &[&str], expected: &[&str]| {
        let listed = home.json(&[&["list"], filters].concat());
        let mut listed = contents(&listed["memories"]);
        let found = home.json(&[&["search", "tea"], filters].concat());
        let mut found = contents(&found["results"]);
        listed.sort();
        found.sort();
        assert_eq!(listed, expected, "list {filters:?}");
        assert_eq!(found, expected, "search {filters:?}");
    };
    check(&["--user", "ada", "--kind", "event"], &["tea with the queen"]);
    check(&["--agent", "coach"], &["tea ceremony"]);
    check(&["--session", "s1"], &["tea with the queen"]);
    check(&["--kind", "event", "--kind", "commitment"], &["buy tea", "tea with the queen"]);
    check(&["--kind", "action_item"], &["buy tea"]);
    check(&["--layer", "episodic"], &["tea is a leaf", "tea with the queen"]);
    check(&["--scope", "organization", "--scope", "persona"], &["tea ceremony", "tea is a leaf"]);
    check(&["--scope", "global"], &["tea ceremony"]);
    check(&["--tag", "drink"], &["tea in the morning", "tea with the queen"]);
    check(&["--tag", "drink", "--tag", "hot"], &["tea in the morning"]);
    check(&["--until", "2020-01-01"], &[]);
    check(&["--since", "2020-01-01", "--user", "bob"], &["tea ceremony"]);
}

/// A list is of what somebody has; a search is for what somebody may know.
#[test]
fn what_is_everybodys_is_found_by_a_search_with_a_user() {
    let home = filled();
    let found = |filters: &[&str]| {
        let found = home.json(&[&["search", "tea"], filters].concat());
        let mut found = contents(&found["results"]);
        found.sort();
        found
    };
    assert_eq!(found(&["--user", "ada"]), ["tea ceremony", "tea in the morning", "tea with the queen"]);
    assert_eq!(found(&["--user", "ada", "--scope", "user"]), ["tea in the morning", "tea with the queen"]);
    assert_eq!(found(&["--user", "nobody"]), ["tea ceremony"]);
    let listed = home.json(&["list", "--user", "ada"]);
    assert_eq!(listed["total"], 2);
}

#[test]
fn pages_have_a_total_and_an_offset() {
    let home = filled();
    let page = home.json(&["list", "--limit", "2", "--offset", "2"]);
    assert_eq!((page["total"].as_u64(), page["offset"].as_u64()), (Some(5), Some(2)));
    assert_eq!(contents(&page["memories"]), ["tea ceremony", "tea with the queen"]);
    assert_eq!(home.json(&["search", "tea", "--top-k", "3"])["results"].as_array().map(Vec::len), Some(3));
    let past = home.run(["list", "--offset", "9"]);
    assert_eq!(past.stderr, "nothing at offset 9; there are 5\n");
}

#[test]
fn the_environment_says_whose() {
    let home = filled();
    let listed = ran(home.command().env("RECOLLECT_USER", "bob").args(["list", "--json"]));
    let listed: serde_json::Value = serde_json::from_str(&listed.stdout).expect("JSON");
    assert_eq!(contents(&listed["memories"]), ["tea ceremony"]);
    let listed = ran(home.command().env("RECOLLECT_USER", "bob").args(["list", "--json", "--user", "ada"]));
    let listed: serde_json::Value = serde_json::from_str(&listed.stdout).expect("JSON");
    assert_eq!(listed["total"], 2, "a flag is stronger");
}
