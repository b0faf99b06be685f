//! Search: across restarts, at other times, and with any text as a query.

use super::support::{Home, contents};

#[test]
fn the_two_clocks() {
    let home = Home::new();
    home.run(["add", "I live in Boston", "--valid-from", "2020-01-01", "--valid-until", "2026-01-01"]);
    home.run(["add", "I live in Irvine", "--valid-from", "2026-01-01"]);
    assert_eq!(home.search("live"), ["I live in Irvine"]);
    let then = home.json(&["search", "live", "--as-of", "2023-06-01"]);
    assert_eq!(contents(&then["results"]), ["I live in Boston"]);
    let id = home.add("The code word is heron");
    let now = home.json(&["show", &id])["created_at"].as_str().expect("a time").to_owned();
    std::thread::sleep(std::time::Duration::from_millis(5));
    home.json(&["update", &id, "--content", "The code word is osprey"]);
    let known = home.json(&["search", "word", "--known-at", &now]);
    assert_eq!(contents(&known["results"]), ["The code word is heron"]);
    let before = home.json(&["search", "word", "--known-at", "2020-01-01"]);
    assert_eq!(contents(&before["results"]), [] as [&str; 0]);
    assert_eq!(home.run(["search", "x", "--as-of", "2020-01-01", "--known-at", "2020-01-01"]).code, Some(2));
}

#[test]
fn any_text_is_a_query() {
    let home = Home::new();
    home.add("what's in the foo-bar box: 🦊 and 日本語 text");
    let hundred_kilobytes = "box and more words ".repeat(100 * 1024 / 19);
    let found = [
        "what's in",
        "foo-bar",
        "\"unbalanced box",
        "🦊",
        "日本",
        "box AND (",
        "NOT box OR",
        &hundred_kilobytes,
    ];
    for query in found {
        assert_eq!(home.search(query).len(), 1, "{:?}", query.chars().take(30).collect::<String>());
    }
    for query in ["(((", "*", "'; DROP TABLE memory; --", "\u{0}\u{1}", "🐙", "box*box*", "%", "_"] {
        let ran = home.feed(&["search", "-", "--json"], query);
        assert_eq!(ran.code, Some(0), "{query:?}: {ran:?}");
    }
    assert_eq!(home.json(&["search", "ox: 🦊"])["results"].as_array().map(Vec::len), Some(1));
    assert_eq!(home.json(&["search", "at's"])["path"], "like");
    let huge = "box ".repeat(2_000_000);
    assert_eq!(home.feed(&["search", "-", "--json"], &huge).code, Some(0));
}

#[test]
fn operators_are_kept_to_even_if_nothing_is_found() {
    let home = Home::new();
    home.add("tea with sugar");
    assert_eq!(home.search("tea AND sugar"), ["tea with sugar"]);
    assert_eq!(home.search("tea NOT sugar"), [] as [&str; 0]);
    assert_eq!(home.search("\"sugar tea\""), [] as [&str; 0]);
    assert_eq!(home.search("sug*"), ["tea with sugar"]);
}

#[test]
fn an_empty_store_says_so() {
    let home = Home::new();
    insta::assert_snapshot!(home.run(["search", "anything"]).transcript(&home), @"
    exit 0
    --- stdout
    --- stderr
    nothing is remembered yet; `recollect add TEXT` changes that
    ");
    assert_eq!(home.json(&["search", "anything"])["path"], "skipped_empty_store");
    assert_eq!(home.json(&["list"])["total"], 0);
}

#[test]
fn what_was_added_is_found_across_restarts_with_and_without_a_server() {
    let home = Home::new();
    home.add("I moved to Irvine in May");
    assert_eq!(home.search("irvine"), ["I moved to Irvine in May"]);
    let server = home.serve();
    assert_eq!(home.search("irvine"), ["I moved to Irvine in May"]);
    home.add("The cat is called Mochi");
    assert_eq!(home.search("cats"), ["The cat is called Mochi"]);
    server.kill();
    assert_eq!(home.search("mochi"), ["The cat is called Mochi"]);
    let server = home.serve();
    assert_eq!(home.search("moving"), ["I moved to Irvine in May"]);
    drop(server);
}

/// `favourite_colour` is asked for as people ask.
#[test]
fn a_memory_is_found_by_the_key_that_it_was_given() {
    let home = Home::new();
    home.run(["add", "Teal, the dark one", "--key", "favourite_colour"]);
    home.add("The bicycle is in the cellar");
    for asked in ["favourite colour", "favourite_colour", "colours"] {
        assert_eq!(home.search(asked).first().map(String::as_str), Some("Teal, the dark one"), "{asked}");
    }
}
