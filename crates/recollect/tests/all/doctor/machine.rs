//! What lies around the store: the command examines it, and `--fix` puts it right.

use std::os::unix::fs::PermissionsExt;

use rusqlite::Connection;
use serde_json::Value;

use super::{home, mode};
use crate::support::{CommandRun, Home, ran};

/// The codes that a check-up names, of the machine and of the tenants; and its exit code.
fn examined(home: &Home, arguments: &[&str]) -> (Option<i32>, Vec<String>, Value) {
    let ran = home.run([&["doctor", "--json"], arguments].concat());
    let said: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {ran:?}"));
    let of = |one: &Value| {
        let found = one["findings"].as_array().expect("a list").clone();
        found.into_iter().map(|found| found["code"].as_str().expect("a code").to_owned()).collect::<Vec<_>>()
    };
    let mut codes = of(&said["machine"]);
    said["tenants"].as_array().expect("a list").iter().for_each(|one| codes.extend(of(one)));
    (ran.code, codes, said)
}

/// Found by name, and gone after a repair; the exit code says whether it is a fault.
fn check(home: &Home, code: &str, exit: i32) {
    let (exited, codes, said) = examined(home, &[]);
    assert_eq!((exited, codes.as_slice()), (Some(exit), [code.to_owned()].as_slice()), "{said:#}");
    let (exited, codes, said) = examined(home, &["--fix"]);
    assert_eq!((exited, codes.len()), (Some(0), 0), "{code}: {said:#}");
    assert_eq!(said["score"], 100);
    assert_eq!(examined(home, &[]).1, [] as [String; 0], "{code} stays away");
}

#[test]
fn a_healthy_machine_has_a_hundred() {
    let home = home();
    let (exited, codes, said) = examined(&home, &[]);
    assert_eq!(
        (exited, codes.len(), &said["score"], &said["sound"]),
        (Some(0), 0, &100.into(), &true.into()),
        "{said:#}"
    );
}

#[test]
fn a_folder_that_others_can_read() {
    let home = home();
    mode(&home.data(), 0o755);
    check(&home, "disk.modes", 3);
    let about = std::fs::metadata(home.data()).expect("there");
    assert_eq!(about.permissions().mode() & 0o777, 0o700);
}

#[test]
fn a_socket_that_nobody_answers_on() {
    let home = home();
    drop(std::os::unix::net::UnixListener::bind(home.data().join("recollect.sock")).expect("bound"));
    check(&home, "disk.socket", 0);
}

#[test]
fn a_lease_that_nobody_holds() {
    let home = home();
    let control = Connection::open(home.data().join("control.sqlite3")).expect("opened");
    let sql =
        "INSERT INTO lease VALUES ('tend/local', 'process 1 of long ago', '2020-01-01T00:00:00.000000Z')";
    control.execute(sql, []).expect("planted");
    drop(control);
    check(&home, "disk.leases", 0);
}

#[test]
fn a_database_that_nobody_knows() {
    let home = home();
    let tenants = home.data().join("tenants");
    std::fs::copy(tenants.join("local.sqlite3"), tenants.join("stray.sqlite3")).expect("copied");
    check(&home, "control.strays", 3);
}

#[test]
fn a_configuration_file_with_keys_that_others_can_read() {
    let home = home();
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("bound");
    let url = format!("http://{}/v1", listener.local_addr().expect("bound"));
    let folder = home.path().join("config").join("recollect");
    std::fs::create_dir_all(&folder).expect("made");
    let file = folder.join("recollect.toml");
    let text = format!("[upstreams.mine]\nkind = \"openai\"\nbaseUrl = \"{url}\"\napiKey = \"sk-secret\"\n");
    std::fs::write(&file, text).expect("written");
    mode(&file, 0o644);
    let place = home.run(["config", "path"]);
    assert_eq!(place.stdout.trim(), file.display().to_string(), "{place:?}");
    check(&home, "config.modes", 3);
    let said = home.run(["doctor", "--json"]).stdout;
    assert!(!said.contains("sk-secret"));
    drop(listener);
    let (exited, codes, _) = examined(&home, &[]);
    assert_eq!(
        (exited, codes),
        (Some(0), vec!["config.upstream".to_owned()]),
        "a server that is away is a notice"
    );
}

#[test]
fn a_core_model_of_no_configured_server_is_told() {
    let home = home();
    // A known maker, set while no server of theirs was configured. A misspelt one is refused in any case.
    let misspelt = home.run(["settings", "set", "coreModelProvider", "opanai"]);
    assert!(misspelt.code == Some(2) && misspelt.stderr.contains("`opanai`"), "{misspelt:?}");
    assert_eq!(home.run(["settings", "set", "coreModelProvider", "mistral"]).code, Some(0));
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("bound");
    let url = format!("http://{}/v1", listener.local_addr().expect("bound"));
    let said = ran(home.command().env("OPENAI_BASE_URL", &url).args(["doctor", "--json"]));
    let report: serde_json::Value = serde_json::from_str(&said.stdout).expect("JSON");
    let finding = &report["tenants"][0]["findings"][0];
    assert_eq!((&finding["code"], said.code), (&"config.model".into(), Some(3)), "{report:#}");
    let detail = finding["detail"].as_str().expect("a detail");
    assert!(detail.contains("`mistral`") && detail.contains("expected `openai`"), "{detail}");
    assert!(report["score"].as_u64().expect("a score") < 100);
}

#[test]
fn a_configuration_that_is_refused_is_told_and_the_rest_examined() {
    let home = home();
    let file = home.path().join("mine.toml");
    std::fs::write(&file, "listne = \"127.0.0.1:1\"\n").expect("written");
    let (exited, codes, said) = examined(&home, &["--config", "mine.toml"]);
    assert_eq!((exited, codes), (Some(3), vec!["config.file".to_owned()]), "{said:#}");
    let detail = said["machine"]["findings"][0]["detail"].as_str().expect("a detail");
    assert!(detail.contains("mine.toml") && detail.contains("listne"), "{detail}");
    assert_eq!(said["tenants"][0]["score"], 100);
}

#[test]
fn databases_that_cannot_be_opened_are_findings_and_left_alone() {
    let home = home();
    let path = home.data().join("tenants").join("local.sqlite3");
    let newer = Connection::open(&path).expect("opened");
    newer.pragma_update(None, "user_version", 99).expect("set");
    drop(newer);
    let (exited, codes, _) = examined(&home, &[]);
    assert_eq!((exited, codes), (Some(3), vec!["db.newer".to_owned()]));
    let garbage = vec![7u8; 8_192];
    std::fs::write(&path, &garbage).expect("written");
    for arguments in [&[][..], &["--fix"][..]] {
        let (exited, codes, said) = examined(&home, arguments);
        assert_eq!((exited, codes), (Some(3), vec!["db.unopenable".to_owned()]), "{said:#}");
    }
    assert_eq!(std::fs::read(&path).expect("there"), garbage, "a repair does not touch it");
    std::fs::remove_file(&path).expect("removed");
    let (exited, codes, _) = examined(&home, &["--all-tenants"]);
    assert_eq!(exited, Some(3));
    assert_eq!(codes[0], "control.missing");
}

#[test]
fn a_control_database_that_is_none_is_told() {
    let home = home();
    // Without its log, which would make it whole again.
    for rest in ["-wal", "-shm"] {
        let _ = std::fs::remove_file(home.data().join(format!("control.sqlite3{rest}")));
    }
    std::fs::write(home.data().join("control.sqlite3"), vec![9u8; 4_096]).expect("written");
    let (exited, codes, said) = examined(&home, &[]);
    assert_eq!((exited, codes[0].as_str()), (Some(3), "control.integrity"), "{said:#}");
}

#[test]
fn no_folder_is_no_fault() {
    let ran: CommandRun = Home::new().run(["doctor", "--json"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
}
