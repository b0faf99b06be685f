//! `recollect keys` and `recollect audit`, with a server and without one; and `serve` for other machines.

use serde_json::{Value, json};

use crate::support::{Home, RunningServer};

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text")).to_owned()
}

fn asked(server: &RunningServer, key: Option<&str>) -> u16 {
    let header = key.map(|key| format!("\r\nAuthorization: Bearer {key}")).unwrap_or_default();
    server.http(&format!("GET /api/memory HTTP/1.1{header}")).status
}

#[test]
fn keys_are_made_shown_once_listed_and_revoked() {
    let home = Home::new();
    let made = home.json(&["keys", "create", "--tenant", "team-7", "--role", "memory", "--name", "laptop"]);
    let (key, id) = (text(&made["key"]), text(&made["id"]));
    assert!(key.starts_with("rk_") && key.len() == 50, "{key}");
    assert!(id.starts_with("key_"), "{id}");
    assert_eq!(
        (&made["tenant"], &made["role"], &made["first"]),
        (&json!("team-7"), &json!("memory"), &json!(true))
    );
    let listed = home.run(["keys", "list"]);
    for part in [
        id.as_str(),
        &format!("{}…", &key[..11]),
        "team-7",
        "memory",
        "all agents",
        "active",
        "never used",
        "laptop",
    ] {
        assert!(listed.stdout.contains(part), "{part:?} is not in {}", listed.stdout);
    }
    assert!(!home.json(&["keys", "list"]).to_string().contains(&key), "never again");
    assert_eq!(home.json(&["keys", "list", "--tenant", "team-7"])["keys"].as_array().map(Vec::len), Some(1));
    let second = home.json(&["keys", "create", "--agent", "tutor", "--agent", "coach", "--expires", "90d"]);
    assert_eq!((&second["agents"], &second["first"]), (&json!(["coach", "tutor"]), &json!(false)));
    assert!(second["expires_at"].is_string());
    assert_eq!(second["tenant"], "local");
    assert_eq!(home.json(&["keys", "revoke", &id])["last"], false);
    let last = home.run(["keys", "revoke", &text(&second["id"])]);
    assert_eq!(last.stdout, format!("revoked {}\n", text(&second["id"])));
    assert!(last.stderr.contains("the last key"), "{last:?}");
    assert_eq!(home.json(&["keys", "list"])["keys"][1]["status"], "revoked");
}

#[test]
fn people_are_told_what_a_key_is_for() {
    let home = Home::new();
    let ran = home.run(["keys", "create"]);
    assert_eq!((ran.code, ran.stdout.trim().len()), (Some(0), 50), "the key alone on stdout: {ran:?}");
    for part in
        ["opens tenant local with the role memory", "shown this once", "Authorization: Bearer", "from now on"]
    {
        assert!(ran.stderr.contains(part), "{part:?} is not in {}", ran.stderr);
    }
    assert!(!home.run(["keys", "create"]).stderr.contains("from now on"), "only the first");
}

#[test]
fn mistakes_are_said_plainly() {
    let home = Home::new();
    let check = |arguments: &[&str], code: i32, part: &str| {
        let ran = home.run(arguments);
        assert_eq!(ran.code, Some(code), "{ran:?}");
        assert!(ran.stderr.contains(part), "{part:?} is not in {}", ran.stderr);
    };
    check(
        &["keys", "create", "--role", "king"],
        2,
        "`king` is not a role; expected one of read, memory, admin",
    );
    check(&["keys", "create", "--expires", "soon"], 2, "expected days such as 90d");
    check(&["keys", "create", "--expires", "2020-01-01"], 2, "expired at once");
    check(&["keys", "create", "--role", "admin", "--agent", "a"], 2, "cannot have the role admin");
    check(&["keys", "revoke", "nonsense"], 2, "is not a key's id");
    check(&["keys", "revoke", "key_01890a5d-ac96-774b-bcce-b302099a8057"], 1, "there is no key");
    let secret = text(&home.json(&["keys", "create"])["key"]);
    check(&["keys", "revoke", &secret], 2, "the key itself is not a key's id");
}

#[test]
fn a_running_server_follows_at_once() {
    let home = Home::new();
    let server = home.serve();
    assert_eq!(asked(&server, None), 200);
    // Once through the server, and once past it: another process's key counts for the next request.
    let through = home.json(&["keys", "create"]);
    let past = home.json(&["--no-attach", "keys", "create", "--role", "read"]);
    assert_eq!(asked(&server, None), 401, "loopback too");
    for made in [&through, &past] {
        assert_eq!(asked(&server, Some(&text(&made["key"]))), 200);
    }
    assert_eq!(asked(&server, Some("sk-provider")), 401);
    home.add("commands need no key");
    home.json(&["--no-attach", "keys", "revoke", &text(&past["id"])]);
    assert_eq!(asked(&server, Some(&text(&past["key"]))), 401);
    home.json(&["keys", "revoke", &text(&through["id"])]);
    assert_eq!(asked(&server, None), 401, "the last key is revoked, and the door stays shut");
    assert_eq!(home.run(["keys", "open"]).code, Some(0));
    assert_eq!(asked(&server, None), 200, "until somebody says otherwise");
    let used = home.json(&["keys", "list"]);
    assert!(
        used["keys"].as_array().expect("a list").iter().all(|key| key["last_used_at"].is_string()),
        "{used}"
    );
}

#[test]
fn the_record_shows_who_was_let_in() {
    let home = Home::new();
    let server = home.serve();
    let made = home.json(&["keys", "create", "--tenant", "team-7", "--role", "read"]);
    assert_eq!(asked(&server, None), 401);
    assert_eq!(asked(&server, Some(&text(&made["key"]))), 200);
    let all = home.json(&["audit", "--limit", "50"]);
    let rows = all["decisions"].as_array().expect("a list");
    let has = |operation: &str, caller: &str, allowed: bool| {
        rows.iter()
            .any(|row| row["operation"] == operation && row["caller"] == caller && row["allowed"] == allowed)
    };
    assert!(has("KeyCreate", "operator", true), "{all}");
    assert!(has("GET /api/memory", "unknown", false), "{all}");
    assert!(has("List", made["id"].as_str().expect("text"), true), "{all}");
    let team = home.json(&["audit", "--tenant", "team-7"]);
    assert!(
        team["decisions"].as_array().expect("a list").iter().all(|row| row["tenant"] == "team-7"),
        "{team}"
    );
    let shown = home.run(["audit"]);
    assert!(shown.stdout.contains("denied: no_key"), "{}", shown.stdout);
    assert_eq!(home.run(["audit", "--limit", "0"]).code, Some(2));
}

#[test]
fn other_machines_are_served_once_there_is_a_key() {
    let home = Home::new();
    let refused = home.run(["serve", "--listen", "0.0.0.0:0"]);
    assert_eq!(refused.code, Some(1));
    assert!(refused.stderr.contains("recollect keys create"), "{refused:?}");
    assert!(!home.data().exists(), "refused before anything is made");
    let made = home.json(&["keys", "create"]);
    let mut command = home.command();
    let mut server = RunningServer::start(command.args(["serve", "--listen", "0.0.0.0:0"]));
    server.wait_for("requests need a key");
    assert_eq!(asked(&server, None), 401);
    assert_eq!(asked(&server, Some(&text(&made["key"]))), 200);
    home.json(&["keys", "revoke", &text(&made["id"])]);
    assert_eq!(asked(&server, None), 401, "nobody from elsewhere comes in without a key");
    drop(server);
    let mut command = home.command();
    let mut server = RunningServer::start(command.args(["serve", "--listen", "0.0.0.0:0"]));
    server.wait_for("requests need a key");
    assert_eq!(asked(&server, None), 401, "none is left, and none is let in");
    drop(server);
    assert_eq!(home.run(["keys", "open"]).code, Some(0));
    assert_eq!(home.run(["serve", "--listen", "0.0.0.0:0"]).code, Some(1), "open for this machine alone");
}

/// Who had keys is not known any more, so nobody is let in for it; and what the tenants' files hold is still there.
#[test]
fn a_server_beside_a_lost_control_database_says_how_to_go_on_and_loses_nothing() {
    let home = Home::new();
    home.add("Uma drinks green tea");
    let team = home.json(&["keys", "create", "--tenant", "team-7"]);
    home.json(&["add", "the team meets on Mondays", "--tenant", "team-7"]);
    let lost = text(&team["key"]);
    for name in ["control.sqlite3", "control.sqlite3-wal", "control.sqlite3-shm"] {
        let _ = std::fs::remove_file(home.data().join(name));
    }
    for attempt in 1..=2 {
        let refused = home.run(["serve", "--listen", "127.0.0.1:0"]);
        assert_eq!(refused.code, Some(1), "attempt {attempt}: {refused:?}");
        for part in ["the control database knows none", "from a backup", "keys create", "keys open"] {
            assert!(refused.stderr.contains(part), "{part:?} is not in {}", refused.stderr);
        }
    }

    let listed = |tenant: &str| home.json(&["list", "--tenant", tenant]).to_string();
    assert!(listed("local").contains("green tea") && listed("team-7").contains("on Mondays"));
    let slip = home.run(["list", "--tenant", "team-8"]);
    assert!(slip.stderr.contains("did you mean `team-7`?"), "the tenants are known again: {slip:?}");
    let fresh = text(&home.json(&["keys", "create", "--tenant", "team-7", "--user", "*"])["key"]);
    let server = home.serve();
    for (key, status) in [(None, 401), (Some(lost.as_str()), 401), (Some(fresh.as_str()), 200)] {
        assert_eq!(asked(&server, key), status, "{key:?}");
    }
    let reply = server.http(&format!("GET /api/memory HTTP/1.1\r\nAuthorization: Bearer {fresh}"));
    assert!(reply.body.contains("on Mondays"), "{}", reply.body);
}

/// Those who answer for safety see the records and remove them without knowing the interface over HTTP.
#[test]
fn records_of_crises_are_shown_and_removed() {
    let home = Home::new();
    let server = home.serve();
    let report = |session: &str| {
        let body = json!({ "session_id": session, "user_id": "mara", "level": 2,
            "reason": "the voice line was sure", "classifier_path": "llm_primary" });
        let (status, made) = server.post("/api/audit/crisis", &body);
        assert_eq!(status, 201, "{made}");
        text(&made["id"])
    };
    let (first, second) = (report("night-talk"), report("another"));
    let listed = home.json(&["audit", "crisis"]);
    let ids = |listed: &Value| -> Vec<String> {
        listed["records"].as_array().expect("records").iter().map(|record| text(&record["id"])).collect()
    };
    assert_eq!(ids(&listed), [second.clone(), first.clone()], "the latest first: {listed}");
    assert!(!listed.to_string().contains("mara") && !listed.to_string().contains("night-talk"), "{listed}");
    assert_eq!(
        home.json(&["audit", "crisis", "list", "--limit", "1"])["records"].as_array().map(Vec::len),
        Some(1)
    );
    let one = home.json(&["audit", "crisis", "--session", "night-talk", "--user", "mara"]);
    assert_eq!(ids(&one), std::slice::from_ref(&first));
    let shown = home.run(["audit", "crisis"]);
    assert!(
        shown.stdout.contains("level 2") && shown.stdout.contains("the voice line was sure"),
        "{shown:?}"
    );
    assert!(shown.stdout.contains(&first), "{shown:?}");

    let removed = home.json(&["audit", "crisis", "remove", &first]);
    assert_eq!(removed["removed"], json!([first]));
    let again = home.run(["audit", "crisis", "remove", &first]);
    assert_eq!(again.code, Some(1), "{again:?}");
    assert!(again.stderr.contains("there is no crisis record"), "{again:?}");
    assert_eq!(home.run(["audit", "crisis", "remove", "nonsense"]).code, Some(2));
    assert_eq!(ids(&home.json(&["--no-attach", "audit", "crisis"])), [second], "without the server too");
    let help = home.run(["audit", "crisis", "--help"]).stdout;
    assert!(help.contains("Examples:") && help.contains("recollect audit crisis remove"), "{help}");
    let rows = home.json(&["audit", "--limit", "100"]);
    let has = |name: &str| {
        rows["decisions"].as_array().is_some_and(|rows| rows.iter().any(|row| row["operation"] == name))
    };
    assert!(has("CrisisList") && has("CrisisRemove"), "{rows}");
}
