//! The everyday commands: what they answer, in words and in JSON.

use std::process::Stdio;

use super::support::{Home, contents, ran};

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

#[test]
fn people_get_aligned_lines() {
    let home = Home::new();
    home.run(["add", "I moved to Irvine in May", "--tag", "home"]);
    home.run(["add", "Tea without sugar, please", "--kind", "preference"]);
    insta::assert_snapshot!(home.run(["search", "irvine"]).transcript(&home), @"
    exit 0
    --- stdout
    0.49  I moved to Irvine in May
          [id]  fact  [minute]  #home
    --- stderr
    ");
    insta::assert_snapshot!(home.run(["list"]).transcript(&home), @"
    exit 0
    --- stdout
    [id]  [minute]  preference  Tea without sugar, please
    [id]  [minute]  fact        I moved to Irvine in May
    --- stderr
    ");
    insta::assert_snapshot!(home.run(["list", "--limit", "1", "--oldest"]).transcript(&home), @"
    exit 0
    --- stdout
    [id]  [minute]  fact  I moved to Irvine in May
    --- stderr
    1 of 2; --offset 1 goes on
    ");
    insta::assert_snapshot!(home.run(["search", "zebra"]).transcript(&home), @"
    exit 0
    --- stdout
    --- stderr
    nothing found
    ");
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
fn add_answers_the_id_alone_so_that_scripts_can_use_it() {
    let home = Home::new();
    let ran = home.run(["add", "one", "two"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), "remembered\n"));
    let shown = home.json(&["show", ran.stdout.trim()]);
    assert_eq!(shown["content"], "one two");
    assert_eq!(home.run(["add", "three", "--quiet"]).stderr, "");
}

#[test]
fn the_same_thing_twice_is_one_memory() {
    let home = Home::new();
    let first = home.json(&["add", "I like tea", "--tag", "drink"]);
    let again = home.json(&["add", "  I like tea ", "--tag", "hot"]);
    assert_eq!((&first["id"], &first["created"]), (&again["id"], &true.into()));
    assert_eq!(again["created"], false);
    let shown = home.json(&["show", first["id"].as_str().expect("an id")]);
    assert_eq!(shown["tags"], serde_json::json!(["drink", "hot"]));
    let unchanged = home.json(&["add", "I like tea"]);
    assert_eq!(unchanged["version"], again["version"], "nothing new, so nothing written");
    for other in
        [["--user", "ada"], ["--scope", "organization"], ["--layer", "episodic"], ["--agent", "coach"]]
    {
        let other = home.json(&[&["add", "I like tea"], other.as_slice()].concat());
        assert_eq!(other["created"], true, "another owner, scope or layer is another memory");
    }
    assert_eq!(home.json(&["add", "I like"])["created"], true);
    assert_eq!(home.json(&["add", "!?"])["created"], true);
    assert_eq!(home.json(&["add", "!?"])["created"], false);
    assert_eq!(home.json(&["list"])["total"], 7);
}

#[test]
fn what_was_forgotten_can_be_said_again() {
    let home = Home::new();
    let first = home.add("I like tea");
    assert_eq!(home.run(["forget", &first, "--yes"]).code, Some(0));
    let again = home.json(&["add", "I like tea"]);
    assert_eq!(again["created"], true);
    assert_ne!(again["id"], first.as_str());
}

#[test]
fn a_key_replaces_and_merges() {
    let home = Home::new();
    let first = home.json(&["add", "I live in Boston", "--key", "home", "--metadata", r#"{"a": 1, "b": 1}"#]);
    let second = home.json(&["add", "I live in Irvine", "--key", "home", "--metadata", r#"{"b": 2}"#]);
    assert_eq!(first["id"], second["id"]);
    assert_eq!((&second["created"], &second["version"]), (&false.into(), &2.into()));
    let shown = home.json(&["show", second["id"].as_str().expect("an id")]);
    assert_eq!(shown["metadata"], serde_json::json!({"a": 1, "b": 2}));
    assert_eq!(home.search("boston"), [] as [&str; 0]);
    assert_eq!(home.search("irvine"), ["I live in Irvine"]);
}

#[test]
fn text_can_come_from_stdin() {
    let home = Home::new();
    assert_eq!(home.feed(&["add", "-"], "written elsewhere\n").code, Some(0));
    let found = home.feed(&["search", "-"], "elsewhere");
    assert!(found.stdout.contains("written elsewhere"), "{found:?}");
}

#[test]
fn show_has_every_field() {
    let home = Home::new();
    let arguments = [
        "add",
        "Ada works at Analytical Engines",
        "--subject",
        "Ada",
        "--predicate",
        "WORKS_AT",
        "--object",
        "Analytical Engines",
        "--evidence",
        "my job at Analytical Engines",
        "--kind",
        "relationship",
        "--scope",
        "thread",
        "--session",
        "s1",
        "--user",
        "ada",
        "--agent",
        "coach",
        "--tag",
        "work",
        "--pin",
        "--valid-from",
        "2026-01-01",
        "--valid-until",
        "2027-01-01",
        "--expires-at",
        "2100-01-01",
        "--metadata",
        r#"{"source":"letter"}"#,
    ];
    let id = home.run(arguments).stdout;
    insta::assert_snapshot!(home.run(["show", id.trim()]).transcript(&home), @r#"
    exit 0
    --- stdout
    Ada works at Analytical Engines
    id           [id]
    version      1
    status       active
    kind         relationship
    layer        semantic
    scope        thread
    agent        coach
    user         ada
    session      s1
    tags         work
    subject      Ada
    predicate    WORKS_AT
    object       Analytical Engines
    evidence     my job at Analytical Engines
    pinned       yes
    origin       person
    confidence   1
    salience     0.5
    strength     1, stable for 180 days
    metadata     {"source":"letter"}
    valid from   [time]
    valid until  [time]
    expires at   [time]
    created at   [time]
    updated at   [time]
    --- stderr
    "#);
    let shown = home.json(&["show", id.trim()]);
    assert_eq!(shown["counters"]["use_count"], 0);
    assert_eq!(shown["sources"], serde_json::json!([]));
}

#[test]
fn update_changes_what_is_named_and_history_tells() {
    let home = Home::new();
    let id = home.add("I moved to Irvine in May");
    let updated =
        home.json(&["update", &id, "--content", "I moved to Irvine in June", "--tag", "home", "--pin"]);
    assert_eq!((&updated["version"], &updated["changed"]), (&2.into(), &true.into()));
    assert_eq!(home.search("june"), ["I moved to Irvine in June"]);
    assert_eq!(home.search("may"), [] as [&str; 0]);
    let same = home.json(&["update", &id, "--pin"]);
    assert_eq!((&same["version"], &same["changed"]), (&2.into(), &false.into()));
    home.json(&["update", &id, "--untag", "home", "--unpin", "--expires-at", "2100-01-01"]);
    home.json(&["update", &id, "--expires-at", "none"]);
    home.run(["forget", &id, "--yes"]);
    insta::assert_snapshot!(home.run(["history", &id]).transcript(&home), @r#"
    exit 0
    --- stdout
    [minute]  person    created  version 1
    [minute]  person    changed  version 2
        content: "I moved to Irvine in May" → "I moved to Irvine in June"
        pinned: nothing → true
        tags: nothing → ["home"]
    [minute]  person    changed  version 3
        expires_at: nothing → "[time]"
        pinned: true → nothing
        tags: ["home"] → nothing
    [minute]  person    changed  version 4
        expires_at: "[time]" → nothing
    [minute]  person    changed  version 5  run [run]
        status: "active" → "deleted"
    --- stderr
    "#);
    let refused = home.run(["update", &id, "--pin"]);
    assert_eq!(refused.code, Some(1));
    assert!(refused.stderr.contains("was forgotten"), "{refused:?}");
}

#[test]
fn an_update_of_a_version_that_is_gone_is_a_conflict() {
    let home = Home::new();
    let id = home.add("one");
    home.json(&["update", &id, "--content", "two", "--expect-version", "1"]);
    insta::assert_snapshot!(home.run(["update", &id, "--content", "three", "--expect-version", "1"]).transcript(&home), @"
    exit 1
    --- stdout
    --- stderr
    error: memory [id] is at version 2, not at 1
    hint: somebody changed it in the meantime; `recollect show [id]` says to what
    ");
    assert_eq!(home.search("two"), ["two"]);
}

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
fn a_reader_that_has_seen_enough_is_no_failure() {
    let home = Home::new();
    for number in 0..30 {
        home.add(&format!("memory number {number} {}", "with a long tail ".repeat(800)));
    }
    for arguments in [["list", "--json"].as_slice(), &["completions", "bash"], &["config", "default"]] {
        let mut child = home
            .command()
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("starts");
        drop(child.stdout.take());
        let ended = child.wait_with_output().expect("ends");
        assert_eq!(ended.status.code(), Some(0), "{arguments:?}: {}", String::from_utf8_lossy(&ended.stderr));
        assert!(ended.stderr.is_empty(), "{arguments:?}: {}", String::from_utf8_lossy(&ended.stderr));
    }
}

#[test]
fn colours_only_where_somebody_looks() {
    let home = Home::new();
    home.add("green");
    assert!(!home.run(["list"]).stdout.contains('\u{1b}'));
    assert!(home.run(["list", "--color", "always"]).stdout.contains('\u{1b}'));
    assert!(!ran(home.command().env("NO_COLOR", "1").args(["list"])).stdout.contains('\u{1b}'));
    assert!(!home.run(["list", "--color", "never"]).stdout.contains('\u{1b}'));
}

#[test]
fn stats_count() {
    let home = Home::new();
    home.add("one");
    home.run(["add", "two", "--kind", "goal"]);
    home.run(["settings", "set", "recallTopK", "7"]);
    let text = home.run(["stats"]);
    for line in [
        "tenant          local",
        "memories        2 active",
        "by kind         1 fact, 1 goal",
        "settings        recallTopK = 7",
    ] {
        assert!(text.stdout.contains(line), "{line:?} is not in {}", text.stdout);
    }
    let counted = home.json(&["stats"]);
    assert_eq!(counted["memories"]["active"], 2);
    assert_eq!(counted["settings"]["recallTopK"], 7);
    assert!(counted["bytes_on_disk"].as_u64().expect("a number") > 0);
    assert_eq!(counted["change_number"], 3);
}

#[test]
fn every_shell_gets_completions() {
    let home = Home::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let ran = home.run(["completions", shell]);
        assert_eq!(ran.code, Some(0), "{shell}");
        assert!(ran.stdout.contains("forget") && ran.stdout.contains("recollect"), "{shell}");
    }
    assert_eq!(home.run(["completions", "tcsh"]).code, Some(2));
}

#[test]
fn every_command_has_help_with_an_example() {
    let home = Home::new();
    let commands = [
        "add",
        "search",
        "list",
        "show",
        "update",
        "forget",
        "history",
        "stats",
        "settings",
        "config",
        "serve",
        "completions",
    ];
    for command in commands {
        let ran = home.run([command, "--help"]);
        assert_eq!(ran.code, Some(0), "{command}");
        assert!(
            ran.stdout.contains("Examples:") && ran.stdout.contains(&format!("recollect {command}")),
            "{command}"
        );
    }
    assert!(home.run(["--version"]).stdout.starts_with("recollect "));
}

#[test]
fn a_tenant_is_made_by_writing_and_walls_off_its_memories() {
    let home = Home::new();
    home.run(["add", "theirs", "--tenant", "team-7"]);
    home.add("mine");
    assert_eq!(home.json(&["list"])["total"], 1);
    assert_eq!(contents(&home.json(&["list", "--tenant", "team-7"])["memories"]), ["theirs"]);
    let theirs =
        home.json(&["list", "--tenant", "team-7"])["memories"][0]["id"].as_str().expect("an id").to_owned();
    assert_eq!(home.run(["show", &theirs]).code, Some(1), "not by its id either");
    insta::assert_snapshot!(home.run(["list", "--tenant", "team-8"]).transcript(&home), @"
    exit 1
    --- stdout
    --- stderr
    error: there is no tenant `team-8`
    hint: did you mean `team-7`?
    ");
    insta::assert_snapshot!(home.run(["list", "--tenant", "nobody"]).transcript(&home), @"
    exit 1
    --- stdout
    --- stderr
    error: there is no tenant `nobody`
    hint: known are local, team-7
    ");
    assert_eq!(ran(home.command().env("RECOLLECT_TENANT", "team-7").args(["list", "--json"])).code, Some(0));
}
