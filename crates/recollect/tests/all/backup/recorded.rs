//! Backups and restores are errands like others: one decision, one row in the record, and the operator's alone.

use recollect::ops::Services;
use recollect::ops::errands::Errand;
use recollect::problem::Code;
use serde_json::Value;
use store::{Credential, Role, Tenants, TenantsOptions};

use super::{back_up, contents, refused, shelf, text};
use crate::support::Home;

/// What the record has of backups and restores, the newest first: what it was, of which tenant, and whether it was allowed.
fn recorded(home: &Home) -> Vec<(String, String, bool)> {
    of_backups(&home.json(&["audit", "--limit", "100"])["decisions"])
}

fn of_backups(rows: &Value) -> Vec<(String, String, bool)> {
    let rows = rows.as_array().unwrap_or_else(|| panic!("{rows}")).iter();
    let word = |row: &Value, name: &str| row[name].as_str().unwrap_or_default().to_owned();
    rows.map(|row| (word(row, "operation"), word(row, "tenant"), row["allowed"] == true))
        .filter(|(operation, ..)| operation == "Backup" || operation == "Restore")
        .collect()
}

fn row(operation: &str, tenant: &str) -> (String, String, bool) {
    (operation.to_owned(), tenant.to_owned(), true)
}

#[test]
fn each_is_on_record_once_where_the_data_lies_from_then_on() {
    let home = Home::new();
    home.add("mine");
    home.run(["add", "theirs", "--tenant", "team-7"]);
    let backups = shelf(&home);
    back_up(&home);
    assert_eq!(recorded(&home), [row("Backup", "local")]);
    // Looking at backups, and what would be done, is nothing to record.
    home.json(&["backup", text(&backups), "--list"]);
    home.json(&["backup", text(&backups), "--verify"]);
    home.json(&["restore", text(&backups), "--dry-run"]);
    refused(&home.run(["restore", text(&backups)]), &["holds memory already"]);
    assert_eq!(recorded(&home), [row("Backup", "local")]);

    home.json(&["restore", text(&backups), "--yes"]);
    let whole = [row("Restore", "local"), row("Backup", "local")];
    assert_eq!(recorded(&home), whole, "the record that was restored says of the restore too");
    home.json(&["restore", text(&backups), "--tenant", "team-7", "--yes"]);
    assert_eq!(recorded(&home)[0], row("Restore", "team-7"));
    assert_eq!(contents(&home, "team-7"), ["theirs"]);

    // Into a folder that has nothing yet.
    let other = Home::new();
    other.json(&["restore", text(&backups)]);
    assert_eq!(recorded(&other), whole);

    // Over HTTP an administrator reads the same of the tenant that is their own.
    let server = home.serve();
    let reply = server.http("GET /api/audit?limit=100 HTTP/1.1");
    let listed: Value =
        serde_json::from_str(&reply.body).unwrap_or_else(|error| panic!("{error}: {}", reply.body));
    let names = of_backups(&listed["data"]).into_iter().map(|(operation, _, allowed)| (operation, allowed));
    assert_eq!(names.collect::<Vec<_>>(), [("Restore".to_owned(), true), ("Backup".to_owned(), true)]);
    // And beside a server a backup is made and recorded as well.
    back_up(&home);
    assert_eq!(recorded(&home)[0], row("Backup", "local"));
}

#[tokio::test]
async fn no_key_and_no_guest_may() {
    let tenants = Tenants::in_memory(TenantsOptions::default()).expect("a store in memory");
    let house = Services::new(tenants, None);
    let guest = house.admit(Credential::Loopback).await.expect("no key is needed yet");
    assert_eq!(guest.role(), Role::Admin);
    for errand in [Errand::Backup, Errand::Restore] {
        assert_eq!(errand.needs(), Role::Operator);
        let denied = house.leave(&guest, errand, None, None).expect_err("the operator's alone");
        assert_eq!(denied.code, Code::Denied, "{denied:?}");
        let operator = Credential::Operator { tenant: guest.tenant().clone() };
        let operator = house.admit(operator).await.expect("always let in");
        house.leave(&operator, errand, None, None).expect("the operator may");
    }
    let operator = Credential::Operator { tenant: guest.tenant().clone() };
    let operator = house.admit(operator).await.expect("always let in");
    let listed = house.ask(&operator, recollect::ops::audit::AuditList::default()).await.expect("may look");
    let said: Vec<(String, bool)> = { listed.decisions.iter() }
        .map(|row| (row.decision.operation.clone(), row.decision.allowed))
        .filter(|(operation, _)| operation != "AuditList")
        .collect();
    let expected = [("Restore", true), ("Restore", false), ("Backup", true), ("Backup", false)];
    assert_eq!(said, expected.map(|(operation, allowed)| (operation.to_owned(), allowed)));
}

/// A record that cannot be opened is no reason to go without a backup.
#[test]
fn a_house_whose_record_is_of_a_later_version_is_backed_up_all_the_same() {
    let home = Home::new();
    home.add("mine");
    let control = home.data().join("control.sqlite3");
    let connection = rusqlite::Connection::open(&control).expect("opens");
    let version: i64 = connection
        .query_row("SELECT user_version FROM pragma_user_version", [], |row| row.get(0))
        .expect("read");
    connection.execute_batch(&format!("PRAGMA user_version = {}", version + 1)).expect("made newer");
    drop(connection);
    let taken = back_up(&home);
    assert_eq!(taken["files"].as_array().map(Vec::len), Some(2), "{taken}");
}
