//! The command line with `--tenant`, over the socket of a running server and without one.

use serde_json::{Value, json};

use super::{MARKER, PLACE, RecordNames, WORDS};
use crate::support::{CommandRun, Home};

/// Every command that takes an id, with another tenant's.
fn commands(ids: &RecordNames) -> Vec<Vec<&str>> {
    vec![
        vec!["show", &ids.memory],
        vec!["why", &ids.memory],
        vec!["update", &ids.memory, "--content", "taken over"],
        vec!["forget", &ids.memory, "--yes"],
        vec!["merge", &ids.memory, &ids.rule],
        vec!["feedback", &ids.memory],
        vec!["feedback", &ids.memory, "wrong"],
        vec!["history", &ids.memory],
        vec!["undo", &ids.run],
        vec!["sessions", "show", &ids.session],
        vec!["sessions", "end", &ids.session],
        vec!["agents", "show", &ids.agent],
        vec!["agents", "edit", &ids.agent, "--name", "Mine"],
        vec!["agents", "delete", &ids.agent],
        vec!["identity", "override", "remove", &ids.line],
        vec!["audit", "crisis", "remove", "cr_01890a5d-ac96-774b-bcce-b302099a8057"],
        vec!["search", WORDS, "--user", &ids.user],
        vec!["context", WORDS, "--user", &ids.user],
        vec!["list", "--user", &ids.user],
        vec!["rules"],
        vec!["sessions", "list"],
        vec!["agents", "list"],
        vec!["identity", "show"],
        vec!["graph", "show"],
        vec!["graph", "search", "lives in"],
        vec!["pending"],
        // Makes one of its own.
        vec!["agents", "create", &ids.agent],
    ]
}

/// Revoking any tenant's key is the operator's, whose commands these are.
const OPERATORS: [&str; 1] = ["keys revoke"];

/// The commands whose usage names an id are all among those that are tried.
#[test]
fn every_command_with_an_id_is_tried() {
    let pages = recollect::reference::pages();
    let page = &pages.iter().find(|page| page.file == "cli.md").expect("the command line's page").text;
    let ids = RecordNames::made_up();
    let tried: Vec<String> = commands(&ids).iter().map(|words| words.join(" ")).collect();
    let usages = page.lines().filter_map(|line| line.strip_prefix("Usage: recollect "));
    for usage in usages.filter(|usage| usage.contains("ID") || usage.contains("RUN")) {
        let name: Vec<&str> =
            usage.split_whitespace().take_while(|word| word.starts_with(char::is_lowercase)).collect();
        let name = name.join(" ");
        let known = OPERATORS.contains(&name.as_str()) || tried.iter().any(|words| words.starts_with(&name));
        assert!(known, "say in this file how `recollect {name}` names records");
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text")).to_owned()
}

/// Fills a tenant by commands alone.
fn fill(home: &Home) -> RecordNames {
    let of = |arguments: &[&str]| home.json(&[arguments, &["--tenant", "first"]].concat());
    let memory = text(&of(&["add", &format!("{MARKER} is a {WORDS}"), "--user", "firsts-user"])["id"]);
    let rule = text(&of(&["add", &format!("Always say {MARKER}"), "--kind", "rule"])["id"]);
    let said = format!(
        "My name is Ada. I work at {PLACE} Works as a {WORDS} builder, and I live in {PLACE} Bay by the sea."
    );
    let line = json!({ "conversation_id": "firsts-session", "turns": [{ "user": said }] });
    let fed = home.feed(&["ingest", "-", "--tenant", "first"], &format!("{line}\n"));
    assert_eq!(fed.code, Some(0), "{fed:?}");
    of(&["agents", "create", "firsts-agent", "--name", MARKER]);
    let gone = text(&of(&["add", &format!("a {MARKER} to be forgotten")])["id"]);
    let forgotten = of(&["forget", &gone, "--yes"]);
    let added = of(&["identity", "override", "add", &format!("Mind the {MARKER}")]);
    RecordNames {
        memory,
        rule,
        session: "firsts-session".to_owned(),
        agent: "firsts-agent".to_owned(),
        user: "firsts-user".to_owned(),
        line: text(&added["override"]["id"]),
        run: text(&forgotten["run"]),
        ..RecordNames::made_up()
    }
}

/// Without what the server's own judge says of memories in the meantime, and how much it wrote for that.
fn dump(home: &Home) -> Vec<Value> {
    let of = |arguments: &[&str]| {
        let mut value = home.json(&[arguments, &["--tenant", "first"]].concat());
        for counted in ["change_number", "bytes_on_disk"] {
            value.as_object_mut().and_then(|fields| fields.remove(counted));
        }
        for memory in value["memories"].as_array_mut().into_iter().flatten() {
            if let Some(fields) = memory.as_object_mut() {
                fields.remove("category");
                fields.remove("sensitive");
            }
        }
        value
    };
    vec![
        of(&["list", "--limit", "200"]),
        of(&["sessions", "show", "firsts-session"]),
        of(&["agents", "list"]),
        of(&["identity", "show"]),
        of(&["graph", "show"]),
        of(&["stats"]),
    ]
}

fn compare(ids: &RecordNames, words: &[&str], ours: &CommandRun, nobodys: &CommandRun) {
    let said = |ran: &CommandRun| format!("{}\n{}", ran.stdout, ran.stderr);
    assert!(!said(ours).to_lowercase().contains(MARKER), "{words:?} tells: {ours:?}");
    let (ours, nobodys) = (
        (ours.code, ids.blotted(&said(ours))),
        (nobodys.code, RecordNames::made_up().blotted(&said(nobodys))),
    );
    assert_eq!(ours, nobodys, "{words:?}");
}

fn tried(attached: bool) {
    let home = Home::new();
    let ids = fill(&home);
    for name in ["second", "third"] {
        home.json(&["add", "likes tea", "--tenant", name]);
    }
    let server = attached.then(|| home.serve());
    let before = dump(&home);
    let made_up = RecordNames::made_up();
    for (words, others) in commands(&ids).into_iter().zip(commands(&made_up)) {
        let ours = home.run([&words[..], &["--tenant", "second"]].concat());
        let nobodys = home.run([&others[..], &["--tenant", "third"]].concat());
        compare(&ids, &words, &ours, &nobodys);
    }
    assert_eq!(dump(&home), before, "nothing of the first tenant changed");
    drop(server);
}

#[test]
fn commands_through_the_socket_keep_to_their_tenant() {
    tried(true);
}

#[test]
fn commands_without_a_server_keep_to_their_tenant() {
    tried(false);
}
