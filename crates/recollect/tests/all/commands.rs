//! The everyday commands: what they answer, in words and in JSON.

use super::support::{Home, contents, ran};

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
        [["--user", "ada"], ["--scope", "organization"], ["--layer", "episodic"], ["--scope", "agent"]]
    {
        let other = home.json(&[&["add", "I like tea"], other.as_slice()].concat());
        assert_eq!(other["created"], true, "another owner, scope or layer is another memory");
    }
    let elsewhere = home.json(&["add", "I like tea", "--agent", "coach"]);
    assert_eq!(elsewhere["id"], first["id"], "what the user has with any agent is one memory");
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
    provenance   own_words
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
    assert_eq!(home.search("\"may\""), [] as [&str; 0], "quoted, because June is close to May in meaning");
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
fn stats_count_what_is_stored() {
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

/// Vectors are made anew while one waits, with a server and without one; what is told is how many.
#[test]
fn vectors_are_made_anew_on_demand() {
    let home = Home::new();
    assert_eq!(home.json(&["reindex"])["pending"], 0);
    home.add("Ada plays the cello");
    home.add("Ada sails on Sundays");
    let made = home.json(&["reindex", "--force"]);
    assert_eq!((&made["started"], &made["pending"]), (&true.into(), &2.into()), "{made}");
    let done = home.json(&["runs"]);
    assert_eq!(
        (&done["runs"][0]["job"], &done["runs"][0]["state"]),
        (&"reindex".into(), &"done".into()),
        "{done}"
    );
    let _server = home.serve();
    let shown = home.run(["reindex", "--force"]);
    assert_eq!((shown.code, shown.stdout.as_str()), (Some(0), "made 2 vectors\n"), "{shown:?}");
    assert!(home.search("sails").contains(&"Ada sails on Sundays".to_owned()));
}
