//! Settings: checked, stored, and followed by whoever runs.

use super::support::{Home, RunningServer, contents, ran};

#[test]
fn a_bad_setting_names_the_range() {
    let home = Home::new();
    insta::assert_snapshot!(home.run(["settings", "set", "recallTopK", "999999"]).transcript(&home), @"
    exit 2
    --- stdout
    --- stderr
    error: `999999` is not allowed for recallTopK; expected a whole number from 1 to 100
    ");
    insta::assert_snapshot!(home.run(["settings", "get", "recalTopK"]).transcript(&home), @"
    exit 2
    --- stdout
    --- stderr
    error: there is no setting `recalTopK`
    hint: did you mean `recallTopK`? `recollect settings list` shows all
    ");
    assert_eq!(home.run(["settings", "set", "recallTopK", "-5"]).code, Some(2));
    assert_eq!(home.run(["settings", "get", "recallTopK"]).stdout, "10\n");
}

#[test]
fn a_core_model_of_nobody_is_refused_with_the_names_that_are_there() {
    let home = Home::new();
    let set = |provider: &str| {
        let mut command = home.command();
        command.env("OPENAI_BASE_URL", "http://127.0.0.1:1").env("ANTHROPIC_API_KEY", "sk-test");
        ran(command.args(["settings", "set", "coreModelProvider", provider]))
    };
    let refused = set("opanai");
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert!(
        refused.stderr.contains("`opanai` is no configured server of models; expected `openai`, `anthropic`"),
        "{refused:?}"
    );
    assert_eq!(home.run(["settings", "get", "coreModelProvider"]).stdout.trim(), "", "nothing was set");
    assert_eq!((set("anthropic").code, set("").code), (Some(0), Some(0)));
    // A running server refuses it too, one of many with all of them.
    let server = RunningServer::start(home.command().env("OPENAI_BASE_URL", "http://127.0.0.1:1").args([
        "serve",
        "--listen",
        "127.0.0.1:0",
    ]));
    let body = r#"{"recallTopK": 4, "coreModelProvider": "opneai"}"#;
    let refused = server.send(&format!(
        "PUT /api/settings/memory HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    ));
    assert!(refused.status == 400 && refused.body.contains("expected `openai`"), "{}", refused.body);
    assert_eq!(home.run(["settings", "get", "recallTopK"]).stdout, "10\n");
    server.kill();
}

#[test]
fn a_user_has_a_time_zone_of_their_own() {
    let home = Home::new();
    let get = |more: &[&str]| {
        let arguments = ["settings", "get", "timeZone"].into_iter().chain(more.iter().copied());
        home.run(arguments).stdout.trim().to_owned()
    };
    assert_eq!(home.run(["settings", "set", "timeZone", "Europe/Berlin"]).code, Some(0));
    let set = home.run(["settings", "set", "timeZone", "Europe/Lisbon", "--user", "mara"]);
    assert!(set.code == Some(0) && set.stdout.contains("Europe/Lisbon"), "{set:?}");
    assert_eq!(
        (get(&["--user", "mara"]), get(&["--user", "otto"])),
        ("Europe/Lisbon".into(), "Europe/Berlin".into())
    );
    assert_eq!(get(&[]), "Europe/Berlin");
    let refused = home.run(["settings", "set", "tz", "Mars/Olympus", "--user", "otto"]);
    assert!(refused.code == Some(2) && refused.stderr.contains("a time zone for each"), "{refused:?}");
    assert_eq!(home.run(["settings", "reset", "timeZone", "--user", "mara"]).code, Some(0));
    assert_eq!((get(&["--user", "mara"]), get(&[])), ("Europe/Berlin".into(), "Europe/Berlin".into()));
}

#[test]
fn a_tenants_own_value_is_stronger_than_everywheres() {
    let home = Home::new();
    let source = || home.json(&["settings", "get", "topK"])["source"].as_str().expect("a source").to_owned();
    assert_eq!(source(), "default");
    assert_eq!(home.run(["settings", "set", "recallTopK", "5", "--everywhere"]).stdout, "recallTopK = 5\n");
    assert_eq!(source(), "everywhere");
    home.run(["settings", "set", "top_k", "3"]);
    assert_eq!(source(), "tenant");
    let again = home.run(["settings", "set", "recallTopK", "6", "--everywhere"]);
    assert_eq!(again.stderr, "tenant local keeps its own value\n");
    assert_eq!(home.run(["settings", "get", "recallTopK"]).stdout, "3\n");
    home.run(["settings", "reset", "recallTopK"]);
    assert_eq!(home.run(["settings", "get", "recallTopK"]).stdout, "6\n");
    home.run(["settings", "reset", "recallTopK", "--everywhere"]);
    assert_eq!(home.run(["settings", "get", "recallTopK"]).stdout, "10\n");
}

#[test]
fn a_running_server_follows_at_once() {
    let home = Home::new();
    for number in 0..4 {
        home.add(&format!("tea number {number}"));
    }
    let server = home.serve();
    assert_eq!(home.search("tea").len(), 4);
    home.run(["settings", "set", "recallTopK", "2", "--no-attach"]);
    assert_eq!(home.search("tea").len(), 2, "set beside the server");
    home.run(["settings", "reset", "recallTopK", "--no-attach"]);
    home.run(["settings", "set", "recallTopK", "3", "--everywhere", "--no-attach"]);
    assert_eq!(home.search("tea").len(), 3, "set everywhere, beside the server");
    drop(server);
}

#[test]
fn require_owner_refuses_what_names_nobody() {
    let home = Home::new();
    home.run(["settings", "set", "requireOwner", "on"]);
    insta::assert_snapshot!(home.run(["add", "whose?"]).transcript(&home), @"
    exit 2
    --- stdout
    --- stderr
    error: neither a user nor a session is named, and the setting requireOwner asks for one
    hint: say whose memory it is: name a user or a session
    ");
    assert_eq!(home.run(["add", "mine", "--user", "ada"]).code, Some(0));
    assert_eq!(home.run(["add", "ours", "--session", "s1"]).code, Some(0));
}

#[test]
fn max_entries_bounds_what_one_owner_has() {
    let home = Home::new();
    home.run(["settings", "set", "maxEntriesPerAgent", "2"]);
    home.run(["add", "one"]);
    home.run(["add", "two", "--key", "second"]);
    let refused = home.run(["add", "three"]);
    assert_eq!(refused.code, Some(1));
    assert!(
        refused.stderr.contains("maxEntriesPerAgent") && refused.stderr.contains("hint: forget some"),
        "{refused:?}"
    );
    assert_eq!(home.json(&["add", "one"])["created"], false, "what is known needs no room");
    assert_eq!(home.json(&["add", "zwei", "--key", "second"])["created"], false, "nor does what replaces");
    assert_eq!(home.run(["add", "drei", "--key", "third"]).code, Some(1));
    assert_eq!(home.run(["add", "three", "--user", "ada"]).code, Some(0), "another owner has room");
    home.run(["settings", "set", "maxEntriesPerAgent", "0"]);
    assert_eq!(home.run(["add", "three"]).code, Some(0), "0 means no bound");
    assert_eq!(contents(&home.json(&["list", "--user", "default"])["memories"]), ["three", "zwei", "one"]);
}

#[test]
fn the_list_shows_value_source_and_range() {
    let home = Home::new();
    home.run(["settings", "set", "enabled", "false"]);
    let listed = home.run(["settings", "list"]);
    let line = listed.stdout.lines().find(|line| line.starts_with("enabled")).expect("in the list");
    assert_eq!(
        line.split_whitespace().collect::<Vec<_>>(),
        ["enabled", "false", "this", "tenant", "true", "or", "false"]
    );
    assert_eq!(home.json(&["stats"])["enabled"], false, "stats reads it");
    assert_eq!(home.run(["add", "a person may still"]).code, Some(0));
    assert_eq!(home.search("person"), ["a person may still"]);
}

/// A setting by user tells a key that is one user's nothing of the others.
#[test]
fn a_key_of_one_user_sees_no_other_users_zone() {
    let home = Home::new();
    for (user, zone) in [("mara", "Europe/Lisbon"), ("otto", "Asia/Tokyo")] {
        assert_eq!(home.run(["settings", "set", "timeZone", zone, "--user", user]).code, Some(0));
    }
    let made = home.json(&["keys", "create", "--user", "mara"]);
    let server = home.serve();
    let key = made["key"].as_str().expect("a key");
    let shown = server.http(&format!("GET /api/settings/memory HTTP/1.1\r\nAuthorization: Bearer {key}"));
    assert_eq!(shown.status, 200, "{}", shown.body);
    assert!(shown.body.contains("Lisbon") && !shown.body.contains("otto"), "{}", shown.body);
    assert!(
        home.run(["settings", "get", "timeZones"]).stdout.contains("otto"),
        "who owns the folder sees all"
    );
}
