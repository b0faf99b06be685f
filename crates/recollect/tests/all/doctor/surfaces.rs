//! The command, the route, a server beside it, and what is a person's.

use serde_json::{Value, json};

use super::{DoctorScene, codes, copy, database, dump, home};
use crate::support::Home;

fn spoil(home: &Home) {
    let connection = rusqlite::Connection::open(database(&home.data())).expect("opened");
    connection
        .execute("UPDATE corpus SET documents = documents + 7 WHERE name = 'memory'", [])
        .expect("planted");
}

#[test]
fn a_person_reads_ticks_findings_and_what_to_do() {
    let home = home();
    spoil(&home);
    let ran = home.run(["doctor", "--check", "statistics,database"]);
    assert_eq!(ran.code, Some(3), "{ran:?}");
    for part in [
        "✗  statistics",
        "✓  database",
        "fault statistics.corpus  1 of 3",
        "the numbers that scores rest on are wrong",
        "repair (--fix): they are counted anew",
        "score 73 of 100",
    ] {
        assert!(ran.stdout.contains(part), "{part:?} is missing: {}", ran.stdout);
    }
    assert!(ran.stderr.contains("`recollect doctor --fix`"), "{}", ran.stderr);
    let fixed = home.run(["doctor", "--fix"]);
    assert_eq!(fixed.code, Some(0), "{fixed:?}");
    assert!(fixed.stdout.contains("✓ statistics.corpus  1 put right"), "{}", fixed.stdout);
    assert!(fixed.stderr.contains("recollect undo ru_"), "{}", fixed.stderr);
    let runs = home.json(&["runs"]);
    assert_eq!(runs["runs"][0]["job"], "doctor");
}

#[test]
fn beside_a_running_server_it_finds_and_mends_too() {
    let home = home();
    let server = home.serve();
    spoil(&home);
    assert_eq!(home.run(["doctor"]).code, Some(3));
    assert_eq!(home.run(["doctor", "--fix"]).code, Some(0));
    let reply = server.http("GET /api/memory/doctor HTTP/1.1");
    let said: Value = serde_json::from_str(&reply.body).expect("JSON");
    assert_eq!((reply.status, &said["score"], &said["findings"]), (200, &json!(100), &json!([])), "{said:#}");
}

#[test]
fn the_route_reports_and_never_repairs() {
    let home = home();
    let server = home.serve();
    spoil(&home);
    for _ in 0..2 {
        let reply = server.http("GET /api/memory/doctor?check=statistics HTTP/1.1");
        let said: Value = serde_json::from_str(&reply.body).expect("JSON");
        assert_eq!(said["findings"][0]["code"], "statistics.corpus", "{said:#}");
        assert_eq!((&said["sound"], said.get("runId")), (&json!(false), None));
    }
    let wrong = server.http("GET /api/memory/doctor?check=polish HTTP/1.1");
    assert!(wrong.status == 400 && wrong.body.contains("index.damaged"), "{}", wrong.body);
}

#[test]
fn a_wrong_check_is_refused_with_a_hint() {
    let ran = home().run(["doctor", "--check", "polish"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("there is no check `polish`") && ran.stderr.contains("hint:"), "{ran:?}");
}

#[test]
fn every_tenant_is_examined_and_keeps_to_itself() {
    let home = home();
    home.json(&["add", "Team seven meets on Thursdays", "--tenant", "team-7"]);
    let said = home.json(&["doctor", "--all-tenants"]);
    let names: Vec<&str> = said["tenants"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|one| one["tenant"].as_str().expect("a name"))
        .collect();
    assert_eq!((names, &said["score"]), (vec!["local", "team-7"], &json!(100)), "{said:#}");
}

/// What people wrote twice, or against each other, is named and stays.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_people_wrote_is_left_to_them() {
    let scene = DoctorScene::on(copy());
    let connection = rusqlite::Connection::open(scene.database()).expect("opened");
    // Pinned by somebody: it is theirs, although nobody said it.
    let pinned = "UPDATE memory SET body = json_remove(json_set(body, '$.pinned', json('true')), '$.evidence')
                  WHERE row = (SELECT min(row) FROM memory WHERE body ->> '$.origin' = 'heuristic' AND status = 'active')
                  RETURNING id";
    let id: String = connection.query_row(pinned, [], |row| row.get(0)).expect("planted");
    connection.execute("DELETE FROM derived WHERE child = ?1", [&id]).expect("planted");
    drop(connection);
    let found = scene.examine().await;
    assert_eq!((codes(&found), found.findings[0].left_to_people), (vec!["junk.no-evidence"], 1));
    assert!(!found.findings[0].repairable);
    let before = dump(&scene.database());
    let fixed = scene.fix().await;
    assert_eq!(codes(&fixed), ["junk.no-evidence"]);
    assert_eq!(dump(&scene.database()), before);
}

/// Logs and answers for programs name ids; only the terminal shows a line.
#[test]
fn what_is_remembered_stays_out_of_json_and_logs() {
    let home = home();
    let connection = rusqlite::Connection::open(database(&home.data())).expect("opened");
    let sql = "SELECT id, body ->> '$.content' FROM memory WHERE body ->> '$.origin' = 'heuristic' AND status = 'active' LIMIT 1";
    let (id, content): (String, String) =
        connection.query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?))).expect("there");
    connection.execute("DELETE FROM derived WHERE child = ?1", [&id]).expect("planted");
    let bare = "UPDATE memory SET body = json_remove(body, '$.evidence') WHERE id = ?1";
    connection.execute(bare, [&id]).expect("planted");
    drop(connection);
    let ran = home.run(["doctor", "--json"]);
    assert!(
        ran.stdout.contains(&id) && !ran.stdout.contains(&content) && !ran.stderr.contains(&content),
        "{ran:?}"
    );
    assert_eq!(ran.code, Some(4), "junk alone");
    let shown = home.run(["doctor"]);
    assert!(shown.stdout.contains(&content), "{}", shown.stdout);
}
